"""Checks whose processes are killed: what the tests and the benchmark of kills share."""

import asyncio
import os
import sys
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests import llm_texts
from tests.llm_server import Request

from veridic.cli.main import main
from veridic.config.settings import Settings
from veridic.domain.document import Document
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.engine.order import CheckOrder
from veridic.runtime.resuming import LOST_CALL
from veridic.runtime.runner import Runner
from veridic.store.event_log import LoggedEvent
from veridic.store.runs import RunStore

ORDER = CheckOrder(
    mode=Mode.CONSENSUS, document=Document(text=llm_texts.CONTENT, source="text"), question="Is it so?"
)


def command(_telling: Connection, words: list[str], variables: dict[str, str]) -> None:
    """What a process to kill does: `veridic` with these words; nobody reads what it writes."""
    os.environ.clear()
    os.environ.update(variables)
    with Path(os.devnull).open("w") as nobody:
        sys.argv, sys.stdout, sys.stderr = ["veridic", *words], nobody, nobody
        main()


def settings_for(home: Path, models: str, database: str) -> Settings:
    return Settings(home=home, database_url=database, llm_base_url=models, llm_model="test/any")


def variables_for(home: Path, models: str, database: str) -> dict[str, str]:
    """Return the environment of a process with the settings of `settings_for`."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("VERIDIC_")}
    return inherited | {
        "VERIDIC_HOME": str(home),
        "VERIDIC_DATABASE_URL": database,
        "VERIDIC_LLM_BASE_URL": models,
        "VERIDIC_LLM_MODEL": "test/any",
    }


def enqueue(settings: Settings) -> str:
    """Accept a check, as a server that leaves the work to others does."""

    async def accept() -> str:
        async with Runner(settings, works=False) as runner:
            return (await runner.start(ORDER)).run_id

    return asyncio.run(accept())


def result_of(report: Report) -> dict[str, Any]:
    """Return what must be the same however often the check was interrupted."""
    decisions = [
        {
            "claim": one.claim.text,
            "verdict": one.verdict,
            "confidence": one.confidence,
            "rationale": one.rationale,
        }
        for one in report.decisions
    ]
    return {
        "verdict": report.verdict,
        "score": report.credibility_score,
        "summary": report.summary,
        "decisions": decisions,
        "errors": report.errors,
    }


def problems_of(settings: Settings, run_id: str, requests: list[Request], undisturbed: Report) -> list[str]:
    """Return what a check that was killed and went on has lost, doubled or paid twice; nothing if all is well."""
    with RunStore(settings.database) as store:
        report, events, calls = store.get(run_id), store.events(run_id), store.calls(run_id)
    problems = []
    if result_of(report) != result_of(undisturbed):
        problems.append("the report is another")
    problems += _problems_of_log(events)
    lost = sum(call.error == LOST_CALL for call in calls)
    asked = Counter(f"{request.model}\n{request.system}\n{request.user}" for request in requests)
    repeated = sum(number - 1 for number in asked.values())
    if repeated > lost:
        problems.append(f"{repeated} requests were made again, {lost} were under way at a kill")
    if len(calls) < len(requests):
        problems.append(f"{len(requests)} requests were made, {len(calls)} are charged")
    return problems


def _problems_of_log(events: list[LoggedEvent]) -> list[str]:
    problems = []
    if [event.number for event in events] != list(range(1, len(events) + 1)):
        problems.append("the numbers of the events have gaps or repeat")
    once = Counter(event.name for event in events if event.name != "checker_complete")
    if doubled := [name for name, number in once.items() if number > 1]:
        problems.append(f"events came twice: {', '.join(doubled)}")
    if not events or events[-1].name != "complete":
        problems.append("the last event is not `complete`")
    return problems
