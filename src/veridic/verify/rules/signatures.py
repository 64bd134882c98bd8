"""Rules on signatures: parameters, return types, exceptions and deprecation."""

import builtins
import re

from veridic.domain.code import AssertionKind, ClaimDomain, EntityKind
from veridic.verify.facts.model import Fact, FactKind
from veridic.verify.facts.symbols import family
from veridic.verify.rules.rule import Example, Look, Outcome, Rule, at, listed
from veridic.verify.source_text import read_source

_TYPES = frozenset("int str bool float bytes list dict tuple set".split())
_DEPRECATED = re.compile("deprecat", re.IGNORECASE)
_ABOVE = 6
"""Lines above a definition that may mark it as deprecated."""
_ERRORS = "class MissingError(Exception): ...\nclass BrokenError(Exception): ...\n\n"


def check_signature(look: Look) -> Outcome | None:
    """Check the parameter names in a documented signature. Python only: elsewhere callers don't use parameter names."""
    functions = [fact for fact in _definitions(look) if family(fact.path) == "py"]
    if len(functions) != 1:
        return None
    fact = functions[0]
    known = {one.name: one for one in fact.parameters}
    said = [one.lstrip("*").partition("=") for one in look.expected]
    if any(one.is_variadic for one in fact.parameters) or not said:
        return None
    for name, _, _ in said:
        if name not in known:
            return look.fails(
                f"`{fact.name}` takes {listed(list(known)) or 'nothing'} ({at(fact)}), not `{name}`.",
                fact,
                basis="name",
            )
    return look.holds(f"`{fact.name}` takes {listed(list(known))} ({at(fact)}).", fact)


def check_returns(look: Look) -> Outcome | None:
    """Check the simple return type in a docstring against the annotation."""
    functions = _definitions(look)
    if len(functions) != 1 or len(look.expected) != 1 or not look.claim.owner:
        return None
    fact, said = functions[0], look.expected[0]
    if fact.returns == said:
        return look.holds(f"`{fact.name}` returns {said} ({at(fact)}).", fact)
    if family(fact.path) != "py" or said not in _TYPES or fact.returns not in _TYPES:
        return None
    return look.fails(
        f"`{fact.name}` returns {fact.returns} ({at(fact)}), not {said}.",
        fact,
        value=fact.returns,
        basis="type",
    )


def check_raises(look: Look) -> Outcome | None:
    """Check the exception in a docstring against those that the body raises. Functions that the body calls may raise anything, so an alarm
    requires that the exception is the project's own, that the body doesn't have it, and that it raises another one instead."""
    functions = _definitions(look)
    if len(functions) != 1 or len(look.expected) != 1 or not look.claim.owner:
        return None
    fact, said = functions[0], _last(look.expected[0])
    raised = [_last(name) for name in fact.raises]
    if said in raised:
        return look.holds(f"`{fact.name}` raises {said} ({at(fact)}).", fact)
    others = [name for name in raised if name not in look.context.raised_by_documents(look.claim)]
    if not others or _is_in_body(look, fact, said):
        return None
    own = look.context.class_named(said)
    if own is None:
        return None
    if any(_may_be(look, name, said) for name in others):
        return None
    return look.fails(
        f"`{fact.name}` raises {listed(others)} ({at(fact)}), not {said}.", fact, own, basis="other"
    )


def check_deprecated(look: Look) -> Outcome | None:
    """Check whether the definition is marked as deprecated. One without a mark may still be deprecated."""
    for fact in _definitions(look):
        lines = look.context.text(fact.path).split("\n")
        around = lines[max(0, fact.line - _ABOVE) : fact.end_line or fact.line]
        if any(map(_DEPRECATED.search, around)):
            return look.holds(f"`{fact.name}` is marked as deprecated ({at(fact)}).", fact)
    return None


def _definitions(look: Look) -> list[Fact]:
    """The functions or classes that the subject names; for a docstring, only the definition that it documents."""
    name = _last(look.subject.name.removesuffix("()"))
    kinds = (FactKind.FUNCTION, FactKind.CLASS)
    if look.claim.owner:
        own = look.context.documented(look.claim.document, look.claim.line, look.claim.end_line)
        return [own] if own and own.name == name else []
    owner = _last(look.subject.name.removesuffix("()").rpartition(".")[0])
    found = [fact for fact in look.context.symbols(name) if fact.kind in kinds]
    return [fact for fact in found if not owner or owner in fact.qualified.replace("::", ".").split(".")]


def _is_in_body(look: Look, fact: Fact, name: str) -> bool:
    tokens = read_source(fact.path, look.context.text(fact.path)).tokens
    return any(token.text == name and fact.line <= token.line + 1 <= fact.end_line for token in tokens)


def _may_be(look: Look, name: str, said: str) -> bool:
    """Whether one exception may be the other: it derives from it, or from an unknown class."""
    if isinstance(getattr(builtins, name, None), type):
        return False  # no built-in exception derives from a class of the project
    found = look.context.class_named(name)
    return found is None or any(
        _last(base) == said or _may_be(look, _last(base), said) for base in found.bases
    )


def _last(name: str) -> str:
    return name.replace("::", ".").rpartition(".")[2]


def _in_docstring(field: str, body: str, before: str = "") -> dict[str, str]:
    return {"kit.py": f'{before}def fetch(path):\n    """Get it.\n\n    {field}\n    """\n    {body}\n'}


RULES = (
    Rule(
        name="signature",
        agent=ClaimDomain.CORRECTNESS,
        reads="The names of a Python function's parameters.",
        asserts=frozenset({AssertionKind.SIGNATURE}),
        subjects=frozenset({EntityKind.FUNCTION}),
        check=check_signature,
        holds=Example("## `fetch(path, tries=3)`\n", {"kit.py": "def fetch(path, tries=3): ...\n"}),
        fails=Example("## `fetch(place, tries=3)`\n", {"kit.py": "def fetch(path, tries=3): ...\n"}),
    ),
    Rule(
        name="return type",
        agent=ClaimDomain.CORRECTNESS,
        reads="The annotation of what a function returns.",
        asserts=frozenset({AssertionKind.RETURNS}),
        subjects=frozenset({EntityKind.FUNCTION, EntityKind.SYMBOL}),
        check=check_returns,
        holds=Example("Kit.", {"kit.py": 'def size() -> int:\n    """Get it.\n\n    Returns:\n        int: How much.\n    """\n'}),
        fails=Example("Kit.", {"kit.py": 'def size() -> int:\n    """Get it.\n\n    Returns:\n        str: How much.\n    """\n'}),
    ),
    Rule(
        name="exception",
        agent=ClaimDomain.CORRECTNESS,
        reads="The exceptions that the body of a function raises by name.",
        asserts=frozenset({AssertionKind.RAISES}),
        subjects=frozenset({EntityKind.FUNCTION, EntityKind.SYMBOL}),
        check=check_raises,
        holds=Example("Kit.", _in_docstring(":raises MissingError: if there is none", "raise MissingError", _ERRORS)),
        fails=Example("Kit.", _in_docstring(":raises MissingError: if there is none", "raise BrokenError", _ERRORS)),
    ),
    Rule(
        name="deprecation",
        agent=ClaimDomain.CORRECTNESS,
        reads="The marks of deprecation in and above a definition.",
        asserts=frozenset({AssertionKind.DEPRECATED}),
        subjects=frozenset({EntityKind.FUNCTION, EntityKind.CLASS, EntityKind.SYMBOL}),
        check=check_deprecated,
        holds=Example("## `fetch()`\n\nThis function is deprecated.\n", {"kit.py": "@deprecated\ndef fetch(): ...\n"}),
        fails=None,
    ),
)  # fmt: skip
