"""Finds options, commands, environment variables and routes that programs declare, with the readers in `readers/`."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from veridic.verify.facts.calls import calls_in, language_of
from veridic.verify.facts.model import Fact, FactKind, FileFacts, Gap, Table, join_file_facts
from veridic.verify.facts.readers import FrameworkReader, readers_of, wanted_by
from veridic.verify.facts.readers.applied import (
    DEFINED_ELSEWHERE,
    GUESSED,
    GUESSED_WITHOUT_ARGV,
    FileDeclarations,
)

DECLARED = (FactKind.OPTION, FactKind.COMMAND, FactKind.ENVIRONMENT, FactKind.ROUTE)
"""The kinds for which `collect` returns a table; programs are declared in manifests."""
LIBRARIES_READ = "Libraries that the project uses read variables, too."
"""The reason of the gap in every table of environment variables."""
_ENOUGH_OPTIONS = 3
"""With this many options of a framework, a package reads its arguments with that framework."""
_HELPER = re.compile(
    r"(?:^|/)(?:(?:scripts?|tools?|hack|ci|dev|website|contrib)/|build\.rs$|setup\.py$|noxfile\.py$|tasks\.py$)"
)
_LONGEST_FILE = 1_500_000
_LONGEST_LINE = 20_000
_DEEPEST = 400
_NOT_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))
_OPENING = frozenset(b"([{")
_ASIDE = re.compile(
    r"(?:^|/)(?:\.[^/]+|tests?|specs?|__tests__|__mocks__|testdata|testing|fixtures?|e2e|examples?|samples?|demos?|docs?|benches|"
    r"benchmarks?|vendor|node_modules|third_party|dist|site-packages)/"
    r"|(?:^|/)\.[^/]+$|\.config\.[cm]?[jt]s$"
    r"|(?:^|/)(?:test_[^/]*|[^/]*_tests?|conftest)\.(?:py|go|rs)$|\.(?:test|spec)\.[cm]?[jt]sx?$|(?:Tests?|IT)\.java$|\.min\.[cm]?js$",
)
_IDENTIFIER = re.compile(r"(?:[A-Za-z_]\w*(?:\.|::))*([A-Za-z_]\w*)")
_ASSIGNED = r"(?<![\w.])({names})\b[ \t]*(?::[^=\n;]{{1,80}}|[ \t][\w.*\[\]]{{1,40}})?[ \t]*:?=(?![=>~])[ \t]*([^\n]{{0,200}})"
"""An assignment to a constant in any of these languages."""
_LITERAL = re.compile(
    r"(?:(?P<number>-?\d[\d_]*(?:\.\d+)?)(?:_?[iuf](?:8|16|32|64|size)|[LlFfDdn])?|(?P<truth>[Tt]rue|[Ff]alse)|"
    r"(?P<quote>[\"'`])(?P<text>[^\"'`\\]*)(?P=quote))[ \t]*[;,]?[ \t]*(?:as const;?)?[ \t]*(?:(?://|#).*)?$"
)


def read_declarations(path: str, text: str) -> FileFacts:
    """Return what a source file declares to its users, and its gaps; an empty `FileFacts` for other files."""
    language = language_of(path)
    readers = tuple(reader for reader in readers_of(language) if reader.concerns(text)) if language else ()
    if not readers:
        return FileFacts()
    applied = FileDeclarations(path, text.split("\n"))
    for reader in readers:
        for rule in reader.rules:
            found = (
                rule.text.search(text)
                if rule.text and not (rule.unless_text and rule.unless_text.search(text))
                else None
            )
            for kind in rule.kinds if found else ():
                applied.add_gap(kind, text.count("\n", 0, found.start()) + 1 if found else 1, rule.reason)
    wanted = wanted_by(readers)
    if wanted.patterns:
        calls = calls_in(text, language, wanted) if _is_readable(text) else None
        if calls is None:
            _add_unread(applied, readers)
        else:
            applied.apply(readers, sorted(calls, key=lambda call: call.line), text)
    resolve = _ConstantResolver([(path, text)], applied.facts)
    return FileFacts(tuple(resolve(fact) for fact in _without_repeats(applied.facts)), tuple(applied.gaps))


def collect(files: Iterable[tuple[str, str]]) -> dict[FactKind, Table]:
    """Return a table for each kind, from pairs of path and text. Tests, examples and vendored code are skipped."""
    sources = [(path, text) for path, text in files if language_of(path) and not is_not_product_code(path)]
    return tables((read_declarations(path, text) for path, text in sources), sources)


def tables(reads: Iterable[FileFacts], sources: Sequence[tuple[str, str]]) -> dict[FactKind, Table]:
    """Build tables from what was read; `sources` are the files in which to look up constants of other files."""
    read = _without_redundant_guesses(join_file_facts(reads))
    resolve = _ConstantResolver(sources, [fact for fact in read.facts if _is_shared_name(fact.value)])
    facts = [resolve(fact) for fact in read.facts]
    gaps = [*_open_gaps(read.gaps, sources), *_general_gaps(facts, sources)]
    found: dict[FactKind, Table] = {}
    for kind in DECLARED:
        of_kind = tuple(fact for fact in facts if fact.kind is kind)
        of_gaps = tuple(gap for gap in gaps if gap.kind is kind)
        found[kind] = Table(kind, of_kind, of_gaps, is_known=bool(of_kind or of_gaps))
    return found


def is_not_product_code(path: str) -> bool:
    """Whether a file is a test, an example, vendored code or the configuration of a tool, which declares nothing to the users of the project."""
    return _ASIDE.search(PurePosixPath(path).as_posix()) is not None


def _is_readable(text: str) -> bool:
    """Whether the file is not too large or deeply nested to parse quickly, and has no generated long lines."""
    if len(text) > _LONGEST_FILE or any(len(line) > _LONGEST_LINE for line in text.split("\n")):
        return False
    depth = 0
    for byte in text.encode("utf-8", "replace").translate(None, _NOT_BRACKETS):
        depth = depth + 1 if byte in _OPENING else max(depth - 1, 0)
        if depth > _DEEPEST:
            return False
    return True


def _add_unread(applied: FileDeclarations, readers: Iterable[FrameworkReader]) -> None:
    kinds = {rule.kind for reader in readers for rule in reader.rules} - {"gap", "prefix"}
    for kind in sorted(kinds):
        applied.add_gap(FactKind(kind), 1, "This file can't be parsed.")


def _without_repeats(facts: list[Fact]) -> list[Fact]:
    """Keep one fact if two readers have read the same declaration."""
    seen: dict[tuple[object, ...], Fact] = {}
    for fact in facts:
        seen.setdefault((fact.kind, fact.name, fact.line, fact.aliases), fact)
    return sorted(seen.values(), key=lambda fact: fact.line)


def _without_redundant_guesses(read: FileFacts) -> FileFacts:
    """Drop guesses (comparisons with a flag) that add nothing, and their gaps.

    A guess is redundant if the option is declared elsewhere, or if its file doesn't access the arguments of the program and a framework
    reads those of the same package.
    """
    guessed = {
        (gap.path, gap.line): gap.reason for gap in read.gaps if gap.reason in (GUESSED, GUESSED_WITHOUT_ARGV)
    }
    if not guessed:
        return read
    options = [fact for fact in read.facts if fact.kind is FactKind.OPTION]
    sure = [fact for fact in options if (fact.path, fact.line) not in guessed]
    declared = {name for fact in sure for name in (fact.name, *fact.aliases)}
    packages = Counter(_package(fact.path) for fact in sure)
    redundant: set[tuple[str, int]] = set()
    for fact in options:
        reason = guessed.get((fact.path, fact.line))
        is_unrelated = reason == GUESSED_WITHOUT_ARGV and packages[_package(fact.path)] >= _ENOUGH_OPTIONS
        if reason and (is_unrelated or declared.issuperset(fact.aliases)):
            redundant.add((fact.path, fact.line))
    facts = tuple(
        fact
        for fact in read.facts
        if fact.kind is not FactKind.OPTION or (fact.path, fact.line) not in redundant
    )
    return FileFacts(
        facts,
        tuple(
            gap
            for gap in read.gaps
            if gap.reason not in (GUESSED, GUESSED_WITHOUT_ARGV) or (gap.path, gap.line) not in redundant
        ),
    )


def _package(path: str) -> tuple[str, ...]:
    return PurePosixPath(path).parent.parts[:2]


def _open_gaps(gaps: Iterable[Gap], sources: Sequence[tuple[str, str]]) -> list[Gap]:
    """The gaps, without those for a name that the repository defines: its options were read there."""
    name_in = re.compile(re.escape(DEFINED_ELSEWHERE).replace(r"\{\}", r"(\w+)"))
    names = {gap: found[1] for gap in gaps if (found := name_in.fullmatch(gap.reason))}
    defined = {
        name for name in names.values() if any(_defines(text, name) for _, text in sources if name in text)
    }
    return [gap for gap in gaps if names.get(gap) not in defined or gap not in names]


def _defines(text: str, name: str) -> bool:
    pattern = (
        rf"(?m)\b(?:struct|enum|class|type|def|fn|func(?:\s*\([^)\n]*\))?|function)\s+{name}\b|^{name}\s*="
    )
    return re.search(pattern, text) is not None


def _general_gaps(facts: list[Fact], sources: Sequence[tuple[str, str]]) -> list[Gap]:
    """Gaps that no single file shows: libraries also read variables, and options of helper scripts are not the program's."""
    gaps = (
        [Gap(FactKind.ENVIRONMENT, "", 0, LIBRARIES_READ)]
        if any(fact.kind is FactKind.ENVIRONMENT for fact in facts)
        else []
    )
    options = [fact for fact in facts if fact.kind is FactKind.OPTION]
    if not options:
        return gaps
    sizes: Counter[str] = Counter()
    for path, text in sources:
        sizes[_family(path)] += len(text)
    main = max(sizes, key=lambda family: sizes[family], default="")
    if not any(_family(fact.path) == main and not _HELPER.search(fact.path) for fact in options):
        gaps.append(
            Gap(
                FactKind.OPTION,
                options[0].path,
                options[0].line,
                "Only helper scripts declare options that can be read.",
            )
        )
    return gaps


def _family(path: str) -> str:
    language = language_of(path)
    return "javascript" if language in ("typescript", "tsx") else language


def _is_shared_name(value: str | None) -> bool:
    """Whether to look up a name in other files: it is long enough and begins with a capital, as constants do."""
    found = _IDENTIFIER.fullmatch(value or "")
    return found is not None and len(found[1]) > 3 and found[1][0].isupper()


class _ConstantResolver:
    """Resolves defaults that name a constant, if that is assigned exactly once, to a literal."""

    def __init__(self, sources: Sequence[tuple[str, str]], facts: Iterable[Fact]) -> None:
        found = (_IDENTIFIER.fullmatch(fact.value) for fact in facts if fact.value and not fact.is_literal)
        names = {each[1] for each in found if each}
        self._values: dict[str, list[str]] = {}
        for _, text in sources if names else ():
            present = {name for name in names if name in text}
            pattern = _ASSIGNED.format(names="|".join(sorted(present)))
            for each in re.finditer(pattern, text) if present else ():
                self._values.setdefault(each[1], []).append(each[2])

    def __call__(self, fact: Fact) -> Fact:
        name = _IDENTIFIER.fullmatch(fact.value) if fact.value and not fact.is_literal else None
        assigned = self._values.get(name[1], []) if name else []
        literal = _LITERAL.match(assigned[0]) if len(assigned) == 1 else None
        if literal is None:
            return fact
        value = (literal["number"] or "").replace("_", "") or literal["truth"] or literal["text"]
        return replace(fact, value=value, is_literal=True)
