"""`veridic batch` as a user runs it."""

import csv
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from tests.batch_articles import rows_of, write_lines
from tests.command import VERIDIC, Completed, environment, run_veridic, run_veridic_with
from tests.llm_server import ScriptedServer
from tests.newsroom import ARTICLE, Newsroom

SOURCES = [
    {
        "title": "Towers",
        "date": "2025-01-01",
        "text": "The Tarn Tower is 90 metres high. It was built in 1931.",
    },
    {
        "title": "Ferries",
        "date": "2025-01-01",
        "text": "The ferries of Brindle carry 12,000 passengers a day.",
    },
]
RIGHT, FALSE = "The Tarn Tower is 90 metres high.", "The Tarn Tower is 190 metres high."


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "sources.jsonl", SOURCES)


@pytest.fixture
def articles(tmp_path: Path) -> Path:
    lines: list[str | dict[str, str]] = [
        {"id": "one", "text": RIGHT},
        {"id": "two", "text": FALSE},
        "{not JSON",
        {"id": "four", "text": f"  {RIGHT} "},
    ]
    return write_lines(tmp_path / "articles.jsonl", lines)


def test_articles_are_checked_and_told_about(tmp_path: Path, articles: Path, sources: Path) -> None:
    home, output = tmp_path / "home", tmp_path / "results.csv"

    done = run_veridic(
        "batch", articles, "--against", sources, "--output", output, "--workers", "1", home=home
    )

    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        f"Batch 1: 3 of 4 articles checked, 1 failed or incomplete, 1 copy not checked again. Results: {output}\n"
    )
    with output.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["state"], row["verdict"], row["copy_of"]) for row in rows] == [
        ("one", "done", "TRUE", ""),
        ("two", "done", "FALSE", ""),
        ("", "failed", "", ""),
        ("four", "done", "TRUE", "1"),
    ]
    finding = json.loads(rows[1]["findings"])[0]
    assert (finding["claim"], finding["verdict"]) == (FALSE.rstrip("."), "REFUTED")
    assert finding["sources"] == [f"{sources.as_posix()}#1"]
    shown = run_veridic("runs", "show", rows[1]["run"], home=home)
    assert FALSE.rstrip(".") in shown.stdout
    again = batch(home, "--resume", "1")
    assert (again.returncode, again.stderr) == (3, done.stderr)
    listed = run_veridic("batch", "--list", home=home).stdout.split("\t")
    assert listed[2:7] == [str(articles), "finished", "4 of 4", "1", "$0.0000"]


def batch(home: Path, *words: str | Path, **variables: str) -> Completed:
    """`veridic batch`, in one process."""
    return run_veridic_with(environment(home, **variables), "batch", *words, "--workers", "1")


def test_fail_on_looks_at_every_article(tmp_path: Path, sources: Path) -> None:
    articles = write_lines(tmp_path / "articles.jsonl", [{"text": RIGHT}, {"text": FALSE}])

    def code(name: str, verdict: str) -> int:
        words = (articles, "--against", sources, "--output", tmp_path / name, "--fail-on", verdict)
        return batch(tmp_path / "home", *words).returncode

    assert (code("a.jsonl", "FALSE"), code("b.jsonl", "OUTDATED")) == (1, 0)


def test_models_check_only_what_triage_flags(tmp_path: Path, sources: Path) -> None:
    articles = write_lines(tmp_path / "articles.jsonl", [{"text": RIGHT}, {"text": FALSE}])
    output = tmp_path / "results.jsonl"
    with ScriptedServer() as models:
        models.script_validation(verdicts={FALSE.rstrip("."): "FALSE"})
        words = (articles, "--against", sources, "--output", output, "--triage", "embedded")
        done = batch(
            tmp_path / "home",
            *(*words, "--checker", "scripted", "--extractor", "embedded/extractor"),
            VERIDIC_BATCH_FLAGS="FALSE",
            VERIDIC_LLM_BASE_URL=models.url,
        )
        asked = [request.user for request in models.requests]

    rows = rows_of(output)
    assert (done.returncode, [row["flags"] for row in rows]) == (0, [[], ["FALSE"]])
    assert "1 flagged and checked thoroughly" in done.stderr
    assert asked
    assert all("190 metres" in user for user in asked)


@pytest.mark.skipif(os.name == "nt", reason="no POSIX signals on Windows")
def test_terminated_batch_can_be_resumed(tmp_path: Path) -> None:
    articles = write_lines(
        tmp_path / "articles.jsonl", [{"id": n, "text": f"{ARTICLE} {n}"} for n in range(3)]
    )
    output, home = tmp_path / "results.jsonl", tmp_path / "home"
    with Newsroom() as outside:
        gate = outside.models.hold()
        words = ["batch", articles, "--output", output, "--mode", "summary", "--at-once", "1"]
        with subprocess.Popen(
            [VERIDIC, *map(str, words)],
            env=environment(home, **outside.environment),
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            gate.wait_for_request()
            process.send_signal(signal.SIGTERM)
            _, told = process.communicate(timeout=60)
        gate.release()
        assert (process.returncode, told) == (130, "`veridic batch --resume 1` goes on with it.\n")

        done = batch(home, "--resume", "1", **outside.environment)

    assert done.returncode == 0, done.stderr
    assert [row["state"] for row in rows_of(output)] == ["done"] * 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "Name where the articles are"),
        (["articles.jsonl"], "Name where the articles are"),
        (["articles.jsonl", "--output", "r.xlsx"], "--output should end in .jsonl, .csv, .parquet"),
        (["missing.jsonl", "--output", "r.csv"], "There is no file or folder 'missing.jsonl'"),
        (["articles.jsonl", "--output", "r.csv", "--every", "soon"], "--every takes a time such as 90s"),
        (["articles.jsonl", "--output", "r.csv", "--every", "0m"], "--every takes a time such as 90s"),
        (["articles.jsonl", "--output", "r.csv", "--mode", "summary", "--triage", "summary"], "leave --mode summary out"),
        (["articles.jsonl", "--output", "r.csv", "--engine", "llm"], "No language model is set up"),
        (["--resume", "7"], "There is no batch 7"),
        (["articles.jsonl", "--resume", "7"], "leave ARTICLES and --output out"),
    ],
)  # fmt: skip
def test_errors_are_one_sentence(options: list[str], message: str, tmp_path: Path, articles: Path) -> None:
    done = run_veridic("batch", *options, home=tmp_path / "home", cwd=articles.parent)

    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert run_veridic("batch", "--list", home=tmp_path / "home").stdout == ""
