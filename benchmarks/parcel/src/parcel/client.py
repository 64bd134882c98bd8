"""Asking a parcel service."""

import time

from parcel.errors import NotFoundError, QuotaError

MAX_BATCH = 100
RETRY_STATUSES = (429, 502, 503)
CACHE_SECONDS = 5 * 60


class Client:
    """Talks to one parcel service.

    Args:
        base_url: Where the service is.
        timeout: Seconds to wait for an answer. Defaults to 30.
        retries: How often a failed request is made again. Defaults to 3.
    """

    def __init__(self, base_url, timeout=30, retries=3):
        self.base_url = base_url
        self.timeout = timeout
        self.retries = retries

    def fetch(self, number, include_history=False):
        """Fetch one parcel.

        Args:
            number: The parcel's number.
            include_history: Whether earlier stations come with it.

        Returns:
            A dict with the parcel's state, or None if it has not been handed in yet.

        Raises:
            NotFoundError: If there is no parcel of that number.
        """
        answer = self._get(f"/parcels/{number}", include_history)
        if answer is None:
            raise NotFoundError(number)
        if answer["state"] == "announced":
            return None
        return dict(answer)

    def fetch_many(self, numbers):
        """Fetch up to MAX_BATCH parcels.

        Raises:
            ValueError: If more numbers are given than MAX_BATCH.
        """
        if len(numbers) > MAX_BATCH:
            raise ValueError(f"at most {MAX_BATCH} numbers at once")
        return [self.fetch(number) for number in numbers]

    def is_late(self, parcel):
        return parcel["due"] < time.time()

    def cancel(self, number):
        """Cancel a parcel; returns True where it could be called back."""
        answer = self._get(f"/parcels/{number}/cancel", False)
        if answer is None:
            raise QuotaError("no cancellation left")
        return True

    def _get(self, path, include_history):
        return {"path": path, "state": "sent", "history": include_history}
