"""Routes under `/api/fact-checking`: what people at the desk do, for programs."""

from fastapi import APIRouter, Depends

from veridic.api import desk_checks, desk_claims, desk_files, desk_machine, desk_publishing
from veridic.api.dependencies import CredibilityDep, FetcherDep, SettingsDep, allow_start, json_only
from veridic.api.desk_requests import SourceRequest
from veridic.api.openapi import desk_errors
from veridic.desk.source_page import SourcePage, read_source_page

router = APIRouter(prefix="/api/fact-checking", tags=["Desk"], responses=desk_errors(401, 403, 500))
for part in (desk_checks, desk_machine, desk_claims, desk_publishing, desk_files):
    router.include_router(part.router)


@router.post(
    "/sources/read",
    summary="Read a source's page",
    dependencies=[Depends(json_only), Depends(allow_start)],
    responses=desk_errors(400, 413, 415, 429, 502),
)
def read_source(
    request: SourceRequest, settings: SettingsDep, credibility: CredibilityDep, fetcher: FetcherDep
) -> SourcePage:
    """Fetches a page and returns its title, author, date, domain and tier, to be corrected and sent with a verdict.

    Nothing is saved. Addresses on private networks are refused, as wherever pages are fetched.
    """
    return read_source_page(request.url, settings, credibility, fetcher)
