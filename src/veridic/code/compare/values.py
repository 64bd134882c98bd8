"""Whether the value that a document names is the one that the code has.

Only a clear difference is DIFFERENT. Where one of the two is computed, described in words, or could mean
several things of which one agrees, the answer is EQUAL or UNKNOWN.
"""

import re
from collections.abc import Callable, Sequence
from enum import Enum
from fractions import Fraction

from veridic.code.compare.literals import Amount, Items, Name, Nothing, Pairs, Text, Truth, Value, read_source
from veridic.code.compare.units import PLAUSIBLE, Worth
from veridic.code.compare.words import bare, is_rough, listed, quantities, readings

Resolve = Callable[[str], str | None]
"""The source text of the value behind a name; None where it is unknown or not one."""

_LONGEST_CHAIN = 5
_ROUGHLY = Fraction(1, 4)
_TOKEN_LIKE = re.compile(r"[A-Za-z0-9_.@/:+~-]+")
_SENTINEL = re.compile(
    r"_*(?:un_?set|missing|(?-i:[dD]efault)|sentinel|not_?set|not_?given|omit(?:ted)?|undefined|empty|no_?value|no_?default|marker)_*",
    re.IGNORECASE,
)
"""Stands for a value that is put in later."""
_IMPORTED = re.compile(r"[a-z]\w*(?:\.[a-z]\w*)*\.[A-Z]\w*")
"""The path of a class, as settings write it."""
_WORD_LIKE = re.compile(r"[A-Za-z][\w-]+")


class Match(Enum):
    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


def same_value(
    words: str,
    source: str | None,
    *,
    unit: Sequence[Worth] = (),
    is_code: bool = False,
    resolve: Resolve = lambda _: None,
) -> Match:
    """Compare a document's `words` with the source text of a value.

    `unit` is what a bare number in the code counts, where its name or comment says so; `is_code` tells that
    the document shows the words as code or in quotes and not as a description.
    """
    if source is None:
        return Match.UNKNOWN
    if _letters(words) == _letters(source):
        return Match.EQUAL
    documented = readings(words)
    value = read_source(source)
    if isinstance(value, Name) and any(_SENTINEL.fullmatch(part) for part in value.name.split(".")):
        return Match.UNKNOWN
    if isinstance(value, Name):
        by_name = {_compare_name(reading, value) for reading in documented}
        if by_name & {Match.EQUAL, Match.DIFFERENT}:
            return Match.EQUAL if Match.EQUAL in by_name else Match.DIFFERENT
        value = _resolved(value, resolve)
    if value is None:
        return Match.UNKNOWN
    matches = [_compare(reading, value, unit) for reading in _structured(documented, value)]
    if Match.EQUAL in matches or (isinstance(value, Items) and _same_list(words, value)):
        return Match.EQUAL
    if isinstance(value, Text) and not is_code and _describes(words, value.text):
        return Match.UNKNOWN
    if is_rough(words) and any(_is_roughly(reading, value) for reading in documented):
        return Match.UNKNOWN
    if is_code and isinstance(value, Text) and _TOKEN_LIKE.fullmatch(value.text):
        matches = matches[
            -1:
        ]  # What is shown as code is the text itself: `yes` is not a way of saying "auto".
    return Match.DIFFERENT if matches and set(matches) == {Match.DIFFERENT} else Match.UNKNOWN


def _letters(text: str) -> str:
    return "".join(bare(text).split())


def _resolved(name: Name, resolve: Resolve) -> Value | None:
    """What stands behind the name at the end of the chain; a name that leads nowhere stays one."""
    value: Value | None = name
    for _ in range(_LONGEST_CHAIN):
        if not isinstance(value, Name):
            return value
        behind = resolve(value.name)
        if behind is None:
            return value
        value = read_source(behind)
    return None


def _structured(documented: Sequence[Value], value: Value) -> Sequence[Value]:
    """The readings worth comparing: words count as a mere text only where nothing better is there or the code has a text."""
    if isinstance(value, Text | Name) or len(documented) == 1:
        return documented
    return documented[:-1]


def _compare(documented: Value, value: Value, unit: Sequence[Worth]) -> Match:
    if isinstance(value, Name):
        return _compare_name(documented, value)
    if isinstance(value, Text):
        return _compare_text(documented, value)
    if isinstance(documented, Amount) and isinstance(value, Amount):
        return _compare_amounts(documented, value, unit)
    if isinstance(documented, Items) and isinstance(value, Items):
        return _compare_items(documented.items, value.items, unit)
    if type(documented) is type(value):
        return Match.EQUAL if documented == value else Match.DIFFERENT
    return _compare_unlike(documented, value)


def _compare_unlike(documented: Value, value: Value) -> Match:
    """Values of different kinds: one of them empty, absent or switched off may be a way of saying the other."""
    if isinstance(documented, Items) and len(documented.items) == 1:
        return Match.EQUAL if documented.items[0] == value else Match.UNKNOWN
    if _is_empty(documented) and _is_empty(value):
        is_said_so = isinstance(documented, Nothing) or isinstance(value, Nothing)
        return Match.EQUAL if is_said_so or _is_number(documented, value) else Match.UNKNOWN
    if isinstance(value, Nothing) or isinstance(documented, Pairs | Items):
        return Match.UNKNOWN
    if isinstance(value, Pairs | Items) and not isinstance(documented, Nothing):
        return Match.UNKNOWN
    if isinstance(documented, Truth) and isinstance(value, Amount):
        return Match.EQUAL if documented.value and value.number == 1 else Match.UNKNOWN
    if isinstance(documented, Amount) and isinstance(value, Truth):
        return Match.EQUAL if value.value and documented.number == 1 else Match.DIFFERENT
    if isinstance(documented, Text):
        return Match.UNKNOWN
    return Match.DIFFERENT


def _is_number(*values: Value) -> bool:
    return any(isinstance(value, Amount) for value in values)


def _is_empty(value: Value) -> bool:
    return (
        isinstance(value, Nothing)
        or value in (Truth(False), Text(""), Items(()), Pairs(()))
        or (isinstance(value, Amount) and value.number == 0)
    )


def _compare_name(documented: Value, value: Name) -> Match:
    """A name that nothing resolves: the same name, or clearly another member of the same thing."""
    if not isinstance(documented, Text):
        return Match.UNKNOWN
    words = documented.text.replace("::", ".")
    owner, _, member = value.name.rpartition(".")
    if _folded(words) == _folded(member) or _ends_alike(_folded(words), _folded(value.name)):
        return Match.EQUAL
    said_owner, _, said_member = words.rpartition(".")
    is_other_member = _ends_alike(owner, said_owner) and re.fullmatch(r"\w+", said_member) is not None
    return Match.DIFFERENT if is_other_member else Match.UNKNOWN


def _ends_alike(one: str, other: str) -> bool:
    """Whether two dotted names may mean the same, one of them with more of its path."""
    short, long = sorted((one, other), key=len)
    return bool(short) and f".{long}".endswith(f".{short}")


def _folded(text: str) -> str:
    return text.casefold().replace("-", "_")


def _compare_text(documented: Value, value: Text) -> Match:
    """The code has a string; what it says may still be a number or a truth value, as in an environment's default."""
    if isinstance(documented, Text):
        if _plain(documented.text) == _plain(value.text) or documented.text == _without_backslashes(
            value.text
        ):
            return Match.EQUAL
        if {documented.text, value.text} == {"localhost", "127.0.0.1"}:
            return Match.UNKNOWN
        if _IMPORTED.fullmatch(value.text):
            return _compare_imported(documented.text, value.text)
        return (
            Match.UNKNOWN if _alphanumeric(documented.text) == _alphanumeric(value.text) else Match.DIFFERENT
        )
    if isinstance(documented, Nothing):
        return Match.EQUAL if value.text.lower() in ("", "none", "null") else Match.DIFFERENT
    if isinstance(documented, Items | Pairs):
        return Match.UNKNOWN
    if not value.text.strip():
        return Match.EQUAL if documented == Truth(False) else Match.UNKNOWN
    inner = [reading for reading in readings(value.text) if not isinstance(reading, Text)]
    found = [_compare(documented, reading, ()) for reading in inner if type(reading) is type(documented)]
    if Match.EQUAL in found:
        return Match.EQUAL
    if found:
        return Match.DIFFERENT
    return Match.DIFFERENT if isinstance(documented, Amount) and not documented.dimension else Match.UNKNOWN


def _without_backslashes(text: str) -> str:
    """A line's end as reStructuredText shows it, which takes a backslash for its own."""
    return text.encode("unicode_escape").decode().replace("\\", "")


def _compare_imported(documented: str, path: str) -> Match:
    """`app.workers.Worker` may be written `app.Worker`, or described by what the class is known for."""
    if documented.rpartition(".")[2] == path.rpartition(".")[2]:
        return Match.EQUAL
    return Match.DIFFERENT if _IMPORTED.fullmatch(documented) else Match.UNKNOWN


def _alphanumeric(text: str) -> str:
    """Without punctuation, which documents add and leave out; as it is where there is nothing else."""
    return "".join(character for character in text.casefold() if character.isalnum()) or text


def _plain(text: str) -> str:
    return text.strip().removeprefix("./").rstrip("/").casefold() or text.strip()


def _compare_amounts(documented: Amount, value: Amount, unit: Sequence[Worth]) -> Match:
    if documented.dimension == value.dimension:
        return Match.EQUAL if _is_same(documented.number, value.number) else Match.DIFFERENT
    dimension = documented.dimension or value.dimension
    if dimension is None or (documented.dimension and value.dimension):
        return Match.UNKNOWN
    known = [worth for d, worth in unit if d is dimension] if value.dimension is None else []
    worths = known or PLAUSIBLE[dimension]
    bare_number, measured = (
        (value.number, documented.number) if value.dimension is None else (documented.number, value.number)
    )
    is_same = any(_is_same(bare_number * worth, measured) for worth in worths)
    return Match.EQUAL if is_same else Match.DIFFERENT


def _is_same(one: Fraction, other: Fraction) -> bool:
    return abs(one - other) <= abs(other) / 10**9


def _is_roughly(documented: Value, value: Value) -> bool:
    return (
        isinstance(documented, Amount)
        and isinstance(value, Amount)
        and documented.dimension == value.dimension
        and abs(documented.number - value.number) <= abs(value.number) * _ROUGHLY
    )


def _compare_items(documented: Sequence[Value], items: Sequence[Value], unit: Sequence[Worth]) -> Match:
    if len(documented) != len(items):
        return Match.DIFFERENT
    matches = {_compare(one, other, unit) for one, other in zip(documented, items, strict=True)}
    if matches <= {Match.EQUAL}:
        return Match.EQUAL
    if all(any(_compare(one, other, unit) is Match.EQUAL for other in items) for one in documented):
        return Match.EQUAL
    return Match.UNKNOWN if Match.UNKNOWN in matches else Match.DIFFERENT


def _same_list(words: str, value: Items) -> bool:
    """ "a, b and c" for `("a", "b", "c")`, in any order."""
    members = listed(words)
    found = [
        {_compare(reading, item, ()) for reading in readings(m)}
        for m, item in zip(members, value.items, strict=False)
    ]
    if len(members) == len(value.items) and all(Match.EQUAL in matches for matches in found):
        return True
    texts = sorted(_plain(item.text) for item in value.items if isinstance(item, Text))
    return len(texts) == len(value.items) and sorted(map(_plain, members)) == texts


def _describes(words: str, text: str) -> bool:
    """Whether words that are not shown as code may be a description of the string rather than the string."""
    plain = bare(words)
    if quantities(plain) and quantities(text):
        return False
    if not _TOKEN_LIKE.fullmatch(plain) or not _TOKEN_LIKE.fullmatch(text) or not text.strip("-./~"):
        return True
    if not (_WORD_LIKE.fullmatch(plain) and _WORD_LIKE.fullmatch(text)):
        return False
    short, long = sorted((plain.casefold(), text.casefold()), key=len)
    return len(short) <= 2 or long.startswith(short[:3])
