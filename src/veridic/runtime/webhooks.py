"""Webhooks: tells a receiver of the user's that a run has ended, once that is saved.

Deliveries are tasks of their own: a receiver that is slow or gone neither delays a run nor makes it fail. They are kept in
memory only; what is not delivered when the process ends is lost, and logged.
"""

import asyncio
import json
import logging
import ssl
import time
from functools import cached_property, partial
from typing import Any
from uuid import uuid4

import httpx2

from veridic.config.settings import Settings
from veridic.domain.errors import FetchError, ForbiddenAddressError, VeridicError
from veridic.domain.verdicts import Scale, say
from veridic.engine.threads import in_thread
from veridic.providers.fetch.addresses import Resolver, resolve
from veridic.providers.fetch.transport import Deadline, GuardedTransport
from veridic.runtime.webhook_signature import HEADER, sign
from veridic.store.runs import RunState, RunStore, RunSummary

_ATTEMPTS = 6
_FIRST_WAIT_SECONDS, _LONGEST_WAIT_SECONDS = 1.0, 60.0
_ANSWER_SECONDS = 10.0
_SECONDS_AT_THE_END = 5.0
"""How long deliveries may still take when the process ends."""
_AT_ONCE = 8
_MOST_WAITING = 1_000
_TRY_AGAIN = frozenset({408, 425, 429})
_logger = logging.getLogger(__name__)


class _NotDeliveredError(Exception):
    """The receiver may take it later."""


class Webhooks:
    """Sends one request for each run that ends, if `VERIDIC_WEBHOOK_URL` is set."""

    def __init__(self, settings: Settings, store: RunStore, *, resolver: Resolver = resolve) -> None:
        """`resolver` replaces the host lookup in tests."""
        self._store = store
        self._resolver = resolver
        self._url = settings.webhook_url
        self._secret = settings.webhook_secret.get_secret_value() if settings.webhook_secret else ""
        self._host = httpx2.URL(self._url).host if self._url else ""
        self._allowed = (
            {self._host.lower().rstrip(".")} if settings.webhook_allow_private else frozenset[str]()
        )
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._deliveries: set[asyncio.Task[None]] = set()

    def run_ended(self, run_id: str) -> None:
        """Tell the receiver, in the background, that a run has ended; nothing is sent for one that goes on elsewhere."""
        if not self._url:
            return
        if len(self._deliveries) >= _MOST_WAITING:
            _logger.warning("The webhook for %s was not sent: too many wait for %s.", run_id, self._host)
            return
        delivery = asyncio.create_task(self._deliver(run_id))
        self._deliveries.add(delivery)
        delivery.add_done_callback(self._deliveries.discard)

    async def close(self) -> None:
        """Wait a few seconds for deliveries under way, then give up the rest."""
        if not self._deliveries:
            return
        _, late = await asyncio.wait(self._deliveries, timeout=_SECONDS_AT_THE_END)
        for delivery in late:
            delivery.cancel()
        if late:
            _logger.warning("%d webhooks were not delivered before the end.", len(late))

    async def _deliver(self, run_id: str) -> None:
        try:
            async with self._slots:
                run = await asyncio.to_thread(self._store.summary, run_id)
                if run.state.has_ended:
                    await self._send_until_taken(run)
        except ForbiddenAddressError:
            _logger.warning(
                "The webhook for %s was not sent: %s is a private address; VERIDIC_WEBHOOK_ALLOW_PRIVATE allows it.",
                run_id,
                self._host,
            )
        except (VeridicError, _NotDeliveredError) as error:
            _logger.warning("The webhook for %s was not delivered: %s", run_id, error)
        except Exception:
            _logger.exception("the webhook for %s could not be sent", run_id)

    async def _send_until_taken(self, run: RunSummary) -> None:
        import stamina  # here, because few runs need it

        delivery_id = str(uuid4())
        body = json.dumps(_content(run, delivery_id)).encode()
        async for attempt in stamina.retry_context(
            on=(_NotDeliveredError, FetchError),
            attempts=_ATTEMPTS,
            timeout=None,
            wait_initial=_FIRST_WAIT_SECONDS,
            wait_max=_LONGEST_WAIT_SECONDS,
            wait_exp_base=3,
        ):
            with attempt:
                status = await in_thread(partial(self._post, body, delivery_id))
                if status >= 500 or status in _TRY_AGAIN:
                    raise _NotDeliveredError(f"{self._host} answered with status {status}.")
        if not 200 <= status < 300:
            _logger.warning("The webhook for %s was refused: %s answered %d.", run.id, self._host, status)

    def _post(self, body: bytes, delivery_id: str) -> int:
        """Send it once, to an address that was checked; return the status. Redirects are not followed."""
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "veridic-webhook",
            "Veridic-Delivery": delivery_id,
            HEADER: sign(body, self._secret, int(time.time())),
        }
        transport = GuardedTransport(Deadline(_ANSWER_SECONDS), self._resolver, self._allowed, self._tls)
        try:
            with (
                httpx2.Client(transport=transport, trust_env=False) as client,
                client.stream("POST", self._url, content=body, headers=headers) as response,
            ):
                return response.status_code
        except httpx2.HTTPError as error:
            # Its own words may contain the address, and that a secret.
            raise _NotDeliveredError(f"{self._host} gave no answer ({type(error).__name__}).") from None

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return httpx2.create_ssl_context()


def _content(run: RunSummary, delivery_id: str) -> dict[str, Any]:
    return {
        "event": "run.completed" if run.state is RunState.COMPLETED else "run.failed",
        "delivery": delivery_id,
        "run": {
            "id": run.id,
            "created_at": run.created_at.isoformat(),
            "state": run.state.value,
            "mode": run.mode,
            "engine": run.engine,
            "title": run.title,
            "source": run.source,
            "verdict": None if run.verdict is None else say(run.verdict, Scale.VALIDATION),
            "credibility_score": run.credibility_score,
            "claims": run.claims,
            "error": run.error,
        },
        "report": f"/api/checks/{run.id}/report",
    }
