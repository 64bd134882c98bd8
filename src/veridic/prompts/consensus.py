"""The prompts of consensus mode.

`system` is the same for every run, and `user` begins with what most calls share, so that providers can cache prompts by their
prefix. The parsers rely on the labels and formats. Raise a prompt's version with every change of its wording.
"""

from collections.abc import Mapping, Sequence
from datetime import date

from veridic.domain.consensus import (
    ClaimConsensus,
    ConsensusVerdict,
    ExtractedClaim,
    NumberedPassage,
    RunConfig,
)
from veridic.domain.dates import PartialDate
from veridic.prompts.fence import enclosed, fenced, on_one_line
from veridic.prompts.wording import (
    EXTRACT,
    GENERATE,
    REPORT,
    TITLE,
    VERIFY_BY_EVIDENCE,
    VERIFY_BY_KNOWLEDGE,
    judged_as_of,
)
from veridic.providers.llm.base import Prompt

_TITLE_EXCERPT = 1500
_MAX_REASON_CHARACTERS = 1200


def generate_prompt(question: str) -> Prompt:
    """Ask for a text full of facts that answers the question."""
    return Prompt(
        name="generate", version=1, system=GENERATE, user=f"QUESTION:\n{fenced('QUESTION', question)}"
    )


def extraction_prompt(content: str) -> Prompt:
    """Ask for every verifiable claim of the content."""
    return Prompt(name="extract", version=2, system=EXTRACT, user=f"CONTENT:\n{fenced('CONTENT', content)}")


def verification_prompt(
    claims: Sequence[ExtractedClaim],
    content: str,
    passages_by_claim: Mapping[str, Sequence[NumberedPassage]] | None = None,
    *,
    as_of: date,
    published: PartialDate | None = None,
) -> Prompt:
    """Ask for a verdict on every claim: by its passages, or by what the model knows if `passages_by_claim` is None.
    `published` is the content's date."""
    by_evidence = passages_by_claim is not None
    sections = [
        judged_as_of("CONTENT", as_of, published),
        f"ORIGINAL CONTENT (for context):\n{fenced('CONTENT', content)}",
        f"CLAIMS TO VERIFY:\n{enclosed('CLAIMS', _claims(claims, passages_by_claim))}",
    ]
    if passages_by_claim is not None:
        sections.append(f"EVIDENCE PASSAGES:\n{enclosed('EVIDENCE', _passages(passages_by_claim))}")
    wanted = ", ".join(claim.id for claim in claims)
    sections.append(f"Write one VERIFICATION block for each of these: {wanted}.")
    return Prompt(
        name="verify_by_evidence" if by_evidence else "verify",
        version=4 if by_evidence else 2,
        system=VERIFY_BY_EVIDENCE if by_evidence else VERIFY_BY_KNOWLEDGE,
        user="\n\n".join(sections),
    )


def report_prompt(
    content: str,
    consensus: Sequence[ClaimConsensus],
    config: RunConfig,
    *,
    notes: Sequence[str] = (),
    passages: Sequence[NumberedPassage] = (),
) -> Prompt:
    """Ask for the report. `notes` are remarks that it must include; `passages` are those that the checkers could cite."""
    checkers = len(consensus[0].verdicts) if consensus else 0
    results = "\n\n".join(_result(claim) for claim in consensus)
    sections = [
        f"ORIGINAL CONTENT:\n{fenced('CONTENT', content)}",
        f"CLAIM VERIFICATION RESULTS:\n{enclosed('RESULTS', results)}",
        _statistics(consensus, checkers),
        f"MODELS:\n{enclosed('MODELS', _models(config))}",
    ]
    if passages:
        sources = "\n".join(
            f"{' '.join(f'[{n}]' for n in ns)} {name}" for name, ns in _numbers(passages).items()
        )
        sections.append(f"SOURCES:\n{enclosed('SOURCES', sources)}")
    if notes:
        listed = "\n".join(f"- {on_one_line(note)}" for note in notes)
        sections.append(f"NOTES TO INCLUDE:\n{enclosed('NOTES', listed)}")
    return Prompt(name="report", version=3, system=REPORT, user="\n\n".join(sections))


def title_prompt(question: str, content: str = "") -> Prompt:
    """Ask for a short title of the conversation."""
    sections = [f"QUESTION:\n{fenced('QUESTION', question[:_TITLE_EXCERPT])}"]
    if content:
        sections.append(f"CONTENT (its beginning):\n{fenced('CONTENT', content[:_TITLE_EXCERPT])}")
    return Prompt(name="title", version=1, system=TITLE, user="\n\n".join(sections))


def _claims(
    claims: Sequence[ExtractedClaim], passages_by_claim: Mapping[str, Sequence[NumberedPassage]] | None
) -> str:
    blocks = []
    for claim in claims:
        lines = [
            f"CLAIM {claim.id}: {on_one_line(claim.claim)}",
            f"Context: {on_one_line(claim.context)}",
            f"Type: {claim.type.value}",
        ]
        if passages_by_claim is not None and not _share_passages(claims, passages_by_claim):
            numbers = [f"[{passage.number}]" for passage in passages_by_claim.get(claim.id, ())]
            lines.append(f"Passages: {' '.join(numbers) or 'none found'}")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _share_passages(
    claims: Sequence[ExtractedClaim], passages_by_claim: Mapping[str, Sequence[NumberedPassage]]
) -> bool:
    """Whether every claim has the same passages, so that they needn't be listed for each."""
    given = {tuple(one.number for one in passages_by_claim.get(claim.id, ())) for claim in claims}
    return len(claims) > 1 and len(given) == 1 and given != {()}


def _passages(passages_by_claim: Mapping[str, Sequence[NumberedPassage]]) -> str:
    """List every passage once, whichever claims it was found for."""
    listed = {passage.number: passage for passages in passages_by_claim.values() for passage in passages}
    return "\n\n".join(
        f"[{number}] {_source(listed[number])}\nText: {on_one_line(listed[number].text)}"
        for number in sorted(listed)
    )


def _numbers(passages: Sequence[NumberedPassage]) -> dict[str, list[int]]:
    """Return the passage numbers of each source."""
    numbers: dict[str, list[int]] = {}
    for passage in passages:
        numbers.setdefault(_source(passage), []).append(passage.number)
    return numbers


def _source(passage: NumberedPassage) -> str:
    date = on_one_line(passage.date or "undated")
    return f"{on_one_line(passage.title)} ({on_one_line(passage.reference)}, {date})"


def _result(claim: ClaimConsensus) -> str:
    agreement = f"{claim.agreement_rate}% agreement among {len(claim.verdicts)} checkers"
    lines = [
        f'CLAIM {claim.claim_id}: "{on_one_line(claim.claim)}"',
        f"Type: {claim.type.value}",
        f"Consensus Verdict: {claim.consensus_verdict.value} ({agreement})",
    ]
    lines += [
        f"- {on_one_line(judgement.checker_model)}: {judgement.verdict.value} ({judgement.confidence.value}) — "
        f"{on_one_line(judgement.evidence, _MAX_REASON_CHARACTERS)}"
        for judgement in claim.verdicts
    ]
    if claim.correction:
        lines.append(f"Consensus Correction: {on_one_line(claim.correction, _MAX_REASON_CHARACTERS)}")
    return "\n".join(lines)


def _statistics(consensus: Sequence[ClaimConsensus], checkers: int) -> str:
    verdicts = [claim.consensus_verdict for claim in consensus]
    verified, disputed, unverifiable = (verdicts.count(verdict) for verdict in ConsensusVerdict)
    return (
        "STATISTICS:\n"
        f"- Total claims extracted: {len(consensus)}\n"
        f"- Independent checkers: {checkers}\n"
        f"- Verified: {verified}, Disputed: {disputed}, Unverifiable: {unverifiable}"
    )


def _models(config: RunConfig) -> str:
    checkers = ", ".join(on_one_line(model) for model in config.checker_models)
    return (
        f"- Claims extracted by: {on_one_line(config.extractor_model)}\n"
        f"- Independent checkers: {checkers}\n"
        f"- Report generated by: {on_one_line(config.reporter_model)}"
    )
