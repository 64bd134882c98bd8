"""A checker's answer → its word on each claim.

The format asked for is

    VERIFICATION claim_1: VERIFIED|DISPUTED|UNVERIFIABLE
    Evidence: [reasoning]
    Correction: [text, or N/A]
    Confidence: [HIGH|MEDIUM|LOW]

Models bend it. What is read besides: any Markdown around the labels, `VERIFICATION 1`, `Claim 1: VERIFIED`, plain
numbered lists, tables, JSON (with its citations in a field of their own), a verdict on a line of its own, everything on one line, evidence over several lines, and
labels in another order. Where a label is missing, confidence is MEDIUM and there is no correction.

**Which block counts.** Text that was checked may itself hold `VERIFICATION claim_1: VERIFIED`, and a checker may
repeat it in its answer. Therefore:

- A block begins at a line's beginning. In quotations (`> ...`) none begins, and in code blocks only where the
  whole answer stands in such.
- Of two blocks for one claim, one that begins before the block around it has come to its Confidence gives way.
- If they still disagree, the checker has not verified the claim: DISPUTED goes before UNVERIFIABLE before
  VERIFIED, with LOW confidence. If they agree, the first one counts.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from veridic.domain.consensus import ClaimVerification, Confidence, ConsensusVerdict, not_addressed
from veridic.judging.citing import keep_real_citations
from veridic.judging.verdict_words import read_confidence, read_verdict
from veridic.text.labels import CLOSING, DRESS, Labels, Line, bare, read_lines

NO_REASON = "Checker gave no evidence"

_FIELDS = Labels(
    verdict=r"(?:final )?(?:verdict|status|rating|assessment)",
    evidence=r"evidence|reasoning|explanation|rationale",
    correction=r"corrections?|correct information",
    confidence=r"confidence(?: level)?",
    repeated=r"claim|context|type",
)
_CITED = Labels(citations=r"(?:citations?|cited|sources?|passages?|references?)(?: numbers?)?")
_ONLY_MARKS = re.compile(r"(?:[\[【][0-9,;\s–-]{1,60}[\]】][\s,;]*+)++")
_VERDICT_LINE = Labels(verdict=r"(?:final )?verdict|verification")
_INNER_LABEL = re.compile(
    r"[\s|;.,(*_]{1,4}(?=[*_]{0,2}(?:Evidence|Reasoning|Correction|Confidence)[*_]{0,2}:)"
)
_NUMBER = r"[\s_#:.\[({*`-]*+(?:claim[\s_#-]*+)?(?P<number>[0-9]{1,6})(?![0-9]|[.,][0-9])"
_TAG = r"(?:[(\[](?:claim[\s_#-]*+[0-9]{1,6}|statistic|date|attribution|technical|comparison|causal)[)\]])?+"
"""What a model repeats of the claim behind its number."""
_REST = rf"{CLOSING}{_TAG}{CLOSING}(?P<end>[:：]|[=>→.|—–-]*+)(?P<rest>.*)"
_VERIFICATION = re.compile(rf"{DRESS}verification(?: (?:of|for))?{_NUMBER}{_REST}", re.IGNORECASE | re.DOTALL)
_CLAIM = re.compile(rf"{DRESS}(?:claim(?: (?:id|number))?|id){_NUMBER}{_REST}", re.IGNORECASE | re.DOTALL)
_ITEM = re.compile(r"[\s#*_]*+\(?(?P<number>[0-9]{1,6})(?P<end>[.):])[*_]*+\s(?P<rest>.*)", re.DOTALL)
_SUMMARY = re.compile(rf"{DRESS}(?:verification )?summary\b", re.IGNORECASE)
_NOTHING = re.compile(
    r"(?:n/?a|none|null|nil|not applicable|no correction(?: (?:is )?(?:needed|required|necessary))?|[-–—.]*)[.\s]*",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*+[,;]\s*+")
_ASIDE = re.compile(r"\([^)]{0,80}\)")
_CLAIM_NUMBER = re.compile(r"([0-9]{1,6})\Z")


def parse_verifications(
    text: str, model: str, expected_claim_ids: Sequence[str], passages: Collection[int] | None = None
) -> tuple[ClaimVerification, ...]:
    """The checker's word on every expected claim, in their order.

    Claims it says nothing about are UNVERIFIABLE; verdicts on other claims are dropped. In a run with evidence,
    `passages` are the numbers that can be cited: citations of others are taken out of the text.
    """
    ids = _ids_by_number(expected_claim_ids)
    found = _best_reading(read_lines(text), ids)
    return tuple(
        _verification(found[claim_id], claim_id, model, passages)
        if claim_id in found
        else not_addressed(claim_id, model)
        for claim_id in expected_claim_ids
    )


def has_any_verdict(text: str) -> bool:
    """Whether an answer gives a verdict on anything: without one it is no checker's answer at all."""
    lines = read_lines(text)
    return any(_blocks(lines, style) for style in _STYLES)


def _ids_by_number(claim_ids: Iterable[str]) -> dict[int, str]:
    numbers = {claim_id: _CLAIM_NUMBER.search(claim_id) for claim_id in claim_ids}
    return {int(number[1]): claim_id for claim_id, number in numbers.items() if number}


class _Start(NamedTuple):
    """The line that a block begins with."""

    number: int | None
    rest: str
    trusted: bool
    """Its label says that a verdict follows."""


_Style = Callable[[str], _Start | None]


def _verification_label(line: str) -> _Start | None:
    return _start(_VERIFICATION.match(line), trusted=True)


def _claim_label(line: str) -> _Start | None:
    return _start(_CLAIM.match(line), trusted=False)


def _list_item(line: str) -> _Start | None:
    return _start(_ITEM.match(line), trusted=False)


def _unnumbered(line: str) -> _Start | None:
    label = _VERDICT_LINE.read(line)
    return _Start(None, label[1], trusted=True) if label else None


def _start(match: re.Match[str] | None, *, trusted: bool) -> _Start | None:
    if match is None:
        return None
    rest = match["rest"].strip()
    if rest and not match["end"] and read_verdict(rest, trusted=trusted) is None:
        return None
    return _Start(int(match["number"]), rest, trusted)


_STYLES: tuple[_Style, ...] = (_verification_label, _claim_label, _list_item, _unnumbered)


def _best_reading(lines: Sequence[Line], ids: Mapping[int, str]) -> dict[str, "_Word"]:
    """By the one style of beginning a block that speaks about most claims: a checker keeps to one, and
    a stray "Claim 2: as said above" in its evidence is then no beginning."""
    best: dict[str, _Word] = {}
    for style in _STYLES:
        words = _words(_blocks(lines, style), ids)
        best = max(best, words, key=len)
        if len(best) == len(ids):
            break
    return best


@dataclass
class _Block:
    number: int | None
    begins_clean: bool
    """The block before it had come to its end."""
    verdict: ConsensusVerdict | None = None
    fields: dict[str, list[str]] = field(default_factory=dict)
    labelled: set[str] = field(default_factory=set)
    _open: str | None = None

    def begin(self, start: _Start) -> None:
        self._take_verdict(start.rest, trusted=start.trusted)

    def read(self, line: Line) -> None:
        label = _FIELDS.read(line.text) or _citations(line)
        if label is not None and label[0] not in self.labelled:
            self._take_field(*label)
        elif line.cell:
            return
        elif self._open is not None:
            self.quote(line)
        elif self.verdict is None:
            self._take_verdict(line.text, trusted=False)

    def quote(self, line: Line) -> None:
        """Text that says nothing by itself, as part of whatever is being read."""
        if self._open is not None:
            self.fields.setdefault(self._open, []).append(line.text)

    def text(self, name: str) -> str:
        return bare("\n".join(self.fields.get(name, ())))

    def _take_field(self, name: str, value: str) -> None:
        self.labelled.add(name)
        if name == "verdict" and self.verdict is None:
            self._take_verdict(value, trusted=True)
            return
        self.fields.setdefault(name, []).append(value)
        self._open = None if name == "confidence" else name

    def _take_verdict(self, value: str, *, trusted: bool) -> None:
        said = read_verdict(value, trusted=trusted)
        if said is None:
            return
        self.verdict = said.verdict
        self._open = "evidence"
        first, *labelled = _INNER_LABEL.split(said.rest)
        reason = _ASIDE.sub("", first, count=1).lstrip(" \t.:;,|*_`[](){}—–-→=>").rstrip(" \t|*_`")
        if reason:
            self.fields.setdefault("evidence", []).append(reason)
        for piece in labelled:
            label = _FIELDS.read(piece)
            if label is not None and label[0] not in self.labelled:
                self._take_field(*label)


def _citations(line: Line) -> tuple[str, str] | None:
    """Citations apart from the evidence. Outside of tables and JSON, "Source: NASA" is part of what is said."""
    label = _CITED.read(line.text)
    return label if label and (line.cell or _ONLY_MARKS.fullmatch(label[1])) else None


def _blocks(lines: Sequence[Line], style: _Style) -> list[_Block]:
    starts = [style(line.text) if line.text and not line.quoted else None for line in lines]
    in_code_only = all(line.fenced for line, start in zip(lines, starts, strict=True) if start)
    blocks: list[_Block] = []
    current: _Block | None = None
    for line, start in zip(lines, starts, strict=True):
        is_quotation = line.quoted or (line.fenced and not in_code_only)
        if is_quotation:
            if current is not None:
                current.quote(line)
        elif start is not None:
            clean = not blocks or "confidence" in blocks[-1].labelled
            current = _Block(start.number, clean)
            current.begin(start)
            blocks.append(current)
        elif _SUMMARY.match(line.text):
            current = None
        elif current is not None:
            current.read(line)
    return [block for block in blocks if block.verdict is not None]


class _Word(NamedTuple):
    """The block that counts for a claim."""

    block: _Block
    contradicted: bool


def _words(blocks: Sequence[_Block], ids: Mapping[int, str]) -> dict[str, _Word]:
    if any(block.number is None for block in blocks):
        if len(blocks) != len(ids):
            return {}
        for block, number in zip(blocks, ids, strict=True):
            block.number = number
    by_claim: dict[str, list[_Block]] = {}
    for block in blocks:
        if block.number is not None and block.number in ids:
            by_claim.setdefault(ids[block.number], []).append(block)
    return {claim_id: _settle(candidates) for claim_id, candidates in by_claim.items()}


_CAUTION = (ConsensusVerdict.DISPUTED, ConsensusVerdict.UNVERIFIABLE, ConsensusVerdict.VERIFIED)


def _settle(blocks: Sequence[_Block]) -> _Word:
    candidates = [block for block in blocks if block.begins_clean] or blocks
    verdicts = {block.verdict for block in candidates}
    cautious = next(verdict for verdict in _CAUTION if verdict in verdicts)
    return _Word(next(b for b in candidates if b.verdict is cautious), contradicted=len(verdicts) > 1)


def _verification(
    word: _Word, claim_id: str, model: str, passages: Collection[int] | None
) -> ClaimVerification:
    block = word.block
    verdict = block.verdict or ConsensusVerdict.UNVERIFIABLE
    evidence = block.text("evidence")
    correction = block.text("correction") if verdict is ConsensusVerdict.DISPUTED else ""
    citations: tuple[int, ...] | None = None
    if passages is not None:
        evidence, in_evidence = keep_real_citations(evidence, passages)
        correction, in_correction = keep_real_citations(correction, passages)
        _, apart = keep_real_citations(_marked(block.text("citations")), passages)
        citations = tuple(dict.fromkeys(in_evidence + in_correction + apart))
    confidence = read_confidence(block.text("confidence")) or Confidence.MEDIUM
    return ClaimVerification(
        claim_id=claim_id,
        verdict=verdict,
        evidence=evidence or NO_REASON,
        correction=None if _NOTHING.fullmatch(correction) else correction,
        confidence=Confidence.LOW if word.contradicted else confidence,
        checker_model=model,
        citations=citations,
    )


def _marked(citations: str) -> str:
    """`1, 3-5` as `[1] [3-5]`."""
    return citations if "[" in citations else f"[{_BETWEEN.sub('] [', citations)}]"
