"""Which of a text's claims are checked where not all of them are. What is passed over says why."""

from collections.abc import Collection, Iterable, Sequence

from veridic.claims.named import not_in_text, unsaid
from veridic.domain.claim import Claim, Extraction, Omission, OmissionReason, Priority, Risk
from veridic.domain.document import Document
from veridic.text.words import content_stems

MAIN_STATEMENTS = 2
"""A summary stands for an article with one or two statements."""
_PRIORITIES = {Priority.HIGH: 2, Priority.MEDIUM: 1, Priority.LOW: 0}
_LEAD_SENTENCES = 5
"""What an article has to say stands at its beginning."""
_SAME_STATEMENT = 0.6
"""With so many words in common, a second main statement would add nothing to the first."""


def limit_claims(extraction: Extraction, most: int | None) -> Extraction:
    """At most so many claims: those of the highest priority, and of these the most check-worthy."""
    if most is None or len(extraction.claims) <= most:
        return extraction
    ranked = sorted(
        extraction.claims, key=lambda claim: (-_PRIORITIES[claim.priority], -claim.check_worthiness)
    )
    return _keep(extraction, ranked[:most], OmissionReason.OVER_THE_LIMIT)


def high_risk_only(extraction: Extraction) -> Extraction:
    """Only the claims that do harm if they are wrong."""
    high = [claim for claim in extraction.claims if claim.risk is Risk.HIGH]
    return _keep(extraction, high, OmissionReason.NOT_HIGH_RISK)


def made_by_the_text(extraction: Extraction, document: Document) -> Extraction:
    """Without claims that a model named and nothing in the text resembles: the text never made them."""
    invented = not_in_text(extraction.claims, document)
    made = [claim for claim in extraction.claims if claim.id not in invented]
    return _keep(extraction, made, OmissionReason.NOT_IN_TEXT)


def said_by_the_text(extraction: Extraction, said: Sequence[Claim]) -> Extraction:
    """Only the claims that the text says, at the places that say them."""
    ids = {claim.id for claim in said}
    left_out = (unsaid(claim) for claim in extraction.claims if claim.id not in ids)
    in_order = sorted(said, key=lambda claim: (not claim.quote, claim.span[0]))
    return _with(extraction, in_order, left_out)


def with_unlisted(extraction: Extraction, unlisted: Iterable[Omission]) -> Extraction:
    """And with what a model did not list."""
    return _with(extraction, extraction.claims, unlisted)


def main_statements(extraction: Extraction, document: Document) -> Extraction:
    """The one or two claims that the text stands for: near its title in words, near its beginning, and worth a check."""
    ranked = sorted(extraction.claims, key=lambda claim: -_centrality(claim, document))
    first = ranked[:1]
    second = next(
        (claim for claim in ranked[1:] if _in_common(claim.text, first[0].text) < _SAME_STATEMENT), None
    )
    chosen = [*first, second] if second else first
    return _keep(extraction, chosen[:MAIN_STATEMENTS], OmissionReason.DETAIL)


def _centrality(claim: Claim, document: Document) -> float:
    title = _in_common(claim.text, document.title) if document.title else 0.0
    lead = max(0.0, 1 - claim.sentence_index / _LEAD_SENTENCES)
    return 2 * title + lead + claim.check_worthiness


def _in_common(one: str, other: str) -> float:
    """How many of the content words of the shorter stand in the longer, from 0 to 1."""
    words, others = content_stems(one), content_stems(other)
    shorter = min(len(words), len(others))
    return len(words & others) / shorter if shorter else 0.0


def _keep(extraction: Extraction, kept: Collection[Claim], reason: OmissionReason) -> Extraction:
    """These claims in the order of the text, numbered anew, and the others as omissions."""
    ids = {claim.id for claim in kept}
    chosen = [claim for claim in extraction.claims if claim.id in ids]
    passed_over = tuple(
        Omission(span=claim.span, text=claim.wording, reason=reason)
        for claim in extraction.claims
        if claim.id not in ids
    )
    return _with(extraction, chosen, passed_over)


def _with(extraction: Extraction, claims: Sequence[Claim], left_out: Iterable[Omission]) -> Extraction:
    omissions = sorted((*extraction.omissions, *left_out), key=lambda omission: omission.span)
    return extraction.model_copy(
        update={
            "claims": tuple(
                claim.model_copy(update={"id": f"claim_{number}"}) for number, claim in enumerate(claims, 1)
            ),
            "omissions": tuple(omissions),
        }
    )
