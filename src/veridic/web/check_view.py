"""`CheckView`: the data of a check's page, and helpers that build parts of it. Does no I/O."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from markupsafe import Markup

from veridic.domain.claim import ClaimType, Omission, OmissionReason
from veridic.domain.document import Document, Span
from veridic.domain.modes import EngineChoice, Mode
from veridic.domain.usage import Usage
from veridic.domain.verdicts import Verdict
from veridic.reporting.escaping import web_link
from veridic.reporting.wording import CREDIBILITY, Tone, count, score_tone, score_words
from veridic.web.claim_views import ClaimView, SourceView, nonempty_span
from veridic.web.evidence_views import EvidenceView
from veridic.web.marks import ClaimMark, Mark, Sign, TextBlock, UncheckedMark, letter, marked_blocks
from veridic.web.stages import StageView
from veridic.web.triage import TaskShare

TRUNCATION_NOTE = re.compile(
    r"\s*\[Content truncated to [\d,]+ characters\. Claims beyond this point were not analyzed\.\]\s*\Z"
)
_LISTED_BY_MODEL = (OmissionReason.NOT_IN_TEXT, OmissionReason.NOT_SAID, OmissionReason.OVER_THE_LIMIT)
_READING_ORDER = (Tone.BAD, Tone.CAUTION, Tone.GOOD, Tone.OPEN)
"""Findings that need action come first."""
_UNDER_WAY = ("queued", "running")
_RELIABILITY = "reliability score"
"""What consensus mode calls its score."""
_RESUMABLE = ("interrupted", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class ContentView:
    """The text under check."""

    label: str
    """"User Content", or the model that wrote it."""
    detail: str
    """How long it took to generate, or where it comes from."""
    link: str | None
    blocks: tuple[TextBlock, ...]
    truncated: str | None
    """A note if the text was cut."""


@dataclass(frozen=True, slots=True)
class Share:
    """The claims with one verdict, as a part of the stacked bar."""

    sign: Sign
    start: int
    claims: tuple[ClaimView, ...]

    @property
    def count(self) -> int:
        return len(self.claims)


@dataclass(frozen=True, slots=True)
class UncheckedView:
    """Words of the text, or of a model, that were not checked."""

    letter: str
    text: str
    reason: str
    detail: str
    span: Span | None
    """Where it is in the text; None if it is not there."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning shown above the results."""

    tone: Tone
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class CheckView:
    run_id: str
    title: str
    mode: str
    engine: str
    state: str
    """`queued`, `running`, `completed`, `failed`, `cancelled` or `interrupted`."""
    created_at: datetime
    origin: str
    """Where the text comes from; empty if it was typed in or generated."""
    after: int
    """The number of the last event that the page includes."""
    awaits_checkers: bool
    """Whether the page has to poll: no event is sent when a checker fails."""
    progress: str
    """One sentence on the run's progress, for the live region."""
    stages: tuple[StageView, ...]
    content: ContentView | None
    claims: tuple[ClaimView, ...]
    extracted: bool
    """Whether extraction is done; it may have found no claims."""
    reported: bool
    score: int | None
    verdict: Sign | None
    """The whole text's verdict in summary and thorough mode, once there is a report."""
    as_of: date | None
    """Later sources were not used; None if unknown."""
    summary: str
    shares: tuple[Share, ...]
    tasks: tuple[TaskShare, ...]
    """The filters: what needs a person first."""
    show: str
    """The filter chosen; empty for everything."""
    notices: tuple[Notice, ...]
    left_out: tuple[UncheckedView, ...]
    sources: tuple[SourceView, ...]
    report_html: Markup | None
    roles: tuple[tuple[str, str], ...]
    usage: Usage | None
    """What the run has cost so far."""
    usage_by_stage: tuple[tuple[str, Usage], ...]
    shared: EvidenceView | None
    """Summary mode under way: the evidence for all claims together."""
    seconds: float | None

    @property
    def running(self) -> bool:
        """Whether more will come."""
        return self.state in _UNDER_WAY

    @property
    def resumable(self) -> bool:
        return self.state in _RESUMABLE

    @property
    def correctable(self) -> bool:
        """Whether a correction can be applied to a copy of the text."""
        return any(claim.correction and claim.correction.applicable for claim in self.claims)

    @property
    def shows_summary(self) -> bool:
        """Whether somebody wrote a summary; the embedded engine's only repeats its first findings."""
        return bool(self.summary) and self.engine != EngineChoice.EMBEDDED

    @property
    def score_tone(self) -> Tone:
        return score_tone(self.score)

    @property
    def score_name(self) -> str:
        return score_name(self.mode)

    @property
    def score_line(self) -> str:
        """The score in words or, without one, how many claims were decided."""
        return score_words(self.score, self.decided, len(self.claims), self.score_name)

    @property
    def decided(self) -> int:
        """The claims with a verdict that says more than that it is open."""
        return sum(claim.sign is not None and claim.sign.tone is not Tone.OPEN for claim in self.claims)

    @property
    def by_type(self) -> tuple[tuple[ClaimType, tuple[ClaimView, ...]], ...]:
        """Claims by type, in the order of `ClaimType`."""
        grouped = ((kind, tuple(claim for claim in self.claims if claim.type is kind)) for kind in ClaimType)
        return tuple((kind, claims) for kind, claims in grouped if claims)

    @property
    def findings(self) -> tuple[Share, ...]:
        return tuple(sorted(self.shares, key=lambda share: _READING_ORDER.index(share.sign.tone)))

    @property
    def agreement(self) -> int | None:
        """The mean agreement of the checkers over all claims, in whole percent."""
        rates = [claim.agreement for claim in self.claims if claim.agreement is not None]
        return round(sum(rates) / len(rates)) if rates else None

    @property
    def verdicts_in_words(self) -> str:
        """The stacked bar as text."""
        return ", ".join(f"{share.count} {share.sign.word.lower()}" for share in self.shares)

    @property
    def undecided(self) -> int:
        return sum(claim.sign is None and not claim.problem for claim in self.claims)

    @property
    def failed(self) -> int:
        return sum(bool(claim.problem) for claim in self.claims)

    @property
    def rests_on_knowledge(self) -> int:
        return sum(claim.rests_on_knowledge for claim in self.claims)

    @property
    def costs(self) -> bool:
        """Whether language models or search providers were called."""
        return self.usage is not None and bool(self.usage.calls or self.usage.searches)

    @property
    def has_checkers(self) -> bool:
        return self.mode == "consensus"


def score_name(mode: str) -> str:
    """Return what the score of a run is called: consensus mode has its own word."""
    return _RELIABILITY if mode == Mode.CONSENSUS else CREDIBILITY


def content_view(
    label: str,
    detail: str,
    url: str | None,
    document: Document,
    claims: Sequence[ClaimView],
    left_out: Sequence[UncheckedView] = (),
) -> ContentView:
    """Return the text with its claims and what was not checked marked; a truncation note at its end becomes `truncated`."""
    note = TRUNCATION_NOTE.search(document.text)
    marks: list[Mark] = [ClaimMark(claim.number, claim.span, claim.sign) for claim in claims if claim.span]
    marks += [UncheckedMark(one.letter, one.span, one.reason) for one in left_out if one.span]
    return ContentView(
        label=label,
        detail=detail,
        link=web_link(url),
        blocks=marked_blocks(_cut_document(document, note.start()) if note else document, marks),
        truncated=note[0].strip().strip("[]") if note else None,
    )


def _cut_document(document: Document, end: int) -> Document:
    """The document up to `end`."""
    blocks = [
        block.model_copy(update={"runs": tuple(run for run in block.runs if run[1] <= end)})
        for block in document.blocks
    ]
    return document.model_copy(
        update={"text": document.text[:end], "blocks": tuple(block for block in blocks if block.runs)}
    )


def unchecked_views(omissions: Sequence[Omission]) -> tuple[UncheckedView, ...]:
    """Return what was not checked: first in the order of the text, then what is not in it."""
    ordered = sorted(omissions, key=lambda one: (one.span[0] >= one.span[1], one.span))
    return tuple(
        UncheckedView(letter(place), one.text, one.reason.value, one.detail or "", nonempty_span(one.span))
        for place, one in enumerate(ordered, 1)
    )


def omission_notices(omissions: Sequence[Omission]) -> Iterator[Notice]:
    """Yield notices of claims that a model listed but were not checked, and of sentences it did not list."""
    for reason, number in Counter(omission.reason for omission in omissions).items():
        if reason is OmissionReason.NOT_LISTED:
            yield Notice(
                Tone.CAUTION, "Not checked.", f"{count(number, 'sentence')} of the text: {reason.value}."
            )
        elif reason in _LISTED_BY_MODEL:
            named = f"{count(number, 'claim')} that the extractor named"
            yield Notice(Tone.CAUTION, "Not checked.", f"{named}: {reason.value}.")


def verdict_shares(claims: Sequence[ClaimView]) -> tuple[Share, ...]:
    """Group the claims that have a verdict, in the order of the verdict scale."""
    groups: dict[Sign, list[ClaimView]] = {}
    for claim in claims:
        if claim.sign is not None:
            groups.setdefault(claim.sign, []).append(claim)
    order = [verdict.value.lower().replace("_", "-") for verdict in Verdict]
    shares = []
    start = 0
    for sign in sorted(groups, key=lambda sign: order.index(sign.icon)):
        shares.append(Share(sign, start, tuple(groups[sign])))
        start += len(groups[sign])
    return tuple(shares)
