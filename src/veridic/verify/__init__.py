"""Documents against code: what a repository's documents say, compared with what its code shows.

`veridic.verify(...)` is this package, called: see `veridic.verify.library`.
"""

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """The function and the package have one name; whoever imports the package must not lose the function."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        from veridic.verify.library import verify

        return verify(*arguments, **options)


sys.modules[__name__].__class__ = _Callable
