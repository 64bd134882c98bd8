"""Verdicts that a check of a changed text takes over from the check before it."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from tests.unit.engine.fakes import AS_OF, FakeJudge, FakeObserver, bare, passage

from veridic.check.kept import Conditions, EarlierCheck, KeptVerdicts, why_nothing_is_kept
from veridic.check.run import Plan, RunParts, ValidationRun
from veridic.config.settings import Settings
from veridic.domain.dates import PartialDate
from veridic.domain.document import Document
from veridic.domain.events import Event, EventName
from veridic.domain.evidence import Channel, Stance
from veridic.domain.modes import Mode
from veridic.domain.report import KeptFrom, Report
from veridic.domain.verdicts import Verdict
from veridic.engine.embedded_reader import EmbeddedLister, EmbeddedReader, ReaderOptions
from veridic.engine.order import CheckOrder
from veridic.engine.steps import InMemorySteps
from veridic.evidence.build import CorpusItem
from veridic.evidence.corpus import Corpora
from veridic.ingest.read import document_from_text
from veridic.providers.llm.meter import Meter

TRUE, FALSE = "The capital of Australia is Canberra", "The capital of Chad is Lima"
NEW = "The capital of Peru is Lima"
FOUND = passage("Canberra is the capital of Australia, N'Djamena that of Chad.")
STARTED = datetime(2026, 11, 15, 9, tzinfo=UTC)
ID = "FC-2026-000001"


def check(text: str, observer: FakeObserver, kept: KeptVerdicts | None = None) -> tuple[Report, list[Event]]:
    judge = FakeJudge({(TRUE, FOUND.text): Stance.SUPPORTING, (FALSE, FOUND.text): Stance.CONTRADICTING})
    reader = EmbeddedReader(judge, ReaderOptions(as_of=AS_OF, claim_date=AS_OF))
    parts = RunParts("fake", {}, EmbeddedLister(None), observer, reader, ("desk",))
    run = ValidationRun(
        document_from_text(text, source="-"),
        parts,
        Plan(mode=Mode.THOROUGH, as_of=AS_OF),
        steps=InMemorySteps(),
        meter=Meter(),
        kept=kept,
    )

    async def follow() -> list[Event]:
        return [event async for event in run.events()]

    events = asyncio.run(follow())
    report = events[-1].data["report"]
    assert isinstance(report, Report)
    return report, events


def earlier_check(report: Report, order: CheckOrder | None = None) -> EarlierCheck:
    order = order or CheckOrder(document=report.document, against=("desk",))
    return EarlierCheck(ID, STARTED, order, report, is_of_today=True, same_settings=True)


def asked_for(text: str, *, before: str, observer: FakeObserver | None = None) -> tuple[Report, list[str]]:
    """Check `before`, then `text` with the verdicts kept; return its report and what evidence was gathered for."""
    first, _ = check(before, observer or FakeObserver(FOUND))
    gathering = FakeObserver(FOUND)
    report, _ = check(text, gathering, KeptVerdicts(earlier_check(first)))
    return report, [bare(question) for question in gathering.asked]


def test_only_a_claim_that_is_new_is_checked() -> None:
    report, asked = asked_for(f"{NEW}. {TRUE}. {FALSE}.", before=f"{TRUE}. {FALSE}.")

    assert asked == [NEW]
    assert [decision.verdict for decision in report.decisions][1:] == [Verdict.SUPPORTED, Verdict.REFUTED]
    assert report.kept == KeptFrom(check=ID, claims=("claim_2", "claim_3"))
    assert f"2 of 3 verdicts were kept from {ID}" in report.summary
    for decision in report.decisions:
        start, end = decision.claim.span
        assert report.document.text[start:end] == decision.claim.quote


def test_a_claim_in_another_sentence_is_checked_anew() -> None:
    report, asked = asked_for(f"In 1901, {TRUE.lower()}. {FALSE}.", before=f"{TRUE}. {FALSE}.")

    assert FALSE not in asked
    assert len(asked) == len(report.decisions) - 1


def test_a_verdict_without_all_its_searches_is_made_again() -> None:
    unanswered = FakeObserver(FOUND, problems={Channel.NEWS: "no answer"})

    _, asked = asked_for(f"{TRUE}.", before=f"{TRUE}.", observer=unanswered)

    assert asked == [TRUE]


def test_clients_are_told_of_kept_verdicts() -> None:
    first, _ = check(f"{TRUE}.", FakeObserver(FOUND))
    _, events = check(f"{TRUE}.", FakeObserver(), KeptVerdicts(earlier_check(first)))

    of_claim = [event.name for event in events if event.data.get("claim_id") == "claim_1"]
    assert of_claim == [EventName.CLAIM_STARTED, EventName.CLAIM_VERIFIED]
    assert EventName.CLAIM_DECIDED in [event.name for event in events]


def _conditions(report: Report, **changes: object) -> Conditions:
    now = Conditions(report.engine, dict(report.models), report.corpora, asks_web=False, as_of=report.as_of)
    return now._replace(**changes)  # type: ignore[arg-type]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


@pytest.fixture
def earlier(settings: Settings) -> EarlierCheck:
    """A check against the corpus `desk`, which has not changed since."""
    _add_to_desk(settings, "Canberra is the capital of Australia.")
    report, _ = check(f"{TRUE}.", FakeObserver(FOUND))
    now = datetime.now(UTC)
    report = report.model_copy(update={"as_of": now.date()})
    return earlier_check(report)._replace(started=now)


def _add_to_desk(settings: Settings, text: str) -> None:
    def read() -> Sequence[Document]:
        return [document_from_text(text, source="a.txt")]

    Corpora(settings.corpora).add("desk", [CorpusItem("a.txt", text, read)])


def test_verdicts_hold_as_long_as_nothing_has_changed(settings: Settings, earlier: EarlierCheck) -> None:
    report, order = earlier.report, earlier.order

    assert why_nothing_is_kept(earlier, order, _conditions(report), settings) == ""
    later = _conditions(report, as_of=report.as_of + timedelta(days=3))
    assert why_nothing_is_kept(earlier, order, later, settings) == ""


def test_verdicts_of_other_sources_are_not_kept(settings: Settings, earlier: EarlierCheck) -> None:
    _add_to_desk(settings, "Sydney is the capital of Australia.")

    why = why_nothing_is_kept(earlier, earlier.order, _conditions(earlier.report), settings)

    assert why == "the sources have changed since"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"engine": "llm"}, "another engine"),
        ({"models": {"validator": "test/other"}}, "other models"),
        ({"searched": ("desk", "exa")}, "other sources"),
        ({"as_of": date(2020, 1, 1)}, "as of another day"),
    ],
)
def test_verdicts_reached_otherwise_are_not_kept(
    settings: Settings, earlier: EarlierCheck, changes: dict[str, object], why: str
) -> None:
    now = _conditions(earlier.report, **changes)

    assert why in why_nothing_is_kept(earlier, earlier.order, now, settings)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"threshold": 0.5}, "other settings"),
        ({"mode": Mode.SUMMARY}, "only thorough checks"),
        ({"against": ("desk", "reference")}, "other sources"),
        (
            {
                "document": document_from_text("A.", source="-").model_copy(
                    update={"published": PartialDate(2020)}
                )
            },
            "another date",
        ),
    ],
)
def test_an_order_that_asks_otherwise_keeps_nothing(
    settings: Settings, earlier: EarlierCheck, changes: dict[str, object], why: str
) -> None:
    order = earlier.order.model_copy(update=changes)

    assert why in why_nothing_is_kept(earlier, order, _conditions(earlier.report), settings)


def test_what_the_web_said_holds_for_its_day(settings: Settings, earlier: EarlierCheck) -> None:
    now = _conditions(earlier.report, asks_web=True)

    assert why_nothing_is_kept(earlier, earlier.order, now, settings) == ""
    old = earlier._replace(is_of_today=False)
    assert "older than a day" in why_nothing_is_kept(old, earlier.order, now, settings)


def test_other_settings_keep_nothing(settings: Settings, earlier: EarlierCheck) -> None:
    other = earlier._replace(same_settings=False)

    assert "other settings" in why_nothing_is_kept(other, earlier.order, _conditions(other.report), settings)
