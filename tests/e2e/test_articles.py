"""Whole articles of plain statements about countries, half of them wrong in one detail.

Written from the Factbook's own data, without a look at the code: `articles/*.json` says for each sentence
whether it holds. The floor is what users were promised; raise it, never lower it.
"""

import asyncio
import json
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from veridic.config.settings import Settings
from veridic.domain.decision import Decision
from veridic.domain.events import EventName
from veridic.domain.evidence import Stance
from veridic.domain.report import Report
from veridic.domain.verdicts import Scale, say
from veridic.ingest.read import read_document
from veridic.pipeline.corpora import open_reference
from veridic.pipeline.engine import EmbeddedEngine
from veridic.pipeline.thorough import check_document

FLOOR = 16
HIGH_CONFIDENCE = 0.8
AS_OF = date(2026, 11, 15)
ARTICLES = sorted(
    path for path in (Path(__file__).parent / "articles").iterdir() if path.suffix in (".md", ".txt")
)


class Statement(NamedTuple):
    sentence: str
    holds: bool
    decisions: list[Decision]

    @property
    def verdict(self) -> str:
        """The sentence's verdict: wrong if any claim in it is."""
        words = [say(decision.verdict, Scale.VALIDATION) for decision in self.decisions]
        return next((word for word in ("FALSE", "TRUE", "MISLEADING") if word in words), "UNVERIFIABLE")

    @property
    def is_right(self) -> bool:
        return self.verdict == ("TRUE" if self.holds else "FALSE")

    @property
    def is_wrong_and_sure(self) -> bool:
        opposite = "FALSE" if self.holds else "TRUE"
        return self.verdict == opposite and max(d.confidence for d in self.decisions) >= HIGH_CONFIDENCE


def check(path: Path, settings: Settings) -> Report:
    engine = EmbeddedEngine([open_reference(settings)], settings, as_of=AS_OF)

    async def report() -> Report:
        events = check_document(
            read_document(str(path), settings=settings), engine, as_of=AS_OF, threshold=0.85
        )
        found = [event.data["report"] async for event in events if event.name is EventName.REPORT_READY]
        assert isinstance(found[0], Report)
        return found[0]

    return asyncio.run(report())


def statements(path: Path, report: Report) -> list[Statement]:
    found = []
    for row in json.loads(path.with_suffix(".json").read_text(encoding="utf-8")):
        start = report.document.text.index(row["sentence"])
        end = start + len(row["sentence"])
        inside = [d for d in report.decisions if start <= d.claim.span[0] and d.claim.span[1] <= end + 1]
        found.append(Statement(row["sentence"], row["expected"] == "SUPPORTED", inside))
    return found


@pytest.mark.parametrize("path", ARTICLES, ids=lambda path: path.name)
def test_most_verdicts_are_right_and_none_is_wrong_with_high_confidence(
    path: Path, reference_home: Path
) -> None:
    report = check(path, Settings(home=reference_home))
    checked = statements(path, report)
    assert len(checked) == 20
    missed = [f"{s.verdict}: {s.sentence}" for s in checked if not s.is_right]
    assert sum(s.is_right for s in checked) >= FLOOR, missed
    assert not [s.sentence for s in checked if s.is_wrong_and_sure]


@pytest.mark.parametrize("path", ARTICLES[:2], ids=lambda path: path.name)
def test_every_verdict_has_a_quote_from_the_factbook(path: Path, reference_home: Path) -> None:
    report = check(path, Settings(home=reference_home))
    for decision in report.decisions:
        if say(decision.verdict, Scale.VALIDATION) in ("TRUE", "FALSE"):
            cited = [e for e in decision.evidence if e.stance is not Stance.CONTEXTUAL]
            assert cited
            assert all(e.source.domain == "cia.gov" and e.source.url and e.assessment.quote for e in cited)
            assert all(e.assessment.quote in e.passage.text for e in cited)
