"""How far a source is trusted before a word of it is read: credibility tiers by domain."""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field, ValidationError

from veridic.domain.base import Frozen
from veridic.domain.errors import UsageError
from veridic.domain.evidence import TIER_SCORES, Source, Tier

if TYPE_CHECKING:
    from tldextract import TLDExtract


class TierTable(Frozen):
    """The data file: which domains, and which public suffixes as a whole, stand in which tier.

    An entry for a subdomain wins over one for its registered domain, and any domain over a
    suffix. `.gov` and `.mil` are suffix entries: they are handed out to public bodies of the
    United States only. A state or a city on `.gov` that should rank lower is listed by name.
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
    """Looks up tiers. `load_credibility` makes one from the built-in table and the user's."""

    def __init__(self, *tables: TierTable) -> None:
        """Later tables override earlier ones, entry by entry."""
        self._domains: dict[str, Tier] = {}
        self._suffixes: dict[str, Tier] = {}
        for table in tables:
            self._domains |= table.by_domain
            self._suffixes |= table.by_suffix
        self._tiers: dict[str, Tier] = {}
        """What was looked up before: a corpus has many passages of few hosts."""

    def tier(self, domain: str | None) -> Tier:
        """The tier of a host name; UNKNOWN for one that isn't listed, or no host name at all."""
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
        """The source with its domain's tier and score; one without a domain is left as it is."""
        if source.domain is None:
            return source
        tier = self.tier(source.domain)
        return source.model_copy(update={"tier": tier, "credibility": TIER_SCORES[tier]})


def load_credibility(extension: Path | None = None) -> Credibility:
    """The built-in tiers, with those of the user's file (`VERIDIC_CREDIBILITY_FILE`) over them."""
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
    """The public suffix list the library carries: no network, nothing written to disk.

    Both the library and its list take a while to load, and a run over listed domains needs neither.
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
