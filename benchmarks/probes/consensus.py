"""Consensus runs one after the other, saved as `veridic serve` saves them: median time and processor time."""

import asyncio
import json
import statistics
import sys
import time

from tests import llm_texts

from veridic.config.settings import load_settings
from veridic.domain.modes import Mode
from veridic.engine.order import CheckOrder, ModelChoice
from veridic.ingest.read import document_from_text
from veridic.runtime.runner import Runner

_WARM_UP = 2


async def _measure(rounds: int) -> dict[str, float]:
    order = CheckOrder(
        mode=Mode.CONSENSUS,
        document=document_from_text(llm_texts.CONTENT, source="-"),
        question="Is this so?",
        models=ModelChoice(checkers=("scripted-a", "scripted-b", "scripted-c")),
    )
    seconds, processor = [], []
    calls = 0
    async with Runner(load_settings()) as runner:
        for number in range(rounds + _WARM_UP):
            began, worked = time.perf_counter(), time.process_time()
            started = await runner.start(order)
            async for _ in runner.events(started.run_id):
                pass
            if number >= _WARM_UP:
                seconds.append(time.perf_counter() - began)
                processor.append((time.process_time() - worked) * 1000)
            calls = runner.store.get(started.run_id).usage.calls
    return {
        "seconds": statistics.median(seconds),
        "processor_ms": statistics.median(processor),
        "calls": calls,
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_measure(int(sys.argv[1])))))
