"""Splits a text into sentences, with exact offsets.

Each possible end is checked once, with the word before it and the character after it, so the time is linear and the offsets
are exact. (The library that was tried first, sentencex, breaks "Dr. No" and "approx. 3" and joins "(it rained.) He left.")
"""

import re
from collections.abc import Iterator

_OPENERS = "\"'“‘«‹([{*_"
_CLOSERS = "\"'”’»›)\\]}*_"

_BREAK = re.compile(
    rf"""
      (?P<blank> \n[^\S\n]*(?:\r?\n\s*)+ | \u2029\s* )           # an empty line ends whatever was going on
    | (?P<mark> (?<![.!?…])[.!?…]++ ) (?P<close> [{_CLOSERS}]*+ ) (?P<gap> \s+ | (?:\[\d{{1,3}}\])++(?:\s+|\Z) | \Z )
    | (?P<wide> [。！？｡]++[」』”’）]*+ ) \s*                        # scripts that set no space
    | (?P<danda> (?<![।॥۔؟])[।॥۔؟]++ ) (?:\s+|\Z)
    """,
    re.VERBOSE,
)

_MAY_BREAK = re.compile("[.!?…\n\u2029。！？｡।॥۔؟]")
"""What a break can begin with: searching for a set of characters is much faster than the pattern."""

_WORD_BEFORE = re.compile(r"[^\s\"'“”‘’()\[\]{}<>,;:/—–*_]+\Z")

TITLES = frozenset(
    "mr mrs ms mx messrs mme mlle dr prof rev hon sen rep gov pres supt lt lieut col gen maj brig capt cpt cmdr cdr sgt "
    "cpl pvt pte adm insp const cst det st ste mt ft fr msgr sr sra br bros amb atty cllr ald dep asst".split()
)
"""Never end a sentence: a name follows."""

BEFORE_NUMBER = frozenset(
    "no nos vol vols p pp art arts sec secs ch chap fig figs eq par paras para tab approx ca c circa est "
    "max min avg ver rev op jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
"""Come before a number: "No. 5", "approx. 3", "Jan. 5"."""

MID_SENTENCE = frozenset("e.g i.e eg ie cf viz vs v al incl excl esp approx ca resp a.k.a aka".split())
"""Never end a sentence, whatever follows."""

MAYBE_FINAL = frozenset(
    "inc ltd co corp llc plc etc jr sr dept univ assn ave blvd rd "
    "a.m p.m am pm u.s u.k u.n e.u u.s.a d.c b.c a.d ph.d m.d b.a m.a ll.b bce ce mph govt intl".split()
)
"""End a sentence only if what follows looks like the start of one."""

_MONTHS = frozenset("jan feb mar apr jun jul aug sep sept oct nov dec".split())

_STARTERS = frozenset(
    "the a an this that these those it its he she his her they their we our i you in on at by for from with "
    "after before since during although while when if as but and however there here many most some all each "
    "both no one two three according about over under only despite not what who why how yet so another other "
    "more then later today".split()
)
"""Words that, when capitalised, begin a sentence rather than continue a name."""

_NEXT_WORD = re.compile(rf"[{re.escape(_OPENERS)}]*([^\W\d_]+)")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Return start and end of each sentence of `text`, in code points, without surrounding white space.

    Closing quotes and brackets stay with their sentence. An empty line always ends a sentence.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _breaks(text):
        if match["mark"] is not None:
            if not _ends_sentence(text, match):
                continue
            end = match.end("close")
            if match["gap"].startswith("["):
                end = match.end("gap")
        elif match["blank"] is not None:
            end = match.start()
        else:
            end = match.end()
        _append(spans, text, start, end)
        start = match.end()
    _append(spans, text, start, len(text))
    return spans


def _breaks(text: str) -> Iterator[re.Match[str]]:
    reached = 0
    for candidate in _MAY_BREAK.finditer(text):
        if candidate.start() >= reached and (match := _BREAK.match(text, candidate.start())) is not None:
            reached = match.end()
            yield match


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        first = start + len(piece) - len(piece.lstrip())
        spans.append((first, first + len(stripped)))


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    after = match.end()
    if after >= len(text):
        return True
    mark = match["mark"]
    following = text[after : after + 40]
    first = following.lstrip(_OPENERS)[:1]
    if mark != ".":
        # "Yahoo! said", "Who?" he asked, "well ... no": a lower-case letter continues the sentence.
        return not first.islower()
    if first.islower() and not following[:1].isupper():
        return False
    if match["close"]:
        return True
    return _period_ends(text, match.start(), following)


def _period_ends(text: str, period: int, following: str) -> bool:
    before = _WORD_BEFORE.search(text[max(0, period - 24) : period])
    if before is None:
        return True
    word = before[0]
    plain = word.lower()
    next_is_number = following.lstrip(_OPENERS)[:1].isdigit()
    if plain in MID_SENTENCE or (plain in TITLES and word[:1].isupper()):
        return False
    if plain in BEFORE_NUMBER and (next_is_number or (plain in _MONTHS and word[:1].isupper())):
        return not (next_is_number or not _starts_sentence(following))
    if _is_initial(word) or plain in MAYBE_FINAL or ("." in word and _is_dotted(word)):
        return _starts_sentence(following)
    return not (plain in TITLES and next_is_number)


def _is_initial(word: str) -> bool:
    """Whether a word is an initial, as in "J. R. Smith"; not "I", the pronoun."""
    return len(word) == 1 and word.isalpha() and word.isupper() and word != "I"


def _is_dotted(word: str) -> bool:
    return all(len(part) <= 2 and part.isalpha() for part in word.split(".") if part)


def _starts_sentence(following: str) -> bool:
    if following[:1] in _OPENERS:
        return True
    match = _NEXT_WORD.match(following)
    return match is not None and match[1].lower() in _STARTERS and match[1][:1].isupper()
