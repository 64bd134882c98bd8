"""Which places can be corrected after a change without a person's review."""

import pytest

from veridic.verify.changed import Change, Derived
from veridic.verify.revisions import Revised, find_changes
from veridic.verify.stale import is_correctable
from veridic.verify.units import TextUnit, units_of

VALUE = ("MAX_TRIES = 30\n", "MAX_TRIES = 45\n")
NAME = ("call(retry_limit)\n", "call(retry_count)\n")


def change_of(before: str, after: str) -> Change:
    (found,) = [one for one in find_changes([Revised("a.py", before, after)]) if one.derived is Derived.NOT]
    return found


def unit_of(text: str) -> TextUnit:
    return units_of("README.md", text)[0]


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("`max_tries`: at most 30.", True),
        ("| `max-tries` | 30 |", True),
        ("It tries 30 times.", False),
        ("`max_tries` is 30, not 30 seconds.", False),
        ("`max_tries` is 30%.", False),
        ("```\nmax_tries = 30\n", False),
    ],
    ids=["named", "row", "unnamed", "twice", "part", "example"],
)
def test_value_is_corrected_beside_its_name(text: str, is_right: bool) -> None:
    assert is_correctable(change_of(*VALUE), unit_of(text), "30", 3, {"45"}) is is_right


@pytest.mark.parametrize(
    ("still", "news", "is_right"),
    [(0, {"retry_count"}, True), (1, {"retry_count"}, False), (0, {"retry_count", "other"}, False)],
    ids=["gone", "still there", "two successors"],
)
def test_name_is_corrected_if_renamed_everywhere(still: int, news: set[str], is_right: bool) -> None:
    unit = unit_of("Set `retry_limit` to stop earlier.")
    assert is_correctable(change_of(*NAME), unit, "retry_limit", still, news) is is_right


def test_removed_value_has_no_correction() -> None:
    change = change_of("call(retry_limit)\n", "call()\n")
    assert not is_correctable(change, unit_of("Set `retry_limit`."), "retry_limit", 0, {None})
