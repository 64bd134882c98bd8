"""What one file of a repository says about its code."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from veridic.code.claims.changelog import changelog_drafts, is_changelog, speaks_of_another_time
from veridic.code.claims.document import document_drafts
from veridic.code.claims.domains import depth_of, domain_of
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.links import link_drafts
from veridic.code.claims.markdown import markdown_blocks
from veridic.code.claims.names import Names
from veridic.code.claims.promises import promise_drafts
from veridic.code.claims.rst import rst_blocks
from veridic.code.claims.source_texts import source_drafts
from veridic.code.repository import RepoFile
from veridic.domain.code import ClaimDomain, DocClaim, Origin
from veridic.domain.errors import InputError

_READERS = {"markdown": (markdown_blocks, Origin.MARKDOWN), "rst": (rst_blocks, Origin.RST)}
_NOT_READ = re.compile(
    r"(?:\A|/)(?:LICEN[CS]E|COPYING|NOTICE|CODE[-_]OF[-_]CONDUCT|AUTHORS|CONTRIBUTORS|MAINTAINERS|THIRD[-_]PARTY)[^/]*\Z",
    re.IGNORECASE,
)
_LONGEST_TEXT = 500


class Said(NamedTuple):
    """A draft with where it was found."""

    draft: Draft
    origin: Origin
    document: str
    owner: str | None = None


def claims_in(file: RepoFile, names: Names) -> list[DocClaim]:
    """The claims of a document, or of a source file's texts and names, in the order in which they are found."""
    if file.language in _READERS:
        return as_claims(_in_document(file.path, file.language, names))
    return as_claims(_in_source(file.path, names))


def as_claims(said: Iterable[Said]) -> list[DocClaim]:
    """Everything that one document says, each thing once, under ids that only this document has."""
    seen: Counter[str] = Counter()
    return [_claim(one, seen) for one in _each_once(said)]


def _in_document(path: str, language: str, names: Names) -> Iterator[Said]:
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
            for draft in (*changelog_drafts(block), *link_drafts(getattr(block, "links", ()), names)):
                yield Said(draft, Origin.CHANGELOG, path)
        return
    if speaks_of_another_time(path):
        for block in blocks:
            for draft in link_drafts(getattr(block, "links", ()), names):
                yield Said(draft, origin, path)
        return
    for draft in document_drafts(blocks, Context(names, path)):
        yield Said(draft, origin, path)


def _in_source(path: str, names: Names) -> Iterator[Said]:
    facts = names.index.files.get(path)
    if facts is None:
        return
    for draft, text in source_drafts(facts, names):
        yield Said(draft, text.origin, path, text.owner or None)
    for draft in promise_drafts(facts.facts):
        yield Said(
            draft, Origin.NAME, path, draft.assertion.subject.name if draft.assertion.subject else None
        )


def _each_once(found: Iterable[Said]) -> Iterator[Said]:
    """A line that names a thing twice says once that it is there."""
    said = set()
    for one in found:
        assertion = one.draft.assertion
        key = (one.draft.line, assertion.kind, assertion.subject, assertion.expected, assertion.is_negated)
        if key not in said:
            said.add(key)
            yield one


def _claim(found: Said, seen: Counter[str]) -> DocClaim:
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
