"""Running text and notes: each statement on its own, with the country named."""

import re
from collections.abc import Iterator

from veridic.evidence.reference.clean import (
    finish,
    names_in_mixed_case,
    paragraphs,
    spell_units,
    split_clauses,
    split_sentences,
    without_note_label,
)
from veridic.evidence.reference.facts import Fact
from veridic.evidence.reference.names import Country, naming_pattern

_LABEL = re.compile(r"^([a-z][a-z /()'-]{2,48}):\s+(?=\S)")
_PLACE_LABEL = re.compile(r"^([A-Z][\w' ()&.-]{2,48}):\s+(?=[a-z\d])")
_SHORT = 160
_STRAY_MARKS = re.compile(r"^[*\s–-]+(?=\w)")


def write_prose(fact: Fact, label: str | None) -> list[str]:
    """The statements of a text field; `label` says what they are about where they don't."""
    return [line for text in paragraphs(fact.html) for line in write_paragraph(fact.country, label, text)]


def write_paragraph(country: Country, label: str | None, text: str) -> Iterator[str]:
    """The statements of one paragraph, `meaning: ...` read as a label of its own."""
    text = _STRAY_MARKS.sub("", without_note_label(text))
    found = _LABEL.match(text) or (_PLACE_LABEL.match(text) if label else None)
    if found:
        label = f"{label}, {found[1]}" if label else found[1]
        text = text[found.end() :]
    text = spell_units(names_in_mixed_case(text))
    if found and len(text) < _SHORT and len(split_sentences(text)) == 1:
        statements = [text]
    else:
        statements = split_clauses(text) if text[:1].islower() or found else _statements(text)
    for statement in statements:
        if re.search(r"\w", statement):
            yield frame(country, label, without_note_label(statement))


def _statements(text: str) -> list[str]:
    """Full sentences stay whole; a paragraph of clauses without a full stop is taken apart."""
    sentences = split_sentences(text)
    return sentences if len(sentences) > 1 or text.endswith(".") else split_clauses(text)


def frame(country: Country, label: str | None, statement: str) -> str:
    """The statement as a sentence that says which country it is about."""
    if _stands_alone(country, statement):
        return finish(statement)
    head = f"{country.initial} ({label})" if label else country.initial
    return finish(f"{head}: {statement}")


def _stands_alone(country: Country, statement: str) -> bool:
    pattern = naming_pattern(country)
    if statement[:1].islower():
        # "named for Lake Chad" says Chad, but not what was named.
        return bool(pattern.match(statement.removeprefix("the ")))
    return bool(pattern.search(statement))
