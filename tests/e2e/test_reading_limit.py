"""However much there is to search, a claim costs no more than twelve passages of reading."""

import json
from pathlib import Path

from veridic import check_text
from veridic.config.settings import Settings

PASSAGES = 10_000
TOWNS = [f"Orten {number}" for number in range(20)]


def test_claim_reads_at_most_twelve_passages(tmp_path: Path) -> None:
    lines = [
        {
            "text": f"{TOWNS[n % 20]} has {n + 100} streets, and its market opens on day {n % 7}.",
            "title": f"Note {n}",
        }
        for n in range(PASSAGES)
    ]
    corpus = tmp_path / "notes.jsonl"
    corpus.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    article = " ".join(f"The market of {town} has been closed for years." for town in TOWNS)
    report = check_text(article, against=[corpus], settings=Settings(home=tmp_path / "home"))
    assert len(report.decisions) == len(TOWNS)
    assert {decision.passages_read for decision in report.decisions} <= set(range(1, 13))
