"""Extracting the claims of a check at the desk, and what is left of an extraction that died."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from tests.builders import make_document, sample_report
from tests.desk_people import TEXT, person, verdict
from tests.plain_sql import Sql

from veridic.desk import extraction
from veridic.desk.desk import Desk
from veridic.desk.documents import pasted_document
from veridic.desk.lifecycle import CheckStatus, ClaimStatus
from veridic.domain.claim import Claim, Priority
from veridic.domain.document import Document
from veridic.domain.errors import ConflictError
from veridic.store.leases import Placement
from veridic.store.new_runs import begin
from veridic.store.progress import RunUpdate
from veridic.store.runs import RunStore

EVE, FAY, FOX, VIC = map(person, ("eve", "fay", "fox", "vic"))


def test_a_second_extraction_adds_nothing(desk: Desk) -> None:
    check = desk.extract(FAY, desk.create(FAY, "Cities", TEXT), 1)
    assert len(check.claims) == 2
    again = desk.extract(FOX, check.id, check.version)
    assert again.claims == check.claims


def test_what_a_person_added_is_not_added_again(desk: Desk, sql: Sql) -> None:
    check_id = desk.create(FAY, "Cities", TEXT)
    sentence = "Canberra is the capital of Australia."
    desk.add_claim(FAY, check_id, sentence, (0, len(sentence)))
    check = desk.extract(FAY, check_id, 1)
    assert [claim.text.rstrip(".") for claim in check.claims] == [
        part.rstrip(".") for part in TEXT.split(". ")
    ]
    listed = sql.execute("SELECT claims_to_verify FROM fact_checks").fetchone()[0]
    assert "Canberra" in listed
    assert "Sydney" in listed


def leave_extracting(desk: Desk, sql: Sql) -> str:
    """Leave a check as a process leaves it that was killed while it extracted."""
    check_id = desk.create(FAY, "Cities", TEXT)
    until = datetime.now(UTC) + timedelta(minutes=5)
    sql.execute("UPDATE fact_checks SET status = 'extracting_claims'")
    sql.execute("UPDATE desk_checks SET extracting_until = ?", (f"{until:%Y-%m-%d %H:%M:%S}",))
    return check_id


@pytest.mark.usefixtures("on_each_database")
def test_a_check_left_by_a_dead_extraction_is_free_again(desk: Desk, sql: Sql) -> None:
    check_id = leave_extracting(desk, sql)
    with pytest.raises(ConflictError, match="is extracting_claims"):
        desk.extract(FOX, check_id, 1)
    assert desk.check(VIC, check_id).status is CheckStatus.EXTRACTING_CLAIMS
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=6)):
        assert desk.check(VIC, check_id).status is CheckStatus.PENDING
        check = desk.extract(FOX, check_id, desk.check(FOX, check_id).version)
    assert len(check.claims) == 2
    given_back = desk.audit(EVE, check_id)[-2]
    assert given_back.username == "machine"
    assert given_back.after
    assert "did not end" in given_back.after["note"]


def test_extraction_that_fails_gives_the_check_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_text: str) -> tuple[Claim, ...]:
        raise KeyboardInterrupt

    monkeypatch.setattr(extraction, "claims_of", fail)
    check_id = desk.create(FAY, "Cities", TEXT)
    with pytest.raises(KeyboardInterrupt):
        desk.extract(FAY, check_id, 1)
    assert desk.check(VIC, check_id).status is CheckStatus.PENDING


def test_a_check_that_was_moved_meanwhile_gets_no_claims(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    check_id = desk.create(FAY, "Cities", TEXT)
    found = extraction.claims_of(pasted_document(TEXT))

    def move_meanwhile(_document: Document) -> tuple[Claim, ...]:
        desk.move(FOX, check_id, CheckStatus.PENDING, desk.check(FOX, check_id).version)
        return found

    monkeypatch.setattr(extraction, "claims_of", move_meanwhile)
    with pytest.raises(ConflictError, match="moved to pending while"):
        desk.extract(FAY, check_id, 1)
    assert desk.check(VIC, check_id).claims == ()


def test_only_an_extraction_makes_a_check_extracting(desk: Desk) -> None:
    check_id = desk.create(FAY, "Cities", TEXT)
    with pytest.raises(ConflictError, match="Only extracting"):
        desk.move(FAY, check_id, CheckStatus.EXTRACTING_CLAIMS, 1)


class TestBesideTheMachine:
    @pytest.fixture
    def run_id(self, store: RunStore) -> str:
        """A run under way, with its claims found."""
        report = sample_report()
        run_id = store.write(
            lambda session: begin(
                session, report.document, mode="thorough", engine="embedded", placement=Placement("me")
            )
        )
        store.add(run_id, RunUpdate(claims=[decision.claim for decision in report.decisions]))
        return run_id

    def test_nobody_changes_claims_while_the_machine_works_on_them(self, desk: Desk, run_id: str) -> None:
        claim = desk.check(FAY, run_id).claims[0]
        with pytest.raises(ConflictError, match="machine is still working"):
            desk.verify_claim(FAY, claim.id, verdict(), claim.version)
        with pytest.raises(ConflictError, match="machine is still working"):
            desk.move(FAY, run_id, CheckStatus.COMPLETED, 1)

    def test_who_was_given_the_check_meanwhile_completes_it(
        self, desk: Desk, store: RunStore, run_id: str
    ) -> None:
        desk.assign(EVE, run_id, FAY.user_id, None, Priority.HIGH, 1)
        store.complete(run_id, sample_report())
        assert desk.check(VIC, run_id).status is CheckStatus.IN_PROGRESS

    def test_a_resumed_run_leaves_what_a_person_has_verified(
        self, desk: Desk, store: RunStore, run_id: str
    ) -> None:
        store.release([run_id], "me")
        claim = desk.check(FAY, run_id).claims[0]
        desk.verify_claim(FAY, claim.id, verdict(status="flagged"), claim.version)
        store.complete(run_id, sample_report())
        after = desk.claim(VIC, claim.id)
        assert after.status is ClaimStatus.FLAGGED
        assert after.machine
        assert after.leading
        assert after.leading.is_by_person

    def test_what_people_have_completed_is_not_resumed(
        self, desk: Desk, store: RunStore, run_id: str
    ) -> None:
        store.release([run_id], "me")
        for claim in desk.check(FAY, run_id).claims:
            desk.verify_claim(FAY, claim.id, verdict(), claim.version)
        desk.move(FAY, run_id, CheckStatus.COMPLETED, desk.check(FAY, run_id).version)
        with pytest.raises(ConflictError, match="People have completed"):
            store.enqueue(run_id)


def test_a_document_of_the_machine_can_be_taken_at_once(desk: Desk, store: RunStore) -> None:
    run_id = store.begin(make_document(), mode="thorough", engine="embedded")
    store.fail(run_id, "It broke.")
    assert desk.take(FAY, run_id, 1).status is CheckStatus.IN_PROGRESS
