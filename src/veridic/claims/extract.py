"""The embedded extractor: a document's claims, each with the author's exact words.

Block by block, sentence by sentence, clause by clause: every clause that can be true or false by itself is a candidate,
worded so that it can be read alone. What asks, orders or has nothing to check in it is left out, with the reason.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from veridic.claims.category import categorise
from veridic.claims.checkable import checkable
from veridic.claims.claim_type import claim_type
from veridic.claims.clauses import Clause, ClauseKind, sentence_case, split_clauses
from veridic.claims.features import find_features
from veridic.claims.framing import detect_framings
from veridic.claims.references import References
from veridic.claims.risk import assess_risk
from veridic.claims.worth import check_worthiness, prioritise, weigh_by_model
from veridic.claims.worth_model import Embed
from veridic.domain.claim import Claim, Extraction, Framing, FramingKind, Omission, OmissionReason
from veridic.domain.document import Block, BlockKind, Document, Span
from veridic.text.detect import detect_language
from veridic.text.english import parse
from veridic.text.relative_dates import with_dates_resolved
from veridic.text.sentences import split_sentences

if TYPE_CHECKING:
    from spacy.tokens import Token

LONGEST_SENTENCE = 1500
"""Characters. Anything longer without an end is a list or debris, not one statement."""
FEWEST_WORDS = 3
_WORD = re.compile(r"\S+")
_SILENT = frozenset({BlockKind.HEADING, BlockKind.CODE})
_SOMEBODY_S = frozenset({FramingKind.HEARSAY, FramingKind.PRIVATE_DATA})
"""Framings of what somebody says or knows: that can be checked, or must be said not to be, whatever it is."""
_MAIN = frozenset({ClauseKind.MAIN, ClauseKind.JOINED})


def extract_claims(document: Document, embed: Embed | None = None) -> Extraction:
    """All claims of `document` in the order of its text, and everything that was left out.

    With `embed`, the embedded model's vectors of sentences, what is learned says which clauses have something to check
    and how much they are worth checking; without it every clause that asserts something is a claim.
    """
    language = detect_language(_sample(document))
    collector = _Collector(document, language)
    for block in document.blocks or _whole(document):
        collector.read_block(block)
    collector.take_apart(embed)
    if embed is not None:
        collector.leave_out_colour(embed)
    claims = collector.claims()
    return Extraction(
        claims=tuple(claims if embed is None else weigh_by_model(claims, embed)),
        omissions=tuple(sorted(collector.omissions, key=lambda omission: omission.span)),
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


def _framed(clauses: Sequence[Clause], sentence: str) -> list[str]:
    """What the framing of each main clause is told from: the sentence if it has only that one, else its own words."""
    main = [clause.wording for clause in clauses if clause.kind in _MAIN]
    return [sentence] if len(main) == 1 and sentence else main


def _turn_of(clause: Clause) -> int:
    """In which turn the references of a clause are filled in."""
    return 1 if clause.kind in _MAIN else 2 if clause.kind is ClauseKind.CONCESSION else 0


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


class _Sentence(NamedTuple):
    """A sentence that may hold claims, and where it stands."""

    raw: str
    offset: int
    """Within its block's plain text."""
    placer: _Placer
    number: int

    @property
    def context(self) -> str:
        """On one line: where a line happens to end says nothing, and confuses the parser."""
        return _normalise(self.raw)

    def place(self, clause: Clause) -> Span:
        """Where in the document a clause of `context` stands."""
        places: list[int] = []
        for word in _WORD.finditer(self.raw):
            places.extend(range(word.start() - bool(places), word.end()))
        return self.placer.place(self.offset + places[clause.start], self.offset + places[clause.end - 1] + 1)


class _Heading(NamedTuple):
    text: str


class _Statement(NamedTuple):
    """One candidate: where it stands in the document, what it says, and the sentence around it."""

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
        if block.kind in _SILENT or not plain.strip():
            return
        block_language = detect_language(plain)
        placer = _Placer(block)
        for start, end in split_sentences(plain):
            self._read_sentence(plain[start:end], start, placer, block_language)
            self.sentence_count += 1

    def take_apart(self, embed: Embed | None) -> None:
        """The clauses of all sentences, each worded so that it can be read alone."""
        split = [
            [split_clauses(part) for part in parse(one.context).sents] if isinstance(one, _Sentence) else []
            for one in self._sentences
        ]
        framed = [
            text
            for one, parts in zip(self._sentences, split, strict=True)
            for clauses in parts
            for text in _framed(
                clauses, one.context if isinstance(one, _Sentence) and len(parts) == 1 else ""
            )
        ]
        framings = iter(detect_framings(framed, embed))
        for one, parts in zip(self._sentences, split, strict=True):
            if isinstance(one, _Heading):
                self._references.start_section(parse(one.text))
                continue
            for clauses in parts:
                own = [next(framings) if clause.kind in _MAIN else Framing() for clause in clauses]
                wordings = self._worded(clauses)
                for clause, wording, framing in zip(clauses, wordings, own, strict=True):
                    self._consider(clause, wording, one, self._with_speaker(framing))

    def _with_speaker(self, framing: Framing) -> Framing:
        """With a name for the "she" who said it."""
        name = self._references.meant_by(framing.speaker.lower()) if framing.speaker else None
        return framing.model_copy(update={"speaker": sentence_case(name)}) if name else framing

    def _worded(self, clauses: Sequence[Clause]) -> list[str]:
        """Each with its references filled in. "Her husband, Paul Jones" speaks of somebody named before, but "although she
        lost" may speak of somebody who is named behind it."""
        wordings = [clause.wording for clause in clauses]
        for number in sorted(range(len(clauses)), key=lambda number: _turn_of(clauses[number])):
            clause = clauses[number]
            wordings[number] = self._references.resolve(clause.wording, clause.head)
            if clause.kind in _MAIN:
                self._references.observe(clause)
        return wordings

    def leave_out_colour(self, embed: Embed) -> None:
        """Drop what the learned part finds nothing to check in: opinion, mood, figures of speech."""
        kept = []
        for statement, is_checkable in zip(
            self._statements, checkable([s.text for s in self._statements], embed), strict=True
        ):
            if is_checkable or statement.framing.kind in _SOMEBODY_S:
                kept.append(statement)
            else:
                self._omit(statement.span, statement.text, OmissionReason.OPINION)
        self._statements = kept

    def claims(self) -> list[Claim]:
        return [self._claim(number, statement) for number, statement in enumerate(self._statements, 1)]

    def _read_sentence(self, raw: str, offset: int, placer: _Placer, block_language: str) -> None:
        span = placer.place(offset, offset + len(raw))
        if len(raw) > LONGEST_SENTENCE:
            detail = f"over {LONGEST_SENTENCE} characters without an end"
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
        """The language of a sentence that is not English; what can't be told follows its surroundings."""
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
        text = self._dated(wording)
        key = text.rstrip(".!…")
        if key in self._seen:
            self._omit(place, clause.wording, OmissionReason.DUPLICATE)
            return
        self._seen.add(key)
        self._statements.append(_Statement(place, text, sentence.context, sentence.number, framing))

    def _dated(self, text: str) -> str:
        """With its dates resolved where every day on which it may have been published gives them the same meaning."""
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
    if len(clause.wording.split()) < FEWEST_WORDS:
        return OmissionReason.NOT_A_CLAIM
    if clause.kind is not ClauseKind.MAIN:
        return None
    if _is_instruction(clause.head):
        return OmissionReason.INSTRUCTION
    words = list(clause.head.subtree)
    if any(token.pos_ in ("VERB", "AUX") or token.like_num or _hides_verb(token) for token in words):
        return None
    return OmissionReason.NOT_A_CLAIM


def _is_instruction(head: "Token") -> bool:
    """A verb with nobody it is said of: "Click here", "Don't forget"."""
    return head.tag_ in ("VB", "VBP") and all(
        child.dep_ not in ("nsubj", "nsubjpass", "csubj", "expl")
        and (child.dep_ != "aux" or (child.lemma_ == "do" and child.tag_ in ("VB", "VBP")))
        for child in head.children
    )


def _hides_verb(token: "Token") -> bool:
    """A verb that was taken for a plural, as in "Peru borders Chile": another noun follows it with nothing between."""
    if token.tag_ != "NNS" or token.i == token.sent.start or token.i + 1 >= token.sent.end:
        return False
    if token.dep_ == "compound":
        return token.head.tag_ == "NNP"
    return any(
        child.dep_ in ("dobj", "appos") and child.left_edge.i == token.i + 1 for child in token.children
    )


def _normalise(text: str) -> str:
    return " ".join(text.split())
