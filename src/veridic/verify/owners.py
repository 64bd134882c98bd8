"""Names that a changed value reaches through another name: the option whose default is the constant that was changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from veridic.verify.changed import Change, Derived
from veridic.verify.source_text import Token, read_source
from veridic.verify.surroundings import Surroundings

_LEAST_LENGTH = 4
_MOST_FILES, _MOST_USES, _MOST_NAMES = 8, 12, 40
"""What is used more often is no name of a value."""
_STEPS = 2


class Uses:
    """Where the code has a name, with the names around each place."""

    def __init__(self, texts: Mapping[str, str], files_with: Callable[[str], Sequence[str]]) -> None:
        """`files_with` lists the files of the code that may have a name."""
        self._texts = texts
        self._files_with = files_with
        self._read: dict[str, tuple[tuple[Token, ...], Surroundings, dict[str, list[int]]]] = {}
        self._known: dict[str, tuple[tuple[str, ...], ...]] = {}

    def of(self, name: str) -> tuple[tuple[str, ...], ...]:
        """The names around each of its places; none for a name that is all over the code."""
        if name not in self._known:
            self._known[name] = tuple(self._find(name))
        return self._known[name]

    def _find(self, name: str) -> list[tuple[str, ...]]:
        files = self._files_with(name)
        if len(files) > _MOST_FILES:
            return []
        found: list[tuple[str, ...]] = []
        for path in files:
            _, surroundings, places = self._file(path)
            if len(found) + len(places.get(name, ())) > _MOST_USES:
                return []
            found += [surroundings.near(place) for place in places.get(name, ())]
        return found

    def _file(self, path: str) -> tuple[tuple[Token, ...], Surroundings, dict[str, list[int]]]:
        if path not in self._read:
            text = self._texts[path]
            tokens = read_source(path, text).tokens
            places: dict[str, list[int]] = {}
            for index, token in enumerate(tokens):
                places.setdefault(token.text, []).append(index)
            self._read[path] = tokens, Surroundings(tokens, text.split("\n")), places
        return self._read[path]


def owners_of(change: Change, uses: Uses) -> tuple[str, ...]:
    """Names around the uses of what a changed value was given to, and around the uses of those that stand there alone."""
    if change.derived is Derived.STRING:
        return ()
    own = {change.old, *change.near}
    found: dict[str, None] = {}
    names: Iterable[str] = _given_to(change)
    for _ in range(_STEPS):
        around = [near for name in names for near in uses.of(name)]
        new = dict.fromkeys(
            other for near in around for other in near if other not in own and other not in found
        )
        if not new or len(found) + len(new) > _MOST_NAMES:
            break
        found.update(new)
        # One step further only through what a use is given to, as in `opts.timeout = DEFAULT_TIMEOUT`.
        names = [near[0] for near in around if 0 < len(near) <= 3 and _is_telling(near[0])]
    return tuple(found)


def _given_to(change: Change) -> list[str]:
    """What a value was set to: names before it in its line, or what encloses a line that has none."""
    before, _, _ = change.quote_old.partition(change.old)
    names = [name for name in change.near if name in before] or list(change.enclosing[:4])
    return [name for name in names if _is_telling(name)]


def _is_telling(name: str) -> bool:
    return (
        len(name) >= _LEAST_LENGTH and name.replace("_", "").isalnum() and not name.islower()
    ) or "_" in name.strip("_")
