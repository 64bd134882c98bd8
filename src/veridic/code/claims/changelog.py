"""Changelogs speak of the past: only what they refer to is claimed, that it exists."""

import re
from collections.abc import Iterator

from veridic.code.claims.blocks import Block, Heading, Paragraph
from veridic.code.claims.drafts import Draft
from veridic.code.claims.passage import Passage
from veridic.domain.code import Assertion, AssertionKind, ClaimCategory, ClaimDomain, Entity, EntityKind

_NAME = re.compile(r"(?:CHANGE(?:S|LOG)|HISTORY|NEWS|RELEASES?|RELEASE[-_ ]NOTES)(?:\.\w+)?\Z", re.IGNORECASE)
_OF_ANOTHER_TIME = re.compile(
    r"(?:^|[-_./ ])(?:upgrad(?:e|es|ing)|migrat(?:ions?|ing)|deprecat(?:ions?|ed)|history(?=/)|historical|what\W?s[-_ ]?new|rel(?:ease)?[-_ ]?notes|news(?=/)|version[-_ ]?history|change[-_]logs?|changelogs?|changes|releases"
    r"|plans?(?=/|\.\w+\Z)|proposals?|roadmaps?|rfcs?(?=/))(?=[-_./ \d]|\Z)",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"\[?v?(?P<version>\d+\.\d+(?:\.\d+)*(?:[-.]?(?:a|b|rc|alpha|beta|dev|post)\.?\d*)?)\]?(?=[\s\])(:,–—-]|\Z)"
)
_COMMIT = re.compile(r"(?<![\w/.#-])`?(?P<commit>(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40})`?(?![\w/-]|\.\w)")

_CALLED_A_COMMIT = re.compile(r"\b(?:commit|revision|changeset) \Z", re.IGNORECASE)


def is_changelog(path: str) -> bool:
    return _NAME.match(path.rpartition("/")[2]) is not None


def speaks_of_another_time(path: str) -> bool:
    """A guide to upgrading, a page of deprecations, a plan: what it names may well be gone, or not be there yet."""
    return _OF_ANOTHER_TIME.search(path) is not None


def changelog_drafts(block: Block) -> Iterator[Draft]:
    """The version that a heading names, and the commits that entries refer to."""
    if isinstance(block, Heading):
        match = _VERSION.search(block.passage.text[:200])
        if match:
            yield _exists(block.passage, EntityKind.VERSION, match, "version")
    elif isinstance(block, Paragraph):
        yield from commit_references(block.passage)


def commit_references(passage: Passage) -> Iterator[Draft]:
    """Hashes of commits that a text refers to."""
    for match in _COMMIT.finditer(passage.text):
        yield _exists(passage, EntityKind.COMMIT, match, "commit")


def named_commits(passage: Passage) -> Iterator[Draft]:
    """The same where a text says that it means a commit: in most documents, a row of such digits is something else."""
    for match in _COMMIT.finditer(passage.text):
        if _CALLED_A_COMMIT.search(passage.text, 0, match.start()):
            yield _exists(passage, EntityKind.COMMIT, match, "commit")


def _exists(passage: Passage, kind: EntityKind, match: re.Match[str], group: str) -> Draft:
    entity = Entity(kind=kind, name=match[group])
    line = passage.line(match.start(group))
    assertion = Assertion(
        kind=AssertionKind.EXISTS,
        subject=entity,
        expected=(match[group],),
        expected_place=passage.place(*match.span(group)),
    )
    text = passage.text[max(0, match.start() - 200) : match.end() + 200].strip()
    return Draft(assertion, text, line, line, (entity,), ClaimCategory.INTERNAL, ClaimDomain.HISTORY)
