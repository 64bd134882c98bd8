import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.claims.category import CATEGORIES
from veridic.claims.extract import extract_claims
from veridic.domain.claim import Claim, ClaimType, Extraction, FramingKind, OmissionReason, Priority, Risk
from veridic.domain.document import Block, BlockKind, Document


def extract(text: str, *blocks: Block, title: str | None = None) -> Extraction:
    return extract_claims(Document(text=text, source="-", blocks=blocks, title=title))


def only_claim(text: str) -> Claim:
    (claim,) = extract(text).claims
    return claim


def block(text: str, words: str, kind: BlockKind = BlockKind.PARAGRAPH) -> Block:
    """The block of `text` that holds `words` and nothing else."""
    start = text.index(words)
    return Block(kind=kind, runs=((start, start + len(words)),))


def test_plain_statements_come_out_whole() -> None:
    sentences = [
        "France borders Spain, Italy and Germany.",
        "With about 27 million people, Australia is the world's sixth-largest country.",
        "Mount Kosciuszko, at 2,228 metres, is Australia's highest point.",
        "The Amazon is longer than the Nile.",
    ]
    extraction = extract(" ".join(sentences))
    assert [claim.text for claim in extraction.claims] == sentences
    assert [claim.quote for claim in extraction.claims] == sentences
    assert [claim.sentence_index for claim in extraction.claims] == [0, 1, 2, 3]
    assert extraction.omissions == ()
    assert (extraction.sentence_count, extraction.language) == (4, "en")


def test_span_stays_what_the_author_wrote_while_text_carries_the_subject() -> None:
    text = "The Eiffel Tower stands in Paris.\r\nIt was built in 1887 and completed\r\nin 1889."
    claims = extract(text).claims
    assert [text[slice(*claim.span)] for claim in claims] == [
        "The Eiffel Tower stands in Paris.",
        "It was built in 1887",
        "completed\r\nin 1889",
    ]
    assert claims[1].text == "The Eiffel Tower was built in 1887."
    assert claims[2].text == "The Eiffel Tower was completed in 1889."
    assert claims[2].context == "It was built in 1887 and completed in 1889."
    assert [claim.id for claim in claims] == ["claim_1", "claim_2", "claim_3"]


def test_headings_give_context_and_are_no_claims_and_code_is_silent() -> None:
    text = "# Brazil\n\nIts capital is *Brasília*.\n\n    Rome is the capital of France.\n\n- Rice is grown\n- Coffee\n"
    extraction = extract(
        text,
        block(text, "Brazil", BlockKind.HEADING),
        Block(kind=BlockKind.PARAGRAPH, runs=((10, 25), (26, 34), (35, 36))),
        block(text, "Rome is the capital of France.", BlockKind.CODE),
        block(text, "Rice is grown", BlockKind.LIST_ITEM),
        block(text, "Coffee", BlockKind.LIST_ITEM),
    )
    first, second = extraction.claims
    assert first.text == "Brazil's capital is Brasília."
    assert first.quote == "Its capital is *Brasília*."
    assert first.context == "Its capital is Brasília."
    assert second.quote == "Rice is grown"
    assert [(o.text, o.reason) for o in extraction.omissions] == [("Coffee", OmissionReason.NOT_A_CLAIM)]


def test_what_is_left_out_keeps_its_reason_and_its_place() -> None:
    text = "Peru borders Chile. Is it large? It may shrink. Peru borders Chile."
    extraction = extract(text)
    assert len(extraction.claims) == 1
    assert [o.reason for o in extraction.omissions] == [
        OmissionReason.QUESTION,
        OmissionReason.HEDGED,
        OmissionReason.DUPLICATE,
    ]
    assert [text[slice(*o.span)] for o in extraction.omissions] == [
        "Is it large?",
        "It may shrink.",
        "Peru borders Chile.",
    ]


def test_a_document_in_another_language_is_said_to_be_so_and_never_claimed() -> None:
    extraction = extract(
        "Berlin ist die Hauptstadt von Deutschland. Die Stadt hat 3,7 Millionen Einwohner. Sie ist alt."
    )
    assert extraction.language == "de"
    assert extraction.claims == ()
    assert {(o.reason, o.detail) for o in extraction.omissions} == {(OmissionReason.OTHER_LANGUAGE, "de")}


def test_a_passage_in_another_language_is_passed_over() -> None:
    extraction = extract(
        "Oslo is the capital of Norway. Le fleuve est long et il traverse la ville. Oslo is in Europe."
    )
    assert [claim.quote for claim in extraction.claims] == [
        "Oslo is the capital of Norway.",
        "Oslo is in Europe.",
    ]
    assert [(o.reason, o.detail) for o in extraction.omissions] == [(OmissionReason.OTHER_LANGUAGE, "fr")]


def test_deniable_and_hedging_words_are_kept_with_the_claim_underneath() -> None:
    claim = only_claim("People are saying the election might have been rigged.")
    assert claim.framing.kind is FramingKind.PLAUSIBLE_DENIABILITY
    assert claim.framing.underlying_claim == "The election might have been rigged"


def test_reported_speech_stays_one_claim() -> None:
    claim = only_claim("The minister said that exports rose by 5% and imports fell by 3%.")
    assert claim.type is ClaimType.ATTRIBUTION
    assert claim.framing.underlying_claim == "Exports rose by 5% and imports fell by 3%"


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
def test_each_claim_has_a_type(sentence: str, expected: ClaimType) -> None:
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
def test_risk_follows_from_what_is_at_stake(sentence: str, expected: Risk) -> None:
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
def test_a_reader_is_told_what_it_is_about(sentence: str, expected: str) -> None:
    assert only_claim(sentence).category == expected


def test_a_figure_on_a_public_matter_is_looked_at_before_small_talk() -> None:
    grave = only_claim("Unemployment rose to 9% in 2020, costing 3 million jobs.")
    light = only_claim("I met her there.")
    assert grave.check_worthiness > light.check_worthiness + 0.3
    assert (grave.priority, light.priority) == (Priority.HIGH, Priority.LOW)


def test_ten_awkward_scripts_and_marks_keep_exact_spans() -> None:
    text = (
        "🙂 Zoë’s café was opened in 1999 🙂. “He said ‘no’ in 2001.” Cafe\u0301 culture spread in 1900.\n\n"
        "| a | The Nile is long. |\u2028\u202eThe Rhine is short.\u202c\ufeff The \u200bOder is a river."
    )
    for claim in extract(text).claims:
        assert text[slice(*claim.span)] == claim.quote


def test_a_sentence_without_an_end_is_not_one_statement() -> None:
    extraction = extract("The list is " + "long and " * 400 + "done")
    assert extraction.claims == ()
    assert [o.reason for o in extraction.omissions] == [OmissionReason.NOT_A_CLAIM]


def test_nothing_gives_nothing() -> None:
    assert extract("") == Extraction(claims=(), omissions=(), sentence_count=0, language="und")


WORDS = st.sampled_from(
    'Paris The the is was and , ; but which founded has borders in 1900 that ( ) " “ ” It it They rose of ten . ? ! said '
    "According to Mr. Smith 5% \n\n \r\n may will capital Its country 🙂 é are reportedly saying People".split(
        " "
    )
)
TEXTS = st.lists(WORDS, max_size=60).map(" ".join) | st.text(max_size=200)


@given(TEXTS, st.data())
def test_any_blocks_of_any_text_give_exact_ordered_spans(text: str, data: st.DataObject) -> None:
    points = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    runs = list(zip(points[::2], points[1::2], strict=False))
    cut = data.draw(st.integers(0, len(runs)))
    kinds = st.sampled_from(list(BlockKind))
    blocks = [Block(kind=data.draw(kinds), runs=tuple(part)) for part in (runs[:cut], runs[cut:]) if part]
    check_invariants(text, extract(text, *blocks, title=data.draw(st.none() | TEXTS)))


@given(TEXTS)
def test_any_text_gives_exact_ordered_spans(text: str) -> None:
    check_invariants(text, extract(text))


def check_invariants(text: str, extraction: Extraction) -> None:
    position = 0
    for number, claim in enumerate(extraction.claims, 1):
        start, end = claim.span
        assert position <= start < end <= len(text)
        assert text[start:end] == claim.quote
        assert claim.id == f"claim_{number}"
        assert claim.text
        assert claim.category in CATEGORIES
        assert 0 <= claim.sentence_index < extraction.sentence_count
        position = end
    assert all(0 <= o.span[0] < o.span[1] <= len(text) for o in extraction.omissions)
