"""Checks links to the web: whether their target exists (tier 4)."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from http import HTTPStatus
from urllib.parse import urldefrag, urlsplit

from veridic.domain.code import (
    AgentVerdict,
    AssertionKind,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    EvidenceTier,
)
from veridic.domain.errors import InputError, ProviderError, UnknownHostError
from veridic.domain.evidence import Stance
from veridic.providers.fetch.base import Answer

AskStatus = Callable[[str], Awaitable[Answer]]
"""Requests the status of a URL, with the restrictions on fetching."""
AGENT = "links"
AT_ONCE = 8
AT_ONCE_A_HOST = 2
MOST_ADDRESSES = 1_000
_DEAD_STATUSES = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
_WOULD_SETTLE = "Try again later, or open the address in a browser."
_RESERVED_DOMAINS = ("example.com", "example.org", "example.net")
_RESERVED_ENDINGS = (".example", ".test", ".invalid", ".localhost", ".local")

LinkOutcome = Answer | InputError | ProviderError


async def check_links(claims: Iterable[DocClaim], ask_status: AskStatus) -> Mapping[str, AgentVerdict]:
    """Return a verdict, by claim id, on every claim that a URL works.

    Each URL is requested once, a few at a time. A link is dead only if the server answers 404 or 410, or if its host
    does not exist; any other failure is inconclusive.
    """
    addresses = {claim.id: address for claim in claims if (address := _address(claim))}
    wanted = list(dict.fromkeys(addresses.values()))[:MOST_ADDRESSES]
    outcomes = await _ask_all(wanted, ask_status)
    # Without a network, every host seems not to exist.
    is_online = any(isinstance(outcome, Answer) for outcome in outcomes.values())
    return {
        claim: _verdict(address, outcomes.get(address), is_online=is_online)
        for claim, address in addresses.items()
    }


def _address(claim: DocClaim) -> str | None:
    subject = claim.assertion.subject
    if claim.assertion.kind is not AssertionKind.LINKS or subject is None:
        return None
    address = urldefrag(subject.name).url
    return address if address.lower().startswith(("http://", "https://")) else None


async def _ask_all(addresses: list[str], ask_status: AskStatus) -> dict[str, LinkOutcome]:
    overall = asyncio.Semaphore(AT_ONCE)
    hosts = {_host(address): asyncio.Semaphore(AT_ONCE_A_HOST) for address in addresses}

    async def ask(address: str) -> LinkOutcome:
        async with hosts[_host(address)], overall:
            try:
                return await ask_status(address)
            except (InputError, ProviderError) as error:
                return error

    real = [address for address in addresses if not _is_reserved(_host(address))]
    return dict(zip(real, await asyncio.gather(*map(ask, real)), strict=True))


def _verdict(address: str, outcome: LinkOutcome | None, *, is_online: bool) -> AgentVerdict:
    if isinstance(outcome, Answer):
        return _verdict_on_answer(address, outcome)
    if isinstance(outcome, UnknownHostError) and is_online:
        return _agent_verdict(
            CodeVerdict.REFUTED,
            0.9,
            "The link is dead: there is no host of that name.",
            address,
            "no such host",
        )
    if outcome is None:
        reason = (
            "The address was not requested: it is reserved for examples, or there are too many addresses."
        )
        return _agent_verdict(CodeVerdict.INCONCLUSIVE, 0.0, reason, address, "not requested")
    reason = "Could not find out whether the link works."
    return _agent_verdict(CodeVerdict.INCONCLUSIVE, 0.0, reason, address, str(outcome))


def _verdict_on_answer(address: str, answer: Answer) -> AgentVerdict:
    status = _status_text(answer.status)
    if answer.status in _DEAD_STATUSES:
        return _agent_verdict(
            CodeVerdict.REFUTED, 0.95, f"The link is dead: the server answers {status}.", address, status
        )
    if 200 <= answer.status < 300:
        return _agent_verdict(CodeVerdict.VERIFIED, 0.95, f"The server answers {status}.", address, status)
    reason = f"The server answers {status}, which does not show whether the page exists."
    return _agent_verdict(CodeVerdict.INCONCLUSIVE, 0.0, reason, address, status)


def _agent_verdict(
    verdict: CodeVerdict, confidence: float, reason: str, address: str, quote: str
) -> AgentVerdict:
    stances = {CodeVerdict.VERIFIED: Stance.SUPPORTING, CodeVerdict.REFUTED: Stance.CONTRADICTING}
    return AgentVerdict(
        agent=AGENT,
        verdict=verdict,
        confidence=confidence,
        reason=reason,
        evidence=(
            CodeEvidence(
                tier=EvidenceTier.EXTERNAL,
                stance=stances.get(verdict, Stance.CONTEXTUAL),
                path=address,
                quote=quote,
            ),
        ),
        depth=Depth.MEDIUM,
        would_settle=_WOULD_SETTLE if verdict is CodeVerdict.INCONCLUSIVE else None,
    )


def _status_text(code: int) -> str:
    try:
        return f"{code} {HTTPStatus(code).phrase}"
    except ValueError:
        return str(code)


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _is_reserved(host: str) -> bool:
    """Whether a host name is reserved for examples or means the local machine."""
    if host in ("", "localhost") or host.endswith(_RESERVED_ENDINGS):
        return True
    return any(host == domain or host.endswith(f".{domain}") for domain in _RESERVED_DOMAINS)
