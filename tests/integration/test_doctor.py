"""`veridic doctor`: what it finds, what it asks, and that it tells no secret."""

import json
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
import pytest
from tests.builders import make_document
from tests.command import environment, run_veridic, run_veridic_with

from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.domain.people import LOCAL_USER, Role
from veridic.providers.embedded import onnx_model
from veridic.store.runs import RunStore

Findings = dict[str, dict[str, Any]]


def examine(home: Path, *options: str, **variables: str) -> tuple[int, Findings]:
    """The exit code, and the findings by name."""
    done = run_veridic_with(environment(home, **variables), "doctor", "--format", "json", *options)
    content = json.loads(done.stdout)
    assert content["ok"] is (done.returncode == 0)
    return done.returncode, {finding["name"]: finding for finding in content["findings"]}


@contextmanager
def model_server(
    status: int = 200, models: tuple[str, ...] = ("test/any",)
) -> Iterator[tuple[str, list[str]]]:
    """A server on this machine that answers every request so; its address, and the keys that it was sent."""
    keys: list[str] = []
    body = json.dumps({"data": [{"id": model} for model in models]}).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            keys.append(self.headers.get("Authorization", ""))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1", keys
        server.shutdown()


def test_a_new_installation_works_and_nothing_is_written(tmp_path: Path) -> None:
    home = tmp_path / "home"

    code, found = examine(home)
    text = run_veridic("doctor", home=home)

    assert code == text.returncode == 0
    assert found["embedded model"]["status"] == found["packages"]["status"] == "ok"
    assert found["language models"]["status"] == found["search"]["status"] == "not set up"
    assert found["access"]["mend"] == "veridic user add NAME --role admin"
    assert all(finding["mend"] for finding in found.values() if finding["status"] != "ok")
    assert text.stdout.endswith("\nVeridic works.\n")
    assert not home.exists()


def test_every_extra_that_people_use_is_examined(tmp_path: Path) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    for_people = set(project["optional-dependencies"]) - {"all", "dev", "docs", "training"}

    _, found = examine(tmp_path)

    assert {name.removeprefix("extra ") for name in found if name.startswith("extra ")} == for_people


def test_a_server_that_can_not_be_reached_stays_the_database(tmp_path: Path) -> None:
    """Its runs are there: another database would have none."""
    code, found = examine(
        tmp_path, VERIDIC_DATABASE_URL="postgresql://desk:pw-sesame@127.0.0.1:1/checks?connect_timeout=2"
    )

    assert (code, found["database"]["status"]) == (3, "broken")
    assert found["database"]["mend"] == "psql postgresql://desk@127.0.0.1:1/checks"


SECRETS = {
    "OPENROUTER_API_KEY": "sk-or-sesame\nsesame",  # can't even be sent
    "OPENAI_API_KEY": "sk-oa-sesame",
    "ANTHROPIC_API_KEY": "sk-an-sesame",
    "EXA_API_KEY": "exa-sesame",
    "BRAVE_API_KEY": "brave-sesame",
    "TAVILY_API_KEY": "tavily-sesame",
    "VERIDIC_LLM_API_KEY": "own-sesame",
    "VERIDIC_API_TOKEN": "short-sesame",
    "VERIDIC_DATABASE_URL": "postgresql://user:pw-sesame@127.0.0.1:1/name?password=query-sesame",
    "VERIDIC_LLM_BASE_URL": "http://127.0.0.1:1/v1?key=url-sesame",
    "VERIDIC_LLM_MODEL": "test/any",
}


def test_keys_and_tokens_are_never_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **options: Any) -> httpx2.Client:
        raise httpx2.ConnectError(f"no network for {SECRETS}")

    monkeypatch.setattr(httpx2, "Client", refuse)
    for options in ((), ("--network",), ("--format", "json"), ("--network", "--format", "json")):
        done = run_veridic_with(environment(tmp_path, **SECRETS), "doctor", *options)

        assert done.returncode == 3
        assert "sesame" not in done.stdout + done.stderr
        assert "127.0.0.1:1/v1 does not answer" in done.stdout


def test_nobody_outside_this_machine_is_asked_without_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> httpx2.Client:
        raise AssertionError("somebody was asked")

    monkeypatch.setattr(httpx2, "Client", fail)

    code, found = examine(
        tmp_path,
        VERIDIC_LLM_BASE_URL="https://models.example/v1",
        VERIDIC_LLM_MODEL="test/any",
        EXA_API_KEY="key",
        OPENAI_API_KEY="key",
    )

    assert code == 0
    for name in ("model server", "openai", "search exa"):
        assert "`veridic doctor --network`" in found[name]["message"]


def test_a_model_server_on_this_machine_is_asked(tmp_path: Path) -> None:
    with model_server() as (address, keys):
        variables = {"VERIDIC_LLM_BASE_URL": address, "VERIDIC_LLM_MODEL": "test/any"}
        _, right = examine(tmp_path, VERIDIC_LLM_API_KEY="the-key", **variables)
        _, other = examine(tmp_path, **variables | {"VERIDIC_LLM_MODEL": "test/other"})
    with model_server(401) as (address, _):
        refused = examine(tmp_path, **variables | {"VERIDIC_LLM_BASE_URL": address})
    gone = examine(tmp_path, **variables | {"VERIDIC_LLM_BASE_URL": address})
    nameless = examine(tmp_path, VERIDIC_LLM_BASE_URL=address)

    assert right["model server"]["status"] == "ok"
    assert keys[0] == "Bearer the-key"
    assert other["model server"]["status"] == "warning"
    assert other["model server"]["mend"] == "export VERIDIC_LLM_MODEL=test/any"
    assert (refused[0], refused[1]["model server"]["mend"]) == (3, "export VERIDIC_LLM_API_KEY=...")
    assert (gone[0], gone[1]["model server"]["status"]) == (3, "broken")
    assert (nameless[0], nameless[1]["language models"]["status"]) == (3, "broken")


def test_a_database_is_read_and_not_upgraded(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    with RunStore(settings.database) as store:
        Accounts(store).add(LOCAL_USER, "ada", "correct horse battery", Role.ADMIN)
    file = tmp_path / "veridic.db"

    def state(revision: str | None = None) -> tuple[int, str, str | None]:
        if revision is not None:
            with closing(sqlite3.connect(file)) as connection, connection:
                connection.execute("UPDATE alembic_version SET version_num = ?", [revision])
        code, found = examine(tmp_path)
        return code, found["database"]["status"], found["database"]["mend"]

    def queue() -> tuple[str, str | None]:
        found = examine(tmp_path)[1]["queue"]
        return found["status"], found["mend"]

    assert state() == (0, "ok", None)
    assert queue() == ("ok", None)
    with RunStore(settings.database) as store:
        store.enqueue(store.begin(make_document(), mode="thorough", engine="embedded"))
    assert queue() == ("warning", "veridic worker")
    assert "one account" in examine(tmp_path)[1]["access"]["message"]
    assert state("0003") == (0, "warning", "veridic db upgrade")
    assert state() == (0, "warning", "veridic db upgrade")
    assert state("9999")[:2] == (3, "broken")
    file.write_bytes(b"something else" * 100)
    assert state()[:2] == (3, "broken")


def test_what_is_damaged_or_out_of_reach_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    home = examine(tmp_path / "file" / "home")
    value = examine(tmp_path, VERIDIC_MAX_COST_USD="secret")
    search = examine(tmp_path, VERIDIC_SEARCH="exa")
    monkeypatch.setattr(onnx_model, "published_digest", lambda name: "0")
    model = examine(tmp_path)

    for (code, found), name in (
        (home, "home"),
        (value, "settings"),
        (search, "search"),
        (model, "embedded model"),
    ):
        assert (code, found[name]["status"]) == (3, "broken")
    assert "VERIDIC_MAX_COST_USD" in value[1]["settings"]["message"]
    assert "secret" not in value[1]["settings"]["message"]
    assert "--force-reinstall" in model[1]["embedded model"]["mend"]
