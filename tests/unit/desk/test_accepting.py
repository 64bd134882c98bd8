"""Nothing is completed or published on the machine's word alone: a person rates each claim, or accepts its verdict."""

from pathlib import Path

import pytest
from tests.desk_people import person, verdict
from tests.plain_sql import Sql

from veridic.config.settings import Settings
from veridic.desk.desk import Desk
from veridic.desk.lifecycle import CheckStatus, ClaimStatus
from veridic.desk.person_verdicts import load_report
from veridic.desk.published import claim_reviews, public_page, publisher
from veridic.desk.records import CheckRecord, ClaimRecord, Rating
from veridic.domain.errors import ConflictError
from veridic.reporting.wording import person_line
from veridic.store.runs import RunStore

EVE, EDD, FAY, FOX, VIC = map(person, ("eve", "edd", "fay", "fox", "vic"))


@pytest.fixture
def taken(desk: Desk, machine_check: str) -> CheckRecord:
    """The machine's check in Fay's hands."""
    return desk.take(FAY, machine_check, 1)


def rated(check: CheckRecord, rating: str) -> ClaimRecord:
    return next(claim for claim in check.claims if claim.machine and claim.machine.rating == rating)


def test_what_only_the_machine_has_rated_is_neither_completed_nor_published(
    desk: Desk, machine_check: str
) -> None:
    check = desk.check(EVE, machine_check)
    assert check.status is CheckStatus.COMPLETED
    for attempt in (
        lambda: desk.publish(EVE, check.id, check.version),
        lambda: desk.review(EVE, check.id, "approved", "", check.version),
    ):
        with pytest.raises(ConflictError, match="no verdict that a person stands for"):
            attempt()
    check = desk.take(FAY, check.id, check.version)
    assert desk.queue(FAY, "mine")[0].settled == 0
    with pytest.raises(ConflictError, match="can't be completed.*accept the machine's verdicts"):
        desk.move(FAY, check.id, CheckStatus.COMPLETED, check.version)


@pytest.mark.usefixtures("on_each_database")
def test_accepting_makes_the_machine_s_verdict_a_person_s(desk: Desk, taken: CheckRecord, sql: Sql) -> None:
    claim = rated(taken, "true")
    accepted = desk.accept_claim(FAY, claim.id, claim.version)
    assert accepted.leading
    assert accepted.machine
    assert (accepted.leading.method, accepted.leading.rating) == ("accepted", "true")
    assert accepted.leading.verified_by == taken.assigned_to
    assert accepted.leading.notes == accepted.machine.notes
    assert [s.excerpt for s in accepted.leading.sources] == [s.excerpt for s in accepted.machine.sources]
    assert (accepted.status, accepted.differs) == (ClaimStatus.VERIFIED, False)
    entry = desk.audit(EVE, taken.id)[0]
    assert (entry.username, entry.action, entry.subject_id) == ("fay", "accepted", str(claim.id))
    row = sql.execute("SELECT * FROM claim_verifications ORDER BY id DESC LIMIT 1").fetchone()
    assert (row["verification_method"], row["verified_by"], row["time_spent_seconds"]) == (
        "accepted",
        4,
        None,
    )


def test_all_that_remains_is_accepted_at_once(desk: Desk, taken: CheckRecord) -> None:
    own, *others = (claim for claim in taken.claims if claim.verifiable)
    desk.verify_claim(FAY, own.id, verdict(Rating.FALSE), own.version)
    check = desk.accept_remaining(FAY, taken.id, taken.version)
    by_id = {claim.id: claim for claim in check.claims}
    assert {by_id[claim.id].leading.method for claim in others} == {"accepted"}  # type: ignore[union-attr]
    assert by_id[own.id].leading.rating == "false"  # type: ignore[union-attr]
    assert desk.audit(EVE, check.id)[0].after == {"version": check.version, "claims": len(others)}
    done = desk.move(FAY, check.id, CheckStatus.COMPLETED, check.version)
    assert done.status is CheckStatus.COMPLETED
    with pytest.raises(ConflictError, match="is completed"):
        desk.accept_remaining(FAY, check.id, done.version)


def test_who_accepted_is_no_second_reader_and_is_named_in_public(desk: Desk, taken: CheckRecord) -> None:
    check = desk.accept_remaining(EVE, taken.id, taken.version)
    check = desk.move(FAY, check.id, CheckStatus.COMPLETED, check.version)
    assert "yourself" in desk.check(EVE, check.id).second_reader.sentence
    desk.review(EDD, check.id, "approved", "", check.version)
    desk.publish(EDD, check.id, check.version)
    publication = desk.publication(check.id)
    assert publication
    stood_for = {
        (claim["method"], claim["verified_by"])
        for claim in publication.content["claims"]
        if claim["method"] != "automated"
    }
    assert stood_for == {("accepted", "eve")}


def test_claimreview_has_only_what_people_stand_for(
    desk: Desk, sql: Sql, taken: CheckRecord, tmp_path: Path
) -> None:
    claim = rated(taken, "false")
    sql.execute("UPDATE extracted_claims SET verifiable = ? WHERE id = ?", (False, claim.id))
    check = desk.accept_remaining(FAY, taken.id, taken.version)
    check = desk.move(FAY, check.id, CheckStatus.COMPLETED, check.version)
    desk.review(EVE, check.id, "approved", "", check.version)
    desk.publish(EVE, check.id, check.version)
    record = desk.publication(check.id)
    assert record
    by = publisher(Settings(home=tmp_path), "http://localhost")
    reviewed = {review["claimReviewed"] for review in claim_reviews(public_page(record), by)}
    assert claim.text not in reviewed
    assert rated(check, "true").text in reviewed


def test_a_claim_without_a_verdict_of_the_machine_can_t_be_accepted(desk: Desk, taken: CheckRecord) -> None:
    added = desk.add_claim(FAY, taken.id, "Perth is in the west.")
    with pytest.raises(ConflictError, match="no verdict of the machine"):
        desk.accept_claim(FAY, added.id, added.version)
    check = desk.accept_remaining(FAY, taken.id, taken.version)
    with pytest.raises(ConflictError, match="no claim whose verdict of the machine can be accepted"):
        desk.accept_remaining(FAY, check.id, check.version)
    with pytest.raises(ConflictError, match="can't be completed: 1 of"):
        desk.move(FAY, check.id, CheckStatus.COMPLETED, check.version)


def test_the_report_keeps_the_machine_s_reasons_and_says_who_accepted(
    desk: Desk, store: RunStore, taken: CheckRecord
) -> None:
    claim = rated(taken, "true")
    desk.accept_claim(FAY, claim.id, claim.version)
    before = next(d for d in store.get(taken.id).decisions if d.claim.text == claim.text)
    after = next(d for d in load_report(store, taken.id).decisions if d.claim.text == claim.text)
    assert (after.verdict, after.rationale, after.evidence) == (
        before.verdict, before.rationale, before.evidence,
    )  # fmt: skip
    assert after.person
    assert after.person.accepted
    assert person_line(after).startswith("Accepted by fay on ")
    assert "It is the machine's verdict: supported" in person_line(after)


def test_accepting_counts_as_work_but_not_as_agreement(desk: Desk, taken: CheckRecord) -> None:
    desk.accept_remaining(FAY, taken.id, taken.version)
    statistics = desk.statistics(VIC)
    assert statistics.agreement.claims == 0
    assert sum(row.verifications_by_people for row in statistics.claim_types) > 0
