"""The contracts every judge keeps."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from veridic.domain.evidence import Assessment, Passage


class Belief(NamedTuple):
    """How likely evidence supports a claim, refutes it, or leaves it open; the three add up to 1."""

    supported: float
    refuted: float
    unsettled: float


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


class PairJudge(Protocol):
    """Says what evidence, all of it together, means for a claim; what `veridic bench verifier` measures."""

    name: str

    def believe(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Belief]:
        """One belief a pair of a claim and its passages, in the order given."""
        ...
