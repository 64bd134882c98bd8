"""Where in the text a claim stands that a language model extracted.

Looked for in this order: the exact words (within the place of the claim's context, where that can be found), the
same words but for case, white space, quotation marks and Markdown between them, the context's place, and the
sentence most like the claim that shares a word with it. A claim that resembles nothing in the text has an empty span
at its beginning. Claims that come to stand in one place get their own words inside it (`claims/spans.py`).
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz, process

from veridic.claims.category import categorise
from veridic.claims.features import find_features
from veridic.claims.framing import detect_framing
from veridic.claims.risk import assess_risk
from veridic.claims.spans import Placed, own_spans
from veridic.claims.worth import check_worthiness, prioritise
from veridic.domain.claim import Claim
from veridic.domain.consensus import ExtractedClaim
from veridic.domain.document import Block, BlockKind, Document, Span
from veridic.text.sentences import split_sentences
from veridic.text.words import content_stems

LEAST_LIKENESS = 50.0
"""Of 100. Sentences that share nothing but small words come to about 40."""

_CANDIDATES = 5
_NOWHERE: Span = (0, 0)
_LONGEST_STATEMENT = 1500
"""Characters; the rules for framing and features are made for sentences."""
_UNIFIED = str.maketrans("“”„‟«»‘’‚‛´‐‑‒–—−", '""""""\'\'\'\'\'------')
_SKIPPED = frozenset(
    "*_`\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""Emphasis, and characters that show nothing: a model seldom repeats either."""
_SILENT = (BlockKind.HEADING, BlockKind.CODE)


class Sentence(NamedTuple):
    """A sentence of a document's prose."""

    span: Span
    text: str
    """As a reader sees it: on one line, without markup."""


def sentences_of(document: Document) -> list[Sentence]:
    """In the order of the text; a claim's `sentence_index` counts these."""
    return [one for block in _blocks(document) for one in _sentences(block, document.text)]


def word_for_word(claims: Sequence[Claim], document: Document) -> set[str]:
    """The ids of claims that stand in the text as they are, but for case, white space, quotation marks and Markdown."""
    finder = _Finder(document)
    return {claim.id for claim in claims if finder.has(claim.text)}


def locate_claims(claims: Sequence[ExtractedClaim], document: Document) -> tuple[Claim, ...]:
    """Each claim with its place in `document` and with what our own rules say about it; ids and types stay."""
    finder = _Finder(document)
    found = [Placed(claim.claim, finder.find(claim)) for claim in claims]
    spans = own_spans(found, document.text)
    return tuple(_claim(claim, span, finder) for claim, span in zip(claims, spans, strict=True))


def _claim(extracted: ExtractedClaim, span: Span, finder: "_Finder") -> Claim:
    statement = " ".join(extracted.claim[:_LONGEST_STATEMENT].split())
    features = find_features(statement)
    framing = detect_framing(statement)
    risk = assess_risk(features, framing)
    worth = check_worthiness(features, extracted.type, framing)
    return Claim(
        id=extracted.id,
        text=extracted.claim,
        quote=finder.text[slice(*span)],
        span=span,
        sentence_index=finder.sentence_index(span),
        context=extracted.context,
        type=extracted.type,
        framing=framing,
        risk=risk,
        category=categorise(statement),
        priority=prioritise(risk, worth),
        check_worthiness=worth,
    )


class _Folded(NamedTuple):
    """What a reader sees of a text, in a form in which small differences vanish."""

    text: str
    offsets: list[int]
    """Where in the document each character of `text` stands."""

    def place(self, start: int, end: int) -> Span:
        return self.offsets[start], self.offsets[end - 1] + 1


class _Finder:
    """Folding costs more than all else here, and most claims do without."""

    def __init__(self, document: Document) -> None:
        self.text = document.text
        self._blocks = _blocks(document)
        self._sentences = [one.span for one in sentences_of(document)]
        self._starts = [start for start, _ in self._sentences]

    def has(self, words: str) -> bool:
        return self._exact(words, None) is not None or self._same_words(words, None) is not None

    def find(self, claim: ExtractedClaim) -> Span:
        if self.text.count(claim.claim.strip()) == 1:
            return self._exact(claim.claim, None) or _NOWHERE
        context = self._exact(claim.context, None) or self._same_words(claim.context, None)
        return (
            self._exact(claim.claim, context)
            or self._same_words(claim.claim, context)
            or context
            or self._most_alike(claim.claim)
            or _NOWHERE
        )

    def sentence_index(self, span: Span) -> int:
        return max(0, bisect_right(self._starts, span[0]) - 1)

    @cached_property
    def _folded(self) -> _Folded:
        return _joined([_fold(self.text, block.runs) for block in self._blocks])

    @cached_property
    def _folded_sentences(self) -> list[str]:
        return [_fold_text(self.text[start:end]) for start, end in self._sentences]

    def _exact(self, words: str, within: Span | None) -> Span | None:
        wanted = words.strip()
        start = self.text.find(wanted, *within) if within else -1
        if start < 0:
            start = self.text.find(wanted)
        return (start, start + len(wanted)) if wanted and start >= 0 else None

    def _same_words(self, words: str, within: Span | None) -> Span | None:
        wanted = _fold_text(words).rstrip(".!?… ")
        if not wanted:
            return None
        start = -1
        if within is not None:
            first, last = (bisect_right(self._folded.offsets, offset - 1) for offset in within)
            start = self._folded.text.find(wanted, first, last)
        if start < 0:
            start = self._folded.text.find(wanted)
        return self._folded.place(start, start + len(wanted)) if start >= 0 else None

    def _most_alike(self, words: str) -> Span | None:
        wanted = _fold_text(words[:_LONGEST_STATEMENT])
        alike = process.extract(
            wanted,
            self._folded_sentences,
            scorer=fuzz.token_set_ratio,
            score_cutoff=LEAST_LIKENESS,
            limit=_CANDIDATES,
        )
        return next((self._sentences[i] for text, _, i in alike if _share_a_word(wanted, text)), None)


def _share_a_word(one: str, other: str) -> bool:
    """One that means something: small words alone can make two sentences alike."""
    words, others = content_stems(one), content_stems(other)
    return not words or not others or not words.isdisjoint(others)


def _blocks(document: Document) -> Sequence[Block]:
    return document.blocks or (Block(kind=BlockKind.PARAGRAPH, runs=((0, len(document.text)),)),)


def _sentences(block: Block, text: str) -> Iterator[Sentence]:
    if block.kind in _SILENT:
        return
    offsets = [offset for start, end in block.runs for offset in range(start, end)]
    plain = block.plain(text)
    for start, end in split_sentences(plain):
        yield Sentence((offsets[start], offsets[end - 1] + 1), " ".join(plain[start:end].split()))


def _fold(text: str, runs: Sequence[Span]) -> _Folded:
    characters: list[str] = []
    offsets: list[int] = []
    for offset in (offset for start, end in runs for offset in range(start, end)):
        folded = _fold_character(text[offset])
        if folded == " " and (not characters or characters[-1] == " "):
            continue
        characters.extend(folded)
        offsets.extend([offset] * len(folded))
    return _Folded("".join(characters), offsets)


def _joined(parts: Sequence[_Folded]) -> _Folded:
    """All parts with a space between two; the space stands where the part before it ends."""
    offsets: list[int] = []
    filled = [part for part in parts if part.text]
    for part in filled:
        offsets += [*part.offsets, part.offsets[-1]]
    return _Folded(" ".join(part.text for part in filled), offsets)


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    if character in _SKIPPED:
        return ""
    return " " if character.isspace() else character.translate(_UNIFIED).casefold()


def _fold_text(text: str) -> str:
    return _fold(text, [(0, len(text))]).text.strip()
