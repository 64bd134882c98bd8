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

VERSION = 1
_LARGEST = 20_000_000
_UNPROBLEMATIC = (CodeVerdict.VERIFIED, CodeVerdict.INCONCLUSIVE)


class KnownClaim(Frozen):
    """A claim that was found before. `document` and `claim` are for readers of the file."""

    fingerprint: str
    count: int = Field(default=1, ge=1)
    document: str
    claim: str


class Baseline(Frozen):
    version: int = Field(default=VERSION, ge=VERSION, le=VERSION)
    findings: tuple[KnownClaim, ...] = ()


class Comparison(NamedTuple):
    """What is new, and what the baseline knows."""

    kept: tuple[Finding, ...]
    known: tuple[SilencedFinding, ...]


def baseline_of(findings: Sequence[Finding]) -> Baseline:
    """A baseline that knows everything that is wrong now, in an order that makes small differences."""
    wrong = [finding.claim for finding in findings if finding.verdict not in _UNPROBLEMATIC]
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


def compare_with(baseline: Baseline, findings: Sequence[Finding]) -> Comparison:
    """Set aside what the baseline knows, as often as it knows it; Verified and Inconclusive ones always stay."""
    left = {known.fingerprint: known.count for known in baseline.findings}
    kept: list[Finding] = []
    known: list[SilencedFinding] = []
    for finding in findings:
        name = fingerprint(finding.claim)
        if finding.verdict not in _UNPROBLEMATIC and left.get(name, 0) > 0:
            left[name] -= 1
            known.append(SilencedFinding(finding=finding, by=SilencedBy.BASELINE, reason="known before"))
        else:
            kept.append(finding)
    return Comparison(tuple(kept), tuple(known))


def to_text(baseline: Baseline) -> str:
    """The file's content: one line for each claim."""
    rows = ",".join(
        f"\n    {json.dumps(known.model_dump(), ensure_ascii=False)}" for known in baseline.findings
    )
    return f'{{\n  "version": {baseline.version},\n  "findings": [{rows}\n  ]\n}}\n'


def load_baseline(path: Path) -> Baseline:
    """Read a baseline; `InputError` or `UsageError` in one sentence where it can't be used."""
    try:
        if path.stat().st_size > _LARGEST:
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
