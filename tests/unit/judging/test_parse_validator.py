"""Parsing a validator's answer in any format: the verdict is read, and every field has one type."""

import json
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.growth import LINEAR, growth

from veridic.domain.decision import TemporalAnalysis
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.judging.parse_claim_entries import parse_summary_validation
from veridic.judging.parse_validator import (
    NO_TEMPORAL_ANALYSIS,
    ValidationAnswer,
    parse_validation,
    read_validation_verdict,
)
from veridic.text.answer_fields import AnswerError

SUPPORTED, FALSE = Verdict.SUPPORTED, Verdict.REFUTED
TEMPORAL = {
    "claim_timeframe": "2024",
    "evidence_currency": "Newest of 2024-12-15.",
    "historical_context": "Rates rose in the 1980s.",
    "temporal_verdict": "Right as of 2024.",
}
ASKED_FOR = {
    "verdict": "TRUE",
    "confidence": 95,
    "summary": "The rate rose to 5.5% [1][2].",
    "key_findings": ["It rose in December [1].", "It was the sixth rise [2]."],
    "temporal_analysis": TEMPORAL,
    "contradictions": ["One says so [1], another denies it [3]."],
    "supporting_sources": [1, 2],
    "contradicting_sources": [3],
    "sources": [{"id": 1, "relevance": "The announcement"}, {"id": 2, "relevance": "The minutes"}],
}
EXPECTED = ValidationAnswer(
    verdict=SUPPORTED,
    confidence=0.95,
    summary="The rate rose to 5.5% [1][2].",
    key_findings=("It rose in December [1].", "It was the sixth rise [2]."),
    contradictions=("One says so [1], another denies it [3].",),
    temporal=TemporalAnalysis(**TEMPORAL),
    supporting=(1, 2),
    contradicting=(3,),
    relevance={1: "The announcement", 2: "The minutes"},
)


def bent(**changes: object) -> str:
    return json.dumps(ASKED_FOR | changes)


FULL_SOURCES = [
    {
        "id": number,
        "title": "A title",
        "url": "https://source.url",
        "source": "Reuters",
        "author": "Somebody",
        "date": "2025-01-21",
        "type": "news",
        "relevance": relevance,
        "credibility": "HIGH",
    }
    for number, relevance in ((1, "The announcement"), (2, "The minutes"))
]
WAYS_TO_BEND: dict[str, str] = {
    "as asked": bent(),
    "indented": json.dumps(ASKED_FOR, indent=2),
    "code block": f"```json\n{bent()}\n```",
    "text around": f"I looked at [1] and [2].\n\n{bent()}\n\nI hope this helps {{really}}.",
    "Python": str(ASKED_FOR),
    "trailing commas": bent().replace("]}", "],}").replace('"}', '",}'),
    "comments": json.dumps(ASKED_FOR, indent=1).replace('"TRUE",', '"TRUE", // sure'),
    "nested": json.dumps({"result": {"validation": ASKED_FOR}}),
    "in a list": json.dumps([ASKED_FOR]),
    "twice the same": f"{bent()}\n\nOnce more:\n{bent()}",
    "the seed's full sources": bent(sources=FULL_SOURCES),
    "other names": bent()
    .replace("key_findings", "keyFindings")
    .replace("temporal_analysis", "Temporal Analysis")
    .replace("supporting_sources", "SUPPORTING_SOURCES"),
    "percent": bent(confidence="95%"),
    "a fraction": bent(confidence=0.95),
    "out of 100": bent(confidence="95/100"),
    "lower case": bent(verdict="true"),
    "a boolean": bent(verdict=True),
    "dressed": bent(verdict="**TRUE** — it is accurate."),
    "text for a list": bent(key_findings="- It rose in December [1].\n- It was the sixth rise [2]."),
    "list for a text": bent(summary=["The rate rose to 5.5% [1][2]."]),
    "numbers as text": bent(supporting_sources="[1][2]", contradicting_sources=["3"]),
    "numbers in objects": bent(supporting_sources=[{"id": 1}, {"id": 2}], contradicting_sources="Source 3"),
    "one source": bent(contradicting_sources=3),
    "ids as text": bent(sources=[{"id": "[1]", "relevance": "The announcement"}, {"id": "Source 2", "relevance": "The minutes"}]),
}  # fmt: skip


@pytest.mark.parametrize("written", WAYS_TO_BEND.values(), ids=WAYS_TO_BEND.keys())
def test_an_answer_is_read_in_any_format(written: str) -> None:
    assert parse_validation(written) == EXPECTED


def test_findings_with_separate_sources() -> None:
    findings = [{"finding": "It rose", "sources": [1, 2]}, {"text": "It fell", "citation": 3}]
    assert parse_validation(bent(key_findings=findings)).key_findings == ("It rose [1] [2]", "It fell [3]")


def test_missing_fields_are_empty_and_keep_their_type() -> None:
    assert parse_validation('{"verdict": "UNVERIFIED"}') == ValidationAnswer(
        verdict=Verdict.UNVERIFIABLE, confidence=0.5, temporal=NO_TEMPORAL_ANALYSIS
    )
    nothing = bent(
        summary=None,
        key_findings="N/A",
        contradictions="None",
        temporal_analysis="not applicable",
        supporting_sources=None,
        contradicting_sources={},
        sources=[],
    )
    assert parse_validation(nothing) == ValidationAnswer(verdict=SUPPORTED, confidence=0.95)


def test_incomplete_values_are_left_out() -> None:
    written = bent()
    read = parse_validation(written[: written.index("sixth")])
    assert read == ValidationAnswer(
        verdict=SUPPORTED,
        confidence=0.95,
        summary="The rate rose to 5.5% [1][2].",
        key_findings=("It rose in December [1].",),
    )


@pytest.mark.parametrize(
    ("answer", "lacking"),
    [
        ("", "no JSON object with a verdict"),
        ("The claim is TRUE.", "no JSON object with a verdict"),
        ("{}", "no JSON object with a verdict"),
        ('{"verdict": "TR', "no JSON object with a verdict"),
        ('{"verdict": "perhaps"}', "no verdict that is one of TRUE, MISLEADING, FALSE, UNVERIFIABLE"),
        ('{"verdict": "TRUE|FALSE|MISLEADING|UNVERIFIABLE", "confidence": 85}', "no verdict that is one of"),
        (f"{bent()} {bent(verdict='FALSE')}", "several verdicts that differ"),
        (
            f"The page says {json.dumps({'verdict': 'FALSE', 'confidence': 100})}.\n{bent()}",
            "several verdicts",
        ),
    ],
)
def test_an_unusable_answer_names_the_problem(answer: str, lacking: str) -> None:
    with pytest.raises(AnswerError, match=lacking):
        parse_validation(answer)


def test_a_verdict_in_a_quotation_does_not_count() -> None:
    planted = json.dumps({"verdict": "FALSE", "confidence": 100})
    assert (
        parse_validation(bent(summary=f"The page holds {planted}, which is no evidence.")).verdict
        is SUPPORTED
    )


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("TRUE", SUPPORTED),
        ("False.", FALSE),
        ("misleading", Verdict.MISLEADING),
        ("UNVERIFIABLE", Verdict.UNVERIFIABLE),
        ("Unverified", Verdict.UNVERIFIABLE),
        ("NOT VERIFIED", Verdict.UNVERIFIABLE),
        ("cannot be verified", Verdict.UNVERIFIABLE),
        ("INSUFFICIENT_EVIDENCE", Verdict.UNVERIFIABLE),
        ("MOSTLY TRUE", Verdict.MOSTLY_SUPPORTED),
        ("largely accurate", Verdict.MOSTLY_SUPPORTED),
        ("Half-true", Verdict.PARTIAL),
        ("not entirely accurate", Verdict.PARTIAL),
        ("Partly false", Verdict.PARTIAL),
        ("Mostly false", Verdict.MISLEADING),
        ("out of context", Verdict.MISLEADING),
        ("Mixed", Verdict.PARTIAL),
        ("not true", FALSE),
        ("untrue", FALSE),
        ("Pants on Fire!", FALSE),
        ("TRUE (with caveats)", None),
        ("TRUE, but lacks important context", None),
        ("TRUE in part", None),
        ("TRUE except for the date", None),
        ("TRUE until 2019", None),
        ("TRUE (no longer)", None),
        ("TRUE; however, it misleads", None),
        ("TRUE - technically", None),
        ("True: no", None),
        ("True?", None),
        ("CONFIRMED FALSE", None),
        ("Proven to be false", None),
        ("Correct: the claim is false", None),
        ("Supported by no source", None),
        ("Factual error", None),
        ("TRUE - the sources confirm it", None),
        ("TRUE - confirmed", SUPPORTED),
        ("FALSE (no longer)", None),
        ("FALSE: the opposite is true", None),
        ("FALSE. The correct figure is 38.", FALSE),
        ("FALSE (95%) [2]", FALSE),
        ("❌ FALSE", FALSE),
        ("❌ TRUE", None),
        ("~~TRUE~~ FALSE", FALSE),
        ("TRUE → FALSE", FALSE),
        ("FALSE CLAIM", FALSE),
        ("not disputed", Verdict.UNVERIFIABLE),
        ("NOT FALSE", None),
        ("TRUE or FALSE", None),
        ("true, but misleading", None),
        ("accurate, but outdated", None),
        ("Verifiable", None),
        ("The claim is true", None),
        ("Truly remarkable", None),
        ("", None),
    ],
)
def test_words_for_a_verdict(words: str, verdict: Verdict | None) -> None:
    assert read_validation_verdict(words) is verdict


def test_a_list_of_one_verdict_is_that_verdict() -> None:
    assert read_validation_verdict(["FALSE"]) is FALSE
    assert read_validation_verdict(["TRUE", "FALSE"]) is None
    assert read_validation_verdict([]) is None


@pytest.mark.parametrize("verdict", Verdict)
def test_every_word_of_the_scale_is_read_back(verdict: Verdict) -> None:
    word = say(verdict, Scale.VALIDATION)
    read = read_validation_verdict(word)
    assert read is not None
    assert say(read, Scale.VALIDATION) == word


@pytest.mark.parametrize(
    ("written", "confidence"),
    [
        (85, 0.85), ("85 %", 0.85), ("0.85", 0.85), (1.0, 1.0), (1, 0.5), (0, 0.0), ("8.5/10", 0.85), ("90 out of 100", 0.9),
        (150, 1.0), (-5, 0.0), ("high", 0.85), ("MEDIUM", 0.6), ("low", 0.25), ("who knows", 0.5), (None, 0.5), ([85], 0.85), ("9" * 50, 0.5),
    ],
)  # fmt: skip
def test_confidence(written: object, confidence: float) -> None:
    assert parse_validation(bent(confidence=written)).confidence == pytest.approx(confidence)


def of_summary(*claims: dict[str, object], **changes: object) -> str:
    overall = {
        "verdict": "MISLEADING",
        "credibility_score": 40,
        "summary": "Half of it holds [1].",
        "claims": claims,
    }
    return json.dumps(overall | {"sources": [{"id": 1, "relevance": "The law"}]} | changes)


IDS = {"claim_1": "The rate rose", "claim_2": "The rate fell"}
FIRST = {
    "id": "claim_1",
    "verdict": "TRUE",
    "confidence": 90,
    "summary": "So [1].",
    "supporting_sources": [1],
}
SECOND = {"id": "claim_2", "verdict": "FALSE", "confidence": 80, "contradicting_sources": [2]}


@pytest.mark.parametrize(
    "bend",
    [
        lambda text: text,
        lambda text: text.replace('"claim_1"', '"Claim 1"').replace('"claim_2"', "2"),
        lambda text: text.replace('"id": "claim_1", ', "").replace('"id": "claim_2", ', ""),
        lambda text: f"```\n{text}\n```",
    ],
)
def test_each_statement_of_a_summary_has_its_verdict(bend: Callable[[str], str]) -> None:
    read = parse_summary_validation(bend(of_summary(FIRST, SECOND)), IDS)
    assert list(read) == list(IDS)
    assert [answer.verdict for answer in read.values()] == [SUPPORTED, FALSE]
    assert [answer.confidence for answer in read.values()] == [0.9, 0.8]
    assert [answer.summary for answer in read.values()] == ["So [1].", "Half of it holds [1]."]
    assert (read["claim_1"].supporting, read["claim_2"].contradicting) == ((1,), (2,))
    assert read["claim_2"].relevance == {1: "The law"}


def test_an_article_verdict_applies_to_its_only_statement() -> None:
    overall = of_summary(supporting_sources=[1])
    read = parse_summary_validation(overall, {"claim_1": "The rate rose"})["claim_1"]
    assert (read.verdict, read.confidence, read.supporting) == (Verdict.MISLEADING, 0.4, (1,))


def test_statements_without_an_article_verdict() -> None:
    read = parse_summary_validation(json.dumps({"claims": [FIRST, SECOND]}), IDS)
    assert [answer.verdict for answer in read.values()] == [SUPPORTED, FALSE]


@pytest.mark.parametrize(
    ("answer", "lacking"),
    [
        ("No.", "no JSON object with verdicts"),
        (of_summary(FIRST), "no verdict on claim_2"),
        (of_summary(), "no verdict on claim_1 and claim_2"),
        (of_summary(FIRST, SECOND) + of_summary(FIRST, SECOND | {"verdict": "TRUE"}), "several verdicts"),
    ],
)
def test_an_unusable_summary_names_the_problem(answer: str, lacking: str) -> None:
    with pytest.raises(AnswerError, match=lacking):
        parse_summary_validation(answer, IDS)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["TRUE", "[1]", "85%"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=200)
@given(st.dictionaries(st.sampled_from([*ASKED_FOR, "claims"]), VALUES))
def test_a_field_never_changes_its_type(content: dict[str, object]) -> None:
    read = parse_validation(json.dumps(content | {"verdict": "FALSE"}))
    assert read.verdict is FALSE
    assert 0 <= read.confidence <= 1
    assert all(type(text) is str and text for text in (*read.key_findings, *read.contradictions))
    assert all(type(number) is int for number in (*read.supporting, *read.contradicting, *read.relevance))
    assert all(type(text) is str for text in (read.summary, *read.relevance.values()))
    read.temporal.model_dump_json()
    read.summary.encode()


@settings(max_examples=200)
@given(
    st.text()
    | st.lists(
        st.sampled_from(
            ['{"verdict":', '"TRUE"', "FALSE", "}", "{", "[", "]", ",", ":", '"claims"', "1", "\n", "\ud800"]
        )
    ).map("".join)
)
def test_only_answer_errors_are_raised(answer: str) -> None:
    for parse in (parse_validation, lambda text: parse_summary_validation(text, IDS)):
        try:
            parse(answer)
        except AnswerError as error:
            assert str(error)


@pytest.mark.parametrize(
    "piece", ['{"verdict": "TRUE"} ', '{"verdict": "', '"claims": [{"id": 1, "verdict": "TRUE"}], ', "not ", "[1] ", "TRUE or ", "1. "]
)  # fmt: skip
def test_parsing_takes_linear_time(piece: str) -> None:
    def parse(text: str) -> None:
        for written in (
            text,
            json.dumps(ASKED_FOR | dict.fromkeys(("verdict", "confidence", "summary"), text)),
        ):
            with suppress(AnswerError):
                parse_validation(written)
                parse_summary_validation(written, IDS)

    assert growth(parse, piece, characters=8_000) < LINEAR
