"""Who calls a tool, and what they may do."""

from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from starlette.requests import Request

from veridic.api.guard import ACTOR, client_address, too_many_attempts
from veridic.api.limits import TokenBuckets
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
        raise ToolError(too_many_attempts(seconds)[0])
