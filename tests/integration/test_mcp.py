"""The MCP server through the official client: in memory, over stdio and over HTTP."""

import asyncio
import json
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent
from pydantic import SecretStr
from tests.api_server import ApiServer
from tests.command import VERIDIC, environment
from tests.scripted_runs import Scripted, no_models, thorough_events

from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.domain.errors import ProviderError, UsageError
from veridic.domain.people import LOCAL_USER, Role
from veridic.mcp.http import create_mcp_app
from veridic.mcp.roots import Roots, default_folders
from veridic.mcp.server import create_server
from veridic.runtime.cancelling import CANCELLED
from veridic.runtime.runner import Runner
from veridic.store.runs import RunState, RunStore
from veridic.store.tables import FactCheck

T = TypeVar("T")
ROOT = Path(__file__).parents[2]
SYDNEY = "The capital of Australia is Sydney. The capital of France is Paris."
Progress = list[tuple[float, float | None, str | None]]


@pytest.fixture
def settings(reference_home: Path, tmp_path: Path) -> Settings:
    return Settings(home=reference_home, database_url=f"sqlite:///{tmp_path / 'runs.db'}")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder that may be read, and beside it one that may not."""
    for name in ("root", "beside"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "a.md").write_text("The capital of Australia is Canberra.\n")
    (tmp_path / "root" / "link").symlink_to(tmp_path / "beside")
    return tmp_path / "root"


@asynccontextmanager
async def connected(
    settings: Settings, roots: Sequence[Path] = (), *, mode: Any = "auto", pipeline: Any = None
) -> AsyncIterator[Client]:
    """A client of a server in this process; `pipeline` takes the place of the real one."""
    runner = Runner(settings, connect=no_models, pipeline=pipeline) if pipeline else Runner(settings)
    async with runner, Client(create_server(settings, runner, Roots(roots)), mode=mode) as client:
        yield client


def ask(client_of: Any, use: Callable[[Client], Awaitable[T]]) -> T:
    async def run() -> T:
        async with client_of as client:
            return await use(client)

    return asyncio.run(run())


def call(client_of: Any, tool: str, **arguments: Any) -> CallToolResult:
    return ask(client_of, lambda client: client.call_tool(tool, arguments))


def content(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, sentence(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def sentence(result: CallToolResult) -> str:
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_tool_says_what_it_takes_and_gives(settings: Settings, mode: str) -> None:
    listed = ask(connected(settings, mode=mode), lambda client: client.list_tools())

    assert [tool.name for tool in listed.tools] == [
        "check_text", "check_claim", "search_evidence", "verify_repository", "get_report", "list_runs",
    ]  # fmt: skip
    for tool in listed.tools:
        assert tool.description
        assert tool.output_schema is not None
        assert "context" not in tool.input_schema["properties"]


def test_a_text_is_checked_with_citations_to_quote_and_saved(settings: Settings) -> None:
    told: Progress = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def use(client: Client) -> tuple[CallToolResult, CallToolResult, CallToolResult]:
        checked = await client.call_tool("check_text", {"text": SYDNEY}, progress_callback=on_progress)
        run_id = content(checked)["run_id"]
        return (
            checked,
            await client.call_tool("get_report", {"run_id": run_id, "all_evidence": True}),
            await client.call_tool("list_runs", {"words": "Sydney"}),
        )

    checked, report, runs = map(content, ask(connected(settings), use))

    sydney, paris = checked["claims"]
    assert (sydney["verdict"], paris["verdict"]) == ("REFUTED", "SUPPORTED")
    assert SYDNEY[slice(*sydney["span"])] == sydney["quote"] == "The capital of Australia is Sydney"
    cited = sydney["evidence"][0]
    assert cited["stance"] == "contradicting"
    assert cited["where"].startswith("https://www.cia.gov/")
    assert cited["date"]
    for part in ("quote", "title", "date", "where"):
        assert cited[part] in cited["citation"]
    assert "data" in checked["notice"]
    assert [claim["evidence_left_out"] for claim in report["claims"]] == [0, 0]
    assert [run["run_id"] for run in runs["runs"]] == [checked["run_id"]]
    assert runs["runs"][0]["verdict"] == checked["verdict"]
    assert told[0][2] == f"{checked['run_id']} has begun."
    assert told[-1][:2] == (3, 3)
    assert [done for done, *_ in told] == sorted({done for done, *_ in told})


def test_evidence_comes_from_below_the_roots_only(settings: Settings, root: Path) -> None:
    outside = ["../beside", str(root.parent / "beside"), "link", "/etc/passwd", "nothing-here"]

    async def use(client: Client) -> tuple[CallToolResult, set[str]]:
        found = await client.call_tool("search_evidence", {"question": "Australia", "against": ["a.md"]})
        refused = [
            await client.call_tool("check_claim", {"claim": "It is.", "against": [name]}) for name in outside
        ]
        assert all(one.is_error for one in refused)
        pairs = zip(outside, refused, strict=True)
        return found, {sentence(one).replace(repr(name), "it") for name, one in pairs}

    found, sentences = ask(connected(settings, [root]), use)

    assert [passage["where"] for passage in content(found)["passages"]] == [str(root / "a.md")]
    assert len(sentences) == 1
    assert "--root" in sentence(call(connected(settings), "check_claim", claim="It is.", against=["a.md"]))
    with pytest.raises(UsageError, match="--root"):
        Roots([root / "a.md"])


def test_the_whole_disk_and_a_home_are_no_root_by_default(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(root.parent))
    found = []
    for folder in (root, root.parent, Path("/")):
        monkeypatch.chdir(folder)
        found.append(default_folders())

    assert found == [(root,), (), ()]


def test_a_call_has_its_own_budget(settings: Settings) -> None:
    async def use(client: Client) -> tuple[CallToolResult, CallToolResult]:
        return (
            await client.call_tool("check_text", {"text": SYDNEY, "max_claims": 1}),
            await client.call_tool("check_text", {"text": SYDNEY, "max_seconds": 1e-6}),
        )

    one, none = ask(connected(settings), use)

    assert len(content(one)["claims"]) == 1
    assert content(one)["not_checked"] == 1
    assert "The time limit of 1e-06 seconds was reached" in sentence(none)


def test_a_repository_is_verified_without_leaving_the_roots(settings: Settings, root: Path) -> None:
    shutil.copytree(ROOT / "examples" / "kettle", root / "kettle")

    async def use(client: Client) -> list[CallToolResult]:
        places: list[dict[str, Any]] = [
            {"path": "kettle", "everything": True}, {"path": ".."}, {"path": "a.md"}, {"since": "no-such-revision"},
        ]  # fmt: skip
        return [await client.call_tool("verify_repository", arguments) for arguments in places]

    found, outside, file, unknown = ask(connected(settings, [root]), use)

    wrong = content(found)["findings"][0]
    assert (wrong["document"], wrong["line"], wrong["verdict"]) == ("README.md", 22, "Refuted")
    assert wrong["evidence"]
    assert (wrong["original"], wrong["corrected"]) == ("kettle/heating.py", "src/kettle/heating.py")
    assert "below the folders that may be read" in sentence(outside)
    assert "is a file" in sentence(file)
    assert unknown.is_error


def test_errors_are_one_sentence_and_crashes_tell_nothing(settings: Settings) -> None:
    def result(error: Exception, tool: str = "check_claim", **arguments: Any) -> str:
        client = connected(settings, pipeline=Scripted(list, fails=error))
        failed = call(client, tool, **(arguments or {"claim": "Sydney is big."}))
        assert failed.is_error
        return sentence(failed)

    failed = result(ProviderError("The model is on holiday."))
    assert "The model is on holiday." in failed
    assert "secret" not in result(RuntimeError("secret path"))
    assert "There is no run" in result(ProviderError(""), "get_report", run_id="FC-2026-000099")
    assert "future" in result(ProviderError(""), "check_claim", claim="It is.", as_of="2999-01-01")
    assert "max_claims" in result(ProviderError(""), "check_text", text="It is.", max_claims=0)
    assert "text, url" in result(ProviderError(""), "check_text", mode="thorough")


def test_an_argument_that_a_tool_does_not_have_is_refused(settings: Settings, root: Path) -> None:
    misspelt = call(connected(settings, [root]), "check_text", text="Sydney is big.", max_cost=0.1)
    elsewhere = call(connected(settings, [root]), "verify_repository", repo="/etc")

    assert misspelt.is_error
    assert "check_text has no argument 'max_cost'; it has text, url, mode" in sentence(misspelt)
    assert elsewhere.is_error
    assert "it has path, documents" in sentence(elsewhere)


async def cancelled_call(client: Client) -> None:
    """Start a check that never ends by itself; cancel the call once it has begun."""
    begun = asyncio.Event()

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        begun.set()

    calling = asyncio.create_task(
        client.call_tool("check_claim", {"claim": "Sydney is big."}, progress_callback=on_progress)
    )
    await asyncio.wait_for(begun.wait(), 60)
    calling.cancel()
    await asyncio.wait([calling])


async def end_of_run(settings: Settings) -> tuple[RunState, str | None]:
    """How the newest run ends."""
    async with Runner(settings, works=False) as follower:
        run_id = follower.store.recent()[0].id
        async for _ in follower.events(run_id):
            pass
        run = follower.store.summary(run_id)
        return run.state, run.error


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_cancelling_a_call_cancels_its_run(settings: Settings, mode: str) -> None:
    async def use(client: Client) -> tuple[RunState, str | None]:
        await cancelled_call(client)
        return await asyncio.wait_for(end_of_run(settings), 60)

    forever = Scripted(thorough_events, gates={0: asyncio.Event()})

    ended = ask(connected(settings, mode=mode, pipeline=forever), use)

    assert ended == (RunState.FAILED, CANCELLED)


def test_over_stdio_nothing_but_messages_is_written(settings: Settings, root: Path) -> None:
    variables = environment(settings.home, VERIDIC_DATABASE_URL=settings.database)
    command = StdioServerParameters(command=str(VERIDIC), args=["mcp"], env=variables, cwd=root)
    strange: list[object] = []

    async def on_message(message: object) -> None:
        if isinstance(message, Exception):
            strange.append(message)

    async def use(client: Client) -> list[CallToolResult]:
        return [
            await client.call_tool("check_claim", {"claim": SYDNEY.partition(".")[0] + "."}),
            await client.call_tool("verify_repository", {}),
            await client.call_tool("verify_repository", {"path": "link"}),
        ]

    checked, verified, outside = ask(Client(command, message_handler=on_message), use)

    assert content(checked)["claims"][0]["verdict"] == "REFUTED"
    assert content(verified)["repository"] == "root"
    assert outside.is_error
    assert strange == []
    with RunStore(settings.database) as store:
        assert store.recent()[0].state is RunState.COMPLETED


def test_over_stdio_a_call_under_way_is_cancelled_when_the_agent_ends_the_server(
    settings: Settings, tmp_path: Path
) -> None:
    call = {"name": "check_claim", "arguments": {"claim": "Sydney is big.", "engine": "llm"}}
    messages: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": call | {"_meta": {"progressToken": 1}}},
    ]  # fmt: skip
    with socket.create_server(("127.0.0.1", 0)) as silent:
        variables = environment(
            settings.home,
            VERIDIC_DATABASE_URL=settings.database,
            VERIDIC_LLM_BASE_URL=f"http://127.0.0.1:{silent.getsockname()[1]}/v1",
            VERIDIC_LLM_MODEL="test/any",
        )
        with subprocess.Popen(
            [VERIDIC, "mcp"],
            env=variables,
            cwd=tmp_path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for message in messages:
                process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
                process.stdin.flush()
            told = [json.loads(process.stdout.readline()) for _ in range(2)]
            process.terminate()
            code = process.wait(60)

    assert told[1]["method"] == "notifications/progress"
    assert code == 0
    with RunStore(settings.database) as store:
        run = store.recent()[0]
    assert (run.state, run.error) == (RunState.FAILED, CANCELLED)


@pytest.fixture
def guarded(settings: Settings) -> Settings:
    return settings.model_copy(update={"api_token": SecretStr("the-shared-secret")})


@pytest.fixture
def tokens(guarded: Settings) -> dict[Role, str]:
    with RunStore(guarded.database) as store:
        accounts = Accounts(store)
        for role in Role:
            accounts.add(LOCAL_USER, role.value, "correct horse battery", role)
        return {role: accounts.create_token(LOCAL_USER, role.value, "test") for role in Role}


def serving(settings: Settings, pipeline: Any) -> ApiServer:
    make_app = partial(create_mcp_app, roots=Roots(()))
    return ApiServer(settings, make_app, pipeline=pipeline, connect=no_models)


@asynccontextmanager
async def over_http(
    server: ApiServer, token: str | None = None, *, mode: Any = "auto"
) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{server.url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_http_a_token_may_do_what_its_person_may(
    guarded: Settings, tokens: dict[Role, str], mode: str
) -> None:
    claim = {"claim": "Sydney is big."}

    async def use(client: Client) -> list[CallToolResult]:
        return [await client.call_tool("check_claim", claim), await client.call_tool("list_runs", {})]

    with serving(guarded, Scripted(thorough_events)) as server:
        checked, _ = ask(over_http(server, tokens[Role.FACT_CHECKER], mode=mode), use)
        shared, _ = ask(over_http(server, "the-shared-secret", mode=mode), use)
        refused, listed = ask(over_http(server, tokens[Role.VIEWER], mode=mode), use)
        files = call(over_http(server, tokens[Role.ADMIN], mode=mode), "verify_repository")

    assert "A viewer may not do that." in sentence(refused)
    runs = [content(shared)["run_id"], content(checked)["run_id"]]
    assert [run["run_id"] for run in content(listed)["runs"]] == runs
    assert "reads no files" in sentence(files)
    with RunStore(guarded.database) as store, store.read() as session:
        people = {person.username: person.id for person in Accounts(store).people()}
        started_by = [session.get_one(FactCheck, run).created_by for run in runs]
    assert started_by == [None, people["fact_checker"]]


def test_over_http_strangers_and_pages_of_others_are_refused(
    guarded: Settings, tokens: dict[Role, str]
) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    with serving(guarded, Scripted()) as server, server.client() as client:
        missing = client.post("/mcp", json=message)
        wrong = client.post("/mcp", json=message, headers={"Authorization": "Bearer vrd_wrong"})
        page = client.post("/mcp", json=message, headers={"Origin": "https://evil.example"})
        health = client.get("/health")

    assert (missing.status_code, wrong.status_code, page.status_code) == (401, 401, 403)
    assert "token" in missing.json()["error"]
    assert health.json()["status"] == "ok"


def test_without_accounts_and_token_only_this_machine_s_names_are_answered(settings: Settings) -> None:
    with serving(settings, Scripted()) as server, server.client() as client:
        foreign = client.post("/mcp", json={}, headers={"Host": "evil.example"})
        tools = ask(over_http(server), lambda client: client.list_tools())

    assert foreign.status_code == 403
    assert len(tools.tools) == 6


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_http_cancelling_a_call_cancels_its_run(settings: Settings, mode: str) -> None:
    class Endless(Scripted):
        async def __call__(self, *values: Any, **options: Any) -> AsyncIterator[Any]:
            self._gates = {0: asyncio.Event()}
            async for event in super().__call__(*values, **options):
                yield event

    with serving(settings, Endless(thorough_events)) as server:

        async def use(client: Client) -> tuple[RunState, str | None]:
            await cancelled_call(client)
            return await asyncio.wait_for(end_of_run(settings), 60)

        ended = ask(over_http(server, mode=mode), use)

    assert ended == (RunState.FAILED, CANCELLED)
