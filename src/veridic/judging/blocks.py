"""Parses a block of a checker's answer: it begins with the name of a claim, and gives the checker's verdict on it.

Styles are the ways in which blocks can begin. `judging/layout.py` decides which lines belong to a block.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from veridic.domain.consensus import ConsensusVerdict
from veridic.judging.verdict_words import (
    Choice,
    chosen,
    is_qualified,
    read_choices,
    read_trailing_verdict,
    read_verdict,
)
from veridic.text.answer_fields import AnswerError
from veridic.text.labels import CLOSING, DRESS, Labels, Line, bare

_CLAIM_WORD = r"(?:claim|statement|behauptung|aussage|affirmation|afirmaci[óo]n|afirma[çc][ãa]o|affermazione|bewering|утверждение|主张|主張|声明)"
_VERIFICATION_WORD = r"(?:v[ée]rification|verifizierung|verificaci[óo]n|verifica[çc][ãa]o|verifica|verificatie|überprüfung|проверка|验证|検証)"
FIELDS = Labels(
    verdict=r"(?:final |my )?(?:verdict|status|rating|assessment|result|determination|conclusion|judge?ment|classification|decision|veracity)",
    evidence=r"(?:supporting |contradicting |key )?evidence|reason(?:s|ing)?|explanation|rationale|justification|analysis|basis|comments?|notes?|"
    r"begründung|beleg|preuve|justificación|evidencia|evidência|prova|razón",
    correction=r"corrections?|correct(?:ed)?(?: (?:information|info|version|statement|fact|value|answer))?|korrektur|corrección|correção|correzione",
    confidence=r"(?:confidence|certainty)(?: (?:level|score|rating))?|konfidenz|confiance|confianza|confiança|confidenza",
    claim=r"(?:original |exact )?(?:claim|statement|assertion)(?: text)?|behauptung|aussage|affirmation|afirmación",
    repeated=r"context|type",
)
_CITED = Labels(citations=r"(?:citations?|cited|sources?|passages?|references?)(?: numbers?)?")
_ONLY_MARKS = re.compile(r"(?:[\[【][0-9,;\s–-]{1,60}[\]】][\s,;]*+)++")
_VERDICT_LINE = Labels(verdict=rf"(?:final )?verdict|{_VERIFICATION_WORD}")
_INNER_LABEL = re.compile(
    r"[\s|;.,(*_–—-]{1,4}(?=[*_]{0,2}(?:Evidence|Reason(?:ing)?|Explanation|Correction|Confidence|Verdict)[*_]{0,2}:)"
)
_ORDINALS = "one|two|three|four|five|six|seven|eight|nine|ten"
_NUMBER = (
    rf"[\s_#:.\[({{*`-]*+(?:{_CLAIM_WORD}[\s_#-]*+)?(?P<number>[0-9]{{1,6}}(?![0-9]|[.,][0-9])"
    rf"|(?-i:[A-Z]|[IVX]{{2,5}})(?=[\s*_`\])}}]*+(?:[:：.)=>→|—–-]|\Z))|(?:{_ORDINALS})(?=[\s*_`\])}}]*+(?:[:：—–-]|\Z)))"
)
_TAG = r"(?:[(\[](?:claim[\s_#-]*+[0-9]{1,6}|statistic|date|attribution|technical|comparison|causal)[)\]])?+"
"""What a model may repeat of the claim after its number."""
_REST = rf"{CLOSING}{_TAG}{CLOSING}(?P<end>[:：]|[=>→.|)—–-]*+)(?P<rest>.*)"
_FLAGS = re.IGNORECASE | re.DOTALL
_VERIFICATION = re.compile(rf"{DRESS}{_VERIFICATION_WORD}(?: (?:of|for))?{_NUMBER}{_REST}", _FLAGS)
_CLAIM = re.compile(rf"{DRESS}(?:{_CLAIM_WORD}(?: (?:id|number))?|id){_NUMBER}{_REST}", _FLAGS)
_SEVERAL = re.compile(
    rf"{DRESS}(?:{_VERIFICATION_WORD}[\s_#:]*+)?(?:(?:{_CLAIM_WORD}s?|ids?)[\s_#]*+)?[0-9]{{1,6}}(?:\s*+(?:,|;|&|\+|/|-|–|and\b|to\b)\s*+(?:and\s++)?(?:{_CLAIM_WORD}s?[\s_#]*+)?[0-9]{{1,6}}){{1,200}}{CLOSING}[:：](?P<rest>.*)",
    _FLAGS,
)
_ITEM = re.compile(r"[\s#*_]*+\(?(?P<number>[0-9]{1,6})(?P<end>[.):])[*_]*+\s(?P<rest>.*)", re.DOTALL)
_BULLET = re.compile(
    r"\s*+(?:[-*+•‣◦▪·]\s++|\(?[0-9]{1,4}[.):]\s++|#{1,6}\s++)?[*_\"“'‘]*+(?P<rest>.+)", re.DOTALL
)


class Start(NamedTuple):
    """The first line of a block."""

    number: str | None
    """As written: `1`, `A`, `two`."""
    rest: str
    trusted: bool
    """Its label says that a verdict follows."""
    names_claim: bool = True
    """The number is stated to be the claim's; otherwise it may just count."""


Style = Callable[[str], Start | None]
"""Parses the first line of a block in one style."""


def verification_label(line: str) -> Start | None:
    return _start(_VERIFICATION.match(line), trusted=True)


def names_several(line: str) -> bool:
    """Whether one verdict is given for several claims: `VERIFICATION claim_1 and claim_3: VERIFIED`."""
    match = _SEVERAL.match(line)
    return match is not None and read_verdict(match["rest"], trusted=True) is not None


def claim_label(line: str) -> Start | None:
    return _start(_CLAIM.match(line), trusted=False)


def list_item(line: str) -> Start | None:
    match = _ITEM.match(line)
    inner = match and (_CLAIM.match(match["rest"]) or _VERIFICATION.match(match["rest"]))
    return _start(inner or match, trusted=False, names_claim=bool(inner))


def repeated_by(find: Callable[[str], str | None]) -> Style:
    """Return a style for lines that repeat a claim, in a list or alone. `find` returns the claim that a text repeats."""

    def style(line: str) -> Start | None:
        match = _BULLET.match(line)
        if match is None or (FIELDS.read(line) is not None and find(_claim_field(line)) is None):
            return None
        rest = _claim_field(line) or match["rest"]
        trailing = read_trailing_verdict(rest)
        return Start(None, rest, trusted=False) if find(trailing[0] if trailing else rest) else None

    return style


def _claim_field(line: str) -> str:
    label = FIELDS.read(line)
    return label[1] if label and label[0] == "claim" else ""


def unnumbered(line: str) -> Start | None:
    label = _VERDICT_LINE.read(line)
    return Start(None, label[1], trusted=True) if label else None


def _start(match: re.Match[str] | None, *, trusted: bool, names_claim: bool = True) -> Start | None:
    if match is None:
        return None
    rest = match["rest"].strip()
    is_set_off = bool(match["end"]) or rest.startswith(("(", "[", '"', "“", "«"))
    if rest and not is_set_off and read_verdict(rest, trusted=trusted) is None:
        return None
    return Start(match["number"], rest, trusted, names_claim)


@dataclass
class AnswerBlock:
    number: str | None
    names_claim: bool
    begins_clean: bool
    """The block before was complete."""
    verdict: ConsensusVerdict | None = None
    wording: str = ""
    """The claim as repeated, or whatever is in its place."""
    unread: str = ""
    """Text in the place of a verdict that isn't one."""
    is_grouped: bool = False
    """Its verdict comes from the heading above."""
    fields: dict[str, list[str]] = field(default_factory=dict)
    labelled: set[str] = field(default_factory=set)
    verdict_below: bool = False
    """The verdict was on a line of its own."""
    is_refused: bool = False
    """Its verdict is qualified, or it has several: nothing further in the block can settle it."""
    _choices: list[Choice] = field(default_factory=list)
    _open_field: str | None = None

    def begin(self, start: Start, *, is_field: bool = False) -> None:
        if choices := read_choices(start.rest):
            self._choose(start.rest, choices)
            return
        if self._take_verdict(start.rest, trusted=start.trusted, is_field=is_field) or self.is_refused:
            return
        trailing = read_trailing_verdict(start.rest)
        if trailing is not None:
            self.wording, self.verdict = bare(trailing[0]), trailing[1]
            self._open_field = "evidence"
            return
        first, *labelled = _INNER_LABEL.split(start.rest)
        self.wording = bare(first.removeprefix("(").removesuffix(")"))
        if start.trusted:
            self.unread = self.wording
        self._take_labelled(labelled)

    def group_under(self, verdict: ConsensusVerdict | None) -> None:
        """Take the verdict of the heading above. Raises `AnswerError` if the block has a different one."""
        self._open_field = self._open_field or "evidence"
        if verdict is None:
            return
        if self.verdict not in (None, verdict) or self.is_refused:
            raise AnswerError(f"a claim under {verdict} that is called {self.verdict or self.unread}")
        self.verdict = verdict
        self.is_grouped = True

    def read(self, line: Line) -> None:
        label = FIELDS.read(line.text) or _citations(line)
        if label is None and (choices := read_choices(line.text)):
            self._choose(line.text, choices)
            return
        if label is not None and label[0] == "verdict" and self.verdict is None:
            self._note_unread(label[1], is_field=line.cell)
            label = None if self._open_field and self.unread else label
        if label is not None and label[0] not in self.labelled:
            self._take_field(*label, is_field=line.cell)
        elif line.cell:
            return
        elif self._open_field is not None:
            self.quote(line)
        elif self.verdict is None and self._take_verdict(line.text, trusted=False):
            self.verdict_below = True

    def reads_on(self, line: Line) -> bool:
        """Whether a line is a field, a choice, or a rule: not text of its own."""
        is_field = FIELDS.read(line.text) is not None or _citations(line) is not None
        return line.cell or is_field or bool(read_choices(line.text)) or not any(map(str.isalnum, line.text))

    def quote(self, line: Line) -> None:
        """Add text without meaning of its own to the field that is being read."""
        if self._open_field is not None:
            self.fields.setdefault(self._open_field, []).append(line.text)

    def text(self, name: str) -> str:
        return bare("\n".join(self.fields.get(name, ())))

    def _choose(self, line: str, choices: Sequence[Choice]) -> None:
        """Take the one verdict that is ticked or answered with yes; without one, or with several, the claim has none."""
        self._choices += choices
        self.unread = f"{self.unread} {line.strip()}".strip()
        self.verdict = chosen(self._choices)
        self.is_refused = self.verdict is None
        self._open_field = None

    def _note_unread(self, value: str, *, is_field: bool) -> None:
        """Note what stands in the place of the verdict if it is none."""
        if read_verdict(value, trusted=True, is_field=is_field) is None:
            self.unread = self.unread or value
            self.is_refused = self.is_refused or is_qualified(value, trusted=True)

    def _take_field(self, name: str, value: str, *, is_field: bool = False) -> None:
        self.labelled.add(name)
        if name == "verdict" and self.verdict is None:
            self._take_verdict(value, trusted=True, is_field=is_field)
            return
        if name == "claim":
            self.wording = self.wording or value
        self.fields.setdefault(name, []).append(value)
        self._open_field = None if name in ("confidence", "verdict") else name

    def _take_verdict(self, value: str, *, trusted: bool, is_field: bool = False) -> bool:
        first, *labelled = _INNER_LABEL.split(value)
        parsed = read_verdict(first, trusted=trusted, is_field=is_field)
        if parsed is None and is_qualified(first, trusted=trusted, is_field=is_field):
            self.unread, self.is_refused = self.unread or first, True
        if parsed is None or self.is_refused:
            return False
        self.verdict = parsed.verdict
        self._open_field = "evidence"
        reason = parsed.rest.lstrip(" \t.:;,|*_`(){}—–-→=>✅❌").rstrip(" \t|*_`")
        if reason:
            self.fields.setdefault("evidence", []).append(reason)
        self._take_labelled(labelled)
        return True

    def _take_labelled(self, pieces: Sequence[str]) -> None:
        for piece in pieces:
            label = FIELDS.read(piece)
            if label is not None and label[0] not in self.labelled:
                self._take_field(*label)


def _citations(line: Line) -> tuple[str, str] | None:
    """Read a field of citations. Outside tables and JSON, "Source: NASA" is part of the evidence."""
    label = _CITED.read(line.text)
    return label if label and (line.cell or _ONLY_MARKS.fullmatch(label[1])) else None
