"""What a text says has happened, and what of it a date belongs to.

"The bridge, built in 1931, was demolished" tells of two things, and dates one of them: a date belongs to the last
happening before it in its clause, or where there is none ("In 1931, the bridge was demolished") to the next.
"""

import re
from typing import NamedTuple

from veridic.domain.document import Span
from veridic.judging.concepts import find_concepts
from veridic.judging.reading import Reading
from veridic.language.dates import DateMention
from veridic.language.verbs import base_of_past
from veridic.language.words import find_words, stem

_PATTERNS = {
    "in_force": r"(?:enter|enters|entered|came|come|comes|went|goes|put|brought) into (?:force|effect)|(?:took|takes) effect",
    "demolish": r"demolish(?:ed|ing|es)|demolition|torn down|tore down|pulled down|razed|dismantled|dismantling",
    "end": r"end(?:ed|ing|s)?|conclu(?:ded|sion)|came to an end|was over",
    "sign": r"sign(?:ed|ing|s)|signature",
    "destroy": r"destroyed|destruction|burn(?:ed|t) down",
}
"""Happenings with a history of being told in different words, nouns among them. Others are told by their verb."""
_TOLD = re.compile(
    "|".join(rf"(?P<{name}>\b(?:{pattern})\b)" for name, pattern in _PATTERNS.items()), re.IGNORECASE
)
_CONCEPTS = frozenset(
    ("#open", "#close", "#build", "#complete", "#begin", "#found", "#die", "#born", "#buy", "#win", "#lose")
)
_SAY_NOTHING = frozenset("come take happen occur date get have".split())
"""Verbs that only carry a noun: "the signing took place", "the end came"."""
_NO_PASTS = re.compile(r"eed\Z|\A(?:hundred|sacred|naked)\Z")
_SHORTEST_PAST = 5


class Happening(NamedTuple):
    key: str
    span: Span


def find_happenings(text: str) -> list[Happening]:
    """Everything that a text says has happened, in reading order."""
    found = [
        *(Happening(f"#{match.lastgroup}", match.span()) for match in _TOLD.finditer(text)),
        *(Happening(*concept) for concept in find_concepts(text) if concept.key in _CONCEPTS),
    ]
    covered = {offset for happening in found for offset in range(*happening.span)}
    for word in find_words(text):
        base = None if word.start and word.text[0].isupper() else _base(word.text.lower())
        if base and word.start not in covered:
            found.append(Happening(base, (word.start, word.end)))
    return sorted(found, key=lambda happening: happening.span)


def happening_at(sentence: Reading, when: DateMention) -> str | None:
    """The key of what a sentence says happened at a date it names; None where it does not say."""
    at = when.span[0]
    if sentence.in_parentheses(at):
        return None
    happenings = find_happenings(sentence.text)
    clause_start, _ = sentence.clauses[sentence.clause_of(at)]
    before = [one.key for one in happenings if clause_start <= one.span[0] < at]
    behind = [one.key for one in happenings if one.span[0] > at]
    earlier = [one.key for one in happenings if one.span[0] < clause_start]
    return next(iter(before[-1:] + behind[:1] + earlier[-1:]), None)


def _base(word: str) -> str | None:
    base = base_of_past(word)
    if base is None and word.endswith("ed") and len(word) >= _SHORTEST_PAST and not _NO_PASTS.search(word):
        base = stem(word)
    return None if base in _SAY_NOTHING else base
