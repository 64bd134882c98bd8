"""Runs a check from the command line: shows progress and saves the run."""

import sys
from datetime import UTC, datetime

from veridic.check.replay import Replayed
from veridic.cli.progress import ProgressBar
from veridic.config.settings import Settings
from veridic.domain.report import Report
from veridic.engine.order import CheckOrder
from veridic.library import follow
from veridic.providers.llm.connect import connect_models
from veridic.run import run_order
from veridic.runtime.replaying import Replay
from veridic.runtime.runner import meter_for
from veridic.runtime.saved_steps import SavedSteps
from veridic.runtime.single_run import ForegroundRun, recording, resuming


def run_check(order: CheckOrder, settings: Settings) -> Report:
    """Run an order and save it. If the database can't be written, the report is still returned."""
    order = order.model_copy(update={"as_of": order.as_of or datetime.now(UTC).date()})
    with ProgressBar() as bar, recording(settings, order) as run:
        return _run_and_tell(run, order, settings, bar)


def resume_check(run_id: str, settings: Settings) -> Report:
    """Let an interrupted or failed run go on to its end."""
    with ProgressBar() as bar, resuming(settings, run_id) as run:
        if run.resumed is None:
            raise RuntimeError("`resuming` yields a resumed run")
        return _run_and_tell(run, run.resumed.order, run.resumed.settings, bar)


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


def _run_and_tell(run: ForegroundRun, order: CheckOrder, settings: Settings, bar: ProgressBar) -> Report:
    try:
        return _run(run, order, settings, bar)
    except KeyboardInterrupt:
        if run.recorder.run_id is not None and run.stop_reason is None:
            sys.stderr.write(f"`veridic runs resume {run.recorder.run_id}` goes on with it.\n")
        raise
    finally:
        run.recorder.settled().result()
        if run.recorder.failure is not None:
            sys.stderr.write(f"veridic: {run.recorder.failure.message}\n")


def _run(run: ForegroundRun, order: CheckOrder, settings: Settings, bar: ProgressBar) -> Report:
    recorder = run.recorder
    meter = meter_for(order, settings)
    if run.resumed is not None:
        meter.restore(run.resumed.calls, run.resumed.searches)
    saved = run.resumed.steps.results if run.resumed else {}
    events = run_order(
        order,
        settings,
        as_of=order.as_of or datetime.now(UTC).date(),
        models=connect_models(settings, meter),
        meter=meter,
        conversation=recorder.conversation,
        steps=SavedSteps(recorder, settings, lambda: recorder.record_usage(meter), saved),
        progress=bar.indexing,
    )
    try:
        report = follow(events, recorder.follow, bar.follow)
    finally:
        recorder.record_usage(meter)  # calls interrupted by Ctrl-C are billed too
    return recorder.complete(report).result()
