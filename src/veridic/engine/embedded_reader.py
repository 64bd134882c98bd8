"""The embedded engine as lister and reader of summary and thorough mode; needs no key and no network."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from itertools import compress
from typing import NamedTuple

from veridic.claims.extract import extract_claims
from veridic.claims.framing import find_report
from veridic.claims.selection import limit_claims, main_statements
from veridic.claims.sentence_models import Embed
from veridic.decision.breaks import is_dated
from veridic.decision.corrections import propose
from veridic.decision.decide import judgement, names_speaker
from veridic.decision.gates import without_the_future
from veridic.decision.weighing import DEFAULT_THRESHOLD, Weighing, correction_type, finalize, weigh
from veridic.domain.claim import Claim, FramingKind
from veridic.domain.decision import Correction, CorrectionType, Judgement
from veridic.domain.document import Document
from veridic.domain.evidence import Evidence, Found, Stance
from veridic.domain.modes import Mode
from veridic.domain.search import Gathered
from veridic.engine.readers import ListedClaims, Reading
from veridic.engine.threads import in_thread
from veridic.evidence.credibility import rate_quality
from veridic.judging.base import Belief, Judge
from veridic.judging.reader import REASONS
from veridic.text.english import parse


class EmbeddedLister:
    """Finds claims by syntax and by their worth as the embedded model has learned it."""

    def __init__(self, embed: Embed | None) -> None:
        self._embed = embed

    async def list_claims(self, document: Document, *, mode: Mode, most: int | None) -> ListedClaims:
        """See `Lister.list_claims`."""
        extraction = await in_thread(partial(extract_claims, document, self._embed))
        if mode is Mode.SUMMARY:
            return ListedClaims(main_statements(extraction, document))
        return ListedClaims(limit_claims(extraction, most))


class ReaderOptions(NamedTuple):
    as_of: date
    claim_date: date
    threshold: float = DEFAULT_THRESHOLD
    """The confidence a clear verdict needs."""
    passages: int = 12
    """At most this many are read for a question."""


class EmbeddedReader:
    """The embedded engine as a reader: gives a verdict if its belief reaches the threshold, else leaves the claim undecided."""

    def __init__(self, judge: Judge, options: ReaderOptions) -> None:
        self._judge = judge
        self._options = options

    async def read(self, claim: Claim, question: str, gathered: Gathered, *, stage: str) -> Reading:  # noqa: ARG002
        """See `Reader.read`."""
        found = gathered.found[: self._options.passages]
        return Reading(await in_thread(partial(self._judgement, claim, question, found)))

    def _judgement(self, claim: Claim, question: str, found: Sequence[Found]) -> Judgement:
        evidence, belief = self._read(claim, question, found)
        evidence = settled(evidence, belief, self._options.threshold)
        weighing = weigh(evidence, claim_date=self._options.claim_date, is_dated=is_dated(question))
        correction = self._correct(question, weighing)
        return judgement(self._judge.name, evidence, weighing, correction, threshold=self._options.threshold)

    def _read(
        self, claim: Claim, question: str, found: Sequence[Found]
    ) -> tuple[tuple[Evidence, ...], Belief]:
        """Return the passages that count, and the belief they lead to. If some don't count, the others are read again without them."""
        read = self._judge.read(question, [item.passage for item in found], claim.context)
        evidence = tuple(
            Evidence(
                passage=item.passage,
                assessment=assessment,
                quality=rate_quality(item.passage, assessment, self._options.as_of),
                copies=item.copies,
            )
            for item, assessment in zip(found, read.assessments, strict=True)
        )
        is_content = claim.framing.kind is FramingKind.HEARSAY and question != claim.text
        speaker = (claim.framing.speaker or "") if is_content else ""
        counts = [self._counts(one, speaker) for one in evidence]
        if all(counts):
            return evidence, read.belief
        return self._read(claim, question, list(compress(found, counts)))

    def _counts(self, evidence: Evidence, speaker: str) -> bool:
        """Leave out passages from the future. For what a speaker said, also leave out reports of that speaker saying it: they
        don't make it true."""
        if not without_the_future((evidence,), self._options.as_of):
            return False
        if evidence.stance is not Stance.SUPPORTING or not speaker:
            return True
        reported = find_report(parse(evidence.assessment.quote))
        return reported is None or not names_speaker(reported.speaker, speaker)

    def _correct(self, question: str, weighing: Weighing) -> Correction | None:
        """Return a correction, if its sources support it when read against it."""
        kind = correction_type(finalize(weighing, threshold=self._options.threshold))
        correction = propose(question, kind, weighing) if kind else None
        if correction is None or kind is CorrectionType.CLARIFY:
            return correction  # a clarification quotes its source and does not change the claim
        passages = [e.passage for e in weighing.key_contradicting]
        belief = self._judge.read(correction.corrected, passages).belief
        return correction if belief.supported >= self._options.threshold else None


def settled(evidence: tuple[Evidence, ...], belief: Belief, threshold: float) -> tuple[Evidence, ...]:
    """Give evidence a stance only if the judge is sure enough of it.

    If all the evidence together reaches the threshold for a stance, the strongest passage with that stance keeps it, and so does
    every other one whose source alone reaches the threshold. Passages with the opposite stance keep theirs: the user must see that a
    source speaks against the verdict. If the whole doesn't reach the threshold, passages keep a stance only if there are
    both: sources that reach it alone and disagree. Any other passage is context.
    """
    chances = {Stance.SUPPORTING: belief.supported, Stance.CONTRADICTING: belief.refuted}
    side = max(chances, key=lambda stance: chances[stance])
    is_settled = chances[side] >= threshold
    kept = tuple(
        e
        if e.assessment.probability >= threshold or (is_settled and e.stance is not side)
        else _as_context(e)
        for e in evidence
    )
    if not is_settled:
        return kept if chances.keys() <= {e.stance for e in kept} else tuple(map(_as_context, evidence))
    candidates = [n for n, e in enumerate(evidence) if e.stance is side] or [
        n for n, e in enumerate(kept) if e.stance is Stance.CONTEXTUAL
    ]
    if not candidates:
        return kept
    best = max(candidates, key=lambda n: _strength(evidence[n], side))
    # Only the belief in all the evidence was fitted; a single source must not look surer than that.
    capped = [
        _with_stance(e, side, min(e.assessment.probability, chances[side])) if e.stance is side else e
        for e in kept
    ]
    return (*capped[:best], _with_stance(evidence[best], side, chances[side]), *capped[best + 1 :])


def _strength(evidence: Evidence, side: Stance) -> tuple[float, float]:
    chance = evidence.assessment.probability if evidence.stance is side else 0.0
    return chance, evidence.assessment.relevance


def _as_context(evidence: Evidence) -> Evidence:
    if evidence.stance is Stance.CONTEXTUAL:
        return evidence
    return _with_stance(evidence, Stance.CONTEXTUAL, 1 - evidence.assessment.probability)


def _with_stance(evidence: Evidence, stance: Stance, chance: float) -> Evidence:
    changes: dict[str, object] = {"stance": stance, "probability": round(chance, 4)}
    if stance is not evidence.stance:
        changes["reason"] = REASONS[stance]
    return evidence.model_copy(update={"assessment": evidence.assessment.model_copy(update=changes)})
