"""What was searched for a claim, and what all of it brought."""

from collections.abc import Iterable, Sequence
from datetime import date

from pydantic import ConfigDict, Field

from veridic.domain.base import Frozen
from veridic.domain.evidence import Channel, Found, Passage, Source

LEFT_OUT = " was left out: "
"""In the sentence about a problem, between who was asked and why that brought nothing."""


class ChannelSearch(Frozen):
    """What one channel was asked, and how that went."""

    channel: Channel
    query: str
    asked: tuple[str, ...]
    """Providers and corpora, by name."""
    corpora: tuple[str, ...] = ()
    """Those of them that are on this machine."""
    published_from: date | None = None
    published_to: date | None = None
    results: int = 0
    """Sources that were found; once the whole round is in, each counts for the first channel that found it."""
    problems: tuple[str, ...] = ()
    """Who gave no answer, and why: one sentence each."""
    billed: dict[str, float] = Field(default_factory=dict)
    """By provider, in US dollars: what it says that this search cost."""

    @property
    def was_answered(self) -> bool:
        """Whether anybody answered; to find nothing is an answer."""
        return len(self.problems) < len(self.asked)

    @property
    def succeeded(self) -> bool:
        """Whether anybody answered who was asked outside, or, where only corpora were asked, any of them.

        A corpus that answers does not make up for a search of the web that failed.
        """
        silent = {_who(self.channel, problem) for problem in self.problems}
        outside = [name for name in self.asked if name not in self.corpora]
        return self.was_answered and (not outside or any(name not in silent for name in outside))


class Gathered(Frozen):
    """The evidence for one question, before anybody has judged it: kept, it lets a verdict be replayed."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    question: str
    searches: tuple[ChannelSearch, ...] = ()
    found: tuple[Found, ...] = ()
    """Passages, most promising first; the same words in several places once."""
    rest: tuple[Passage, ...] = ()
    """What else the short ones of these sources say, and small corpora in other sources: for a reader that takes them whole."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """Every source that a passage is from, each once, in the order of its best passage."""
        return tuple({one.passage.source.location: one.passage.source for one in self.found}.values())

    @property
    def was_answered(self) -> bool:
        """Whether anybody answered any search, or nobody was asked."""
        return not self.searches or any(search.was_answered for search in self.searches)

    @property
    def problems(self) -> tuple[str, ...]:
        """See `problems_of`."""
        return problems_of(self.searches)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why there was no answer, each once: one that says itself who failed is the same on every channel."""
        problems = (problem for search in self.searches for problem in search.problems)
        return tuple(dict.fromkeys(map(_reason, problems)))


def problem_of(channel: Channel, name: str, reason: str) -> str:
    """The sentence that says why somebody gave no answer on a channel; `reason` has no full stop."""
    return f"{_search_of(channel)}{name}{LEFT_OUT}{reason}."


def problems_of(searches: Sequence[ChannelSearch]) -> tuple[str, ...]:
    """What went wrong, once for everybody and reason, however many channels it concerns; in the order of the channels."""
    channels: dict[tuple[str, str], dict[Channel, str]] = {}
    for search in searches:
        for problem in search.problems:
            who = _who(search.channel, problem)
            same = (who, problem.partition(LEFT_OUT)[2]) if who else (problem, "")
            channels.setdefault(same, {})[search.channel] = problem
    every = {search.channel for search in searches}
    return tuple(
        _said_together(who, reason, named, is_everywhere=set(named) == every)
        for (who, reason), named in channels.items()
    )


def _said_together(who: str, reason: str, named: dict[Channel, str], *, is_everywhere: bool) -> str:
    if len(named) == 1 or not reason:
        return next(iter(named.values()))
    if is_everywhere:
        return f"Every search of {who}{LEFT_OUT}{reason}"
    return f"The {_listed(named)} searches of {who} were left out: {reason}"


def _listed(channels: Iterable[Channel]) -> str:
    *others, last = channels
    return f"{', '.join(others)} and {last}"


def _search_of(channel: Channel) -> str:
    return f"The {channel} search of "


def _who(channel: Channel, problem: str) -> str:
    """Who gave no answer; empty where the sentence does not say so in our words."""
    named, left_out, _ = problem.removeprefix(_search_of(channel)).partition(LEFT_OUT)
    return named if left_out and problem.startswith(_search_of(channel)) else ""


def _reason(problem: str) -> str:
    reason = problem.partition(LEFT_OUT)[2]
    return reason if reason[:1].isupper() else problem
