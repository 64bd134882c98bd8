"""Sources that a model will likely cite are read while its answer is awaited."""

import asyncio
import threading
from collections.abc import Collection, Mapping, Sequence

from tests.builders import AS_OF, make_claim, make_found, make_gathered, make_source

from veridic.check.model_reader import ReadAheadQueue
from veridic.config.settings import Settings
from veridic.domain.evidence import Passage
from veridic.engine.cited_sources import Asked
from veridic.engine.prompt_evidence import PromptEvidence, choose_prompt_evidence
from veridic.judging.base import Belief

CLAIM = make_claim()
ASKED = [Asked(CLAIM.text, CLAIM.context)]


def shown(sources: int = 6) -> PromptEvidence:
    found = [
        make_found(
            f"The capital of Australia is Canberra, says paper {number}.",
            source=make_source(f"paper {number}", url=f"https://paper-{number}.example/a"),
        )
        for number in range(sources)
    ]
    return choose_prompt_evidence(CLAIM.text, make_gathered(found=found), Settings(), AS_OF)


class Watched:
    """Records what is read, and lets a test block it."""

    def __init__(self) -> None:
        self.read: list[set[str]] = []
        self.began = threading.Event()
        self.may_end = threading.Event()
        self.may_end.set()

    def believe_sources(
        self, claim: str, passages: Sequence[Passage], context: str, *, among: Collection[str]
    ) -> Mapping[str, Belief]:
        self.read.append(set(among))
        self.began.set()
        assert self.may_end.wait(10)
        return dict.fromkeys(among, Belief(0.5, 0.2, 0.3))


def test_the_best_sources_are_read_during_the_call() -> None:
    judge, evidence = Watched(), shown()

    async def run() -> None:
        async with ReadAheadQueue(judge).reading_ahead(ASKED, evidence):
            assert await asyncio.to_thread(judge.began.wait, 10)

    asyncio.run(run())
    best = [evidence.passages(number)[0].source.location for number in evidence.promising[:4]]
    assert judge.read == [set(best)]
    assert [evidence.passages(number)[0].source.title for number in evidence.promising] == [
        f"paper {number}" for number in range(6)
    ]


def test_an_immediate_answer_does_not_wait() -> None:
    judge = Watched()

    async def run() -> None:
        async with ReadAheadQueue(judge).reading_ahead(ASKED, shown()):
            pass

    asyncio.run(run())
    assert judge.read == []


def test_answered_claims_go_before_reading_ahead() -> None:
    """Of many claims that wait for their models, one at a time is read ahead."""
    judge = Watched()
    judge.may_end.clear()

    async def run() -> str:
        desk = ReadAheadQueue(judge)
        answers = asyncio.Event()

        async def wait_for_a_model() -> None:
            async with desk.reading_ahead(ASKED, shown()):
                await answers.wait()

        waiting = [asyncio.create_task(wait_for_a_model()) for _ in range(5)]
        assert await asyncio.to_thread(judge.began.wait, 10)
        done = await asyncio.wait_for(desk.work(lambda: "read"), 10)
        answers.set()
        judge.may_end.set()
        await asyncio.gather(*waiting)
        return done

    assert asyncio.run(run()) == "read"
    assert len(judge.read) == 1, "the others had their answers before their turn came"


def test_a_failed_call_ends_the_reading_and_raises() -> None:
    class RefusedError(Exception):
        pass

    async def run() -> str:
        try:
            async with ReadAheadQueue(Watched()).reading_ahead(ASKED, shown()):
                raise RefusedError
        except RefusedError:
            return f"{len(asyncio.all_tasks())} task"

    assert asyncio.run(run()) == "1 task"
