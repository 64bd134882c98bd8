"""Splits text into words with offsets; stems words and finds those that carry content."""

import re
import unicodedata
from functools import lru_cache
from threading import local
from typing import NamedTuple

import snowballstemmer

# An accent may be a separate character after its letter.
_LETTERS = r"[^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*"
_WORD = re.compile(rf"{_LETTERS}(?:['’.\-]{_LETTERS})*['’]?")

STOPWORDS = frozenset(
    """
    a about above after again against all also although am among an and any are aren't as at be because been before
    being below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during
    each either else ever every few for from further had hadn't has hasn't have haven't having he her here hers herself
    him himself his how however i if in into is isn't it its itself just let may me might more most much must my
    myself neither no nor not now of off on once one only onto or other others our ours ourselves out over own per
    rather same shall she should shouldn't since so some such than that the their theirs them themselves then
    there these they this those though through thus to too toward towards under until up upon us very was wasn't
    we were weren't what when where whereas whether which while who whom whose why will with within without won't would
    wouldn't yet you your yours yourself
    """.split()
)


class Word(NamedTuple):
    text: str
    start: int
    end: int


def find_words(text: str) -> list[Word]:
    """Return all words with their offsets; a possessive `'s` is not part of the word."""
    if "'" not in text and "’" not in text:
        return [Word(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]
    found = []
    for match in _WORD.finditer(text):
        word = match.group().rstrip("'’")
        if word[-2:].lower() in ("'s", "’s"):
            word = word[:-2]
        if word:
            found.append(Word(word, match.start(), match.start() + len(word)))
    return found


class _Stemmer(local):
    """One stemmer per thread: a stemmer keeps state."""

    def __init__(self) -> None:
        self.stem = snowballstemmer.stemmer("english").stemWord


_STEMMER = _Stemmer()


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the stem of a word in lower case: `borders` and `bordering` share one, however accents are encoded."""
    return str(_STEMMER.stem(unicodedata.normalize("NFC", word.lower()).replace("’", "'")))


def content_stems(text: str) -> set[str]:
    """Return the stems of the words that carry meaning."""
    return set(each_content_stem(text))


def each_content_stem(text: str) -> list[str]:
    """Return the stem of every word that carries meaning, in order."""
    has_possessive = "'" in text or "’" in text
    words = [word.text for word in find_words(text)] if has_possessive else _WORD.findall(text)
    return [stem(word) for word in words if word.lower() not in STOPWORDS]
