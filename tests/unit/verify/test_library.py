"""`veridic.verify` as a function: the same results as the command."""

from pathlib import Path

import pytest

import veridic
import veridic.verify.library  # the function stays callable after its package is imported
from veridic.config.settings import Settings
from veridic.domain.code import CodeVerdict, VerifyReport

README = "# Mill\n\nSee [the guide](docs/guide.md).\nIts plans are [here](docs/plans.md).\n"


@pytest.fixture
def mill(tmp_path: Path) -> Path:
    """A project whose README has two broken links."""
    root = tmp_path / "mill"
    for path, text in {"README.md": README, "src/mill.py": "GRINDERS = 5\n"}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def verify(root: Path, *documents: str) -> VerifyReport:
    return veridic.verify(root, documents=documents, settings=Settings(home=root.parent / "home"))


def refuted(report: VerifyReport) -> list[int]:
    return sorted(f.claim.line for f in report.findings if f.verdict is CodeVerdict.REFUTED)


def test_report_has_refuted_claims(mill: Path) -> None:
    report = verify(mill)

    assert report.repo == "mill"
    assert refuted(report) == [3, 4]


def test_only_named_documents_are_read(mill: Path) -> None:
    (mill / "other.md").write_text("# Other\n\nGrinds coffee.\n", encoding="utf-8")

    assert refuted(verify(mill, "other.md")) == []


def test_comments_and_project_settings_apply(mill: Path) -> None:
    silenced = README.replace("guide.md).", "guide.md). <!-- veridic: ignore[on purpose] -->")
    (mill / "README.md").write_text(silenced, encoding="utf-8")

    report = verify(mill)
    assert refuted(report) == [4]
    assert [one.reason for one in report.silenced] == ["on purpose"]

    (mill / "veridic.toml").write_text('exclude = ["README.md"]\n', encoding="utf-8")
    assert refuted(verify(mill)) == []


def test_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(veridic.VeridicError, match="There is no folder"):
        veridic.verify(tmp_path / "nowhere")
