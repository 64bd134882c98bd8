"""A batch with bad input, provider errors and two kills: what is lost, what is paid twice, and whether memory grows."""

import json
import os
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests import llm_texts
from tests.llm_server import Request, ScriptedServer

from benchmarks.measure import FULL, Figure, Measure, Scale
from benchmarks.processes import ROOT, VERIDIC
from benchmarks.workspace import Step, Workspace

_AT_ONCE = 8
_KILLS = (0.3, 0.6)
"""After these shares of the calls."""
_LOOK_SECONDS = 0.2
_MB = 1_000_000
_MOST_GROWTH_MB = 30
_HEIGHT = 1_000


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    number = 1_000 if scale is FULL else 40
    with workspace.folder("faults") as folder, ScriptedServer() as models:
        models.answer(text=_answer, cost=0.001)
        models.answer(when=lambda request: "Refused Tower" in request.user, status=403, error="not today")
        articles, output = folder / "articles.jsonl", folder / "results.jsonl"
        articles.write_text("".join(f"{_line(n)}\n" for n in range(number)), encoding="utf-8")
        sources = folder / "sources.jsonl"
        sources.write_text(json.dumps({"title": "Towers", "text": "Towers are high."}) + "\n")
        command = [VERIDIC, "batch", str(articles), "--output", str(output), "--against", str(sources)]
        command += ["--mode", "summary", "--extractor", "embedded/extractor", "--checker", "scripted"]
        command += ["--at-once", str(_AT_ONCE)]
        environment = {
            **os.environ,
            **workspace.environment,
            "VERIDIC_LLM_BASE_URL": models.url,
        }
        for share in _KILLS:
            step(0, None, f"{number} articles, killed after {share:.0%}")
            _follow(command, environment, models, kill_at=int(share * number))
        step(0, None, f"{number} articles, to the end")
        grown, peak = _follow(command, environment, models)
        rows = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
        asked = Counter(_subject(request) for request in models.requests)
    states = Counter(row["state"] for row in rows)
    numbers = {row["number"] for row in rows}
    return (
        Figure("articles", number, "count"),
        Figure("rows that are missing or doubled", abs(number - len(numbers)) + len(rows) - len(numbers), "count", 0),
        Figure("done", states["done"], "count"),
        Figure("failed, each with its reason", states["failed"], "count"),
        Figure("failed without a reason", sum(not row["problem"] for row in rows if row["state"] == "failed"), "count", 0),
        Figure("without an end", number - states["done"] - states["failed"], "count", 0),
        Figure("calls", asked.total(), "count"),
        Figure("calls made again, after two kills of 8 at once", asked.total() - len(asked), "count", len(_KILLS) * _AT_ONCE),
        Figure("memory at most", peak / _MB, "MB"),
        Figure("memory at the end against a quarter of the way", grown / _MB, "MB", _MOST_GROWTH_MB),
    )  # fmt: skip


def _line(number: int) -> str:
    """One article in twenty can't be read, and the provider rejects another."""
    if number % 20 == 7:
        return "{bad"
    name = "Refused Tower" if number % 20 == 13 else "Tarn Tower"
    return json.dumps({"id": number, "text": f"The {name} {number} is {_HEIGHT + number} metres high."})


def _answer(request: Request) -> str:
    statements = llm_texts.statements_of(request.user)
    return llm_texts.summary_validation(request.user, dict.fromkeys(statements, "UNVERIFIABLE"))


def _subject(request: Request) -> str:
    """The article that a request is about."""
    return " ".join(llm_texts.statements_of(request.user).values())


def _follow(
    command: Sequence[str], environment: dict[str, str], models: ScriptedServer, kill_at: int | None = None
) -> tuple[int, int]:
    """Run the command, killed once so many calls were made in all; return how its memory grew, and the most it had."""
    resident: list[tuple[int, int]] = []
    began = len(models.requests)
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as batch:
        while batch.poll() is None:
            if kill_at is not None and len(models.requests) >= kill_at:
                batch.kill()
                break
            resident.append((len(models.requests), _resident_bytes(batch.pid)))
            time.sleep(_LOOK_SECONDS)
    working = [memory for calls, memory in resident if calls > began]
    if not working:
        return 0, 0
    return max(working[-len(working) // 4 :]) - working[len(working) // 4], max(working)


def _resident_bytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS")), 0)


MEASURE = Measure("batch_faults", "A batch with faults", _run)
