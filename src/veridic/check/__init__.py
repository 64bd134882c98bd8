"""Summary and thorough mode: the run, its listers and readers, and the use of language models.

`veridic.check(...)` is this package, called: see `veridic.library.check`.
"""

from veridic.domain.callable_package import make_callable

make_callable(__name__, "veridic.library", "check")
