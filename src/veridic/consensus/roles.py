"""The interfaces of the roles in a consensus run. A language model can fill any role; the embedded engine most of them."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from veridic.consensus.deliberation import Deliberation
from veridic.domain.claim import Claim, Omission
from veridic.domain.consensus import ClaimVerification, ExtractedClaim
from veridic.domain.document import Document


class Extracted(NamedTuple):
    text: str
    """The extractor's answer, word for word."""
    claims: tuple[ExtractedClaim, ...]
    located: tuple[Claim, ...] | None = None
    """The same claims with their spans in the document, if the extractor knows them."""
    omissions: tuple[Omission, ...] = ()
    """What the extractor left out on purpose, if it says so."""


class Checked(NamedTuple):
    text: str
    verifications: tuple[ClaimVerification, ...]
    """One for each claim, in the same order."""


class Generator(Protocol):
    model: str

    async def generate(self, question: str) -> str: ...


class Extractor(Protocol):
    model: str

    async def extract(self, document: Document) -> Extracted: ...


class Checker(Protocol):
    model: str
    needs_evidence: bool
    """True if the checker can't judge from its own knowledge."""

    async def verify(self, stage: str, run: Deliberation) -> Checked:
        """Verify every claim by the run's passages, or, if there are none, by the model's knowledge."""
        ...


class Reporter(Protocol):
    model: str

    async def report(self, run: Deliberation) -> str: ...

    async def title(self, question: str, content: str) -> str | None:
        """Return a short title for the run, or None if the caller should derive one from the content."""
        ...


class Cast(NamedTuple):
    """The model of each role in a run."""

    generator: Generator | None
    extractor: Extractor
    checkers: Sequence[Checker]
    reporter: Reporter

    @property
    def needs_evidence(self) -> bool:
        return any(checker.needs_evidence for checker in self.checkers)

    @property
    def is_embedded(self) -> bool:
        models = [self.extractor.model, self.reporter.model, *(c.model for c in self.checkers)]
        return self.generator is None and all(model.startswith("embedded/") for model in models)
