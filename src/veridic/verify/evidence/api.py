"""Checks claims about API responses against live endpoints that the user allows, with GET requests only."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Protocol
from urllib.parse import urlsplit

from veridic.config.settings import Settings
from veridic.domain.code import (
    AgentVerdict,
    Assertion,
    AssertionKind,
    ClaimCategory,
    ClaimDomain,
    Depth,
    DocClaim,
    Entity,
    EntityKind,
    Origin,
)
from veridic.domain.errors import InputError, ProviderError, UsageError
from veridic.engine.threads import in_thread
from veridic.providers.fetch.base import Answer
from veridic.providers.fetch.http import HttpFetcher
from veridic.verify.evidence.live import live_verdict, plain_sentences

AGENT = "api"
_GET_ROUTE = re.compile(r"(?:GET +)?(?P<path>/[\w./~-]*)")
_LONGEST_QUOTE = 300
_MISSING = object()
_ENDPOINT = re.compile(r"`(?:GET +)?(?P<path>/[\w./~-]*)`")
_STATUS = re.compile(
    r"\b(?:returns?|responds?(?: with)?|answers?(?: with)?|status(?: code)?(?: of| is)?|gives)\s+"
    r"(?:an? |the )?(?:HTTP )?(?:status(?: code)? )?`?(?P<status>[1-5]\d\d)\b(?! (?:ms|bytes|items|rows|results))",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"`(\{[^`]{2,500}\})`")
_FIELD = re.compile(
    r"`(?P<key>[A-Za-z_]\w*)`(?: field| key| value)? (?:is|equals|is set to|has the value) `(?P<value>[^`{}]{1,100})`",
    re.IGNORECASE,
)


def find_api_claims(document: str, text: str) -> list[DocClaim]:
    """Return the claims about the response of one endpoint; code blocks are skipped."""
    return [
        _claim(document, line, sentence, paths.pop())
        for line, sentence in plain_sentences(text)
        if any(expectations(sentence))
        and len(paths := {match["path"] for match in _ENDPOINT.finditer(sentence)}) == 1
    ]


def _claim(document: str, line: int, sentence: str, path: str) -> DocClaim:
    words = f"{document}\0{line}\0{sentence}".encode("utf-8", "surrogatepass")
    endpoint = Entity(kind=EntityKind.ENDPOINT, name=f"GET {path}")
    said = tuple(str(value) for _, value in expectations(sentence))
    return DocClaim(
        id=f"api-{sha256(words).hexdigest()[:16]}",
        text=sentence,
        document=document,
        line=line,
        end_line=line,
        origin=Origin.MARKDOWN,
        category=ClaimCategory.EXTERNAL,
        domain=ClaimDomain.CORRECTNESS,
        entities=(endpoint,),
        assertion=Assertion(kind=AssertionKind.RETURNS, subject=endpoint, expected=said),
        depth=Depth.DEEP,
    )


def expectations(text: str) -> Iterator[tuple[str, object]]:
    """Yield what a sentence says about a response: the status under an empty key, simple values under their keys."""
    for match in _STATUS.finditer(text):
        yield "", int(match["status"])
    for match in _OBJECT.finditer(text):
        try:
            fields = json.loads(match[1])
        except (ValueError, RecursionError):
            continue
        yield from ((key, value) for key, value in fields.items() if not isinstance(value, dict | list))
    for match in _FIELD.finditer(text):
        yield match["key"], _simple(match["value"])


def _simple(written: str) -> object:
    try:
        value = json.loads(written)
    except (ValueError, RecursionError):
        return written
    return written if isinstance(value, dict | list) else value


class Asker(Protocol):
    def ask(self, url: str) -> Answer: ...


class LiveApi:
    """The endpoints that may be requested: exactly the given URLs and, for one that ends with `/` or has no path, everything
    below it. Their hosts may be on a private network, because the user names them."""

    def __init__(self, allowed: Sequence[str], settings: Settings, fetcher: Asker | None = None) -> None:
        self._allowed = [_readable(address) for address in allowed]
        hosts = {urlsplit(address).hostname or "" for address in self._allowed}
        own = settings.model_copy(update={"fetch_allow_hosts": (*settings.fetch_allow_hosts, *sorted(hosts))})
        self._fetcher: Asker = fetcher or HttpFetcher(own)

    async def check(self, claim: DocClaim) -> AgentVerdict | None:
        """Check a claim about the status or values of a response; None if there is no endpoint to request.

        Whether the endpoint exists is a different claim, which the code may settle.
        """
        if claim.assertion.kind is not AssertionKind.RETURNS:
            return None
        address = self.address_of(claim)
        said = list(expectations(claim.text))
        if address is None or not said:
            return None
        try:
            answer = await in_thread(partial(self._fetcher.ask, address))
        except (InputError, ProviderError) as error:
            return live_verdict(
                AGENT, claim, None, reason="The endpoint did not answer.", path=f"GET {address}", quote=str(error),
                would_settle="Ask again when it can be reached.",
            )  # fmt: skip
        return _compare(claim, address, answer, said)

    def address_of(self, claim: DocClaim) -> str | None:
        """The URL of the only endpoint that a claim names; None if it may not be requested."""
        subject = claim.assertion.subject
        named = claim.entities if subject is None else (subject, *claim.entities)
        paths = {
            match["path"]
            for entity in named
            if entity.kind is EntityKind.ENDPOINT and (match := _GET_ROUTE.fullmatch(entity.name)) is not None
        }
        if len(paths) != 1:
            return None
        (path,) = paths
        if ".." in path.split("/"):
            return None
        found = {address for base in self._allowed if (address := _url_below(base, path)) is not None}
        return found.pop() if len(found) == 1 else None


def _url_below(base: str, path: str) -> str | None:
    parts = urlsplit(base)
    if parts.path in ("", "/") or base.endswith("/"):
        return base.rstrip("/") + path
    return base if parts.path == path or parts.path.endswith(path) else None


def _readable(address: str) -> str:
    try:
        parts = urlsplit(address)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        is_web = False
    if not is_web:
        raise UsageError(
            f"{address} is not an address that can be asked; it should look like https://api.example.com/."
        )
    return address.partition("#")[0]


def _compare(
    claim: DocClaim, address: str, answer: Answer, said: Sequence[tuple[str, object]]
) -> AgentVerdict:
    values = _values(answer)
    answers: list[bool | None] = []
    differing: str | None = None
    for key, expected in said:
        actual = answer.status if key == "" else values.get(key, _MISSING)
        agrees = None if actual is _MISSING or isinstance(actual, dict | list) else _is_same(expected, actual)
        answers.append(agrees)
        if agrees is False and differing is None:
            differing = str(actual) if key == "" else json.dumps(actual, ensure_ascii=False)
    agrees = False if False in answers else (None if None in answers else True)
    body = answer.body[: _LONGEST_QUOTE * 4].decode("utf-8", "replace")[:_LONGEST_QUOTE]
    return live_verdict(
        AGENT,
        claim,
        agrees,
        reason="The endpoint answers something else." if agrees is False else "The endpoint was requested.",
        path=f"GET {address}",
        quote=f"{answer.status} {body}".strip(),
        value=differing,
        would_settle="An answer that has the values which the document names.",
    )


def _values(answer: Answer) -> Mapping[str, object]:
    try:
        read = json.loads(answer.body)
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _is_same(expected: object, actual: object) -> bool:
    """Whether the values are equal as JSON; a value without quotes in the document may mean a string."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    return expected == actual or (isinstance(actual, str) and str(expected) == actual)
