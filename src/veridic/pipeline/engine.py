"""Where evidence is looked for in a run, opened once for it."""

from collections.abc import Sequence
from datetime import date

from veridic.config.settings import Settings
from veridic.evidence.corpus import Corpus
from veridic.evidence.corpus_search import CorpusSearch
from veridic.evidence.credibility import load_credibility
from veridic.evidence.gathering import Gatherer
from veridic.evidence.pooling import EvidenceLimits
from veridic.evidence.retrieval import Retriever
from veridic.pipeline.judges import country_aliases
from veridic.pipeline.pages import page_reader
from veridic.providers.llm.meter import Meter
from veridic.providers.search.base import SearchProvider
from veridic.providers.search.channels import channels_for


def open_gatherer(
    corpora: Sequence[Corpus],
    web: Sequence[SearchProvider],
    settings: Settings,
    *,
    as_of: date,
    meter: Meter | None = None,
) -> Gatherer:
    """Corpora and search providers as one: other names are tried too, and sources come with their credibility."""
    similarity = settings.similarity_threshold if settings.enable_deduplication else None
    retrievers = open_retrievers(corpora, settings, as_of=as_of)
    return Gatherer(
        [*web, *(CorpusSearch(retriever, similarity=similarity) for retriever in retrievers)],
        channels_for(settings),
        credibility=load_credibility(settings.credibility_file),
        as_of=as_of,
        limits=EvidenceLimits(
            characters_per_source=settings.max_evidence_chars_per_source,
            highlights_per_source=settings.max_highlights_per_source,
            highlight_characters=settings.max_highlight_chars,
            deduplicate=settings.enable_deduplication,
            similarity=settings.similarity_threshold,
        ),
        expand=country_aliases().expand if web else None,
        read_page=page_reader(settings) if web else None,
        meter=meter,
    )


def open_retrievers(corpora: Sequence[Corpus], settings: Settings, *, as_of: date) -> list[Retriever]:
    """Corpora, ready to be searched."""
    if not corpora:
        return []  # the names of countries take a moment to load
    aliases = country_aliases()
    credibility = load_credibility(settings.credibility_file)
    return [
        Retriever(
            corpus,
            credibility=credibility,
            expand=aliases.expand,
            as_of=as_of,
        )
        for corpus in corpora
    ]
