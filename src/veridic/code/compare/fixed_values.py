"""DEFAULT and EQUALS: a parameter, an option, a variable, a setting or a constant has the documented value."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from veridic.code.compare.literals import Name, read_source
from veridic.code.compare.looking import Look, at, is_test, shown
from veridic.code.compare.units import Worth, unit_of_comment, unit_of_name
from veridic.code.compare.values import Match, same_value
from veridic.domain.code import AgentVerdict, AssertionKind, EntityKind, Fact, FactKind, Origin

_KINDS: dict[EntityKind, tuple[FactKind, ...]] = {
    EntityKind.FLAG: (FactKind.OPTION,),
    EntityKind.ENVIRONMENT: (FactKind.ENVIRONMENT, FactKind.SETTING),
    EntityKind.SETTING: (FactKind.SETTING, FactKind.CONSTANT),
    EntityKind.CONSTANT: (FactKind.CONSTANT, FactKind.SETTING),
    EntityKind.VERSION: (FactKind.VERSION,),
    EntityKind.SYMBOL: (FactKind.CONSTANT, FactKind.SETTING, FactKind.OPTION, FactKind.ENVIRONMENT),
}


_VERSION = re.compile(r"v?(\d+(?:\.\d+)*(?:[-.+]?[A-Za-z][\w.]*)?)")
_CODE_FILES = (".py", ".pyi", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".go", ".rs", ".java")


_OF_THE_WHOLE_PROJECT = (EntityKind.FLAG, EntityKind.ENVIRONMENT)
_IN_CODE = (Origin.DOCSTRING, Origin.COMMENT)
"""A name in these is that of something near, and not of a namesake in another module."""


_EMPTY = ("''", '""', "``", "nil", "-1")


class Found(NamedTuple):
    """A place in the code that has a value for what the document names."""

    fact: Fact
    name: str
    source: str | None


def compare_value(look: Look) -> AgentVerdict | None:
    """Whether what the document names has the value that it says."""
    if len(look.expected) != 1 or look.subject is None or look.claim.assertion.is_negated:
        return None
    found = _places(look)
    if not found or (look.claim.origin is Origin.HELP and is_test(look.claim.document)):
        return None
    matches = [_match(look, place) for place in found]
    if all(match is Match.EQUAL for match in matches):
        return look.verified(_agreement(look, found[0]), *_facts(found))
    if all(match is Match.DIFFERENT for match in matches) and _have_one_value(found):
        return _difference(look, found)
    return _undecided(look, found, matches)


def _places(look: Look) -> list[Found]:
    subject = look.subject
    if subject is None:
        return []
    if subject.kind is EntityKind.PARAMETER:
        return _of_parameters(look, subject.name)
    if subject.kind is EntityKind.VERSION:
        return [Found(fact, subject.name, fact.value) for fact in _versions(look)]
    kinds = _KINDS.get(subject.kind)
    if kinds is None:
        return []
    for name in dict.fromkeys(
        (f"{subject.owner}.{subject.name}", subject.name) if subject.owner else (subject.name,)
    ):
        named = look.meant(_belonging(look.named(name, *kinds), subject.owner))
        if look.claim.origin in _IN_CODE and name.islower() and subject.kind not in _OF_THE_WHOLE_PROJECT:
            speaks_of_parameters = bool(look.index.named(look.claim.owner or "", FactKind.FUNCTION))
            named = tuple(
                fact
                for fact in named
                if fact.path == look.claim.document
                and not (speaks_of_parameters and fact.kind is FactKind.CONSTANT)
            )
        if named:
            return [Found(fact, subject.name, fact.value) for fact in _telling(look, named)]
    return _of_parameters(look, subject.name) if subject.kind is EntityKind.SYMBOL and subject.owner else []


def _telling(look: Look, facts: Sequence[Fact]) -> Sequence[Fact]:
    """Those that can speak for the claim: the option that a help text stands in; reads of a variable with a default."""
    if look.claim.origin is Origin.HELP:
        before = [fact for fact in facts if fact.path == look.claim.document and fact.line <= look.claim.line]
        return [max(before, key=lambda fact: fact.line)] if before else facts
    valued = [fact for fact in facts if fact.value is not None or fact.kind is not FactKind.ENVIRONMENT]
    return valued or facts


def _versions(look: Look) -> Sequence[Fact]:
    """The project's own version: a manifest at the top counts more than a variable somewhere."""
    facts = look.of_the_project(look.index.of_kind(FactKind.VERSION))
    manifests = [fact for fact in facts if not fact.path.endswith(_CODE_FILES)]
    highest = min((fact.path.count("/") for fact in manifests), default=0)
    return [fact for fact in manifests if fact.path.count("/") == highest] or facts


def _belonging(facts: Sequence[Fact], owner: str | None) -> Sequence[Fact]:
    """Those of the command or class that the document names, where it names one that has it."""
    if not owner:
        return facts
    last = owner.replace(".", " ").split()[-1:]
    own = [fact for fact in facts if fact.owner.replace(".", " ").split()[-1:] == last]
    return own or facts


def _of_parameters(look: Look, name: str) -> list[Found]:
    bare = name.lstrip("*")
    found: list[Found] = []
    for fact in look.callables():
        parameter = next((p for p in fact.parameters if p.name.lstrip("*") == bare), None)
        if parameter is not None:
            found.append(Found(_showing(look, fact, bare), parameter.name, parameter.default))
    if not found and look.subject and look.subject.owner:
        facts = look.named(f"{look.subject.owner}.{bare}", FactKind.CONSTANT, FactKind.SETTING)
        found = [Found(fact, bare, fact.value) for fact in facts]
    return found


def _showing(look: Look, fact: Fact, parameter: str) -> Fact:
    """The field or the constructor of a class in which its parameter stands; a function itself."""
    if fact.kind is not FactKind.CLASS:
        return fact
    inside = (
        *look.index.named(f"{fact.qualified}.{parameter}", FactKind.CONSTANT),
        *look.index.named(f"{fact.qualified}.__init__", FactKind.FUNCTION),
    )
    return next((one for one in inside if one.path == fact.path), fact)


def _match(look: Look, place: Found) -> Match:
    words = look.expected[0]
    if words == place.name:  # "falls back to `default`": the name of a thing, not a value of it
        return Match.UNKNOWN
    if place.fact.kind is FactKind.VERSION:
        return _same_version(words, place.source)
    match = same_value(
        words, _literal(place), unit=_unit(place), is_code=look.is_code(words), resolve=look.resolve
    )
    if match is Match.DIFFERENT and (_is_filled_in(look, place, words) or _is_turned_round(place)):
        return Match.UNKNOWN
    return match


def _is_turned_round(place: Found) -> bool:
    """`--no-cache`, which sets the cache to false: whose default is meant can't be told."""
    is_switch = place.source in ("True", "False", "true", "false")
    return is_switch and place.fact.kind is FactKind.OPTION and "no" in place.name.split("-")


def _is_filled_in(look: Look, place: Found, words: str) -> bool:
    """Whether nothing stands there because the documented value is put in its place later: the same file has it."""
    if place.fact.kind is FactKind.OPTION and place.source in _EMPTY:
        return True  # Where it is put in may be far from where the option is declared.
    if place.source not in ("None", "''", '""', "null", "undefined"):
        return False
    if not words.isidentifier():
        return re.search(rf"[\"']{re.escape(words)}[\"']", look.text(place.fact.path)) is not None
    return re.search(rf"(?<![\w\"']){words}(?![\w\"'])\s*[=:,)\].]", look.text(place.fact.path)) is not None


def _same_version(words: str, source: str | None) -> Match:
    """Of the project itself, to the precision that the document has."""
    said, found = (_VERSION.fullmatch(text.strip().strip("\"'")) for text in (words, source or ""))
    if not said or not found:
        return Match.UNKNOWN
    return Match.EQUAL if f"{found[1]}.".startswith(f"{said[1]}.") else Match.DIFFERENT


def _literal(place: Found) -> str | None:
    """The source of a value; what a configuration file has without quotes is a text too."""
    source = place.source
    if source is None or place.fact.path.endswith(_CODE_FILES):
        return source
    return repr(source) if isinstance(read_source(source), Name | None) else source


def _unit(place: Found) -> tuple[Worth, ...]:
    own = place.fact.name if place.fact.kind is not FactKind.FUNCTION else place.name
    by_name = unit_of_name(own) or unit_of_name(place.name)
    # A function's first line may have a comment on something else.
    return by_name or (unit_of_comment(place.fact.quote) if place.fact.kind is FactKind.CONSTANT else ())


def _have_one_value(found: Sequence[Found]) -> bool:
    return len({"".join((place.source or "").split()) for place in found}) == 1


def _facts(found: Sequence[Found]) -> list[Fact]:
    return list(dict.fromkeys(place.fact for place in found))


def _subject(place: Found) -> str:
    is_parameter = place.fact.kind is FactKind.FUNCTION and place.name != place.fact.name
    owner = (place.fact.owner if place.fact.name == "__init__" else place.fact.name) if is_parameter else ""
    named = f"`{place.name}` of `{owner}`" if owner else f"`{place.name}`"
    return "The version" if place.fact.kind is FactKind.VERSION else named


def _verb(look: Look) -> str:
    return "defaults to" if look.claim.assertion.kind is AssertionKind.DEFAULT else "is"


def _agreement(look: Look, place: Found) -> str:
    return f"{_subject(place)} {_verb(look)} {shown(place.source or '')} ({at(place.fact)})."


def _difference(look: Look, found: Sequence[Found]) -> AgentVerdict:
    first = found[0]
    said = shown(look.expected[0])
    value = _literal_behind(look, first.source or "")
    behind = "" if value == first.source else f" = {shown(value)}"
    reason = (
        f"{_subject(first)} {_verb(look)} {shown(first.source or '')}{behind} ({at(first.fact)}), not {said}."
    )
    return look.refuted(reason, *_facts(found), value=value)


def _literal_behind(look: Look, source: str) -> str:
    behind = look.resolve(source.replace("::", "."))
    return behind if behind is not None else source


def _undecided(look: Look, found: Sequence[Found], matches: Sequence[Match]) -> AgentVerdict:
    first = found[0]
    facts = _facts(found)
    if len(found) > 1 and set(matches) != {Match.UNKNOWN}:
        return look.inconclusive(
            f"{len(found)} places have a `{first.name}`, and their values differ (the first is {at(first.fact)}).",
            *facts[:5],
            would_settle=f"Naming the function, class or command that `{first.name}` belongs to.",
        )
    if first.source is None:
        reason = f"{_subject(first)} has no value that can be read in the code ({at(first.fact)})."
    else:
        reason = f"{_subject(first)} is {shown(first.source)} ({at(first.fact)}), which can't be compared with {shown(look.expected[0])}."
    return look.inconclusive(
        reason,
        *facts[:5],
        would_settle="A test that shows the value at run time, or a literal value in the code.",
    )
