"""What a check says that was cancelled."""

CANCELLED = "The check was cancelled."


def cancelled(by: str | None) -> str:
    """Return the sentence, with who asked for it if that is known."""
    return CANCELLED if by is None else f"The check was cancelled by {by}."


def was_cancelled(error: str | None) -> bool:
    """Return whether this is why a run ended."""
    return error is not None and error.startswith(CANCELLED.rstrip("."))
