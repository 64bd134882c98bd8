"""Parsing of a model's list of claims, in the forms that real answers have."""

import json
from typing import Any

import pytest

from veridic.domain.code import AssertionKind, EntityKind
from veridic.text.answer_fields import AnswerError
from veridic.verify.proposals.answer import MOST_PROPOSALS, Proposal, parse_proposals

ENTRY: dict[str, Any] = {
    "line": 12,
    "quote": "`--timeout` defaults to 30",
    "subject": "--timeout",
    "kind": "option",
    "belongs_to": "",
    "attribute": "default",
    "values": ["30"],
    "condition": "",
    "other": "",
}
PROPOSAL = Proposal(
    line=12,
    quote="`--timeout` defaults to 30",
    subject="--timeout",
    kind=EntityKind.FLAG,
    attribute=AssertionKind.DEFAULT,
    values=("30",),
)


def parsed(text: str) -> tuple[Proposal, ...]:
    return parse_proposals(text).proposals


def one(**changes: Any) -> Proposal:
    (proposal,) = parsed(json.dumps({"claims": [ENTRY | changes]}))
    return proposal


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"claims": [ENTRY]}),
        json.dumps([ENTRY]),
        json.dumps(ENTRY),
        f"Here is the list:\n```json\n{json.dumps({'Claims': [ENTRY]}, indent=2)}\n```\nI hope this helps.",
        json.dumps({"claims": {"1": ENTRY}}),
        json.dumps({"result": {"statements": [ENTRY]}}),
        json.dumps({"claims": [ENTRY]})[:-2],
        json.dumps({"claims": [ENTRY, ENTRY]}),
        """{"claims": [{line: "L12-13", quote: "12 | `--timeout` defaults to 30", subject: "`--timeout`",
        type: 'Option', attribute: "Default value", value: 30,}]}""",
    ],
)
def test_forms_of_the_same_answer(text: str) -> None:
    assert parsed(text) == (PROPOSAL,)


@pytest.mark.parametrize("text", ['{"claims": []}', "[]", "```json\n[]\n```"])
def test_document_without_claims(text: str) -> None:
    assert parsed(text) == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("The document says that the timeout is 30.", 'no JSON object with a list "claims"'),
        ("", 'no JSON object with a list "claims"'),
        ('{"claims": [{"subject": "--timeout"}]}', 'no entry with both a "quote" and a "subject"'),
        ('{"claims": ["--timeout defaults to 30"], "quote": ""}', None),
    ],
)
def test_unusable_answer_says_what_is_missing(text: str, problem: str | None) -> None:
    if problem is None:
        assert parsed(text) == ()
        return
    with pytest.raises(AnswerError, match=problem):
        parse_proposals(text)


@pytest.mark.parametrize(
    ("attribute", "kind"),
    [
        ("Defaults to", AssertionKind.DEFAULT),
        ("value", AssertionKind.EQUALS),
        ("choices", AssertionKind.MEMBERS),
        ("minimum_version", AssertionKind.REQUIRES),
        ("throws", AssertionKind.RAISES),
        ("does", AssertionKind.BEHAVES),
        ("colour", AssertionKind.BEHAVES),
        ("", AssertionKind.BEHAVES),
        (None, AssertionKind.BEHAVES),
        (["default"], AssertionKind.DEFAULT),
    ],
)
def test_unknown_attribute_is_not_guessed(attribute: object, kind: AssertionKind) -> None:
    assert one(attribute=attribute).attribute is kind


@pytest.mark.parametrize(
    ("value", "values"),
    [
        ("none", ("none",)),
        (True, ("true",)),
        (8080, ("8080",)),
        (["a", "`b`", '"c"', 4, ["d"]], ("a", "b", "c", "4")),
        (None, ()),
        ([], ()),
        ("", ()),
    ],
)
def test_values_stay_as_written(value: object, values: tuple[str, ...]) -> None:
    assert one(values=value).values == values


def test_condition_and_other_project_are_read() -> None:
    assert one(condition="on Windows").is_limited
    assert one(negated=True).is_limited
    assert not one(condition="none", negated=False).is_limited
    assert one(other="Docker").is_of_another
    assert not one(other="N/A").is_of_another


def test_lone_surrogate_can_be_stored() -> None:
    (proposal,) = parsed(
        '{"claims": [{"quote": "a \\ud83d b \ud800", "subject": "x\\ude00", "values": ["\udfff"]}]}'
    )
    assert proposal.model_dump_json()


def test_number_of_proposals_is_limited() -> None:
    entries = [{"quote": f"number {number}", "subject": "it"} for number in range(10_000)]
    listed = parse_proposals(json.dumps({"claims": entries}))
    assert (len(listed.proposals), listed.more) == (MOST_PROPOSALS, 10_000 - MOST_PROPOSALS)
    assert listed.proposals[-1].quote == f"number {MOST_PROPOSALS - 1}"
