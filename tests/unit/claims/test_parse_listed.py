"""Parsing a model's list of claims in any form, and locating the claims in the text."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import SAMPLE_TEXT, make_document
from tests.unit.growth import LINEAR, growth

from veridic.claims.parse_lister import ListedClaim, locate_listed, parse_listed
from veridic.domain.claim import Extraction, FramingKind, Risk, VerificationType
from veridic.domain.evidence import Channel
from veridic.text.answer_fields import AnswerError

QUERIES = {"news": "Canberra capital", "research": "b", "general": "c", "historical": "d"}
CAPITAL = {
    "claim": "The capital of Australia is Canberra.",
    "risk_level": "LOW",
    "category": "Geography",
    "source_paragraph": "The capital of Australia is Canberra.",
    "queries": QUERIES,
}
PEOPLE = {
    "claim": "Australia's population is about 40 million",
    "risk_level": "HIGH",
    "category": "Demographics",
    "source_paragraph": "Its population is about 40 million.",
    "queries": QUERIES,
}
ASKED_FOR = {"claims": [CAPITAL, PEOPLE]}
READ_QUERIES = {channel: QUERIES[channel] for channel in Channel}
EXPECTED = (
    ListedClaim(str(CAPITAL["claim"]), Risk.LOW, "Geography", str(CAPITAL["source_paragraph"]), READ_QUERIES),
    ListedClaim(
        str(PEOPLE["claim"]), Risk.HIGH, "Demographics", str(PEOPLE["source_paragraph"]), READ_QUERIES
    ),
)

WAYS_TO_BEND: dict[str, Callable[[str], str]] = {
    "as asked": lambda text: text,
    "code block": lambda text: f"Here they are:\n```json\n{text}\n```\nThat's all.",
    "a mere list": lambda text: json.dumps(json.loads(text)["claims"]),
    "nested": lambda text: json.dumps({"result": json.loads(text)}),
    "by number": lambda text: json.dumps({"claims": {"1": CAPITAL, "2": PEOPLE}}),
    "one a line": lambda _: f"{json.dumps(CAPITAL)}\n{json.dumps(PEOPLE)}",
    "Python": lambda text: str(json.loads(text)),
    "trailing commas": lambda text: text.replace("]}", ",]}"),
    "twice": lambda text: text + text,
    "a claim twice": lambda _: json.dumps({"claims": [CAPITAL, PEOPLE, CAPITAL | {"claim": "the capital of Australia is Canberra"}]}),
    "other names": lambda text: text.replace("risk_level", "riskLevel").replace("source_paragraph", "Source Paragraph"),
    "queries by longer names": lambda text: text.replace('"news"', '"news_query"').replace('"historical"', '"Historical"'),
    "lower case": lambda text: text.replace('"HIGH"', '"high risk"').replace('"LOW"', '"low"'),
}  # fmt: skip


@pytest.mark.parametrize("bend", WAYS_TO_BEND.values(), ids=WAYS_TO_BEND.keys())
def test_claims_are_read_in_any_form(bend: Callable[[str], str]) -> None:
    assert parse_listed(bend(json.dumps(ASKED_FOR))) == EXPECTED


def test_missing_fields_are_empty() -> None:
    assert parse_listed('{"claims": [{"claim": "It opened in 1932."}]}') == (
        ListedClaim("It opened in 1932."),
    )
    assert parse_listed('{"claims": ["It opened.", "It closed."]}') == (
        ListedClaim("It opened."),
        ListedClaim("It closed."),
    )
    odd = {"claim": ["It", "opened."], "risk_level": "HIGH|MEDIUM|LOW", "category": None, "queries": ["a"]}
    assert parse_listed(json.dumps({"claims": [odd]})) == (ListedClaim("It opened."),)


@pytest.mark.parametrize(
    "answer",
    [
        '["It opened in 1932.", "It closed in 1999."]',
        'Here they are:\n```json\n["It opened in 1932.", "It closed in 1999."]\n```',
        '{"article_title": "A bridge", "extracted_claims": ["It opened in 1932.", "It closed in 1999."], "claim_count": 2}',
        '{"claims": "1. It opened in 1932.\\n2. It closed in 1999."}',
        '{"claims": {"claim_1": "It opened in 1932.", "claim_2": {"claim": "It closed in 1999."}}}',
        '{"claims": ["It opened in 1932.", {"claim": "It closed in 1999."}]}',
        "CLAIM 1: It opened in 1932.\nCLAIM 2: It closed in 1999.",
        "1. It opened in 1932.\n2. It closed in 1999.",
    ],
)
def test_claims_as_plain_texts_are_read(answer: str) -> None:
    assert [claim.claim for claim in parse_listed(answer)] == ["It opened in 1932.", "It closed in 1999."]


def test_truncated_claim_is_dropped() -> None:
    written = json.dumps(ASKED_FOR)
    assert parse_listed(written[: written.index("about 40")]) == EXPECTED[:1]


@pytest.mark.parametrize(
    "answer",
    [
        '{"claims": []}',
        "[]",
        "```json\n{'claims': []}\n```",
        '{"result": {"claims": []}}',
        '{"claims": "none"}',
        "There are no claims.",
    ],
)
def test_answer_may_say_there_are_none(answer: str) -> None:
    assert parse_listed(answer) == ()


@pytest.mark.parametrize(
    "answer",
    ["", "Fine [1].", "It [sic] was too long.", '{"error": "policy"}', '{"claims": [{"risk": "LOW"}]}'],
)
def test_answer_without_list_is_an_error(answer: str) -> None:
    with pytest.raises(AnswerError, match="no JSON object with a list of claims"):
        parse_listed(answer)


REPORTED = "Anna Berg said that inflation doubled in May. The capital of Australia is Canberra."


def located(
    *claims: Mapping[str, object], text: str = SAMPLE_TEXT
) -> tuple[Extraction, Mapping[str, Mapping[Channel, str]]]:
    return locate_listed(parse_listed(json.dumps({"claims": claims})), make_document(text))


def test_claims_are_located_and_sorted_by_position() -> None:
    extraction, queries = located(
        PEOPLE | {"queries": {"news": "people"}}, CAPITAL | {"queries": {"news": "capital"}}
    )
    first, second = extraction.claims
    assert (first.id, first.text, first.risk, first.category) == (
        "claim_1",
        CAPITAL["claim"],
        Risk.LOW,
        "Geography",
    )
    assert (second.id, second.text, second.risk) == ("claim_2", PEOPLE["claim"], Risk.HIGH)
    assert SAMPLE_TEXT[slice(*second.span)] == second.quote == "Its population is about 40 million."
    assert second.context == "Its population is about 40 million."
    assert queries == {"claim_1": {Channel.NEWS: "capital"}, "claim_2": {Channel.NEWS: "people"}}
    assert (extraction.sentence_count, extraction.language) == (9, "en")


def test_rules_fill_in_missing_fields() -> None:
    extraction, queries = located({"claim": "The unemployment rate is 3.5 percent."})
    (claim,) = extraction.claims
    assert (claim.risk, claim.category, claim.type) == (Risk.MEDIUM, "Economy", "STATISTIC")
    assert queries == {}


@pytest.mark.parametrize(
    ("claim", "kind", "text"),
    [
        ("Inflation doubled in May", FramingKind.HEARSAY, "Inflation doubled in May"),
        (
            "The capital of Australia is Canberra",
            FramingKind.DIRECT_FACTUAL,
            "The capital of Australia is Canberra",
        ),
    ],
)
def test_author_framing_is_restored(claim: str, kind: FramingKind, text: str) -> None:
    (found,) = located({"claim": claim}, text=REPORTED)[0].claims
    assert (found.framing.kind, found.text) == (kind, text)


def test_hearsay_keeps_underlying_claim() -> None:
    (claim,) = located({"claim": "Anna Berg said that inflation doubled in May."}, text=REPORTED)[0].claims
    assert claim.framing.verification_type is VerificationType.TWO_STEP
    assert claim.framing.underlying_claim == "Inflation doubled in May"


def test_framing_of_other_clause_does_not_apply() -> None:
    text = "The bridge opened in 1932 at a cost of ten million pounds, and Anna Berg said that it is unsafe."
    (claim,) = located({"claim": "The bridge opened in 1932 at a cost of ten million pounds"}, text=text)[
        0
    ].claims
    assert claim.text == "The bridge opened in 1932 at a cost of ten million pounds"


def test_rewordings_of_one_report_are_one_claim() -> None:
    extraction, _ = located(
        {"claim": "Inflation doubled in May"},
        {"claim": "In May inflation doubled."},
        {"claim": "Anna Berg said that inflation doubled in May."},
        text=REPORTED,
    )
    assert [claim.id for claim in extraction.claims] == ["claim_1"]


def test_unplaced_claim_comes_last_without_span() -> None:
    extraction, _ = located({"claim": "Bananas grow on Mars"}, CAPITAL)
    assert [(claim.text, claim.quote) for claim in extraction.claims][1] == ("Bananas grow on Mars", "")


@pytest.mark.parametrize("text", ["", "\n\n", "# Heading only"])
def test_text_without_sentences(text: str) -> None:
    extraction, _ = located(CAPITAL, text=text)
    assert [claim.span for claim in extraction.claims] == [(0, 0)]


@settings(max_examples=150)
@given(
    st.text()
    | st.lists(
        st.sampled_from(
            [
                '{"claims": [',
                '{"claim":',
                '"It is so."',
                "}",
                "]",
                ",",
                '"queries": {"news":',
                "1",
                "\n",
                "\ud800",
            ]
        )
    ).map("".join)
)
def test_only_answer_error_is_raised(answer: str) -> None:
    try:
        claims = parse_listed(answer)
    except AnswerError:
        return
    extraction, queries = locate_listed(claims, make_document())
    assert [claim.id for claim in extraction.claims] == [
        f"claim_{n}" for n in range(1, len(extraction.claims) + 1)
    ]
    assert set(queries) <= {claim.id for claim in extraction.claims}
    extraction.model_dump_json()


@pytest.mark.parametrize("piece", ['{"claim": "A B C"} ', '{"claims": [', '"a", ', '{"claim": '])
def test_runs_in_linear_time(piece: str) -> None:
    def parse(text: str) -> None:
        with suppress(AnswerError):
            parse_listed(text)

    assert growth(parse, piece, characters=8_000) < LINEAR
