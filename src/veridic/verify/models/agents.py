"""A language model as the category agents of `veridic verify`: it checks the claims that syntax alone can't settle.

It sees the code that a claim is about. Its verdict counts only if the lines it cites are really in the files.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from veridic.domain.code import (
    AgentVerdict,
    AssertionKind,
    ClaimCategory,
    CodeEvidence,
    CodeVerdict,
    Depth,
    DocClaim,
    EditorialFlag,
    EvidenceTier,
    Origin,
)
from veridic.domain.errors import CutOffAnswerError, ModelError, ModelRefusalError
from veridic.domain.evidence import Stance
from veridic.engine.threads import in_thread
from veridic.prompts.fence import on_one_line
from veridic.prompts.validation import asked_again
from veridic.providers.llm.base import LanguageModels, Prompt, Sampling
from veridic.text.answer_fields import AnswerError, beginning_of, reads_like_a_refusal
from veridic.verify.models.answers import CodeAnswer, parse_answer
from veridic.verify.models.excerpts import Excerpt, excerpts, file_lines, merged
from veridic.verify.models.prompts import ShownClaim, ShownCode, code_prompt
from veridic.verify.models.quotes import cited_evidence
from veridic.verify.rules.context import Context

_MOST_IN_A_CALL = 8
_LONGEST_REASON = 500
_SAMPLING = Sampling(temperature=0.0)
_PAST_ORIGINS = (Origin.CHANGELOG, Origin.COMMIT)
_SETTLED_BY_RULES = (AssertionKind.LINKS, AssertionKind.EXISTS)
_USER_ORIGINS = (Origin.MARKDOWN, Origin.RST, Origin.HELP, Origin.DOCSTRING, Origin.COMMENT)
"""If not all claims can be asked about, those that users read go before those that developers read."""
_OPEN_VERDICTS = (CodeVerdict.INCONCLUSIVE, CodeVerdict.AMBIGUOUS)
_STANCE_OF = {
    CodeVerdict.VERIFIED: Stance.SUPPORTING,
    CodeVerdict.REFUTED: Stance.CONTRADICTING,
    CodeVerdict.MISLEADING: Stance.CONTRADICTING,
    CodeVerdict.STALE: Stance.CONTRADICTING,
}
_UNANSWERED = CodeAnswer(
    CodeVerdict.INCONCLUSIVE, 0.0, "The model was asked twice and gave no verdict on it that can be used."
)
_CUT_OFF = CodeAnswer(
    CodeVerdict.INCONCLUSIVE, 0.0, "The model's answer on it was cut off before it came to a verdict."
)


class _Asked(NamedTuple):
    claim: DocClaim
    code: tuple[Excerpt, ...]


class ModelAgents:
    """Asks one model in the role of each domain's agent, all at the same time."""

    def __init__(
        self,
        models: LanguageModels,
        model: str,
        context: Context,
        *,
        timeout_seconds: float,
        most_claims: int = 40,
    ) -> None:
        """At most `most_claims` claims are asked about in all calls of `verify` together; asking about the same ones again is allowed."""
        self.notes: dict[str, Mapping[EditorialFlag, str]] = {}
        """The editorial flags for each claim, and why."""
        self.left_out: set[str] = set()
        """Claims that the model was not asked about because there were too many."""
        self._models = models
        self._model = model
        self._context = context
        self._timeout = timeout_seconds
        self._most_claims = most_claims
        self._taken: set[str] = set()

    async def verify(self, claims: Sequence[DocClaim], depth: Depth) -> Mapping[str, AgentVerdict]:
        """The verdicts by claim id, on each claim whose subject is defined in the repository.

        An answer that is cut off leaves its claim open. Raises a `ModelError` if one agent gives no usable answer: there are no
        partial verdicts. `BudgetError` passes through.
        """
        taken = await in_thread(partial(self._select, claims, depth))
        try:
            async with asyncio.TaskGroup() as agents:
                asked = [
                    agents.create_task(self._verify(domain, batch, depth))
                    for domain, batch in _batches(taken)
                ]
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        return {claim_id: verdict for task in asked for claim_id, verdict in task.result().items()}

    def _select(self, claims: Sequence[DocClaim], depth: Depth) -> list[_Asked]:
        taken: list[_Asked] = []
        readable = [claim for claim in claims if _can_be_read_in_code(claim)]
        for claim in sorted(readable, key=lambda claim: _USER_ORIGINS.index(claim.origin)):
            if claim.id not in self._taken and len(self._taken) >= self._most_claims:
                self.left_out.add(claim.id)
            elif code := excerpts(claim, self._context, depth):
                self._taken.add(claim.id)
                taken.append(_Asked(claim, code))
        return taken

    async def _verify(self, domain: str, batch: Sequence[_Asked], depth: Depth) -> dict[str, AgentVerdict]:
        given = await self._answers(domain, batch)
        for asked, answer in given:
            if answer.notes:
                self.notes[asked.claim.id] = _single_line_notes(answer.notes)
        return await in_thread(
            lambda: {asked.claim.id: self._verdict(asked, answer, depth) for asked, answer in given}
        )

    async def _answers(self, domain: str, batch: Sequence[_Asked]) -> list[tuple[_Asked, CodeAnswer]]:
        """An answer on each claim. If an answer is too long for the model, it is asked for in halves, down to a single claim."""
        labels = {f"claim_{number}": asked for number, asked in enumerate(batch, 1)}
        prompt = await in_thread(partial(self._prompt, domain, batch, list(labels)))
        try:
            answers = await self._ask(domain, prompt, list(labels))
        except CutOffAnswerError:
            if len(batch) == 1:
                return [(batch[0], _CUT_OFF)]
            middle = len(batch) // 2
            return [
                *await self._answers(domain, batch[:middle]),
                *await self._answers(domain, batch[middle:]),
            ]
        return [(asked, answers.get(label, _UNANSWERED)) for label, asked in labels.items()]

    def _prompt(self, domain: str, batch: Sequence[_Asked], labels: Sequence[str]) -> Prompt:
        claims = [
            ShownClaim(label, asked.claim, self._document_lines(asked.claim), tuple(map(_place, asked.code)))
            for label, asked in zip(labels, batch, strict=True)
        ]
        code = merged(one for asked in batch for one in asked.code)
        shown = [ShownCode(one.path, one.first, one.lines) for one in code]
        return code_prompt(domain, claims, shown, sampling=_SAMPLING)

    def _document_lines(self, claim: DocClaim) -> str:
        return "\n".join(file_lines(self._context, claim.document)[claim.line - 1 : claim.end_line])

    async def _ask(self, domain: str, prompt: Prompt, labels: Sequence[str]) -> dict[str, CodeAnswer]:
        """What the model says of each claim, with a second try if the first leaves something out."""
        answer = await self._complete(domain, prompt)
        found: dict[str, CodeAnswer] = {}
        try:
            found = parse_answer(answer, labels)
            missing = [label for label in labels if label not in found]
            problem = f"no single verdict on {' and '.join(missing)}" if missing else ""
        except AnswerError as error:
            self._require_answer(answer)
            problem = str(error)
        if not problem:
            return found
        answer = await self._complete(domain, asked_again(prompt, answer, problem))
        try:
            return found | parse_answer(answer, labels)
        except AnswerError as error:
            if found:
                return found
            self._require_answer(answer)
            raise ModelError(
                f"{self._model} gave an answer with {error}, twice; it begins: {beginning_of(answer)}"
            ) from error

    async def _complete(self, domain: str, prompt: Prompt) -> str:
        return await self._models.complete(
            self._model, prompt, stage=f"verify/{domain}", timeout_seconds=self._timeout
        )

    def _require_answer(self, answer: str) -> None:
        if reads_like_a_refusal(answer):
            raise ModelRefusalError(f"{self._model} would not answer ({beginning_of(answer)}).")

    def _verdict(self, asked: _Asked, answer: CodeAnswer, depth: Depth) -> AgentVerdict:
        claim, subject = asked.claim, asked.code[0]
        reason = on_one_line(answer.reason, _LONGEST_REASON) or "The model gives no reason."
        stance = _STANCE_OF.get(answer.verdict, Stance.CONTEXTUAL)
        cited = [cited_evidence(claim, one, self._context, stance) for one in answer.evidence]
        evidence = tuple(dict.fromkeys(one for one in cited if one))
        if not evidence and answer.verdict not in _OPEN_VERDICTS:
            evidence = (self._model_evidence(reason, stance),)
        verdict, settles = answer.verdict, on_one_line(answer.would_settle, _LONGEST_REASON)
        if subject.goes_on_to and verdict is CodeVerdict.VERIFIED:
            # Code that was not shown may do something else; lines that contradict the claim still count.
            verdict = CodeVerdict.INCONCLUSIVE
            settles = (
                f"Reading {subject.path}:{subject.last + 1}-{subject.goes_on_to}, which was too long to show."
            )
        return AgentVerdict(
            agent=f"{claim.domain} ({self._model})",
            verdict=verdict,
            confidence=answer.confidence,
            reason=reason,
            evidence=evidence,
            depth=depth,
            would_settle=settles or None,
        )

    def _model_evidence(self, reason: str, stance: Stance) -> CodeEvidence:
        """Evidence for a verdict whose citations were not found: it never carries a verdict."""
        return CodeEvidence(tier=EvidenceTier.MODEL, stance=stance, path=self._model, quote=reason)


def _can_be_read_in_code(claim: DocClaim) -> bool:
    """Whether reading code can settle the claim: not one about other systems, about the past, or about whether something exists."""
    return (
        claim.category is not ClaimCategory.EXTERNAL
        and claim.origin not in _PAST_ORIGINS
        and claim.assertion.kind not in _SETTLED_BY_RULES
    )


def _single_line_notes(notes: Mapping[EditorialFlag, str]) -> dict[EditorialFlag, str]:
    return {flag: on_one_line(why, _LONGEST_REASON) for flag, why in notes.items()}


def _batches(taken: Sequence[_Asked]) -> Iterator[tuple[str, Sequence[_Asked]]]:
    """The claims of each domain, in batches that fit one call."""
    for domain in dict.fromkeys(asked.claim.domain for asked in taken):
        own = [asked for asked in taken if asked.claim.domain == domain]
        for start in range(0, len(own), _MOST_IN_A_CALL):
            yield domain, own[start : start + _MOST_IN_A_CALL]


def _place(code: Excerpt) -> str:
    goes_on = f" (goes on to {code.goes_on_to}, not shown)" if code.goes_on_to else ""
    return f"{code.path}:{code.first}-{code.last}{goes_on}"
