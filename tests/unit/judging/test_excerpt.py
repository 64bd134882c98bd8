"""Excerpts of evidence: short texts whole, of long ones the parts closest to the claim."""

import random

from hypothesis import given
from hypothesis import strategies as st

from veridic.judging.excerpt import WORDS, by_closeness, excerpt, split_parts

FILLER = (
    "The committee met again on Tuesday to talk about the weather and other matters of no weight at all. "
)


def test_short_evidence_is_kept_whole() -> None:
    assert (
        excerpt("Lima is large.", ["Lima is in Peru.", "It has a port."]) == "Lima is in Peru. It has a port."
    )


def test_the_closest_sentence_of_long_evidence_is_kept() -> None:
    text = FILLER * 10 + "The ferry to Norden sank in 1911. " + FILLER * 10
    found = excerpt("The Norden ferry sank in 1911.", [text])
    assert "The ferry to Norden sank in 1911." in found
    assert len(found.split()) <= WORDS


def test_equally_close_parts_keep_their_order() -> None:
    words = "harbour bridge council river engine garden museum village castle winter market railway".split()
    for seed in range(50):  # adding the same floats in another order may give another sum
        shuffled = random.Random(seed).sample(words, len(words))
        halves = shuffled[:6], shuffled[6:]
        parts = [" ".join(half) for half in halves]
        parts += [
            f"{one} {other}"
            for often, (one, other) in enumerate(zip(*halves, strict=True))
            for _ in range(often)
        ]
        order = by_closeness(" ".join(shuffled), parts)
        assert order.index(0) < order.index(1)


def test_kept_parts_stay_in_order() -> None:
    text = "The bridge opened in 1932. " + FILLER * 10 + "The bridge closed in 1990."
    found = excerpt("The bridge opened in 1932 and closed in 1990.", [text])
    assert found.index("1932") < found.index("1990")


def test_a_table_keeps_its_column_names() -> None:
    rows = "\n".join(f"Town {n} | {n * 100} | north" for n in range(80))
    found = excerpt("Town 42 has 4200 inhabitants.", [f"Towns\nname | inhabitants | side\n{rows}"])
    assert "name | inhabitants | side" in found
    assert "Town 42 | 4200" in found


def test_tables_split_into_lines_and_prose_into_sentences() -> None:
    assert split_parts("a | b\n1 | 2") == ["a | b", "1 | 2"]
    assert split_parts("One thing. Another\nthing.") == ["One thing.", "Another\nthing."]


@given(st.text(max_size=200), st.lists(st.text(max_size=400), max_size=5))
def test_any_text_stays_within_the_word_limit(claim: str, passages: list[str]) -> None:
    assert len(excerpt(claim, passages, 20).split()) <= 20


@given(st.text(max_size=100), st.lists(st.text(max_size=60), max_size=8))
def test_every_part_is_ranked_once(claim: str, parts: list[str]) -> None:
    assert sorted(by_closeness(claim, parts)) == list(range(len(parts)))
