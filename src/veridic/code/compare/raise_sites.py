"""The statements that raise, with the words around them: what they say, and the conditions they stand under."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from veridic.text.words import content_stems

_RAISE = re.compile(r"\s*(?:raise|throw(?:\s+new)?)\s+([A-Za-z_][\w.]*)")
_GIVEN = re.compile(r"\s*raise\s+[A-Za-z_][\w.]*\(\s*([a-z_]\w*)\s*[,)]")
_GUARD = re.compile(r"\s*\}?\s*(?:if|elif|else|except|catch|while|for|case|unless|try)\b")
_OTHER_BRANCH = re.compile(r"\s*\}?\s*(?:elif|else|except|catch)\b")
_HANDLER = re.compile(r"\s*except\b([^:]*?)(?:\bas\b[^:]*)?:")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
_NEAREST_GUARDS = 2
_LONGEST_STATEMENT = 8
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_SHORTENED = re.compile(r"\w*n['’]t\b|['’](?:s|re|ve|ll|d)\b")
_SAYS_NOTHING = content_stems(
    "error exception value self given raise raised return none true false invalid argument type"
)


class RaiseSite(NamedTuple):
    exception: str
    line: int
    """Counted from the first line of the text, from 0."""
    stems: frozenset[str]
    """Of its message and of the conditions around it."""
    caught: frozenset[str]
    """The exceptions of the handler that it stands in."""


def raise_sites(code: Sequence[str]) -> Iterator[RaiseSite]:
    """Every statement in these lines that raises an exception by its name."""
    for at, line in enumerate(code):
        raised = _RAISE.match(line)
        if raised:
            guards = list(_guards(code, at))
            words = " ".join((*_statement(code, at), *_message(code, at), *guards)).replace(raised[1], " ")
            yield RaiseSite(raised[1], at, stems_of(words), _caught(guards))


def _caught(guards: Sequence[str]) -> frozenset[str]:
    """What the nearest of these lines catches, if it does: `except (KeyError, app.Gone) as error:`."""
    handler = _HANDLER.match(guards[0]) if guards else None
    return (
        frozenset(name.rpartition(".")[2] for name in _NAME.findall(handler[1])) if handler else frozenset()
    )


def stems_of(text: str) -> frozenset[str]:
    """The words that say something, also those that a name is made of."""
    words = " ".join(_PARTS.findall(_SHORTENED.sub(" ", text)))
    return frozenset(stem for stem in content_stems(words) - _SAYS_NOTHING if len(stem) > 1)


def _statement(code: Sequence[str], at: int) -> Iterator[str]:
    yield code[at]
    for line in code[at + 1 : at + _LONGEST_STATEMENT]:
        if _indent(line) <= _indent(code[at]):
            return
        yield line


def _message(code: Sequence[str], at: int) -> Iterator[str]:
    """What was put together just above to be raised: `msg = "it is empty"`, and then `raise ValueError(msg)`."""
    given = _GIVEN.match(code[at])
    if given is None:
        return
    assigned = re.compile(rf"\s*{given[1]}(?:\s*:\s*str)?\s*=[^=]")
    for above in range(at - 1, max(-1, at - 1 - _LONGEST_STATEMENT), -1):
        if assigned.match(code[above]):
            yield from _statement(code[:at], above)
            return


def _guards(code: Sequence[str], at: int) -> Iterator[str]:
    """The nearest conditions above; of an `else` also what it is the other branch of."""
    indent, found = _indent(code[at]), 0
    is_branch = False
    for line in reversed(code[:at]):
        if not line.strip() or not _GUARD.match(line):
            continue
        if _indent(line) < indent or (is_branch and _indent(line) == indent):
            found += _indent(line) < indent
            if found > _NEAREST_GUARDS:
                return
            indent, is_branch = _indent(line), _OTHER_BRANCH.match(line) is not None
            yield line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
