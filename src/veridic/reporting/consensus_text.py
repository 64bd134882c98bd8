"""The report of consensus mode in our own words, and the remarks that every such report has to make."""

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
from veridic.reporting.outside import escape, web_link
from veridic.reporting.report_sections import missing_remarks, with_annotated_content, with_section
from veridic.reporting.wording import REPEATS, cited, count
from veridic.text.sentences import split_sentences

NO_CLAIMS = "No verifiable factual claims were identified in this content."
FEW_CLAIMS = "Limited number of verifiable claims."
MOSTLY_OPINION = "Limited verifiable factual content. This content is primarily opinion or analysis."
FROM_KNOWLEDGE = "This verdict rests on the models' own knowledge alone: no source was cited for it."
NO_EVIDENCE = "This verdict has no evidence: what was said for it only repeats the content."

_FEW = 2
_QUOTED = 5
_LONGEST_QUOTE = 120
"""Claims that are left out: so many are quoted, each so far."""
_SENTENCES_TO_TELL = 5
_OPINION_FROM = 4
"""Sentences for each claim, from which on a text counts as mostly opinion."""
SCORING_GUIDE = {
    90: "Highly reliable.",
    70: "Mostly reliable, with minor issues.",
    50: "Mixed accuracy.",
    30: "Significant inaccuracies.",
    0: "Unreliable.",
}
"""From which score on; the best first."""
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
    """What a reader has to be told beside the verdicts, as plain sentences."""
    return (
        *_on_amount(content, len(consensus)),
        *_on_outcome(consensus),
        *_on_checkers(consensus, failed),
        *_on_voices(consensus),
        *_on_splits(consensus),
        *_on_repetition(consensus),
        *_on_knowledge(consensus),
    )


def remarks_on_extraction(
    claims: Sequence[Claim], omissions: Sequence[Omission], over_the_limit: int = 0
) -> Iterator[str]:
    """What became of the claims that the extractor named, where they were not simply checked."""
    if unplaced := [claim.id for claim in claims if not claim.quote]:
        yield f"Not found in the content, and so in the extractor's own words: {', '.join(unplaced)}."
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
    shown = "; ".join(f"“{shorten(text, _LONGEST_QUOTE, placeholder=' …')}”" for text in texts[:_QUOTED])
    if len(texts) > _QUOTED:
        return f"{shown}; and {len(texts) - _QUOTED} more."
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
    """The whole report, for a run that has no model to write it."""
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
    """The report on a content in which there is nothing to check."""
    blocks = [
        "# Fact-Check Report",
        f"## Content Summary\n{content_summary(content, ())}",
        f"## Overall Reliability Score: none\n{NO_CLAIMS}",
        *([_notes(remarks)] if remarks else []),
        f"## Methodology\n- Claims extracted by: {escape(config.extractor_model)}",
    ]
    return "\n\n".join(blocks) + "\n"


def fallback_table(consensus: Sequence[ClaimConsensus]) -> str:
    """The consensus as a plain table, where the reporter gave no report."""
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
    """The claims of a run whose time was over before anybody checked them."""
    listed = "\n".join(f"- {escape(claim.claim)}" for claim in claims)
    return f"# Fact-Check Report\n\nThese claims were found, and not checked:\n\n{listed}\n"


def with_remarks(report: str, remarks: Sequence[str]) -> str:
    """A model's report with those remarks that it does not make."""
    missing = missing_remarks(report, remarks)
    return with_section(report, _notes(missing)) if missing else report


def with_sources(report: str, consensus: Sequence[ClaimConsensus], sources: Sequence[NumberedPassage]) -> str:
    """The report with the sources that the checkers cite, under their numbers."""
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


def _on_amount(content: str, claims: int) -> Iterator[str]:
    if not claims:
        return
    if claims <= _FEW:
        yield f"{FEW_CLAIMS} With so few, the score may not be representative."
    sentences = len(split_sentences(content))
    if sentences >= max(_SENTENCES_TO_TELL, claims * _OPINION_FROM):
        yield MOSTLY_OPINION


def _on_outcome(consensus: Sequence[ClaimConsensus]) -> Iterator[str]:
    verdicts = {claim.consensus_verdict for claim in consensus}
    if verdicts == {ConsensusVerdict.VERIFIED}:
        yield "All claims were verified: factual accuracy is high."
    elif verdicts == {ConsensusVerdict.DISPUTED}:
        yield "Warning: all claims were disputed; the content has significant inaccuracies."


def _on_checkers(consensus: Sequence[ClaimConsensus], failed: Sequence[FailedChecker]) -> Iterator[str]:
    if failed:
        answered = len(consensus[0].verdicts) if consensus else 0
        yield f"Reduced checker count: {answered} of {answered + len(failed)} checkers answered."
        for checker in failed:
            yield f"Checker {checker.model} failed: {checker.error}"


def _on_voices(consensus: Sequence[ClaimConsensus]) -> Iterator[str]:
    for model, times in _voices(consensus).items():
        if times > 1:
            yield (
                f"{model} was asked {times} times: that is one voice, and that it agrees with itself bears nothing out."
            )


def _on_repetition(consensus: Sequence[ClaimConsensus]) -> Iterator[str]:
    without = [claim.claim_id for claim in consensus if claim.has_no_evidence]
    if without:
        verdicts = "The verdict on" if len(without) == 1 else "The verdicts on"
        have = "has" if len(without) == 1 else "have"
        yield f"{verdicts} {', '.join(without)} {have} no evidence: what was said only repeats the content."


def _voices(consensus: Sequence[ClaimConsensus]) -> Counter[str]:
    """The models that checked, each with how often it was asked."""
    return Counter(said.checker_model for said in consensus[0].verdicts) if consensus else Counter()


def _on_splits(consensus: Sequence[ClaimConsensus]) -> Iterator[str]:
    for claim in consensus:
        if claim.is_split:
            sides = " and ".join(
                f"{count(len(models), 'checker')} said {verdict.value} ({', '.join(models)})"
                for verdict in (ConsensusVerdict.VERIFIED, ConsensusVerdict.DISPUTED)
                if (models := [v.checker_model for v in claim.verdicts if v.verdict is verdict])
            )
            yield f"The checkers are split evenly on {claim.claim_id}: {sides}."


def _on_knowledge(consensus: Sequence[ClaimConsensus]) -> Iterator[str]:
    alone = [claim.claim_id for claim in consensus if claim.rests_on_knowledge_alone]
    if alone:
        verdicts = "The verdict on" if len(alone) == 1 else "The verdicts on"
        rest = "rests" if len(alone) == 1 else "rest"
        yield f"{verdicts} {', '.join(alone)} {rest} on the models' own knowledge alone: no source was cited."


def content_summary(content: str, consensus: Sequence[ClaimConsensus]) -> str:
    """What was checked, and what it came to."""
    size = count(len(content.split()), "word")
    if not consensus:
        return f"A text of {size} was read; nothing in it can be checked."
    tally = ", ".join(f"{len(_of(verdict, consensus))} {name.lower()}" for verdict, name in GROUPS.items())
    voices = len(_voices(consensus))
    judged = "that one checker judged" if voices == 1 else f"that {voices} checkers judged independently"
    return f"A text of {size} makes {count(len(consensus), 'claim')} {judged}: {tally}."


def score_words(score: int) -> str:
    """What a score says by the scoring guide."""
    return next(words for least, words in SCORING_GUIDE.items() if score >= least)


def _justification(score: int | None, remarks: Sequence[str]) -> str:
    guide = [] if score is None else [score_words(score)]
    return "\n\n".join(
        [*guide, *(["\n".join(f"- {escape(remark)}" for remark in remarks)] if remarks else [])]
    )


def evidence_table(consensus: Sequence[ClaimConsensus]) -> str:
    """The section with a row for every claim."""
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


def _of(verdict: ConsensusVerdict, consensus: Sequence[ClaimConsensus]) -> list[ClaimConsensus]:
    return [claim for claim in consensus if claim.consensus_verdict is verdict]


def detailed_findings(consensus: Sequence[ClaimConsensus]) -> str:
    """The section with the claims of each verdict, and what every checker said about them."""
    return "\n\n".join(["## Detailed Findings", *(_findings(verdict, consensus) for verdict in GROUPS)])


def _findings(verdict: ConsensusVerdict, consensus: Sequence[ClaimConsensus]) -> str:
    claims = _of(verdict, consensus)
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
    """The section that says who did what: of the checkers, those that answered."""
    voices = _voices(consensus)
    several = len(voices) > 1
    checkers = ", ".join(
        f"{escape(model)} (asked {times} times: one voice)" if times > 1 else escape(model)
        for model, times in voices.items()
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
