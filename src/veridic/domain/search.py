"""What was searched for a claim, and what all of it brought."""

from datetime import date

from pydantic import ConfigDict

from veridic.domain.base import Frozen
from veridic.domain.evidence import Channel, Found, Source

LEFT_OUT = " was left out: "
"""In the sentence about a problem, between who was asked and why that brought nothing."""


class ChannelSearch(Frozen):
    """What one channel was asked, and how that went."""

    channel: Channel
    query: str
    asked: tuple[str, ...]
    """Providers and corpora, by name."""
    published_from: date | None = None
    published_to: date | None = None
    results: int = 0
    """Sources that were found; once the whole round is in, each counts for the first channel that found it."""
    problems: tuple[str, ...] = ()
    """Who gave no answer, and why: one sentence each."""

    @property
    def succeeded(self) -> bool:
        """Whether anybody answered; to find nothing is an answer."""
        return len(self.problems) < len(self.asked)


class Gathered(Frozen):
    """The evidence for one question, before anybody has judged it: kept, it lets a verdict be replayed."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    question: str
    searches: tuple[ChannelSearch, ...] = ()
    found: tuple[Found, ...] = ()
    """Passages, most promising first; the same words in several places once."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """Every source that a passage is from, each once, in the order of its best passage."""
        return tuple({one.passage.source.location: one.passage.source for one in self.found}.values())

    @property
    def successful_searches(self) -> int:
        return sum(search.succeeded for search in self.searches)

    @property
    def problems(self) -> tuple[str, ...]:
        """Each once, in the order of the channels."""
        return tuple(dict.fromkeys(problem for search in self.searches for problem in search.problems))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why there was no answer, each once: one that says itself who failed is the same on every channel."""
        return tuple(dict.fromkeys(map(_reason, self.problems)))


def _reason(problem: str) -> str:
    reason = problem.partition(LEFT_OUT)[2]
    return reason if reason[:1].isupper() else problem
