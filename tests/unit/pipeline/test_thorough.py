"""A whole document: events in order, and a report made of every decision."""

import asyncio
from datetime import date
from typing import cast

import pytest
from tests.unit.pipeline.fakes import AS_OF, FakeJudge, FakeRetriever, passage

from veridic.config.settings import Settings
from veridic.domain.dates import PartialDate
from veridic.domain.document import Document
from veridic.domain.events import Event, EventName
from veridic.domain.evidence import Stance
from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict
from veridic.ingest.read import document_from_text
from veridic.pipeline.engine import EmbeddedEngine
from veridic.pipeline.thorough import check_document

TRUE, FALSE = "The capital of Australia is Canberra.", "The capital of Chad is Lima."
FOUND = passage("Canberra is the capital of Australia, N'Djamena that of Chad.")


class FakeEngine:
    embed = None  # check-worthiness by the wording, with no model to load
    name = "fake"

    def __init__(self, *retrievers: FakeRetriever) -> None:
        self.settings = Settings()
        self.retrievers = retrievers or (FakeRetriever(FOUND),)
        self.judge = FakeJudge(
            {(TRUE, FOUND.text): Stance.SUPPORTING, (FALSE, FOUND.text): Stance.CONTRADICTING}
        )


def check(document: Document | str, engine: FakeEngine | None = None, as_of: date = AS_OF) -> list[Event]:
    if isinstance(document, str):
        document = document_from_text(document, source="-")

    async def follow() -> list[Event]:
        used = cast("EmbeddedEngine", engine or FakeEngine())
        return [event async for event in check_document(document, used, as_of=as_of, threshold=0.85)]

    return asyncio.run(follow())


def report_of(events: list[Event]) -> Report:
    assert events[-1].name is EventName.REPORT_READY
    report = events[-1].data["report"]
    assert isinstance(report, Report)
    return report


def test_events_come_in_order_and_claim_by_claim() -> None:
    events = check(f"{TRUE} {FALSE}")
    names = [event.name for event in events]
    assert names[:2] == [EventName.CHECK_STARTED, EventName.CLAIMS_EXTRACTED]
    assert events[0].data == {"mode": "thorough", "engine": "fake", "source": "-"}
    assert [claim["text"] for claim in events[1].data["claims"]] == [TRUE, FALSE]
    of_claims = [event.data["claim_id"] for event in events if "claim_id" in event.data]
    assert of_claims == sorted(of_claims)
    assert names.count(EventName.CLAIM_DECIDED) == 2


def test_the_report_puts_every_decision_together() -> None:
    report = report_of(check(f"{TRUE} {FALSE} Is it hot?"))
    assert [decision.verdict for decision in report.decisions] == [Verdict.SUPPORTED, Verdict.REFUTED]
    assert report.counts() == {Verdict.SUPPORTED: 1, Verdict.REFUTED: 1}
    assert (report.verdict, report.summary) == (
        Verdict.MISLEADING,
        "Of 2 claims checked: 1 supported and 1 refuted.",
    )
    assert [omission.text for omission in report.omissions] == ["Is it hot?"]
    assert (report.sources, report.corpora) == ((FOUND.source,), ("desk",))
    assert (report.mode, report.engine, report.as_of, report.errors) == ("thorough", "fake", AS_OF, ())


def test_a_text_without_claims() -> None:
    report = report_of(check("Is it hot? Bring water."))
    assert (report.decisions, report.credibility_score) == ((), None)
    assert (report.verdict, report.summary) == (Verdict.UNVERIFIABLE, "No verifiable claims identified.")


def test_a_text_in_another_language_is_said_to_be_so() -> None:
    german = "Die Hauptstadt von Australien ist Sydney. Das Land hat fast dreißig Millionen Einwohner und viele Strände."
    report = report_of(check(german))
    assert report.decisions == ()
    assert report.language == "de"
    assert "not in English (de)" in report.summary


@pytest.mark.parametrize(
    ("published", "verdict"),
    [
        (PartialDate(2023), Verdict.OUTDATED),
        (None, Verdict.CONTESTED),
        (PartialDate(2030), Verdict.CONTESTED),
    ],
)
def test_a_claim_was_made_when_its_document_was_published(
    published: PartialDate | None, verdict: Verdict
) -> None:
    old = passage("Canberra is the capital.", "2020")
    new = [
        passage("Sydney is the capital.", "2026-02"),
        passage("Parliament has moved to the coast.", "2026-05"),
    ]
    engine = FakeEngine(FakeRetriever(old, *new))
    engine.judge = FakeJudge(
        {(TRUE, old.text): Stance.SUPPORTING} | {(TRUE, one.text): Stance.CONTRADICTING for one in new}
    )
    document = document_from_text(TRUE, source="-").model_copy(update={"published": published})
    (decision,) = report_of(check(document, engine)).decisions
    # Sources of both sides make it contested, unless those against it are what came after the claim.
    assert decision.verdict is verdict
