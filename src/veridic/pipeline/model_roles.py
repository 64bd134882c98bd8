"""Language models in the parts of a consensus run: a prompt, an answer, and what is read out of it."""

import time
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import TypeVar

from veridic.claims.parse import parse_extraction
from veridic.decision.repetition import mark_repetitions
from veridic.domain.document import Document
from veridic.judging.base import SourceJudge
from veridic.judging.parse import parse_verifications
from veridic.pipeline.asking import ask_and_read
from veridic.pipeline.checked_citations import with_citations_read
from veridic.pipeline.deliberation import Deliberation
from veridic.pipeline.roles import Checked, Extracted
from veridic.pipeline.threads import in_thread
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

_T = TypeVar("_T")


class ModelRole:
    """One model by name, with the time it has for an answer."""

    def __init__(self, model: str, models: LanguageModels, timeout_seconds: float) -> None:
        self.model = model
        self._models = models
        self._timeout = timeout_seconds

    async def _ask(self, prompt: Prompt, stage: str) -> str:
        return await self._models.complete(self.model, prompt, stage=stage, timeout_seconds=self._timeout)

    async def _ask_and_read(self, prompt: Prompt, stage: str, parse: Callable[[str], _T]) -> tuple[str, _T]:
        return await ask_and_read(self.model, prompt, lambda asked: self._ask(asked, stage), parse)


class ModelGenerator(ModelRole):
    async def generate(self, question: str) -> str:
        return await self._ask(generate_prompt(question), "generate")


class ModelExtractor(ModelRole):
    async def extract(self, document: Document) -> Extracted:
        answer, claims = await self._ask_and_read(
            extraction_prompt(document.text), "extract", parse_extraction
        )
        return Extracted(answer, claims)


class ModelChecker(ModelRole):
    """Judges claims by the run's passages, which are read where it cites them, or by what it knows."""

    needs_evidence = False

    def __init__(
        self,
        model: str,
        models: LanguageModels,
        timeout_seconds: float,
        *,
        judge: SourceJudge,
        as_of: date,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`judge` reads what it cites, until `seconds` after the checker was asked."""
        super().__init__(model, models, timeout_seconds)
        self._judge = judge
        self._as_of = as_of
        self._seconds = seconds
        self._clock = clock

    async def verify(self, stage: str, run: Deliberation) -> Checked:
        deadline = self._clock() + self._seconds
        passages = run.exhibits.for_claims(run.claims) if run.exhibits else None
        prompt = verification_prompt(
            run.extracted, run.document.text, passages, as_of=self._as_of, published=run.document.published
        )
        numbers = None if passages is None else {one.number for given in passages.values() for one in given}
        wordings = {claim.id: claim.claim for claim in run.extracted}
        answer, found = await self._ask_and_read(
            prompt, stage, lambda text: parse_verifications(text, self.model, wordings, numbers)
        )
        marked = mark_repetitions(found, content=run.document.text, claims=wordings)
        if run.exhibits is None or passages is None:
            return Checked(answer, marked)
        given = {
            claim: {one.number: run.exhibits.passage(one.number) for one in own}
            for claim, own in passages.items()
        }
        read = partial(
            with_citations_read,
            marked,
            {claim.id: claim for claim in run.extracted},
            given,
            self._judge,
            is_time_left=lambda: self._clock() < deadline,
        )
        return Checked(answer, await in_thread(read))


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
