"""Reads title, author, date and domain from a text or a URL."""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from veridic.domain.dates import PartialDate
from veridic.text.front_matter import FrontMatter

if TYPE_CHECKING:
    from tldextract import TLDExtract

_WRITTEN_DATES = ("%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b %d, %Y", "%B %Y", "%Y/%m/%d", "%a, %d %b %Y")
_PDF_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")


@dataclass(frozen=True)
class Metadata:
    """Metadata of a document."""

    title: str | None = None
    author: str | None = None
    published: PartialDate | None = None


def metadata_of(header: FrontMatter | None) -> Metadata:
    """Return the metadata in the front matter of a Markdown file."""
    if header is None:
        return Metadata()
    fields = {name: field.value for name, field in header.fields.items()}
    date = next((fields[key] for key in ("published", "date", "pubdate", "updated") if fields.get(key)), "")
    author = fields.get("author") or fields.get("authors") or None
    return Metadata(fields.get("title") or None, author, read_date(date))


def read_date(text: str) -> PartialDate | None:
    """Parse a date in metadata: ISO, `D:20240503` in a PDF, or written out in English; None if unclear."""
    text = text.strip()
    if pdf := _PDF_DATE.match(text):
        text = "-".join(part for part in pdf.groups() if part)
    try:
        if re.match(r"\d{4}(?:$|-|T)", text):
            return PartialDate.parse(text)
    except ValueError:
        return None
    for form in _WRITTEN_DATES:
        try:
            read = datetime.strptime(text[:40], form)  # noqa: DTZ007 (a day has no time zone)
        except ValueError:
            continue
        return PartialDate(read.year, read.month, read.day if "%d" in form else None)
    return None


def registered_domain(host: str) -> str:
    """`news.bbc.co.uk` → `bbc.co.uk`; a host without a public suffix stays as it is."""
    host = host.lower().rstrip(".")
    return _domain_reader()(host).top_domain_under_public_suffix or host


@lru_cache(maxsize=1)
def _domain_reader() -> "TLDExtract":
    from tldextract import TLDExtract

    # Use the list in the package: no download and no cache file.
    return TLDExtract(cache_dir=None, suffix_list_urls=())


def domain_of(url: str) -> str | None:
    """Return the registered domain of a URL, or None if it has no host."""
    from urllib.parse import urlsplit

    try:
        host = urlsplit(url).hostname
    except ValueError:
        return None
    return registered_domain(host) if host else None
