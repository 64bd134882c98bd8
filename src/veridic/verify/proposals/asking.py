"""Asks a language model what documents say. It only proposes: its quotes are looked up in the document, and facts decide."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from veridic.domain.code import DocClaim, ProposedClaims, VerifyFailure
from veridic.domain.errors import (
    BudgetError,
    CutOffAnswerError,
    ModelAccessError,
    ModelError,
    ModelRefusalError,
    UnknownModelError,
)
from veridic.domain.progress import Progress
from veridic.prompts.validation import asked_again
from veridic.providers.llm.base import LanguageModels, Prompt
from veridic.text.answer_fields import AnswerError, beginning_of, reads_like_a_refusal
from veridic.verify.documents.read import read_units
from veridic.verify.documents.unit import Unit
from veridic.verify.proposals.answer import MOST_PROPOSALS, ProposalList, parse_proposals
from veridic.verify.proposals.claims import DocumentClaims
from veridic.verify.proposals.kept import KeptLists
from veridic.verify.proposals.prompt import Part, parts_of, propose_prompt
from veridic.verify.proposals.proposed import Proposed

_AT_ONCE = 8
_FEWEST_LINES = 4
"""A part this short is given up if its answer is still too long."""
_MOST_FAILED = 3
"""After this many failures before the first answer, the model is not asked again."""
_STAGE = "verify/claims"


@dataclass(slots=True)
class _Document:
    path: str
    text: str
    units: list[Unit]
    lines: AbstractSet[int] | None
    """The lines to take claims from; None for all."""
    waiting: list[Part] = field(default_factory=list)
    listed: list[tuple[Part, ProposalList]] = field(default_factory=list)


class Proposer:
    """Asks one model about several documents at once."""

    def __init__(
        self,
        models: LanguageModels,
        model: str,
        progress: Progress,
        *,
        timeout_seconds: float,
        kept: KeptLists | None = None,
        most_parts: int = 60,
    ) -> None:
        """At most `most_parts` parts are asked about; `kept` has the answers of earlier runs."""
        self._models = models
        self._model = model
        self._progress = progress
        self._timeout = timeout_seconds
        self._kept = kept
        self._most_parts = most_parts
        self._answered = self._failed = 0
        self._stop: _Stop | None = None

    def propose(
        self,
        documents: Mapping[str, str],
        stated: Sequence[DocClaim],
        lines: Mapping[str, AbstractSet[int]] | None = None,
    ) -> Proposed:
        """What the documents, by path, say beyond the `stated` claims, found without a model; with `lines`, only in these lines.

        A part that the model fails on is named in `failures`, and the others continue. When the budget is spent or the model can't be used at all,
        the model is not asked again.
        """
        proposed = Proposed()
        read = [
            self._read(path, documents[path], None if lines is None else lines.get(path, set()))
            for path in sorted(documents, key=_by_depth)
        ]
        asked = self._chosen(read, proposed)
        try:
            if asked:
                asyncio.run(self._ask_all(asked, proposed))
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        finally:
            if self._kept is not None:
                self._kept.save()
                proposed.failures += self._kept.failures
        if self._stop is not None:
            proposed.failures.append(_unasked_failure(read, self._stop))
            proposed.is_out_of_budget = self._stop.is_budget
        self._place(read, stated, proposed)
        return proposed

    def _read(self, path: str, text: str, lines: AbstractSet[int] | None) -> _Document:
        text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        units = read_units(path, text)
        document = _Document(path, text, units, lines)
        for part in parts_of(text.split("\n"), units) if units else ():
            if lines is not None and lines.isdisjoint(range(part.first, part.last + 1)):
                continue
            known = self._kept.find(path, part) if self._kept else None
            if known is None:
                document.waiting.append(part)
            else:
                document.listed.append((part, known))
        return document

    def _chosen(self, read: Sequence[_Document], proposed: Proposed) -> list[tuple[_Document, Part]]:
        waiting = [(document, part) for document in read for part in document.waiting]
        if len(waiting) > self._most_parts:
            unread = {document.path for document, _ in waiting[self._most_parts :]}
            message = (
                f"The model was shown {self._most_parts} parts of documents, the most of one run; "
                f"of {len(unread)} documents it has not seen all, such as {min(unread)}."
            )
            proposed.failures.append(VerifyFailure(what="claims by a model", message=message))
        return waiting[: self._most_parts]

    async def _ask_all(self, asked: Sequence[tuple[_Document, Part]], proposed: Proposed) -> None:
        queue = iter(asked)
        done = 0

        async def work() -> None:
            nonlocal done
            for document, part in queue:
                if self._stop is not None:
                    return
                self._progress(done, len(asked), "parts of documents read by the model")
                await self._ask_about(document, part, proposed)
                done += 1

        async with asyncio.TaskGroup() as workers:
            for _ in range(min(_AT_ONCE, len(asked))):
                workers.create_task(work())

    async def _ask_about(self, document: _Document, part: Part, proposed: Proposed) -> None:
        try:
            listed = await self._list_in_parts(document.path, part)
        except BudgetError as error:
            self._stop = _Stop(str(error), is_budget=True)
        except ModelError as error:
            self._fail(document, part, error, proposed)
        else:
            self._answered += 1
            document.listed.append((part, listed))
            if self._kept is not None:
                self._kept.keep(document.path, part, listed)

    async def _list_in_parts(self, path: str, part: Part) -> ProposalList:
        """The proposals for a part. If an answer is too long, it is asked for in halves, down to a few lines."""
        try:
            return await self._list(path, part)
        except CutOffAnswerError:
            if len(part.lines) <= _FEWEST_LINES:
                raise
        halves = [await self._list_in_parts(path, half) for half in part.halves()]
        return ProposalList(
            proposals=tuple(one for half in halves for one in half.proposals),
            more=sum(half.more for half in halves),
        )

    def _fail(self, document: _Document, part: Part, error: ModelError, proposed: Proposed) -> None:
        self._failed += 1
        message = f"The model did not list the claims of lines {part.first}-{part.last}: {error}"
        proposed.failures.append(VerifyFailure(what=document.path, message=message))
        is_hopeless = isinstance(error, ModelAccessError | UnknownModelError)
        if is_hopeless or (not self._answered and self._failed >= _MOST_FAILED):
            self._stop = _Stop(str(error), is_budget=False)

    async def _list(self, path: str, part: Part) -> ProposalList:
        """What the model lists, with a second try if the first answer can't be read."""
        prompt = propose_prompt(path, part)
        answer = await self._complete(prompt)
        try:
            return parse_proposals(answer)
        except AnswerError as error:
            self._must_not_refuse(answer)
            problem = str(error)
        answer = await self._complete(asked_again(prompt, answer, problem))
        try:
            return parse_proposals(answer)
        except AnswerError as error:
            self._must_not_refuse(answer)
            raise ModelError(
                f"{self._model} gave an answer with {error}, twice; it begins: {beginning_of(answer)}"
            ) from error

    async def _complete(self, prompt: Prompt) -> str:
        return await self._models.complete(self._model, prompt, stage=_STAGE, timeout_seconds=self._timeout)

    def _must_not_refuse(self, answer: str) -> None:
        if reads_like_a_refusal(answer):
            raise ModelRefusalError(f"{self._model} would not answer ({beginning_of(answer)}).")

    def _place(self, read: Sequence[_Document], stated: Sequence[DocClaim], proposed: Proposed) -> None:
        counts = {"documents": 0, "proposed": 0, "taken": 0, "known": 0, "misplaced": 0, "invented": 0}
        by_document: dict[str, list[DocClaim]] = {}
        for claim in stated:
            by_document.setdefault(claim.document, []).append(claim)
        for document in read:
            if not document.listed:
                continue
            own = by_document.get(document.path, [])
            claims = DocumentClaims(
                document.text, document.units, own, proposed_by=self._model, lines=document.lines
            )
            for part, listed in sorted(document.listed, key=lambda one: one[0].first):
                claims.take(part, listed.proposals)
                counts["proposed"] += len(listed.proposals) + listed.more
                proposed.failures += _too_many(document.path, part, listed)
            placed = claims.placed
            proposed.claims += placed.claims
            counts["documents"] += 1
            counts["taken"] += len(placed.claims)
            counts["known"] += placed.known
            counts["misplaced"] += placed.misplaced
            counts["invented"] += placed.invented
        proposed.counts = ProposedClaims(model=self._model, **counts)


@dataclass(frozen=True, slots=True)
class _Stop:
    """Why the model is not asked again."""

    reason: str
    is_budget: bool


def _unasked_failure(read: Sequence[_Document], stop: _Stop) -> VerifyFailure:
    silent = sum(1 for document in read if document.waiting and not document.listed)
    unasked = f"{silent} document{'s' if silent != 1 else ''} without any"
    message = f"The model was not asked for more, which leaves {unasked}: {stop.reason}"
    return VerifyFailure(what="claims by a model", message=message)


def _too_many(path: str, part: Part, listed: ProposalList) -> Iterator[VerifyFailure]:
    if listed.more:
        message = f"The model listed {listed.more + MOST_PROPOSALS:,} claims from line {part.first} on; only the first {MOST_PROPOSALS} were looked at."
        yield VerifyFailure(what=path, message=message)


def _by_depth(path: str) -> tuple[int, str]:
    """Sort key: files at the top of a repository have the most readers."""
    return path.count("/"), path
