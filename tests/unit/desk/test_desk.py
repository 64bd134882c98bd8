"""A check's life at the desk, and what is refused."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from tests.desk_people import TEXT, completed_check, new_check, person, published_check, verdict
from tests.plain_sql import Sql

from veridic.desk.claim_editing import ClaimChange
from veridic.desk.desk import Desk
from veridic.desk.lifecycle import CheckStatus, ClaimStatus
from veridic.desk.records import ClaimRecord, Rating
from veridic.domain.claim import Priority
from veridic.domain.errors import ConflictError, ForbiddenError, NotFoundError, UsageError, VeridicError
from veridic.domain.people import LOCAL_USER, Actor
from veridic.store.runs import RunStore

ADA, EVE, EDD, FAY, FOX, VIC = map(person, ("ada", "eve", "edd", "fay", "fox", "vic"))


@pytest.mark.usefixtures("on_each_database")
def test_a_check_from_intake_to_publication_writes_who_did_what(desk: Desk, sql: Sql) -> None:
    check = new_check(desk, FAY)
    check = desk.assign(
        EVE, check.id, FOX.user_id, datetime(2030, 1, 1, tzinfo=UTC), Priority.HIGH, check.version
    )
    assert (check.status, check.priority) == (CheckStatus.IN_PROGRESS, Priority.HIGH)
    for claim in check.claims:
        source = {"url": "https://www.abs.gov.au/figures", "supports_claim": True, "excerpt": "so it is"}
        saved = desk.verify_claim(FOX, claim.id, verdict(notes="Looked up", sources=[source]), claim.version)
        assert saved.leading
        assert saved.leading.sources[0].domain == "abs.gov.au"
    check = desk.move(FOX, check.id, CheckStatus.COMPLETED, check.version, "Simple geography")
    desk.review(EVE, check.id, "approved", "fine", check.version)
    desk.publish(EVE, check.id, check.version)

    row = sql.execute("SELECT * FROM fact_checks").fetchone()
    assert (row["created_by"], row["assigned_to"], row["completed_by"]) == (4, 5, 5)
    assert (row["status"], row["overall_rating"]) == ("published", "true")
    assert row["fact_checker_notes"] == "Simple geography"
    assert row["completed_at"]
    verification = sql.execute("SELECT * FROM claim_verifications").fetchone()
    assert (verification["verified_by"], verification["verification_method"]) == (5, "manual")
    assert (verification["time_spent_seconds"], verification["verification_status"]) == (60, "verified_true")
    actions = [row["action"] for row in sql.execute("SELECT action FROM audit_events ORDER BY id")]
    assert actions == [
        "created", "added", "added", "assigned", "moved", "verified", "verified", "moved", "reviewed", "moved",
    ]  # fmt: skip
    publication = desk.publication(check.id)
    assert publication
    assert publication.content["claims"][0]["verified_by"] == "fox"


@pytest.mark.usefixtures("on_each_database")
def test_the_audit_trail_can_t_be_changed(desk: Desk, sql: Sql) -> None:
    new_check(desk, FAY)
    for statement in ("UPDATE audit_events SET username = 'x'", "DELETE FROM audit_events"):
        with pytest.raises(Exception, match="can't be changed"):
            sql.execute(statement)
    assert sql.execute("SELECT count(*) FROM audit_events WHERE username = 'fay'").fetchone()[0] == 3


@pytest.mark.usefixtures("on_each_database")
def test_two_people_saving_one_claim_at_once(desk: Desk, sql: Sql) -> None:
    claim = new_check(desk, FAY).claims[0]

    def save(actor: Actor) -> ClaimRecord | ConflictError:
        try:
            return desk.verify_claim(actor, claim.id, verdict(Rating.FALSE), claim.version)
        except ConflictError as error:
            return error

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(save, [FAY, FOX, EVE, EDD, ADA, FAY]))

    [saved] = [result for result in results if isinstance(result, ClaimRecord)]
    refused = [result for result in results if isinstance(result, ConflictError)]
    assert saved.leading
    assert saved.leading.verified_by
    assert all(f"by {saved.leading.verified_by.username} at" in str(error) for error in refused)
    assert all("you saw version 1, it is now at version 2" in str(error) for error in refused)
    assert sql.execute("SELECT count(*) FROM claim_verifications").fetchone()[0] == 1


@pytest.mark.usefixtures("on_each_database")
def test_two_people_taking_one_check_at_once(desk: Desk) -> None:
    check = new_check(desk, EVE)

    def take(actor: Actor) -> bool:
        try:
            desk.take(actor, check.id, check.version)
        except ConflictError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(take, [FAY, FOX, EDD, ADA])) == 1


def test_people_can_work_on_different_claims_of_one_check(desk: Desk) -> None:
    first, second = new_check(desk, FAY).claims
    desk.verify_claim(FAY, first.id, verdict(), first.version)
    desk.verify_claim(FOX, second.id, verdict(), second.version)
    assert {claim.status for claim in desk.check(VIC, first.check_id).claims} == {ClaimStatus.VERIFIED}


def test_a_person_s_verdict_leads_and_the_machine_s_stays(desk: Desk, machine_check: str) -> None:
    check = desk.take(FAY, machine_check, 1)
    assert check.status is CheckStatus.IN_PROGRESS
    claim = next(c for c in check.claims if c.machine and c.machine.rating == "true")
    assert claim.leading == claim.machine
    assert not claim.differs

    changed = desk.verify_claim(FAY, claim.id, verdict(Rating.FALSE, status="disputed"), claim.version)

    assert changed.leading
    assert (changed.leading.rating, changed.leading.method) == ("false", "manual")
    assert changed.machine == claim.machine
    assert changed.differs
    assert changed.status is ClaimStatus.DISPUTED


def test_a_claim_that_was_started_can_be_left(desk: Desk) -> None:
    first, second = new_check(desk, FAY).claims
    started = desk.start_claim(FAY, first.id, first.version)
    assert started.status is ClaimStatus.IN_PROGRESS
    assert desk.stop_claim(FAY, first.id, started.version).status is ClaimStatus.PENDING
    rated = desk.verify_claim(FAY, second.id, verdict(), second.version)
    again = desk.start_claim(FAY, second.id, rated.version)
    with pytest.raises(ConflictError, match="has a verdict"):
        desk.stop_claim(FAY, second.id, again.version)
    with pytest.raises(ForbiddenError):
        desk.stop_claim(VIC, first.id, 3)


def test_a_state_of_somebody_s_own_hides_nothing(desk: Desk, sql: Sql) -> None:
    check = new_check(desk, FAY)
    sql.execute("UPDATE fact_checks SET status = 'archived'")
    sql.execute("UPDATE extracted_claims SET status = 'done'")
    assert [item.status for item in desk.queue(VIC)] == [CheckStatus.PENDING]
    assert {claim.status for claim in desk.check(VIC, check.id).claims} == {ClaimStatus.PENDING}
    assert sum(row.total_claims for row in desk.statistics(VIC).claim_types) == 2


def test_a_check_is_complete_only_if_people_rated_every_verifiable_claim(desk: Desk) -> None:
    check = new_check(desk, FAY)
    check = desk.take(FAY, check.id, check.version)
    with pytest.raises(ConflictError, match="2 of its 2 claims have no verdict that a person stands for"):
        desk.move(FAY, check.id, CheckStatus.COMPLETED, check.version)
    desk.verify_claim(FAY, check.claims[0].id, verdict(), 1)
    flagged = desk.flag_claim(FAY, check.claims[1].id, "Which year?", 1)
    assert desk.queue(FAY)[0].settled == 1
    with pytest.raises(ConflictError, match="1 of its 2 claims have no verdict that a person stands for"):
        desk.move(FAY, check.id, CheckStatus.COMPLETED, check.version)
    desk.change_claim(FAY, flagged.id, ClaimChange(verifiable=False), flagged.version)
    done = desk.move(FAY, check.id, CheckStatus.COMPLETED, check.version)
    assert done.status is CheckStatus.COMPLETED
    assert done.comments[0].text == "Which year?"


def test_a_check_without_claims_can_t_be_completed(desk: Desk) -> None:
    check_id = desk.create(FAY, "Empty", TEXT)
    check = desk.take(FAY, check_id, 1)
    with pytest.raises(ConflictError, match="no claims yet"):
        desk.move(FAY, check_id, CheckStatus.COMPLETED, check.version)


class TestSecondReader:
    def test_nobody_publishes_or_approves_what_they_completed(self, desk: Desk) -> None:
        check = completed_check(desk, EVE)
        with pytest.raises(ForbiddenError, match="yourself; another person approves it"):
            desk.review(EVE, check.id, "approved", "", check.version)
        with pytest.raises(ForbiddenError, match="yourself; another person publishes it"):
            desk.publish(EVE, check.id, check.version)
        desk.review(EDD, check.id, "approved", "", check.version)
        with pytest.raises(ForbiddenError, match="yourself"):
            desk.publish(EVE, check.id, check.version)
        assert desk.publish(EDD, check.id, check.version).status is CheckStatus.PUBLISHED

    def test_who_verified_one_claim_is_no_second_reader(self, desk: Desk) -> None:
        check = new_check(desk, FAY)
        desk.verify_claim(EVE, check.claims[0].id, verdict(), 1)
        desk.verify_claim(FAY, check.claims[1].id, verdict(), 1)
        version = desk.check(FAY, check.id).version
        check = desk.move(FAY, check.id, CheckStatus.COMPLETED, version)
        with pytest.raises(ForbiddenError, match="yourself"):
            desk.review(EVE, check.id, "approved", "", check.version)

    def test_an_approval_is_needed_and_counts_for_its_version_only(self, desk: Desk) -> None:
        check = completed_check(desk, FAY)
        assert not desk.check(EVE, check.id).second_reader.satisfied
        with pytest.raises(ForbiddenError, match="has to approve this version first"):
            desk.publish(EVE, check.id, check.version)
        desk.review(EVE, check.id, "approved", "", check.version)
        check = desk.move(FAY, check.id, CheckStatus.IN_PROGRESS, check.version)
        check = desk.move(FAY, check.id, CheckStatus.COMPLETED, check.version)
        with pytest.raises(ForbiddenError, match="has to approve this version first"):
            desk.publish(EVE, check.id, check.version)

    def test_a_later_no_of_the_same_person_counts(self, desk: Desk) -> None:
        check = completed_check(desk, FAY)
        desk.review(EVE, check.id, "approved", "", check.version)
        back = desk.review(EVE, check.id, "changes_requested", "Look at the year", check.version)
        assert back.status is CheckStatus.IN_PROGRESS
        assert back.completed_by is None

    def test_a_fact_checker_can_t_review(self, desk: Desk) -> None:
        check = completed_check(desk, FAY)
        with pytest.raises(ForbiddenError):
            desk.review(FOX, check.id, "approved", "", check.version)

    def test_the_setting_turns_it_off(self, store: RunStore) -> None:
        desk = Desk(store, needs_second_reader=False)
        check = completed_check(desk, EVE)
        assert desk.publish(EVE, check.id, check.version).status is CheckStatus.PUBLISHED

    def test_without_accounts_it_can_t_apply_and_says_so(self, desk: Desk) -> None:
        check = completed_check(desk, LOCAL_USER)
        assert "no accounts" in check.second_reader.sentence
        desk.publish(LOCAL_USER, check.id, check.version)
        entry = desk.audit(LOCAL_USER, check.id)[0]
        assert entry.after
        assert "no accounts" in entry.after["second_reader"]


class TestPublished:
    def test_is_locked(self, desk: Desk, store: RunStore) -> None:
        check = published_check(desk, FAY, EVE)
        claim, version = check.claims[0], check.version
        forbidden: list[Callable[[], object]] = [
            lambda: desk.verify_claim(ADA, claim.id, verdict(Rating.FALSE), claim.version),
            lambda: desk.start_claim(ADA, claim.id, claim.version),
            lambda: desk.flag_claim(ADA, claim.id, "", claim.version),
            lambda: desk.add_claim(ADA, check.id, "Perth is in the west."),
            lambda: desk.assign(ADA, check.id, None, None, Priority.LOW, version),
            lambda: desk.take(FAY, check.id, version),
            lambda: desk.publish(EVE, check.id, version),
            lambda: desk.review(EVE, check.id, "approved", "", version),
            lambda: desk.extract(EVE, check.id, version),
            lambda: store.delete(check.id),
            *(lambda status=status: desk.move(ADA, check.id, status, version) for status in CheckStatus),
        ]
        for change in forbidden:
            with pytest.raises(ConflictError):
                change()
        assert desk.check(VIC, check.id) == check.model_copy(
            update={"second_reader": desk.check(VIC, check.id).second_reader}
        )

    def test_a_correction_is_a_new_publication_with_a_reason(self, desk: Desk) -> None:
        check = published_check(desk, FAY, EVE)
        with pytest.raises(UsageError, match="reason"):
            desk.correct(EVE, check.id, "  ", check.version)
        desk.correct(EVE, check.id, "The headline had a typo.", check.version)
        publication = desk.publication(check.id)
        assert publication
        assert (publication.number, publication.kind) == (2, "corrected")
        assert [notice.reason for notice in publication.notices] == [None, "The headline had a typo."]

    def test_verdicts_change_by_reopening_with_a_reason(self, desk: Desk) -> None:
        check = published_check(desk, FAY, EVE)
        with pytest.raises(ForbiddenError):
            desk.reopen(FAY, check.id, "Wrong", check.version)
        check = desk.reopen(EVE, check.id, "A reader wrote to us.", check.version)
        claim = check.claims[0]
        desk.verify_claim(FAY, claim.id, verdict(Rating.FALSE), claim.version)
        public = desk.publication(check.id)
        assert public
        assert public.content["claims"][0]["rating"] == "true"
        check = desk.move(FAY, check.id, CheckStatus.COMPLETED, check.version)
        with pytest.raises(ConflictError, match="published before"):
            desk.publish(EVE, check.id, check.version)
        with pytest.raises(ForbiddenError, match="approve"):
            desk.correct(EVE, check.id, "The figure was wrong.", check.version)
        desk.review(EVE, check.id, "approved", "", check.version)
        desk.correct(EVE, check.id, "The figure was wrong.", check.version)
        corrected = desk.publication(check.id)
        assert corrected
        assert corrected.content["claims"][0]["rating"] == "false"
        assert desk.check(VIC, check.id).status is CheckStatus.PUBLISHED

    def test_a_retraction_stays_public(self, desk: Desk) -> None:
        check = published_check(desk, FAY, EVE)
        check = desk.retract(EVE, check.id, "The source was forged.", check.version)
        [publication] = desk.publications()
        assert (publication.kind, publication.reason) == ("retracted", "The source was forged.")
        with pytest.raises(ConflictError, match="already retracted"):
            desk.retract(EVE, check.id, "Again", check.version)
        with pytest.raises(ConflictError, match="was retracted"):
            desk.correct(EVE, check.id, "Back", check.version)


def test_a_machine_s_own_files_are_not_published(desk: Desk, sql: Sql) -> None:
    check = completed_check(desk, FAY)
    sql.execute(
        "INSERT INTO verification_sources (verification_id, url, title) VALUES (1, '/srv/secret/notes.txt', 'Notes')"
    )
    desk.review(EVE, check.id, "approved", "", check.version)
    desk.publish(EVE, check.id, check.version)
    publication = desk.publication(check.id)
    assert publication
    assert publication.content["claims"][0]["sources"][0] == {
        "url": None, "title": "Notes", "domain": None, "credibility_tier": None,
        "supports_claim": None, "excerpt": None, "date_published": None,
    }  # fmt: skip


class TestAssignment:
    def test_who_has_a_check_may_hand_it_over(self, desk: Desk) -> None:
        check = new_check(desk, EVE)
        with pytest.raises(ForbiddenError):
            desk.assign(FAY, check.id, FAY.user_id, None, Priority.LOW, check.version)
        check = desk.take(FAY, check.id, check.version)
        check = desk.assign(FAY, check.id, FOX.user_id, None, Priority.MEDIUM, check.version)
        assert check.assigned_to
        assert check.assigned_to.username == "fox"
        with pytest.raises(ConflictError, match="assigned to fox"):
            desk.take(FAY, check.id, check.version)

    @pytest.mark.parametrize(("user", "error"), [(6, ConflictError), (99, NotFoundError)])
    def test_only_to_people_who_can_work_on_it(
        self, desk: Desk, user: int, error: type[VeridicError]
    ) -> None:
        check = new_check(desk, EVE)
        with pytest.raises(error):
            desk.assign(EVE, check.id, user, None, Priority.LOW, check.version)

    def test_not_to_a_disabled_account(self, desk: Desk, sql: Sql) -> None:
        sql.execute("UPDATE users SET disabled_at = '2026-01-01 00:00:00' WHERE id = 5")
        check = new_check(desk, EVE)
        with pytest.raises(ConflictError, match="disabled"):
            desk.assign(EVE, check.id, 5, None, Priority.LOW, check.version)


@pytest.mark.usefixtures("on_each_database")
def test_the_queue_is_by_priority_and_age_and_pages_go_on(desk: Desk) -> None:
    given = ("low", "high", "medium", "high", "low", "medium")
    ids = {number: desk.create(FAY, f"Check {number}", TEXT, Priority(p)) for number, p in enumerate(given)}
    expected = [ids[number] for number in (1, 3, 2, 5, 0, 4)]
    assert [item.id for item in desk.queue(VIC)] == expected
    assert [item.id for item in desk.queue(VIC, limit=4, after=expected[1])] == expected[2:]
    assert [item.title for item in desk.queue(VIC, text="check 3")] == ["Check 3"]
    assert len(desk.queue(VIC, text="canberra")) == 6
    assert desk.queue(VIC, text="100%") == []


def test_the_views_of_the_queue(desk: Desk, machine_check: str) -> None:
    mine = new_check(desk, EVE)
    desk.take(FAY, mine.id, mine.version)
    free = desk.create(EVE, "Free", TEXT)
    done = completed_check(desk, FAY)
    published_check(desk, FAY, EVE)

    def ids(actor: Actor, view: str) -> set[str]:
        return {item.id for item in desk.queue(actor, view)}  # type: ignore[arg-type]  # as an address gives it

    assert ids(FAY, "mine") == {mine.id, done.id}
    assert ids(FOX, "unassigned") == {free, machine_check}
    assert ids(EVE, "to_review") == {done.id}
    assert ids(FAY, "to_review") == set()
    assert ids(VIC, "all") == {mine.id, free, done.id, machine_check}
    assert len(desk.queue(VIC, status=CheckStatus.PUBLISHED)) == 1


def test_pending_claims_come_by_priority(desk: Desk, sql: Sql) -> None:
    check = new_check(desk, FAY)
    sql.execute("UPDATE extracted_claims SET priority = 'high' WHERE id = ?", (check.claims[1].id,))
    assert [claim.claim_id for claim in desk.pending_claims(VIC)] == [2, 1]
    desk.verify_claim(FAY, 2, verdict(), 1)
    assert [claim.claim_id for claim in desk.pending_claims(VIC)] == [1]


@pytest.mark.usefixtures("on_each_database")
def test_earlier_verdicts_on_a_claim_are_found(desk: Desk) -> None:
    completed_check(desk, FAY)
    [found] = desk.similar(VIC, "The capital of Australia is Canberra.")
    assert found.verified_by
    assert (found.text, found.rating, found.verified_by.username) == (
        "Canberra is the capital of Australia", "true", "fay",
    )  # fmt: skip
    assert desk.similar(VIC, "Turnips are blue.") == []
    assert desk.similar(VIC, "") == []


def test_a_viewer_changes_nothing(desk: Desk) -> None:
    check = new_check(desk, FAY)
    claim = check.claims[0]
    attempts: list[Callable[[], object]] = [
        lambda: desk.create(VIC, "x", "y"),
        lambda: desk.take(VIC, check.id, check.version),
        lambda: desk.assign(VIC, check.id, 4, None, Priority.LOW, check.version),
        lambda: desk.move(VIC, check.id, CheckStatus.IN_PROGRESS, check.version),
        lambda: desk.extract(VIC, check.id, check.version),
        lambda: desk.add_claim(VIC, check.id, "A claim of mine"),
        lambda: desk.start_claim(VIC, claim.id, claim.version),
        lambda: desk.verify_claim(VIC, claim.id, verdict(), claim.version),
        lambda: desk.flag_claim(VIC, claim.id, "", claim.version),
        lambda: desk.comment(VIC, check.id, None, "Hello"),
        lambda: desk.review(VIC, check.id, "approved", "", check.version),
        lambda: desk.publish(VIC, check.id, check.version),
        lambda: desk.correct(VIC, check.id, "why", check.version),
        lambda: desk.reopen(VIC, check.id, "why", check.version),
        lambda: desk.retract(VIC, check.id, "why", check.version),
        lambda: desk.audit(VIC),
        lambda: desk.audit(VIC, check.id),
    ]
    for attempt in attempts:
        with pytest.raises(ForbiddenError, match="vic \\(viewer\\) may not"):
            attempt()
    assert desk.check(VIC, check.id).claims == check.claims


def test_extraction_saves_claims_and_gives_the_check_back(desk: Desk) -> None:
    check_id = desk.create(FAY, "Cities", TEXT)
    check = desk.extract(FAY, check_id, 1)
    assert check.status is CheckStatus.PENDING
    assert len(check.claims) == 2
    assert all(TEXT[slice(*claim.span)] for claim in check.claims if claim.span)
    statuses = [entry.after["status"] for entry in desk.audit(EVE, check_id) if entry.after]
    assert statuses == ["pending", "extracting_claims", "pending"]


def test_the_whole_trail_is_for_admins(desk: Desk) -> None:
    check = new_check(desk, FAY)
    assert len(desk.audit(EVE, check.id)) == len(desk.audit(ADA)) == 3
    with pytest.raises(ForbiddenError):
        desk.audit(EVE)


def test_overdue_work_is_counted(desk: Desk) -> None:
    check = new_check(desk, EVE)
    yesterday = datetime.now(UTC) - timedelta(days=1)
    desk.assign(EVE, check.id, FAY.user_id, yesterday, Priority.LOW, check.version)
    [fay] = [row for row in desk.statistics(VIC).people if row.username == "fay"]
    assert (fay.assigned, fay.overdue) == (1, 1)
