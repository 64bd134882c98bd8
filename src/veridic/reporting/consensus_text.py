"""Builds the report of consensus mode without a model, and the remarks that every such report must contain."""

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import shorten

from veridic.domain.claim import Claim, Omission, OmissionReason
from veridic.domain.consensus import (
    ClaimConsensus,
    ConsensusVerdict,
    ExtractedClaim,
    FailedChecker,
    NumberedPassage,
    RunConfig,
)
from veridic.domain.phrases import count
from veridic.reporting.escaping import escape, web_link
from veridic.reporting.report_sections import missing_remarks, with_annotated_content, with_section
from veridic.reporting.wording import REPEATS, cited
from veridic.text.sentences import split_sentences

NO_CLAIMS = "No verifiable factual claims were identified in this content."
FEW_CLAIMS = "Limited number of verifiable claims."
MOSTLY_OPINION = "Limited verifiable factual content. This content is primarily opinion or analysis."
FROM_KNOWLEDGE = "This verdict rests on the models' own knowledge alone: no source was cited for it."
NO_EVIDENCE = "This verdict has no evidence: what was said for it only repeats the content."

_FEW_CLAIMS_LIMIT = 2
_MAX_QUOTED = 5
_MAX_QUOTE_LENGTH = 120
"""Limits for quoting claims that were left out: how many, and how long each."""
_MIN_SENTENCES = 5
_OPINION_RATIO = 4
"""Sentences per claim from which a text counts as mostly opinion."""
SCORING_GUIDE = {
    90: "Highly reliable.",
    70: "Mostly reliable, with minor issues.",
    50: "Mixed accuracy.",
    30: "Significant inaccuracies.",
    0: "Unreliable.",
}
"""The lowest score of each description, best first."""
GROUPS = {
    ConsensusVerdict.VERIFIED: "Verified",
    ConsensusVerdict.DISPUTED: "Disputed",
    ConsensusVerdict.UNVERIFIABLE: "Unverifiable",
}
_INVENTED = (OmissionReason.NOT_IN_TEXT, OmissionReason.NOT_SAID)
_METHOD = "Majority verdict (ties broken conservatively toward DISPUTED)"
_METHOD_OF_ONE = "The one checker's verdict; there is no majority to count"


def remarks_on(
    content: str, consensus: Sequence[ClaimConsensus], *, failed: Sequence[FailedChecker] = ()
) -> tuple[str, ...]:
    """Return what the reader must know besides the verdicts, as plain sentences."""
    return (
        *_amount_remarks(content, len(consensus)),
        *_outcome_remarks(consensus),
        *_failed_checker_remarks(consensus, failed),
        *_repeated_checker_remarks(consensus),
        *_split_remarks(consensus),
        *_no_evidence_remarks(consensus),
        *_knowledge_remarks(consensus),
    )


def remarks_on_extraction(
    claims: Sequence[Claim], omissions: Sequence[Omission], over_the_limit: int = 0
) -> Iterator[str]:
    """Yield remarks on claims that the extractor listed but that were not checked as listed, or that it missed."""
    if unplaced := [claim.id for claim in claims if not claim.quote]:
        yield f"Not found in the content, so given in the extractor's words: {', '.join(unplaced)}."
    if invented := [one.text for one in omissions if one.reason in _INVENTED]:
        yield f"Left out, because the content does not say it: {_quoted(invented)}"
    if unlisted := [one.text for one in omissions if one.reason is OmissionReason.NOT_LISTED]:
        yield f"Not checked, because the extractor did not list it: {_quoted(unlisted)}"
    if over_the_limit:
        yield (
            f"The extractor named {len(claims) + len(invented) + over_the_limit} claims. "
            f"The last {over_the_limit} were left out: that is more than a run checks."
        )


def _quoted(texts: Sequence[str]) -> str:
    shown = "; ".join(
        f"“{shorten(text, _MAX_QUOTE_LENGTH, placeholder=' …')}”" for text in texts[:_MAX_QUOTED]
    )
    if len(texts) > _MAX_QUOTED:
        return f"{shown}; and {len(texts) - _MAX_QUOTED} more."
    return shown if shown.endswith((".”", "!”", "?”")) else f"{shown}."


def report_text(
    content: str,
    consensus: Sequence[ClaimConsensus],
    config: RunConfig,
    *,
    score: int | None,
    annotated_content: str,
    remarks: Sequence[str] = (),
    sources: Sequence[NumberedPassage] = (),
    failed: Sequence[FailedChecker] = (),
) -> str:
    """Return the whole report, for a run without a reporter model."""
    blocks = [
        "# Fact-Check Report",
        f"## Content Summary\n{content_summary(content, consensus)}",
        f"## Overall Reliability Score: {'none' if score is None else score}\n{_justification(score, remarks)}",
        evidence_table(consensus),
        detailed_findings(consensus),
        methodology(config, consensus, failed),
    ]
    report = with_annotated_content("\n\n".join(blocks), annotated_content)
    return with_sources(report, consensus, sources)


def no_claims_text(content: str, config: RunConfig, *, remarks: Sequence[str] = ()) -> str:
    """Return the report on content without checkable claims."""
    blocks = [
        "# Fact-Check Report",
        f"## Content Summary\n{content_summary(content, ())}",
        f"## Overall Reliability Score: none\n{NO_CLAIMS}",
        *([_notes(remarks)] if remarks else []),
        f"## Methodology\n- Claims extracted by: {escape(config.extractor_model)}",
    ]
    return "\n\n".join(blocks) + "\n"


def fallback_table(consensus: Sequence[ClaimConsensus]) -> str:
    """Return the consensus as a plain table, for a run whose reporter failed."""
    rows = [
        "| Claim | Verdict | Agreement Rate | Correction |",
        "|-------|---------|:--------------:|------------|",
    ]
    rows += [
        f"| {escape(claim.claim)} | {claim.consensus_verdict.value} | {claim.agreement_rate}% | {_correction(claim)} |"
        for claim in consensus
    ]
    return "\n".join(rows) + "\n"


def unchecked_text(claims: Sequence[ExtractedClaim]) -> str:
    """Return a report that lists the claims of a run that timed out before they were checked."""
    listed = "\n".join(f"- {escape(claim.claim)}" for claim in claims)
    return f"# Fact-Check Report\n\nThese claims were found, and not checked:\n\n{listed}\n"


def with_remarks(report: str, remarks: Sequence[str]) -> str:
    """Return a model's report with the remarks it lacks added."""
    missing = missing_remarks(report, remarks)
    return with_section(report, _notes(missing)) if missing else report


def with_sources(report: str, consensus: Sequence[ClaimConsensus], sources: Sequence[NumberedPassage]) -> str:
    """Return the report with a list of the sources cited by the checkers, by number."""
    numbers = {n for claim in consensus for said in claim.verdicts for n in said.citations or ()}
    listed = [_source(source) for source in sources if source.number in numbers]
    unused = len(sources) - len(listed)
    if unused:
        listed.append(
            f"- {count(unused, 'more passage')} {'was' if unused == 1 else 'were'} read and not cited."
        )
    return with_section(report, "## Sources\n\n" + "\n".join(listed)) if listed else report


def _notes(remarks: Sequence[str]) -> str:
    return "## Notes\n\n" + "\n".join(f"- {escape(remark)}" for remark in remarks)


def _amount_remarks(content: str, claims: int) -> Iterator[str]:
    if not claims:
        return
    if claims <= _FEW_CLAIMS_LIMIT:
        yield f"{FEW_CLAIMS} With so few, the score may not be representative."
    sentences = len(split_sentences(content))
    if sentences >= max(_MIN_SENTENCES, claims * _OPINION_RATIO):
        yield MOSTLY_OPINION


def _outcome_remarks(consensus: Sequence[ClaimConsensus]) -> Iterator[str]:
    verdicts = {claim.consensus_verdict for claim in consensus}
    if verdicts == {ConsensusVerdict.VERIFIED}:
        yield "All claims were verified: factual accuracy is high."
    elif verdicts == {ConsensusVerdict.DISPUTED}:
        yield "Warning: all claims were disputed; the content has significant inaccuracies."


def _failed_checker_remarks(
    consensus: Sequence[ClaimConsensus], failed: Sequence[FailedChecker]
) -> Iterator[str]:
    if failed:
        answered = len(consensus[0].verdicts) if consensus else 0
        yield f"Reduced checker count: {answered} of {answered + len(failed)} checkers answered."
        for checker in failed:
            yield f"Checker {checker.model} failed: {checker.error}"


def _repeated_checker_remarks(consensus: Sequence[ClaimConsensus]) -> Iterator[str]:
    for model, times in _checker_counts(consensus).items():
        if times > 1:
            yield (
                f"{model} was asked {times} times: that is one voice, and its agreement with itself proves nothing."
            )


def _no_evidence_remarks(consensus: Sequence[ClaimConsensus]) -> Iterator[str]:
    without = [claim.claim_id for claim in consensus if claim.has_no_evidence]
    if without:
        verdicts = "The verdict on" if len(without) == 1 else "The verdicts on"
        have = "has" if len(without) == 1 else "have"
        yield f"{verdicts} {', '.join(without)} {have} no evidence: what was said only repeats the content."


def _checker_counts(consensus: Sequence[ClaimConsensus]) -> Counter[str]:
    """Return the models that checked, with the number of times each was asked."""
    return Counter(said.checker_model for said in consensus[0].verdicts) if consensus else Counter()


def _split_remarks(consensus: Sequence[ClaimConsensus]) -> Iterator[str]:
    for claim in consensus:
        if claim.is_split:
            sides = " and ".join(
                f"{count(len(models), 'checker')} said {verdict.value} ({', '.join(models)})"
                for verdict in (ConsensusVerdict.VERIFIED, ConsensusVerdict.DISPUTED)
                if (models := [v.checker_model for v in claim.verdicts if v.verdict is verdict])
            )
            yield f"The checkers are split evenly on {claim.claim_id}: {sides}."


def _knowledge_remarks(consensus: Sequence[ClaimConsensus]) -> Iterator[str]:
    alone = [claim.claim_id for claim in consensus if claim.rests_on_knowledge_alone]
    if alone:
        verdicts = "The verdict on" if len(alone) == 1 else "The verdicts on"
        rest = "rests" if len(alone) == 1 else "rest"
        yield f"{verdicts} {', '.join(alone)} {rest} on the models' own knowledge alone: no source was cited."


def content_summary(content: str, consensus: Sequence[ClaimConsensus]) -> str:
    """Return the size of the text, and the number of claims by verdict."""
    size = count(len(content.split()), "word")
    if not consensus:
        return f"A text of {size} was read; nothing in it can be checked."
    tally = ", ".join(
        f"{len(_with_verdict(verdict, consensus))} {name.lower()}" for verdict, name in GROUPS.items()
    )
    checker_counts = len(_checker_counts(consensus))
    judged = (
        "that one checker judged"
        if checker_counts == 1
        else f"that {checker_counts} checkers judged independently"
    )
    return f"A text of {size} makes {count(len(consensus), 'claim')} {judged}: {tally}."


def score_words(score: int) -> str:
    """Return the description of a score in the scoring guide."""
    return next(words for least, words in SCORING_GUIDE.items() if score >= least)


def _justification(score: int | None, remarks: Sequence[str]) -> str:
    guide = [] if score is None else [score_words(score)]
    return "\n\n".join(
        [*guide, *(["\n".join(f"- {escape(remark)}" for remark in remarks)] if remarks else [])]
    )


def evidence_table(consensus: Sequence[ClaimConsensus]) -> str:
    """Return the "Evidence Table" section, with a row for every claim."""
    rows = [
        "## Evidence Table\n",
        "| # | Claim | Type | Verdict | Agreement | Correction |",
        "|---|-------|------|---------|:---------:|-----------|",
    ]
    rows += [
        f"| {claim.claim_id} | {escape(claim.claim)} | {claim.type.value} | {claim.consensus_verdict.value} "
        f"| {claim.agreement_rate}% | {_correction(claim)} |"
        for claim in consensus
    ]
    return "\n".join(rows)


def _correction(claim: ClaimConsensus) -> str:
    return escape(claim.correction) if claim.correction else "—"


def _with_verdict(verdict: ConsensusVerdict, consensus: Sequence[ClaimConsensus]) -> list[ClaimConsensus]:
    return [claim for claim in consensus if claim.consensus_verdict is verdict]


def detailed_findings(consensus: Sequence[ClaimConsensus]) -> str:
    """Return the "Detailed Findings" section: the claims by verdict, with every checker's evidence."""
    return "\n\n".join(["## Detailed Findings", *(_findings(verdict, consensus) for verdict in GROUPS)])


def _findings(verdict: ConsensusVerdict, consensus: Sequence[ClaimConsensus]) -> str:
    claims = _with_verdict(verdict, consensus)
    heading = f"### {GROUPS[verdict]} Claims ({len(claims)})"
    return "\n\n".join(
        [heading, *("\n".join(_finding(claim)) for claim in claims)] if claims else [heading, "None."]
    )


def _finding(claim: ClaimConsensus) -> Iterator[str]:
    sources = f" {escape(cited(claim.cited))}" if claim.cited else ""
    split = ", checkers split evenly" if claim.is_split else ""
    yield (
        f"- **{claim.claim_id}** “{escape(claim.claim)}”{sources} "
        f"({claim.agreement_rate}% agreement, {claim.consensus_confidence.value} confidence{split})"
    )
    if claim.correction:
        yield f"  - Correction: {escape(claim.correction)}"
    for said in claim.verdicts:
        repeats = f" {REPEATS}" if said.repeats_content else ""
        yield (
            f"  - {escape(said.checker_model)}: {said.verdict.value} ({said.confidence.value}) — "
            f"{escape(said.evidence)}{repeats}"
        )
    if claim.has_no_evidence:
        yield f"  - {NO_EVIDENCE}"
    elif claim.rests_on_knowledge_alone:
        yield f"  - {FROM_KNOWLEDGE}"


def _source(source: NumberedPassage) -> str:
    link = web_link(source.reference)
    title = escape(source.title) or "untitled source"
    named = f"[{title}]({link.replace('&', '&amp;')})" if link else f"{title}, {escape(source.reference)}"
    return f"- \\[{source.number}\\] {named}, {escape(source.date or 'undated')}: “{escape(source.text)}”"


def methodology(
    config: RunConfig, consensus: Sequence[ClaimConsensus], failed: Sequence[FailedChecker] = ()
) -> str:
    """Return the "Methodology" section: the models by role, with the checkers that answered and those that failed."""
    checker_counts = _checker_counts(consensus)
    several = len(checker_counts) > 1
    checkers = ", ".join(
        f"{escape(model)} (asked {times} times: one voice)" if times > 1 else escape(model)
        for model, times in checker_counts.items()
    )
    lines = [
        "## Methodology",
        f"- Claims extracted by: {escape(config.extractor_model)}",
        f"- Independent {'checkers' if several else 'checker'}: {checkers or 'none answered'}",
        *(f"- Did not answer: {escape(checker.model)}" for checker in failed),
        f"- Consensus method: {_METHOD if several else _METHOD_OF_ONE}",
        f"- Report generated by: {escape(config.reporter_model)}",
    ]
    return "\n".join(lines)
