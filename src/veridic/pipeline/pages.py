"""Web pages that a search points to: fetched by the rules of fetching, read like any document, kept like a browser does."""

import hashlib
from functools import partial

from veridic.config.settings import Settings
from veridic.evidence.gathering import Page, ReadPage
from veridic.ingest.read import read_document
from veridic.pipeline.threads import in_thread
from veridic.providers.fetch.base import Fetcher
from veridic.providers.fetch.http import HttpFetcher


def page_reader(settings: Settings, fetcher: Fetcher | None = None) -> ReadPage:
    """Fetches and reads the page of an address; `fetcher` replaces the network, for tests."""
    getting = fetcher or HttpFetcher(settings, cache=settings.home / "cache" / "pages")

    async def read(url: str) -> Page:
        return await in_thread(partial(_read, url, getting, settings))

    return read


def _read(url: str, fetcher: Fetcher, settings: Settings) -> Page:
    document = read_document(url, settings=settings, fetcher=fetcher)
    digest = hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()
    return Page(document.title, document.text, document.published, digest, document.author)
