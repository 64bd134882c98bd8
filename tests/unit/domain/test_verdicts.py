"""The verdict scales, compared with the table of the design."""

import pytest

from veridic.domain.verdicts import Scale, Verdict, read, say, words

SCALES = (Scale.CONSENSUS, Scale.VALIDATION, Scale.RATING, Scale.CODE, Scale.LOOP)
TABLE = """
SUPPORTED        | VERIFIED     | TRUE         | true         | Verified     | VERIFIED
MOSTLY_SUPPORTED | VERIFIED     | TRUE         | mostly_true  | Incomplete   | PARTIAL
PARTIAL          | DISPUTED     | MISLEADING   | mixed        | Incomplete   | PARTIAL
MISLEADING       | DISPUTED     | MISLEADING   | mostly_false | Misleading   | PARTIAL
OUTDATED         | DISPUTED     | MISLEADING   | mostly_false | Stale        | OUTDATED
REFUTED          | DISPUTED     | FALSE        | false        | Refuted      | CONTRADICTED
CONTESTED        | DISPUTED     | UNVERIFIABLE | mixed        | Contested    | PARTIAL
AMBIGUOUS        | UNVERIFIABLE | UNVERIFIABLE | unverifiable | Ambiguous    | UNVERIFIABLE
UNVERIFIABLE     | UNVERIFIABLE | UNVERIFIABLE | unverifiable | Inconclusive | UNVERIFIABLE
"""
ROWS = [[cell.strip() for cell in line.split("|")] for line in TABLE.strip().splitlines()]
CELLS = [(Verdict(row[0]), scale, word) for row in ROWS for scale, word in zip(SCALES, row[1:], strict=True)]


def test_table_has_every_verdict_and_scale() -> None:
    assert [Verdict(row[0]) for row in ROWS] == list(Verdict)
    assert set(SCALES) == set(Scale)


@pytest.mark.parametrize(("verdict", "scale", "word"), CELLS)
def test_word_for_a_verdict(verdict: Verdict, scale: Scale, word: str) -> None:
    assert say(verdict, scale) == word


@pytest.mark.parametrize(("verdict", "scale", "word"), CELLS)
def test_word_reads_back_to_a_verdict_with_that_word(verdict: Verdict, scale: Scale, word: str) -> None:
    back = read(word, scale)
    assert say(back, scale) == word
    said_so = [
        other for other, other_scale, other_word in CELLS if (other_scale, other_word) == (scale, word)
    ]
    assert back in said_so
    if len(said_so) == 1:
        assert back is verdict


@pytest.mark.parametrize("scale", SCALES)
def test_words_of_a_scale(scale: Scale) -> None:
    assert set(words(scale)) == {word for _, of, word in CELLS if of is scale}


@pytest.mark.parametrize(
    ("scale", "word", "verdict"),
    [
        (Scale.VALIDATION, "TRUE", Verdict.SUPPORTED),
        (Scale.VALIDATION, "UNVERIFIABLE", Verdict.UNVERIFIABLE),
        (Scale.RATING, "mixed", Verdict.PARTIAL),
        (Scale.RATING, "mostly_false", Verdict.MISLEADING),
        (Scale.CONSENSUS, "DISPUTED", Verdict.REFUTED),
        (Scale.CODE, "Incomplete", Verdict.PARTIAL),
        (Scale.LOOP, "PARTIAL", Verdict.PARTIAL),
    ],
)
def test_ambiguous_word_means_the_plainest_verdict(scale: Scale, word: str, verdict: Verdict) -> None:
    assert read(word, scale) is verdict


def test_unknown_word_lists_the_known_words() -> None:
    with pytest.raises(ValueError, match="'Maybe' is not on the rating scale") as caught:
        read("Maybe", Scale.RATING)
    assert all(word in str(caught.value) for word in words(Scale.RATING))
