"""A language model as lister and reader of summary and thorough mode.

The model lists the claims of a document and judges each by the evidence. While it answers, the embedded network reads the sources that
it will most likely cite; when the answer arrives, only the other sources it cites still have to be read.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import date
from functools import partial
from typing import TypeVar

from veridic.check.model_citations import check_sentences, read_ahead
from veridic.check.model_judgement import ReadingContext, nothing_found, reading_of
from veridic.claims.locate import Sentence
from veridic.claims.parse_lister import ListedClaim, locate_listed, parse_listed
from veridic.claims.selection import (
    MAIN_STATEMENTS,
    limit_claims,
    made_by_the_text,
    main_statements,
    parts_of,
    said_by_the_text,
    with_unlisted,
)
from veridic.config.settings import Settings
from veridic.domain.claim import Claim, Extraction
from veridic.domain.dates import PartialDate
from veridic.domain.document import Document
from veridic.domain.modes import Mode
from veridic.domain.search import Gathered
from veridic.engine.ask_model import ask_and_read
from veridic.engine.cited_sources import Asked
from veridic.engine.prompt_evidence import PromptEvidence, choose_prompt_evidence
from veridic.engine.proofreading import Proofreader, unlisted
from veridic.engine.readers import ArticleVerdict, HearsayReading, ListedClaims, Reading, ReadTogether
from veridic.engine.threads import in_thread
from veridic.judging.base import SourceJudge
from veridic.judging.parse_claim_entries import parse_hearsay
from veridic.judging.parse_summary import parse_summary_answer
from veridic.judging.parse_validator import ValidationAnswer, parse_validation
from veridic.prompts.validation import (
    SAID,
    SO,
    attributions_of,
    list_claims_prompt,
    summary_validation_prompt,
    validation_prompt,
)
from veridic.providers.llm.base import LanguageModels, Prompt, Sampling

_AT_ONCE = 2
"""Claims that are worked on: one is parsed while the network reads for the other. With more, all of them would finish late."""
_HEAD_START = 0.02
"""Seconds before reading ahead begins, so that the request is sent first."""
_T = TypeVar("_T")


class ReadAheadQueue:
    """Schedules reading: answered claims go before reading ahead, which is done for one claim at a time."""

    def __init__(self, judge: SourceJudge) -> None:
        """Reading ahead is only useful if `judge` remembers what it has read."""
        self._judge = judge
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._ahead = asyncio.Lock()

    async def work(self, call: Callable[[], _T]) -> _T:
        """Run `call` in a thread when it is its turn, and return the result."""
        async with self._turns:
            return await in_thread(call)

    @asynccontextmanager
    async def reading_ahead(
        self, asked: Sequence[Asked], prompt_evidence: PromptEvidence
    ) -> AsyncIterator[None]:
        """Read ahead while the body awaits an answer. At its end, reading that has not begun is cancelled; reading that has begun is finished."""
        has_begun = asyncio.Event()
        reading = asyncio.create_task(self._read(asked, prompt_evidence, has_begun))
        try:
            yield
        finally:
            if not has_begun.is_set():
                reading.cancel()
            await asyncio.wait([reading])
        if not reading.cancelled():
            reading.result()

    async def _read(
        self, asked: Sequence[Asked], prompt_evidence: PromptEvidence, has_begun: asyncio.Event
    ) -> None:
        await asyncio.sleep(_HEAD_START)
        async with self._ahead, self._turns:
            has_begun.set()
            for one in asked:
                await in_thread(partial(read_ahead, one, prompt_evidence, self._judge))


LONGEST_PART = 12_000
"""Characters of a document that a model lists the claims of in one call: with more it would miss some, or run out of
output tokens."""
_EXTRACT = "extract"


class ModelReader:
    """Asks each question once, and a second time, naming the problem, if the answer can't be used.

    Raises `ModelError` if the second answer can't be used either, and `ModelRefusalError` if the model refuses.
    """

    def __init__(
        self,
        models: LanguageModels,
        *,
        extractor: str,
        validator: str,
        settings: Settings,
        proofreader: Proofreader,
        judge: SourceJudge,
        as_of: date,
        timeout_seconds: float,
        claim_date: date | None = None,
        published: PartialDate | None = None,
        writes_queries: bool = True,
    ) -> None:
        """`judge` reads the sources that the validator cites. `claim_date` is when the claims were made, by default the day of the
        check; `published` is the article's own date, if it has one. Queries are written only if a search engine is used."""
        self.name = validator
        self._extractor = extractor
        self._models = models
        self._proofreader = proofreader
        self._judge = judge
        self._settings = settings
        self._timeout = timeout_seconds
        self._published = published
        self._writes_queries = writes_queries
        self._context = ReadingContext(validator, as_of, claim_date or as_of)
        self._choosing = asyncio.Lock()
        """Evidence is chosen for one claim after the other, so that the first is done early."""
        self._queue = ReadAheadQueue(judge)
        self._sampling = Sampling(
            temperature=settings.gemini_temperature_thorough,
            top_p=settings.gemini_top_p_thorough,
            top_k=settings.gemini_top_k_thorough,
            max_output_tokens=settings.gemini_max_tokens_thorough,
        )

    async def list_claims(self, document: Document, *, mode: Mode, most: int | None) -> ListedClaims:
        """See `Lister.list_claims`. A long document is listed in parts, all at once."""
        parts = parts_of(document.text, LONGEST_PART)
        if mode is Mode.SUMMARY:
            return await self._main_statements(parts, document)
        # The checkable sentences are found while the model lists its claims.
        finding = asyncio.create_task(in_thread(partial(self._proofreader.checkable, document)))
        try:
            listed = await self._locate(await self._list_parts(parts, document, mode, most), document)
        finally:
            await asyncio.wait([finding])  # leave no reading thread behind
        made = await in_thread(partial(self._proofread, listed.extraction, document, finding.result()))
        return listed.narrowed(limit_claims(made, most))

    async def _main_statements(self, parts: Sequence[str], document: Document) -> ListedClaims:
        listed = await self._locate(
            await self._list_parts(parts, document, Mode.SUMMARY, MAIN_STATEMENTS), document
        )
        claims = listed.extraction.claims
        # An article may not state its main statements in so many words, so no single place has to support them.
        stood_for = await in_thread(partial(self._proofreader.stood_for, claims, document))
        made = said_by_the_text(listed.extraction, stood_for)
        is_whole = len(parts) == 1
        return listed.narrowed(
            limit_claims(made, MAIN_STATEMENTS) if is_whole else main_statements(made, document)
        )

    async def _locate(self, listed: Sequence[ListedClaim], document: Document) -> ListedClaims:
        return ListedClaims(*await in_thread(partial(locate_listed, listed, document)))

    def _proofread(
        self, extraction: Extraction, document: Document, checkable: Sequence[Sentence]
    ) -> Extraction:
        """Keep only what the author says, and add omissions for checkable sentences that were not listed."""
        made = made_by_the_text(extraction, document)
        said = said_by_the_text(made, self._proofreader.said(made.claims, document))
        return with_unlisted(said, unlisted(checkable, said.claims))

    async def _list_parts(
        self, parts: Sequence[str], document: Document, mode: Mode, most: int | None
    ) -> list[ListedClaim]:
        """Return the claims of all parts in order; any part may contain all of the most important ones."""
        prompts = [
            list_claims_prompt(
                text,
                mode=mode,
                most=most,
                as_of=self._context.as_of,
                published=document.published,
                part=(number, len(parts)) if len(parts) > 1 else None,
                with_queries=self._writes_queries,
                sampling=self._sampling,
            )
            for number, text in enumerate(parts, 1)
        ]
        try:
            async with asyncio.TaskGroup() as reading:
                asked = [
                    reading.create_task(self._ask(self._extractor, prompt, _EXTRACT, parse_listed))
                    for prompt in prompts
                ]
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        return [claim for task in asked for claim in task.result()]

    async def read(self, claim: Claim, question: str, gathered: Gathered, *, stage: str) -> Reading:
        """See `Reader.read`."""
        prompt_evidence = await self._choose(question, gathered)
        if not prompt_evidence.sources:
            return nothing_found(self._context)
        prompt = validation_prompt(
            claim,
            question,
            prompt_evidence.sources,
            gathered.searches,
            as_of=self._context.as_of,
            published=self._published,
            sampling=self._sampling,
        )
        async with self._queue.reading_ahead([Asked(question, claim.context)], prompt_evidence):
            answer = await self._ask(self.name, prompt, stage, parse_validation)
        return await self._reading(claim, question, answer, prompt_evidence)

    async def read_hearsay(self, claim: Claim, gathered: Gathered, *, stage: str) -> HearsayReading:
        """See `ReadsHearsay.read_hearsay`; asks both questions in one call."""
        prompt_evidence = await self._choose(claim.text, gathered)
        if not prompt_evidence.sources:
            nothing = nothing_found(self._context)
            return HearsayReading(nothing, nothing)
        prompt = validation_prompt(
            claim,
            None,
            prompt_evidence.sources,
            gathered.searches,
            as_of=self._context.as_of,
            published=self._published,
            sampling=self._sampling,
        )
        content = claim.framing.underlying_claim or claim.text
        questions = {SAID: claim.text, SO: content}
        parse = partial(parse_hearsay, questions=questions)
        async with self._queue.reading_ahead(
            [Asked(q, claim.context) for q in questions.values()], prompt_evidence
        ):
            answers = await self._ask(self.name, prompt, stage, parse)
        read = {
            part: await self._reading(claim, question, answers[part], prompt_evidence)
            for part, question in questions.items()
            if part in answers
        }
        return HearsayReading(read[SAID], read.get(SO))

    async def read_together(self, claims: Sequence[Claim], gathered: Gathered, *, stage: str) -> ReadTogether:
        """See `ReadsTogether.read_together`; asks about all claims in one call."""
        questions = {claim.id: claim.framing.underlying_claim or claim.text for claim in claims}
        reported = attributions_of(claims)
        prompt_evidence = await self._choose(" ".join(questions.values()), gathered)
        if not prompt_evidence.sources:
            return ReadTogether({claim.id: nothing_found(self._context) for claim in claims})
        prompt = summary_validation_prompt(
            claims,
            prompt_evidence.sources,
            gathered.searches,
            as_of=self._context.as_of,
            published=self._published,
            sampling=self._sampling,
        )
        parse = partial(
            parse_summary_answer,
            claims=questions,
            attributions={number: claim.text for number, claim in reported.items()},
        )
        asked = [Asked(questions[claim.id], claim.context) for claim in claims]
        async with self._queue.reading_ahead(asked, prompt_evidence):
            said = await self._ask(self.name, prompt, stage, parse, settle_for=partial(parse, partly=True))
        readings = {
            claim.id: await self._reading(claim, questions[claim.id], answer, prompt_evidence)
            for claim in claims
            if (answer := said.claims.get(claim.id)) is not None
        }
        were_said = {
            claim.id: await self._reading(claim, claim.text, said.attributions[number], prompt_evidence)
            for number, claim in reported.items()
            if number in said.attributions
        }
        if said.article is None:
            return ReadTogether(readings, said=were_said)
        about = tuple(text for claim in claims for text in (claim.text, claim.context))
        sentences = await in_thread(partial(check_sentences, said.article, prompt_evidence, about))
        return ReadTogether(
            readings,
            ArticleVerdict(said.article.verdict, said.credibility_score, sentences.summary),
            were_said,
        )

    async def _choose(self, question: str, gathered: Gathered) -> PromptEvidence:
        choose = partial(choose_prompt_evidence, question, gathered, self._settings, self._context.as_of)
        async with self._choosing:
            return await in_thread(choose)

    async def _reading(
        self, claim: Claim, question: str, answer: ValidationAnswer, prompt_evidence: PromptEvidence
    ) -> Reading:
        read = partial(reading_of, claim, question, answer, prompt_evidence, self._context, self._judge)
        return await self._queue.work(read)

    async def _ask(
        self,
        model: str,
        prompt: Prompt,
        stage: str,
        parse: Callable[[str], _T],
        *,
        settle_for: Callable[[str], _T] | None = None,
    ) -> _T:
        _, read = await ask_and_read(
            model, prompt, lambda asked: self._complete(model, asked, stage), parse, settle_for=settle_for
        )
        return read

    async def _complete(self, model: str, prompt: Prompt, stage: str) -> str:
        return await self._models.complete(model, prompt, stage=stage, timeout_seconds=self._timeout)
