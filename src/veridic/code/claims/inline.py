"""Inline markup of Markdown and reStructuredText, read into passages and links.

Both are read by one light scanner and not by a parser: it keeps the column of every character, looks at each
once, and what it doesn't know stays as it is written.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from veridic.code.claims.blocks import Link
from veridic.code.claims.passage import Passage, SourceLine

_LONGEST_CODE = 400
_TEXT = r"[^\[\]\n]{0,300}"
_TARGET = r"<?(?P<target>[^()\s<>]{1,500}(?:\([^()\s<>]{0,100}\)[^()\s<>]{0,200})?)>?"
_TITLE = r"""(?:[ \t\n]{1,9}(?:"[^"]{0,200}"|'[^']{0,200}'))?"""
_MARKDOWN = re.compile(
    rf"""
      (?P<escape> \\[!-/:-@\[-`{{-~] )
    | (?P<ticks> `+ )
    | (?P<comment> <!--(?:[^-]|-(?!->)){{0,4000}}--> )
    | (?P<badge> \[!\[{_TEXT}\]\([^()\s]{{0,500}}{_TITLE}\)\](?:\([^()\s]{{0,500}}\)|\[{_TEXT}\])? )
    | (?P<image> !\[{_TEXT}\]\([ ]?(?P<picture>[^()\s]{{1,500}}){_TITLE}[ ]?\) )
    | \[(?P<text>(?:[^\[\]`]|`[^`\n]{{1,200}}`|\[[^\[\]\n]{{0,100}}\]){{1,300}})\]
      (?: \([ ]?{_TARGET}{_TITLE}[ ]?\) | \[(?P<reference>{_TEXT})\] )
    | <(?P<bare>https?://[^\s<>]{{1,500}})>
    | (?P<tag> </?[A-Za-z][^<>\n]{{0,300}}> )
    | (?P<emphasis> (?<!\w)\*{{1,3}}(?=\S) | (?<=\S)\*{{1,3}}(?!\w) | (?<!\w)_{{1,2}}(?=\w) | (?<=[\w`.,)])_{{1,2}}(?!\w) | ~~ )
    """,
    re.VERBOSE,
)
_RST = re.compile(
    r"""
      (?P<escape> \\[^\s] )
    | :(?P<role>[A-Za-z][\w:+.-]{0,40}):(?=`)
    | (?P<ticks> `+ )
    | (?P<emphasis> (?<!\w)\*{1,2}(?=\S) | (?<=\S)\*{1,2}(?!\w) )
    | \|(?P<substitution>[^|\s][^|\n]{0,80})\|_?
    | <(?P<bare>https?://[^\s<>]{1,500})>
    """,
    re.VERBOSE,
)
_NAMED_TARGET = re.compile(r"(?P<text>[^<>]{0,300}?)\s*<(?P<target>[^<>]{1,500})>\Z", re.DOTALL)
_NOT_CODE = frozenset({"ref", "doc", "term", "abbr", "sub", "sup", "title", "emphasis", "strong", "numref"})
_LINK_ROLES = frozenset({"doc", "download"})


class _Content:
    """Lines joined by line feeds; knows where each character of them stands."""

    def __init__(self, lines: Sequence[SourceLine]) -> None:
        self.lines = lines
        self.text = "\n".join(line.text for line in lines)
        self._starts = [0]
        for line in lines[:-1]:
            self._starts.append(self._starts[-1] + len(line.text) + 1)

    def line(self, offset: int) -> int:
        return self.lines[bisect_right(self._starts, offset) - 1].line

    def add_to(self, passage: Passage, start: int, end: int) -> None:
        """Append `text[start:end]`, line by line, with a space for each line's end."""
        while start < end:
            at = bisect_right(self._starts, start) - 1
            line, first = self.lines[at], self._starts[at]
            last = min(end, first + len(line.text))
            passage.add(line.text[start - first : last - first], line.line, line.column + start - first)
            if last < end:
                passage.put(" ")
            start = last + 1


def markdown_inline(lines: Sequence[SourceLine]) -> tuple[Passage, tuple[Link, ...]]:
    """The lines of one block of Markdown as a passage, and the links in it."""
    return _MarkdownReader(lines).read() if lines else (Passage().close(), ())


def rst_inline(lines: Sequence[SourceLine]) -> tuple[Passage, tuple[Link, ...]]:
    """The same for reStructuredText, whose inline marks docstrings use too."""
    return _RstReader(lines).read() if lines else (Passage().close(), ())


class _Reader:
    _pattern: re.Pattern[str]
    _beginning: re.Pattern[str]
    """What the first character of a match can be."""

    def __init__(self, lines: Sequence[SourceLine]) -> None:
        self._content = _Content(lines)
        self._closers = _code_ends(self._content.text)
        self._passage = Passage()
        self._links: list[Link] = []

    def read(self) -> tuple[Passage, tuple[Link, ...]]:
        self._span(0, len(self._content.text))
        return self._passage.close(), tuple(self._links)

    def _span(self, start: int, end: int) -> None:
        """Looks closer only at characters that can begin a mark: a set of them is found far quicker than a pattern."""
        at = start
        for candidate in self._beginning.finditer(self._content.text, start, end):
            if candidate.start() < at:
                continue
            match = self._pattern.match(self._content.text, candidate.start(), end)
            if match is not None:
                self._content.add_to(self._passage, at, match.start())
                at = self._mark(match)
        self._content.add_to(self._passage, at, end)

    def _mark(self, match: re.Match[str]) -> int:
        """Read what the mark begins; return where reading goes on."""
        raise NotImplementedError

    def _code(self, start: int, end: int) -> None:
        self._passage.put("`")
        if "`" in self._content.text[start:end]:
            self._passage.put(self._content.text[start:end].replace("`", "'"))
        else:
            self._content.add_to(self._passage, start, end)
        self._passage.put("`")

    def _link(self, target: str, text: str, at: int, target_at: int | None = None) -> None:
        place = None
        if target_at is not None:
            found = Passage()
            self._content.add_to(found, target_at, target_at + len(target))
            place = found.place(0, len(target))
        self._links.append(Link(target=target, text=text, line=self._content.line(at), place=place))


class _MarkdownReader(_Reader):
    _pattern = _MARKDOWN
    _beginning = re.compile(r"[\\`<!\[*_~]")

    def _mark(self, match: re.Match[str]) -> int:
        match match.lastgroup:
            case "escape":
                self._content.add_to(self._passage, match.start() + 1, match.end())
            case "ticks":
                return self._ticks(match)
            case "image":
                self._link(match["picture"], "", match.start(), match.start("picture"))
            case "target":
                self._link(match["target"], match["text"], match.start(), match.start("target"))
                self._span(*match.span("text"))
            case "reference":
                self._span(*match.span("text"))
            case "bare":
                self._link(match["bare"], match["bare"], match.start(), match.start("bare"))
                self._content.add_to(self._passage, *match.span("bare"))
            case _:
                pass  # comments, badges, tags and emphasis are not read
        return match.end()

    def _ticks(self, match: re.Match[str]) -> int:
        end = self._closers.get(match.start())
        if end is None:
            self._content.add_to(self._passage, match.start(), match.end())
            return match.end()
        first, last = match.end(), end - len(match[0])
        code = self._content.text[first:last]
        if len(code) > 2 and code[0] == code[-1] == " " and not code.isspace():
            first, last = first + 1, last - 1
        self._code(first, last)
        return end


class _RstReader(_Reader):
    _pattern = _RST
    _beginning = re.compile(r"[\\:`*|<]")
    _role = ""

    def _mark(self, match: re.Match[str]) -> int:
        match match.lastgroup:
            case "escape":
                self._content.add_to(self._passage, match.start() + 1, match.end())
            case "role":
                self._role = match["role"].rpartition(":")[2]
            case "ticks":
                return self._ticks(match)
            case "bare":
                self._link(match["bare"], match["bare"], match.start(), match.start("bare"))
                self._content.add_to(self._passage, *match.span("bare"))
            case _:
                pass
        return match.end()

    def _ticks(self, match: re.Match[str]) -> int:
        role, self._role = self._role, ""
        end = self._closers.get(match.start())
        if end is None:
            self._content.add_to(self._passage, match.start(), match.end())
            return match.end()
        first, last = match.end(), end - len(match[0])
        if len(match[0]) > 1:
            self._code(first, last)
            return end
        return self._interpreted(role, first, last, end)

    def _interpreted(self, role: str, first: int, last: int, end: int) -> int:
        """`text`, `text <target>`_ and :role:`text`."""
        text = self._content.text
        named = _NAMED_TARGET.match(text[first:last])
        underscores = re.compile("_{0,2}").match(text, end)
        after = underscores.end() if underscores else end
        if after > end and named:
            self._link(named["target"], named["text"], first, first + named.start("target"))
            self._content.add_to(self._passage, first, first + named.end("text"))
            return after
        if role in _LINK_ROLES:
            at = first + named.start("target") if named else first
            self._link(named["target"] if named else text[first:last], "", first, at)
        shown = first + named.end("text") if named else last
        if after > end or role in _NOT_CODE or role in _LINK_ROLES:
            self._content.add_to(self._passage, first, shown)
        else:
            self._code(first + (text[first:last].startswith(("~", "!"))), shown)
        return after


def _code_ends(text: str) -> dict[int, int]:
    """For each row of backticks that opens inline code, where the code ends, its closing row included."""
    rows = [(match.start(), match.end()) for match in re.finditer("`+", text)]
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    for start, end in rows:
        by_length[end - start].append(start)
    return dict(_pairs(rows, by_length))


def _pairs(rows: list[tuple[int, int]], by_length: dict[int, list[int]]) -> Iterator[tuple[int, int]]:
    reached = 0
    for start, end in rows:
        if start < reached:
            continue
        length = end - start
        same = by_length[length]
        following = bisect_right(same, start)
        if following < len(same) and same[following] - end <= _LONGEST_CODE:
            reached = same[following] + length
            yield start, reached
