"""A limit shared by threads and event loops."""

import asyncio
import threading

import pytest

from veridic.providers.llm.calling import Slots


def test_slots_are_limited_and_fair() -> None:
    slots = Slots(2)
    inside: list[int] = []
    entered: list[int] = []

    async def hold(number: int, go: asyncio.Event) -> None:
        async with slots.one():
            inside.append(number)
            entered.append(number)
            assert len(inside) <= 2
            await go.wait()
            inside.remove(number)

    async def main() -> None:
        go = asyncio.Event()
        tasks = [asyncio.create_task(hold(number, go)) for number in range(6)]
        for _ in range(20):
            await asyncio.sleep(0)
        assert entered == [0, 1]
        go.set()
        await asyncio.gather(*tasks)

    asyncio.run(main())
    assert entered == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("is_next", [True, False])
def test_cancelled_waiter_takes_no_slot(is_next: bool) -> None:
    slots = Slots(1)

    async def use() -> None:
        async with slots.one():
            pass

    async def main() -> None:
        async with slots.one():
            waiting = [asyncio.create_task(use()) for _ in range(2)]
            await asyncio.sleep(0)
            if not is_next:
                waiting[0].cancel()
        # The slot is being handed to the first one now.
        waiting[0].cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        async with asyncio.timeout(30):
            await use()

    asyncio.run(main())


def test_slots_are_shared_across_threads() -> None:
    slots = Slots(3)
    lock = threading.Lock()
    inside = 0
    most = 0

    async def use() -> None:
        nonlocal inside, most
        async with slots.one():
            with lock:
                inside += 1
                most = max(most, inside)
            await asyncio.sleep(0)
            with lock:
                inside -= 1

    async def many() -> None:
        await asyncio.gather(*(use() for _ in range(50)))

    threads = [threading.Thread(target=lambda: asyncio.run(many())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert inside == 0
    assert most <= 3


def test_ended_loop_does_not_keep_slot() -> None:
    slots = Slots(1)

    async def cancel_wait() -> None:
        asyncio.get_running_loop().create_task(wait())
        await asyncio.sleep(0)

    async def wait() -> None:
        async with slots.one():
            raise AssertionError("it never got here")

    async def main() -> None:
        async with slots.one():
            thread = threading.Thread(target=lambda: asyncio.run(cancel_wait()))
            thread.start()
            thread.join(30)
        async with asyncio.timeout(30), slots.one():
            pass

    asyncio.run(main())
