"""The embedded extractor: finds a document's claims, each with the author's exact words.

It goes through blocks, sentences and clauses. Every clause that can be true or false is a candidate, worded so that it can be
read alone. Questions, instructions and clauses with nothing to check are omitted, with the reason.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from veridic.claims.classify import assess_risk, categorise, claim_type, find_features
from veridic.claims.clauses import Clause, ClauseKind, sentence_case, split_clauses
from veridic.claims.framing import detect_framings
from veridic.claims.references import References
from veridic.claims.sentence_models import Embed, checkable
from veridic.claims.worth import check_worthiness, prioritise, weigh_by_model
from veridic.domain.claim import Claim, Extraction, Framing, FramingKind, Omission, OmissionReason
from veridic.domain.document import Block, BlockKind, Document, Span
from veridic.text.detect import detect_language
from veridic.text.english import parse
from veridic.text.relative_dates import with_dates_resolved
from veridic.text.sentences import split_sentences

if TYPE_CHECKING:
    from spacy.tokens import Token

MAX_SENTENCE_CHARACTERS = 1500
"""Characters. A longer sentence is a list or debris, not one statement."""
MIN_WORDS = 3
_WORD = re.compile(r"\S+")
_BLOCKS_WITHOUT_CLAIMS = frozenset({BlockKind.HEADING, BlockKind.CODE})
_REPORTED_FRAMINGS = frozenset({FramingKind.HEARSAY, FramingKind.PRIVATE_DATA})
"""Framings that report what somebody says or knows: these are always kept, because they can be checked or must be marked as uncheckable."""
_MAIN_CLAUSES = frozenset({ClauseKind.MAIN, ClauseKind.JOINED})


def extract_claims(document: Document, embed: Embed | None = None) -> Extraction:
    """Return all claims of `document` in order, and everything that was omitted.

    With `embed`, which returns the embedded model's vectors of sentences, trained models decide which clauses have something to
    check and how much they are worth checking. Without it every clause that asserts something is a claim.
    """
    language = detect_language(_sample(document))
    collector = _Collector(document, language)
    for block in document.blocks or _single_block(document):
        collector.read_block(block)
    collector.split_into_clauses(embed)
    if embed is not None:
        collector.omit_uncheckable(embed)
    claims = collector.claims()
    return Extraction(
        claims=tuple(claims if embed is None else weigh_by_model(claims, embed)),
        omissions=tuple(sorted(collector.omissions, key=lambda omission: omission.span)),
        sentence_count=collector.sentence_count,
        language=language,
    )


def _single_block(document: Document) -> tuple[Block, ...]:
    if not document.text.strip():
        return ()
    return (Block(kind=BlockKind.PARAGRAPH, runs=((0, len(document.text)),)),)


def _sample(document: Document, size: int = 6000) -> str:
    """Return enough prose to detect the language; code and headings say little about it."""
    if not document.blocks:
        return document.text[:size]
    pieces: list[str] = []
    length = 0
    for block in document.blocks:
        if block.kind not in _BLOCKS_WITHOUT_CLAIMS:
            pieces.append(block.plain(document.text)[: size - length])
            length += len(pieces[-1])
        if length >= size:
            break
    return "\n".join(pieces)


def _framing_texts(clauses: Sequence[Clause], sentence: str) -> list[str]:
    """Return the texts to detect the framing of each main clause: the sentence if it has only one, else the clauses."""
    main = [clause.wording for clause in clauses if clause.kind in _MAIN_CLAUSES]
    return [sentence] if len(main) == 1 and sentence else main


def _resolution_order(clause: Clause) -> int:
    """Return the order in which references are resolved: lower first."""
    return 1 if clause.kind in _MAIN_CLAUSES else 2 if clause.kind is ClauseKind.CONCESSION else 0


class _Placer:
    """`Block.place` for many positions in one block, in logarithmic time each."""

    def __init__(self, block: Block) -> None:
        self._runs = [run for run in block.runs if run[1] > run[0]]
        self._ends = list(accumulate(end - start for start, end in self._runs))

    def place(self, start: int, end: int) -> Span:
        return self._offset(start), self._offset(end - 1) + 1

    def _offset(self, position: int) -> int:
        run = bisect_right(self._ends, position)
        return self._runs[run][1] - (self._ends[run] - position)


class _Sentence(NamedTuple):
    """A sentence that may contain claims, and its position."""

    raw: str
    offset: int
    """Offset in its block's plain text."""
    placer: _Placer
    number: int

    @property
    def context(self) -> str:
        """The sentence on one line: line breaks mean nothing and confuse the parser."""
        return _normalise(self.raw)

    def place(self, clause: Clause) -> Span:
        """Return the span in the document of a clause of `context`."""
        places: list[int] = []
        for word in _WORD.finditer(self.raw):
            places.extend(range(word.start() - bool(places), word.end()))
        return self.placer.place(self.offset + places[clause.start], self.offset + places[clause.end - 1] + 1)


class _Heading(NamedTuple):
    text: str


class _Statement(NamedTuple):
    """A candidate claim: its span in the document, its wording, and the sentence around it."""

    span: Span
    text: str
    context: str
    sentence_index: int
    framing: Framing


class _Collector:
    def __init__(self, document: Document, language: str) -> None:
        self.omissions: list[Omission] = []
        self.sentence_count = 0
        self._sentences: list[_Sentence | _Heading] = []
        self._statements: list[_Statement] = []
        self._text = document.text
        self._published = document.published
        self._language = language
        self._references = References()
        self._seen: set[str] = set()

    def read_block(self, block: Block) -> None:
        plain = block.plain(self._text)
        if block.kind is BlockKind.HEADING and plain.strip():
            self._sentences.append(_Heading(_normalise(plain)))
        if block.kind in _BLOCKS_WITHOUT_CLAIMS or not plain.strip():
            return
        block_language = detect_language(plain)
        placer = _Placer(block)
        for start, end in split_sentences(plain):
            self._read_sentence(plain[start:end], start, placer, block_language)
            self.sentence_count += 1

    def split_into_clauses(self, embed: Embed | None) -> None:
        """Split all sentences into clauses, each worded so that it can be read alone."""
        split = [
            [split_clauses(part) for part in parse(one.context).sents] if isinstance(one, _Sentence) else []
            for one in self._sentences
        ]
        framing_texts = [
            text
            for one, parts in zip(self._sentences, split, strict=True)
            for clauses in parts
            for text in _framing_texts(
                clauses, one.context if isinstance(one, _Sentence) and len(parts) == 1 else ""
            )
        ]
        framings = iter(detect_framings(framing_texts, embed))
        for one, parts in zip(self._sentences, split, strict=True):
            if isinstance(one, _Heading):
                self._references.start_section(parse(one.text))
                continue
            for clauses in parts:
                own = [next(framings) if clause.kind in _MAIN_CLAUSES else Framing() for clause in clauses]
                wordings = self._resolve_references(clauses)
                for clause, wording, framing in zip(clauses, wordings, own, strict=True):
                    self._consider(clause, wording, one, self._with_speaker(framing))

    def _with_speaker(self, framing: Framing) -> Framing:
        """Replace a pronoun as the speaker with the name."""
        name = self._references.resolve_pronoun(framing.speaker.lower()) if framing.speaker else None
        return framing.model_copy(update={"speaker": sentence_case(name)}) if name else framing

    def _resolve_references(self, clauses: Sequence[Clause]) -> list[str]:
        """Resolve the references in each clause. In "Her husband, Paul Jones" the pronoun refers to somebody named before, but in
        "although she lost" it may refer to somebody named after it."""
        wordings = [clause.wording for clause in clauses]
        for number in sorted(range(len(clauses)), key=lambda number: _resolution_order(clauses[number])):
            clause = clauses[number]
            wordings[number] = self._references.resolve(clause.wording, clause.head)
            if clause.kind in _MAIN_CLAUSES:
                self._references.observe(clause)
        return wordings

    def omit_uncheckable(self, embed: Embed) -> None:
        """Omit what the trained model finds nothing to check in: opinion, mood, figures of speech."""
        kept = []
        for statement, is_checkable in zip(
            self._statements, checkable([s.text for s in self._statements], embed), strict=True
        ):
            if is_checkable or statement.framing.kind in _REPORTED_FRAMINGS:
                kept.append(statement)
            else:
                self._omit(statement.span, statement.text, OmissionReason.OPINION)
        self._statements = kept

    def claims(self) -> list[Claim]:
        return [self._claim(number, statement) for number, statement in enumerate(self._statements, 1)]

    def _read_sentence(self, raw: str, offset: int, placer: _Placer, block_language: str) -> None:
        span = placer.place(offset, offset + len(raw))
        if len(raw) > MAX_SENTENCE_CHARACTERS:
            detail = f"over {MAX_SENTENCE_CHARACTERS} characters without an end"
            self._omit(span, raw, OmissionReason.NOT_A_CLAIM, detail)
            return
        other = self._other_language(raw, block_language)
        if other is not None:
            self._omit(span, raw, OmissionReason.OTHER_LANGUAGE, other)
            return
        if raw.rstrip(" \"'”’)]*_»").endswith("?"):
            self._omit(span, raw, OmissionReason.QUESTION, "?")
            return
        self._sentences.append(_Sentence(raw, offset, placer, self.sentence_count))

    def _other_language(self, sentence: str, block_language: str) -> str | None:
        """Return the language of a sentence that is not English; an undetected one is taken from its surroundings."""
        language = detect_language(sentence)
        for candidate in (language, block_language, self._language):
            if candidate != "und":
                return None if candidate == "en" else candidate
        return None

    def _consider(self, clause: Clause, wording: str, sentence: _Sentence, framing: Framing) -> None:
        place = sentence.place(clause)
        reason = _reason_to_omit(clause)
        if reason is not None:
            self._omit(place, clause.wording, reason)
            return
        text = self._resolve_dates(wording)
        key = text.rstrip(".!…")
        if key in self._seen:
            self._omit(place, clause.wording, OmissionReason.DUPLICATE)
            return
        self._seen.add(key)
        self._statements.append(_Statement(place, text, sentence.context, sentence.number, framing))

    def _resolve_dates(self, text: str) -> str:
        """Resolve relative dates, if every possible day of publication gives them the same meaning."""
        if self._published is None:
            return text
        readings = {with_dates_resolved(text, day) for day in (self._published.first, self._published.last)}
        return readings.pop() if len(readings) == 1 else text

    def _claim(self, number: int, statement: _Statement) -> Claim:
        framing = statement.framing
        features = find_features(statement.text)
        kind = claim_type(features, framing)
        risk = assess_risk(features, framing)
        worth = check_worthiness(features, kind, framing)
        return Claim(
            id=f"claim_{number}",
            text=statement.text,
            quote=self._text[slice(*statement.span)],
            span=statement.span,
            sentence_index=statement.sentence_index,
            context=statement.context,
            type=kind,
            framing=framing,
            risk=risk,
            category=categorise(statement.text),
            priority=prioritise(risk, worth),
            check_worthiness=worth,
        )

    def _omit(self, span: Span, text: str, reason: OmissionReason, detail: str | None = None) -> None:
        self.omissions.append(Omission(span=span, text=_normalise(text), reason=reason, detail=detail))


def _reason_to_omit(clause: Clause) -> OmissionReason | None:
    if len(clause.wording.split()) < MIN_WORDS:
        return OmissionReason.NOT_A_CLAIM
    if clause.kind is not ClauseKind.MAIN:
        return None
    if _is_instruction(clause.head):
        return OmissionReason.INSTRUCTION
    words = list(clause.head.subtree)
    if any(token.pos_ in ("VERB", "AUX") or token.like_num or _is_mistagged_verb(token) for token in words):
        return None
    return OmissionReason.NOT_A_CLAIM


def _is_instruction(head: "Token") -> bool:
    """Whether a verb has no subject: "Click here", "Don't forget"."""
    return head.tag_ in ("VB", "VBP") and all(
        child.dep_ not in ("nsubj", "nsubjpass", "csubj", "expl")
        and (child.dep_ != "aux" or (child.lemma_ == "do" and child.tag_ in ("VB", "VBP")))
        for child in head.children
    )


def _is_mistagged_verb(token: "Token") -> bool:
    """Whether a verb was tagged as a plural noun, as in "Peru borders Chile": another noun follows it directly."""
    if token.tag_ != "NNS" or token.i == token.sent.start or token.i + 1 >= token.sent.end:
        return False
    if token.dep_ == "compound":
        return token.head.tag_ == "NNP"
    return any(
        child.dep_ in ("dobj", "appos") and child.left_edge.i == token.i + 1 for child in token.children
    )


def _normalise(text: str) -> str:
    return " ".join(text.split())
