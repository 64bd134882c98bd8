from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.claims.classify import CATEGORIES
from veridic.claims.extract import extract_claims
from veridic.domain.claim import Claim, ClaimType, Extraction, FramingKind, OmissionReason, Priority, Risk
from veridic.domain.dates import PartialDate
from veridic.domain.document import Block, BlockKind, Document
from veridic.ingest.read import document_from_text


def extract(text: str, *blocks: Block, title: str | None = None) -> Extraction:
    return extract_claims(Document(text=text, source="-", blocks=blocks, title=title))


def only_claim(text: str) -> Claim:
    (claim,) = extract(text).claims
    return claim


def block(text: str, words: str, kind: BlockKind = BlockKind.PARAGRAPH) -> Block:
    """Return the block of `text` that holds exactly `words`."""
    start = text.index(words)
    return Block(kind=kind, runs=((start, start + len(words)),))


def test_plain_statement_is_one_claim() -> None:
    statements = [
        "France borders Spain, Italy and Germany",
        "Open source software powers most servers",
        "With about 27 million people, Australia is the world's sixth-largest country",
        "Mount Kosciuszko, at 2,228 metres, is Australia's highest point",
        "The Amazon is longer than the Nile",
    ]
    extraction = extract(" ".join(f"{statement}." for statement in statements))
    assert [claim.text for claim in extraction.claims] == statements
    assert [claim.quote for claim in extraction.claims] == statements
    assert [claim.sentence_index for claim in extraction.claims] == [0, 1, 2, 3, 4]
    assert extraction.omissions == ()
    assert (extraction.sentence_count, extraction.language) == (5, "en")


def test_quote_is_exact_and_text_is_resolved() -> None:
    text = "The Eiffel Tower stands in Paris.\r\nIt was built in 1887 and completed\r\nin 1889."
    claims = extract(text).claims
    assert [text[slice(*claim.span)] for claim in claims] == [
        "The Eiffel Tower stands in Paris",
        "It was built in 1887",
        "completed\r\nin 1889",
    ]
    assert claims[1].text == "The Eiffel Tower was built in 1887"
    assert claims[2].text == "The Eiffel Tower was completed in 1889"
    assert claims[2].context == "It was built in 1887 and completed in 1889."
    assert [claim.id for claim in claims] == ["claim_1", "claim_2", "claim_3"]


def test_line_break_changes_nothing() -> None:
    words = "Anna Berg, the mayor of Oslo, opened the bridge, which is 503 metres long."
    claims = extract(words).claims
    for text in (words.replace(" ", "\n"), words.replace(" ", " \r\n  ")):
        assert [claim.text for claim in extract(text).claims] == [claim.text for claim in claims]
        assert [claim.quote.split() for claim in extract(text).claims] == [
            claim.quote.split() for claim in claims
        ]


def test_headings_and_code_give_no_claims() -> None:
    text = "# Brazil\n\nIts capital is *Brasília* now.\n\n    Rome is the capital of France.\n\n- Rice is grown\n- Coffee\n"
    extraction = extract(
        text,
        block(text, "Brazil", BlockKind.HEADING),
        Block(kind=BlockKind.PARAGRAPH, runs=((10, 25), (26, 34), (35, 40))),
        block(text, "Rome is the capital of France.", BlockKind.CODE),
        block(text, "Rice is grown", BlockKind.LIST_ITEM),
        block(text, "Coffee", BlockKind.LIST_ITEM),
    )
    first, second = extraction.claims
    assert first.text == "Brazil’s capital is Brasília now"
    assert first.quote == "Its capital is *Brasília* now"
    assert first.context == "Its capital is Brasília now."
    assert second.quote == "Rice is grown"
    assert [(o.text, o.reason) for o in extraction.omissions] == [("Coffee", OmissionReason.NOT_A_CLAIM)]


MARKDOWN = """# The *bridge*

The **bridge**, _built_ in [1932](https://example.org/a_(b)), is `503` metres long; it carries **eight** lanes.

> “The bridge is *safe*,” said Anna Berg,
> the **mayor** of Oslo.

1. Is it **safe**?
2. Exports rose by 5&nbsp;% and imports ~~rose~~ fell.

| Town | Fact |
|------|------|
| Oslo | Oslo has **700,000** inhabitants. |
"""


def test_spans_are_exact_in_markdown() -> None:
    document = document_from_text(MARKDOWN, source="bridge.md", media_type="text/markdown")
    extraction = extract_claims(document)
    check_invariants(MARKDOWN, extraction)
    quotes = {claim.text: claim.quote for claim in extraction.claims}
    assert quotes["The bridge carries eight lanes"] == "it carries **eight** lanes"
    assert quotes["The bridge was built in 1932"] == "built_ in [1932"
    assert quotes["Anna Berg is the mayor of Oslo"] == "Anna Berg,\n> the **mayor** of Oslo"
    assert quotes["Oslo has 700,000 inhabitants"] == "Oslo has **700,000** inhabitants"
    assert not any("](" in claim.text or "**" in claim.text for claim in extraction.claims)


def test_omission_has_reason_and_span() -> None:
    text = "Oslo is a city. Is it large? Click the button below. Oslo is a city. A fine day."
    extraction = extract(text)
    assert [claim.quote for claim in extraction.claims] == ["Oslo is a city"]
    assert [(o.reason, text[slice(*o.span)]) for o in extraction.omissions] == [
        (OmissionReason.QUESTION, "Is it large?"),
        (OmissionReason.INSTRUCTION, "Click the button below"),
        (OmissionReason.DUPLICATE, "Oslo is a city"),
        (OmissionReason.NOT_A_CLAIM, "A fine day"),
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "The council will build 300 homes by 2028",
        "GDP is expected to grow by 3% in 2027",
        "The drug may cause headaches",
        "A triangle is a polygon with three sides",
        "Applicants must be 18 years old",
        "There are 50 states in the United States",
        "Will Smith won an Oscar in 2022",
        "Visitors under 18 pay half price",
        "Support for the party fell to 12%",
        "Everest is 8,849 metres high",
    ],
)
def test_plans_hedges_and_definitions_are_claims(statement: str) -> None:
    assert only_claim(f"{statement}.").text == statement


@pytest.mark.parametrize(
    "sentence",
    [
        "Click the button below.",
        "Please call us now.",
        "Don't forget to vote.",
        "Do not open the door.",
        "Check the figures before you publish.",
        "Visit our website for more!",
    ],
)
def test_instructions_are_omitted(sentence: str) -> None:
    extraction = extract(sentence)
    assert extraction.claims == ()
    assert [o.reason for o in extraction.omissions] == [OmissionReason.INSTRUCTION]


@pytest.mark.parametrize("sentence", ["Is it safe?", '"Is the bridge safe?"', "Who *built* the bridge?*"])
def test_questions_are_omitted(sentence: str) -> None:
    extraction = extract(sentence)
    assert extraction.claims == ()
    assert [o.reason for o in extraction.omissions] == [OmissionReason.QUESTION]


@pytest.mark.parametrize("words", ["A beautiful day in Paris.", "Key facts:", "Sales figures", "Thank you!"])
def test_non_assertions_are_omitted(words: str) -> None:
    extraction = extract(words)
    assert extraction.claims == ()
    assert {o.reason for o in extraction.omissions} == {OmissionReason.NOT_A_CLAIM}


@pytest.mark.parametrize(
    "again",
    ["The ferry carries 300 people!", "The  ferry carries\n300 people", "It carries 300 people."],
)
def test_repeated_statement_is_duplicate(again: str) -> None:
    extraction = extract(f"The ferry carries 300 people. {again}")
    assert [claim.sentence_index for claim in extraction.claims] == [0]
    assert [o.reason for o in extraction.omissions] == [OmissionReason.DUPLICATE]


def test_one_sentence_may_make_several_claims() -> None:
    text = "Anna Berg, a doctor from Oslo, founded the clinic, which has 40 beds, in 1990; it closed in 2020."
    claims = extract(text).claims
    assert {claim.text for claim in claims} >= {
        "Anna Berg is a doctor from Oslo",
        "The clinic has 40 beds",
    }
    assert {claim.sentence_index for claim in claims} == {0}
    assert {claim.context for claim in claims} == {text}


def test_document_in_other_language_has_no_claims() -> None:
    extraction = extract(
        "Berlin ist die Hauptstadt von Deutschland. Die Stadt hat 3,7 Millionen Einwohner. Sie ist alt."
    )
    assert extraction.language == "de"
    assert extraction.claims == ()
    assert {(o.reason, o.detail) for o in extraction.omissions} == {(OmissionReason.OTHER_LANGUAGE, "de")}


def test_passage_in_other_language_is_omitted() -> None:
    extraction = extract(
        "Oslo is the capital of Norway. Le fleuve est long et il traverse la ville. Oslo is in Europe."
    )
    assert [claim.quote for claim in extraction.claims] == [
        "Oslo is the capital of Norway",
        "Oslo is in Europe",
    ]
    assert [(o.reason, o.detail) for o in extraction.omissions] == [(OmissionReason.OTHER_LANGUAGE, "fr")]


def test_reported_speech_stays_one_claim() -> None:
    claim = only_claim("Anna Berg said that exports rose by 5% and imports fell by 3%.")
    assert claim.type is ClaimType.ATTRIBUTION
    assert claim.framing.underlying_claim == "Exports rose by 5% and imports fell by 3%"


def test_addition_to_hearsay_is_direct() -> None:
    said, added = extract("“The bridge is safe,” said Anna Berg, the mayor of Oslo.").claims
    assert (said.framing.kind, said.framing.underlying_claim) == (FramingKind.HEARSAY, "The bridge is safe")
    assert (added.text, added.framing.kind) == ("Anna Berg is the mayor of Oslo", FramingKind.DIRECT_FACTUAL)


def test_pronoun_speaker_is_named() -> None:
    claim = extract("Anna Berg runs the harbour. She said the bridge is safe.").claims[1]
    assert claim.text == "Anna Berg said the bridge is safe"
    assert claim.framing.speaker == "Anna Berg"


NEWS = "The council met on Tuesday and will vote in July. Sales fell last year."


@pytest.mark.parametrize(
    ("published", "texts"),
    [
        (
            "2024-06-12",
            [
                "The council met on Tuesday (11 June 2024)",
                "The council will vote in July 2024",
                "Sales fell last year (2023)",
            ],
        ),
        (
            "2024",
            ["The council met on Tuesday", "The council will vote in July", "Sales fell last year (2023)"],
        ),
        (None, ["The council met on Tuesday", "The council will vote in July", "Sales fell last year"]),
    ],
)
def test_relative_dates_use_publication_date(published: str | None, texts: list[str]) -> None:
    day = PartialDate.parse(published) if published else None
    claims = extract_claims(Document(text=NEWS, source="-", published=day)).claims
    assert [claim.text for claim in claims] == texts
    assert [claim.quote for claim in claims] == [
        "The council met on Tuesday",
        "will vote in July",
        "Sales fell last year",
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Norway has about 5.5 million inhabitants.", ClaimType.STATISTIC),
        ("Kenya became independent in 1963.", ClaimType.DATE),
        ("Smith said that crime fell.", ClaimType.ATTRIBUTION),
        ("The Amazon is longer than the Nile.", ClaimType.COMPARISON),
        ("Smoking causes lung cancer.", ClaimType.CAUSAL),
        ("The capital of Australia is Canberra.", ClaimType.TECHNICAL),
    ],
)
def test_claim_types(sentence: str, expected: ClaimType) -> None:
    assert only_claim(sentence).type is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Senator John Smith took bribes from the company.", Risk.HIGH),
        ("The vaccine killed 5,000 people according to Mr Smith.", Risk.HIGH),
        ("The vaccine killed 900 people.", Risk.HIGH),
        ("Drinking bleach cures cancer.", Risk.HIGH),
        ("The Federal Reserve raised interest rates to combat inflation in 2024.", Risk.HIGH),
        ("Unemployment fell to 4% in 2023.", Risk.MEDIUM),
        ("The Amazon is longer than the Nile.", Risk.LOW),
    ],
)
def test_claim_risks(sentence: str, expected: Risk) -> None:
    assert only_claim(sentence).risk is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The Danube is a river that flows through ten countries.", "Geography"),
        ("Inflation and unemployment fell while wages grew.", "Economy"),
        ("The vaccine protects patients against the disease.", "Health"),
        ("Police arrested two men for fraud.", "Crime and Law"),
        ("Bob likes Alice.", "General"),
    ],
)
def test_claim_categories(sentence: str, expected: str) -> None:
    assert only_claim(sentence).category == expected


def test_public_figure_outranks_small_talk() -> None:
    grave = only_claim("Unemployment rose to 9% in 2020 at a cost of 3 million jobs.")
    light = only_claim("I met her there.")
    assert grave.check_worthiness > light.check_worthiness + 0.3
    assert (grave.priority, light.priority) == (Priority.HIGH, Priority.LOW)


def test_unusual_scripts_keep_exact_spans() -> None:
    text = (
        "🙂 Zoë’s café was opened in 1999 🙂. “He said ‘no’ in 2001.” Cafe\u0301 culture spread in 1900.\n\n"
        "| a | The Nile is long. |\u2028\u202eThe Rhine is short.\u202c\ufeff The \u200bOder is a river."
    )
    extraction = extract(text)
    check_invariants(text, extraction)
    assert "Zoë’s café was opened in 1999" in " ".join(claim.quote for claim in extraction.claims)
    assert "The \u200bOder is a river" in " ".join(claim.quote for claim in extraction.claims)


def test_overlong_sentence_is_omitted() -> None:
    extraction = extract("The list is " + "long and " * 400 + "done")
    assert extraction.claims == ()
    assert [o.reason for o in extraction.omissions] == [OmissionReason.NOT_A_CLAIM]


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "a" * 1400,
        "9" * 1400 + " is a number.",
        "ran and " * 180,
        "be," * 490,
        "(" * 1400,
        "قال الوزير إن البطالة ارتفعت إلى 9٪.",
        "\u202eThe Nile is long.\u202c",
        "🙂" * 1400,
        "e\u0301" * 700,
        "<p>The <b>Nile</b> &amp; the Rhine are long.</p>",
        "half a \ud83d character is in the text here.",
        "\x00\ufeff \ufffe",
        "\n\n\n",
    ],
)
def test_hostile_text_is_handled(text: str) -> None:
    check_invariants(text, extract(text))
    check_invariants(text, extract(text, Block(kind=BlockKind.HEADING, runs=((0, len(text)),))))


def test_empty_text_gives_nothing() -> None:
    assert extract("") == Extraction(claims=(), omissions=(), sentence_count=0, language="und")


WORDS = st.sampled_from(
    'Paris The the is was and , ; but which founded has borders in 1900 that ( ) " “ ” It it They rose of ten . ? ! said '
    "According to Mr. Smith 5% \n\n \r\n may will capital Its country 🙂 é are reportedly saying People".split(
        " "
    )
)
TEXTS = st.lists(WORDS, max_size=60).map(" ".join) | st.text(max_size=200)


@given(TEXTS, st.data())
def test_any_blocks_give_exact_ordered_spans(text: str, data: st.DataObject) -> None:
    points = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    runs = list(zip(points[::2], points[1::2], strict=False))
    cut = data.draw(st.integers(0, len(runs)))
    kinds = st.sampled_from(list(BlockKind))
    blocks = [Block(kind=data.draw(kinds), runs=tuple(part)) for part in (runs[:cut], runs[cut:]) if part]
    check_invariants(text, extract(text, *blocks, title=data.draw(st.none() | TEXTS)))


@given(TEXTS, st.none() | st.dates())
def test_any_date_gives_exact_ordered_spans(text: str, day: date | None) -> None:
    published = PartialDate.of(day) if day else None
    extraction = extract_claims(Document(text=text, source="-", published=published))
    check_invariants(text, extraction)
    assert all(" ".join(claim.quote.split()) in claim.context for claim in extraction.claims)


def check_invariants(text: str, extraction: Extraction) -> None:
    position = 0
    for number, claim in enumerate(extraction.claims, 1):
        start, end = claim.span
        assert 0 <= position <= start < end <= len(text)
        assert text[start:end] == claim.quote
        assert claim.id == f"claim_{number}"
        assert claim.text
        assert claim.category in CATEGORIES
        assert 0 <= claim.sentence_index < extraction.sentence_count
        position = start
    assert [o.span for o in extraction.omissions] == sorted(o.span for o in extraction.omissions)
    assert all(0 <= o.span[0] < o.span[1] <= len(text) for o in extraction.omissions)


def test_report_frames_only_its_clause() -> None:
    text = "The tunnel opened in 2010, and Anna Smith said that the bridge is safe."
    kinds = {claim.text: claim.framing.kind for claim in extract(text).claims}
    assert kinds["The tunnel opened in 2010"] is FramingKind.DIRECT_FACTUAL
    assert kinds["Anna Smith said that the bridge is safe"] is FramingKind.HEARSAY


def test_possessive_refers_to_earlier_sentence() -> None:
    claims = extract("Anna Smith resigned in May. Her husband, Paul Jones, won the race.").claims
    assert not any("Jones’ husband" in claim.text for claim in claims)


@pytest.mark.parametrize("text", ["The bridge is 5 mıles long.", "It cost 5 mıllion.", "He left yeſterday."])
def test_lookalike_letters_are_handled(text: str) -> None:
    document = document_from_text(text, source="-", media_type="text/plain")
    dated = document.model_copy(update={"published": PartialDate.parse("2025-03-12")})
    assert extract_claims(dated).sentence_count == 1
