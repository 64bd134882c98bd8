"""Claims of summary and thorough mode: while they are checked, and as the report has them."""

from tests import validation_runs
from tests.builders import make_report, sample_report

from veridic.domain.evidence import Stance
from veridic.domain.modes import Mode
from veridic.store.event_log import LoggedEvent
from veridic.web.claim_views import ClaimView
from veridic.web.evidence_views import outcome
from veridic.web.told import Told
from veridic.web.validation_views import decided_views, report_sources, shared_evidence, told_views


def _after(events: int) -> tuple[ClaimView, ...]:
    return told_views(Told(validation_runs.logged(validation_runs.events()[:events])), running=True)


def test_claims_wait_their_turn_then_are_searched_for_then_read() -> None:
    assert [view.phase for view in _after(2)] == ["waiting its turn"] * 4
    assert _after(3)[0].phase == "searching"
    searched = _after(4)[0]
    assert searched.phase == "reading 3 sources"
    assert searched.evidence is not None
    assert [one.channel for one in searched.evidence.searches] == ["news"]
    assert {source.stance for source in searched.evidence.sources} == {None}
    assert "not read yet" in searched.evidence.dates


def test_a_decided_claim_shows_what_each_source_says_before_the_report() -> None:
    first = _after(9)[0]

    assert first.sign is not None
    assert (first.sign.word, first.rationale) == ("Supported", "Five sources state it.")
    assert first.evidence is not None
    assert first.evidence.stances == (
        (Stance.SUPPORTING, "supporting", 5),
        (Stance.CONTEXTUAL, "neutral", 6),
    )
    assert first.sources_read == 11


def test_a_claim_that_failed_says_why_and_gets_no_verdict() -> None:
    for views in (
        told_views(Told(validation_runs.logged(validation_runs.events()[:-1])), running=True),
        decided_views(validation_runs.report(), Told(validation_runs.logged(validation_runs.events()))),
    ):
        second = views[1]
        assert (second.number, second.sign, second.problem) == (2, None, validation_runs.UNREAD)
        assert [view.number for view in views] == [1, 2, 3, 4]


def test_a_channel_without_an_answer_is_named_with_its_reason() -> None:
    fourth = _after(len(validation_runs.events()) - 1)[3]

    assert fourth.evidence is not None
    research = fourth.evidence.searches[1]
    assert (research.channel, outcome(research)) == ("research", "no answer")
    assert research.problems == (validation_runs.PROBLEM,)
    assert fourth.evidence.successful == 3
    assert fourth.correction == "The bank charges 4.25 percent since 2 November 2026."


def test_sources_stand_by_date_the_undated_last() -> None:
    evidence = decided_views(validation_runs.report(), Told([]))[0].evidence

    assert evidence is not None
    dates = [source.published for source in evidence.sources]
    assert dates[0] == "14 November 2026"
    assert dates[-2:] == ["12 March 1985", "undated"]
    assert evidence.undated == 1
    assert evidence.dates.count("<a ") == 10


def test_the_report_s_account_cites_by_number() -> None:
    first, third, fourth = decided_views(validation_runs.report(), Told([]))

    assert first.account is not None
    numbers = {number for one in first.account.summary for number in one.numbers}
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
    told = Told(validation_runs.logged(validation_runs.events(Mode.SUMMARY)[:6], Mode.SUMMARY))

    shared = shared_evidence(told)

    assert shared is not None
    assert [one.channel for one in shared.searches] == ["news", "research", "general", "historical"]
    assert len(shared.sources) == 11
    assert told_views(told, running=True)[0].evidence is None
    assert shared_evidence(Told([])) is None


def test_thorough_claims_quote_what_they_rest_on() -> None:
    views = decided_views(sample_report(), Told([]))

    refuted = views[1]
    assert refuted.sign is not None
    assert refuted.sign.icon == "refuted"
    assert refuted.correction == "Its population is about 26.8 million."
    assert refuted.quotations[0].number in refuted.citations
    assert refuted.quotations[0].stance == "Contradicts"
    assert refuted.quotations[0].differs == "Differs: figure “26,768,598”, not “40 million”."
    assert not refuted.rests_on_knowledge
    assert [one.stance for one in views[3].quotations] == [
        "Context"
    ]  # the closest passage of a claim that is open


def test_a_claim_of_a_model_that_stands_nowhere_has_its_own_words() -> None:
    decision = validation_runs.decisions()[0]
    nowhere = decision.claim.model_copy(update={"quote": "", "span": (0, 0)})
    report = make_report(
        [decision.model_copy(update={"claim": nowhere})], document=validation_runs.document()
    )

    view = decided_views(report, Told([]))[0]

    assert (view.text, view.span) == (nowhere.text, None)


def test_logs_of_earlier_versions_can_still_be_read() -> None:
    told = Told(
        [
            LoggedEvent(1, "check_started", {"mode": "thorough", "engine": "embedded", "source": "a"}),
            LoggedEvent(
                2,
                "claim_decided",
                {"claim_id": "claim_1", "verdict": "REFUTED", "confidence": 0.9, "rationale": "No."},
            ),
        ]
    )

    assert told.as_of is None
    assert told.decided["claim_1"].sources == ()


def test_sources_of_a_report_keep_its_numbers() -> None:
    sources = report_sources(sample_report())

    assert [source.number for source in sources] == list(range(1, len(sources) + 1))
