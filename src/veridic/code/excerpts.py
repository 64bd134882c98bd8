"""The code that a claim is about: definitions of what it names and, further on, what they call and who calls them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from veridic.code.compare.looking import Look, last_part
from veridic.code.index import FactIndex
from veridic.code.scope import Expansion, expansion
from veridic.domain.code import Depth, DocClaim, Fact, FactKind
from veridic.domain.errors import InputError

_CALLABLE = (FactKind.FUNCTION, FactKind.CLASS)
_NAMED = (
    FactKind.ENUM,
    FactKind.CONSTANT,
    FactKind.OPTION,
    FactKind.COMMAND,
    FactKind.ROUTE,
    FactKind.ENVIRONMENT,
    FactKind.SETTING,
)
_MOST_MEANT = 3
"""Definitions of one name: where there are more nobody knows which one the document means."""
_MOST_BESIDE = 6
"""Callers shown of a claim, and functions called."""
_ITSELF = ("self", "cls", "this")
_AROUND = 3
"""Lines in front of and behind what is no definition with a body."""
_LONGEST_LINE = 240
_MOST_CHARACTERS = {Depth.SHALLOW: 6_000, Depth.MEDIUM: 12_000, Depth.DEEP: 12_000}
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of a file that stand together."""

    path: str
    first: int
    lines: tuple[str, ...]
    """At least one."""
    goes_on_to: int | None = None
    """The last line of what it shows the beginning of."""

    @property
    def last(self) -> int:
        return self.first + len(self.lines) - 1


def excerpts(claim: DocClaim, index: FactIndex, depth: Depth) -> tuple[Excerpt, ...]:
    """What a reader of the claim would have to read, its subject first, cut to a length that goes with the depth.

    Nothing where the claim's subject is not defined in the repository, where its name may mean many things, or where it
    is about more of the system than can be shown.
    """
    subjects = _subjects(claim, index)
    scope = expansion(claim, index)
    if not subjects or (scope and scope.is_beyond_scope):
        return ()
    reach = Depth.MEDIUM if scope and depth is Depth.SHALLOW else depth
    facts = [*subjects, *_also_named(claim, index)]
    if reach is not Depth.SHALLOW:
        facts += _around(claim, subjects, index)
    cutting = _Cutting(index, _MOST_CHARACTERS[reach])
    shown = [cutting.definition(fact) for fact in dict.fromkeys(facts)]
    if shown[0] is None:
        return ()
    if scope:
        shown += _uses(scope, subjects, cutting, {one.path for one in shown if one})
    found = tuple(one for one in shown if one)
    is_whole = scope is None or set(scope.files) <= {one.path for one in found}
    return found if is_whole else ()


def file_lines(index: FactIndex, path: str) -> list[str]:
    """The lines of a file as facts count them; none where it can't be read."""
    try:
        return _LINE_END.split(index.repository.read(path))
    except InputError:
        return []


def merged(shown: Iterable[Excerpt]) -> tuple[Excerpt, ...]:
    """Every line once: what overlaps or follows one another is one excerpt."""
    files: dict[str, dict[int, str]] = {}
    for one in shown:
        files.setdefault(one.path, {}).update(enumerate(one.lines, one.first))
    return tuple(run for path, lines in files.items() for run in _runs(path, lines))


def _runs(path: str, lines: dict[int, str]) -> Iterator[Excerpt]:
    first: int | None = None
    for number in sorted(lines):
        first = number if first is None else first
        if number + 1 not in lines:
            yield Excerpt(path, first, tuple(lines[one] for one in range(first, number + 1)))
            first = None


def _subjects(claim: DocClaim, index: FactIndex) -> tuple[Fact, ...]:
    look = Look(claim, index, Depth.MEDIUM)
    subject = claim.assertion.subject
    found = look.callables()
    if not found and subject is not None:
        found = look.named(subject.name, *_NAMED)
    return found if len(found) <= _MOST_MEANT else ()


def _also_named(claim: DocClaim, index: FactIndex) -> Iterator[Fact]:
    look = Look(claim, index, Depth.MEDIUM)
    for entity in claim.entities:
        found = look.named(entity.name.removesuffix("()"), *_CALLABLE, *_NAMED)
        if len(found) <= _MOST_MEANT:
            yield from found


def _around(claim: DocClaim, subjects: Sequence[Fact], index: FactIndex) -> Iterator[Fact]:
    look = Look(claim, index, Depth.MEDIUM)
    for subject in subjects:
        yield from islice(_called_by(subject, index), _MOST_BESIDE)
        callers = look.of_the_project(tuple(_callers_of(subject, index)))
        yield from callers[:_MOST_BESIDE]


def _called_by(subject: Fact, index: FactIndex) -> Iterator[Fact]:
    """What can only be meant: a bare name, a method of the same class, a name with its module or class in front."""
    for name in subject.calls:
        receiver, _, last = name.rpartition(".")
        is_own = receiver in _ITSELF
        found = index.named(last if is_own or not receiver else name, *_CALLABLE)
        near = [fact for fact in found if fact.path == subject.path]
        meant = near if near or is_own else found
        if len(meant) == 1:
            yield meant[0]


def _callers_of(subject: Fact, index: FactIndex) -> Iterator[Fact]:
    """Of a method only where its class is named too: others may have a method of that name."""
    owner = last_part(subject.owner)
    for path in index.mentioning(subject.name):
        file = index.files[path]
        if owner and path != subject.path and owner not in file.identifiers:
            continue
        for fact in file.facts:
            if fact.kind is FactKind.FUNCTION and subject.name in map(last_part, fact.calls):
                yield fact


def _uses(
    scope: Expansion, subjects: Sequence[Fact], cutting: "_Cutting", shown: set[str]
) -> Iterator[Excerpt | None]:
    """Of every file that a system-wide claim concerns and that is not shown yet, the first line that names its subject."""
    names = re.compile("|".join(rf"\b{re.escape(subject.name)}\b" for subject in subjects))
    for path in scope.files:
        if path not in shown:
            yield cutting.first_match(path, names)


class _Cutting:
    """Cuts excerpts out of files until so many characters are used up."""

    def __init__(self, index: FactIndex, characters: int) -> None:
        self._index = index
        self._left = characters

    def definition(self, fact: Fact) -> Excerpt | None:
        """A function or class with its decorators; of anything else the lines around it."""
        end = max(fact.end_line, fact.line)
        if fact.kind in _CALLABLE or fact.kind is FactKind.ENUM:
            return self._cut(fact.path, fact.line - len(fact.decorators), end)
        return self._cut(fact.path, fact.line - _AROUND, end + _AROUND)

    def first_match(self, path: str, pattern: re.Pattern[str]) -> Excerpt | None:
        """The lines around the first that the pattern is found in."""
        lines = file_lines(self._index, path)
        number = next((number for number, line in enumerate(lines, 1) if pattern.search(line)), None)
        return self._cut(path, number - _AROUND, number + _AROUND) if number else None

    def _cut(self, path: str, first: int, last: int) -> Excerpt | None:
        first = max(first, 1)
        wanted = file_lines(self._index, path)[first - 1 : last]
        taken: list[str] = []
        for line in (line[:_LONGEST_LINE] for line in wanted):
            self._left -= len(line) + 1
            if self._left < 0:
                break
            taken.append(line)
        if not taken:
            return None
        goes_on = first + len(wanted) - 1 if len(taken) < len(wanted) else None
        return Excerpt(path, first, tuple(taken), goes_on)
