"""Access control, limits, security headers, error responses and metrics over HTTP."""

import http.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient
from tests.api_server import ApiServer, stream_request

from veridic.api.app import SECURITY_HEADERS, create_app
from veridic.api.guard import SignIn
from veridic.config.settings import Settings

TOKEN = "a-long-secret"
BASE_URL = "http://127.0.0.1:8000"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(home=tmp_path)), base_url=BASE_URL) as client:
        yield client


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[TestClient]:
    settings = Settings(home=tmp_path, api_token=SecretStr(TOKEN))
    app = create_app(settings, sign_in=SignIn("/sign-in", "/static/"))
    with TestClient(app, base_url="http://desk.example.org", follow_redirects=False) as client:
        yield client


def test_every_response_has_the_security_headers(client: TestClient) -> None:
    for response in (
        client.get("/health"),
        client.get("/nowhere"),
        client.put("/health"),
        client.get("/api/checks?limit=x"),
        client.get("/health", headers={"Host": "evil.example"}),
        client.post("/api/checks", content=b"x" * 10, headers={"Content-Length": "99999999999"}),
    ):
        assert (
            SECURITY_HEADERS.items()
            <= dict(response.headers.items() | _with_original_names(response)).items()
        )
        assert response.headers["cache-control"] == "no-store"
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def _with_original_names(response: httpx.Response) -> set[tuple[str, str]]:
    names = {name.lower(): name for name in SECURITY_HEADERS}
    return {(names[name], value) for name, value in response.headers.items() if name in names}


def test_unknown_host_names_are_refused(client: TestClient) -> None:
    for host in ("evil.example", "evil.example:8000", "127.0.0.1.nip.example"):
        refused = client.get("/api/checks", headers={"Host": host})
        assert refused.status_code == 403
        assert "VERIDIC_API_ALLOWED_HOSTS" in refused.json()["error"]
    assert client.get("/api/checks", headers={"Host": "localhost:8000"}).status_code == 200


def test_a_configured_host_name_is_accepted(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, api_allowed_hosts=("desk.example.org",))
    with TestClient(create_app(settings), base_url="http://Desk.example.org:99") as client:
        assert client.get("/api/checks").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:3000"},
    ],
)
def test_pages_of_other_origins_can_change_nothing(client: TestClient, headers: dict[str, str]) -> None:
    attempts = [
        client.post("/api/checks", json={"text": "t"}, headers=headers),
        client.post("/api/fact-check/stream", json=stream_request(), headers=headers),
        client.post("/api/checks/FC-2026-000001/cancel", headers=headers),
        client.delete("/api/checks/FC-2026-000001", headers=headers),
    ]

    assert [attempt.status_code for attempt in attempts] == [403] * 4
    assert client.get("/api/checks", headers=headers).json()["checks"] == []


def test_there_are_no_cors_headers(client: TestClient) -> None:
    preflight = client.options(
        "/api/checks", headers={"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    )

    assert "access-control-allow-origin" not in preflight.headers


def test_with_a_token_only_health_needs_none(guarded: TestClient) -> None:
    assert guarded.get("/health").status_code == 200
    for path in ("/ready", "/metrics", "/openapi.json", "/api/checks", "/api/models", "/nowhere"):
        refused = guarded.get(path)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert "Bearer" in refused.json()["error"]
    assert guarded.post("/api/checks", json={"text": "t"}).status_code == 401


def test_the_right_token_gives_access(guarded: TestClient) -> None:
    right = {"Authorization": f"Bearer {TOKEN}"}
    wrong = {"Authorization": f"Bearer {TOKEN}!"}

    assert guarded.get("/api/checks", headers=right).status_code == 200
    assert guarded.get("/api/checks", headers=wrong).status_code == 401


def test_wrong_tokens_are_rate_limited(guarded: TestClient) -> None:
    right = {"Authorization": f"Bearer {TOKEN}"}
    assert {guarded.get("/api/checks", headers=right).status_code for _ in range(20)} == {200}

    guesses = [
        guarded.get("/api/checks", headers={"Authorization": f"bearer {number}"}) for number in range(11)
    ]
    assert [guess.status_code for guess in guesses] == [401] * 10 + [429]
    assert 1 <= int(guesses[-1].headers["retry-after"]) <= 6
    assert "Too many tries" in guesses[-1].json()["error"]
    assert (
        guarded.get("/api/checks", headers=right).status_code == 429
    )  # the right token gets the same response as a guess
    assert guarded.get("/api/checks").status_code == 401
    assert guarded.get("/health").status_code == 200


def test_a_full_queue_refuses_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridic.runtime.runner.MAX_QUEUED", 1)
    with TestClient(create_app(Settings(home=tmp_path), works=False), base_url=BASE_URL) as client:
        accepted, refused = (
            client.post("/api/checks", json={"text": "Canberra is a city."}) for _ in range(2)
        )

    assert accepted.status_code == 202
    assert refused.status_code == 503
    assert int(refused.headers["retry-after"]) > 0
    assert "waiting their turn" in refused.json()["error"]


def test_resuming_counts_as_a_start(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, api_starts_per_minute=1)
    with TestClient(create_app(settings), base_url=BASE_URL) as client:
        answers = [client.post("/api/checks/FC-2026-000001/resume") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [404, 429]


def test_browsers_are_redirected_to_the_sign_in_page(guarded: TestClient) -> None:
    sent = guarded.get("/checks?q=a&b=//evil.example", headers={"Accept": "text/html"})

    assert sent.status_code == 303
    assert sent.headers["location"] == "/sign-in?next=/checks%3Fq%3Da%26b%3D//evil.example"
    assert guarded.get("/sign-in").status_code == 404  # needs no token, but this app has no pages
    assert guarded.get("/static/style.css").status_code == 404
    assert guarded.get("/staticky", headers={"Accept": "*/*"}).status_code == 401


def test_a_large_body_is_refused_by_content_length(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, api_max_request_bytes=1000)
    with TestClient(create_app(settings), base_url=BASE_URL) as client:
        for path in ("/api/checks", "/api/fact-check/stream"):
            refused = client.post(path, json={"text": "x" * 1000})
            assert refused.status_code == 413
            assert "1,000 bytes" in refused.json()["error"]
        assert client.post("/api/checks", json={"text": "  "}).status_code == 400


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/api/checks", "application/json"),
        ("/api/checks", "multipart/form-data; boundary=b"),
        ("/api/fact-check/stream", "application/json"),
    ],
)
def test_a_large_chunked_body_is_refused(tmp_path: Path, path: str, kind: str) -> None:
    with ApiServer(Settings(home=tmp_path, api_max_request_bytes=1000)) as server:
        address = urlsplit(server.url)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)
        part = b'--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n' + b"x" * 900
        chunks = [part, b"x" * 900, b"x" * 900]
        connection.request(
            "POST",
            path,
            iter(chunks),
            {"Content-Type": kind, "Transfer-Encoding": "chunked"},
            encode_chunked=True,
        )
        response = connection.getresponse()
        body = response.read()
        connection.close()

    assert response.status == 413
    assert b"1,000 bytes" in body


def test_starts_are_rate_limited(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, api_starts_per_minute=2)
    with TestClient(create_app(settings), base_url=BASE_URL) as client:
        statuses = [client.post("/api/checks", json={"text": " "}).status_code for _ in range(2)]
        refused = client.post("/api/fact-check/stream", json=stream_request())
        listed = client.get("/api/checks")

    assert statuses == [400, 400]
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 30
    assert "2 checks" in refused.json()["error"]
    assert listed.status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nowhere", 404), ("GET", "/docs", 404), ("GET", "/redoc", 404), ("PUT", "/health", 405), ("GET", "/api/fact-check/stream", 405), ("GET", "/api/checks/../../etc/passwd", 404)],
)  # fmt: skip
def test_unknown_paths_and_methods_give_an_error_body(
    client: TestClient, method: str, path: str, status: int
) -> None:
    refused = client.request(method, path)

    assert refused.status_code == status
    assert set(refused.json()) == {"error"}
    assert ("allow" in refused.headers) == (status == 405)


def test_unexpected_errors_reveal_no_details(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    async def broken() -> None:
        raise RuntimeError("the secret is 42")

    client.app.add_api_route("/broken", broken)  # type: ignore[attr-defined]

    response = client.get("/broken")

    assert response.status_code == 500
    assert response.json() == {"error": "Something went wrong on the server; its log says what."}
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "the secret is 42" in caplog.text


def test_ready_reports_missing_model_files(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/ready").json() == {"database": "ok", "model": "ok"}
    monkeypatch.setattr("veridic.api.service._MODEL_FILES", ("verifier.onnx", "lost.onnx"))

    missing = client.get("/ready")

    assert missing.status_code == 503
    assert "lost.onnx" in missing.json()["error"]
    assert "verifier.onnx" not in missing.json()["error"]


def test_requests_are_counted_by_route(client: TestClient) -> None:
    client.get("/api/checks/FC-2026-000001")
    client.get("/some/path/that/was/made/up")
    client.request("ODD", "/health")

    counted = client.get("/metrics")

    assert counted.headers["content-type"].startswith("text/plain")
    assert 'route="/api/checks/{run_id}",status="404"} 1.0' in counted.text
    assert 'method="GET",route="unmatched",status="404"} 1.0' in counted.text
    assert 'method="other",route="/health",status="405"} 1.0' in counted.text
    assert "made/up" not in counted.text
