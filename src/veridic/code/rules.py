"""Which rules this Veridic goes by: what was found by others is never given again."""

import hashlib
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

_RULES = ("code", "decision", "prompts")
"""The packages that a verdict depends on."""


@lru_cache(maxsize=1)
def rules_version() -> str:
    """The version of Veridic with a digest of its rules."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for name in _RULES:
        for file in sorted((package / name).rglob("*.py")):
            digest.update(file.read_bytes())
    return f"{version('veridic')}-{digest.hexdigest()[:12]}"
