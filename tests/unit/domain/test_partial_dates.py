"""Partial dates: parsing, writing, comparison."""

from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ConfigDict, ValidationError

from veridic.domain.base import Frozen
from veridic.domain.dates import DateField, PartialDate

DAYS = st.dates()
PARTIAL = st.builds(
    lambda day, precision: PartialDate(*(day.year, day.month, day.day)[:precision]), DAYS, st.integers(1, 3)
)


class Dated(Frozen):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    when: DateField | None = None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024", date(2024, 1, 1), date(2024, 12, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2023-02", date(2023, 2, 1), date(2023, 2, 28)),
        ("2024-05-03", date(2024, 5, 3), date(2024, 5, 3)),
        (" 2024-05-03T12:00:00Z", date(2024, 5, 3), date(2024, 5, 3)),
        ("0001", date(1, 1, 1), date(1, 12, 31)),
        ("9999-12", date(9999, 12, 1), date(9999, 12, 31)),
    ],
)
def test_interval_of_a_date(text: str, first: date, last: date) -> None:
    parsed = PartialDate.parse(text)
    assert (parsed.first, parsed.last) == (first, last)


@pytest.mark.parametrize(
    "text", ["", "soon", "24-05-03", "0000", "2024-13", "2024-02-30", "2024-00", "2024-05-00", "May 2024"]
)
def test_invalid_date_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        PartialDate.parse(text)


def test_day_needs_a_month() -> None:
    with pytest.raises(ValueError, match="a day needs a month"):
        PartialDate(2024, None, 3)


@given(PARTIAL)
def test_string_round_trip(when: PartialDate) -> None:
    assert PartialDate.parse(str(when)) == when
    assert hash(PartialDate.parse(str(when))) == hash(when)
    assert str(when) in repr(when)


@given(PARTIAL)
def test_interval_length_matches_the_precision(when: PartialDate) -> None:
    days = (when.last - when.first).days + 1
    assert days in {3: (1,), 2: (28, 29, 30, 31), 1: (365, 366)}[len(str(when).split("-"))]


@given(PARTIAL, PARTIAL)
def test_overlap_is_symmetric_and_needs_a_common_day(one: PartialDate, other: PartialDate) -> None:
    assert one.overlaps(other) == other.overlaps(one)
    assert one.overlaps(other) == (max(one.first, other.first) <= min(one.last, other.last))
    assert one.overlaps(one)


@given(DAYS)
def test_day_overlaps_its_month_and_year(day: date) -> None:
    exact = PartialDate.of(day)
    assert exact.first == exact.last == day
    assert exact.overlaps(PartialDate(day.year))
    assert exact.overlaps(PartialDate(day.year, day.month))
    assert exact != PartialDate(day.year, day.month)


def test_not_equal_to_other_types() -> None:
    assert PartialDate(2024) != "2024"
    assert len({PartialDate(2024), PartialDate(2024), PartialDate(2024, 1)}) == 2


@pytest.mark.parametrize(
    ("given_value", "written"),
    [
        ("2024", "2024"),
        ("2024-05-03", "2024-05-03"),
        (date(2024, 5, 3), "2024-05-03"),
        (datetime(2024, 5, 3, 12), "2024-05-03"),  # noqa: DTZ001
        (PartialDate(2024, 5), "2024-05"),
        (None, None),
    ],
)
def test_field_is_an_iso_string(given_value: Any, written: str | None) -> None:
    dated = Dated.model_validate({"when": given_value})
    assert dated.model_dump(mode="json") == {"when": written}
    assert Dated.model_validate_json(dated.model_dump_json()) == dated


@pytest.mark.parametrize("value", ["yesterday", 2024, 3.5, ["2024"]])
def test_field_rejects_other_values(value: Any) -> None:
    with pytest.raises(ValidationError):
        Dated.model_validate({"when": value})


def test_field_schema_matches_the_string() -> None:
    schema = Dated.model_json_schema()["properties"]["when"]
    assert {"type": "string", "pattern": r"^\d{4}(-\d{2}(-\d{2})?)?$"} in schema["anyOf"]
