"""Names that are claimed to exist, held against each other.

Where many commands, flags, variables or routes of a kind can't be found, the project defines them in some way that
the facts don't show, and that one of them is missing says nothing. Where all but one are found, that one is gone. One
program of a project may be known well where another is not.
"""

from collections import defaultdict
from collections.abc import Sequence

from veridic.code.index import FactIndex
from veridic.domain.code import AssertionKind, DocClaim, EntityKind, FactKind

_FACTS = {
    EntityKind.COMMAND: (FactKind.COMMAND, FactKind.SCRIPT),
    EntityKind.FLAG: (FactKind.OPTION,),
    EntityKind.ENVIRONMENT: (FactKind.ENVIRONMENT, FactKind.SETTING),
    EntityKind.ENDPOINT: (FactKind.ROUTE,),
}
_SHARE = 0.2
_LEAST_FOUND = 4
_Group = tuple[EntityKind, str]


def plausible(claims: Sequence[DocClaim], index: FactIndex) -> list[DocClaim]:
    """The claims without those that say of a name that it exists where too many of its kind can't be found."""
    named: defaultdict[_Group, set[str]] = defaultdict(set)
    missing: defaultdict[_Group, set[str]] = defaultdict(set)
    for claim in claims:
        for group in _groups(claim):
            subject = claim.assertion.subject
            if subject is not None:
                named[group].add(subject.name)
                if not index.named(subject.name, *_FACTS[subject.kind]):
                    missing[group].add(subject.name)

    def is_clear(group: _Group) -> bool:
        return len(missing[group]) <= max(1, _SHARE * len(named[group]))

    def is_known_well(group: _Group) -> bool:
        return is_clear(group) and len(named[group]) - len(missing[group]) >= _LEAST_FOUND

    def is_kept(claim: DocClaim) -> bool:
        groups = _groups(claim)
        subject = claim.assertion.subject
        if not groups or subject is None or subject.name not in missing[groups[0]]:
            return True
        return is_clear(groups[0]) or any(is_known_well(group) for group in groups[1:])

    return [claim for claim in claims if is_kept(claim)]


def _groups(claim: DocClaim) -> tuple[_Group, ...]:
    """Those that the claimed name is one of: all of its kind, and those of its program; variables by their prefix."""
    subject = claim.assertion.subject
    if claim.assertion.kind is not AssertionKind.EXISTS or subject is None or subject.kind not in _FACTS:
        return ()
    if subject.kind is EntityKind.ENVIRONMENT:
        # That nothing reads `$HOME` or another program's variable says nothing about the project's own.
        return ((subject.kind, subject.name.partition("_")[0]),)
    program = (subject.owner or "").partition(" ")[0]
    return ((subject.kind, ""), (subject.kind, program)) if program else ((subject.kind, ""),)
