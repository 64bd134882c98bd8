"""The child process: reads requests, extracts, answers. Run with `python -m`.

A request is one line of JSON (`format`, `size`, `url`) and `size` bytes. An answer is one line of JSON: an `ExtractedText`, or
`error` (a class of `veridic.domain.errors`) with its `message`.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, BinaryIO

from veridic.domain.errors import InputError, UnsupportedInputError
from veridic.ingest.extract.result import TOO_MUCH_MEMORY, ExtractedText, limit_memory, took_too_much


def _extract(request: dict[str, Any], content: bytes) -> ExtractedText:
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
    """Extract the file; any error of the libraries that read it becomes an error answer."""
    try:
        found = _extract(request, content).to_json()
    except InputError as error:
        found = {"error": type(error).__name__, "message": str(error)}
    except MemoryError:
        return _refusal(TOO_MUCH_MEMORY)
    except Exception:  # noqa: BLE001 (a library's crash on a hostile file is that file's fault)
        found = _refusal(f"is {request['format'].upper()} that can't be read: it seems broken")
    # If memory ran out, the file was not read to its end, whatever the result.
    return _refusal(TOO_MUCH_MEMORY) if took_too_much() else found


def _refusal(message: str) -> dict[str, Any]:
    return {"error": UnsupportedInputError.__name__, "message": message}


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer one request after the other until the client closes the pipe."""
    while line := requests.readline():
        request = json.loads(line)
        content = requests.read(request["size"])
        answers.write(json.dumps(answer(request, content)).encode() + b"\n")
        answers.flush()


def main() -> None:
    """Serve on standard input and output; what libraries print goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    limit_memory()
    with answers:
        serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
