"""How credible a source is before it is read (tiers by domain), and the quality of a passage as evidence."""

from collections.abc import Mapping
from datetime import date
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field, ValidationError

from veridic.domain.base import Frozen
from veridic.domain.dates import PartialDate
from veridic.domain.errors import UsageError
from veridic.domain.evidence import TIER_SCORES, Assessment, Passage, Quality, Source, Tier

if TYPE_CHECKING:
    from tldextract import TLDExtract


class TierTable(Frozen):
    """The data file: the tier of each domain, and of public suffixes as a whole.

    An entry for a subdomain takes precedence over its registered domain, and any domain over a suffix. `.gov` and `.mil`
    are suffix entries, because only US public bodies can register them. A state or city on `.gov` that should rank
    lower is listed by name.
    """

    about: str = ""
    domains: dict[Tier, tuple[str, ...]] = Field(default_factory=dict)
    suffixes: dict[Tier, tuple[str, ...]] = Field(default_factory=dict)

    @cached_property
    def by_domain(self) -> Mapping[str, Tier]:
        return _by_name(self.domains)

    @cached_property
    def by_suffix(self) -> Mapping[str, Tier]:
        return _by_name(self.suffixes)


class Credibility:
    """Looks up tiers. `load_credibility` creates it from the built-in table and the user's."""

    def __init__(self, *tables: TierTable) -> None:
        """Later tables override earlier ones, entry by entry."""
        self._domains: dict[str, Tier] = {}
        self._suffixes: dict[str, Tier] = {}
        for table in tables:
            self._domains |= table.by_domain
            self._suffixes |= table.by_suffix
        self._tiers: dict[str, Tier] = {}
        """Earlier lookups: a corpus has many passages from few hosts."""

    def tier(self, domain: str | None) -> Tier:
        """Return the tier of a host name; UNKNOWN if it isn't listed or there is none."""
        host = _clean(domain or "")
        if host not in self._tiers:
            self._tiers[host] = self._look_up(host)
        return self._tiers[host]

    def _look_up(self, host: str) -> Tier:
        if not host or host in self._domains:
            return self._domains.get(host, Tier.UNKNOWN)
        parts = _extractor().extract_str(host)
        if not parts.suffix:
            return Tier.UNKNOWN
        registered = parts.top_domain_under_public_suffix
        for name in _parents(host):
            if len(name) < len(registered):
                break
            if name in self._domains:
                return self._domains[name]
        for suffix in _parents(parts.suffix):
            if suffix in self._suffixes:
                return self._suffixes[suffix]
        return Tier.UNKNOWN

    def rate(self, source: Source) -> Source:
        """Return the source with its domain's tier and score; a source without a domain is unchanged."""
        if source.domain is None:
            return source
        tier = self.tier(source.domain)
        return source.model_copy(update={"tier": tier, "credibility": TIER_SCORES[tier]})


def load_credibility(extension: Path | None = None) -> Credibility:
    """Load the built-in tiers, overridden by the user's file (`VERIDIC_CREDIBILITY_FILE`)."""
    if extension is None:
        return Credibility(_built_in())
    try:
        return Credibility(_built_in(), TierTable.model_validate_json(extension.read_bytes()))
    except OSError as error:
        raise UsageError(
            f"The credibility file {extension} can't be read ({error.strerror}); "
            "correct VERIDIC_CREDIBILITY_FILE or unset it."
        ) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise UsageError(
            f"The credibility file {extension} is not valid at {place} ({first['msg']}); it should look like "
            '{"domains": {"national_news": ["example.com"]}}.'
        ) from None


@lru_cache(maxsize=1)
def _built_in() -> TierTable:
    data = resources.files("veridic.evidence") / "data" / "tier1_sources.json"
    return TierTable.model_validate_json(data.read_bytes())


@lru_cache(maxsize=1)
def _extractor() -> "TLDExtract":
    """Load the public suffix list that comes with the library: no network access, nothing written to disk.

    The library and its list take a while to load, and a run over listed domains needs neither.
    """
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None)


def _by_name(tiers: Mapping[Tier, tuple[str, ...]]) -> dict[str, Tier]:
    return {_clean(name): tier for tier, names in tiers.items() for name in names}


def _clean(name: str) -> str:
    host = name.strip().lower().strip(".")
    return host.removeprefix("www.")


def _parents(name: str) -> list[str]:
    """`a.b.c`, `b.c`, `c`."""
    labels = name.split(".")
    return [".".join(labels[i:]) for i in range(len(labels))]


HALVING_YEARS = 5.0
"""Recency halves every five years: 1.0 today, 0.5 after five years, 0.25 after ten."""
UNKNOWN_RECENCY = 0.5
"""An undated source counts as five years old."""

_DAYS_PER_YEAR = 365.25


def rate_quality(passage: Passage, assessment: Assessment, as_of: date) -> Quality:
    """Return the four factors of a passage that a judge assessed; `Quality.score` weighs them."""
    return Quality(
        authority=passage.source.credibility,
        recency=rate_recency(passage.date or passage.source.date, as_of),
        relevance=assessment.relevance,
        specificity=assessment.specificity,
    )


def rate_recency(evidence_date: PartialDate | None, as_of: date) -> float:
    """Return 1.0 for evidence from `as_of`, falling towards 0.0 with age; an imprecise date counts from its last day."""
    if evidence_date is None:
        return UNKNOWN_RECENCY
    years = max(0, (as_of - evidence_date.last).days) / _DAYS_PER_YEAR
    return float(0.5 ** (years / HALVING_YEARS))
