"""Man pages (roff with the macros of man or mdoc) to blocks. Bold text becomes a code span, because it is what a user types."""

import re
from collections.abc import Iterator

from veridic.text.markdown import Block, BlockKind

_REQUEST = re.compile(r"^[.'][ \t]*([A-Za-z]{1,3})(?:[ \t]+(.*))?$")
_ARGUMENT = re.compile(r'"((?:[^"]|"")*)"|(\S+)')
_FONT = re.compile(r"\\f(?:\[([A-Z]*)\]|\(([A-Z]{2})|(.))")
_SPECIAL = re.compile(r"\\(?:\(([a-z]{2})|\[([a-z]+)\]|([-e&|^%:c ~'`\"0,/]))")
_SPECIALS = {
    "aq": "'",
    "dq": '"',
    "em": "—",
    "en": "–",
    "bu": "•",
    "lq": "“",
    "rq": "”",
    "oq": "‘",
    "cq": "’",
}
_ESCAPED = {"-": "-", "e": "\\", "'": "'", "`": "`", " ": " ", "~": " ", "0": " ", '"': ""}
_BOLD_MACROS = frozenset({"B", "BR", "BI", "SB"})
_FONT_MACROS = frozenset({"B", "I", "BR", "BI", "IB", "IR", "RB", "RI", "SM", "SB"})
_MDOC_CODE = {"Fl": "-", "Nm": "", "Cm": "", "Ic": "", "Ev": "", "Pa": "", "Li": "", "Dq": ""}
_STRUCTURE = frozenset("PP P LP Pp br sp HP Bl El Bd Ed SH SS Sh Ss TP TQ IP It RS RE nf EX".split())


def read_manpage(text: str) -> list[Block]:
    """The blocks of a man page in order."""
    return list(_ManPageParser(text.split("\n")).blocks())


class _ManPageParser:
    def __init__(self, lines: list[str]) -> None:
        self._lines = [line.rstrip() for line in lines]
        self._lists = 0
        """How many `.RS` are open."""
        self._in_item = False
        self._term_follows = False
        self._code: list[str] | None = None
        self._groups = 0
        self._paragraph: list[str] = []
        self._program = ""

    def blocks(self) -> Iterator[Block]:
        for number, line in enumerate(self._lines, 1):
            if line.startswith(('.\\"', '\\"', "'\\\"")):
                yield from self._flush(number)
                continue
            request = _REQUEST.match(line)
            if request:
                yield from self._request(request[1], request[2] or "", number)
            elif self._code is not None:
                self._code.append(_plain(line))
            elif not line or line[0] in ".'":
                yield from self._flush(number)
            else:
                yield from self._text(_plain(line), number)
        yield from self._flush(len(self._lines) + 1)

    @property
    def _level(self) -> int:
        return self._lists + self._in_item

    def _request(self, name: str, argument: str, number: int) -> Iterator[Block]:
        if self._code is not None:
            if name in ("fi", "EE", "Ed"):
                yield from self._flush(number)
            elif name in _FONT_MACROS:
                self._code.append(_plain(" ".join(_arguments(argument))))
        elif name in _FONT_MACROS:
            yield from self._text(_fonts(name, list(_arguments(argument))), number)
        elif name in _MDOC_CODE or name in ("Op", "Ar", "Sy", "Em", "Xr"):
            words = f"{name} {argument}" if argument or name != "Nm" else f"Nm {self._program}"
            yield from self._text(_mdoc(words), number)
        elif name in ("TH", "Dt"):
            self._program = next(_arguments(argument), "").lower()
            yield Block(BlockKind.HEADING, number, (f"`{self._program}`",), 1)
        elif name in _STRUCTURE:
            yield from self._flush(number)
            yield from self._structure(name, argument, number)

    def _structure(self, name: str, argument: str, number: int) -> Iterator[Block]:
        """Handle a request that ends a paragraph."""
        if name in ("SH", "SS", "Sh", "Ss"):
            self._lists, self._in_item = 0, False
            title = _plain(" ".join(_arguments(argument)))
            yield Block(BlockKind.HEADING, number, (title,), 2 if name in ("SH", "Sh") else 3)
        elif name in ("TP", "TQ"):
            self._term_follows, self._in_item = True, False
        elif name in ("IP", "It"):
            term = _mdoc(argument) if name == "It" else _plain(next(_arguments(argument), ""))
            if term.strip("•*-` "):
                yield Block(BlockKind.TERM, number, (_as_code(term),), self._lists)
            self._in_item = True
        elif name in ("RS", "RE"):
            self._lists = max(0, self._lists + (1 if name == "RS" else -1))
        elif name in ("nf", "EX"):
            self._code = []
        elif name not in ("br", "sp"):
            self._in_item = False

    def _text(self, text: str, number: int) -> Iterator[Block]:
        if self._term_follows:
            self._term_follows = False
            yield Block(BlockKind.TERM, number, (_as_code(text),), self._lists)
            self._in_item = True
        else:
            self._paragraph.append(text.strip())

    def _flush(self, number: int) -> Iterator[Block]:
        if self._code is not None:
            lines, self._code = self._code, None
            if lines:
                self._groups += 1
                yield Block(
                    BlockKind.CODE, number - len(lines), tuple(lines), self._level, group=self._groups
                )
        if self._paragraph:
            lines, self._paragraph = self._paragraph, []
            yield Block(BlockKind.PARAGRAPH, max(1, number - len(lines)), tuple(lines), self._level)


def _arguments(text: str) -> Iterator[str]:
    for quoted, word in _ARGUMENT.findall(text):
        yield quoted.replace('""', '"') if quoted else word


def _plain(text: str) -> str:
    """The text without escapes, with bold text in backticks."""
    if "\\" not in text:
        return text
    is_bold = False
    pieces: list[str] = []
    at = 0
    for font in _FONT.finditer(text):
        piece = _unescaped(text[at : font.start()])
        pieces.append(f"`{piece}`" if is_bold and piece.strip() else piece)
        is_bold = (font[1] or font[2] or font[3] or "").startswith(("B", "C"))
        at = font.end()
    piece = _unescaped(text[at:])
    pieces.append(f"`{piece}`" if is_bold and piece.strip() else piece)
    return "".join(pieces)


def _unescaped(text: str) -> str:
    return _SPECIAL.sub(
        lambda m: _SPECIALS.get(m[1] or m[2], "") if m[1] or m[2] else _ESCAPED.get(m[3], ""), text
    )


def _fonts(name: str, words: list[str]) -> str:
    if name in ("B", "SB"):
        text = _plain(" ".join(words))
        return text if "`" in text else f"`{text}`"
    if name in ("I", "SM"):
        return _plain(" ".join(words))
    fonts = [name[number % 2] for number in range(len(words))]
    return "".join(
        f"`{_plain(word)}`" if font == "B" and _plain(word).strip() else _plain(word)
        for font, word in zip(fonts, words, strict=True)
    )


def _mdoc(text: str) -> str:
    """`Fl v Ar file` as `-v file`."""
    pieces: list[str] = []
    mark: str | None = None
    for word in _arguments(text):
        if word in _MDOC_CODE:
            mark = _MDOC_CODE[word]
        elif word in ("Ar", "Op", "Sy", "Em", "Xr", "Oo", "Oc", "Ns", "No"):
            mark = None
        elif mark is not None and word not in ",.|()":
            pieces.append(f"`{mark}{_unescaped(word)}`")
        else:
            pieces.append(_unescaped(word))
    return " ".join(pieces)


def _as_code(term: str) -> str:
    """The line of an option or a name as one code span, unless it already has some."""
    return term if "`" in term or not re.match(r"^[-\w$/.]", term) or len(term) > 120 else f"`{term}`"
