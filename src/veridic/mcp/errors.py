"""How errors reach an agent: one sentence that says what is wrong."""

from collections.abc import Iterator
from contextlib import contextmanager

from mcp.server.mcpserver.exceptions import ToolError

from veridic.domain.errors import VeridicError


@contextmanager
def as_tool_errors() -> Iterator[None]:
    """Raise a `VeridicError` of the block as a `ToolError`, whose sentence the agent reads."""
    try:
        yield
    except VeridicError as error:
        raise ToolError(str(error)) from error
