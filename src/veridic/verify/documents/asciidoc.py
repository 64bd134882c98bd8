"""AsciiDoc to blocks, line by line."""

import posixpath
import re
from collections.abc import Iterator

from veridic.text.markdown import Block, BlockKind

_HEADING = re.compile(r"^(={1,6}|#{1,6})\s+(\S.*)$")
_ITEM = re.compile(r"^\s*(\*{1,5}|-|\.{1,5}|\d+\.)\s+(?:\[[ x*]\]\s+)?(\S.*)$")
_TERM = re.compile(r"^\s*(\S.{0,120}?)(:{2,4}|;;)(?:\s+(\S.*))?$")
_DELIMITER = re.compile(r"^(-{4,}|\.{4,}|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|```\w*)\s*$")
_TABLE = re.compile(r"^[|!]===\s*$")
_ATTRIBUTES = re.compile(r"^\[(.*)\]\s*$")
_SKIPPED = re.compile(r"^(?://(?!/)|:[\w!-]+:|ifdef::|ifndef::|endif::|toc::|'''|<<<)")
_ATTRIBUTE = re.compile(r"^:([\w-]+):(?:\s+(\S.*))?$")
_REFERENCE = re.compile(r"\{([\w-]+)\}")
_IMAGES = "imagesdir"
"""The attribute with the folder that the targets of images are relative to."""
_MACRO = re.compile(r"^(image|include)::([^\[]+)\[(.*)\]\s*$")
_LINK = re.compile(r"\b(?:link:|xref:)([^\s\[\]]+)\[([^\]]*)\]|(https?://[^\s\[\]]+)\[([^\]]*)\]")
_ANCHOR = re.compile(r"<<([^,>]+)(?:,\s*([^>]+))?>>")
_CODE = re.compile(r"`\+(.+?)\+`|(?<!\w)\+(\S[^+\n]*?)\+(?!\w)|``(.+?)``")
_EMPHASIS = re.compile(r"(?<![\w*_])([*_]{1,2})(?=[^\s*_])([^*_\n`]{1,300}?)(?<=[^\s*_])\1(?![\w*_])")


def read_asciidoc(text: str) -> list[Block]:
    """The blocks of an AsciiDoc document in their order."""
    return list(_AsciiDocParser([line.rstrip() for line in text.split("\n")]).blocks())


class _AsciiDocParser:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0
        self._level = 0
        self._groups = 0
        self._language = ""
        self._in_list = False
        self._attributes: dict[str, str] = {}
        """What the document has set so far, by name."""

    def blocks(self) -> Iterator[Block]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            if not line or line == "+":
                if not line and self._ends_list():
                    self._level, self._in_list = 0, False
                continue
            yield from self._next(line)

    def _ends_list(self) -> bool:
        following = next((line for line in self._lines[self._at : self._at + 20] if line), "")
        return not (_ITEM.match(following) or _TERM.match(following) or following.startswith(" "))

    def _next(self, line: str) -> Iterator[Block]:
        number = self._at
        if _SKIPPED.match(line):
            self._set_attribute(line)
            return
        if attributes := _ATTRIBUTES.match(line):
            parts = [part.strip() for part in attributes[1].split(",")]
            is_source = parts[0].lstrip("%") in ("source", "", "listing") and len(parts) > 1
            self._language = parts[1].lower() if is_source else ""
        elif heading := _HEADING.match(line):
            self._level, self._in_list = 0, False
            yield Block(BlockKind.HEADING, number, (_inline(heading[2]),), len(heading[1]))
        elif _TABLE.match(line):
            yield from self._table()
        elif delimiter := _DELIMITER.match(line):
            if delimiter[1][0] in "-.+/`":
                yield from self._delimited(delimiter[1])
        elif macro := _MACRO.match(line):
            image = "!" if macro[1] == "image" else ""
            target = self._image(macro[2]) if image else self._filled(macro[2])
            yield Block(BlockKind.PARAGRAPH, number, (f"{image}[{macro[3]}]({target})",), self._level)
        elif item := _ITEM.match(line):
            if not self._in_list:
                self._groups += 1
            depth = len(item[1]) if item[1][0] in "*." else 1
            self._in_list, self._level = True, depth
            yield from self._paragraph(BlockKind.ITEM, item[2], depth - 1)
        elif (term := _TERM.match(line)) and "://" not in term[1]:
            depth = len(term[2]) - 1 if term[2] != ";;" else 1
            self._in_list, self._level = True, depth
            yield Block(BlockKind.TERM, number, (_inline(term[1]),), depth - 1)
            if term[3]:
                yield from self._paragraph(BlockKind.PARAGRAPH, term[3], depth)
        else:
            yield from self._paragraph(BlockKind.PARAGRAPH, line.strip(), self._level)

    def _paragraph(self, kind: BlockKind, first: str, level: int) -> Iterator[Block]:
        start = self._at
        lines = [first]
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line or line == "+" or _ITEM.match(line) or _TERM.match(line) or _DELIMITER.match(line):
                break
            if _HEADING.match(line) or _ATTRIBUTES.match(line) or _TABLE.match(line):
                break
            lines.append(line.strip())
            self._at += 1
        group = self._groups if kind is BlockKind.ITEM else 0
        yield Block(kind, start, tuple(_inline(self._filled(line)) for line in lines), level, group=group)

    def _set_attribute(self, line: str) -> None:
        if attribute := _ATTRIBUTE.match(line):
            self._attributes[attribute[1]] = self._filled(attribute[2] or "")

    def _filled(self, text: str) -> str:
        """The text with the attributes that the document has set; others are left, as something else sets them."""
        if "{" not in text:
            return text
        return _REFERENCE.sub(lambda found: self._attributes.get(found[1], found[0]), text)

    def _image(self, target: str) -> str:
        """The path of an image from the document. The folder of images may also be set where the manual is built, then it is left out here."""
        folder, target = self._attributes.get(_IMAGES, ""), self._filled(target)
        is_plain = folder and "://" not in target and not target.startswith(("/", "{"))
        return posixpath.join(folder, target) if is_plain else target

    def _delimited(self, mark: str) -> Iterator[Block]:
        closing = "```" if mark.startswith("```") else mark
        start = self._at
        while self._at < len(self._lines) and self._lines[self._at] != closing:
            self._at += 1
        lines = tuple(self._lines[start : self._at])
        self._at += 1
        language, self._language = self._language or mark.removeprefix("```").strip("-.+/"), ""
        if mark[0] != "/" and lines:
            self._groups += 1
            yield Block(BlockKind.CODE, start + 1, lines, self._level, language, self._groups)

    def _table(self) -> Iterator[Block]:
        """A row per line, or a cell per line with rows separated by empty lines; the first row is the header."""
        self._groups += 1
        rows: list[tuple[int, list[str]]] = []
        begins = True
        while self._at < len(self._lines) and not _TABLE.match(self._lines[self._at]):
            line = self._lines[self._at].strip()
            self._at += 1
            cells = [_inline(cell.strip()) for cell in re.split(r"(?<!\\)\|", line)][1:]
            if not line:
                begins = True
            elif cells and (begins or len(cells) > 1):
                rows.append((self._at, cells))
                begins = False
            elif cells and rows:
                rows[-1][1].extend(cells)
            elif rows:
                rows[-1][1][-1] += f" {_inline(line)}"
        self._at += 1
        header = tuple(rows[0][1]) if rows else ()
        for number, cells in rows[1:]:
            text = f"| {' | '.join(cells)} |"
            yield Block(
                BlockKind.ROW,
                number,
                (text,),
                self._level,
                group=self._groups,
                cells=tuple(cells),
                columns=header,
            )


def _inline(text: str) -> str:
    if "[" in text:
        text = _LINK.sub(lambda m: f"[{m[2] or m[4] or m[1] or m[3]}]({m[1] or m[3]})", text)
    if "<<" in text:
        text = _ANCHOR.sub(lambda m: f"[{m[2] or m[1]}](#{m[1].lstrip('#')})", text)
    if "`" in text or "+" in text:
        text = _CODE.sub(lambda m: f"`{m[1] or m[2] or m[3]}`", text)
    return _EMPHASIS.sub(r"\2", text) if "*" in text or "_" in text else text
