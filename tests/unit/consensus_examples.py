"""Nouns of consensus mode for tests of the pure parts: each function makes a valid one."""

from collections.abc import Sequence

from veridic.decision.consensus import calculate_consensus
from veridic.domain.claim import ClaimType
from veridic.domain.consensus import (
    ClaimConsensus,
    ClaimVerification,
    Confidence,
    ConsensusVerdict,
    ContentSource,
    ExtractedClaim,
    NumberedPassage,
    RunConfig,
)

CONTENT = "ARPANET was funded by the Department of Defense. The first message was 'LO'. I love the Internet."


def make_claim(number: int = 1, text: str = "The first message was 'LO'", **fields: str) -> ExtractedClaim:
    return ExtractedClaim(
        id=f"claim_{number}",
        claim=text,
        context=fields.get("context", f"{text}."),
        type=ClaimType(fields.get("type", "DATE")),
    )


def make_verification(
    verdict: ConsensusVerdict = ConsensusVerdict.VERIFIED,
    *,
    number: int = 1,
    model: str = "openai/o3",
    evidence: str = "Well documented.",
    correction: str | None = None,
    confidence: Confidence = Confidence.HIGH,
    citations: tuple[int, ...] | None = None,
) -> ClaimVerification:
    return ClaimVerification(
        claim_id=f"claim_{number}",
        verdict=verdict,
        evidence=evidence,
        correction=correction,
        confidence=confidence,
        checker_model=model,
        citations=citations,
    )


def make_consensus(
    *verdicts: ConsensusVerdict,
    number: int = 1,
    text: str = "The first message was 'LO'",
    correction: str | None = None,
    citations: tuple[int, ...] | None = None,
) -> ClaimConsensus:
    said: list[Sequence[ClaimVerification]] = [
        [
            make_verification(
                verdict,
                number=number,
                model=f"lab/model-{place}",
                correction=correction if verdict is ConsensusVerdict.DISPUTED else None,
                citations=citations,
            )
        ]
        for place, verdict in enumerate(verdicts, 1)
    ]
    return calculate_consensus([make_claim(number, text)], said)[0]


def make_config(checkers: int = 2) -> RunConfig:
    return RunConfig(
        content_source=ContentSource.USER_PROVIDED,
        extractor_model="anthropic/claude-opus-4-6",
        checker_models=tuple(f"lab/model-{place}" for place in range(1, checkers + 1)),
        reporter_model="embedded/reporter",
    )


def make_passage(number: int = 1, text: str = "ARPANET began in 1969.", **fields: str) -> NumberedPassage:
    return NumberedPassage(
        number=number,
        title=fields.get("title", "A History"),
        reference=fields.get("reference", "https://example.org/history"),
        date=fields.get("date", "2020"),
        text=text,
    )
