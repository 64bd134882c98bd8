"""`veridic check --mode consensus` as a user runs it, on models that a real server scripts."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import llm_texts
from tests.command import run_veridic
from tests.llm_server import ScriptedServer


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        running.script_consensus(verdicts={"m/b": ("DISPUTED", "DISPUTED"), "m/c": ("DISPUTED",)})
        yield running


def check(server: ScriptedServer, home: Path, *arguments: str | Path) -> Any:
    asked = ["--mode", "consensus", "--extractor", "m/x", "--reporter", "m/x"]
    for checker in ("m/a", "m/b", "m/c"):
        asked += ["--checker", checker]
    return run_veridic(
        "check",
        *asked,
        *arguments,
        home=home,
        stdin=llm_texts.CONTENT,
        VERIDIC_LLM_BASE_URL=server.url,
    )


def test_the_majority_of_three_models(server: ScriptedServer, tmp_path: Path) -> None:
    done = check(server, tmp_path, "-", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["mode"] == "consensus"
    assert report["engine"] == "llm"
    assert [claim["verdict"] for claim in report["claims"]] == [
        "REFUTED",
        "SUPPORTED",
        "SUPPORTED",
        "SUPPORTED",
    ]
    assert [claim["quote"] for claim in report["claims"]] == [words for words, _ in llm_texts.CLAIMS]
    opinions = [(o["checker"], o["verdict"]) for o in report["claims"][0]["opinions"]]
    assert opinions == [("m/a", "VERIFIED"), ("m/b", "DISPUTED"), ("m/c", "DISPUTED")]
    usage = {name: report["usage"][name] for name in ("input_tokens", "output_tokens", "calls", "cost_usd")}
    assert usage == {
        "input_tokens": 600, "output_tokens": 300, "calls": 6, "cost_usd": pytest.approx(0.006),
    }  # fmt: skip
    assert report["id"] == "FC-2026-000001" or report["id"].startswith("FC-")


def test_a_saved_run_is_shown_again_in_any_format(server: ScriptedServer, tmp_path: Path) -> None:
    run_id = json.loads(check(server, tmp_path, "-", "--format", "json").stdout)["id"]
    for kind in ("text", "markdown", "html", "claimreview"):
        shown = run_veridic("runs", "show", run_id, "--format", kind, home=tmp_path)
        assert shown.returncode == 0
        assert "ARPANET" in shown.stdout


def test_a_question_is_answered_and_the_answer_checked(server: ScriptedServer, tmp_path: Path) -> None:
    done = check(server, tmp_path, "--question", "How did the Internet begin?", "--generator", "m/a")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "How did the Internet begin?"
    assert "ARPANET was funded" in done.stdout
    assert "Warning: Generator and checker share model" in done.stdout
    assert "Checkers: m/a, m/b, m/c · " in done.stdout
    assert "67% agreement" in done.stdout
    assert "m/b: DISPUTED (high confidence)" in done.stdout
    assert "Report by m/x" in lines
    assert "## Annotated Content" in done.stdout
    assert "[DISPUTED]" in done.stdout
    assert "3 checkers (m/a, m/b, m/c) judged every claim independently" in done.stdout


def test_a_question_needs_somebody_to_answer_it(server: ScriptedServer, tmp_path: Path) -> None:
    done = check(server, tmp_path, "--question", "How did the Internet begin?")
    assert done.returncode == 2
    assert done.stderr == "veridic: Say who answers the question: --generator MODEL, such as openai/o3.\n"


def test_failing_models_exit_with_3_and_one_sentence(server: ScriptedServer, tmp_path: Path) -> None:
    server.answer(when=lambda request: request.stage == "verify", status=401, error="bad key")
    done = check(server, tmp_path, "-")
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr.startswith("veridic: All verification checkers failed. ")
    assert "bad key" in done.stderr
    assert done.stderr.count("\n") == 1


def test_exhausted_budget_exits_with_3_and_partial_report(server: ScriptedServer, tmp_path: Path) -> None:
    server.answer(model="m/a", text=llm_texts.verification(llm_texts.CLAIMS), cost=0.5)
    done = check(server, tmp_path, "-", "--format", "json", "--max-cost", "0.4")
    assert done.returncode == 3
    report = json.loads(done.stdout)
    assert "budget" in {error["stage"] for error in report["errors"]}
    assert len(report["claims"]) == 4


def test_a_long_text_is_cut_where_the_user_says(server: ScriptedServer, tmp_path: Path) -> None:
    long = f"{llm_texts.CONTENT}\n\n{'And so on. ' * 100}"
    (tmp_path / "long.txt").write_text(long)
    options = ("--format", "json", "--max-content-length")
    done = check(server, tmp_path, tmp_path / "long.txt", *options, "500")
    assert done.returncode == 0
    asked = next(request for request in server.requests if request.stage == "extract")
    assert "[Content truncated to 500 characters." in asked.user
    refused = check(server, tmp_path, tmp_path / "long.txt", *options, "499")
    assert refused.returncode == 2
    assert "--max-content-length" in refused.stderr


def test_too_many_checkers(tmp_path: Path) -> None:
    five = [part for name in "abcde" for part in ("--checker", f"m/{name}")]
    done = run_veridic("check", "-", "--mode", "consensus", *five, home=tmp_path, stdin="x")
    assert done.returncode == 2
    assert "At most 4 checkers can be asked, and --checker names 5" in done.stderr


def test_checkers_cite_the_passages_they_are_given(server: ScriptedServer, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("ARPANET was funded by the U.S. Department of Defense from 1969.")
    done = check(server, tmp_path, "-", "--against", str(tmp_path / "notes.txt"), "--format", "json")
    assert done.returncode == 0
    first = json.loads(done.stdout)["claims"][0]
    assert first["citations"] == [1]
    assert "No source was cited" not in first["rationale"]
    asked = next(request for request in server.requests if request.stage == "verify")
    assert "[1] notes" in asked.user
