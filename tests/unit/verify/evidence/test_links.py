"""Links: verified, dead or inconclusive."""

import asyncio

import pytest

from veridic.domain.code import (
    AgentVerdict,
    Assertion,
    AssertionKind,
    ClaimCategory,
    CodeVerdict,
    DocClaim,
    Entity,
    EntityKind,
    EvidenceTier,
    Origin,
)
from veridic.domain.errors import FetchError, ForbiddenAddressError, InputError, UnknownHostError
from veridic.providers.fetch.base import Answer
from veridic.verify.evidence.links import AT_ONCE, AskStatus, check_links

FINE = "https://fine.dev/"


def link(address: str, claim_id: str = "c1", kind: AssertionKind = AssertionKind.LINKS) -> DocClaim:
    subject = Entity(kind=EntityKind.LINK, name=address)
    return DocClaim(
        id=claim_id,
        text=address,
        document="README.md",
        line=1,
        end_line=1,
        origin=Origin.MARKDOWN,
        category=ClaimCategory.EXTERNAL,
        domain="documentation",
        assertion=Assertion(kind=kind, subject=subject),
    )


def web(outcome: int | Exception = 200) -> tuple[AskStatus, list[str]]:
    """Answer every request with `outcome`, except for the address `FINE`."""
    asked: list[str] = []

    async def ask(address: str) -> Answer:
        asked.append(address)
        if isinstance(outcome, Exception) and address != FINE:
            raise outcome
        status = 200 if address == FINE or isinstance(outcome, Exception) else outcome
        return Answer(url=address, status=status, content_type=None)

    return ask, asked


def verdict_on(address: str, outcome: int | Exception) -> AgentVerdict:
    ask, _ = web(outcome)
    found = asyncio.run(check_links([link(address), link(FINE, "c2")], ask))
    assert found["c2"].verdict is CodeVerdict.VERIFIED
    return found["c1"]


@pytest.mark.parametrize(("status", "quote"), [(404, "404 Not Found"), (410, "410 Gone")])
def test_dead_link_is_refuted_with_the_status(status: int, quote: str) -> None:
    verdict = verdict_on("https://gone.dev/page", status)
    assert verdict.verdict is CodeVerdict.REFUTED
    (evidence,) = verdict.evidence
    assert (evidence.tier, evidence.path, evidence.quote) == (
        EvidenceTier.EXTERNAL,
        "https://gone.dev/page",
        quote,
    )


@pytest.mark.parametrize("status", [301, 400, 401, 403, 405, 418, 429, 500, 503, 599, 999])
def test_other_error_status_is_inconclusive(status: int) -> None:
    verdict = verdict_on("https://busy.dev/", status)
    assert verdict.verdict is CodeVerdict.INCONCLUSIVE
    assert verdict.would_settle
    assert str(status) in verdict.evidence[0].quote


@pytest.mark.parametrize(
    "error",
    [
        FetchError("No answer in time."),
        ForbiddenAddressError("A private network."),
        InputError("No address."),
    ],
)
def test_failed_request_is_inconclusive(error: Exception) -> None:
    assert verdict_on("https://slow.dev/", error).verdict is CodeVerdict.INCONCLUSIVE


def test_unknown_host_is_a_dead_link() -> None:
    verdict = verdict_on("https://no-such-host.dev/", UnknownHostError("Not found."))
    assert verdict.verdict is CodeVerdict.REFUTED
    assert verdict.evidence[0].quote == "no such host"


def test_no_link_is_dead_without_a_network() -> None:
    ask, _ = web(UnknownHostError("Not found."))
    found = asyncio.run(check_links([link("https://a.dev/"), link("https://b.dev/", "c2")], ask))
    assert {verdict.verdict for verdict in found.values()} == {CodeVerdict.INCONCLUSIVE}


def test_address_is_requested_once_for_several_anchors() -> None:
    ask, asked = web()
    found = asyncio.run(check_links([link("https://a.dev/#x"), link("https://a.dev/#y", "c2")], ask))
    assert asked == ["https://a.dev/"]
    assert set(found) == {"c1", "c2"}


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost:8000/docs",
        "https://example.com/x",
        "https://api.example.org",
        "http://my.test/",
        "http://[::1",
        "http://",
    ],
)
def test_reserved_addresses_are_not_requested(address: str) -> None:
    ask, asked = web(404)
    found = asyncio.run(check_links([link(address)], ask))
    assert asked == []
    assert found["c1"].verdict is CodeVerdict.INCONCLUSIVE


@pytest.mark.parametrize(
    "address", ["docs/guide.md", "#part", "mailto:a@b.c", "javascript:alert(1)", "file:///etc/passwd"]
)
def test_other_than_web_addresses_are_ignored(address: str) -> None:
    ask, asked = web(404)
    assert asyncio.run(check_links([link(address)], ask)) == {}
    assert asked == []


def test_other_claims_are_ignored() -> None:
    ask, asked = web(404)
    assert asyncio.run(check_links([link("https://a.dev/", kind=AssertionKind.EXISTS)], ask)) == {}
    assert asked == []


def test_concurrent_requests_are_limited() -> None:
    under_way: set[str] = set()
    most = 0

    async def ask(address: str) -> Answer:
        nonlocal most
        under_way.add(address)
        most = max(most, len(under_way))
        await asyncio.sleep(0)
        under_way.discard(address)
        return Answer(url=address, status=200, content_type=None)

    claims = [link(f"https://host{number}.dev/", f"c{number}") for number in range(40)]
    assert len(asyncio.run(check_links(claims, ask))) == 40
    assert 1 < most <= AT_ONCE
