"""Lies about a small project are found, and the truth is left alone."""

from benchmarks.docs_against_code import PROJECT, alarms, surviving
from benchmarks.mutants import MUTANTS

LEAST_FOUND = 0.9
SAMPLE = MUTANTS[::3]
"""The benchmark takes them all."""


def test_the_truth_raises_no_alarm() -> None:
    assert alarms(PROJECT) == set()


def test_most_lies_are_found() -> None:
    missed = list(map(str, surviving(SAMPLE)))
    assert len(missed) <= (1 - LEAST_FOUND) * len(SAMPLE), missed
