"""The contract of `LanguageModels`, tested on the real client with a real socket (as OpenRouter and as any server) and on the fake."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import SecretStr
from tests.llm_server import ScriptedServer

from veridic.config.settings import Settings
from veridic.domain.errors import (
    BudgetError,
    CutOffAnswerError,
    EmptyAnswerError,
    ModelAccessError,
    ModelError,
    ModelRateLimitError,
    ModelRefusalError,
    ModelRequestError,
    ModelUnreachableError,
    OversizedAnswerError,
    UnknownModelError,
)
from veridic.providers.http_calls import MAX_ATTEMPTS
from veridic.providers.llm.base import LanguageModels, Prompt, Sampling
from veridic.providers.llm.calling import LONGEST_ANSWER, Billing, MeteredModels
from veridic.providers.llm.fake import ScriptedModels
from veridic.providers.llm.meter import Meter
from veridic.providers.llm.services import Service, ServiceKind, refuse_embedded

MODEL = "openai/o3"
KEY = "very-secret-0123456789"
PROMPT = Prompt(name="extract", version=1, system="You find claims.", user="The bridge opened in 1932.")
SAMPLING = Sampling(temperature=0.2, top_p=0.95, top_k=40, max_output_tokens=700)
GEMINI = "google/gemini-2.0-flash"
"""Accepts sampling settings, which `MODEL` doesn't."""

SamplingValues = tuple[float | None, float | None, int | None]
"""Temperature, top_p and top_k of a request."""


@dataclass(frozen=True)
class Trouble:
    """One failure, as the server produces it and as the fake scripts it."""

    error: type[ModelError]
    served: dict[str, Any]
    says: str
    """Part of the message for the user."""
    told: str | None = None
    """The fake's scripted answer; by default it raises the error."""
    attempts: int = 1


TROUBLES = {
    "refusal": Trouble(ModelRefusalError, {"text": None, "refusal": "I'd rather not."}, "I'd rather not"),
    "content filter": Trouble(ModelRefusalError, {"text": "", "finish_reason": "content_filter"}, MODEL),
    "cut off": Trouble(CutOffAnswerError, {"text": "CLAIM 1: The", "finish_reason": "length"}, "cut off"),
    "no text": Trouble(EmptyAnswerError, {"text": " \n"}, "no text", told=" \n"),
    "null": Trouble(EmptyAnswerError, {"text": None}, "no text", told=""),
    "only reasoning": Trouble(EmptyAnswerError, {"text": "", "reasoning": "Hm."}, "no text", told=""),
    "key refused": Trouble(ModelAccessError, {"status": 401, "error": f"bad key {KEY}"}, "401: bad key"),
    "no credit": Trouble(ModelAccessError, {"status": 402, "error": "add credits"}, "402: add credits"),
    "forbidden": Trouble(ModelAccessError, {"status": 403, "error": "not in your region"}, "your region"),
    "no such model": Trouble(UnknownModelError, {"status": 404, "error": "no endpoints"}, "no endpoints"),
    "bad request": Trouble(ModelRequestError, {"status": 400, "error": "too\n\nlong"}, "400: too long"),
    "not JSON": Trouble(EmptyAnswerError, {"garbage": b"{oops"}, "not that of a language model"),
    "a web page": Trouble(
        EmptyAnswerError,
        {"garbage": b"<html>Welcome", "content_type": "text/html"},
        "not that of a language model",
    ),
    "no completion": Trouble(
        EmptyAnswerError, {"garbage": b'{"choices": []}'}, "not that of a language model"
    ),
    "bent": Trouble(EmptyAnswerError, {"garbage": b'{"choices": [null]}'}, "not that of a language model"),
    "a list": Trouble(EmptyAnswerError, {"garbage": b"[1, 2]"}, "not that of a language model"),
    "nothing": Trouble(EmptyAnswerError, {"garbage": b""}, "not that of a language model"),
    "nothing but brackets": Trouble(
        EmptyAnswerError, {"garbage": b"[" * 200_000}, "not that of a language model"
    ),
    "nothing but thoughts": Trouble(
        EmptyAnswerError, {"text": "<reasoning>Hm."}, "only reasoning and no answer", told="<reasoning>Hm."
    ),
    "too long": Trouble(
        OversizedAnswerError,
        {"text": "a" * (LONGEST_ANSWER + 1)},
        "too long to be read",
        told="a" * (LONGEST_ANSWER + 1),
    ),
    "too large": Trouble(OversizedAnswerError, {"garbage": b" " * 30_000_000}, "too long to be read"),
    "error with status 200": Trouble(
        ModelAccessError, {"error": {"code": 401, "message": "expired"}}, "401: expired"
    ),
    "overload with status 200": Trouble(
        ModelUnreachableError,
        {"error": {"code": 502, "message": "upstream is down"}},
        "upstream is down",
        attempts=MAX_ATTEMPTS,
    ),
    "busy": Trouble(
        ModelRateLimitError, {"status": 429, "error": "slow down"}, "slow down", attempts=MAX_ATTEMPTS
    ),
    "broken": Trouble(
        ModelUnreachableError, {"status": 500, "error": "oh"}, "500: oh", attempts=MAX_ATTEMPTS
    ),
    "overloaded": Trouble(ModelUnreachableError, {"status": 529}, "529", attempts=MAX_ATTEMPTS),
    "broken off": Trouble(
        ModelUnreachableError, {"text": "CL", "finish_reason": "error"}, "broke off", attempts=MAX_ATTEMPTS
    ),
    "cut connection": Trouble(
        ModelUnreachableError, {"cut_body": True}, "ended the connection", attempts=MAX_ATTEMPTS
    ),
    "hung up": Trouble(
        ModelUnreachableError, {"hang_up": True}, "ended the connection", attempts=MAX_ATTEMPTS
    ),
}


@dataclass
class World:
    """One implementation with its script, newest rule first."""

    connect: Callable[[Meter], LanguageModels]
    answer: Callable[..., None]
    """`text` or a `trouble`; `times`; `retry_after`; `cost`; `tokens` in and out."""
    answer_later: Callable[[str], Callable[[], None]]
    """Like `answer`, but the answer waits until the returned function is called."""
    asked: Callable[[], int]
    most_output: Callable[[], list[int | None]]
    """The output token limit of each request."""
    drawn: Callable[[], list[SamplingValues]]
    """The sampling settings of each request."""
    waits: list[float] = field(default_factory=list)


@contextmanager
def served(kind: ServiceKind) -> Iterator[World]:
    from veridic.providers.llm.openai_compatible import PydanticBackend

    waits: list[float] = []

    async def record_wait(seconds: float) -> None:
        waits.append(seconds)

    with ScriptedServer() as server:
        backend = PydanticBackend(Service(kind, SecretStr(KEY), server.url), max_concurrency=8)

        async def backend_of(model: str) -> PydanticBackend:
            refuse_embedded(model)
            return backend

        def answer(
            text: str = "",
            *,
            trouble: Trouble | None = None,
            times: int | None = None,
            retry_after: float | None = None,
            cost: float | None = 0.25,
            tokens: tuple[int, int] = (100, 50),
            model: str = MODEL,
        ) -> None:
            reply = {"text": text, "cost": cost, "input_tokens": tokens[0], "output_tokens": tokens[1]}
            after = None if retry_after is None else f"{retry_after:g}"
            server.answer(
                model=model, times=times, **(reply | (trouble.served if trouble else {})), retry_after=after
            )

        def answer_later(text: str) -> Callable[[], None]:
            answer(text)
            return server.hold().release

        yield World(
            connect=lambda meter: MeteredModels(
                backend_of, meter, require=refuse_embedded, sleep=record_wait, jitter=lambda: 0.0
            ),
            answer=answer,
            answer_later=answer_later,
            asked=lambda: len(server.requests),
            most_output=lambda: [_max_output(request.body) for request in server.requests],
            drawn=lambda: [_sampling_of_request(request.body) for request in server.requests],
            waits=waits,
        )


def _max_output(body: dict[str, Any]) -> int | None:
    return body.get("max_completion_tokens", body.get("max_tokens"))


def _sampling_of_request(body: dict[str, Any]) -> SamplingValues:
    return body.get("temperature"), body.get("top_p"), body.get("top_k")


@contextmanager
def faked() -> Iterator[World]:
    script = ScriptedModels(prices={MODEL: 0.00001}, max_concurrency=8)

    def answer(
        text: str = "",
        *,
        trouble: Trouble | None = None,
        times: int | None = None,
        retry_after: float | None = None,
        cost: float | None = 0.25,
        tokens: tuple[int, int] = (100, 50),
        model: str = MODEL,
    ) -> None:
        says: str | ModelError = text
        if trouble is not None:
            says = trouble.error(f"{MODEL}: {trouble.says}.") if trouble.told is None else trouble.told
        script.answer(says, model=model, times=times, retry_after=retry_after, billing=Billing(*tokens, cost))

    def answer_later(text: str) -> Callable[[], None]:
        gate = asyncio.Event()
        script.answer(text, model=MODEL, until=gate)
        return gate.set

    yield World(
        connect=lambda meter: script.connect(Settings(), meter),
        answer=answer,
        answer_later=answer_later,
        asked=lambda: len(script.asked),
        most_output=lambda: [asked.max_output_tokens for asked in script.asked],
        drawn=lambda: [_sampling(asked.prompt.sampling) for asked in script.asked],
        waits=script.waits,
    )


def _sampling(sampling: Sampling | None) -> SamplingValues:
    wanted = sampling or Sampling()
    return wanted.temperature, wanted.top_p, wanted.top_k


@pytest.fixture(params=["OpenRouter", "own server", "fake"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    kinds = {"OpenRouter": ServiceKind.OPENROUTER, "own server": ServiceKind.OWN}
    chosen = served(kinds[request.param]) if request.param in kinds else faked()
    with chosen as made:
        yield made


async def ask(
    models: LanguageModels,
    model: str = MODEL,
    timeout_seconds: float = 60.0,
    sampling: Sampling | None = None,
) -> str:
    prompt = PROMPT.model_copy(update={"sampling": sampling})
    return await models.complete(model, prompt, stage="extract", timeout_seconds=timeout_seconds)


async def requests(world: World, number: int) -> None:
    """Wait until so many requests have arrived."""
    async with asyncio.timeout(30):
        while world.asked() < number:  # noqa: ASYNC110 - they arrive in another thread
            await asyncio.sleep(0)


def test_answer_is_complete_and_recorded_with_its_cost(world: World) -> None:
    world.answer("CLAIM 1: Größe\nType: DATE\n", cost=0.25, tokens=(120, 30))
    meter = Meter()
    assert asyncio.run(ask(world.connect(meter))) == "CLAIM 1: Größe\nType: DATE\n"
    (call,) = meter.calls
    assert (call.stage, call.model, call.error) == ("extract", MODEL, None)
    assert (call.input_tokens, call.output_tokens) == (120, 30)
    assert (call.cost_usd, call.cost_is_estimate) == (0.25, False)


def test_free_answer_costs_nothing(world: World) -> None:
    world.answer("Fine.", cost=0.0)
    meter = Meter()
    asyncio.run(ask(world.connect(meter)))
    assert (meter.calls[0].cost_usd, meter.calls[0].cost_is_estimate) == (0.0, False)


@pytest.mark.parametrize("name", TROUBLES)
def test_failure_has_own_error_one_sentence_and_is_counted(world: World, name: str) -> None:
    trouble = TROUBLES[name]
    world.answer(trouble=trouble)
    meter = Meter()
    with pytest.raises(ModelError) as raised:
        asyncio.run(ask(world.connect(meter)))
    sentence = str(raised.value)
    assert type(raised.value) is trouble.error
    assert MODEL in sentence
    assert trouble.says in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert KEY not in sentence
    assert world.asked() == len(meter.calls) == trouble.attempts
    assert {call.error for call in meter.calls} == {sentence}


def test_tokens_of_unusable_answer_are_counted(world: World) -> None:
    world.answer(trouble=TROUBLES["cut off"], tokens=(70, 4_000), cost=0.5)
    meter = Meter()
    with pytest.raises(CutOffAnswerError):
        asyncio.run(ask(world.connect(meter)))
    assert (meter.usage.input_tokens, meter.usage.output_tokens, meter.usage.cost_usd) == (70, 4_000, 0.5)


def test_too_long_answer_is_charged(world: World) -> None:
    world.answer(trouble=TROUBLES["too long"], tokens=(70, 400_000), cost=0.5)
    meter = Meter()
    with pytest.raises(OversizedAnswerError):
        asyncio.run(ask(world.connect(meter)))
    assert (meter.usage.input_tokens, meter.usage.output_tokens, meter.usage.cost_usd) == (70, 400_000, 0.5)


def test_partly_read_answer_is_charged_by_what_was_received() -> None:
    with served(ServiceKind.OPENROUTER) as world:
        world.answer(trouble=TROUBLES["too large"])
        meter = Meter()
        with pytest.raises(OversizedAnswerError):
            asyncio.run(ask(world.connect(meter)))
        (call,) = meter.calls
        assert call.output_tokens > 1_000_000
        assert call.cost_usd
        assert call.cost_is_estimate


def test_only_final_answer_is_returned(world: World) -> None:
    world.answer("Well, CLAIM 1: a draft\n</think>\n\nCLAIM 1: The bridge opened in 1932")
    assert asyncio.run(ask(world.connect(Meter()))) == "CLAIM 1: The bridge opened in 1932"


@pytest.mark.parametrize("name", ["busy", "broken", "overload with status 200", "hung up"])
def test_transient_failure_is_retried(world: World, name: str) -> None:
    world.answer("Fine.")
    world.answer(trouble=TROUBLES[name], times=2)
    meter = Meter()
    assert asyncio.run(ask(world.connect(meter))) == "Fine."
    assert world.waits == [0.5, 1.0]
    assert [call.error is None for call in meter.calls] == [False, False, True]


def test_retry_waits_as_long_as_provider_asks(world: World) -> None:
    world.answer("Fine.")
    world.answer(trouble=TROUBLES["busy"], times=1, retry_after=7)
    assert asyncio.run(ask(world.connect(Meter()))) == "Fine."
    assert world.waits == [7.0]


def test_next_call_waits_after_rate_limit(world: World) -> None:
    world.answer("Fine.")
    world.answer(trouble=TROUBLES["busy"], times=1, retry_after=20)
    models = world.connect(Meter())

    async def twice() -> None:
        await ask(models)
        await ask(models)

    asyncio.run(twice())
    refused, next_one = world.waits
    assert refused == 20.0
    assert next_one > 0


def test_no_retry_past_the_deadline(world: World) -> None:
    world.answer("Fine.")
    world.answer(trouble=TROUBLES["busy"], times=1, retry_after=40)
    with pytest.raises(ModelRateLimitError):
        asyncio.run(ask(world.connect(Meter()), timeout_seconds=30))
    assert (world.waits, world.asked()) == ([], 1)


def test_missing_answer_times_out_and_is_counted(world: World) -> None:
    world.answer_later("Too late.")
    meter = Meter()
    with pytest.raises(ModelUnreachableError, match=r"gave no answer within 0\.05 seconds"):
        asyncio.run(ask(world.connect(meter), timeout_seconds=0.05))
    assert [call.error is not None for call in meter.calls] == [True]


def test_cancelled_call_is_counted(world: World) -> None:
    world.answer_later("Too late.")
    meter = Meter()

    async def cancel() -> None:
        task = asyncio.create_task(ask(world.connect(meter)))
        await requests(world, 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert [call.error is not None for call in meter.calls] == [True]


def test_call_over_budget_is_not_made(world: World) -> None:
    world.answer("Fine.", cost=0.25)
    meter = Meter(max_cost_usd=0.255)

    async def twice() -> None:
        models = world.connect(meter)
        await ask(models)
        with pytest.raises(BudgetError, match=MODEL):
            await ask(models)

    asyncio.run(twice())
    assert world.asked() == 1


def test_retry_must_fit_the_budget(world: World) -> None:
    world.answer(trouble=TROUBLES["broken off"], tokens=(100, 50))
    meter = Meter(max_tokens=1_200)
    with pytest.raises(BudgetError, match="1,200 tokens"):
        asyncio.run(ask(world.connect(meter)))
    assert world.asked() == 2


def test_concurrent_calls_share_the_budget(world: World) -> None:
    release = world.answer_later("Fine.")
    meter = Meter(max_tokens=2_500)

    async def three() -> list[str | BaseException]:
        models = world.connect(meter)
        tasks = [asyncio.create_task(ask(models)) for _ in range(3)]
        await requests(world, 2)
        release()
        return await asyncio.gather(*tasks, return_exceptions=True)

    outcomes = asyncio.run(three())
    assert [type(outcome) for outcome in outcomes] == [str, str, BudgetError]
    assert world.asked() == 2


def test_answer_length_is_limited_by_budget(world: World) -> None:
    world.answer("Fine.")
    asyncio.run(ask(world.connect(Meter())))
    asyncio.run(ask(world.connect(Meter(max_tokens=3_000))))
    without, within = world.most_output()
    assert without is None
    assert within is not None
    assert 1_000 <= within <= 1_500


@pytest.mark.parametrize(
    ("max_tokens", "wanted", "most"),
    [(None, 700, (700, 700)), (3_000, 700, (700, 700)), (3_000, 8_192, (1_000, 1_500))],
)
def test_answer_length_is_limited_by_prompt_and_budget(
    world: World, max_tokens: int | None, wanted: int, most: tuple[int, int]
) -> None:
    world.answer("Fine.")
    models = world.connect(Meter(max_tokens=max_tokens))
    asyncio.run(ask(models, sampling=Sampling(max_output_tokens=wanted)))
    (allowed,) = world.most_output()
    assert allowed is not None
    assert most[0] <= allowed <= most[1]


def test_prompt_sets_sampling(world: World) -> None:
    world.answer("Fine.", model=GEMINI)

    async def both() -> None:
        models = world.connect(Meter())
        await ask(models, GEMINI)
        await ask(models, GEMINI, sampling=SAMPLING)

    asyncio.run(both())
    assert world.drawn() == [(None, None, None), (0.2, 0.95, 40)]


def test_rejected_sampling_settings_are_dropped(world: World) -> None:
    world.answer("Fine.", model=GEMINI)
    world.answer(trouble=TROUBLES["bad request"], model=GEMINI, times=2)
    meter = Meter()

    async def twice() -> list[str]:
        models = world.connect(meter)
        return [await ask(models, GEMINI, sampling=SAMPLING) for _ in range(2)]

    assert asyncio.run(twice()) == ["Fine."] * 2
    refused_once = [(0.2, 0.95, 40), (0.2, 0.95, None), (None, None, None)]
    assert world.drawn() == [*refused_once, (None, None, None)], "what it refused once is not tried again"
    assert world.most_output() == [700] * 4
    assert [call.error is None for call in meter.calls] == [False, False, True, True]
    assert world.waits == []


def test_request_rejected_for_other_reason_fails(world: World) -> None:
    world.answer(trouble=TROUBLES["bad request"], model=GEMINI)
    with pytest.raises(ModelRequestError, match="too long"):
        asyncio.run(ask(world.connect(Meter()), GEMINI, sampling=SAMPLING))
    assert world.asked() == 3


def test_concurrent_requests_are_limited(world: World) -> None:
    release = world.answer_later("Fine.")

    async def many() -> int:
        models = world.connect(Meter())
        tasks = [asyncio.create_task(ask(models)) for _ in range(20)]
        await requests(world, 8)
        under_way = world.asked()
        release()
        assert await asyncio.gather(*tasks) == ["Fine."] * 20
        return under_way

    assert asyncio.run(many()) == 8


def test_successive_event_loops_can_ask(world: World) -> None:
    world.answer("Fine.")
    models = world.connect(Meter())
    assert [asyncio.run(ask(models)) for _ in range(3)] == ["Fine."] * 3


def test_embedded_engine_names_are_refused(world: World) -> None:
    with pytest.raises(UnknownModelError, match="embedded engine"):
        asyncio.run(ask(world.connect(Meter()), model="embedded/verifier"))
    assert world.asked() == 0


def test_unserved_model_is_unknown(world: World) -> None:
    world.answer("Fine.")
    with pytest.raises(UnknownModelError, match="vendor/none"):
        asyncio.run(ask(world.connect(Meter()), model="vendor/none"))
