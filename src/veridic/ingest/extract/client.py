"""Extraction as the rest of Veridic calls it: one child process, started when first needed.

A file that crashes the child, or keeps it busy too long, costs that file and not the run: the
child is ended, and the next file gets a new one.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any, Literal

from veridic.domain import errors
from veridic.ingest.extract.result import Extracted

Format = Literal["html", "pdf", "docx"]
EXTRACTION_SECONDS = 60.0


class Extractor:
    """Owns the child process. Safe to call from several threads, which then take turns."""

    def __init__(self, seconds: float = EXTRACTION_SECONDS) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def extract(self, form: Format, content: bytes, name: str, url: str | None = None) -> Extracted:
        """The text and metadata of `content`; `InputError` says what is wrong with `name`."""
        request = {"format": form, "size": len(content), "url": url}
        with self._lock:
            answer = self._ask(request, content, name)
        if "error" in answer:
            error = getattr(errors, answer["error"])
            raise error(f"{name} {answer['message']}.")
        return Extracted.from_json(answer)

    def close(self) -> None:
        """End the child process; a later call starts another."""
        child, self._child = self._child, None
        if child is None or self._owner != os.getpid():
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()

    def _ask(self, request: dict[str, Any], content: bytes, name: str) -> dict[str, Any]:
        child = self._running_child()
        too_late = threading.Event()

        def end() -> None:
            too_late.set()
            child.kill()

        timer = threading.Timer(self._seconds, end)
        timer.daemon = True
        timer.start()
        try:
            line = _exchange(child, json.dumps(request).encode() + b"\n" + content)
        except BaseException:  # Ctrl-C: the answer still to come must not be taken for the next one's
            self.close()
            raise
        finally:
            timer.cancel()
        if line.endswith(b"\n"):
            answer: dict[str, Any] = json.loads(line)
            return answer
        self.close()
        if too_late.is_set():
            raise errors.UnsupportedInputError(
                f"{name} took longer than {self._seconds:g} seconds to read, so it was given up."
            )
        raise errors.UnsupportedInputError(f"{name} can't be read: it seems broken.")

    def _running_child(self) -> subprocess.Popen[bytes]:
        forked = self._owner != os.getpid()  # a forked process must not share its parent's pipes
        if self._child is None or forked or self._child.poll() is not None:
            if not forked:
                self.close()
            self._owner = os.getpid()
            # -P: a folder that holds a `json.py` must not become code.
            self._child = subprocess.Popen(
                [sys.executable, "-P", "-m", "veridic.ingest.extract.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self._child


def _exchange(child: subprocess.Popen[bytes], request: bytes) -> bytes:
    """Send a request and read its answer; what is read is cut short where the child died."""
    assert child.stdin is not None and child.stdout is not None  # noqa: S101
    try:
        child.stdin.write(request)
        child.stdin.flush()
    except OSError:
        return b""
    return child.stdout.readline()


SHARED = Extractor()
"""The extractor of this process."""
atexit.register(SHARED.close)
