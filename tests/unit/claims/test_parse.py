"""Parsing an extractor's answer in the requested format, and in the ways models deviate from it."""

import json
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.unit.growth import LINEAR, growth

from veridic.claims.parse_extractor import deduplicate, parse_claims, says_there_are_no_claims
from veridic.domain.claim import ClaimType
from veridic.domain.consensus import ExtractedClaim

ASKED_FOR = """\
CLAIM 1: ARPANET was funded by the U.S. Department of Defense in 1969
Context: The Internet originated from ARPANET, a project funded by the U.S. Department of Defense in 1969.
Type: DATE

CLAIM 2: The first message sent on ARPANET was 'LO'
Context: The first message sent was 'LO' — the system crashed before 'LOGIN' could be completed.
Type: ATTRIBUTION

EXTRACTION SUMMARY:
Total claims: 2
By type: DATE: 1, ATTRIBUTION: 1"""
FIRST = ExtractedClaim(
    id="claim_1",
    claim="ARPANET was funded by the U.S. Department of Defense in 1969",
    context="The Internet originated from ARPANET, a project funded by the U.S. Department of Defense in 1969.",
    type=ClaimType.DATE,
)
SECOND = ExtractedClaim(
    id="claim_2",
    claim="The first message sent on ARPANET was 'LO'",
    context="The first message sent was 'LO' — the system crashed before 'LOGIN' could be completed.",
    type=ClaimType.ATTRIBUTION,
)


def bold(text: str) -> str:
    for label in ("CLAIM 1:", "CLAIM 2:", "Context:", "Type:", "EXTRACTION SUMMARY:"):
        text = text.replace(label, f"**{label}**")
    return text


def as_json(text: str, **names: str) -> str:
    """The two claims as a list of objects, with other field names if given."""
    return json.dumps(
        [
            {
                names.get(field, field): str(getattr(claim, field))
                for field in ("id", "claim", "context", "type")
            }
            for claim in (FIRST, SECOND)
        ],
        indent=1,
    )


WAYS_TO_BEND: dict[str, Callable[[str], str]] = {
    "as asked": lambda text: text,
    "bold labels": bold,
    "bold lines": lambda text: "\n".join(f"**{line}**" if line else "" for line in text.split("\n")),
    "bold before the colon": lambda text: bold(text).replace(":**", "**:"),
    "headings": lambda text: text.replace("CLAIM ", "### Claim ").replace("EXTRACTION", "## Extraction"),
    "headings with dashes": lambda text: text.replace("CLAIM 1:", "### Claim 1 —").replace(
        "CLAIM 2:", "### Claim 2 -"
    ),
    "heading, then text": lambda text: text.replace("CLAIM 1: ", "## Claim 1\n\n").replace(
        "CLAIM 2: ", "## Claim 2\n\n"
    ),
    "bullets": lambda text: text.replace("Context", "- Context").replace("Type", "  * Type"),
    "numbered": lambda text: text.replace("CLAIM 1", "1. CLAIM").replace("CLAIM 2", "2. CLAIM"),
    "numbered without the word": lambda text: text.replace("CLAIM 1:", "1.").replace("CLAIM 2:", "2)"),
    "no numbers": lambda text: text.replace("CLAIM 1", "CLAIM").replace("CLAIM 2", "CLAIM"),
    "other numbers": lambda text: text.replace("CLAIM 1", "CLAIM 7").replace("CLAIM 2", "CLAIM 07"),
    "ids": lambda text: text.replace("CLAIM ", "claim_"),
    "lower case": lambda text: (
        text.replace("CLAIM", "claim").replace("Context", "context").replace("DATE", "date")
    ),
    "code block": lambda text: f"Here they are:\n```\n{text}\n```\nThat's all.",
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "bare CR": lambda text: text.replace("\n", "\r"),
    "text around": lambda text: (
        f"Sure! Here are the claims I found:\n\n{text}\n\nLet me know if you need more."
    ),
    "no summary": lambda text: text.split("\n\nEXTRACTION")[0],
    "summary first": lambda text: "EXTRACTION SUMMARY:\nTotal claims: 2\n\n" + text,
    "no empty lines": lambda text: text.replace("\n\n", "\n"),
    "rules between": lambda text: text.replace("\n\n", "\n\n---\n\n"),
    "brackets of the template": lambda text: text.replace(": ARPANET", ": [ARPANET").replace(
        "1969\nC", "1969]\nC"
    ),
    "quotation marks": lambda text: text.replace(": ARPANET", ': "ARPANET').replace("1969\nC", '1969"\nC'),
    "full-width colons": lambda text: text.replace(": ", "："),
    "non-breaking spaces": lambda text: text.replace("CLAIM ", "CLAIM\u00a0").replace(": ", ":\u00a0"),
    "several lines": lambda text: text.replace(" funded", "\nfunded"),
    "types with extras": lambda text: text.replace("Type: DATE", "Type: [DATE] (temporal)"),
    "quoted whole": lambda text: "\n".join(f"> {line}" for line in text.split("\n")),
    "tagged": lambda text: text.replace("CLAIM 1:", "CLAIM 1 (DATE):").replace("\nType: DATE", ""),
    "all on one line": lambda text: text.replace("\nContext", " Context").replace("\nType", " Type"),
    "all on one line in bold": lambda text: (
        bold(text).replace("\n**Con", " **Con").replace("\n**Ty", " **Ty")
    ),
    "all on one line with bars": lambda text: text.replace("\nCon", " | Con").replace("\nType", "; Type"),
    "really all on one line": lambda text: text.split("\n\nEXTRACTION")[0].replace("\n", " "),
    "dashes for colons": lambda text: text.replace("Context:", "Context –").replace("Type:", "**Type** -"),
    "HTML line breaks": lambda text: text.replace("\n", "<br>"),
    "XHTML line breaks": lambda text: bold(text).replace("\n", "<BR />\n"),
    "JSON": as_json,
    "JSON with other names": lambda text: as_json(text, id="claimId", claim="claimText"),
    "JSON in a code block": lambda text: f"Here they are:\n```json\n{as_json(text)}\n```\nThat's all.",
    "JSON between text": lambda text: f"Here they are:\n{as_json(text)}\nThat's all.",
    "JSON in an object": lambda text: f'{{"claims": {as_json(text)}, "summary": {{"totalClaims": 2}}}}',
    "a quotation as context": lambda text: text.replace("Context: ", "Context:\n> "),
}


@pytest.mark.parametrize("bend", WAYS_TO_BEND.values(), ids=WAYS_TO_BEND.keys())
def test_claims_are_read_in_any_form(bend: Callable[[str], str]) -> None:
    assert parse_claims(bend(ASKED_FOR)) == (FIRST, SECOND)


def test_labels_in_any_order() -> None:
    answer = "Type: DATE\nCLAIM 1: A\nContext: B\n\nType: CAUSAL\nCLAIM 2: C\nContext: D"
    assert [(c.claim, c.context, c.type.value) for c in parse_claims(answer)] == [
        ("A", "B", "DATE"),
        ("C", "D", "CAUSAL"),
    ]


def test_table() -> None:
    answer = (
        "| # | Claim | Context | Type |\n|---|---|---|---|\n"
        "| 1 | A \\| B rose | Then A rose. | STATISTIC |\n| 2 | C fell | | DATE |"
    )
    assert [(c.claim, c.context, c.type.value) for c in parse_claims(answer)] == [
        ("A | B rose", "Then A rose.", "STATISTIC"),
        ("C fell", "C fell", "DATE"),
    ]


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("Sales fell because of the war", "CAUSAL"),
        ("The Nile is longer than the Amazon", "COMPARISON"),
        ("27 million people live there", "STATISTIC"),
        ("The bridge opened in May 1932", "DATE"),
        ("Canberra is the capital of Australia", "TECHNICAL"),
    ],
)
@pytest.mark.parametrize(
    "line", ["", "\nType: FACTUAL", "\nType: [STATISTIC|DATE|ATTRIBUTION|TECHNICAL|COMPARISON|CAUSAL]"]
)
def test_missing_or_unknown_type_is_guessed(claim: str, kind: str, line: str) -> None:
    (read,) = parse_claims(f"CLAIM 1: {claim}{line}")
    assert read.type == kind
    assert read.context == claim


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "\0",
        "EXTRACTION SUMMARY:\nTotal claims: 0",
        "There are no verifiable factual claims:\n1. It is an opinion.\n2. It is a prediction.",
        "CLAIM 1: None\nContext: N/A\nType: N/A",
        "CLAIM 1: [exact claim as stated in the content]\nContext: [x]\nType: [type]",
        "CLAIM 1: [the claim, as the content words it]\nContext: [the sentence it stands in]\nType: [one]",
        "Claims: I found many.\nThe claim: none of them.",
        "Claim extraction results follow",
        "Claim 3 is wrong, I think",
    ],
)
def test_no_claims(answer: str) -> None:
    assert parse_claims(answer) == ()


def test_json_list_of_texts() -> None:
    assert [c.claim for c in parse_claims('{"claims": ["A rose.", "B fell."]}')] == ["A rose.", "B fell."]


def test_json_value_starts_no_claim() -> None:
    answer = json.dumps([{"claim": "A rose\nCLAIM 2: B fell", "context": "\ud800\0"}])
    assert [(c.claim, c.context) for c in parse_claims(answer)] == [("A rose CLAIM 2: B fell", "\ufffd")]


def test_label_words_inside_claim_are_kept() -> None:
    claim = "In claim 7: the context: of Type: A blood is – so it says – unknown"
    assert [c.claim for c in parse_claims(f"CLAIM 1: {claim}")] == [claim]


@pytest.mark.parametrize(
    "answer",
    [
        "EXTRACTION SUMMARY:\nTotal claims: 0\nBy type: none",
        "EXTRACTION SUMMARY:",
        "**Total claims:** 0",
        "None",
        "None found.",
        "[]",
        "```json\n[]\n```",
        '{"claims": []}',
        '{"claims": [], "totalClaims": 0}',
        "CLAIM 1: None",
        "Claims: none",
        "I find no claims in this.",
        "No verifiable, factual claims were identified in this content.",
        "The text does not contain any verifiable claims.",
        "I couldn't find any factual statements.",
        "I'm sorry, but there are no checkable facts in this.",
        "It is all opinion: there is nothing to verify.",
    ],
)
def test_answer_without_claims_is_recognised(answer: str) -> None:
    assert parse_claims(answer) == ()
    assert says_there_are_no_claims(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "...",
        "I'm sorry, I can't help with that.",
        "I can't help with that, so no claims were extracted.",
        "I'm sorry, I can't assist with this.\n\nEXTRACTION SUMMARY:\nTotal claims: 0",
        "I cannot help with this. You could:\n1. Ask somebody else\n2. Change the text",
        "EXTRACTION SUMMARY:\nTotal claims: 3",
        "CLAIM 1: [exact claim as stated in the content]",
        "What would you like me to do with this text?",
        "The claims are as follows:",
    ],
)
def test_unrelated_answer_is_not_empty_list(answer: str) -> None:
    assert parse_claims(answer) == ()
    assert not says_there_are_no_claims(answer)


def test_exact_duplicates_are_removed() -> None:
    claims = parse_claims("CLAIM 1: A\nCLAIM 2: a\nCLAIM 3: A\nContext: other\nCLAIM 4: B")
    assert [(c.id, c.claim) for c in deduplicate(claims)] == [
        ("claim_1", "A"),
        ("claim_2", "a"),
        ("claim_3", "B"),
    ]


WORDS = st.text("abEß漢م19", min_size=1, max_size=6)
SENTENCES = st.lists(WORDS, min_size=4, max_size=6).map(" ".join)


@settings(max_examples=300)
@given(
    st.lists(st.tuples(SENTENCES, SENTENCES, st.sampled_from(ClaimType)), min_size=1, max_size=4),
    st.sampled_from(["CLAIM {n}: ", "**Claim {n}:** ", "### Claim {n} — ", "{n}. CLAIM: ", "claim_{n}: "]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "Here you are:\n\n", "```\n"]),
)
def test_deviating_answer_is_read_completely(
    claims: list[tuple[str, str, ClaimType]], label: str, line_end: str, before: str
) -> None:
    blocks = [
        f"{label.format(n=n)}{claim}\n- *Context:* {context}\n**Type**: {kind}"
        for n, (claim, context, kind) in enumerate(claims, 1)
    ]
    answer = (before + "\n\n".join(blocks) + "\n\nEXTRACTION SUMMARY:\nTotal claims: 1").replace(
        "\n", line_end
    )
    assert [(c.claim, c.context, c.type) for c in parse_claims(answer)] == claims


PIECES = st.sampled_from(
    ["CLAIM", "claim_", " 1", ":", "：", "**", "###", "|", "|---|---|", "\n", "\r", "Context:", "Type: DATE", "```", "> ", "[", "]", "1. ", "\u202e", "\ud800", "-", "<br>", "{", "}", '"claim":', '"a"', ",", " Context: "]
)  # fmt: skip


@settings(max_examples=300)
@given(st.one_of(st.text(), st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=60).map("".join)))
@example("CLAIM 1:\n|-|\n|")
def test_never_raises(answer: str) -> None:
    claims = parse_claims(answer)
    assert says_there_are_no_claims(answer) in (True, False)
    assert [claim.id for claim in claims] == [f"claim_{n}" for n in range(1, len(claims) + 1)]
    assert all(claim.claim and claim.context for claim in claims)
    for claim in claims:
        claim.model_dump_json()


@pytest.mark.parametrize(
    "piece",
    [
        "CLAIM 1: a\nContext: b\nType: DATE\n\n",
        "CLAIM ",
        "**",
        "*",
        "[",
        "1. ",
        "|",
        "\n",
        "- ",
        "CLAIM 1 (",
        "Type",
        "a ",
        "<br",
        "<br>",
        "CLAIM 1: a Context: b Type: DATE ",
        '{"claim": ',
        '[{"claim": "a"}],',
        "no ",
        "no factual ",
        "total claims ",
        "I am sorry but ",
    ],
)
def test_runs_in_linear_time(piece: str) -> None:
    assert growth(parse_claims, piece) < LINEAR
    assert growth(says_there_are_no_claims, piece) < LINEAR


@given(st.text(), st.sampled_from(["no", "no verifiable", "zero", "not any"]), st.text())
def test_none_in_plain_words_is_recognised_anywhere(before: str, none: str, after: str) -> None:
    answer = f"{before} There are {none} claims. {after}"
    assert says_there_are_no_claims(answer)
    assert not says_there_are_no_claims(f"I can't help with that. {answer}")
