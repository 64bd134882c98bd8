"""Claims that a model placed at one sentence are narrowed to their own words in it."""

from hypothesis import given
from hypothesis import strategies as st

from veridic.claims.locate import Placed, own_spans

SENTENCE = (
    "The Skelby Trust, a charity registered in 2023, has signed a 25-year lease at a peppercorn rent "
    "and will receive a grant of £30,000, paid in two halves."
)
TEXT = f"It snowed. {SENTENCE} All was well."
WHOLE = (TEXT.index(SENTENCE), TEXT.index(SENTENCE) + len(SENTENCE))


def quotes(*claims: str) -> list[str]:
    spans = own_spans([Placed(claim, WHOLE) for claim in claims], TEXT)
    return [TEXT[start:end] for start, end in spans]


def test_claims_of_one_sentence_get_own_words() -> None:
    assert quotes(
        "The Skelby Trust was registered as a charity in 2023.",
        "The Skelby Trust has signed a 25-year lease at a peppercorn rent.",
        "The Skelby Trust will receive a grant of £30,000 in two halves.",
    ) == [
        "a charity registered in 2023",
        "has signed a 25-year lease at a peppercorn rent",
        "will receive a grant of £30,000, paid in two halves",
    ]


def test_single_claim_keeps_sentence() -> None:
    assert quotes("The Skelby Trust has signed a lease.") == [SENTENCE]


def test_outer_claim_is_narrowed_inner_kept() -> None:
    inner = "has signed a 25-year lease at a peppercorn rent"
    inside = (TEXT.index(inner), TEXT.index(inner) + len(inner))
    outer, same = own_spans(
        [Placed("The Trust will receive a grant of £30,000.", WHOLE), Placed(inner, inside)], TEXT
    )
    assert TEXT[slice(*outer)] == "will receive a grant of £30,000"
    assert same == inside


def test_equal_claims_keep_their_span() -> None:
    assert quotes("The Trust signed a lease.", "A lease was signed by the Trust.") == [SENTENCE, SENTENCE]


@given(
    st.text(max_size=120),
    st.lists(st.tuples(st.text(max_size=40), st.integers(0, 120), st.integers(0, 120)), max_size=4),
)
def test_span_stays_within_original(text: str, placed: list[tuple[str, int, int]]) -> None:
    given_spans = [Placed(claim, (min(a, b, len(text)), min(max(a, b), len(text)))) for claim, a, b in placed]
    for one, (start, end) in zip(given_spans, own_spans(given_spans, text), strict=True):
        assert one.span[0] <= start <= end <= one.span[1]
