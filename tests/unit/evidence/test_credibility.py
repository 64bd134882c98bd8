import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.errors import UsageError
from veridic.domain.evidence import TIER_SCORES, Source, Tier
from veridic.evidence.credibility import Credibility, TierTable, load_credibility

BUILT_IN = load_credibility()


@pytest.mark.parametrize(
    ("domain", "tier"),
    [
        ("cia.gov", Tier.FEDERAL_GOVERNMENT),
        ("www.cia.gov", Tier.FEDERAL_GOVERNMENT),
        ("ucr.fbi.gov", Tier.FEDERAL_GOVERNMENT),
        ("CDC.gov.", Tier.FEDERAL_GOVERNMENT),
        ("some-agency.gov", Tier.FEDERAL_GOVERNMENT),
        ("navy.mil", Tier.FEDERAL_GOVERNMENT),
        ("ons.gov.uk", Tier.FEDERAL_GOVERNMENT),
        ("www.gov.uk", Tier.FEDERAL_GOVERNMENT),
        ("factcheck.org", Tier.FACT_CHECKERS),
        ("politifact.com", Tier.FACT_CHECKERS),
        ("brookings.edu", Tier.RESEARCH_INSTITUTIONS),
        ("pewresearch.org", Tier.RESEARCH_INSTITUTIONS),
        ("physics.stanford.edu", Tier.RESEARCH_INSTITUTIONS),
        ("pubmed.ncbi.nlm.nih.gov", Tier.RESEARCH_INSTITUTIONS),
        ("www.nih.gov", Tier.FEDERAL_GOVERNMENT),
        ("nytimes.com", Tier.NATIONAL_NEWS),
        ("edition.cnn.com", Tier.NATIONAL_NEWS),
        ("factcheck.afp.com", Tier.FACT_CHECKERS),
        ("www.afp.com", Tier.NATIONAL_NEWS),
        ("chicagotribune.com", Tier.REGIONAL_NEWS),
        ("someone.substack.com", Tier.BLOGS_OPINION),
        ("example.com", Tier.UNKNOWN),
        ("en.wikipedia.org", Tier.UNKNOWN),
    ],
)
def test_tier_covers_subdomains(domain: str, tier: Tier) -> None:
    assert BUILT_IN.tier(domain) is tier


@pytest.mark.parametrize(
    "domain",
    [
        "cia.gov.evil.com",
        "notcia.gov.ru",
        "mycnn.com",
        "com",
        "co.uk",
        "",
        None,
        "localhost",
        "10.0.0.1",
        "🙂",
        "a b",
    ],
)
def test_lookalikes_and_non_domains_have_no_tier(domain: str | None) -> None:
    assert BUILT_IN.tier(domain) is Tier.UNKNOWN


@given(st.text(max_size=300))
def test_any_text_has_a_tier_or_unknown(text: str) -> None:
    assert BUILT_IN.tier(text) in Tier


def test_table_is_consistent_and_covers_every_tier() -> None:
    from veridic.evidence import credibility

    table = credibility._built_in()
    names = [name for listed in table.domains.values() for name in listed]
    assert len(names) == len(set(names)) >= 150
    assert set(table.domains) == set(Tier) - {Tier.UNKNOWN}
    assert all(name == name.strip().lower() and "." in name for name in names)
    for tier, listed in table.domains.items():
        assert all(BUILT_IN.tier(f"sub.{name}") is tier for name in listed)


def test_source_gets_tier_and_score_of_domain() -> None:
    rated = BUILT_IN.rate(Source(title="t", channel="c", domain="apnews.com"))
    assert (rated.tier, rated.credibility) == (Tier.NATIONAL_NEWS, TIER_SCORES[Tier.NATIONAL_NEWS])
    own = Source(title="t", channel="c", path="a.md", tier=Tier.FACT_CHECKERS, credibility=0.9)
    assert BUILT_IN.rate(own) == own


def test_user_file_adds_and_overrides(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"domains": {"blogs_opinion": ["CNN.com"], "national_news": ["example.com"]}}))
    mine = load_credibility(file)
    assert mine.tier("edition.cnn.com") is Tier.BLOGS_OPINION
    assert mine.tier("example.com") is Tier.NATIONAL_NEWS
    assert mine.tier("cia.gov") is Tier.FEDERAL_GOVERNMENT


def test_more_specific_entry_wins() -> None:
    table = TierTable(domains={Tier.BLOGS_OPINION: ("blogs.paper.com",), Tier.NATIONAL_NEWS: ("paper.com",)})
    assert Credibility(table).tier("x.blogs.paper.com") is Tier.BLOGS_OPINION
    assert Credibility(table).tier("x.paper.com") is Tier.NATIONAL_NEWS


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"domains": {"very_good": ["x.com"]}}', "very_good"),
        ('{"domains": {"national_news": "x.com"}}', "national_news"),
        ('{"domain": {}}', "domain"),
        ("not json", "the file"),
        ("", "the file"),
        ("[]", "the file"),
    ],
)
def test_bad_file_is_refused_with_place_and_advice(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "mine.json"
    file.write_text(content)
    with pytest.raises(UsageError) as error:
        load_credibility(file)
    assert (
        str(file) in str(error.value) and said in str(error.value) and "should look like" in str(error.value)
    )
    assert "\n" not in str(error.value)


def test_missing_file_is_refused() -> None:
    with pytest.raises(UsageError, match="VERIDIC_CREDIBILITY_FILE"):
        load_credibility(Path("/does/not/exist.json"))
