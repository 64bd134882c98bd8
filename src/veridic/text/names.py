"""Finds names (capitalised words that belong together) and the different names of one thing."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from veridic.domain.document import Span
from veridic.text.words import STOPWORDS, find_words

_PARTICLES = frozenset(
    "of de da do del della di du des la le el al bin ibn van von der den ter the für y e".split()
)
_CAPITALISED_BUT_COMMON = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december mr mrs ms dr prof i
    according despite although however meanwhile moreover nearly about around roughly approximately some many most
    several both each every one two three four five six seven eight nine ten half more less fewer over under between
    during since until after before there today yesterday currently officially locally measured covering located
    bordered known home its their his her our people
    """.split()
)
_ABBREVIATED = frozenset("St Sts Mt Ft Gen Gov Sen Rep Lt Col Capt Sgt".split())
_LETTER = re.compile(r"[^\W\d_]")


class Name(NamedTuple):
    text: str
    span: Span
    initial: bool
    """Whether it begins the sentence, so that its capital may mean nothing."""


def find_names(text: str) -> list[Name]:
    """Return runs of capitalised words, joined over particles ("Bank of England"), in reading order."""
    names: list[Name] = []
    run: list[tuple[int, int]] = []
    pending: list[tuple[int, int]] = []
    previous, previous_end = "", 0
    for word in find_words(text):
        if not run and word.text.islower():  # most words: no run begins or ends here
            previous, previous_end = word.text, word.end
            continue
        gap = text[previous_end : word.start]
        if gap.strip(" \u00a0-'’s.") or (run and gap.strip() == "." and not _is_abbreviated(previous)):
            run, pending = _close(text, run, names), []
        elif run and gap.lstrip("'’").startswith("s") and not gap.isspace():
            run, pending = _close(text, run, names), []  # "Australia's Mount Kosciuszko" is two names
        if _is_capitalised(word.text):
            run += [*pending, (word.start, word.end)]
            pending = []
        elif run and word.text in _PARTICLES and len(pending) < 2:
            pending.append((word.start, word.end))
        else:
            run, pending = _close(text, run, names), []
        previous, previous_end = word.text, word.end
    _close(text, run, names)
    return names


def _is_capitalised(word: str) -> bool:
    if word.islower():
        return False
    if not word[0].isupper():
        return not word[0].isdigit() and re.split("['’-]", word)[-1][:1].isupper()  # al-Qaeda, d'Ivoire
    low = word.lower()
    if low in _CAPITALISED_BUT_COMMON or low in STOPWORDS:
        return word.isupper() and len(word) > 1 and low in ("us", "it")  # US, IT
    return True


def _is_abbreviated(word: str) -> bool:
    """Whether a full stop after the word belongs to it: "John F. Kennedy", "St. Louis"."""
    return len(word) == 1 or word in _ABBREVIATED


def _close(text: str, run: list[tuple[int, int]], names: list[Name]) -> list[tuple[int, int]]:
    if run:
        start, end = run[0][0], run[-1][1]
        initial = not _LETTER.search(text, 0, start) or _last_visible(text, start) in ".!?:"
        names.append(Name(text[start:end], (start, end), initial))
    return []


def _last_visible(text: str, end: int) -> str:
    """Return the last character before `end` that is not white space."""
    return next((text[place] for place in range(end - 1, -1, -1) if not text[place].isspace()), "")


def fold(text: str) -> str:
    """Return a name without case, accents and punctuation, for comparison."""
    decomposed = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()
    return " ".join(re.findall(r"\w+", plain.replace("'", "").replace("’", "").replace(".", "")))


class Mention(NamedTuple):
    """A known thing found in a text by any of its names."""

    key: str
    span: Span


class Aliases:
    """Names of the same thing: "the UK", "Britain" and "British" for the United Kingdom."""

    def __init__(self, names: Mapping[str, Sequence[str]]) -> None:
        self._key_of: dict[str, str] = {}
        self._variants: dict[str, tuple[str, ...]] = {}
        for canonical, others in names.items():
            key = fold(canonical)
            self._variants[key] = (canonical, *others)
            for variant in self._variants[key]:
                if folded := fold(variant):
                    self._key_of.setdefault(folded, key)
        self._longest = max((len(folded.split()) for folded in self._key_of), default=0)

    def find(self, text: str) -> list[Mention]:
        """Return all known things in a text, by the longest name at each place; lower-case words don't count."""
        words = find_words(text)
        folded = [fold(word.text) for word in words]
        found: list[Mention] = []
        index = 0
        while index < len(words):
            length = self._match(words[index].text, folded, index)
            if length and (key := self._key(folded[index : index + length])):
                found.append(Mention(key, (words[index].start, words[index + length - 1].end)))
            index += length or 1
        return found

    def _match(self, word: str, folded: list[str], index: int) -> int:
        if not word[0].isupper() or (word.upper() != word and word.lower() == "us"):
            return 0
        for length in range(min(self._longest, len(folded) - index), 0, -1):
            if self._key(folded[index : index + length]):
                return length
        return 0

    def _key(self, tokens: Sequence[str]) -> str | None:
        """Return the key for these words, also for a plural ("Nepalis")."""
        name = " ".join(tokens)
        return self._key_of.get(name) or self._key_of.get(name.removesuffix("s"))

    def expand(self, text: str) -> list[tuple[str, ...]]:
        """Return all names of each thing mentioned in a text, the one in the text first."""
        groups: dict[str, tuple[str, ...]] = {}
        for mention in self.find(text):
            own = text[slice(*mention.span)]
            groups.setdefault(mention.key, (own, *(n for n in self._variants[mention.key] if n != own)))
        return list(groups.values())
