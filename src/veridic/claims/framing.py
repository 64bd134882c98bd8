"""How the author stands behind a sentence, and what is said underneath.

Which of the four kinds it is was learned from sentences of speeches, newspapers and press releases
(`training/framing.py`): a straight line for each kind through the embedded model's vector of the sentence. Syntax then
finds the parts: who is made to say it, and what.

- `private_data` rests on something no reader can get at ("our internal polling shows").
- `plausible_deniability` is put into the world without anyone standing for it ("people are saying"); what is
  insinuated is the underlying claim.
- `hearsay` is what a named or described speaker said. Two things to verify: that it was said, and that it is so. What can't
  be read by itself ("they will take it to court"), and a quotation with nothing to check in it, has only the first.
- `direct_factual` is everything else, also where a public record is named ("according to the census").

Without the model only hearsay is found, by its syntax.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridic.claims.checkable import checkable
from veridic.claims.clauses import phrase, sentence_case, subject_of
from veridic.claims.references import is_impersonal
from veridic.claims.worth_model import Embed
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
_ENDS = " ,;:.—–"
_OPEN = ("whether", "if")
_SPEAKERS = frozenset({"PERSON", "ORG", "NORP"})


class Reported(NamedTuple):
    """A report of speech as syntax shows it."""

    construction: str
    speaker: str
    content: str | None


def detect_framings(sentences: Sequence[str], embed: Embed | None) -> list[Framing]:
    """How each sentence (white space normalised) is framed."""
    if embed is None or not sentences:
        return [_by_syntax(sentence) for sentence in sentences]
    weights = framing_weights()
    sums = embed(sentences) @ weights.vectors + weights.bias
    chances = np.exp(sums - sums.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    framings = [_framing(sentence, row) for sentence, row in zip(sentences, chances, strict=True)]
    return _without_mere_opinion(framings, embed)


def _without_mere_opinion(framings: list[Framing], embed: Embed) -> list[Framing]:
    """Of a direct quotation with nothing in it that evidence could settle only the quotation is checked."""
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
    """How one sentence is framed, by its syntax alone."""
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
    found = find_report(doc)  # where syntax finds nobody who speaks, nobody does
    return _hearsay(found, hearsay) if found else Framing()


def _by_syntax(sentence: str) -> Framing:
    doc = parse(sentence)
    found = find_report(doc)
    if found is None or not _is_somebody(doc, found.speaker):
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
    """The first report of speech in a sentence: a clause that hangs on a verb of somebody, a quotation, "according to"."""
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
        is_said = not denies and not _asks(clause)
        said = _by_speaker(clause, subject) if is_said else None
        if is_said and said is None and verb.dep_ == "conj":
            continue  # what the sentence says besides would go unchecked
        return Reported(construction, sentence_case(phrase(subject)), said)
    return None


def _asks(content: "Token") -> bool:
    """Whether a question is reported: nobody has said that it is so."""
    asked = content.doc[content.left_edge.i : content.right_edge.i + 2]
    return content.left_edge.lower_ in _OPEN or any(token.text == "?" for token in asked)


def _by_speaker(content: "Token", speaker: "Token") -> str | None:
    """What is said, with the speaker put in for the pronoun that it begins with: "NATO says it has 32 members". None where it
    can't be read by itself: it is about somebody who is named elsewhere, or only part of it is there."""
    text = phrase(content)
    said_of = subject_of(content)
    people = [entity for entity in content.doc.ents if entity.label_ == "PERSON"]
    is_same = said_of is not None and (
        (said_of.lower_ == "it" and speaker.ent_type_ == "ORG")
        or (said_of.lower_ in ("he", "she") and speaker.ent_type_ == "PERSON" and len(people) == 1)
    )
    if said_of is None:
        return _as_claim(text) if any(child.dep_ == "expl" for child in content.children) else None
    if not is_same or is_impersonal(said_of, content):
        is_open = said_of.tag_ in ("PRP", "DT") and not is_impersonal(said_of, content)
        return None if is_open else _as_claim(text)
    name = phrase(speaker, [child for child in speaker.children if child.dep_ in ("appos", "relcl", "acl")])
    return _as_claim(re.sub(rf"\A((?:that )?){said_of.text}\b", lambda start: f"{start[1]}{name}", text))


def _insinuation(doc: "Doc") -> str | None:
    """What is insinuated: the clause that hangs on the hedge, or the whole sentence."""
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    if root is None:
        return _as_claim(doc.text)
    clause = next((child for child in root.children if child.dep_ == "ccomp" and _is_finite(child)), None)
    if clause is not None:  # without its own "whether", but with the "if" of a condition
        return _as_claim(phrase(clause, [child for child in clause.children if child.dep_ == "mark"]))
    return _as_claim(phrase(root))


def _object_of(according: "Token") -> "Token | None":
    return next((token for token in according.subtree if token.dep_ == "pobj"), None)


def _is_somebody(doc: "Doc", speaker: str) -> bool:
    """Whether the subject can speak: a named person or body, or a pronoun for one."""
    words = speaker.casefold()
    is_named = any(entity.label_ in _SPEAKERS and entity.text.casefold() in words for entity in doc.ents)
    return is_named or words in ("he", "she", "they")


def _is_finite(token: "Token") -> bool:
    return token.tag_ in ("VBD", "VBZ", "VBP", "MD") or any(
        child.dep_ in ("aux", "auxpass") and child.tag_ in ("VBD", "VBZ", "VBP", "MD")
        for child in token.children
    )


def _as_claim(text: str) -> str | None:
    """A piece of a sentence as one of its own; None where a quotation begins in it that doesn't end, or ends without beginning."""
    line = " ".join(text.split()).strip(_ENDS)
    if _is_balanced(line[1:-1]) and line[:1] in _PAIRS and line[-1] in _PAIRS[line[0]]:
        line = line[1:-1]
    elif not _is_balanced(line):
        line = line[1:] if line[:1] in _QUOTES else line[:-1] if line[-1:] in _QUOTES else line
    line = line.strip(_ENDS).removeprefix("that ")
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
    """A column for each of `KINDS`."""
    bias: NDArray[np.float32]


@lru_cache(maxsize=1)
def framing_weights() -> FramingWeights:
    with np.load(str(files("veridic.claims") / WEIGHTS)) as stored:
        return FramingWeights(stored["vectors"], stored["bias"])
