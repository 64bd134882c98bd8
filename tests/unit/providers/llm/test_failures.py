"""The provider's reason is shown in short, clean, and without keys."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr
from pydantic_ai.exceptions import ModelHTTPError

from veridic.providers.llm.failures import failed_request, one_line
from veridic.providers.llm.services import Service, ServiceKind

KEY = "hunter2-hunter2"
SERVICE = Service(ServiceKind.OPENROUTER, SecretStr(KEY))


@given(st.text(), st.text())
def test_reason_is_one_short_line_without_key(before: str, after: str) -> None:
    line = one_line(f"{before}{KEY}{after}", SERVICE)
    assert KEY not in line
    assert len(line) <= 200
    assert not any(unicodedata.category(character).startswith("C") for character in line)
    assert not line.endswith(".")


@pytest.mark.parametrize(
    "secret", ["sk-proj-ab12cd34", "sk-or-v1-0123456789abcdef", "sk-ab***********xyz", "Bearer abc.def.ghi"]
)
def test_key_like_text_is_removed(secret: str) -> None:
    line = one_line(f"Incorrect API key provided: {secret}", SERVICE)
    assert secret.removeprefix("Bearer ") not in line
    assert line.startswith("Incorrect API key provided")


def test_any_reason_is_shortened_and_cleaned() -> None:
    line = one_line("\u202e" + "no " * 1_000_000, SERVICE)
    assert line.startswith("no no")
    assert len(line) == 200


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"message": "gone"}, "(500: gone)"),
        ({"error": {"message": "gone"}}, "(500: gone)"),
        ({"detail": "gone"}, "(500: gone)"),
        ("gone.", "(500: gone)"),
        (" <!doctype html><p>gone", "(500: a web page)"),
        ({"message": 5, "error": None}, "(500)"),
        (["gone"], "(500)"),
        (None, "(500)"),
        ("", "(500)"),
    ],
)
def test_reason_is_found_in_any_body(body: object, reason: str) -> None:
    failure = failed_request(ModelHTTPError(500, "m", body), "m", SERVICE)
    assert reason in str(failure.error)
