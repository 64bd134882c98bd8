"""Thorough mode: every claim of a document, each against evidence of its own.

Summary mode is the same on the one or two claims that the document stands for, with one round of evidence for all.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from datetime import date
from functools import partial
from typing import NamedTuple

from veridic.claims.selection import high_risk_only, limit_claims
from veridic.domain.claim import Claim, Extraction, OmissionReason
from veridic.domain.decision import Decision
from veridic.domain.document import Document
from veridic.domain.errors import BudgetError, ProviderError, SearchError, VeridicError
from veridic.domain.events import SIGNALS, Event, EventName
from veridic.domain.modes import Mode
from veridic.domain.report import Failure, Report, collect_sources
from veridic.domain.search import ChannelSearch, problems_of
from veridic.domain.usage import Usage
from veridic.evidence.duplicates import are_copies
from veridic.pipeline.claim import ClaimLoop, LoopOptions
from veridic.pipeline.content import claim_date
from veridic.pipeline.costs import shown, usage_by_stage, usage_of, usage_of_one
from veridic.pipeline.failures import BUDGET, CHANNEL, SEARCH, TIME, VALIDATE, as_a_bug
from veridic.pipeline.observing import Observer
from veridic.pipeline.readers import ArticleVerdict, ListedClaims, Lister, Reader
from veridic.pipeline.steps import Steps
from veridic.pipeline.summary import Round, one_round, searched_for
from veridic.pipeline.telling import Tell, told_by
from veridic.pipeline.whole import in_all
from veridic.providers.llm.meter import Meter
from veridic.reporting.numbering import SourceNumbers


class Team(NamedTuple):
    """Who does the work of a run."""

    engine: str
    models: dict[str, str]
    """As the report names them."""
    lister: Lister
    observer: Observer
    reader: Reader
    searched: tuple[str, ...]
    """Where evidence is looked for, by name."""


class Plan(NamedTuple):
    """What is checked, and how fast."""

    mode: Mode
    as_of: date
    most_claims: int | None = None
    only_high_risk: bool = False
    at_once: int = 1
    stagger_seconds: float = 0.0
    """Between the starts of two claims."""
    run_seconds: float | None = None
    """After so long no further claim is begun."""


class ValidationRun:
    """One run of summary or thorough mode, to be followed once."""

    def __init__(
        self,
        document: Document,
        team: Team,
        plan: Plan,
        *,
        steps: Steps,
        meter: Meter,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._document = document
        self._team = team
        self._plan = plan
        self._steps = steps
        self._meter = meter
        self._clock = clock
        self._sleep = sleep
        self._started = clock()
        self._decisions: dict[str, Decision] = {}
        self._failures: list[Failure] = []
        self._article: ArticleVerdict | None = None
        self._told_usage = Usage()

    def events(self) -> AsyncGenerator[Event, None]:
        """Everything that happens on the way to the report, which the last event carries.

        Raises a `VeridicError` where no claim could be listed, or none of them could be checked.
        """
        return told_by(self._work)

    async def _work(self, tell: Tell) -> None:
        tell(Event(name=EventName.CHECK_STARTED, data=self._beginning()))
        try:
            listed = await self._list()
            tell(Event(name=EventName.CLAIMS_EXTRACTED, data=_extracted(listed.extraction)))
            self._tell_costs(tell)
            await self._check_all(listed, tell)
        finally:
            self._tell_costs(tell)
        if listed.extraction.claims and not self._decisions:
            raise ProviderError(" ".join(dict.fromkeys(failure.message for failure in self._failures)))
        tell(Event(name=EventName.REPORT_READY, data={"report": self._report(listed.extraction)}))

    def _beginning(self) -> dict[str, object]:
        return {
            "mode": self._plan.mode.value,
            "engine": self._team.engine,
            "source": self._document.source,
            "as_of": self._plan.as_of.isoformat(),
        }

    async def _list(self) -> ListedClaims:
        mode, most = self._plan.mode, self._plan.most_claims
        if not self._plan.only_high_risk or mode is Mode.SUMMARY:
            return await self._team.lister.list_claims(self._document, mode=mode, most=most)
        # The limit is for those that are checked: all are listed, so that no claim of high risk is missed.
        listed = await self._team.lister.list_claims(self._document, mode=mode, most=None)
        listed = listed.narrowed(high_risk_only(listed.extraction))
        return listed.narrowed(limit_claims(listed.extraction, most))

    async def _check_all(self, listed: ListedClaims, tell: Tell) -> None:
        observer, reader = self._team.observer, self._team.reader
        shared = Round(observer, reader)
        if self._plan.mode is Mode.SUMMARY and listed.extraction.claims:
            shared = await one_round(listed, observer, reader, tell)
            observer, reader = shared
        loop = ClaimLoop(
            observer=observer,
            reader=reader,
            options=LoopOptions(self._plan.as_of, claim_date(self._document, self._plan.as_of)),
            steps=self._steps,
            usage_of=partial(self._usage_of, [claim.id for claim in searched_for(listed.extraction)]),
        )
        groups = _alike(listed.extraction.claims)
        turns = asyncio.Semaphore(self._plan.at_once)
        next_start = self._clock()
        async with asyncio.TaskGroup() as under_way:
            for number, alike in enumerate(groups):
                await turns.acquire()
                if (wait := next_start - self._clock()) > 0:
                    await self._sleep(wait)
                if not self._may_begin(groups[number:], tell):
                    break
                next_start = self._clock() + self._plan.stagger_seconds
                checked = under_way.create_task(self._check(loop, alike, listed, tell))
                checked.add_done_callback(lambda _: turns.release())
        self._article = shared.article()

    async def _check(self, loop: ClaimLoop, alike: Sequence[Claim], listed: ListedClaims, tell: Tell) -> None:
        """One claim, and with it those that say the same; one that fails costs no other."""
        first, *others = alike
        signals: list[Event] = []

        def tell_and_note(event: Event) -> None:
            tell(event)
            if event.name in SIGNALS or event.name is EventName.EVIDENCE_COLLECTED:
                signals.append(event)

        try:
            decided = await loop.check(first, tell_and_note, listed.queries.get(first.id))
        except Exception as error:  # noqa: BLE001  whatever it is, the other claims are paid for
            message = str(error) if isinstance(error, VeridicError) else as_a_bug(error)
            for claim in alike:
                self._fail(Failure(stage=_stage_of(error), message=message, claim_id=claim.id), tell)
        else:
            self._enter(decided, tell)
            for claim in others:
                tell(Event(name=EventName.CLAIM_STARTED, data={"claim_id": claim.id, "text": claim.text}))
                for signal in signals:
                    tell(Event(name=signal.name, data={**signal.data, "claim_id": claim.id}))
                same = _for_another(decided, claim)
                tell(Event(name=EventName.CLAIM_DECIDED, data={"decision": same}))
                self._enter(same, tell)
        self._tell_costs(tell)

    def _enter(self, decided: Decision, tell: Tell) -> None:
        self._decisions[decided.claim.id] = decided
        for problem in problems_of(decided.validation.searches) if decided.validation else ():
            self._fail(Failure(stage=CHANNEL, message=problem), tell)

    def _fail(self, failure: Failure, tell: Tell) -> None:
        """Note it and tell of it; what goes wrong for every claim is said once."""
        if failure not in self._failures:
            self._failures.append(failure)
            tell(Event(name=EventName.STAGE_FAILED, data={"failure": failure.model_dump()}))

    def _may_begin(self, left: Sequence[Sequence[Claim]], tell: Tell) -> bool:
        """Whether the run's limits leave room for another claim; a refusal says how many go without."""
        seconds = self._plan.run_seconds
        if any(failure.stage == BUDGET for failure in self._failures):
            stage, why = BUDGET, "The limit of cost or tokens was reached"
        elif seconds is not None and self._clock() - self._started >= seconds:
            stage, why = TIME, f"The time limit of {seconds:g} seconds was reached"
        else:
            return True
        number = sum(map(len, left))
        claims = "one claim" if number == 1 else f"{number} claims"
        self._fail(Failure(stage=stage, message=f"{why} before {claims} could be checked."), tell)
        return False

    def _usage_of(self, claim_ids: Sequence[str], stage: str, searches: Sequence[ChannelSearch]) -> Usage:
        paid = searches if self._meter.usage.searches else ()
        if self._plan.mode is not Mode.SUMMARY:
            return usage_of(self._meter.calls, stage, paid)
        place = claim_ids.index(stage.removeprefix(f"{VALIDATE}/"))
        return usage_of_one(self._meter.calls, stage, paid, place=place, among=len(claim_ids))

    def _tell_costs(self, tell: Tell) -> None:
        for call in self._meter.drain():
            tell(Event(name=EventName.MODEL_CALLED, data={"call": call}))
        usage = self._meter.usage
        if usage != self._told_usage:
            self._told_usage = usage
            tell(Event(name=EventName.USAGE_UPDATED, data=shown(usage)))

    def _why_nothing(self, extraction: Extraction) -> str:
        """Why there is nothing to tell of; empty where there is."""
        if extraction.claims:
            return ""
        if "extractor" not in self._team.models and extraction.language not in ("en", "und"):
            return f"The text is not in English ({extraction.language}); the embedded engine reads English and judged nothing."
        reasons = [omission.reason for omission in extraction.omissions]
        if (number := reasons.count(OmissionReason.NOT_HIGH_RISK)) > 0:
            found = "The one claim found is" if number == 1 else f"None of the {number} claims found is"
            return f"{found}{' not' if number == 1 else ''} of high risk, and only such are checked."
        return "No verifiable claims identified."

    def _report(self, extraction: Extraction) -> Report:
        decided = (self._decisions.get(claim.id) for claim in extraction.claims)
        decisions = tuple(decision for decision in decided if decision is not None)
        whole = in_all(decisions, self._article, unchecked=len(extraction.claims) - len(decisions))
        sources = collect_sources(decisions, whole.summary)
        return Report(
            mode=self._plan.mode.value,
            engine=self._team.engine,
            models=self._team.models,
            as_of=self._plan.as_of,
            document=self._document,
            language=extraction.language,
            verdict=whole.verdict,
            credibility_score=whole.credibility_score,
            by_claims=whole.by_claims,
            summary=self._why_nothing(extraction)
            or " ".join(filter(None, (SourceNumbers(sources).cited(whole.summary), *whole.notes))),
            decisions=decisions,
            omissions=extraction.omissions,
            sources=sources,
            corpora=self._team.searched,
            errors=tuple(self._failures),
            usage=self._meter.usage,
            usage_by_stage=usage_by_stage(self._meter.calls, self._meter.usage),
            processing_time_ms=round((self._clock() - self._started) * 1000),
        )


def _alike(claims: Sequence[Claim]) -> list[list[Claim]]:
    """Claims that say the same in nearly the same words, together: they are checked once."""
    groups: list[list[Claim]] = []
    for claim in claims:
        same = next((group for group in groups if _say_the_same(claim, group[0])), None)
        if same is None:
            groups.append([claim])
        else:
            same.append(claim)
    return groups


def _say_the_same(one: Claim, other: Claim) -> bool:
    return one.framing.kind is other.framing.kind and are_copies(one.text, other.text)


def _for_another(decided: Decision, claim: Claim) -> Decision:
    """The same decision on a claim that says the same; what it has cost is entered once."""
    validation = decided.validation and decided.validation.model_copy(
        update={"usage": Usage(), "processing_time_ms": 0}
    )
    return decided.model_copy(update={"claim": claim, "validation": validation, "correction": None})


def _stage_of(error: Exception) -> str:
    if isinstance(error, BudgetError):
        return BUDGET
    return SEARCH if isinstance(error, SearchError) else VALIDATE


def _extracted(extraction: Extraction) -> dict[str, object]:
    return {
        "claims": [claim.model_dump(mode="json") for claim in extraction.claims],
        "left_out": len(extraction.omissions),
        "language": extraction.language,
    }
