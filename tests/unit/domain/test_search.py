"""What is said of searches that failed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.evidence import Channel
from veridic.domain.search import ChannelSearch, Gathered, problem_of, problems_of


def searched(channel: Channel, **silent: str) -> ChannelSearch:
    """Exa, Tavily and the reference library were asked; `silent` says who gave no answer, and why."""
    return ChannelSearch(
        channel=channel,
        query="?",
        asked=("exa", "tavily", "reference"),
        corpora=("reference",),
        problems=tuple(problem_of(channel, name, reason) for name, reason in silent.items()),
    )


def test_a_reason_that_holds_for_every_channel_is_said_once() -> None:
    searches = [searched(channel, exa="Exa refused the key") for channel in Channel]
    assert problems_of(searches) == ("Every search of exa was left out: Exa refused the key.",)


def test_channels_that_fail_alike_are_named_together() -> None:
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


def test_a_round_that_was_made_twice_says_it_once_too() -> None:
    once = [searched(channel, exa="it took too long") for channel in Channel]
    assert problems_of([*once, *once]) == problems_of(once)


def test_sentences_of_others_are_left_as_they_are() -> None:
    told = ChannelSearch(
        channel=Channel.NEWS, query="?", asked=("exa",), problems=("It was left out: so.", "")
    )
    again = told.model_copy(update={"channel": Channel.GENERAL})
    assert problems_of([told, again]) == ("It was left out: so.", "")


@pytest.mark.parametrize(
    ("silent", "succeeded", "was_answered"),
    [
        ({}, True, True),
        ({"exa": "no"}, True, True),
        ({"reference": "no"}, True, True),
        ({"exa": "no", "tavily": "no"}, False, True),
        ({"exa": "no", "tavily": "no", "reference": "no"}, False, False),
    ],
)
def test_a_corpus_does_not_make_up_for_the_web(
    silent: dict[str, str], succeeded: bool, was_answered: bool
) -> None:
    search = searched(Channel.NEWS, **silent)
    assert (search.succeeded, search.was_answered) == (succeeded, was_answered)
    assert Gathered(question="?", searches=(search,)).was_answered == was_answered


@pytest.mark.parametrize(("problems", "succeeded"), [((), True), (("The reference is damaged.",), False)])
def test_where_only_corpora_are_asked_they_are_what_counts(
    problems: tuple[str, ...], succeeded: bool
) -> None:
    search = ChannelSearch(
        channel=Channel.NEWS, query="?", asked=("reference",), corpora=("reference",), problems=problems
    )
    assert search.succeeded == succeeded


@given(st.lists(st.tuples(st.sampled_from(Channel), st.text(), st.text()), max_size=8))
def test_nothing_that_went_wrong_is_lost(failed: list[tuple[Channel, str, str]]) -> None:
    searches = [
        ChannelSearch(
            channel=channel, query="?", asked=(name,), problems=(problem_of(channel, name, reason),)
        )
        for channel, name, reason in failed
    ]
    told = " ".join(problems_of(searches))
    assert all(reason in told for _, _, reason in failed)
    assert len(problems_of(searches)) <= len(failed)
