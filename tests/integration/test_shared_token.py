"""A server with a shared token and no account: checks can be started and read, and what needs a person is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient
from tests.builders import make_document, sample_report

from veridic.config.settings import Settings
from veridic.desk.desk import Desk
from veridic.domain.people import LOCAL_USER
from veridic.store.runs import RunStore
from veridic.web.app import create_web_app

_TOKEN = {"Authorization": "Bearer the-shared-secret"}
_BROWSER = _TOKEN | {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(home=tmp_path_factory.mktemp("home"), api_token=SecretStr("the-shared-secret"))
    with TestClient(
        create_web_app(settings), base_url="http://desk.example.org", follow_redirects=False
    ) as client:
        yield client


@pytest.fixture
def run_id(client: TestClient) -> str:
    store: RunStore = client.app.state.runner.store  # type: ignore[attr-defined]
    begun = store.begin(make_document(), mode="thorough", engine="embedded")
    store.complete(begun, sample_report())
    return begun


def test_checks_are_started_and_read(client: TestClient, run_id: str) -> None:
    started = client.post("/api/checks", json={"text": "Canberra is a city."}, headers=_TOKEN)

    assert started.status_code == 202
    assert client.get(f"/api/checks/{run_id}", headers=_TOKEN).status_code == 200
    assert client.get("/", headers=_BROWSER).status_code == 200
    page = client.get(f"/checks/{run_id}", headers=_BROWSER).text
    assert "Run again" in page and "Delete this check" not in page


REFUSED = [
    ("GET", "/desk"),
    ("GET", "/desk/people"),
    ("POST", "/desk/new"),
    ("GET", "/api/fact-checking/checks"),
    ("POST", "/api/fact-checking/create"),
    ("GET", "/api/fact-checking/audit"),
    ("DELETE", "/api/checks/{run_id}"),
    ("POST", "/checks/{run_id}/delete"),
]


@pytest.mark.parametrize(("method", "path"), REFUSED)
def test_what_needs_a_person_is_refused(client: TestClient, run_id: str, method: str, path: str) -> None:
    answer = client.request(method, path.format(run_id=run_id), headers=_BROWSER)

    assert answer.status_code == 403
    assert "veridic user add" in answer.text


def test_the_desk_without_token_and_account_is_one_person_s(tmp_path: Path) -> None:
    with TestClient(create_web_app(Settings(home=tmp_path)), base_url="http://localhost") as alone:
        assert alone.get("/desk").status_code == 200
        assert Desk(alone.app.state.runner.store).queue(LOCAL_USER) == []  # type: ignore[attr-defined]
