"""Searching the desk, and that its index follows every change, whoever makes it."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.desk_people import completed_check, new_check, person, verdict
from tests.plain_sql import Sql

from veridic.desk.desk import Desk
from veridic.desk.records import Rating
from veridic.store.runs import RunStore

EVE, FAY, FOX, VIC = map(person, ("eve", "fay", "fox", "vic"))


def found(desk: Desk, text: str) -> list[str | None]:
    return [item.title for item in desk.queue(VIC, text=text)]


@pytest.mark.usefixtures("on_each_database")
def test_words_in_title_text_or_id(desk: Desk) -> None:
    desk.create(FAY, "The Budget", "ZURICH spends 3.5 percent less, 한국어 aside.")
    desk.create(FAY, "Other", "Nothing of that.")
    finding = ("budget", "BUDG", "zurich budget", "zürich", "한국", "3.5", "fc-20 budget", "budget:*")
    not_finding = (
        "udget",
        "%",
        "'; DROP TABLE fact_checks; --",
        '"budget" OR *',
        "\udcff \0",
        "budget nothing",
        " ".join(f"word{number}" for number in range(5_000)),
    )
    assert {text: found(desk, text) for text in finding} == {text: ["The Budget"] for text in finding}
    assert {text: found(desk, text) for text in not_finding} == {text: [] for text in not_finding}


@pytest.mark.usefixtures("on_each_database")
def test_search_follows_changes_in_plain_sql(desk: Desk, sql: Sql) -> None:
    check_id = desk.create(FAY, "First", "A text about turnips.")
    assert found(desk, "turnips") == ["First"]
    sql.execute("UPDATE fact_checks SET content = 'A text about beets.' WHERE id = ?", (check_id,))
    sql.execute("UPDATE desk_checks SET title = 'Second'")
    assert found(desk, "turnips") == []
    assert found(desk, "beets second") == ["Second"]
    sql.execute("DELETE FROM fact_checks")
    assert found(desk, "beets") == []
    assert sql.execute("SELECT count(*) FROM check_index").fetchone()[0] == 0


@pytest.mark.usefixtures("on_each_database")
def test_a_text_of_any_size_is_found_by_its_beginning(desk: Desk) -> None:
    desk.create(FAY, "Long", " ".join(f"w{number}" for number in range(200_000)))
    desk.create(FAY, "One word", "한" * 300_000)
    assert found(desk, "w77 w9000") == ["Long"]
    assert found(desk, "한한한") == ["One word"]


@pytest.mark.usefixtures("on_each_database")
def test_statistics_follow_every_kind_of_change(desk: Desk, store: RunStore, sql: Sql) -> None:
    check = completed_check(desk, FAY)
    source = {"url": "https://www.cdc.gov/a", "supports_claim": True}
    other = new_check(desk, FAY)
    desk.verify_claim(FOX, other.claims[0].id, verdict(Rating.FALSE, sources=[source]), 1)
    counted = desk.statistics(VIC)
    [kind] = counted.claim_types
    assert (kind.total_claims, kind.verified, kind.pending, kind.verifications_by_people) == (4, 3, 1, 3)
    assert [(row.credibility_tier, row.supporting) for row in counted.tiers] == [("federal_government", 1)]

    sql.execute("UPDATE verification_sources SET supports_claim = ?", (False,))
    sql.execute("DELETE FROM claim_verifications WHERE verified_by = 4")
    sql.execute("UPDATE extracted_claims SET status = 'flagged' WHERE fact_check_id = ?", (check.id,))
    counted = desk.statistics(VIC)
    [kind] = counted.claim_types
    assert (kind.verified, kind.flagged, kind.verifications_by_people) == (1, 2, 1)
    assert [(row.supporting, row.disputing) for row in counted.tiers] == [(0, 1)]

    store.delete(other.id)
    sql.execute("DELETE FROM fact_checks")
    empty = desk.statistics(VIC)
    assert (empty.claim_types, empty.tiers, sum(empty.checks.values())) == ((), (), 0)


@pytest.mark.usefixtures("on_each_database")
def test_counting_while_people_save(desk: Desk) -> None:
    """Two that count at once add nothing twice, and what is saved meanwhile is counted later."""
    checks = [new_check(desk, FAY) for _ in range(8)]

    def save(number: int) -> None:
        for claim in checks[number].claims:
            desk.verify_claim(FAY, claim.id, verdict(), claim.version)
            desk.statistics(VIC)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(save, range(8)))
    [kind] = desk.statistics(VIC).claim_types
    assert (kind.total_claims, kind.verified, kind.verifications_by_people) == (16, 16, 16)


class TestSimilar:
    @pytest.mark.usefixtures("on_each_database")
    def test_other_words_of_the_same_meaning_are_found(self, desk: Desk) -> None:
        self.check(desk, "The number of offences in District 12 dropped by 15%.")
        self.check(desk, "The mayor of District 9 was born in 1950.")
        [same] = desk.similar(VIC, "Crime has decreased by 15 percent in District 12.")
        assert (same.relation, same.rating) == ("same", "true")
        assert same.similarity >= 70

    def test_a_claim_that_can_t_be_true_at_once_says_so(self, desk: Desk) -> None:
        self.check(desk, "The population of Astow was 5,000 in 2021.")
        [opposite] = desk.similar(VIC, "The population of Astow was 6,000 in 2021.")
        assert opposite.relation == "opposite"

    def test_the_pattern_of_a_sentence_is_not_enough(self, desk: Desk) -> None:
        self.check(desk, "The mayor of Ulelstad is Leo Kalvilmelsen.")
        assert desk.similar(VIC, "The mayor of Briterburg is Anton Perrosmann.") == []

    def test_a_person_s_latest_verdict_is_the_one_shown(self, desk: Desk) -> None:
        check_id = self.check(desk, "Canberra is the capital of Australia.")
        claim = desk.check(FAY, check_id).claims[0]
        desk.verify_claim(FOX, claim.id, verdict(Rating.MIXED), claim.version)
        [found] = desk.similar(VIC, "Canberra is Australia's capital.")
        assert found.verified_by
        assert (found.rating, found.verified_by.username) == ("mixed", "fox")

    def test_a_claim_without_a_verdict_is_not_offered(self, desk: Desk) -> None:
        check_id = desk.create(FAY, "x", "Canberra is the capital of Australia.")
        desk.add_claim(FAY, check_id, "Canberra is the capital of Australia.")
        assert desk.similar(VIC, "Canberra is the capital of Australia.") == []

    @staticmethod
    def check(desk: Desk, text: str) -> str:
        check_id = desk.create(FAY, "Earlier", text)
        claim = desk.add_claim(FAY, check_id, text)
        desk.verify_claim(FAY, claim.id, verdict(), claim.version)
        return check_id
