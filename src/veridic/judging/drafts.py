"""What each passage says about a claim, and which of several passages count."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from veridic.domain.evidence import Passage, Stance
from veridic.judging.reading import Reading

_ANOTHER_MEASURE = 0.1
"""Where one passage speaks of the very thing, others that fall behind by this much speak of another."""
_OLDER_FIGURE = 0.5
"""What an older figure of a yearly series counts for beside the newest one."""


class Draft(NamedTuple):
    """One passage's say, before it is set beside the others."""

    stance: Stance
    probability: float
    strength: float
    relevance: float
    quote: str
    reason: str
    directness: float = 0.0
    value: str | None = None
    replaces: str | None = None
    close: bool = False


def contextual(quote: str, relevance: float, reason: str) -> Draft:
    """A passage that settles nothing, and why."""
    return Draft(Stance.CONTEXTUAL, 0.5, 0.0, relevance, quote, reason)


def conviction(draft: Draft) -> tuple[bool, float]:
    """For choosing among drafts: one that settles something, then the surest on the most of the claim."""
    settled = draft.stance is not Stance.CONTEXTUAL
    return settled, draft.probability * draft.relevance if settled else draft.relevance


def leave_older_figures(claim: Reading, passages: Sequence[Passage], drafts: list[Draft]) -> list[Draft]:
    """What a source says of today counts before what it says of earlier years, if the claim names no year.

    An older figure that contradicts is left where a newer one bears the claim out. One that supports
    counts less, but stays: that a claim was true once is worth knowing.
    """
    if claim.dates:
        return drafts
    newest: dict[str, tuple[date, Stance]] = {}
    for passage, draft in zip(passages, drafts, strict=True):
        when, where = passage.date or passage.source.date, passage.source.location
        settled = draft.stance is not Stance.CONTEXTUAL and when is not None
        if settled and when and (where not in newest or newest[where][0] < when.last):
            newest[where] = (when.last, draft.stance)
    return [
        _beside_newest(p, d, newest.get(p.source.location)) for p, d in zip(passages, drafts, strict=True)
    ]


def _beside_newest(passage: Passage, draft: Draft, newest: tuple[date, Stance] | None) -> Draft:
    when = passage.date or passage.source.date
    if (
        newest is None
        or when is None
        or when.last >= newest[0]
        or draft.stance in (Stance.CONTEXTUAL, newest[1])
    ):
        return draft
    if newest[1] is Stance.SUPPORTING:
        return contextual(draft.quote, draft.relevance, "The same source has a newer figure.")
    return draft._replace(relevance=draft.relevance * _OLDER_FIGURE)


def leave_other_measures(drafts: list[Draft]) -> list[Draft]:
    """The passages that are on the point count: "the land area" and "GDP per capita" say nothing where the
    area and the GDP are given."""
    settled = [d for d in drafts if d.stance is not Stance.CONTEXTUAL]
    best = max((d.directness * d.strength for d in settled), default=0.0)
    return [
        contextual(
            d.quote, d.relevance, "Another passage speaks of the very thing; this one of something similar."
        )
        if d in settled and d.directness * d.strength < best - _ANOTHER_MEASURE
        else d
        for d in drafts
    ]


def put_together(whole: list[Draft], facets: list[list[Draft]]) -> list[Draft]:
    """What each passage says of the claim as a whole or, where it says nothing, of one of its statements.

    A statement that is contradicted contradicts the claim; only when every statement is borne out by
    some passage is the claim.
    """
    contradicted = any(d.stance is Stance.CONTRADICTING for drafts in (whole, *facets) for d in drafts)
    borne_out = all(any(d.stance is Stance.SUPPORTING for d in facet) for facet in facets)
    return [
        _of_passage(own, parts, may_support=borne_out and not contradicted)
        for own, *parts in zip(whole, *facets, strict=True)
    ]


def _of_passage(own: Draft, parts: list[Draft], *, may_support: bool) -> Draft:
    if own.stance is not Stance.CONTEXTUAL:
        return own
    wanted = {Stance.CONTRADICTING, Stance.SUPPORTING} if may_support else {Stance.CONTRADICTING}
    telling = [part for part in parts if part.stance in wanted]
    return max(telling, key=lambda part: (part.stance is Stance.CONTRADICTING, conviction(part)), default=own)
