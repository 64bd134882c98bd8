"""Links that lead out of the repository: whether there is anything at their other end (tier 4)."""

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
"""Asks for the status of an address by the rules of fetching."""
AGENT = "links"
AT_ONCE = 8
AT_ONCE_A_HOST = 2
MOST_ADDRESSES = 1_000
_GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
_LATER = "Try again later, or open the address in a browser."
_RESERVED_DOMAINS = ("example.com", "example.org", "example.net")
_RESERVED_ENDINGS = (".example", ".test", ".invalid", ".localhost", ".local")

Outcome = Answer | InputError | ProviderError


async def check_links(claims: Iterable[DocClaim], ask_status: AskStatus) -> Mapping[str, AgentVerdict]:
    """A verdict, by the claim's id, on every claim that a web address leads somewhere.

    Each address is asked for once, a few at a time. Only a server that says that nothing is there (404, 410), or a
    host that does not exist, makes a link dead; whatever else goes wrong leaves it open.
    """
    addresses = {claim.id: address for claim in claims if (address := _address(claim))}
    wanted = list(dict.fromkeys(addresses.values()))[:MOST_ADDRESSES]
    outcomes = await _ask_all(wanted, ask_status)
    # Without a network no host is found either.
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


async def _ask_all(addresses: list[str], ask_status: AskStatus) -> dict[str, Outcome]:
    everywhere = asyncio.Semaphore(AT_ONCE)
    hosts = {_host(address): asyncio.Semaphore(AT_ONCE_A_HOST) for address in addresses}

    async def ask(address: str) -> Outcome:
        async with hosts[_host(address)], everywhere:
            try:
                return await ask_status(address)
            except (InputError, ProviderError) as error:
                return error

    real = [address for address in addresses if not _is_reserved(_host(address))]
    return dict(zip(real, await asyncio.gather(*map(ask, real)), strict=True))


def _verdict(address: str, outcome: Outcome | None, *, is_online: bool) -> AgentVerdict:
    if isinstance(outcome, Answer):
        return _verdict_on_answer(address, outcome)
    if isinstance(outcome, UnknownHostError) and is_online:
        return _said(
            CodeVerdict.REFUTED,
            0.9,
            "The link is dead: there is no host of that name.",
            address,
            "no such host",
        )
    if outcome is None:
        reason = "The address is an example or one too many, and was not asked for."
        return _said(CodeVerdict.INCONCLUSIVE, 0.0, reason, address, "not asked for")
    reason = "Whether the link leads anywhere could not be found out."
    return _said(CodeVerdict.INCONCLUSIVE, 0.0, reason, address, str(outcome))


def _verdict_on_answer(address: str, answer: Answer) -> AgentVerdict:
    status = _status(answer.status)
    if answer.status in _GONE:
        return _said(
            CodeVerdict.REFUTED, 0.95, f"The link is dead: the server answers {status}.", address, status
        )
    if 200 <= answer.status < 300:
        return _said(CodeVerdict.VERIFIED, 0.95, f"The server answers {status}.", address, status)
    reason = f"The server answers {status}, which does not tell whether something is there."
    return _said(CodeVerdict.INCONCLUSIVE, 0.0, reason, address, status)


def _said(verdict: CodeVerdict, confidence: float, reason: str, address: str, quote: str) -> AgentVerdict:
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
        would_settle=_LATER if verdict is CodeVerdict.INCONCLUSIVE else None,
    )


def _status(code: int) -> str:
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
    """Names that exist for examples only, and those of the reader's own machine."""
    if host in ("", "localhost") or host.endswith(_RESERVED_ENDINGS):
        return True
    return any(host == domain or host.endswith(f".{domain}") for domain in _RESERVED_DOMAINS)
