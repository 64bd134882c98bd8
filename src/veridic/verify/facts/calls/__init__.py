"""Finds calls, annotations, fields and comparisons in five languages, in one data model."""

from pathlib import PurePosixPath

from veridic.verify.facts.calls.python import python_calls
from veridic.verify.facts.calls.shape import Call, Value, Wanted
from veridic.verify.syntax import has_grammars

_LANGUAGES = {
    ".py": "python",
    ".pyi": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "tsx",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".go": "go",
    ".rs": "rust",
    ".java": "java",
}
__all__ = ["Call", "Value", "Wanted", "calls_in", "language_of"]


def language_of(path: str) -> str:
    """The language of a file by its name; empty if it is not supported."""
    return _LANGUAGES.get(PurePosixPath(path).suffix.lower(), "")


def calls_in(text: str, language: str, wanted: Wanted) -> list[Call] | None:
    """Return the wanted calls of a file; None if it can't be parsed."""
    if language == "python":
        return python_calls(text, wanted)
    if not has_grammars():
        return None
    from veridic.verify.facts.calls.trees import tree_calls

    return tree_calls(text, language, wanted)
