"""One try of a browser to sign in at an issuer."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Attempt:
    """The values that tie a browser, the request to the issuer and its answer together.

    All follow from one secret, which only the browser's cookie has; no two of them tell a third.
    """

    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    @property
    def state(self) -> str:
        """What the issuer sends back with the browser."""
        return self._derived(b"state")

    @property
    def nonce(self) -> str:
        """What the ID token must contain."""
        return self._derived(b"nonce")

    @property
    def verifier(self) -> str:
        """The PKCE code verifier: proves to the issuer that the code is redeemed by whom it was asked for."""
        return self._derived(b"verifier")

    @property
    def challenge(self) -> str:
        """The PKCE code challenge, of the method S256."""
        return _encoded(hashlib.sha256(self.verifier.encode()).digest())

    def has_state(self, given: str) -> bool:
        """Compare in constant time."""
        return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), self.state.encode())

    def _derived(self, purpose: bytes) -> str:
        key = self.secret.encode("utf-8", "surrogatepass")
        return _encoded(hmac.new(key, b"veridic oidc " + purpose, hashlib.sha256).digest())


def _encoded(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()
