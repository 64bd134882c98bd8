"""Messages about failed searches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.evidence import Channel
from veridic.domain.search import ChannelSearch, Gathered, problem_of, problems_of


def searched(channel: Channel, **failures: str) -> ChannelSearch:
    """A search of Exa, Tavily and the reference library; `failures` maps those that failed to the reason."""
    return ChannelSearch(
        channel=channel,
        query="?",
        asked=("exa", "tavily", "reference"),
        corpora=("reference",),
        problems=tuple(problem_of(channel, name, reason) for name, reason in failures.items()),
    )


def test_reason_for_all_channels_is_given_once() -> None:
    searches = [searched(channel, exa="Exa refused the key") for channel in Channel]
    assert problems_of(searches) == ("Every search of exa was left out: Exa refused the key.",)


def test_channels_with_the_same_reason_are_merged() -> None:
    searches = [
        searched(Channel.NEWS, exa="it took too long"),
        searched(Channel.RESEARCH, exa="it took too long", tavily="it took too long"),
        searched(Channel.GENERAL, exa="Exa is down (500)"),
        searched(Channel.HISTORICAL, exa="it took too long"),
    ]
    assert problems_of(searches) == (
        "The news, research and historical searches of exa were left out: it took too long.",
        "The research search of tavily was left out: it took too long.",
        "The general search of exa was left out: Exa is down (500).",
    )


def test_repeated_round_gives_a_reason_once() -> None:
    once = [searched(channel, exa="it took too long") for channel in Channel]
    assert problems_of([*once, *once]) == problems_of(once)


def test_other_sentences_are_unchanged() -> None:
    told = ChannelSearch(
        channel=Channel.NEWS, query="?", asked=("exa",), problems=("It was left out: so.", "")
    )
    again = told.model_copy(update={"channel": Channel.GENERAL})
    assert problems_of([told, again]) == ("It was left out: so.", "")


@pytest.mark.parametrize(
    ("failures", "succeeded", "was_answered"),
    [
        ({}, True, True),
        ({"exa": "no"}, True, True),
        ({"reference": "no"}, True, True),
        ({"exa": "no", "tavily": "no"}, False, True),
        ({"exa": "no", "tavily": "no", "reference": "no"}, False, False),
    ],
)
def test_corpus_does_not_make_up_for_the_web(
    failures: dict[str, str], succeeded: bool, was_answered: bool
) -> None:
    search = searched(Channel.NEWS, **failures)
    assert (search.succeeded, search.was_answered) == (succeeded, was_answered)
    assert Gathered(question="?", searches=(search,)).was_answered == was_answered


@pytest.mark.parametrize(("problems", "succeeded"), [((), True), (("The reference is damaged.",), False)])
def test_corpora_count_if_nothing_else_was_searched(problems: tuple[str, ...], succeeded: bool) -> None:
    search = ChannelSearch(
        channel=Channel.NEWS, query="?", asked=("reference",), corpora=("reference",), problems=problems
    )
    assert search.succeeded == succeeded


@given(st.lists(st.tuples(st.sampled_from(Channel), st.text(), st.text()), max_size=8))
def test_no_problem_is_lost(failed: list[tuple[Channel, str, str]]) -> None:
    searches = [
        ChannelSearch(
            channel=channel, query="?", asked=(name,), problems=(problem_of(channel, name, reason),)
        )
        for channel, name, reason in failed
    ]
    told = " ".join(problems_of(searches))
    assert all(reason in told for _, _, reason in failed)
    assert len(problems_of(searches)) <= len(failed)
