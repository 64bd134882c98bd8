"""Summary and thorough mode over HTTP, with scripted search and model servers."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from tests.api_server import ApiServer, Told, read_events
from tests.llm_server import ScriptedServer
from tests.search_server import SearchServer

from veridic.api.payloads import VALIDATION_PAYLOADS
from veridic.config.settings import Settings
from veridic.domain.events import EventName
from veridic.engine.open_evidence import add_to_corpus
from veridic.providers.llm.connect import connect_models
from veridic.providers.search.sifting import Row

_TOWER = "The Eiffel Tower is 330 metres tall."
_LOUVRE = "The Louvre has 403 rooms."
_TEXT = f"{_TOWER} {_LOUVRE}"
_ROWS = [
    Row("On the tower", "https://tower.example/height", "2019-05-01", f"{_TOWER} It was built for a fair."),
    Row("On the museum", "https://museum.example/rooms", "2018", f"Many visitors get lost. {_LOUVRE}"),
]


@pytest.fixture
def searches() -> Iterator[SearchServer]:
    with SearchServer() as server:
        server.find(_ROWS)
        yield server


@pytest.fixture
def models() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.script_validation(claims=[_TOWER, _LOUVRE], verdicts={_LOUVRE: "FALSE"})
        yield server


@pytest.fixture
def settings(models: ScriptedServer, searches: SearchServer, tmp_path: Path) -> Settings:
    return Settings(
        home=tmp_path,
        llm_base_url=models.url,
        llm_model="test/reader",
        exa_api_key="key",
        exa_base_url=searches.url("exa"),
        validation_stagger_seconds=0,
        max_concurrent_validations=1,
    )


@pytest.fixture
def client(settings: Settings) -> Iterator[httpx.Client]:
    with ApiServer(settings, connect=connect_models) as server, server.client() as client:
        yield client


def run(client: httpx.Client, **body: Any) -> tuple[dict[str, Any], list[Told]]:
    """Run a check; return the finished run and its events."""
    started = client.post("/api/checks", json={"text": _TEXT} | body)
    assert started.status_code == 202, started.text
    with client.stream("GET", started.json()["links"]["events"]) as response:
        events = list(read_events(response.iter_lines()))
    detail: dict[str, Any] = client.get(started.headers["location"]).json()
    return detail, events


def named(events: list[Told], name: EventName) -> list[Any]:
    return [event.data for event in events if event.name == name]


@pytest.mark.parametrize("mode", ["thorough", "summary"])
def test_payloads_conform_to_the_schema(client: httpx.Client, mode: str) -> None:
    detail, events = run(client, mode=mode)

    assert detail["state"] == "completed"
    for event in events:
        VALIDATION_PAYLOADS[event.name].model_validate(event.data)  # type: ignore[index]
    order = [event.name for event in events]
    assert order[:2] == ["check_started", "claims_extracted"]
    assert order[-2:] == ["report_ready", "complete"]
    assert {"search_completed", "evidence_collected", "claim_decided", "usage_updated"} <= set(order)
    assert not {"evidence_gathered", "model_called"} & set(order)


def test_thorough_mode_searches_four_channels_for_each_claim(client: httpx.Client) -> None:
    _, events = run(client, mode="thorough")

    asked = [(search["claim_id"], search["channel"]) for search in named(events, EventName.SEARCH_COMPLETED)]
    assert sorted(asked) == sorted(
        (claim, channel)
        for claim in ("claim_1", "claim_2")
        for channel in ("news", "research", "general", "historical")
    )
    decided = {claim["claim_id"]: claim for claim in named(events, EventName.CLAIM_DECIDED)}
    assert decided["claim_1"]["verdict"] == "SUPPORTED"
    assert {source["stance"] for source in decided["claim_1"]["sources"]} <= {
        "supporting", "contradicting", "contextual",
    }  # fmt: skip
    spent = named(events, EventName.USAGE_UPDATED)
    assert [one["cost_usd"] for one in spent] == sorted(one["cost_usd"] for one in spent)
    assert spent[-1]["calls"] == 3
    assert spent[-1]["searches"] == 8


def test_summary_mode_searches_once_for_all_claims(client: httpx.Client) -> None:
    detail, events = run(client, mode="summary")

    asked = [(search["claim_id"], search["channel"]) for search in named(events, EventName.SEARCH_COMPLETED)]
    assert sorted(asked) == [(None, channel) for channel in ("general", "historical", "news", "research")]
    assert detail["report"]["mode"] == "summary"


def test_a_failed_channel_is_reported(client: httpx.Client, searches: SearchServer) -> None:
    searches.answer(status=400, error="no credit", when=lambda request: "category" not in request.body)

    detail, events = run(client, mode="thorough")

    failed = [one for one in named(events, EventName.SEARCH_COMPLETED) if not one["succeeded"]]
    assert {one["channel"] for one in failed} == {"general", "historical"}
    assert all("no credit" in problem for one in failed for problem in one["problems"])
    assert detail["state"] == "completed"


def test_as_of_excludes_newer_sources(client: httpx.Client) -> None:
    detail, events = run(client, mode="thorough", as_of="2018-12-31")

    assert detail["report"]["as_of"] == "2018-12-31"
    found = [
        source["url"] for search in named(events, EventName.SEARCH_COMPLETED) for source in search["sources"]
    ]
    assert set(found) == {"https://museum.example/rooms"}


def test_a_spent_budget_ends_the_run_with_a_report(client: httpx.Client) -> None:
    detail, events = run(client, mode="thorough", maxCost=0.013)

    assert [claim["id"] for claim in detail["report"]["claims"]] == ["claim_1"]
    assert [one["failure"]["stage"] for one in named(events, EventName.STAGE_FAILED)] == ["budget"]
    assert named(events, EventName.USAGE_UPDATED)[-1]["cost_usd"] <= 0.013


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"as_of": str(datetime.now(UTC).date() + timedelta(days=2))}, "as_of can't be in the future"),
        ({"asOf": "soon"}, "as_of should be a valid date"),
        ({"mode": "summary", "models": {"checkers": ["a/b", "c/d"]}}, "In summary mode models names"),
        ({"mode": "thorough", "models": {"reporter": "a/b"}}, "In thorough mode models names"),
        ({"mode": "thorough", "engine": "embedded", "models": {"checkers": ["a/b"]}}, "a/b can't be the validator"),
    ],
)  # fmt: skip
def test_invalid_orders_are_refused(client: httpx.Client, body: dict[str, Any], sentence: str) -> None:
    refused = client.post("/api/checks", json={"text": _TEXT} | body)

    assert refused.status_code == 400
    assert sentence in refused.json()["error"]


def test_the_embedded_engine_takes_the_same_request(
    client: httpx.Client, settings: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "tower.txt").write_text("The Eiffel Tower is 120 metres tall.", encoding="utf-8")
    add_to_corpus("desk", [folder], settings)

    detail, events = run(client, mode="thorough", engine="embedded", against=["desk"])

    assert detail["report"]["claims"][0]["verdict"] == "REFUTED"
    assert named(events, EventName.USAGE_UPDATED) == []
    assert all(search["asked"] == ["desk"] for search in named(events, EventName.SEARCH_COMPLETED))


def test_forms_take_the_same_fields(client: httpx.Client) -> None:
    started = client.post(
        "/api/checks",
        data={"mode": "summary", "asOf": "2025-01-21", "maxCost": "0.5", "engine": "llm"},
        files={"file": ("notes.txt", _TEXT.encode(), "text/plain")},
    )

    assert started.status_code == 202, started.text
    assert started.json()["mode"] == "summary"


@pytest.mark.parametrize("mode", ["summary", "thorough", "consensus"])
def test_an_estimate_calls_no_model_or_search(
    client: httpx.Client, models: ScriptedServer, searches: SearchServer, mode: str
) -> None:
    estimate = client.post("/api/checks/estimate", json={"text": _TEXT, "mode": mode})

    assert estimate.status_code == 200, estimate.text
    body = estimate.json()
    assert body["mode"] == mode
    assert body["claims"] >= 1
    assert body["searches"] >= 4
    assert body["cost_usd"] == pytest.approx(body["model_cost_usd"] + body["search_cost_usd"])
    assert models.requests == []
    assert searches.requests == []
    assert client.get("/api/checks").json()["checks"] == []


def test_models_lists_validator_and_search_providers(client: httpx.Client) -> None:
    listed = client.get("/api/models").json()

    assert listed["validation"] == {"extractor": "test/reader", "validator": "test/reader"}
    assert listed["search"] == ["exa"]
