"""The searches made for a claim, and what they found."""

from collections.abc import Sequence
from datetime import date

from pydantic import ConfigDict, Field

from veridic.domain.base import Frozen
from veridic.domain.evidence import Channel, Found, Passage, Source
from veridic.domain.phrases import listed

LEFT_OUT = " was left out: "
"""In a problem's sentence, separates the search from the reason it failed."""


class ChannelSearch(Frozen):
    """One channel's query, and its outcome."""

    channel: Channel
    query: str
    asked: tuple[str, ...]
    """The names of the providers and corpora queried."""
    corpora: tuple[str, ...] = ()
    """Those of `asked` that are corpora on this machine."""
    published_from: date | None = None
    published_to: date | None = None
    results: int = 0
    """The number of sources found; after the whole round, each counts for the first channel that found it."""
    problems: tuple[str, ...] = ()
    """One sentence for each provider or corpus that failed, with the reason."""
    billed: dict[str, float] = Field(default_factory=dict)
    """The cost reported by each provider, in US dollars."""

    @property
    def was_answered(self) -> bool:
        """Whether any provider or corpus answered; an empty result is an answer."""
        return len(self.problems) < len(self.asked)

    @property
    def succeeded(self) -> bool:
        """Whether any search provider answered or, if only corpora were queried, any corpus.

        A corpus that answers does not make up for a web search that failed.
        """
        failed = {_provider_in(self.channel, problem) for problem in self.problems}
        outside = [name for name in self.asked if name not in self.corpora]
        return self.was_answered and (not outside or any(name not in failed for name in outside))


class Gathered(Frozen):
    """The evidence found for one question, before it is judged. It is saved, so that a verdict can be replayed."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    question: str
    searches: tuple[ChannelSearch, ...] = ()
    found: tuple[Found, ...] = ()
    """Passages, most promising first; copies are merged."""
    rest: tuple[Passage, ...] = ()
    """The remaining passages of these sources if they are short, and of small corpora: for a reader that takes whole texts."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of the passages, each once, in the order of its best passage."""
        return tuple({one.passage.source.location: one.passage.source for one in self.found}.values())

    @property
    def was_answered(self) -> bool:
        """Whether any search was answered, or none was made."""
        return not self.searches or any(search.was_answered for search in self.searches)

    @property
    def problems(self) -> tuple[str, ...]:
        """See `problems_of`."""
        return problems_of(self.searches)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons for failed searches, each once. A reason that names the provider itself is the same on every channel."""
        problems = (problem for search in self.searches for problem in search.problems)
        return tuple(dict.fromkeys(map(_reason, problems)))


def problem_of(channel: Channel, name: str, reason: str) -> str:
    """Return the sentence that says why the provider or corpus `name` failed on a channel; `reason` has no full stop."""
    return f"{_search_of(channel)}{name}{LEFT_OUT}{reason}."


def problems_of(searches: Sequence[ChannelSearch]) -> tuple[str, ...]:
    """Return the problems of all searches, merged by provider and reason across channels, in channel order."""
    channels: dict[tuple[str, str], dict[Channel, str]] = {}
    for search in searches:
        for problem in search.problems:
            name = _provider_in(search.channel, problem)
            key = (name, problem.partition(LEFT_OUT)[2]) if name else (problem, "")
            channels.setdefault(key, {})[search.channel] = problem
    every = {search.channel for search in searches}
    return tuple(
        _merged(name, reason, by_channel, is_everywhere=set(by_channel) == every)
        for (name, reason), by_channel in channels.items()
    )


def _merged(name: str, reason: str, by_channel: dict[Channel, str], *, is_everywhere: bool) -> str:
    if len(by_channel) == 1 or not reason:
        return next(iter(by_channel.values()))
    if is_everywhere:
        return f"Every search of {name}{LEFT_OUT}{reason}"
    return f"The {listed(list(by_channel))} searches of {name} were left out: {reason}"


def _search_of(channel: Channel) -> str:
    return f"The {channel} search of "


def _provider_in(channel: Channel, problem: str) -> str:
    """Return the name in a sentence of `problem_of`; empty for any other sentence."""
    name, left_out, _ = problem.removeprefix(_search_of(channel)).partition(LEFT_OUT)
    return name if left_out and problem.startswith(_search_of(channel)) else ""


def _reason(problem: str) -> str:
    reason = problem.partition(LEFT_OUT)[2]
    return reason if reason[:1].isupper() else problem
