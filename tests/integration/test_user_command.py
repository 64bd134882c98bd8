"""`veridic user` for accounts that somebody signs in to with OpenID Connect."""

import pytest
from typer.testing import CliRunner, Result

from veridic.cli.user import app
from veridic.config.settings import Settings, load_settings
from veridic.domain.errors import ConflictError, UsageError


def user(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.usefixtures("settings")
def test_an_account_is_for_nobody_elsewhere_without_an_issuer() -> None:
    refused = user("add", "ada", "--role", "admin", "--oidc", "ada@example.org")
    assert isinstance(refused.exception, UsageError)
    assert "Set VERIDIC_OIDC_ISSUER first" in str(refused.exception)


def test_accounts_are_added_listed_and_tied_to_others(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIDIC_OIDC_ISSUER", "https://login.example.org")
    monkeypatch.setenv("VERIDIC_OIDC_CLIENT_ID", "desk")
    load_settings.cache_clear()
    assert user("add", "ada", "--role", "admin", "--oidc", "Ada@Example.org").output == "Added ada (admin).\n"
    assert user("add", "jon", "--oidc", "248289761001").output == "Added jon (fact_checker).\n"
    listed = user("list").output.splitlines()
    assert [line.partition("  signs in as ")[2] for line in listed] == ["ada@example.org", "248289761001"]

    taken = user("oidc", "jon", "ada@example.org")
    assert isinstance(taken.exception, ConflictError)
    assert user("oidc", "jon", "j-2").output == "j-2 signs in to jon with OpenID Connect.\n"
    assert user("oidc", "jon").output == "Nobody signs in to jon with OpenID Connect.\n"
    last = user("oidc", "ada")
    assert isinstance(last.exception, ConflictError)
