"""Reads the cases of `veridic bench check`: articles with known answers.

A case is an article (`article.md`, `.txt` or `.html`) with its answers in `expected.json`, or `NAME.md` with its answers in
`NAME.json`; answers may also be JSON lines. A folder `corpus` or `sources` next to the article is the evidence; without one,
it is the reference library.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from veridic.bench.measures import Label
from veridic.bench.rows import read_label
from veridic.domain.errors import EmptyInputError, InputError, NotFoundError
from veridic.domain.verdicts import Scale, Verdict, read, words

_ARTICLES = (".md", ".txt", ".html")
_ANSWERS = (".json", ".jsonl")
_EVIDENCE = ("corpus", "sources")
_VERDICT_KEYS = ("expected", "verdict", "label")
_VERDICT_OF_LABEL = {
    Label.SUPPORTED: Verdict.SUPPORTED,
    Label.REFUTED: Verdict.REFUTED,
    Label.NEI: Verdict.UNVERIFIABLE,
}
_VERDICTS = {
    word.casefold(): read(word, scale) for scale in reversed(Scale) for word in words(scale)
} | {verdict.casefold(): verdict for verdict in Verdict}  # fmt: skip


class Expected(NamedTuple):
    """A sentence of an article, and its expected verdict."""

    sentence: str
    verdict: Verdict


class Case(NamedTuple):
    name: str
    article: Path
    evidence: Path | None
    """None for the reference library."""
    expected: tuple[Expected, ...]


def find_cases(folder: Path) -> list[Case]:
    """Find the cases in a folder and its subfolders, by name. Raises `InputError` if there are none or one can't be read."""
    if not folder.exists():
        raise NotFoundError(f"There is no folder {folder}.")
    if not folder.is_dir():
        raise InputError(f"{folder} is a file; give the folder of a case, or of several.")
    found = [_case(folder, article, answers) for article, answers in _articles(folder)]
    if not found:
        raise EmptyInputError(
            f"There is no case in {folder}: a case is an article.md with an expected.json beside it."
        )
    return found


def _articles(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield every article that has answers, with its answers file; evidence folders are skipped."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.is_symlink() and path.name not in _EVIDENCE:
            yield from _articles(path)
        elif path.suffix.lower() in _ARTICLES and (answers := _answers_for(path)) is not None:
            yield path, answers


def _answers_for(article: Path) -> Path | None:
    names = [article.stem, *(["expected"] if article.stem == "article" else [])]
    candidates = [article.with_name(f"{name}{suffix}") for name in reversed(names) for suffix in _ANSWERS]
    return next((path for path in candidates if path.is_file()), None)


def _case(folder: Path, article: Path, answers: Path) -> Case:
    within = article.parent.relative_to(folder)
    name = within if article.stem == "article" else within / article.stem
    evidence = next((path for name in _EVIDENCE if (path := article.parent / name).is_dir()), None)
    label = name.as_posix() if name != Path() else folder.resolve().name
    return Case(label, article, evidence, tuple(read_answers(answers)))


def read_answers(path: Path) -> list[Expected]:
    """Read sentences and verdicts from a file: a list of objects, JSON lines, or an object that maps sentences to verdicts."""
    try:
        rows = _answer_rows(path.read_text(encoding="utf-8-sig"), path.suffix)
        if not rows:
            raise ValueError("it is empty")
        return [_expected(row) for row in rows]
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError) as error:
        problem = str(error) if type(error) is ValueError else "it is not JSON in UTF-8"
        raise InputError(f"{path} doesn't say which verdicts are expected: {problem}.") from None


def _answer_rows(text: str, suffix: str) -> list[Any]:
    if suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    found = json.loads(text)
    if isinstance(found, dict):
        return [{"sentence": sentence, "expected": verdict} for sentence, verdict in found.items()]
    if not isinstance(found, list):
        raise ValueError("it should be a list of objects with a sentence and the verdict expected")
    return found


def _expected(row: Any) -> Expected:
    sentence = row.get("sentence") if isinstance(row, dict) else None
    if not isinstance(sentence, str) or not sentence.strip():
        raise ValueError(f'{str(row)[:60]!r} has no "sentence"')
    word = next((row[key] for key in _VERDICT_KEYS if key in row), None)
    return Expected(sentence, read_verdict(word))


def read_verdict(word: object) -> Verdict:
    """Parse a verdict of any scale, in any case, or a label. Raises `ValueError` if it is neither."""
    if isinstance(word, str):
        known = _VERDICTS.get(word.strip().casefold().replace(" ", "_"))
        if known is not None:
            return known
    try:
        return _VERDICT_OF_LABEL[read_label(word)]
    except ValueError:
        raise ValueError(f"{word!r} is not a verdict; they are {', '.join(Verdict)}") from None
