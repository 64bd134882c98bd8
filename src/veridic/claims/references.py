"""Resolves "she", "its" and bare surnames, because a claim is read without the sentences before it.

It replaces only what is nearly certain, since a wrong name does more harm than a pronoun: the person or thing that the clause
before is about and that fits in kind and number. A named thing may be further back, if no other candidate has come between. If
two people are possible, neither is used, unless the text has called only one of them "she" before. Everything else stays as the
author wrote it.
"""

import re
from typing import TYPE_CHECKING

from veridic.claims.clauses import Clause, is_plural, phrase, sentence_case, subject_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_HE_OR_SHE = frozenset({"he", "she"})
_POSSESSIVES = {"his": "he", "her": "she", "its": "it", "their": "they"}
_SHORT_WORD = 3
"""Letters: short words such as "the", "of" and "and" are lower-case within a name."""
_MAX_SUBJECT_WORDS = 9
"""Words; a longer subject would swamp the claim."""


class References:
    """Tracks what pronouns refer to, clause by clause."""

    def __init__(self) -> None:
        self._full_names: dict[str, str | None] = {}
        """By surname; None if several people have it."""
        self._pronouns: dict[str, str] = {}
        """The pronoun that the text has used for each name, "he" or "she"."""
        self._people: list[str] = []
        """The people named in the last clause that named any."""
        self._section_people: set[str] = set()
        self._thing: str | None = None
        self._group: str | None = None

    def resolve(self, wording: str, head: "Token") -> str:
        """Return the wording of a clause with the full name in place of a pronoun or surname as its subject."""
        first, _, rest = wording.partition(" ")
        if not rest:
            return wording
        if first.lower() in _POSSESSIVES:
            owner = self.resolve_pronoun(_POSSESSIVES[first.lower()])
            return f"{_possessive(owner)} {rest}" if owner else wording
        subject = subject_of(head)
        if subject is None:
            return wording
        if subject.pos_ == "PRON":
            return self._with_name(wording, subject, head)
        full = self._full_names.get(first.rstrip(","))
        return f"{full} {rest}" if full and subject.text == first else wording

    def observe(self, clause: Clause) -> None:
        """Record the people and things in a clause, which later pronouns may refer to."""
        entities = [
            entity
            for entity in clause.head.doc.ents
            if clause.start <= entity.start_char and entity.end_char <= clause.end
        ]
        people = [entity for entity in entities if entity.label_ == "PERSON" and self._is_whole_name(entity)]
        for person in people:
            self._record_name(person)
        subject = subject_of(clause.head)
        self._record_people(people, subject)
        if subject is None or subject.pos_ == "PRON":
            return
        if any(person.start <= subject.i < person.end for person in people) and not is_plural(subject):
            self._forget_unnamed()
            return
        text = phrase(
            subject, [child for child in subject.subtree if child.dep_ in ("relcl", "appos", "acl")]
        )
        if len(text.split()) > _MAX_SUBJECT_WORDS:
            text = phrase(subject, [child for child in subject.children if child.dep_ == "prep"])
        self._forget_unnamed()
        if not text or len(text.split()) > _MAX_SUBJECT_WORDS or text.split()[0].lower() in _POSSESSIVES:
            return
        if is_plural(subject):
            self._group = text
        else:
            self._thing = text

    def start_section(self, heading: "Doc") -> None:
        """Forget earlier candidates at a heading, and record the people in it. If it is only a name, the section is about that."""
        self._people, self._thing, self._group = [], None, None
        self._section_people.clear()
        for entity in heading.ents:
            if entity.label_ == "PERSON":
                self._record_name(entity)
            if len(entity) == len(heading) and entity.label_ == "PERSON":
                self._people = [entity.text]
                self._section_people.add(entity.text)
            elif len(entity) == len(heading):
                self._thing = entity.text

    def resolve_pronoun(self, pronoun: str) -> str | None:
        """Return the name that a pronoun refers to at this point, or None."""
        if pronoun in _HE_OR_SHE:
            fitting = [name for name in self._people if self._pronouns.get(name, pronoun) == pronoun]
            known = [name for name in self._section_people if self._pronouns.get(name) == pronoun]
            sure = [name for name in fitting if name in known] or known or fitting
            return sure[0] if len(sure) == 1 else None
        if pronoun == "it":
            return self._thing
        return self._group if pronoun == "they" else None

    def _with_name(self, wording: str, pronoun: "Token", head: "Token") -> str:
        word = pronoun.lower_
        is_repeated = any(token.i < pronoun.i and token.lower_ == word for token in head.subtree)
        name = None if is_repeated or is_impersonal(pronoun, head) else self.resolve_pronoun(word)
        if name is None:
            return wording
        if word in _HE_OR_SHE:
            self._pronouns[name] = word
        return sentence_case(re.sub(rf"\b{word}\b", lambda _: name, wording, count=1, flags=re.IGNORECASE))

    def _record_people(self, people: list["Span"], subject: "Token | None") -> None:
        named = list(dict.fromkeys(self._full_name(person) for person in people))
        if not named:
            return
        spoken_of = self.resolve_pronoun(subject.lower_) if subject is not None else None
        if subject is not None and subject.lower_ in _HE_OR_SHE and spoken_of not in (None, *named):
            named.append(str(spoken_of))
        self._people = named
        self._section_people.update(named)

    def _is_whole_name(self, person: "Span") -> bool:
        """Whether a name is reliable: a single word is often a place or a club that was tagged as a person."""
        return len(person) > 1 or person.text in self._full_names

    def _forget_unnamed(self) -> None:
        """Forget things without a name of their own when the text moves on to something else."""
        if self._thing and not _is_name(self._thing):
            self._thing = None
        if self._group and not _is_name(self._group):
            self._group = None

    def _record_name(self, person: "Span") -> None:
        words = person.text.split()
        if len(words) > 1:
            same = self._full_names.setdefault(words[-1], person.text)
            self._full_names[words[-1]] = person.text if same == person.text else None

    def _full_name(self, person: "Span") -> str:
        return self._full_names.get(person.text) or person.text


def _is_name(phrase: str) -> bool:
    """Whether all its longer words are capitalised: "the Eiffel Tower", not "the old tower"."""
    return all(word[:1].isupper() for word in phrase.split() if len(word) > _SHORT_WORD)


def is_impersonal(pronoun: "Token", head: "Token") -> bool:
    """Whether "it" stands for a clause that follows: "It is clear that ...", "It was agreed that ..."."""
    has_clause = any(child.dep_ == "ccomp" for child in head.children)
    return pronoun.lower_ == "it" and has_clause and (head.lemma_ == "be" or pronoun.dep_ == "nsubjpass")


def _possessive(name: str) -> str:
    capitalised = sentence_case(name)
    if name.endswith(("'s", "’s")):
        return capitalised
    return f"{capitalised}’" if name.endswith("s") else f"{capitalised}’s"
