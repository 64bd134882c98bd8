"""Everything that a repository's documents, sources and names, and given commits, say about its code."""

import re
from collections.abc import Iterator, Sequence

from veridic.code.claims.changelog import commit_references
from veridic.code.claims.drafts import Context
from veridic.code.claims.in_file import Said, as_claims
from veridic.code.claims.inline import markdown_inline
from veridic.code.claims.kept import KeptClaims
from veridic.code.claims.names import Names
from veridic.code.claims.passage import SourceLine
from veridic.code.claims.plausibility import plausible
from veridic.code.claims.pool import find_in_files
from veridic.code.claims.prose import prose_drafts
from veridic.code.history import CommitText
from veridic.code.index import FactIndex
from veridic.domain.code import DocClaim, Origin

_NOT_THE_PROJECT = re.compile(
    r"(?:\A|/)(?:tests?|testing|__tests__|fixtures?|testdata|test_data|snapshots?|__snapshots__|vendor|vendored|_vendor|third[-_]party|node_modules|bower_components|_sources)/"
    r"|(?:\A|/)(?:test_[^/]*|conftest)\.py\Z|(?:\A|/)(?:vendor[^/]*|[^/]*[.-](?:min|bundle))\.js\Z"
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


def find_claims(
    index: FactIndex,
    *,
    documents: Sequence[str] | None = None,
    commits: Sequence[CommitText] = (),
    kept: KeptClaims | None = None,
) -> list[DocClaim]:
    """All claims in order of documents and lines; with `documents`, only those that stand in these files.

    Without `documents`, tests and their data are left out: they are not written to be relied on. Claims that still
    hold come from `kept`, and all are kept there.
    """
    names = Names(index)
    chosen = None if documents is None else frozenset(documents)
    files = [
        file
        for file in index.repository.files
        if (file.path in chosen if chosen is not None else not _NOT_THE_PROJECT.search(file.path))
    ]
    known = kept.of_unchanged_files() if kept else {}
    unknown = [file for file in files if file.path not in known]
    found = dict(zip((file.path for file in unknown), find_in_files(unknown, names), strict=True))
    by_document = {file.path: known[file.path] if file.path in known else found[file.path] for file in files}
    by_document |= {commit.hash: as_claims(_in_commit(commit, names)) for commit in commits}
    claims = plausible([claim for said in by_document.values() for claim in said], index)
    if kept:
        kept.save(by_document, claims)
    return claims


def _in_commit(commit: CommitText, names: Names) -> Iterator[Said]:
    """A message speaks of what its commit did, so its claims are history."""
    context = Context(names, commit.hash)
    line = 1
    for paragraph in _PARAGRAPH.split(commit.text):
        lines = [SourceLine(text, number) for number, text in enumerate(paragraph.split("\n"), line)]
        line += len(lines) + 1
        passage, _ = markdown_inline(lines)
        for draft in (*prose_drafts(passage, context), *commit_references(passage)):
            yield Said(draft, Origin.COMMIT, commit.hash)
