"""Parses JSON as language models write it, as far as it can be trusted.

Beyond the standard, it accepts text and code fences around JSON, single and typographic quotation marks, unescaped quotation
marks in a text, unquoted names, Python's literals, comments, trailing commas, missing commas at line ends, and line ends in a
text. If an answer is cut off, complete values count and the last, incomplete one does not. Of two values with the same name
the first counts: the second may come from a quotation. Numbers stay strings. Every character is read a bounded number of
times, and nothing raises.
"""

import re
from collections.abc import Iterator

_OPENING = re.compile(r"[{\[]")
_TOKEN = re.compile(
    r"(?P<nothing>\s+|//[^\n]*|/\*.*?(?:\*/|\Z)|\#[^\n]*)|(?P<sign>[{}\[\],:])|(?P<quote>[\"'“‘`])|(?P<word>[^\s{}\[\],:\"]+)",
    re.DOTALL,
)
_CLOSED_BY = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}
_STOPS = {mark: re.compile(rf"\\.|{closing}", re.DOTALL) for mark, closing in _CLOSED_BY.items()}
_SPACE = re.compile(r"\s*+")
_NEXT_VALUE = re.compile(
    r"\s*+(?:[\"'“‘`{}\[\]0-9-]|//|/\*|\#|\Z|[A-Za-z_]\w*+\s*+:|(?:true|false|null|True|False|None|NaN|Infinity)\b)"
)
"""What can follow a comma between two values, and seldom follows one inside a text."""
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_LITERALS = {"true": True, "True": True, "false": False, "False": False} | dict.fromkeys(
    ("null", "None", "NaN", "undefined")
)
_MAX_DEPTH = 20
"""Levels of nesting; nothing that was asked for is deeper."""


def read_json(text: str) -> list[object]:
    """Return all objects and lists in a text, in order; nested ones only as part of their parent."""
    return [value for value, _ in read_json_parts(text)]


def read_json_parts(text: str) -> list[tuple[object, int]]:
    """The same, each with its length in characters."""
    found: list[tuple[object, int]] = []
    position, end = 0, len(text.rstrip())
    while (opening := _OPENING.search(text, position)) is not None:
        reader = _Reader(text, end)
        position = reader.read(opening.start())
        found.append((reader.root, position - opening.start()))
    return found


def objects_with(
    values: list[object], *names: str, skipping: frozenset[str] = frozenset()
) -> list[dict[str, object]]:
    """Return the objects in `values`, at any depth, that have a field of one of these names; what is in a field of `skipping` is not
    searched."""
    return list(_search(values, frozenset(names), skipping))


def _search(value: object, names: frozenset[str], skipping: frozenset[str]) -> Iterator[dict[str, object]]:
    if isinstance(value, dict):
        if any(plain_name(key) in names for key in value):
            yield value
        else:
            inner = [item for key, item in value.items() if plain_name(key) not in skipping]
            yield from _search(inner, names, skipping)
    elif isinstance(value, list):
        for item in value:
            yield from _search(item, names, skipping)


def plain_name(name: str) -> str:
    """Return the same form for `key_findings`, `Key Findings` and `keyFindings`."""
    return "".join(character for character in name.lower() if character.isalnum())


class _Reader:
    """Reads one object or list with its content."""

    def __init__(self, text: str, end: int) -> None:
        self.root: object = None
        self._text = text
        self._text_end = end
        self._open: list[dict[str, object] | list[object]] = []
        self._name: str | None = None
        """A text or word in an object that may be the name of a field."""
        self._named = False
        """Whether a colon has followed, so that it is a name."""

    def read(self, position: int) -> int:
        """Read from the opening bracket; returns the position after the value."""
        while token := _TOKEN.match(self._text, position):
            position = token.end()
            if token["quote"]:
                behind = self._read_text(token["quote"], position)
                if behind is None:
                    return len(self._text)
                position = behind
            elif token["word"]:
                self._read_word(token["word"], cut_off=position >= self._text_end)
            elif token["sign"] and self._read_sign(token["sign"]):
                break
        return position

    def _read_sign(self, sign: str) -> bool:
        """Return whether the value ends here."""
        if sign in "{[":
            if len(self._open) == _MAX_DEPTH:
                return True
            self._begin({} if sign == "{" else [])
        elif sign in "}]":
            return self._end(dict if sign == "}" else list)
        elif sign == ":":
            self._named = self._name is not None
        else:
            self._name, self._named = None, False
        return False

    def _begin(self, value: dict[str, object] | list[object]) -> None:
        if self._open:
            self._put(value)
        else:
            self.root = value
        self._open.append(value)
        self._name, self._named = None, False

    def _end(self, kind: type[dict[str, object]] | type[list[object]]) -> bool:
        """Close everything inside it that is still open; ignore a bracket that closes nothing."""
        if any(isinstance(value, kind) for value in self._open):
            while not isinstance(self._open.pop(), kind):
                pass
            self._name, self._named = None, False
        return not self._open

    def _read_text(self, mark: str, start: int) -> int | None:
        for stop in _STOPS[mark].finditer(self._text, start):
            if not stop[0].startswith("\\") and self._ends_a_text(stop.end()):
                self._take(_unescaped(self._text[start : stop.start()]))
                return stop.end()
        return None

    def _ends_a_text(self, position: int) -> bool:
        """Whether what follows a quotation mark can follow a text: most unescaped marks fail here."""
        space = _SPACE.match(self._text, position)
        behind = space.end() if space else position
        following = self._text[behind : behind + 1]
        if following == ",":
            return _NEXT_VALUE.match(self._text, behind + 1) is not None
        if following in ("", ":", "}", "]", "#") or self._text.startswith(("//", "/*"), behind):
            return True
        return "\n" in self._text[position:behind] and following in _CLOSED_BY

    def _read_word(self, word: str, *, cut_off: bool) -> None:
        if not cut_off:
            self._take(_LITERALS.get(word, word))

    def _take(self, value: object) -> None:
        """Take a text, a word or a literal: a value, or in an object the name of the next one."""
        if isinstance(self._open[-1], list) or self._named:
            self._put(value)
        else:
            self._name = value if isinstance(value, str) else None

    def _put(self, value: object) -> None:
        container = self._open[-1]
        if isinstance(container, list):
            container.append(value)
        elif self._named and self._name is not None:
            container.setdefault(self._name, value)
            self._name, self._named = None, False


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(lambda match: _character(match[1], match[2]), text)
    # Join surrogate pairs that were escaped separately.
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(code: str | None, letter: str | None) -> str:
    if code:
        return chr(int(code, 16))
    return _ESCAPED.get(letter or "", letter or "")
