"""The prompt that asks a model what a document says, and the parts that a long document is split into.

`system` is the same for every document. The document is fenced in `user`, with a number before each line, so that no line of it can begin
like one of ours. Increase the version with every change of wording or of the parts.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from veridic.prompts.fence import fenced, on_one_line
from veridic.prompts.wording import DATA
from veridic.providers.llm.base import Prompt, Sampling
from veridic.verify.documents.unit import Unit

VERSION = 1
_NAME = "propose_claims"
_SAMPLING = Sampling(temperature=0.0)
_MOST_CHARACTERS = 12_000
_LONGEST_LINE = 1_000
"""Longer lines are data; only their beginning is shown."""
_LONGEST_PATH = 300
_LONGEST_HEADING = 120
_EARLIEST_END = 0.6
"""After this share of its length, a part ends at the next heading."""

PROPOSE_CLAIMS = f"""\
You read one document of a software project and list what it says about that project, as far as the project's code, manifests or files \
could bear it out or contradict it. You don't judge whether any of it is right: that is decided elsewhere, by the code, which you are not shown.

One entry says one thing: a subject, one attribute of it, and the value. A sentence or a row of a table that says three things makes three entries.

Attributes:
- exists: the subject is there to be used; no values
- default: what it is unless somebody sets it
- value: a constant, a limit, a setting or an exit code is this
- choices: the values that it takes, all of them in "values"
- requires: the version of a language or package that the project needs
- parameter: a function takes this parameter
- signature: the parameters of a function, in their order
- returns, raises: what a function returns, or which exception it raises
- count: how many there are
- deprecated: it should no longer be used; no values
- does: anything else that the subject is said to do or to be; no values

Leave out links, opinions, praise, thanks, plans, what was so in earlier releases, and what readers are told to do with their own code.

{DATA}

Answer with one JSON object and nothing else (STRICT JSON, no comments):

{{"claims": [{{"line": 12, "quote": "`--timeout` is the time to wait (default: 30)", "subject": "--timeout", \
"kind": "option|command|environment variable|route|function|class|module|constant|parameter|setting|file|package|language|other", \
"belongs_to": "", "attribute": "default", "values": ["30"], "condition": "", "other": ""}}]}}

- line: the number in front of the line where the quote begins.
- quote: copied from the document exactly, without the number: the shortest stretch that says it, at most 40 words. It holds every value. A quote \
that is not found in the document is thrown away, and its entry with it.
- subject: the name as the document writes it there, or in the heading or list item that it stands under. Nothing that the document doesn't name.
- belongs_to: of a parameter its function, of an option the program that is typed before it, as the document writes it; else empty.
- values: as the document writes them, without quotation marks.
- condition: empty where it is simply so. Else what limits it, in a few words: a condition, a platform, another version, an example, or that the \
document says it is not so.
- other: empty for this project. Else the name of the other program, service or standard that it is about.

If the document says nothing of the kind, answer {{"claims": []}}."""


class Part(NamedTuple):
    """Lines of a document that are shown together."""

    first: int
    """The number of its first line, from 1."""
    lines: tuple[str, ...]
    headings: tuple[str, ...] = ()
    """The headings above its first line."""

    @property
    def last(self) -> int:
        return self.first + len(self.lines) - 1

    def halves(self) -> "tuple[Part, Part]":
        """Two smaller parts, for a part whose answer was too long."""
        middle = len(self.lines) // 2
        return (
            self._replace(lines=self.lines[:middle]),
            self._replace(first=self.first + middle, lines=self.lines[middle:]),
        )


def parts_of(lines: Sequence[str], units: Sequence[Unit]) -> list[Part]:
    """A document in parts that fit one call. None ends within a sentence, and each ends before a heading if possible."""
    headings = {unit.line - 1 for unit in units if unit.is_heading}
    within = {line for unit in units for line in range(unit.line, unit.end_line)}
    sizes = [min(len(line), _LONGEST_LINE) + 1 for line in lines]
    ends: list[int] = [0]
    size, good = 0, 0
    for number, own in enumerate(sizes):
        first = ends[-1]
        good = number if number not in within else good
        is_good_end = number in headings and size > _EARLIEST_END * _MOST_CHARACTERS
        if number > first and (is_good_end or size + own > _MOST_CHARACTERS):
            ends.append(good if good > first else number)
            size = sum(sizes[ends[-1] : number])
        size += own
    parts = (_part(lines, first, end, units) for first, end in pairwise((*ends, len(lines))))
    return [part for part in parts if any(line.strip() for line in part.lines)]


def propose_prompt(path: str, part: Part) -> Prompt:
    """The prompt that asks for everything that a part of a document says."""
    head = [f"File {on_one_line(path, _LONGEST_PATH)}, lines {part.first}-{part.last}:"]
    if part.headings:
        above = " > ".join(on_one_line(heading, _LONGEST_HEADING) for heading in part.headings)
        head.append(f"Stands under: {above}")
    shown = fenced("DOCUMENT", "\n".join((*head, *_numbered(part))))
    return Prompt(
        name=_NAME,
        version=VERSION,
        system=PROPOSE_CLAIMS,
        user=f"DOCUMENT:\n{shown}\n\nList what lines {part.first}-{part.last} say.",
        sampling=_SAMPLING,
    )


def _part(lines: Sequence[str], first: int, end: int, units: Sequence[Unit]) -> Part:
    shown = tuple(line[:_LONGEST_LINE] for line in lines[first:end])
    start = next((unit for unit in units if unit.line > first), None)
    headings = start.headings if start and start.line <= end and not start.is_heading else ()
    return Part(first + 1, shown, headings)


def _numbered(part: Part) -> Iterator[str]:
    for number, line in enumerate(part.lines, part.first):
        # A form feed in the middle of a line would start another line, without a number.
        yield f"{number} | {' '.join(line.splitlines())}".rstrip()
