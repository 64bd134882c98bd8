"""How reports speak: one word, one mark and one tone for everything a reader is told."""

from collections import Counter
from datetime import date
from enum import StrEnum

from veridic.domain.claim import Claim, FramingKind, OmissionReason
from veridic.domain.consensus import ClaimVerification
from veridic.domain.dates import PartialDate
from veridic.domain.decision import Correction, Decision
from veridic.domain.evidence import Detail, Evidence, Source, Stance, Tier
from veridic.domain.modes import EngineChoice, Mode
from veridic.domain.report import Report
from veridic.domain.usage import Usage
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.reporting.outside import one_line


class Tone(StrEnum):
    """The four families of verdicts a reader tells apart at a glance."""

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
    Verdict.MOSTLY_SUPPORTED: "The sources say the same but for a detail.",
    Verdict.PARTIAL: "The sources bear out one part and not another.",
    Verdict.MISLEADING: "Words that are true, put so that they mislead.",
    Verdict.OUTDATED: "It was so once; newer sources say otherwise.",
    Verdict.REFUTED: "The sources say otherwise.",
    Verdict.CONTESTED: "Sources of weight disagree; both sides are shown.",
    Verdict.AMBIGUOUS: "It can be read in more than one way.",
    Verdict.UNVERIFIABLE: "Nothing that was searched settles it.",
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
"""What an editor has to act on comes first."""

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
    """What a passage gives otherwise than the claim, in one sentence; empty where nothing was found."""
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
    FramingKind.PLAUSIBLE_DENIABILITY: "put so that it can be denied",
}

REPEATS = "(This only repeats the content: it is no evidence.)"

_BY_EVIDENCE = (
    "For each claim the searched sources are read for passages that speak about it; each passage is judged "
    "as supporting, contradicting or context, and counts by the authority of its source, its date, its "
    "relevance and its exactness. A verdict is given only where one side clearly outweighs the other; "
    "the document's score puts the verdicts of its claims together."
)

_BY_A_MODEL = (
    "For each claim, searches for news, research, general and historical sources were made, and a language model read "
    "what they brought and gave a verdict that cites it. A citation that led nowhere, or to a source that doesn't say "
    "what was cited, was taken out; a verdict with nothing left to cite became unverifiable. The document's score puts "
    "the verdicts of its claims together."
)
_BY_MAJORITY = (
    "{checkers} looked at every claim by themselves, and the majority's verdict is the claim's; a tie counts "
    "against the claim, and an even split is shown as contested. Confidence is the checkers' own, lessened by "
    "disagreement. A checker cites the passages it was given; where none was cited, the verdict is what the models "
    "know, and the claim says so."
)
_BY_ONE_CHECKER = (
    "One checker looked at every claim, {checkers}, and its verdict is the claim's: nobody else was asked who could have "
    "disagreed. Confidence is the checker's own. It cites the passages it was given; where none was cited, the verdict is "
    "what the model knows, and the claim says so."
)
RULES = (
    "No verdict stands without a quoted passage that you can look up.",
    "Disagreement between sources is shown, not settled in silence.",
    "Copies of one text count once.",
    "Every source carries its date, and every verdict says as of when.",
    "A correction is checked against its own sources before it is shown.",
    "A step that failed is listed as an error; it is never turned into a verdict.",
)
RULES_OF_CONSENSUS = (
    "The majority is counted here, not by a model; every checker's own words are kept.",
    "What a model remembers is no evidence: a verdict without a cited passage says so.",
    "Disagreement between checkers is shown, not settled in silence.",
    "Every verdict says as of when.",
    "A step that failed is listed as an error; it is never turned into a verdict.",
)

_MONTHS = ("January February March April May June July August September October November December").split()


def how_verdicts_come_about(report: Report) -> str:
    """What a reader must know of the mode to weigh its verdicts."""
    if report.mode == Mode.CONSENSUS:
        return _by_checkers(report)
    return _BY_EVIDENCE if report.engine == EngineChoice.EMBEDDED else _BY_A_MODEL


def checkers_of(report: Report) -> dict[str, int]:
    """Consensus mode: the models that answered as checkers, each with how often it was asked."""
    answered = report.consensus.checkers if report.consensus else ()
    opinions = report.decisions[0].opinions if report.decisions else ()
    return dict(Counter(answered or [opinion.checker_model for opinion in opinions]))


def _by_checkers(report: Report) -> str:
    voices = checkers_of(report)
    named = ", ".join(
        f"{model} (asked {n} times: one voice)" if n > 1 else model for model, n in voices.items()
    )
    if not voices:
        return "No checker looked at the claims."
    if len(voices) == 1:
        return _BY_ONE_CHECKER.format(checkers=one_line(named))
    return _BY_MAJORITY.format(checkers=f"{len(voices)} checkers ({one_line(named)})")


def heading_of(report: Report) -> str:
    """What a report is about: the question that was answered, else the document's title, else one that it was given."""
    told, document = report.consensus, report.document
    if told is not None and told.generator and told.question.strip():
        return told.question
    return document.title or (told.title if told else None) or document.source


def rules_of_evidence(report: Report) -> tuple[str, ...]:
    """The rules every verdict of the report was held to."""
    return RULES_OF_CONSENSUS if report.mode == Mode.CONSENSUS else RULES


def opinion_line(opinion: ClaimVerification) -> str:
    """What one checker says, as a sentence."""
    correction = f" Correction: {opinion.correction}" if opinion.correction else ""
    sure = opinion.confidence.value.lower()
    repeats = f" {REPEATS}" if opinion.repeats_content else ""
    return f"{opinion.verdict} ({sure} confidence). {opinion.evidence}{correction}{repeats}"


def verdict_word(verdict: Verdict) -> str:
    """A claim's verdict for a reader: "Mostly supported"."""
    return verdict.value.replace("_", " ").capitalize()


def document_verdict_word(verdict: Verdict) -> str:
    """The whole document's verdict for a reader, on the validation scale: "Misleading"."""
    return say(verdict, Scale.VALIDATION).capitalize()


def score_tone(score: int | None) -> Tone:
    """The gauge's colour: green from 70, amber from 40, red below, none without a score."""
    if score is None:
        return Tone.OPEN
    if score >= 70:
        return Tone.GOOD
    return Tone.CAUTION if score >= 40 else Tone.BAD


def day(value: date | PartialDate | None) -> str:
    """A date in words, as exact as it is known: "3 May 2024", "May 2024", "2024", "undated"."""
    if value is None:
        return "undated"
    parts = [str(value.year)]
    if value.month is not None:
        parts.insert(0, _MONTHS[value.month - 1])
        if value.day is not None:
            parts.insert(0, str(value.day))
    return " ".join(parts)


def whole_percent(value: float) -> int:
    """A share from 0 to 1 in whole percent. Only certainty itself is 100."""
    rounded = round(value * 100)
    return 99 if rounded == 100 and value < 1 else rounded


def percent(value: float) -> str:
    """`whole_percent` with its sign."""
    return f"{whole_percent(value)}%"


def sure(confidence: float) -> str:
    """`93% sure`; no confidence at all goes without saying."""
    return f"{percent(confidence)} sure" if confidence else ""


def agreement(decision: Decision) -> str:
    """`67% agreement`, of the checkers of a consensus; empty in other modes, and where one alone was asked."""
    if decision.agreement_rate is None or len({said.checker_model for said in decision.opinions}) < 2:
        return ""
    return f"{decision.agreement_rate}% agreement"


def checkers_line(report: Report) -> str:
    """`Checkers: openai/o3, google/gemini-2.5-pro · 85.2% agreement on average`; empty where nobody checked."""
    voices = checkers_of(report)
    told = report.consensus
    if not voices or told is None:
        return ""
    named = ", ".join(
        one_line(model) + (f" (asked {n} times)" if n > 1 else "") for model, n in voices.items()
    )
    average = (
        f" · {told.average_agreement:g}% agreement on average" if told.average_agreement is not None else ""
    )
    return f"Checkers: {named}{average}" if len(voices) > 1 else f"Checker: {named}"


def nothing_checked(report: Report) -> str:
    """Why a report has no verdict on any claim."""
    if any(omission.reason is OmissionReason.OUT_OF_TIME for omission in report.omissions):
        return "No claim was checked: the time limit was reached before. They are listed below."
    return "No claims that evidence can bear on were found."


_DIVIDED = (Verdict.PARTIAL, Verdict.CONTESTED)


def checked_as(claim: Claim) -> str:
    """The claim that was judged, where it is not what is quoted of the text; else empty. A capital or a full stop is no
    difference."""
    judged, quoted = one_line(claim.text), one_line(claim.wording)
    return "" if _bare(judged) == _bare(quoted) else judged


def _bare(text: str) -> str:
    return text.casefold().strip(" .")


def certainty(decision: Decision) -> str:
    """How sure a verdict is. Divided evidence isn't put in percent: there the number says how far the two
    sides are apart, and a reader would take it for a doubt about the division."""
    return "evidence divided" if decision.verdict in _DIVIDED else sure(decision.confidence)


def correction_label(correction: Correction) -> str:
    """`replace, 93% sure`, or the kind alone where there is no confidence to speak of."""
    return ", ".join(filter(None, (correction.type.value, sure(correction.confidence))))


def engine_of(report: Report) -> str:
    """Who did the work: `llm (openai/o3)`."""
    models = ", ".join(dict.fromkeys(report.models.values()))
    return f"{report.engine} ({models})" if models else report.engine


def count(number: int, singular: str, plural: str | None = None) -> str:
    """`3 claims`, `1 claim`, `12,000 claims`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def cost(usage: Usage) -> str:
    """`0.0120 USD`, with what makes the sum less than certain."""
    about = "about " if usage.cost_is_estimate else ""
    unknown = f" and {count(usage.unpriced_calls, 'call')} of unknown cost" if usage.unpriced_calls else ""
    return f"{about}{usage.cost_usd:.4f} USD{unknown}"


def verdict_counts(counts: dict[Verdict, int]) -> str:
    """`9 supported · 4 refuted`."""
    return " · ".join(f"{number:,} {verdict_word(verdict).lower()}" for verdict, number in counts.items())


def cited(numbers: tuple[int, ...]) -> str:
    """`[1] [4]`."""
    return " ".join(f"[{number}]" for number in numbers)


def source_name(source: Source) -> str:
    """A source's title, or where it stands if it has none."""
    return one_line(source.title) or one_line(source.reference) or "untitled source"
