"""Finds where in a text a claim stands that a language model extracted.

It looks, in this order, for the exact words (within the claim's context, if that is found), the same words ignoring case,
whitespace, quotation marks and Markdown, the place of the context, and the most similar sentence that shares a word with the claim.
A claim that resembles nothing in the text gets an empty span at its beginning. Claims in the same place are narrowed to their own
words within it.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz, process

from veridic.claims.classify import assess_risk, categorise, find_features
from veridic.claims.framing import detect_framing
from veridic.claims.worth import check_worthiness, prioritise
from veridic.domain.claim import Claim
from veridic.domain.consensus import ExtractedClaim
from veridic.domain.document import Block, BlockKind, Document, Span
from veridic.text.sentences import split_sentences
from veridic.text.words import STOPWORDS, Word, content_stems, find_words, stem

_MIN_OWN_WORDS = 2
"""A claim needs at least this many words that other claims don't share to get a span of its own."""
_CONNECTIVES = frozenset({"and", "but", "or", "while", "although", "though", "which", "who"})
_OPENING_CHARACTERS, _CLOSING_CHARACTERS = frozenset('£$€#([“"'), frozenset('%°)]”"')


class Placed(NamedTuple):
    claim: str
    span: Span


def own_spans(placed: Sequence[Placed], text: str) -> list[Span]:
    """Return the span of each claim; narrowed if another claim has the same span, or one inside it."""
    return [_narrowed(one, _rivals(one, placed), text) for one in placed]


def _rivals(one: Placed, placed: Sequence[Placed]) -> list[Placed]:
    start, end = one.span
    return [
        other
        for other in placed
        if other is not one and other.claim != one.claim and start <= other.span[0] < other.span[1] <= end
    ]


def _narrowed(one: Placed, rivals: Sequence[Placed], text: str) -> Span:
    start, end = one.span
    other_stems = frozenset().union(*(content_stems(rival.claim) for rival in rivals))
    own = content_stems(one.claim) - other_stems
    stretch = text[start:end]
    words = find_words(stretch) if rivals else []
    stems = [stem(word.text) for word in words]
    if len(own.intersection(stems)) < _MIN_OWN_WORDS:
        return one.span
    first, final = _best_stretch([_word_score(word, own, other_stems) for word in stems])
    begin, last = words[_extend_left(first, words, stretch)].start, words[final].end
    while begin > 0 and stretch[begin - 1] in _OPENING_CHARACTERS:
        begin -= 1
    while last < len(stretch) and stretch[last] in _CLOSING_CHARACTERS:
        last += 1
    return start + begin, start + last


def _word_score(word: str, own: Collection[str], other_stems: Collection[str]) -> float:
    """Return what a word of the sentence adds to the score of a stretch."""
    if word in own:
        return 1.0
    if word in other_stems:
        return -1.0
    return 0.0 if word in STOPWORDS else -0.5


def _best_stretch(scores: Sequence[float]) -> tuple[int, int]:
    """Return the first and last index of the stretch with the highest sum; of several, the shortest from the left."""
    best, stretch = 0.0, (0, 0)
    total, begin = 0.0, 0
    for place, worth in enumerate(scores):
        if total <= 0:
            total, begin = 0.0, place
        total += worth
        if total > best:
            best, stretch = total, (begin, place)
    return stretch


def _extend_left(first: int, words: Sequence[Word], text: str) -> int:
    """Extend the stretch to the left over small words, as the "has" of "has signed", but not over an "and"."""
    while first > 0:
        before, between = words[first - 1], text[words[first - 1].end : words[first].start]
        word = before.text.lower()
        if word not in STOPWORDS or word in _CONNECTIVES or not between.isspace():
            break
        first -= 1
    return first


MIN_SIMILARITY = 50.0
"""Out of 100. Sentences that share only small words reach about 40."""

_CANDIDATES = 5
_NOWHERE: Span = (0, 0)
_MAX_STATEMENT_CHARACTERS = 1500
"""Characters; the rules for framing and features are made for sentences."""
_QUOTES_AND_DASHES = str.maketrans("“”„‟«»‘’‚‛´‐‑‒–—−", '""""""\'\'\'\'\'------')
_IGNORED_CHARACTERS = frozenset(
    "*_`\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""Emphasis and invisible characters, which a model seldom repeats."""
_BLOCKS_WITHOUT_CLAIMS = (BlockKind.HEADING, BlockKind.CODE)


class Sentence(NamedTuple):
    """A sentence of a document's prose."""

    span: Span
    text: str
    """As shown to readers: on one line, without markup."""


def sentences_of(document: Document) -> list[Sentence]:
    """Return all sentences in order; a claim's `sentence_index` counts these."""
    return [one for block in _blocks(document) for one in _sentences(block, document.text)]


def word_for_word(claims: Sequence[Claim], document: Document) -> set[str]:
    """Return the ids of claims that occur literally in the text, ignoring case, whitespace, quotation marks and Markdown."""
    finder = _Finder(document)
    return {claim.id for claim in claims if finder.has(claim.text)}


def locate_claims(claims: Sequence[ExtractedClaim], document: Document) -> tuple[Claim, ...]:
    """Return each claim with its span in `document`, and with framing, risk, category and worth from our rules; ids and types are kept."""
    finder = _Finder(document)
    found = [Placed(claim.claim, finder.find(claim)) for claim in claims]
    spans = own_spans(found, document.text)
    return tuple(_claim(claim, span, finder) for claim, span in zip(claims, spans, strict=True))


def _claim(extracted: ExtractedClaim, span: Span, finder: "_Finder") -> Claim:
    statement = " ".join(extracted.claim[:_MAX_STATEMENT_CHARACTERS].split())
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
    """A text folded for comparison, so that small differences vanish."""

    text: str
    offsets: list[int]
    """The document offset of each character in `text`."""

    def place(self, start: int, end: int) -> Span:
        return self.offsets[start], self.offsets[end - 1] + 1


class _Finder:
    """Finds spans in a document. Folding is the slowest part and most claims don't need it, so it is done lazily."""

    def __init__(self, document: Document) -> None:
        self.text = document.text
        self._blocks = _blocks(document)
        self._sentences = [one.span for one in sentences_of(document)]
        self._starts = [start for start, _ in self._sentences]

    def has(self, words: str) -> bool:
        return self._find_exact(words, None) is not None or self._find_folded(words, None) is not None

    def find(self, claim: ExtractedClaim) -> Span:
        if self.text.count(claim.claim.strip()) == 1:
            return self._find_exact(claim.claim, None) or _NOWHERE
        context = self._find_exact(claim.context, None) or self._find_folded(claim.context, None)
        return (
            self._find_exact(claim.claim, context)
            or self._find_folded(claim.claim, context)
            or context
            or self._find_most_similar(claim.claim)
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

    def _find_exact(self, words: str, within: Span | None) -> Span | None:
        wanted = words.strip()
        start = self.text.find(wanted, *within) if within else -1
        if start < 0:
            start = self.text.find(wanted)
        return (start, start + len(wanted)) if wanted and start >= 0 else None

    def _find_folded(self, words: str, within: Span | None) -> Span | None:
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

    def _find_most_similar(self, words: str) -> Span | None:
        wanted = _fold_text(words[:_MAX_STATEMENT_CHARACTERS])
        alike = process.extract(
            wanted,
            self._folded_sentences,
            scorer=fuzz.token_set_ratio,
            score_cutoff=MIN_SIMILARITY,
            limit=_CANDIDATES,
        )
        return next((self._sentences[i] for text, _, i in alike if _share_content_word(wanted, text)), None)


def _share_content_word(one: str, other: str) -> bool:
    """Whether two texts share a content word: small words alone can make two sentences similar."""
    words, others = content_stems(one), content_stems(other)
    return not words or not others or not words.isdisjoint(others)


def _blocks(document: Document) -> Sequence[Block]:
    return document.blocks or (Block(kind=BlockKind.PARAGRAPH, runs=((0, len(document.text)),)),)


def _sentences(block: Block, text: str) -> Iterator[Sentence]:
    if block.kind in _BLOCKS_WITHOUT_CLAIMS:
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
    """Join parts with a space between them; the space gets the offset of the end of the part before it."""
    offsets: list[int] = []
    filled = [part for part in parts if part.text]
    for part in filled:
        offsets += [*part.offsets, part.offsets[-1]]
    return _Folded(" ".join(part.text for part in filled), offsets)


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    if character in _IGNORED_CHARACTERS:
        return ""
    return " " if character.isspace() else character.translate(_QUOTES_AND_DASHES).casefold()


def _fold_text(text: str) -> str:
    return _fold(text, [(0, len(text))]).text.strip()
