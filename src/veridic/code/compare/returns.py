"""RETURNS: a function returns the documented value or type."""

import re
from collections.abc import Sequence

from veridic.code.compare.classes import is_a
from veridic.code.compare.literals import Name, Text, read_source
from veridic.code.compare.looking import FAIRLY_SURE, Look, at, last_part, shown
from veridic.code.compare.result_types import (
    alternatives_of,
    conflict,
    may_be_nothing,
    names_of_annotation,
    type_of_returned,
    type_of_value,
    type_of_words,
    types_of_annotation,
)
from veridic.code.compare.values import Match, same_value
from veridic.domain.code import AgentVerdict, Fact, FactKind

_KEEP_THE_RESULT = frozenset(
    "staticmethod classmethod property cached_property abstractmethod override final cache lru_cache overload "
    "deprecated wraps get post put patch delete route".split()
)
_WRAPPERS = frozenset(
    "Iterator Iterable Generator AsyncIterator AsyncGenerator Awaitable Coroutine Promise Result".split()
)
_SCALARS = frozenset({"none", "bool", "int", "float", "str", "bytes"})
_AFTER_A_TYPE = r"\s*(?:[^\w\s]|$|(?:of|with|if|when|or|and|containing|that|which|where|unless|mapping|on|for|from|in|to|otherwise|like)\b)"
_HAS_NONE_IN_IT = re.compile(r"(?i:^tuple)\[.*\bNone\b|^\(?None,|, ?None\)?$")
"""A pair of which one may be None, which a document may mean."""
_CONDITION = re.compile(r",?[^.,;]*\b(?:if|when|unless|whether|once|while|otherwise)\b", re.IGNORECASE)
_LISTS = re.compile(r"\breturns? (?:the )?list of\b", re.IGNORECASE)
_A_LIST = re.compile(r"\breturns? an? list of\b", re.IGNORECASE)
_BASE = re.compile(r"(?:^|\.)(?:Base|Abstract|Null|Dummy)|(?:Base|Mixin|Interface|ABC)$")
_EMPTY = frozenset({"None", "[]", "{}", "()", '""', "''"})
_ENDS_THE_FUNCTION = re.compile(r"\s*(?:return|raise)\b")


def compare_returns(look: Look) -> AgentVerdict | None:
    """Whether the function returns what the document says: one value, several, or a type."""
    found = [fact for fact in look.callables() if fact.kind is FactKind.FUNCTION and fact.name != "__init__"]
    if not found or not look.expected or look.claim.assertion.is_negated or look.is_in_passing:
        return None
    matches = {_match_all(look, fact) for fact in found}
    fact = found[0]
    if matches == {Match.EQUAL}:
        return look.verified(f"`{fact.name}` returns {shown(look.expected[0])} ({at(fact)}).", *found[:3])
    if matches == {Match.DIFFERENT} and len({_returned(one) for one in found}) == 1:
        return look.refuted(
            f"`{fact.name}` returns {shown(_at_fault(look, fact))} ({at(fact)}), not {shown(look.expected[0])}.",
            *found[:3],
            value=_in_its_place(look, fact),
            confidence=FAIRLY_SURE,
        )
    return look.inconclusive(
        f"What `{fact.name}` returns can't be told from its statements alone ({at(fact)}).",
        *found[:3],
        would_settle=f"A test that shows what `{fact.name}` returns, or a return annotation.",
    )


def _returned(fact: Fact) -> str:
    return fact.annotation or " or ".join(fact.returns) or "nothing"


def _at_fault(look: Look, fact: Fact) -> str:
    """What to show: the statements, where the annotation agrees with the document."""
    is_by_body = fact.returns and all(_by_type(look, fact, words) is Match.EQUAL for words in look.expected)
    return " or ".join(fact.returns) if is_by_body else _returned(fact)


def _in_its_place(look: Look, fact: Fact) -> str | None:
    """What the document could say: a value for a value, a type for a type."""
    if _is_literal(look.expected[0]) and len(fact.returns) == 1 and _is_literal(fact.returns[0]):
        return fact.returns[0]
    types = {type_of_returned(source, fact.path) for source in fact.returns}
    found = types.pop() if len(types) == 1 and not fact.annotation else None
    return fact.annotation or found


def _match_all(look: Look, fact: Fact) -> Match:
    matches = {_match(look, fact, words) for words in look.expected}
    if Match.DIFFERENT in matches:
        return Match.DIFFERENT
    return Match.UNKNOWN if Match.UNKNOWN in matches else Match.EQUAL


def _match(look: Look, fact: Fact, words: str) -> Match:
    """Against one type or value, or against several of which one is returned: `string | undefined`."""
    matches = {part: _match_one(look, fact, part) for part in alternatives_of(words)}
    if len(matches) > 1 and Match.EQUAL not in matches.values():
        # What is returned is neither of the others: that nothing may be returned as well does not help it.
        matches = {part: match for part, match in matches.items() if type_of_words(part) != "none"}
    found = set(matches.values())
    return found.pop() if len(found) == 1 else Match.EQUAL if Match.EQUAL in found else Match.UNKNOWN


def _match_one(look: Look, fact: Fact, words: str) -> Match:
    if words == "None" and any(
        _HAS_NONE_IN_IT.search(text) for text in (fact.annotation or "", *fact.returns)
    ):
        return Match.UNKNOWN
    is_literal = type_of_words(words) in (None, "none") and _is_literal(words)
    by_body = _among_returned(look, fact, words) if is_literal else Match.UNKNOWN
    if by_body is Match.EQUAL or any(last_part(d) not in _KEEP_THE_RESULT for d in fact.decorators):
        return by_body if by_body is Match.EQUAL else Match.UNKNOWN
    by_type = _by_type(look, fact, words)
    if is_literal and by_type is Match.EQUAL and by_body is Match.DIFFERENT and not fact.path.endswith(".py"):
        # One of several definitions: for another system, or what an interface does by default.
        return Match.UNKNOWN
    if words == "None" and by_type is Match.EQUAL:
        return Match.UNKNOWN if by_body is Match.DIFFERENT else by_body
    return by_body if by_type is Match.UNKNOWN or (is_literal and by_type is Match.EQUAL) else by_type


def _is_literal(words: str) -> bool:
    value = read_source(words)
    return value is not None and not isinstance(value, Name)


def _among_returned(look: Look, fact: Fact, words: str) -> Match:
    """Whether one of the returned expressions is the value; DIFFERENT only where each is a value or type of its own."""
    documented = type_of_value(read_source(words))
    matches = [_match_returned(look, fact, words, source, documented) for source in fact.returns]
    if Match.EQUAL in matches:
        return Match.EQUAL
    if documented == "bool" and _is_conditional(look, words):
        kinds = {type_of_returned(source, fact.path) for source in fact.returns}
        if kinds == {"bool"}:
            return Match.UNKNOWN  # "True if it was moved": it may be that it never is.
    is_other = bool(matches) and set(matches) == {Match.DIFFERENT}
    if is_other and _is_overridden(look, fact):
        # Another class may return the value, but none should return something of another type.
        types = {type_of_returned(source, fact.path) for source in fact.returns}
        is_other = documented not in (None, "none") and not types & {None, "none", documented}
    return (
        Match.DIFFERENT
        if is_other and not (documented == "none" and _may_fall_through(look, fact))
        else Match.UNKNOWN
    )


def _is_conditional(look: Look, words: str) -> bool:
    """Whether the document says right behind the value when it is returned."""
    _, _, behind = look.claim.text.partition(words)
    return bool(behind) and _CONDITION.match(behind) is not None


def _is_overridden(look: Look, fact: Fact) -> bool:
    """A method that a class above or below has too: what its document says holds for all of them together."""
    others = {other.owner for other in look.index.named(fact.name, FactKind.FUNCTION) if other.owner}
    return any(
        is_a(look, other, fact.owner) or is_a(look, fact.owner, other)
        for other in others
        if fact.owner and other != fact.owner
    )


def _match_returned(look: Look, fact: Fact, words: str, source: str, documented: str | None) -> Match:
    kind = type_of_returned(source, fact.path)
    if documented and kind and kind != documented:
        return Match.DIFFERENT if conflict(documented, kind, is_exact=True) else Match.UNKNOWN
    if source.isupper():
        return same_value(words, source, is_code=True, resolve=look.resolve)
    # A name in small letters is mostly a variable of the function, whatever else is called like that.
    return same_value(words, source, is_code=True)


def _may_fall_through(look: Look, fact: Fact) -> bool:
    """Whether the last statement of a Python function lets it end without a `return`."""
    lines = look.text(fact.path).splitlines()[fact.line - 1 : fact.end_line]
    body = [line for line in lines[1:] if line.strip() and not line.strip().startswith("#")]
    if not body:
        return True
    indent = min(len(line) - len(line.lstrip()) for line in body)
    last = next((line for line in reversed(body) if len(line) - len(line.lstrip()) == indent), "")
    return not _ENDS_THE_FUNCTION.match(last) and not _closes_a_return(body, indent)


def _closes_a_return(body: Sequence[str], indent: int) -> bool:
    """The last line at the outermost level is the closing bracket of a `return (`."""
    outer = [line for line in body if len(line) - len(line.lstrip()) == indent]
    return (
        len(outer) > 1 and outer[-1].strip() in (")", "]", "}") and bool(_ENDS_THE_FUNCTION.match(outer[-2]))
    )


def _by_type(look: Look, fact: Fact, words: str) -> Match:
    value = read_source(words)
    is_value = _is_literal(words) and not isinstance(value, Text)
    documented = type_of_value(value) if is_value else type_of_words(words)
    if documented is None:
        return _by_class(look, fact, words)
    is_exact = look.is_code(words) or is_value
    if _is_left_to_others(look, fact):
        return Match.UNKNOWN
    match = _against_type(fact, documented, is_exact=is_exact)
    is_named = is_exact or re.search(rf"\b{re.escape(words)}\b{_AFTER_A_TYPE}", look.claim.text) is not None
    # "an integer number, formatted": there the word for a type describes something else; "return list of commands" may
    # be said of anything that lists them.
    is_meant = is_named and (is_exact or not _LISTS.search(look.claim.text))
    if documented == "list" and _A_LIST.search(look.claim.text) and _returns_texts(fact):
        return Match.UNKNOWN  # as a text with commas
    return Match.UNKNOWN if match is Match.DIFFERENT and not is_meant else match


def _is_left_to_others(look: Look, fact: Fact) -> bool:
    """A method that returns nothing itself: what it is there for, the classes below do."""
    if fact.annotation or not fact.returns or not set(fact.returns) <= _EMPTY:
        return False
    return _BASE.search(fact.owner) is not None or _is_overridden(look, fact)


def _returns_texts(fact: Fact) -> bool:
    types = {type_of_returned(source, fact.path) for source in fact.returns}
    return types == {"str"} or types_of_annotation(fact.annotation or "")[0] == {"str"}


def _against_type(fact: Fact, documented: str, *, is_exact: bool) -> Match:
    if fact.annotation:
        if documented == "none" and may_be_nothing(fact.annotation, fact.path):
            return Match.UNKNOWN
        return _against_annotation(fact.annotation, documented, is_exact=is_exact)
    types = [type_of_returned(source, fact.path) for source in fact.returns]
    if documented in types:
        return Match.EQUAL
    if not types or None in types or documented == "none" or fact.path.endswith((".go", ".rs")):
        return Match.UNKNOWN
    is_other = all(kind and conflict(documented, kind, is_exact=is_exact) for kind in types)
    return Match.DIFFERENT if is_other else Match.UNKNOWN


def _against_annotation(annotation: str, documented: str, *, is_exact: bool) -> Match:
    types, is_whole = types_of_annotation(annotation)
    if documented in types:
        return Match.EQUAL
    inner = {type_of_words(name) for name in names_of_annotation(annotation)}
    if not is_whole or documented in inner or "iterator" in types:
        return Match.UNKNOWN
    return (
        Match.DIFFERENT
        if all(conflict(documented, kind, is_exact=is_exact) for kind in types)
        else Match.UNKNOWN
    )


def _by_class(look: Look, fact: Fact, words: str) -> Match:
    """A class of the project against an annotation that names others."""
    name = last_part(words.strip().strip("`"))
    if not fact.annotation or not look.index.named(name, FactKind.CLASS, FactKind.ENUM):
        return Match.UNKNOWN
    others = names_of_annotation(fact.annotation)
    if name in others:
        return Match.EQUAL
    types, is_whole = types_of_annotation(fact.annotation)
    if is_whole and types <= _SCALARS and look.is_code(words):
        return Match.UNKNOWN if any(is_a(look, name, type_) for type_ in types) else Match.DIFFERENT
    is_plain = re.fullmatch(r"[\w.]+", fact.annotation) is not None and not types and not others & _WRAPPERS
    other = last_part(fact.annotation)
    is_known = bool(look.index.named(other, FactKind.CLASS, FactKind.ENUM))
    is_akin = (
        is_a(look, other, name) or is_a(look, name, other) or other.endswith(name) or name.endswith(other)
    )
    if not is_plain or not is_known or is_akin:
        return Match.UNKNOWN
    return Match.DIFFERENT
