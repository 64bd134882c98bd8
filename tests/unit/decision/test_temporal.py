"""The temporal analysis of a claim."""

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_claim, make_document
from tests.unit.decision.weighed import contextual, contradicting, supporting

from veridic.decision.temporal import temporal_analysis
from veridic.domain.claim import Claim, Framing, FramingKind
from veridic.domain.decision import TemporalAnalysis
from veridic.domain.evidence import Evidence

TODAY = date(2025, 1, 21)
ISO = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")


def claim_of(text: str) -> Claim:
    return make_claim(text, document=make_document(text))


def analysis(
    text: str, *evidence: Evidence, as_of: date = TODAY, claim_date: date | None = None
) -> TemporalAnalysis:
    return temporal_analysis(claim_of(text), evidence, as_of=as_of, claim_date=claim_date or as_of)


@pytest.mark.parametrize(
    ("text", "timeframe"),
    [
        ("Rates rose in 2024.", "2024"),
        ("Rates rose in December 2024.", "December 2024"),
        ("Rates rose on 15 December 2024.", "15 December 2024"),
        ("Rates rose from 2019 to 2021.", "from 2019 to 2021"),
        ("Rates have risen since 2019.", "since 2019"),
        ("Rates rose in the 1980s.", "the 1980s"),
        ("Trade grew in the 19th century.", "the 19th century"),
        ("Rates rose in 2019 and again in May 2022.", "2019 and May 2022"),
        ("Rates rose in 2019 and fell in 2019.", "2019"),
        ("Rates rose last year.", "“last year”, counted from 2025-01-21."),
        ("Rates are high.", "No date is stated; read as of 2025-01-21."),
    ],
)
def test_claim_timeframe(text: str, timeframe: str) -> None:
    assert analysis(text).claim_timeframe == timeframe


def test_claim_without_date_refers_to_its_own_day() -> None:
    found = analysis("Rates are high.", claim_date=date(2023, 4, 1)).claim_timeframe
    assert found == "No date is stated; made on 2023-04-01 and read as of 2025-01-21."


@pytest.mark.parametrize(
    ("when", "age"),
    [
        ("2025-01-21", "the day of the check, 2025-01-21"),
        ("2025-01-20", "1 day before 2025-01-21"),
        ("2025-01-10", "11 days before 2025-01-21"),
        ("2024-12-15", "5 weeks before 2025-01-21"),
        ("2024-10-22", "2 months before 2025-01-21"),
        ("2023-01-21", "2 years before 2025-01-21"),
        ("2025-01", "the month of the check, 2025-01-21"),
        ("2024-12", "1 month before 2025-01-21"),
        ("2022-06", "2 years before 2025-01-21"),
        ("2025", "the year of the check, 2025-01-21"),
        ("2024", "1 year before 2025-01-21"),
        ("1985", "40 years before 2025-01-21"),
    ],
)
def test_age_is_as_exact_as_the_date(when: str, age: str) -> None:
    found = analysis("Rates are high.", supporting(when=when)).evidence_currency
    assert found == f"The only dated source is from {when}, {age}."


def test_evidence_currency() -> None:
    evidence = [
        supporting(when="2024-12-15", name="a"),
        supporting(when="1985-03-12", name="b"),
        contextual(when=None, name="c"),
    ]
    assert analysis("Rates are high.", *evidence).evidence_currency == (
        "The newest source is from 2024-12-15, 5 weeks before 2025-01-21; the oldest is from 1985-03-12; "
        "1 source is undated."
    )
    same_day = [supporting(when="2024", name=name) for name in "ab"] + [
        contextual(when=None, name=name) for name in "cd"
    ]
    assert analysis("Rates are high.", *same_day).evidence_currency == (
        "Both dated sources are from 2024, 1 year before 2025-01-21; 2 sources are undated."
    )
    assert analysis("Rates are high.", contextual(when=None)).evidence_currency == "No source is dated."
    assert analysis("Rates are high.").evidence_currency == "No source was read."


def test_history_is_before_the_claim_s_timeframe() -> None:
    volcker = supporting(when="1985-03-12", name="The Volcker Era")
    other = contextual(when="2001", name="other")
    text = "Rates rose in December 2024."
    assert (
        analysis(text, volcker).historical_context
        == "1 source is from before 2024-12: “The Volcker Era” (1985-03-12)."
    )
    assert analysis(text, other, volcker).historical_context == (
        "2 sources are from before 2024-12; the oldest is “The Volcker Era” (1985-03-12)."
    )
    assert (
        analysis(text, supporting(when="2024")).historical_context
        == "No source from before 2024-12 was found."
    )
    assert analysis("Rates are high.", supporting(when="2024")).historical_context == (
        "No source from before 2023-01-21 was found."
    )  # fmt: skip
    assert "before 2022-02-28" in analysis("It is.", as_of=date(2024, 2, 29)).historical_context


@pytest.mark.parametrize(
    ("evidence", "found"),
    [
        ([], "No dated source decides it, so dates make no difference."),
        ([supporting(when=None), contextual(when="2020")], "No dated source decides it, so dates make no difference."),
        ([supporting(when="2024-05")], "Only one dated source decides it, from 2024-05: it supports the claim."),
        (
            [contradicting(when="2023"), contradicting(when="2024-05")],
            "Only one dated source decides it, with passages from 2023 to 2024-05: it contradicts the claim.",
        ),
        ([contradicting(when="2024-05")], "Only one dated source decides it, from 2024-05: it contradicts the claim."),
        (
            [supporting(when="2024-08-22", name="a"), supporting(when="2024-12-15", name="b")],
            "Only sources from 2024-08-22 to 2024-12-15 decide it: they support the claim.",
        ),
        (
            [contradicting(when="1985", name="a"), contradicting(when="2024-12-15", name="b")],
            "Old and new agree: sources from 1985 to 2024-12-15 contradict the claim, and no dated source disagrees.",
        ),
        (
            [supporting(when="2023-05-01", name="a"), contradicting(when="2024-03-01", name="b")],
            "Newer sources override older ones: those up to 2023-05-01 support it, those since 2024-03-01 contradict it.",
        ),
        (
            [contradicting(when="2010", name="a"), supporting(when="2022", name="b")],
            "Newer sources override older ones: those up to 2010 contradict it, those since 2022 support it.",
        ),
        (
            [supporting(when="2023", name="a"), supporting(when="2024-12", name="b"), contradicting(when="2024", name="c")],
            "Dates do not decide it: sources from 2023 to 2024-12 support it, sources from 2024 contradict it.",
        ),
    ],
)  # fmt: skip
def test_temporal_verdict(evidence: list[Evidence], found: str) -> None:
    assert analysis("Anna Cole is the mayor.", *evidence).temporal_verdict == found


def test_only_an_outdated_claim_is_overridden() -> None:
    evidence = [supporting(0.2, when="2021", name="a"), contradicting(0.9, when="2023-02", name="b")]
    dated = "In 2020 Anna Cole was the mayor."
    assert analysis(dated, *evidence).temporal_verdict.startswith("Dates do not decide it")
    overridden = analysis(dated, *evidence, claim_date=date(2022, 6, 1)).temporal_verdict
    assert overridden.endswith("those up to 2021 support it, those since 2023-02-01 contradict it.")


def test_hearsay_uses_the_underlying_claim() -> None:
    framing = Framing(kind=FramingKind.HEARSAY, underlying_claim="Anna Cole is the mayor.")
    claim = claim_of("He said that Anna Cole runs the town.").model_copy(update={"framing": framing})
    evidence = [supporting(when="2020", name="a"), contradicting(when="2023", name="b")]
    found = temporal_analysis(claim, evidence, as_of=TODAY, claim_date=TODAY)
    assert found.temporal_verdict.startswith("Newer sources override older ones")


def test_evidence_dated_after_the_check_is_ignored() -> None:
    found = analysis("Anna Cole is the mayor.", supporting(when="2024"), contradicting(when="2026", name="b"))
    assert "2026" not in str(found)


def test_hostile_title_is_one_short_line() -> None:
    found = analysis("It is.", supporting(when="1999", name="a[1]\n\u202e# " + "x" * 5000)).historical_context
    assert "\n" not in found
    assert "[1]" not in found
    assert len(found) < 300


EVIDENCE = st.lists(
    st.builds(
        lambda make, when, name: make(when=when, name=name),
        st.sampled_from([supporting, contradicting, contextual]),
        st.sampled_from([None, "1985", "2021", "2021-06", "2023-02-28", "2025-01-21", "2025"]),
        st.sampled_from("abc"),
    ),
    max_size=6,
)
TEXTS = st.sampled_from(
    ["It is.", "It was so.", "It rose in 2021.", "It fell last year.", "From 2019 to 2021 it rose."]
)


@given(TEXTS, EVIDENCE)
def test_every_date_shown_was_read(text: str, evidence: list[Evidence]) -> None:
    found = analysis(text, *evidence)
    read = {str(e.date) for e in evidence if e.date}
    known = (
        read
        | {date[:4] for date in read}
        | {f"{when}-01" for when in read}
        | {f"{when}-01-01" for when in read}
    )
    known |= {"2025-01-21", "2023-01-21", "2021", "2019"}
    for sentence in (found.evidence_currency, found.historical_context, found.temporal_verdict):
        assert sentence.endswith(".")
        assert set(ISO.findall(sentence)) <= known
