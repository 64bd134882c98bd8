"""The embedded extractor: a document's claims, each with the author's exact words.

Block by block, sentence by sentence, clause by clause. A sentence that reports, insinuates or rests on
private data stays whole, with what it says underneath in its framing; any other is split into the
clauses that claim something by themselves. What is not checked is kept as an `Omission` with its reason.
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from veridic.claims.category import categorise
from veridic.claims.claim_type import claim_type
from veridic.claims.clauses import Clause, split_clauses
from veridic.claims.coreference import Mentions
from veridic.claims.features import find_features
from veridic.claims.framing import detect_framing
from veridic.claims.omissions import reason_to_omit
from veridic.claims.risk import assess_risk
from veridic.claims.worth import check_worthiness, prioritise, weigh_by_model
from veridic.claims.worth_model import Embed
from veridic.domain.claim import Claim, Extraction, Framing, FramingKind, Omission, OmissionReason
from veridic.domain.document import Block, BlockKind, Document, Span
from veridic.language.detect import detect_language
from veridic.language.sentences import split_sentences

LONGEST_SENTENCE = 1500
"""Characters. Anything longer without an end is a list or debris, not one statement."""

_SILENT = frozenset({BlockKind.HEADING, BlockKind.CODE})
_ENGLISH = ("en", "und")


def extract_claims(document: Document, embed: Embed | None = None) -> Extraction:
    """All claims of `document` in the order of its text, and everything that was left out.

    With `embed`, the embedded model's vectors of sentences, check-worthiness is as learned and not by rules.
    """
    language = detect_language(_sample(document))
    collector = _Collector(document, language)
    for block in document.blocks or _whole(document):
        collector.read_block(block)
    claims = collector.claims if embed is None else weigh_by_model(collector.claims, embed)
    return Extraction(
        claims=tuple(claims),
        omissions=tuple(collector.omissions),
        sentence_count=collector.sentence_count,
        language=language,
    )


def _whole(document: Document) -> tuple[Block, ...]:
    if not document.text.strip():
        return ()
    return (Block(kind=BlockKind.PARAGRAPH, runs=((0, len(document.text)),)),)


def _sample(document: Document, size: int = 6000) -> str:
    """Enough prose to tell the language by: code and headings say little about it."""
    if not document.blocks:
        return document.text[:size]
    pieces: list[str] = []
    length = 0
    for block in document.blocks:
        if block.kind not in _SILENT:
            pieces.append(block.plain(document.text)[: size - length])
            length += len(pieces[-1])
        if length >= size:
            break
    return "\n".join(pieces)


class _Placer:
    """`Block.place` for many places of one block, in logarithmic time each."""

    def __init__(self, block: Block) -> None:
        self._runs = [run for run in block.runs if run[1] > run[0]]
        self._ends = list(accumulate(end - start for start, end in self._runs))

    def place(self, start: int, end: int) -> Span:
        return self._offset(start), self._offset(end - 1) + 1

    def _offset(self, position: int) -> int:
        run = bisect_right(self._ends, position)
        return self._runs[run][1] - (self._ends[run] - position)


class _Statement(NamedTuple):
    """One candidate: where it stands in the document, what it says, and the sentence around it."""

    span: Span
    text: str
    context: str
    sentence_index: int
    framing: Framing


class _Collector:
    def __init__(self, document: Document, language: str) -> None:
        self.claims: list[Claim] = []
        self.omissions: list[Omission] = []
        self.sentence_count = 0
        self._text = document.text
        self._language = language
        self._mentions = Mentions(document.title)
        self._seen: set[str] = set()

    def read_block(self, block: Block) -> None:
        plain = block.plain(self._text)
        if block.kind is BlockKind.HEADING:
            self._mentions.start_section(plain)
        if block.kind in _SILENT or not plain.strip():
            return
        self._mentions.start_block()
        block_language = detect_language(plain)
        placer = _Placer(block)
        for start, end in split_sentences(plain):
            self._read_sentence(plain[start:end], start, placer, block_language)
            self.sentence_count += 1

    def _read_sentence(self, raw: str, offset: int, placer: _Placer, block_language: str) -> None:
        span = placer.place(offset, offset + len(raw))
        if len(raw) > LONGEST_SENTENCE:
            self._omit(
                span, raw, OmissionReason.NOT_A_CLAIM, f"over {LONGEST_SENTENCE} characters without an end"
            )
            return
        other = self._other_language(raw, block_language)
        if other is not None:
            self._omit(span, raw, OmissionReason.OTHER_LANGUAGE, other)
            return
        context = _normalise(raw)
        framing = detect_framing(context)
        for clause in _clauses(raw, framing):
            place = placer.place(offset + clause.start, offset + clause.end)
            self._consider(_Statement(place, _normalise(clause.text), context, self.sentence_count, framing))

    def _other_language(self, sentence: str, block_language: str) -> str | None:
        """The language of a sentence that is not English; what can't be told follows its surroundings."""
        language = detect_language(sentence)
        for candidate in (language, block_language, self._language):
            if candidate != "und":
                return None if candidate == "en" else candidate
        return None

    def _consider(self, statement: _Statement) -> None:
        kept_whatever_it_says = statement.framing.kind is not FramingKind.DIRECT_FACTUAL
        finding = None if kept_whatever_it_says else reason_to_omit(statement.text)
        if finding is not None:
            self._omit(statement.span, statement.text, *finding)
            if finding[0] in _STILL_ABOUT:
                self._mentions.observe(self._mentions.resolve(statement.text))
            return
        text = self._mentions.resolve(statement.text)
        self._mentions.observe(text)
        key = text.rstrip(".!…")
        if key in self._seen:
            self._omit(statement.span, statement.text, OmissionReason.DUPLICATE, None)
            return
        self._seen.add(key)
        self.claims.append(self._claim(statement, text))

    def _claim(self, statement: _Statement, text: str) -> Claim:
        framing = statement.framing
        features = find_features(text)
        kind = claim_type(features, framing)
        risk = assess_risk(features, framing)
        worth = check_worthiness(features, kind, framing)
        return Claim(
            id=f"claim_{len(self.claims) + 1}",
            text=text,
            quote=self._text[slice(*statement.span)],
            span=statement.span,
            sentence_index=statement.sentence_index,
            context=statement.context,
            type=kind,
            framing=framing,
            risk=risk,
            category=categorise(text),
            priority=prioritise(risk, worth),
            check_worthiness=worth,
        )

    def _omit(self, span: Span, text: str, reason: OmissionReason, detail: str | None) -> None:
        self.omissions.append(Omission(span=span, text=_normalise(text), reason=reason, detail=detail))


_STILL_ABOUT = frozenset(
    {OmissionReason.OPINION, OmissionReason.PREDICTION, OmissionReason.HEDGED, OmissionReason.DEFINITION}
)
"""Left out, but the next "it" may refer to its subject."""


def _clauses(raw: str, framing: Framing) -> Iterator[Clause]:
    if framing.kind is FramingKind.DIRECT_FACTUAL:
        yield from split_clauses(raw)
    else:
        yield Clause(0, len(raw), raw)


def _normalise(text: str) -> str:
    return " ".join(text.split())
