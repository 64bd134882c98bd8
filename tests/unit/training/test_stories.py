"""The stories that are in the repository, and how they become what is trained on."""

import gzip
import json
from typing import Any

import pytest
from training.rows import NEI
from training.stories import FOLDER, FOR_DECISION, FOR_NETWORK, OPEN_SOURCES, rows_of, story_of

from veridic.bench.story import Story

FILES = (FOR_NETWORK, FOR_DECISION)


def stories(name: str) -> list[dict[str, Any]]:
    with gzip.open(FOLDER / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", FILES)
def test_every_story_can_be_measured_on_too(name: str) -> None:
    found = [Story.model_validate(story) for story in stories(name)]
    assert len(found) >= 50


def test_no_story_is_used_for_both() -> None:
    of_network, of_decision = (
        {(story["id"], story["article"]["title"]) for story in stories(name)} for name in FILES
    )
    assert not of_network & of_decision


BORNE_OUT_BY: dict[str, list[set[str]]] = {
    "SUPPORTED": [{"SUPPORTED"}],
    "REFUTED": [{"REFUTED"}, {"SUPPORTED", "REFUTED"}],
    "NEI": [set()],
    "OUTDATED": [{"SUPPORTED", "REFUTED"}],
    "CONTESTED": [{"SUPPORTED", "REFUTED"}],
}


@pytest.mark.parametrize("name", FILES)
def test_what_each_source_says_fits_what_all_come_to(name: str) -> None:
    odd = []
    for story in stories(name):
        for statement in story["statements"]:
            sides = set(statement["bearing"].values())
            if not statement["doubtful"] and sides not in BORNE_OUT_BY[statement["label"]]:
                odd.append((story["id"], statement["words"], statement["label"], sides))
    assert len(odd) <= 0.02 * sum(len(story["statements"]) for story in stories(name)), odd


SMALL = {
    "id": "small",
    "article": {
        "title": "Mill sold",
        "published": "2025-03-12",
        "text": "Anna Berg sold the mill in May. The mill employs 40 people.",
    },
    "sources": [
        {"id": f"s{n}", "title": f"Paper {n}", "date": "2025-03-01", "domain": "example.org", "text": text}
        for n, text in enumerate(
            [
                "The mill was sold by Anna Berg in May.",
                "Anna Berg did not sell the mill.",
                "The mill is old.",
                "A mill needs water.",
                "No mill is like another mill.",
            ]
        )
    ],
    "statements": [
        {
            "words": "Anna Berg sold the mill in May",
            "label": "CONTESTED",
            "bearing": {"s0": "SUPPORTED", "s1": "REFUTED"},
            "doubtful": ["s2"],
            "kind": "other",
        }
    ],
    "not_claims": [],
}


def test_statement_is_read_against_each_deciding_source() -> None:
    rows = list(rows_of([story_of(SMALL)]))
    assert [row.evidence[0] for row in rows if row.label == "SUPPORTED"] == [
        "Paper 0 (1 March 2025): The mill was sold by Anna Berg in May."
    ]
    assert sum(row.label == "REFUTED" for row in rows) == 1
    assert sum(row.label == NEI for row in rows) == OPEN_SOURCES


def test_what_the_readers_doubted_is_not_trained_on() -> None:
    assert not any("The mill is old" in row.evidence[0] for row in rows_of([story_of(SMALL)]))
