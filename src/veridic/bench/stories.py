"""How well whole checks do on news stories with known answers: `veridic bench stories`.

A story is an article, its sources and its statements, each with the verdict that the sources call for. A statement
gets the verdict of the claim whose span fits its own best (intersection over union; of equals, the first). REFUTED,
OUTDATED and MISLEADING are alarms, SUPPORTED and MOSTLY_SUPPORTED bear a statement out, PARTIAL and CONTESTED are mixed,
and every other verdict leaves it open. A statement that no claim overlaps is not listed.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from veridic.bench.embedded import set_up
from veridic.bench.progress import Progress, ignore_progress
from veridic.bench.story import Statement, Story, StoryLabel
from veridic.config.settings import Settings
from veridic.domain.base import Frozen
from veridic.domain.decision import Decision
from veridic.domain.document import Span
from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict

SURE = 0.8
"""From this confidence on, a verdict is sure."""
PASSAGES_SHOWN = 5
"""Among so many passages the one that settles a statement is looked for."""
_SHARED_CHARACTERS = 20
"""So much a passage and a quote must share where the passage has only part of the quote."""


class Outcome(StrEnum):
    """What a label asks for, and what a verdict comes to."""

    ALARM = "alarm"
    BORNE_OUT = "borne out"
    MIXED = "mixed"
    OPEN = "open"
    NOT_LISTED = "not listed"


_WANTED = {
    StoryLabel.SUPPORTED: Outcome.BORNE_OUT,
    StoryLabel.REFUTED: Outcome.ALARM,
    StoryLabel.OUTDATED: Outcome.ALARM,
    StoryLabel.CONTESTED: Outcome.MIXED,
    StoryLabel.NEI: Outcome.OPEN,
}
_GIVEN = {
    Verdict.REFUTED: Outcome.ALARM,
    Verdict.OUTDATED: Outcome.ALARM,
    Verdict.MISLEADING: Outcome.ALARM,
    Verdict.SUPPORTED: Outcome.BORNE_OUT,
    Verdict.MOSTLY_SUPPORTED: Outcome.BORNE_OUT,
    Verdict.PARTIAL: Outcome.MIXED,
    Verdict.CONTESTED: Outcome.MIXED,
}
_WRONG = {
    (Outcome.ALARM, Outcome.BORNE_OUT),
    (Outcome.BORNE_OUT, Outcome.ALARM),
    (Outcome.OPEN, Outcome.ALARM),
    (Outcome.OPEN, Outcome.BORNE_OUT),
}
"""What was called for and what was said, where the two can't both be so."""


class JudgedStatement(NamedTuple):
    """A statement, and what was decided on the claim that fits it best; None where there is no claim."""

    story: str
    statement: Statement
    decision: Decision | None

    @property
    def wanted(self) -> Outcome:
        return _WANTED[self.statement.label]

    @property
    def given(self) -> Outcome:
        return _GIVEN.get(self.decision.verdict, Outcome.OPEN) if self.decision else Outcome.NOT_LISTED

    @property
    def is_wrong_and_sure(self) -> bool:
        is_sure = self.decision is not None and round(self.decision.confidence, 4) >= SURE
        return is_sure and (self.wanted, self.given) in _WRONG

    @property
    def is_found_outdated(self) -> bool:
        return self.decision is not None and self.decision.verdict is Verdict.OUTDATED

    @property
    def has_settling_passage(self) -> bool | None:
        """Whether the claim shows what settles the statement; None where there is no claim, or nothing settles it."""
        quotes = [gold.quote for gold in self.statement.evidence]
        return shows_one_of(quotes, self.decision) if quotes and self.decision else None


class StoryScore(NamedTuple):
    """How one story went."""

    judged: tuple[JudgedStatement, ...]
    colour_listed: tuple[bool, ...]
    """For each piece with nothing to check, whether it was taken for a claim."""
    seconds: float
    words: int


def score_story(story: Story, report: Report) -> StoryScore:
    """Put the claims of a report beside the statements of its story. What the report's text hasn't got is not listed."""
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
    """Intersection over union."""
    shared = max(0, min(one[1], other[1]) - max(one[0], other[0]))
    return shared / (max(one[1], other[1]) - min(one[0], other[0]))


def shows_one_of(quotes: Iterable[str], decision: Decision) -> bool:
    """Whether one of the first five passages of a decision's evidence contains or overlaps one of these quotes.

    A report keeps the evidence that a verdict rests on and the nearest passages of a claim that is open, not
    everything that was read: the passage may have been found, and still be missing here.
    """
    shown = [evidence.passage.text for evidence in decision.evidence[:PASSAGES_SHOWN]]
    return any(_overlap(passage, quote) for passage in shown for quote in quotes)


def _overlap(passage: str, quote: str) -> bool:
    """Whether the quote stands in the passage, or enough of it does; how wide white space is makes no difference."""
    one, other = " ".join(passage.split()), " ".join(quote.split())
    if other in one or (len(one) >= _SHARED_CHARACTERS and one in other):
        return True
    lengths = range(_SHARED_CHARACTERS, min(len(one), len(other)))
    return any(one.endswith(other[:n]) or other.endswith(one[:n]) for n in lengths)


class Misjudged(Frozen):
    """A statement that did not get what its label asks for; the last three are None where no claim was listed."""

    story: str
    words: str
    label: StoryLabel
    kind: str
    got: Verdict | None
    confidence: float | None
    quote: str | None
    """The first of the evidence shown."""


class StoriesResult(Frozen):
    """What `veridic bench stories --format json` writes. Shares have three places; None: there was nothing to count."""

    stories: int
    statements: int
    mistakes_found: float | None
    """Of statements that are wrong or outdated: the share that raised an alarm."""
    alarms_right: float | None
    true_borne_out: float | None
    borne_out_right: float | None
    wrong_and_sure: float | None
    """Of all statements: the share with a sure verdict that is the opposite, or that nothing in the sources backs."""
    not_listed: float | None
    colour_listed_as_claims: float | None
    outdated_found: float | None
    """Of outdated statements: the share that is called just that."""
    contested_found: float | None
    settling_passage_in_first_five: float | None
    """Of statements with evidence and a claim: see `shows_one_of`."""
    seconds_per_1000_words: float
    of: dict[str, int]
    """How many each share is taken of."""
    misjudged: tuple[Misjudged, ...] = ()
    errors: tuple[str, ...] = ()
    """What could not be completed in the checks."""


CheckStory = Callable[[Story], Report]


def bench_stories(
    stories: Sequence[Story], check: CheckStory, progress: Progress = ignore_progress
) -> StoriesResult:
    """Check every story and compare what was decided on its statements with what is known."""
    scores: list[StoryScore] = []
    errors: list[str] = []
    for done, story in enumerate(stories):
        progress(done, len(stories), story.id)
        report = check(story)
        errors += (f"{story.id}: {failure.message}" for failure in report.errors)
        scores.append(score_story(story, report))
    return sum_up(scores, errors)


def check_embedded(settings: Settings) -> CheckStory:
    """Checks stories against their own sources on the embedded engine."""

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
        with set_up(sources, settings) as bench:
            return bench.check_article(story.markdown)

    return check


def sum_up(scores: Sequence[StoryScore], errors: Sequence[str] = ()) -> StoriesResult:
    """The figures over all stories together."""
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
    """For every share, whether each of what it is taken of counts."""
    settling = (one.has_settling_passage for one in judged)
    return {
        "mistakes_found": _found(judged, Outcome.ALARM),
        "alarms_right": _right(judged, Outcome.ALARM),
        "true_borne_out": _found(judged, Outcome.BORNE_OUT),
        "borne_out_right": _right(judged, Outcome.BORNE_OUT),
        "wrong_and_sure": [one.is_wrong_and_sure for one in judged],
        "not_listed": [one.given is Outcome.NOT_LISTED for one in judged],
        "outdated_found": [
            one.is_found_outdated for one in judged if one.statement.label is StoryLabel.OUTDATED
        ],
        "contested_found": _found(judged, Outcome.MIXED),
        "settling_passage_in_first_five": [mark for mark in settling if mark is not None],
    }


def _found(judged: Sequence[JudgedStatement], outcome: Outcome) -> list[bool]:
    return [one.given is outcome for one in judged if one.wanted is outcome]


def _right(judged: Sequence[JudgedStatement], outcome: Outcome) -> list[bool]:
    return [one.wanted is outcome for one in judged if one.given is outcome]


def share(marks: Sequence[bool]) -> float | None:
    """How many of these are true, to three places; None where there are none."""
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
