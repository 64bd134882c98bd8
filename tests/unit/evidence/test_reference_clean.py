"""Cleaning the Factbook's fragments: tags, years, units, names in capitals, statements."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.dates import PartialDate
from veridic.evidence.reference.clean import (
    fact_date,
    finish,
    leaders_in_mixed_case,
    names_in_mixed_case,
    paragraphs,
    plain,
    spell_units,
    split_clauses,
    split_sentences,
    split_top_level,
    split_year,
)
from veridic.evidence.reference.economy import currency


def test_tags_entities_and_hard_spaces_become_plain_text() -> None:
    assert plain("<p>C&ocirc;te&nbsp; d'Ivoire <strong>(est.)</strong></p>") == "Côte d'Ivoire (est.)"
    assert plain("1 &lt; 2<br>3") == "1 < 2; 3"


def test_paragraphs_are_split_at_page_breaks() -> None:
    fragment = "<p>one</p><p>two<br><br><strong>note:</strong> three</p><p> </p>"
    assert paragraphs(fragment) == ["one", "two", "note: three"]


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("27,490,921 (2025 est.)", 2025),
        ("1.27% annual rate of change (2020-25 est.)", 2025),
        ("2,561.1 kt (2022-2024 est.)", 2024),
        ("19.4 years (2015/16 est.)", 2016),
        ("0 bbl (1 January 2018 est.)", 2018),
        ("0.782 (2024 est.), 0.805 (2023 est.)", 2024),
        ("plans to 2040 (2040 est.)", None),
        ("5 July 1962 (from France)", None),
    ],
)
def test_fact_year_is_last_in_brackets(text: str, year: int | None) -> None:
    assert fact_date(text) == (PartialDate(year) if year else None)


def test_value_is_split_from_year() -> None:
    assert split_year("$1.752 trillion (2024 est.)") == ("$1.752 trillion", " in 2024 (est.)")
    assert split_year("China 37%, Japan 16% (2023)") == ("China 37%, Japan 16%", " in 2023")
    assert split_year("Portuguese (official)") == ("Portuguese (official)", "")


def test_units_are_spelled_out_and_numbers_kept() -> None:
    assert spell_units("7,741,220 sq km; 2,228 m; 12 nm; 25,760 km") == (
        "7,741,220 square kilometres; 2,228 metres; 12 nautical miles; 25,760 kilometres"
    )
    assert spell_units("10.75 births/1,000 population") == "10.75 births per 1,000 population"
    assert spell_units("1.067-m gauge") == "1.067-m gauge"


@pytest.mark.parametrize(
    ("printed", "written"),
    [
        ("President Emmanuel MACRON (since 14 May 2017)", "President Emmanuel Macron (since 14 May 2017)"),
        ("King CHARLES III", "King Charles III"),
        ("President XI Jinping", "President Xi Jinping"),
        ("President Alexander VAN DER BELLEN", "President Alexander Van der Bellen"),
        ("President José RAMOS-HORTA", "President José Ramos-Horta"),
        ("Prime Minister Mary McDONALD", "Prime Minister Mary McDonald"),
        ("represented by the UK High Commissioner", "represented by the UK High Commissioner"),
    ],
)
def test_leader_names_are_mixed_case(printed: str, written: str) -> None:
    assert leaders_in_mixed_case(printed) == written


def test_acronyms_in_prose_keep_their_capitals() -> None:
    text = "Englishman James COOK sailed there; the country joined NATO and the UN, and In OPEC it stayed"
    assert names_in_mixed_case(text) == text.replace("COOK", "Cook")


def test_initials_and_abbreviations_do_not_end_a_sentence() -> None:
    text = "Gen. John A. Smith left in ca. 1900. The U.S. Army stayed."
    assert split_sentences(text) == ["Gen. John A. Smith left in ca. 1900.", "The U.S. Army stayed."]


def test_dependent_clauses_stay_with_previous() -> None:
    text = "the lake is dry; it was full in 1990; Perth lies in the west"
    assert split_clauses(text) == ["the lake is dry; it was full in 1990", "Perth lies in the west"]


def test_separators_inside_brackets_quotes_and_numbers_do_not_split() -> None:
    assert split_top_level('a (b, c), "d, e", 1,000', ",") == ["a (b, c)", '"d, e"', "1,000"]


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("Australian dollars (AUD) per US dollar -", "Australian dollar (AUD)"),
        ("Swedish kronor (SEK) per US dollar -", "Swedish krona (SEK)"),
        ("Norwegian kroner (NOK) per US dollar -", "Norwegian krone (NOK)"),
        ("yen (JPY) per US dollar -", "yen (JPY)"),
        ("togrog/tugriks (MNT) per US dollar -", "togrog/tugrik (MNT)"),
        ("baht per US dollar -", "baht"),
        (
            "Communaute Financiere Africaine francs (XOF) per US dollar -",
            "CFA franc (Communaute Financiere Africaine franc, XOF)",
        ),
        ("see entry for the West Bank", None),
    ],
)
def test_currency_names_are_singular(printed: str, name: str | None) -> None:
    assert currency(printed) == name


_HOSTILE = st.text(alphabet=st.sampled_from("aZ é\u0301\u202e🦘<>&;:,.()[]\"'/ \n\t0123-%"), max_size=80)


@given(_HOSTILE)
def test_plain_text_has_no_tags_or_extra_spaces(fragment: str) -> None:
    text = plain(f"<p>{fragment}</p>")
    assert "\n" not in text
    assert "  " not in text
    assert "<p>" not in text


@given(_HOSTILE)
def test_splitting_loses_no_word(text: str) -> None:
    def letters(value: str) -> str:
        return "".join(character for character in value if character.isalnum())

    assert letters("".join(split_sentences(text))) == letters(text)
    assert letters("".join(split_clauses(text))) == letters(text)
    assert letters("".join(split_top_level(text, ",;"))) == letters(text)


@given(_HOSTILE.filter(lambda text: any(character.isalnum() for character in text)))
def test_finished_sentence_ends_with_punctuation(text: str) -> None:
    assert finish(text).rstrip("\"'”’")[-1] in ".!?"
