"""What a statement or a heading is about: a country, a person, a river, something plural.

Only as much as is needed to decide what a later "it", "she" or "the river" can stand for.
"""

import re
from dataclasses import dataclass, field

from veridic.claims.countries import COUNTRIES, WITH_ARTICLE
from veridic.language.verbs import forms_of


@dataclass(frozen=True)
class Entity:
    name: str
    """As it stands within a sentence: "Australia", "the Eiffel Tower"."""
    person: bool = False
    thing: bool = False
    plural: bool = False
    country: bool = False
    classes: frozenset[str] = field(default_factory=frozenset)
    """Common nouns it was said to be: {"river"}."""

    def as_subject(self) -> str:
        return self.name[:1].upper() + self.name[1:]

    def possessive(self) -> str:
        return self.as_subject() + ("'" if self.name.endswith("s") else "'s")


_PLACES = "country nation state republic kingdom city town village island islands archipelago region province capital county district territory continent"
_STRUCTURES = "tower bridge building church cathedral temple mosque castle palace museum stadium dam canal railway station airport monument wall ship hospital school university college library"
_NATURE = "river lake mountain peak volcano sea ocean desert valley glacier forest park reef strait bay"
_BODIES = "company firm corporation bank organisation organization party team club agency union league group band association federation network newspaper magazine"
_WORKS = "film movie book novel song album play series painting law treaty act agreement programme program project battle war study report"
CLASS_NOUNS = frozenset(f"{_PLACES} {_STRUCTURES} {_NATURE} {_BODIES} {_WORKS}".split())
"""Nouns that, with "the", stand for something named before."""

COUNTRY_WORDS = frozenset({"country", "nation", "republic", "kingdom"})

_TITLED = re.compile(
    r"\A(?:the )?(?:[A-Z]\w+ )?(?:Mr|Mrs|Ms|Dr|Sir|Lord|Lady|Professor|President|Prime Minister|Minister|Senator|King|Queen|Pope|Prince|Princess|Emperor|General|Captain|Chancellor|Governor|Mayor|Judge)\b\.?"
)
_LIFE = re.compile(
    r"\b(?:was born|born (?:in|on)|died|married|studied|graduated|was elected|(?:is|was) an? (?:[\w-]+ ){0,4}(?:politician|actor|actress|singer|writer|author|scientist|physicist|chemist|"
    r"mathematician|composer|painter|player|footballer|lawyer|businessman|businesswoman|journalist|economist|philosopher|engineer|poet|director|activist|president|inventor|astronaut|king|queen|emperor|architect|explorer|artist))\b"
)
_NOT_PERSON = frozenset(
    "Tower River University Mount Mountain Mountains Bank Party Inc Corp Ltd Bridge Lake City Republic Kingdom States State Islands Island South North "
    "East West New Company Union Museum Airport Sea Ocean Desert Park Group League Organization Organisation Association Church Cathedral Palace Court Act Treaty "
    "Agreement War Battle Council Commission Institute Agency Ministry Department Nations Valley Canal Wall Forest Reef Street Square Hall House Stadium Center Centre "
    "San Santa St Saint Los Las El Rio Port Fort Cape Gulf Bay Great Airlines Motors".split()
)
_IS_A = re.compile(
    r"\A\s*(?:is|was|are|were|became|remains)\s+(?:an?|the|one of the)\s+(?P<what>[^,.;]{2,80})"
)
COUNTRY_NAMES = re.compile(
    r"\b(?:" + "|".join(sorted(map(re.escape, COUNTRIES | WITH_ARTICLE), key=len, reverse=True)) + r")(?!\w)"
)


def names_something(text: str) -> bool:
    words = text.split()
    return 0 < len(words) <= 6 and words[-1][:1].isupper()


def country_entity(name: str) -> Entity:
    return Entity(f"the {name}" if name in WITH_ARTICLE else name, thing=True, country=True)


def describe(subject: str, predicate: str) -> Entity | None:
    """What a subject's words tell about the thing: a country, a person, something plural."""
    words = subject.split()
    if not 0 < len(words) <= 8:
        return None
    bare = re.sub(r"\A[Tt]he\s+", "", subject)
    if bare in COUNTRIES | WITH_ARTICLE:
        return country_entity(bare)
    named = names_something(subject)
    if not named:
        return _described_thing(subject, predicate)
    has_article = bare != subject
    plural = re.search(r"\s(?:and|&)\s", subject) is not None or bool(
        re.match(r"(?:are|were|have)\b", predicate)
    )
    classes = _classes(predicate) | {word.lower() for word in words if word.lower() in CLASS_NOUNS}
    person = bool(_TITLED.match(subject) or _LIFE.search(predicate))
    maybe_person = (
        not has_article and not plural and not classes and _NOT_PERSON.isdisjoint(words) and len(words) <= 4
    )
    name = f"the {bare}" if has_article else subject
    return Entity(
        name, person=person or maybe_person, thing=not person, plural=plural, classes=frozenset(classes)
    )


def _described_thing(subject: str, predicate: str) -> Entity | None:
    """ "The report", "A new bridge": spoken of again, it is "the report", "the new bridge"."""
    match = re.match(r"(?:the|an?)\s+(?P<rest>[^,]{2,60})\Z", subject, re.IGNORECASE)
    if match is None:
        return None
    plural = bool(re.match(r"(?:are|were|have)\b", predicate))
    person = bool(
        re.search(
            r"\b(?:man|woman|minister|president|mayor|king|queen|author|director|officer|doctor|judge)\Z",
            subject,
        )
    )
    noun = subject.rsplit(maxsplit=1)[-1].lower()
    classes = frozenset({noun}) if noun in CLASS_NOUNS else frozenset()
    return Entity(f"the {match['rest']}", person=person, thing=not person, plural=plural, classes=classes)


_BETRAYED_CLASSES: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (
        re.compile(
            r"\b(?:was|were) (?:founded|established|incorporated|listed)|\b(?:headquartered|employs|is based in|revenue|shareholders)\b"
        ),
        frozenset(_BODIES.split()),
    ),
    (
        re.compile(
            r"\b(?:was|were) (?:\w+ )?(?:built|completed|opened|designed|constructed|demolished|erected)\b"
        ),
        frozenset(_STRUCTURES.split()),
    ),
    (re.compile(r"\A(?:flows|rises in|empties)\b"), frozenset({"river"})),
    (
        re.compile(r"\b(?:was|were) (?:published|released|written|directed|signed|ratified|passed)\b"),
        frozenset(_WORKS.split()),
    ),
)
"""What a predicate gives away about its subject, where no "is a ..." says it."""


def _classes(predicate: str) -> set[str]:
    match = _IS_A.match(predicate)
    if match is None:
        return set().union(*(classes for pattern, classes in _BETRAYED_CLASSES if pattern.search(predicate)))
    head = re.split(
        r"\s(?:in|of|on|at|that|which|who|with|by|from|near|and|between|located)\s", match["what"]
    )[0]
    words = head.lower().split()
    found = {word for word in words[-2:] if word in CLASS_NOUNS}
    if found & COUNTRY_WORDS:
        found.add("country")
    if "capital" in found:
        found.add("city")
    return found


def topic_of(heading: str) -> Entity | None:
    """What a heading names: one country in it, or a name that is the whole of it."""
    heading = " ".join(heading.split()).strip(" .:#*_")
    countries = tuple(dict.fromkeys(COUNTRY_NAMES.findall(heading)))
    if len(countries) == 1:
        return country_entity(countries[0])
    bare = re.sub(r"\AThe\s+", "", heading)
    words = bare.split()
    if countries or not 0 < len(words) <= 5 or not all(_fits_a_name(word) for word in words):
        return None
    classes = frozenset(word.lower() for word in words if word.lower() in CLASS_NOUNS)
    is_place = bool(classes) or not _NOT_PERSON.isdisjoint(words)
    person = not is_place and len(words) in (2, 3) and bare == heading
    if not (is_place or person or len(words) == 1):
        return None  # "Rising Prices Hit Households": a headline in capitals
    return Entity(f"the {bare}" if bare != heading else bare, person=person, thing=True, classes=classes)


def _fits_a_name(word: str) -> bool:
    if word in ("of", "the", "and", "de", "la"):
        return True
    return word[:1].isupper() and word.lower() not in _COMMON_HEADINGS and forms_of(word.lower()) is None


_COMMON_HEADINGS = frozenset(
    "introduction overview background history geography economy politics government people society culture climate demographics summary "
    "conclusion conclusions abstract references notes facts figures results methods discussion about contents news press release report "
    "population language languages religion education health transport transportation military energy environment sources see also more "
    "early life career death legacy personal awards article articles statements test sample demo example quick key main notable "
    "countries world country capitals rivers mountains cities places statistics data information details speech remarks".split()
)
