"""Thorough runs of one article one after the other, saved as `veridic serve` saves them."""

import asyncio
import json
import statistics
import sys
import time

from tests.newsroom import ARTICLE, CLAIMS

from veridic.config.settings import load_settings
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.engine.order import CheckOrder
from veridic.ingest.read import document_from_text
from veridic.runtime.runner import Runner

_WARM_UP = 1


async def _measure(rounds: int) -> dict[str, float]:
    settings = load_settings()
    order = CheckOrder(mode=Mode.THOROUGH, document=document_from_text(ARTICLE, source="-"))
    seconds, processor = [], []
    async with Runner(settings) as runner:
        for number in range(rounds + _WARM_UP):
            began, worked = time.perf_counter(), time.process_time()
            started = await runner.start(order)
            async for _ in runner.events(started.run_id):
                pass
            if number >= _WARM_UP:
                seconds.append(time.perf_counter() - began)
                processor.append((time.process_time() - worked) * 1000)
            report = runner.store.get(started.run_id)
    if len(report.decisions) != len(CLAIMS):
        raise RuntimeError(f"{len(report.decisions)} of {len(CLAIMS)} claims were decided: {report.errors}")
    return {
        "seconds": statistics.median(seconds),
        "processor_ms": statistics.median(processor),
        "at_once": settings.max_concurrent_validations or len(CLAIMS),
        "stagger": settings.validation_stagger_seconds,
        **_for_a_claim(report),
    }


def _for_a_claim(report: Report) -> dict[str, float]:
    validations = [decision.validation for decision in report.decisions if decision.validation]
    return {
        "input_tokens": statistics.mean(one.usage.input_tokens for one in validations),
        "output_tokens": statistics.mean(one.usage.output_tokens for one in validations),
        "sources": statistics.mean(len(one.sources) for one in validations),
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_measure(int(sys.argv[1])))))
