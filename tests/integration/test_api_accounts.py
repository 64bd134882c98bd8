"""Sign-in, rights of each role and tokens over HTTP, on a server with accounts."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.domain.people import LOCAL_USER, Role
from veridic.store.runs import RunStore
from veridic.web.app import create_web_app

PASSWORD = "correct horse battery"
SHARED = "the-shared-secret"
BROWSER = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path, api_token=SecretStr(SHARED))


@pytest.fixture
def tokens(settings: Settings) -> dict[Role, str]:
    """A server's accounts, one for each role, with a token each."""
    with RunStore(settings.database) as store:
        accounts = Accounts(store)
        for role in Role:
            accounts.add(LOCAL_USER, role.value, PASSWORD, role)
        return {role: accounts.create_token(LOCAL_USER, role.value, "test") for role in Role}


@pytest.fixture
def client(settings: Settings, tokens: dict[Role, str]) -> Iterator[TestClient]:
    with TestClient(
        create_web_app(settings), base_url="http://desk.example.org", follow_redirects=False
    ) as client:
        yield client


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def sign_in(client: TestClient, name: str, password: str = PASSWORD) -> int:
    fields = {"username": name, "password": password, "next": "/checks"}
    return client.post("/sign-in", data=fields, headers=BROWSER).status_code


def test_without_a_session_nothing_is_shown(client: TestClient) -> None:
    assert client.get("/api/checks").status_code == 401
    redirect = client.get("/checks", headers=BROWSER)
    assert redirect.headers["location"] == "/sign-in?next=/checks"
    assert "User name" in client.get("/sign-in").text
    assert client.get("/api/checks", headers={"Cookie": "veridic_session=forged"}).status_code == 401
    assert client.get("/health").status_code == 200


def test_a_person_signs_in_changes_the_password_and_signs_out(client: TestClient) -> None:
    assert sign_in(client, "editor", "wrong password") == 403
    assert sign_in(client, "editor") == 303
    assert "editor" in client.get("/checks", headers=BROWSER).text
    weak = client.post("/account/password", data={"current": PASSWORD, "new": "short"}, headers=BROWSER)
    assert weak.status_code == 400
    assert "12 to" in weak.text
    made = client.post("/account/tokens", data={"name": "<b>script</b>"}, headers=BROWSER)
    assert "vrd_" in made.text
    assert "<b>script" not in made.text
    changed = client.post(
        "/account/password", data={"current": PASSWORD, "new": "a new long password"}, headers=BROWSER
    )
    assert changed.status_code == 303
    assert client.get("/api/checks").status_code == 401
    assert sign_in(client, "editor", "a new long password") == 303
    cookie = client.cookies["veridic_session"]
    client.post("/sign-out", headers=BROWSER)
    client.cookies.set("veridic_session", cookie)
    assert client.get("/api/checks").status_code == 401


def test_a_cookie_without_an_origin_changes_nothing(client: TestClient) -> None:
    sign_in(client, "admin")
    body = {"text": "The capital of Australia is Sydney."}
    assert client.post("/api/checks", json=body).status_code == 403
    assert client.post("/api/checks", json=body, headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.post("/api/checks", json=body, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 202


@pytest.mark.parametrize(
    ("role", "starts", "deletes"),
    [(Role.VIEWER, 403, 403), (Role.FACT_CHECKER, 202, 403), (Role.EDITOR, 202, 404), (Role.ADMIN, 202, 404)],
)
def test_each_role_may_do_what_it_should(
    client: TestClient, tokens: dict[Role, str], role: Role, starts: int, deletes: int
) -> None:
    token = bearer(tokens[role])
    assert client.get("/api/checks", headers=token).status_code == 200
    started = client.post("/api/checks", json={"text": "Canberra is a city."}, headers=token)
    assert started.status_code == starts
    assert client.delete("/api/checks/FC-2020-000001", headers=token).status_code == deletes


def test_a_viewer_can_change_nothing_over_any_route(client: TestClient, tokens: dict[Role, str]) -> None:
    paths = client.get("/openapi.json", headers=bearer(tokens[Role.VIEWER])).json()["paths"]
    changes = [
        (method, path.replace("{run_id}", "FC-2020-000001"))
        for path, operations in paths.items()
        for method in operations
        if method not in ("get", "head")
    ]
    assert len(changes) >= 20
    for method, path in changes:
        assert client.request(method, path, headers=bearer(tokens[Role.VIEWER])).status_code == 403, path


def test_who_started_a_check_is_saved(
    client: TestClient, tokens: dict[Role, str], settings: Settings
) -> None:
    started = client.post(
        "/api/checks", json={"text": "Canberra is a city."}, headers=bearer(tokens[Role.FACT_CHECKER])
    )
    with sqlite3.connect(settings.database.removeprefix("sqlite:///")) as rows:
        found = rows.execute(
            "SELECT u.username FROM fact_checks f JOIN users u ON u.id = f.created_by WHERE f.id = ?",
            (started.json()["id"],),
        ).fetchall()
    rows.close()
    assert found == [("fact_checker",)]


def test_the_shared_token_starts_checks_but_deletes_nothing(client: TestClient) -> None:
    assert client.get("/api/checks", headers=bearer(SHARED)).status_code == 200
    assert client.delete("/api/checks/FC-2020-000001", headers=bearer(SHARED)).status_code == 403


def test_guessing_tokens_is_slowed_down(client: TestClient, tokens: dict[Role, str]) -> None:
    statuses = [client.get("/api/checks", headers=bearer("vrd_guess")).status_code for _ in range(12)]
    assert statuses[0] == 401
    assert statuses[-1] == 429
    assert client.get("/api/checks", headers=bearer(tokens[Role.ADMIN])).status_code == 429
