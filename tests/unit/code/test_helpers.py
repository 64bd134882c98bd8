"""Nobody waits for a helper that is not there."""

import sys
import threading

import pytest

from veridic.code import helpers
from veridic.code.facts import pool
from veridic.code.helpers import Helper

SCRIPT = pool.Unread("app.js", "javascript", "export function start() {}\n", "0" * 64)


def test_without_an_interpreter_to_start_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", None)
    assert not Helper(pool.__name__).is_there
    assert list(pool.read_all([SCRIPT], lambda _: None)) == [(SCRIPT, None)]


def test_a_helper_that_can_not_be_watched_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more_threads(_timer: threading.Timer) -> None:
        raise RuntimeError("can't start new thread")

    helper = Helper(pool.__name__)
    monkeypatch.setattr(threading.Timer, "start", no_more_threads)
    assert helper.ask(b"", 5.0) is None
    assert not helper.is_there


def test_a_helper_that_does_not_start_in_time_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helpers, "_START", "import sys; sys.stdin.read()")
    monkeypatch.setattr(helpers, "_START_SECONDS", 0.05)
    assert not Helper(pool.__name__).is_there
