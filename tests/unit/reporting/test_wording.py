from datetime import date

import pytest
from tests.builders import make_difference, make_evidence

from veridic.domain.claim import FramingKind
from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Detail, Difference, Stance, Tier
from veridic.domain.usage import ModelCall, add_up
from veridic.domain.verdicts import Verdict
from veridic.reporting import wording
from veridic.reporting.wording import Tone


@pytest.mark.parametrize(
    ("score", "tone"),
    [
        (100, Tone.GOOD),
        (70, Tone.GOOD),
        (69, Tone.CAUTION),
        (40, Tone.CAUTION),
        (39, Tone.BAD),
        (0, Tone.BAD),
        (None, Tone.OPEN),
    ],
)
def test_score_tones(score: int | None, tone: Tone) -> None:
    assert wording.score_tone(score) is tone


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (PartialDate(2024), "2024"),
        (PartialDate(2024, 5), "May 2024"),
        (PartialDate(2024, 5, 3), "3 May 2024"),
        (date(2026, 11, 15), "15 November 2026"),
        (None, "undated"),
    ],
)
def test_dates_keep_their_precision(value: date | PartialDate | None, said: str) -> None:
    assert wording.day(value) == said


@pytest.mark.parametrize(("share", "said"), [(0.999, "99%"), (1.0, "100%"), (0.0, "0%"), (0.125, "12%")])
def test_only_1_is_100_percent(share: float, said: str) -> None:
    assert wording.percent(share) == said


def test_every_value_has_a_word() -> None:
    for table in (wording.TONES, wording.MARKS, wording.MEANINGS, wording.READING_ORDER):
        assert set(table) == set(Verdict)
    assert len(set(wording.MARKS.values())) == len(Verdict)
    assert set(wording.STANCES) == set(wording.STANCE_TONES) == set(Stance)
    assert set(wording.TIERS) == set(Tier)
    assert set(wording.FRAMINGS) == set(FramingKind)


def test_cost_wording() -> None:
    billed = ModelCall(stage="extract", model="m", cost_usd=0.5)
    estimated = billed.model_copy(update={"cost_is_estimate": True})
    unknown = billed.model_copy(update={"cost_usd": None})
    assert wording.cost(add_up([billed, billed])) == "1.0000 USD"
    assert wording.cost(add_up([billed, estimated])) == "about 1.0000 USD"
    assert wording.cost(add_up([billed, unknown])) == "0.5000 USD and 1 call of unknown cost"


@pytest.mark.parametrize(
    ("differences", "line"),
    [
        ((), ""),
        (
            (make_difference("40 million", "26,768,598"),),
            "Differs: figure “26,768,598”, not “40 million”.",
        ),
        (
            (
                make_difference("2019", "2016", Detail.DATE),
                make_difference("", "not", Detail.NEGATION),
                make_difference("Sydney", "Canberra", Detail.NAME),
            ),
            "Differs: date “2016”, not “2019”; one of the two has a negation; name “Canberra”, not “Sydney”.",
        ),
    ],
)
def test_differences_in_one_sentence(differences: tuple[Difference, ...], line: str) -> None:
    assert wording.differences_line(make_evidence(differences=differences)) == line


@pytest.mark.parametrize("kind", Detail)
def test_every_kind_of_difference_has_a_word(kind: Detail) -> None:
    assert wording.differences_line(make_evidence(differences=(make_difference("a", "b", kind),)))
