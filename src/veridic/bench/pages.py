"""Measures how well claims are judged if they must find their evidence among many pages: `veridic bench stories` on JSON lines.

All pages form one corpus. Each claim is checked as a text of its own. If several claims are found in it, it is wrong if one
of them is, else it holds if one of them does, else it is open, as in `veridic bench check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from pydantic import field_validator, model_validator

from veridic.bench.check import CheckedSentence
from veridic.bench.embedded import temporary_bench
from veridic.bench.measures import Label
from veridic.bench.rows import BenchRow, read_label, read_rows
from veridic.bench.stories import share, shows_one_of
from veridic.domain.base import Frozen
from veridic.domain.errors import EmptyInputError
from veridic.domain.progress import Progress, ignore_progress
from veridic.domain.verdicts import Verdict

if TYPE_CHECKING:
    from veridic.config.settings import Settings
    from veridic.domain.report import Report

_EXPECTED = {
    Label.SUPPORTED: Verdict.SUPPORTED,
    Label.REFUTED: Verdict.REFUTED,
    Label.NEI: Verdict.UNVERIFIABLE,
}


class PagesRow(BenchRow):
    """A page with its text, or a claim with its label and the words of a page that settle it."""

    page: str | None = None
    text: str | None = None
    claim: str | None = None
    label: Label | None = None
    on_page: str | None = None
    gold: tuple[str, ...] = ()

    @field_validator("label", mode="before")
    @classmethod
    def _parse_label(cls, label: object) -> object:
        return None if label is None else read_label(label)

    @model_validator(mode="after")
    def _has_page_or_claim(self) -> Self:
        if (self.page is None) is (self.claim is None):
            raise ValueError('it should have either a "page" or a "claim"')
        words = "text" if self.page is not None else "claim"
        if not (getattr(self, words) or "").strip():
            raise ValueError(f'"{words}" is missing or empty')
        if self.claim is not None and self.label is None:
            raise ValueError('"label" is missing')
        return self


class CorpusPage(NamedTuple):
    title: str
    text: str


class PageClaim(NamedTuple):
    text: str
    label: Label
    gold: tuple[str, ...] = ()


class Pages(NamedTuple):
    """All pages, and the claims to check against them."""

    pages: tuple[CorpusPage, ...]
    claims: tuple[PageClaim, ...]

    def first(self, limit: int | None) -> Pages:
        """Keep the first claims only, and all pages."""
        return self._replace(claims=self.claims[:limit])


def read_pages(paths: Sequence[Path]) -> Pages:
    """Read pages and claims from files of JSON lines, which may be gzipped.

    Raises `InputError` for the first row that can't be read, or if there are no pages or no claims.
    """
    rows = read_rows(paths, PagesRow)
    pages = tuple(
        CorpusPage(row.page, row.text) for row in rows if row.page is not None and row.text is not None
    )
    claims = tuple(
        PageClaim(row.claim, row.label, row.gold)
        for row in rows
        if row.claim is not None and row.label is not None
    )
    for what, found in (("page", pages), ("claim", claims)):
        if not found:
            raise EmptyInputError(
                f'No row has a "{what}" in {", ".join(map(str, paths))}; pages and claims are both needed.'
            )
    return Pages(pages, claims)


class MisjudgedClaim(Frozen):
    """A claim whose verdict contradicts its label; the last three are None if no claim was found in its text."""

    claim: str
    label: Label
    got: Verdict | None
    confidence: float | None
    quote: str | None
    """The first piece of evidence shown."""


class PagesResult(Frozen):
    """The output of `veridic bench stories --format json` for pages and claims."""

    pages: int
    claims: int
    right: int
    wrong: int
    open: int
    """Claims that were left open but could have been settled."""
    settling_passage_in_first_five: float | None
    """Of the claims with gold words in whose text a claim was found; see `stories.shows_one_of`."""
    misjudged: tuple[MisjudgedClaim, ...] = ()
    errors: tuple[str, ...] = ()
    """What failed during the checks."""


CheckClaim = Callable[[str], "Report"]


def bench_pages(found: Pages, check: CheckClaim, progress: Progress = ignore_progress) -> PagesResult:
    """Check every claim, and compare the decision with its label."""
    judged: list[tuple[PageClaim, CheckedSentence]] = []
    errors: list[str] = []
    for done, claim in enumerate(found.claims):
        progress(done, len(found.claims), claim.text)
        report = check(claim.text)
        errors += (f"{claim.text}: {failure.message}" for failure in report.errors)
        judged.append((claim, CheckedSentence(claim.text, _EXPECTED[claim.label], report.decisions)))
    right = sum(one.is_right for _, one in judged)
    left_open = sum(one.is_left_open for _, one in judged)
    return PagesResult(
        pages=len(found.pages),
        claims=len(judged),
        right=right,
        wrong=len(judged) - right - left_open,
        open=left_open,
        settling_passage_in_first_five=share(list(_settling(judged))),
        misjudged=tuple(_misjudged(claim, one) for claim, one in judged if not one.is_right),
        errors=tuple(errors),
    )


def _settling(judged: Iterable[tuple[PageClaim, CheckedSentence]]) -> Iterator[bool]:
    for claim, one in judged:
        if claim.gold and one.decisive:
            yield shows_one_of(claim.gold, one.decisive)


@contextmanager
def open_pages(pages: Sequence[CorpusPage], settings: Settings, indexing: Progress) -> Iterator[CheckClaim]:
    """Index the pages as one corpus, and check claims against it with the embedded engine."""
    from veridic.engine.open_evidence import open_against

    with temporary_bench(({"title": page.title, "text": page.text} for page in pages), settings) as bench:
        open_against(str(bench.sources), bench.settings, indexing)
        yield bench.check_claim


def _misjudged(claim: PageClaim, one: CheckedSentence) -> MisjudgedClaim:
    decision = one.decisive
    return MisjudgedClaim(
        claim=claim.text,
        label=claim.label,
        got=decision.verdict if decision else None,
        confidence=decision.confidence if decision else None,
        quote=decision.evidence[0].assessment.quote if decision and decision.evidence else None,
    )
