"""From weighed evidence to a decision with a reason, for plain claims, hearsay and private data."""

from datetime import date

from veridic.decision.gates import require_citation, show_disagreement
from veridic.decision.source_consensus import source_stances
from veridic.decision.weighing import Weighing, finalize
from veridic.domain.claim import Claim
from veridic.domain.decision import Correction, Decision, Judgement, Part
from veridic.domain.evidence import Evidence, Stance
from veridic.domain.verdicts import Verdict
from veridic.text.words import find_words

_CONTEXT_SHOWN = 3
_UNSETTLED = (Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS)


def judgement(
    judge: str,
    evidence: tuple[Evidence, ...],
    weighing: Weighing,
    correction: Correction | None,
    *,
    threshold: float,
) -> Judgement:
    """One judge's verdict, as the loop's weights, factor and threshold give it."""
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
    """The loop's confidence, capped by how sure the judge was of the best evidence: one passage that
    was only probably understood can't make a verdict certain."""
    if verdict in (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED):
        key = weighing.key_supporting
    elif verdict in (Verdict.REFUTED, Verdict.OUTDATED):
        key = weighing.key_contradicting
    else:
        key = weighing.key_supporting + weighing.key_contradicting
    return min(weighing.confidence, max((e.assessment.probability for e in key), default=0.0))


def _rationale(verdict: Verdict, weighing: Weighing, evidence: tuple[Evidence, ...]) -> str:
    if verdict in (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED):
        return _reason(weighing.key_supporting[0]) + _what_went_before(weighing)
    if verdict is Verdict.REFUTED:
        return _reason(weighing.key_contradicting[0])
    if verdict is Verdict.OUTDATED:
        return _what_changed(evidence)
    if verdict is Verdict.PARTIAL:
        sides = [*weighing.key_supporting[:1], *weighing.key_contradicting[:1]]
        return "The evidence is divided. " + " ".join(map(_reason, sides))
    return _why_nothing(evidence)


def _what_changed(evidence: tuple[Evidence, ...]) -> str:
    """The oldest evidence for it against the newest against it: an outdated claim has both, dated."""
    dated = [(e, e.date) for e in evidence if e.date is not None]
    supported = [when for e, when in dated if e.stance is Stance.SUPPORTING]
    contradicted = [(when, e) for e, when in dated if e.stance is Stance.CONTRADICTING]
    then = min(supported, key=lambda when: when.last)
    now, newest = max(contradicted, key=lambda pair: pair[0].first)
    return f"True as of {then}, but not any more as of {now}: {_reason(newest)}"


def _what_went_before(weighing: Weighing) -> str:
    """A claim that older sources contradict: the reader is told that there are such, and how old they are."""
    if weighing.turned is None:
        return ""
    return f" Sources that say otherwise are older, the newest from {weighing.turned.until}."


def _reason(evidence: Evidence) -> str:
    when = f", {evidence.date}" if evidence.date else ""
    return f"{evidence.assessment.reason} ({evidence.source.title}{when})"


def _why_nothing(evidence: tuple[Evidence, ...]) -> str:
    if not evidence:
        return "No passage in the sources speaks of this."
    nearest = max(evidence, key=lambda e: e.assessment.relevance)
    read = f"{len(evidence)} passage{'s' if len(evidence) != 1 else ''} read, none settles it"
    return f"{read}. The nearest, in {nearest.source.title}: {nearest.assessment.reason}"


def decision(claim: Claim, judged: Judgement, *, as_of: date, parts: tuple[Part, ...] = ()) -> Decision:
    """What the judgement comes to once it has passed the rules of evidence."""
    context = _nearest(judged.considered) if judged.verdict in _UNSETTLED else ()
    made = Decision(
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
    return show_disagreement(require_citation(made))


def _nearest(considered: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """What came closest to settling a claim that nothing settled: half of a person's work is to find it."""
    close = [e for e in considered if e.stance is Stance.CONTEXTUAL]
    return tuple(sorted(close, key=lambda e: e.assessment.relevance, reverse=True)[:_CONTEXT_SHOWN])


def private_data(claim: Claim, as_of: date) -> Decision:
    """Nobody outside can check what rests on private sources; saying so is all that is honest."""
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
    """Hearsay is two claims: that it was said, and that it is so. What is so weighs more."""
    said, so = attribution.verdict, content.verdict
    was_said = said in (Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED)
    if said is Verdict.REFUTED:
        return attribution.model_copy(
            update={"rationale": f"This speaker said otherwise. {attribution.rationale}"}
        )
    if so in _UNSETTLED:
        if not was_said:
            return content
        return attribution.model_copy(
            update={"verdict": Verdict.MOSTLY_SUPPORTED, "rationale": f"It was said; whether it is so is not settled. {content.rationale}"}
        )  # fmt: skip
    if so is Verdict.REFUTED and was_said:
        verdict, lead = Verdict.MISLEADING, "It was said, but it is not so."
    elif so is Verdict.SUPPORTED and not was_said:
        # Words put into the wrong mouth are a common mistake: the sentence is not borne out by half of it.
        return attribution.model_copy(
            update={"rationale": f"It is so; that this speaker said it was not found. {content.rationale}"}
        )
    else:
        return content
    return content.model_copy(update={"verdict": verdict, "rationale": f"{lead} {content.rationale}"})
