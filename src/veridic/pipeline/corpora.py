"""Corpora from files: what `veridic corpus` keeps, and what `--against` names."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from veridic.config.settings import Settings
from veridic.domain.document import Document
from veridic.domain.errors import EmptyInputError, InputError, NotFoundError, UsageError
from veridic.evidence.build import Additions, CorpusItem, Progress, ignore_progress
from veridic.evidence.corpus import LOCKS, REFERENCE, Corpora, Corpus
from veridic.evidence.generations import DamagedIndexError
from veridic.ingest.evidence import EvidenceFile, find_evidence, read_evidence
from veridic.pipeline.unused import keep_used

_CACHE_WAIT_SECONDS = 600.0
"""Another process that writes the same cache does the work this one needs: it is worth waiting for."""


class Against(NamedTuple):
    """A corpus to check against, and the files that could not be read into it, each with the reason."""

    corpus: Corpus
    failures: Mapping[str, str]


def add_to_corpus(
    name: str, paths: Sequence[Path], settings: Settings, progress: Progress = ignore_progress
) -> Additions:
    """Read files and folders into the named corpus; files known and unchanged are not read again.

    A file that is gone from one of these folders is dropped; what other folders brought stays.
    """
    if name == REFERENCE:
        raise UsageError(f"{REFERENCE!r} names the built-in reference library; choose another name.")
    files = [file for path in paths for file in find_evidence(path)]
    # Kept for use from anywhere: sources are cited by their absolute paths.
    items = [_item(file, str(file.path.resolve()), settings) for file in files]
    within = [path.resolve() for path in paths if path.is_dir()]
    added = Corpora(settings.corpora).add(name, items, within=within, progress=progress)
    if not added.read and not added.unchanged:
        raise _nothing_readable(paths, added.failures)
    return added


def open_against(target: str, settings: Settings, progress: Progress = ignore_progress) -> Against:
    """What `--against` names: a corpus, the reference library, or a file or folder, read as needed.

    The name of a corpus comes before a path: `./name` is always the path.
    """
    if not target.strip():
        raise UsageError("--against needs a folder, a file or the name of a corpus, not an empty word.")
    if target == REFERENCE:
        return Against(open_reference(settings, progress), {})
    corpora = Corpora(settings.corpora)
    if corpora.exists(target):
        return Against(corpora.open(target), {})
    path = Path(target)
    if not path.exists():
        known = ", ".join(sorted({*corpora.names(), REFERENCE}))
        raise NotFoundError(
            f"There is no file or folder {target!r}, and no corpus of that name (known: {known})."
        )
    return _open_path(path, settings, progress)


def open_reference(settings: Settings, progress: Progress = ignore_progress) -> Corpus:
    """The built-in reference library; indexed when first used, and again when its content changes."""
    from veridic.evidence.reference import factbook_fingerprint, factbook_passages

    corpora = Corpora(settings.corpora, wait=_CACHE_WAIT_SECONDS)
    corpora.add_passages(REFERENCE, factbook_fingerprint(), factbook_passages, progress=progress)
    return corpora.open(REFERENCE)


def _open_path(path: Path, settings: Settings, progress: Progress) -> Against:
    """A file or folder by way of an index kept for it, brought up to date."""
    folder = settings.home / "cache" / "paths"
    corpora = Corpora(folder, wait=_CACHE_WAIT_SECONDS)
    # Its passages cite the path as it was given, so another spelling has its own index.
    name = hashlib.sha256(f"{path.resolve()}\0{path}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
    items = [_item(file, file.source, settings) for file in find_evidence(path)]
    refresh = partial(corpora.add, name, items, within=[path.resolve()], label=str(path), progress=progress)
    try:
        added = refresh()
    except DamagedIndexError:
        corpora.remove(name)
        added = refresh()
    if not added.read and not added.unchanged:
        raise _nothing_readable([path], added.failures)
    keep_used(folder, [name, LOCKS])
    return Against(corpora.open(name), added.failures)


def _item(file: EvidenceFile, cited_as: str, settings: Settings) -> CorpusItem:
    key = str(file.path.resolve())
    try:
        return CorpusItem(key, file.digest, partial(_load, file, cited_as, settings))
    except InputError as error:
        return CorpusItem(key, "unreadable", partial(_refuse, error))


def _load(file: EvidenceFile, cited_as: str, settings: Settings) -> Iterable[Document]:
    for document in read_evidence(file, settings):
        place = document.source.removeprefix(file.source)  # a row of JSON lines has its number here
        yield document.model_copy(update={"source": f"{cited_as}{place}"})


def _refuse(error: InputError) -> Iterable[Document]:
    raise error


def _nothing_readable(paths: Sequence[Path], failures: Mapping[str, str]) -> EmptyInputError:
    where = ", ".join(str(path) for path in paths)
    first = next(iter(failures.values()), "there are no files")
    return EmptyInputError(f"Nothing in {where} can be read as evidence: {first.rstrip('.')}.")
