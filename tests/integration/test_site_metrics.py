"""Any process that serves metrics tells of the whole site."""

import asyncio
import socket
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

from tests.scripted_runs import CONSENSUS, THOROUGH, Scripted, make_runner, no_models, thorough_events

from veridic.api.metrics import Metrics
from veridic.api.site_metrics import serve_site_metrics
from veridic.config.settings import Settings
from veridic.runtime.runner import Runner
from veridic.store.runs import RunStore


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        return int(listening.getsockname()[1])


def test_a_process_that_does_no_work_tells_what_others_did(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)

    async def work() -> None:
        async with make_runner(settings, Scripted()) as worker:
            await worker.start(CONSENSUS)
            await worker.until_idle()
        async with make_runner(settings, Scripted(thorough_events)) as worker:
            await worker.start(THOROUGH)
            await worker.until_idle()
        async with Runner(settings, connect=no_models, works=False) as web:
            await web.start(THOROUGH)

    asyncio.run(work())
    port = free_port()
    with RunStore(settings.database) as store:
        metrics = Metrics()
        metrics.watch_site(store)
        serve_site_metrics(store, port)
        with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            of_worker = answer.read().decode()
        of_server = metrics.render().decode()
    for text in (of_worker, of_server):
        lines = text.splitlines()
        assert 'veridic_site_runs{mode="consensus",state="completed"} 1.0' in lines
        assert 'veridic_site_runs{mode="thorough",state="queued"} 1.0' in lines
        assert 'veridic_site_model_calls{model="openai/o3",outcome="answered"} 1.0' in lines
        assert "veridic_queued_runs 1.0" in lines
        assert "veridic_site_retries 0.0" in lines
