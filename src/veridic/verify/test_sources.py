"""Finds a name in the sources of a project's tests, without running them."""

import re
from collections.abc import Iterator
from functools import cached_property

from veridic.verify.revisions import is_test
from veridic.verify.rules.context import Context
from veridic.verify.spellings import pieces

_MOST_TESTS = 200
_SHORTEST = 4
"""Characters: shorter names are everywhere."""


class TestSources:
    """The sources of the tests of one repository."""

    __test__ = False  # not a pytest test class

    def __init__(self, context: Context) -> None:
        self._context = context

    def lines_about(self, name: str) -> Iterator[tuple[str, int, str]]:
        """Every line of a test that has the name in any spelling: its file, number and text."""
        spelled = _spelled(name)
        if spelled is None:
            return
        for path in self._paths:
            text = self._context.text(path)
            for match in spelled.finditer(text):
                start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
                line = text[start : end if end >= 0 else len(text)]
                yield path, text.count("\n", 0, start) + 1, line

    def files_about(self, name: str) -> list[str]:
        """The test files that have the name in any spelling."""
        spelled = _spelled(name)
        return [path for path in self._paths if spelled and spelled.search(self._context.text(path))]

    @cached_property
    def _paths(self) -> list[str]:
        paths = (file.path for file in self._context.repository.files if file.language)
        return [path for path in paths if is_test(path)][:_MOST_TESTS]


def _spelled(name: str) -> re.Pattern[str] | None:
    wanted = "[-_ ]?".join(map(re.escape, pieces(name)))
    if len(wanted) < _SHORTEST:
        return None
    return re.compile(rf"(?<![^\W_]){wanted}(?![^\W_])", re.IGNORECASE)
