"""Resolves dates that depend on the day of writing: "on Tuesday", "last year", "in November".

Whether "on Tuesday" is past or future follows from the tense of its verb. Expressions whose year is given, and those that only
look like dates ("USA Today", "this may change"), stay unchanged.
"""

import calendar
import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from veridic.domain.dates import MONTHS, in_words
from veridic.text.english import parse

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_WEEKDAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_MONTHS = {name.lower(): number for number, name in enumerate(MONTHS, 1)}
_WEEKDAY = "|".join(calendar.day_name)
_MONTH = "|".join(MONTHS)
_RELATIVE = re.compile(
    rf"\b(?P<day>(?i:yesterday|today|tomorrow))\b(?!['’])"
    rf"|\b(?P<which>(?i:last|this|next)) (?P<span>year|month|week|spring|summer|autumn|winter|season)\b(?!['’])"
    rf"|\b(?P<on>(?i:on|last|this|next)) (?P<weekday>{_WEEKDAY})\b(?!['’]|,? \(?(?:the )?\d|,? \(?(?:{_MONTH})\b)"
    rf"|\b(?P<of>(?i:in|since|until|by|last|this|next|during|from|of|early|late|mid)) (?P<month>{_MONTH})\b(?!['’]|,? \d)"
    rf"|\b(?P<date>\d{{1,2}} (?:{_MONTH})|(?:{_MONTH}) \d{{1,2}})\b(?!['’]|,? \d| to \d| and \d)"
)
_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
_NAMES = frozenset({"PERSON", "ORG", "WORK_OF_ART", "PRODUCT", "FAC", "GPE", "LAW", "NORP"})
"""Kinds of entities that may contain a word for a date without meaning one."""


def with_dates_resolved(text: str, written: date) -> str:
    """Add the date in brackets after every expression that depends on the day of writing; after a month or a day of one,
    add the year."""
    matches = list(_RELATIVE.finditer(text))
    if not matches:
        return text
    doc = parse(text)
    pieces = []
    position = 0
    for match in matches:
        pieces.append(text[position : match.end()])
        position = match.end()
        if (token := _token(doc, match)) is None or token.ent_type_ in _NAMES:
            continue
        if text.startswith(" of ", match.end()) and match["span"]:
            continue  # "the last year of the war" doesn't depend on the day of writing
        try:
            meaning = _meaning(match, written, ahead=_is_ahead(token))
        except (
            KeyError,
            ValueError,
            OverflowError,
        ):  # the 0th of May, the day before the first one, "yeſterday"
            continue
        if meaning is not None:
            pieces.append(f" {meaning}")
    return "".join((*pieces, text[position:]))


def _token(doc: "Doc", match: re.Match[str]) -> "Token | None":
    """Return the token that names the day or the month."""
    name = next(name for name in ("day", "span", "weekday", "month", "date") if match[name])
    span = doc.char_span(match.start(name), match.end(name), alignment_mode="expand")
    return span.root if span is not None else None


def _is_ahead(token: "Token") -> bool | None:
    """Whether the event is in the future; None if no verb tells."""
    verb = next((above for above in token.ancestors if above.pos_ in ("VERB", "AUX")), None)
    if verb is None:
        return None
    helpers = [child for child in verb.children if child.dep_ in ("aux", "auxpass")]
    tags = {token.tag_ for token in (verb, *helpers)}
    if "VBD" in tags or any(helper.lemma_ == "have" for helper in helpers):
        return False
    if "MD" in tags:
        return True
    if tags & {"VBZ", "VBP"}:
        return _belongs_to(token, verb)
    return bool(tags & {"VB"})  # "to be opened on Tuesday", but "opened on Tuesday"


def _belongs_to(token: "Token", verb: "Token") -> bool:
    """Whether a date says when something happens, not which thing is meant: "the floods of March are the worst"."""
    between = token
    while between.head != verb:
        between = between.head
        if between.pos_ in ("NOUN", "PROPN", "PRON"):
            return False
    return True


def _meaning(match: re.Match[str], written: date, *, ahead: bool | None) -> str | None:
    if match["day"]:
        shift = {"yesterday": -1, "today": 0, "tomorrow": 1}[match["day"].lower()]
        return f"({in_words(written + timedelta(days=shift))})"
    if match["span"]:
        return _period(match["which"].lower(), match["span"], written)
    if ahead is None:
        return None
    if match["weekday"]:
        return f"({in_words(_weekday(match, written, ahead))})"
    if _YEAR.search(match.string):
        return None
    if match["month"]:
        return str(_year_of(_MONTHS[match["month"].lower()], None, match["of"].lower(), written, ahead))
    name, day = sorted(match["date"].split(), key=str.isdigit)
    return str(_year_of(_MONTHS[name.lower()], int(day), "", written, ahead))


def _period(which: str, span: str, written: date) -> str | None:
    shift = {"last": -1, "this": 0, "next": 1}[which]
    if span == "year":
        return f"({written.year + shift})"
    if span == "month":
        month = written.month - 1 + shift
        return f"({MONTHS[month % 12]} {written.year + month // 12})"
    if span in ("spring", "summer", "autumn", "winter"):
        begins = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}[span]
        year = written.year - (which == "last" and written.month < begins + 3)
        return f"({year})" if which != "next" else f"({written.year + (written.month >= begins)})"
    return None


def _weekday(match: re.Match[str], written: date, ahead: bool) -> date:
    wanted = _WEEKDAYS[match["weekday"].lower()]
    lead = match["on"].lower()
    back = (written.weekday() - wanted) % 7
    if lead == "next" or (ahead and back and lead != "last"):
        return written + timedelta(days=(wanted - written.weekday()) % 7 or 7)
    return written - timedelta(days=(back or 7) if lead == "last" else back)


def _year_of(month: int, day: int | None, lead: str, written: date, ahead: bool) -> int:
    """Return the year of the nearest such month or day: in the past, or in the future if `ahead`."""
    if day is not None and not 1 <= day <= calendar.monthrange(2000, month)[1]:
        raise ValueError("no such day")
    wanted = (month, day or written.day)
    today = (written.month, written.day)
    if lead == "next":
        return written.year + (wanted <= today)
    if lead == "last":
        return written.year - (wanted >= today)
    if lead == "this":
        return written.year
    if lead == "until" or (ahead and lead != "since"):
        return written.year + (wanted < today)
    return written.year - (wanted > today)
