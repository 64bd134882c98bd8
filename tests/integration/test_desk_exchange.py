"""Checks leave the desk as files and come in again: with numbers of their own, and nothing overwritten."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.command import run_veridic
from tests.desk_people import person, published_check, verdict
from tests.desk_site import DeskSite, desk_site

from veridic.config.settings import Settings
from veridic.desk.desk import Desk
from veridic.desk.records import CheckRecord, Rating
from veridic.domain.people import LOCAL_USER
from veridic.store.runs import RunStore

EVE, EDD, FAY, FOX = map(person, ("eve", "edd", "fay", "fox"))
_REVIEW = {
    "@context": "https://schema.org",
    "@type": "ClaimReview",
    "claimReviewed": "Wagga Wagga has three rivers.",
    "url": "https://other.example/rivers",
    "reviewRating": {"@type": "Rating", "ratingValue": 1, "worstRating": 1, "bestRating": 5},
    "author": {"@type": "Organization", "name": "The Other Desk"},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskSite]:
    with desk_site(tmp_path_factory.mktemp("desk"), api_starts_per_minute=10_000) as opened:
        check = opened.desk.extract(FAY, opened.desk.create(FAY, "Rivers", "Wagga Wagga has two rivers."), 1)
        claim = check.claims[0]
        source = {
            "url": "https://rivers.example/1",
            "title": "Rivers",
            "supports_claim": True,
            "excerpt": "Two.",
        }
        opened.desk.verify_claim(FAY, claim.id, verdict(Rating.TRUE, notes="Seen.", sources=[source]), 1)
        opened.desk.comment(FAY, check.id, claim.id, "Ask the museum.")
        published_check(opened.desk, FOX, EDD)
        yield opened


@pytest.fixture(scope="module")
def exported(site: DeskSite) -> dict[str, Any]:
    answer = site.get("eve", "/api/fact-checking/export?format=json")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Desk]:
    """A desk that has a check of its own, whose number is also one of the export's."""
    with RunStore(Settings(home=tmp_path).database) as store:
        desk = Desk(store)
        desk.create(LOCAL_USER, "Mine", "Something else altogether.")
        yield desk


def test_an_export_is_imported_under_numbers_of_its_own(exported: dict[str, Any], other: Desk) -> None:
    done = other.import_data(LOCAL_USER, exported)

    assert (len(done.checks), done.claims, done.skipped) == (2, 3, ())
    assert other.check(LOCAL_USER, exported["checks"][0]["id"]).title == "Mine"
    rivers, cities = (other.check(LOCAL_USER, one) for one in done.checks)
    assert (rivers.title, rivers.content) == ("Rivers", "Wagga Wagga has two rivers.")
    leading = rivers.claims[0].leading
    assert leading is not None
    assert (leading.rating, leading.method, leading.verified_by) == ("true", "imported", None)
    assert leading.notes == "By fay at the other desk. Seen."
    assert leading.sources[0].excerpt == "Two."
    assert rivers.comments[0].text == "fay at the other desk: Ask the museum."
    assert cities.status == "published"


def test_what_was_imported_is_not_imported_again(exported: dict[str, Any], other: Desk) -> None:
    first = other.import_data(LOCAL_USER, exported)

    again = other.import_data(LOCAL_USER, exported)

    assert (again.checks, again.claims) == ((), 0)
    assert [one.reason for one in again.skipped] == [f"It is here already, as {one}." for one in first.checks]


def test_the_own_export_changes_nothing(site: DeskSite, exported: dict[str, Any]) -> None:
    before = [site.desk.check(EVE, one["id"]) for one in exported["checks"]]

    done = site.desk.import_data(EVE, exported)

    assert done.checks == ()
    assert [site.desk.check(EVE, one["id"]) for one in exported["checks"]] == before


def test_a_verdict_in_a_file_makes_nobody_here_stand_for_it(exported: dict[str, Any], other: Desk) -> None:
    done = other.import_data(LOCAL_USER, exported)
    claim = other.check(LOCAL_USER, done.checks[0]).claims[0]

    assert claim.needs_person


def test_what_can_t_be_read_is_left_out_with_the_reason(exported: dict[str, Any], other: Desk) -> None:
    broken = exported["checks"][0] | {"content": ""}

    done = other.import_data(LOCAL_USER, {"checks": [broken, "text", exported["checks"][1]]})

    assert len(done.checks) == 1
    assert done.skipped[0].claim == broken["id"]
    assert done.skipped[0].reason.startswith("content: ")


@pytest.mark.parametrize(("name", "allowed"), [("vic", False), ("fay", False), ("eve", True), ("ada", True)])
def test_the_page_is_for_editors(site: DeskSite, name: str, allowed: bool) -> None:
    assert site.get(name, "/desk/files").status_code == (200 if allowed else 403)
    assert ('href="/desk/files"' in site.get(name, "/desk").text) is allowed
    assert _sent(site, name, json.dumps(_REVIEW)).status_code == (200 if allowed else 403)


def test_the_page_says_what_became_of_a_file(site: DeskSite) -> None:
    first = _sent(site, "eve", json.dumps(_REVIEW | {"claimReviewed": "Wagga Wagga has four rivers."}))
    again = _sent(site, "eve", json.dumps(_REVIEW | {"claimReviewed": "Wagga Wagga has four rivers."}))

    assert "Imported 1 check with 1 claim" in first.text
    assert "Wagga Wagga has four rivers." in again.text and "It was imported before." in again.text
    for content in ("", "{", "[]"):
        refused = _sent(site, "eve", content)
        assert refused.status_code == 400
        assert 'id="problem"' in refused.text


def test_the_command_exports_and_imports(tmp_path: Path, site: DeskSite, exported: dict[str, Any]) -> None:
    file, copy = tmp_path / "checks.json", tmp_path / "copy.json"
    file.write_text(json.dumps(exported))

    done = run_veridic("desk", "import", file, home=tmp_path)
    again = run_veridic("desk", "import", file, home=tmp_path)
    run_veridic("desk", "export", "--output", copy, home=tmp_path)
    table = run_veridic("desk", "export", "--format", "csv", home=tmp_path)

    assert (done.returncode, done.stdout) == (0, "Imported 2 checks with 3 claims.\n")
    assert again.stdout == "Imported 0 checks with 0 claims.\n"
    assert again.stderr.count("It is here already, as FC-") == 2
    assert [CheckRecord.model_validate(one).title for one in json.loads(copy.read_text())["checks"]] == [
        one["title"] for one in exported["checks"]
    ]
    assert table.stdout.startswith("check_id,title,")


@pytest.mark.parametrize("content", [None, "{", '{"checks": 1}'], ids=["missing", "no JSON", "no export"])
def test_the_command_says_what_it_can_t_read(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "checks.json"
    if content is not None:
        file.write_text(content)

    ended = run_veridic("desk", "import", file, home=tmp_path)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("veridic: ")


def _sent(site: DeskSite, name: str, content: str) -> Any:
    files = {"file": ("checks.json", content.encode())}
    return site.client.post("/desk/files", files=files, headers=site.headers(name))
