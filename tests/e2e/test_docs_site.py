"""The documentation builds as a site, with every page in its menu and every link leading somewhere."""

import subprocess
import sys
from pathlib import Path

from docs.sessions import ROOT

import veridic


def test_site_builds_with_every_link_checked(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]

    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    assert built.returncode == 0, built.stderr
    pages = {page.relative_to(ROOT / "docs").with_suffix("") for page in (ROOT / "docs").rglob("*.md")}
    missing = {
        page
        for page in pages
        if page.name != "README" and not (tmp_path / page).with_suffix(".html").is_file()
    }
    assert not missing
    api = (tmp_path / "reference" / "python-api.html").read_text(encoding="utf-8")
    assert all(f'.{name}"' in api for name in veridic.__all__ if not name.startswith("_"))
