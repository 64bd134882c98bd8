"""What routes are given: the runner, the settings, leave to start."""

from typing import Annotated

from fastapi import Depends, HTTPException, Request

from veridic.api.limits import TokenBuckets, refuse_if_too_many
from veridic.config.settings import Settings
from veridic.runtime.runner import Runner


async def _runner(request: Request) -> Runner:
    runner: Runner = request.app.state.runner
    return runner


async def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


async def allow_start(request: Request) -> None:
    """For routes that start a check: 429 where the client has started too many lately."""
    starts: TokenBuckets = request.app.state.starts
    settings: Settings = request.app.state.settings
    client = request.client.host if request.client else ""
    refuse_if_too_many(starts.take(client), settings.api_starts_per_minute)


def media_type(request: Request) -> str:
    """The media type of the body, without parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def json_only(request: Request) -> None:
    """For routes that take JSON: 415 where the body says that it is something else."""
    given = media_type(request)
    if given != "application/json" and not (given.startswith("application/") and given.endswith("+json")):
        raise HTTPException(415, "Send the body as application/json.")


RunnerGiven = Annotated[Runner, Depends(_runner)]
SettingsGiven = Annotated[Settings, Depends(_settings)]
