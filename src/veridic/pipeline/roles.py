"""The parts that are played in a consensus run. A language model can play any; the embedded engine most."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from veridic.domain.claim import Claim
from veridic.domain.consensus import ClaimVerification, ExtractedClaim
from veridic.domain.document import Document
from veridic.pipeline.deliberation import Deliberation


class Extracted(NamedTuple):
    text: str
    """What the extractor wrote, word for word."""
    claims: tuple[ExtractedClaim, ...]
    located: tuple[Claim, ...] | None = None
    """The same claims with their places in the document, where the extractor knows them."""


class Checked(NamedTuple):
    text: str
    verifications: tuple[ClaimVerification, ...]
    """One for each claim, in the claims' order."""


class Generator(Protocol):
    model: str

    async def generate(self, question: str) -> str: ...


class Extractor(Protocol):
    model: str

    async def extract(self, document: Document) -> Extracted: ...


class Checker(Protocol):
    model: str
    needs_evidence: bool
    """True for one that knows nothing by itself."""

    async def verify(self, stage: str, run: Deliberation) -> Checked:
        """Looks at every claim: with the run's exhibits where it has some, else by what it knows."""
        ...


class Reporter(Protocol):
    model: str

    async def report(self, run: Deliberation) -> str: ...

    async def title(self, question: str, content: str) -> str | None:
        """A short title for a run, or None where the caller should take its first words."""
        ...


class Cast(NamedTuple):
    """Who plays which part in a run."""

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
