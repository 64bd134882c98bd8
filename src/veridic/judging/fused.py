"""The judge of the embedded engine: exact comparisons where they hold, the model's reading beside them.

The rule, in the order it is applied:

1. A passage that the exact comparisons settle stays as they settle it: they are right more often.
2. Any other passage is read by the model, together and by its closest sentences, and fused with the signals. It
   takes a side if the belief in that side reaches its threshold, and nothing exact speaks against it: support
   leaves no figure, date or name of the claim out, a contradiction is on the claim's matter.
3. If no passage settles the claim by itself, the closest sentences of all of them are read together.
4. Where passages take both sides, a reading gives way to an exact comparison, and to a reading that is surer by
   `CLEARER`. What remains on both sides is disagreement, and is shown.

The sentence with the strongest belief in the side taken is the one quoted.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from veridic.domain.evidence import Assessment, Passage, Stance
from veridic.judging.base import Belief
from veridic.judging.concepts import SINGLE_VALUED
from veridic.judging.excerpt import by_closeness, split_parts
from veridic.judging.fusion import ModelReading, fuse
from veridic.judging.reading import Reader, Reading
from veridic.judging.rules import RulesJudge
from veridic.judging.signals import Signals, compare, is_named
from veridic.judging.verifier import read_evidence
from veridic.providers.embedded.base import PairModel

CLEARER = 0.08
_ON_THE_MATTER = 0.4
"""The share of the claim's telling words that one sentence must have to contradict it."""
_TOGETHER = 4
"""How many sentences of different passages are read together."""
_EXACT = 2.0
"""How sure an exact comparison counts as when passages take both sides: surer than any reading."""


class Thresholds(NamedTuple):
    """How strong a belief must be to take a side; `training/thresholds.py` measures what each of them costs."""

    supports: float = 0.8
    contradicts: float = 0.85
    together: float = 0.92
    """For either side, where sentences of several passages are read as one."""


class _Read(NamedTuple):
    """Texts of evidence with what model and signals make of them."""

    texts: Sequence[str]
    belief: Belief
    reading: ModelReading
    signals: Signals
    names_subject: bool
    """The claim's first name is in them."""


class FusedJudge:
    """Keeps `Judge`; see the module for its rule."""

    name = "fused"

    def __init__(
        self,
        rules: RulesJudge,
        reader: Reader,
        model: Callable[[], PairModel],
        thresholds: Thresholds = Thresholds(),  # noqa: B008 - a constant
    ) -> None:
        self._rules = rules
        self._reader = reader
        self._model = model
        self._thresholds = thresholds

    def assess(self, claim: str, passages: Sequence[Passage]) -> list[Assessment]:
        """See `Judge.assess`."""
        found = self._rules.assess(claim, passages)
        unsettled = [i for i, exact in enumerate(found) if exact.stance is Stance.CONTEXTUAL]
        asked = self._reader.read(claim)
        if not unsettled or not asked.says_something:
            return found
        texts = [_with_title(asked, passages[i]) for i in unsettled]
        for index, read in zip(unsettled, self._read(asked, texts), strict=True):
            found[index] = _assessment(
                asked, read, found[index], self._thresholds.supports, self._thresholds.contradicts
            )
        if all(assessment.stance is Stance.CONTEXTUAL for assessment in found) and len(passages) > 1:
            found = self._together(asked, passages, found)
        return _leave_the_less_sure(found, set(range(len(found))) - set(unsettled))

    def _read(self, claim: Reading, evidence: Sequence[Sequence[str]]) -> list[_Read]:
        readings = read_evidence(self._model(), [(claim.text, texts) for texts in evidence])
        parts = [
            [self._reader.read(part) for text in texts for part in split_parts(text)] for texts in evidence
        ]
        signals = [compare(claim, sentences) for sentences in parts]
        named = [bool(claim.names) and is_named(claim.names[0], sentences) for sentences in parts]
        beliefs = fuse(readings, signals)
        return [_Read(*each) for each in zip(evidence, beliefs, readings, signals, named, strict=True)]

    def _together(
        self, claim: Reading, passages: Sequence[Passage], found: list[Assessment]
    ) -> list[Assessment]:
        """What no passage says alone may follow from several: who was first, from two dates."""
        parts = [(index, part) for index, p in enumerate(passages) for part in split_parts(p.text)]
        order = by_closeness(claim.text, [part for _, part in parts])[:_TOGETHER]
        chosen = [parts[i] for i in sorted(order)]
        if len(chosen) < 2:
            return found
        (read,) = self._read(claim, [[part for _, part in chosen]])
        together = self._thresholds.together
        joint = _assessment(claim, read, found[chosen[0][0]], together, together)
        if joint.stance is Stance.CONTEXTUAL:
            return found
        quotes = dict(reversed(chosen))
        return [
            joint.model_copy(update={"quote": quotes[i], "reason": "Read together, the sources say so."})
            if i in quotes
            else assessment
            for i, assessment in enumerate(found)
        ]


def _with_title(claim: Reading, passage: Passage) -> list[str]:
    """The passage, after its source's title where only that says whom it is about."""
    missing = [name.text for name in claim.names if name.text.casefold() not in passage.text.casefold()]
    title = passage.source.title
    return (
        [f"{title}.", passage.text]
        if any(n.casefold() in title.casefold() for n in missing)
        else [passage.text]
    )


def _assessment(
    claim: Reading, read: _Read, exact: Assessment, supports: float, contradicts: float
) -> Assessment:
    """The model's assessment of a passage that nothing exact settles; the exact one where it takes no side."""
    belief, signals = read.belief, read.signals
    if belief.supported >= supports and _nothing_left_out(claim, signals):
        stance, probability = Stance.SUPPORTING, belief.supported
        reason = "The source says so in its own words."
    elif belief.refuted >= contradicts and _is_about_it(claim, read, signals):
        stance, probability = Stance.CONTRADICTING, belief.refuted
        reason = "The source says otherwise."
    else:
        return exact
    return Assessment(
        stance=stance,
        probability=round(probability, 4),
        quote=_deciding(read, stance),
        reason=reason,
        relevance=round(1 - belief.unsettled, 4),
        specificity=round(probability, 4),
    )


def _nothing_left_out(claim: Reading, signals: Signals) -> bool:
    """Support has every name, figure and date of the claim, and nothing reckoned speaks against it. What a thing has
    one of, its capital say, is left to the exact comparisons: "the administrative capital" is close, and another."""
    left_out = (
        signals.figure_differs
        or signals.figure_missing
        or signals.date_differs
        or signals.date_missing
        or signals.reckoned_differs
    )
    has_one = any(term.key in SINGLE_VALUED for term in claim.terms)
    return signals.names == 1.0 and not left_out and not has_one


def _is_about_it(claim: Reading, read: _Read, signals: Signals) -> bool:
    """A contradiction is on the claim's matter: one sentence has much of its words, what it is about (its first
    name) is named, and figures and dates are there to differ."""
    return (
        signals.words_together >= _ON_THE_MATTER
        and not signals.figure_missing
        and not signals.date_missing
        and (not claim.names or read.names_subject)
    )


def _deciding(read: _Read, stance: Stance) -> str:
    """The sentence that the model is surest takes this side."""
    side = 0 if stance is Stance.SUPPORTING else 1
    own = [(text, logits) for text, logits in read.reading.alone if text in read.texts[-1]]
    if not own:
        return read.texts[-1].strip()
    return max(own, key=lambda pair: float(pair[1][side] - max(pair[1][1 - side], pair[1][2])))[0]


def _leave_the_less_sure(found: list[Assessment], exact: set[int]) -> list[Assessment]:
    """Where passages take both sides, `exact` (what the comparisons settled) comes before what the model read,
    and what is surer before what is less sure."""
    surest = {
        stance: max(
            (_EXACT if i in exact else a.probability for i, a in enumerate(found) if a.stance is stance),
            default=0.0,
        )
        for stance in (Stance.SUPPORTING, Stance.CONTRADICTING)
    }
    return [_gives_way(a) if i not in exact and _is_outdone(a, surest) else a for i, a in enumerate(found)]


def _is_outdone(assessment: Assessment, surest: dict[Stance, float]) -> bool:
    opposite = {Stance.SUPPORTING: Stance.CONTRADICTING, Stance.CONTRADICTING: Stance.SUPPORTING}
    other = opposite.get(assessment.stance)
    return other is not None and assessment.probability < surest[other] - CLEARER


def _gives_way(assessment: Assessment) -> Assessment:
    reason = "Another passage settles it more clearly."
    return assessment.model_copy(update={"stance": Stance.CONTEXTUAL, "probability": 0.5, "reason": reason})
