"""Interpreters of our own that work beside this one: messages in, messages out.

They are started in isolated mode, so a repository that is the current folder can't slip them a module; and unlike
forks and pools of the standard library they neither inherit threads nor import the caller's main module again.
"""

import contextlib
import importlib
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO

_READY = b"ready"
_START_SECONDS = 60.0
_SIZE = struct.Struct(">Q")
_START = "import sys; name = sys.argv[1]; sys.path[:] = sys.argv[2:]; from veridic.code.helpers import serve; serve(name)"


class Helper:
    """One interpreter, started at once; there is none where that fails, and none after it has died or was ended."""

    def __init__(self, module: str) -> None:
        """`module` has a function `answer` that makes one message of another."""
        self._process: subprocess.Popen[bytes] | None = None
        if not sys.executable:
            return
        paths = [path for path in sys.path if path and os.path.isabs(path)]  # noqa: PTH117
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter, with a program of our own
                [sys.executable, "-I", "-X", "utf8", "-c", _START, module, *paths],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            return
        if self._exchange(None, _START_SECONDS) != _READY:
            self.end()

    @property
    def is_there(self) -> bool:
        return self._process is not None

    def ask(self, message: bytes, seconds: float) -> bytes | None:
        """The answer; None where the helper dies of the message or takes too long, and then it is no more."""
        answer = self._exchange(message, seconds)
        if answer is None:
            self.end()
        return answer

    def _exchange(self, message: bytes | None, seconds: float) -> bytes | None:
        """What the helper says within that time, after the message, if there is one."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return None
        limit = threading.Timer(seconds, process.kill)
        try:
            limit.start()
            if message is not None:
                _send(process.stdin, message)
            return _receive(process.stdout)
        except (OSError, ValueError, RuntimeError):  # the last where no more threads can be had
            return None
        finally:
            limit.cancel()

    def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with contextlib.suppress(OSError, ValueError):
                process.communicate()


def serve(module: str) -> None:
    """The helper's side: answers until there is no more to answer."""
    import gc

    gc.disable()  # neither syntax trees nor claims have cycles, and looking for some takes a tenth of the time
    answer: Callable[[bytes], bytes] = importlib.import_module(module).answer
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    _send(answers, _READY)
    while (message := _receive(requests)) is not None:
        _send(answers, answer(message))


def helper_count(size: int, worth_one: int, most: int) -> int:
    """How many helpers so many characters are worth: at most one for each core that this process may use."""
    return min(size // worth_one, _cores(), most) if sys.executable else 0


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _send(stream: IO[bytes], message: bytes) -> None:
    stream.write(_SIZE.pack(len(message)))
    stream.write(message)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes | None:
    head = stream.read(_SIZE.size)
    if len(head) < _SIZE.size:
        return None
    size = _SIZE.unpack(head)[0]
    message = stream.read(size)
    return message if len(message) == size else None
