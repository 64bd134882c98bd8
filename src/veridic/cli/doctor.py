"""`veridic doctor`: says what is set up, what can be reached and what is missing."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veridic.doctor.finding import Finding

_MARKS = {"ok": "✓", "not set up": "–", "warning": "!", "broken": "✗"}


class DoctorFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


def doctor(
    network: Annotated[
        bool,
        typer.Option(
            "--network",
            help="Also ask the providers that are set up whether they answer; nothing is billed.",
        ),
    ] = False,
    format: Annotated[DoctorFormat, typer.Option("--format", help="json for scripts.")] = DoctorFormat.TEXT,  # noqa: A002
) -> None:
    """Say what is set up, what can be reached and what is missing, with the command that fixes it.

    Only this machine is asked, unless --network is given. Keys and tokens are never shown. The exit code is 3 if
    something that is required, or that a setting asks for, does not work.

    Examples:

      veridic doctor

      veridic doctor --network --format json
    """
    from veridic.doctor.examine import examine

    findings: list[Finding] = []
    for finding in examine(network=network):
        findings.append(finding)
        if format is DoctorFormat.TEXT:
            _print(finding)
    broken = sum(finding.status == "broken" for finding in findings)
    if format is DoctorFormat.JSON:
        content = {"ok": not broken, "findings": [finding.model_dump(mode="json") for finding in findings]}
        sys.stdout.write(json.dumps(content, ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write(f"\n{_conclusion(broken)}\n")
    raise typer.Exit(3 if broken else 0)


def _print(finding: Finding) -> None:
    from veridic.reporting.escaping import one_line

    sys.stdout.write(f"{_MARKS[finding.status]} {finding.name:<16} {one_line(finding.message)}\n")
    if finding.mend:
        sys.stdout.write(f"  {'':<16} → {one_line(finding.mend)}\n")
    sys.stdout.flush()


def _conclusion(broken: int) -> str:
    if not broken:
        return "Veridic works."
    return "One thing does not work." if broken == 1 else f"{broken} things do not work."
