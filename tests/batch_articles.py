"""Batches with scripted checks: two calls to a model for each article, and what its text says comes of it."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from tests.builders import make_claim, make_decision, make_report

from veridic.batch.plan import BatchPlan
from veridic.batch.session import BatchSession, Ended, Manner, open_batch
from veridic.config.settings import Settings
from veridic.domain.claim import Risk
from veridic.domain.document import Document
from veridic.domain.errors import ModelRequestError
from veridic.domain.events import Event, EventName
from veridic.domain.verdicts import Verdict
from veridic.engine.order import CheckOrder, Conversation
from veridic.engine.recorded_calls import RecordedModels
from veridic.engine.steps import Steps
from veridic.providers.llm.base import LanguageModels, Prompt
from veridic.providers.llm.calling import Billing, ModelAttemptError
from veridic.providers.llm.fake import ScriptedModels
from veridic.providers.llm.meter import Meter
from veridic.runtime.runner import Runner
from veridic.store.runs import RunStore

CALL_USD = 0.01
STAGES = ("extract", "validate")
WRONG, RISKY, REFUSED = "wrong", "risky", "refused"
"""Words of a text: its claim is refuted, of high risk; the model's provider rejects the request."""


class ScriptedChecks:
    """Takes the place of the pipeline and of the models. `asked` lists each call that was made, as `stage: text`."""

    def __init__(self, on_call: Callable[[str], object] = lambda _: None, refuses_from: int = 0) -> None:
        """`on_call` is told of each call. Requests are rejected once so many calls were made."""
        self._refuses_from = refuses_from
        self.asked: list[str] = []
        self.at_once = self.most_at_once = 0
        self._on_call = on_call

    def make_runner(self, settings: Settings, origin: str | None = None) -> Runner:
        return Runner(settings, connect=self._connect, pipeline=self, origin=origin)

    async def __call__(
        self,
        order: CheckOrder,
        settings: Settings,
        *,
        as_of: date,
        models: LanguageModels,
        meter: Meter,
        conversation: Conversation | None = None,
        steps: Steps | None = None,
    ) -> AsyncIterator[Event]:
        assert order.document is not None
        assert steps is not None
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            recorded = RecordedModels(models, steps)
            for stage in STAGES:
                prompt = Prompt(name=stage, version=1, system=str(order.mode), user=order.document.text)
                await recorded.complete("openai/o3", prompt, stage=stage, timeout_seconds=60)
            report = _report(order.document).model_copy(update={"usage": meter.usage, "mode": order.mode})
            yield Event(name=EventName.REPORT_READY, data={"report": report})
        finally:
            self.at_once -= 1

    def _connect(self, _settings: Settings, meter: Meter) -> LanguageModels:
        models = ScriptedModels(meter, is_paid=True, prices={"openai/o3": 1e-6})
        models.answer(self._answer, billing=Billing(input_tokens=100, output_tokens=50, cost_usd=CALL_USD))
        return models

    def _answer(self, _model: str, prompt: Prompt) -> str:
        call = f"{prompt.name}: {prompt.user}"
        self.asked.append(call)
        self._on_call(call)
        if REFUSED in prompt.user and len(self.asked) > self._refuses_from:
            raise ModelAttemptError(ModelRequestError("The provider rejected the request."))
        return "Fine."


def _report(document: Document) -> Any:
    claim = make_claim(
        document.text, document=document, risk=Risk.HIGH if RISKY in document.text else Risk.LOW
    )
    verdict = Verdict.REFUTED if WRONG in document.text else Verdict.SUPPORTED
    decision = make_decision(claim, verdict)
    return make_report([decision], document=document, verdict=verdict, credibility_score=50)


class JumpingClock:
    """A clock whose time passes only while somebody sleeps, and then at once."""

    def __init__(self, while_asleep: Iterable[Callable[[], object]] = ()) -> None:
        """Each time somebody sleeps, the next of these happens; after the last, the work is cancelled."""
        self._time = 0.0
        self._happening = iter(while_asleep)

    def now(self) -> float:
        return self._time

    async def sleep(self, seconds: float) -> None:
        self._time += seconds
        happening = next(self._happening, None)
        if happening is None:
            raise asyncio.CancelledError
        happening()


class TickingClock:
    """A clock that is so much later each time somebody looks at it."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._time = 0.0

    def now(self) -> float:
        self._time += self._seconds
        return self._time

    async def sleep(self, seconds: float) -> None:
        self._time += seconds


def write_lines(path: Path, lines: Sequence[str | Mapping[str, object]]) -> Path:
    """Write JSON lines; a string is written as it is."""
    written = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{line}\n" for line in written), encoding="utf-8")
    return path


def rows_of(output: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]


def session(
    source: Path | str,
    output: Path,
    settings: Settings,
    checks: ScriptedChecks,
    plan: BatchPlan = BatchPlan(),  # noqa: B008  immutable
    manner: Manner = Manner(),  # noqa: B008  immutable
    **seams: Any,
) -> BatchSession:
    """The session that `veridic batch` would run, with scripted checks."""
    with RunStore(settings.database) as store:
        found = open_batch(store, str(source), output, plan)
    manner = manner._replace(workers=1)
    return BatchSession(found, manner, settings, make_runner=checks.make_runner, **seams)


def run_batch(*arguments: Any, **options: Any) -> Ended:
    """Run a session to its end."""
    return asyncio.run(session(*arguments, **options).run())
