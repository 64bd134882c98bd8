"""The client of extraction: runs a few child processes, started when needed, with a queue in front of them.

A file that crashes its child, takes too long or uses too much memory doesn't affect other files: only its child is
killed, and the next file gets a new one.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import Any, Literal, Self

from veridic.domain import errors
from veridic.ingest.extract.result import TOO_MUCH_MEMORY, ExtractedText, took_too_much

Format = Literal["html", "pdf", "docx"]
EXTRACTION_SECONDS = 60.0
MOST_CHILDREN = 4
_POLL_SECONDS = 0.01


class ExtractionPool:
    """Owns the child processes. Thread-safe: a thread that finds no free child waits its turn."""

    def __init__(self, seconds: float = EXTRACTION_SECONDS, children: int = MOST_CHILDREN) -> None:
        self._seconds = seconds
        self._most_children = children
        self.forget()

    def extract(self, form: Format, content: bytes, name: str, url: str | None = None) -> ExtractedText:
        """Return the text and metadata of `content`; raises `InputError` that says what is wrong with `name`.

        The time limit starts when a child begins with the file.
        """
        request = json.dumps({"format": form, "size": len(content), "url": url}).encode() + b"\n" + content
        with self._turns:
            child = self._take()
            try:
                answer = child.ask(request, self._seconds)
            except BaseException:  # Ctrl-C: the pending answer must not be read as the next one's
                self._drop(child)
                raise
            if child.is_alive:
                self._idle.append(child)
            else:
                self._drop(child)
        if "error" in answer:
            error = getattr(errors, answer["error"])
            raise error(f"{name} {answer['message']}.")
        return ExtractedText.from_json(answer)

    def close(self) -> None:
        """Kill the children; a later call starts new ones."""
        self._idle.clear()
        while self._children:
            self._children.pop().end()

    def forget(self) -> None:
        """Drop all children without killing them: a forked process must not share its parent's pipes."""
        self._turns = threading.Semaphore(self._most_children)
        self._children: set[_Child] = set()
        self._idle: list[_Child] = []

    def _take(self) -> _Child:
        while True:
            try:
                child = self._idle.pop()
            except IndexError:
                child = _Child()
                self._children.add(child)
            if child.is_alive:
                return child
            self._drop(child)

    def _drop(self, child: _Child) -> None:
        self._children.discard(child)
        child.end()


class _Child:
    """One child process; reads one file after the other."""

    def __init__(self) -> None:
        # -P: don't import modules such as `json.py` from the current folder.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "veridic.ingest.extract.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, request: bytes, seconds: float) -> dict[str, Any]:
        """Return the child's answer, or an error answer if there is none; in that case the child was killed."""
        with _Watch(self._process, seconds) as watch:
            line = self._exchange(request)
        if line.endswith(b"\n"):
            answer: dict[str, Any] = json.loads(line)
            if answer.get("message") != TOO_MUCH_MEMORY:
                return answer
            watch.reason = TOO_MUCH_MEMORY
        self._process.kill()
        self._process.wait()
        return {
            "error": errors.UnsupportedInputError.__name__,
            "message": watch.reason or "can't be read: it seems broken",
        }

    def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()

    def _exchange(self, request: bytes) -> bytes:
        """Send a request and read the answer, which is incomplete if the child died."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None  # noqa: S101
        try:
            stdin.write(request)
            stdin.flush()
        except OSError:
            return b""
        return stdout.readline()


class _Watch:
    """Kills a process that takes too long or too much memory, and sets `reason`."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float) -> None:
        self.reason = ""
        self._process = process
        self._seconds = seconds
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        deadline = time.monotonic() + self._seconds
        while not self._over.wait(_POLL_SECONDS):
            if time.monotonic() >= deadline:
                self.reason = f"took longer than {self._seconds:g} seconds to read, so it was given up"
            elif took_too_much(self._process.pid):
                self.reason = TOO_MUCH_MEMORY
            if self.reason:
                self._process.kill()
                return


SHARED = ExtractionPool()
"""The extractor of this process."""
atexit.register(SHARED.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=SHARED.forget)
