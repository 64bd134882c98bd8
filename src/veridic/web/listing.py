"""Past checks as their page lists them. Pure."""

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from veridic.domain.verdicts import Scale, Verdict, read, say
from veridic.reporting.wording import TONES, Tone, document_verdict_word, score_tone
from veridic.store.runs import RunSummary
from veridic.web.marks import Sign, canonical_sign
from veridic.web.moment import state_of
from veridic.web.moments import title_of


@dataclass(frozen=True, slots=True)
class RunView:
    """One line of the list."""

    id: str
    title: str
    mode: str
    state: str
    created_at: datetime
    claims: int
    score: int | None
    sign: Sign | None
    error: str | None

    @property
    def score_tone(self) -> Tone:
        return score_tone(self.score)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The filters of the page, as they stand in its address."""

    q: str = ""
    state: str = ""
    mode: str = ""
    verdict: str = ""
    before: str = ""

    @property
    def is_narrow(self) -> bool:
        return any((self.q, self.state, self.mode, self.verdict))

    def address(self, before: str = "") -> str:
        """The page with these filters that begins behind the run `before`."""
        named = {
            "q": self.q,
            "state": self.state,
            "mode": self.mode,
            "verdict": self.verdict,
            "before": before,
        }
        query = urlencode({name: value for name, value in named.items() if value})
        return f"/checks?{query}" if query else "/checks"


def run_view(summary: RunSummary, *, under_way: bool) -> RunView:
    return RunView(
        id=summary.id,
        title=title_of(summary),
        mode=summary.mode,
        state=state_of(summary, under_way=under_way),
        created_at=summary.created_at,
        claims=summary.claims,
        score=summary.credibility_score,
        sign=_document_sign(summary.verdict) if summary.verdict else None,
        error=summary.error,
    )


def _document_sign(verdict: Verdict) -> Sign:
    """A whole document's verdict on the scale that lists are filtered by."""
    plain = read(say(verdict, Scale.VALIDATION), Scale.VALIDATION)
    shape = canonical_sign(plain)
    return Sign(document_verdict_word(verdict), shape.marker, TONES[plain], shape.icon)
