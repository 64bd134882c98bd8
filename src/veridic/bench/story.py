"""Reads news stories with known answers.

A story file holds an article, the sources to check it against, its statements with the verdicts that the sources call for,
and pieces of it with nothing to check.
"""

import json
from enum import StrEnum
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from veridic.bench.rows import first_problem, numbered_lines
from veridic.domain.dates import DateField
from veridic.domain.errors import InputError


class StoryLabel(StrEnum):
    """What the sources say about a statement; NEI is "not enough information"."""

    SUPPORTED = "SUPPORTED"
    REFUTED = "REFUTED"
    NEI = "NEI"
    OUTDATED = "OUTDATED"
    CONTESTED = "CONTESTED"


class _Part(BaseModel):
    """Unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", arbitrary_types_allowed=True)


class StoryArticle(_Part):
    title: str
    published: DateField
    text: str = Field(min_length=1)


class StorySource(_Part):
    id: str = Field(min_length=1)
    title: str
    date: DateField
    domain: str = Field(min_length=1)
    text: str = Field(min_length=1)


class GoldQuote(_Part):
    """Words of a source that settle a statement."""

    source: str
    quote: str = Field(min_length=1)


class Statement(_Part):
    """A piece of the article, with its expected verdict."""

    words: str = Field(min_length=1)
    label: StoryLabel
    evidence: tuple[GoldQuote, ...] = ()
    kind: str = ""


class Story(_Part):
    id: str = Field(min_length=1)
    article: StoryArticle
    sources: tuple[StorySource, ...] = Field(min_length=1)
    statements: tuple[Statement, ...]
    not_claims: tuple[str, ...] = ()
    """Pieces of the article with nothing to check: its colour."""

    @model_validator(mode="after")
    def _check_quotes(self) -> Self:
        """Check that every piece is in the article exactly once, and every quote in its source."""
        for piece in (*(one.words for one in self.statements), *self.not_claims):
            times = self.article.text.count(piece) if piece else 0
            if times != 1:
                raise ValueError(
                    f"{_shorten(piece)!r} should be in the article once, and is there {times} times"
                )
        texts = {source.id: source.text for source in self.sources}
        for gold in (gold for one in self.statements for gold in one.evidence):
            if gold.quote not in texts.get(gold.source, ""):
                raise ValueError(
                    f"{_shorten(gold.quote)!r} is not in the source {gold.source!r} that it is from"
                )
        return self

    @property
    def markdown(self) -> str:
        """The article to check, with its title and date as front matter."""
        head = f"title: {json.dumps(self.article.title)}\ndate: {self.article.published}"
        return f"---\n{head}\n---\n\n{self.article.text}\n"


def _shorten(text: str, length: int = 60) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def is_story_file(path: Path) -> bool:
    """Whether a file should hold one story; other files hold JSON lines."""
    return path.name.lower().removesuffix(".gz").endswith(".json")


def read_story(path: Path) -> Story:
    """Read the story in a file, which may be gzipped. Raises `InputError` that says what is wrong with it."""
    content = "".join(line for _, line in numbered_lines(path))
    try:
        found = json.loads(content)
        if not isinstance(found, dict):
            raise ValueError("no object")
        return Story.model_validate(found)
    except ValidationError as error:
        raise InputError(f"{path} is no story: {first_problem(error)}.") from None
    except (ValueError, RecursionError):
        raise InputError(
            f"{path} is no story: it is not one JSON object; a file of JSON lines should be named .jsonl."
        ) from None
