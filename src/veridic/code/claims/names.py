"""Names of a project as its documents write them: which are its own, and what kind of thing each is."""

import re
from collections import defaultdict
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cached_property

from veridic.code.facts.modules import GO_PROGRAM
from veridic.code.hosted import same_project
from veridic.code.index import FactIndex
from veridic.code.variables import is_anyones
from veridic.domain.code import Entity, EntityKind, Fact, FactKind

_FLAG = re.compile(r"(?<![\w-])(?:--[A-Za-z][\w-]*|-[A-Za-z])(?![\w-])")
_ONLY_FLAGS = re.compile(
    r"-{1,2}[A-Za-z][\w-]*(?:(?:[=\s,|/]|\[=?)+(?:-{1,2}[A-Za-z][\w-]*|[<\[{]?[\w.:|,-]+[>\]}]*(?:\.\.\.)?))*\Z"
)
_FLAG_VALUE = re.compile(r"(?<=[\w-])(?:[=\s]|\[=?)\s*<[^<>]*>\]?(?:\.\.\.)?\Z")
_ENVIRONMENT = re.compile(r"\$?\{?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\}?(?:=.*)?\Z", re.DOTALL)
_ENDPOINT = re.compile(r"(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+(/[^\s?`]*)(?:\?\S*)?\Z")
_CALLED = re.compile(
    r"(?:await\s+|new\s+)?([A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*)\((.*)\)\Z", re.DOTALL
)
_DOTTED = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*\Z")
_PATH = re.compile(r"\.{0,2}/?(?:[\w@+.-]+/)+[\w@+.-]*\Z|[\w@+-][\w@+.-]*\.[A-Za-z]\w{0,6}\Z")
_FILE_SUFFIXES = frozenset(
    "py pyi md rst txt toml cfg ini json jsonl yaml yml js mjs cjs ts tsx jsx go rs java kt sh bash ps1 html css sql "
    "lock xml gradle c h cc cpp hpp rb php ipynb csv svg png env po pot mo proto db sqlite sqlite3 log zip gz tar pdf docx whl pem key".split()
)
_PLACEHOLDER = re.compile(
    r"<[^<>]*>|\.\.\.|…|\bpath/to\b|\b(?:foo|bar|baz|qux|spam|eggs|ham|xxx+|lorem|todo|acme|example|whatever)\b"
    r"|\b(?:your|my|some|any)(?:[-_]\w|\b)|\{\{|\*",
    re.IGNORECASE,
)
_SCRIPT = re.compile(r"(?P<runner>make|npm run|yarn run|pnpm run|npm) (?P<target>[A-Za-z][\w:.-]*)\Z")
_NPM_SHORTHANDS = frozenset({"test", "start", "stop", "restart"})
_LITERALS = frozenset({"True", "False", "None", "true", "false", "null", "nil", "undefined"})
_CAMEL = re.compile(r"_*[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*\Z")
_NOT_ITS_OWN = (
    "tests/",
    "test/",
    "docs/",
    "doc/",
    "examples/",
    "example/",
    "benchmarks/",
    "scripts/",
    "setup.py",
)
_MANIFESTS = ("pyproject.toml", "setup.cfg", "setup.py", "package.json", "Cargo.toml", "go.mod")
LONGEST_NAME = 160
_ALIKE = 0.7
_MUCH_ALIKE = 0.8
FLAGS_OF_INSTALLERS = frozenset(
    {
        "--user",
        "--upgrade",
        "--pre",
        "--editable",
        "--no-deps",
        "--index-url",
        "--force-reinstall",
        "-U",
        "-e",
    }
)
"""Stand in most documents that tell how to install a project."""


def is_placeholder(written: str) -> bool:
    """Whether it stands for something that the reader is to put in."""
    return _PLACEHOLDER.search(written) is not None


def _without_placeholder(written: str) -> str:
    """The flag of `--key your-key`."""
    flag, _, value = written.partition(" ")
    return flag if value and not value.lstrip().startswith("-") and is_placeholder(value) else written


def flags_in(written: str) -> list[str]:
    """The flags of `-p, --port PORT`, as they stand."""
    return _FLAG.findall(written)


def called(written: str) -> tuple[str, str] | None:
    """Name and arguments of `name(arguments)`; None if it is not one whole call."""
    match = _CALLED.match(written.strip())
    if match is None or not _is_balanced(match[2]):
        return None
    return plain_name(match[1]), match[2]


def plain_name(written: str) -> str:
    """Dotted, whatever the language writes between the parts of a name."""
    return written.replace("::", ".").replace("#", ".")


def _is_balanced(arguments: str) -> bool:
    depth = 0
    for character in arguments:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


class Names:
    """Says of a written name what it is, with a look at what the repository has."""

    def __init__(self, index: FactIndex) -> None:
        self.index = index
        self._entities: dict[str, Entity | None] = {}
        self._facts: dict[str, Sequence[Fact]] = {}

    @cached_property
    def packages(self) -> frozenset[str]:
        """Top-level names of the project's own code."""
        return frozenset(
            fact.qualified.split(".", 1)[0]
            for kind in (FactKind.FUNCTION, FactKind.CLASS, FactKind.ENUM)
            for fact in self.index.of_kind(kind)
            if "." in fact.qualified and not fact.path.startswith(_NOT_ITS_OWN)
        )

    def is_project(self, name: str) -> bool:
        """Whether the project is called so, by its manifests or by a package of its own."""
        versions = self.index.of_kind(FactKind.VERSION)
        return any(same_project(name, own) for own in {*self.packages, *(fact.name for fact in versions)})

    @cached_property
    def modules(self) -> frozenset[str]:
        """Python modules and packages of the project, with dots."""
        found: set[str] = set()
        for file in self.index.repository.files:
            if file.path.endswith(".py"):
                parts = (
                    file.path.removesuffix(".py").removesuffix("/__init__").removeprefix("src/").split("/")
                )
                found.update(".".join(parts[:length]) for length in range(2, len(parts) + 1))
        return frozenset(found)

    @cached_property
    def commands(self) -> frozenset[str]:
        """What is typed in a terminal to run the project."""
        return frozenset(
            fact.name
            for fact in self.index.of_kind(FactKind.COMMAND)
            if fact.path.endswith(_MANIFESTS) or fact.value == GO_PROGRAM
        )

    @cached_property
    def subcommands(self) -> frozenset[str]:
        found = self.index.of_kind(FactKind.COMMAND)
        return frozenset(name for fact in found for name in (fact.name, *fact.aliases)) - self.commands

    @cached_property
    def command(self) -> str | None:
        """The project's command, where it has just one, or one that is called like its package."""
        main = self.commands & self.packages
        found = main if len(self.commands) > 1 else self.commands
        return next(iter(found)) if len(found) == 1 else None

    def is_like_an_option(self, flag: str) -> bool:
        """Whether an option of the project is spelled nearly like the flag."""
        return bool(get_close_matches(flag, self._options, n=1, cutoff=_ALIKE))

    def is_like_a_variable(self, name: str) -> bool:
        """Whether the project reads an environment variable that is spelled nearly like it."""
        if is_anyones(name):
            return False
        return bool(get_close_matches(name, self._variables, n=1, cutoff=_MUCH_ALIKE))

    @cached_property
    def _variables(self) -> list[str]:
        return sorted({fact.name for fact in self.index.of_kind(FactKind.ENVIRONMENT)})

    @cached_property
    def _options(self) -> list[str]:
        found = self.index.of_kind(FactKind.OPTION)
        return sorted({name for fact in found for name in (fact.name, *fact.aliases) if name[:2] == "--"})

    @cached_property
    def environment_prefixes(self) -> frozenset[str]:
        """Beginnings of the project's own environment variables: `VERIDIC_`."""
        own = {name.upper().replace("-", "_") + "_" for name in self.packages | self.commands}
        return frozenset(
            prefix
            for fact in self.index.of_kind(FactKind.ENVIRONMENT)
            if (prefix := fact.name.split("_", 1)[0] + "_") in own
        ) | frozenset(own)

    def facts(self, name: str, *kinds: FactKind) -> list[Fact]:
        """Facts of that name; of a whole qualified name only the very ones."""
        found = self._all_facts(name)
        return [fact for fact in found if fact.kind in kinds] if kinds else list(found)

    def is_known(self, name: str, *kinds: FactKind) -> bool:
        """Whether the project has something of that name and of one of the kinds."""
        found = self._all_facts(name) if name else ()
        return any(fact.kind in kinds for fact in found) if kinds else bool(found)

    def _all_facts(self, name: str) -> Sequence[Fact]:
        found = self._facts.get(name)
        if found is None:
            found = self._facts[name] = self._by_qualified.get(name) or self.index.named(name)
        return found

    @cached_property
    def _by_qualified(self) -> dict[str, Sequence[Fact]]:
        found: defaultdict[str, list[Fact]] = defaultdict(list)
        for file in self.index.files.values():
            for fact in file.facts:
                if "." in fact.qualified:
                    found[fact.qualified].append(fact)
        return dict(found)

    def is_own(self, dotted: str) -> bool:
        """Whether a dotted name begins with a package, module or class of the project."""
        first, _, rest = dotted.partition(".")
        return bool(rest) and (first in self.packages or self.is_known(first, FactKind.CLASS, FactKind.ENUM))

    def entity(self, written: str) -> Entity | None:
        """What a piece of inline code names; None if it names nothing, or a placeholder."""
        written = written.strip()
        if written.startswith("-"):
            written = _without_placeholder(_FLAG_VALUE.sub("", written))
        if len(written) > LONGEST_NAME:
            return None
        if written not in self._entities:
            is_name = written not in _LITERALS and not is_placeholder(written)
            self._entities[written] = self._classified(written) if is_name else None
        return self._entities[written]

    def _classified(self, written: str) -> Entity | None:
        if written.startswith("-"):
            flags = flags_in(written) if _ONLY_FLAGS.match(written) else []
            return Entity(kind=EntityKind.FLAG, name=max(flags, key=len)) if flags else None
        if match := _ENDPOINT.match(written):
            return Entity(kind=EntityKind.ENDPOINT, name=f"{match[1]} {match[2]}")
        if (match := _SCRIPT.match(written)) and (
            match["runner"] != "npm" or match["target"] in _NPM_SHORTHANDS
        ):
            return Entity(kind=EntityKind.COMMAND, name=match["target"], owner=match["runner"].split()[0])
        if match := _ENVIRONMENT.match(written):
            return self._upper_case(written, match[1])
        if call := called(written):
            return Entity(kind=EntityKind.FUNCTION, name=call[0])
        if self._is_path(written):
            return Entity(kind=EntityKind.PATH, name=written.removeprefix("./"))
        if _DOTTED.match(written):
            return self._symbol(plain_name(written))
        return None

    def _upper_case(self, written: str, name: str) -> Entity:
        is_variable = (
            written.startswith("$")
            or self.is_known(name, FactKind.ENVIRONMENT)
            or (
                name.startswith(tuple(self.environment_prefixes))
                and not self.is_known(name, FactKind.CONSTANT)
            )
        )
        return Entity(kind=EntityKind.ENVIRONMENT if is_variable else EntityKind.CONSTANT, name=name)

    def _is_path(self, written: str) -> bool:
        if not _PATH.match(written):
            return False
        return "/" in written or (
            written.rpartition(".")[2].lower() in _FILE_SUFFIXES and not self.is_known(written)
        )

    def _symbol(self, name: str) -> Entity:
        last = name.rpartition(".")[2]
        if name in self.modules:
            return Entity(kind=EntityKind.MODULE, name=name)
        if self.is_known(name, FactKind.CLASS, FactKind.ENUM):
            return Entity(kind=EntityKind.CLASS, name=name)
        if self.is_known(name, FactKind.FUNCTION):
            return Entity(kind=EntityKind.FUNCTION, name=name)
        if self.is_known(name, FactKind.CONSTANT):
            return Entity(kind=EntityKind.CONSTANT, name=name)
        if self.is_known(name, FactKind.SETTING):
            return Entity(kind=EntityKind.SETTING, name=name)
        return Entity(kind=EntityKind.CLASS if _CAMEL.match(last) else EntityKind.SYMBOL, name=name)
