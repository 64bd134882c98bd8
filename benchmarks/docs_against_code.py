"""How many lies about a small project `veridic verify` finds, and whether it cries wolf at the truth."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import Figure, Measure, Scale
from benchmarks.mutants import MUTANTS, Mutant
from benchmarks.processes import ROOT
from benchmarks.workspace import Step, Workspace
from veridic.config.settings import Settings
from veridic.domain.code import CodeVerdict
from veridic.pipeline.verify import verify_repository
from veridic.pipeline.verify_order import VerifyOrder

PROJECT = ROOT / "benchmarks" / "parcel"
ALARMS = (CodeVerdict.REFUTED, CodeVerdict.STALE, CodeVerdict.MISLEADING, CodeVerdict.CONTESTED)
_MOST_MISSED = 20.0


def alarms(project: Path) -> set[tuple[str, str, str]]:
    """What is said to be wrong in a project: document, words and reason."""
    order = VerifyOrder(root=project, use_cache=False)
    report = verify_repository(order, Settings(home=project.parent / "home"))
    return {
        (finding.claim.document, finding.claim.text, finding.reason)
        for finding in report.findings
        if finding.verdict in ALARMS
    }


def surviving(mutants: Sequence[Mutant]) -> Iterator[Mutant]:
    """The lies that are not found. What is said of the unchanged project too is no find."""
    before = alarms(PROJECT)
    for mutant in mutants:
        with tempfile.TemporaryDirectory(prefix="veridic-mutant-") as folder:
            project = Path(folder, "parcel")
            shutil.copytree(PROJECT, project)
            changed = project / mutant.path
            text = changed.read_text(encoding="utf-8")
            if mutant.old not in text:
                raise ValueError(f"nothing to change: {mutant}")
            changed.write_text(text.replace(mutant.old, mutant.new, 1), encoding="utf-8")
            if not alarms(project) - before:
                yield mutant


def _run(_scale: Scale, _workspace: Workspace, step: Step) -> Sequence[Figure]:
    step(0, None, f"{len(MUTANTS)} changes, one at a time")
    missed = list(surviving(MUTANTS))
    return (
        Figure("changes", len(MUTANTS), "count"),
        Figure("not found", 100 * len(missed) / len(MUTANTS), "%", _MOST_MISSED),
        Figure("false alarms on the unchanged project", len(alarms(PROJECT)), "count", 0),
    )


MEASURE = Measure("docs_against_code", "Lies that veridic verify finds", _run)
