"""Language models in the roles of consensus mode, and the check of a checker's citations.

A checker cites passages without naming a side: the citations of VERIFIED are for the claim, those of DISPUTED against it. A source that
clearly supports a disputed claim loses its citation only if no other citation is left: it may be cited as the other side.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import islice
from typing import TypeVar

from veridic.claims.parse_extractor import parse_extraction
from veridic.consensus.deliberation import Deliberation
from veridic.consensus.roles import Checked, Extracted
from veridic.decision.repetition import mark_repetitions
from veridic.domain.consensus import ClaimVerification, Confidence, ConsensusVerdict, ExtractedClaim
from veridic.domain.document import Document
from veridic.domain.evidence import Passage, Source, Stance
from veridic.engine.ask_model import ask_and_read
from veridic.engine.cited_sources import (
    MOST_READ,
    Asked,
    CitationCheck,
    CitedFor,
    check_citations,
    named,
    removal_sentence,
    sentences_citing,
)
from veridic.engine.threads import in_thread
from veridic.judging.base import SourceJudge
from veridic.judging.parse_checker import keep_real_citations, parse_verifications, verdicts_read
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

NONE_SAYS_SO = "None of the passages cited for a verdict can be read as saying so."
NOT_READ = "There was no time to read what it cites."
_STANCES = {
    ConsensusVerdict.VERIFIED: Stance.SUPPORTING,
    ConsensusVerdict.DISPUTED: Stance.CONTRADICTING,
}


def with_citations_read(
    found: Sequence[ClaimVerification],
    claims: Mapping[str, ExtractedClaim],
    given: Mapping[str, Mapping[int, Passage]],
    judge: SourceJudge,
    *,
    is_time_left: Callable[[], bool],
) -> tuple[ClaimVerification, ...]:
    """Return the checker's verifications with the citations that stay. `given` has the passages of each claim by number; a
    checker may also cite those of another claim. Citations that can't be read in time stay, with a note."""
    numbered = {number: passage for own in given.values() for number, passage in own.items()}
    read = []
    for said in found:
        stance = _STANCES.get(said.verdict)
        if stance is None or not said.citations:
            read.append(said)
        elif not is_time_left():
            read.append(said.model_copy(update={"evidence": f"{said.evidence} {NOT_READ}"}))
        else:
            cited = {number: numbered[number] for number in said.citations}
            claim = claims[said.claim_id]
            passages = ({**given.get(said.claim_id, {}), **cited}).values()
            cited_for = {place: CitedFor(stance, reasons) for place, reasons in _reasons(said, cited).items()}
            checks = _check_citations(Asked(claim.claim, claim.context), cited_for, list(passages), judge)
            read.append(_apply_checks(said, cited, checks, stance))
    return tuple(read)


def _reasons(said: ClaimVerification, cited: Mapping[int, Passage]) -> dict[str, tuple[str, ...]]:
    """Return, by location, the sentences that cite a source; all that was said, if none is cited for one sentence."""
    numbers: dict[str, set[int]] = {}
    for number, passage in cited.items():
        numbers.setdefault(passage.source.location, set()).add(number)
    return {
        location: tuple(sentences_citing([said.evidence], own)) or (said.evidence,)
        for location, own in numbers.items()
    }


def _check_citations(
    asked: Asked, cited: Mapping[str, CitedFor], passages: Sequence[Passage], judge: SourceJudge
) -> Mapping[str, CitationCheck]:
    """Return the checks by location, for the cited sources that were read."""
    first = dict(islice(cited.items(), MOST_READ))
    checks = check_citations(asked, first, passages, judge)
    is_against = any(own.stance is Stance.CONTRADICTING for own in cited.values())
    if is_against and any(not checks.get(one, CitationCheck()).is_removed for one in cited):
        return {one: CitationCheck() if own.says_the_opposite else own for one, own in checks.items()}
    return checks


def _apply_checks(
    said: ClaimVerification, cited: Mapping[int, Passage], checks: Mapping[str, CitationCheck], stance: Stance
) -> ClaimVerification:
    sources = {passage.source.location: passage.source for passage in cited.values()}
    taken_out = [location for location, own in checks.items() if own.is_removed]
    kept = [number for number, passage in cited.items() if passage.source.location not in taken_out]
    reasons = [removal_sentence(sources[location], stance, checks[location]) for location in taken_out]
    if not kept:
        return said.model_copy(
            update={
                "verdict": ConsensusVerdict.UNVERIFIABLE,
                "evidence": " ".join([NONE_SAYS_SO, *reasons]),
                "correction": None,
                "confidence": Confidence.LOW,
                "citations": (),
                "repeats_content": None,
            }
        )
    doubts = _doubts([sources[location] for location, own in checks.items() if own.in_doubt])
    evidence, _ = keep_real_citations(said.evidence, kept)
    correction, _ = keep_real_citations(said.correction or "", kept)
    return said.model_copy(
        update={
            "evidence": " ".join([evidence, *reasons, *doubts]),
            "correction": correction or None,
            "citations": tuple(kept),
        }
    )


def _doubts(sources: Collection[Source]) -> list[str]:
    return [f"Whether {named(source)} says so is in doubt." for source in sources]


_T = TypeVar("_T")


class ModelRole:
    """One model by name, with its time limit for an answer."""

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
    """Judges claims by the run's passages, whose citations are read, or by the model's own knowledge."""

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
        """`judge` reads the cited sources, until `seconds` after the checker was asked."""
        super().__init__(model, models, timeout_seconds)
        self._judge = judge
        self._as_of = as_of
        self._seconds = seconds
        self._clock = clock

    async def verify(self, stage: str, run: Deliberation) -> Checked:
        deadline = self._clock() + self._seconds
        passages = run.run_evidence.for_claims(run.claims) if run.run_evidence else None
        prompt = verification_prompt(
            run.extracted, run.document.text, passages, as_of=self._as_of, published=run.document.published
        )
        numbers = None if passages is None else {one.number for given in passages.values() for one in given}
        wordings = {claim.id: claim.claim for claim in run.extracted}
        parse = partial(parse_verifications, model=self.model, claims=wordings, passages=numbers)
        answer, found = await ask_and_read(
            self.model,
            prompt,
            lambda asked: self._ask(asked, stage),
            partial(parse, complete=True),
            settle_for=parse,
            worth=verdicts_read,
        )
        marked = mark_repetitions(found, content=run.document.text, claims=wordings)
        if run.run_evidence is None or passages is None:
            return Checked(answer, marked)
        given = {
            claim: {one.number: run.run_evidence.passage(one.number) for one in own}
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
