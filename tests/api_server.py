"""The HTTP API on a real loopback socket, with scripted models behind it.

with ApiServer(settings) as server:
    hold = server.hold(prompt="verify")
    with server.client() as client:
        ...
        hold.release()
"""

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Self

import httpx2 as httpx
from starlette.applications import Starlette
from tests import llm_texts

from veridic.api.app import Server, create_app
from veridic.config.settings import Settings
from veridic.providers.llm.base import LanguageModels, Prompt
from veridic.providers.llm.fake import ScriptedModels
from veridic.providers.llm.meter import Meter
from veridic.run import run_order
from veridic.runtime.run_at_work import Pipeline
from veridic.runtime.runner import Runner

EXTRACTOR, REPORTER = "test/extractor", "test/reporter"
CHECKERS = ("test/one", "test/two")
PATIENCE_SECONDS = 60.0
"""Nothing takes so long unless it hangs."""


class Told(NamedTuple):
    """A server-sent event as it arrived."""

    id: int
    """0 without one: the run is interrupted, and its next event gets the next number."""
    name: str
    data: Any


class Hold:
    """Keeps answers of models back until it is released; from any thread."""

    def __init__(self, loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
        self.event = asyncio.Event()
        self._loop = loop

    def release(self) -> None:
        self._loop().call_soon_threadsafe(self.event.set)


class ApiServer:
    """Serves `create_app`, or another application on the same runner, in a thread of its own."""

    def __init__(
        self,
        settings: Settings,
        make_app: Callable[[Settings, Runner], Starlette] = create_app,
        *,
        pipeline: Pipeline = run_order,
        connect: Callable[[Settings, Meter], LanguageModels] | None = None,
    ) -> None:
        """`connect` reaches other models than the scripted ones."""
        self.models = scripted_models()
        self.runner = Runner(settings, connect=connect or self.models.connect, pipeline=pipeline)
        self.app = make_app(settings, self.runner)
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self._server = Server(self.app)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def url(self) -> str:
        host, port = self._socket.getsockname()
        return f"http://{host}:{port}"

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=PATIENCE_SECONDS, **options)

    def hold(self, *, model: str | None = None, prompt: str | None = None) -> Hold:
        """From now on, such answers wait."""
        held = Hold(self._running_loop)
        self.models.answer(say, model=model, prompt=prompt, until=held.event)
        return held

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE_SECONDS)
        self._socket.close()

    def _serve(self) -> None:
        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            await self._server.serve(sockets=[self._socket])

        asyncio.run(serve())

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            raise RuntimeError("ask the server for something first")
        return self._loop


def say(_model: str, prompt: Prompt) -> str:
    """What a well-behaved model says to any of the prompts."""
    answers = {
        "generate": llm_texts.CONTENT,
        "extract": llm_texts.extraction(llm_texts.CLAIMS),
        "verify": llm_texts.verification(llm_texts.CLAIMS, ["VERIFIED", "DISPUTED"]),
        "report": llm_texts.report(llm_texts.CLAIMS, 78),
        "title": "A short history of the net",
    }
    return answers[prompt.name]


def scripted_models() -> ScriptedModels:
    models = ScriptedModels()
    models.answer(say)
    return models


def stream_request(**config: Any) -> dict[str, Any]:
    """The body of a valid request; `config` adds to its configuration."""
    chosen = {
        "contentToCheck": llm_texts.CONTENT,
        "extractorModel": EXTRACTOR,
        "checkerModels": list(CHECKERS),
        "reporterModel": REPORTER,
    }
    return {"question": "Is this right?", "mode": "fact_check", "modeConfig": chosen | config}


def read_events(lines: Iterable[str]) -> Iterator[Told]:
    """The events of a stream, each as soon as it is complete; comments are passed over."""
    fields: dict[str, str] = {}
    for line in lines:
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            yield Told(int(fields.get("id", "0")), fields["event"], json.loads(fields["data"]))
            fields = {}
