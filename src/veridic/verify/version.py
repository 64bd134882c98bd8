"""Which rules this Veridic goes by: what was found by others is never given again."""

import hashlib
import sys
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

_RULES = ("verify", "text")
"""The packages that a verdict depends on."""
_READ = (".py", ".toml", ".json")


@lru_cache(maxsize=1)
def rules_version() -> str:
    """The version of Veridic with a digest of its rules, and of the Python whose parser reads the code."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256(str(sys.implementation.cache_tag).encode())
    for name in _RULES:
        for file in sorted((package / name).rglob("*.*")):
            if file.suffix in _READ:
                digest.update(file.read_bytes())
    return f"{version('veridic')}-{digest.hexdigest()[:12]}"
