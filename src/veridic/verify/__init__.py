"""Documents against code: what a repository's documents say, compared with what its code shows.

`veridic.verify(...)` is this package, called: see `veridic.verify.library`.
"""

from veridic.domain.callable_package import make_callable

make_callable(__name__, "veridic.verify.library", "verify")
