"""The interfaces of judges."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from veridic.domain.evidence import Assessment, Passage


class Belief(NamedTuple):
    """The probabilities that evidence supports a claim, refutes it, or leaves it open; they add up to 1."""

    supported: float
    refuted: float
    unsettled: float


class ClaimReading(NamedTuple):
    """A judge's reading of a claim: the belief from all evidence, and what each passage says alone."""

    belief: Belief
    assessments: list[Assessment]
    """One per passage, in the given order."""


class Judge(Protocol):
    """Reads a claim and passages, and says what the passages mean for it.

    A judge is deterministic, never raises on any text, quotes passages word for word, and leaves a claim open rather than
    guess. Its beliefs are calibrated: of those of 0.9, nine in ten are right.
    """

    name: str

    def read(self, claim: str, passages: Sequence[Passage], context: str = "") -> ClaimReading:
        """Read the claim against passages, which may be from several sources. `context` is the sentence around the claim."""
        ...


class SourceJudge(Protocol):
    """Says what each source alone means for a claim, and so whether it can be cited for it."""

    def believe_sources(
        self, claim: str, passages: Sequence[Passage], context: str, *, among: Collection[str]
    ) -> Mapping[str, Belief]:
        """Return beliefs by location for the sources in `among`, whether or not they contain any of the claim's names. A reference
        work is not read: its rows are not prose."""
        ...


class PairJudge(Protocol):
    """Says what all evidence together means for a claim; measured by `veridic bench verifier`."""

    name: str

    def believe(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Belief]:
        """Return one belief for each pair of claim and passages, in the given order."""
        ...
