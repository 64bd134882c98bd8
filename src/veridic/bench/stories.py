"""Measures how well whole checks do on news stories with known answers: `veridic bench stories`.

A story is an article, its sources and its statements, each with the verdict that the sources call for. A statement gets
the verdict of the claim whose span overlaps it best (intersection over union; of equals, the first). REFUTED, OUTDATED and
MISLEADING are alarms, SUPPORTED and MOSTLY_SUPPORTED bear a statement out, PARTIAL and CONTESTED are mixed, and every other
verdict leaves it open. A statement that no claim overlaps is not listed.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from veridic.bench.embedded import temporary_bench
from veridic.bench.story import Statement, Story, StoryLabel
from veridic.config.settings import Settings
from veridic.domain.base import Frozen
from veridic.domain.decision import Decision
from veridic.domain.document import Span
from veridic.domain.progress import Progress, ignore_progress
from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict

SURE = 0.8
"""A verdict with at least this confidence is sure."""
PASSAGES_SHOWN = 5
"""The passage that settles a statement should be among so many."""
_SHARED_CHARACTERS = 20
"""How much a passage and a quote must share if the passage has only part of the quote."""


class LabelMeaning(StrEnum):
    """What a label calls for, and what a verdict amounts to."""

    ALARM = "alarm"
    BORNE_OUT = "borne out"
    MIXED = "mixed"
    OPEN = "open"
    NOT_LISTED = "not listed"


_WANTED = {
    StoryLabel.SUPPORTED: LabelMeaning.BORNE_OUT,
    StoryLabel.REFUTED: LabelMeaning.ALARM,
    StoryLabel.OUTDATED: LabelMeaning.ALARM,
    StoryLabel.CONTESTED: LabelMeaning.MIXED,
    StoryLabel.NEI: LabelMeaning.OPEN,
}
_GIVEN = {
    Verdict.REFUTED: LabelMeaning.ALARM,
    Verdict.OUTDATED: LabelMeaning.ALARM,
    Verdict.MISLEADING: LabelMeaning.ALARM,
    Verdict.SUPPORTED: LabelMeaning.BORNE_OUT,
    Verdict.MOSTLY_SUPPORTED: LabelMeaning.BORNE_OUT,
    Verdict.PARTIAL: LabelMeaning.MIXED,
    Verdict.CONTESTED: LabelMeaning.MIXED,
}
_WRONG = {
    (LabelMeaning.ALARM, LabelMeaning.BORNE_OUT),
    (LabelMeaning.BORNE_OUT, LabelMeaning.ALARM),
    (LabelMeaning.OPEN, LabelMeaning.ALARM),
    (LabelMeaning.OPEN, LabelMeaning.BORNE_OUT),
}
"""Pairs of what was called for and what was said that contradict each other."""


class JudgedStatement(NamedTuple):
    """A statement, and the decision on the claim that fits it best; None if there is no claim."""

    story: str
    statement: Statement
    decision: Decision | None

    @property
    def wanted(self) -> LabelMeaning:
        return _WANTED[self.statement.label]

    @property
    def given(self) -> LabelMeaning:
        return (
            _GIVEN.get(self.decision.verdict, LabelMeaning.OPEN) if self.decision else LabelMeaning.NOT_LISTED
        )

    @property
    def is_wrong_and_sure(self) -> bool:
        is_sure = self.decision is not None and round(self.decision.confidence, 4) >= SURE
        return is_sure and (self.wanted, self.given) in _WRONG

    @property
    def is_found_outdated(self) -> bool:
        return self.decision is not None and self.decision.verdict is Verdict.OUTDATED

    @property
    def has_settling_passage(self) -> bool | None:
        """Whether the claim's evidence includes what settles the statement; None if there is no claim, or nothing settles it."""
        quotes = [gold.quote for gold in self.statement.evidence]
        return shows_one_of(quotes, self.decision) if quotes and self.decision else None


class StoryScore(NamedTuple):
    """The result of one story."""

    judged: tuple[JudgedStatement, ...]
    colour_listed: tuple[bool, ...]
    """For each piece with nothing to check, whether it was listed as a claim."""
    seconds: float
    words: int


def score_story(story: Story, report: Report) -> StoryScore:
    """Match the claims of a report to the statements of its story. Pieces that aren't in the report's text are not listed."""
    judged = (JudgedStatement(story.id, one, _best_fit(report, one.words)) for one in story.statements)
    return StoryScore(
        judged=tuple(judged),
        colour_listed=tuple(_best_fit(report, piece) is not None for piece in story.not_claims),
        seconds=report.processing_time_ms / 1000,
        words=len(story.article.text.split()),
    )


def _best_fit(report: Report, piece: str) -> Decision | None:
    start = report.document.text.find(piece)
    if start < 0:
        return None
    span = start, start + len(piece)
    best = max(report.decisions, key=lambda one: _fit(one.claim.span, span), default=None)
    return best if best and _fit(best.claim.span, span) > 0 else None


def _fit(one: Span, other: Span) -> float:
    """Return the intersection over union of two spans."""
    shared = max(0, min(one[1], other[1]) - max(one[0], other[0]))
    return shared / (max(one[1], other[1]) - min(one[0], other[0]))


def shows_one_of(quotes: Iterable[str], decision: Decision) -> bool:
    """Whether one of the first five passages of a decision's evidence contains or overlaps one of these quotes.

    A report keeps the evidence for a verdict, and the nearest passages of an open claim, but not everything that was read. So
    the passage may have been found and still be missing here.
    """
    shown = [evidence.passage.text for evidence in decision.evidence[:PASSAGES_SHOWN]]
    return any(_overlap(passage, quote) for passage in shown for quote in quotes)


def _overlap(passage: str, quote: str) -> bool:
    """Whether the passage contains the quote or enough of it, ignoring the width of whitespace."""
    one, other = " ".join(passage.split()), " ".join(quote.split())
    if other in one or (len(one) >= _SHARED_CHARACTERS and one in other):
        return True
    lengths = range(_SHARED_CHARACTERS, min(len(one), len(other)))
    return any(one.endswith(other[:n]) or other.endswith(one[:n]) for n in lengths)


class Misjudged(Frozen):
    """A statement whose verdict isn't what its label calls for; the last three are None if no claim was listed."""

    story: str
    words: str
    label: StoryLabel
    kind: str
    got: Verdict | None
    confidence: float | None
    quote: str | None
    """The first piece of evidence shown."""


class StoriesResult(Frozen):
    """The output of `veridic bench stories --format json`. Shares have three places; None if there was nothing to count."""

    stories: int
    statements: int
    mistakes_found: float | None
    """The share of wrong or outdated statements that raised an alarm."""
    alarms_right: float | None
    true_borne_out: float | None
    borne_out_right: float | None
    wrong_and_sure: float | None
    """The share of all statements with a sure verdict that is the opposite, or that nothing in the sources supports."""
    not_listed: float | None
    colour_listed_as_claims: float | None
    outdated_found: float | None
    """The share of outdated statements with the verdict OUTDATED."""
    contested_found: float | None
    settling_passage_in_first_five: float | None
    """Of the statements with evidence and a claim; see `shows_one_of`."""
    seconds_per_1000_words: float
    of: dict[str, int]
    """The number of items behind each share."""
    misjudged: tuple[Misjudged, ...] = ()
    errors: tuple[str, ...] = ()
    """What failed during the checks."""


CheckStory = Callable[[Story], Report]


def bench_stories(
    stories: Sequence[Story], check: CheckStory, progress: Progress = ignore_progress
) -> StoriesResult:
    """Check every story, and compare the decisions on its statements with the known answers."""
    scores: list[StoryScore] = []
    errors: list[str] = []
    for done, story in enumerate(stories):
        progress(done, len(stories), story.id)
        report = check(story)
        errors += (f"{story.id}: {failure.message}" for failure in report.errors)
        scores.append(score_story(story, report))
    return sum_up(scores, errors)


def check_embedded(settings: Settings) -> CheckStory:
    """Return a function that checks a story against its own sources with the embedded engine."""

    def check(story: Story) -> Report:
        sources = (
            {
                "title": one.title,
                "date": str(one.date),
                "url": f"https://{one.domain}/{one.id}",
                "text": one.text,
            }
            for one in story.sources
        )
        with temporary_bench(sources, settings) as bench:
            return bench.check_article(story.markdown)

    return check


def sum_up(scores: Sequence[StoryScore], errors: Sequence[str] = ()) -> StoriesResult:
    """Compute the figures over all stories."""
    judged = [one for score in scores for one in score.judged]
    marks = _marks(judged) | {
        "colour_listed_as_claims": [mark for one in scores for mark in one.colour_listed]
    }
    seconds, words = sum(one.seconds for one in scores), sum(one.words for one in scores)
    return StoriesResult(
        stories=len(scores),
        statements=len(judged),
        seconds_per_1000_words=round(1000 * seconds / max(1, words), 1),
        of={name: len(found) for name, found in marks.items()},
        misjudged=tuple(_misjudged(one) for one in judged if one.wanted is not one.given),
        errors=tuple(errors),
        **{name: share(found) for name, found in marks.items()},
    )


def _marks(judged: Sequence[JudgedStatement]) -> dict[str, list[bool]]:
    """Return the marks behind every share: a bool for each item that it is taken of."""
    settling = (one.has_settling_passage for one in judged)
    return {
        "mistakes_found": _found(judged, LabelMeaning.ALARM),
        "alarms_right": _right(judged, LabelMeaning.ALARM),
        "true_borne_out": _found(judged, LabelMeaning.BORNE_OUT),
        "borne_out_right": _right(judged, LabelMeaning.BORNE_OUT),
        "wrong_and_sure": [one.is_wrong_and_sure for one in judged],
        "not_listed": [one.given is LabelMeaning.NOT_LISTED for one in judged],
        "outdated_found": [
            one.is_found_outdated for one in judged if one.statement.label is StoryLabel.OUTDATED
        ],
        "contested_found": _found(judged, LabelMeaning.MIXED),
        "settling_passage_in_first_five": [mark for mark in settling if mark is not None],
    }


def _found(judged: Sequence[JudgedStatement], outcome: LabelMeaning) -> list[bool]:
    return [one.given is outcome for one in judged if one.wanted is outcome]


def _right(judged: Sequence[JudgedStatement], outcome: LabelMeaning) -> list[bool]:
    return [one.wanted is outcome for one in judged if one.given is outcome]


def share(marks: Sequence[bool]) -> float | None:
    """Return the share of true marks, to three places; None if there are none."""
    return round(sum(marks) / len(marks), 3) if marks else None


def _misjudged(one: JudgedStatement) -> Misjudged:
    decision = one.decision
    return Misjudged(
        story=one.story,
        words=one.statement.words,
        label=one.statement.label,
        kind=one.statement.kind,
        got=decision.verdict if decision else None,
        confidence=decision.confidence if decision else None,
        quote=decision.evidence[0].assessment.quote if decision and decision.evidence else None,
    )
