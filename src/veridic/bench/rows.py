"""Rows with known answers, from JSON lines, zipped or not."""

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
    """What every row has: the set it belongs to. Fields that are not known are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    set_name: str = Field(alias="set", min_length=1)


class PairRow(BenchRow):
    """A claim, evidence, and what the evidence means for the claim."""

    claim: str
    evidence: tuple[str, ...]
    label: Label
    binary: bool = False
    """The source only says supported or not: NEI may be a refutation."""

    @field_validator("claim")
    @classmethod
    def _says_something(cls, claim: str) -> str:
        if not claim.strip():
            raise ValueError("is empty")
        return claim

    @field_validator("evidence", mode="before")
    @classmethod
    def _one_or_several(cls, evidence: object) -> object:
        return (evidence,) if isinstance(evidence, str) else evidence

    @field_validator("label", mode="before")
    @classmethod
    def _as_spelt(cls, label: object) -> object:
        return read_label(label)


def read_label(word: object) -> Label:
    """The label a word stands for, in any case and in the spellings of the public sets; `ValueError` if none."""
    spelt = " ".join(word.upper().replace("_", " ").split()) if isinstance(word, str) else ""
    if spelt not in _SPELLINGS:
        raise ValueError(f"should be SUPPORTED, REFUTED or NEI and not {_short(word)}")
    return _SPELLINGS[spelt]


RowT = TypeVar("RowT", bound=BenchRow)


def read_rows(paths: Iterable[Path], kind: type[RowT]) -> list[RowT]:
    """All rows of the files, in order; a row that names no set belongs to one named like its file.

    Raises `InputError` with the file and the line of the first row that can't be read.
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
    """The first thing wrong with what was read, as a clause: `"label" is missing`."""
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
    """Where a value stands, the way to it written as `statements[2].label`."""
    written = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return written.removeprefix(".")


def _short(value: Any, length: int = 40) -> str:
    text = repr(value)
    return text if len(text) <= length else f"{text[: length - 1]}…"


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that aren't blank, each with its number; the file may be zipped. Raises `InputError`."""
    try:
        with _opened(path) as stream:
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
def _opened(path: Path) -> Iterator[TextIO]:
    with path.open("rb") as raw:
        zipped = raw.peek(2)[:2] == _GZIP_MAGIC
        content = gzip.GzipFile(fileobj=raw) if zipped else raw
        yield io.TextIOWrapper(content, encoding="utf-8-sig")
