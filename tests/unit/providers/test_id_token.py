"""Which ID tokens are taken as proof, and of what."""

from collections.abc import Callable
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey
from tests.oidc_issuer import new_key, signed, unsigned

from veridic.domain.errors import OidcError
from veridic.domain.people import Identity
from veridic.providers.oidc.id_token import Expected, UnknownKeyError, read_id_token

ISSUER, CLIENT, NONCE, NOW = "https://login.example.org", "veridic", "n-1", 1_800_000_000
KEY = new_key("first")
EXPECTED = Expected(ISSUER, CLIENT, NONCE)
CLAIMS = {"iss": ISSUER, "aud": CLIENT, "nonce": NONCE, "sub": "s-1", "iat": NOW - 5, "exp": NOW + 300}


def public(*keys: ECKey | RSAKey) -> list[Any]:
    return [key.as_dict(private=False) for key in keys]


def read(token: str, keys: list[Any] | None = None) -> Identity:
    return read_id_token(token, public(KEY) if keys is None else keys, EXPECTED, NOW)


def test_a_sound_token_says_who_it_is() -> None:
    more = {
        "email": "Mira@Example.org",
        "email_verified": True,
        "preferred_username": "mira",
        "name": "Mira Roe",
    }
    identity = read(signed(CLAIMS | more, KEY))
    assert identity == Identity(
        issuer=ISSUER, subject="s-1", email="mira@example.org", username="mira", name="Mira Roe"
    )


@pytest.mark.parametrize(
    "more",
    [
        {"email": "mira@example.org"},
        {"email": "mira@example.org", "email_verified": "true"},
        {"email": "mira@example.org", "email_verified": False},
        {"email": "ne\N{KELVIN SIGN}o@example.org", "email_verified": True},
        {"email": ["mira@example.org"], "email_verified": True},
        {"name": "line\nbreak", "preferred_username": "x" * 300},
    ],
)
def test_what_is_not_verified_or_odd_is_left_out(more: dict[str, Any]) -> None:
    assert read(signed(CLAIMS | more, KEY)) == Identity(issuer=ISSUER, subject="s-1")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"nonce": "another"}, "another sign-in"),
        ({"nonce": None}, "another sign-in"),
        ({"aud": "another"}, "another application"),
        ({"aud": None}, "another application"),
        ({"aud": []}, "another application"),
        ({"aud": [CLIENT, "another"]}, "another application"),
        ({"aud": [CLIENT, "another"], "azp": "another"}, "another application"),
        ({"azp": "another"}, "another application"),
        ({"iss": ISSUER + "/"}, "another issuer"),
        ({"exp": NOW - 120}, "expired"),
        ({"exp": None}, "expired"),
        ({"exp": True}, "expired"),
        ({"exp": float("inf")}, "expired"),
        ({"exp": str(NOW + 300)}, "expired"),
        ({"iat": NOW + 3600}, "not valid yet"),
        ({"iat": None}, "not valid yet"),
        ({"nbf": NOW + 3600}, "not valid yet"),
        ({"sub": ""}, "whom it is about"),
        ({"sub": ["s-1"]}, "whom it is about"),
        ({"sub": "s" * 300}, "whom it is about"),
        ({"sub": "s\0"}, "whom it is about"),
    ],
)
def test_token_must_match_sign_in_and_time(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(OidcError, match=reason):
        read(signed(CLAIMS | change, KEY))


@pytest.mark.parametrize(
    "change",
    [{"aud": [CLIENT]}, {"aud": [CLIENT, "another"], "azp": CLIENT}, {"exp": NOW - 30}, {"iat": NOW + 30}],
)
def test_audience_lists_and_clock_skew_pass(change: dict[str, Any]) -> None:
    assert read(signed(CLAIMS | change, KEY)).subject == "s-1"


@pytest.mark.parametrize(
    "forge",
    [
        lambda: unsigned(CLAIMS),
        lambda: unsigned(CLAIMS) + signed(CLAIMS, KEY).rpartition(".")[2],
        lambda: jwt.encode(
            {"alg": "HS256", "kid": "first"}, CLAIMS, OctKey.import_key("0123456789abcdef" * 2)
        ),
        lambda: "a.b.c",
        lambda: "",
        lambda: "ä" * 40,
        lambda: "e30." * 2,
    ],
    ids=["none", "none with a signature", "shared secret", "no JSON", "empty", "no ASCII", "no algorithm"],
)
def test_symmetric_signatures_are_refused(forge: Callable[[], str]) -> None:
    with pytest.raises(OidcError, match="malformed, or its signature is not accepted"):
        read(forge())


@pytest.mark.parametrize("kid", ["first", "second"])
def test_a_signature_of_another_key_is_told_apart(kid: str) -> None:
    with pytest.raises(UnknownKeyError):
        read(signed(CLAIMS, new_key(kid)))


def test_claims_that_were_changed_after_signing_are_refused() -> None:
    head, _, signature = signed(CLAIMS, KEY).split(".")
    claims = signed(CLAIMS | {"sub": "s-2"}, KEY).split(".")[1]
    with pytest.raises(UnknownKeyError):
        read(f"{head}.{claims}.{signature}")


def test_keys_of_unknown_kinds_are_passed_over() -> None:
    odd: list[Any] = [{"kty": "new"}, {"kty": "EC"}, "no key", None, {}, {"kty": "RSA", "n": 1, "e": "AQAB"}]
    assert read(signed(CLAIMS, KEY), odd + public(KEY)).subject == "s-1"
    with pytest.raises(UnknownKeyError):
        read(signed(CLAIMS, KEY), odd)


@pytest.mark.parametrize("algorithm", ["RS256", "PS256"])
def test_rsa_keys_work_too(algorithm: str) -> None:
    key = RSAKey.generate_key(2048, {"kid": "rsa"})
    token = jwt.encode({"alg": algorithm, "kid": "rsa"}, CLAIMS, key, algorithms=[algorithm])
    assert read(token, public(KEY, key)).subject == "s-1"
