"""A person's verdict leads in the report, in every format; the machine's stays beside it."""

import json

import pytest
from tests.builders import sample_report
from tests.desk_people import person, verdict

from veridic.config.settings import Settings
from veridic.desk.desk import Desk
from veridic.desk.person_verdicts import load_report
from veridic.desk.records import CheckRecord, Rating
from veridic.domain.modes import Mode, ReportFormat
from veridic.domain.report import Report
from veridic.domain.verdicts import Scale, Verdict, read, say
from veridic.engine.order import CheckOrder
from veridic.reporting.render import render
from veridic.runtime.recording import Recorder
from veridic.runtime.writer import Writer
from veridic.store.progress import RunUpdate
from veridic.store.runs import RunStore

FAY, EVE = person("fay"), person("eve")
SOURCE = {
    "url": "https://www.abs.gov.au/figures",
    "title": "Figures <b>2026</b>",
    "supports_claim": True,
    "excerpt": "The register says so.",
}


@pytest.fixture
def reopened(desk: Desk, machine_check: str) -> CheckRecord:
    """The machine's check, opened for people."""
    check = desk.check(EVE, machine_check)
    return desk.move(EVE, machine_check, "in_progress", check.version)  # type: ignore[arg-type]


def other_rating(report: Report) -> Rating:
    """A rating that the machine did not give to the first claim."""
    given = say(report.decisions[0].verdict, Scale.RATING)
    return Rating.FALSE if given != Rating.FALSE else Rating.TRUE


def decide(desk: Desk, check: CheckRecord, report: Report, rating: Rating, **more: object) -> None:
    claim = next(c for c in check.claims if c.text == report.decisions[0].claim.text)
    desk.verify_claim(FAY, claim.id, verdict(rating, **more), claim.version)


def test_a_report_nobody_touched_is_the_machine_s(store: RunStore, machine_check: str) -> None:
    assert load_report(store, machine_check) == store.get(machine_check)


def test_a_person_s_verdict_leads_and_the_machine_s_is_kept(
    desk: Desk, store: RunStore, reopened: CheckRecord
) -> None:
    before = store.get(reopened.id)
    rating = other_rating(before)
    decide(desk, reopened, before, rating, notes="I rang the council.", sources=[SOURCE])

    after = load_report(store, reopened.id)
    decision = after.decisions[0]
    assert decision.verdict is read(rating, Scale.RATING)
    assert decision.rationale == "I rang the council."
    assert decision.person
    assert (decision.person.by, decision.person.differs) == ("fay", True)
    assert decision.person.machine_verdict is before.decisions[0].verdict
    assert decision.evidence[0].assessment.quote == "The register says so."
    assert "https://www.abs.gov.au/figures" in [source.url for source in after.sources]
    assert after.counts() != before.counts()
    assert "1 of" in after.summary
    assert "decided by people" in after.summary
    assert store.get(reopened.id) == before, "the machine's own report is not rewritten"


def test_agreeing_keeps_the_machine_s_finer_verdict(
    desk: Desk, store: RunStore, reopened: CheckRecord
) -> None:
    before = store.get(reopened.id)
    decide(desk, reopened, before, Rating(say(before.decisions[0].verdict, Scale.RATING)))
    decision = load_report(store, reopened.id).decisions[0]
    assert decision.verdict is before.decisions[0].verdict
    assert decision.person
    assert not decision.person.differs


def test_a_claim_that_a_person_added_is_in_the_report(
    desk: Desk, store: RunStore, reopened: CheckRecord
) -> None:
    claim = desk.add_claim(FAY, reopened.id, "The bridge has five arches.")
    undecided = len(load_report(store, reopened.id).decisions)
    desk.verify_claim(FAY, claim.id, verdict(Rating.TRUE), claim.version)
    report = load_report(store, reopened.id)
    assert len(report.decisions) == undecided + 1
    added = report.decisions[-1]
    assert (added.claim.text, added.verdict) == ("The bridge has five arches.", Verdict.SUPPORTED)
    assert added.person
    assert added.person.machine_verdict is None


@pytest.mark.parametrize(
    "report_format", [ReportFormat.TEXT, ReportFormat.MARKDOWN, ReportFormat.HTML], ids=str
)
def test_every_format_names_the_person_and_the_machine_s_verdict(
    desk: Desk, store: RunStore, reopened: CheckRecord, report_format: ReportFormat
) -> None:
    before = store.get(reopened.id)
    decide(desk, reopened, before, other_rating(before), notes="I rang the council.", sources=[SOURCE])
    shown = " ".join(render(load_report(store, reopened.id), report_format).split())
    assert "Decided by fay on" in shown
    assert "The machine disagrees:" in shown
    assert "I rang the council" in shown
    assert "<b>2026</b>" not in shown or report_format is ReportFormat.TEXT


def test_json_and_claimreview_carry_the_person(desk: Desk, store: RunStore, reopened: CheckRecord) -> None:
    before = store.get(reopened.id)
    rating = other_rating(before)
    decide(desk, reopened, before, rating, notes="I rang the council.", sources=[SOURCE])
    report = load_report(store, reopened.id)

    claim = json.loads(render(report, ReportFormat.JSON))["claims"][0]
    assert claim["verdict"] == read(rating, Scale.RATING)
    assert claim["person"]["by"] == "fay"
    assert claim["person"]["machine_verdict"] == before.decisions[0].verdict
    assert claim["person"]["differs"] is True

    review = json.loads(render(report, ReportFormat.CLAIMREVIEW))["@graph"][0]
    assert review["author"] == {"@type": "Person", "name": "fay"}
    assert review["reviewBody"] == "I rang the council."


@pytest.mark.usefixtures("on_each_database")
def test_lists_show_and_find_runs_by_what_people_decided(
    desk: Desk, store: RunStore, reopened: CheckRecord
) -> None:
    before = store.summary(reopened.id)
    assert (before.machine_verdict, before.decided_by_people) == (before.verdict, 0)
    for claim in reopened.claims:
        desk.verify_claim(FAY, claim.id, verdict(Rating.TRUE), claim.version)

    after = store.summary(reopened.id)
    report = load_report(store, reopened.id)
    assert after.verdict is report.verdict is Verdict.SUPPORTED
    assert after.credibility_score == report.credibility_score != before.credibility_score
    assert (after.machine_verdict, after.machine_score) == (before.verdict, before.credibility_score)
    assert after.decided_by_people == len(reopened.claims)
    assert store.search(verdicts=(Verdict.SUPPORTED,)) == [after]
    assert before.verdict
    assert store.search(verdicts=(before.verdict,)) == []


def test_a_run_that_ends_after_a_person_s_verdict_is_listed_with_it(desk: Desk, store: RunStore) -> None:
    report = sample_report()
    order = CheckOrder(document=report.document, mode=Mode.THOROUGH)
    with Writer(store) as writer:
        recorder = Recorder(writer, order, Settings())
        run_id = recorder.begin().result()
        store.add(run_id, RunUpdate(claims=[decision.claim for decision in report.decisions]))
        claim = desk.check(FAY, run_id).claims[0]
        desk.verify_claim(FAY, claim.id, verdict(other_rating(report)), claim.version)
        assert recorder.complete(report).result().errors == report.errors
    ended = store.summary(run_id)
    assert (ended.decided_by_people, ended.machine_verdict) == (1, Verdict.PARTIAL)
    assert ended.credibility_score == load_report(store, run_id).credibility_score
