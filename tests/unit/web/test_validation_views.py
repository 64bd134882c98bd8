"""View models of summary and thorough mode, during the run and with the report."""

from tests import validation_runs
from tests.builders import make_report, sample_report

from veridic.domain.evidence import Stance
from veridic.domain.modes import Mode
from veridic.reporting.comparing import Kind
from veridic.store.event_log import LoggedEvent
from veridic.web.claim_views import ClaimView
from veridic.web.evidence_views import search_outcome
from veridic.web.run_events import RunEvents
from veridic.web.validation_views import live_views, report_sources, report_views, shared_evidence


def _after(events: int) -> tuple[ClaimView, ...]:
    return live_views(RunEvents(validation_runs.logged(validation_runs.events()[:events])), running=True)


def test_phases_of_a_claim() -> None:
    assert [view.phase for view in _after(2)] == ["waiting its turn"] * 4
    assert _after(3)[0].phase == "searching"
    searched = _after(4)[0]
    assert searched.phase == "reading 3 sources"
    assert searched.evidence is not None
    assert [search.channel for search in searched.evidence.searches] == ["news"]
    assert {source.stance for source in searched.evidence.sources} == {None}
    assert "not read yet" in searched.evidence.dates


def test_a_decided_claim_has_stances_before_the_report() -> None:
    first = _after(9)[0]

    assert first.sign is not None
    assert (first.sign.word, first.rationale) == ("Supported", "Five sources state it.")
    assert first.evidence is not None
    assert first.evidence.stances == (
        (Stance.SUPPORTING, "supporting", 5),
        (Stance.CONTEXTUAL, "neutral", 6),
    )
    assert len(first.evidence.sources) == 11


def test_a_failed_claim_has_a_reason_and_no_verdict() -> None:
    for views in (
        live_views(RunEvents(validation_runs.logged(validation_runs.events()[:-1])), running=True),
        report_views(validation_runs.report(), RunEvents(validation_runs.logged(validation_runs.events()))),
    ):
        second = views[1]
        assert (second.number, second.sign, second.problem) == (2, None, validation_runs.UNREAD)
        assert [view.number for view in views] == [1, 2, 3, 4]


def test_a_failed_channel_has_its_reason() -> None:
    fourth = _after(len(validation_runs.events()) - 1)[3]

    assert fourth.evidence is not None
    research = fourth.evidence.searches[1]
    assert (research.channel, search_outcome(research)) == ("research", "no answer")
    assert research.problems == (validation_runs.PROBLEM,)
    assert fourth.evidence.successful == 3
    assert fourth.correction is not None
    assert fourth.correction.text == "The bank charges 4.25 percent since 2 November 2026."


def test_sources_are_sorted_by_date_undated_last() -> None:
    evidence = report_views(validation_runs.report(), RunEvents([]))[0].evidence

    assert evidence is not None
    dates = [source.published for source in evidence.sources]
    assert dates[0] == "14 November 2026"
    assert dates[-2:] == ["12 March 1985", "undated"]
    assert evidence.undated == 1
    assert evidence.dates.count("<a ") == 10


def test_the_account_cites_sources_by_number() -> None:
    first, third, fourth = report_views(validation_runs.report(), RunEvents([]))

    assert first.account is not None
    numbers = {number for sentence in first.account.summary for number in sentence.numbers}
    listed = {source.number for source in report_sources(validation_runs.report())}
    assert numbers
    assert numbers <= listed
    assert first.account.consensus == "5 supporting, 0 contradicting, 6 neutral of 11 read: strong agreement."
    assert len(first.account.temporal) == 4
    assert first.about == ("High risk", "Economy")
    assert third.about[-1] == "reported speech"
    assert [part.question for part in third.parts] == ["Was it said?", "Is it so?"]
    assert fourth.account is not None
    assert fourth.account.contradictions[0].numbers


def test_summary_mode_shares_one_round_of_searches() -> None:
    events = RunEvents(validation_runs.logged(validation_runs.events(Mode.SUMMARY)[:6], Mode.SUMMARY))

    shared = shared_evidence(events)

    assert shared is not None
    assert [search.channel for search in shared.searches] == ["news", "research", "general", "historical"]
    assert len(shared.sources) == 11
    assert live_views(events, running=True)[0].evidence is None
    assert shared_evidence(RunEvents([])) is None


def test_thorough_claims_quote_their_evidence() -> None:
    views = report_views(sample_report(), RunEvents([]))

    refuted = views[1]
    assert refuted.sign is not None
    assert refuted.sign.icon == "refuted"
    assert refuted.correction is not None
    assert refuted.correction.text == "Its population is about 26.8 million."
    assert refuted.quotations[0].number in refuted.citations
    assert refuted.quotations[0].stance == "Contradicts"
    assert [piece.text for piece in refuted.pieces if piece.kind is Kind.DIFFERS] == ["40 million"]
    assert refuted.quotations[0].differs == "Differs: figure “26,768,598”, not “40 million”."
    assert not refuted.rests_on_knowledge
    assert [quotation.stance for quotation in views[3].quotations] == [
        "Context"
    ]  # the closest passage for an undecided claim


def test_a_model_s_claim_not_in_the_text() -> None:
    decision = validation_runs.decisions()[0]
    nowhere = decision.claim.model_copy(update={"quote": "", "span": (0, 0)})
    report = make_report(
        [decision.model_copy(update={"claim": nowhere})], document=validation_runs.document()
    )

    view = report_views(report, RunEvents([]))[0]

    assert (view.text, view.span) == (nowhere.text, None)


def test_events_of_earlier_versions_can_be_read() -> None:
    events = RunEvents(
        [
            LoggedEvent(1, "check_started", {"mode": "thorough", "engine": "embedded", "source": "a"}),
            LoggedEvent(
                2,
                "claim_decided",
                {"claim_id": "claim_1", "verdict": "REFUTED", "confidence": 0.9, "rationale": "No."},
            ),
        ]
    )

    assert events.as_of is None
    assert events.decided["claim_1"].sources == ()


def test_sources_of_a_report_keep_its_numbers() -> None:
    sources = report_sources(sample_report())

    assert [source.number for source in sources] == list(range(1, len(sources) + 1))
