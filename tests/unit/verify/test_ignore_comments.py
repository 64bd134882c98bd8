"""Comments that silence findings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.code_findings import code_finding, doc_claim

from veridic.domain.code import CodeVerdict, Finding
from veridic.verify.silencing import Commented, find_ignore_comments, silence_by_comments


def at(line: int, document: str = "README.md", end_line: int | None = None) -> Finding:
    return code_finding(claim=doc_claim(f"Line {line}.", document=document, line=line, end_line=end_line))


def silenced(text: str, *findings: Finding, path: str = "README.md") -> Commented:
    return silence_by_comments(findings, lambda document: text if document == path else None, [path])


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("README.md", "Wrong. <!-- veridic: ignore[on purpose] -->\n", 1),
        ("README.md", "<!-- veridic: ignore[on purpose] -->\nWrong.\n", 2),
        ("README.md", "<!-- veridic: ignore[on purpose] -->\n\nWrong.\n", 3),
        ("README.md", "`a` Wrong` <!-- veridic: ignore[on purpose] --> ``b\n", 1),
        ("README.md", "| x | 30 | <!--veridic:ignore[on purpose]--> |\n", 1),
        ("README.md", "<!-- veridic: ignore[on purpose] -->\n```sh\na\nb --wrong\n```\n", 4),
        ("docs/x.rst", ".. veridic: ignore[on purpose]\n\nWrong.\n", 3),
        ("a.py", "# veridic: ignore[on purpose]\n# Wrong.\n", 2),
        ("a.py", 'def f():\n    """Wrong."""  # veridic: ignore[on purpose]\n', 2),
        ("a.py", 'def f():\n    """Fine.\n\n    .. veridic: ignore[on purpose]\n    Wrong.\n    """\n', 5),
        ("a.py", "def broken(:\n# veridic: ignore[on purpose]\n# Wrong.\n", 3),
        ("a.ts", "/* veridic: ignore[on purpose] */\n// Wrong.\n", 2),
        ("a.go", "// Wrong. // veridic: ignore[on purpose]\r\n", 1),
        ("a.yaml", "# veridic: ignore[on purpose]\n# Wrong.\n", 2),
    ],
)  # fmt: skip
def test_comment_on_the_line_or_above_silences(path: str, text: str, line: int) -> None:
    done = silenced(text, at(line, path), path=path)

    assert [one.reason for one in done.silenced] == ["on purpose"]
    assert (done.kept, done.notices) == ((), ())


def test_other_lines_are_not_silenced() -> None:
    text = "One. <!-- veridic: ignore[r] -->\nTwo.\n<!-- veridic: ignore[r] -->\nFour.\nFive.\n"

    done = silenced(text, at(1), at(2), at(4), at(5))

    assert [finding.claim.line for finding in done.kept] == [2, 5]


def test_multiline_claim_is_silenced_on_any_line() -> None:
    done = silenced("One\ntwo. <!-- veridic: ignore[r] -->\n", at(1, end_line=2))

    assert len(done.silenced) == 1


@pytest.mark.parametrize(
    "comment", ["<!-- veridic: ignore -->", "<!-- veridic: ignore[] -->", "<!-- veridic: ignore[ ] -->"]
)
def test_a_reason_is_required(comment: str) -> None:
    done = silenced(f"{comment}\nWrong.\n", at(2))

    assert len(done.kept) == 1
    assert ["needs a reason" in notice.message for notice in done.notices] == [True]


def test_unused_comment_is_reported() -> None:
    holds = code_finding(CodeVerdict.VERIFIED, doc_claim(line=2))

    done = silenced("<!-- veridic: ignore[r] -->\nRight.\n", holds)

    assert done.kept == (holds,)
    assert [(n.document, n.line) for n in done.notices] == [("README.md", 1)]
    assert "silences nothing" in done.notices[0].message


def test_unused_comment_is_not_reported_for_partial_runs() -> None:
    text = "<!-- veridic: ignore[r] -->\nNot looked at.\n\n<!-- veridic: ignore -->\nWrong.\n"

    done = silence_by_comments([at(5)], lambda _: text, all_were_looked_at=False)

    assert [notice.line for notice in done.notices] == [4]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("README.md", "Write `<!-- veridic: ignore[reason] -->` above it.\n"),
        ("README.md", "Write ``a ` b <!-- veridic: ignore[reason] -->`` above it.\n"),
        ("README.md", "```md\n<!-- veridic: ignore[reason] -->\n```\n"),
        ("README.md", "````md\n```\n<!-- veridic: ignore[reason] -->\n```\n````\n"),
        ("a.py", 'HELP = "# veridic: ignore[reason]"\n'),
        ("a.py", "veridic: ignore[reason]\n"),
    ],
)
def test_comments_in_examples_are_ignored(path: str, text: str) -> None:
    assert find_ignore_comments(path, text) == []


def test_unreadable_document_silences_nothing() -> None:
    done = silence_by_comments([at(1, "3f2a9c1")], lambda _: None)

    assert len(done.kept) == 1


@given(
    st.text(alphabet="`~#<!-> \n\rveridic:ignore[]x./*\x0c\u2028"),
    st.sampled_from(["a.md", "a.rst", "a.py", "a.js"]),
)
def test_any_text_can_be_searched(text: str, path: str) -> None:
    lines = text.count("\n") + text.count("\r") + 1
    for suppression in find_ignore_comments(path, f"# veridic: {text}"):
        assert 1 <= suppression.first <= suppression.last <= lines
