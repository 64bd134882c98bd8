"""From the text of one file to everything that it shows."""

import re
from functools import cache

from veridic.code.facts.collected import Collected
from veridic.code.facts.manifests import read_manifest
from veridic.code.facts.python import read_python
from veridic.code.facts.source import Source
from veridic.domain.code import FileFacts

TREE_LANGUAGES = frozenset({"javascript", "typescript", "tsx", "go", "rust", "java"})
# Only machines write longer ones, and finding a column in them takes its time.
_LONGEST_LINE = 20_000
_WORD = re.compile(r"\w+")
_LEADING_DIGITS = re.compile(r"\A\d+")
_OTHER_THAN_WORDS = bytes(
    code if chr(code).isalnum() or chr(code) == "_" else ord(" ") for code in range(128)
) + bytes(128)


def read_facts(path: str, language: str, source: str, digest: str) -> FileFacts:
    """The facts, texts and names of one file. What can't be parsed shows nothing but its names."""
    collected = Collected(path, Source(source))
    _read(collected, language)
    return FileFacts(
        path,
        digest,
        tuple(sorted(collected.facts, key=lambda fact: fact.line)),
        tuple(sorted(collected.texts, key=lambda text: text.line)),
        identifiers(source),
    )


def identifiers(text: str) -> frozenset[str]:
    """All names that occur in a text, keywords among them; of `2nd` it is `nd`."""
    if text.isascii():
        words = set(text.encode().translate(_OTHER_THAN_WORDS).decode().split())
    else:
        words = set(_WORD.findall(text))
    numbers = [word for word in words if word[0].isdecimal()]
    words.difference_update(numbers)
    words.update(name for number in numbers if (name := _LEADING_DIGITS.sub("", number)))
    return frozenset(words)


def _read(collected: Collected, language: str) -> None:
    if collected.source.longest_line() > _LONGEST_LINE:
        return
    if language == "python":
        read_python(collected)
    elif language in TREE_LANGUAGES:
        if _has_parser():
            _read_tree(collected, language)
    else:
        read_manifest(collected, collected.path.rsplit("/", 1)[-1], language)


@cache
def _has_parser() -> bool:
    """Other languages than Python need the `code` extra."""
    try:
        import ast_grep_py  # noqa: F401
    except ImportError:
        return False
    return True


def _read_tree(collected: Collected, language: str) -> None:
    from veridic.code.facts.golang import read_go
    from veridic.code.facts.java import read_java
    from veridic.code.facts.javascript import read_javascript
    from veridic.code.facts.rust import read_rust

    match language:
        case "go":
            read_go(collected)
        case "rust":
            read_rust(collected)
        case "java":
            read_java(collected)
        case _:
            read_javascript(collected, language)
