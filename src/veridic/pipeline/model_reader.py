"""A language model that lists the claims of a document, and one that reads the evidence for them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import TypeVar

from veridic.claims.locate import Sentence
from veridic.claims.parse_listed import ListedClaim, locate_listed, parse_listed
from veridic.claims.parts import parts_of
from veridic.claims.selection import (
    MAIN_STATEMENTS,
    limit_claims,
    made_by_the_text,
    main_statements,
    said_by_the_text,
    with_unlisted,
)
from veridic.config.settings import Settings
from veridic.domain.claim import Claim, Extraction
from veridic.domain.dates import PartialDate
from veridic.domain.document import Document
from veridic.domain.modes import Mode
from veridic.domain.search import Gathered
from veridic.judging.base import SourceJudge
from veridic.judging.parse_validation import ValidationAnswer, parse_summary_validation, parse_validation
from veridic.judging.summary_answer import parse_summary_answer
from veridic.pipeline.asking import ask_and_read
from veridic.pipeline.cited_sources import Asked
from veridic.pipeline.model_account import told_by
from veridic.pipeline.model_judgement import Circumstances, reading_of, unread
from veridic.pipeline.proofreading import Proofreader, unlisted
from veridic.pipeline.readers import ArticleVerdict, HearsayReading, ListedClaims, Reading, ReadTogether
from veridic.pipeline.reading_desk import ReadingDesk
from veridic.pipeline.shown import Shown, choose_shown
from veridic.pipeline.threads import in_thread
from veridic.prompts.validation import (
    SAID,
    SO,
    attributions_of,
    list_claims_prompt,
    summary_validation_prompt,
    validation_prompt,
)
from veridic.providers.llm.base import LanguageModels, Prompt, Sampling
from veridic.text.answer_fields import AnswerError

LONGEST_PART = 12_000
"""Characters of a document that a model is asked to list the claims of at once: of more it would miss some, or write a longer
list than it can end."""
_EXTRACT = "extract"
_T = TypeVar("_T")


class ModelReader:
    """Asks for each thing once, and once more, with what was wrong, where the answer can't be used.

    Raises a `ModelError` where the second answer is of no use either, and `ModelRefusalError` where a model won't.
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
        check; `published` is the article's own date, where it has one. Queries are written only where a search engine is asked."""
        self.name = validator
        self._extractor = extractor
        self._models = models
        self._proofreader = proofreader
        self._judge = judge
        self._settings = settings
        self._timeout = timeout_seconds
        self._published = published
        self._writes_queries = writes_queries
        self._circumstances = Circumstances(validator, as_of, claim_date or as_of)
        self._choosing = asyncio.Lock()
        """What is shown is chosen for one claim after the other, so that the first is done early."""
        self._desk = ReadingDesk(judge)
        self._sampling = Sampling(
            temperature=settings.gemini_temperature_thorough,
            top_p=settings.gemini_top_p_thorough,
            top_k=settings.gemini_top_k_thorough,
            max_output_tokens=settings.gemini_max_tokens_thorough,
        )

    async def list_claims(self, document: Document, *, mode: Mode, most: int | None) -> ListedClaims:
        """See `Lister.list_claims`. A long document is read in parts, all of them at once."""
        parts = parts_of(document.text, LONGEST_PART)
        if mode is Mode.SUMMARY:
            return await self._main_statements(parts, document)
        # What there is to list is found while the model lists it.
        finding = asyncio.create_task(in_thread(partial(self._proofreader.checkable, document)))
        try:
            listed = await self._locate(await self._list_parts(parts, document, mode, most), document)
        finally:
            await asyncio.wait([finding])  # no thread that reads is left behind
        made = await in_thread(partial(self._proofread, listed.extraction, document, finding.result()))
        return listed.narrowed(limit_claims(made, most))

    async def _main_statements(self, parts: Sequence[str], document: Document) -> ListedClaims:
        listed = await self._locate(
            await self._list_parts(parts, document, Mode.SUMMARY, MAIN_STATEMENTS), document
        )
        claims = listed.extraction.claims
        # What an article as a whole stands for may be said nowhere in it in so many words: no one place has to bear it out.
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
        """Only what the author says; and what of it was not listed is said."""
        made = made_by_the_text(extraction, document)
        said = said_by_the_text(made, self._proofreader.said(made.claims, document))
        return with_unlisted(said, unlisted(checkable, said.claims))

    async def _list_parts(
        self, parts: Sequence[str], document: Document, mode: Mode, most: int | None
    ) -> list[ListedClaim]:
        """The claims of every part, in their order; any part may have all of the most important ones."""
        prompts = [
            list_claims_prompt(
                text,
                mode=mode,
                most=most,
                as_of=self._circumstances.as_of,
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
        shown = await self._choose(question, gathered)
        if not shown.sources:
            return unread(self._circumstances)
        prompt = validation_prompt(
            claim,
            question,
            shown.sources,
            gathered.searches,
            as_of=self._circumstances.as_of,
            published=self._published,
            sampling=self._sampling,
        )
        async with self._desk.reading_ahead([Asked(question, claim.context)], shown):
            as_it_stands = partial(parse_validation, as_it_stands=True)
            answer = await self._ask(self.name, prompt, stage, parse_validation, settle_for=as_it_stands)
        return await self._reading(claim, question, answer, shown)

    async def read_hearsay(self, claim: Claim, gathered: Gathered, *, stage: str) -> HearsayReading:
        """See `ReadsHearsay.read_hearsay`: one call for both questions."""
        shown = await self._choose(claim.text, gathered)
        if not shown.sources:
            nothing = unread(self._circumstances)
            return HearsayReading(nothing, nothing)
        prompt = validation_prompt(
            claim,
            None,
            shown.sources,
            gathered.searches,
            as_of=self._circumstances.as_of,
            published=self._published,
            sampling=self._sampling,
        )
        content = claim.framing.underlying_claim or claim.text
        questions = {SAID: claim.text, SO: content}
        parse = partial(_parse_hearsay, questions=questions)
        async with self._desk.reading_ahead([Asked(q, claim.context) for q in questions.values()], shown):
            answers = await self._ask(self.name, prompt, stage, parse)
        read = {
            part: await self._reading(claim, question, answers[part], shown)
            for part, question in questions.items()
            if part in answers
        }
        return HearsayReading(read[SAID], read.get(SO))

    async def read_together(self, claims: Sequence[Claim], gathered: Gathered, *, stage: str) -> ReadTogether:
        """See `ReadsTogether.read_together`: one call for all of them."""
        questions = {claim.id: claim.framing.underlying_claim or claim.text for claim in claims}
        reported = attributions_of(claims)
        shown = await self._choose(" ".join(questions.values()), gathered)
        if not shown.sources:
            return ReadTogether({claim.id: unread(self._circumstances) for claim in claims})
        prompt = summary_validation_prompt(
            claims,
            shown.sources,
            gathered.searches,
            as_of=self._circumstances.as_of,
            published=self._published,
            sampling=self._sampling,
        )
        parse = partial(
            parse_summary_answer,
            claims=questions,
            attributions={number: claim.text for number, claim in reported.items()},
        )
        asked = [Asked(questions[claim.id], claim.context) for claim in claims]
        async with self._desk.reading_ahead(asked, shown):
            said = await self._ask(self.name, prompt, stage, parse, settle_for=partial(parse, partly=True))
        readings = {
            claim.id: await self._reading(claim, questions[claim.id], answer, shown)
            for claim in claims
            if (answer := said.claims.get(claim.id)) is not None
        }
        were_said = {
            claim.id: await self._reading(claim, claim.text, said.attributions[number], shown)
            for number, claim in reported.items()
            if number in said.attributions
        }
        if said.article is None:
            return ReadTogether(readings, said=were_said)
        about = tuple(text for claim in claims for text in (claim.text, claim.context))
        told = await in_thread(partial(told_by, said.article, shown, about))
        return ReadTogether(
            readings, ArticleVerdict(said.article.verdict, said.credibility_score, told.summary), were_said
        )

    async def _choose(self, question: str, gathered: Gathered) -> Shown:
        choose = partial(choose_shown, question, gathered, self._settings, self._circumstances.as_of)
        async with self._choosing:
            return await in_thread(choose)

    async def _reading(self, claim: Claim, question: str, answer: ValidationAnswer, shown: Shown) -> Reading:
        read = partial(reading_of, claim, question, answer, shown, self._circumstances, self._judge)
        return await self._desk.work(read)

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


def _parse_hearsay(text: str, questions: Mapping[str, str]) -> Mapping[str, ValidationAnswer]:
    """Of what states no fact only whether it was said is answered."""
    try:
        return parse_summary_validation(text, questions)
    except AnswerError:
        return parse_summary_validation(text, {SAID: questions[SAID]})
