"""Language models in the parts of a consensus run: a prompt, an answer, and what is read out of it."""

from veridic.claims.parse import parse_claims, says_there_are_no_claims
from veridic.decision.repetition import mark_repetitions
from veridic.domain.consensus import not_addressed
from veridic.domain.document import Document
from veridic.domain.errors import ModelError, ModelRefusalError
from veridic.judging.parse import has_any_verdict, parse_verifications
from veridic.pipeline.deliberation import Deliberation
from veridic.pipeline.roles import Checked, Extracted
from veridic.prompts.consensus import (
    extraction_prompt,
    generate_prompt,
    report_prompt,
    title_prompt,
    verification_prompt,
)
from veridic.providers.llm.base import LanguageModels, Prompt
from veridic.reporting.consensus_text import with_remarks, with_sources
from veridic.reporting.settled_report import with_settled_sections
from veridic.text.refusal import beginning_of, reads_like_a_refusal


class ModelRole:
    """One model by name, with the time it has for an answer."""

    def __init__(self, model: str, models: LanguageModels, timeout_seconds: float) -> None:
        self.model = model
        self._models = models
        self._timeout = timeout_seconds

    async def _ask(self, prompt: Prompt, stage: str) -> str:
        return await self._models.complete(self.model, prompt, stage=stage, timeout_seconds=self._timeout)

    def _useless(self, answer: str, lacking: str) -> ModelError:
        """What is wrong with an answer that has nothing of what was asked for."""
        beginning = beginning_of(answer)
        if reads_like_a_refusal(answer):
            return ModelRefusalError(f"{self.model} would not answer ({beginning}).")
        return ModelError(f"{self.model} gave an answer without {lacking}, which begins: {beginning}")


class ModelGenerator(ModelRole):
    async def generate(self, question: str) -> str:
        return await self._ask(generate_prompt(question), "generate")


class ModelExtractor(ModelRole):
    async def extract(self, document: Document) -> Extracted:
        answer = await self._ask(extraction_prompt(document.text), "extract")
        claims = parse_claims(answer)
        if not claims and not says_there_are_no_claims(answer):
            raise self._useless(answer, "claims")
        return Extracted(answer, claims)


class ModelChecker(ModelRole):
    needs_evidence = False

    async def verify(self, stage: str, run: Deliberation) -> Checked:
        passages = run.exhibits.for_claims(run.claims) if run.exhibits else None
        answer = await self._ask(verification_prompt(run.extracted, run.document.text, passages), stage)
        numbers = None if passages is None else {one.number for given in passages.values() for one in given}
        expected = [claim.id for claim in run.extracted]
        found = parse_verifications(answer, self.model, expected, numbers)
        says_nothing = all(one == not_addressed(one.claim_id, self.model) for one in found)
        if says_nothing and not has_any_verdict(answer):
            raise self._useless(answer, "verdicts")
        words = {claim.id: claim.claim for claim in run.extracted}
        return Checked(answer, mark_repetitions(found, content=run.document.text, claims=words))


class ModelReporter(ModelRole):
    async def report(self, run: Deliberation) -> str:
        remarks, sources = run.remarks, run.sources or ()
        answered = run.config.model_copy(update={"checker_models": run.checkers})
        prompt = report_prompt(run.document.text, run.consensus, answered, notes=remarks, passages=sources)
        answer = await self._ask(prompt, "report")
        settled = with_settled_sections(answer, run.consensus, run.config, run.failed_checkers)
        return with_sources(with_remarks(settled, remarks), run.consensus, sources)

    async def title(self, question: str, content: str) -> str | None:
        return await self._ask(title_prompt(question, content), "title")
