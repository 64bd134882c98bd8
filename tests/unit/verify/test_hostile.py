"""Malicious or broken repositories: a run ends, says what it left out, and reads nothing outside."""

import os
from pathlib import Path
from random import Random

import pytest
from tests.unit.verify.projects import verify, write

from veridic.domain.code import CodeVerdict
from veridic.verify.report.json_report import findings_json

CODE = "def fetch(path):\n    return path\n"
MANIFEST = '[project]\nname = "kit"\nversion = "1"\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def test_empty_folder_has_no_findings(root: Path) -> None:
    report = verify(root)
    assert (report.findings, report.errors, report.files_read) == ((), (), 0)


def test_binary_files_under_the_names_of_texts(root: Path) -> None:
    noise = Random(7)
    for name in (
        "README.md",
        "guide.rst",
        "tool.py",
        "tool.go",
        "package.json",
        "pyproject.toml",
        "Makefile",
    ):
        (root / name).write_bytes(noise.randbytes(20_000))
    assert verify(root).findings == ()


@pytest.mark.parametrize("sign", ["[", "(", "`", "<", "*", "[](", "![", "| ", "<!-- ", "`a` ", "--a ", "- "])
def test_readme_of_two_hundred_thousand_brackets(root: Path, sign: str) -> None:
    report = verify(root, {"README.md": sign * (200_000 // len(sign)), "kit.py": CODE})
    assert report.errors == ()


@pytest.mark.parametrize(
    ("name", "sign"),
    [("kit.py", "("), ("kit.js", "{"), ("kit.rs", "<"), ("kit.go", "("), ("Kit.java", "{"), ("package.json", "["),
     ("pyproject.toml", "a = ["), ("pom.xml", "<a>"), ("Makefile", "$("), ("README.rst", ".. note::\n\n   "), ("kit.1", "\\f")],
)  # fmt: skip
def test_unclosed_code_and_manifests(root: Path, name: str, sign: str) -> None:
    files = {name: sign * (50_000 // len(sign)), "guide.md": "`kit.fetch()` takes `--port`.\n"}
    assert verify(root, files).errors == ()


def test_names_with_control_characters(root: Path) -> None:
    names = ["a\x1b[31m.md", "b\n.md", "c\r.py", "\u202ecod.md", os.fsdecode(b"\xff\xfe.md")]
    for name in names:
        (root / name).write_text("See [it](gone.md). The `fetch` option is `--port`.\n", encoding="utf-8")
    report = verify(root)
    documents = {finding.claim.document for finding in report.findings}
    assert documents == {name for name in names if name.endswith(".md")}
    shown = [str(failure) for failure in report.errors] + [finding.reason for finding in report.findings]
    assert not any("\x1b" in text for text in shown)
    assert findings_json(report)


def test_text_from_right_to_left(root: Path) -> None:
    readme = "# ערכה\n\n| אפשרות | ברירת מחדל |\n|---|---|\n| `--\u202etrop` | `\u20678080\u2069` |\n\nראו [כאן](kit.py).\n"
    report = verify(root, {"README.md": readme, "kit.py": CODE})
    links = [one for one in report.findings if one.claim.assertion.expected == ("kit.py",)]
    assert [one.verdict for one in links] == [CodeVerdict.VERIFIED]


def test_links_out_of_the_tree_are_not_followed(root: Path, tmp_path: Path) -> None:
    write(tmp_path, {"secret.py": "def hunter2(): ...\n", "secret.md": "# Hunter2\n\nThe limit is 7.\n"})
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (root / "out.py").symlink_to(tmp_path / "secret.py")
    (root / "up").symlink_to(tmp_path)
    said = "[a](out.md#hunter2) [b](up/secret.md) [c](../secret.md) [d](/etc/hosts) `hunter2()` is in `up/secret.py`.\n"
    report = verify(root, {"README.md": said, "kit.py": CODE})
    assert report.files_read == 2
    assert {failure.what for failure in report.errors} == {"out.md", "out.py", "up"}
    assert CodeVerdict.VERIFIED not in report.counts()
    quotes = [evidence.quote for finding in report.findings for evidence in finding.evidence]
    assert not any("hunter2" in quote.lower() or "limit is" in quote for quote in quotes)


def test_links_in_a_circle_end(root: Path) -> None:
    (root / "self").symlink_to(root)
    (root / "loop").symlink_to(root / "loop")
    (root / "one").symlink_to(root / "two")
    (root / "two").symlink_to(root / "one")
    said = "[a](loop/x.md) [b](one/x.md) [c](self/self/self/kit.py)\n"
    report = verify(root, {"README.md": said, "kit.py": CODE})
    assert report.files_read == 2
    assert len(report.findings) == 3


def test_a_large_table_is_read_to_its_end(root: Path) -> None:
    rows = [f"| `--port-{number}` | `{number}` | {'what it does ' * 370}|\n" for number in range(390)]
    readme = "| Option | Default | What |\n|---|---|---|\n" + "".join([*rows, "| `--last` | `1` | last |\n"])
    assert 1_800_000 < len(readme) < 2_000_000
    report = verify(root, {"README.md": readme})
    assert max(finding.claim.line for finding in report.findings) == 393


def test_special_files_do_not_block(root: Path) -> None:
    os.mkfifo(root / "README.md")
    for name in ("kit.py", ".gitignore", "pyproject.toml", "CHANGELOG.md"):
        (root / name).mkdir()
    assert verify(root).findings == ()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_file_without_read_permission(root: Path) -> None:
    write(root, {"README.md": "See [the kit](kit.py).\n", "kit.py": CODE, "pyproject.toml": MANIFEST})
    for name in ("kit.py", "pyproject.toml"):
        (root / name).chmod(0)
    assert [finding.verdict for finding in verify(root).findings] == [CodeVerdict.VERIFIED]


def test_file_that_disappears_while_reading(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that can't be read counts as empty."""
    write(root, {"README.md": "See [the kit](kit.py).\n", "kit.py": CODE, "pyproject.toml": MANIFEST})
    real = os.open

    def broken(path: str | Path, *rest: int, **named: int) -> int:
        if str(path).endswith((".py", ".toml")):
            raise OSError(5, "Input/output error")
        return real(path, *rest, **named)

    monkeypatch.setattr(os, "open", broken)
    assert [finding.verdict for finding in verify(root).findings] == [CodeVerdict.VERIFIED]
