"""From the text of one file to everything that it shows."""

import re

from veridic.code.facts.collected import Collected
from veridic.code.facts.manifests import read_manifest
from veridic.code.facts.python import read_python
from veridic.code.facts.source import Source
from veridic.domain.code import FileFacts

_IDENTIFIER = re.compile(r"[^\W\d]\w*")


def read_facts(path: str, language: str, source: str, digest: str) -> FileFacts:
    """The facts, texts and names of one file. Never raises: what can't be parsed shows nothing but its names."""
    collected = Collected(path, Source(source))
    if language == "python":
        read_python(collected)
    else:
        read_manifest(collected, path.rsplit("/", 1)[-1], language)
    return FileFacts(
        path,
        digest,
        tuple(sorted(collected.facts, key=lambda fact: fact.line)),
        tuple(sorted(collected.texts, key=lambda text: text.line)),
        frozenset(_IDENTIFIER.findall(source)),
    )
