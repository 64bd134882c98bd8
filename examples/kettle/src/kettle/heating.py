"""Talks to the kettle."""

import os

HOST = os.environ.get("KETTLE_HOST", "localhost")


class DryError(Exception):
    """There is no water in the kettle."""


def heat(target: int, timeout: int = 180) -> int:
    """Heat the water, and return how warm it is now."""
    if target > 100:
        raise DryError("It would boil dry.")
    return min(target, timeout)
