"""A batch that is killed twice ends complete: every article once, and no saved call made again."""

import asyncio
import os
import sqlite3
import threading
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tests.batch_articles import REFUSED, STAGES, ScriptedChecks, rows_of, session, write_lines
from tests.processes import KILLED, started

from veridic.batch.session import WorkOptions
from veridic.config.settings import Settings

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on Windows")

ARTICLES = 60
AT_ONCE = 5
KILLS = (23, 40)
"""After so many calls each."""


def work(telling: Connection, home: Path, source: Path, output: Path, log: Path, kill_at: int | None) -> None:
    """What the process does: the batch, with each call in a log; at one call it waits to be killed."""

    def on_call(call: str) -> None:
        with log.open("a") as lines:
            lines.write(f"{call}\n")
        if len(checks.asked) == kill_at:
            telling.send("now")
            threading.Event().wait()

    checks = ScriptedChecks(on_call)
    asyncio.run(
        session(source, output, Settings(home=home), checks, options=WorkOptions(at_once=AT_ONCE)).run()
    )


def test_a_batch_that_is_killed_twice_ends_complete(tmp_path: Path) -> None:
    lines: list[str | dict[str, str]] = [
        {"id": f"a{number}", "text": f"Article {number}{f' is {REFUSED}' if number % 20 == 7 else ''}."}
        for number in range(ARTICLES)
    ]
    for number in (4, 24, 44):
        lines[number] = "{bad"
    source, output, log = write_lines(tmp_path / "a.jsonl", lines), tmp_path / "r.jsonl", tmp_path / "calls"
    saved: set[str] = set()
    for kill_at in KILLS:
        with started(work, tmp_path, source, output, log, kill_at) as batch:
            assert batch.told.recv() == "now"
            batch.kill()
            assert batch.exit_code() == KILLED
        before = log.read_text().splitlines()
        assert saved.isdisjoint(before[-kill_at:])
        saved |= saved_calls(tmp_path / "veridic.db")
    with started(work, tmp_path, source, output, log, None) as batch:
        assert batch.exit_code() == 0

    calls = log.read_text().splitlines()
    assert saved.isdisjoint(calls[sum(KILLS) :])
    assert set(calls) == {
        f"{stage}: {line['text']}"
        for line in lines
        if isinstance(line, dict)
        for stage in STAGES
        if stage == STAGES[0] or REFUSED not in line["text"]
    }
    assert len(saved) > sum(KILLS) // 2, "most of what was asked before a kill was saved"
    rows = rows_of(output)
    assert [row["number"] for row in rows] == list(range(1, ARTICLES + 1))
    states = [row["state"] for row in rows]
    assert (states.count("done"), states.count("failed")) == (ARTICLES - 6, 6)
    assert all(row["problem"] for row in rows if row["state"] == "failed")
    with closing(sqlite3.connect(tmp_path / "veridic.db")) as database:
        counted = "SELECT (SELECT count(*) FROM model_calls), (SELECT count(*) FROM runs)"
        charged, runs = database.execute(counted).fetchone()
    assert len(calls) <= charged <= len(calls) + AT_ONCE * len(KILLS), (
        "what was under way at a kill counts as spent, also if it was only about to be asked"
    )
    assert runs == ARTICLES - 3, "each article that can be read has one run"


def saved_calls(database: Path) -> set[str]:
    """The calls whose results are saved, as the log has them."""
    with closing(sqlite3.connect(database)) as connection:
        steps = connection.execute(
            "SELECT s.name, c.content FROM run_steps s JOIN fact_checks c ON c.id = s.fact_check_id"
            " WHERE s.result IS NOT NULL AND s.result <> ''"
        ).fetchall()
        ended = connection.execute(
            "SELECT c.content FROM runs r JOIN fact_checks c ON c.id = r.fact_check_id WHERE r.report IS NOT NULL"
        ).fetchall()
    finished = {f"{stage}: {text}" for (text,) in ended for stage in STAGES}
    return finished | {f"{name.split('/')[1]}: {text}" for name, text in steps}
