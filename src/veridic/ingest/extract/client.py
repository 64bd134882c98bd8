"""Extraction as the rest of Veridic calls it: a few child processes, started when needed, and a queue before them.

A file that crashes its child, keeps it busy too long or makes it take too much memory costs that file and nothing
else: its child alone is ended, and the next file gets a new one.
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
from veridic.ingest.extract.memory import TOO_MUCH_MEMORY, took_too_much
from veridic.ingest.extract.result import Extracted

Format = Literal["html", "pdf", "docx"]
EXTRACTION_SECONDS = 60.0
MOST_CHILDREN = 4
_LOOK_AFTER_SECONDS = 0.01


class Extractor:
    """Owns the child processes. Safe to call from several threads: those for whom no child is left wait their turn."""

    def __init__(self, seconds: float = EXTRACTION_SECONDS, children: int = MOST_CHILDREN) -> None:
        self._seconds = seconds
        self._most_children = children
        self.forget()

    def extract(self, form: Format, content: bytes, name: str, url: str | None = None) -> Extracted:
        """The text and metadata of `content`; `InputError` says what is wrong with `name`.

        The time is counted from when a child begins with it.
        """
        request = json.dumps({"format": form, "size": len(content), "url": url}).encode() + b"\n" + content
        with self._turns:
            child = self._take()
            try:
                answer = child.ask(request, self._seconds)
            except BaseException:  # Ctrl-C: the answer still to come must not be taken for the next one's
                self._drop(child)
                raise
            if child.is_alive:
                self._idle.append(child)
            else:
                self._drop(child)
        if "error" in answer:
            error = getattr(errors, answer["error"])
            raise error(f"{name} {answer['message']}.")
        return Extracted.from_json(answer)

    def close(self) -> None:
        """End the children, whatever they are doing; a later call starts others."""
        self._idle.clear()
        while self._children:
            self._children.pop().end()

    def forget(self) -> None:
        """Leave all children to another process: a forked one must not share its parent's pipes."""
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
    """One child process, which reads one file after the other."""

    def __init__(self) -> None:
        # -P: a folder that holds a `json.py` must not become code.
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
        """Its answer, or the error that says why there is none; then it has been ended."""
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
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()

    def _exchange(self, request: bytes) -> bytes:
        """Send a request and read its answer; what is read is cut short where the child died."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None  # noqa: S101
        try:
            stdin.write(request)
            stdin.flush()
        except OSError:
            return b""
        return stdout.readline()


class _Watch:
    """Ends a process that takes too long or too much memory, and then says so in `reason`."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float) -> None:
        self.reason = ""
        self._process = process
        self._seconds = seconds
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        deadline = time.monotonic() + self._seconds
        while not self._over.wait(_LOOK_AFTER_SECONDS):
            if time.monotonic() >= deadline:
                self.reason = f"took longer than {self._seconds:g} seconds to read, so it was given up"
            elif took_too_much(self._process.pid):
                self.reason = TOO_MUCH_MEMORY
            if self.reason:
                self._process.kill()
                return


SHARED = Extractor()
"""The extractor of this process."""
atexit.register(SHARED.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=SHARED.forget)
