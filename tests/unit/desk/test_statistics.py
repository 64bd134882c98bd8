"""The numbers of the desk: calibration, times, tiers, people, and the table of all of them."""

import csv
import io
from collections.abc import Sequence

import pytest
from tests.builders import make_document, sample_report
from tests.desk_people import completed_check, person, verdict
from tests.plain_sql import Sql

from veridic.desk.desk import Desk
from veridic.desk.lifecycle import CheckStatus
from veridic.desk.records import Rating
from veridic.desk.statistics import to_csv
from veridic.store.runs import RunStore

FAY, VIC = person("fay"), person("vic")


@pytest.fixture
def taken_check(desk: Desk, machine_check: str) -> str:
    """A check of the machine that a person works on."""
    return desk.take(FAY, machine_check, 1).id


def rate(desk: Desk, run_id: str, ratings: Sequence[Rating]) -> None:
    for claim, rating in zip(desk.check(FAY, run_id).claims, ratings, strict=False):
        desk.verify_claim(FAY, claim.id, verdict(rating), claim.version)


@pytest.mark.usefixtures("on_each_database")
def test_how_often_people_agree_with_the_machine(desk: Desk, taken_check: str, sql: Sql) -> None:
    # The machine said: true, false, mixed, unverifiable.
    for number, confidence in enumerate((100, 97, 42, 90), start=1):
        sql.execute("UPDATE validation_results SET confidence = ? WHERE claim_id = ?", (confidence, number))
    rate(desk, taken_check, [Rating.TRUE, Rating.TRUE, Rating.MIXED, Rating.FALSE])
    agreement = desk.statistics(VIC).agreement
    assert (agreement.claims, agreement.agreed, agreement.share_agreed) == (4, 2, 0.5)
    low, high = agreement.calibration
    assert (low.confidence_from, low.confidence_to, low.claims, low.share_agreed) == (40, 49, 1, 1.0)
    assert (high.confidence_from, high.confidence_to, high.claims, high.agreed) == (90, 100, 3, 1)
    assert (high.share_agreed, high.avg_confidence) == (0.3333, 95.7)


def test_the_latest_verdict_of_a_person_counts(desk: Desk, taken_check: str) -> None:
    rate(desk, taken_check, [Rating.FALSE])
    rate(desk, taken_check, [Rating.TRUE])
    agreement = desk.statistics(VIC).agreement
    assert (agreement.claims, agreement.agreed) == (1, 1)


def test_consensus_mode_has_no_confidence_to_calibrate(desk: Desk, taken_check: str, sql: Sql) -> None:
    sql.execute("DELETE FROM validation_results")
    rate(desk, taken_check, [Rating.TRUE])
    agreement = desk.statistics(VIC).agreement
    assert (agreement.claims, agreement.agreed, agreement.calibration) == (1, 1, ())


@pytest.mark.usefixtures("on_each_database")
def test_the_machine_s_seconds_are_not_in_the_average_of_people(desk: Desk, taken_check: str) -> None:
    found = desk.check(FAY, taken_check).claims
    claims = [claim for claim in found if claim.claim_type == "direct_factual"]
    for claim, seconds in zip(claims, (60, 121, None), strict=False):
        desk.verify_claim(FAY, claim.id, verdict(time_spent_seconds=seconds), claim.version)
    kinds = {row.claim_type: row for row in desk.statistics(VIC).claim_types}
    direct = kinds["direct_factual"]
    assert (direct.verifications_by_people, direct.avg_verification_time) == (3, 90.5)
    assert (direct.verifications_by_machine, direct.avg_machine_time) == (4, 3.0)
    assert kinds["hearsay"].avg_verification_time is None


@pytest.mark.usefixtures("on_each_database")
def test_sources_by_tier_are_those_of_the_query_in_plain_sql(desk: Desk, taken_check: str, sql: Sql) -> None:
    assert taken_check
    rows = sql.execute(
        "SELECT credibility_tier, count(*), avg(credibility_score), sum(CASE WHEN supports_claim THEN 1 ELSE 0 END),"
        " sum(CASE WHEN NOT supports_claim THEN 1 ELSE 0 END) FROM verification_sources"
        " GROUP BY credibility_tier ORDER BY 3 DESC, 1"
    ).fetchall()
    tiers = desk.statistics(VIC).tiers
    assert [
        (row.credibility_tier, row.source_count, row.avg_score, row.supporting, row.disputing)
        for row in tiers
    ] == [(*row[:2], round(row[2], 4), *row[3:]) for row in map(tuple, rows)]


def test_the_load_of_a_person(desk: Desk, taken_check: str) -> None:
    rate(desk, taken_check, [Rating.TRUE, Rating.FALSE])
    [fay] = [row for row in desk.statistics(VIC).people if row.username == "fay"]
    assert (fay.assigned, fay.completed, fay.verifications, fay.seconds_spent) == (1, 0, 2, 120)


def test_who_completed_a_check_is_counted_as_long_as_it_is_completed(desk: Desk) -> None:
    check = completed_check(desk, FAY)

    def completed() -> int:
        return sum(row.completed for row in desk.statistics(VIC).people if row.username == "fay")

    assert completed() == 1
    desk.move(FAY, check.id, CheckStatus.IN_PROGRESS, check.version)
    assert completed() == 0


def test_the_table_has_a_row_for_each_number(desk: Desk, taken_check: str, sql: Sql) -> None:
    sql.execute("UPDATE users SET display_name = '=cmd()' WHERE username = 'fay'")
    rate(desk, taken_check, [Rating.TRUE])
    rows = list(csv.DictReader(io.StringIO(to_csv(desk.statistics(VIC)))))
    values = {(row["section"], row["name"], row["measure"]): row["value"] for row in rows}
    assert values["checks", "in_progress", "count"] == "1"
    assert values["claim_types", "direct_factual", "avg_machine_time"] == "3.0"
    assert values["agreement", "all", "share_agreed"] == "1.0"
    assert values["people", "fay", "verifications"] == "1"
    assert values["people", "fay", "display_name"] == "'=cmd()"
    assert {row["section"] for row in rows} == {
        "checks", "claim_types", "tiers", "agreement", "calibration", "people",
    }  # fmt: skip


def test_an_empty_desk_has_no_numbers(desk: Desk) -> None:
    counted = desk.statistics(VIC)
    assert (counted.claim_types, counted.tiers, counted.agreement.share_agreed) == ((), (), None)
    assert counted.checks == dict.fromkeys(
        ("pending", "extracting_claims", "in_progress", "completed", "published"), 0
    )


def test_numbers_of_several_runs_add_up(desk: Desk, store: RunStore) -> None:
    for _ in range(2):
        run_id = store.begin(make_document(), mode="thorough", engine="embedded")
        store.complete(run_id, sample_report())
    counted = desk.statistics(VIC)
    assert sum(row.total_claims for row in counted.claim_types) == 14
    assert sum(row.source_count for row in counted.tiers) == 18
