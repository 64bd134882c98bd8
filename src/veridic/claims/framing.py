"""Detects how the author frames a sentence, and the claim underneath.

A linear model over the embedded model's vector of a sentence picks one of four kinds; `training/framing.py` trained it on
speeches, newspapers and press releases. Syntax then finds the speaker and what is said.

- `private_data` rests on something that no reader can access ("our internal polling shows").
- `plausible_deniability` is said without anyone taking responsibility ("people are saying"); the insinuation is the underlying
  claim.
- `hearsay` is what a named or described speaker said. There are two things to verify: that it was said, and that it is so. Only
  the first applies to what can't be read alone ("they will take it to court"), and to a quotation with nothing to check.
- `direct_factual` is everything else, also if a public record is named ("according to the census").

Without the model only hearsay is found, by its syntax.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridic.claims.clauses import phrase, sentence_case, subject_of
from veridic.claims.references import is_impersonal
from veridic.claims.sentence_models import Embed, checkable
from veridic.domain.claim import Framing, FramingKind
from veridic.text.english import parse

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

WEIGHTS = "framing.npz"
KINDS = (
    FramingKind.DIRECT_FACTUAL,
    FramingKind.HEARSAY,
    FramingKind.PLAUSIBLE_DENIABILITY,
    FramingKind.PRIVATE_DATA,
)
_PAIRS = {"“": "”", "„": "“”", "«": "»", '"': '"'}
_QUOTES = frozenset(_PAIRS) | frozenset("”»")
_QUOTATION = "quotation"
_EDGE_CHARACTERS = " ,;:.—–"
_QUESTION_WORDS = ("whether", "if")
_SPEAKERS = frozenset({"PERSON", "ORG", "NORP"})


class Reported(NamedTuple):
    """Reported speech, as found by syntax."""

    construction: str
    speaker: str
    content: str | None


def detect_framings(sentences: Sequence[str], embed: Embed | None) -> list[Framing]:
    """Return the framing of each sentence (whitespace normalised)."""
    if embed is None or not sentences:
        return [_by_syntax(sentence) for sentence in sentences]
    weights = framing_weights()
    sums = embed(sentences) @ weights.vectors + weights.bias
    chances = np.exp(sums - sums.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    framings = [_framing(sentence, row) for sentence, row in zip(sentences, chances, strict=True)]
    return _drop_uncheckable_quotes(framings, embed)


def _drop_uncheckable_quotes(framings: list[Framing], embed: Embed) -> list[Framing]:
    """Drop the underlying claim of direct quotations without anything to check, so that only the quotation is checked."""
    quoted = {
        n: framing.underlying_claim
        for n, framing in enumerate(framings)
        if framing.underlying_claim and _QUOTATION in framing.patterns_matched
    }
    for n, has_something in zip(quoted, checkable(list(quoted.values()), embed), strict=True):
        if not has_something:
            framings[n] = framings[n].model_copy(update={"underlying_claim": None})
    return framings


def detect_framing(sentence: str) -> Framing:
    """Return the framing of one sentence, by its syntax alone."""
    return _by_syntax(" ".join(sentence.split()))


def _framing(sentence: str, chances: NDArray[np.floating]) -> Framing:
    kind = KINDS[int(chances.argmax())]
    hearsay, deniable = round(float(chances[1]), 2), round(float(chances[2]), 2)
    if kind is FramingKind.DIRECT_FACTUAL:
        return Framing()
    if kind is FramingKind.PRIVATE_DATA:
        return Framing(
            kind=kind,
            patterns_matched=("private_data",),
            private_data_detected=True,
            hearsay_confidence=hearsay,
        )
    doc = parse(sentence)
    if kind is FramingKind.PLAUSIBLE_DENIABILITY:
        return Framing(
            kind=kind,
            patterns_matched=("deniable_wording",),
            deniability_score=deniable,
            underlying_claim=_insinuation(doc),
        )
    found = find_report(doc)  # without a speaker in the syntax, it is not hearsay
    return _hearsay(found, hearsay) if found else Framing()


def _by_syntax(sentence: str) -> Framing:
    doc = parse(sentence)
    found = find_report(doc)
    if found is None or not _can_speak(doc, found.speaker):
        return Framing()
    return _hearsay(found, 0.8)


def _hearsay(found: Reported, confidence: float) -> Framing:
    return Framing(
        kind=FramingKind.HEARSAY,
        patterns_matched=(found.construction,),
        hearsay_confidence=confidence,
        speaker=found.speaker,
        underlying_claim=found.content,
    )


def find_report(doc: "Doc") -> Reported | None:
    """Find the first report of speech in a sentence: a clause that depends on a verb with a subject, a quotation, "according to"."""
    for token in doc:
        if token.lower_ == "according" and (source := _object_of(token)) is not None:
            inside = set(token.subtree)
            rest = [other for other in doc if other not in inside]
            content = _as_claim("".join(t.text_with_ws for t in rest))
            return Reported("according_to", sentence_case(phrase(source)), content)
    for verb in doc:
        clause = next((child for child in verb.children if child.dep_ == "ccomp" and _is_finite(child)), None)
        subject = subject_of(verb) if verb.pos_ in ("VERB", "AUX") else None
        if clause is None or subject is None or subject in clause.subtree:
            continue
        quoted = any(token.text in _QUOTES for token in doc)
        construction = _QUOTATION if quoted else "reported_clause"
        denies = any(child.dep_ == "neg" for child in verb.children) or verb.lemma_ == "deny"
        is_said = not denies and not _is_question(clause)
        said = _content_with_speaker(clause, subject) if is_said else None
        if is_said and said is None and verb.dep_ == "conj":
            continue  # the sentence's other statement would go unchecked
        return Reported(construction, sentence_case(phrase(subject)), said)
    return None


def _is_question(content: "Token") -> bool:
    """Whether a question is reported, which asserts nothing."""
    asked = content.doc[content.left_edge.i : content.right_edge.i + 2]
    return content.left_edge.lower_ in _QUESTION_WORDS or any(token.text == "?" for token in asked)


def _content_with_speaker(content: "Token", speaker: "Token") -> str | None:
    """Return what is said, with the speaker's name in place of the pronoun it begins with: "NATO says it has 32 members". None if it
    can't be read alone: it is about somebody named elsewhere, or incomplete."""
    text = phrase(content)
    content_subject = subject_of(content)
    people = [entity for entity in content.doc.ents if entity.label_ == "PERSON"]
    is_same = content_subject is not None and (
        (content_subject.lower_ == "it" and speaker.ent_type_ == "ORG")
        or (content_subject.lower_ in ("he", "she") and speaker.ent_type_ == "PERSON" and len(people) == 1)
    )
    if content_subject is None:
        return _as_claim(text) if any(child.dep_ == "expl" for child in content.children) else None
    if not is_same or is_impersonal(content_subject, content):
        is_unresolved = content_subject.tag_ in ("PRP", "DT") and not is_impersonal(content_subject, content)
        return None if is_unresolved else _as_claim(text)
    name = phrase(speaker, [child for child in speaker.children if child.dep_ in ("appos", "relcl", "acl")])
    return _as_claim(
        re.sub(rf"\A((?:that )?){content_subject.text}\b", lambda start: f"{start[1]}{name}", text)
    )


def _insinuation(doc: "Doc") -> str | None:
    """Return what is insinuated: the clause that depends on the hedge, or the whole sentence."""
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    if root is None:
        return _as_claim(doc.text)
    clause = next((child for child in root.children if child.dep_ == "ccomp" and _is_finite(child)), None)
    if clause is not None:  # drop its own "whether", keep the "if" of a condition
        return _as_claim(phrase(clause, [child for child in clause.children if child.dep_ == "mark"]))
    return _as_claim(phrase(root))


def _object_of(according: "Token") -> "Token | None":
    return next((token for token in according.subtree if token.dep_ == "pobj"), None)


def _can_speak(doc: "Doc", speaker: str) -> bool:
    """Whether the subject can speak: a named person or organization, or a pronoun for one."""
    words = speaker.casefold()
    is_named = any(entity.label_ in _SPEAKERS and entity.text.casefold() in words for entity in doc.ents)
    return is_named or words in ("he", "she", "they")


def _is_finite(token: "Token") -> bool:
    return token.tag_ in ("VBD", "VBZ", "VBP", "MD") or any(
        child.dep_ in ("aux", "auxpass") and child.tag_ in ("VBD", "VBZ", "VBP", "MD")
        for child in token.children
    )


def _as_claim(text: str) -> str | None:
    """Turn a piece of a sentence into a claim; None if it contains an unbalanced quotation mark."""
    line = " ".join(text.split()).strip(_EDGE_CHARACTERS)
    if _is_balanced(line[1:-1]) and line[:1] in _PAIRS and line[-1] in _PAIRS[line[0]]:
        line = line[1:-1]
    elif not _is_balanced(line):
        line = line[1:] if line[:1] in _QUOTES else line[:-1] if line[-1:] in _QUOTES else line
    line = line.strip(_EDGE_CHARACTERS).removeprefix("that ")
    return line[:1].upper() + line[1:] if line and _is_balanced(line) else None


def _is_balanced(text: str) -> bool:
    """Whether every quotation in it begins and ends."""
    closing: str | None = None
    for character in text:
        if closing is None and character in _QUOTES:
            if character not in _PAIRS:
                return False
            closing = _PAIRS[character]
        elif closing is not None and character in closing:
            closing = None
    return closing is None


class FramingWeights(NamedTuple):
    vectors: NDArray[np.float32]
    """One column for each of `KINDS`."""
    bias: NDArray[np.float32]


@lru_cache(maxsize=1)
def framing_weights() -> FramingWeights:
    with np.load(str(files("veridic.claims") / WEIGHTS)) as stored:
        return FramingWeights(stored["vectors"], stored["bias"])
