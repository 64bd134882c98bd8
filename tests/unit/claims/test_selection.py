"""Which claims are checked if not all are."""

from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_claim

from veridic.claims.selection import high_risk_only, limit_claims, main_statements
from veridic.domain.claim import Claim, Extraction, OmissionReason, Priority, Risk
from veridic.ingest.read import document_from_text

CLAIMS = st.lists(
    st.tuples(st.sampled_from(Priority), st.floats(0, 1), st.sampled_from(Risk)), max_size=12
).map(
    lambda rows: tuple(
        make_claim(number=n, text=f"Claim {n}.").model_copy(
            update={"priority": priority, "check_worthiness": worth, "risk": risk, "sentence_index": n}
        )
        for n, (priority, worth, risk) in enumerate(rows, 1)
    )
)


def extraction(claims: tuple[Claim, ...]) -> Extraction:
    return Extraction(claims=claims, omissions=(), sentence_count=len(claims))


@given(CLAIMS, st.integers(1, 12))
def test_limit_keeps_most_important_and_lists_omissions(claims: tuple[Claim, ...], most: int) -> None:
    kept = limit_claims(extraction(claims), most)
    texts = [claim.text for claim in kept.claims]
    assert len(texts) == min(most, len(claims))
    assert texts == [claim.text for claim in claims if claim.text in texts], "in the order of the text"
    assert len(kept.omissions) == len(claims) - len(texts)
    assert all(omission.reason is OmissionReason.OVER_THE_LIMIT for omission in kept.omissions)
    order = [Priority.LOW, Priority.MEDIUM, Priority.HIGH]
    passed_over = [claim for claim in claims if claim.text not in texts]
    for one in passed_over:
        assert all(
            order.index(chosen.priority) >= order.index(one.priority)
            for chosen in claims
            if chosen.text in texts
        )


@given(CLAIMS)
def test_ids_follow_text_order(claims: tuple[Claim, ...]) -> None:
    for chosen in (limit_claims(extraction(claims), 3), high_risk_only(extraction(claims))):
        assert [claim.id for claim in chosen.claims] == [
            f"claim_{n}" for n in range(1, len(chosen.claims) + 1)
        ]


def test_no_limit_keeps_all() -> None:
    claims = tuple(make_claim(number=n, text=f"Claim {n}.") for n in range(1, 40))
    assert limit_claims(extraction(claims), None) == extraction(claims)


def test_title_determines_main_statement() -> None:
    texts = [
        "Shares were little changed on Monday.",
        "Analysts had expected the move.",
        "The central bank raised its key rate to 5.5 percent.",
        "The governor wore a blue tie.",
    ]
    claims = tuple(
        make_claim(number=n, text=text).model_copy(update={"sentence_index": n - 1})
        for n, text in enumerate(texts, 1)
    )
    document = document_from_text(" ".join(texts), source="-").model_copy(
        update={"title": "Central bank raises key rate to 5.5 percent"}
    )
    kept = main_statements(extraction(claims), document)
    assert len(kept.claims) == 2
    assert texts[2] in [claim.text for claim in kept.claims]
    assert {omission.reason for omission in kept.omissions} == {OmissionReason.DETAIL}


def test_repeated_second_statement_is_dropped() -> None:
    claims = (
        make_claim(number=1, text="The river rose by two metres on Sunday."),
        make_claim(number=2, text="On Sunday the river rose by two metres."),
    )
    kept = main_statements(extraction(claims), document_from_text("x", source="-"))
    assert len(kept.claims) == 1


def test_text_without_claims_has_no_main_statement() -> None:
    assert main_statements(extraction(()), document_from_text("x", source="-")).claims == ()
