"""The form for a person's verdict on a claim: reading it, finding mistakes, and turning it into a verification."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import ConfigDict, TypeAdapter, ValidationError

from veridic.desk.records import (
    ClaimRecord,
    KnownDate,
    Rating,
    SourceRecord,
    Verification,
    VerificationInput,
)
from veridic.desk.source_page import SourcePage
from veridic.domain.dates import PartialDate
from veridic.domain.evidence import Tier
from veridic.reporting.escaping import web_link
from veridic.web.desk_context import MAX_TEXT_LENGTH, as_shown, too_long

MAX_SOURCES = 100
MAX_SECONDS = 7 * 86_400
_LONGEST_LINE = 2_000
STANCES = {"supports": True, "disputes": False, "context": None}
CLAIM_STATES = {
    "verified": "Verified",
    "disputed": "Disputed: the evidence conflicts",
    "flagged": "Flagged: needs special attention",
}
_PUBLISHED: TypeAdapter[PartialDate] = TypeAdapter(KnownDate, config=ConfigDict(arbitrary_types_allowed=True))
_ACTION = re.compile(r"(read|remove|use)-(\d{1,12})")


@dataclass(frozen=True, slots=True)
class SourceRow:
    """The fields of one source, as typed."""

    url: str = ""
    title: str = ""
    domain: str = ""
    tier: str = ""
    stance: str = "supports"
    published: str = ""
    excerpt: str = ""
    notes: str = ""

    @property
    def is_blank(self) -> bool:
        return not any((self.url, self.title, self.domain, self.published, self.excerpt, self.notes))


_SOURCE_FIELDS = tuple(SourceRow.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class VerdictForm:
    """The fields of the form, as typed."""

    version: int
    rating: str = ""
    status: str = "verified"
    notes: str = ""
    seconds: str = ""
    """As measured by the page; empty without scripts."""
    sources: tuple[SourceRow, ...] = (SourceRow(),)
    beside: bool = False
    """Whether it stands in a claim's card on the page of a check, which shows the answer in the same place."""
    mistakes: Mapping[str, str] = field(default_factory=dict)
    """By field, such as `rating` or `source-0-url`."""

    def with_row(self, row: SourceRow) -> "VerdictForm":
        """Add a source after those that have something in them."""
        kept = tuple(one for one in self.sources if not one.is_blank)
        return replace(self, sources=(*kept, row)[:MAX_SOURCES])

    def without_row(self, index: int) -> "VerdictForm":
        kept = tuple(row for number, row in enumerate(self.sources) if number != index)
        return replace(self, sources=kept or (SourceRow(),))

    def with_page(self, index: int, page: SourcePage) -> "VerdictForm":
        """Fill what a row leaves open with what its page says."""
        row = self.sources[index]
        filled = replace(
            row,
            title=row.title or page.title or "",
            domain=row.domain or page.domain or "",
            tier=row.tier or page.credibility_tier.value,
            published=row.published or str(page.published or ""),
            notes=row.notes or page.notes,
        )
        return replace(self, sources=(*self.sources[:index], filled, *self.sources[index + 1 :]))


def parse_action(action: str) -> tuple[str, int]:
    """Return what a button of the form asks for, such as `("read", 0)`; ("save", 0) if it is none of them."""
    match = _ACTION.fullmatch(action)
    return (match[1], int(match[2])) if match else (action, 0)


def blank_verdict(claim: ClaimRecord, own: Verification | None) -> VerdictForm:
    """Return the form as it is first shown: with the person's own last verdict, if there is one."""
    if own is None:
        return VerdictForm(version=claim.version)
    status = claim.status.value if claim.status.value in CLAIM_STATES else "verified"
    return VerdictForm(
        version=claim.version,
        rating=own.rating or "",
        status=status,
        notes=own.notes or "",
        sources=tuple(map(source_row, own.sources)) or (SourceRow(),),
    )


def source_row(source: SourceRecord) -> SourceRow:
    """Return a saved source as fields, to change it or to use it in another verdict."""
    stances = {supports: word for word, supports in STANCES.items()}
    return SourceRow(
        url=source.url,
        title=source.title or "",
        domain=source.domain or "",
        tier=source.credibility_tier if source.credibility_tier in list(Tier) else "",
        stance=stances[source.supports_claim],
        published=str(source.published or ""),
        excerpt=source.excerpt or "",
        notes=source.notes or "",
    )


def read_verdict(fields: Mapping[str, Sequence[str]]) -> VerdictForm:
    """Parse the form. Each source has all its fields, so the nth values of the fields are those of the nth source."""

    def first(name: str, otherwise: str = "") -> str:
        return next(iter(fields.get(name, ())), otherwise)

    mistakes: dict[str, str] = {}
    fields = {
        name: [_fitting(name, one, number, mistakes) for number, one in enumerate(given)]
        for name, given in fields.items()
    }
    columns = {name: fields.get(f"source-{name}", ()) for name in _SOURCE_FIELDS}
    rows = min(max(map(len, columns.values())), MAX_SOURCES)
    version = first("version")
    return VerdictForm(
        version=int(version) if version.isascii() and version.isdigit() and len(version) < 10 else 0,
        rating=first("rating"),
        status=first("status", "verified"),
        notes=_unix(first("notes")),
        seconds=first("seconds"),
        beside=bool(first("beside")),
        sources=tuple(_row(columns, number) for number in range(rows)) or (SourceRow(),),
        mistakes=mistakes,
    )


def _fitting(name: str, text: str, number: int, mistakes: dict[str, str]) -> str:
    """Return a field's text if a browser can show it again; note a mistake if it is longer than the desk keeps."""
    column = name.removeprefix("source-")
    most = MAX_TEXT_LENGTH if name == "notes" or column in ("excerpt", "notes") else _LONGEST_LINE
    if len(_unix(text)) > most:
        field = f"source-{number}-{column}" if column != name else name
        mistakes[field] = too_long(len(text), most)
    return as_shown(text)


def _row(columns: Mapping[str, Sequence[str]], number: int) -> SourceRow:
    values = {name: _unix(given[number]) for name, given in columns.items() if number < len(given)}
    excerpt = values.pop("excerpt", "")
    return SourceRow(**{name: value.strip() for name, value in values.items()}, excerpt=excerpt)


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")


def to_verification(form: VerdictForm) -> VerificationInput | VerdictForm:
    """Return the verification; or, if there are mistakes, the form with them."""
    mistakes = dict(form.mistakes)
    if form.rating not in list(Rating):
        mistakes["rating"] = "Choose a rating."
    if form.status not in CLAIM_STATES:
        mistakes["status"] = "Choose a state."
    sources = []
    for number, row in enumerate(form.sources):
        if not row.is_blank:
            sources.append(_source_values(row, f"source-{number}", mistakes))
    if mistakes:
        return replace(form, mistakes=mistakes)
    try:
        return VerificationInput.model_validate(
            {
                "rating": form.rating,
                "status": form.status,
                "notes": form.notes,
                "time_spent_seconds": _seconds(form.seconds),
                "sources": sources,
            }
        )
    except ValidationError as error:
        place = error.errors()[0]["loc"]
        return replace(
            form, mistakes={"form": f"{_field_name(place)} can't be saved as it is; shorten or correct it."}
        )


def _field_name(place: tuple[int | str, ...]) -> str:
    if len(place) > 2 and place[0] == "sources":
        return f"The {str(place[2]).replace('_', ' ')} of source {int(place[1]) + 1}"
    return f"The field {place[0] if place else 'rating'}"


def _source_values(row: SourceRow, name: str, mistakes: dict[str, str]) -> dict[str, object]:
    if not row.url:
        mistakes[f"{name}-url"] = "Give the source's address, or what it is."
    elif web_link(row.url) is None and not row.title:
        mistakes[f"{name}-title"] = "Give a title: readers don't see an address that is not on the web."
    if row.stance not in STANCES:
        mistakes[f"{name}-stance"] = "Choose whether it supports or disputes the claim."
    return {
        "url": row.url,
        "title": row.title or None,
        "domain": row.domain or None,
        "credibility_tier": row.tier if row.tier in list(Tier) else None,
        "supports_claim": STANCES.get(row.stance),
        "excerpt": row.excerpt or None,
        "published": _published(row.published, f"{name}-published", mistakes),
        "notes": row.notes or None,
    }


def _published(text: str, name: str, mistakes: dict[str, str]) -> PartialDate | None:
    if not text:
        return None
    try:
        return _PUBLISHED.validate_python(text)
    except ValidationError:
        mistakes[name] = "Give a date such as 2025-01-21, or 2025-01 or 2025 if no more is known."
        return None


def _seconds(text: str) -> int | None:
    is_number = text.isascii() and text.isdigit() and len(text) < 10
    return min(int(text), MAX_SECONDS) if is_number else None
