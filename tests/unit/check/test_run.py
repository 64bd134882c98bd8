"""Runs of summary and thorough mode: events in order, and a report with every decision."""

import asyncio
from collections.abc import Sequence
from datetime import date

import pytest
from tests.unit.engine.fakes import AS_OF, FakeJudge, FakeObserver, bare, passage

from veridic.check.run import Plan, RunParts, ValidationRun
from veridic.domain.claim import Claim, Framing, FramingKind, OmissionReason
from veridic.domain.dates import PartialDate
from veridic.domain.document import Document
from veridic.domain.errors import BudgetError, ModelError, ProviderError
from veridic.domain.events import SIGNALS, Event, EventName
from veridic.domain.evidence import Channel, Stance
from veridic.domain.modes import Mode
from veridic.domain.report import Failure, Report
from veridic.domain.search import Gathered
from veridic.domain.validation import CitedSentence
from veridic.domain.verdicts import Verdict
from veridic.engine.embedded_reader import EmbeddedLister, EmbeddedReader, ReaderOptions
from veridic.engine.readers import (
    ArticleVerdict,
    ListedClaims,
    Lister,
    Observer,
    Reader,
    Reading,
    ReadTogether,
)
from veridic.engine.steps import InMemorySteps
from veridic.ingest.read import document_from_text
from veridic.providers.llm.meter import Meter

TRUE, FALSE = "The capital of Australia is Canberra", "The capital of Chad is Lima"
BOTH = f"{TRUE}. {FALSE}."
FOUND = passage("Canberra is the capital of Australia, N'Djamena that of Chad.")
JUDGE = FakeJudge({(TRUE, FOUND.text): Stance.SUPPORTING, (FALSE, FOUND.text): Stance.CONTRADICTING})
PLAN = Plan(mode=Mode.THOROUGH, as_of=AS_OF)


def reader_of(judge: FakeJudge = JUDGE, claim_date: date = AS_OF) -> EmbeddedReader:
    return EmbeddedReader(judge, ReaderOptions(as_of=AS_OF, claim_date=claim_date))


def check(
    document: Document | str,
    *,
    observer: Observer | None = None,
    reader: Reader | None = None,
    lister: Lister | None = None,
    plan: Plan = PLAN,
) -> list[Event]:
    """Return every event that clients see."""
    if isinstance(document, str):
        document = document_from_text(document, source="-")
    parts = RunParts(
        engine="fake",
        models={},
        lister=lister or EmbeddedLister(None),  # by wording alone, with no model to load
        observer=observer or FakeObserver(FOUND),
        reader=reader or reader_of(),
        searched=("desk",),
    )
    run = ValidationRun(document, parts, plan, steps=InMemorySteps(), meter=Meter())

    async def follow() -> list[Event]:
        return [event async for event in run.events() if event.name is not EventName.EVIDENCE_GATHERED]

    return asyncio.run(follow())


def report_of(events: list[Event]) -> Report:
    assert events[-1].name is EventName.REPORT_READY
    report = events[-1].data["report"]
    assert isinstance(report, Report)
    return report


def said_in(report: Report) -> list[str]:
    return [bare(decision.claim.text) for decision in report.decisions]


def test_events_come_in_order_claim_by_claim() -> None:
    events = check(BOTH)
    names = [event.name for event in events]
    assert names[:2] == [EventName.CHECK_STARTED, EventName.CLAIMS_EXTRACTED]
    assert events[0].data == {"mode": "thorough", "engine": "fake", "source": "-", "as_of": "2026-11-15"}
    assert [bare(claim["text"]) for claim in events[1].data["claims"]] == [TRUE, FALSE]
    of_claims = [event.data["claim_id"] for event in events if "claim_id" in event.data]
    assert of_claims == sorted(of_claims)
    assert names.count(EventName.CLAIM_DECIDED) == 2


def test_the_report_has_every_decision() -> None:
    report = report_of(check(f"{BOTH} Is it hot?"))
    assert [decision.verdict for decision in report.decisions] == [Verdict.SUPPORTED, Verdict.REFUTED]
    assert report.counts() == {Verdict.SUPPORTED: 1, Verdict.REFUTED: 1}
    assert report.verdict is Verdict.MISLEADING
    assert "[1]" in report.summary
    assert [omission.text for omission in report.omissions] == ["Is it hot?"]
    assert (report.sources, report.corpora) == ((FOUND.source,), ("desk",))
    assert (report.mode, report.engine, report.as_of, report.errors) == ("thorough", "fake", AS_OF, ())


def test_a_text_without_claims() -> None:
    report = report_of(check("Is it hot? Bring water."))
    assert (report.decisions, report.credibility_score) == ((), None)
    assert (report.verdict, report.summary) == (Verdict.UNVERIFIABLE, "No verifiable claims identified.")


def test_a_text_in_another_language_is_reported() -> None:
    german = "Die Hauptstadt von Australien ist Sydney. Das Land hat fast dreißig Millionen Einwohner und viele Strände."
    report = report_of(check(german))
    assert report.decisions == ()
    assert report.language == "de"
    assert "not in English (de)" in report.summary


@pytest.mark.parametrize("published", [PartialDate(2023), None, PartialDate(2030)])
def test_newer_sources_make_a_claim_outdated(
    published: PartialDate | None,
) -> None:
    old = passage("Canberra is the capital.", "2020")
    new = [
        passage("Sydney is the capital.", "2026-02"),
        passage("Parliament has moved to the coast.", "2026-05"),
    ]
    judge = FakeJudge(
        {(TRUE, old.text): Stance.SUPPORTING} | {(TRUE, one.text): Stance.CONTRADICTING for one in new}
    )
    document = document_from_text(f"{TRUE}.", source="-").model_copy(update={"published": published})
    (decision,) = report_of(
        check(document, observer=FakeObserver(old, *new), reader=reader_of(judge))
    ).decisions
    assert decision.verdict is Verdict.OUTDATED


class FailingReader:
    """Fails on claims with a given word, and otherwise reads like the embedded engine."""

    def __init__(self, word: str, error: Exception) -> None:
        self._word = word
        self._error = error

    async def read(self, claim: Claim, question: str, gathered: Gathered, *, stage: str) -> Reading:
        if self._word in question:
            raise self._error
        return await reader_of().read(claim, question, gathered, stage=stage)


def test_a_failed_claim_has_no_verdict_and_others_do() -> None:
    reader = FailingReader("Chad", ModelError("The model gave no answer."))
    events = check(BOTH, reader=reader)
    report = report_of(events)
    assert said_in(report) == [TRUE]
    assert report.errors == (
        Failure(stage="validate", message="The model gave no answer.", claim_id="claim_2"),
    )
    assert EventName.STAGE_FAILED in [event.name for event in events]


def test_no_report_if_every_claim_failed() -> None:
    with pytest.raises(ProviderError, match=r"^The model gave no answer\.$"):
        check(BOTH, reader=FailingReader("", ModelError("The model gave no answer.")))


def test_a_spent_budget_ends_the_run_with_partial_results() -> None:
    claims = [f"The capital of country {name} is Canberra." for name in ("Chad", "Mali", "Togo")]
    reader = FailingReader("Chad", BudgetError("Asking m would pass the limit of $1."))
    report = report_of(check(" ".join([f"{TRUE}.", *claims]), reader=reader))
    assert said_in(report) == [TRUE]
    assert report.errors == (
        Failure(stage="budget", message="Asking m would pass the limit of $1.", claim_id="claim_2"),
        Failure(
            stage="budget",
            message="The limit of cost or tokens was reached before 2 claims could be checked.",
        ),
    )
    assert report.summary.endswith(" 3 of 4 claims could not be checked.")


def test_a_channel_failing_for_every_claim_is_reported_once() -> None:
    observer = FakeObserver(FOUND, problems={Channel.NEWS: "Exa could not search the news."})
    report = report_of(check(BOTH, observer=observer))
    assert len(report.decisions) == 2
    assert report.errors == (Failure(stage="search channel", message="Exa could not search the news."),)


def test_duplicate_claims_are_checked_once_with_own_events() -> None:
    observer = FakeObserver(FOUND)
    again = "The capital of Australia is Canberra, too"
    events = check(f"{BOTH}\n\n{again}.", observer=observer)
    assert [bare(claim["text"]) for claim in events[1].data["claims"]] == [TRUE, FALSE, again]
    assert list(map(bare, observer.asked)) == [TRUE, FALSE]
    decided = [e.data["decision"] for e in events if e.name is EventName.CLAIM_DECIDED]
    assert [bare(d.claim.text) for d in decided] == [TRUE, again, FALSE]
    assert [(e.data["claim_id"], e.name) for e in events if e.name in SIGNALS] == [
        ("claim_1", EventName.CLAIM_VERIFIED),
        ("claim_3", EventName.CLAIM_VERIFIED),
        ("claim_2", EventName.CLAIM_CONTRADICTED),
    ]
    first, same, _ = (e.data for e in events if e.name is EventName.EVIDENCE_COLLECTED)
    assert same == first | {"claim_id": "claim_3"}


class CountingReader:
    """Counts claims that are read at the same time, and lets each wait for the others."""

    def __init__(self) -> None:
        self.under_way = 0
        self.most = 0

    async def read(self, claim: Claim, question: str, gathered: Gathered, *, stage: str) -> Reading:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        for _ in range(20):
            await asyncio.sleep(0)
        self.under_way -= 1
        return await reader_of().read(claim, question, gathered, stage=stage)


CAPITALS = " ".join(
    f"The capital of {country} is Canberra." for country in ("Chad", "Mali", "Togo", "Peru", "Cuba", "Laos")
)


@pytest.mark.parametrize("at_once", [1, 3])
def test_concurrent_claims_are_limited(at_once: int) -> None:
    reader = CountingReader()
    report = report_of(check(CAPITALS, reader=reader, plan=PLAN._replace(at_once=at_once)))
    assert reader.most == at_once
    assert [d.claim.id for d in report.decisions] == [f"claim_{n}" for n in range(1, 7)]


def test_claims_start_with_a_stagger() -> None:
    now = 0.0
    starts: list[float] = []

    async def sleep(seconds: float) -> None:
        nonlocal now
        await asyncio.sleep(0)  # let started tasks run
        now += seconds

    class NotesStarts(FakeObserver):
        async def gather(self, question: str, **rest: object) -> Gathered:
            starts.append(now)
            return await super().gather(question, **rest)  # type: ignore[arg-type]

    parts = RunParts("fake", {}, EmbeddedLister(None), NotesStarts(FOUND), reader_of(), ())
    plan = PLAN._replace(at_once=10, stagger_seconds=1.5)
    run = ValidationRun(
        document_from_text(CAPITALS, source="-"),
        parts,
        plan,
        steps=InMemorySteps(),
        meter=Meter(),
        clock=lambda: now,
        sleep=sleep,
    )

    async def follow() -> None:
        async for _ in run.events():
            pass

    asyncio.run(follow())
    assert starts == [0.0, 1.5, 3.0, 4.5, 6.0, 7.5]


def test_a_timed_out_run_counts_unchecked_claims() -> None:
    ticks = iter(range(0, 10_000, 100))
    parts = RunParts("fake", {}, EmbeddedLister(None), FakeObserver(FOUND), reader_of(), ())
    run = ValidationRun(
        document_from_text(f"{TRUE}. {CAPITALS}", source="-"),
        parts,
        PLAN._replace(run_seconds=600),
        steps=InMemorySteps(),
        meter=Meter(),
        clock=lambda: float(next(ticks)),
    )

    async def follow() -> list[Event]:
        return [event async for event in run.events()]

    report = report_of(asyncio.run(follow()))
    assert 0 < len(report.decisions) < 7
    (late,) = report.errors
    left = 7 - len(report.decisions)
    assert (late.stage, late.message) == (
        "time limit",
        f"The time limit of 600 seconds was reached before {left} claims could be checked.",
    )


def test_summary_mode_searches_once_for_main_statements() -> None:
    observer = FakeObserver(FOUND)
    document = document_from_text(f"{BOTH} {CAPITALS}", source="-").model_copy(
        update={"title": "Canberra is the capital of Australia"}
    )
    report = report_of(check(document, observer=observer, plan=PLAN._replace(mode=Mode.SUMMARY)))
    assert len(observer.asked) == 1
    assert 1 <= len(report.decisions) <= 2
    assert said_in(report)[0] == TRUE
    assert (report.mode, report.decisions[0].claim.id) == ("summary", "claim_1")
    passed_over = [o for o in report.omissions if o.reason is OmissionReason.DETAIL]
    assert len(passed_over) == 8 - len(report.decisions)


class TogetherReader:
    """Reads all claims at once."""

    def __init__(self, article: ArticleVerdict | None = None, *, leaves_out: str = "") -> None:
        self.calls: list[Sequence[str]] = []
        self._article = article
        self._leaves_out = leaves_out

    async def read(self, claim: Claim, question: str, gathered: Gathered, *, stage: str) -> Reading:
        raise AssertionError("one by one")

    async def read_together(self, claims: Sequence[Claim], gathered: Gathered, *, stage: str) -> ReadTogether:
        self.calls.append([claim.id for claim in claims])
        readings = {
            claim.id: await reader_of().read(claim, claim.text, gathered, stage=stage)
            for claim in claims
            if claim.id != self._leaves_out
        }
        return ReadTogether(readings, self._article)


def test_a_summary_is_read_in_one_call() -> None:
    reader = TogetherReader()
    report = report_of(check(BOTH, reader=reader, plan=PLAN._replace(mode=Mode.SUMMARY)))
    assert reader.calls == [["claim_1", "claim_2"]]
    assert [d.verdict for d in report.decisions] == [Verdict.SUPPORTED, Verdict.REFUTED]
    assert report.by_claims is None


def summarised(article: ArticleVerdict, text: str = f"{TRUE}.") -> Report:
    return report_of(check(text, reader=TogetherReader(article), plan=PLAN._replace(mode=Mode.SUMMARY)))


def test_a_summary_shows_both_verdicts_if_they_differ() -> None:
    told = CitedSentence(text="It leaves out that the seat was moved.", sources=(FOUND.source,))
    report = summarised(ArticleVerdict(Verdict.MISLEADING, 30, (told,)))
    assert [d.verdict for d in report.decisions] == [Verdict.SUPPORTED]
    assert (report.verdict, report.credibility_score) == (Verdict.MISLEADING, 30)
    assert report.by_claims is not None
    assert report.by_claims.verdict is Verdict.SUPPORTED
    score = report.by_claims.credibility_score
    assert report.summary == (
        "It leaves out that the seat was moved [1]. "
        f"Taken one by one, the verdicts on its statements come to TRUE, {score} of 100."
    )


def test_agreeing_verdicts_are_shown_once() -> None:
    ours = report_of(check(f"{TRUE}.", plan=PLAN._replace(mode=Mode.SUMMARY)))
    report = summarised(ArticleVerdict(Verdict.SUPPORTED, ours.credibility_score, ()))
    assert (report.verdict, report.by_claims, report.summary) == (ours.verdict, None, ours.summary)
    without_score = summarised(ArticleVerdict(Verdict.MOSTLY_SUPPORTED, None, ()))
    assert (without_score.credibility_score, without_score.by_claims) == (ours.credibility_score, None)


def test_an_unsupported_article_verdict_is_left_out() -> None:
    report = summarised(ArticleVerdict(Verdict.REFUTED, 10, ()), "Mr Jones owns three boats.")
    assert (report.verdict, report.by_claims) == (Verdict.UNVERIFIABLE, None)
    assert (
        "The model's verdict on the article, FALSE, cites nothing that holds, and is left out."
        in report.summary
    )


def test_a_statement_the_model_omits_fails_alone() -> None:
    reader = TogetherReader(ArticleVerdict(Verdict.SUPPORTED, 90, ()), leaves_out="claim_2")
    report = report_of(check(BOTH, reader=reader, plan=PLAN._replace(mode=Mode.SUMMARY)))
    assert said_in(report) == [TRUE]
    (failure,) = report.errors
    assert (failure.stage, failure.claim_id) == ("validate", "claim_2")
    assert report.summary.endswith("1 of 2 claims could not be checked.")


class BrokenReader:
    """Raises an unexpected error on one claim."""

    async def read(self, claim: Claim, question: str, gathered: Gathered, *, stage: str) -> Reading:
        if claim.id == "claim_2":
            raise RecursionError("maximum recursion depth exceeded")
        return await reader_of().read(claim, question, gathered, stage=stage)


def test_an_unexpected_error_fails_one_claim_only() -> None:
    report = report_of(check(BOTH, reader=BrokenReader()))
    assert said_in(report) == [TRUE]
    (failure,) = report.errors
    assert (failure.stage, failure.claim_id) == ("validate", "claim_2")
    assert "RecursionError: maximum recursion depth exceeded" in failure.message


def test_only_high_risk_claims_if_set() -> None:
    accused = "Senator John Smith took bribes from the company"
    report = report_of(check(f"{TRUE}. {accused}.", plan=PLAN._replace(only_high_risk=True)))
    assert said_in(report) == [accused]
    assert OmissionReason.NOT_HIGH_RISK in {omission.reason for omission in report.omissions}


def test_the_limit_counts_checked_claims() -> None:
    worthier = "The tower rose to 312 metres in 2021, the highest since the fire."
    accused = "Senator John Smith took bribes"
    report = report_of(
        check(f"{worthier} {accused}.", plan=PLAN._replace(only_high_risk=True, most_claims=1))
    )
    assert said_in(report) == [accused]


def test_the_summary_says_if_no_claim_is_high_risk() -> None:
    report = report_of(check(BOTH, plan=PLAN._replace(only_high_risk=True)))
    assert report.summary == "None of the 2 claims found is of high risk, and only such are checked."
    report = report_of(check(f"{TRUE}.", plan=PLAN._replace(only_high_risk=True)))
    assert report.summary == "The one claim found is not of high risk, and only such are checked."


PRIVATE = "Memos nobody may see show that the capital of Chad is Lima."


class KnowsMemos(EmbeddedLister):
    """Treats claims about memos as private data."""

    async def list_claims(self, document: Document, *, mode: Mode, most: int | None) -> ListedClaims:
        listed = await super().list_claims(document, mode=mode, most=most)
        private = Framing(kind=FramingKind.PRIVATE_DATA, private_data_detected=True)
        claims = tuple(
            claim.model_copy(update={"framing": private}) if "Memos" in claim.context else claim
            for claim in listed.extraction.claims
        )
        return ListedClaims(listed.extraction.model_copy(update={"claims": claims}))


def test_a_summary_does_not_search_for_private_data() -> None:
    reader, observer, lister = TogetherReader(), FakeObserver(FOUND), KnowsMemos(None)
    plan = PLAN._replace(mode=Mode.SUMMARY)

    def verdicts(text: str) -> list[Verdict]:
        report = report_of(check(text, reader=reader, observer=observer, lister=lister, plan=plan))
        return [decision.verdict for decision in report.decisions]

    assert verdicts(f"{TRUE}. {PRIVATE}") == [Verdict.SUPPORTED, Verdict.UNVERIFIABLE]
    assert (list(map(bare, observer.asked)), reader.calls) == ([TRUE], [["claim_1"]])
    assert verdicts(PRIVATE) == [Verdict.UNVERIFIABLE]
    assert len(observer.asked) == 1


class KnowsSpeakers(EmbeddedLister):
    """Treats every claim as said by the minister."""

    async def list_claims(self, document: Document, *, mode: Mode, most: int | None) -> ListedClaims:
        listed = await super().list_claims(document, mode=mode, most=most)
        said = Framing(kind=FramingKind.HEARSAY, speaker="the minister", underlying_claim=TRUE)
        claims = tuple(claim.model_copy(update={"framing": said}) for claim in listed.extraction.claims)
        return ListedClaims(listed.extraction.model_copy(update={"claims": claims}))


class HearsToo(TogetherReader):
    async def read_together(self, claims: Sequence[Claim], gathered: Gathered, *, stage: str) -> ReadTogether:
        read = await super().read_together(claims, gathered, stage=stage)
        return read._replace(said=read.readings)


def test_hearsay_in_a_summary_needs_no_extra_call() -> None:
    reader = HearsToo()
    text = "The minister said that the capital of Australia is Canberra."
    plan = PLAN._replace(mode=Mode.SUMMARY)
    report = report_of(check(text, reader=reader, lister=KnowsSpeakers(None), plan=plan))
    (decided,) = report.decisions
    assert [part.name for part in decided.parts] == ["attribution", "content"]
    assert (reader.calls, report.errors) == ([["claim_1"]], ()), "and nobody was asked one by one"


def test_hearsay_in_a_summary_is_searched_for_once() -> None:
    said = "Mayor Anna Cole said that the capital of Chad is Lima."
    report = report_of(check(said, plan=PLAN._replace(mode=Mode.SUMMARY)))
    (decision,) = report.decisions
    assert len(decision.parts) == 2
    assert decision.validation is not None
    assert [search.channel for search in decision.validation.searches] == list(Channel)
