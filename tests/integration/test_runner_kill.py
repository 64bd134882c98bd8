"""A server killed during a check, and the server started after it."""

import asyncio
import subprocess
import sys
from pathlib import Path

from tests.scripted_runs import CONSENSUS, Scripted, make_runner

from veridic.config.settings import Settings
from veridic.runtime.runner import NOT_FINISHED, Runner
from veridic.store import maintenance
from veridic.store.event_log import LoggedEvent
from veridic.store.runs import RunState

ROOT = Path(__file__).parent.parent.parent

# Runs until the first stage is saved, prints the run's id, and waits to be killed.
SERVER = """
import asyncio, sys
from pathlib import Path
from tests.scripted_runs import CONSENSUS, Scripted, make_runner
from veridic.config.settings import Settings

async def main():
    pipeline = Scripted(gates={5: asyncio.Event()})
    async with make_runner(Settings(home=Path(sys.argv[1])), pipeline) as runner:
        started = await runner.start(CONSENSUS)
        while len(runner.store.events(started.run_id)) < 3:
            await asyncio.sleep(0.01)
        print(started.run_id, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


def start_and_kill(home: Path) -> str:
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(home)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        run_id = process.stdout.readline().strip()
        process.kill()
    return run_id


def test_saved_events_survive_and_new_checks_work(tmp_path: Path) -> None:
    run_id = start_and_kill(tmp_path)
    settings = Settings(home=tmp_path)
    assert maintenance.check(settings.database).problems == ()

    async def follow(runner: Runner, run: str, after: int = 0) -> list[LoggedEvent]:
        return [event async for event in runner.events(run, after)]

    async def main() -> None:
        async with make_runner(settings, Scripted()) as runner:
            events = await follow(runner, run_id)
            names = [event.name for event in events]
            assert names == ["factcheck_start", "extract_start", "extract_complete", "error"]
            assert events[-1].data == {"message": NOT_FINISHED}
            assert await follow(runner, run_id, 3) == events[3:]
            assert runner.store.summary(run_id).state is RunState.INTERRUPTED
            assert runner.store.result(run_id).extraction.model == "openai/o3"
            again = await runner.start(CONSENSUS)
            assert again.run_id != run_id
            assert (await follow(runner, again.run_id))[-1].name == "complete"

    asyncio.run(main())
