"""The outside world at a fixed latency, served by a process of its own so that its work is not counted as ours."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.processes import ROOT


@contextmanager
def scripted_models(latency: float) -> Iterator[str]:
    """The base address of a server that answers every stage of consensus mode after `latency` seconds."""
    with _served("tests.llm_server", "--latency", str(latency)) as said:
        yield said


@contextmanager
def scripted_newsroom(search_latency: float, model_latency: float) -> Iterator[dict[str, str]]:
    """The environment that points Veridic at a web and a model which know an article of ten claims."""
    latencies = ("--search-latency", str(search_latency), "--model-latency", str(model_latency))
    with _served("tests.newsroom", *latencies, "--editions") as said:
        yield json.loads(said)


@contextmanager
def _served(module: str, *options: str) -> Iterator[str]:
    """What the server says of itself in its first line."""
    command = [sys.executable, "-m", module, *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
