"""Serving an app until it is told to stop."""

import asyncio
import socket

import uvicorn
from fastapi import FastAPI

from veridic.runtime.runner import Runner

_SECONDS_TO_FINISH = 5
"""How long a response that is being sent may still take."""


class Server(uvicorn.Server):
    """Ends the checks first: those who follow one are told, and their connections end by themselves."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_SECONDS_TO_FINISH,
            )
        )
        self._runner: Runner = app.state.runner

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See `uvicorn.Server.shutdown`."""
        await self._runner.stop()
        await super().shutdown(sockets)


def serve(app: FastAPI, listening: socket.socket) -> None:
    """Serve on a socket until SIGINT or SIGTERM, which then have their usual effect."""
    asyncio.run(Server(app).serve(sockets=[listening]))
