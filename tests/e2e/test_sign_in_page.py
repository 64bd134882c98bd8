"""Signing in with OpenID Connect in a real browser, which has rules of its own for cookies, redirects and forms."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.oidc_issuer import CLIENT_ID, CLIENT_SECRET, PERSON, FakeIssuer
from tests.web_site import LOW_CONTRAST, PHONE, Site, Visitor, sideways

from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.desk.oidc_accounts import name_at
from veridic.domain.people import LOCAL_USER, Role
from veridic.store.runs import RunStore

pytestmark = pytest.mark.browser
expect.set_options(timeout=60_000)  # for a machine that is busy with other things; nothing waits that long


@pytest.fixture
def issuer() -> Iterator[FakeIssuer]:
    with FakeIssuer() as issuer:
        yield issuer


@pytest.fixture
def site(tmp_path: Path, issuer: FakeIssuer) -> Iterator[Site]:
    settings = Settings.model_validate(
        {
            "home": tmp_path,
            "oidc_issuer": issuer.url,
            "oidc_client_id": CLIENT_ID,
            "oidc_client_secret": CLIENT_SECRET,
            "oidc_name": "Example News",
        }
    )
    with RunStore(settings.database) as store:
        name = name_at(issuer.url, str(PERSON["email"]))
        Accounts(store).add(LOCAL_USER, "mira", None, Role.ADMIN, oidc=name)
    site = Site(settings)
    site.start()
    yield site
    site.stop()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visitor]:
    visitor = Visitor(browser)
    yield visitor
    visitor.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_browser_goes_to_another_site_and_comes_back_signed_in(
    visit: Visitor, site: Site, issuer: FakeIssuer, scripts: bool
) -> None:
    # `localhost` and `127.0.0.1` are two sites to a browser, as the issuer and the desk are.
    page = visit(f"{site.url}/checks?q=harbour", java_script_enabled=scripts)
    page.get_by_role("link", name="Sign in with Example News").click()
    page.wait_for_url(f"{site.url}/checks?q=harbour")
    expect(page.get_by_role("link", name="mira")).to_be_visible()
    assert any(path == "/authorize" for path in issuer.asked)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in with Example News")).to_be_visible()
    assert visit.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_refusal_is_said_on_the_sign_in_page(
    visit: Visitor, site: Site, issuer: FakeIssuer, scheme: str
) -> None:
    issuer.denies = True
    page = visit(f"{site.url}/sign-in", viewport=PHONE, color_scheme=scheme)
    page.get_by_role("link", name="Sign in with Example News").click()
    expect(page.get_by_role("alert")).to_have_text(
        "The sign-in with Example News did not work: it was cancelled, or not allowed, there."
    )
    assert sideways(page) == PHONE["width"]
    assert page.evaluate(LOW_CONTRAST) == []
