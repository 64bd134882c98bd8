"""The contracts every judge keeps."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from veridic.domain.evidence import Assessment, Passage


class Belief(NamedTuple):
    """How likely evidence supports a claim, refutes it, or leaves it open; the three add up to 1."""

    supported: float
    refuted: float
    unsettled: float


class ClaimReading(NamedTuple):
    """What a judge makes of a claim: what all the evidence comes to, and what each passage says by itself."""

    belief: Belief
    assessments: list[Assessment]
    """One a passage, in the order given."""


class Judge(Protocol):
    """Reads a claim and passages, and says what they mean for it.

    A judge is deterministic, never raises on any text, quotes passages word for word, and leaves a claim open
    rather than guess. Its beliefs are calibrated: of those of 0.9, nine in ten are right.
    """

    name: str

    def read(self, claim: str, passages: Sequence[Passage], context: str = "") -> ClaimReading:
        """The claim against passages, which may be of several sources. `context` is the sentence it stands in."""
        ...


class SourceJudge(Protocol):
    """Says what each of several sources by itself means for a claim: whether one can be cited for it."""

    def believe_sources(
        self, claim: str, passages: Sequence[Passage], context: str, *, among: Collection[str]
    ) -> Mapping[str, Belief]:
        """By location, of the sources that are `among` these, whether they have any of the claim's names or not. A reference
        work is not read: its rows are no prose."""
        ...


class PairJudge(Protocol):
    """Says what evidence, all of it together, means for a claim; what `veridic bench verifier` measures."""

    name: str

    def believe(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Belief]:
        """One belief a pair of a claim and its passages, in the order given."""
        ...
