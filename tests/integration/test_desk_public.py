"""What the desk publishes, as readers, search engines and other sites get it: without signing in."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.desk_people import completed_check, new_check, person, published_check, verdict
from tests.desk_site import DeskSite, desk_site

from veridic.config.settings import Settings
from veridic.desk.records import CheckRecord, Rating

_ATOM = "{http://www.w3.org/2005/Atom}"
_MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskSite]:
    with desk_site(
        tmp_path_factory.mktemp("public"),
        desk_name="The Example Desk",
        desk_url="https://checks.example.org/",
        desk_ratings=("Right", "Nearly right", "Half right", "Mostly wrong", "Wrong", "Not known"),
    ) as opened:
        yield opened


def publish(site: DeskSite, *ratings: Rating, **more: Any) -> CheckRecord:
    """Publish a check whose claims have these ratings."""
    desk, fox, edd = site.desk, person("fox"), person("edd")
    check = new_check(desk, fox, claims=len(ratings))
    for claim, rating in zip(check.claims, ratings, strict=True):
        desk.verify_claim(fox, claim.id, verdict(rating, **more), claim.version)
    check = desk.move(fox, check.id, "completed", desk.check(fox, check.id).version)  # type: ignore[arg-type]
    desk.review(edd, check.id, "approved", "", check.version)
    return desk.publish(edd, check.id, check.version)


def reviews(page: str) -> list[dict[str, Any]]:
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    graph: list[dict[str, Any]] = json.loads(found[1])["@graph"] if found else []
    return graph


def test_a_published_check_is_open_to_everybody(site: DeskSite) -> None:
    check = publish(site, Rating.FALSE, Rating.TRUE, notes="As the bureau says.")
    page = site.client.get(f"/published/{check.id}")
    assert page.status_code == 200
    for words in ("The Example Desk", "Canberra is the capital", "Wrong", "Right", "As the bureau says."):
        assert words in page.text
    assert "Sign out" not in page.text
    assert '"/desk' not in page.text
    assert f"/published/{check.id}" in site.client.get("/published").text


def test_its_markup_is_that_of_a_claim_review(site: DeskSite) -> None:
    sources = [
        {"url": "https://www.abs.gov.au/people", "title": "People", "date_published": "2025-03-04T00:00:00Z"},
        {"url": "A phone call", "title": "The bureau's press office"},
    ]
    check = publish(site, Rating.MOSTLY_FALSE, Rating.UNVERIFIABLE, notes="Why.", sources=sources)

    found = reviews(site.client.get(f"/published/{check.id}").text)

    assert len(found) == 1, "a claim that can't be verified has no place on the scale"
    today = check.publications[0].published_at.date().isoformat()
    assert found[0] == {
        "@type": "ClaimReview",
        "url": f"https://checks.example.org/published/{check.id}#claim-1",
        "datePublished": today,
        "dateModified": today,
        "claimReviewed": "Canberra is the capital of Australia",
        "author": {"@type": "Organization", "name": "The Example Desk", "url": "https://checks.example.org"},
        "itemReviewed": {
            "@type": "Claim",
            "text": "Canberra is the capital of Australia",
            "appearance": {"@type": "CreativeWork", "name": "Cities"},
        },
        "reviewRating": {
            "@type": "Rating",
            "ratingValue": 2,
            "bestRating": 5,
            "worstRating": 1,
            "alternateName": "Mostly wrong",
        },
        "reviewBody": "Why.",
        "citation": [
            {
                "@type": "CreativeWork",
                "name": "People",
                "url": "https://www.abs.gov.au/people",
                "datePublished": "2025-03-04",
            },
            {"@type": "CreativeWork", "name": "The bureau's press office"},
        ],
    }


def test_a_source_s_date_is_as_exact_as_it_is_known(site: DeskSite) -> None:
    source = {"url": "https://www.abs.gov.au/people", "title": "People", "published": "2026-01"}
    check = publish(site, Rating.FALSE, sources=[source])
    page = site.client.get(f"/published/{check.id}").text
    assert "<span>January 2026</span>" in page
    assert reviews(page)[0]["citation"][0]["datePublished"] == "2026-01"
    [shown] = check.claims[0].leading.sources  # type: ignore[union-attr]
    assert str(shown.published) == "2026-01"
    assert shown.date_published == datetime(2026, 1, 1, tzinfo=UTC)


def test_a_correction_is_shown_and_a_retraction_takes_the_markup_away(site: DeskSite) -> None:
    check = publish(site, Rating.TRUE)
    desk, edd = site.desk, person("edd")
    check = desk.correct(edd, check.id, "The name of the bureau was wrong.", check.version)

    corrected = site.client.get(f"/published/{check.id}").text
    assert "The name of the bureau was wrong." in corrected
    assert len(reviews(corrected)) == 1

    desk.retract(edd, check.id, "The claim was never made.", check.version)
    retracted = site.client.get(f"/published/{check.id}").text
    for words in ("Retracted", "The claim was never made.", "The name of the bureau was wrong."):
        assert words in retracted
    assert reviews(retracted) == []
    assert "Retracted" in site.client.get(f"/published/{check.id}/card").text
    assert "Retracted: Cities" in site.client.get("/published/feed.atom").text


def test_every_version_can_be_read(site: DeskSite) -> None:
    check = publish(site, Rating.TRUE)
    desk, fox, edd = site.desk, person("fox"), person("edd")
    check = desk.reopen(edd, check.id, "New data.", check.version)
    desk.verify_claim(fox, check.claims[0].id, verdict(Rating.FALSE), check.claims[0].version)
    check = desk.move(fox, check.id, "completed", desk.check(fox, check.id).version)  # type: ignore[arg-type]
    desk.review(edd, check.id, "approved", "", check.version)
    desk.correct(edd, check.id, "New data.", check.version)

    here = f"/published/{check.id}"
    current = site.client.get(here).text
    for number in (1, 2):
        assert f'href="{here}/versions/{number}"' in current
        assert f'href="{here}/versions/{number}"' in site.get("eve", f"/desk/checks/{check.id}").text
    assert "noindex" not in current
    old = site.client.get(f"{here}/versions/1").text
    assert '<p class="public-verdict">' in old
    assert "Right</p>" in old
    assert "Wrong</p>" not in old
    assert "This is version 1, an older one: it was corrected on" in old
    assert f'<a href="{here}">Read the current version</a>' in old
    assert '<meta name="robots" content="noindex">' in old
    assert f'<link rel="canonical" href="https://checks.example.org{here}">' in old
    assert reviews(old) == []
    newest = site.client.get(f"{here}/versions/2").text
    assert "Wrong</p>" in newest
    assert "the current one" in newest
    assert "noindex" in newest
    for wrong in ("0", "3", "x", "-1", "99999999999", "1e1", "٢"):
        assert site.client.get(f"{here}/versions/{wrong}").status_code in (404, 400)

    api = f"/api/fact-checking/checks/{check.id}/publications"
    first = site.get("vic", f"{api}/1").json()
    assert (first["number"], first["kind"], first["content"]["claims"][0]["rating"]) == (
        1,
        "published",
        "true",
    )
    assert [notice["number"] for notice in first["notices"]] == [1, 2]
    assert site.get("vic", f"{api}/3").status_code == 404


def test_public_pages_answer_head_as_get(site: DeskSite) -> None:
    check = publish(site, Rating.TRUE)
    here = f"/published/{check.id}"
    for path in (
        "/published", here, f"{here}/card", f"{here}/versions/1", f"{here}/versions/2", "/published/feed.atom", "/sitemap.xml",
        "/published/FC-1900-000001",
    ):  # fmt: skip
        read, head = site.client.get(path), site.client.head(path)
        assert (head.status_code, head.content) == (read.status_code, b"")
        kept = ("content-type", "content-length", "cache-control", "content-security-policy")
        assert [head.headers[name] for name in kept] == [read.headers[name] for name in kept]


def test_what_is_not_published_is_not_there(site: DeskSite) -> None:
    check = completed_check(site.desk, person("fox"))
    for path in (f"/published/{check.id}", f"/published/{check.id}/card", "/published/FC-1900-000001"):
        answer = site.client.get(path)
        assert answer.status_code == 404
        assert "Nothing is published here" in answer.text
        assert "Cities" not in answer.text
    assert check.id not in site.client.get("/published").text
    assert site.client.post("/published", data={}).status_code in (401, 403, 405)


def test_work_on_a_correction_stays_inside_until_it_is_published(site: DeskSite) -> None:
    check = publish(site, Rating.TRUE)
    desk, fox, edd = site.desk, person("fox"), person("edd")
    check = desk.reopen(edd, check.id, "New data.", check.version)
    desk.verify_claim(fox, check.claims[0].id, verdict(Rating.FALSE), check.claims[0].version)
    before = site.client.get(f"/published/{check.id}").text
    assert [one["reviewRating"]["alternateName"] for one in reviews(before)] == ["Right"]

    check = desk.move(fox, check.id, "completed", desk.check(fox, check.id).version)  # type: ignore[arg-type]
    desk.review(edd, check.id, "approved", "", check.version)
    sent = site.post(
        "edd", f"/desk/checks/{check.id}/correct", {"reason": "New data.", "version": check.version}
    )
    assert sent.status_code == 303
    after = site.client.get(f"/published/{check.id}").text
    assert [one["reviewRating"]["alternateName"] for one in reviews(after)] == ["Wrong"]


def test_only_the_card_may_be_framed(site: DeskSite) -> None:
    check = publish(site, Rating.TRUE)
    policies = {
        path: site.client.get(path).headers["content-security-policy"]
        for path in ("/published", f"/published/{check.id}", f"/published/{check.id}/card", "/sign-in")
    }
    framed = [path for path, policy in policies.items() if "frame-ancestors *" in policy]
    assert framed == [f"/published/{check.id}/card"]
    assert "script-src 'self'" in policies[framed[0]]
    card = site.client.get(framed[0]).text
    assert f'href="https://checks.example.org/published/{check.id}" target="_blank"' in card
    assert "<form" not in card


def test_the_feed_and_the_sitemap_name_every_published_check(site: DeskSite) -> None:
    check = published_check(site.desk, person("fox"), person("edd"))
    address = f"https://checks.example.org/published/{check.id}"

    answer = site.client.get("/published/feed.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.content)
    assert feed.findtext(f"{_ATOM}title") == "The Example Desk: fact checks"
    entry = next(e for e in feed.iter(f"{_ATOM}entry") if e.findtext(f"{_ATOM}id") == address)
    for field in ("title", "published", "updated", "summary"):
        assert entry.findtext(f"{_ATOM}{field}")
    assert feed.findtext(f"{_ATOM}updated") == max(
        e.findtext(f"{_ATOM}updated", "") for e in feed.iter(f"{_ATOM}entry")
    )

    urls = ElementTree.fromstring(site.client.get("/sitemap.xml").content)
    assert address in [loc.text for loc in urls.iter(f"{_MAP}loc")]


def test_hostile_text_is_published_as_text(site: DeskSite) -> None:
    bad = '</script><script>window.__pwned = 1</script>\x00\x1b\ufffe&\u2028"'
    desk, fox, edd = site.desk, person("fox"), person("edd")
    check_id = desk.create(fox, bad, bad)
    claim = desk.add_claim(fox, check_id, bad)
    given = verdict(
        Rating.FALSE, notes=bad, sources=[{"url": "javascript:alert(1)", "title": bad, "excerpt": bad}]
    )
    desk.verify_claim(fox, claim.id, given, claim.version)
    check = desk.move(fox, check_id, "completed", desk.check(fox, check_id).version)  # type: ignore[arg-type]
    desk.review(edd, check_id, "approved", "", check.version)
    desk.publish(edd, check_id, check.version)

    page = site.client.get(f"/published/{check_id}").text
    assert page.count("</script>") == 1, "only that of the markup"
    assert "<script>window" not in page
    assert 'href="javascript' not in page
    assert "window.__pwned = 1" in reviews(page)[0]["claimReviewed"]
    assert "<script>window" not in site.client.get(f"/published/{check_id}/card").text
    assert ElementTree.fromstring(site.client.get("/published/feed.atom").content) is not None
    assert "</script><script>" in unescape(page)


def test_a_server_with_accounts_serves_readers_under_any_name_from_the_start(tmp_path: Any) -> None:
    with desk_site(tmp_path) as fresh:
        assert fresh.client.get("/published").status_code == 200
        assert fresh.client.get("/sign-in").status_code == 200


@pytest.mark.parametrize(
    "values",
    [
        {"desk_url": "checks.example.org"},
        {"desk_name": ""},
        {"desk_ratings": "True,False"},
        {"desk_ratings": "A,A,B,C,D,E"},
    ],
)
def test_settings_that_make_no_sense_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(values))):
        Settings(**values)


def test_the_words_of_the_scale_are_read_from_one_setting() -> None:
    assert Settings(desk_ratings="A, B,C,D,E,F").desk_ratings == tuple("ABCDEF")
