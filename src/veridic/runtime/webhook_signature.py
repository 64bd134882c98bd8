"""The signature of a webhook: HMAC-SHA256 over the time and the body, so that neither can be forged or sent again later."""

import hashlib
import hmac
import time

HEADER = "Veridic-Signature"
"""`t=1763528400,v1=HEX`: when it was signed, in Unix seconds, and the signature."""
_TOLERANCE_SECONDS = 300


def sign(body: bytes, secret: str, at: int) -> str:
    """Return the value of `HEADER` for a body that is sent at this time."""
    return f"t={at},v1={_digest(body, secret, at)}"


def is_signed(
    body: bytes, header: str, secret: str, *, tolerance: float = _TOLERANCE_SECONDS, now: float | None = None
) -> bool:
    """Return whether the header signs this body, and not more than `tolerance` seconds ago."""
    fields = dict(part.strip().partition("=")[::2] for part in header.split(","))
    at, given = fields.get("t", ""), fields.get("v1", "")
    if not (at.isascii() and at.isdecimal() and len(at) <= 12):
        return False
    is_recent = abs((time.time() if now is None else now) - int(at)) <= tolerance
    return hmac.compare_digest(given.encode(), _digest(body, secret, int(at)).encode()) and is_recent


def _digest(body: bytes, secret: str, at: int) -> str:
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
