"""Asks `veridic mcp` about a claim, as an agent does: with the official client of the Model Context Protocol.

python examples/agents/ask.py "The capital of Australia is Sydney."
"""

import asyncio
import os
import sys

from mcp import Client, StdioServerParameters


async def show_progress(progress: float, _total: float | None, message: str | None) -> None:
    sys.stdout.write(f"{progress:g}: {message}\n")


async def main(claim: str) -> None:
    """Print the verdict on the claim, with the passages it rests on."""
    server = StdioServerParameters(command="veridic", args=["mcp"], env=dict(os.environ))
    async with Client(server) as client:
        arguments = {"claim": claim, "max_cost_usd": 0.05}
        result = await client.call_tool("check_claim", arguments, progress_callback=show_progress)
    checked = result.structured_content
    if result.is_error or not isinstance(checked, dict):
        sys.exit(str(result.content))
    for one in checked["claims"]:
        sys.stdout.write(f"{one['verdict']}, {one['confidence']:.0%} sure: {one['quote']}\n")
        for evidence in one["evidence"]:
            sys.stdout.write(f"  {evidence['stance']}: {evidence['citation']}\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
