"""Turns weighed evidence into a decision with a rationale, for plain claims, hearsay and private data."""

from datetime import date

from veridic.decision.gates import require_citation, show_disagreement
from veridic.decision.source_consensus import source_stances
from veridic.decision.weighing import Weighing, finalize
from veridic.domain.claim import Claim
from veridic.domain.decision import Correction, Decision, Judgement, Part
from veridic.domain.evidence import Evidence, Stance
from veridic.domain.phrases import count
from veridic.domain.verdicts import Verdict
from veridic.text.words import find_words

_MAX_CONTEXT = 3
_UNDECIDED = (Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS)


def judgement(
    judge: str,
    evidence: tuple[Evidence, ...],
    weighing: Weighing,
    correction: Correction | None,
    *,
    threshold: float,
) -> Judgement:
    """Return one judge's judgement from the weighed evidence and the threshold."""
    verdict = finalize(weighing, threshold=threshold)
    key = weighing.key_supporting + weighing.key_contradicting
    if verdict is Verdict.SUPPORTED and all(e.assessment.close for e in weighing.key_supporting):
        verdict = Verdict.MOSTLY_SUPPORTED
    return Judgement(
        judge=judge,
        verdict=verdict,
        confidence=round(_confidence(verdict, weighing), 4),
        rationale=_rationale(verdict, weighing, evidence),
        evidence=key,
        considered=evidence,
        correction=correction,
    )


def _confidence(verdict: Verdict, weighing: Weighing) -> float:
    """Return the confidence of the weighing, capped by the judge's probability for the best evidence.

    A passage that was only probably understood can't make a verdict certain.
    """
    if verdict in (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED):
        key = weighing.key_supporting
    elif verdict in (Verdict.REFUTED, Verdict.OUTDATED):
        key = weighing.key_contradicting
    else:
        key = weighing.key_supporting + weighing.key_contradicting
    return min(weighing.confidence, max((e.assessment.probability for e in key), default=0.0))


def _rationale(verdict: Verdict, weighing: Weighing, evidence: tuple[Evidence, ...]) -> str:
    if verdict in (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED):
        return _reason_with_source(weighing.key_supporting[0]) + _older_sources_note(weighing)
    if verdict is Verdict.REFUTED:
        return _reason_with_source(weighing.key_contradicting[0])
    if verdict is Verdict.OUTDATED:
        return _outdated_rationale(evidence)
    if verdict is Verdict.PARTIAL:
        sides = [*weighing.key_supporting[:1], *weighing.key_contradicting[:1]]
        return "The evidence is divided. " + " ".join(map(_reason_with_source, sides))
    return _unverifiable_rationale(evidence)


def _outdated_rationale(evidence: tuple[Evidence, ...]) -> str:
    """Compare the oldest supporting evidence with the newest contradicting one; an outdated claim has both, dated."""
    dated = [(e, e.date) for e in evidence if e.date is not None]
    supported = [when for e, when in dated if e.stance is Stance.SUPPORTING]
    contradicted = [(when, e) for e, when in dated if e.stance is Stance.CONTRADICTING]
    then = min(supported, key=lambda when: when.last)
    now, newest = max(contradicted, key=lambda pair: pair[0].first)
    return f"True as of {then}, but not any more as of {now}: {_reason_with_source(newest)}"


def _older_sources_note(weighing: Weighing) -> str:
    """If older sources contradict the claim, say so and give the date of the newest of them."""
    if weighing.time_break is None:
        return ""
    return f" Sources that say otherwise are older, the newest from {weighing.time_break.until}."


def _reason_with_source(evidence: Evidence) -> str:
    when = f", {evidence.date}" if evidence.date else ""
    return f"{evidence.assessment.reason} ({evidence.source.title}{when})"


def _unverifiable_rationale(evidence: tuple[Evidence, ...]) -> str:
    if not evidence:
        return "No passage in the sources is about this."
    nearest = max(evidence, key=lambda e: e.assessment.relevance)
    read = f"{count(len(evidence), 'passage')} read, not enough to verify or refute it"
    return f"{read}. The closest, in {nearest.source.title}: {nearest.assessment.reason}"


def decision(claim: Claim, judged: Judgement, *, as_of: date, parts: tuple[Part, ...] = ()) -> Decision:
    """Return the decision on a claim: the judgement after the gates."""
    context = _closest_context(judged.considered) if judged.verdict in _UNDECIDED else ()
    ungated = Decision(
        claim=claim,
        verdict=judged.verdict,
        confidence=judged.confidence,
        rationale=judged.rationale,
        evidence=judged.evidence + context,
        correction=judged.correction,
        parts=parts,
        passages_read=len(judged.considered),
        as_of=as_of,
    )
    return show_disagreement(require_citation(ungated))


def _closest_context(considered: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """Return the contextual passages closest to an unverifiable claim: a starting point for a person's own search."""
    close = [e for e in considered if e.stance is Stance.CONTEXTUAL]
    return tuple(sorted(close, key=lambda e: e.assessment.relevance, reverse=True)[:_MAX_CONTEXT])


def private_data(claim: Claim, as_of: date) -> Decision:
    """Return the decision on a claim that rests on private data: UNVERIFIABLE, because it can't be checked independently."""
    return Decision(
        claim=claim,
        verdict=Verdict.UNVERIFIABLE,
        confidence=0.0,
        rationale="It rests on private data that cannot be checked independently.",
        gates=("private data is not verifiable",),
        as_of=as_of,
    )


def part(name: str, text: str, judged: Judgement) -> Part:
    stances = [one.stance for one in source_stances(judged.considered)]
    return Part(
        name=name,
        text=text,
        verdict=judged.verdict,
        confidence=judged.confidence,
        rationale=judged.rationale,
        supporting_sources=stances.count(Stance.SUPPORTING),
        contradicting_sources=stances.count(Stance.CONTRADICTING),
        neutral_sources=stances.count(Stance.CONTEXTUAL),
    )


def names_speaker(passage: str, speaker: str) -> bool:
    """Whether a passage names the speaker, by the last word of the name."""
    name = [word.text.casefold() for word in find_words(speaker)][-1:]
    return bool(name) and name[0] in {word.text.casefold() for word in find_words(passage)}


def combine_hearsay(attribution: Judgement, content: Judgement) -> Judgement:
    """Combine the judgements on the two parts of hearsay: that it was said, and that it is true.

    Whether it is true weighs more.
    """
    said_verdict, truth_verdict = attribution.verdict, content.verdict
    was_said = said_verdict in (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED)
    if said_verdict is Verdict.REFUTED:
        return attribution.model_copy(
            update={"rationale": f"This speaker said otherwise. {attribution.rationale}"}
        )
    if truth_verdict in _UNDECIDED:
        if not was_said:
            return content
        return attribution.model_copy(
            update={"verdict": Verdict.MOSTLY_SUPPORTED, "rationale": f"It was said; whether it is true is unverifiable. {content.rationale}"}
        )  # fmt: skip
    if truth_verdict is Verdict.REFUTED and was_said:
        verdict, lead = Verdict.MISLEADING, "It was said, but it is not true."
    elif truth_verdict is Verdict.SUPPORTED and not was_said:
        # Quotes are often attributed to the wrong person, so a true statement alone does not support the sentence.
        return attribution.model_copy(
            update={
                "rationale": f"It is true, but no source says that this speaker said it. {content.rationale}"
            }
        )
    else:
        return content
    return content.model_copy(update={"verdict": verdict, "rationale": f"{lead} {content.rationale}"})
