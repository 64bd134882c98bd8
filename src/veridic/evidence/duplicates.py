"""Copies count once: the same words in two places are one piece of evidence.

What is a copy, and what is not:

- Two passages are copies when their words are (nearly) the same: similarity over 0.85.
- They are not, however similar, when what differs is what they assert: another number, another
  name in the same place, names in another order, a negation, or another content word in a short
  sentence. "The capital of
  X is A" and "The capital of Y is B" are two facts.
- The same address alone doesn't make two passages copies: one page can state many facts. It makes
  them one *source*: `canonical_url` gives what to compare, and a report lists that source once.
"""

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from rapidfuzz import fuzz

from veridic.domain.evidence import Passage, Source
from veridic.language.words import STOPWORDS, stem

SIMILARITY = 0.85

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_NEGATIONS = frozenset(
    {"no", "not", "never", "none", "nor", "neither", "without", "nobody", "nothing", "cannot"}
)
_WORDS_PER_EDIT = 25
"""A copy-editor may change one content word in so many; in a shorter text a changed word is another fact."""
_SKETCH = 8
"""Shingles kept of each text: two texts over the limit share one of them almost surely."""
_SHINGLE = 5
_COMPARISONS = 64
"""Candidates compared per shingle, newest first: keeps long lists of alike sentences linear."""
_TRACKING = re.compile(
    r"(utm_\w+|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|ref|ref_src|cmpid|ocid|s_cid)"
)
_DEFAULT_PORTS = {"http": 80, "https": 443}


class Distinct(NamedTuple):
    """A passage, and the others that say the same in the same words."""

    passage: Passage
    copies: tuple[Passage, ...]

    @property
    def copied_in(self) -> tuple[Source, ...]:
        """The other sources that carry it, each once."""
        own = canonical_location(self.passage.source)
        others = {canonical_location(copy.source): copy.source for copy in self.copies}
        return tuple(source for location, source in others.items() if location != own)


def group_copies(passages: Iterable[Passage]) -> list[Distinct]:
    """Each distinct passage once, in the order given; the first of a set of copies stands for it."""
    leads: list[Passage] = []
    copies: list[list[Passage]] = []
    finder = _CopyFinder()
    for passage in passages:
        found = finder.find_or_add(passage.text)
        if found == len(leads):
            leads.append(passage)
            copies.append([])
        else:
            copies[found].append(passage)
    return [Distinct(lead, tuple(others)) for lead, others in zip(leads, copies, strict=True)]


def are_copies(one: str, other: str) -> bool:
    """Whether two texts say the same in nearly the same words."""
    left, right = _normal(one), _normal(other)
    if left == right:
        return True
    alike = fuzz.ratio(left, right, score_cutoff=100 * SIMILARITY) > 100 * SIMILARITY
    return alike and not _assert_differently(one, other)


def canonical_url(url: str) -> str:
    """An address without what doesn't change the page: scheme, `www.`, fragment, tracking, last slash."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return url.strip()
    host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    if not host:
        return url.strip()
    if port is not None and port != _DEFAULT_PORTS.get(parts.scheme):
        host = f"{host}:{port}"
    query = [
        pair
        for pair in parse_qsl(parts.query, keep_blank_values=True)
        if not _TRACKING.fullmatch(pair[0].lower())
    ]
    return urlunsplit(("", host, parts.path.rstrip("/"), urlencode(sorted(query)), "")).removeprefix("//")


def canonical_location(source: Source) -> str:
    """What makes two sources the same one: the canonical address, else the path, else the title."""
    return canonical_url(source.url) if source.url else source.location


class _CopyFinder:
    """Finds copies among many texts without comparing each with each.

    Exact copies meet in a dictionary. Near copies meet because they share one of the few
    lowest-hashed shingles of their text, whichever text that is.
    """

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._exact: dict[str, int] = {}
        self._by_shingle: dict[int, list[int]] = defaultdict(list)

    def find_or_add(self, text: str) -> int:
        """The number of the text this one copies; if it copies none, its own new number."""
        normal = _normal(text)
        if normal in self._exact:
            return self._exact[normal]
        sketch = _sketch(normal)
        number = next(
            (n for n in self._candidates(sketch) if are_copies(self._texts[n], text)), len(self._texts)
        )
        if number == len(self._texts):
            self._texts.append(text)
            for shingle in sketch:
                self._by_shingle[shingle].append(number)
        self._exact[normal] = number
        return number

    def _candidates(self, sketch: Sequence[int]) -> Iterator[int]:
        seen: set[int] = set()
        for shingle in sketch:
            for number in self._by_shingle[shingle][-_COMPARISONS:]:
                if number not in seen:
                    seen.add(number)
                    yield number


def _sketch(normal: str) -> list[int]:
    shingles = {normal[i : i + _SHINGLE] for i in range(max(1, len(normal) - _SHINGLE + 1))}
    return sorted({zlib.crc32(shingle.encode("utf-8", "surrogatepass")) for shingle in shingles})[:_SKETCH]


def _normal(text: str) -> str:
    return " ".join(text.casefold().split())


def _assert_differently(one: str, other: str) -> bool:
    """Whether the few words that differ are the ones that carry the assertion."""
    left, right = _tokens(one), _tokens(other)
    only_left, only_right = left - right, right - left
    changed = [*only_left, *only_right]
    if any(token[0].isdigit() or token in _NEGATIONS or token.endswith(("n't", "n’t")) for token in changed):
        return True
    names_left, names_right = _names(one), _names(other)
    if only_left.keys() & set(names_left) and only_right.keys() & set(names_right):
        return True  # a name in place of another; one merely added (a dateline) asserts nothing
    if [n for n in names_left if n in right] != [n for n in names_right if n in left]:
        return True  # who did it to whom
    edits = min(_content(only_left), _content(only_right))
    return edits > min(left.total(), right.total()) // _WORDS_PER_EDIT


def _tokens(text: str) -> Counter[str]:
    """The words and numbers of a text, without case."""
    return Counter(token.casefold() for token in _TOKEN.findall(text))


def _names(text: str) -> list[str]:
    """Words with a capital, and numbers, in order."""
    return [token.casefold() for token in _TOKEN.findall(text) if not token[0].islower()]


def _content(words: Counter[str]) -> int:
    return len({stem(word) for word in words if word not in STOPWORDS})
