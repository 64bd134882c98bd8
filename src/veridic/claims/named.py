"""The claims that an extractor named: which of them are checked.

Each once, no more than a run can bear, and only what the text says. A claim that resembles nothing in the text, or that
no sentence of it bears out, is the extractor's own: a verdict on it would count for or against a text that never made it.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from veridic.claims.locate import locate_claims
from veridic.claims.parse import deduplicate
from veridic.domain.claim import Claim, Omission, OmissionReason
from veridic.domain.consensus import ExtractedClaim
from veridic.domain.document import Document, Span
from veridic.text.detect import detect_language

MOST_CLAIMS = 200
"""Every checker is asked about each. The longest text that is taken has no more sentences worth checking; an
extractor that names more is babbling."""
_MOST_LISTED = 200
"""So many of those over the limit are listed one by one."""
_LONGEST_LISTED = 500
_UNKNOWN = "und"


class Named(NamedTuple):
    extracted: tuple[ExtractedClaim, ...]
    """What is checked; `claim_1`, `claim_2`, ..."""
    claims: tuple[Claim, ...]
    """The same in the same order, with their places in the document."""
    omissions: tuple[Omission, ...] = ()
    over_the_limit: int = 0


Said = Callable[[Sequence[Claim], Document], Sequence[Claim]]
"""Those of some claims that the text says, each at the place that does."""


def settle_claims(
    named: Sequence[ExtractedClaim],
    document: Document,
    located: Sequence[Claim] | None = None,
    *,
    said: Said = lambda claims, _: claims,
) -> Named:
    """What is checked of the claims an extractor named. `located` are the same claims with their places, where the
    extractor knows them."""
    places = {claim.text: claim for claim in reversed(located or ())}
    unique = deduplicate(named)
    within, over = unique[:MOST_CLAIMS], unique[MOST_CLAIMS:]
    claims = tuple(places[one.claim] for one in within) if places else locate_claims(within, document)
    invented = not_in_text(claims, document)
    listed = [claim for claim in claims if claim.id not in invented]
    borne_out = {claim.id: claim for claim in said(listed, document)}
    made = [
        (one, borne_out[claim.id]) for one, claim in zip(within, claims, strict=True) if claim.id in borne_out
    ]
    return Named(
        tuple(one.model_copy(update={"id": f"claim_{n}"}) for n, (one, _) in enumerate(made, 1)),
        tuple(claim.model_copy(update={"id": f"claim_{n}"}) for n, (_, claim) in enumerate(made, 1)),
        (
            *(_omission(claim.text, OmissionReason.NOT_IN_TEXT) for claim in claims if claim.id in invented),
            *(unsaid(claim) for claim in listed if claim.id not in borne_out),
            *(
                _omission(claim.text, OmissionReason.OVER_THE_LIMIT, span=claim.span)
                for claim in locate_claims(over[:_MOST_LISTED], document)
            ),
        ),
        len(over),
    )


def not_in_text(claims: Sequence[Claim], document: Document) -> set[str]:
    """The ids of claims that resemble nothing in the text.

    A claim in another language than the text may well be a translation: it is given the benefit of the doubt.
    """
    unplaced = [claim for claim in claims if not claim.quote]
    if not unplaced or (language := detect_language(document.text)) == _UNKNOWN:
        return set()
    return {claim.id for claim in unplaced if detect_language(claim.text) in (language, _UNKNOWN)}


def unsaid(claim: Claim) -> Omission:
    """A claim that the text doesn't say. It has no place there, but where it was put is told."""
    return _omission(claim.text, OmissionReason.NOT_SAID, _shortened(" ".join(claim.quote.split())))


def _omission(text: str, reason: OmissionReason, detail: str | None = None, span: Span = (0, 0)) -> Omission:
    return Omission(span=span, text=_shortened(text), reason=reason, detail=detail)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_LISTED else f"{text[:_LONGEST_LISTED].rstrip()} …"
