"""Writes facts as sentences: by a template for most fields, by a function for those that need parsing."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import resources

from veridic.domain.dates import MONTHS
from veridic.evidence.reference import economy, geography, government, people, world
from veridic.evidence.reference.clean import (
    finish,
    leaders_in_mixed_case,
    paragraphs,
    plain,
    spell_units,
    split_sentences,
    split_year,
)
from veridic.evidence.reference.facts import FactbookLeaf, write_paragraph, write_prose

Writer = Callable[[FactbookLeaf], Iterable[str]]

_WRITERS: Mapping[str, Writer] = {
    **geography.WRITERS,
    **people.WRITERS,
    **government.WRITERS,
    **economy.WRITERS,
}

_PROSE: Mapping[str, str | None] = {
    "Background": None,
    "Preliminary statement": None,
    "Geographic overview": None,
    "Demographic profile": "demographic profile",
    "Economic overview": "economic overview",
    "Geography - note": "geography",
    "Military - note": "military",
    "Government - note": "government",
    "Communications - note": "communications",
    "Country name/etymology": "etymology of the country's name",
    "Capital/etymology": "etymology of the capital's name",
}
_ONE_SENTENCE_PER_LINE = frozenset({"Key space-program milestones", "Executive branch/election results"})
_ONE_SENTENCE_FOR_ALL_LINES = frozenset(
    {
        "Political parties",
        "Geoparks/global geoparks and regional networks",
        "Diplomatic representation in the US/chancery",
        "Diplomatic representation in the US/email address and website",
        "Diplomatic representation from the US/embassy",
        "Diplomatic representation from the US/mailing address",
        "Diplomatic representation from the US/email address and website",
    }
)
_NAMES_IN_CAPITALS = frozenset(
    {
        "Executive branch/election results",
        "National anthem(s)/lyrics/music",
        "Diplomatic representation in the US/chief of mission",
        "Diplomatic representation from the US/chief of mission",
        "Executive branch/cabinet",
    }
)
_NOTHING = re.compile(r"(?:NA%?|not available|none|none listed|no data)\.?$", re.IGNORECASE)
_INLINE_NOTE = re.compile(r"[;,]?\s*\bnote\s*\d*\s*[-–:]\s*", re.IGNORECASE)
_LEADING_LABEL = re.compile(
    r"^(?:description|urban|rural|total|arable land|permanent crops|permanent pasture|note)(?: \d+)?:\s*"
)
_US_DATE = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b")
_ENDS_IN_INITIAL = re.compile(r"\b[A-Z]\.$")
_FIGURE_AFTER_YEAR = re.compile(r"(\(\d{4}(?: est\.)?\)) (?=\d)")
_COUNT = re.compile(r"^([\d,]+)\s*(.*)$")


def write(fact: FactbookLeaf) -> list[str]:
    """Return all sentences for a fact; at least one for any field."""
    lines: Iterable[str]
    if fact.country.code == "xx" and world.applies(fact):
        lines = world.write(fact)
    elif fact.is_note:
        lines = government.write_note(fact) or write_prose(fact, fact.label)
    elif fact.key in _PROSE:
        lines = write_prose(fact, _PROSE[fact.key])
    elif fact.key in _WRITERS and not _NOTHING.match(fact.text):
        lines = _WRITERS[fact.key](fact)
    else:
        lines = _from_template(fact)
    return list(dict.fromkeys(lines)) or [f"{_label(fact)}: not stated."]


def _from_template(fact: FactbookLeaf) -> Iterable[str]:
    if fact.key in _ONE_SENTENCE_PER_LINE:
        for text in re.split(r"<br\s*/?>|</p>", fact.html):
            if re.search(r"\w", plain(text)):
                yield _render(fact, plain(text))
        return
    texts = paragraphs(fact.html)
    if not texts:
        return
    if fact.key in _ONE_SENTENCE_FOR_ALL_LINES:
        yield _render(fact, "; ".join(texts))
        return
    if texts[0].lower().startswith("note"):
        yield from write_prose(fact, fact.label)
        return
    value, *notes = _INLINE_NOTE.split(texts[0]) if "note" in texts[0] else [texts[0]]
    first, *others = split_sentences(value) or [texts[0]]
    yield _render(fact, first)
    for text in (*others, *notes, *texts[1:]):
        yield from write_paragraph(fact.country, fact.label, text)


def _render(fact: FactbookLeaf, text: str) -> str:
    value = text if _ENDS_IN_INITIAL.search(text) else _LEADING_LABEL.sub("", text).rstrip(" .;,")
    value = spell_units(value)
    if "/" in value:
        value = _US_DATE.sub(_written_date, value)
    if ") " in value:
        value = _FIGURE_AFTER_YEAR.sub(r"\1, ", value)
    if fact.key in _NAMES_IN_CAPITALS:
        value = leaders_in_mixed_case(value)
    template = _template(fact)
    if template is None or _NOTHING.match(value):
        return finish(f"{_label(fact)}: {'not available' if value.startswith('NA') else value}")
    core, when = split_year(value)
    count = _COUNT.match(value)
    sentence = template.format(
        C=fact.country.initial,
        c=fact.country.name,
        v=value.replace("(s)", "s"),
        core=core,
        when=when,
        sub=fact.topic,
        n=count[1] if count else value,
        rest=f" {count[2]}" if count and count[2] else "",
    )
    return finish(sentence.removesuffix(".") if sentence.endswith("..") else sentence)


def _written_date(match: re.Match[str]) -> str:
    month, day, year = match.groups()
    return f"{int(day)} {MONTHS[int(month) - 1]} {year}" if 1 <= int(month) <= len(MONTHS) else match.group()


def _template(fact: FactbookLeaf) -> str | None:
    templates = _templates()
    return templates.get(fact.key) or templates.get(f"{fact.field}/*")


@cache
def _templates() -> dict[str, str]:
    text = resources.files(__package__).joinpath("data/templates.json").read_text(encoding="utf-8")
    templates: dict[str, str] = json.loads(text)
    return templates


def _label(fact: FactbookLeaf) -> str:
    """Return a label for fields without a template: `Telecommunication systems (international) of Western Sahara`."""
    field = re.sub(r" - ", ", ", fact.field)
    topic = f" ({fact.topic})" if fact.topic else ""
    return f"{field}{topic} of {fact.country.name}"
