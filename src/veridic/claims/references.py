"""What "she", "its" and a bare surname stand for: a claim is read without the sentences before it.

Only what is nearly sure is filled in, for a wrong name does more harm than a pronoun: the person or thing that the clause
before speaks of and that fits in kind and number. What has a name of its own may be further back, as long as nothing
else that could be meant has come between. Where two people may be meant, none is, unless the text has said "she" of just
one of them before. Anything else stays as the author wrote it.
"""

import re
from typing import TYPE_CHECKING

from veridic.claims.clauses import Clause, is_plural, phrase, sentence_case, subject_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_HE_OR_SHE = frozenset({"he", "she"})
_OWNERS = {"his": "he", "her": "she", "its": "it", "their": "they"}
_SHORT_WORD = 3
"""Letters: "the", "of", "and" are written small within a name."""
_LONGEST = 9
"""Words; a longer subject would drown the claim it is filled into."""


class References:
    """Follows a text clause by clause."""

    def __init__(self) -> None:
        self._full_names: dict[str, str | None] = {}
        """By surname; None where several people have it."""
        self._pronouns: dict[str, str] = {}
        """Whom the text has called "he", whom "she"."""
        self._people: list[str] = []
        """Of the last clause that named somebody."""
        self._of_section: set[str] = set()
        self._thing: str | None = None
        self._several: str | None = None

    def resolve(self, wording: str, head: "Token") -> str:
        """The wording of a clause with its subject filled in where the author wrote a pronoun or half a name."""
        first, _, rest = wording.partition(" ")
        if not rest:
            return wording
        if first.lower() in _OWNERS:
            owner = self.meant_by(_OWNERS[first.lower()])
            return f"{_possessive(owner)} {rest}" if owner else wording
        subject = subject_of(head)
        if subject is None:
            return wording
        if subject.pos_ == "PRON":
            return self._with_name(wording, subject, head)
        full = self._full_names.get(first.rstrip(","))
        return f"{full} {rest}" if full and subject.text == first else wording

    def observe(self, clause: Clause) -> None:
        """What a clause speaks of may be meant by the pronouns after it."""
        entities = [
            entity
            for entity in clause.head.doc.ents
            if clause.start <= entity.start_char and entity.end_char <= clause.end
        ]
        people = [entity for entity in entities if entity.label_ == "PERSON" and self._is_whole_name(entity)]
        for person in people:
            self._note_name(person)
        subject = subject_of(clause.head)
        self._note_people(people, subject)
        if subject is None or subject.pos_ == "PRON":
            return
        if any(person.start <= subject.i < person.end for person in people) and not is_plural(subject):
            self._forget_unnamed()
            return
        text = phrase(
            subject, [child for child in subject.subtree if child.dep_ in ("relcl", "appos", "acl")]
        )
        if len(text.split()) > _LONGEST:
            text = phrase(subject, [child for child in subject.children if child.dep_ == "prep"])
        self._forget_unnamed()
        if not text or len(text.split()) > _LONGEST or text.split()[0].lower() in _OWNERS:
            return
        if is_plural(subject):
            self._several = text
        else:
            self._thing = text

    def start_section(self, heading: "Doc") -> None:
        """A heading begins anew. It names people too; one that is nothing but a name is what its section is about."""
        self._people, self._thing, self._several = [], None, None
        self._of_section.clear()
        for entity in heading.ents:
            if entity.label_ == "PERSON":
                self._note_name(entity)
            if len(entity) == len(heading) and entity.label_ == "PERSON":
                self._people = [entity.text]
                self._of_section.add(entity.text)
            elif len(entity) == len(heading):
                self._thing = entity.text

    def meant_by(self, pronoun: str) -> str | None:
        """The name that a pronoun stands for at this place."""
        if pronoun in _HE_OR_SHE:
            fitting = [name for name in self._people if self._pronouns.get(name, pronoun) == pronoun]
            known = [name for name in self._of_section if self._pronouns.get(name) == pronoun]
            sure = [name for name in fitting if name in known] or known or fitting
            return sure[0] if len(sure) == 1 else None
        if pronoun == "it":
            return self._thing
        return self._several if pronoun == "they" else None

    def _with_name(self, wording: str, pronoun: "Token", head: "Token") -> str:
        word = pronoun.lower_
        is_repeated = any(token.i < pronoun.i and token.lower_ == word for token in head.subtree)
        name = None if is_repeated or is_impersonal(pronoun, head) else self.meant_by(word)
        if name is None:
            return wording
        if word in _HE_OR_SHE:
            self._pronouns[name] = word
        return sentence_case(re.sub(rf"\b{word}\b", lambda _: name, wording, count=1, flags=re.IGNORECASE))

    def _note_people(self, people: list["Span"], subject: "Token | None") -> None:
        named = list(dict.fromkeys(self._full(person) for person in people))
        if not named:
            return
        spoken_of = self.meant_by(subject.lower_) if subject is not None else None
        if subject is not None and subject.lower_ in _HE_OR_SHE and spoken_of not in (None, *named):
            named.append(str(spoken_of))
        self._people = named
        self._of_section.update(named)

    def _is_whole_name(self, person: "Span") -> bool:
        """One word is as often a place or a club that was taken for a person."""
        return len(person) > 1 or person.text in self._full_names

    def _forget_unnamed(self) -> None:
        """Something else is spoken of now: what has no name of its own is no longer meant."""
        if self._thing and not _is_name(self._thing):
            self._thing = None
        if self._several and not _is_name(self._several):
            self._several = None

    def _note_name(self, person: "Span") -> None:
        words = person.text.split()
        if len(words) > 1:
            same = self._full_names.setdefault(words[-1], person.text)
            self._full_names[words[-1]] = person.text if same == person.text else None

    def _full(self, person: "Span") -> str:
        return self._full_names.get(person.text) or person.text


def _is_name(phrase: str) -> bool:
    """Whether each of its longer words has a capital letter: "the Eiffel Tower", not "the old tower"."""
    return all(word[:1].isupper() for word in phrase.split() if len(word) > _SHORT_WORD)


def is_impersonal(pronoun: "Token", head: "Token") -> bool:
    """Whether "it" stands for the clause behind: "It is clear that ...", "It was agreed that ..."."""
    has_clause = any(child.dep_ == "ccomp" for child in head.children)
    return pronoun.lower_ == "it" and has_clause and (head.lemma_ == "be" or pronoun.dep_ == "nsubjpass")


def _possessive(name: str) -> str:
    capitalised = sentence_case(name)
    if name.endswith(("'s", "’s")):
        return capitalised
    return f"{capitalised}’" if name.endswith("s") else f"{capitalised}’s"
