"""What has been reached on the development data holds, on a sample that takes seconds."""

from pathlib import Path

import pytest
from benchmarks.floors import load_pinned
from benchmarks.floors_measured import (
    SAMPLED_CLAIMS,
    SAMPLED_STORIES,
    data_folder,
    digests,
    reached,
    reached_by_checks,
    read_data,
    sample,
)
from benchmarks.floors_pinned import Floors, falls_of_data, sample_falls

from veridic.domain.progress import ignore_progress

DATA = data_folder()  # read here: within a test, no setting of the person's own is left


@pytest.fixture
def pinned() -> Floors:
    floors = load_pinned()
    assert floors is not None, (
        "nothing is pinned: `make floors UPDATE=1` measures and writes benchmarks/floors.json"
    )
    return floors


@pytest.fixture
def data() -> Path:
    if DATA is None:
        pytest.skip("the development data is not here: floors are not held; VERIDIC_DATA names its folder")
    return DATA


def test_the_data_is_what_the_floors_were_measured_on(pinned: Floors, data: Path) -> None:
    assert falls_of_data(pinned.data, digests(data)) == []


def test_nothing_has_fallen_on_the_sample(pinned: Floors, data: Path) -> None:
    found = reached(*sample(*read_data(data)), ignore_progress)
    by_checks = reached_by_checks(
        data, stories=SAMPLED_STORIES, claims=SAMPLED_CLAIMS, progress=ignore_progress
    )
    assert sample_falls(pinned.sample, found | by_checks) == []
