"""Turns the Factbook's HTML fragments into plain text: tags, units, years, capitals, sentences."""

import html
import re
from collections.abc import Iterable

from veridic.domain.dates import MONTHS, PartialDate

LATEST_YEAR = 2026
"""The latest year of any fact in this edition; a later year is a forecast, not a date."""

_BLOCK_BREAK = re.compile(
    r"(?:\s*<br\s*/?>\s*){2,}|\s*</?p\b[^>]*>\s*|\s*</?(?:ul|ol|li|div)\b[^>]*>\s*", re.IGNORECASE
)
_LINE_BREAK = re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE)
_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")
_EMPTY_EMPHASIS = re.compile(r"<(strong|em|b|i)>((?:\s|<br\s*/?>)*)</\1>", re.IGNORECASE)
_SPACES = re.compile(r"\s+")
_UNTIDY = re.compile(r"[<&\u200b\xad]|\s{2}|[^\S ]| [,;.)\]]|[,;:]\s*[,;]")
_SPACE_BEFORE_MARK = re.compile(r" +([,;.)\]](?!\d|\w))")
_DOUBLED_MARKS = re.compile(r"([,;:])(?:\s*[,;])+")
_NOTE_LABEL = re.compile(r"^\**\s*note(?:\s*\d+)?\s*[:–-]\s*", re.IGNORECASE)


def plain(fragment: str, line_break: str = "; ") -> str:
    """Return the text of an HTML fragment on one line, with `line_break` for a single `<br>`."""
    if not _UNTIDY.search(fragment):
        return fragment.strip(" ;,")
    text = _LINE_BREAK.sub(line_break, _EMPTY_EMPHASIS.sub(r"\2", fragment))
    text = html.unescape(html.unescape(_TAG.sub("", text)))  # some entities are escaped twice
    text = text.replace("\u200b", "").replace("\xad", "")
    text = _SPACES.sub(" ", text).strip(" ;,")
    return _DOUBLED_MARKS.sub(r"\1", _SPACE_BEFORE_MARK.sub(r"\1", text))


def paragraphs(fragment: str, line_break: str = "; ") -> list[str]:
    """Return the fragment's non-empty paragraphs as plain text."""
    if "<" not in fragment:
        text = plain(fragment, line_break)
        return [text] if text else []
    pieces = _BLOCK_BREAK.split(_EMPTY_EMPHASIS.sub(r"\2", fragment))
    return [text for text in (plain(piece, line_break) for piece in pieces) if text]


def without_note_label(text: str) -> str:
    """Turn `note 1: area varies` into `area varies`."""
    return _NOTE_LABEL.sub("", text)


# Units ------------------------------------------------------------------------------------

_UNITS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\bsq km\b", "square kilometres"),
        (r"\bsq m\b", "square metres"),
        (r"\bcu km\b", "cubic kilometres"),
        (r"\bcu m\b", "cubic metres"),
        (r"\bcubic meter(s?)\b", r"cubic metre\1"),
        (r"(?<=\d) ?km\b", " kilometres"),
        (r"(?<=\d) ?nm\b", " nautical miles"),
        (r"(?<=\d) m\b(?! ?[/²])", " metres"),
        (r"(?<=\d) mm\b", " millimetres"),
        (r"\bliters\b", "litres"),
        (r"\bbbl/day\b", "barrels per day"),
        (r"\bbbl\b", "barrels"),
        (r"\bmale\(s\)/female\b", "males per female"),
        (r"\bmigrant\(s\)/", "migrants per "),
        (r"\b(births|deaths|physicians|beds)/(?=1)", r"\1 per "),
        (r"\bchildren born/woman\b", "children born per woman"),
        (r"\bBtu/person\b", "Btu per person"),
    )
)


_ANY_UNIT = re.compile(
    r"\b(?:sq|cu) k?m|\d ?(?:[kn]?m|mm)\b|cubic meter|liters|\bbbl|[a-z)]/(?:1|female|woman|person)"
)


def spell_units(text: str) -> str:
    """Turn `25,760 km` into `25,760 kilometres`; numbers stay unchanged."""
    if not _ANY_UNIT.search(text):
        return text
    for pattern, words in _UNITS:
        text = pattern.sub(words, text)
    return text


# Years ------------------------------------------------------------------------------------

_YEAR = (
    rf"(?:FY ?|as of |\d{{1,2}} )?(?:(?:{'|'.join(MONTHS)})[ ,]+)?"
    r"(?P<year>(?:19|20)\d{2})(?:\s*[-/–]\s*(?P<last>\d{4}|\d{2}))?"
)
FIGURE = re.compile(r"[$<-]?\d")
"""Matches a value that starts with a quantity."""
_ESTIMATE = re.compile(rf"\({_YEAR}\s*(?P<est>ests?\.?|projected)?\)")
_TRAILING_YEAR = re.compile(_ESTIMATE.pattern + r"$")


def _last_year(match: re.Match[str]) -> int:
    first, last = match["year"], match["last"]
    if not last:
        return int(first)
    year = int(last) if len(last) == 4 else int(first[:2] + last)
    return max(year, int(first))


def fact_date(text: str, *, estimates_only: bool = False) -> PartialDate | None:
    """Return the latest year that a value is given for: `(2024 est.)`, `(2020-25 est.)`, or `(2023)` at its end.

    Elsewhere in running text a bare year in brackets belongs to the story: "World War II (1941-45)".
    """
    if "(" not in text:
        return None
    years = [
        min(_last_year(match), LATEST_YEAR)
        for match in _ESTIMATE.finditer(text)
        if int(match["year"]) <= LATEST_YEAR
        and (match["est"] or (not estimates_only and _is_at_end(text, match.end())))
    ]
    return PartialDate(max(years)) if years else None


def _is_at_end(text: str, position: int) -> bool:
    return FIGURE.match(text) is not None or not re.search(r"\w", _TAG.sub("", text[position:]))


def split_year(text: str) -> tuple[str, str]:
    """Split a value from its year: `$5 (2024 est.)` becomes `("$5", " in 2024 (est.)")`."""
    match = _TRAILING_YEAR.search(text, max(0, text.rfind("(")))
    if match is None:
        return text, ""
    when = match.group()[1:-1]
    if match["est"]:
        when = f"{when.removesuffix(match['est']).strip()} (est.)"
    return text[: match.start()].rstrip(" ,;"), f" in {when}"


# Capitals ---------------------------------------------------------------------------------

_ROMAN = re.compile(r"[IVX]+$")
_ACRONYMS = frozenset(
    "UK US USA UN EU NZ DRC UAE PNG NATO USSR ISIS WWI WWII OPEC ASEAN ECOWAS HAMAS IDF LNA POLISARIO SAR PRC NAFTA "
    "UNESCO UNITA FRELIMO RENAMO CFA CNSP MINUSCA AUKUS ANZUS OECD CARICOM BRICS CSTO SADC IGAD MONUSCO LNG OAS NASA ESA "
    "FARC RPF EPRDF CPP BNP AL-QAIDA TV UNMIK KFOR EUFOR GDP HIV AIDS DOS DOE LTTE PLO PKK SLA UNIFIL UNMIL NRPC MOU BSAC".split()
)
_CAPITALS = r"(?:Mc|Mac|De|Di|Du|Fitz|La|Le)?[A-ZÀ-ÖØ-Þ][A-ZÀ-ÖØ-Þ'’-]*[A-ZÀ-ÖØ-Þ](?![a-zà-ÿ])"
_NAME_IN_PROSE = re.compile(rf"(?<=[a-zà-ÿ.\"”] )\b{_CAPITALS}")
_ANY_CAPITALS = re.compile(rf"(?<![(\w-]){_CAPITALS}")
_GIVEN_NAME = re.compile(r"(?:^|[\s(\"“])([A-ZÀ-Þ][a-zà-ÿ'’.-]*|[A-Z]\.)[\"”]? $")
_GIVEN_NAME_FOLLOWS = re.compile(r" [A-ZÀ-Þ][a-zà-ÿ]")
_PARTICLES = frozenset("DER DEN DE DA DOS BIN BINT IBN AL EL".split())
_SENTENCE_STARTERS = frozenset(
    "The In A An By For From Under While Since After With As At On Of And When Both Its It This That Former Only Under All To".split()
)


def _mixed_case(word: str) -> str:
    parts = re.split(r"([-'’])", re.sub(r"^(Mc|Mac|De|Di|Du|Fitz|La|Le)(?=[A-Z]{2})", r"\1\0", word))
    written = []
    for index, part in enumerate(parts):
        after_apostrophe = index and parts[index - 1] in "'’" and len(parts[index - 2]) > 1
        prefix, mark, rest = part.rpartition("\0")
        written.append(prefix + (rest.lower() if after_apostrophe and not mark else rest.capitalize()))
    return "".join(written)


def _is_acronym(word: str, after: str) -> bool:
    """Whether a word in capitals stays so: `III` in `CHARLES III` does; `XI` in `XI Jinping` is a name, since a given name follows."""
    if _ROMAN.match(word):
        return _GIVEN_NAME_FOLLOWS.match(after) is None
    return word in _ACRONYMS or len(word) < 2


def leaders_in_mixed_case(text: str) -> str:
    """Turn `President Emmanuel MACRON` into `President Emmanuel Macron`, in text that lists office-holders."""

    def mend(match: re.Match[str]) -> str:
        word = match.group()
        if _is_acronym(word, text[match.end() : match.end() + 3]):
            return word
        before = text[: match.start()]
        if word in _PARTICLES and _ANY_CAPITALS.search(before[-20:]):
            return word.lower()
        return _mixed_case(word)

    return _ANY_CAPITALS.sub(mend, text)


def names_in_mixed_case(text: str) -> str:
    """Turn `Englishman James COOK` into `Englishman James Cook`; acronyms such as NATO stay.

    The Factbook prints family names in capitals. A word in capitals counts as a name if a given name or a title, a
    capitalised word, comes before it.
    """

    def mend(match: re.Match[str]) -> str:
        word = match.group()
        given = _GIVEN_NAME.search(text, max(0, match.start() - 30), match.start())
        if (
            _is_acronym(word, text[match.end() : match.end() + 3])
            or len(word) < 3
            or given is None
            or given[1] in _SENTENCE_STARTERS
        ):
            return word
        return _mixed_case(word)

    return _NAME_IN_PROSE.sub(mend, text)


# Sentences --------------------------------------------------------------------------------

_SENTENCE_END = re.compile(r"(?<=[.!?])([\"”’)\]]*)\s+(?=[\"“‘]?[A-ZÀ-Þ0-9])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:St|Ste|Mt|Dr|Mr|Mrs|Ms|Gen|Col|Capt|Lt|Maj|Sgt|Adm|Sr|Jr|No|Nos|ca|approx|est|Inc|Ft|vs|Rev|Hon|Sen|Rep|Gov|Pres"
    r"|Prof|Cmdr|Brig|Ave|Blvd|Rd|Bldg|Tel|Fax|Ext|cf|al|Feb|Aug|Sept|Sep|Oct|Nov|Dec|Jan|Co|Corp|Ltd|S|N|E|W|c|r|b|d|fl|et)"
    r"|\b[A-Z](?:\.[A-Za-z])*|\be\.g|\bi\.e|\ba\.k\.a|\ba\.m|\bp\.m)\.[\"”’)\]]*$"
)
_LIST_NUMBER = re.compile(r"\s*\(?\d{1,2}\.$")
_DEPENDENT_CLAUSE = re.compile(
    r"(?:and|or|but|it|its|they|their|them|this|that|these|those|he|his|she|her|which|who|whose|where|while|however|thus|such"
    r"|also|both|another|others?|the (?:former|latter|two|three|rest|remaining|other)|including|includes|with|as well|then|later|instead|otherwise"
    r"|although|though|because|so|most|some|many|each|all|none|in (?:addition|turn|that|this)|similarly|likewise|subsequently|nonetheless|nevertheless)\b",
    re.IGNORECASE,
)


def split_sentences(text: str) -> list[str]:
    """Split a paragraph into sentences; abbreviations and initials don't end one."""
    found: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        head = text[start : match.end(1)]
        if _ABBREVIATION.search(head) or _LIST_NUMBER.match(head):
            continue
        found.append(head.strip())
        start = match.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


_STRUCTURE = re.compile(r"[()\[\]\",;/]")


def split_top_level(text: str, separators: str = ";") -> list[str]:
    """Split at `separators` outside brackets and quotation marks."""
    pieces: list[str] = []
    depth = 0
    quoted = False
    start = 0
    for match in _STRUCTURE.finditer(text):
        character, index = match.group(), match.start()
        if character in "([":
            depth += 1
        elif character in ")]":
            depth = max(0, depth - 1)
        elif character == '"':
            quoted = not quoted
        elif character in separators and not depth and not quoted and not _inside_number(text, index):
            pieces.append(text[start:index])
            start = index + 1
    pieces.append(text[start:])
    return [piece.strip() for piece in pieces if piece.strip()]


def _inside_number(text: str, index: int) -> bool:
    return text[index - 1 : index].isdigit() and text[index + 1 : index + 2].isdigit()


def split_clauses(text: str) -> list[str]:
    """Split a note into statements: sentences, and clauses between semicolons.

    A clause that depends on the one before ("it also ...", "including ...") stays with it.
    """
    clauses: list[str] = []
    for sentence in split_sentences(text):
        first = True
        for clause in split_top_level(sentence):
            if not first and _DEPENDENT_CLAUSE.match(clause):
                clauses[-1] += f"; {clause}"
            else:
                clauses.append(clause)
            first = False
    return clauses


def join_and(words: Iterable[str]) -> str:
    """Join words as in `a, b and c`."""
    *head, last = words
    return f"{', '.join(head)} and {last}" if head else last


_FINAL_MARKS = frozenset(".!?")


def finish(text: str) -> str:
    """Format one sentence: single spaces, a capital at the start, a full stop at the end."""
    text = " ".join(text.split()).strip(" ;,").rstrip(":- ")
    if text[:1].islower() and not text[1:2].isupper():
        text = text[0].upper() + text[1:]
    return text if text.rstrip('"”’')[-1:] in _FINAL_MARKS else text + "."
