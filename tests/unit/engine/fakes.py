"""A judge with given answers, an observer with given passages, and a function that runs the loop with them."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, cast
from urllib.parse import quote

from tests.builders import make_source

from veridic.consensus.evidence import RunEvidence
from veridic.domain.claim import Claim
from veridic.domain.dates import PartialDate
from veridic.domain.decision import Decision
from veridic.domain.events import Event, EventName
from veridic.domain.evidence import Assessment, Channel, Found, Passage, Stance
from veridic.domain.search import ChannelSearch, Gathered
from veridic.engine.claim_loop import ClaimLoop, LoopOptions
from veridic.engine.embedded_reader import EmbeddedReader, ReaderOptions
from veridic.engine.event_stream import Emit
from veridic.engine.readers import Observer, Queries
from veridic.engine.steps import InMemorySteps
from veridic.evidence.gathering import Gatherer
from veridic.judging.base import Belief, ClaimReading

AS_OF = date(2026, 11, 15)
OPTIONS = ReaderOptions(as_of=AS_OF, claim_date=AS_OF)


def passage(text: str, when: str | None = "2026") -> Passage:
    """A passage with its own URL."""
    source = make_source(text, url=f"https://example.org/{quote(text)}", published=when)
    return Passage(
        id=text,
        source=source,
        text=text,
        start=0,
        end=len(text),
        date=PartialDate.parse(when) if when else None,
    )


class FakeObserver:
    """Finds the same passages for every question, and records the questions."""

    def __init__(self, *passages: Passage, problems: Mapping[Channel, str] | None = None) -> None:
        """`problems` are the channels that fail."""
        self.asked: list[str] = []
        self.queries: list[Queries | None] = []
        self._found = tuple(map(Found, passages))
        self._problems = problems or {}

    async def gather(
        self, question: str, *, claim_id: str | None, queries: Queries | None, emit: Emit
    ) -> Gathered:
        self.asked.append(question)
        self.queries.append(queries)
        searches = tuple(map(self._search, Channel))
        gathered = Gathered(question=question, searches=searches, found=self._found)
        emit(Event(name=EventName.EVIDENCE_GATHERED, data={"claim_id": claim_id, "gathered": gathered}))
        return gathered

    def _search(self, channel: Channel) -> ChannelSearch:
        problem = self._problems.get(channel)
        return ChannelSearch(
            channel=channel, query="?", asked=("desk",), problems=(problem,) if problem else ()
        )


class FakeGatherer:
    """Finds the same for all questions; counts concurrent searches, and never returns for a `stuck` question."""

    names = ("desk",)

    def __init__(
        self,
        *passages: Passage,
        stuck: str = "",
        searches: tuple[ChannelSearch, ...] = (),
        rest: tuple[Passage, ...] = (),
    ) -> None:
        self.asked: list[str] = []
        self.under_way = self.most = 0
        self._found = tuple(map(Found, passages))
        self._stuck = stuck
        self._searches = searches
        self._rest = rest

    async def gather(self, question: str, **_: Any) -> Gathered:
        self.asked.append(question)
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await (asyncio.Event().wait() if question == self._stuck else asyncio.sleep(0))
        self.under_way -= 1
        return Gathered(question=question, found=self._found, rest=self._rest, searches=self._searches)


def run_evidence_of(gatherer: FakeGatherer) -> RunEvidence:
    return RunEvidence(cast("Gatherer", gatherer), passages=12, seconds=60)


class FakeJudge:
    """Takes the stance that the claim defines for a passage's text; otherwise context.

    The belief in all passages follows from that: as sure as it is of their side, and of none if they differ.
    """

    name = "fake"

    def __init__(self, stances: dict[tuple[str, str], Stance], **details: Any) -> None:
        self.asked: list[str] = []
        self._stances = {(bare(claim), text): stance for (claim, text), stance in stances.items()}
        self._details = details

    def read(self, claim: str, passages: Sequence[Passage], context: str = "") -> ClaimReading:
        self.asked.append(claim)
        assessments = [self._assess(claim, passage) for passage in passages]
        return ClaimReading(_belief(assessments), assessments)

    def _assess(self, claim: str, passage: Passage) -> Assessment:
        stance = self._stances.get((bare(claim), passage.text), Stance.CONTEXTUAL)
        fields = {
            "stance": stance,
            "probability": 0.9,
            "quote": passage.text,
            "reason": f"It is {stance}.",
            "relevance": 1.0,
            "specificity": 1.0,
        }
        return Assessment.model_validate(fields | self._details)


def bare(text: str) -> str:
    """Remove the full stop, which the extractor may or may not keep."""
    return text.rstrip(".")


def _belief(assessments: Sequence[Assessment]) -> Belief:
    sides = {one.stance for one in assessments} - {Stance.CONTEXTUAL}
    sure = max((one.probability for one in assessments if one.stance in sides), default=0.0)
    if len(sides) != 1:
        return Belief(sure / 2, sure / 2, 1 - sure)
    supported, refuted = (sure, 0.0) if sides == {Stance.SUPPORTING} else (0.0, sure)
    return Belief(supported, refuted, 1 - sure)


def run_loop(
    claim: Claim, observer: Observer, *, judge: FakeJudge, options: ReaderOptions = OPTIONS
) -> list[Event]:
    """Return every event of the loop that clients see."""
    told: list[Event] = []
    loop = ClaimLoop(
        observer=observer,
        reader=EmbeddedReader(judge, options),
        options=LoopOptions(options.as_of, options.claim_date),
        steps=InMemorySteps(),
    )
    asyncio.run(loop.check(claim, told.append))
    return [event for event in told if event.name is not EventName.EVIDENCE_GATHERED]


def decision_of(events: list[Event]) -> Decision:
    assert events[-1].name is EventName.CLAIM_DECIDED
    decided = events[-1].data["decision"]
    assert isinstance(decided, Decision)
    return decided
