"""Writes sentences about capitals, leaders and independence."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from veridic.evidence.reference.clean import (
    finish,
    join_and,
    leaders_in_mixed_case,
    paragraphs,
    split_top_level,
)
from veridic.evidence.reference.facts import FactbookLeaf, frame, write_paragraph

_ROLE = re.compile(r"^(?P<city>[^()]+?) \((?P<role>[^()]*(?:capital|seat of government)[^()]*)\)$")
_ALSO_A_CAPITAL = re.compile(r"^(?P<city>.+?) is the (?P<role>[a-z ]*capital|seat of [a-z ]+)$")
_SINCE = re.compile(r"^(?P<who>[^();]+?) \(since (?P<since>[^();]+)\)$")
_TITLES = (
    "President", "Prime Minister", "Chancellor", "King", "Queen", "Emperor", "Sultan", "Amir", "Prince", "Grand Duke",
    "Pope", "Premier", "Governor", "Taoiseach", "Supreme Leader",
)  # fmt: skip
_TITLED = re.compile(rf"^(?P<title>{'|'.join(_TITLES)}) (?P<name>[A-ZÀ-Þ].*)$")
_ROYAL_TITLES = frozenset({"King", "Queen", "Emperor", "Sultan", "Amir", "Prince", "Grand Duke", "Pope"})
_DATE = r"(?:\d{1,2}(?:-\d{1,2})? [A-Z][a-z]+ \d{3,4}|\d{3,4})"
_INDEPENDENCE = re.compile(rf"^(?P<date>{_DATE})(?: \((?P<how>.*)\))?$")

_HISTORY = re.compile(r"(?:notable earlier dates?|no official date of independence):\s*")


def _capital(fact: FactbookLeaf) -> Iterable[str]:
    """Yield one capital, or several with the role of each."""
    country = fact.country
    value, *notes = re.split(r"[;,]?\s*note\s*[-:]\s*", " ".join(paragraphs(fact.html)))
    value = value.replace(" in Romanian (", " (").rstrip(" .;") if not value.endswith("D.C.") else value
    if value.startswith("no official capital"):
        yield f"{country.initial} has no official capital."
        notes.insert(0, value.partition("; ")[2])
    elif value[:1].islower():
        yield finish(f"The capital of {country.name}: {value}")
    else:
        yield from _capitals(fact, value)
    for note in filter(None, notes):
        yield frame(country, "capital", note)


def _capitals(fact: FactbookLeaf, value: str) -> Iterator[str]:
    name = fact.country.name
    pieces = split_top_level(value, ";,") if value.count("(") > 1 else split_top_level(value)
    roles = [_ROLE.match(piece) for piece in pieces]
    cities = [(match["city"], match["role"]) for match in roles if match]
    if len(cities) > 1 and len(cities) == len(pieces):
        listed = join_and(f"{city} ({role})" for city, role in cities)
        plural = (
            "capitals" if all("capital" in role for _, role in cities) else "capital and seat of government"
        )
        yield finish(f"The {plural} of {name} are {listed}")
        for city, role in cities:
            yield finish(f"The {role} of {name} is {city}")
        return
    if (
        len(pieces) > 1
        and all(piece[0].isupper() for piece in pieces)
        and "(" in value
        and "aka" not in value
    ):
        yield finish(f"The seats of the institutions of {name} are {value}")
        return
    first, *others = pieces or [value]
    first = re.sub(r"\(aka (\w+),[^()]*\)", r"(\1)", first)
    yield finish(f"The capital of {name} is {first}")
    for piece in others:
        also = _ALSO_A_CAPITAL.match(piece)
        yield (
            finish(f"The {also['role']} of {name} is {also['city']}")
            if also
            else frame(fact.country, "capital", piece)
        )


def write_note(fact: FactbookLeaf) -> list[str]:
    """Rewrite notes that a template words better; returns nothing for all others."""
    if fact.field != "Capital":
        return []
    text = re.sub(r"^note\s*:\s*", "", fact.text)
    match = _ALSO_A_CAPITAL.match(text)
    return [finish(f"The {match['role']} of {fact.country.name} is {match['city']}")] if match else []


def _leader(office: str) -> Callable[[FactbookLeaf], Iterable[str]]:
    def write(fact: FactbookLeaf) -> Iterable[str]:
        value, *others = paragraphs(fact.html)
        value, *notes = re.split(r";?\s*note\s*\d*\s*[-:]\s*", leaders_in_mixed_case(value))
        name = fact.country.name
        if value[:1].islower():
            yield finish(f"The {office} of {name}: {value}")
        else:
            yield finish(f"The {office} of {name} is {value}")
            yield from _incumbent(fact, split_top_level(value)[0])
        for text in (*notes, *(leaders_in_mixed_case(text) for text in others)):
            yield from write_paragraph(fact.country, office, text)

    return write


def _incumbent(fact: FactbookLeaf, text: str) -> Iterator[str]:
    """Yield a sentence such as `Emmanuel Macron has been President of France since 14 May 2017.`

    Territories get none: their head of state is another country's president or king.
    """
    since = _SINCE.match(text)
    titled = _TITLED.match(since["who"]) if since else None
    if since is None or titled is None or fact.siblings.get("dependency"):
        return
    title, person = titled["title"], titled["name"]
    who = f"{title} {person}" if title in _ROYAL_TITLES else person
    yield finish(f"{who} has been {title} of {fact.country.name} since {since['since']}")


def _independence(fact: FactbookLeaf) -> Iterable[str]:
    value, *others = paragraphs(leaders_in_mixed_case(fact.html))
    told, heading, earlier = _split_history(value)
    if heading.startswith("no official"):
        yield f"{fact.country.initial} has no official date of independence."
    for piece in split_top_level(told):
        yield _independence_date(fact, piece)
    for piece in split_top_level(earlier):
        yield finish(f"A notable date in the history of {fact.country.name}: {piece}")
    for text in others:
        yield from write_paragraph(fact.country, "independence", text)


def _split_history(text: str) -> tuple[str, str, str]:
    """Split off other dates: returns the dates of independence, the heading of the others, and the others."""
    match = _HISTORY.search(text)
    return (text[: match.start()], match.group(), text[match.end() :]) if match else (text, "", "")


def _independence_date(fact: FactbookLeaf, piece: str) -> str:
    country = fact.country
    if piece.startswith("none"):
        return finish(f"{country.initial} is not independent{piece.removeprefix('none')}")
    match = _INDEPENDENCE.match(piece)
    if match is None:
        return finish(f"The independence of {country.name}: {piece}")
    on = f"{'on' if ' ' in match['date'] else 'in'} {match['date']}"
    how = match["how"]
    if how is None:
        return finish(f"The independence of {country.name} dates from {match['date']}")
    source = re.match(r"^(?:independence )?from (.*)$", how)
    if source:
        return finish(f"{country.initial} became independent {on} (from {source[1]})")
    declared = re.match(r"^(?:declared independence|independence proclaimed|declared) from ([^;]*)$", how)
    if declared:
        return finish(f"{country.initial} declared independence from {declared[1]} {on}")
    recognised = re.match(r"^recognized by (.*)$", how)
    if recognised:
        return finish(f"The independence of {country.name} was recognized by {recognised[1]} {on}")
    return finish(f"The independence of {country.name}: {piece}")


WRITERS: Mapping[str, Callable[[FactbookLeaf], Iterable[str]]] = {
    "Capital/name": _capital,
    "Executive branch/chief of state": _leader("chief of state"),
    "Executive branch/head of government": _leader("head of government"),
    "Executive branch/state counsellor": _leader("state counsellor"),
    "Independence": _independence,
}
