"""Signing in with OpenID Connect, against an issuer on this machine."""

import logging
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient
from tests.oidc_issuer import CLIENT_ID, CLIENT_SECRET, FakeIssuer, new_key, signed, unsigned

from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.desk.oidc_accounts import name_at
from veridic.domain.people import LOCAL_USER, Role
from veridic.store.audit import entries
from veridic.store.runs import RunStore
from veridic.web.app import create_web_app

BROWSER = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}
SUBJECT = "248289761001"


@pytest.fixture
def issuer() -> Iterator[FakeIssuer]:
    with FakeIssuer() as issuer:
        yield issuer


@pytest.fixture
def settings(tmp_path: Path, issuer: FakeIssuer) -> Settings:
    return Settings(
        home=tmp_path,
        oidc_issuer=issuer.url,
        oidc_client_id=CLIENT_ID,
        oidc_client_secret=SecretStr(CLIENT_SECRET),
        oidc_name="Example News",
    )


@pytest.fixture
def store(settings: Settings) -> Iterator[RunStore]:
    with RunStore(settings.database) as store:
        yield store


@pytest.fixture
def accounts(store: RunStore, issuer: FakeIssuer) -> Accounts:
    """An admin who signs in at the issuer."""
    accounts = Accounts(store)
    accounts.add(LOCAL_USER, "mira", None, Role.ADMIN, oidc=name_at(issuer.url, SUBJECT))
    return accounts


Opener = Callable[[Settings], TestClient]


@pytest.fixture
def open_app(accounts: Accounts) -> Iterator[Opener]:
    opened: list[TestClient] = []

    def open_one(settings: Settings) -> TestClient:
        client = TestClient(
            create_web_app(settings),
            base_url="http://desk.example.org",
            headers=BROWSER,
            follow_redirects=False,
        )
        opened.append(client.__enter__())
        return client

    yield open_one
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture
def client(open_app: Opener, settings: Settings) -> TestClient:
    return open_app(settings)


def begin(client: TestClient, next_path: str = "/checks") -> str:
    """Where the app sends the browser."""
    response = client.get("/sign-in/oidc", params={"next": next_path})
    assert response.status_code == 303, response.text
    return str(response.headers["location"])


def sign_in(client: TestClient, issuer: FakeIssuer, next_path: str = "/checks") -> Any:
    return client.get(issuer.send_back(begin(client, next_path)))


def who(client: TestClient) -> str | None:
    """The account that the browser is signed in to."""
    page = client.get("/account")
    return page.text.partition("<h1>")[2].partition("</h1>")[0] if page.status_code == 200 else None


def test_sign_in_and_out_with_the_issuer(client: TestClient, issuer: FakeIssuer) -> None:
    page = client.get("/sign-in?next=/checks?q=a%26b").text
    assert "Sign in with Example News" in page
    assert 'href="/sign-in/oidc?next=/checks%3Fq%3Da%26b"' in page

    signed_in = sign_in(client, issuer, "/checks?q=a&b")
    assert signed_in.status_code == 200
    assert 'content="0; url=/checks?q=a&amp;b"' in signed_in.text
    assert who(client) == "mira"
    client.post("/sign-out")
    assert who(client) is None


def test_redirect_carries_state_nonce_and_pkce(client: TestClient, issuer: FakeIssuer) -> None:
    first, second = (parse_qs(urlsplit(begin(client)).query) for _ in range(2))
    assert first["tenant"] == ["1"]
    assert first["redirect_uri"] == ["http://desk.example.org/sign-in/oidc/callback"]
    assert first["code_challenge_method"] == ["S256"]
    secrets = [one[name][0] for one in (first, second) for name in ("state", "nonce", "code_challenge")]
    assert len(set(secrets)) == 6
    cookie = client.get("/sign-in/oidc").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert not any(secret in cookie for secret in secrets)


def test_behind_https_no_other_host_can_set_the_cookie(open_app: Opener, settings: Settings) -> None:
    client = open_app(settings.model_copy(update={"desk_url": "https://checks.example.org/"}))
    response = client.get("/sign-in/oidc")
    query = parse_qs(urlsplit(response.headers["location"]).query)
    assert query["redirect_uri"] == ["https://checks.example.org/sign-in/oidc/callback"]
    assert response.headers["set-cookie"].startswith("__Host-veridic_oidc=")
    assert "Secure" in response.headers["set-cookie"]


def test_nobody_is_led_elsewhere(client: TestClient, issuer: FakeIssuer) -> None:
    for target in ("https://evil.example/", "//evil.example", "/\\evil.example", "/\t/evil.example"):
        page = sign_in(client, issuer, target)
        assert 'content="0; url=/"' in page.text
        assert "evil" not in page.text


def test_who_is_not_proven_stays_out(client: TestClient, issuer: FakeIssuer) -> None:
    keep_signing = issuer.sign
    faults: list[tuple[dict[str, Any], Callable[[dict[str, Any]], str], str]] = [
        ({"nonce": "another"}, keep_signing, "the ID token belongs to another sign-in."),
        ({"aud": "another application"}, keep_signing, "the ID token is meant for another application."),
        ({"exp": int(time.time()) - 120}, keep_signing, "the ID token has expired, or is not valid yet."),
        ({}, unsigned, "the ID token is malformed, or its signature is not accepted."),
        (
            {},
            lambda claims: signed(claims, new_key("first")),
            "the ID token is not signed with a key of the issuer.",
        ),
    ]
    for claims, sign, reason in faults:
        issuer.changed_claims, issuer.sign = claims, sign
        page = sign_in(client, issuer)
        assert page.status_code == 403
        assert f"The sign-in with Example News did not work: {reason}" in page.text
        assert who(client) is None
    issuer.changed_claims, issuer.sign = {}, keep_signing
    assert sign_in(client, issuer).status_code == 200


def test_the_issuer_may_change_its_key(client: TestClient, issuer: FakeIssuer) -> None:
    assert sign_in(client, issuer).status_code == 200
    assert sign_in(client, issuer).status_code == 200
    assert issuer.asked.count("/keys") == 1
    assert issuer.asked.count("/.well-known/openid-configuration") == 1
    issuer.key = new_key("second")
    issuer.published = [issuer.key]
    assert sign_in(client, issuer).status_code == 200
    assert issuer.asked.count("/keys") == 2


def test_a_sign_in_ends_once(client: TestClient, issuer: FakeIssuer) -> None:
    location = begin(client)
    cookie = client.cookies["veridic_oidc"]
    assert client.get(issuer.send_back(location)).status_code == 200
    client.post("/sign-out")
    for kept_cookie in (False, True):
        if kept_cookie:
            client.cookies.set("veridic_oidc", cookie)
        # Another code for the same state and nonce: only the app can refuse it.
        replayed = client.get(issuer.send_back(location))
        assert replayed.status_code == 403
        assert "begun in another browser, has ended already or took too long" in replayed.text
    assert who(client) is None


def test_sign_in_ends_only_in_its_browser(client: TestClient, issuer: FakeIssuer) -> None:
    back = issuer.send_back(begin(client))
    own_cookie = client.cookies["veridic_oidc"]
    client.cookies.clear()
    assert client.get(back).status_code == 403
    begin(client)
    assert client.get(back).status_code == 403
    client.cookies.clear()
    client.cookies.set("veridic_oidc", own_cookie)
    assert client.get(back.replace("state=", "state=x")).status_code == 403
    assert client.get(back.partition("?")[0]).status_code == 403
    assert client.get(back).status_code == 200


def test_failures_are_one_sentence_and_logged_without_secrets(
    client: TestClient, issuer: FakeIssuer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    issuer.denies = True
    assert "did not work: it was cancelled, or not allowed, there." in sign_in(client, issuer).text
    issuer.denies = False
    back = issuer.send_back(begin(client))
    failed = client.get(back.replace("code=", "code=x"))
    assert "did not work: it answered with status 400 (invalid_grant)." in failed.text
    cookie_of_issuer = begin(client)
    with_error = client.get(issuer.send_back(cookie_of_issuer).replace("code=", "error=<b>odd</b>%0A&x="))
    assert "it sent an error in place of a code" in with_error.text
    assert "<b>odd" not in with_error.text
    logged = caplog.text
    assert logged.count(f"A sign-in with {issuer.url} failed: ") == 3
    code = parse_qs(urlsplit(back).query)["code"][0]
    assert not any(secret in logged for secret in (code, CLIENT_SECRET, "odd", "state="))


def test_a_wrong_client_secret_is_told_without_it(
    open_app: Opener, settings: Settings, issuer: FakeIssuer, caplog: pytest.LogCaptureFixture
) -> None:
    client = open_app(settings.model_copy(update={"oidc_client_secret": SecretStr("a wrong one")}))
    page = sign_in(client, issuer)
    assert "it answered with status 401 (invalid_client)." in page.text
    assert "a wrong one" not in caplog.text + page.text
    assert "a+wrong+one" not in caplog.text + page.text


def test_a_discovery_document_must_be_sound(client: TestClient, issuer: FakeIssuer) -> None:
    faults: list[tuple[dict[str, Any], str]] = [
        ({"issuer": "https://another.example"}, "must be exactly VERIDIC_OIDC_ISSUER"),
        ({"token_endpoint": "http://login.example.org/token"}, "an address that is not https"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "an address that is not https"),
        ({"jwks_uri": None}, "discovery document is malformed"),
        ({"filler": "x" * 300_000}, "answer is too large"),
    ]
    for change, reason in faults:
        issuer.changed_discovery = change
        page = client.get("/sign-in/oidc")
        assert page.status_code == 502
        assert reason in page.text


def test_an_issuer_that_is_gone_leaves_passwords(open_app: Opener, settings: Settings) -> None:
    client = open_app(settings.model_copy(update={"oidc_issuer": "http://127.0.0.1:9"}))
    page = client.get("/sign-in/oidc")
    assert page.status_code == 502
    assert "did not work: it can&#39;t be reached." in page.text
    assert 'name="password"' in page.text


def test_unknown_people_learn_whom_to_ask(client: TestClient, issuer: FakeIssuer, accounts: Accounts) -> None:
    issuer.person = {"sub": "unknown-1", "email": "new@example.org", "email_verified": True}
    page = sign_in(client, issuer)
    assert page.status_code == 403
    assert "ask an admin for one, for the subject unknown-1." in page.text
    assert [person.username for person in accounts.people()] == ["mira"]


def test_unknown_people_get_the_role_that_is_set(
    open_app: Opener, settings: Settings, issuer: FakeIssuer, accounts: Accounts, store: RunStore
) -> None:
    client = open_app(settings.model_copy(update={"oidc_new_role": Role.VIEWER}))
    # Names that others have, or that stand for nobody, are not given away.
    for subject, username in (
        ("n-1", "MIRA"),
        ("n-2", "machine"),
        ("n-3", "local"),
        ("n-4", "<b>"),
        ("n-5", "jon"),
    ):
        issuer.person = {"sub": subject, "preferred_username": username, "name": "<i>New</i>"}
        assert sign_in(client, issuer).status_code == 200
    names = {person.username for person in accounts.people()}
    assert len(names) == 6
    assert {"mira", "jon"} < names
    assert all(name.startswith("oidc-") for name in names - {"mira", "jon"})
    assert who(client) == "jon"
    assert client.post("/api/checks", json={"text": "Canberra is a city."}).status_code == 403
    assert sign_in(client, issuer).status_code == 200
    assert len(accounts.people()) == 6
    with store.read() as session:
        added = [entry for entry in entries(session) if entry.action == "account added"]
    assert added[0].after == {"username": "jon", "role": "viewer", "disabled": False, "oidc": "n-5"}


def test_verified_email_opens_one_account(client: TestClient, issuer: FakeIssuer, accounts: Accounts) -> None:
    accounts.add(LOCAL_USER, "jon", None, Role.VIEWER, oidc=name_at(issuer.url, "Jon@Example.org"))
    jon = {"sub": "jon-1", "email": "jon@example.ORG"}
    for email_verified in (False, "true", None):
        issuer.person = jon | {"email_verified": email_verified}
        assert sign_in(client, issuer).status_code == 403
    issuer.person = jon | {"email_verified": True}
    assert sign_in(client, issuer).status_code == 200
    assert who(client) == "jon"
    client.post("/sign-out")
    issuer.person = {"sub": "jon-2", "email": "jon@example.org", "email_verified": True}
    assert sign_in(client, issuer).status_code == 403
    issuer.person = {"sub": "jon-1", "email": "jon.roe@example.org", "email_verified": True}
    assert sign_in(client, issuer).status_code == 200


def test_disabled_and_untied_accounts_stay_closed(
    client: TestClient, issuer: FakeIssuer, accounts: Accounts
) -> None:
    accounts.add(LOCAL_USER, "jon", None, Role.VIEWER, oidc=name_at(issuer.url, "jon-1"))
    issuer.person = {"sub": "jon-1"}
    assert sign_in(client, issuer).status_code == 200
    accounts.disable(LOCAL_USER, "jon")
    assert who(client) is None
    refused = sign_in(client, issuer)
    assert refused.status_code == 403
    assert "Your account is disabled; an admin can enable it." in refused.text
    accounts.enable(LOCAL_USER, "jon")
    assert sign_in(client, issuer).status_code == 200
    accounts.tie(LOCAL_USER, "jon", None)
    assert who(client) is None
    assert sign_in(client, issuer).status_code == 403


def test_an_account_of_another_issuer_stays_closed(
    client: TestClient, issuer: FakeIssuer, accounts: Accounts
) -> None:
    accounts.add(LOCAL_USER, "jon", None, Role.VIEWER, oidc=name_at("https://another.example", "jon-1"))
    issuer.person = {"sub": "jon-1"}
    assert sign_in(client, issuer).status_code == 403


def test_without_the_settings_nothing_changes(open_app: Opener, settings: Settings) -> None:
    client = open_app(Settings(home=settings.home))
    assert "oidc" not in client.get("/sign-in").text
    for path in ("/sign-in/oidc", "/sign-in/oidc/callback?code=a&state=b"):
        response = client.get(path)
        assert (response.status_code, response.headers["location"]) == (303, "/sign-in")


def test_missing_extra_is_only_logged(
    open_app: Opener, settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "joserfc", None)
    client = open_app(settings)
    assert "oidc" not in client.get("/sign-in").text
    assert client.get("/sign-in/oidc").headers["location"] == "/sign-in"
    assert "pip install 'veridic[oidc]'" in caplog.text


def test_without_accounts_nobody_signs_in(tmp_path: Path, issuer: FakeIssuer) -> None:
    settings = Settings(home=tmp_path / "new", oidc_issuer=issuer.url, oidc_client_id=CLIENT_ID)
    with TestClient(create_web_app(settings), base_url="http://127.0.0.1", follow_redirects=False) as client:
        assert client.get("/", headers=BROWSER).status_code == 200
        assert client.get("/sign-in/oidc", headers=BROWSER).headers["location"] == "/sign-in"
    assert issuer.asked == []
