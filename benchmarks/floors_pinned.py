"""What has been reached and must not be lost: floors, how they are compared and when they may move. Pure."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

CEILINGS = frozenset(
    {"calibration_error", "wrong_and_sure", "not_listed", "colour_listed_as_claims", "wrong"}
)
"""Measures of which less is better."""
TOLERANCE = 0.005
"""Other processors round otherwise, and a few rows of the whole data tip over."""
SAMPLE_TOLERANCE = 0.015
SAMPLE_ROWS_OF_SLACK = 2
"""On 44 rows a single one makes a difference of 0.02."""

Reached = Mapping[str, Mapping[str, float]]
"""By set, then by measure; `rows` is how many rows the set has."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Lowered(_Frozen):
    """A floor that was lowered, and why."""

    date: date
    what: str
    why: str


class Floors(_Frozen):
    """What `floors.json` holds."""

    data: dict[str, str]
    """The SHA-256 of each data file."""
    full: dict[str, dict[str, int | float]]
    sample: dict[str, dict[str, int | float]]
    """The same on a few hundred rows, for a test that is quick."""
    lowered: tuple[Lowered, ...] = ()


class Fall(NamedTuple):
    """One thing that is not what it was."""

    what: str
    pinned: str
    found: str

    def __str__(self) -> str:
        return f"{self.what}: {self.pinned} pinned, {self.found} found"


class FallenError(Exception):
    """An update would lower floors, and no reason was given."""

    def __init__(self, falls: list[Fall]) -> None:
        super().__init__("; ".join(map(str, falls)))
        self.falls = falls


def falls_of_data(pinned: Mapping[str, str], found: Mapping[str, str]) -> list[Fall]:
    """Data files that are not those the floors were measured on."""
    return [
        Fall(name, digest[:12], found.get(name, "nothing")[:12])
        for name, digest in pinned.items()
        if found.get(name) != digest
    ]


def falls(
    part: str, pinned: Reached, found: Reached, *, tolerance: float, rows_of_slack: int = 0
) -> list[Fall]:
    """Measures that are worse than pinned by more than the tolerance, and those that are gone.

    Where a set is so small that a few rows make a larger difference, `rows_of_slack` rows are tolerated.
    """
    return [
        Fall(f"{part} {name} {measure}", f"{floor:g}", "nothing" if value is None else f"{value:g}")
        for name, measures in pinned.items()
        for measure, floor in measures.items()
        for value in [found.get(name, {}).get(measure)]
        if value is None
        or _is_worse(
            measure, floor, value, max(tolerance, rows_of_slack / max(1.0, measures.get("rows", 1.0)))
        )
    ]


def _is_worse(measure: str, floor: float, value: float, tolerance: float) -> bool:
    if measure == "rows":
        return value != floor
    if measure in CEILINGS:
        return value > floor + tolerance
    return value < floor - tolerance


def all_falls(pinned: Floors, found: Floors) -> list[Fall]:
    """What is worse, gone, or measured on other data."""
    return [
        *falls_of_data(pinned.data, found.data),
        *falls("full", pinned.full, found.full, tolerance=TOLERANCE),
        *sample_falls(pinned.sample, found.sample),
    ]


def sample_falls(pinned: Reached, found: Reached) -> list[Fall]:
    """What is worse on the sample than other processors' rounding can explain."""
    return falls("sample", pinned, found, tolerance=SAMPLE_TOLERANCE, rows_of_slack=SAMPLE_ROWS_OF_SLACK)


def updated(before: Floors | None, after: Floors, because: str | None, today: date) -> Floors:
    """The floors to pin now, with the reasons why any was ever lowered.

    What is lower by no more than the tolerance keeps its floor. `FallenError` names what is lower than that (or was
    measured on other data), unless `because` says why; then it is pinned as it is now.
    """
    if before is None:
        return after
    fallen = all_falls(before, after)
    if not fallen:
        return before.model_copy(
            update={"full": _better(before.full, after.full), "sample": _better(before.sample, after.sample)}
        )
    if not because:
        raise FallenError(fallen)
    reasons = tuple(Lowered(date=today, what=str(fall), why=because) for fall in fallen)
    return after.model_copy(update={"lowered": (*before.lowered, *reasons)})


def _better(before: Reached, after: Reached) -> dict[str, dict[str, float]]:
    """Of each measure the better one; sets and measures that are new come in."""
    return {
        name: {
            measure: value
            if (floor := before.get(name, {}).get(measure)) is None
            or not _is_worse(measure, floor, value, tolerance=0)
            else floor
            for measure, value in measures.items()
        }
        for name, measures in after.items()
    }
