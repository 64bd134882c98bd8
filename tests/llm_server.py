"""A scripted OpenAI-compatible server on a real loopback socket, with everything that goes wrong on the real ones.

    with ScriptedServer() as server:
        server.script_consensus()
        server.answer(model="openai/o3", status=429, retry_after="0", times=1)
        settings = Settings(llm_base_url=server.url, ...)

The newest rule that fits a request answers it, so that a test bends a ready-made script by adding to it. A request
that no rule fits is a 404. `python -m tests.llm_server --latency 0.2` serves the ready-made script until stopped.
"""

import argparse
import asyncio
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self

from tests import llm_texts


@dataclass(frozen=True)
class Request:
    """What a client sent."""

    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: dict[str, Any]

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def system(self) -> str:
        return self._said_by("system", "developer")

    @property
    def user(self) -> str:
        return self._said_by("user")

    @property
    def stage(self) -> str:
        """`generate`, `extract`, `verify`, `report`, `title`, `list_claims`, `validate` or `validate_summary`."""
        return llm_texts.stage_of(self.system)

    def _said_by(self, *roles: str) -> str:
        messages = self.body.get("messages", [])
        return "\n".join(str(m["content"]) for m in messages if m["role"] in roles)


@dataclass(frozen=True)
class Reply:
    """What the server says. `text` may be made from the request."""

    text: str | Callable[[Request], str] | None = "Fine."
    status: int = 200
    error: Any = None
    """The error in the body, in place of a completion; any status."""
    retry_after: str | None = None
    finish_reason: str | None = "stop"
    refusal: str | None = None
    reasoning: str | None = None
    input_tokens: int | None = 100
    """None: the answer says nothing of usage."""
    output_tokens: int = 50
    counts_tokens: bool = False
    """Say what the texts come to, at four characters a token, in place of the two above."""
    cost: float | None = None
    delay: float = 0.0
    """Seconds; for a benchmark. Tests hold a request instead."""
    garbage: bytes | None = None
    """The body as it is."""
    content_type: str = "application/json"
    cut_body: bool = False
    """The connection ends in the middle of the body."""
    hang_up: bool = False
    """The connection ends with no answer."""

    def body(self, request: Request) -> bytes:
        if self.garbage is not None:
            return self.garbage
        if self.error is not None or self.status != 200:
            error = self.error if self.error is not None else f"scripted failure {self.status}"
            return json.dumps({"error": {"message": error} if isinstance(error, str) else error}).encode()
        text = self.text(request) if callable(self.text) else self.text
        message = {"role": "assistant", "content": text, "refusal": self.refusal}
        if self.reasoning is not None:
            message["reasoning"] = self.reasoning
        completion = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_763_000_000,
            "model": request.model,
            "provider": "Scripted",
            "choices": [{"index": 0, "finish_reason": self.finish_reason, "message": message}],
        }
        read, written = self.input_tokens, self.output_tokens
        if self.counts_tokens:
            read, written = len(request.system + request.user) // 4, len(text or "") // 4
        if read is not None:
            usage: dict[str, Any] = {
                "prompt_tokens": read,
                "completion_tokens": written,
                "total_tokens": read + written,
            }
            completion["usage"] = usage if self.cost is None else usage | {"cost": self.cost}
        return json.dumps(completion).encode()


@dataclass
class _Rule:
    reply: Reply
    model: str | None
    when: Callable[[Request], bool] | None
    times: int | None

    def fits(self, request: Request) -> bool:
        wanted = self.model is None or request.model == self.model
        return wanted and self.times != 0 and (self.when is None or self.when(request))


@dataclass
class Gate:
    """Requests that are held until `release`; `arrived` is set once the first one is here."""

    rule: _Rule
    loop: asyncio.AbstractEventLoop
    arrived: threading.Event = field(default_factory=threading.Event)
    _open: asyncio.Event = field(default_factory=asyncio.Event)

    def wait_for_request(self) -> None:
        if not self.arrived.wait(30):
            raise TimeoutError("no request came")

    def release(self) -> None:
        self.loop.call_soon_threadsafe(self._open.set)

    async def pass_through(self) -> None:
        self.arrived.set()
        await self._open.wait()


class ScriptedServer:
    """Runs in a thread of its own while its context is entered."""

    def __init__(self, port: int = 0) -> None:
        self.requests: list[Request] = []
        """Everything that was asked, in the order it came."""
        self._port = port
        self._rules: list[_Rule] = []
        self._gates: list[Gate] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """For `VERIDIC_LLM_BASE_URL`."""
        return f"http://127.0.0.1:{self._port}/v1"

    def answer(
        self,
        *,
        model: str | None = None,
        when: Callable[[Request], bool] | None = None,
        times: int | None = None,
        **reply: Any,
    ) -> None:
        """Answer requests that fit with a `Reply` of these fields, `times` times, before older rules are asked."""
        self._rules.insert(0, _Rule(Reply(**reply), model, when, times))

    def hold(self, *, model: str | None = None, when: Callable[[Request], bool] | None = None) -> Gate:
        """Keep requests that fit waiting until the gate is released."""
        gate = Gate(_Rule(Reply(), model, when, None), self._loop)
        self._gates.append(gate)
        return gate

    def script_consensus(
        self,
        *,
        claims: Sequence[tuple[str, str]] = llm_texts.CLAIMS,
        verdicts: Mapping[str, Sequence[str]] | None = None,
        score: int | None = 85,
        title: str = "Checking the Internet's history",
        generated: str = llm_texts.CONTENT,
        **reply: Any,
    ) -> None:
        """Answer every stage of consensus mode in its format.

        `claims` are pairs of claim and type, which the extractor finds and each checker calls what
        `verdicts` has for its model, in their order, VERIFIED by default. Where checkers are given
        evidence, they cite it. `reply` goes for every answer.
        """
        checkers = verdicts or {}

        def text(request: Request) -> str:
            match request.stage:
                case "extract":
                    return llm_texts.extraction(claims)
                case "verify":
                    passages = llm_texts.passages_of(request.user)
                    return llm_texts.verification(claims, checkers.get(request.model, ()), passages)
                case "report":
                    return llm_texts.report(claims, score)
                case "title":
                    return title
                case _:
                    return generated

        self.answer(**{"text": text, "cost": 0.001, **reply})

    def script_validation(
        self,
        *,
        claims: Sequence[str] = llm_texts.STATEMENTS,
        verdicts: Mapping[str, str] | None = None,
        **reply: Any,
    ) -> None:
        """Answer every stage of summary and thorough mode in its format.

        The extractor lists `claims`, the first two of them in summary mode. The validator calls each what
        `verdicts` has for it, TRUE by default, and cites every source it is shown. `reply` goes for every answer.
        """
        called = verdicts or {}

        def text(request: Request) -> str:
            match request.stage:
                case "list_claims":
                    is_summary = "statement" in request.user.rsplit("\n", 1)[-1]
                    return llm_texts.listed_claims(claims[:2] if is_summary else claims)
                case "validate_summary":
                    statements = llm_texts.statements_of(request.user)
                    by_id = {claim_id: called.get(claim, "TRUE") for claim_id, claim in statements.items()}
                    return llm_texts.summary_validation(request.user, by_id)
                case _:
                    verdict = called.get(llm_texts.claim_of(request.user), "TRUE")
                    return llm_texts.validation(request.user, verdict)

        self.answer(**{"text": text, "cost": 0.001, **reply})

    def __enter__(self) -> Self:
        self._thread.start()
        self._run(self._listen())
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Any) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port, backlog=1024)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        self._server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while await self._serve_one(reader, writer):
                    pass
        finally:
            self._connections.discard(task)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection can serve another one."""
        request = await _read(reader)
        self.requests.append(request)
        for gate in [gate for gate in self._gates if gate.rule.fits(request)]:
            await gate.pass_through()
        reply = self._reply_to(request)
        if reply.delay:
            await asyncio.sleep(reply.delay)
        if reply.hang_up:
            return False
        body = reply.body(request)
        retry = f"Retry-After: {reply.retry_after}\r\n" if reply.retry_after is not None else ""
        head = f"HTTP/1.1 {reply.status} Scripted\r\nContent-Type: {reply.content_type}\r\n{retry}Content-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + (body[: len(body) // 2] if reply.cut_body else body))
        await writer.drain()
        return not reply.cut_body

    def _reply_to(self, request: Request) -> Reply:
        for rule in self._rules:
            if rule.fits(request):
                if rule.times is not None:
                    rule.times -= 1
                return rule.reply
        return Reply(status=404, error={"message": f"no model {request.model}", "code": "model_not_found"})


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(head[0].split(" ")[1], headers, json.loads(body) if body else {})


def _main() -> None:
    options = argparse.ArgumentParser(description="Serve the ready-made script of consensus mode.")
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--latency", type=float, default=0.0, help="seconds for each answer")
    chosen = options.parse_args()
    with ScriptedServer(chosen.port) as server, suppress(KeyboardInterrupt):
        server.script_consensus(delay=chosen.latency)
        print(server.url, flush=True)  # noqa: T201
        threading.Event().wait()


if __name__ == "__main__":
    _main()
