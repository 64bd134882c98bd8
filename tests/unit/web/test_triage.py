"""What needs a person first."""

from dataclasses import replace

import pytest
from tests.builders import sample_report

from veridic.domain.claim import ClaimType
from veridic.domain.verdicts import Verdict
from veridic.web.claim_views import ClaimView, CorrectionView
from veridic.web.marks import canonical_sign, letter
from veridic.web.run_comparison import compare_runs
from veridic.web.triage import Task, task_of, task_shares


def _claim(verdict: Verdict | None, **values: object) -> ClaimView:
    sign = canonical_sign(verdict) if verdict else None
    view = ClaimView(1, "It is so.", ClaimType.DATE, (0, 9), None, sign)
    return replace(view, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("verdict", "task"),
    [
        (Verdict.SUPPORTED, Task.BORNE_OUT),
        (Verdict.MOSTLY_SUPPORTED, Task.BORNE_OUT),
        (Verdict.REFUTED, Task.CORRECT),
        (Verdict.MISLEADING, Task.CORRECT),
        (Verdict.OUTDATED, Task.CORRECT),
        (Verdict.PARTIAL, Task.LOOK),
        (Verdict.CONTESTED, Task.LOOK),
        (Verdict.AMBIGUOUS, Task.LOOK),
        (Verdict.UNVERIFIABLE, Task.LOOK),
        (None, None),
    ],
)
def test_every_verdict_has_a_task(verdict: Verdict | None, task: Task | None) -> None:
    assert task_of(_claim(verdict)) is task


def test_a_correction_or_a_failure_decides_the_task() -> None:
    assert task_of(_claim(Verdict.PARTIAL, correction=CorrectionView("So."))) is Task.CORRECT
    assert task_of(_claim(None, problem="No answer.")) is Task.LOOK


def test_all_tasks_are_counted() -> None:
    shares = task_shares([_claim(Verdict.REFUTED), _claim(Verdict.SUPPORTED), _claim(None)], 4)

    assert [f"{share.count} {share.words}" for share in shares] == [
        "1 to correct",
        "1 borne out",
        "0 to look at yourself",
        "4 not checked",
    ]


def test_letters_go_on_after_z() -> None:
    assert [letter(place) for place in (1, 26, 27, 52, 53)] == ["a", "z", "aa", "az", "ba"]


def test_runs_are_compared_by_the_claims_they_read() -> None:
    before = sample_report()
    first, second, third, *others = before.decisions
    changed = first.model_copy(update={"verdict": Verdict.REFUTED})
    reworded = second.model_copy(
        update={"claim": second.claim.model_copy(update={"text": "Something else."})}
    )
    moved = third.model_copy(update={"claim": third.claim.model_copy(update={"id": "claim_99"})})
    after = before.model_copy(update={"decisions": (changed, reworded, moved, *others)})

    compared = compare_runs(before, after)

    assert [(one.before.sign.word, one.after.sign.word) for one in compared.changed] == [
        ("Supported", "Refuted")
    ]
    assert [one.text for one in compared.only_before] == [second.claim.text]
    assert [one.text for one in compared.only_after] == ["Something else."]
    assert compared.unchanged == len(others) + 1
