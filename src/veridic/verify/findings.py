"""Turns a place that is out of date into a claim and a verdict that quotes both revisions."""

import hashlib
from pathlib import PurePosixPath
from typing import NamedTuple

from veridic.domain.code import (
    AgentVerdict,
    Assertion,
    AssertionKind,
    ClaimCategory,
    ClaimDomain,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    Entity,
    EntityKind,
    EvidenceTier,
    Origin,
    Place,
)
from veridic.domain.evidence import Stance
from veridic.verify.revisions import is_document
from veridic.verify.source_text import TokenKind
from veridic.verify.stale import Stale

AGENT = "history"
_HASH_LENGTH = 10
"""Characters of a commit hash to show."""


class StaleClaim(NamedTuple):
    claim: DocClaim
    verdict: AgentVerdict


def as_claim(stale: Stale, text: str, revision: str, digest: str | None) -> StaleClaim:
    """The claim and its verdict. `text` is the document's text; `digest` that of the changed file, None if it is gone."""
    change, unit, written, likelihood, is_correctable = stale
    is_value = change.kind is not TokenKind.NAME
    claim = DocClaim(
        id=_id(unit.path, unit.text, str(unit.line), change.old),
        text=unit.text,
        document=unit.path,
        line=unit.line,
        end_line=unit.end_line,
        origin=_origin(unit.path),
        category=ClaimCategory.CODEBASE,
        domain=ClaimDomain.DOCUMENTATION,
        assertion=Assertion(
            # Only an exact swap of literals is a correction to apply; anything else is a suggestion for a person.
            kind=AssertionKind.EQUALS if is_correctable else AssertionKind.EXISTS,
            subject=Entity(kind=EntityKind.VALUE if is_value else EntityKind.SYMBOL, name=change.old),
            expected=(written,),
            expected_place=_place(stale, text),
        ),
        depth=Depth.MEDIUM,
    )
    then = f"{change.path}:{change.line} at {revision[:_HASH_LENGTH]}: {change.quote_old}"
    now = f"{change.path}: {change.quote_new}" if change.quote_new else f"{change.path}: no {change.old}"
    evidence = (
        CodeEvidence(tier=EvidenceTier.HISTORY, stance=Stance.SUPPORTING, path=revision, quote=then),
        CodeEvidence(
            tier=EvidenceTier.CODE,
            stance=Stance.CONTRADICTING,
            path=change.path if digest else ".",
            quote=now,
            value=change.new if written == change.old else None,
            digest=digest,
        ),
    )
    became = f"it is {change.new} now" if change.new else "it is not there any more"
    verdict = AgentVerdict(
        agent=AGENT,
        verdict=CodeVerdict.STALE,
        confidence=round(likelihood, 2),
        reason=f"This still says {written}; in {change.path} {became}.",
        evidence=evidence,
        depth=Depth.MEDIUM,
    )
    return StaleClaim(claim, verdict)


def _place(stale: Stale, text: str) -> Place | None:
    """The place of the old value, if the lines have it exactly once."""
    lines = text.split("\n")
    numbers = range(stale.unit.line, min(stale.unit.end_line, len(lines)) + 1)
    found = [(number, lines[number - 1]) for number in numbers if stale.written in lines[number - 1]]
    if len(found) != 1 or found[0][1].count(stale.written) != 1:
        return None
    number, line = found[0]
    start = line.index(stale.written)
    return Place(line=number, start=start, end=start + len(stale.written))


def _origin(path: str) -> Origin:
    if not is_document(path):
        return Origin.COMMENT
    return Origin.RST if PurePosixPath(path).suffix.lower() == ".rst" else Origin.MARKDOWN


def _id(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]
