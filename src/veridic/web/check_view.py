"""The page of a check at one moment, worked out from what is kept of the run. Pure: rows in, page out."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from markupsafe import Markup

from veridic.domain.claim import ClaimType, Omission, OmissionReason
from veridic.domain.document import Document
from veridic.domain.usage import Usage
from veridic.domain.verdicts import Verdict
from veridic.reporting.outside import web_link
from veridic.reporting.wording import Tone, count, score_tone
from veridic.web.claim_views import ClaimView, SourceView
from veridic.web.evidence_views import EvidenceView
from veridic.web.marks import Place, Sign, TextBlock, marked_blocks
from veridic.web.stages import StageView

TRUNCATION_NOTE = re.compile(
    r"\s*\[Content truncated to [\d,]+ characters\. Claims beyond this point were not analyzed\.\]\s*\Z"
)
_NAMED_BY_A_MODEL = (OmissionReason.NOT_IN_TEXT, OmissionReason.NOT_SAID, OmissionReason.OVER_THE_LIMIT)
_READING_ORDER = (Tone.BAD, Tone.CAUTION, Tone.GOOD, Tone.OPEN)
"""What an editor has to act on comes first."""


@dataclass(frozen=True, slots=True)
class ContentView:
    """The text under check."""

    label: str
    """"User Content", or who wrote it."""
    detail: str
    """How long it took to write, or where it comes from."""
    link: str | None
    blocks: tuple[TextBlock, ...]
    truncated: str | None
    """The note that the text was cut, if it was."""


@dataclass(frozen=True, slots=True)
class Share:
    """A verdict's part of the stacked bar, and the claims behind it."""

    sign: Sign
    start: int
    claims: tuple[ClaimView, ...]

    @property
    def count(self) -> int:
        return len(self.claims)


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a reader must know before trusting the page."""

    tone: Tone
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class CheckView:
    run_id: str
    title: str
    mode: str
    state: str
    """`running`, `completed`, `failed`, `cancelled` or `interrupted`."""
    created_at: datetime
    origin: str
    """Where the text comes from, if it is not a model's or typed in."""
    after: int
    """The number of the last event this page knows of."""
    awaits_checkers: bool
    """One of them may fail, which no event tells: the page has to be looked at again without one."""
    progress: str
    """One sentence on where the run is, for the line that is read out."""
    stages: tuple[StageView, ...]
    content: ContentView | None
    claims: tuple[ClaimView, ...]
    extracted: bool
    """Whether the claims are known; none may have been found."""
    reported: bool
    score: int | None
    verdict: Sign | None
    """Of the whole text, in summary and thorough mode, once the report is there."""
    as_of: date | None
    """Nothing later was evidence; None where that is not known."""
    summary: str
    shares: tuple[Share, ...]
    notices: tuple[Notice, ...]
    left_out: tuple[tuple[str, tuple[Omission, ...]], ...]
    """What was not checked, by the reason."""
    sources: tuple[SourceView, ...]
    report_html: Markup | None
    roles: tuple[tuple[str, str], ...]
    usage: Usage | None
    """What it has cost until now."""
    usage_by_stage: tuple[tuple[str, Usage], ...]
    shared: EvidenceView | None
    """Summary mode under way: the evidence for all claims together."""
    seconds: float | None

    @property
    def running(self) -> bool:
        return self.state == "running"

    @property
    def score_tone(self) -> Tone:
        return score_tone(self.score)

    @property
    def by_type(self) -> tuple[tuple[ClaimType, tuple[ClaimView, ...]], ...]:
        """The claims under their types, in the order types are known by."""
        grouped = ((kind, tuple(claim for claim in self.claims if claim.type is kind)) for kind in ClaimType)
        return tuple((kind, claims) for kind, claims in grouped if claims)

    @property
    def findings(self) -> tuple[Share, ...]:
        return tuple(sorted(self.shares, key=lambda share: _READING_ORDER.index(share.sign.tone)))

    @property
    def agreement(self) -> int | None:
        """How far the checkers agree, on average over the claims, in whole percent."""
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
        """Whether anybody was asked who may want money for it."""
        return self.usage is not None and bool(self.usage.calls or self.usage.searches)

    @property
    def has_checkers(self) -> bool:
        return self.mode == "consensus"


def content_view(
    label: str, detail: str, url: str | None, document: Document, claims: Sequence[ClaimView]
) -> ContentView:
    """The text with its claims marked; a note that it was cut is taken off its end and kept apart."""
    note = TRUNCATION_NOTE.search(document.text)
    places = [Place(claim.number, claim.span, claim.sign) for claim in claims if claim.span]
    return ContentView(
        label=label,
        detail=detail,
        link=web_link(url),
        blocks=marked_blocks(_without(document, note.start()) if note else document, places),
        truncated=note[0].strip().strip("[]") if note else None,
    )


def _without(document: Document, end: int) -> Document:
    """The document up to `end`."""
    blocks = [
        block.model_copy(update={"runs": tuple(run for run in block.runs if run[1] <= end)})
        for block in document.blocks
    ]
    return document.model_copy(
        update={"text": document.text[:end], "blocks": tuple(block for block in blocks if block.runs)}
    )


def left_out_by_reason(omissions: Sequence[Omission]) -> tuple[tuple[str, tuple[Omission, ...]], ...]:
    """What was not checked, by the reason, in the order of the report."""
    reasons = dict.fromkeys(one.reason for one in omissions)
    return tuple(
        (reason.value, tuple(one for one in omissions if one.reason is reason)) for reason in reasons
    )


def left_out_notices(omissions: Sequence[Omission]) -> Iterator[Notice]:
    """What a model named and the text doesn't say, and what it didn't name and the text does."""
    for reason, number in Counter(one.reason for one in omissions).items():
        if reason is OmissionReason.NOT_LISTED:
            yield Notice(
                Tone.CAUTION, "Not checked.", f"{count(number, 'sentence')} of the text: {reason.value}."
            )
        elif reason in _NAMED_BY_A_MODEL:
            named = f"{count(number, 'claim')} that the extractor named"
            yield Notice(Tone.CAUTION, "Not checked.", f"{named}: {reason.value}.")


def shares_of(claims: Sequence[ClaimView]) -> tuple[Share, ...]:
    """The claims that have a verdict, by verdict, in the order a scale is read."""
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
