"""Parses a model's list of what a document says into proposals. Nothing in them has been checked yet.

Every field but the quote may be missing or malformed. An answer without a list raises `AnswerError`, which says what to ask for again.
"""

import re
from collections.abc import Iterator, Mapping

from veridic.domain.base import Frozen
from veridic.domain.code import AssertionKind, EntityKind
from veridic.text.answer_fields import AnswerError, Fields, as_text
from veridic.text.loose_json import objects_with, plain_name, read_json
from veridic.verify.models.answers import without_line_numbers

MOST_PROPOSALS = 500
"""For one part of a document; no part says more than that."""
_CLAIMS = ("claims", "statements", "assertions", "proposals", "entries", "results", "items")
_QUOTE = ("quote", "words", "text", "exactwords", "source", "sentence")
_SUBJECT = ("subject", "name", "entity")
_ATTRIBUTE = ("attribute", "property", "predicate", "relation")
_VALUES = ("values", "value", "expected", "object")
_KIND = ("kind", "subjectkind", "subjecttype", "type")
_LINE = ("line", "linenumber", "lines", "startline")
_NUMBER = re.compile(r"[0-9]{1,7}")
_LONGEST_QUOTE, _LONGEST_NAME, _LONGEST_VALUE, _MOST_VALUES = 1_000, 160, 200, 60
_ATTRIBUTES: Mapping[str, AssertionKind] = {
    **{plain_name(kind): kind for kind in AssertionKind},
    **dict.fromkeys(("existence", "isavailable", "available"), AssertionKind.EXISTS),
    **dict.fromkeys(("defaultvalue", "defaultsto", "isdefault"), AssertionKind.DEFAULT),
    **dict.fromkeys(("value", "is", "limit", "hasvalue", "exitcode"), AssertionKind.EQUALS),
    **dict.fromkeys(
        ("choices", "choice", "allowedvalues", "possiblevalues", "values"), AssertionKind.MEMBERS
    ),
    **dict.fromkeys(
        ("require", "required", "requirement", "requiredversion", "minimumversion", "version"),
        AssertionKind.REQUIRES,
    ),
    **dict.fromkeys(("parameters", "arguments"), AssertionKind.SIGNATURE),
    **dict.fromkeys(("argument", "takes"), AssertionKind.PARAMETER),
    **dict.fromkeys(("return", "returntype", "returnvalue"), AssertionKind.RETURNS),
    **dict.fromkeys(("raise", "throws", "exception"), AssertionKind.RAISES),
    "number": AssertionKind.COUNT,
    "deprecation": AssertionKind.DEPRECATED,
}
"""By `plain_name`; any other attribute is something that the subject does."""
_KINDS: Mapping[str, EntityKind] = {
    **{plain_name(kind): kind for kind in EntityKind},
    **dict.fromkeys(("option", "switch", "cliflag", "clioption", "commandlineoption"), EntityKind.FLAG),
    **dict.fromkeys(("subcommand", "script", "target", "program"), EntityKind.COMMAND),
    **dict.fromkeys(("environmentvariable", "envvar", "env", "variable"), EntityKind.ENVIRONMENT),
    **dict.fromkeys(("route", "api", "url"), EntityKind.ENDPOINT),
    **dict.fromkeys(("method", "call"), EntityKind.FUNCTION),
    **dict.fromkeys(("argument", "param"), EntityKind.PARAMETER),
    **dict.fromkeys(("file", "folder", "directory"), EntityKind.PATH),
    **dict.fromkeys(("language", "runtime", "dependency", "library", "extra"), EntityKind.PACKAGE),
    **dict.fromkeys(("configuration", "configkey", "key", "property", "field"), EntityKind.SETTING),
}


class Proposal(Frozen):
    """What a model says a document says, and where."""

    line: int
    """Where the quote begins, according to the model; 0 if it doesn't say."""
    quote: str
    subject: str
    kind: EntityKind
    """A symbol if the model names no known kind."""
    belongs_to: str = ""
    attribute: AssertionKind
    """`BEHAVES` for every unknown attribute."""
    values: tuple[str, ...] = ()
    is_limited: bool = False
    """It is only true under a condition, or negated."""
    is_of_another: bool = False
    """It is about another project."""


class ProposalList(Frozen):
    """The proposals for one part of a document."""

    proposals: tuple[Proposal, ...]
    """Without duplicates, in order; at most `MOST_PROPOSALS`."""
    more: int = 0
    """How many more the model listed."""


def parse_proposals(text: str) -> ProposalList:
    """The proposals of an answer; `AnswerError` if it has no list of them."""
    # Lone surrogates can be neither stored nor shown.
    values = read_json(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    objects = [Fields(content) for content in objects_with(values, *_CLAIMS, *_QUOTE)]
    if not objects:
        if any(value in ([], {}) for value in values):
            return ProposalList(proposals=())
        raise AnswerError('no JSON object with a list "claims"')
    entries = [entry for one in objects for entry in _entries(one)]
    read = (_proposal(entry) for entry in entries)
    found = list(dict.fromkeys(proposal for proposal in read if proposal is not None))
    if entries and not found:
        raise AnswerError('no entry with both a "quote" and a "subject"')
    return ProposalList(proposals=tuple(found[:MOST_PROPOSALS]), more=max(0, len(found) - MOST_PROPOSALS))


def _entries(one: Fields) -> tuple[Fields, ...]:
    """The entries of a list of objects, of objects by number, or the object itself."""
    listed = one.raw(*_CLAIMS)
    if listed is None:
        return (one,)
    if isinstance(listed, dict) and listed and all(isinstance(value, dict) for value in listed.values()):
        return tuple(Fields(value) for value in listed.values() if isinstance(value, dict))
    return one.objects(*_CLAIMS)


def _proposal(entry: Fields) -> Proposal | None:
    quote = entry.raw(*_QUOTE)
    words = without_line_numbers(quote if isinstance(quote, str) else as_text(quote))[:_LONGEST_QUOTE]
    subject = _bare(entry.text(*_SUBJECT))[:_LONGEST_NAME]
    if not words.strip() or not subject:
        return None
    line = _NUMBER.search(entry.text(*_LINE))
    values = tuple(value for value in _values(entry.raw(*_VALUES)) if value)[:_MOST_VALUES]
    return Proposal(
        line=int(line[0]) if line else 0,
        quote=words,
        subject=subject,
        kind=_KINDS.get(plain_name(entry.text(*_KIND)), EntityKind.SYMBOL),
        belongs_to=_bare(entry.text("belongsto", "owner", "of"))[:_LONGEST_NAME],
        attribute=_ATTRIBUTES.get(plain_name(entry.text(*_ATTRIBUTE)), AssertionKind.BEHAVES),
        values=values,
        is_limited=_says_something(entry, "condition", "conditions", "negated", "isnegated"),
        is_of_another=_says_something(entry, "other", "otherproject"),
    )


def _says_something(entry: Fields, *names: str) -> bool:
    return any(entry.text(name).lower() not in ("", "no", "false") for name in names)


def _values(raw: object) -> Iterator[str]:
    """Every value as written: `none` and `null` may be what a document says."""
    if isinstance(raw, bool):
        yield str(raw).lower()
    elif isinstance(raw, str):
        yield _bare(" ".join(raw.split()))[:_LONGEST_VALUE]
    elif isinstance(raw, list):
        for item in raw[:_MOST_VALUES]:
            yield from _values(item) if not isinstance(item, list) else ()


def _bare(text: str) -> str:
    """The text without quotation and code marks around it."""
    stripped = text.strip()
    for mark in ("`", '"', "'", "**"):
        if len(stripped) > 2 * len(mark) and stripped.startswith(mark) and stripped.endswith(mark):
            stripped = stripped.removeprefix(mark).removesuffix(mark).strip()
    return stripped
