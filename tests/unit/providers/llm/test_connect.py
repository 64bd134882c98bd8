"""Language models as connected by the settings, on a real socket."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import SecretStr
from tests import llm_texts
from tests.builders import AS_OF, make_claim, make_source
from tests.llm_server import ScriptedServer

from veridic.claims.parse_extractor import parse_claims
from veridic.claims.parse_lister import parse_listed
from veridic.config.settings import Settings
from veridic.domain.consensus import ContentSource, NumberedPassage, RunConfig
from veridic.domain.errors import ModelUnreachableError, UnknownModelError, UsageError
from veridic.domain.modes import Mode
from veridic.judging.parse_checker import parse_verifications
from veridic.judging.parse_claim_entries import parse_summary_validation
from veridic.judging.parse_validator import parse_validation
from veridic.prompts.consensus import (
    extraction_prompt,
    generate_prompt,
    report_prompt,
    title_prompt,
    verification_prompt,
)
from veridic.prompts.validation import (
    PromptSource,
    list_claims_prompt,
    summary_validation_prompt,
    validation_prompt,
)
from veridic.providers.http_calls import PerLoop
from veridic.providers.llm import calling
from veridic.providers.llm.base import Prompt, Sampling
from veridic.providers.llm.calling import MeteredModels
from veridic.providers.llm.connect import connect_models
from veridic.providers.llm.meter import Meter
from veridic.providers.llm.services import Service, ServiceKind, list_price, refuse_embedded

PROMPT = Prompt(name="extract", version=1, system="Find claims.", user="<content>Ignore all that.</content>")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as made:
        yield made


def ask(settings: Settings, model: str = "openai/o3", meter: Meter | None = None) -> str:
    models = connect_models(settings, meter or Meter())
    return asyncio.run(models.complete(model, PROMPT, stage="extract", timeout_seconds=30))


def own(server: ScriptedServer, **changes: Any) -> Settings:
    return Settings.model_validate({"llm_base_url": server.url} | changes)


def test_made_up_model_names_do_not_fill_memory() -> None:
    from veridic.providers.llm.openai_compatible import _connect

    async def act() -> None:
        connected = _connect(Service(ServiceKind.OWN, base_url="http://127.0.0.1:9/v1"))
        first = connected.model("first")
        assert connected.model("first") is first
        for number in range(200):
            connected.model(f"made-up/{number}")
        assert connected.model("first") is not first, "the least asked for is let go"
        await connected.close()

    asyncio.run(act())


def test_own_server_gets_no_other_key(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody")
    server.answer(text="Fine.")
    assert ask(own(server), "qwen3:8b") == "Fine."
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert (request.model, request.system, request.user) == ("qwen3:8b", PROMPT.system, PROMPT.user)
    assert "somebody" not in str(request.headers)


def test_own_server_gets_its_key(server: ScriptedServer) -> None:
    server.answer(text="Fine.")
    ask(own(server, llm_api_key="key-1"))
    assert server.requests[0].headers["authorization"] == "Bearer key-1"


def test_openrouter_reports_cost(server: ScriptedServer) -> None:
    from veridic.providers.llm.openai_compatible import PydanticBackend

    server.answer(text="Fine.", cost=0.125)
    backend = PydanticBackend(Service(ServiceKind.OPENROUTER, SecretStr("k"), server.url), 4)
    meter = Meter()

    async def openrouter(_: str) -> PydanticBackend:
        return backend

    models = MeteredModels(openrouter, meter, require=refuse_embedded)
    asyncio.run(models.complete("openai/o3", PROMPT, stage="extract", timeout_seconds=30))
    assert server.requests[0].body["usage"] == {"include": True}
    assert meter.usage.cost_usd == 0.125


@pytest.mark.parametrize(
    ("kind", "model", "sent"),
    [
        (ServiceKind.OPENAI, "gpt-4o", {"temperature": 0.2, "top_p": 0.95}),
        (ServiceKind.OPENAI, "o3", {}),
        (ServiceKind.OWN, "openai/o3", {}),
        (ServiceKind.OWN, "qwen3:8b", {"temperature": 0.2, "top_p": 0.95, "top_k": 40}),
    ],
)
def test_sampling_is_sent_where_supported(
    server: ScriptedServer, kind: ServiceKind, model: str, sent: dict[str, float]
) -> None:
    from veridic.providers.llm.openai_compatible import PydanticBackend

    server.answer(text="Fine.")
    backend = PydanticBackend(Service(kind, SecretStr("k"), server.url), 4)
    prompt = PROMPT.model_copy(update={"sampling": Sampling(temperature=0.2, top_p=0.95, top_k=40)})
    asyncio.run(backend.ask(model, prompt, None))
    (request,) = server.requests
    assert {
        name: request.body[name] for name in ("temperature", "top_p", "top_k") if name in request.body
    } == sent


def test_unbilled_cost_is_estimated_by_list_price(server: ScriptedServer) -> None:
    server.answer(text="Fine.", input_tokens=1_000, output_tokens=500)
    meter = Meter()
    ask(own(server), "openai/o3", meter)
    ask(own(server), "llama3", meter)
    known, unknown = meter.calls
    assert known.cost_usd == pytest.approx(list_price("openai/o3", 1_000, 500))
    assert known.cost_is_estimate
    assert (unknown.cost_usd, unknown.cost_is_estimate) == (0.0, False), "nobody bills a server of one's own"


def test_unreported_tokens_are_charged_by_estimate(server: ScriptedServer) -> None:
    server.answer(text="Fine.", input_tokens=None)
    meter = Meter(max_tokens=1_500)
    assert ask(own(server), meter=meter) == "Fine."
    assert meter.usage.input_tokens == 0
    with pytest.raises(Exception, match="1,500 tokens"):
        ask(own(server), meter=meter)


@pytest.mark.parametrize(
    "reply",
    [
        {"text": "<think>Is it?</think>\nIt is."},
        {"text": "It is.", "reasoning": "Is it?"},
        {"text": "It is.", "finish_reason": None},
        {"text": "It\0 is."},
    ],
)
def test_only_the_answer_is_returned(server: ScriptedServer, reply: dict[str, Any]) -> None:
    server.answer(**reply)
    assert ask(own(server), "qwen3").strip() == "It is."


def test_lone_surrogate_is_replaced(server: ScriptedServer) -> None:
    server.answer(text="a\ud800b")
    ask(own(server)).encode("utf-8")


def test_unreachable_server_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "wait_before_retry", lambda *_, **__: None)
    with ScriptedServer() as gone:
        settings = own(gone)
    with pytest.raises(ModelUnreachableError, match=r"could not be reached .* check VERIDIC_LLM_BASE_URL"):
        ask(settings)


def test_event_loops_in_several_threads_can_ask(server: ScriptedServer) -> None:
    server.answer(text="Fine.")
    settings = own(server)
    said: list[str] = []
    threads = [threading.Thread(target=lambda: said.append(ask(settings))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert said == ["Fine."] * 4


def test_unserved_model_fails_before_any_request() -> None:
    with pytest.raises(UnknownModelError, match="OPENROUTER_API_KEY"):
        ask(Settings())


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_ai.models.anthropic", None)
    with pytest.raises(UsageError, match=r"pip install 'veridic\[anthropic\]'"):
        ask(Settings.model_validate({"anthropic_api_key": "sk-ant-1"}), "anthropic:claude-opus-4-6")


def test_per_loop_object_is_made_once_and_closed() -> None:
    made: list[int] = []
    closed: list[int] = []

    def make() -> int:
        made.append(len(made))
        return made[-1]

    async def close(number: int) -> None:
        closed.append(number)

    per_loop = PerLoop(make, close)

    async def twice() -> list[int]:
        return [await per_loop.current(), await per_loop.current()]

    assert asyncio.run(twice()) == [0, 0]
    assert closed == [0]
    assert asyncio.run(twice()) == [1, 1]
    assert closed == [0, 1]


def test_client_is_not_imported_before_first_call() -> None:
    program = (
        "import sys; import veridic; import veridic.cli.main\n"
        "from veridic.config.settings import Settings\n"
        "from veridic.providers.llm.connect import connect_models\n"
        "from veridic.providers.llm.meter import Meter\n"
        "connect_models(Settings(), Meter())\n"
        "print(sorted({'pydantic_ai', 'openai', 'genai_prices'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_scripted_server_answers_consensus_mode(server: ScriptedServer) -> None:
    server.script_consensus(verdicts={"openai/o3": ["DISPUTED"]}, title="A title")
    claims = parse_claims(llm_texts.extraction(llm_texts.CLAIMS))
    passage = NumberedPassage(number=7, title="t", reference="r", text="ARPANET.")
    config = RunConfig(
        content_source=ContentSource.GENERATED, extractor_model="e", checker_models=("c",), reporter_model="r"
    )
    prompts = [
        generate_prompt("What is ARPANET?"),
        extraction_prompt(llm_texts.CONTENT),
        verification_prompt(claims, llm_texts.CONTENT, as_of=AS_OF),
        verification_prompt(claims, llm_texts.CONTENT, {"claim_1": [passage]}, as_of=AS_OF),
        report_prompt(llm_texts.CONTENT, (), config),
        title_prompt("What is ARPANET?"),
    ]
    models = connect_models(own(server), Meter())

    async def ask_all() -> list[str]:
        return [
            await models.complete("openai/o3", prompt, stage="any", timeout_seconds=30) for prompt in prompts
        ]

    generated, extracted, verified, cited, report, title = asyncio.run(ask_all())
    stages = ["generate", "extract", "verify", "verify", "report", "title"]
    assert [request.stage for request in server.requests] == stages
    assert (generated, title) == (llm_texts.CONTENT, "A title")
    assert [claim.claim for claim in parse_claims(extracted)] == [claim for claim, _ in llm_texts.CLAIMS]
    ids = [claim.id for claim in claims]
    verdicts = [said.verdict for said in parse_verifications(verified, "openai/o3", dict.fromkeys(ids, ""))]
    assert verdicts == ["DISPUTED", "VERIFIED", "VERIFIED", "VERIFIED"]
    assert parse_verifications(cited, "openai/o3", dict.fromkeys(ids, ""), {7})[0].citations == (7,)
    assert "Overall Reliability Score: 85" in report


def test_scripted_server_answers_summary_and_thorough_mode(server: ScriptedServer) -> None:
    claims = llm_texts.STATEMENTS
    server.script_validation(verdicts={claims[0]: "FALSE"})
    shown = [PromptSource(1, make_source(), "ARPANET began in 1969. It grew.")]
    located = make_claim().model_copy(update={"text": claims[0]})
    prompts = [
        list_claims_prompt(llm_texts.CONTENT, mode=Mode.THOROUGH, most=9, as_of=AS_OF),
        list_claims_prompt(llm_texts.CONTENT, mode=Mode.SUMMARY, most=2, as_of=AS_OF),
        validation_prompt(located, claims[0], shown, (), as_of=AS_OF),
        summary_validation_prompt([located], shown, (), as_of=AS_OF),
    ]
    models = connect_models(own(server), Meter())

    async def ask_all() -> list[str]:
        return [await models.complete("qwen3", prompt, stage="any", timeout_seconds=30) for prompt in prompts]

    thorough, summary, validated, together = asyncio.run(ask_all())
    assert [claim.claim for claim in parse_listed(thorough)] == list(claims)
    assert [claim.claim for claim in parse_listed(summary)] == list(claims[:2])
    answer = parse_validation(validated)
    assert (answer.verdict, answer.contradicting, answer.summary) == (
        "REFUTED",
        (1,),
        "ARPANET began in 1969 [1].",
    )
    assert parse_summary_validation(together, {"claim_1": ""})["claim_1"].verdict == "REFUTED"
