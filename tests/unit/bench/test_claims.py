from collections.abc import Sequence

import pytest

from veridic.bench.claims import SentenceRow, bench_claims, embedded_worth
from veridic.domain.errors import InputError


def by_length(texts: Sequence[str]) -> list[float]:
    return [min(1.0, len(text) / 20) for text in texts]


def row(text: str, set_name: str = "debates", **answer: bool) -> SentenceRow:
    return SentenceRow.model_validate({"text": text, "set": set_name, **answer})


def test_sets_are_measured_separately_and_together() -> None:
    rows = [
        row("Taxes rose by 9 percent.", check_worthy=True),
        row("Thank you all.", check_worthy=False),
        row("It may be so.", "wiki", hedged=True),
        row("Good.", "speeches", factual_claim=True),
    ]
    seen: list[tuple[int, int, str]] = []
    result = bench_claims(rows, by_length, threshold=0.6, progress=lambda *step: seen.append(step))
    debates = result.sets["debates"]
    assert (debates.rows, debates.precision, debates.recall, debates.f1) == (2, 0.5, 1.0, 0.6667)
    assert (debates.accuracy, debates.roc_auc, debates.average_precision) == (0.5, 1.0, 1.0)
    assert (result.sets["speeches"].precision, result.sets["speeches"].recall) == (None, 0.0)
    assert (result.all.rows, result.all.recall) == (3, 0.5)
    assert result.skipped == {"wiki": 1}
    assert seen == [(0, 3, "debates")]


def test_only_hedged_rows_is_an_error() -> None:
    with pytest.raises(InputError, match="nothing to measure"):
        bench_claims([row("It may be so.", hedged=True)], by_length)


def test_embedded_extractor_prefers_figure_to_courtesy() -> None:
    figure, courtesy = embedded_worth(["Unemployment rose to 9.8 percent in 2010.", "Thank you very much."])
    assert 0 <= courtesy < figure <= 1
