"""Who "it" is: a statement is given the subject that the text named before.

`Mentions` follows a section sentence by sentence. It remembers what was spoken of (the subjects, and
the section's heading), and writes a statement that begins with "It", "Its", "He", "The country", "The
tower" or "The capital is ..." with the name in place. A name is filled in only where one candidate fits;
otherwise the words stay as they are.
"""

import re
from dataclasses import replace

from veridic.claims.entities import (
    CLASS_NOUNS,
    COUNTRY_NAMES,
    COUNTRY_WORDS,
    Entity,
    country_entity,
    describe,
    names_something,
    topic_of,
)
from veridic.claims.grammar import main_verb, read, subject_bounds
from veridic.claims.tokens import is_adverb

_OWNED = (
    r"(?:capital(?: city)?|largest city|second-largest city|biggest city|population|(?:total |land |surface )?area|"
    r"(?:official |national |main |most widely spoken )?languages?|(?:official |national )?currency|highest (?:point|mountain|peak)|lowest point|longest river|"
    r"largest (?:lake|island|ethnic group|religion|export|trading partner)|GDP(?: per capita)?|gross domestic product|economy|life expectancy|coastline|climate|"
    r"head of (?:state|government)|president|prime minister|national (?:anthem|day|flag|animal|sport|dish)|chief executive|CEO|owner|chairman|largest shareholder|literacy rate|unemployment rate|inflation rate|"
    r"median age|birth rate|fertility rate|terrain|main (?:export|exports|religion|ethnic group|industry|industries)|government|constitution|parliament|"
    r"legislature|flag|military|public debt|internet (?:domain|country code)|calling code|time zone|headquarters|founder|length|height|depth)"
)
"""What a country or another place has: with no owner named, the one spoken of owns it."""

_LEAD = (
    r"(?P<lead>(?:(?:And|But|Today|Currently|However|Also|Now|Before that|Previously|Formerly|Moreover|Furthermore|Additionally|Overall|Officially|Geographically|"
    r"Historically|Economically|Politically|As of \d{4}|(?:In|By|Since|On|During|Until|At) [^,;.]{0,40}?\d{4}|"
    r"With [^,;]{3,80}(?=,)),?\s+){0,2})"
)
"""What may stand before the subject."""

_OPEN_SUBJECTS = frozenset("it they he she this that there these those we i you who one".split())

_OPENING = re.compile(_LEAD)
_PRONOUN = re.compile(
    _LEAD + r"(?P<word>[Ii]t|[Hh]e|[Ss]he|[Tt]hey|[Ii]ts|[Hh]is|[Hh]er|[Tt]heir)\b(?!['’])(?P<rest>\s+.+)\Z",
    re.DOTALL,
)
_DEFINITE = re.compile(
    _LEAD
    + r"(?P<article>[Tt]he|[Tt]his)\s+(?:(?:island|small|large|landlocked|city|French|former)\s+)?(?P<noun>[a-z]+)(?P<owner>['’]s)?(?P<rest>\s+.+)\Z",
    re.DOTALL,
)
_RELATIONAL = re.compile(
    _LEAD
    + rf"(?P<article>[Tt]he)\s+(?P<noun>{_OWNED})(?P<rest>\s+(?:is|are|was|were|has|have|had|stands|lies|covers|exceeds|totals?|rose|fell|grew)\b.+)\Z",
    re.DOTALL,
)
_PREDICATE_OWNER = re.compile(
    rf"(?P<head>.+?\s(?:is|are|was|were|remains|became)\s)its\s+(?P<noun>(?:only |sole |current )?{_OWNED}|(?:[a-z]+-)?(?:largest|biggest|smallest|oldest|main|second-largest)\b.*)(?P<tail>.*)\Z",
    re.DOTALL,
)
_PREDICATE_ALONE = re.compile(
    rf"(?P<head>[A-Z][^,;]{{1,60}}\s(?:is|are|was|were|became|remains)\s+the\s+{_OWNED})(?P<tail>(?: (?:in|since|until) (?:\w+ )?\d{{4}})?[.!]?)\Z"
)
_PLACE_INSIDE = re.compile(
    r"(?<=[a-z,] )(?:there(?=[\s,.;!]|\Z)(?! (?:is|are|was|were|has|have|will))"
    r"|(?P<in>in|on|of|across|throughout|within) (?:the|this) (?P<noun>country|nation|kingdom|republic|islands?|archipelago|city|town)(?!['’\w])"
    r"|the (?:country|nation|kingdom|republic)(?P<own>['’]s)"
    r"|(?P<share>of the population)(?! of\b))"
)
"""Where a statement says the place without naming it; a bare "the country" in mid-sentence is left alone."""
_EXPLETIVE = re.compile(
    r"\s+(?:is|was|has been|would be|seems|appears|remains|became|took|rain|snow|turns out|follows|costs? [^.]{0,20} to)(?:\s+\w+ly)?\s+(?:not\s+)?(?:clear|true|estimated|believed|said|"
    r"thought|known|possible|impossible|likely|unlikely|important|necessary|important|raining|snowing|hard|easy|difficult|"
    r"suggested|reported|alleged|claimed|announced|agreed|time|worth|up to|common|customary|illegal|legal|unclear|estimated|that|"
    r"said|here|there|only|in \w+ that|on \w+ that|because|not until)\b"
    r"|\s+(?:turns out|follows|is|was)\s+[^.]{2,60}\s(?:that|who|which)\s"
)
_PLACE_CLUES = re.compile(
    r"\b(?:borders?|bordered|landlocked|currency|official language|capital|independence|GDP|coastline|member (?:state )?of|provinces|states|neighbou?rs|EU|"
    r"European Union|NATO|United Nations|prime minister|parliament|republic|monarchy|colony)\b"
)
_ATTRIBUTE_OF = re.compile(rf"\A(?:the\s+)?(?P<noun>{_OWNED})\s+of\s+(?P<owner>.+)\Z", re.IGNORECASE)
_ROLE_NOUN = re.compile(
    r"capital|city|point|mountain|peak|river|lake|island|president|minister|head|founder|headquarters"
)


class Mentions:
    """What a section has spoken of so far."""

    def __init__(self, title: str | None = None) -> None:
        self._title = topic_of(title) if title else None
        self._topic = self._title
        self._recent: list[Entity] = []
        self._rival: str | None = None
        self._last_countries: tuple[str, ...] = ()
        self._country: Entity | None = None
        """The country last spoken of, however many other things were named since."""
        self._at_block_start = True

    def start_section(self, heading: str) -> None:
        """A heading begins: what was said before it no longer lends its subject."""
        self._topic = topic_of(heading) or self._title
        self._recent = []
        self._rival = None
        self._last_countries = ()
        self._country = None
        self._at_block_start = True

    def start_block(self) -> None:
        """A paragraph begins: the heading's subject comes first again."""
        self._at_block_start = True

    def resolve(self, statement: str) -> str:
        """`statement` with its subject named, or unchanged where the text leaves it open."""
        for attempt in (self._pronoun, self._relational, self._definite, self._predicate_owner, self._place):
            resolved = attempt(statement)
            if resolved is not None:
                return resolved
        return statement

    def observe(self, statement: str) -> None:
        """Remember what `statement` (already resolved) is about."""
        self._at_block_start = False
        lead = _OPENING.match(statement)
        statement = statement[lead.end() :] if lead else statement
        reading = read(statement)
        self._last_countries = tuple(dict.fromkeys(COUNTRY_NAMES.findall(statement))) or self._last_countries
        verb = main_verb(reading.tokens, reading.verbs)
        bounds = subject_bounds(reading.tokens, 0, verb) if verb is not None else None
        if verb is None or bounds is None:
            return
        subject = statement[reading.tokens[bounds[0]].start : reading.tokens[bounds[1] - 1].end]
        predicate = statement[reading.tokens[verb].start :]
        entity = self._entity(subject, predicate)
        if entity is not None:
            self._remember(entity)

    def _remember(self, entity: Entity) -> None:
        if entity.country:
            self._country = entity
        known = next((other for other in self._recent if other.name == entity.name), None)
        if known is not None:
            person = entity.person or (known.person and not known.thing)
            entity = replace(entity, person=person, classes=entity.classes | known.classes)
        self._recent = [entity, *(other for other in self._recent if other.name != entity.name)][:4]

    def _entity(self, subject: str, predicate: str) -> Entity | None:
        low, rival, self._rival = subject.lower(), self._rival, None
        if low in _OPEN_SUBJECTS:
            if low not in ("there", "i", "we", "you") and rival is None:
                self._recent = []  # it was left open, so what comes next is open too
            self._rival = rival
            return None
        owner = re.match(r"(?P<owner>.+?)['’]s?\s+\S", subject)
        if owner is not None and names_something(owner["owner"]):
            return describe(owner["owner"], "")
        attribute = _ATTRIBUTE_OF.match(subject)
        if attribute is not None and names_something(attribute["owner"]):
            if _ROLE_NOUN.search(attribute["noun"]):
                self._rival = predicate
            return describe(attribute["owner"], "")
        return describe(subject, predicate)

    # -- the ways a statement can leave its subject out ------------------------------------------

    def _pronoun(self, statement: str) -> str | None:
        match = _PRONOUN.match(statement)
        if match is None:
            return None
        word = match["word"].lower()
        if word == "it" and _EXPLETIVE.match(match["rest"]):
            return None
        entity = self._antecedent(word, statement)
        if entity is None:
            return None
        owned = word in ("its", "his", "their") or (
            word == "her" and not re.match(r"\s+(?:is|was|has|had)\b", match["rest"])
        )
        name = entity.possessive() if owned else entity.as_subject()
        return _put(match["lead"], name, match["rest"])

    def _antecedent(self, word: str, statement: str) -> Entity | None:
        if word in ("it", "its"):
            candidates = [e for e in self._recent if not e.plural and (e.thing or not e.person)]
            if candidates and not candidates[0].country and self._country and _PLACE_CLUES.search(statement):
                return (
                    self._country
                )  # "Dufourspitze is the highest peak of Switzerland. Its neighbours are ..."
            if self._rival is not None and word == "it" and not _PLACE_CLUES.search(statement):
                return None  # "The capital of Peru is Lima. It ...": either could be meant
            topic_fits = self._topic is not None and not self._topic.person
        elif word in ("they", "their"):
            candidates = [e for e in self._recent if e.plural]
            topic_fits = self._topic is not None and self._topic.plural
        else:
            candidates = [e for e in self._recent if e.person]
            topic_fits = self._topic is not None and self._topic.person and not self._topic.country
        if topic_fits and (self._at_block_start or not candidates) and self._topic is not None:
            return self._topic
        if not candidates or candidates[0] is not self._recent[0]:
            return candidates[0] if candidates and self._recent[0].person != candidates[0].person else None
        return candidates[0]

    def _definite(self, statement: str) -> str | None:
        match = _DEFINITE.match(statement)
        if (
            match is None
            or match["noun"] not in CLASS_NOUNS - {"capital"}  # "The capital was Almaty" is about the country
            or re.match(r"\s+(?:of|in|that|which|who|for)\b", match["rest"])
        ):
            return None
        entity = self._of_class(match["noun"])
        if entity is None:
            return None
        if match["owner"]:
            return _put(match["lead"], entity.possessive(), match["rest"])
        reading = read("X" + match["rest"])
        verb = main_verb(reading.tokens, reading.verbs)
        if verb is None or not all(is_adverb(token) for token in reading.tokens[1:verb]):
            return None  # "The country singer ...", "The river bank ...": the noun is part of another name
        return _put(match["lead"], entity.as_subject(), match["rest"])

    def _of_class(self, noun: str) -> Entity | None:
        candidates = [*self._recent]
        if self._topic is not None:
            candidates.insert(0 if self._at_block_start else len(candidates), self._topic)
        if noun in COUNTRY_WORDS:
            for entity in candidates:
                if entity.country or entity.classes & COUNTRY_WORDS:
                    return entity
            return country_entity(self._last_countries[0]) if len(self._last_countries) == 1 else None
        for entity in candidates:
            if (
                noun in entity.classes
                or entity.name.lower().endswith(f" {noun}")
                or entity.name.lower().startswith(f"{noun} ")
            ):
                return entity
        return None

    def _relational(self, statement: str) -> str | None:
        match = _RELATIONAL.match(statement)
        if match is None:
            return None
        owner = self._owner()
        if owner is None:
            return None
        return _put(match["lead"], f"The {match['noun']} of {owner.name}", match["rest"])

    def _predicate_owner(self, statement: str) -> str | None:
        match = _PREDICATE_OWNER.match(statement)
        lone = _PREDICATE_ALONE.match(statement)
        owner = self._owner() if match or lone else None
        if owner is not None and lone is not None and owner.name not in statement:
            return f"{lone['head']} of {owner.name}{lone['tail']}"
        if match is None or owner is None or match["head"].startswith(owner.as_subject()):
            return None
        name = owner.name + ("'" if owner.name.endswith("s") else "'s")
        return f"{match['head']}{name} {match['noun']}{match['tail']}"

    def _place(self, statement: str) -> str | None:
        """ "27 million people live there", "the country's official languages": the place spoken of."""
        match = _PLACE_INSIDE.search(statement)
        if match is None:
            return None
        place = self._of_class(match["noun"]) if match["noun"] else self._owner()
        if place is None or place.name in statement or place.name.removeprefix("the ")[:1].islower():
            return None
        own = place.name + ("'" if place.name.endswith("s") else "'s")
        if match["own"]:
            name = own
        elif match["share"]:
            name = f"of the population of {place.name}"
        else:
            name = f"{match['in'] or 'in'} {place.name}"
        return statement[: match.start()] + name + statement[match.end() :]

    def _owner(self) -> Entity | None:
        """The place spoken of: the one a lone "the capital" belongs to."""
        candidates = self._recent[:2]
        if self._topic is not None:
            candidates.insert(0 if self._at_block_start else len(candidates), self._topic)
        country = next((entity for entity in candidates if entity.country), self._country)
        if country is not None:
            return country
        first = candidates[0] if candidates else None
        return first if first is not None and first.classes & CLASS_NOUNS else None


def _put(lead: str, subject: str, rest: str) -> str:
    if lead:
        subject = subject if not subject.startswith("The ") else "the " + subject[4:]
    return f"{lead}{subject}{rest}"
