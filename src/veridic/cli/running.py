"""Runs a check from the command line: shows progress and saves the run."""

import sys
from datetime import UTC, datetime

from veridic.check.replay import Replayed
from veridic.cli.progress import ProgressBar
from veridic.config.settings import Settings
from veridic.domain.events import Event, EventName
from veridic.domain.report import Report
from veridic.engine.order import CheckOrder
from veridic.library import follow
from veridic.providers.llm.connect import connect_models
from veridic.run import run_order
from veridic.runtime.recording import Recorder, recording
from veridic.runtime.replaying import Replay
from veridic.runtime.runner import meter_for


def run_check(order: CheckOrder, settings: Settings) -> Report:
    """Run an order and save it. If the database can't be written, the report is still returned."""
    with ProgressBar() as bar, recording(settings, order) as recorder:
        try:
            return _run(order, settings, bar, recorder)
        finally:
            recorder.settled().result()
            if recorder.failure is not None:
                sys.stderr.write(f"veridic: {recorder.failure.message}\n")


def run_again(replay: Replay) -> Report:
    """Replay a run on its saved evidence, without searching or saving anything."""
    meter = meter_for(replay.order, replay.settings)
    with ProgressBar() as bar:
        events = run_order(
            replay.order,
            replay.settings,
            as_of=replay.before.as_of,
            models=connect_models(replay.settings, meter),
            meter=meter,
            replayed=Replayed(replay.before, replay.evidence),
        )
        return follow(events, bar.follow)


def _run(order: CheckOrder, settings: Settings, bar: ProgressBar, recorder: Recorder) -> Report:
    meter = meter_for(order, settings)
    events = run_order(
        order,
        settings,
        as_of=order.as_of or datetime.now(UTC).date(),
        models=connect_models(settings, meter),
        meter=meter,
        conversation=recorder.conversation,
        progress=bar.indexing,
    )
    try:
        report = follow(events, recorder.follow, bar.follow)
    finally:
        for call in meter.drain():  # calls interrupted by Ctrl-C are billed too
            recorder.follow(Event(name=EventName.MODEL_CALLED, data={"call": call}))
        recorder.spent(meter.usage)
    return recorder.complete(report).result()
