"""An OpenID Connect issuer on a loopback socket. It signs with a key of its own, and errs as a test wants it to."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
from joserfc import jwt
from joserfc.jwk import ECKey

CLIENT_ID, CLIENT_SECRET = "veridic desk", "a secret: with + and %"
PERSON = {"sub": "248289761001", "email": "Mira@Example.org", "email_verified": True, "name": "Mira Roe"}


class FakeIssuer:
    """Knows one person, who has always signed in already."""

    def __init__(self) -> None:
        self.key = new_key("first")
        self.published = [self.key]
        self.person: dict[str, Any] = dict(PERSON)
        self.changed_claims: dict[str, Any] = {}
        self.changed_discovery: dict[str, Any] = {}
        self.sign: Callable[[dict[str, Any]], str] = lambda claims: signed(claims, self.key)
        self.denies = False
        self.asked: list[str] = []
        """The paths that were asked for."""
        self._browser = httpx2.Client(trust_env=False)
        self._codes: dict[str, dict[str, str]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://localhost:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._browser.close()

    def send_back(self, location: str) -> str:
        """Go where the app sends a browser; return where the issuer sends it then."""
        answer = self._browser.get(location)
        assert answer.status_code == 302
        return str(answer.headers["location"])

    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize?tenant=1",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
        } | self.changed_discovery

    def keys(self) -> dict[str, Any]:
        unknown = {"kty": "new", "kid": "of a kind to come"}
        return {"keys": [unknown, *(key.as_dict(private=False) for key in self.published)]}

    def authorize(self, query: dict[str, str]) -> str:
        back = {"state": query["state"]}
        if self.denies:
            back |= {"error": "access_denied"}
        else:
            code = secrets.token_urlsafe(8)
            self._codes[code] = query
            back |= {"code": code}
        return f"{query['redirect_uri']}?{urlencode(back)}"

    def redeem(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        login = base64.b64decode(authorization.removeprefix("Basic ")).decode()
        if login != "veridic+desk:a+secret%3A+with+%2B+and+%25":
            return 401, {"error": "invalid_client", "error_description": login}
        query = self._codes.pop(form["code"], None)
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        is_right = query and (query["code_challenge"], query["code_challenge_method"]) == (challenge, "S256")
        if query is None or not is_right or query["redirect_uri"] != form["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        times = {"iat": now, "exp": now + 300}
        claims = {"iss": self.url, "aud": CLIENT_ID, "nonce": query["nonce"]} | times | self.person
        return 200, {"token_type": "Bearer", "id_token": self.sign(claims | self.changed_claims)}


def new_key(kid: str) -> ECKey:
    return ECKey.generate_key("P-256", {"kid": kid})


def signed(claims: dict[str, Any], key: ECKey) -> str:
    return jwt.encode({"alg": "ES256", "kid": key.kid}, claims, key)


def unsigned(claims: dict[str, Any]) -> str:
    """A token that says it needs no signature."""
    parts = ({"alg": "none", "typ": "JWT"}, claims)
    encoded = (base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts)
    return ".".join(encoded) + "."


def _handler_of(issuer: FakeIssuer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            issuer.asked.append(parts.path)
            if parts.path == "/authorize":
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                self.send_response(302)
                self.send_header("Location", issuer.authorize(query))
                self.end_headers()
            elif parts.path == "/.well-known/openid-configuration":
                self._send(200, issuer.discovery())
            elif parts.path == "/keys":
                self._send(200, issuer.keys())
            else:
                self._send(404, {})

        def do_POST(self) -> None:
            issuer.asked.append(self.path)
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._send(*issuer.redeem(form, self.headers.get("Authorization", "")))

        def _send(self, status: int, answer: dict[str, Any]) -> None:
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
