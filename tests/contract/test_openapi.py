"""The API conforms to its OpenAPI document, also for generated requests."""

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tests.api_server import ApiServer
from tests.builders import make_document, sample_report

from veridic import __version__
from veridic.api.app import create_app
from veridic.api.dependencies import page_fetcher
from veridic.api.desk_requests import AssignRequest, CreateRequest, VerifyRequest
from veridic.api.metrics import Metrics
from veridic.api.payloads import PAYLOADS
from veridic.api.requests import CheckRequest, FactCheckConfig, FactCheckStreamRequest
from veridic.config.settings import Settings
from veridic.domain.errors import ForbiddenAddressError
from veridic.domain.events import Event, EventName
from veridic.engine.order import CheckOrder

DESCRIPTION = create_app(Settings(home=Path("nowhere"))).openapi()
schema = schemathesis.openapi.from_dict(DESCRIPTION)


async def empty_run(order: CheckOrder, settings: Settings, **_: Any) -> AsyncIterator[Event]:
    yield Event(name=EventName.ERROR, data={"message": "Nothing is checked here."})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiServer]:
    def no_network(*_: Any, **__: Any) -> NoReturn:
        raise ForbiddenAddressError("No page is fetched here.")

    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("veridic.api.requests.read_document", no_network)
        with ApiServer(Settings(home=home, api_starts_per_minute=1_000_000), pipeline=empty_run) as running:
            with running.client() as client:
                client.get("/health")
            store = running.runner.store
            store.complete(store.begin(make_document(), mode="thorough", engine="embedded"), sample_report())
            assert isinstance(running.app, FastAPI)
            running.app.dependency_overrides[page_fetcher] = lambda: SimpleNamespace(fetch=no_network)
            yield running


@schema.parametrize()
@settings(max_examples=10, suppress_health_check=list(HealthCheck))
def test_responses_conform_to_the_schema(case: Any, server: ApiServer) -> None:
    # Some rules are not in the schema, such as unknown corpora or two subjects at once.
    case.call_and_validate(base_url=server.url, excluded_checks=[positive_data_acceptance])


def test_every_operation_and_response_is_described() -> None:
    operations = [
        (path, method, operation)
        for path, methods in DESCRIPTION["paths"].items()
        for method, operation in methods.items()
    ]

    assert DESCRIPTION["info"]["version"] == __version__
    assert len(operations) >= 13
    for path, method, operation in operations:
        where = f"{method} {path}"
        assert operation["summary"], where
        assert operation["description"], where
        assert "422" not in operation["responses"], where
        for status, response in operation["responses"].items():
            if status >= "400":
                assert response["content"]["application/json"]["example"]["error"], where
            assert response["description"], where
    for payload in PAYLOADS.values():
        assert payload.__name__ in DESCRIPTION["components"]["schemas"]


def test_every_reference_resolves() -> None:
    def references(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                yield value["$ref"]
            for inner in value.values():
                yield from references(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from references(inner)

    schemas = DESCRIPTION["components"]["schemas"]
    assert {reference.rpartition("/")[2] for reference in references(DESCRIPTION)} <= set(schemas)


def test_request_examples_are_valid() -> None:
    for kind in (FactCheckStreamRequest, CheckRequest, CreateRequest, AssignRequest, VerifyRequest):
        examples = DESCRIPTION["components"]["schemas"][kind.__name__]["examples"]
        assert examples
        for example in examples:
            kind.model_validate(example)


def test_the_api_page_lists_every_route_event_and_metric() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    routes = {
        f"{method.upper()} {path}" for path, methods in DESCRIPTION["paths"].items() for method in methods
    }
    fields = {f"modeConfig.{field.alias}" for field in FactCheckConfig.model_fields.values()}
    metrics = {family.name for family in Metrics().registry.collect()}

    assert set(re.findall(r"^\| `([A-Z]+ /\S+)` \|", page, re.MULTILINE)) == routes
    assert all(f"| `{name}` |" in page for name in PAYLOADS)
    assert all(f"`{field}`" in page for field in fields | set(CheckRequest.model_fields))
    assert all(name in page for name in metrics)
