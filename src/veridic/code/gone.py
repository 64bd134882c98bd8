"""Names that a change took away, and the documents that still have them.

In a whole repository a name that nothing defines may be anybody's. Once it is known that the project itself had it at a
revision, a document that still names it is out of date.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from veridic.code.claims.blocks import Block, Heading, Paragraph, Table
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.in_file import Said, as_claims, blocks_of
from veridic.code.claims.names import Names
from veridic.code.claims.passage import Passage
from veridic.code.claims.sentence import Mention, Sentence, sentences
from veridic.code.claims.values import Value
from veridic.code.compare.looking import is_test
from veridic.code.index import FactIndex
from veridic.domain.code import (
    AgentVerdict,
    AssertionKind,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    EvidenceTier,
    Fact,
    FactKind,
)
from veridic.domain.evidence import Stance

AGENT = "history"
_KINDS = (FactKind.FUNCTION, FactKind.CLASS, FactKind.ENUM, FactKind.CONSTANT)
_DOCUMENTS = (".md", ".rst", ".txt", ".markdown")
_SHORTEST = 4
_LOOKS_LIKE_CODE = re.compile(r"\w_\w|[a-z][A-Z]|[A-Z][a-z]+[A-Z]|.\(")
_SURE = 0.9


class Gone(NamedTuple):
    """A claim that something is there, and why it is not."""

    claim: DocClaim
    verdict: AgentVerdict


def gone_names(before: Iterable[Fact], index: FactIndex) -> dict[str, Fact]:
    """What files defined at a revision and nothing in the code names any more, by its name."""
    return {
        fact.name: fact
        for fact in before
        if fact.kind in _KINDS
        and len(fact.name) >= _SHORTEST
        and not fact.name.startswith("_")
        and not is_test(fact.path)
        and not index.named(fact.name)
        and all(path.lower().endswith(_DOCUMENTS) for path in index.mentioning(fact.name))
    }


def find_gone(names_then: Mapping[str, Fact], revision: str, index: FactIndex) -> list[Gone]:
    """What the documents still say of those names."""
    if not names_then:
        return []
    names = Names(index)
    found: list[Gone] = []
    for file in index.repository.files:
        said = [
            Said(draft, origin, file.path)
            for origin, blocks in blocks_of(file, names)
            for draft in _drafts(blocks, names_then, Context(names, file.path))
        ]
        found += [
            Gone(claim, _verdict(names_then[claim.assertion.expected[0]], revision, index))
            for claim in as_claims(said)
        ]
    return found


def _drafts(blocks: Iterable[Block], gone: Mapping[str, Fact], context: Context) -> Iterator[Draft]:
    for passage in _passages(blocks):
        for sentence in sentences(passage, context):
            if not sentence.tells_of_what_is_not():
                yield from (_draft(sentence, mention) for mention in _mentions(sentence, gone))


def _passages(blocks: Iterable[Block]) -> Iterator[Passage]:
    for block in blocks:
        if isinstance(block, Paragraph | Heading):
            yield block.passage
        elif isinstance(block, Table):
            yield from (cell for row in block.rows for cell in row)


def _mentions(sentence: Sentence, gone: Mapping[str, Fact]) -> Iterator[Mention]:
    """Those that are written as code is: a word between backticks may be any word."""
    for mention in sentence.mentions:
        if _last(mention.entity.name) in gone and _LOOKS_LIKE_CODE.search(mention.written):
            yield mention


def _draft(sentence: Sentence, mention: Mention) -> Draft:
    name = _last(mention.entity.name)
    at = sentence.text.find(name, mention.start, mention.end)
    values = [Value(name, at, at + len(name))]
    return sentence.draft(AssertionKind.EXISTS, mention.entity, values, expected=(name,), quantifiers=())


def _last(name: str) -> str:
    return name.removesuffix("()").rpartition(".")[2]


def _verdict(then: Fact, revision: str, index: FactIndex) -> AgentVerdict:
    is_file_there = index.repository.exists(then.path)
    now = f"{then.path}: no {then.name}" if is_file_there else f"{then.path} is gone"
    evidence = (
        CodeEvidence(
            tier=EvidenceTier.HISTORY,
            stance=Stance.SUPPORTING,
            path=revision,
            quote=f"{then.path}:{then.line} at {revision[:10]}: {then.quote.strip()}",
        ),
        CodeEvidence(
            tier=EvidenceTier.CODE,
            stance=Stance.CONTRADICTING,
            path=then.path if is_file_there else ".",
            quote=now,
            digest=index.digest(then.path),
        ),
    )
    return AgentVerdict(
        agent=AGENT,
        verdict=CodeVerdict.STALE,
        confidence=_SURE,
        reason=f"Nothing defines `{then.name}` any more; {then.path} did at {revision[:10]}.",
        evidence=evidence,
        depth=Depth.MEDIUM,
    )
