"""Veridic's own documents against Veridic's own code."""

from pathlib import Path

from veridic.config.project import load_project
from veridic.config.settings import Settings
from veridic.domain.code import CodeVerdict
from veridic.verify.order import VerifyOrder
from veridic.verify.run import verify_repository

ROOT = Path(__file__).parent.parent.parent
WRONG = (CodeVerdict.REFUTED, CodeVerdict.STALE, CodeVerdict.MISLEADING, CodeVerdict.CONTESTED)


def test_nothing_in_our_documents_is_refuted_by_our_code(tmp_path: Path) -> None:
    order = VerifyOrder(root=ROOT, exclude=load_project(ROOT).exclude, use_cache=False)
    report = verify_repository(order, Settings(home=tmp_path))
    wrong = [f"{f.claim.document}:{f.claim.line}: {f.reason}" for f in report.findings if f.verdict in WRONG]
    assert wrong == []
    assert report.counts()[CodeVerdict.VERIFIED] > 500
