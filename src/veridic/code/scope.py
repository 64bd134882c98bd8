"""Claims about a whole system: how far one has to look before they can be judged."""

import re
from dataclasses import dataclass

from veridic.code.index import FactIndex
from veridic.domain.code import DocClaim, Fact, FactKind

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


@dataclass(frozen=True, slots=True)
class Expansion:
    """What else a claim about a whole system needs to have read."""

    keyword: str
    """The words that call for it, as they stand in the claim."""
    files: tuple[str, ...]

    @property
    def is_beyond_scope(self) -> bool:
        """More than can be looked at: the claim is Inconclusive, with `BEYOND_SCOPE` as its note."""
        return len(self.files) > MOST_FILES


def expansion(claim: DocClaim, index: FactIndex) -> Expansion | None:
    """The files to look at for a claim with system-wide words; None where it has none, or speaks of one function alone."""
    subjects = _subjects(claim, index)
    if found := _OF_CALLERS.search(claim.text):
        return Expansion(found[0], _referring(claim, subjects, index))
    classes = [fact for fact in subjects if fact.kind is FactKind.CLASS]
    if (found := _OF_THREADS.search(claim.text)) and classes:
        return Expansion(found[0], _referring(claim, classes, index))
    calling = [fact for fact in subjects if fact.calls]
    if (found := _OF_EFFECTS.search(claim.text)) and calling:
        return Expansion(found[0], _called(calling, index))
    return None


def _subjects(claim: DocClaim, index: FactIndex) -> list[Fact]:
    names = [claim.assertion.subject.name] if claim.assertion.subject else []
    names += [entity.name for entity in claim.entities]
    names += [claim.owner] if claim.owner else []
    found = [fact for name in names for fact in index.named(name, FactKind.FUNCTION, FactKind.CLASS)]
    return list(dict.fromkeys(found))


def _referring(claim: DocClaim, subjects: list[Fact], index: FactIndex) -> tuple[str, ...]:
    """Files that define or mention the subjects; of a module that the claim is about, those that mention it."""
    names = [fact.name for fact in subjects]
    if not names and claim.document in index.files:
        stem = claim.document.rpartition("/")[2].partition(".")[0]
        names = [stem] if stem not in ("README", "index") else []
    files = [path for name in names for path in index.mentioning(name)]
    return tuple(dict.fromkeys([*(fact.path for fact in subjects), *files]))


def _called(subjects: list[Fact], index: FactIndex) -> tuple[str, ...]:
    called = [
        fact.path
        for subject in subjects
        for name in subject.calls
        for fact in index.named(name.rpartition(".")[2], FactKind.FUNCTION)
    ]
    return tuple(dict.fromkeys([*(fact.path for fact in subjects), *called]))
