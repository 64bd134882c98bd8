"""Reads benchmark rows from JSON lines, which may be gzipped."""

import gzip
import io
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from veridic.bench.measures import Label
from veridic.domain.errors import EmptyInputError, InputError, NotFoundError, UnsupportedInputError

_GZIP_MAGIC = b"\x1f\x8b"
_SPELLINGS = {
    "SUPPORTS": Label.SUPPORTED,
    "REFUTES": Label.REFUTED,
    "NOT ENOUGH INFO": Label.NEI,
    "NOT ENOUGH INFORMATION": Label.NEI,
} | {label.value: label for label in Label}


class BenchRow(BaseModel):
    """A row with the name of its set. Unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    set_name: str = Field(alias="set", min_length=1)


class PairRow(BenchRow):
    """A claim, evidence, and what the evidence says about the claim."""

    claim: str
    evidence: tuple[str, ...]
    label: Label
    binary: bool = False
    """The source only says supported or not, so NEI may be a refutation."""

    @field_validator("claim")
    @classmethod
    def _must_not_be_empty(cls, claim: str) -> str:
        if not claim.strip():
            raise ValueError("is empty")
        return claim

    @field_validator("evidence", mode="before")
    @classmethod
    def _as_tuple(cls, evidence: object) -> object:
        return (evidence,) if isinstance(evidence, str) else evidence

    @field_validator("label", mode="before")
    @classmethod
    def _parse_label(cls, label: object) -> object:
        return read_label(label)


def read_label(word: object) -> Label:
    """Parse a label, in any case and in the spellings of the public sets. Raises `ValueError` if it is none."""
    word_key = " ".join(word.upper().replace("_", " ").split()) if isinstance(word, str) else ""
    if word_key not in _SPELLINGS:
        raise ValueError(f"should be SUPPORTED, REFUTED or NEI and not {_short(word)}")
    return _SPELLINGS[word_key]


RowT = TypeVar("RowT", bound=BenchRow)


def read_rows(paths: Iterable[Path], kind: type[RowT]) -> list[RowT]:
    """Read all rows of the files, in order. A row without a set gets the name of its file.

    Raises `InputError` with the file and line of the first row that can't be read.
    """
    return [row for path in paths for row in _read_file(path, kind)]


def _read_file(path: Path, kind: type[RowT]) -> list[RowT]:
    set_name = path.name.removesuffix(".gz").removesuffix(".jsonl") or path.name
    rows: list[RowT] = []
    for number, line in numbered_lines(path):
        try:
            rows.append(_read_row(line, kind, set_name))
        except ValueError as error:
            raise InputError(f"{path}, line {number}: {error}.") from None
    if not rows:
        raise EmptyInputError(f"There are no rows in {path}; it should have one JSON object a line.")
    return rows


def _read_row(line: str, kind: type[RowT], set_name: str) -> RowT:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("this is no JSON object, and each line should be one") from None
    if not isinstance(found, dict):
        raise ValueError(f"this is {_short(found)} and not a JSON object")
    if found.get("set") is None:
        found["set"] = set_name
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        raise ValueError(first_problem(error)) from None


def first_problem(error: ValidationError) -> str:
    """Describe the first validation error as a clause: `"label" is missing`."""
    first = error.errors()[0]
    if not first["loc"]:
        return first["msg"].removeprefix("Value error, ")
    field = f'"{_place(first["loc"])}"'
    if first["type"] == "missing":
        return f"{field} is missing"
    if first["type"] == "value_error":
        return f"{field} {first['msg'].removeprefix('Value error, ')}"
    return f"{field} can't be {_short(first['input'])}: {first['msg'][:1].lower()}{first['msg'][1:]}"


def _place(steps: Sequence[int | str]) -> str:
    """Write the path to a value as `statements[2].label`."""
    written = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return written.removeprefix(".")


def _short(value: Any, length: int = 40) -> str:
    text = repr(value)
    return text if len(text) <= length else f"{text[: length - 1]}…"


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the non-blank lines of a file, which may be gzipped, with their numbers. Raises `InputError`."""
    try:
        with _open_text(path) as stream:
            yield from ((number, line) for number, line in enumerate(stream, 1) if line.strip())
    except UnicodeDecodeError:
        raise UnsupportedInputError(f"{path} is not UTF-8 text, zipped or not.") from None
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InputError(f"{path} is damaged: it can't be unzipped to its end.") from None
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}.") from None


@contextmanager
def _open_text(path: Path) -> Iterator[TextIO]:
    with path.open("rb") as raw:
        zipped = raw.peek(2)[:2] == _GZIP_MAGIC
        content = gzip.GzipFile(fileobj=raw) if zipped else raw
        yield io.TextIOWrapper(content, encoding="utf-8-sig")
