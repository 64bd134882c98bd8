"""Writes sentences about languages, cities and age groups."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from veridic.evidence.reference.clean import (
    finish,
    join_and,
    leaders_in_mixed_case,
    paragraphs,
    split_sentences,
    split_top_level,
    split_year,
)
from veridic.evidence.reference.facts import FactbookLeaf, write_paragraph

_PERCENT = re.compile(r"(?<![\d.<])(\d[\d.]*)%")
_BRACKETS = re.compile(r"\s*\((?:[^()]|\([^()]*\))*\)")
_OFFICIAL = re.compile(r"\((?:[^()]*[;,] ?|de (?:facto|jure) |[^()]*\band )?official\b(?P<rest>[^()]*)")
_ONLY_REGIONAL = re.compile(
    r"^(?: language)?,? ?(?:only )?(?:in|on|where|but locally|minority|regional|among|also in|for the)\b|^ (?:regional|minority)"
)
_REGIONAL_THOUGH_OFFICIAL = re.compile(
    r"official in [A-Z]|official, only in|official on most|official regional|official minority|official, but locally"
)
_NOT_A_LANGUAGE = re.compile(
    r"^(?:other|others|unspecified|unknown|none|no (?:answer|response)|multilingual|two |more than|not stated|less than|persons|undeclared"
    r"|indigenous|foreign|minority|declining|many|some|various|local|numerous|\d)|\blanguages?\b|\bdialects\b|\band\b|\bnot used\b|/English$",
    re.IGNORECASE,
)
_MAX_SPEAKER_SENTENCES = 8
# Official languages that the patterns can't find: in a note, or called a state language.
_OFFICIAL_IN_WORDS: Mapping[str, tuple[str, ...]] = {
    "gh": ("English",),
    "rp": ("Filipino", "English"),
    "tt": ("Tetun", "Portuguese"),
    "mc": ("Chinese", "Portuguese"),
    "gl": ("West Greenlandic (Kalaallisut)",),
    "rm": ("Marshallese", "English"),
    "kg": ("Kyrgyz (state language)", "Russian"),
    "je": ("English", "French"),
    "ps": ("English", "Palauan (on most islands)"),
}
# Here the data names one official language and not the others, so a complete list isn't possible.
_INCOMPLETE_OFFICIAL: Mapping[str, str] = {
    "in": "English is the subsidiary official language of India.",
    "pk": "English is an official language of Pakistan.",
}
_CITY = re.compile(
    r"(?P<count>\d[\d.,]*(?: million)?) (?P<name>[^\d,;()]+(?:,(?= D\.C\.)[^\d,;()]+)?)(?P<remark>(?:\s*\([^()\d]*\))*)(?P<year>\s*\(\d{4}\))?"
)


def _languages(fact: FactbookLeaf) -> Iterable[str]:
    value, *others = paragraphs(fact.html)
    first, *sentences = split_sentences(value)
    entries = split_top_level(split_year(first)[0], ",;")
    country = fact.country
    official = _OFFICIAL_IN_WORDS.get(country.code) or tuple(dict.fromkeys(_official(first)))
    if country.code in _INCOMPLETE_OFFICIAL:
        yield _INCOMPLETE_OFFICIAL[country.code]
    elif len(official) == 1:
        yield finish(f"The official language of {country.name} is {official[0]}")
    elif official:
        yield finish(f"The official languages of {country.name} are {join_and(official)}")
    yield finish(f"Languages spoken in {country.name}: {first}")
    yield from _speakers(fact, entries, split_year(first)[1])
    for text in (*sentences, *others):
        yield from write_paragraph(country, "languages", text)


def _sample(fact: FactbookLeaf) -> Iterable[str]:
    for text in paragraphs(fact.html, " "):
        yield finish(f"Sample of a major language of {fact.country.name}: {re.sub(r'[.] [(]', ' (', text)}")


def _official(text: str) -> Iterator[str]:
    """Yield the languages marked as official for the whole country."""
    for entry in _every_entry(text):
        match = _OFFICIAL.search(entry)
        if match is None or _ONLY_REGIONAL.match(match["rest"]) or _REGIONAL_THOUGH_OFFICIAL.search(entry):
            continue
        yield _language_name(entry)


def _every_entry(text: str) -> Iterator[str]:
    """Yield the entries of the list, and of lists in brackets: `other (includes French (official))`."""
    for entry in split_top_level(text, ",;"):
        nested = re.search(r"\((?:includes?|including)?\s*(.*\(official.*\).*)\)", entry)
        bare = _BRACKETS.sub("", entry).strip()
        if nested and (bare.startswith("other") or "languages" in bare):
            yield from _every_entry(nested[1])
        elif re.search(r"\) and [A-Z]\w+ \(official", entry):
            yield from re.split(r"(?<=\)) and ", entry)
        else:
            yield entry


def _language_name(entry: str) -> str:
    name = _PERCENT.sub("", _BRACKETS.sub("", entry.replace("<0.1%", "").replace("(official", "(")))
    name = re.sub(r"\(.*$", "", name)
    name = re.sub(r"\b(?:only|less than)\b| and \d.*$", "", name)
    return re.sub(r"\s+", " ", name).strip(" ;,%")


def _speakers(fact: FactbookLeaf, entries: list[str], when: str) -> Iterator[str]:
    """Yield the share of speakers of each language, worded as the note allows."""
    note = fact.sibling("note").lower()
    if "household" in note:
        return
    written = 0
    for entry in entries:
        percent = _PERCENT.search(_BRACKETS.sub("", entry))
        name = _language_name(entry)
        if (
            percent is None
            or not name
            or _NOT_A_LANGUAGE.search(_BRACKETS.sub("", entry))
            or written >= _MAX_SPEAKER_SENTENCES
        ):
            continue
        written += 1
        only = "only " if re.search(r"\bonly\b", _BRACKETS.sub("", entry)) else ""
        if "mother tongue" in note or "maternal language" in note:
            verb = f"have {name} as their mother tongue"
        else:
            verb = f"speak {only}{name}{' at home' if 'at home' in note else ''}"
        year = f" ({when.removeprefix(' in ').replace('(est.)', 'est.')})" if when else ""
        yield finish(f"{percent[1]}% of the people of {fact.country.name} {verb}{year}")


def _cities(fact: FactbookLeaf) -> Iterable[str]:
    value, *others = paragraphs(fact.html)
    year = split_year(value)[1].removeprefix(" in ")
    position = 0
    for match in _CITY.finditer(value):
        position = match.end()
        name = leaders_in_mixed_case(match["name"].strip())
        remark = match["remark"].strip()
        role = re.search(r"\(([^()]*(?:capital|seat of government)[^()]*)\)", remark)
        where = f"the {role[1]} of {fact.country.name}" if role else f"a city in {fact.country.name}"
        alternative = (
            ""
            if role and role.group() == remark
            else re.sub(r"\s*\([^()]*(?:capital|seat)[^()]*\)", "", remark)
        )
        as_of = (match["year"] or "").strip(" ()") or year
        yield finish(
            f"{name}{' ' if alternative else ''}{alternative.strip()}, {where}, has a population of {match['count'].rstrip(',.')}"
            f"{f' ({as_of})' if as_of else ''}"
        )
    if not position:
        yield from write_paragraph(fact.country, "major urban areas", value)
    for text in others:
        yield from write_paragraph(fact.country, "major urban areas", text)


def _age_group(fact: FactbookLeaf) -> Iterable[str]:
    share, _, rest = fact.text.partition(" ")
    yield finish(f"People aged {fact.sub} make up {share} of the population of {fact.country.name} {rest}")


def _sex_ratio(fact: FactbookLeaf) -> Iterable[str]:
    value = fact.text.replace("male(s)/female", "males per female")
    yield finish(f"The sex ratio of people aged {fact.sub} in {fact.country.name} is {value}")


_AGES = ("0-14 years", "15-24 years", "25-54 years", "55-64 years", "15-64 years", "65 years and over")

WRITERS: Mapping[str, Callable[[FactbookLeaf], Iterable[str]]] = {
    "Languages": _languages,
    "Languages/major-language sample(s)": _sample,
    "Major urban areas - population": _cities,
    **{f"Age structure/{age}": _age_group for age in _AGES},
    **{f"Sex ratio/{age}": _sex_ratio for age in _AGES},
}
