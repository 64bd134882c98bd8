"""Renders a report as GitHub Markdown. Text from outside is escaped: it can't add structure, links or HTML."""

import re
from collections.abc import Iterable

from veridic.domain.decision import Correction, Decision, TemporalAnalysis
from veridic.domain.evidence import Evidence, Source, Stance
from veridic.domain.report import Report
from veridic.domain.validation import CitedSentence, Validation
from veridic.reporting.claim_account import contradictions, findings, reason, sources_read
from veridic.reporting.escaping import escape, visible, web_link
from veridic.reporting.numbering import Numbering
from veridic.reporting.report_sections import has_annotated_content, missing_remarks
from veridic.reporting.validation_wording import (
    calls_made,
    claims_named,
    origin,
    other_errors,
    part_line,
    searches_line,
    sources_line,
    spent,
    standing,
    unanswered,
)
from veridic.reporting.wording import (
    FRAMINGS,
    MARKS,
    STANCES,
    agreement,
    certainty,
    checked_as,
    checkers_line,
    cited,
    correction_label,
    count,
    day,
    differences_line,
    engine_of,
    heading_of,
    headline,
    method_text,
    nothing_checked,
    opinion_line,
    percent,
    person_line,
    rules_of_evidence,
    score_line,
    source_name,
    verdict_word,
)

_BACKTICKS = re.compile(r"`+")


def to_markdown(report: Report) -> str:
    """Return the complete report, ending in a line feed."""
    numbering = Numbering(report)
    blocks = [
        *_header(report),
        *_summary_table(report, numbering),
        *_claims(report, numbering),
        *_omissions(report),
        *_reporter(report),
        *_sources(report),
        *_unanswered(report),
        *_errors(report),
        *_method(report),
    ]
    return "\n\n".join(blocks) + "\n"


def _header(report: Report) -> list[str]:
    document = report.document
    facts = [f"Verdict: **{headline(report)}**", score_line(report).capitalize()]
    facts.append(f"As of {day(report.as_of)}")
    about = [f"Checked: {escape(document.source)}"]
    if document.author:
        about.append(f"by {escape(document.author)}")
    if document.published is not None:
        about.append(f"published {day(document.published)}")
    if report.id:
        about.append(escape(report.id))
    title = escape(heading_of(report))
    return [
        f"# Fact check: {title}",
        " · ".join(facts),
        " · ".join(about),
        escape(report.summary),
        *_checkers(report),
    ]


def _checkers(report: Report) -> list[str]:
    """Consensus mode: the checkers, their agreement, and warnings."""
    details = report.consensus
    if details is None:
        return []
    blocks = [f"**Warning**: {escape(details.bias_warning)}"] if details.bias_warning else []
    if line := checkers_line(report):
        blocks.append(escape(line))
    if remarks := missing_remarks(details.report_text, details.remarks):
        blocks.append("\n".join(f"- {escape(remark)}" for remark in remarks))
    return blocks


def _reporter(report: Report) -> list[str]:
    """Consensus mode: the reporter's text, verbatim, so that its Markdown can't affect the report."""
    details = report.consensus
    if details is None or not details.report_text.strip():
        return []
    blocks = [f"## Report by {escape(details.reporter)}", _verbatim(details.report_text)]
    if details.annotated_content and not has_annotated_content(details.report_text):
        blocks += ["## Annotated content", _verbatim(details.annotated_content)]
    return blocks


def _verbatim(text: str) -> str:
    """Return the text in a code block whose fence the text can't close."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{visible(text).strip()}\n{fence}"


def _summary_table(report: Report, numbering: Numbering) -> list[str]:
    if not report.decisions:
        return [nothing_checked(report)]
    rows = ["| # | Claim | Verdict | Confidence | Sources |", "| ---: | --- | --- | ---: | --- |"]
    for number, decision in zip(numbering.claims, report.decisions, strict=True):
        rows.append(
            f"| {number} | {escape(decision.claim.wording)} | {_badge(decision)} "
            f"| {_confidence(decision)} | {_citations(numbering.citations(decision))} |"
        )
    counts = [f"{verdict_word(verdict)}: {number}" for verdict, number in report.counts().items()]
    return ["## Verdicts", " · ".join(counts), "\n".join(rows)]


def _confidence(decision: Decision) -> str:
    if decision.person is not None:
        return "a person"
    return percent(decision.confidence) if decision.confidence else "none"


def _badge(decision: Decision) -> str:
    mark = MARKS[decision.verdict]
    return f"{mark} {verdict_word(decision.verdict)}"


def _citations(numbers: tuple[int, ...]) -> str:
    return escape(cited(numbers)) or "none"


def _claims(report: Report, numbering: Numbering) -> list[str]:
    if not report.decisions:
        return []
    blocks = ["## Claims"]
    for number, decision in zip(numbering.claims, report.decisions, strict=True):
        blocks += _claim(number, decision, numbering, report.engine)
    return blocks


def _claim(number: int, decision: Decision, numbering: Numbering, engine: str) -> list[str]:
    claim = decision.claim
    nature = [claim.type.value.lower(), escape(claim.category), f"{claim.risk.value.lower()} risk"]
    nature.append(FRAMINGS[claim.framing.kind])
    said = ", ".join(filter(None, (certainty(decision), agreement(decision))))
    how_sure = f" ({said})" if said else ""
    blocks = [
        f"### {number}. {_badge(decision)}{how_sure}",
        f"> {escape(claim.wording)}",
        *([f"Checked as: {escape(judged)}"] if (judged := checked_as(claim)) else []),
        *([escape(decided_by)] if (decided_by := person_line(decision)) else []),
        _cited(reason(decision), numbering),
        f"*{', '.join(nature)}*",
    ]
    if claim.framing.speaker:
        blocks.append(f"Said by: {escape(claim.framing.speaker)}")
    if claim.framing.underlying_claim:
        blocks.append(f"Underlying claim: {escape(claim.framing.underlying_claim)}")
    found = findings(decision, decision.evidence, engine=engine)
    points = [f"- {_cited([finding], numbering)}" for finding in found]
    points += [f"- {escape(part.name)}: {escape(part_line(part))}" for part in decision.parts]
    points += [
        f"- **{escape(opinion.checker_model)}**: {escape(opinion_line(opinion))}"
        for opinion in decision.opinions
    ]
    points += [_evidence(evidence, numbering) for evidence in decision.evidence]
    points += [
        f"- **Sources disagree**: {_cited([conflict], numbering)}" for conflict in contradictions(decision)
    ]
    if points:
        blocks.append("\n".join(points))
    if decision.correction is not None:
        blocks.append(_correction(decision.correction, numbering))
    if decision.temporal is not None:
        blocks += _times(decision.temporal)
    if decision.validation is not None:
        blocks.append(_sources_read(decision.validation))
    return blocks


def _cited(sentences: Iterable[CitedSentence], numbering: Numbering) -> str:
    return escape(numbering.cited(sentences))


def _times(temporal: TemporalAnalysis) -> list[str]:
    rows = (
        ("Time of the claim", temporal.claim_timeframe),
        ("Time of the evidence", temporal.evidence_currency),
        ("Before", temporal.historical_context),
        ("Effect of time", temporal.temporal_verdict),
    )
    lines = [f"- {name}: {escape(text)}" for name, text in rows if text.strip()]
    return ["**Time**", "\n".join(lines)] if lines else []


def _sources_read(validation: Validation) -> str:
    removed = validation.account.citations_removed
    said = (
        f"Sources: {sources_line(validation)}",
        searches_line(validation),
        spent(validation.usage),
        f"{count(removed, 'citation')} removed" if removed else "",
    )
    return " · ".join(filter(None, said))


def _evidence(evidence: Evidence, numbering: Numbering) -> str:
    number = numbering.source(evidence.source)
    reference = f"\\[{number}\\] " if number is not None else ""
    place = f"{reference}{escape(source_name(evidence.source))}, {day(evidence.date)}"
    reason = "" if evidence.stance is Stance.CONTEXTUAL else f" {escape(evidence.assessment.reason)}"
    differs = f" *{escape(line)}*" if (line := differences_line(evidence)) else ""
    quote = escape(evidence.assessment.quote)
    return f"- **{STANCES[evidence.stance]}**: “{quote}” ({place}){reason}{differs}"


def _correction(correction: Correction, numbering: Numbering) -> str:
    numbers = numbering.sources(correction.sources)
    rests_on = f" {_citations(numbers)}" if numbers else ""
    note = f" {escape(correction.note)}" if correction.note else ""
    return (
        f"**Correction** ({correction_label(correction)}): "
        f"“{escape(correction.original)}” → **“{escape(correction.corrected)}”**{rests_on}{note}"
    )


def _omissions(report: Report) -> list[str]:
    if not report.omissions:
        return []
    lines = []
    for omission in report.omissions:
        detail = f" ({escape(omission.detail)})" if omission.detail else ""
        lines.append(f"- {omission.reason.value}{detail}: “{escape(omission.text)}”")
    return ["## Not checked", "\n".join(lines)]


def _sources(report: Report) -> list[str]:
    if not report.sources:
        return []
    lines = [_source(number, source) for number, source in enumerate(report.sources, 1)]
    return ["## Sources", "\n".join(lines)]


def _source(number: int, source: Source) -> str:
    link = web_link(source.url)
    title = escape(source_name(source))
    named = f"[{title}]({link.replace('&', '&amp;')})" if link else title
    place = "" if link else f", {escape(source.url or source.path or '')}".rstrip(", ")
    author = f", {escape(source.author)}" if source.author else ""
    return (
        f"- \\[{number}\\] {named}{author}{place}, {day(source.date)}, {standing(source).lower()}, "
        f"{escape(origin(source))}"
    )


def _unanswered(report: Report) -> list[str]:
    lines = [
        f"- {escape(problem)} ({claims_named(claims)})" for problem, claims in unanswered(report).items()
    ]
    return ["## Searches without an answer", "\n".join(lines)] if lines else []


def _errors(report: Report) -> list[str]:
    errors = other_errors(report)
    if not errors:
        return []
    lines = []
    for failure in errors:
        about = f" ({escape(failure.claim_id)})" if failure.claim_id else ""
        lines.append(f"- {escape(failure.stage)}{about}: {escape(failure.message)}")
    return ["## Errors", "\n".join(lines)]


def _method(report: Report) -> list[str]:
    searched = ", ".join(escape(name) for name in report.corpora) or "nothing"
    read = sum(decision.passages_read for decision in report.decisions)
    facts = (
        f"Mode {escape(report.mode)}, engine {escape(engine_of(report))}, language {escape(report.language)}; "
        f"searched: {searched}; {count(sources_read(report), 'source')} and {count(read, 'passage')} read."
    )
    rules = "\n".join(f"- {rule}" for rule in rules_of_evidence(report))
    blocks = ["## Method", facts, escape(method_text(report)), rules]
    if used := calls_made(report.usage):
        blocks.append(f"{used}.")
    return blocks
