"""Opens what a run searches: folders, files, corpora, the reference library and the web, joined in one `Gatherer`."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path, PurePath
from typing import NamedTuple

from veridic.config.settings import Settings
from veridic.domain.document import Document
from veridic.domain.errors import EmptyInputError, InputError, NotFoundError, UsageError
from veridic.domain.progress import Progress, ignore_progress
from veridic.engine.cache_expiry import keep_used
from veridic.engine.judges import country_aliases
from veridic.engine.threads import in_thread
from veridic.evidence.build import Additions, CorpusItem
from veridic.evidence.corpus import REFERENCE, Corpora, Corpus
from veridic.evidence.credibility import load_credibility
from veridic.evidence.gathering import Gatherer, ParsedPage, ReadPage
from veridic.evidence.local import LOCKS
from veridic.evidence.pooling import EvidenceLimits
from veridic.evidence.retrieval import CorpusSearch, Retriever
from veridic.evidence.storage import DamagedIndexError
from veridic.ingest.evidence import EvidenceFile, find_evidence, read_evidence
from veridic.ingest.read import read_document
from veridic.providers.fetch.base import Fetcher
from veridic.providers.fetch.http import HttpFetcher
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
    """Join corpora and search providers in one gatherer. It also searches for other names, and rates the credibility of sources."""
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
    """Open corpora for searching."""
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


def page_reader(settings: Settings, fetcher: Fetcher | None = None) -> ReadPage:
    """Return a function that fetches and reads the page at a URL; `fetcher` replaces the network in tests."""
    page_fetcher = fetcher or HttpFetcher(settings, cache=settings.home / "cache" / "pages")

    async def read(url: str) -> ParsedPage:
        return await in_thread(partial(_read, url, page_fetcher, settings))

    return read


def _read(url: str, fetcher: Fetcher, settings: Settings) -> ParsedPage:
    document = read_document(url, settings=settings, fetcher=fetcher)
    digest = hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()
    return ParsedPage(document.title, document.text, document.published, digest, document.author)


_CACHE_WAIT_SECONDS = 600.0
"""How long to wait for another process that writes the same cache: it does the work this one needs."""


class Against(NamedTuple):
    """A corpus to check against, and the files that could not be read into it, with the reasons."""

    corpus: Corpus
    failures: Mapping[str, str]


def add_to_corpus(
    name: str, paths: Sequence[Path], settings: Settings, progress: Progress = ignore_progress
) -> Additions:
    """Read files and folders into the named corpus; unchanged files are not read again.

    A file that is gone from one of these folders is dropped; files from other folders stay. Files are cited by name, those of
    a folder with its name before them: the corpus is used from anywhere, and a path says things about this machine.
    """
    if name == REFERENCE:
        raise UsageError(f"{REFERENCE!r} names the built-in reference library; choose another name.")
    items = [
        _item(file, _name_within(path, file), settings)._replace(name=_name_within(path, file))
        for path in paths
        for file in find_evidence(path)
    ]
    within = [path.resolve() for path in paths if path.is_dir()]
    added = Corpora(settings.corpora).add(name, items, within=within, progress=progress)
    if not added.read and not added.unchanged:
        raise _nothing_readable(paths, added.failures)
    return added


def open_against(
    target: str, settings: Settings, progress: Progress = ignore_progress, *, folder: str = ""
) -> Against:
    """Open what `--against` names: a corpus, the reference library, or a file or folder, which is indexed as needed.

    The name of a corpus comes before a path; `./name` is always the path. A relative path starts from `folder`, by default the
    current one, and is cited as it was given.
    """
    if not target.strip():
        raise UsageError("--against needs a folder, a file or the name of a corpus, not an empty word.")
    if target == REFERENCE:
        return Against(open_reference(settings, progress), {})
    corpora = Corpora(settings.corpora)
    if corpora.exists(target):
        return Against(corpora.open(target), {})
    path = Path(folder, target)
    if not path.exists():
        known = ", ".join(sorted({*corpora.names(), REFERENCE}))
        raise NotFoundError(
            f"There is no file or folder {target!r}, and no corpus of that name (known: {known})."
        )
    return _open_path(path, Path(target), settings, progress)


def open_reference(settings: Settings, progress: Progress = ignore_progress) -> Corpus:
    """Open the built-in reference library; it is indexed on first use, and again when its content changes."""
    from veridic.evidence.reference import factbook_fingerprint, factbook_passages

    # Kept by each machine for itself: workers of two versions would go on replacing each other's.
    corpora = Corpora(settings.own_corpora, wait=_CACHE_WAIT_SECONDS)
    corpora.add_passages(REFERENCE, factbook_fingerprint(), factbook_passages, progress=progress)
    return corpora.open(REFERENCE)


def _open_path(path: Path, given: Path, settings: Settings, progress: Progress) -> Against:
    """Open a file or folder through an index in the cache, and update that. `given` is the path as it is cited."""
    folder = settings.home / "cache" / "paths"
    corpora = Corpora(folder, wait=_CACHE_WAIT_SECONDS)
    # Its passages cite the path as it was given, so another spelling gets its own index.
    name = hashlib.sha256(f"{path.resolve()}\0{given}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
    try:
        items = [_item(file, _cited(file, path, given), settings) for file in find_evidence(path)]
    except InputError as error:
        raise type(error)(str(error).replace(str(path), str(given))) from None
    refresh = partial(corpora.add, name, items, within=[path.resolve()], label=str(given), progress=progress)
    try:
        added = refresh()
    except DamagedIndexError:
        corpora.remove(name)
        added = refresh()
    if not added.read and not added.unchanged:
        raise _nothing_readable([given], added.failures)
    keep_used(folder, [name, LOCKS])
    return Against(corpora.open(name), added.failures)


def _item(file: EvidenceFile, cited_as: str, settings: Settings) -> CorpusItem:
    key = str(file.path.resolve())
    try:
        return CorpusItem(key, file.digest, partial(_load, file, cited_as, settings))
    except InputError as error:
        return CorpusItem(key, "unreadable", partial(_refuse, _without_path(error, file, cited_as)))


def _cited(file: EvidenceFile, path: Path, given: Path) -> str:
    return file.source if path == given else str(given / PurePath(file.source).relative_to(path))


def _name_within(path: Path, file: EvidenceFile) -> str:
    if not path.is_dir():
        return file.path.name
    return (PurePath(path.resolve().name) / PurePath(file.source).relative_to(path)).as_posix()


def _load(file: EvidenceFile, cited_as: str, settings: Settings) -> Iterable[Document]:
    try:
        for document in read_evidence(file, settings):
            place = document.source.removeprefix(file.source)  # a row of JSON lines has its number here
            yield document.model_copy(update={"source": f"{cited_as}{place}"})
    except InputError as error:
        raise _without_path(error, file, cited_as) from None


def _without_path(error: InputError, file: EvidenceFile, cited_as: str) -> InputError:
    """Return the error with the name that readers know: it is stored, and shown in the web app."""
    return type(error)(str(error).replace(file.source, cited_as))


def _refuse(error: InputError) -> Iterable[Document]:
    raise error


def _nothing_readable(paths: Sequence[Path], failures: Mapping[str, str]) -> EmptyInputError:
    where = ", ".join(str(path) for path in paths)
    first = next(iter(failures.values()), "there are no files")
    return EmptyInputError(f"Nothing in {where} can be read as evidence: {first.rstrip('.')}.")
