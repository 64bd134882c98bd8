"""The contract every judge keeps."""

from collections.abc import Sequence
from typing import Protocol

from veridic.domain.evidence import Assessment, Passage


class Judge(Protocol):
    """Reads a claim and passages, and says of each passage whether it supports or contradicts the claim.

    A judge is deterministic, never raises on any text, quotes the passage word for word, and says
    "contextual" rather than guess.
    """

    name: str

    def assess(self, claim: str, passages: Sequence[Passage]) -> list[Assessment]:
        """One assessment a passage, in the order given. Passages are read together: which of two
        yearly figures is the newer one matters for both."""
        ...
