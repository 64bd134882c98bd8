"""The `veridic` command as scripts meet it: exit codes, streams, contracts."""

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.command import VERIDIC, Completed, environment, run_veridic, run_veridic_process
from tests.e2e.conftest import ARTICLE, World

TOWER = "The Eiffel Tower is 120 metres tall."


def check(world: World, *options: str | Path, **variables: str) -> Completed:
    """`veridic check` of the world's article against its sources."""
    return run_veridic(
        "check", world.article, "--against", world.sources, *options, home=world.home, cwd=world.folder, **variables
    )  # fmt: skip


def report_of(done: Completed) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert isinstance(report, dict)
    return report


def assert_refused(done: Completed, code: int, *said: str) -> None:
    """One sentence on standard error, and nothing else anywhere."""
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("veridic: ")
    assert line.endswith((".", "?"))
    assert all(words in line for words in said), line


# What a check gives


def test_a_check_finds_what_holds_and_what_does_not(world: World) -> None:
    done = check(world)
    assert (done.returncode, done.stderr) == (0, "")
    assert "✗ REFUTED" in done.stdout
    assert "330 metres" in done.stdout
    assert "sources/tower.txt" in done.stdout
    assert "\x1b" not in done.stdout, "piped output is plain"


def test_json_by_the_contract(world: World) -> None:
    report = report_of(check(world, "--format", "json"))
    assert set(report) >= {
        "id", "mode", "engine", "as_of", "document", "verdict", "credibility_score", "summary", "claims", "sources",
        "counts", "errors", "usage", "processing_time_ms",
    }  # fmt: skip
    assert (report["mode"], report["engine"], report["verdict"]) == ("thorough", "embedded", "MISLEADING")
    assert report["document"] == {
        "title": "Paris 🗼", "source": str(world.article), "published": None, "characters": len(ARTICLE),
    }  # fmt: skip
    assert set(report["usage"]) >= {"input_tokens", "output_tokens", "calls", "cost_usd"}
    assert report["counts"] == {"SUPPORTED": 1, "REFUTED": 1, "UNVERIFIABLE": 1}
    for claim in report["claims"]:
        assert set(claim) >= {
            "id", "text", "span", "sentence_index", "type", "framing", "risk", "category", "verdict", "confidence",
            "rationale", "citations", "correction", "temporal_analysis", "evidence",
        }  # fmt: skip
        assert 0 <= claim["confidence"] <= 1
        for evidence in claim["evidence"]:
            assert set(evidence) >= {"source", "stance", "quote", "relevance", "quality"}
    for source in report["sources"]:
        assert set(source) >= {"id", "title", "domain", "date", "channel", "tier", "credibility"}
        assert "url" in source or "path" in source


def test_every_verdict_quotes_its_sources_word_for_word(world: World) -> None:
    report = report_of(check(world, "--format", "json"))
    text = (world.sources / "tower.txt").read_text(encoding="utf-8")
    tower, _, louvre = report["claims"]
    assert tower["verdict"] == "REFUTED"
    assert tower["citations"] == [1]
    assert report["sources"][0]["path"] == str(world.sources / "tower.txt")
    assert tower["evidence"][0]["quote"] in text
    assert tower["correction"]["corrected"] == "The Eiffel Tower is 330 metres tall."
    assert (louvre["verdict"], louvre["citations"], louvre["confidence"]) == ("UNVERIFIABLE", [], 0.0)
    assert louvre["rationale"]


def test_without_sources_the_reference_library_is_asked(reference_home: Path, tmp_path: Path) -> None:
    done = run_veridic(
        "claim",
        "The capital of Australia is Sydney.",
        "--format",
        "json",
        home=reference_home,
        VERIDIC_DATABASE_URL=f"sqlite:///{tmp_path / 'runs.db'}",
    )
    (claim,) = report_of(done)["claims"]
    assert claim["verdict"] == "REFUTED"
    assert "Canberra" in claim["correction"]["corrected"]


@pytest.mark.parametrize(
    ("name", "mark"),
    [("text", "REFUTED"), ("markdown", "# "), ("html", "<!doctype html>"), ("claimreview", '"ClaimReview"')],
)
def test_other_formats(world: World, name: str, mark: str) -> None:
    done = check(world, "--format", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert mark.lower() in done.stdout.lower()


def test_standard_input(world: World) -> None:
    arguments = ("check", "-", "--against", world.sources, "--format", "json")
    report = report_of(run_veridic(*arguments, home=world.home, stdin=ARTICLE))
    assert report["document"]["source"] == "-"
    assert [claim["verdict"] for claim in report["claims"]] == ["REFUTED", "SUPPORTED", "UNVERIFIABLE"]


def test_a_corpus_by_name(world: World) -> None:
    added = run_veridic("corpus", "add", world.sources, "--name", "desk", home=world.home)
    assert added.returncode == 0, added.stderr
    done = run_veridic("check", world.article, "--against", "desk", "--format", "json", home=world.home)
    assert report_of(done)["corpora"] == ["desk"]


# One claim


@pytest.mark.parametrize(
    ("threshold", "allowed"), [("0.5", {"CONTESTED", "REFUTED"}), ("0.85", {"CONTESTED", "UNVERIFIABLE"})]
)
def test_sources_that_disagree_are_both_shown(world: World, threshold: str, allowed: set[str]) -> None:
    """A fresh official page against an undated blog: the page outweighs it, but not by enough for the default threshold."""
    today = datetime.now(UTC).date().isoformat()
    rows = [
        {"text": "The Eiffel Tower is 330 metres tall.", "url": "https://www.nasa.gov/tower", "date": today},
        {"text": TOWER, "url": "https://tower.blogspot.com/"},
    ]
    (world.folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    done = run_veridic(
        "claim", TOWER, "--against", "rows.jsonl", "--threshold", threshold, "--format", "json",
        home=world.home, cwd=world.folder,
    )  # fmt: skip
    (claim,) = report_of(done)["claims"]
    assert claim["verdict"] in allowed
    assert {one["quote"] for one in claim["evidence"]} == {row["text"] for row in rows}


def test_a_claim_that_is_none(world: World) -> None:
    done = run_veridic("claim", "How tall is it?", "--against", world.sources, home=world.home)
    assert done.returncode == 0
    assert "No verifiable claims identified." in done.stdout


# Exit codes


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("OUTDATED,refuted", 1), ("FALSE", 1), ("UNVERIFIABLE", 1), ("OUTDATED,MISLEADING", 0),
    ],
)  # fmt: skip
def test_fail_on(world: World, words: str, code: int) -> None:
    done = check(world, "--fail-on", words)
    assert (done.returncode, done.stderr) == (code, "")
    assert "✗ REFUTED" in done.stdout, "the report is given either way"


def test_a_search_that_is_cut_short_is_not_done(world: World) -> None:
    done = check(
        world, "--format", "json", "--fail-on", "UNVERIFIABLE", VERIDIC_CLAIM_TIMEOUT_SECONDS="0.0000001"
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert "it took too long" in done.stderr


BAD_INPUT: list[tuple[str, Callable[[Path], bytes | None], str]] = [
    ("missing.md", lambda path: None, "no file"),
    ("folder", lambda path: path.mkdir(), "directory"),
    ("empty.txt", lambda path: b"", "empty"),
    ("blank.md", lambda path: b" \r\n\t\n", "nothing"),
    ("binary.bin", lambda path: bytes(range(256)) * 8, "binary"),
    ("broken.pdf", lambda path: b"%PDF-1.7\nnothing of the kind", "PDF"),
    ("broken.docx", lambda path: b"PK\x03\x04 not a document", "broken.docx"),
    ("unknown.txt", lambda path: "Ärger über Öl".encode("utf-16-le"), "unknown.txt"),
]


@pytest.mark.parametrize(("name", "content", "said"), BAD_INPUT, ids=[name for name, *_ in BAD_INPUT])
def test_bad_input(world: World, name: str, content: Callable[[Path], bytes | None], said: str) -> None:
    path = world.folder / name
    written = content(path)
    if written is not None:
        path.write_bytes(written)
    done = run_veridic("check", path, "--against", world.sources, home=world.home)
    assert_refused(done, 2, said)
    assert not (world.home / "veridic.db").exists(), "what could not be read is no run"


def test_too_much_input(world: World) -> None:
    assert_refused(check(world, VERIDIC_MAX_DOCUMENT_BYTES="10"), 2, "article.md")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "article.md", "--against", "no-such-corpus"], "no corpus of that name"),
        (["check", "article.md", "--against", "empty"], "empty has no files in it"),
        (["check", "article.md", "--fail-on", "WRONG"], "'WRONG'"),
        (["check", "article.md", "--format", "pdf"], "'--format'"),
        (["check", "article.md", "--mode", "hasty"], "'--mode'"),
        (["check", "article.md", "--engine", "steam"], "'--engine'"),
        (["check", "article.md", "--no-such-option"], "--no-such-option"),
        (["check"], "PATH|URL|-"),
        (["check", "article.md", "another.md"], "another.md"),
        (["check", "http://127.0.0.1:9/"], "VERIDIC_FETCH_ALLOW_HOSTS"),
        (["check", "http://localhost/"], "localhost"),
        (["check", "http://[::1]/"], "::1"),
        (["check", "ftp://example.org/a"], "ftp://example.org/a"),
        (["check", "file:///etc/passwd"], "file:///etc/passwd"),
        (["claim", ""], "empty"),
        (["claim", "The sea is wet.", "--threshold", "2"], "'--threshold'"),
        (["claim", "The sea is wet.", "--threshold", "high"], "'--threshold'"),
        (["no-such-command"], "'no-such-command'"),
        (["runs", "show", "FC-1999-000001"], "FC-1999-000001"),
        (["runs", "show", "../../etc/passwd"], "no run"),
        (["runs", "delete", "FC-1999-000001"], "FC-1999-000001"),
        (["runs", "list", "--limit", "0"], "'--limit'"),
        (["corpus", "add", "sources"], "'--name'"),
        (["corpus", "add", "missing", "--name", "desk"], "'missing'"),
        (["corpus", "add", "sources", "--name", "../up"], "'../up'"),
        (["corpus", "add", "sources", "--name", "reference"], "'reference'"),
        (["corpus", "remove", "desk"], "'desk'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_usage(world: World, arguments: list[str], said: str) -> None:
    (world.folder / "empty").mkdir()
    assert_refused(run_veridic(*arguments, home=world.home, cwd=world.folder), 2, said)


@pytest.mark.parametrize(
    ("name", "value", "code", "said"),
    [
        ("VERIDIC_PASSAGES_PER_CLAIM", "none", 2, "VERIDIC_PASSAGES_PER_CLAIM"),
        ("VERIDIC_CLAIM_TIMEOUT_SECONDS", "-1", 2, "VERIDIC_CLAIM_TIMEOUT_SECONDS"),
        ("VERIDIC_DATABASE_URL", "nonsense", 2, "it should look like sqlite:///"),
        ("VERIDIC_DATABASE_URL", "mysql://host/db", 2, "it should look like sqlite:///"),
        ("VERIDIC_CREDIBILITY_FILE", "missing.json", 2, "VERIDIC_CREDIBILITY_FILE"),
        ("VERIDIC_HOME", "article.md", 2, "VERIDIC_HOME"),
    ],
)
def test_bad_settings(world: World, name: str, value: str, code: int, said: str) -> None:
    done = run_veridic(
        "check", world.article, "--against", world.sources, cwd=world.folder, home=world.home, **{name: value}
    )  # fmt: skip
    assert_refused(done, code, said)


def test_hostile_file_name_is_escaped_on_one_line(world: World) -> None:
    done = run_veridic("check", "no\n\x1b[31m[bold]such", "--against", world.sources, home=world.home)
    assert_refused(done, 2)
    assert "\x1b" not in done.stderr


# Help


@pytest.mark.parametrize(
    "command",
    [
        [], ["check"], ["claim"], ["corpus"], ["corpus", "add"], ["corpus", "list"], ["corpus", "remove"], ["runs"],
        ["runs", "list"], ["runs", "show"], ["runs", "delete"], ["db"], ["db", "upgrade"], ["db", "check"],
        ["db", "backup"], ["db", "vacuum"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_help_of_every_command(tmp_path: Path, command: list[str]) -> None:
    done = run_veridic(*command, "--help", home=tmp_path / "home")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Usage: {' '.join(['veridic', *command])}" in done.stdout
    assert not (tmp_path / "home").exists(), "asking for help makes nothing"


def test_without_a_command_the_help_is_shown(tmp_path: Path) -> None:
    done = run_veridic(home=tmp_path / "home")
    assert (done.returncode, done.stderr) == (2, "")
    assert "Usage: veridic" in done.stdout


# Where the report goes


def test_output_writes_the_file_and_nothing_else(world: World) -> None:
    page = world.folder / "report.html"
    page.write_text("an older report")
    before = set(world.folder.iterdir())
    done = check(world, "--format", "html", "--output", page)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    content = page.read_text(encoding="utf-8")
    assert content.rstrip().endswith("</html>")
    assert set(world.folder.iterdir()) - before == {world.home}


def test_a_report_in_a_file_is_plain_text(world: World) -> None:
    target = world.folder / "report.txt"
    assert check(world, "--output", target).returncode == 0
    assert "REFUTED" in target.read_text(encoding="utf-8")
    assert "\x1b" not in target.read_text(encoding="utf-8")


@pytest.mark.parametrize("place", ["no/such/folder/report.json", "sources", "article.md/report.json"])
def test_output_that_cannot_be_written(world: World, place: str) -> None:
    before = sorted(world.folder.rglob("*"))
    done = check(world, "--format", "json", "--output", world.folder / place)
    assert_refused(done, 2, place)
    after = [path for path in sorted(world.folder.rglob("*")) if world.home not in (path, *path.parents)]
    assert after == before, "all of the file or nothing"


# A process of its own


def test_the_installed_command_starts(tmp_path: Path) -> None:
    done = run_veridic_process("--version", home=tmp_path)
    assert (done.returncode, done.stdout) == (0, "veridic 0.1.0\n")


def test_a_process_reads_writes_and_exits_like_any_other(world: World) -> None:
    arguments = ("check", "-", "--against", "sources", "--format", "json", "--fail-on", "REFUTED")
    done = run_veridic_process(*arguments, home=world.home, cwd=world.folder, stdin=ARTICLE)
    assert (done.returncode, done.stderr) == (1, "")
    report = json.loads(done.stdout)
    assert report["document"]["title"] == "Paris 🗼"
    assert [claim["verdict"] for claim in report["claims"]] == ["REFUTED", "SUPPORTED", "UNVERIFIABLE"]


def test_a_process_that_refuses_says_one_sentence(world: World) -> None:
    done = run_veridic_process("check", "missing.md", home=world.home, cwd=world.folder)
    assert_refused(done, 2, "no file", "missing.md")


@pytest.fixture
def saved(world: World) -> str:
    """The id of a run that is in the world's database."""
    run_id: str = report_of(check(world, "--format", "json"))["id"]
    return run_id


@pytest.mark.parametrize("name", ["text", "json"])
def test_a_reader_that_leaves_early_is_no_error(world: World, saved: str, name: str) -> None:
    command = f"'{VERIDIC}' runs show {saved} --format {name} | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, env=environment(world.home)
    )
    assert done.stderr == ""
    first, code = done.stdout.splitlines()
    assert first in ("Paris 🗼", "{")
    assert code == "0"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("name", ["text", "json"])
def test_output_that_is_lost_is_said(world: World, saved: str, name: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [VERIDIC, "runs", "show", saved, "--format", name],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(world.home),
        )
    assert (done.returncode, done.stderr) == (
        3,
        "veridic: The output can't be written: No space left on device.\n",
    )


# What is kept


def test_a_saved_run_is_shown_as_it_was(world: World) -> None:
    checked = check(world, "--format", "json")
    report = report_of(checked)
    assert report["id"].startswith("FC-")
    shown = run_veridic("runs", "show", report["id"], "--format", "json", home=world.home)
    assert shown.stdout == checked.stdout
    text = check(world)
    latest = run_veridic("runs", "list", home=world.home).stdout.splitlines()[0].split("\t")[0]
    assert run_veridic("runs", "show", latest, home=world.home).stdout == text.stdout


def test_runs_are_listed_newest_first_and_deleted(world: World) -> None:
    ids = [report_of(check(world, "--format", "json"))["id"] for _ in range(2)]
    listed = [line.split("\t") for line in run_veridic("runs", "list", home=world.home).stdout.splitlines()]
    assert [cells[0] for cells in listed] == ids[::-1]
    assert listed[0][2:] == ["Paris 🗼", "MISLEADING", listed[0][4], "3"]
    assert run_veridic("runs", "delete", ids[0], home=world.home).returncode == 0
    left = run_veridic("runs", "list", "--format", "json", home=world.home)
    assert [run["id"] for run in json.loads(left.stdout)] == [ids[1]]


@pytest.mark.parametrize("content", [None, b"this is no database" * 500], ids=["a folder", "garbage"])
def test_unwritable_database_still_gives_the_report(world: World, content: bytes | None) -> None:
    database = world.folder / "runs.db"
    if content is None:
        database.mkdir()
    else:
        database.write_bytes(content)
    done = check(world, "--format", "json", VERIDIC_DATABASE_URL=f"sqlite:///{database}")
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("veridic: The run was not saved: ")
    report = json.loads(done.stdout)
    assert report["id"] is None
    assert [claim["verdict"] for claim in report["claims"]] == ["REFUTED", "SUPPORTED", "UNVERIFIABLE"]
    assert [error["stage"] for error in report["errors"]] == ["saving"]
    if content is not None:
        assert database.read_bytes() == content, "nothing of it was touched"


def test_a_database_that_is_not_sound_is_said_so(world: World) -> None:
    (world.folder / "runs.db").write_bytes(b"this is no database" * 500)
    url = f"sqlite:///{world.folder / 'runs.db'}"
    assert_refused(run_veridic("db", "check", home=world.home, VERIDIC_DATABASE_URL=url), 3, "is damaged")


def test_unreadable_evidence_is_named_in_the_report(world: World) -> None:
    (world.sources / "picture.bin").write_bytes(bytes(range(256)) * 8)
    report = report_of(check(world, "--format", "json"))
    (error,) = report["errors"]
    assert error["stage"] == "reading sources"
    assert "picture.bin" in error["message"]
