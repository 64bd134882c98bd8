"""Veridic checks claims against evidence and shows its work.

>>> import veridic
>>> report = veridic.check_text("The capital of Australia is Sydney.")
>>> report.decisions[0].verdict
<Verdict.REFUTED: 'REFUTED'>
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridic.domain.code import VerifyReport
    from veridic.domain.errors import VeridicError
    from veridic.domain.modes import Mode
    from veridic.domain.report import Report
    from veridic.domain.verdicts import Verdict
    from veridic.engine.order import ModelChoice
    from veridic.library import check, check_text
    from veridic.verify.library import verify

__version__ = "0.1.0"
__all__ = [
    "Mode",
    "ModelChoice",
    "Report",
    "Verdict",
    "VeridicError",
    "VerifyReport",
    "__version__",
    "check",
    "check_text",
    "verify",
]

_HOME = {
    "Mode": "veridic.domain.modes",
    "ModelChoice": "veridic.engine.order",
    "Report": "veridic.domain.report",
    "Verdict": "veridic.domain.verdicts",
    "VeridicError": "veridic.domain.errors",
    "VerifyReport": "veridic.domain.code",
    "check_text": "veridic.library",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: `veridic --help` needs none of them."""
    from importlib import import_module

    if name in ("check", "verify"):  # the packages themselves, which can be called
        return import_module(f"veridic.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'veridic' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
