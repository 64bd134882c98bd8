"""A model's citations, looked up in files of every kind."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.code_findings import doc_claim

from veridic.domain.code import CodeEvidence, EvidenceTier
from veridic.domain.evidence import Stance
from veridic.verify.models.answers import CitedLine
from veridic.verify.models.quotes import cited_evidence
from veridic.verify.repository import Repository
from veridic.verify.rules.context import Context


def cite(root: Path, name: str, content: str, line: int, quote: str) -> CodeEvidence | None:
    (root / name).write_text(content, encoding="utf-8", newline="")
    context = Context(Repository(root))
    return cited_evidence(doc_claim(), CitedLine(name, line, quote, None), context, Stance.SUPPORTING)


@pytest.mark.parametrize(
    ("name", "content", "line", "quote"),
    [
        ("a.py", "x = 1\r\ny = 2\r\nport = 3\r\n", 3, "port = 3"),
        ("a.py", "x = 1\n\f\nport = 3\n", 3, "port = 3"),
        ("a.py", "x = 1\ny = 2\nport   =\t3\n", 3, "port = 3"),
        ("a.py", "x = 1\ny = 2\nport = '\u202eevil\u202c'\n", 3, "port = 'evil'"),
        ("a.java", "class A {\n  int f(int x) {\n    return x >>> 2;\n  }\n}\n", 3, "return x ››› 2;"),
        ("a.java", "class A {\n  int f(int x) {\n    return x >>> 2;\n  }\n}\n", 3, "return x >>> 2;"),
        ("a.ts", "class A {\n  // count\n  #count = 0;\n}\n", 3, "#count = 0;"),
        ("a.rs", "fn f(p: &mut i32) {\n\n    *p += 100;\n}\n", 3, "*p += 100;"),
        ("pyproject.toml", '[project]\nname = "a"\nversion = "1.0"\n', 3, 'version = "1.0"'),
        ("a.py", 'x = 1\n\nport = "שלום"\n', 3, 'port = "שלום"'),
    ],
    ids=[
        "line ends of Windows", "form feed", "other spaces", "hidden signs", "as it was shown", "as it stands",
        "a hash that is no comment", "a star that is no comment", "manifest", "right to left",
    ],
)  # fmt: skip
def test_code_is_found_as_code(tmp_path: Path, name: str, content: str, line: int, quote: str) -> None:
    found = cite(tmp_path, name, content, line, quote)
    assert found is not None
    assert (found.tier, found.line, found.stance) == (EvidenceTier.CODE, 3, Stance.SUPPORTING)


@pytest.mark.parametrize(
    ("name", "content", "quote"),
    [
        ("a.py", "x = 1\n\n# port is 3\n", "# port is 3"),
        ("a.py", 'class A:\n    port: int = 3\n    """The port is 3."""\n', "The port is 3."),
        ("a.js", "const x = 1\n/* says\n * port is 3\n */\n", "port is 3"),
        ("a.go", "package a\n\n// port is 3\nvar x = 1\n", "// port is 3"),
        ("guide.md", "# A\n\nThe port is 3.\n", "The port is 3."),
        ("notes.txt", "A\n\nThe port is 3.\n", "The port is 3."),
    ],
)
def test_comments_are_found_as_documentation(tmp_path: Path, name: str, content: str, quote: str) -> None:
    found = cite(tmp_path, name, content, 3, quote)
    assert found is not None
    assert found.tier is EvidenceTier.DOCUMENTATION


def test_nearest_of_several_places_counts(tmp_path: Path) -> None:
    found = cite(tmp_path, "a.py", "port = 3\nx = 1\ny = 1\nport = 3\n", 3, "port = 3")
    assert found is not None
    assert found.line == 4


@pytest.mark.parametrize(
    "path",
    ["", ".", "..", "link.py", "folder", "a.py/", "a\0.py", "../outside.py", "nothing.py", "x" * 5_000,
     ".git/config", "secret.py"],
)  # fmt: skip
def test_only_files_of_the_repository_are_cited(tmp_path: Path, path: str) -> None:
    (tmp_path / "outside.py").write_text("port = 3\n")
    root = tmp_path / "repository"
    (root / "folder").mkdir(parents=True)
    (root / "a.py").write_text("port = 3\n")
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("port = 3\n")
    (root / ".gitignore").write_text("secret.py\n")
    (root / "secret.py").write_text("port = 3\n")
    (root / "link.py").symlink_to(tmp_path / "outside.py")
    context = Context(Repository(root))
    assert (
        cited_evidence(doc_claim(), CitedLine(path, 1, "port = 3", None), context, Stance.SUPPORTING) is None
    )


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Context:
    root = tmp_path_factory.mktemp("crowded")
    (root / "a.py").write_text("".join(f"port_{n} = {n}\n" for n in range(300)))
    return Context(Repository(root))


@given(
    line=st.integers(0, 10**7), quote=st.text(max_size=60) | st.from_regex(r"port_[0-9]{1,3} = [0-9]{1,3}")
)
def test_quotation_is_found_near_the_given_line(crowded: Context, line: int, quote: str) -> None:
    found = cited_evidence(doc_claim(), CitedLine("a.py", line, quote, None), crowded, Stance.CONTEXTUAL)
    if found is not None:
        assert found.line is not None
        assert abs(found.line - line) <= 3
        assert found.quote.startswith(f"port_{found.line - 1} = ")
