"""A sample consensus run: three checkers that disagree on some claims, optionally with sources."""

from veridic.domain.claim import ClaimType
from veridic.domain.consensus import (
    CheckerResult,
    ClaimConsensus,
    ClaimExtraction,
    ClaimVerification,
    Confidence,
    ConsensusReport,
    ConsensusVerdict,
    Content,
    ContentSource,
    ExtractedClaim,
    FactCheckResult,
    NumberedPassage,
    VerdictCounts,
    Verification,
)

TEXT = """The Internet grew out of ARPANET, a network that was funded by the U.S. Department of Defense in 1969. \
The first message sent over it was "LO": the system crashed before "LOGIN" could be completed.

Tim Berners-Lee invented the World Wide Web in 1989 at CERN. By 2023, more than 5 billion people used the Internet, \
which is more than the number of people who had a telephone at home. The switch to IPv6 doubled the speed of the \
backbone, because its headers are shorter.

I think it is the best thing that ever happened to libraries."""

V, D, U = ConsensusVerdict.VERIFIED, ConsensusVerdict.DISPUTED, ConsensusVerdict.UNVERIFIABLE
HIGH, MEDIUM, LOW = Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW
MODELS = ("google/gemini-2.5-pro", "meta-llama/llama-4-maverick", "anthropic/claude-sonnet-4")

CLAIMS = tuple(
    ExtractedClaim(id=f"claim_{number}", claim=claim, context=context, type=kind)
    for number, (claim, context, kind) in enumerate(
        (
            (
                "funded by the U.S. Department of Defense in 1969",
                "The Internet grew out of ARPANET, a network that was funded by the U.S. Department of Defense in 1969.",
                ClaimType.DATE,
            ),
            (
                'The first message sent over it was "LO"',
                'The first message sent over it was "LO": the system crashed before "LOGIN" could be completed.',
                ClaimType.ATTRIBUTION,
            ),
            (
                "Tim Berners-Lee invented the World Wide Web in 1989 at CERN.",
                "Tim Berners-Lee invented the World Wide Web in 1989 at CERN.",
                ClaimType.DATE,
            ),
            (
                "By 2023, more than 5 billion people used the Internet",
                "By 2023, more than 5 billion people used the Internet, which is more than the number of people who had a telephone at home.",
                ClaimType.STATISTIC,
            ),
            (
                "more than the number of people who had a telephone at home",
                "By 2023, more than 5 billion people used the Internet, which is more than the number of people who had a telephone at home.",
                ClaimType.COMPARISON,
            ),
            (
                "The switch to IPv6 doubled the speed of the backbone, because its headers are shorter.",
                "The switch to IPv6 doubled the speed of the backbone, because its headers are shorter.",
                ClaimType.CAUSAL,
            ),
        ),
        1,
    )
)

_VOTES = (
    (V, V, V),
    (V, V, U),
    (D, D, V),
    (V, V, V),
    (U, U, U),
    (D, D, D),
)
_REASONS = {
    V: "Records of the time and later histories agree on this, and no account says otherwise.",
    D: "The account does not match what is documented; the year names the proposal, and the work was done later.",
    U: "There is no count that both figures can be taken from, so the two can't be compared.",
}
_CORRECTIONS = {
    "claim_3": "Tim Berners-Lee proposed the World Wide Web in 1989; the first website went live in 1991.",
    "claim_6": "IPv6 headers are longer than those of IPv4, and the change did not double the backbone's speed.",
}
SOURCES = (
    NumberedPassage(
        number=1,
        title="A short history of the Web",
        reference="https://home.example/science/computing/birth-web",
        date="2019-03-12",
        text="In March 1989 he wrote a first proposal; the first website went live in 1991.",
    ),
    NumberedPassage(
        number=2,
        title="Handbook of networks",
        reference="sources/handbook.txt",
        date=None,
        text="IPv6 headers have forty bytes.",
    ),
)


def verification(number: int, checker: int, *, cites: bool = False) -> ClaimVerification:
    claim_id = f"claim_{number}"
    verdict = _VOTES[number - 1][checker]
    return ClaimVerification(
        claim_id=claim_id,
        verdict=verdict,
        evidence=_REASONS[verdict] + (" [1]" if cites and number == 3 else ""),
        correction=_CORRECTIONS.get(claim_id) if verdict is D else None,
        confidence=(HIGH, MEDIUM, HIGH)[checker] if verdict is not U else LOW,
        checker_model=MODELS[checker],
        citations=((1,) if number == 3 else ()) if cites else None,
    )


def checker_result(checker: int, *, cites: bool = False) -> CheckerResult:
    verifications = tuple(verification(number, checker, cites=cites) for number in range(1, len(CLAIMS) + 1))
    verdicts = [verification.verdict for verification in verifications]
    return CheckerResult(
        model=MODELS[checker],
        verifications=verifications,
        summary=VerdictCounts(
            verified=verdicts.count(V), disputed=verdicts.count(D), unverifiable=verdicts.count(U)
        ),
        response_time_ms=11_300 + checker * 900,
    )


def fact_check_result(
    *, checkers: int = 3, extracted: bool = True, reported: bool = True, cites: bool = False, text: str = TEXT
) -> FactCheckResult:
    """Return the result after `checkers` have answered; complete by default."""
    results = tuple(checker_result(checker, cites=cites) for checker in range(checkers))
    return FactCheckResult(
        content=Content(source=ContentSource.GENERATED, model="openai/o3", text=text, response_time_ms=7_200),
        extraction=ClaimExtraction(
            model="anthropic/claude-opus-4-6",
            claims=CLAIMS if extracted else (),
            type_breakdown={"DATE": 2, "ATTRIBUTION": 1, "STATISTIC": 1, "COMPARISON": 1, "CAUSAL": 1}
            if extracted
            else {},
            response_time_ms=9_400 if extracted else 0,
        ),
        verification=Verification(
            checkers=results, consensus=tuple(_consensus(results)) if extracted and results else ()
        ),
        report=ConsensusReport(
            model="anthropic/claude-opus-4-6" if reported else "unknown",
            reliability_score=64 if reported else None,
            report_text=REPORT if reported else "",
            summary=VerdictCounts(verified=3, disputed=2, unverifiable=1) if reported else VerdictCounts(),
            response_time_ms=14_100 if reported else 0,
        ),
        title="Where the Internet came from" if reported else None,
        sources=SOURCES if cites else None,
    )


def _consensus(results: tuple[CheckerResult, ...]) -> list[ClaimConsensus]:
    from veridic.decision.consensus import calculate_consensus

    return list(calculate_consensus(CLAIMS, [result.verifications for result in results]))


REPORT = """# Fact-Check Report

## Content Summary
A short history of the Internet.

## Overall Reliability Score: 64
Sound in outline; two claims do not hold.

## Evidence Table

| # | Claim | Type | Verdict | Agreement | Correction |
|---|-------|------|---------|:---------:|------------|
| claim_3 | The Web in 1989 | DATE | DISPUTED | 67% | [proposed in 1989](https://home.example/) |
"""
