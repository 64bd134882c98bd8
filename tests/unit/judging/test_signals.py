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
        ("The dam is 90 metres high.", "The dam rises 60 metres above the valley.", "figure_contrary"),
        ("The dam has six gates.", "The dam has five gates.", "figure_contrary"),
        ("The school opened after 1950.", "The school opened in 1951.", "date_agrees"),
        ("The school opened in the 1900's.", "The school opened in the 19th century.", "date_differs"),
        ("The school opened in the 1900's.", "The school opened in 1919.", "date_agrees"),
        ("The output rose.", "The output fell.", "opposite_said"),
        ("The reign lasted 12 years.", "He was king from 1816 to 1828.", "reckoned_agrees"),
        ("The reign lasted 20 years.", "He was king from 1816 to 1828.", "reckoned_differs"),
        ("The mayor of Holm resigned.", "He resigned.", "names_something"),
        ("A mayor resigned.", "Mayor: Ada Norwell. Town: Holm. Term: 4 years.", "listing"),
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
    assert all(0.0 <= value <= 1.0 for value in found[: Signals._fields.index("evidence_words")])


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The dam has six gates.", "The dam has six gates and five turbines."),
        ("The dam has six gates.", "The dam has five turbines."),
        ("The dam has six gates.", "Of the dam's 12 gates, 8 gates are steel and 4 gates oak."),
        ("The dam is one gate wide.", "The dam is four gates wide."),
    ],
)
def test_a_figure_of_another_thing_or_one_of_many_is_not_contrary(claim: str, evidence: str) -> None:
    assert not signals(claim, evidence).figure_contrary
