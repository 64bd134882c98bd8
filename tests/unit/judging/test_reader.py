"""The embedded reader with a network that only looks at words, and without fitted numbers."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.builders import make_difference, make_source

from veridic.domain.evidence import Assessment, Passage, Stance
from veridic.judging import reader
from veridic.judging.base import Belief
from veridic.judging.belief import FEATURES, Scope
from veridic.judging.reader import SOURCES, EmbeddedJudge
from veridic.providers.embedded.base import PairModel
from veridic.providers.embedded.fake import FakeModel
from veridic.text.names import Aliases

JUDGE = EmbeddedJudge(FakeModel)
CLAIM = "Workers closed the harbour gates."
S, C, N = Stance.SUPPORTING, Stance.CONTRADICTING, Stance.CONTEXTUAL


def by_the_best_reading(rows: Sequence[Sequence[float]], _scope: Scope) -> list[Belief]:
    """As sure as the clearest reading; the fitted weights may differ."""
    return [_belief(dict(zip(FEATURES, row, strict=True))) for row in rows]


def _belief(found: dict[str, float]) -> Belief:
    chances = np.exp(
        [
            max(found["supports"], found["together_supports"]),
            max(found["refutes"], found["together_refutes"]),
            min(found["settles_nothing"], found["together_settles_nothing"]),
        ]
    )
    return Belief(*map(float, chances / chances.sum()))


@pytest.fixture(autouse=True, scope="module")
def _nothing_fitted() -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "believe", by_the_best_reading)
        yield


class Recording(FakeModel):
    """Records what it is given to read."""

    def __init__(self) -> None:
        self.read: list[tuple[str, str]] = []

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.read += pairs
        return super().logits(pairs)


def passage(text: str, title: str = "A book", when: str | None = None) -> Passage:
    source = make_source(title, url=f"https://{title.replace(' ', '-')}.example/", published=when)
    return Passage(id=text[:30], source=source, text=text, start=0, end=len(text))


def assess(claim: str, *passages: Passage) -> list[Assessment]:
    return JUDGE.read(claim, passages).assessments


def filler(number: int) -> str:
    return f"On day {number} the committee talked about roads."


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("At noon workers closed the harbour gates.", S),
        ("Workers never closed the harbour gates.", C),
        ("The harbour is old.", N),
    ],
)
def test_a_passage_supports_contradicts_or_neither(text: str, stance: Stance) -> None:
    (found,) = assess(CLAIM, passage(text))
    assert (found.stance, found.quote) == (stance, text)


def test_the_belief_is_about_all_passages() -> None:
    said, beside = passage("Workers closed the harbour gates.", "One"), passage("It rained.", "Other")
    belief = JUDGE.read(CLAIM, [beside, said]).belief
    assert belief.supported > max(belief.refuted, belief.unsettled)


def test_the_decisive_sentence_is_quoted() -> None:
    (found,) = assess(CLAIM, passage("It rained. Then workers closed the harbour gates. Nobody was hurt."))
    assert (found.stance, found.quote) == (S, "Then workers closed the harbour gates.")


def test_each_passage_of_a_source_is_assessed_alone() -> None:
    said, beside = passage("Workers closed the harbour gates."), passage("Tea was served to all.")
    assert [one.stance for one in assess(CLAIM, beside, said)] == [N, S]


def test_disagreeing_sources_get_opposite_stances() -> None:
    found = assess(
        CLAIM,
        passage("Workers closed the harbour gates.", "One"),
        passage("Workers never closed the harbour gates.", "Other"),
    )
    assert [one.stance for one in found] == [S, C]


def test_two_sentences_are_read_together() -> None:
    text = f"Workers came to the harbour. {' '.join(map(filler, range(4)))} All gates were closed."
    belief = JUDGE.read(CLAIM, [passage(text)]).belief
    assert belief.supported > max(belief.refuted, belief.unsettled)


def test_sentences_of_two_sources_are_not_joined() -> None:
    halves = [passage("Workers came to the harbour.", "One"), passage("All gates were closed.", "Other")]
    assert JUDGE.read(CLAIM, halves).belief.unsettled > 0.5


def test_the_title_names_the_subject() -> None:
    (found,) = assess("Anna Berg sold the mill.", passage("She sold the mill.", "Anna Berg"))
    assert (found.stance, found.quote) == (S, "She sold the mill.")


def test_the_date_of_a_source_is_read() -> None:
    claim = "The mill was sold in March 2024."
    dated, undated = passage("The mill was sold.", when="2024-03"), passage("The mill was sold.")
    assert [assess(claim, one)[0].stance for one in (dated, undated)] == [S, N]


def test_differences_are_marked() -> None:
    (found,) = assess("The council spent $4 million.", passage("The council spent $7 million."))
    assert found.differences == (make_difference("$4 million", "$7 million"),)


def test_a_decisive_previous_sentence_is_quoted() -> None:
    (found,) = assess(CLAIM, passage("Workers closed the harbour. Its gates were shut with chains."))
    assert found.quote == "Workers closed the harbour."


def test_only_the_closest_sources_are_read() -> None:
    pages = [passage(f"The harbour has gate {n}.", f"Page {n}") for n in range(3 * SOURCES)]
    said = passage("Workers closed the harbour gates.", "Harbour news")
    found = assess(CLAIM, *pages, said)
    assert found[-1].stance is S
    unread = [one for one in found if one.relevance == 0]
    assert len(unread) == len(pages) + 1 - SOURCES
    assert {one.stance for one in unread} == {N}


def test_a_long_source_needs_no_more_calls() -> None:
    def pairs_read(sentences: int) -> int:
        model = Recording()
        text = " ".join(map(filler, range(sentences)))
        EmbeddedJudge(lambda: model).read(CLAIM, [passage(text)])
        return len(model.read)

    assert pairs_read(40) == pairs_read(400)


def test_a_source_about_another_person_is_not_read() -> None:
    other = passage("Angela Merkel resigned in Berlin.", "News")
    belief, (found,) = JUDGE.read("Emmanuel Macron resigned.", [other])
    assert (belief, found.stance, found.relevance) == (Belief(0.0, 0.0, 1.0), N, 0.0)


def test_words_around_the_claim_bring_a_passage_closer() -> None:
    model = Recording()
    pages = [passage(f"Prices fell in town {n}.", f"Town {n}") for n in range(3 * SOURCES)]
    meant = passage("Prices fell by the lighthouse.", "Another")
    EmbeddedJudge(lambda: model).read("Prices fell.", [*pages, meant], "By the lighthouse, prices fell.")
    assert any("lighthouse" in evidence for _, evidence in model.read)


def test_without_passages_the_network_is_not_loaded() -> None:
    def load() -> PairModel:
        raise AssertionError("loaded")

    judge = EmbeddedJudge(load)
    assert judge.read(CLAIM, []) == (Belief(0.0, 0.0, 1.0), [])
    belief, (found,) = judge.read(CLAIM, [passage(" \n ")])
    assert (belief, found.stance, found.relevance) == (Belief(0.0, 0.0, 1.0), N, 0.0)


def test_the_features_of_a_decision_are_available() -> None:
    said, beside = passage("Workers closed the harbour gates.", "One"), passage("It rained.", "Other")
    together, each = JUDGE.features(CLAIM, [said, beside])
    assert together is not None
    assert len(together) == len(FEATURES)
    assert {place: len(row) for place, row in each.items()} == {
        one.source.location: len(FEATURES) for one in (said, beside)
    }
    assert JUDGE.features(CLAIM, []) == (None, {})


def row(subject: str, text: str) -> Passage:
    """One fact of an entry of a reference work."""
    found = passage(text, f"{subject}, an atlas")
    return found.model_copy(update={"source": found.source.model_copy(update={"subject": subject})})


ATLAS = EmbeddedJudge(FakeModel, lambda: Aliases({"Niger": ("Nigerien",), "Nigeria": ("Nigerian",)}))


def test_only_rows_on_the_claim_s_subject_are_read() -> None:
    said = row("Niger", "The river Niger is long.")
    other = row("Nigeria", "The river Niger is not long.")
    belief, (own, others) = ATLAS.read("The river in Niger is long.", [said, other])
    assert belief.supported > belief.refuted
    assert (own.stance, others.stance, others.relevance) == (S, N, 0.0)


def test_a_claim_without_an_entry_has_no_row() -> None:
    belief, (found,) = ATLAS.read("The river is long.", [row("Niger", "The river is long.")])
    assert (belief, found.stance) == (Belief(0.0, 0.0, 1.0), N)


def test_the_row_that_settles_the_claim_counts() -> None:
    rows = [
        row("Niger", "The area of Niger is large."),
        row("Niger", "The capital of Niger is not Agadez."),
        row("Niger", "Agadez in Niger is an old town."),
    ]
    belief, found = ATLAS.read("The capital of Niger is Agadez.", rows)
    assert belief.refuted > 0.5
    assert [one.stance for one in found] == [N, C, N]


def test_each_requested_source_is_read_alone() -> None:
    says = passage("Workers closed the harbour gates.", "says")
    denies = passage("Workers never closed the harbour gates.", "denies")
    asked = {one.source.location for one in (says, denies)}
    others = [passage(CLAIM, f"not asked {number}") for number in range(SOURCES + 1)]
    found = JUDGE.believe_sources(CLAIM, [*others, says, denies], "", among=asked)
    assert found.keys() == asked
    assert found[says.source.location].supported > 0.5
    assert found[denies.source.location].refuted > 0.5


def test_a_source_needs_no_names_and_rows_are_skipped() -> None:
    unnamed = passage("The building has been shut since then.", "unnamed")
    rows = row("Niger", "The building has been shut since then.")
    asked = {one.source.location for one in (unnamed, rows)}
    found = JUDGE.believe_sources("Wexcombe: building shut since then", [unnamed, rows], "", among=asked)
    assert found.keys() == {unnamed.source.location}


@given(st.text(max_size=80), st.lists(st.text(max_size=120), max_size=4), st.text(max_size=80))
def test_any_text_is_read_and_quoted_word_for_word(claim: str, texts: list[str], context: str) -> None:
    passages = [passage(text, f"Page {number // 2}") for number, text in enumerate(texts)]
    found = JUDGE.read(claim, passages, context)
    assert sum(found.belief) == pytest.approx(1)
    assert len(found.assessments) == len(texts)
    assert all(one.quote in text for one, text in zip(found.assessments, texts, strict=True))
    assert found == JUDGE.read(claim, passages, context)
