"""What a model will likely cite is read while its answer is awaited, and what it cites then is at hand."""

import asyncio
import threading
from collections.abc import Collection, Mapping, Sequence

from tests.builders import AS_OF, make_claim, make_found, make_gathered, make_source

from veridic.config.settings import Settings
from veridic.domain.evidence import Passage
from veridic.judging.base import Belief
from veridic.pipeline.cited_sources import Asked
from veridic.pipeline.reading_desk import ReadingDesk
from veridic.pipeline.shown import Shown, choose_shown

CLAIM = make_claim()
ASKED = [Asked(CLAIM.text, CLAIM.context)]


def shown(sources: int = 6) -> Shown:
    found = [
        make_found(
            f"The capital of Australia is Canberra, says paper {number}.",
            source=make_source(f"paper {number}", url=f"https://paper-{number}.example/a"),
        )
        for number in range(sources)
    ]
    return choose_shown(CLAIM.text, make_gathered(found=found), Settings(), AS_OF)


class Watched:
    """Notes what is read, and lets a test hold it there."""

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


def test_the_sources_found_first_are_read_while_an_answer_is_awaited() -> None:
    judge, evidence = Watched(), shown()

    async def run() -> None:
        async with ReadingDesk(judge).reading_ahead(ASKED, evidence):
            assert await asyncio.to_thread(judge.began.wait, 10)

    asyncio.run(run())
    best = [evidence.passages(number)[0].source.location for number in evidence.promising[:4]]
    assert judge.read == [set(best)]
    assert [evidence.passages(number)[0].source.title for number in evidence.promising] == [
        f"paper {number}" for number in range(6)
    ]


def test_an_answer_that_comes_at_once_waits_for_nothing() -> None:
    judge = Watched()

    async def run() -> None:
        async with ReadingDesk(judge).reading_ahead(ASKED, shown()):
            pass

    asyncio.run(run())
    assert judge.read == []


def test_what_is_answered_does_not_queue_behind_what_is_read_ahead() -> None:
    """Of many claims that wait for their models, one at a time is read ahead."""
    judge = Watched()
    judge.may_end.clear()

    async def run() -> str:
        desk = ReadingDesk(judge)
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


def test_an_answer_that_fails_ends_the_reading_and_is_told() -> None:
    class RefusedError(Exception):
        pass

    async def run() -> str:
        try:
            async with ReadingDesk(Watched()).reading_ahead(ASKED, shown()):
                raise RefusedError
        except RefusedError:
            return f"{len(asyncio.all_tasks())} task"

    assert asyncio.run(run()) == "1 task"
