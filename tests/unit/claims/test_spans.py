"""Claims that a model placed at one sentence stand at their own words inside it."""

from hypothesis import given
from hypothesis import strategies as st

from veridic.claims.spans import Placed, own_spans

SENTENCE = (
    "The Skelby Trust, a charity registered in 2023, has signed a 25-year lease at a peppercorn rent "
    "and will receive a grant of £30,000, paid in two halves."
)
TEXT = f"It snowed. {SENTENCE} All was well."
WHOLE = (TEXT.index(SENTENCE), TEXT.index(SENTENCE) + len(SENTENCE))


def quotes(*claims: str) -> list[str]:
    spans = own_spans([Placed(claim, WHOLE) for claim in claims], TEXT)
    return [TEXT[start:end] for start, end in spans]


def test_each_claim_of_a_sentence_has_its_own_words() -> None:
    assert quotes(
        "The Skelby Trust was registered as a charity in 2023.",
        "The Skelby Trust has signed a 25-year lease at a peppercorn rent.",
        "The Skelby Trust will receive a grant of £30,000 in two halves.",
    ) == [
        "a charity registered in 2023",
        "has signed a 25-year lease at a peppercorn rent",
        "will receive a grant of £30,000, paid in two halves",
    ]


def test_a_claim_alone_keeps_its_sentence() -> None:
    assert quotes("The Skelby Trust has signed a lease.") == [SENTENCE]


def test_a_claim_around_another_is_narrowed_and_the_other_stays() -> None:
    inner = "has signed a 25-year lease at a peppercorn rent"
    inside = (TEXT.index(inner), TEXT.index(inner) + len(inner))
    outer, same = own_spans(
        [Placed("The Trust will receive a grant of £30,000.", WHOLE), Placed(inner, inside)], TEXT
    )
    assert TEXT[slice(*outer)] == "will receive a grant of £30,000"
    assert same == inside


def test_claims_that_say_the_same_keep_their_place() -> None:
    assert quotes("The Trust signed a lease.", "A lease was signed by the Trust.") == [SENTENCE, SENTENCE]


@given(
    st.text(max_size=120),
    st.lists(st.tuples(st.text(max_size=40), st.integers(0, 120), st.integers(0, 120)), max_size=4),
)
def test_a_span_never_leaves_its_place(text: str, placed: list[tuple[str, int, int]]) -> None:
    given_spans = [Placed(claim, (min(a, b, len(text)), min(max(a, b), len(text)))) for claim, a, b in placed]
    for one, (start, end) in zip(given_spans, own_spans(given_spans, text), strict=True):
        assert one.span[0] <= start <= end <= one.span[1]
