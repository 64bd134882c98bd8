"""The judge that reads: what the model adds to the exact comparisons, and what it may not overrule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_source

from veridic.domain.evidence import Assessment, Passage, Stance
from veridic.judging.fused import FusedJudge
from veridic.judging.reading import Reader
from veridic.judging.rules import RulesJudge
from veridic.language.names import Aliases
from veridic.providers.embedded.fake import FakeModel

READER = Reader(Aliases({"Australia": ("Australian",)}))
JUDGE = FusedJudge(RulesJudge(READER), READER, FakeModel)
S, C, N = Stance.SUPPORTING, Stance.CONTRADICTING, Stance.CONTEXTUAL


def passage(text: str, title: str = "A book") -> Passage:
    return Passage(id=text[:30], source=make_source(title), text=text, start=0, end=len(text))


def assess(claim: str, *texts: str) -> list[Assessment]:
    return JUDGE.assess(claim, [passage(text) for text in texts])


def test_what_the_exact_comparisons_settle_is_left_as_it_is() -> None:
    claim, text = "The capital of Australia is Sydney.", "The capital of Australia is Canberra."
    assert assess(claim, text) == RulesJudge(READER).assess(claim, [passage(text)])


def test_the_model_settles_what_only_reading_can() -> None:
    (found,) = assess(
        "Workers striking closed harbour gates.",
        "It rained. After a long night of talks the harbour, its gates and cranes were closed by striking workers. Nobody was hurt.",
    )
    assert found.stance is S
    assert found.quote.startswith("After a long night")


def test_support_may_not_leave_out_a_figure() -> None:
    class Yes(FakeModel):
        def logits(self, pairs):  # type: ignore[no-untyped-def]
            return super().logits([("agreed", "agreed")] * len(pairs))

    judge = FusedJudge(RulesJudge(READER), READER, Yes)
    (found,) = judge.assess("The gate is 14 metres wide.", [passage("The gate is quite a sight, and wide.")])
    assert found.stance is N


def test_a_passage_on_someone_else_contradicts_nothing() -> None:
    class No(FakeModel):
        def logits(self, pairs):  # type: ignore[no-untyped-def]
            return super().logits([("agreed", "not agreed")] * len(pairs))

    judge = FusedJudge(RulesJudge(READER), READER, No)
    (found,) = judge.assess(
        "Anna Berg sold the mill.", [passage("Carl Lund kept the old house to his death.")]
    )
    assert found.stance is N
    (found,) = judge.assess("Anna Berg sold the mill.", [passage("Anna Berg kept it to her death.")])
    assert found.stance is C


def test_the_title_says_whom_a_passage_is_about() -> None:
    text = "She was widely praised for rulings both mild and patient."
    judged = JUDGE.assess("Anna Berg was praised for patient rulings.", [passage(text, "Anna Berg")])
    assert judged[0].stance is S
    assert judged[0].quote in text


def test_nothing_to_read_and_nothing_said() -> None:
    assert assess("Anything at all was said.") == []
    assert [a.stance for a in assess("", "A sentence.")] == [N]


@given(st.text(max_size=120), st.lists(st.text(max_size=200), max_size=4))
def test_any_text_is_assessed_and_quoted_word_for_word(claim: str, texts: list[str]) -> None:
    found = assess(claim, *texts)
    assert len(found) == len(texts)
    for assessment, text in zip(found, texts, strict=True):
        assert assessment.quote in text


@pytest.mark.parametrize("order", [1, -1])
def test_the_clearer_side_stands_whatever_the_order(order: int) -> None:
    texts = ["The harbour gates were closed by workers.", "Weather in the harbour is mild."][::order]
    assert sorted(a.stance for a in assess("Workers closed harbour gates.", *texts)) == sorted([S, N])
