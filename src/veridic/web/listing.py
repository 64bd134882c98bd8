"""The list of past checks and its filters. Does no I/O."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from urllib.parse import urlencode

from veridic.domain.verdicts import Scale, Verdict, read, say
from veridic.reporting.wording import TONES, Tone, document_verdict_word, score_tone, score_words
from veridic.store.runs import RunSummary
from veridic.web.check_page import run_title
from veridic.web.check_view import score_name
from veridic.web.marks import Sign, canonical_sign
from veridic.web.run_record import run_state

_NO_FILE = ("text", "-", "question")
"""What stands for a source that is no file and no address."""


@dataclass(frozen=True, slots=True)
class RunView:
    """A run in the list."""

    id: str
    title: str
    mode: str
    state: str
    created_at: datetime
    claims: int
    score: int | None
    score_line: str
    sign: Sign | None
    error: str | None
    source: str
    """The file or address it was read from; empty for a pasted text."""
    started_by: str | None

    @property
    def score_tone(self) -> Tone:
        return score_tone(self.score)


@dataclass(frozen=True, slots=True)
class ListFilters:
    """The filters in the page's URL."""

    q: str = ""
    state: str = ""
    mode: str = ""
    verdict: str = ""
    by: str = ""
    before: str = ""

    @property
    def is_active(self) -> bool:
        return any((self.q, self.state, self.mode, self.verdict, self.by))

    def address(self, before: str = "") -> str:
        """Return the URL of the page with these filters, starting after the run `before`."""
        values = {
            "q": self.q,
            "state": self.state,
            "mode": self.mode,
            "verdict": self.verdict,
            "by": self.by,
            "before": before,
        }
        query = urlencode({name: value for name, value in values.items() if value})
        return f"/checks?{query}" if query else "/checks"


def run_view(summary: RunSummary) -> RunView:
    return RunView(
        id=summary.id,
        title=run_title(summary, summary.beginning),
        mode=summary.mode,
        state=run_state(summary),
        created_at=summary.created_at,
        claims=summary.claims,
        score=summary.credibility_score,
        score_line=score_words(
            summary.credibility_score, summary.decided, summary.claims, score_name(summary.mode)
        ),
        sign=_document_sign(summary.verdict) if summary.verdict else None,
        error=summary.error,
        source=_shown_source(summary.source),
        started_by=summary.started_by,
    )


def _shown_source(source: str) -> str:
    """Return an address, or a file's name: where it is on this machine is nothing for readers."""
    if source in _NO_FILE or "://" in source:
        return "" if source in _NO_FILE else source
    return PurePath(source).name


def _document_sign(verdict: Verdict) -> Sign:
    """Return a document's verdict on the scale of the list's filter."""
    plain = read(say(verdict, Scale.VALIDATION), Scale.VALIDATION)
    shape = canonical_sign(plain)
    return Sign(document_verdict_word(verdict), shape.marker, TONES[plain], shape.icon)
