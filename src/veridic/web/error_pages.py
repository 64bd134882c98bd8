"""Error pages: what a browser gets in place of `{"error": ...}`, wherever the refusal comes from."""

import json
from http import HTTPStatus
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridic.api.guard import ACTOR
from veridic.web.templating import reader, render

_HEADINGS = {
    403: "Not allowed",
    404: "Not found",
    413: "Too large",
    429: "Too many",
    500: "Something went wrong",
}
_OTHERWISE = "That did not work"
_WAYS_BACK = (("/desk", "The queue of the desk"), ("/sources", "Sources"), ("/published", "Published checks"))
_FIRST_ERROR = 400


class WayBack(NamedTuple):
    """A link from an error page to where the person can go on."""

    address: str
    words: str


class ErrorPages:
    """Turns JSON errors into pages for browsers. The outermost middleware: guards and failures below it answer in JSON.

    Programs, and everything under `/api/`, get the JSON.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _wants_page(scope):
            await self._app(scope, receive, send)
            return
        start: Message | None = None
        body = b""

        async def send_page(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and _is_json_error(message):
                start = message
                return
            if start is None or message["type"] != "http.response.body":
                await send(message)
                return
            body += message.get("body", b"")
            if not message.get("more_body", False):
                page = _page(scope, start["status"], body)
                headers = MutableHeaders(scope=start)
                headers["content-type"] = "text/html; charset=utf-8"
                headers["content-length"] = str(len(page))
                await send(start)
                await send({"type": "http.response.body", "body": page})

        await self._app(scope, receive, send_page)


def _wants_page(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["path"].startswith("/api/"):
        return False
    return "text/html" in Headers(scope=scope).get("accept", "")


def _is_json_error(start: Message) -> bool:
    kind = Headers(raw=start["headers"]).get("content-type", "")
    return start["status"] >= _FIRST_ERROR and kind.startswith("application/json")


def _page(scope: Scope, status: int, body: bytes) -> bytes:
    actor = scope.get(ACTOR)
    person = reader.set(actor if actor is not None and actor.user_id is not None else None)
    try:
        page = render(
            "problem.html.j2",
            status=f"{status} {HTTPStatus(status).phrase}",
            heading=_HEADINGS.get(status, _OTHERWISE),
            sentence=json.loads(body)["error"],
            way_back=_way_back(scope["path"], status),
        )
    finally:
        reader.reset(person)
    return page.encode("utf-8", "replace")


def _way_back(path: str, status: int) -> WayBack:
    """Return the page that a form or link on `path` belongs to, as far as its address tells."""
    place, _, rest = path.removeprefix("/").partition("/")
    thing, _, action = rest.partition("/")
    if place == "checks" and action and status != HTTPStatus.NOT_FOUND:
        return WayBack(f"/checks/{thing}", "Back to the check")
    for address, words in _WAYS_BACK:
        if path.startswith(f"{address}/"):
            return WayBack(address, words)
    return WayBack("/checks", "Past checks")
