"""Prometheus metrics of the whole site, from the database: they are the same whichever process is asked."""

import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from veridic.domain.errors import StorageError, UsageError
from veridic.store.leases import QueueLength
from veridic.store.runs import RunStore
from veridic.store.site_counts import SiteCounts, count_site

_FRESH_SECONDS = 10.0
"""How long counts are shown again: several programs may ask, and counting reads whole tables."""


class SiteCollector(Collector):
    """The queue, runs, calls, cost and retries of all processes; nothing while the database can't be read."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._counted: tuple[float, SiteCounts] | None = None

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            queue, counts = self._store.queue_length(), self._counts()
        except StorageError:
            return
        yield from _families(queue, counts)

    def describe(self) -> list[GaugeMetricFamily]:
        """Return nothing, so that registering does not read the database."""
        return []

    def _counts(self) -> SiteCounts:
        now = time.monotonic()
        if self._counted is None or now > self._counted[0] + _FRESH_SECONDS:
            with self._store.read() as session:
                self._counted = now, count_site(session)
        return self._counted[1]


def serve_site_metrics(store: RunStore, port: int) -> None:
    """Answer `/metrics` on this machine, in a thread, until the process ends. Raises `UsageError` if the port is taken."""
    registry = CollectorRegistry()
    registry.register(SiteCollector(store))
    try:
        start_http_server(port, addr="127.0.0.1", registry=registry)
    except OSError as error:
        raise UsageError(f"Metrics can't be served on port {port}: {error.strerror or error}.") from None


def _families(queue: QueueLength, counts: SiteCounts) -> Iterator[GaugeMetricFamily]:
    oldest = (datetime.now(UTC) - queue.oldest).total_seconds() if queue.oldest else 0.0
    yield GaugeMetricFamily("veridic_queued_runs", "Checks that wait for a worker.", queue.waiting)
    yield GaugeMetricFamily(
        "veridic_queue_age_seconds", "How long the oldest queued check has waited.", max(0.0, oldest)
    )
    yield _family(
        "veridic_site_runs",
        "Saved checks of all processes, by mode and state.",
        ["mode", "state"],
        (((mode, state.value), number) for (mode, state), number in counts.runs.items()),
    )
    yield _family(
        "veridic_site_oldest_run_seconds",
        "How long ago the oldest check that is queued or running was started.",
        ["state"],
        (((state.value,), seconds) for state, seconds in counts.oldest_seconds.items()),
    )
    yield _family(
        "veridic_site_model_calls",
        "Requests to language models in all saved checks.",
        ["model", "outcome"],
        (((one.model, "answered" if one.is_answered else "failed"), one.calls) for one in counts.calls),
    )
    yield _family(
        "veridic_site_cost_usd",
        "What all saved checks have cost, in US dollars.",
        ["of"],
        ((("models",), sum(one.cost_usd for one in counts.calls)), (("searches",), counts.search_cost_usd)),
    )
    yield GaugeMetricFamily(
        "veridic_site_retries", "Requests to providers that repeated one without an answer.", counts.retries
    )
    yield GaugeMetricFamily("veridic_site_workers", "Processes that take checks.", counts.workers)


def _family(
    name: str, text: str, labels: list[str], samples: Iterable[tuple[tuple[str, ...], float]]
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=labels)
    for values, number in samples:
        family.add_metric(values, number)
    return family
