"""A typed client for the HTTP API, with and without asyncio.

>>> from veridic.client import VeridicClient
>>> with VeridicClient("http://127.0.0.1:8000", token="vrd_...") as client:
...     started = client.start_check(text="The capital of Australia is Sydney.")
...     report = client.wait(started.id)
"""

from veridic.client.clients import AsyncVeridicClient, VeridicClient
from veridic.client.errors import ClientError
from veridic.client.events import RunEvent

__all__ = ["AsyncVeridicClient", "ClientError", "RunEvent", "VeridicClient"]
