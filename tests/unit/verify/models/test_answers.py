"""Parsing of models' answers about code, malformed ones included."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.prompts.test_fence import INJECTIONS

from veridic.domain.code import CodeVerdict, EditorialFlag
from veridic.domain.evidence import Stance
from veridic.text.answer_fields import AnswerError
from veridic.verify.models.answers import CitedLine, CodeAnswer, parse_answer, read_code_verdict

LABELS = ["claim_1", "claim_2"]
CITED = {"path": "src/app.py", "line": 12, "quote": "return None", "stance": "contradicting"}


def entry(label: str = "claim_1", **changes: Any) -> dict[str, Any]:
    said = {"id": label, "verdict": "Refuted", "confidence": 90, "reason": "It returns.", "evidence": [CITED]}
    return said | changes


def parse_one(**changes: Any) -> CodeAnswer:
    return parse_answer(json.dumps({"claims": [entry(**changes)]}), ["claim_1"])["claim_1"]


def test_requested_format() -> None:
    second = entry("claim_2", verdict="Inconclusive", confidence=30, evidence=[], would_settle="A test.")
    assert parse_answer(json.dumps({"claims": [entry(), second]}), LABELS) == {
        "claim_1": CodeAnswer(
            CodeVerdict.REFUTED,
            0.9,
            "It returns.",
            (CitedLine("src/app.py", 12, "return None", Stance.CONTRADICTING),),
        ),
        "claim_2": CodeAnswer(CodeVerdict.INCONCLUSIVE, 0.3, "It returns.", (), "A test."),
    }


@pytest.mark.parametrize(
    "text",
    [
        "```json\n" + json.dumps([entry(), entry("claim_2", verdict="Verified")]) + "\n```",
        json.dumps({"claim_1": entry(id=None), "claim_2": entry(id=None, verdict="Verified")}),
        json.dumps({"verdict": "Refuted", "claims": [entry(), entry("Claim 2", verdict="Verified")]}),
        json.dumps(entry()) + "\nand\n" + json.dumps(entry("2", verdict="VERIFIED")),
        "{'claims': [{id: 'claim_1', verdict: 'Refuted',}, {id: 'claim_2', verdict: 'Verified'}]",
    ],
    ids=["a list", "by name", "one verdict on all", "objects apart", "bent"],
)
def test_other_forms_of_the_same_answer(text: str) -> None:
    verdicts = {label: answer.verdict for label, answer in parse_answer(text, LABELS).items()}
    assert verdicts == {"claim_1": CodeVerdict.REFUTED, "claim_2": CodeVerdict.VERIFIED}


def test_cut_off_part_of_an_answer_is_ignored() -> None:
    whole = json.dumps({"claims": [entry(), entry("claim_2", verdict="Verified")]})
    cut = whole[: whole.index("Verified") + 3]
    assert list(parse_answer(cut, LABELS)) == ["claim_1"]


def test_repeated_claim_text_is_not_a_label() -> None:
    text = json.dumps([{"claim": "It waits 2", "verdict": "Verified"}])
    assert parse_answer(text, ["claim_1"])["claim_1"].verdict is CodeVerdict.VERIFIED


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("Verified", CodeVerdict.VERIFIED),
        ("REFUTED", CodeVerdict.REFUTED),
        ("**Stale**", CodeVerdict.STALE),
        ("Refuted: the true default is 5", CodeVerdict.REFUTED),
        ("Verified - the code is correct", CodeVerdict.VERIFIED),
        ("partially verified", CodeVerdict.INCOMPLETE),
        ("Contradicted", CodeVerdict.REFUTED),
        ("OUTDATED", CodeVerdict.STALE),
        ("cannot be verified", CodeVerdict.INCONCLUSIVE),
        ("Contested", CodeVerdict.INCONCLUSIVE),
        ("not refuted", None),
        ("Verified|Refuted|Incomplete", None),
        ("Verified, Refuted", None),
        ("maybe", None),
        ("", None),
    ],
)
def test_verdict_in_other_words(said: str, verdict: CodeVerdict | None) -> None:
    assert read_code_verdict(said) is verdict


def test_flag_instead_of_verdict_leaves_claim_open() -> None:
    answer = parse_one(verdict="Jargon-heavy", reason="Nobody knows what a CRDT is.")
    assert answer.verdict is CodeVerdict.INCONCLUSIVE
    assert answer.notes == {EditorialFlag.JARGON_HEAVY: "Nobody knows what a CRDT is."}


@pytest.mark.parametrize(
    "flags",
    [
        [{"flag": "Extraneous", "why": "It repeats line 3."}],
        {"flag": "Extraneous", "why": "It repeats line 3."},
        {"Extraneous": "It repeats line 3."},
        ["extraneous: It repeats line 3."],
        "Extraneous: It repeats line 3.",
    ],
)
def test_flags_in_any_form(flags: object) -> None:
    assert parse_one(flags=flags).notes == {EditorialFlag.EXTRANEOUS: "It repeats line 3."}


@pytest.mark.parametrize("flags", [[], None, "none", ["Great"], 7, {"praise": "x"}])
def test_no_flags(flags: object) -> None:
    assert parse_one(flags=flags).notes == {}


@pytest.mark.parametrize(
    ("cited", "found"),
    [
        ({"file": "./src/app.py", "line": "12-14", "code": "x = 1"}, ("src/app.py", 12, "x = 1")),
        ({"path": "src/app.py:12", "quote": "x = 1"}, ("src/app.py", 12, "x = 1")),
        ({"path": "`src/app.py`", "line": "L12", "quote": "12 | x = 1"}, ("src/app.py", 12, "x = 1")),
        (
            {"path": "a.py", "line": 3, "quote": "3 |     if x:\n4 |         y"},
            ("a.py", 3, "    if x:\n        y"),
        ),
    ],
)
def test_citations(cited: dict[str, object], found: tuple[str, int, str]) -> None:
    (line,) = parse_one(evidence=[cited]).evidence
    assert line[:3] == found
    assert line.stance is None


@pytest.mark.parametrize(
    "evidence", [[{"quote": "x = 1"}], [{"path": "a.py", "quote": "x"}], ["a.py"], "a.py:3", None]
)
def test_citation_without_a_place_is_dropped(evidence: object) -> None:
    assert parse_one(evidence=evidence).evidence == ()


def test_number_of_citations_is_limited() -> None:
    assert len(parse_one(evidence=[CITED] * 500).evidence) == 8


def test_claim_with_two_verdicts_has_none() -> None:
    text = json.dumps([entry(), entry(verdict="Verified"), entry("claim_2")])
    assert list(parse_answer(text, LABELS)) == ["claim_2"]


def test_answers_on_unknown_claims_are_ignored() -> None:
    assert list(parse_answer(json.dumps([entry("claim_9"), entry("claim_2")]), LABELS)) == ["claim_2"]


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("", "no JSON object with verdicts"),
        ("The claim is Refuted.", "no JSON object with verdicts"),
        (json.dumps({"claims": []}), "no single verdict on any claim"),
        (json.dumps([entry(verdict="maybe")]), "no single verdict on any claim"),
        (json.dumps([entry(), entry(verdict="Verified")]), "no single verdict on any claim"),
    ],
)
def test_answer_without_verdict_says_what_is_missing(text: str, lacks: str) -> None:
    with pytest.raises(AnswerError, match=lacks):
        parse_answer(text, ["claim_1"])


@given(st.text(max_size=300) | st.sampled_from(list(INJECTIONS.values())))
def test_any_text_is_parsed_or_raises_answer_error(text: str) -> None:
    for answer_text in (text, json.dumps([entry(reason=text, verdict=text, flags=[text])])):
        try:
            parse_answer(answer_text, LABELS)
        except AnswerError:
            continue
    assert parse_one(reason=text, evidence=[{"path": text, "line": text, "quote": text}]).verdict
