"""The baseline: the findings that a project had when it started to use `veridic verify`. Only new ones fail a run.

A claim is identified by its document and its words, so moved lines make no difference, and by how often it was found.
"""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field, ValidationError

from veridic.domain.base import Frozen
from veridic.domain.code import CodeVerdict, Finding, SilencedBy, SilencedFinding, fingerprint
from veridic.domain.errors import InputError, UsageError
from veridic.verify.folder import Folder

VERSION = 1
_LARGEST_FILE = 20_000_000
_NEVER_KNOWN = (CodeVerdict.VERIFIED, CodeVerdict.INCONCLUSIVE)
"""Nothing is wrong with these, so they are never in a baseline."""


class KnownClaim(Frozen):
    """A claim that was found before. `document` and `claim` only help people who read the file."""

    fingerprint: str
    count: int = Field(default=1, ge=1)
    document: str
    claim: str


class Baseline(Frozen):
    """The content of a baseline file."""

    version: int = Field(default=VERSION, ge=VERSION, le=VERSION)
    findings: tuple[KnownClaim, ...] = ()


class BaselineComparison(NamedTuple):
    """The findings that are new (`kept`), and those that are in the baseline (`known`)."""

    kept: tuple[Finding, ...]
    known: tuple[SilencedFinding, ...]


def configured_baseline(root: Path, name: str) -> Path:
    """The path of the baseline named in a repository's own settings; `UsageError` if it is outside the repository."""
    file = Folder(root).inside(name)
    if file is None:
        raise UsageError(f"The baseline {name!r} that the project's table names is not in the repository.")
    return file


def baseline_of(findings: Sequence[Finding]) -> Baseline:
    """A baseline of everything that is wrong now, sorted so that updates give small diffs."""
    wrong = [finding.claim for finding in findings if finding.verdict not in _NEVER_KNOWN]
    counts = Counter(map(fingerprint, wrong))
    known = {
        name: KnownClaim(
            fingerprint=name,
            count=counts[name],
            document=claim.document,
            claim=" ".join(claim.text.split()),
        )
        for claim in wrong
        if (name := fingerprint(claim))
    }
    ordered = sorted(known.values(), key=lambda one: (one.document, one.claim, one.fingerprint))
    return Baseline(findings=tuple(ordered))


def compare_with_baseline(baseline: Baseline, findings: Sequence[Finding]) -> BaselineComparison:
    """Set aside findings that are in the baseline, up to their count there. Verified and Inconclusive ones always stay."""
    left = {known.fingerprint: known.count for known in baseline.findings}
    kept: list[Finding] = []
    known: list[SilencedFinding] = []
    for finding in findings:
        name = fingerprint(finding.claim)
        if finding.verdict not in _NEVER_KNOWN and left.get(name, 0) > 0:
            left[name] -= 1
            known.append(SilencedFinding(finding=finding, by=SilencedBy.BASELINE, reason="known before"))
        else:
            kept.append(finding)
    return BaselineComparison(tuple(kept), tuple(known))


def baseline_text(baseline: Baseline) -> str:
    """The file's content: one line for each claim."""
    rows = ",".join(
        f"\n    {json.dumps(known.model_dump(), ensure_ascii=False)}" for known in baseline.findings
    )
    return f'{{\n  "version": {baseline.version},\n  "findings": [{rows}\n  ]\n}}\n'


def load_baseline(path: Path) -> Baseline:
    """Read a baseline; raises `InputError` or `UsageError` if it can't be used."""
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise InputError(
                f"The baseline {path} is too large to be one; write it again with --write-baseline."
            )
        content: Any = json.loads(path.read_text(encoding="utf-8"))
        return Baseline.model_validate(content)
    except FileNotFoundError:
        raise UsageError(f"There is no baseline {path}; make one with --write-baseline.") from None
    except OSError as error:
        raise InputError(f"The baseline {path} can't be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError, ValidationError):
        raise InputError(f"{path} is not a baseline; write it again with --write-baseline.") from None
