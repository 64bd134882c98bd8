"""Language models of a fixed latency, served by a process of their own so that their work is not counted as ours."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.processes import ROOT


@contextmanager
def scripted_models(latency: float) -> Iterator[str]:
    """The base address of a server that answers every stage of consensus mode after `latency` seconds."""
    command = [sys.executable, "-m", "tests.llm_server", "--latency", str(latency)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
