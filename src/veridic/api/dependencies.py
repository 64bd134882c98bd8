"""FastAPI dependencies: the runner, the desk, the settings, who asks, the rate limit of starts, checks of the request."""

from typing import Annotated

from fastapi import Depends, HTTPException, Request

from veridic.api.guard import ACTOR
from veridic.api.limits import TokenBuckets, refuse_if_too_many
from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.desk.desk import Desk
from veridic.desk.source_sets import SourceSets
from veridic.domain.people import LOCAL_USER, Actor
from veridic.evidence.credibility import Credibility
from veridic.providers.fetch.base import Fetcher
from veridic.runtime.runner import Runner


async def _runner(request: Request) -> Runner:
    runner: Runner = request.app.state.runner
    return runner


async def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


SettingsDep = Annotated[Settings, Depends(_settings)]


async def _actor(request: Request) -> Actor:
    actor: Actor = request.scope.get(ACTOR, LOCAL_USER)
    return actor


async def _accounts(request: Request) -> Accounts:
    accounts: Accounts = request.app.state.accounts
    return accounts


async def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


async def _credibility(request: Request) -> Credibility:
    credibility: Credibility = request.app.state.credibility
    return credibility


async def allow_start(request: Request) -> None:
    """Raise `HTTPException` (429) if the client has asked for too much work in the last minute, such as checks."""
    starts: TokenBuckets = request.app.state.starts
    settings: Settings = request.app.state.settings
    client = request.client.host if request.client else ""
    refuse_if_too_many(starts.take(client), settings.api_starts_per_minute)


async def page_fetcher(settings: SettingsDep) -> Fetcher:
    """Return what fetches a page that a person names; tests put a fake in its place."""
    from veridic.providers.fetch.http import HttpFetcher

    return HttpFetcher(settings)


def media_type(request: Request) -> str:
    """Return the media type of the body without parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def json_only(request: Request) -> None:
    """Raise `HTTPException` (415) if the body is not declared as JSON."""
    given = media_type(request)
    if given != "application/json" and not (given.startswith("application/") and given.endswith("+json")):
        raise HTTPException(415, "Send the body as application/json.")


async def source_sets(request: Request) -> SourceSets:
    """Return the sets of sources as the person who asks changes them."""
    state = request.app.state
    return SourceSets(state.runner.store, state.settings, await _actor(request))


RunnerDep = Annotated[Runner, Depends(_runner)]
ActorDep = Annotated[Actor, Depends(_actor)]
AccountsDep = Annotated[Accounts, Depends(_accounts)]
SourceSetsDep = Annotated[SourceSets, Depends(source_sets)]
DeskDep = Annotated[Desk, Depends(_desk)]
CredibilityDep = Annotated[Credibility, Depends(_credibility)]
FetcherDep = Annotated[Fetcher, Depends(page_fetcher)]
