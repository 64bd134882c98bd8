"""The baseline: what was already wrong when a project began to use `veridic verify`. Only what is new fails.

A claim is known by its document and its words, so that moving lines changes nothing, and by how often it was found.
"""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field, ValidationError

from veridic.domain.base import Frozen
from veridic.domain.code import CodeVerdict, Finding, SilencedBy, SilencedFinding
from veridic.domain.errors import InputError, UsageError
from veridic.domain.fingerprints import fingerprint
from veridic.verify.folder import Folder

VERSION = 1
_LARGEST_FILE = 20_000_000
_NEVER_KNOWN = (CodeVerdict.VERIFIED, CodeVerdict.INCONCLUSIVE)
"""Nothing is wrong with these, so a baseline has none of them."""


class KnownClaim(Frozen):
    """A claim that was found before. `document` and `claim` are for readers of the file."""

    fingerprint: str
    count: int = Field(default=1, ge=1)
    document: str
    claim: str


class Baseline(Frozen):
    """What is known, as its file has it."""

    version: int = Field(default=VERSION, ge=VERSION, le=VERSION)
    findings: tuple[KnownClaim, ...] = ()


class Compared(NamedTuple):
    """What is new, and what the baseline knows."""

    kept: tuple[Finding, ...]
    known: tuple[SilencedFinding, ...]


def baseline_in(root: Path, name: str) -> Path:
    """The file of the baseline that a repository names itself: it can't lie outside it."""
    file = Folder(root).inside(name)
    if file is None:
        raise UsageError(f"The baseline {name!r} that the project's table names is not in the repository.")
    return file


def baseline_of(findings: Sequence[Finding]) -> Baseline:
    """A baseline that knows everything that is wrong now, in an order that makes small differences."""
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


def compare_with_baseline(baseline: Baseline, findings: Sequence[Finding]) -> Compared:
    """Set aside what the baseline knows, as often as it knows it; Verified and Inconclusive ones always stay."""
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
    return Compared(tuple(kept), tuple(known))


def baseline_text(baseline: Baseline) -> str:
    """The file's content: one line for each claim."""
    rows = ",".join(
        f"\n    {json.dumps(known.model_dump(), ensure_ascii=False)}" for known in baseline.findings
    )
    return f'{{\n  "version": {baseline.version},\n  "findings": [{rows}\n  ]\n}}\n'


def load_baseline(path: Path) -> Baseline:
    """Read a baseline; `InputError` or `UsageError` in one sentence where it can't be used."""
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise InputError(
                f"The baseline {path} is too large to be one; write it anew with --write-baseline."
            )
        content: Any = json.loads(path.read_text(encoding="utf-8"))
        return Baseline.model_validate(content)
    except FileNotFoundError:
        raise UsageError(f"There is no baseline {path}; make one with --write-baseline.") from None
    except OSError as error:
        raise InputError(f"The baseline {path} can't be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError, ValidationError):
        raise InputError(f"{path} is not a baseline; write it anew with --write-baseline.") from None
