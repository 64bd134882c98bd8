"""Parses a checker's answer: a verdict for each claim, with only those citations `[n]` whose passages exist."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from veridic.domain.consensus import ClaimVerification, Confidence, ConsensusVerdict, not_addressed
from veridic.judging.blocks import (
    AnswerBlock,
    claim_label,
    list_item,
    names_several,
    repeated_by,
    unnumbered,
    verification_label,
)
from veridic.judging.layout import announces_the_final_answer, read_blocks, read_records
from veridic.judging.verdict_words import read_confidence, read_heading
from veridic.judging.wordings import Wordings
from veridic.text.answer_fields import AnswerError
from veridic.text.citation_marks import find_marks
from veridic.text.labels import Line, read_lines


def keep_real_citations(text: str, existing: Collection[int]) -> tuple[str, tuple[int, ...]]:
    """Keep only the citations of existing passages, as `[1] [2]`; returns the text and the cited numbers, each once."""
    cited: dict[int, None] = {}
    pieces: list[str] = []
    end = 0
    for (start, mark_end), numbers in find_marks(text):
        real = [number for number in numbers if number in existing]
        cited.update(dict.fromkeys(real))
        lead = " " if real and text[start].isspace() else ""
        pieces += text[end:start], lead, " ".join(f"[{number}]" for number in real)
        end = mark_end
    return "".join([*pieces, text[end:]]).strip(), tuple(cited)


NO_REASON = "Checker gave no evidence"
_TWICE = "{} judged twice, with different verdicts"
_NOT_READ = "no verdict on {} that is one of the three words and nothing else"
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
    r"(?P<said>[^:：]{3,60})[:：][\s*_\[(]*+(?P<ids>(?:(?:claims?|and|&|to|through|[,;–-])[\s_#]*+|[0-9]{1,4}\b[\s*_]*+){1,200})[\])]?\.?\Z",
    re.IGNORECASE,
)
_ONE_ID = re.compile(
    r"(?P<range>(?:to|through|[–-])[\s_#]*+)?(?P<named>claims?[\s_#]*+)?(?P<number>[0-9]{1,4})", re.IGNORECASE
)
_WORDS_BETWEEN = (
    r"(?P<words>(?:\s[\w'’]{1,12}){1,4})\s[*_`]{0,3}(?P<verdict>VERIFIED|DISPUTED|UNVERIFIABLE)\b"
)
_CALLED = re.compile(rf"\b[Cc]laim[\s_#-]{{0,2}}(?P<number>[0-9]{{1,4}}){_WORDS_BETWEEN}")
_THIS_CALLED = re.compile(rf"\b(?:[Tt]his|[Ii]t|[Cc]laim|[Vv]erdict|[Aa]nswer){_WORDS_BETWEEN}")
"""What a sentence calls a claim, in the format's words."""
_MOST_ANNOUNCED = 3
_ORDINALS = {
    word: number for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)
}
_ROMAN = {word: number for number, word in enumerate("I II III IV V VI VII VIII IX X".split(), 1)}
_MAX_QUOTED = 80


def parse_verifications(
    text: str,
    model: str,
    claims: Mapping[str, str],
    passages: Collection[int] | None = None,
    *,
    complete: bool = False,
) -> tuple[ClaimVerification, ...]:
    """Return the checker's verdict on every claim of `claims` (wordings by id), in their order.

    Claims without a verdict that can be read are UNVERIFIABLE; verdicts on other claims are dropped. In a run with evidence, `passages`
    are the numbers that can be cited: other citations are removed from the text. Raises `AnswerError`, with what to ask for again, if
    there is no verdict on any claim or a verdict can't be assigned to a claim; with `complete`, if any claim has none that can be read.
    """
    lines = read_lines(text)
    found = _final_reading(lines, claims)
    if _judged(found) < len(claims) and any(names_several(line.text) for line in lines if not line.quoted):
        raise AnswerError(_ONE_FOR_SEVERAL)
    unread = [claim_id for claim_id in claims if claim_id not in found or not found[claim_id].verdict]
    if claims and len(unread) == len(claims):
        raise AnswerError(_NO_VERDICTS)
    if complete and unread:
        raise AnswerError(_NOT_READ.format(" and ".join(unread)))
    return tuple(
        _verification(found[claim_id], claim_id, claims[claim_id], model, passages)
        if claim_id in found
        else not_addressed(claim_id, model)
        for claim_id in claims
    )


def _final_reading(lines: Sequence[Line], claims: Mapping[str, str]) -> dict[str, AnswerBlock]:
    """Read what is announced as the final answer, if it has a verdict on every claim; else the whole answer."""
    announced = [place for place, line in enumerate(lines) if announces_the_final_answer(line)]
    for place in reversed(announced[-_MOST_ANNOUNCED:]):
        try:
            found = _best_reading(lines[place + 1 :], claims)
        except AnswerError:
            continue
        if _judged(found) == len(claims):
            return found
    return _best_reading(lines, claims)


def _best_reading(lines: Sequence[Line], claims: Mapping[str, str]) -> dict[str, AnswerBlock]:
    """Read the answer in the style that gives verdicts on all claims, or else on most: a checker keeps to one style, so a stray
    "Claim 2: as said above" in its evidence doesn't begin a block. Raises `AnswerError` if no style covers all claims and one
    of them is ambiguous, or if two styles cover them all and differ."""
    readings: list[dict[str, AnswerBlock]] = []
    problems: list[AnswerError] = []
    for found in _readings(lines, claims):
        if isinstance(found, AnswerError):
            problems.append(found)
        else:
            readings.append(_without_retractions(found, lines))
    whole = [found for found in readings if _judged(found) == len(claims)]
    if whole:
        for claim_id in claims:
            if len({found[claim_id].verdict for found in whole}) > 1:
                raise AnswerError(_TWICE.format(claim_id))
        return whole[0]
    if problems:
        raise problems[0]
    best = max(readings, key=_judged, default={})
    refused = {claim_id: one for found in readings for claim_id, one in found.items() if one.is_refused}
    return best | refused


def _judged(found: Mapping[str, AnswerBlock]) -> int:
    return sum(block.verdict is not None for block in found.values())


def _without_retractions(found: dict[str, AnswerBlock], lines: Sequence[Line]) -> dict[str, AnswerBlock]:
    """Take out the verdicts that a sentence of the answer changes: "claim_2 should be DISPUTED", "so this is VERIFIED"."""
    numbered = {int(number[1]): claim_id for claim_id in found if (number := _CLAIM_NUMBER.search(claim_id))}
    called = [
        (numbered.get(int(match["number"])), match)
        for line in lines
        if not line.quoted
        for match in _CALLED.finditer(line.text)
    ]
    called += [
        (claim_id, match)
        for claim_id, block in found.items()
        for match in _THIS_CALLED.finditer(block.text("evidence"))
    ]
    changed = {
        claim_id: _refused(found[claim_id], match[0])
        for claim_id, match in called
        if claim_id is not None and _differs(found[claim_id].verdict, match)
    }
    return found | changed


def _differs(verdict: ConsensusVerdict | None, match: re.Match[str]) -> bool:
    return verdict is not None and (verdict == match["verdict"]) == (" not " in f"{match['words']} ")


def _refused(block: AnswerBlock, unread: str) -> AnswerBlock:
    return replace(block, verdict=None, unread=unread, is_refused=True)


def _readings(
    lines: Sequence[Line], claims: Mapping[str, str]
) -> Iterator[dict[str, AnswerBlock] | AnswerError]:
    naming = _ClaimFinder(claims)
    names_any = False
    styles = (verification_label, claim_label, list_item, repeated_by(naming.wordings.find))
    readers: list[Callable[[], list[AnswerBlock]]] = [
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
        # By order, which only the number of blocks confirms: use this only if no claim is named anywhere.
        yield naming.in_order([block for block in read_blocks(lines, unnumbered) if block.verdict])


class _ClaimFinder:
    """Finds the claim of each block."""

    def __init__(self, claims: Mapping[str, str]) -> None:
        self.wordings = Wordings(claims)
        numbers = {claim_id: _CLAIM_NUMBER.search(claim_id) for claim_id in claims}
        self._ids = {int(number[1]): claim_id for claim_id, number in numbers.items() if number}
        self._claims = claims

    def words(self, blocks: Sequence[AnswerBlock]) -> dict[str, AnswerBlock]:
        numbers = self._numbers(blocks)
        counts_only = self._counts_only(blocks, numbers)
        by_claim: dict[str, list[AnswerBlock]] = {}
        for block in blocks:
            claim_id = self._claim_of(block, numbers, counts_only=counts_only)
            if claim_id is not None:
                by_claim.setdefault(claim_id, []).append(block)
        for claim_id, own in by_claim.items():
            if len({block.verdict for block in own if block.is_grouped}) > 1:
                raise AnswerError(f"{claim_id} under more than one verdict")
        ends_with_confidence = any("confidence" in block.labelled for block in blocks)
        return {
            claim_id: _settle(own, ends_with_confidence=ends_with_confidence)
            for claim_id, own in by_claim.items()
        }

    def in_order(self, blocks: Sequence[AnswerBlock]) -> dict[str, AnswerBlock]:
        if len(blocks) != len(self._claims):
            return {}
        return dict(zip(self._claims, blocks, strict=True))

    def _claim_of(self, block: AnswerBlock, numbers: Mapping[str, int], *, counts_only: bool) -> str | None:
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
        if (
            by_number is not None
            and (other := self.wordings.closer_than(by_number, block.wording)) is not None
        ):
            raise AnswerError(f"the number of {by_number} with words of {other}")
        return by_number

    def _is_whole(self, wording: str, claim_id: str | None) -> bool:
        """Whether the wording is about as long as the claim: a longer text after an id may be a reason that begins like another claim."""
        return claim_id is not None and len(wording) <= 1.3 * len(self._claims[claim_id]) + 10

    def _counts_only(self, blocks: Sequence[AnswerBlock], numbers: Mapping[str, int]) -> bool:
        """Whether the numbers of a list belong to other claims than the wordings beside them."""
        named = [
            (self._ids.get(numbers.get(block.number or "", -1)), self.wordings.find(block.wording))
            for block in blocks
        ]
        return any(by_wording not in (None, by_number) for by_number, by_wording in named)

    def _numbers(self, blocks: Sequence[AnswerBlock]) -> dict[str, int]:
        """Return the claim number that each written number stands for. Raises `AnswerError` if they can't be the claims' numbers."""
        written = list(dict.fromkeys(block.number for block in blocks if block.number))
        if all(number.isdigit() for number in written):
            numbers = {number: int(number) for number in written}
            return self._from_zero(numbers) if 0 in numbers.values() and 0 not in self._ids else numbers
        numbers = {number: _number_from_word(number, written) for number in written}
        if sorted(numbers.values()) != sorted(self._ids):
            raise AnswerError("letters or words for the ids of the claims, and not one for each")
        return numbers

    def _from_zero(self, numbers: dict[str, int]) -> dict[str, int]:
        counted = {number + 1 for number in numbers.values()}
        if counted != set(self._ids):
            raise AnswerError("numbers from 0, where the ids of the claims were asked for")
        return {written: number + 1 for written, number in numbers.items()}


def _number_from_word(number: str, all_written: Sequence[str]) -> int:
    if number.isdigit():
        return int(number)
    if number.lower() in _ORDINALS:
        return _ORDINALS[number.lower()]
    if all(one in _ROMAN for one in all_written):
        return _ROMAN[number]
    return ord(number) - ord("A") + 1 if len(number) == 1 else -1


def _listed_ids(lines: Iterable[Line], claims: int) -> list[AnswerBlock]:
    """Read `VERIFIED: claim_1, claim_3`. Bare numbers can also be counts, so they must name every claim once."""
    blocks: list[AnswerBlock] = []
    only_numbers = only_one_each = True
    for line in lines:
        match = _LISTED_IDS.match(line.text) if not line.quoted and len(line.text) < 2_000 else None
        heading = read_heading(match["said"]) if match else None
        if match is None or heading is None or heading.verdict is None:
            continue
        ids = list(_ONE_ID.finditer(match["ids"]))
        only_numbers = only_numbers and not any(one["named"] for one in ids)
        only_one_each = only_one_each and len(ids) == 1
        blocks += [_grouped(number, heading.verdict) for number in _numbers_in(ids, claims)]
    if only_numbers:
        numbers = sorted(int(block.number or 0) for block in blocks)
        is_count = only_one_each and sum(numbers) == claims
        return [] if is_count or numbers != list(range(1, claims + 1)) else blocks
    return blocks


def _numbers_in(ids: Iterable[re.Match[str]], claims: int) -> list[str]:
    """Return the numbers, those of ranges included: `1-3` is 1, 2 and 3."""
    numbers: list[int] = []
    for one in ids:
        number = int(one["number"])
        first = numbers[-1] + 1 if one["range"] and numbers else number
        numbers += range(first, number + 1) if number - first < claims else [number]
    return [str(number) for number in numbers]


def _grouped(number: str, verdict: ConsensusVerdict) -> AnswerBlock:
    return AnswerBlock(number, names_claim=True, begins_clean=True, verdict=verdict, is_grouped=True)


def _settle(blocks: Sequence[AnswerBlock], *, ends_with_confidence: bool) -> AnswerBlock:
    """Return the block that counts for a claim; refused if there are several with different verdicts. Where blocks end with a confidence,
    one that begins inside another is a quotation."""
    judged = [block for block in blocks if block.verdict is not None or block.is_refused]
    if not judged:
        return blocks[0]
    candidates = [block for block in judged if block.begins_clean and ends_with_confidence] or judged
    said = dict.fromkeys(str(block.verdict or block.unread) for block in candidates)
    return candidates[0] if len(said) == 1 else _refused(candidates[0], ", then ".join(said))


def _verification(
    block: AnswerBlock, claim_id: str, claim: str, model: str, passages: Collection[int] | None
) -> ClaimVerification:
    if block.verdict is None:
        return _no_verdict(block, claim_id, model)
    evidence = block.text("evidence") or _reason_in_wording(block, claim_id, claim)
    correction = block.text("correction") if block.verdict is ConsensusVerdict.DISPUTED else ""
    citations: tuple[int, ...] | None = None
    if passages is not None:
        evidence, in_evidence = keep_real_citations(evidence, passages)
        correction, in_correction = keep_real_citations(correction, passages)
        _, apart = keep_real_citations(_marked(block.text("citations")), passages)
        citations = tuple(dict.fromkeys(in_evidence + in_correction + apart))
    return ClaimVerification(
        claim_id=claim_id,
        verdict=block.verdict,
        evidence=evidence or NO_REASON,
        correction=None if _NOTHING.fullmatch(correction) else correction,
        confidence=read_confidence(block.text("confidence")) or Confidence.MEDIUM,
        checker_model=model,
        citations=citations,
    )


_NO_VERDICT = "Checker gave no verdict that could be read: "


def verdicts_read(found: Iterable[ClaimVerification]) -> int:
    """Return on how many claims the checker's verdict could be read."""
    return sum(
        one.evidence != not_addressed(one.claim_id, one.checker_model).evidence
        and not one.evidence.startswith(_NO_VERDICT)
        for one in found
    )


def _no_verdict(block: AnswerBlock, claim_id: str, model: str) -> ClaimVerification:
    """Return the result for a claim that is named but has no readable verdict."""
    said = " ".join(block.unread.split())[:_MAX_QUOTED]
    silent = not_addressed(claim_id, model)
    if not said:
        return silent
    return silent.model_copy(update={"evidence": f"{_NO_VERDICT}{said}"})


def _reason_in_wording(block: AnswerBlock, claim_id: str, claim: str) -> str:
    """Return the text in the place of the claim's wording, if it is a reason instead."""
    is_repeated = Wordings({claim_id: claim}).find(block.wording) is not None
    return "" if is_repeated or "claim" in block.labelled else block.wording


def _marked(citations: str) -> str:
    """Write `1, 3-5` as `[1] [3-5]`."""
    return citations if "[" in citations else f"[{_BETWEEN.sub('] [', citations)}]"
