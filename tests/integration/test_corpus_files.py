"""Corpora built from files, with `veridic corpus` and with `--against`."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from veridic.cli.corpus import app
from veridic.config.settings import Settings, load_settings
from veridic.domain.errors import EmptyInputError, NotFoundError, UsageError
from veridic.engine.open_evidence import add_to_corpus, open_against
from veridic.evidence.corpus import Corpora, Corpus
from veridic.evidence.index import QueryTerm

FACT = [QueryTerm("fact")]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    (folder / "deep").mkdir(parents=True)
    (folder / "one.txt").write_text("The first fact is short.")
    (folder / "deep" / "two.md").write_text("# Second\n\nThe second fact is **bold**.\n")
    (folder / "rows.jsonl").write_text(
        json.dumps(
            {
                "text": "A fact in a row.",
                "title": "Row",
                "url": "https://www.reuters.com/x",
                "date": "2024-05",
            }
        )
    )
    return folder


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("VERIDIC_HOME", str(tmp_path / "home"))
    load_settings.cache_clear()
    yield tmp_path / "home"
    load_settings.cache_clear()


def texts(corpus: Corpus) -> list[str]:
    return sorted(found.text for found in corpus.search(FACT, 100))


ALL = ["A fact in a row.", "The first fact is short.", "The second fact is bold."]


def test_an_unreadable_line_does_not_affect_others(sources: Path, settings: Settings) -> None:
    with (sources / "rows.jsonl").open("a") as rows:
        rows.write('\n{broken\n{"text": "A fact behind it."}\n')
    for _ in range(2):  # the second time nothing is read, but the problem is reported again
        added = add_to_corpus("desk", [sources], settings)
        (problem,) = added.failures.values()
        assert "Line 2 of" in problem
        assert "rows.jsonl is not valid JSON" in problem
        assert texts(Corpora(settings.corpora).open("desk")) == sorted([*ALL, "A fact behind it."])
    assert added.unchanged == 3


def test_what_is_kept_of_a_file_says_nothing_of_where_it_is(sources: Path, settings: Settings) -> None:
    (sources / "bad.bin").write_bytes(b"\0\1" * 99)
    (sources / "rows.jsonl").write_text('{"text": "A fact."}\n{broken\n')
    add_to_corpus("desk", [sources], settings)

    kept = {one.name: one.failure or one.problem for one in Corpora(settings.corpora).documents("desk")}

    assert kept == {
        "sources/bad.bin": "sources/bad.bin is binary, and no PDF or DOCX document: only those and text can be read.",
        "sources/deep/two.md": None,
        "sources/one.txt": None,
        "sources/rows.jsonl": "Line 2 of sources/rows.jsonl is not valid JSON in UTF-8.",
    }


def test_a_folder_is_read_with_titles_urls_and_dates(sources: Path, settings: Settings) -> None:
    added = add_to_corpus("desk", [sources], settings)
    assert (added.read, added.passages, added.failures) == (3, 3, {})
    corpus = Corpora(settings.corpora).open("desk")
    assert texts(corpus) == ALL
    found = {passage.text: passage.source for passage in corpus.search(FACT, 9)}
    row = found["A fact in a row."]
    assert (row.title, row.url, row.domain, str(row.date)) == (
        "Row",
        "https://www.reuters.com/x",
        "reuters.com",
        "2024-05",
    )
    assert found["The second fact is bold."].title == "Second"
    paths = {source.path for source in found.values()}
    assert paths == {"sources/one.txt", "sources/deep/two.md", "sources/rows.jsonl#1"}


def test_adding_again_reads_only_changed_files(sources: Path, settings: Settings) -> None:
    add_to_corpus("desk", [sources], settings)
    (sources / "one.txt").write_text("The first fact is long now.")
    (sources / "deep" / "two.md").unlink()
    read: list[str] = []
    added = add_to_corpus("desk", [sources], settings, lambda done, total, what: read.append(Path(what).name))
    assert (added.read, added.unchanged, added.dropped) == (1, 1, 1)
    assert [name for name in read if name] == ["one.txt"]
    assert texts(Corpora(settings.corpora).open("desk")) == [
        "A fact in a row.",
        "The first fact is long now.",
    ]


def test_a_relative_path_is_recognized_as_the_same_folder(
    sources: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_to_corpus("desk", [sources], settings)
    monkeypatch.chdir(sources / "deep")
    added = add_to_corpus("desk", [Path("..")], settings)
    assert (added.read, added.unchanged, added.dropped) == (0, 3, 0)


def test_against_a_path_rereads_changed_files(
    sources: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sources.parent)
    opened = open_against("sources", settings)
    assert texts(opened.corpus) == ALL
    assert opened.corpus.label == "sources"
    paths = {found.source.path for found in opened.corpus.search(FACT, 9) if found.source.path}
    assert {"sources/one.txt", "sources/deep/two.md"} <= paths
    (sources / "one.txt").write_text("The first fact changed.")
    assert "The first fact changed." in texts(open_against("sources", settings).corpus)
    assert texts(open_against(str(sources / "one.txt"), settings).corpus) == ["The first fact changed."]


def test_a_relative_path_may_start_from_another_folder(
    sources: Path, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is cited as it was given, whoever reads it."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    opened = open_against("sources", settings, folder=str(sources.parent))
    assert texts(opened.corpus) == ALL
    assert opened.corpus.label == "sources"
    paths = {found.source.path for found in opened.corpus.search(FACT, 9) if found.source.path}
    assert {"sources/one.txt", "sources/deep/two.md"} <= paths


def test_a_corpus_name_wins_over_a_path(
    sources: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sources.parent)
    add_to_corpus("sources", [sources / "one.txt"], settings)
    assert texts(open_against("sources", settings).corpus) == ["The first fact is short."]
    assert texts(open_against("./sources", settings).corpus) == ALL


def test_an_unknown_name_lists_the_known_corpora(sources: Path, settings: Settings) -> None:
    add_to_corpus("desk", [sources], settings)
    with pytest.raises(NotFoundError, match="known: desk, reference"):
        open_against("dekk", settings)


def test_a_damaged_path_index_is_rebuilt(sources: Path, settings: Settings) -> None:
    open_against(str(sources), settings)
    for store in (settings.home / "cache").rglob("*.store"):
        store.unlink()
    assert texts(open_against(str(sources), settings).corpus) == ALL


def test_unreadable_files_are_reported_and_skipped(sources: Path, settings: Settings) -> None:
    (sources / "bad.bin").write_bytes(b"\x00\x01\x02" * 100)
    (sources / "empty.txt").write_text("")
    opened = open_against(str(sources), settings)
    assert texts(opened.corpus) == ALL
    assert {Path(path).name for path in opened.failures} == {"bad.bin", "empty.txt"}


def test_a_folder_without_readable_files_is_an_error(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "junk").mkdir()
    (tmp_path / "junk" / "a.bin").write_bytes(b"\x00\x01\x02" * 100)
    for attempt in (
        lambda: open_against(str(tmp_path / "junk"), settings),
        lambda: add_to_corpus("desk", [tmp_path / "junk"], settings),
    ):
        with pytest.raises(EmptyInputError, match="Nothing in"):
            attempt()
    assert Corpora(settings.corpora).names() == []


def test_the_name_reference_is_reserved(sources: Path, settings: Settings) -> None:
    with pytest.raises(UsageError, match="reference"):
        add_to_corpus("reference", [sources], settings)


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def test_the_command_adds_lists_and_removes(sources: Path, home: Path) -> None:
    (sources / "bad.bin").write_bytes(b"\x00\x01\x02" * 100)
    code, out, err = run("add", str(sources), "--name", "desk")
    assert (code, out) == (0, "desk: 3 files read, 0 unchanged, 0 dropped; 3 passages in all.\n")
    assert "bad.bin" in err and "1 file could not be read in full." in err
    code, out, err = run("list")
    assert code == 0 and out.startswith("desk  3 passages of 3 documents, updated ")
    (listed,) = json.loads(run("list", "--format", "json")[1])
    assert (listed["name"], listed["files"], listed["passages"], listed["problem"]) == ("desk", 3, 3, None)
    assert run("remove", "desk") == (0, "Removed desk.\n", "")
    assert json.loads(run("list", "--format", "json")[1]) == []


def test_unknown_corpora_and_paths_are_errors(home: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        run("remove", "nothing")
    with pytest.raises(NotFoundError):
        run("add", str(tmp_path / "missing"), "--name", "desk")


WRITER = """
import sys
from pathlib import Path
from veridic.config.settings import Settings
from veridic.engine.open_evidence import add_to_corpus
add_to_corpus("desk", [Path(sys.argv[2])], Settings(home=Path(sys.argv[1])))
"""


def test_concurrent_writers_lose_no_documents(tmp_path: Path, settings: Settings) -> None:
    folders = [tmp_path / f"folder{n}" for n in range(3)]
    for number, folder in enumerate(folders):
        folder.mkdir()
        for page in range(5):
            (folder / f"{page}.txt").write_text(f"A fact on page {page} of folder {number}.")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("VERIDIC_")}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(settings.home), str(folder)], env=environment)
        for folder in folders
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert len(texts(Corpora(settings.corpora).open("desk"))) == 15
