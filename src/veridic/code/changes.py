"""What has changed since a revision, and which claims that could have made false."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from veridic.code.facts.read import read_facts
from veridic.code.gone import gone_names
from veridic.code.history import History
from veridic.code.index import FactIndex
from veridic.code.languages import language_of
from veridic.code.repository import decode
from veridic.domain.code import AssertionKind, DocClaim, Entity, Fact, FileFacts, Origin
from veridic.domain.errors import InputError

_WORD = re.compile(r"[^\W\d][\w-]*")
_ROUNDS = 4
"""A default that is a constant that is another constant: further than this nobody goes."""


@dataclass(frozen=True, slots=True)
class Changes:
    files: frozenset[str]
    """Files that were added, altered or taken away."""
    identifiers: frozenset[str]
    """Names of what they define and now define otherwise, and of what has its value from those; in lower case."""
    gone: Mapping[str, Fact] = field(default_factory=dict)
    """What nothing in the code names any more, by its name."""

    def could_concern(self, claim: DocClaim) -> bool:
        """Whether the changes could have made a claim false that was true."""
        if claim.document in self.files or claim.origin is Origin.COMMIT:
            return True
        if claim.assertion.kind is AssertionKind.COUNT and self.files:
            return True
        named = (*claim.entities, *([claim.assertion.subject] if claim.assertion.subject else []))
        if any(self._touches(entity) for entity in named):
            return True
        words = _WORD.findall(f"{claim.text} {_last(claim.owner or '')}".lower())
        return not self.identifiers.isdisjoint(words)

    def _touches(self, entity: Entity) -> bool:
        names = (entity.name, _last(entity.name), entity.owner or "", _last(entity.owner or ""))
        if any(name.lower() in self.identifiers for name in names if name):
            return True
        path = entity.name.removeprefix("./").rstrip("/")
        return "." in path and any(f"/{file}".endswith(f"/{path}") for file in self.files)


def changes_since(revision: str, index: FactIndex, history: History) -> Changes:
    """What differs between a revision and the files as they are; `UsageError` where there is no such revision.

    `HEAD` gives what has not been committed.
    """
    then = history.blobs(revision)
    now = {file.path: file for file in index.repository.files}
    altered = {path for path, blob in then.items() if path in now and not _is_blob(index, path, blob)}
    gone = {path for path in then if path not in now and not index.repository.exists(path)}
    added = now.keys() - then.keys()
    names: set[str] = set()
    defined: list[Fact] = []
    for path in altered | added | gone:
        before = _facts_then(path, then.get(path), history)
        names |= _names_of_difference(before, _definitions(index, path))
        defined += before.values()
    return Changes(
        frozenset(altered | gone | added),
        frozenset(_with_dependants(names, index)),
        gone_names(defined, index),
    )


def _is_blob(index: FactIndex, path: str, blob: str) -> bool:
    """Whether a file is what git has under that hash, the line ends of Windows set aside."""
    try:
        content = index.repository.read_bytes(path)
    except InputError:
        return False
    variants = (content, content.replace(b"\r\n", b"\n"))
    return any(_blob_hash(variant, blob) == blob for variant in variants)


def _blob_hash(content: bytes, like: str) -> str:
    header = b"blob %d\0" % len(content)
    if len(like) == hashlib.sha256().digest_size * 2:
        return hashlib.sha256(header + content).hexdigest()
    return hashlib.sha1(header + content, usedforsecurity=False).hexdigest()


Definitions = Mapping[tuple[str, str, str], Fact]


def _definitions(index: FactIndex, path: str) -> Definitions:
    facts = index.files.get(path)
    if facts is None:
        return {}
    try:
        return _by_words(facts, index.repository.read(path))
    except InputError:
        return {}


def _facts_then(path: str, blob: str | None, history: History) -> Definitions:
    if blob is None:
        return {}
    try:
        text = decode(history.content(blob), path)
    except InputError:
        return {}
    return _by_words(read_facts(path, language_of(path) or "", text, blob), text)


def _by_words(facts: FileFacts, text: str) -> Definitions:
    """Each fact by its kind, its name and the lines that define it, wherever in the file they stand."""
    lines = text.splitlines()
    return {
        (
            fact.kind,
            fact.qualified or fact.name,
            "\n".join(lines[fact.line - 1 : max(fact.line, fact.end_line)]),
        ): fact
        for fact in facts.facts
    }


def _names_of_difference(before: Definitions, after: Definitions) -> set[str]:
    return {
        name.lower()
        for key in before.keys() ^ after.keys()
        for name in _names(before[key] if key in before else after[key])
    }


def _names(fact: Fact) -> Iterator[str]:
    yield from (fact.name, *fact.aliases)
    if fact.qualified:
        yield _last(fact.qualified)


def _with_dependants(names: set[str], index: FactIndex) -> set[str]:
    """The names, and those of everything whose value, default, result or base is written with one of them."""
    reached = set(names)
    facts = [
        (fact, words) for file in index.files.values() for fact in file.facts if (words := _made_of(fact))
    ]
    for _ in range(_ROUNDS):
        new = {
            name.lower() for fact, words in facts if not reached.isdisjoint(words) for name in _names(fact)
        }
        if new <= reached:
            break
        reached |= new
    return reached


def _made_of(fact: Fact) -> frozenset[str]:
    defaults = (parameter.default for parameter in fact.parameters)
    sources: Iterable[str | None] = (fact.value, *defaults, *fact.returns, *fact.bases)
    return frozenset(word.lower() for source in sources if source for word in _WORD.findall(source))


def _last(name: str) -> str:
    return name.rpartition(".")[2]
