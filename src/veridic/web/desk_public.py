"""What everybody may read without signing in: published checks, the feed, the sitemap, cards for other sites."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Path, Request
from starlette.responses import HTMLResponse, Response

from veridic.api.app import CONTENT_SECURITY_POLICY
from veridic.api.dependencies import DeskDep, SettingsDep
from veridic.desk.published import PublicPage, Publisher, claim_reviews, json_ld, public_page, publisher
from veridic.web.desk_feed import ATOM, FEED_PATH, atom_feed, sitemap
from veridic.web.desk_published import marked_text, sign_of
from veridic.web.templating import render

router = APIRouter(include_in_schema=False)
PATH = "/published"
SITEMAP = "/sitemap.xml"
OPEN_PATHS = (PATH, SITEMAP)
"""Paths, and what is below them, that need no sign-in."""

_LISTED = 100
_MAPPED = 1_000
_LONGEST_NUMBER = 10
_FRESH = {"Cache-Control": "public, max-age=60"}
# Any page may show a card in a frame: it has no form, no script and nothing that belongs to a session.
_IN_FRAMES = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
    "Cross-Origin-Resource-Policy": "cross-origin",
}

CheckId = Annotated[str, Path(max_length=64)]


async def _publisher(request: Request, settings: SettingsDep) -> Publisher:
    return publisher(settings, str(request.base_url))


PublisherDep = Annotated[Publisher, Depends(_publisher)]
_Route = TypeVar("_Route", bound=Callable[..., Any])


def _readable(path: str) -> Callable[[_Route], _Route]:
    """Answer GET and HEAD, which says the same without the content."""
    return router.api_route(path, methods=["GET", "HEAD"])


@_readable(PATH)
def published(desk: DeskDep, by: PublisherDep) -> Response:
    """List published checks, newest first."""
    pages = [public_page(record) for record in desk.publications(_LISTED)]
    return _page("desk_published_list.html.j2", by, pages=pages)


@_readable(FEED_PATH)
def feed(desk: DeskDep, by: PublisherDep) -> Response:
    pages = [public_page(record) for record in desk.publications()]
    return Response(atom_feed(pages, by), media_type=ATOM, headers=_FRESH)


@_readable(SITEMAP)
def site_map(desk: DeskDep, by: PublisherDep) -> Response:
    pages = [public_page(record) for record in desk.publications(_MAPPED)]
    return Response(sitemap(pages, by), media_type="application/xml", headers=_FRESH)


@_readable(PATH + "/{check_id}")
def publication(desk: DeskDep, by: PublisherDep, check_id: CheckId) -> Response:
    page = _find(desk, check_id)
    if page is None:
        return _nothing(by)
    reviews = claim_reviews(page, by)
    return _page(
        "desk_published.html.j2",
        by,
        page=page,
        is_version=False,
        reviews=json_ld(reviews) if reviews else None,
        pieces=marked_text(page, by),
    )


@_readable(PATH + "/{check_id}/versions/{number}")
def version(
    desk: DeskDep, by: PublisherDep, check_id: CheckId, number: Annotated[str, Path(max_length=10)]
) -> Response:
    """Show what was published under a number. Search engines are asked to leave it out, and it has no markup."""
    is_number = number.isascii() and number.isdigit() and len(number) < _LONGEST_NUMBER
    record = desk.publication_version(check_id, int(number)) if is_number else None
    if record is None:
        return _nothing(by)
    page = public_page(record)
    return _page(
        "desk_published.html.j2",
        by,
        page=page,
        is_version=True,
        reviews=None,
        pieces=marked_text(page, by),
    )


@_readable(PATH + "/{check_id}/card")
def card(desk: DeskDep, by: PublisherDep, check_id: CheckId) -> Response:
    """Show a check in short, for a frame on another site."""
    page = _find(desk, check_id)
    return _nothing(by) if page is None else _page("desk_card.html.j2", by, headers=_IN_FRAMES, page=page)


def _find(desk: DeskDep, check_id: str) -> PublicPage | None:
    record = desk.publication(check_id)
    return public_page(record) if record else None


def _nothing(by: Publisher) -> Response:
    return _page("desk_published_none.html.j2", by, status=404)


def _page(
    template: str,
    by: Publisher,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
    **values: object,
) -> Response:
    page = render(template, by=by, sign_of=sign_of, feed=FEED_PATH, **values)
    return HTMLResponse(page, status, headers=_FRESH | (headers or {}))
