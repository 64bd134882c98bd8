"""Verifying ID tokens: the signature, and that a token is of this issuer, for this client, for this attempt, and of now."""

import hmac
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from veridic.domain.errors import OidcError, missing_extra
from veridic.domain.people import Identity

_ALGORITHMS = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "Ed25519",
    "EdDSA",
)
"""Signatures with a key that only the issuer has: never `none`, nor a secret shared with others."""
_CLOCK_SKEW_SECONDS = 60
_MAX_LENGTH = 255
"""Of a subject, as the specification has it; longer names and addresses are left out."""


class UnknownKeyError(Exception):
    """None of the keys made the signature; the issuer may have changed its keys."""


@dataclass(frozen=True)
class Expected:
    """What a token must say."""

    issuer: str
    client_id: str
    nonce: str


def read_id_token(token: str, keys: Iterable[Any], expected: Expected, now: float) -> Identity:
    """Return who the token says somebody is; `keys` are JWKs, of which those that can't be used are passed over.

    Raises `UnknownKeyError` if none of them made the signature, and `OidcError` for any other fault.
    """
    claims = _verified_claims(token, keys)
    if claims.get("iss") != expected.issuer:
        raise OidcError("the ID token is from another issuer.")
    if not _is_for(claims, expected.client_id):
        raise OidcError("the ID token is meant for another application.")
    if not _is_current(claims, now):
        raise OidcError("the ID token has expired, or is not valid yet.")
    nonce = claims.get("nonce")
    if not isinstance(nonce, str) or not hmac.compare_digest(
        nonce.encode("utf-8", "surrogatepass"), expected.nonce.encode()
    ):
        raise OidcError("the ID token belongs to another sign-in.")
    return _identity(claims, expected.issuer)


def _verified_claims(token: str, keys: Iterable[Any]) -> Mapping[str, Any]:
    try:
        from joserfc import jwt
        from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError, MissingKeyError
        from joserfc.jwk import JWKRegistry, KeySet
    except ModuleNotFoundError:
        raise missing_extra("oidc", "Signing in with OpenID Connect") from None

    usable = []
    for key in keys:
        try:
            usable.append(JWKRegistry.import_key(key))
        except (JoseError, ValueError, TypeError, KeyError, AttributeError):
            continue  # of a kind that is not known here
    if not usable:
        raise UnknownKeyError
    try:
        return jwt.decode(token, KeySet(usable), algorithms=_ALGORITHMS).claims
    except (BadSignatureError, InvalidKeyIdError, MissingKeyError):
        raise UnknownKeyError from None
    except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise OidcError("the ID token is not one, or not signed in a way that can be trusted.") from None


def _is_for(claims: Mapping[str, Any], client_id: str) -> bool:
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    party = claims.get("azp")
    # A token for several applications must say which of them asked for it.
    is_ours = party == client_id if party is not None else len(audiences) == 1
    return client_id in audiences and is_ours


def _is_current(claims: Mapping[str, Any], now: float) -> bool:
    expires, issued = _moment(claims, "exp"), _moment(claims, "iat")
    starts = _moment(claims, "nbf") if "nbf" in claims else issued
    if expires is None or issued is None or starts is None:
        return False
    return max(issued, starts) - _CLOCK_SKEW_SECONDS <= now < expires + _CLOCK_SKEW_SECONDS


def _moment(claims: Mapping[str, Any], name: str) -> float | None:
    value = claims.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return value if math.isfinite(value) else None


def _identity(claims: Mapping[str, Any], issuer: str) -> Identity:
    subject = _text(claims, "sub")
    if subject is None:
        raise OidcError("the ID token does not say whom it is about.")
    email = _text(claims, "email")
    # Only ASCII: other letters turn into these in lower case, and would make one address look like another.
    is_verified = claims.get("email_verified") is True and email is not None and email.isascii()
    return Identity(
        issuer=issuer,
        subject=subject,
        email=email.lower() if email is not None and is_verified else None,
        username=_text(claims, "preferred_username"),
        name=_text(claims, "name"),
    )


def _text(claims: Mapping[str, Any], name: str) -> str | None:
    value = claims.get(name)
    if not isinstance(value, str) or not value.isprintable():
        return None
    return value if 0 < len(value) <= _MAX_LENGTH else None
