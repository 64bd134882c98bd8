"""How well claims find their own evidence among many pages, and are judged by it: `veridic bench stories` on JSON lines.

All pages are one corpus. A claim is checked as a text of its own; where several claims are found in it, it is wrong if
one of them is, else it holds if one of them does, else it is open, as in `veridic bench check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from pydantic import field_validator, model_validator

from veridic.bench.check import CheckedSentence
from veridic.bench.embedded import set_up
from veridic.bench.measures import Label
from veridic.bench.progress import Progress, ignore_progress
from veridic.bench.rows import BenchRow, read_label, read_rows
from veridic.bench.stories import share, shows_one_of
from veridic.domain.base import Frozen
from veridic.domain.errors import EmptyInputError
from veridic.domain.verdicts import Verdict

if TYPE_CHECKING:
    from veridic.config.settings import Settings
    from veridic.domain.report import Report
    from veridic.evidence.build import Progress as Indexing

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
    def _as_spelt(cls, label: object) -> object:
        return None if label is None else read_label(label)

    @model_validator(mode="after")
    def _is_one_of_the_two(self) -> Self:
        if (self.page is None) is (self.claim is None):
            raise ValueError('it should have either a "page" or a "claim"')
        words = "text" if self.page is not None else "claim"
        if not (getattr(self, words) or "").strip():
            raise ValueError(f'"{words}" is missing or empty')
        if self.claim is not None and self.label is None:
            raise ValueError('"label" is missing')
        return self


class Page(NamedTuple):
    title: str
    text: str


class PageClaim(NamedTuple):
    text: str
    label: Label
    gold: tuple[str, ...] = ()


class Pages(NamedTuple):
    """Everything there is to find, and the claims that look for their evidence in it."""

    pages: tuple[Page, ...]
    claims: tuple[PageClaim, ...]

    def first(self, limit: int | None) -> Pages:
        """The same with the first claims only, and all pages."""
        return self._replace(claims=self.claims[:limit])


def read_pages(paths: Sequence[Path]) -> Pages:
    """The pages and claims of files of JSON lines, zipped or not.

    Raises `InputError` with the first row that can't be read, or where there are no pages or no claims.
    """
    rows = read_rows(paths, PagesRow)
    pages = tuple(Page(row.page, row.text) for row in rows if row.page is not None and row.text is not None)
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
    """A claim that is not what its label says; the last three are None where no claim was found in its text."""

    claim: str
    label: Label
    got: Verdict | None
    confidence: float | None
    quote: str | None
    """The first of the evidence shown."""


class PagesResult(Frozen):
    """What `veridic bench stories --format json` writes for pages and claims."""

    pages: int
    claims: int
    right: int
    wrong: int
    open: int
    """Not settled, though they could have been."""
    settling_passage_in_first_five: float | None
    """Of claims with gold words, in whose text a claim was found: see `stories.shows_one_of`."""
    misjudged: tuple[MisjudgedClaim, ...] = ()
    errors: tuple[str, ...] = ()
    """What could not be completed in the checks."""


CheckClaim = Callable[[str], "Report"]


def bench_pages(found: Pages, check: CheckClaim, progress: Progress = ignore_progress) -> PagesResult:
    """Check every claim and compare what was decided on it with what is known."""
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
def open_pages(pages: Sequence[Page], settings: Settings, indexing: Indexing) -> Iterator[CheckClaim]:
    """Indexes the pages as one corpus, and checks claims against it on the embedded engine."""
    from veridic.pipeline.corpora import open_against

    with set_up(({"title": page.title, "text": page.text} for page in pages), settings) as bench:
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
