"""Helper processes do the work of a batch, and end with it."""

import asyncio
import multiprocessing
from pathlib import Path

from tests.batch_articles import write_lines

from veridic.batch.helpers import helpers
from veridic.config.settings import Settings
from veridic.engine.order import CheckOrder
from veridic.ingest.read import document_from_text
from veridic.runtime.runner import Runner
from veridic.store.runs import RunState

CHECKS = 3
ORIGIN = "batch/1"


def test_helpers_take_what_the_batch_queues(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", max_concurrent_checks=2)
    sources = write_lines(tmp_path / "sources.jsonl", [{"text": "The Tarn Tower is 90 metres high."}])

    async def queue_and_wait() -> list[RunState]:
        async with Runner(settings, works=False, origin=ORIGIN) as runner:
            orders = (
                CheckOrder(
                    document=document_from_text(f"The Tarn Tower is {height} metres high."),
                    against=(str(sources),),
                )
                for height in range(90, 90 + CHECKS)
            )
            started = [await runner.start(order) for order in orders]
            for run in started:
                async for _ in runner.events(run.run_id):
                    pass
            return [runner.store.summary(run.run_id).state for run in started]

    with helpers(1, settings, ORIGIN):
        states = asyncio.run(queue_and_wait())

    assert states == [RunState.COMPLETED] * CHECKS
    assert multiprocessing.active_children() == []
