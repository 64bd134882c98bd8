"""How many plain statements about countries get the right verdict, none and a wrong one."""

from collections.abc import Sequence
from datetime import date

from benchmarks.measure import Figure, Measure, Scale
from benchmarks.statements import Statement, make_statements
from benchmarks.workspace import Step, Workspace
from veridic.config.settings import Settings
from veridic.domain.verdicts import Scale as VerdictScale
from veridic.domain.verdicts import say
from veridic.evidence.reference import factbook_passages
from veridic.library import check_text

_MOST_WRONG = 0.01
_MOST_UNSETTLED = 0.1
_AS_OF = date(2026, 11, 15)


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    workspace.prepare_reference(step)
    settings = Settings(home=workspace.home)
    statements = make_statements(factbook_passages(), per_kind=max(1, scale.queries // 20))
    verdicts = []
    for done, statement in enumerate(statements):
        step(done, len(statements), "checking statements")
        verdicts.append(_verdict(statement, settings))
    right = sum(
        verdict == ("TRUE" if s.holds else "FALSE") for s, verdict in zip(statements, verdicts, strict=True)
    )
    wrong = sum(
        verdict == ("FALSE" if s.holds else "TRUE") for s, verdict in zip(statements, verdicts, strict=True)
    )
    total = len(statements)
    return (
        Figure("statements", total, "count"),
        Figure("right", right / total, "share"),
        Figure("not settled", (total - right - wrong) / total, "share", _MOST_UNSETTLED),
        Figure("wrong", wrong / total, "share", _MOST_WRONG),
    )


def _verdict(statement: Statement, settings: Settings) -> str:
    report = check_text(statement.text, settings=settings, as_of=_AS_OF)
    return say(report.decisions[0].verdict, VerdictScale.VALIDATION) if report.decisions else "UNVERIFIABLE"


MEASURE = Measure("plain_statements", "Verdicts on plain statements about countries", _run)
