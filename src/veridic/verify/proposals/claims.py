"""Turns proposals into claims: each at its words, in the terms of the rules, without those that are known already."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from veridic.domain.code import AssertionKind, ClaimCategory, DocClaim, EntityKind
from veridic.verify.documents.claims import claim_from
from veridic.verify.documents.statement import Statement
from veridic.verify.documents.unit import Unit
from veridic.verify.facts.literals import same_value
from veridic.verify.proposals.answer import Proposal
from veridic.verify.proposals.placing import Places, find_word, without_markup
from veridic.verify.proposals.prompt import Part
from veridic.verify.proposals.subjects import subject_of

_HAVE_NO_VALUE = (AssertionKind.EXISTS, AssertionKind.DEPRECATED, AssertionKind.BEHAVES)
_HAVE_ONE_VALUE = (AssertionKind.DEFAULT, AssertionKind.EQUALS)
_NOT_PROPOSED = (AssertionKind.LINKS,)
"""Every link is found without a model."""


@dataclass(slots=True)
class PlacedProposals:
    """What happened to the proposals for one document."""

    claims: list[DocClaim] = field(default_factory=list)
    known: int = 0
    """The same as a claim that was found without a model, or as another proposal."""
    misplaced: int = 0
    """Their words or values are not in the document."""
    invented: int = 0
    """The document never names their subject."""


class DocumentClaims:
    """Turns a model's proposals for one document into claims."""

    def __init__(
        self,
        text: str,
        units: Sequence[Unit],
        stated: Sequence[DocClaim],
        *,
        proposed_by: str,
        lines: AbstractSet[int] | None = None,
    ) -> None:
        """`stated` are the document's claims that were found without a model; with `lines`, only claims in these lines are taken."""
        self.placed = PlacedProposals()
        self._text = text
        self._units = units
        self._proposed_by = proposed_by
        self._lines = lines
        self._stated: dict[int, list[DocClaim]] = defaultdict(list)
        for claim in stated:
            for line in range(claim.line, claim.end_line + 1):
                self._stated[line].append(claim)

    def take(self, part: Part, proposals: Iterable[Proposal]) -> None:
        """Add the proposals for one part."""
        places = Places(part, self._units)
        for proposal in proposals:
            unit = places.unit_of(proposal)
            if unit is None or not _has_values(proposal, unit):
                self.placed.misplaced += 1
            elif self._lines is None or not self._lines.isdisjoint(range(unit.line, unit.end_line + 1)):
                self._take(proposal, unit)

    def _take(self, proposal: Proposal, unit: Unit) -> None:
        beside = self._claims_in(unit)
        subject = subject_of(proposal, unit, beside, self._text)
        if subject is None:
            self.placed.invented += 1
            return
        kind = _kind(proposal) if subject.is_resolved else AssertionKind.BEHAVES
        values = () if kind in _HAVE_NO_VALUE else proposal.values
        start = find_word(values[0], unit.text) if len(values) == 1 else -1
        claim = claim_from(Statement(unit, kind, subject.entity, values, start))
        claim = claim.model_copy(
            update={
                "proposed_by": self._proposed_by,
                "category": ClaimCategory.EXTERNAL if proposal.is_of_another else claim.category,
            }
        )
        if any(_says_the_same(claim, other) for other in beside):
            self.placed.known += 1
            return
        for line in range(claim.line, claim.end_line + 1):
            self._stated[line].append(claim)
        self.placed.claims.append(claim)

    def _claims_in(self, unit: Unit) -> list[DocClaim]:
        found = (claim for line in range(unit.line, unit.end_line + 1) for claim in self._stated[line])
        return list({id(claim): claim for claim in found}.values())


def _has_values(proposal: Proposal, unit: Unit) -> bool:
    """Whether every value is in the unit; attributes that need no value always pass."""
    if proposal.attribute in _HAVE_NO_VALUE:
        return True
    plain = without_markup(unit.text)
    return all(
        find_word(value, unit.text) >= 0 or find_word(without_markup(value), plain) >= 0
        for value in proposal.values
    )


def _kind(proposal: Proposal) -> AssertionKind:
    """The attribute, if it is unconditional and has the values that it needs; otherwise `BEHAVES`, which no rule settles."""
    kind = proposal.attribute
    is_whole = bool(proposal.values) or kind in _HAVE_NO_VALUE
    if kind in _HAVE_ONE_VALUE and len(proposal.values) > 1:
        is_whole = False
    return (
        kind if is_whole and not proposal.is_limited and kind not in _NOT_PROPOSED else AssertionKind.BEHAVES
    )


def _says_the_same(claim: DocClaim, other: DocClaim) -> bool:
    kind, others = claim.assertion.kind, other.assertion.kind
    if kind is AssertionKind.BEHAVES and others is kind and claim.text == other.text:
        return True
    subject, other_subject = claim.assertion.subject, other.assertion.subject
    if subject is None or other_subject is None or not _same_subject(subject.name, other_subject.name):
        return False
    if kind is AssertionKind.EXISTS:
        is_read = EntityKind.ENVIRONMENT
        return (subject.kind is is_read) == (other_subject.kind is is_read)
    is_same_kind = kind is others or (kind in _HAVE_ONE_VALUE and others in _HAVE_ONE_VALUE)
    return is_same_kind and _same_values(claim.assertion.expected, other.assertion.expected)


def _same_subject(one: str, other: str) -> bool:
    return one.removesuffix("()").casefold() == other.removesuffix("()").casefold()


def _same_values(ours: Sequence[str], others: Sequence[str]) -> bool:
    return len(ours) == len(others) and all(
        one.casefold() == other.casefold() or same_value(one, other)
        for one, other in zip(sorted(ours), sorted(others), strict=True)
    )
