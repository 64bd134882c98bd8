"""Selects which claims are checked if not all are, and records the rest as omissions with the reason. Splits long texts."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from veridic.claims.locate import locate_claims
from veridic.claims.parse_extractor import deduplicate
from veridic.domain.claim import Claim, Extraction, Omission, OmissionReason, Priority, Risk
from veridic.domain.consensus import ExtractedClaim
from veridic.domain.document import Document, Span
from veridic.domain.phrases import shortened
from veridic.text.detect import detect_language
from veridic.text.sentences import split_sentences
from veridic.text.words import content_stems

MOST_CLAIMS = 200
"""Every checker is asked about each claim. Even the longest accepted text has no more sentences worth checking; an extractor that
lists more is babbling."""
_MAX_LISTED_OVER_LIMIT = 200
"""At most so many claims over the limit are listed one by one."""
_MAX_OMISSION_CHARACTERS = 500
_UNKNOWN = "und"


class Named(NamedTuple):
    extracted: tuple[ExtractedClaim, ...]
    """The claims to check; `claim_1`, `claim_2`, ..."""
    claims: tuple[Claim, ...]
    """The same claims in the same order, with their spans in the document."""
    omissions: tuple[Omission, ...] = ()
    over_the_limit: int = 0


ClaimFilter = Callable[[Sequence[Claim], Document], Sequence[Claim]]
"""Returns those of some claims that the text makes, each at the place that does."""


def settle_claims(
    named: Sequence[ExtractedClaim],
    document: Document,
    located: Sequence[Claim] | None = None,
    *,
    said: ClaimFilter = lambda claims, _: claims,
) -> Named:
    """Select the claims to check. `located` are the same claims with their spans, if the extractor knows them; `said` filters those
    that the text makes."""
    places = {claim.text: claim for claim in reversed(located or ())}
    unique = deduplicate(named)
    within, over = unique[:MOST_CLAIMS], unique[MOST_CLAIMS:]
    claims = tuple(places[one.claim] for one in within) if places else locate_claims(within, document)
    invented = not_in_text(claims, document)
    listed = [claim for claim in claims if claim.id not in invented]
    confirmed = {claim.id: claim for claim in said(listed, document)}
    checked = [
        (one, confirmed[claim.id]) for one, claim in zip(within, claims, strict=True) if claim.id in confirmed
    ]
    return Named(
        tuple(one.model_copy(update={"id": f"claim_{n}"}) for n, (one, _) in enumerate(checked, 1)),
        tuple(claim.model_copy(update={"id": f"claim_{n}"}) for n, (_, claim) in enumerate(checked, 1)),
        (
            *(_omission(claim.text, OmissionReason.NOT_IN_TEXT) for claim in claims if claim.id in invented),
            *(unsaid(claim) for claim in listed if claim.id not in confirmed),
            *(
                _omission(claim.text, OmissionReason.OVER_THE_LIMIT, span=claim.span)
                for claim in locate_claims(over[:_MAX_LISTED_OVER_LIMIT], document)
            ),
        ),
        len(over),
    )


def not_in_text(claims: Sequence[Claim], document: Document) -> set[str]:
    """Return the ids of claims that resemble nothing in the text.

    A claim in another language than the text may be a translation and is kept.
    """
    unplaced = [claim for claim in claims if not claim.quote]
    if not unplaced or (language := detect_language(document.text)) == _UNKNOWN:
        return set()
    return {claim.id for claim in unplaced if detect_language(claim.text) in (language, _UNKNOWN)}


def unsaid(claim: Claim) -> Omission:
    """Return the omission for a claim that the text doesn't make; its detail is the text where it was located."""
    return _omission(claim.text, OmissionReason.NOT_SAID, shortened(claim.quote, _MAX_OMISSION_CHARACTERS))


def _omission(text: str, reason: OmissionReason, detail: str | None = None, span: Span = (0, 0)) -> Omission:
    return Omission(span=span, text=shortened(text, _MAX_OMISSION_CHARACTERS), reason=reason, detail=detail)


_PARAGRAPH_END = re.compile(r"\n[ \t\r]*\n\s*")


def parts_of(text: str, longest: int) -> list[str]:
    """Split `text` into parts of at most `longest` characters, which joined are `text` again.

    Splits between paragraphs; in a paragraph that is too long between sentences, and in such a sentence anywhere.
    """
    parts = [""]
    for piece in _pieces(text, longest):
        if parts[-1] and len(parts[-1]) + len(piece) > longest:
            parts.append("")
        parts[-1] += piece
    return parts


def _pieces(text: str, longest: int) -> Iterator[str]:
    """Yield paragraphs; the sentences of a long paragraph; or stretches of a long sentence. Each with the whitespace after it."""
    for paragraph in _cut(text, (match.end() for match in _PARAGRAPH_END.finditer(text))):
        if len(paragraph) <= longest:
            yield paragraph
            continue
        for sentence in _cut(paragraph, (start for start, _ in split_sentences(paragraph))):
            yield from _cut(sentence, range(longest, len(sentence), longest))


def _cut(text: str, places: Iterable[int]) -> Iterator[str]:
    start = 0
    for place in (*places, len(text)):
        if place > start:
            yield text[start:place]
            start = place


MAIN_STATEMENTS = 2
"""Summary mode checks one or two main statements of an article."""
_PRIORITIES = {Priority.HIGH: 2, Priority.MEDIUM: 1, Priority.LOW: 0}
_LEAD_SENTENCES = 5
"""An article's main point is usually in its first sentences."""
_SAME_STATEMENT = 0.6
"""A second main statement that shares this much with the first adds nothing."""


def limit_claims(extraction: Extraction, most: int | None) -> Extraction:
    """Keep at most `most` claims: those of the highest priority, and among these the most check-worthy."""
    if most is None or len(extraction.claims) <= most:
        return extraction
    ranked = sorted(
        extraction.claims, key=lambda claim: (-_PRIORITIES[claim.priority], -claim.check_worthiness)
    )
    return _keep(extraction, ranked[:most], OmissionReason.OVER_THE_LIMIT)


def high_risk_only(extraction: Extraction) -> Extraction:
    """Keep only the claims that do harm if they are wrong."""
    high = [claim for claim in extraction.claims if claim.risk is Risk.HIGH]
    return _keep(extraction, high, OmissionReason.NOT_HIGH_RISK)


def made_by_the_text(extraction: Extraction, document: Document) -> Extraction:
    """Drop claims that a model listed and that resemble nothing in the text."""
    invented = not_in_text(extraction.claims, document)
    made = [claim for claim in extraction.claims if claim.id not in invented]
    return _keep(extraction, made, OmissionReason.NOT_IN_TEXT)


def said_by_the_text(extraction: Extraction, said: Sequence[Claim]) -> Extraction:
    """Keep only the claims that the text makes, at the places where it does."""
    ids = {claim.id for claim in said}
    left_out = (unsaid(claim) for claim in extraction.claims if claim.id not in ids)
    in_order = sorted(said, key=lambda claim: (not claim.quote, claim.span[0]))
    return _replace_claims(extraction, in_order, left_out)


def with_unlisted(extraction: Extraction, unlisted: Iterable[Omission]) -> Extraction:
    """Add omissions for what a model did not list."""
    return _replace_claims(extraction, extraction.claims, unlisted)


def main_statements(extraction: Extraction, document: Document) -> Extraction:
    """Keep the one or two main claims of the text: close to its title in words, near its beginning, and worth a check."""
    ranked = sorted(extraction.claims, key=lambda claim: -_centrality(claim, document))
    first = ranked[:1]
    second = next(
        (claim for claim in ranked[1:] if _overlap(claim.text, first[0].text) < _SAME_STATEMENT), None
    )
    chosen = [*first, second] if second else first
    return _keep(extraction, chosen[:MAIN_STATEMENTS], OmissionReason.DETAIL)


def _centrality(claim: Claim, document: Document) -> float:
    title = _overlap(claim.text, document.title) if document.title else 0.0
    lead = max(0.0, 1 - claim.sentence_index / _LEAD_SENTENCES)
    return 2 * title + lead + claim.check_worthiness


def _overlap(one: str, other: str) -> float:
    """Return the share of the shorter text's content words that are in the other, from 0 to 1."""
    words, others = content_stems(one), content_stems(other)
    shorter = min(len(words), len(others))
    return len(words & others) / shorter if shorter else 0.0


def _keep(extraction: Extraction, kept: Collection[Claim], reason: OmissionReason) -> Extraction:
    """Keep these claims in the order of the text, renumbered, and turn the others into omissions."""
    ids = {claim.id for claim in kept}
    chosen = [claim for claim in extraction.claims if claim.id in ids]
    passed_over = tuple(
        Omission(span=claim.span, text=claim.wording, reason=reason)
        for claim in extraction.claims
        if claim.id not in ids
    )
    return _replace_claims(extraction, chosen, passed_over)


def _replace_claims(
    extraction: Extraction, claims: Sequence[Claim], left_out: Iterable[Omission]
) -> Extraction:
    omissions = sorted((*extraction.omissions, *left_out), key=lambda omission: omission.span)
    return extraction.model_copy(
        update={
            "claims": tuple(
                claim.model_copy(update={"id": f"claim_{number}"}) for number, claim in enumerate(claims, 1)
            ),
            "omissions": tuple(omissions),
        }
    )
