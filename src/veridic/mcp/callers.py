"""Who calls a tool, what they may do, and how errors reach them: one sentence that says what is wrong."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from starlette.requests import Request

from veridic.api.guard import ACTOR, client_address
from veridic.api.limits import TokenBuckets
from veridic.domain.errors import VeridicError
from veridic.domain.people import LOCAL_USER, Actor, Right

ToolContext = Context[Any, Any]


def require(context: ToolContext, right: Right) -> Actor:
    """Return who calls; raise `ToolError` if they lack the right.

    Over HTTP that is whose token the request carries, as the guard has found. Over stdio it is who started the process.
    """
    request = context.request_context.request
    actor: Actor = request.scope.get(ACTOR, LOCAL_USER) if isinstance(request, Request) else LOCAL_USER
    if not actor.may(right):
        raise ToolError(f"A {actor.role.replace('_', ' ')} may not do that.")
    return actor


def take_start(context: ToolContext, starts: TokenBuckets) -> None:
    """Count a start; raise `ToolError` if the client has made too many in the last minute."""
    request = context.request_context.request
    client = client_address(request.scope) if isinstance(request, Request) else ""
    if (seconds := starts.take(client)) > 0:
        raise ToolError(
            f"Too many checks and searches were started in a minute; wait {math.ceil(seconds)} s."
        )


@contextmanager
def as_tool_errors() -> Iterator[None]:
    """Raise a `VeridicError` of the block as a `ToolError`, whose sentence the agent reads."""
    try:
        yield
    except VeridicError as error:
        raise ToolError(str(error)) from error
