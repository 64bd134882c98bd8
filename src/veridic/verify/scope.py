"""Claims about a whole system: which files must be read to judge them."""

import re
from dataclasses import dataclass

from veridic.domain.code import DocClaim
from veridic.verify.facts.model import Fact, FactKind
from veridic.verify.rules.context import Context

MOST_FILES = 20
BEYOND_SCOPE = "Claim requires system-wide verification beyond current scope"
_OF_CALLERS = re.compile(
    r"\bback(?:wards?|ward)[- ]compatib\w+|\bbreaking changes?\b|\ball callers\b|\bAPI contracts?\b",
    re.IGNORECASE,
)
_OF_THREADS = re.compile(r"\bthread[- ]?safe\w*", re.IGNORECASE)
_OF_EFFECTS = re.compile(
    r"\b(?:no|without|free of) side[- ]effects?\b|\bside[- ]effect[- ]free\b", re.IGNORECASE
)
_CALL = re.compile(r"(?<!\w)([^\W\d]\w{2,})\s*\(")
_MOST_CALLED = 60


@dataclass(frozen=True, slots=True)
class Expansion:
    """What else must be read for a claim about a whole system."""

    keyword: str
    """The words of the claim that make it system-wide."""
    files: tuple[str, ...]
    called: tuple[Fact, ...] = ()
    """The functions that the claim's subject calls, if the claim is about their effects."""

    @property
    def is_beyond_scope(self) -> bool:
        """Whether there are too many files to read: then the claim is Inconclusive, with `BEYOND_SCOPE` as its note."""
        return len(self.files) > MOST_FILES


def expansion(claim: DocClaim, context: Context) -> Expansion | None:
    """The files to read for a claim with system-wide words; None if it has none, or is about one function alone."""
    callers, threads, effects = (
        pattern.search(claim.text) for pattern in (_OF_CALLERS, _OF_THREADS, _OF_EFFECTS)
    )
    if not (callers or threads or effects):
        return None
    subjects = subjects_of(claim, context)
    if callers:
        return Expansion(callers[0], _referring(subjects, context))
    classes = [fact for fact in subjects if fact.kind is FactKind.CLASS]
    if threads and classes:
        return Expansion(threads[0], _referring(classes, context))
    functions = [fact for fact in subjects if fact.kind is FactKind.FUNCTION]
    called = tuple(dict.fromkeys(one for fact in functions for one in _called(fact, context)))
    if not effects or not called:
        return None
    return Expansion(effects[0], tuple(dict.fromkeys(one.path for one in (*functions, *called))), called)


def subjects_of(claim: DocClaim, context: Context) -> list[Fact]:
    """The facts about the claim's subject, or about the definition that it documents."""
    subject = claim.assertion.subject
    names = dict.fromkeys([subject.name if subject else "", claim.owner or ""])
    found = list(
        dict.fromkeys(fact for name in names if name for fact in _named(name.removesuffix("()"), context))
    )
    own = [fact for fact in found if fact.path == claim.document]
    return own or found


def _named(name: str, context: Context) -> list[Fact]:
    """The symbols with that name; of `Boat.fetch` only those that belong to a `Boat`, if any do."""
    owner, _, last = name.rpartition(".")
    found = list(context.symbols(last))
    wanted = owner.rpartition(".")[2]
    inside = [
        fact for fact in found if wanted and wanted in (*fact.owner.split("."), *fact.qualified.split("."))
    ]
    return inside or found


def _referring(subjects: list[Fact], context: Context) -> tuple[str, ...]:
    files = [path for fact in subjects for path in context.names.files_with(fact.name)]
    return tuple(dict.fromkeys(files))


def _called(fact: Fact, context: Context) -> list[Fact]:
    body = "\n".join(context.text(fact.path).split("\n")[fact.line : fact.end_line])
    names = list(dict.fromkeys(_CALL.findall(body)))[:_MOST_CALLED]
    return [one for name in names for one in context.symbols(name) if one.kind is FactKind.FUNCTION]
