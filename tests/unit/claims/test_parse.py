"""An extractor's answer is read in the format asked for, and in the ways models bend it."""

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.unit.growth import LINEAR, growth

from veridic.claims.parse import deduplicate, parse_claims
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
    "a quotation as context": lambda text: text.replace("Context: ", "Context:\n> "),
}


@pytest.mark.parametrize("bend", WAYS_TO_BEND.values(), ids=WAYS_TO_BEND.keys())
def test_both_claims_are_read_whatever_the_form(bend: Callable[[str], str]) -> None:
    assert parse_claims(bend(ASKED_FOR)) == (FIRST, SECOND)


def test_labels_may_come_in_another_order() -> None:
    answer = "Type: DATE\nCLAIM 1: A\nContext: B\n\nType: CAUSAL\nCLAIM 2: C\nContext: D"
    assert [(c.claim, c.context, c.type.value) for c in parse_claims(answer)] == [
        ("A", "B", "DATE"),
        ("C", "D", "CAUSAL"),
    ]


def test_a_table() -> None:
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
def test_a_missing_or_unknown_type_follows_our_own_rule(claim: str, kind: str, line: str) -> None:
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


def test_duplicates_go_by_their_exact_wording() -> None:
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
def test_a_bent_answer_comes_back_whole(
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
    ["CLAIM", "claim_", " 1", ":", "：", "**", "###", "|", "|---|---|", "\n", "\r", "Context:", "Type: DATE", "```", "> ", "[", "]", "1. ", "\u202e", "\ud800", "-"]
)  # fmt: skip


@settings(max_examples=300)
@given(st.one_of(st.text(), st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=60).map("".join)))
@example("CLAIM 1:\n|-|\n|")
def test_nothing_makes_it_raise(answer: str) -> None:
    claims = parse_claims(answer)
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
    ],
)
def test_ten_times_the_answer_takes_about_ten_times_the_work(piece: str) -> None:
    assert growth(parse_claims, piece) < LINEAR
