"""What documents say about the answers of endpoints: their status, and simple values in them."""

import json
import re
from collections.abc import Iterator
from hashlib import sha256

from veridic.code.plain_sentences import plain_sentences
from veridic.domain.code import (
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
    """The claims about what one endpoint answers; what stands in blocks of code is left out."""
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
    """What a sentence says of an answer: its status under an empty name, simple values under their keys."""
    for match in _STATUS.finditer(text):
        yield "", int(match["status"])
    for match in _OBJECT.finditer(text):
        try:
            shown = json.loads(match[1])
        except (ValueError, RecursionError):
            continue
        yield from ((key, value) for key, value in shown.items() if not isinstance(value, dict | list))
    for match in _FIELD.finditer(text):
        yield match["key"], _simple(match["value"])


def _simple(written: str) -> object:
    try:
        value = json.loads(written)
    except (ValueError, RecursionError):
        return written
    return written if isinstance(value, dict | list) else value
