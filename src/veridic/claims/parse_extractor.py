"""Parses an extractor's answer into claims.

The requested format is

    CLAIM 1: [claim]
    Context: [sentence]
    Type: [STATISTIC|DATE|ATTRIBUTION|TECHNICAL|COMPARISON|CAUSAL]

Models deviate from it. The parser also reads Markdown around the labels, tables, JSON, labels in another order or all on one line,
in another language, values over several lines, `CLAIM A (DATE): ...`, and, if the word CLAIM never occurs, the items of a list,
except those under a heading that says what was left out. A missing context is the claim itself; a missing or unknown type comes
from our own rule. Ids count up in the order of the answer, whatever numbers the model gave.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from veridic.claims.classify import claim_type, find_features
from veridic.claims.framing import detect_framing
from veridic.domain.claim import ClaimType
from veridic.domain.consensus import ExtractedClaim
from veridic.text.answer_fields import AnswerError, reads_like_a_refusal
from veridic.text.labels import CLOSING, DRESS, Labels, Line, bare, read_lines
from veridic.text.loose_json import plain_name

_CONTEXT = r"(?:surrounding |source |original |full )?(?:context|sentence)|kontext|contexte|contexto|contesto|контекст|上下文|文脈"
_KIND = r"(?:claim )?type|(?:claim )?category|typ|tipo|тип|类型|種類"
_FIELDS = Labels(context=_CONTEXT, type=_KIND)
_WORD = (
    r"(?:(?:verifiable |factual |extracted )?claim|behauptung|aussage|affirmation|afirmaci[óo]n|afirma[çc][ãa]o|affermazione|bewering|"
    r"утверждение|主张|主張|声明)"
)
_LETTER = r"(?-i:[A-Z]|[IVX]{2,5})(?=[\s*_`\])}]*+[:：.)])|(?:one|two|three|four|five|six|seven|eight|nine|ten)(?=[\s*_`]*+[:：])"
_CLAIM = re.compile(
    rf"{DRESS}{_WORD}(?![a-z])[\s_#-]*+(?P<number>[0-9]{{1,6}}|{_LETTER})?+{CLOSING}"
    rf"(?:[(\[](?P<tag>[^)\]]{{1,40}})[)\]]{CLOSING})?(?P<end>[:：]|[.)=>—–-]*+)(?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)
_BOX = r"(?:(?:\[[ xX✓]?\]|[☐☑])\s++)?"
_ITEM = re.compile(rf"[\s#*_]*+\(?[0-9]{{1,4}}[.):][*_]*+\s++{_BOX}(?P<value>.*)", re.DOTALL)
_BULLET = re.compile(rf"[^\S\n]?(?:[-*+•‣◦▪·–—])[^\S\n]++{_BOX}(?P<value>.*)", re.DOTALL)
_OTHER_FIELD = re.compile(
    r"(?:\s{2,}|\s*+[-*+•]\s++)(?P<key>[a-z][a-z_]{1,30}):(?:\s+(?P<value>.*))?"
    r"|\s*+(?:[-*+•]\s++)?\*\*(?P<bold>[^*:\n]{2,30}):?\*\*:?\s*+(?P<said>.*)",
    re.DOTALL,
)
"""Another field of a claim, as in YAML (`  risk_level: LOW`) or in bold."""
_MIN_WORDS = 3
"""A list item without labels needs at least so many words to be a statement."""
_HEADING = re.compile(
    r"[^\S\n]{0,3}(?:#{1,6}\s.*|\*\*[^*]{1,80}\*\*:?|(?![-*+•\s])[^|]{1,100}[:：][*_]{0,2})\s*+"
)
_EXCLUDED_HEADING = re.compile(
    r"\b(?:exclu\w+|omit\w+|left out|ignored|skipped|removed|not (?:included|extracted|verifiable|checkable|claims?)|non-?verifiable|"
    r"unverifiable|opinions?|subjective|predictions?|hedged|notes?|suggestions?|next steps)\b",
    re.IGNORECASE,
)
_CLAIM_NAMES = (
    "claim",
    "factual claim",
    "verifiable claim",
    "extracted claim",
    "exact claim",
    "statement",
    "assertion",
    "fact",
    "text",
    "content",
)
"""Names of a column or field that may hold the claim, in order of preference."""
_CONTEXT_NAME = re.compile(
    rf"(?:{_CONTEXT}|quote|source(?: text)?|original(?: text)?|excerpt|source paragraph|text)", re.IGNORECASE
)
_KIND_NAME = re.compile(rf"(?:{_KIND}|kind|class)", re.IGNORECASE)
_CLAIM_LISTS = re.compile(
    r"(?:\w+ )?(?:claims?|statements?|assertions?|facts|items|list|results?|data|output)(?: list)?[:：]",
    re.IGNORECASE,
)
_CLOSING_LINE = re.compile(
    rf"{DRESS}(?:(?:extraction )?summary|total claims)\b|\s*+(?:-{{3,}}+|\*{{3,}}+)\s*+\Z", re.IGNORECASE
)
_NOTHING_FOUND = re.compile(
    r"\bno (?:verifiable|factual|checkable|discrete)\b[\w ,/-]{0,40}\bclaims?\b|total claims\W{1,6}0\b",
    re.IGNORECASE,
)
_SAYS_NONE = re.compile(
    r"(?:\bno|\bzero|\bwithout(?: any)?|(?:not|n['’]t) (?:contain|find|found|identify|include|see|detect|have|present|any)(?: any)?)"
    r"\s(?:(?:verifiable|factual|checkable|discrete|specific|clear|concrete|objective|testable|explicit|and|or|such),?\s){0,5}"
    r"(?:claims?|facts|statements?|assertions?)\b"
    r"|\bclaims?[\s_]?[0-9]{0,4}[\"*_]{0,3}[:：][*_\s]{0,4}(?:none|nothing|n/a|\[\s{0,8}\])|\bnothing (?:(?:here|there|in (?:this|the|it)(?: \w+)?) )?(?:(?:that )?(?:can|could|to) (?:be )?|is )(?:verif|check|extract|fact-?check)\w*"
    r"|\b(?:none of (?:this|it|these|the \w+)|neither \w+) (?:can|could) be (?:verified|checked|fact-checked)\b"
    r"|\b(?:purely|entirely|only|just|all) (?:an? )?(?:opinion|subjective|fiction)\w*\b.{0,80}\bno\w* .{0,40}\b(?:verif|check|claim)",
    re.IGNORECASE,
)
_ONLY_NONE = re.compile(
    r"\W{0,20}(?:none|nothing|n/a|zero|0)(?: (?:were )?(?:found|identified))?\W{0,20}", re.IGNORECASE
)
_EMPTY_JSON = re.compile(r"(?:```\w{0,10})?\s{0,8}(?:\[\s{0,8}\]|\{\s{0,8}\})\s{0,8}(?:```)?")
_SUMMARY = re.compile(r"\bextraction summary\b", re.IGNORECASE)
_TOTAL = re.compile(r"\btotal[\s_]?claims\W{1,8}(?P<number>[0-9]{1,6})", re.IGNORECASE)
_INNER_LABEL = re.compile(
    r"[\s|;,*_—–-]{1,6}(?=(?:(?:Surrounding )?Context[*_]{0,2}[:：]"
    r"|(?:Claim )?Type[*_]{0,2}[:：][\s*_\[]{0,5}(?i:statistic|date|attribution|technical|comparison|causal)\b"
    r"|CLAIM [0-9]{1,4}[*_]{0,2}[:：]))"
)
_PLACEHOLDER = re.compile(
    r"exact claim(?: as stated in the content)?|(?:the )?claim(?:, as the content words it)?|"
    r"(?:the )?(?:surrounding )?sentence(?: it stands in| for reference)?|n/?a|none|nothing|[-.…—]+",
    re.IGNORECASE,
)

_TYPES = {
    ClaimType.STATISTIC: r"statistic",
    ClaimType.DATE: r"dates?\b|temporal",
    ClaimType.ATTRIBUTION: r"attribut",
    ClaimType.TECHNICAL: r"technical",
    ClaimType.COMPARISON: r"compari|comparat",
    ClaimType.CAUSAL: r"caus",
}
_TYPE = re.compile("|".join(rf"\b(?P<{kind}>{wording})" for kind, wording in _TYPES.items()), re.IGNORECASE)
_TRAILING_TYPE = re.compile(r"[\[(]\s?(?:[Tt]ype:\s?)?(?P<tag>[A-Z]{4,12})\s?[\])]\.?\Z")
_TYPE_HEADING = re.compile(
    rf"[\s#*_=-]*+(?P<kind>{'|'.join(f'{kind}s?' for kind in ClaimType)})(?:\s(?:claims?|statements?))?[\s*_:：=()0-9-]*+",
    re.IGNORECASE,
)
"""A heading over the claims of one type."""
_TAIL = 40
_COPIED_TYPE_COUNT = 4
"""If so many types are named at once, the model copied the format's own list."""
_MAX_GUESS_CHARACTERS = 1500
"""Characters; more is not one statement, and the rules are made for sentences."""


class ReadClaim(NamedTuple):
    """A claim with whatever else was said of it, by the name of its field (in the form of `plain_name`)."""

    claim: ExtractedClaim
    other: dict[str, str]


def parse_claims(text: str) -> tuple[ExtractedClaim, ...]:
    """Return the claims of an extractor's answer, `claim_1`, `claim_2`, ... in its order; empty if there are none."""
    return _numbered(read.claim for read in read_claims(text))


def read_claims(text: str) -> list[ReadClaim]:
    """Return the claims of an answer in any of the formats that this parser reads, without ids."""
    lines = read_lines(text)
    drafts = _records(lines) or _read(lines, _claim_label)
    if not drafts and not _NOTHING_FOUND.search(text) and not reads_like_a_refusal(text):
        included = list(_without_excluded(lines))
        drafts = _read(included, _list_item) or _read(included, _bullet)
        drafts = drafts or _read([line._replace(text=line.text.lstrip()) for line in included], _bullet)
    return [ReadClaim(claim, draft.other) for draft in drafts if (claim := _finish(draft)) is not None]


def parse_extraction(text: str) -> tuple[ExtractedClaim, ...]:
    """Return the claims of an extractor's answer; empty if it says that there are none. Raises `AnswerError` if it says neither."""
    claims = parse_claims(text)
    if not claims and not says_there_are_no_claims(text):
        raise AnswerError("no claims in the format asked for")
    return claims


def says_there_are_no_claims(text: str) -> bool:
    """Whether an answer without claims says that there are none: with a total of 0, with an empty summary, or in plain words. Any
    other answer without claims is invalid."""
    if reads_like_a_refusal(text):
        return False
    if total := _TOTAL.search(text):
        return int(total["number"]) == 0
    answer = text.strip()
    only = _ONLY_NONE.fullmatch(answer) or _EMPTY_JSON.fullmatch(answer)
    return bool(only or _SUMMARY.search(text) or _SAYS_NONE.search(text))


def deduplicate(claims: Iterable[ExtractedClaim]) -> tuple[ExtractedClaim, ...]:
    """Keep each claim once, by its exact wording, and renumber the ids."""
    first: dict[str, ExtractedClaim] = {}
    for claim in claims:
        first.setdefault(claim.claim, claim)
    return _numbered(first.values())


def _numbered(claims: Iterable[ExtractedClaim]) -> tuple[ExtractedClaim, ...]:
    return tuple(claim.model_copy(update={"id": f"claim_{n}"}) for n, claim in enumerate(claims, 1))


class _Label(NamedTuple):
    name: str
    """`claim`, `context` or `type`."""
    value: str
    tag: str = ""
    """A type next to the claim's number."""


_Start = Callable[[str], _Label | None]
"""Parses the line that a claim begins with."""


def _claim_label(line: str) -> _Label | None:
    match = _CLAIM.match(line)
    if match is None:
        return None
    value = bare(match["value"])
    has_colon = match["end"] in (":", "：")
    if not has_colon and (match["number"] is None or (value and not match["end"])):
        return None
    return _Label("claim", value, match["tag"] or "")


def _list_item(line: str) -> _Label | None:
    match = _ITEM.match(line)
    return _Label("claim", bare(match["value"])) if match else None


def _bullet(line: str) -> _Label | None:
    match = _BULLET.match(line)
    if match is None or _FIELDS.read(line) is not None:
        return None
    value = bare(match["value"])
    return _Label("claim", value) if value.count(" ") >= _MIN_WORDS - 1 else None


def _without_excluded(lines: Iterable[Line]) -> Iterator[Line]:
    """Skip everything under a heading that says it is not a claim."""
    is_excluded = False
    for line in lines:
        if not line.cell and _HEADING.fullmatch(line.text):
            is_excluded = _EXCLUDED_HEADING.search(line.text) is not None
        if not is_excluded:
            yield line


@dataclass
class _Draft:
    """A claim that is being read: the lines of each of its values."""

    claim: list[str] = field(default_factory=list)
    context: list[str] = field(default_factory=list)
    type: list[str] = field(default_factory=list)
    other: dict[str, str] = field(default_factory=dict)

    def lines_of(self, name: str) -> list[str]:
        return {"claim": self.claim, "context": self.context, "type": self.type}[name]


def _records(lines: Iterable[Line]) -> list[_Draft]:
    """Read table rows and JSON objects that have a claim, and texts in a list of claims."""
    drafts: list[_Draft] = []
    record: dict[str, str] = {}
    heading = ""
    for line in [*lines, Line("")]:
        name, colon, value = line.text.partition(":")
        if line.cell and (item := _list_item(line.text)) is not None:
            if not heading or _CLAIM_LISTS.fullmatch(heading):
                drafts.append(_Draft(claim=[item.value]))
        elif line.cell and colon:
            record.setdefault(" ".join(name.lower().split()), bare(value))
        else:
            if (draft := _from_record(record)) is not None:
                drafts.append(draft)
            record = {}
            heading = line.text or heading
    return drafts


def _from_record(record: dict[str, str]) -> _Draft | None:
    """Return a draft for a record with a claim; None for others, such as the answer's summary."""
    named = next((name for name in _CLAIM_NAMES if record.get(name)), None)
    if named is None:
        return None
    context = [value for name, value in record.items() if name != named and _CONTEXT_NAME.fullmatch(name)]
    kind = [value for name, value in record.items() if _KIND_NAME.fullmatch(name)]
    other = {plain_name(name): value for name, value in record.items()}
    return _Draft(claim=[record[named]], context=context[:1], type=kind, other=other)


def _read(lines: Iterable[Line], start: _Start) -> list[_Draft]:
    """Read labelled claims. The first label in the answer starts each claim, so that labels can come in any order."""
    drafts: list[_Draft] = []
    leading: str | None = None
    value: list[str] | None = None
    kind = ""
    for line in _split_inline_labels(lines, start):
        label = _label(line, start)
        if label is not None:
            leading = leading or label.name
            if not drafts or label.name == leading or (label.name == "claim" and drafts[-1].claim):
                tag = label.tag or kind
                drafts.append(_Draft(type=[tag] if tag else []))
            value = drafts[-1].lines_of(label.name)
            value.append(label.value)
            if line.cell or (label.name == "type" and label.value):
                value = None
        elif not line.text:
            value = value if value == [""] else None
        elif _CLOSING_LINE.match(line.text):
            value = None
        elif heading := _TYPE_HEADING.fullmatch(line.text):
            kind, value = heading["kind"], None
        elif drafts and (other := _OTHER_FIELD.fullmatch(line.text)) is not None:
            said = bare(other["value"] or other["said"] or "")
            drafts[-1].other.setdefault(plain_name(other["key"] or other["bold"]), said)
            value = None
        elif value is not None:
            value.append(line.text.strip())
    return [draft for draft in drafts if draft.claim]


def _split_inline_labels(lines: Iterable[Line], start: _Start) -> Iterator[Line]:
    """Split several labels on one line into lines."""
    for line in lines:
        if line.cell or _label(line, start) is None:
            yield line
        else:
            yield from (line._replace(text=part) for part in _INNER_LABEL.split(line.text))


def _label(line: Line, start: _Start) -> _Label | None:
    if not line.text or line.quoted:
        return None
    if (first := start(line.text)) is not None:
        return first
    found = _FIELDS.read(line.text)
    return _Label(*found) if found else None


def _finish(draft: _Draft) -> ExtractedClaim | None:
    claim, kind = _split_type(_value(draft.claim))
    if not claim or _PLACEHOLDER.fullmatch(claim):
        return None
    context = _value(draft.context)
    if not context or _PLACEHOLDER.fullmatch(context):
        context = claim
    return ExtractedClaim(
        id="",
        claim=claim,
        context=context,
        type=_read_type(" ".join(reversed(draft.type))) or kind or _guess_type(claim),
    )


def _value(lines: list[str]) -> str:
    return bare(" ".join(" ".join(lines).splitlines()))


def _split_type(claim: str) -> tuple[str, ClaimType | None]:
    """Split `It opened in 1969. (DATE)` into claim and type."""
    match = _TRAILING_TYPE.search(claim[-_TAIL:])
    kind = _read_type(match["tag"]) if match else None
    if match is None or kind is None:
        return claim, None
    return bare(claim[: len(claim) - len(match[0])]), kind


def _read_type(value: str) -> ClaimType | None:
    named = [ClaimType(match.lastgroup) for match in _TYPE.finditer(value) if match.lastgroup]
    return None if not named or len(set(named)) >= _COPIED_TYPE_COUNT else named[0]


def _guess_type(claim: str) -> ClaimType:
    statement = " ".join(claim[:_MAX_GUESS_CHARACTERS].split())
    return claim_type(find_features(statement), detect_framing(statement))
