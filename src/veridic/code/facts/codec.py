"""Facts of a file as bytes and back: for the cache and between processes. Plain data only, so nothing can be run."""

from typing import Any

import msgpack

from veridic.domain.code import Fact, FactKind, FileFacts, Origin, Parameter, SourceText

_KINDS = {kind.value: kind for kind in FactKind}
_ORIGINS = {origin.value: origin for origin in Origin}


def encode(file: FileFacts) -> bytes:
    """Everything but the path and the digest, which the reader of the bytes knows."""
    facts = [_fact_row(fact) for fact in file.facts]
    texts = [(text.origin.value, text.text, text.line, text.owner) for text in file.texts]
    packed: bytes = msgpack.packb((facts, texts, "\n".join(file.identifiers)), unicode_errors="surrogatepass")
    return packed


def decode_facts(packed: bytes | memoryview, path: str, digest: str) -> FileFacts:
    """The other way round; `ValueError` where the bytes are not what `encode` made."""
    try:
        facts, texts, identifiers = msgpack.unpackb(packed, use_list=False, unicode_errors="surrogatepass")
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
