"""One check as `veridic check` does it, timed by part: `python -m benchmarks.probes.check ARTICLE CORPUS`.

Start-up is the imports, and opening the corpus, the engine and the database. The check goes from the article to the
report; after it, the run has been saved and the report written.
"""

import json
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.stopwatch import Stopwatch

_IMPORTING = time.perf_counter()

# What the command loads when it comes to it is loaded here, to be counted as start-up.
import veridic.ingest.markdown  # noqa: E402
import veridic.reporting.terminal  # noqa: E402, F401
from veridic import run  # noqa: E402
from veridic.cli import running  # noqa: E402
from veridic.cli.output import write_report  # noqa: E402
from veridic.config.settings import load_settings  # noqa: E402
from veridic.domain.modes import ReportFormat  # noqa: E402
from veridic.engine import embedded_reader  # noqa: E402
from veridic.engine.order import CheckOrder  # noqa: E402
from veridic.evidence.gathering import Gatherer  # noqa: E402
from veridic.ingest.read import read_document  # noqa: E402
from veridic.judging.reader import EmbeddedJudge  # noqa: E402
from veridic.store.runs import RunStore  # noqa: E402

_IMPORTED = time.perf_counter()

_WATCHED: dict[str, tuple[tuple[object, str], ...]] = {
    "opening": ((run, "open_against"), (run, "open_gatherer"), (RunStore, "__enter__")),
    "extraction": ((embedded_reader, "extract_claims"),),
    "index": ((Gatherer, "gather"),),
    "judge": ((EmbeddedJudge, "read"),),
    "saving": ((RunStore, "write"), (RunStore, "write_together")),
}


def probe(article: str, target: str, output: Path) -> dict[str, Any]:
    """Seconds by part; `check` is the whole way from the article to the report."""
    settings = load_settings()
    watches = {name: Stopwatch() for name in (*_WATCHED, "reading", "writing")}
    with ExitStack() as watching:
        for name, calls in _WATCHED.items():
            for owner, call in calls:
                watching.enter_context(watches[name].on(owner, call))
        started = time.perf_counter()
        document = watches["reading"].time(read_document, article, settings=settings)
        report = running.run_check(CheckOrder(document=document, against=(target,)), settings)
        reported = time.perf_counter()
    watches["writing"].time(write_report, report, ReportFormat.TEXT, output)
    unused = [name for name, watch in watches.items() if not watch.seconds]
    if unused:
        raise RuntimeError(f"a check no longer calls what is timed as {', '.join(unused)}")
    seconds = {name: watch.total for name, watch in watches.items()}
    check = reported - started - seconds["opening"] - seconds["saving"]
    return {"claims": len(report.decisions), "imports": _IMPORTED - _IMPORTING, "check": check, **seconds}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(probe(sys.argv[1], sys.argv[2], Path(folder, "report.txt"))))
