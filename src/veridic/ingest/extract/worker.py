"""The child process: reads requests, extracts, answers. Run with `python -m`.

A request is one line of JSON (`format`, `size`, `url`) and `size` bytes; an answer one line of
JSON, either an `Extracted` or `error` (a class of `veridic.domain.errors`) with its `message`.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import Any, BinaryIO

from veridic.domain.errors import InputError, UnsupportedInputError
from veridic.ingest.extract.result import Extracted

_MOST_MEMORY = 3 * 1024**3


def _extract(request: dict[str, Any], content: bytes) -> Extracted:
    match request["format"]:
        case "html":
            from veridic.ingest.extract.html import extract_html

            return extract_html(content, request["url"])
        case "pdf":
            from veridic.ingest.extract.pdf import extract_pdf

            return extract_pdf(content)
        case _:
            from veridic.ingest.extract.docx import extract_docx

            return extract_docx(content)


def answer(request: dict[str, Any], content: bytes) -> dict[str, Any]:
    """Extract, whatever the file does to the libraries that read it."""
    try:
        return _extract(request, content).to_json()
    except InputError as error:
        return {"error": type(error).__name__, "message": str(error)}
    except Exception:  # noqa: BLE001 (a library's crash on a hostile file is that file's fault)
        kind = request["format"].upper()
        return {
            "error": UnsupportedInputError.__name__,
            "message": f"is {kind} that can't be read: it seems broken",
        }


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer one request after the other until the other side closes."""
    while line := requests.readline():
        request = json.loads(line)
        content = requests.read(request["size"])
        answers.write(json.dumps(answer(request, content)).encode() + b"\n")
        answers.flush()


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def main() -> None:
    """Serve on standard input and output; what libraries print goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _limit_memory()
    with answers:
        serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
