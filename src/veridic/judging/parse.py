"""A checker's answer → its word on each claim.

The format asked for is

    VERIFICATION claim_1: VERIFIED|DISPUTED|UNVERIFIABLE
    Evidence: [reasoning]
    Correction: [text, or N/A]
    Confidence: [HIGH|MEDIUM|LOW]

Models bend it. What is read besides: any Markdown around the labels, `VERIFICATION 1`, `Claim A: VERIFIED`, plain
numbered lists, claims grouped under their verdicts, claims repeated in place of their ids, tables, JSON (with its citations in
a field of their own), a verdict on a line of its own, everything on one line, evidence over several lines, numbers from 0, and
labels in another order. Where a label is missing, confidence is MEDIUM and there is no correction.

**Whose verdict it is.** A claim's id names it, and so does its wording. Where the two point to different claims, where
numbers merely count, or where a verdict could be that of the claim above or of the one below, the answer is refused.

**Which block counts.** Text that was checked may itself hold `VERIFICATION claim_1: VERIFIED`, and a checker may
repeat it in its answer. Therefore:

- A block begins at a line's beginning. In quotations (`> ...`) none begins, and in code blocks only where the
  whole answer stands in such.
- Of two blocks for one claim, one that begins before the block around it has come to its Confidence gives way.
- If they still disagree, the checker has not verified the claim: DISPUTED goes before UNVERIFIABLE before
  VERIFIED, with LOW confidence. If they agree, the first one counts.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from veridic.domain.consensus import ClaimVerification, Confidence, ConsensusVerdict, not_addressed
from veridic.judging.blocks import (
    Block,
    claim_label,
    list_item,
    names_several,
    repeated_by,
    unnumbered,
    verification_label,
)
from veridic.judging.citing import keep_real_citations
from veridic.judging.layout import read_blocks, read_records
from veridic.judging.verdict_words import read_confidence, read_heading
from veridic.judging.wordings import Wordings
from veridic.text.answer_fields import AnswerError
from veridic.text.labels import Line, read_lines

NO_REASON = "Checker gave no evidence"
_NO_VERDICTS = "no verdict on any of the claims, in the format asked for"
_ONE_FOR_SEVERAL = "one verdict for several claims, where one for each of them was asked for"
_NOTHING = re.compile(
    r"(?:n/?a|none|null|nil|not applicable|no correction(?: (?:is )?(?:needed|required|necessary))?|[-–—.]*)[.\s]*",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*+[,;]\s*+")
_CLAIM_NUMBER = re.compile(r"([0-9]{1,6})\Z")
_MENTION = re.compile(r"\bclaims?[\s_#-]{0,3}[0-9]", re.IGNORECASE)
_LISTED_IDS = re.compile(
    r"(?P<said>[^:：]{3,60})[:：][\s*_]*+(?P<ids>(?:(?:claims?|and|&|[,;])[\s_#]*+|[0-9]{1,4}\b[\s*_]*+){1,200})\.?\Z",
    re.IGNORECASE,
)
_ONE_ID = re.compile(r"(?P<named>claims?[\s_#]*+)?(?P<number>[0-9]{1,4})", re.IGNORECASE)
_ORDINALS = {
    word: number for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)
}
_ROMAN = {word: number for number, word in enumerate("I II III IV V VI VII VIII IX X".split(), 1)}
_LONGEST_SHOWN = 80


def parse_verifications(
    text: str, model: str, claims: Mapping[str, str], passages: Collection[int] | None = None
) -> tuple[ClaimVerification, ...]:
    """The checker's word on every claim of `claims` (its wording by its id), in their order.

    Claims it says nothing about are UNVERIFIABLE; verdicts on other claims are dropped. In a run with evidence,
    `passages` are the numbers that can be cited: citations of others are taken out of the text. `AnswerError`, with
    what to ask for again, where there is no verdict on any of them, or nobody can say whose a verdict is.
    """
    lines = read_lines(text)
    found = _best_reading(lines, claims)
    if _judged(found) < len(claims) and any(names_several(line.text) for line in lines if not line.quoted):
        raise AnswerError(_ONE_FOR_SEVERAL)
    if claims and not any(word.block.verdict for word in found.values()):
        raise AnswerError(_NO_VERDICTS)
    return tuple(
        _verification(found[claim_id], claim_id, claims[claim_id], model, passages)
        if claim_id in found
        else not_addressed(claim_id, model)
        for claim_id in claims
    )


class _Word(NamedTuple):
    """The block that counts for a claim."""

    block: Block
    contradicted: bool


def _best_reading(lines: Sequence[Line], claims: Mapping[str, str]) -> dict[str, _Word]:
    """By the one style of beginning a block that speaks about all claims, or else about most: a checker keeps to one, and
    a stray "Claim 2: as said above" in its evidence is then no beginning. `AnswerError` where none speaks about all of
    them and one can't be told apart."""
    best: dict[str, _Word] = {}
    problems: list[AnswerError] = []
    for words in _readings(lines, claims):
        if isinstance(words, AnswerError):
            problems.append(words)
            continue
        best = max(best, words, key=_judged)
        if _judged(best) == len(claims):
            return best
    if problems:
        raise problems[0]
    return best


def _judged(words: Mapping[str, _Word]) -> int:
    return sum(word.block.verdict is not None for word in words.values())


def _readings(lines: Sequence[Line], claims: Mapping[str, str]) -> Iterator[dict[str, _Word] | AnswerError]:
    naming = _Naming(claims)
    names_any = False
    styles = (verification_label, claim_label, list_item, repeated_by(naming.wordings.find))
    readers: list[Callable[[], list[Block]]] = [
        partial(read_records, lines),
        *(partial(read_blocks, lines, style) for style in styles),
        partial(_listed_ids, lines, len(claims)),
    ]
    for read in readers:
        try:
            blocks = read()
            names_any = names_any or bool(blocks)
            yield naming.words(blocks)
        except AnswerError as problem:
            names_any = True
            yield problem
    if not names_any and not any(_MENTION.search(line.text) for line in lines):
        # In the order of the claims, which nothing but their number bears out: no claim may be named anywhere.
        yield naming.in_order([block for block in read_blocks(lines, unnumbered) if block.verdict])


class _Naming:
    """Which claim each block is about."""

    def __init__(self, claims: Mapping[str, str]) -> None:
        self.wordings = Wordings(claims)
        numbers = {claim_id: _CLAIM_NUMBER.search(claim_id) for claim_id in claims}
        self._ids = {int(number[1]): claim_id for claim_id, number in numbers.items() if number}
        self._claims = claims

    def words(self, blocks: Sequence[Block]) -> dict[str, _Word]:
        numbers = self._numbers(blocks)
        counts_only = self._counts_only(blocks, numbers)
        by_claim: dict[str, list[Block]] = {}
        for block in blocks:
            claim_id = self._claim_of(block, numbers, counts_only=counts_only)
            if claim_id is not None:
                by_claim.setdefault(claim_id, []).append(block)
        for claim_id, own in by_claim.items():
            if len({block.verdict for block in own if block.is_grouped}) > 1:
                raise AnswerError(f"{claim_id} under more than one verdict")
        return {claim_id: _settle(own) for claim_id, own in by_claim.items()}

    def in_order(self, blocks: Sequence[Block]) -> dict[str, _Word]:
        if len(blocks) != len(self._claims):
            return {}
        return {
            claim_id: _Word(block, contradicted=False)
            for claim_id, block in zip(self._claims, blocks, strict=True)
        }

    def _claim_of(self, block: Block, numbers: Mapping[str, int], *, counts_only: bool) -> str | None:
        by_wording = self.wordings.find(block.wording)
        number = numbers.get(block.number or "")
        by_number = None if number is None else self._ids.get(number)
        if block.names_claim and by_number is not None:
            if by_wording not in (None, by_number) and self._is_whole(block.wording, by_wording):
                raise AnswerError(f"{by_number} with the wording of {by_wording}")
            return by_number
        if by_wording is not None or block.number is None:
            return by_wording
        if block.is_grouped or counts_only:
            raise AnswerError("numbers that count within groups, where the ids of the claims were asked for")
        return by_number

    def _is_whole(self, wording: str, claim_id: str | None) -> bool:
        """What stands behind an id may be a reason that happens to begin like another claim; a longer text is no repetition."""
        return claim_id is not None and len(wording) <= 1.3 * len(self._claims[claim_id]) + 10

    def _counts_only(self, blocks: Sequence[Block], numbers: Mapping[str, int]) -> bool:
        """Whether numbers of a list belong to other claims than those whose wording stands beside them."""
        named = [
            (self._ids.get(numbers.get(block.number or "", -1)), self.wordings.find(block.wording))
            for block in blocks
        ]
        return any(by_wording not in (None, by_number) for by_number, by_wording in named)

    def _numbers(self, blocks: Sequence[Block]) -> dict[str, int]:
        """What each number that is written stands for; `AnswerError` where they can't be the claims' own."""
        written = list(dict.fromkeys(block.number for block in blocks if block.number))
        if all(number.isdigit() for number in written):
            numbers = {number: int(number) for number in written}
            return self._from_zero(numbers) if 0 in numbers.values() and 0 not in self._ids else numbers
        numbers = {number: _spelt(number, written) for number in written}
        if sorted(numbers.values()) != sorted(self._ids):
            raise AnswerError("letters or words for the ids of the claims, and not one for each")
        return numbers

    def _from_zero(self, numbers: dict[str, int]) -> dict[str, int]:
        counted = {number + 1 for number in numbers.values()}
        if counted != set(self._ids):
            raise AnswerError("numbers from 0, where the ids of the claims were asked for")
        return {written: number + 1 for written, number in numbers.items()}


def _spelt(number: str, all_written: Sequence[str]) -> int:
    if number.isdigit():
        return int(number)
    if number.lower() in _ORDINALS:
        return _ORDINALS[number.lower()]
    if all(one in _ROMAN for one in all_written):
        return _ROMAN[number]
    return ord(number) - ord("A") + 1 if len(number) == 1 else -1


def _listed_ids(lines: Iterable[Line], claims: int) -> list[Block]:
    """`VERIFIED: claim_1, claim_3`. Bare numbers can be counts as well: they must name every claim once."""
    blocks: list[Block] = []
    only_numbers = only_one_each = True
    for line in lines:
        match = _LISTED_IDS.match(line.text) if not line.quoted and len(line.text) < 2_000 else None
        heading = read_heading(match["said"]) if match else None
        if match is None or heading is None or heading.verdict is None:
            continue
        ids = list(_ONE_ID.finditer(match["ids"]))
        only_numbers = only_numbers and not any(one["named"] for one in ids)
        only_one_each = only_one_each and len(ids) == 1
        blocks += [_grouped(one["number"], heading.verdict) for one in ids]
    if only_numbers:
        numbers = sorted(int(block.number or 0) for block in blocks)
        is_count = only_one_each and sum(numbers) == claims
        return [] if is_count or numbers != list(range(1, claims + 1)) else blocks
    return blocks


def _grouped(number: str, verdict: ConsensusVerdict) -> Block:
    return Block(number, names_claim=True, begins_clean=True, verdict=verdict, is_grouped=True)


_CAUTION = (ConsensusVerdict.DISPUTED, ConsensusVerdict.UNVERIFIABLE, ConsensusVerdict.VERIFIED)


def _settle(blocks: Sequence[Block]) -> _Word:
    judged = [block for block in blocks if block.verdict is not None]
    if not judged:
        return _Word(blocks[0], contradicted=False)
    candidates = [block for block in judged if block.begins_clean] or judged
    verdicts = {block.verdict for block in candidates}
    cautious = next(verdict for verdict in _CAUTION if verdict in verdicts)
    return _Word(next(b for b in candidates if b.verdict is cautious), contradicted=len(verdicts) > 1)


def _verification(
    word: _Word, claim_id: str, claim: str, model: str, passages: Collection[int] | None
) -> ClaimVerification:
    block = word.block
    if block.verdict is None:
        return _unread(block, claim_id, model)
    evidence = block.text("evidence") or _beside(block, claim_id, claim)
    correction = block.text("correction") if block.verdict is ConsensusVerdict.DISPUTED else ""
    citations: tuple[int, ...] | None = None
    if passages is not None:
        evidence, in_evidence = keep_real_citations(evidence, passages)
        correction, in_correction = keep_real_citations(correction, passages)
        _, apart = keep_real_citations(_marked(block.text("citations")), passages)
        citations = tuple(dict.fromkeys(in_evidence + in_correction + apart))
    confidence = read_confidence(block.text("confidence")) or Confidence.MEDIUM
    return ClaimVerification(
        claim_id=claim_id,
        verdict=block.verdict,
        evidence=evidence or NO_REASON,
        correction=None if _NOTHING.fullmatch(correction) else correction,
        confidence=Confidence.LOW if word.contradicted else confidence,
        checker_model=model,
        citations=citations,
    )


def _unread(block: Block, claim_id: str, model: str) -> ClaimVerification:
    """The claim is named, and what should be a verdict is none."""
    said = " ".join(block.unread.split())[:_LONGEST_SHOWN]
    silent = not_addressed(claim_id, model)
    if not said:
        return silent
    return silent.model_copy(update={"evidence": f"Checker gave no verdict that could be read: {said}"})


def _beside(block: Block, claim_id: str, claim: str) -> str:
    """A reason that stands where the claim might be repeated."""
    is_repeated = Wordings({claim_id: claim}).find(block.wording) is not None
    return "" if is_repeated or "claim" in block.labelled else block.wording


def _marked(citations: str) -> str:
    """`1, 3-5` as `[1] [3-5]`."""
    return citations if "[" in citations else f"[{_BETWEEN.sub('] [', citations)}]"
