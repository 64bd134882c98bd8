"""The wording of reports: words, marks and tones for verdicts, stances, dates, scores and costs."""

from collections import Counter
from datetime import date
from enum import StrEnum

from veridic.domain.claim import Claim, FramingKind, OmissionReason
from veridic.domain.consensus import ClaimVerification
from veridic.domain.dates import PartialDate, in_words
from veridic.domain.decision import Correction, Decision
from veridic.domain.evidence import Detail, Evidence, Source, Stance, Tier
from veridic.domain.modes import EngineChoice, Mode
from veridic.domain.phrases import count as count  # noqa: PLC0414 - the pages take it from here
from veridic.domain.report import Report
from veridic.domain.usage import Usage
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.reporting.escaping import one_line


class Tone(StrEnum):
    """The four groups of verdicts, each with its own colour."""

    GOOD = "good"
    CAUTION = "caution"
    BAD = "bad"
    OPEN = "open"


TONES: dict[Verdict, Tone] = {
    Verdict.SUPPORTED: Tone.GOOD,
    Verdict.MOSTLY_SUPPORTED: Tone.GOOD,
    Verdict.PARTIAL: Tone.CAUTION,
    Verdict.MISLEADING: Tone.CAUTION,
    Verdict.OUTDATED: Tone.CAUTION,
    Verdict.REFUTED: Tone.BAD,
    Verdict.CONTESTED: Tone.CAUTION,
    Verdict.AMBIGUOUS: Tone.OPEN,
    Verdict.UNVERIFIABLE: Tone.OPEN,
}

MARKS: dict[Verdict, str] = {
    Verdict.SUPPORTED: "✓",
    Verdict.MOSTLY_SUPPORTED: "≈",
    Verdict.PARTIAL: "±",
    Verdict.MISLEADING: "!",
    Verdict.OUTDATED: "↺",
    Verdict.REFUTED: "✗",
    Verdict.CONTESTED: "⇄",
    Verdict.AMBIGUOUS: "≟",
    Verdict.UNVERIFIABLE: "?",
}

MEANINGS: dict[Verdict, str] = {
    Verdict.SUPPORTED: "The sources say the same.",
    Verdict.MOSTLY_SUPPORTED: "The sources say the same except for a detail.",
    Verdict.PARTIAL: "The sources support one part and not another.",
    Verdict.MISLEADING: "True, but worded so that it misleads.",
    Verdict.OUTDATED: "It was true once; newer sources contradict it.",
    Verdict.REFUTED: "The sources contradict it.",
    Verdict.CONTESTED: "Credible sources disagree; both sides are shown.",
    Verdict.AMBIGUOUS: "It can be read in more than one way.",
    Verdict.UNVERIFIABLE: "The sources searched do not decide it.",
}

READING_ORDER: tuple[Verdict, ...] = (
    Verdict.REFUTED,
    Verdict.MISLEADING,
    Verdict.OUTDATED,
    Verdict.CONTESTED,
    Verdict.PARTIAL,
    Verdict.MOSTLY_SUPPORTED,
    Verdict.SUPPORTED,
    Verdict.AMBIGUOUS,
    Verdict.UNVERIFIABLE,
)
"""Verdicts that need action come first."""

STANCES: dict[Stance, str] = {
    Stance.SUPPORTING: "Supports",
    Stance.CONTRADICTING: "Contradicts",
    Stance.CONTEXTUAL: "Context",
}

STANCE_TONES: dict[Stance, Tone] = {
    Stance.SUPPORTING: Tone.GOOD,
    Stance.CONTRADICTING: Tone.BAD,
    Stance.CONTEXTUAL: Tone.OPEN,
}

_DIFFERENCES = {Detail.FIGURE: "figure", Detail.DATE: "date", Detail.NAME: "name"}


def differences_line(evidence: Evidence) -> str:
    """Return the differences between a passage and the claim in one sentence; empty if there are none."""
    said = [
        "one of the two has a negation"
        if one.kind is Detail.NEGATION
        else f"{_DIFFERENCES[one.kind]} “{one.in_passage}”, not “{one.in_claim}”"
        for one in evidence.assessment.differences
    ]
    return f"Differs: {'; '.join(said)}." if said else ""


TIERS: dict[Tier, str] = {
    Tier.FEDERAL_GOVERNMENT: "Government",
    Tier.FACT_CHECKERS: "Fact-checker",
    Tier.RESEARCH_INSTITUTIONS: "Research institution",
    Tier.NATIONAL_NEWS: "National news",
    Tier.REGIONAL_NEWS: "Regional news",
    Tier.BLOGS_OPINION: "Blog or opinion",
    Tier.UNKNOWN: "Not classified",
}

FRAMINGS: dict[FramingKind, str] = {
    FramingKind.DIRECT_FACTUAL: "stated as fact",
    FramingKind.PRIVATE_DATA: "rests on private data",
    FramingKind.HEARSAY: "reported speech",
    FramingKind.PLAUSIBLE_DENIABILITY: "worded so that it can be denied",
}

REPEATS = "(This only repeats the content; it is not evidence.)"

_EMBEDDED_METHOD = (
    "For each claim, the searched sources are read for passages about it. Each passage is judged as supporting, "
    "contradicting or context, and is weighted by the authority of its source, its date, its relevance and its "
    "exactness. A verdict is given only if one side clearly outweighs the other. The document's score combines "
    "the verdicts of its claims."
)

_MODEL_METHOD = (
    "For each claim, news, research, general and historical sources were searched, and a language model read the results "
    "and gave a verdict that cites them. A citation was removed if the source does not exist or doesn't say what was "
    "cited; a verdict with nothing left to cite became unverifiable. The document's score combines the verdicts of its "
    "claims."
)
_MAJORITY_METHOD = (
    "{checkers} judged every claim independently, and the majority decides the verdict; a tie counts against the claim, "
    "and an even split is shown as contested. Confidence is the checkers' own, lowered by disagreement. A checker cites "
    "the passages it was given; a verdict without a citation rests on what the models know, and the claim says so."
)
_SINGLE_CHECKER_METHOD = (
    "One checker judged every claim, {checkers}, and decides the verdict: no other was asked that could have disagreed. "
    "Confidence is the checker's own. It cites the passages it was given; a verdict without a citation rests on what the "
    "model knows, and the claim says so."
)
RULES = (
    "No verdict stands without a quoted passage that you can look up.",
    "Disagreement between sources is always shown.",
    "Copies of one text count once.",
    "Every source is shown with its date, and every verdict with its as-of date.",
    "A correction is checked against its own sources before it is shown.",
    "A step that failed is listed as an error; it is never turned into a verdict.",
)
RULES_OF_CONSENSUS = (
    "The majority is counted here, not by a model; every checker's own words are kept.",
    "A model's knowledge is not evidence: a verdict without a cited passage says so.",
    "Disagreement between checkers is always shown.",
    "Every verdict is shown with its as-of date.",
    "A step that failed is listed as an error; it is never turned into a verdict.",
)


def method_text(report: Report) -> str:
    """Return how verdicts are reached in the report's mode."""
    if report.mode == Mode.CONSENSUS:
        return _consensus_method(report)
    return _EMBEDDED_METHOD if report.engine == EngineChoice.EMBEDDED else _MODEL_METHOD


def checkers_of(report: Report) -> dict[str, int]:
    """Consensus mode: return the checkers that answered, with the number of times each was asked."""
    answered = report.consensus.checkers if report.consensus else ()
    opinions = report.decisions[0].opinions if report.decisions else ()
    return dict(Counter(answered or [opinion.checker_model for opinion in opinions]))


def _consensus_method(report: Report) -> str:
    checkers = checkers_of(report)
    named = ", ".join(
        f"{model} (asked {n} times: one voice)" if n > 1 else model for model, n in checkers.items()
    )
    if not checkers:
        return "No checker judged the claims."
    if len(checkers) == 1:
        return _SINGLE_CHECKER_METHOD.format(checkers=one_line(named))
    return _MAJORITY_METHOD.format(checkers=f"{len(checkers)} checkers ({one_line(named)})")


def heading_of(report: Report) -> str:
    """Return the report's title: the question that was answered, the document's title, a generated title, or the source."""
    details, document = report.consensus, report.document
    if details is not None and details.generator and details.question.strip():
        return details.question
    return document.title or (details.title if details else None) or document.source


def rules_of_evidence(report: Report) -> tuple[str, ...]:
    """Return the rules that apply to every verdict of the report."""
    return RULES_OF_CONSENSUS if report.mode == Mode.CONSENSUS else RULES


def opinion_line(opinion: ClaimVerification) -> str:
    """Return one checker's verdict, confidence, evidence and correction as a sentence."""
    correction = f" Correction: {opinion.correction}" if opinion.correction else ""
    sure = opinion.confidence.value.lower()
    repeats = f" {REPEATS}" if opinion.repeats_content else ""
    return f"{opinion.verdict} ({sure} confidence). {opinion.evidence}{correction}{repeats}"


def verdict_word(verdict: Verdict) -> str:
    """Return a claim's verdict for the reader: "Mostly supported"."""
    return verdict.value.replace("_", " ").capitalize()


def document_verdict_word(verdict: Verdict) -> str:
    """Return the document's verdict for the reader, on the validation scale: "Misleading"."""
    return say(verdict, Scale.VALIDATION).capitalize()


def headline(report: Report) -> str:
    """Return the report's verdict for the reader, or "Nothing checked" if there are no claims, as in an opinion piece."""
    return document_verdict_word(report.verdict) if report.decisions else "Nothing checked"


CREDIBILITY = "credibility"
"""What a score is called."""


def score_line(report: Report) -> str:
    """Return `score_words` of a report."""
    return score_words(report.credibility_score, _decided(report), len(report.decisions))


def score_words(score: int | None, decided: int, claims: int, name: str = CREDIBILITY) -> str:
    """Return `credibility 37 of 100` or, without a score, the number of claims decided."""
    if score is not None:
        return f"{name} {score} of 100"
    if not claims:
        return "no score"
    return f"{decided:,} of {claims:,} claims decided, too few for a score"


def decided(report: Report) -> str:
    """Return the number of decided claims: `5 of 26`."""
    return f"{_decided(report):,} of {len(report.decisions):,}"


def _decided(report: Report) -> int:
    return sum(TONES[decision.verdict] is not Tone.OPEN for decision in report.decisions)


def score_tone(score: int | None) -> Tone:
    """Return the tone of a score: green from 70, amber from 40, red below, neutral without a score."""
    if score is None:
        return Tone.OPEN
    if score >= 70:
        return Tone.GOOD
    return Tone.CAUTION if score >= 40 else Tone.BAD


def day(value: date | PartialDate | None) -> str:
    """Return a date in words, as exact as it is known: "3 May 2024", "May 2024", "2024", "undated"."""
    if value is None:
        return "undated"
    return in_words(value)


def whole_percent(value: float) -> int:
    """Return a share from 0 to 1 in whole percent. Only 1 gives 100."""
    rounded = round(value * 100)
    return 99 if rounded == 100 and value < 1 else rounded


def percent(value: float) -> str:
    """Return `whole_percent` with a percent sign."""
    return f"{whole_percent(value)}%"


def sure(confidence: float) -> str:
    """Return `93% sure`; empty for a confidence of 0."""
    return f"{percent(confidence)} sure" if confidence else ""


def agreement(decision: Decision) -> str:
    """Return `67% agreement` in consensus mode; empty in other modes, and with a single checker."""
    if decision.agreement_rate is None or len({said.checker_model for said in decision.opinions}) < 2:
        return ""
    return f"{decision.agreement_rate}% agreement"


def checkers_line(report: Report) -> str:
    """Return `Checkers: openai/o3, google/gemini-2.5-pro · 85.2% agreement on average`; empty without checkers."""
    checkers = checkers_of(report)
    details = report.consensus
    if not checkers or details is None:
        return ""
    named = ", ".join(
        one_line(model) + (f" (asked {n} times)" if n > 1 else "") for model, n in checkers.items()
    )
    average = (
        f" · {details.average_agreement:g}% agreement on average"
        if details.average_agreement is not None
        else ""
    )
    return f"Checkers: {named}{average}" if len(checkers) > 1 else f"Checker: {named}"


def nothing_checked(report: Report) -> str:
    """Return why a report has no claims."""
    if any(omission.reason is OmissionReason.OUT_OF_TIME for omission in report.omissions):
        return "No claim was checked before the time limit was reached. The claims are listed below."
    return "No checkable claims were found."


_MIN_COST_SHOWN = 0.0001
"""The smallest amount that four decimals can show."""
_DIVIDED = (Verdict.PARTIAL, Verdict.CONTESTED)


def checked_as(claim: Claim) -> str:
    """Return the claim as judged if it differs from the quotation of the text, otherwise empty.

    Differences in case or a full stop are ignored.
    """
    judged, quoted = one_line(claim.text), one_line(claim.wording)
    return "" if _normalised(judged) == _normalised(quoted) else judged


def _normalised(text: str) -> str:
    return text.casefold().strip(" .")


def certainty(decision: Decision) -> str:
    """Return the confidence in words.

    For divided evidence it is not given in percent: the number measures the difference between the two sides, and
    readers would take it for doubt about the division. A person's verdict has no percentage, but a name.
    """
    if decision.person is not None:
        verb = "accepted" if decision.person.accepted else "decided"
        return f"{verb} by {one_line(decision.person.by or 'a person')}"
    return "evidence divided" if decision.verdict in _DIVIDED else sure(decision.confidence)


def person_line(decision: Decision) -> str:
    """Return who decided a claim and when, and what the machine had said; empty if no person decided it."""
    person = decision.person
    if person is None:
        return ""
    on = f" on {day(person.at.date())}" if person.at else ""
    verb = "Accepted" if person.accepted else "Decided"
    decided_by = f"{verb} by {one_line(person.by or 'a person')}{on}."
    if person.machine_verdict is None:
        return decided_by
    how_sure = sure(person.machine_confidence)
    said = verdict_word(person.machine_verdict).lower() + (f", {how_sure}" if how_sure else "")
    if person.accepted:
        return f"{decided_by} It is the machine's verdict: {said}."
    return f"{decided_by} The machine {'disagrees' if person.differs else 'agrees'}: {said}."


def correction_label(correction: Correction) -> str:
    """Return `replace, 93% sure`, or only the type if the confidence is 0."""
    return ", ".join(filter(None, (correction.type.value, sure(correction.confidence))))


def engine_of(report: Report) -> str:
    """Return the engine and its models: `llm (openai/o3)`."""
    models = ", ".join(dict.fromkeys(report.models.values()))
    return f"{report.engine} ({models})" if models else report.engine


def cost(usage: Usage) -> str:
    """Return `0.0120 USD`, marked if it is an estimate or incomplete; `no cost` if nothing is charged."""
    unknown = f"{count(usage.unpriced_calls, 'call')} of unknown cost" if usage.unpriced_calls else ""
    if not usage.cost_usd:
        return unknown or "no cost"
    about = "about " if usage.cost_is_estimate else ""
    stated = "under 0.0001" if usage.cost_usd < _MIN_COST_SHOWN else f"{about}{usage.cost_usd:.4f}"
    return " and ".join(filter(None, (f"{stated} USD", unknown)))


def verdict_counts(counts: dict[Verdict, int]) -> str:
    """Return `9 supported · 4 refuted`."""
    return " · ".join(f"{number:,} {verdict_word(verdict).lower()}" for verdict, number in counts.items())


def cited(numbers: tuple[int, ...]) -> str:
    """Return `[1] [4]`."""
    return " ".join(f"[{number}]" for number in numbers)


def source_name(source: Source) -> str:
    """Return a source's title, or its address or path if it has none."""
    return one_line(source.title) or one_line(source.reference) or "untitled source"
