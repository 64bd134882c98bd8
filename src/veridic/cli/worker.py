"""`veridic worker`: works on queued checks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from veridic.config.settings import Settings
    from veridic.store.runs import RunStore


def worker(
    checks: Annotated[
        int | None,
        typer.Option(
            min=1, help="How many checks to work on at once; VERIDIC_MAX_CONCURRENT_CHECKS if not given."
        ),
    ] = None,
    until_empty: Annotated[
        bool,
        typer.Option(help="End once no check that can be done here is waiting, and none is under way here."),
    ] = False,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            help="Serve Prometheus metrics of the whole site at /metrics on this port, to this machine only.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Work on the checks that wait in the database until Ctrl-C; run as many workers as you like.

    Workers share the database of VERIDIC_DATABASE_URL, on one machine or several. What a worker that dies was working on,
    another takes up within ten seconds, and no finished call to a model or a search is made again. A check that needs a model,
    a search or sources that a worker does not have is left to others. Ctrl-C or SIGTERM gives the checks under way back.

    Examples:

      veridic worker

      veridic serve --no-work       the web app and the API on one machine, workers on others
    """
    import asyncio

    from veridic.config.settings import load_settings

    settings = load_settings()
    if checks is not None:
        settings = settings.model_copy(update={"max_concurrent_checks": checks})
    asyncio.run(_work(settings, until_empty=until_empty, metrics_port=metrics_port))


async def _work(settings: Settings, *, until_empty: bool, metrics_port: int | None) -> None:
    import asyncio
    import signal

    from veridic.runtime.runner import Runner
    from veridic.store.database import place_of

    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for one in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(one, stopping.set)
    async with Runner(settings) as runner:
        if metrics_port is not None:
            _serve_metrics(runner.store, metrics_port)
        sys.stderr.write(f"Working on the checks in {place_of(settings.database)} (Ctrl-C ends it).\n")
        sys.stderr.flush()
        ends: list[asyncio.Task[Any]] = [asyncio.create_task(stopping.wait())]
        if until_empty:
            ends.append(asyncio.create_task(runner.until_idle()))
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
        await asyncio.wait(ends)
        for reason in runner.left_waiting:
            sys.stderr.write(f"Checks that wait were left to other processes, because {reason}.\n")


def _serve_metrics(store: RunStore, port: int) -> None:
    from veridic.domain.errors import UsageError

    try:
        from veridic.api.site_metrics import serve_site_metrics
    except ModuleNotFoundError as error:
        raise UsageError(
            f"--metrics-port needs {error.name}, which is not installed; install Veridic as 'veridic[server]'."
        ) from None
    serve_site_metrics(store, port)
