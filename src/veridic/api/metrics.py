"""Prometheus metrics of the runs, models, searches and HTTP requests of one process. Each app has its own registry."""

import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridic.api.site_metrics import SiteCollector
from veridic.domain.consensus import DeliberationStage
from veridic.domain.events import Event, EventName
from veridic.domain.usage import ModelCall
from veridic.engine.order import CheckOrder
from veridic.runtime.run_at_work import Pipeline
from veridic.store.runs import RunStore

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
UNMATCHED = "unmatched"
OTHER = "other"
_MAX_MODELS = 50
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_BUCKETS_SECONDS = (0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 180, 600)


class Metrics:
    """The server's counters, gauges and histograms."""

    def __init__(self, known_models: Iterable[str] = ()) -> None:
        """`known_models` always get their own label; see `_model_label`."""
        self._models = set(known_models)
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "veridic_http_requests",
            "HTTP requests by route and status.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self._runs = Counter(
            "veridic_runs", "Checks that have ended.", ["mode", "outcome"], registry=self.registry
        )
        self._active = Gauge(
            "veridic_active_runs", "Checks that are under way.", ["mode"], registry=self.registry
        )
        self._run_seconds = Histogram(
            "veridic_run_seconds",
            "How long checks took.",
            ["mode"],
            buckets=_BUCKETS_SECONDS,
            registry=self.registry,
        )
        self._stage_seconds = Histogram(
            "veridic_stage_seconds",
            "How long stages took.",
            ["mode", "stage"],
            buckets=_BUCKETS_SECONDS,
            registry=self.registry,
        )
        self._calls = Counter(
            "veridic_model_calls",
            "Requests to language models.",
            ["model", "outcome"],
            registry=self.registry,
        )
        self._tokens = Counter(
            "veridic_model_tokens",
            "Tokens in and out of language models.",
            ["model", "direction"],
            registry=self.registry,
        )
        self._cost = Counter(
            "veridic_model_cost_usd",
            "What language models cost, in US dollars.",
            ["model"],
            registry=self.registry,
        )

        self._searches = Counter(
            "veridic_searches",
            "Searches for evidence by channel.",
            ["channel", "outcome"],
            registry=self.registry,
        )

    def count_request(self, method: str, route: str, status: int) -> None:
        self._requests.labels(method if method in _METHODS else OTHER, route, str(status)).inc()

    def observe(self, pipeline: Pipeline) -> Pipeline:
        """Wrap a pipeline so that each of its runs is counted and measured."""

        async def observed(order: CheckOrder, *given: Any, **named: Any) -> AsyncIterator[Event]:
            with self._run(order.mode) as result:
                async for event in pipeline(order, *given, **named):
                    result.follow(event)
                    self._count_event(order.mode, event)
                    yield event

        return observed

    @contextmanager
    def _run(self, mode: str) -> Iterator["_RunOutcome"]:
        result = _RunOutcome()
        started = time.monotonic()
        self._active.labels(mode).inc()
        try:
            yield result
        except BaseException as error:
            result.raised(error)
            raise
        finally:
            self._active.labels(mode).dec()
            self._runs.labels(mode, result.outcome).inc()
            self._run_seconds.labels(mode).observe(time.monotonic() - started)

    def _count_event(self, mode: str, event: Event) -> None:
        if event.name is EventName.STAGE_COMPLETED:
            self._stage_completed(mode, event.data["stage"])
        elif event.name is EventName.MODEL_CALLED:
            self._model_called(event.data["call"])
        elif event.name is EventName.SEARCH_COMPLETED:
            self._searches.labels(event.data["channel"], _search_outcome(event.data)).inc()

    def _stage_completed(self, mode: str, stage: DeliberationStage) -> None:
        name = stage.stage_type.partition("_")[0]
        self._stage_seconds.labels(mode, name).observe(stage.response_time_ms / 1000)

    def _model_called(self, call: ModelCall) -> None:
        model = self._model_label(call)
        self._calls.labels(model, "failed" if call.error else "answered").inc()
        self._tokens.labels(model, "input").inc(call.input_tokens)
        self._tokens.labels(model, "output").inc(call.output_tokens)
        self._cost.labels(model).inc(call.cost_usd or 0.0)

    def _model_label(self, call: ModelCall) -> str:
        """Return the model's name if it has answered once or is configured, else `OTHER`: labels stay in memory, clients choose names."""
        if call.error is None and len(self._models) < _MAX_MODELS:
            self._models.add(call.model)
        return call.model if call.model in self._models else OTHER

    def watch_site(self, store: RunStore) -> None:
        """Report what the database says of all processes, too."""
        self.registry.register(SiteCollector(store))

    def render(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return generate_latest(self.registry)


def _search_outcome(search: dict[str, Any]) -> str:
    """`partly`: some providers answered, some did not."""
    if not search["succeeded"]:
        return "failed"
    return "partly" if search["problems"] else "answered"


class _RunOutcome:
    """The outcome of a run, from its events and exceptions."""

    def __init__(self) -> None:
        self.outcome = "interrupted"

    def follow(self, event: Event) -> None:
        if event.name is EventName.REPORT_READY:
            self.outcome = "completed"
        elif event.name is EventName.ERROR:
            self.outcome = "failed"

    def raised(self, error: BaseException) -> None:
        # A consumer that stops after the report (GeneratorExit) leaves a completed run.
        if isinstance(error, Exception):
            self.outcome = "failed"


class CountRequests:
    """Middleware that counts responses by route template; paths that match no route share one label."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = getattr(scope.get("route"), "path", UNMATCHED)
                self._metrics.count_request(scope["method"], route, message["status"])
            await send(message)

        await self._app(scope, receive, send_counted)
