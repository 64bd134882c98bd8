"""Windows of passages: sentences with the one before, the closest to the claim first."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.builders import make_found

from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Passage
from veridic.judging.windows import Window, as_read, closest, joined, windows_of

TEXTS = st.lists(st.text(max_size=200), max_size=4)


def passages(*texts: str) -> list[Passage]:
    return [make_found(text).passage for text in texts]


def ranked(claim: str, *texts: str, context: str = "") -> list[str]:
    return [window.sentence for window, _ in closest(claim, context, windows_of(passages(*texts)))]


def test_a_sentence_is_read_with_the_one_before() -> None:
    found = windows_of(passages("Ann Lee resigned. She was mayor. It rained.", "The mill burned."))
    assert [window.text for window in found] == [
        "Ann Lee resigned.",
        "Ann Lee resigned. She was mayor.",
        "She was mayor. It rained.",
        "The mill burned.",
    ]
    assert [(window.passage, window.position) for window in found] == [(0, 0), (0, 1), (0, 2), (1, 0)]


@given(TEXTS)
def test_every_sentence_is_in_its_passage_word_for_word(texts: list[str]) -> None:
    for window in windows_of(passages(*texts)):
        assert window.sentence in texts[window.passage]
        assert window.text.endswith(window.sentence)


def test_the_sentence_that_shares_most_comes_first() -> None:
    filler = [f"The committee met on day {n} to talk about roads." for n in range(9)]
    found = ranked("The Norden ferry sank in 1911.", *filler, "A ferry to Norden sank in 1911.", *filler)
    assert found[0] == "A ferry to Norden sank in 1911."


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    common = [f"The mayor opened hall {n}." for n in range(9)]
    assert ranked("The mayor opened the observatory.", *common, "The observatory is new.")[0] == (
        "The observatory is new."
    )


def test_words_around_the_claim_count_less() -> None:
    texts = ["The harbour closed.", "The harbour closed at Norden.", "The harbour closed on Tuesday."]
    claim = "The harbour closed on Tuesday."
    assert ranked(claim, *texts, context="At Norden the harbour closed on Tuesday.") == [
        "The harbour closed on Tuesday.",
        "The harbour closed at Norden.",
        "The harbour closed.",
    ]


def test_equally_close_windows_keep_their_order() -> None:
    assert ranked("Cats purr.", "Dogs bark.", "Cows moo.", "Hens cluck.") == [
        "Dogs bark.",
        "Cows moo.",
        "Hens cluck.",
    ]


@given(st.text(max_size=100), st.text(max_size=100), TEXTS)
@example("It is so.", "", ["It is.", "Was it?"])  # only stop words
def test_any_windows_are_ranked_once_best_first(claim: str, context: str, texts: list[str]) -> None:
    windows = windows_of(passages(*texts))
    found = closest(claim, context, windows)
    assert sorted(window for window, _ in found) == sorted(windows)
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)
    assert all(math.isfinite(score) and score >= 0 for score in scores)


def test_a_window_that_shares_no_word_scores_zero() -> None:
    ((_, best), (_, none)) = closest(
        "The ferry sank.", "", windows_of(passages("The ferry sank.", "Apples are red."))
    )
    assert (best > 0, none) == (True, 0)


@pytest.mark.parametrize(
    ("title", "date", "read"),
    [
        ("The Post", "2025-03-12", "The Post (12 March 2025): It rained."),
        ("The Post", "2025-03", "The Post (March 2025): It rained."),
        ("The Post", "2025", "The Post (2025): It rained."),
        ("The Post", None, "The Post: It rained."),
        ("", None, "It rained."),
    ],
)
def test_evidence_is_read_with_its_source_and_date(title: str, date: str | None, read: str) -> None:
    assert as_read(title, PartialDate.parse(date) if date else None, "It rained.") == read


def window(passage: int, position: int, sentence: str) -> Window:
    return Window(passage, position, sentence, sentence)


def test_sentences_are_joined_in_text_order() -> None:
    chosen = [window(1, 0, "Third."), window(0, 4, "Second."), window(0, 1, "First.")]
    assert joined(chosen) == "First. Second. Third."


def test_a_sentence_is_joined_once() -> None:
    assert joined([window(0, 0, "Once."), window(0, 0, "Once.")]) == "Once."


def test_a_sentence_that_does_not_fit_is_skipped() -> None:
    chosen = [window(0, 0, "one two three."), window(0, 1, "four five six."), window(0, 2, "seven.")]
    assert joined(chosen, words=4) == "one two three. seven."


def test_a_single_sentence_is_kept_at_any_length() -> None:
    assert joined([window(0, 0, "one two three four.")], words=2) == "one two three four."


@given(TEXTS, st.integers(1, 30))
def test_joined_text_stays_within_the_word_limit(texts: list[str], words: int) -> None:
    windows = windows_of(passages(*texts))
    first = len(windows[0].sentence.split()) if windows else 0
    assert len(joined(windows, words).split()) <= max(words, first)
