"""A verdict, reached again on the evidence it was reached on, whatever has become of the sources since."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.builders import make_document, make_report
from tests.command import run_veridic

from veridic.config.settings import Settings
from veridic.domain.report import Report
from veridic.store.runs import RunStore

ARTICLE = """The Eiffel Tower is 120 metres tall. Lake Vanda freezes every winter.
The mayor said that the Louvre opened in 1793. Internal memos show that ticket sales doubled.
"""


class World(NamedTuple):
    home: Path
    article: Path
    sources: Path

    @property
    def database(self) -> Path:
        return self.home / "veridic.db"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A check in thorough mode and one in summary mode, saved as FC-...-000001 and FC-...-000002."""
    root = tmp_path_factory.mktemp("world")
    world = World(root / "home", root / "article.md", root / "sources")
    world.article.write_text(ARTICLE, encoding="utf-8")
    world.sources.mkdir()
    (world.sources / "tower.txt").write_text("The Eiffel Tower is 330 metres tall.", encoding="utf-8")
    (world.sources / "louvre.txt").write_text("The Louvre opened in 1793.", encoding="utf-8")
    (world.sources / "lake.txt").write_text("Lake Vanda freezes every winter.", encoding="utf-8")
    for mode in ("thorough", "summary"):
        done = run_veridic(
            "check", world.article, "--against", world.sources, "--mode", mode, "--format", "json", home=world.home
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    return world


@pytest.fixture
def world(first: World, tmp_path: Path) -> World:
    """A copy of it, to do with as one likes."""
    home = tmp_path / "home"
    home.mkdir()
    with (
        closing(sqlite3.connect(first.database)) as saved,
        closing(sqlite3.connect(home / "veridic.db")) as copy,
    ):
        saved.backup(copy)
    return World(home, first.article, first.sources)


def run_ids(world: World) -> list[str]:
    with closing(sqlite3.connect(world.database)) as sql:
        return [row[0] for row in sql.execute("SELECT fact_check_id FROM runs ORDER BY fact_check_id")]


def replay(world: World, run_id: str, *options: str | Path) -> tuple[dict[str, Any], str]:
    done = run_veridic("replay", run_id, "--format", "json", *options, home=world.home)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout else {}, done.stderr


def saved_report(world: World, run_id: str) -> Report:
    with RunStore(Settings(home=world.home).database) as store:
        return store.get(run_id)


def verdicts(report: dict[str, Any]) -> dict[str, str]:
    return {claim["text"]: claim["verdict"] for claim in report["claims"]}


def rewrite(sources: Path) -> None:
    for file in sources.iterdir():
        file.write_text("The Eiffel Tower is 120 metres tall. The Louvre opened in 1950.", encoding="utf-8")


@pytest.mark.parametrize(
    ("place", "since"),
    [(0, rewrite), (0, shutil.rmtree), (1, shutil.rmtree)],
    ids=["thorough, rewritten", "thorough, deleted", "summary, deleted"],
)
def test_verdicts_are_the_same_whatever_became_of_the_sources(
    first: World, world: World, tmp_path: Path, place: int, since: Callable[[Path], None]
) -> None:
    run_id = run_ids(world)[place]
    before = saved_report(world, run_id)
    moved = tmp_path / "sources"
    shutil.copytree(first.sources, moved)
    with closing(sqlite3.connect(world.database, isolation_level=None)) as sql:
        # As if it had been checked against the copy.
        sql.execute(
            "UPDATE runs SET order_data = replace(order_data, ?, ?)", (str(first.sources), str(moved))
        )
    since(moved)
    after, told = replay(world, run_id)
    assert verdicts(after) == {one.claim.text: one.verdict for one in before.decisions}
    assert "REFUTED" in verdicts(after).values()
    assert (after["as_of"], after["mode"], after["id"]) == (before.as_of.isoformat(), before.mode, None)
    assert [source["title"] for source in after["sources"]] == [source.title for source in before.sources]
    number = len(before.decisions)
    assert told == f"{number} of {number} verdicts are the same as in {run_id}.\n"


def test_a_replay_saves_nothing_and_searches_nothing(world: World, tmp_path: Path) -> None:
    ids, page = run_ids(world), tmp_path / "report.html"
    done = run_veridic(
        "replay",
        ids[0],
        "--format",
        "html",
        "--output",
        page,
        home=world.home,
        SEARXNG_URL="http://127.0.0.1:9",  # nobody answers there
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"4 of 4 verdicts are the same as in {ids[0]}.\n"
    assert "<html" in page.read_text(encoding="utf-8")
    assert run_ids(world) == ids
    assert not (world.home / "corpora").exists()


def test_a_verdict_that_changed_is_named(world: World) -> None:
    run_id = run_ids(world)[0]
    report = saved_report(world, run_id).model_dump(mode="json")
    tower = next(one for one in report["decisions"] if one["verdict"] == "REFUTED")
    tower["verdict"] = "SUPPORTED"  # as if an older version had judged otherwise
    with closing(sqlite3.connect(world.database, isolation_level=None)) as sql:
        sql.execute("UPDATE runs SET report = ? WHERE fact_check_id = ?", (json.dumps(report), run_id))
    _, told = replay(world, run_id)
    assert told.splitlines() == [
        f"3 of 4 verdicts are the same as in {run_id}.",
        "SUPPORTED, now REFUTED: The Eiffel Tower is 120 metres tall",
    ]


def test_damaged_evidence_is_one_sentence(world: World) -> None:
    with closing(sqlite3.connect(world.database, isolation_level=None)) as sql:
        sql.execute("UPDATE evidence_snapshots SET content = replace(content, '330', '120')")
    done = run_veridic("replay", run_ids(world)[0], home=world.home)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("veridic: The evidence kept for FC-")
    assert done.stderr.count("\n") == 1
    checked = run_veridic("db", "check", home=world.home)
    assert checked.returncode == 3
    assert "is not what was saved" in checked.stdout + checked.stderr


def test_a_run_without_evidence_is_one_sentence(tmp_path: Path) -> None:
    with RunStore(Settings(home=tmp_path).database) as store:
        run_id = store.begin(make_document(), mode="thorough", engine="embedded")
        store.complete(run_id, make_report())
    done = run_veridic("replay", run_id, home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"veridic: No evidence was kept for {run_id}")
    assert done.stderr.count("\n") == 1
