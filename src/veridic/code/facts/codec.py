"""Facts of a file as bytes and back: for the cache and between processes. Plain data only, so nothing can be run."""

import hashlib
from typing import Any

import msgpack

from veridic.domain.code import Fact, FactKind, FileFacts, Origin, Parameter, SourceText

_KINDS = {kind.value: kind for kind in FactKind}
_ORIGINS = {origin.value: origin for origin in Origin}
_OFFER_SIZE = 16
# The line, the quote, the results, the exceptions, the calls and the last line of a fact's row.
_OF_THE_FILE_ALONE = frozenset({2, 3, 11, 12, 13, 16})


def encode(file: FileFacts) -> bytes:
    """Everything but the path and the digest, which the reader of the bytes knows."""
    facts = [_fact_row(fact) for fact in file.facts]
    texts = [(text.origin.value, text.text, text.line, text.owner) for text in file.texts]
    packed: bytes = msgpack.packb((facts, texts, "\n".join(file.identifiers)), unicode_errors="surrogatepass")
    return _offer(file, facts) + packed


def offer_of(packed: bytes | memoryview) -> bytes:
    """A digest of what the other files' claims can depend on: the names that the file offers, and what they are.

    Where they stand and what the bodies of functions do is not part of it.
    """
    return bytes(packed[:_OFFER_SIZE])


def _offer(file: FileFacts, facts: list[tuple[Any, ...]]) -> bytes:
    offered = [[part for at, part in enumerate(row) if at not in _OF_THE_FILE_ALONE] for row in facts]
    # What a package's `__init__` names, the package offers.
    named = sorted(file.identifiers) if file.path.endswith("__init__.py") else []
    told = msgpack.packb((offered, named), unicode_errors="surrogatepass")
    return hashlib.blake2b(told, digest_size=_OFFER_SIZE).digest()


def decode_facts(packed: bytes | memoryview, path: str, digest: str) -> FileFacts:
    """The other way round; `ValueError` where the bytes are not what `encode` made."""
    try:
        facts, texts, identifiers = msgpack.unpackb(
            packed[_OFFER_SIZE:], use_list=False, unicode_errors="surrogatepass"
        )
        return FileFacts(
            path,
            digest,
            tuple([_fact(row, path) for row in facts]),
            tuple([SourceText(_ORIGINS[origin], text, line, owner) for origin, text, line, owner in texts]),
            frozenset(identifiers.split("\n")),
        )
    except (ValueError, TypeError, KeyError, AttributeError, msgpack.UnpackException) as error:
        raise ValueError("These are not facts.") from error


def _fact_row(fact: Fact) -> tuple[Any, ...]:
    return (
        fact.kind.value,
        fact.name,
        fact.line,
        fact.quote,
        fact.qualified,
        fact.owner,
        fact.value,
        fact.annotation,
        fact.aliases,
        [(parameter.name, parameter.default, parameter.annotation) for parameter in fact.parameters],
        fact.members,
        fact.returns,
        fact.raises,
        fact.calls,
        fact.decorators,
        fact.bases,
        fact.end_line,
        fact.is_async,
    )


def _fact(row: tuple[Any, ...], path: str) -> Fact:
    kind, name, line, quote, qualified, owner, value, annotation, aliases, parameters, *rest = row
    return Fact(
        _KINDS[kind],
        name,
        path,
        line,
        quote,
        qualified,
        owner,
        value,
        annotation,
        aliases,
        tuple([Parameter(*parameter) for parameter in parameters]) if parameters else (),
        *rest,
    )
