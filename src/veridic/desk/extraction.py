"""The embedded extractor at the desk: the claims of a text, and how a person's own claim is framed."""

from veridic.claims.extract import extract_claims
from veridic.claims.framing import detect_framings
from veridic.domain.claim import Claim, ClaimType, Priority, Risk
from veridic.domain.document import Document
from veridic.engine.judges import sentence_vectors


def claims_of(document: Document) -> tuple[Claim, ...]:
    """Return the claims of a text in its order. Blocks for seconds on a long text."""
    return extract_claims(document, sentence_vectors).claims


def claim_by_person(text: str) -> Claim:
    """Return a claim in a person's words, with the framing that the embedded extractor sees in them."""
    normalised = " ".join(text.split())
    return Claim(
        id="claim_1",
        text=normalised,
        quote="",
        span=(0, 0),
        sentence_index=0,
        context=normalised,
        type=ClaimType.TECHNICAL,
        framing=detect_framings([normalised], sentence_vectors)[0],
        risk=Risk.MEDIUM,
        category="General",
        priority=Priority.MEDIUM,
        # A person chose it.
        check_worthiness=1.0,
    )
