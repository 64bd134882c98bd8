"""Finds the claims of documents: subject, attribute, value and place. The code is not looked at."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from veridic.domain.code import (
    Assertion,
    AssertionKind,
    ClaimCategory,
    ClaimDomain,
    Depth,
    DocClaim,
    EntityKind,
    Origin,
    Place,
)
from veridic.text.markdown import code_spans
from veridic.verify.documents.examples import block_statements, command_statements
from veridic.verify.documents.fields import field_statements
from veridic.verify.documents.link_targets import hosted
from veridic.verify.documents.names import LONGEST_TEXT
from veridic.verify.documents.prose import prose_statements
from veridic.verify.documents.statement import Statement
from veridic.verify.documents.tables import row_statements
from veridic.verify.documents.unit import Unit, UnitKind
from veridic.verify.documents.vocabulary import Vocabulary, vocabulary

_CONFIGURED = frozenset(
    {EntityKind.FLAG, EntityKind.ENVIRONMENT, EntityKind.SETTING, EntityKind.PACKAGE, EntityKind.COMMAND}
)
_DOMAINS = {
    AssertionKind.LINKS: ClaimDomain.DOCUMENTATION,
    AssertionKind.DEPRECATED: ClaimDomain.HISTORY,
    AssertionKind.REQUIRES: ClaimDomain.CONFIGURATION,
}
_DOMAIN_WORDS = (
    (ClaimDomain.SECURITY, re.compile(r"\b(?:secur\w+|encrypt\w*|sanitiz\w*|password|credentials?|untrusted|authenticat\w*|injection|csrf|xss)\b", re.IGNORECASE)),
    (ClaimDomain.CONCURRENCY, re.compile(r"\b(?:thread[- ]?safe\w*|race conditions?|deadlock\w*|atomic(?:ally)?|lock[- ]free|non-?blocking|mutex)\b", re.IGNORECASE)),
    (ClaimDomain.PERFORMANCE, re.compile(r"\b(?:constant[- ]time|linear[- ]time|faster|zero[- ]copy|latency|throughput|performance)\b|\bO\(", re.IGNORECASE)),
)  # fmt: skip
_MEDIUM = frozenset({AssertionKind.RETURNS, AssertionKind.RAISES, AssertionKind.DEPRECATED})


def find_claims(units: Iterable[Unit], words: Vocabulary | None = None) -> list[DocClaim]:
    """The claims of the units, in order. `words` is the `vocabulary` of all documents of the project; by default, that of these units."""
    units = list(units)
    words = vocabulary(units) if words is None else words
    claims: dict[tuple[str, int], DocClaim] = {}
    for (_, block, is_code), group in groupby(units, key=lambda unit: (unit.path, unit.block, unit.is_code)):
        pieces = list(group)
        if is_code and block:
            statements = (
                block_statements(pieces, words) if pieces[0].origin is not Origin.CHANGELOG else iter(())
            )
        else:
            statements = (found for unit in pieces for found in _unit_statements(unit, words))
        for statement in statements:
            claim = claim_from(statement)
            claims.setdefault((claim.id, claim.line), claim)
    return list(claims.values())


def _unit_statements(unit: Unit, words: Vocabulary) -> Iterator[Statement]:
    if unit.is_code or len(unit.text) > LONGEST_TEXT:
        return
    fields = field_statements(unit)
    if fields is not None:
        yield from fields
    elif unit.kind is UnitKind.ROW:
        yield from row_statements(unit, words)
    else:
        yield from prose_statements(unit, words)
    if unit.origin is not Origin.CHANGELOG:
        for start, end in code_spans(unit.text):
            span = unit.text[start:end]
            if " " in span.strip():
                yield from command_statements(unit, span, words)


def claim_from(statement: Statement) -> DocClaim:
    """The claim for a statement, with its place, category, domain and depth."""
    unit, kind, subject = statement.unit, statement.kind, statement.subject
    assertion = Assertion(
        kind=kind,
        subject=subject,
        expected=statement.expected,
        expected_place=_place(unit, statement.expected, statement.start),
        quantifiers=statement.quantifiers,
    )
    domain = _domain(statement)
    identity = "\0".join(
        (unit.path, unit.text, kind, subject.kind, subject.name, subject.owner or "", *statement.expected)
    )
    is_internal = kind is AssertionKind.LINKS or subject.kind in (EntityKind.PATH, EntityKind.LINK)
    is_outside = kind is AssertionKind.LINKS and _is_outside(subject.name)
    return DocClaim(
        id=hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        text=unit.text.strip(),
        document=unit.path,
        line=unit.line,
        end_line=unit.end_line,
        origin=unit.origin,
        category=_category(is_internal=is_internal, is_outside=is_outside),
        domain=domain,
        entities=statement.entities or (subject,),
        assertion=assertion,
        depth=_depth(kind, domain),
        owner=unit.owner or None,
    )


def _is_outside(target: str) -> bool:
    """Whether a link leads to another site; one to the newest state of a file on a repository host counts as the project's own."""
    file = hosted(target)
    return target.lower().startswith(("http:", "https:")) and not (file and file.is_current)


def _category(*, is_internal: bool, is_outside: bool) -> ClaimCategory:
    if is_outside:
        return ClaimCategory.EXTERNAL
    return ClaimCategory.INTERNAL if is_internal else ClaimCategory.CODEBASE


def _place(unit: Unit, expected: tuple[str, ...], start: int) -> Place | None:
    """Where the value is in the file: the nth match in the unit's text is the nth match in its source lines."""
    if len(expected) != 1 or start < 0 or not unit.source or not expected[0]:
        return None
    value = re.compile(
        rf"(?<![\w.]){re.escape(expected[0])}(?!\w)" if expected[0][0].isalnum() else re.escape(expected[0])
    )
    in_text = [match.start() for match in value.finditer(unit.text)]
    in_source = [
        (number, match)
        for number, line in enumerate(unit.source, unit.line)
        for match in value.finditer(line)
    ]
    if start not in in_text or (len(in_source) != len(in_text) and len(in_source) != 1):
        return None
    line, match = in_source[in_text.index(start)] if len(in_source) > 1 else in_source[0]
    return Place(line=line, start=match.start(), end=match.end())


def _domain(statement: Statement) -> ClaimDomain:
    if statement.kind is AssertionKind.BEHAVES:
        words = (domain for domain, pattern in _DOMAIN_WORDS if pattern.search(statement.unit.text))
        return next(words, ClaimDomain.CORRECTNESS)
    if statement.subject.kind in _CONFIGURED:
        return ClaimDomain.CONFIGURATION
    if statement.kind is AssertionKind.EXISTS:
        return ClaimDomain.DOCUMENTATION
    return _DOMAINS.get(statement.kind, ClaimDomain.CORRECTNESS)


def _depth(kind: AssertionKind, domain: ClaimDomain) -> Depth:
    if kind is AssertionKind.BEHAVES:
        return Depth.DEEP if domain in (ClaimDomain.PERFORMANCE, ClaimDomain.CONCURRENCY) else Depth.MEDIUM
    return Depth.MEDIUM if kind in _MEDIUM else Depth.SHALLOW
