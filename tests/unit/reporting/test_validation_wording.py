from datetime import date

import pytest
from tests.builders import make_claim, make_decision, make_report, make_search, make_source, make_validation

from veridic.domain.evidence import Channel, CredibilityLevel, Stance
from veridic.domain.report import Failure
from veridic.domain.search import ChannelSearch
from veridic.domain.usage import Usage
from veridic.domain.validation import SourceConsensus, SourceStance
from veridic.reporting import validation_wording as wording

FAILED = make_search(Channel.NEWS, asked=("exa",), results=0, problems=("Exa refused the key.",))
HALF = make_search(Channel.NEWS, asked=("exa", "desk"), problems=("Exa refused the key.",))
BY_A_CORPUS = make_search(
    Channel.NEWS,
    asked=("exa", "reference"),
    corpora=("reference",),
    problems=("The news search of exa was left out: Exa refused the key.",),
)
FINE = make_search(Channel.GENERAL)


def test_sources_are_counted_by_stance() -> None:
    stances = [Stance.SUPPORTING] * 7 + [Stance.CONTRADICTING] + [Stance.CONTEXTUAL] * 4
    read = [SourceStance(source=make_source(str(n)), stance=stance) for n, stance in enumerate(stances)]

    assert wording.sources_line(make_validation(read)) == (
        "7 supporting, 1 contradicting, 4 neutral of 12 read: strong agreement"
    )
    assert wording.sources_line(make_validation([])) == "no sources read"


@pytest.mark.parametrize(
    ("searches", "line"),
    [
        ([FINE, FINE], ""),
        ([], ""),
        ([FAILED, FINE], "1 of 2 searches answered"),
        ([HALF, FINE], "2 of 2 searches answered, but not by every provider"),
        ([BY_A_CORPUS, FINE], "1 of 2 searches answered outside of corpora"),
    ],
)
def test_failed_searches_are_counted(searches: list[ChannelSearch], line: str) -> None:
    assert wording.searches_line(make_validation(searches=searches)) == line


def test_reason_is_given_once_for_all_claims() -> None:
    decisions = [
        make_decision(make_claim(number=n), validation=make_validation(searches=[FAILED, HALF, FINE] if n % 2 else [FINE]))
        for n in range(1, 6)
    ]  # fmt: skip

    assert wording.unanswered(make_report(decisions)) == {"Exa refused the key.": (1, 3, 5)}
    assert wording.claims_named((3,)) == "claim 3"
    assert wording.claims_named((1, 3, 5)) == "claims 1, 3, 5"
    assert wording.claims_named(tuple(range(20))) == "20 claims"


def test_reason_is_given_once_for_all_channels() -> None:
    searches = [
        make_search(channel, asked=("exa",), problems=(f"The {channel} search of exa was left out: Exa refused the key.",))
        for channel in Channel
    ]  # fmt: skip
    decided = make_decision(make_claim(), validation=make_validation(searches=searches))

    assert wording.unanswered(make_report([decided])) == {
        "Every search of exa was left out: Exa refused the key.": (1,)
    }


def test_failed_search_is_not_listed_as_error() -> None:
    decided = make_decision(make_claim(), validation=make_validation(searches=[FAILED, FINE]))
    search_failure, other = (
        Failure(stage="search channel", message="Exa refused the key."),
        Failure(stage="saving", message="The disk is full."),
    )
    report = make_report([decided]).model_copy(update={"errors": (search_failure, other)})

    assert wording.other_errors(report) == (other,)


def test_period_of_a_search() -> None:
    limited = make_search(published_from=date(2026, 10, 16))

    assert wording.window(limited) == "16 October 2026 to 15 November 2026"
    assert wording.window(make_search()) == "until 15 November 2026"


@pytest.mark.parametrize(
    ("usage", "line"),
    [
        (Usage(), ""),
        (Usage(calls=1, input_tokens=12_500, output_tokens=850, cost_usd=0.0342), "1 model call, 12,500 tokens in, 850 out, 0.0342 USD"),
        (Usage(searches=4, search_cost_usd=0.01, cost_usd=0.01), "4 searches, 0.0100 USD"),
        (Usage(searches=4), "4 searches"),
        (Usage(calls=1, input_tokens=10), "1 model call, 10 tokens in, 0 out, no cost"),
    ],
)  # fmt: skip
def test_calls_and_cost(usage: Usage, line: str) -> None:
    assert wording.calls_made(usage) == line


def test_origin_of_a_source() -> None:
    assert wording.origin(make_source(channel=Channel.NEWS, found_in="exa")) == "news, found in exa"
    assert wording.origin(make_source(channel=Channel.HISTORICAL, found_in="desk")) == "found in desk"
    assert wording.origin(make_source(channel="old corpus", found_in="")) == "old corpus"
    assert wording.standing(make_source()) == "Government, high credibility (100%)"


def test_every_value_has_a_word() -> None:
    assert set(wording.AGREEMENT) == set(SourceConsensus)
    assert set(wording.CHANNELS) == set(Channel)
    assert set(wording.LEVELS) == set(CredibilityLevel)
