"""Who starts a check says where it stands in the queue."""

import json
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session
from tests.api_server import ApiServer
from tests.batch_articles import ScriptedChecks, run_batch, write_lines
from tests.scripted_runs import Scripted, thorough_events

from veridic.batch.session import Manner
from veridic.client import VeridicClient
from veridic.config.settings import Settings
from veridic.domain.claim import Priority
from veridic.store.runs import RunStore
from veridic.store.tables import Run

TEXT = "The capital of Australia is Canberra."


def places_of(store: RunStore) -> list[tuple[str, str | None]]:
    """The priority and the origin of each check, oldest first."""

    def read(session: Session) -> list[tuple[str, str | None]]:
        found = session.execute(select(Run.priority, Run.origin).order_by(Run.fact_check_id))
        return [(priority, origin) for priority, origin in found]

    return store.write(read)


def test_a_request_names_its_priority(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    with (
        ApiServer(settings, pipeline=Scripted(thorough_events)) as server,
        server.client() as http,
        VeridicClient(server.url) as client,
    ):
        client.start_check(text=TEXT, priority="high")
        client.start_check(text=TEXT)
        form = {"priority": "low"}
        assert http.post("/api/checks", data=form, files={"file": ("a.txt", TEXT)}).status_code == 202
        refused = http.post("/api/checks", json={"text": TEXT, "priority": "now"})
        assert (refused.status_code, list(json.loads(refused.text))) == (400, ["error"])
        assert places_of(server.runner.store) == [("high", None), ("medium", None), ("low", None)]


def test_a_batch_has_a_priority_and_is_told_from_others(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    for number, priority in enumerate((Priority.LOW, Priority.HIGH)):
        source = write_lines(tmp_path / f"{number}.jsonl", [{"text": f"Article {number}."}])
        manner = Manner(priority=priority)
        run_batch(source, tmp_path / f"{number}.out.jsonl", settings, ScriptedChecks(), manner=manner)

    with RunStore(settings.database) as store:
        assert places_of(store) == [("low", "batch/1"), ("high", "batch/2")]
