"""Names that are claimed to exist, held against each other.

Where many commands, flags, variables or routes of a kind can't be found, the project defines them in some way that
the facts don't show, and that one of them is missing says nothing. Where all but one are found, that one is gone.
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


def plausible(claims: Sequence[DocClaim], index: FactIndex) -> list[DocClaim]:
    """The claims without those that say of a name that it exists where too many of its kind can't be found."""
    missing: defaultdict[EntityKind, set[str]] = defaultdict(set)
    named: defaultdict[EntityKind, set[str]] = defaultdict(set)
    for claim in claims:
        subject = claim.assertion.subject
        if claim.assertion.kind is AssertionKind.EXISTS and subject and subject.kind in _FACTS:
            named[subject.kind].add(subject.name)
            if not index.named(subject.name, *_FACTS[subject.kind]):
                missing[subject.kind].add(subject.name)
    unclear = {kind for kind, names in missing.items() if len(names) > max(1, _SHARE * len(named[kind]))}
    return [claim for claim in claims if not _is_of(claim, unclear, missing)]


def _is_of(claim: DocClaim, unclear: set[EntityKind], missing: dict[EntityKind, set[str]]) -> bool:
    subject = claim.assertion.subject
    if claim.assertion.kind is not AssertionKind.EXISTS or subject is None or subject.kind not in unclear:
        return False
    return subject.name in missing[subject.kind]
