"""Reads functions, classes and constants of a file, and completes classes with the members of their bases."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from veridic.verify.facts.model import Fact, FactKind, FileFacts, Gap
from veridic.verify.syntax import GRAMMARS, has_grammars, syntax_tree

if TYPE_CHECKING:
    from veridic.verify.facts.definitions import Language

_OTHER_LANGUAGES = frozenset(
    "kt kts c h cc cpp cxx hpp hh cs rb php swift scala lua pl pm ex exs erl hs ml clj dart zig nim vb fs groovy m mm jl r vue svelte".split()
)
_KINDS = (FactKind.FUNCTION, FactKind.CLASS, FactKind.CONSTANT)
_LONGEST_LINE = 5_000
_LONGEST_TEXT = 3_000_000
"""Larger files are generated."""

_WITHOUT_MEMBERS = frozenset(
    # Python
    "object ABC abc.ABC Generic typing.Generic Protocol typing.Protocol "
    # Java
    "Serializable java.io.Serializable Cloneable Object "
    # Rust
    "Send Sync Sized Copy Unpin Eq 'static".split()
)
_KNOWN_MEMBERS: Mapping[str, tuple[str, ...]] = {
    "Clone": ("clone", "clone_from"),
    "Debug": ("fmt",),
    "Display": ("fmt", "to_string"),
    "Default": ("default",),
    "PartialEq": ("eq", "ne"),
    "PartialOrd": ("partial_cmp", "lt", "le", "gt", "ge"),
    "Ord": ("cmp", "max", "min", "clamp"),
    "Hash": ("hash", "hash_slice"),
    "From": ("from",),
    "TryFrom": ("try_from",),
    "FromStr": ("from_str",),
    "AsRef": ("as_ref",),
    "Drop": ("drop",),
    "Serialize": ("serialize",),
    "Deserialize": ("deserialize",),
    "Enum": ("name", "value"),
    "StrEnum": (),
    "IntEnum": ("name", "value"),
    "AutoCloseable": ("close",),
    "Closeable": ("close",),
    "Runnable": ("run",),
    "Callable": ("call",),
    "Comparable": ("compareTo",),
}
"""Members of bases from standard libraries. `StrEnum` has none here, so it never counts as complete: it also has all methods of `str`."""
_BUILT_IN_MEMBERS = {
    "py": frozenset(("mro",)),
    "java": frozenset(
        "getClass equals hashCode toString notify notifyAll wait clone finalize values valueOf ordinal name compareTo "
        "getDeclaringClass class length new this super".split()
    ),
    "rs": frozenset(
        "into try_into from try_from to_owned borrow borrow_mut as_ref type_id to_string eq fmt clone".split()
    ),
    "js": frozenset(
        "constructor prototype toString hasOwnProperty valueOf toLocaleString isPrototypeOf name length call apply bind".split()
    ),
    "go": frozenset(),
}
_FAMILIES = {
    "pyi": "py",
    "mjs": "js",
    "cjs": "js",
    "jsx": "js",
    "ts": "js",
    "mts": "js",
    "cts": "js",
    "tsx": "js",
}
_MOST_BASES = 50


def read_symbols(path: str, text: str) -> FileFacts:
    """Return the definitions of a file; what can't be read becomes a gap.

    `members_are_complete` on a class covers this file only. `complete_classes` adds the members from bases and other files;
    only its result can show that a member is missing.
    """
    suffix = PurePosixPath(path).suffix.removeprefix(".").lower()
    grammar = GRAMMARS.get(suffix)
    if grammar is None:
        return _unread(path, "No reader knows this language.") if suffix in _OTHER_LANGUAGES else FileFacts()
    if len(text) > _LONGEST_TEXT or max(map(len, text.split("\n"))) > _LONGEST_LINE:
        return _unread(
            path, "The file is too large, or its lines are too long, to have been written by hand."
        )
    if not has_grammars():
        return _unread(path, "The extra `code` with the grammars isn't installed.")
    return _read(path, text, grammar)


def _read(path: str, text: str, grammar: str) -> FileFacts:
    from veridic.verify.facts.definitions import Definitions

    try:
        return Definitions(path, text, _language(grammar)).read(syntax_tree(text, grammar))
    except BaseException as error:
        # A panic of the parser is not an `Exception`; it must not stop the run.
        if type(error).__name__ != "PanicException" and not isinstance(error, RecursionError):
            raise
    return _unread(path, "The parser gave up on this file.")


def _language(grammar: str) -> "Language":
    from veridic.verify.facts.go_symbols import GO
    from veridic.verify.facts.java_symbols import JAVA
    from veridic.verify.facts.javascript_symbols import JAVASCRIPT, TYPESCRIPT
    from veridic.verify.facts.python_symbols import PYTHON
    from veridic.verify.facts.rust_symbols import RUST

    return {
        "python": PYTHON,
        "javascript": JAVASCRIPT,
        "typescript": TYPESCRIPT,
        "tsx": TYPESCRIPT,
        "go": GO,
        "rust": RUST,
        "java": JAVA,
    }[grammar]


def _unread(path: str, reason: str) -> FileFacts:
    return FileFacts(gaps=tuple(Gap(kind, path, 1, reason) for kind in _KINDS))


def complete_classes(facts: Iterable[Fact]) -> list[Fact]:
    """Return all facts, with the members of bases, other files and inner classes added to each class.

    Inner classes count because people write `Client.timeout()` for a method of `Client.Builder`. A class is complete only if all of its
    bases are: a base outside the repository may have any member.
    """
    every = list(facts)
    classes: dict[tuple[str, str], list[Fact]] = {}
    own: dict[tuple[str, str], list[Fact]] = {}
    for fact in every:
        if fact.kind is FactKind.CLASS:
            classes.setdefault((family(fact.path), fact.name), []).append(fact)
        if fact.owner:
            own.setdefault((family(fact.path), _last(fact.owner)), []).append(fact)
    return [_completed(fact, classes, own) if fact.kind is FactKind.CLASS else fact for fact in every]


def _completed(
    fact: Fact, classes: Mapping[tuple[str, str], list[Fact]], own: Mapping[tuple[str, str], list[Fact]]
) -> Fact:
    members: dict[str, None] = {}
    seen: set[str] = set()
    is_complete = True
    waiting = [fact]
    while waiting:
        one = waiting.pop()
        if one.qualified in seen:
            continue
        seen.add(one.qualified)
        if len(seen) > _MOST_BASES:
            is_complete = False
            break
        is_complete &= one.members_are_complete
        members.update(dict.fromkeys(one.members))
        language = family(one.path)
        elsewhere = own.get((language, one.name), ())
        members.update((name, None) for other in elsewhere for name in (other.name, *other.members))
        implemented = [base for other in elsewhere if other.kind is FactKind.FUNCTION for base in other.bases]
        for base in dict.fromkeys((*one.bases, *implemented)):
            if base in _WITHOUT_MEMBERS:
                continue
            if (known := _KNOWN_MEMBERS.get(_last(base))) and _last(base) not in seen:
                members.update(dict.fromkeys(known))
                continue
            found = classes.get((language, _last(base)), ())
            is_complete &= bool(found)
            waiting += found
    return replace(fact, members=tuple(members), members_are_complete=is_complete)


def has_member(owner: Fact, name: str) -> bool | None:
    """Whether a class from `complete_classes` has a member of this name; None if unknown."""
    if name in owner.members or name in _BUILT_IN_MEMBERS.get(family(owner.path), ()) or name == owner.name:
        return True
    if name.startswith("__") and name.endswith("__"):
        return None
    return False if owner.members_are_complete else None


@lru_cache(maxsize=65536)
def family(path: str) -> str:
    """The language family of a file, within which definitions can refer to each other: `js` for all JavaScript, else the suffix."""
    suffix = PurePosixPath(path).suffix.removeprefix(".").lower()
    return _FAMILIES.get(suffix, suffix)


def _last(name: str) -> str:
    return name.replace("::", ".").rpartition(".")[2]
