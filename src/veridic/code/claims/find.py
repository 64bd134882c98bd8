"""Everything that a repository's documents, sources and names, and given commits, say about its code."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from veridic.code.claims.changelog import (
    changelog_drafts,
    commit_references,
    is_changelog,
    speaks_of_the_past,
)
from veridic.code.claims.document import document_drafts
from veridic.code.claims.domains import depth_of, domain_of
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.inline import markdown_inline
from veridic.code.claims.links import link_drafts
from veridic.code.claims.markdown import markdown_blocks
from veridic.code.claims.names import Names
from veridic.code.claims.passage import SourceLine
from veridic.code.claims.plausibility import plausible
from veridic.code.claims.promises import promise_drafts
from veridic.code.claims.prose import prose_drafts
from veridic.code.claims.rst import rst_blocks
from veridic.code.claims.source_texts import source_drafts
from veridic.code.history import CommitText
from veridic.code.index import FactIndex
from veridic.domain.code import ClaimDomain, DocClaim, Origin
from veridic.domain.errors import InputError

_READERS = {"markdown": (markdown_blocks, Origin.MARKDOWN), "rst": (rst_blocks, Origin.RST)}
_NOT_READ = re.compile(
    r"(?:\A|/)(?:LICEN[CS]E|COPYING|NOTICE|CODE[-_]OF[-_]CONDUCT|AUTHORS|CONTRIBUTORS|MAINTAINERS|THIRD[-_]PARTY)[^/]*\Z",
    re.IGNORECASE,
)
_NOT_THE_PROJECT = re.compile(
    r"(?:\A|/)(?:tests?|testing|__tests__|fixtures?|testdata|test_data|snapshots?|__snapshots__)/"
    r"|(?:\A|/)(?:test_[^/]*|conftest)\.py\Z"
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_LONGEST_TEXT = 500


class _Found(NamedTuple):
    draft: Draft
    origin: Origin
    document: str
    owner: str | None = None


def find_claims(
    index: FactIndex, *, documents: Sequence[str] | None = None, commits: Sequence[CommitText] = ()
) -> list[DocClaim]:
    """All claims in order of documents and lines; with `documents`, only those that stand in these files.

    Without `documents`, tests and their data are left out: they are not written to be relied on.
    """
    names = Names(index)
    chosen = None if documents is None else frozenset(documents)
    seen: Counter[str] = Counter()
    found: list[DocClaim] = []
    for file in index.repository.files:
        if chosen is not None and file.path not in chosen:
            continue
        if chosen is None and _NOT_THE_PROJECT.search(file.path):
            continue
        if file.language in _READERS:
            said = _in_document(file.path, file.language, names)
        else:
            said = _in_source(file.path, names)
        found.extend(_claim(one, seen) for one in _each_once(said))
    for commit in commits:
        found.extend(_claim(one, seen) for one in _each_once(_in_commit(commit, names)))
    return plausible(found, index)


def _in_document(path: str, language: str, names: Names) -> Iterator[_Found]:
    if _NOT_READ.search(path):
        return
    try:
        text = names.index.repository.read(path)
    except InputError:
        return
    read, origin = _READERS[language]
    blocks = read(text)
    if is_changelog(path):
        for block in blocks:
            for draft in (*changelog_drafts(block), *link_drafts(getattr(block, "links", ()))):
                yield _Found(draft, Origin.CHANGELOG, path)
        return
    if speaks_of_the_past(path):
        for block in blocks:
            for draft in link_drafts(getattr(block, "links", ())):
                yield _Found(draft, origin, path)
        return
    for draft in document_drafts(blocks, Context(names, path)):
        yield _Found(draft, origin, path)


def _in_source(path: str, names: Names) -> Iterator[_Found]:
    facts = names.index.files.get(path)
    if facts is None:
        return
    for draft, text in source_drafts(facts, names):
        yield _Found(draft, text.origin, path, text.owner or None)
    for draft in promise_drafts(facts.facts):
        yield _Found(
            draft, Origin.NAME, path, draft.assertion.subject.name if draft.assertion.subject else None
        )


def _in_commit(commit: CommitText, names: Names) -> Iterator[_Found]:
    """A message speaks of what its commit did, so its claims are history."""
    context = Context(names, commit.hash)
    line = 1
    for paragraph in _PARAGRAPH.split(commit.text):
        lines = [SourceLine(text, number) for number, text in enumerate(paragraph.split("\n"), line)]
        line += len(lines) + 1
        passage, _ = markdown_inline(lines)
        for draft in (*prose_drafts(passage, context), *commit_references(passage)):
            yield _Found(draft, Origin.COMMIT, commit.hash)


def _each_once(found: Iterator[_Found]) -> Iterator[_Found]:
    """A line that names a thing twice says once that it is there."""
    said = set()
    for one in found:
        assertion = one.draft.assertion
        key = (one.draft.line, assertion.kind, assertion.subject, assertion.expected, assertion.is_negated)
        if key not in said:
            said.add(key)
            yield one


def _claim(found: _Found, seen: Counter[str]) -> DocClaim:
    draft, assertion = found.draft, found.draft.assertion
    domain = draft.domain or domain_of(assertion)
    if found.origin in (Origin.COMMIT, Origin.CHANGELOG):
        domain = ClaimDomain.HISTORY
    text = draft.text if len(draft.text) <= _LONGEST_TEXT else f"{draft.text[: _LONGEST_TEXT - 1]}…"
    subject = assertion.subject
    key = "\0".join(
        (
            found.document,
            assertion.kind,
            subject.kind if subject else "",
            subject.name if subject else "",
            *assertion.expected,
            text,
        )
    )
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    seen[digest] += 1
    return DocClaim(
        id=digest if seen[digest] == 1 else f"{digest}-{seen[digest]}",
        text=text,
        document=found.document,
        line=draft.line,
        end_line=max(draft.line, draft.end_line),
        origin=found.origin,
        category=draft.category,
        domain=domain,
        entities=draft.entities,
        assertion=assertion,
        depth=depth_of(assertion, domain),
        owner=found.owner,
    )
