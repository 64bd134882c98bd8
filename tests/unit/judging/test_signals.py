"""What can be compared exactly, as signals for the fusion."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.judging.excerpt import split_parts
from veridic.judging.reading import Reader
from veridic.judging.signals import Signals, compare
from veridic.language.names import Aliases

READER = Reader(Aliases({"France": ("French",)}))


def signals(claim: str, evidence: str) -> Signals:
    return compare(READER.read(claim), [READER.read(part) for part in split_parts(evidence)])


@pytest.mark.parametrize(
    ("claim", "evidence", "signal"),
    [
        ("The dam is 90 metres high.", "The dam rises 90 metres above the valley.", "figure_agrees"),
        ("The dam is 90 metres high.", "The dam rises 60 metres above the valley.", "figure_differs"),
        ("The dam is 90 metres high.", "The dam is a sight.", "figure_missing"),
        ("The school opened in 1950.", "It was on 3 May 1950 that the school opened.", "date_agrees"),
        ("The school opened in 1950.", "The school opened in 1951.", "date_differs"),
        ("The school opened in 1950.", "The school has opened.", "date_missing"),
        ("The mayor did not resign.", "The mayor will resign.", "one_denies"),
    ],
)
def test_each_signal_speaks_when_it_should(claim: str, evidence: str, signal: str) -> None:
    assert getattr(signals(claim, evidence), signal) == 1.0


def test_a_claim_without_figure_date_or_denial_raises_none_of_those_signals() -> None:
    found = signals("The mayor resigned.", "In 1990 the mayor resigned after 12 years.")
    assert not any(getattr(found, name) for name in Signals._fields if "figure" in name or "date" in name)
    assert not found.one_denies


def test_names_are_met_by_what_they_are_also_called() -> None:
    assert signals("Wine is made in France.", "French wine is known.").names == 1.0
    assert signals("They make wine in Norden.", "French wine is known.").names == 0.0


def test_a_sentence_that_says_the_same_has_all_words_and_one_on_something_else_none() -> None:
    claim = "The harbour was dredged."
    assert signals(claim, claim).words == 1.0
    assert signals(claim, "Apples fall.").words == 0.0


@given(st.text(max_size=200), st.text(max_size=300))
def test_any_text_gives_signals_in_their_range(claim: str, evidence: str) -> None:
    found = signals(claim, evidence)
    assert all(0.0 <= value <= 1.0 for value in found[:10])
