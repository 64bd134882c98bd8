"""The embedded engine: what a run works with when there is no key and no network."""

from collections.abc import Sequence
from datetime import date

from veridic.claims.worth_model import Embed
from veridic.config.settings import Settings
from veridic.evidence.corpus import Corpus
from veridic.evidence.credibility import load_credibility
from veridic.evidence.retrieval import Retriever
from veridic.evidence.web import WebSearch
from veridic.judging.base import Judge
from veridic.judging.concepts import search_words
from veridic.pipeline.judges import country_aliases, embedded_judge, sentence_vectors
from veridic.providers.search.channels import channels_for
from veridic.providers.search.connect import connect_search


def open_retrievers(corpora: Sequence[Corpus], settings: Settings, *, as_of: date) -> list[Retriever]:
    """Corpora, ready to be searched: other names are tried too, and sources come with their credibility."""
    if not corpora:
        return []  # the names of countries take a moment to load
    aliases = country_aliases()
    credibility = load_credibility(settings.credibility_file)
    return [
        Retriever(
            corpus,
            credibility=credibility,
            expand=lambda text: [*aliases.expand(text), *search_words(text)],
            as_of=as_of,
        )
        for corpus in corpora
    ]


def open_web(settings: Settings, *, as_of: date) -> WebSearch | None:
    """The web, where a search provider is set up; nothing is asked before the first claim."""
    providers = connect_search(settings)
    if not providers:
        return None
    return WebSearch(
        providers,
        channels_for(settings),
        credibility=load_credibility(settings.credibility_file),
        as_of=as_of,
        expand=country_aliases().expand,
    )


class EmbeddedEngine:
    """Corpora to search and a judge to read with; opened once for a run."""

    name = "embedded"

    def __init__(self, corpora: Sequence[Corpus], settings: Settings, *, as_of: date) -> None:
        self.settings = settings
        self.judge: Judge = embedded_judge()
        self.embed: Embed = sentence_vectors
        self.retrievers = open_retrievers(corpora, settings, as_of=as_of)
