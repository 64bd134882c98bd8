"""Runs of consensus mode: names, order and payloads of events, as clients rely on them."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import pytest
from tests import llm_texts
from tests.unit.engine.fakes import AS_OF, FakeGatherer, FakeJudge, passage, run_evidence_of

from veridic.claims.locate import locate_claims
from veridic.claims.parse_extractor import parse_claims
from veridic.claims.selection import MOST_CLAIMS
from veridic.config.settings import Settings
from veridic.consensus.cast import Casting
from veridic.consensus.deliberation import Deliberation
from veridic.consensus.embedded_roles import EmbeddedChecker
from veridic.consensus.run import ConsensusRun, Limits
from veridic.domain.claim import OmissionReason
from veridic.domain.consensus import ContentSource, DeliberationStage, RunConfig
from veridic.domain.errors import (
    ModelAccessError,
    ModelRefusalError,
    ModelUnreachableError,
    SearchError,
    UsageError,
)
from veridic.domain.events import Event, EventName
from veridic.domain.evidence import Channel, Passage
from veridic.domain.modes import EngineChoice, Mode, ReportFormat
from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict
from veridic.engine.judges import proofreader
from veridic.engine.order import CheckOrder, Conversation, ModelChoice
from veridic.engine.steps import InMemorySteps
from veridic.ingest.read import document_from_text
from veridic.judging.base import ClaimReading
from veridic.providers.llm.base import Prompt
from veridic.providers.llm.calling import Billing
from veridic.providers.llm.connect import connect_models
from veridic.providers.llm.fake import ScriptedModels
from veridic.providers.llm.meter import Meter
from veridic.providers.search.fake import ScriptedSearch
from veridic.providers.search.sifting import Row
from veridic.reporting.render import render
from veridic.run import run_order

CONTENT = llm_texts.CONTENT
CONVERSATION = Conversation(conversation_id="c-1", message_id="m-1", is_new=True)
MODELS = ModelChoice(
    generator="gen/one", extractor="ext/one", checkers=("chk/a", "chk/b", "chk/c"), reporter="rep/one"
)
INTERNAL = (
    EventName.STAGE_COMPLETED,
    EventName.MODEL_CALLED,
    EventName.REPORT_READY,
    EventName.STAGE_FAILED,
    EventName.USAGE_UPDATED,
)


def scripted(
    verdicts: Mapping[str, Sequence[str]] | None = None, score: int | None = 85, meter: Meter | None = None
) -> ScriptedModels:
    """Models that answer every prompt in the requested format."""

    def say(model: str, prompt: Prompt) -> str:
        match prompt.name:
            case "extract":
                return llm_texts.extraction(llm_texts.CLAIMS)
            case "verify":
                return llm_texts.verification(llm_texts.CLAIMS, (verdicts or {}).get(model, ()))
            case "report":
                return llm_texts.report(llm_texts.CLAIMS, score)
            case "title":
                return '**Title: "The Internet\'s early years"**'
        return CONTENT

    models = ScriptedModels(meter)
    models.answer(say)
    return models


class Outcome:
    """The outcome of a run: events, stages and report."""

    def __init__(self, events: list[Event]) -> None:
        self.events = events
        self.shown = [(event.name.value, event.data) for event in events if event.name not in INTERNAL]
        self.names = [name for name, _ in self.shown]
        self.stages: list[DeliberationStage] = [
            event.data["stage"] for event in events if event.name is EventName.STAGE_COMPLETED
        ]

    def data(self, name: str) -> dict[str, Any]:
        return next(data for shown, data in self.shown if shown == name)

    def stage(self, kind: str) -> DeliberationStage:
        return next(stage for stage in self.stages if stage.stage_type == kind)

    @property
    def report(self) -> Report:
        report = next(event.data["report"] for event in self.events if event.name is EventName.REPORT_READY)
        assert isinstance(report, Report)
        return report


def carry_out(order: CheckOrder, models: ScriptedModels, settings: Settings | None = None) -> Outcome:
    async def follow() -> list[Event]:
        events = run_order(
            order,
            settings or Settings(),
            as_of=AS_OF,
            models=models,
            meter=models.meter,
            conversation=CONVERSATION,
        )
        return [event async for event in events]

    return Outcome(asyncio.run(follow()))


def order_of(text: str | None = CONTENT, **fields: Any) -> CheckOrder:
    document = None if text is None else document_from_text(text, source="-")
    asked = {"mode": Mode.CONSENSUS, "document": document, "question": "Is it so?", "models": MODELS}
    return CheckOrder.model_validate(asked | fields)


def timed(
    models: ScriptedModels, clock: Callable[[], float], *, run_seconds: float = 600, question: bool = False
) -> Outcome:
    """Run with a clock that the test controls."""
    order = order_of(None if question else CONTENT)
    run = ConsensusRun(
        Casting(order, Settings(), models, as_of=AS_OF).cast(),
        question=order.question,
        document=order.document,
        run_evidence=None,
        conversation=CONVERSATION,
        limits=Limits(stage_seconds=120, run_seconds=run_seconds, content_length=20_000),
        proofreader=proofreader(),
        as_of=AS_OF,
        steps=InMemorySteps(),
        meter=models.meter,
        clock=clock,
    )

    async def follow() -> list[Event]:
        return [event async for event in run.events()]

    return Outcome(asyncio.run(follow()))


BEGINNING = ["factcheck_start", "extract_start", "extract_complete", "verify_start"]
ENDING = ["all_checkers_complete", "report_start", "report_complete", "title_complete", "complete"]


def test_a_text_goes_through_every_stage_in_order() -> None:
    run = carry_out(order_of(), scripted({"chk/b": ("VERIFIED", "DISPUTED", "DISPUTED")}))
    assert run.names == [*BEGINNING, *["checker_complete"] * 3, *ENDING]
    assert run.data("factcheck_start") == {
        "conversationId": "c-1",
        "messageId": "m-1",
        "config": {
            "contentSource": "user_provided",
            "extractorModel": "ext/one",
            "checkerModels": ["chk/a", "chk/b", "chk/c"],
            "reporterModel": "rep/one",
        },
    }
    extracted = run.data("extract_complete")
    assert set(extracted) == {"model", "claims", "totalClaims", "typeBreakdown", "responseTimeMs"}
    assert extracted["claims"][0] == {"id": "claim_1", "claim": llm_texts.CLAIMS[0][0], "type": "DATE"}
    assert extracted["typeBreakdown"] == {"DATE": 2, "ATTRIBUTION": 1, "STATISTIC": 1}
    assert run.data("verify_start") == {"checkerCount": 3, "claimCount": 4}
    checker = run.data("checker_complete")
    assert set(checker) == {"model", "verifications", "summary", "responseTimeMs"}
    assert checker["verifications"][0] == {"claimId": "claim_1", "verdict": "VERIFIED", "confidence": "HIGH"}
    consensus = run.data("all_checkers_complete")["consensus"]
    assert consensus[1] == {
        "claimId": "claim_2",
        "claim": llm_texts.CLAIMS[1][0],
        "consensusVerdict": "VERIFIED",
        "agreementRate": 67,
        "correction": None,
    }
    reported = run.data("report_complete")
    assert set(reported) == {"model", "reliabilityScore", "summary", "responseTimeMs"}
    assert reported["summary"] == {"verified": 4, "disputed": 0, "unverifiable": 0}
    assert run.data("title_complete") == {
        "title": "The Internet's early years",
        "data": {"title": "The Internet's early years"},
    }
    assert run.data("complete") == {}


def test_a_question_is_answered_first() -> None:
    run = carry_out(order_of(None), scripted())
    assert run.names[:3] == ["factcheck_start", "generate_start", "generate_complete"]
    assert run.data("factcheck_start")["config"]["contentSource"] == "generated"
    assert run.data("factcheck_start")["config"]["generatorModel"] == "gen/one"
    generated = run.data("generate_complete")
    assert (generated["model"], generated["content"]) == ("gen/one", CONTENT)
    assert run.stage("generate").parsed_data == {
        "contentSource": "generated",
        "inputQuestion": "Is it so?",
        "contentLength": len(CONTENT),
        "wordCount": len(CONTENT.split()),
    }
    assert run.report.document.text == CONTENT


def test_stages_have_the_stored_format() -> None:
    run = carry_out(order_of(None), scripted())
    kept = [(s.stage_type, s.stage_order, s.model, s.role.value) for s in run.stages]
    assert sorted(kept, key=lambda row: row[1]) == [
        ("generate", 0, "gen/one", "generator"),
        ("extract", 1, "ext/one", "extractor"),
        ("verify_0", 10, "chk/a", "checker"),
        ("verify_1", 11, "chk/b", "checker"),
        ("verify_2", 12, "chk/c", "checker"),
        ("report", 99, "rep/one", "reporter"),
    ]
    assert set(run.stage("verify_0").parsed_data) == {"verifications", "summary"}
    first = run.stage("verify_0").parsed_data["verifications"][0]
    assert set(first) == {"claimId", "verdict", "evidence", "correction", "confidence"}
    assert run.stage("extract").parsed_data["totalClaims"] == 4
    assert run.stage("report").parsed_data == {
        "reliabilityScore": 90,
        "verified": 4,
        "disputed": 0,
        "unverifiable": 0,
        "totalClaims": 4,
        "checkerCount": 3,
        "averageAgreementRate": 100.0,
    }


def test_the_report_s_score_is_limited_by_the_verdicts() -> None:
    some_disputed = dict.fromkeys(MODELS.checkers or (), ("DISPUTED",))
    all_disputed = dict.fromkeys(MODELS.checkers or (), ("DISPUTED",) * 4)
    assert (
        carry_out(order_of(), scripted(some_disputed, 71)).data("report_complete")["reliabilityScore"] == 71
    )
    assert carry_out(order_of(), scripted(None, 71)).data("report_complete")["reliabilityScore"] == 90
    assert carry_out(order_of(), scripted(all_disputed, 71)).data("report_complete")["reliabilityScore"] == 20
    assert carry_out(order_of(), scripted(None, None)).data("report_complete")["reliabilityScore"] == 100


def test_a_report_shows_only_the_run_s_score() -> None:
    text = carry_out(order_of(), scripted(None, 71)).stage("report").content
    assert "## Overall Reliability Score: 90" in text
    assert "71" not in text


def test_a_report_contradicting_the_verdicts_is_corrected() -> None:
    all_disputed = dict.fromkeys(MODELS.checkers or (), ("DISPUTED",) * 4)
    text = carry_out(order_of(), scripted(all_disputed)).stage("report").content
    assert "| VERIFIED |" not in text
    assert text.count("| DATE | DISPUTED | 100% |") == 2
    assert text.count("## Evidence Table") == text.count("## Methodology") == 1
    assert "- Claims extracted by: ext/one\n- Independent checkers: chk/a, chk/b, chk/c\n" in text


def test_a_report_without_a_score_gets_the_run_s() -> None:
    models = scripted()
    models.answer("## Overall Reliability Score: High\n\nAll is well.", prompt="report")
    run = carry_out(order_of(), models)
    assert run.data("report_complete")["reliabilityScore"] == 100
    assert "## Overall Reliability Score: 100\n\nAll is well." in run.stage("report").content


def test_annotations_come_from_the_run_not_the_reporter() -> None:
    text = (
        carry_out(order_of(), scripted({"chk/a": ("DISPUTED",), "chk/b": ("DISPUTED",)}))
        .stage("report")
        .content
    )
    assert f"{llm_texts.CLAIMS[0][0]} [DISPUTED]" in text
    assert f"{llm_texts.CLAIMS[1][0]} [VERIFIED]" in text
    assert text.count("Annotated Content") == 1


def test_without_claims_no_checker_or_reporter_is_asked() -> None:
    models = scripted()
    models.answer("I find no claims in this.", prompt="extract")
    run = carry_out(order_of("What a lovely day!"), models)
    assert run.names == [
        "factcheck_start", "extract_start", "extract_complete", "report_start", "report_complete", "title_complete", "complete",
    ]  # fmt: skip
    assert run.data("extract_complete")["claims"] == []
    assert run.data("extract_complete")["totalClaims"] == 0
    assert run.data("report_complete")["reliabilityScore"] is None
    assert run.data("report_complete")["summary"] == {
        "verified": 0,
        "disputed": 0,
        "unverifiable": 0,
        "note": "No verifiable claims identified",
    }
    assert "No verifiable factual claims were identified in this content." in run.stage("report").content
    assert {asked.prompt.name for asked in models.asked} == {"extract", "title"}


def test_a_failed_checker_is_named_and_left_out() -> None:
    models = scripted()
    models.answer(ModelAccessError("chk/b: the key is wrong."), model="chk/b")
    run = carry_out(order_of(), models)
    assert run.names == [*BEGINNING, *["checker_complete"] * 2, *ENDING]
    assert run.data("verify_start")["checkerCount"] == 3
    parsed = run.stage("report").parsed_data
    assert parsed["checkerCount"] == 2
    assert parsed["failedCheckers"] == [{"model": "chk/b", "error": "chk/b: the key is wrong."}]
    assert [(f.stage, f.message) for f in run.report.errors] == [("verify_1", "chk/b: the key is wrong.")]


def test_a_failed_checker_is_reported_at_once() -> None:
    async def follow() -> list[EventName]:
        models = scripted()
        waiting = asyncio.Event()
        models.answer(ModelAccessError("chk/b: the key is wrong."), model="chk/b")
        models.answer(llm_texts.verification(llm_texts.CLAIMS), model="chk/c", until=waiting)
        happened = []
        async for event in run_order(
            order_of(), Settings(), as_of=AS_OF, models=models, meter=models.meter, conversation=CONVERSATION
        ):
            happened.append(event.name)
            if event.name is EventName.STAGE_FAILED:
                assert event.data["checker"] == {"model": "chk/b", "error": "chk/b: the key is wrong."}
                waiting.set()
        return happened

    happened = asyncio.run(asyncio.wait_for(follow(), 30))
    assert happened.index(EventName.STAGE_FAILED) < happened.index(EventName.ALL_CHECKERS_COMPLETE)
    before = happened[: happened.index(EventName.STAGE_FAILED)]
    assert before[-2:] == [EventName.MODEL_CALLED, EventName.USAGE_UPDATED], "what failed is paid for"


def test_an_unexpected_checker_error_does_not_affect_others() -> None:
    models = scripted()

    def broken(_model: str, _prompt: Prompt) -> str:
        raise RecursionError("maximum recursion depth exceeded")

    models.answer(broken, model="chk/b")
    run = carry_out(order_of(), models)
    assert run.names[-1] == "complete"
    assert run.report.consensus is not None
    assert run.report.consensus.checkers == ("chk/a", "chk/c")
    (failed,) = run.report.consensus.failed_checkers
    assert "RecursionError" in failed.error


def test_the_report_has_all_consensus_details() -> None:
    some = {"chk/a": ("DISPUTED",), "chk/b": ("DISPUTED",)}
    told = carry_out(order_of(), scripted(some)).report
    details = told.consensus
    assert details is not None
    assert [decision.agreement_rate for decision in told.decisions] == [67, 100, 100, 100]
    assert (details.title, details.average_agreement) == ("The Internet's early years", 91.8)
    assert details.report_text.startswith("# Fact-Check Report")
    assert f"{llm_texts.CLAIMS[0][0]} [DISPUTED]" in details.annotated_content
    assert details.checkers == MODELS.checkers
    assert (details.question, details.generator, details.bias_warning) == ("Is it so?", None, None)


def test_question_and_bias_warning_are_in_the_report() -> None:
    same = MODELS.model_copy(update={"generator": "chk/a"})
    details = carry_out(order_of(None, models=same), scripted()).report.consensus
    assert details is not None
    assert (details.question, details.generator) == ("Is it so?", "chk/a")
    assert details.bias_warning is not None
    assert "share model" in details.bias_warning


def test_one_model_three_times_counts_once_with_a_remark() -> None:
    thrice = MODELS.model_copy(update={"checkers": ("chk/a",) * 3})
    run = carry_out(order_of(models=thrice), scripted())
    assert run.report.consensus is not None
    assert "chk/a was asked 3 times: that is one voice" in " ".join(run.report.consensus.remarks)
    text = run.stage("report").content
    assert "- Independent checker: chk/a (asked 3 times: one voice)\n" in text
    assert "chk/a was asked 3 times: that is one voice" in text


def test_a_checker_that_only_quotes_content_has_no_evidence() -> None:
    models = scripted()
    pointing = "\n\n".join(
        f"VERIFICATION claim_{n}: VERIFIED\nEvidence: The content mentions that {claim}.\nCorrection: N/A\nConfidence: HIGH"
        for n, (claim, _) in enumerate(llm_texts.CLAIMS, 1)
    )
    models.answer(pointing, prompt="verify")
    run = carry_out(order_of(), models)
    first = run.report.decisions[0]
    assert "This verdict has no evidence: what was said for it only repeats the content." in first.rationale
    assert "the models know" not in first.rationale
    assert first.confidence <= 0.5
    assert all(opinion.repeats_content for opinion in first.opinions)
    assert run.stage("verify_0").parsed_data["verifications"][0]["repeatsContent"] is True
    assert "only repeats the content" in run.stage("report").content


def test_the_timeout_of_a_call_follows_the_settings() -> None:
    class Noting(ScriptedModels):
        seconds: ClassVar[set[float]] = set()

        async def complete(self, model: str, prompt: Prompt, *, stage: str, timeout_seconds: float) -> str:
            self.seconds.add(timeout_seconds)
            return await super().complete(model, prompt, stage=stage, timeout_seconds=timeout_seconds)

    models = Noting()
    models.answer(llm_texts.extraction(llm_texts.CLAIMS), prompt="extract")
    models.answer(llm_texts.verification(llm_texts.CLAIMS), prompt="verify")
    models.answer(llm_texts.report(llm_texts.CLAIMS, 90), prompt="report")
    slow = Settings(llm_timeout_seconds=900)
    carry_out(order_of(), models, slow)
    assert min(Noting.seconds) >= 900
    Noting.seconds.clear()
    carry_out(order_of(stage_timeout_ms=45_000), models, slow)
    assert max(Noting.seconds) < 60, "what a run asks for goes before"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (
            "I'm sorry,\nI can't help with that.",
            "chk/b would not answer (I'm sorry, I can't help with that.).",
        ),
        (
            "What a fine text! " * 50,
            "chk/b gave an answer with no verdict on any of the claims, in the format asked for, twice; it begins: "
            + ("What a fine text! " * 50)[:160].rstrip()
            + " …",
        ),
    ],
)
def test_a_checker_without_verdicts_has_failed(answer: str, reason: str) -> None:
    models = scripted()
    models.answer(answer, model="chk/b")
    run = carry_out(order_of(), models)
    assert run.names == [*BEGINNING, *["checker_complete"] * 2, *ENDING]
    assert run.stage("report").parsed_data["failedCheckers"] == [{"model": "chk/b", "error": reason}]
    assert [(f.stage, f.message) for f in run.report.errors] == [("verify_1", reason)]
    assert {o.checker_model for d in run.report.decisions for o in d.opinions} == {"chk/a", "chk/c"}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("[" * 200_000, "no verdict on any of the claims"),
        ("{" * 200_000, "no verdict on any of the claims"),
        ("a" * 3_000_000, "too long to be read (3,000,000 characters or more)"),
        ("<thinking>" + "VERIFICATION claim_1: VERIFIED\n" * 10, "nothing but its thoughts"),
    ],
    ids=["brackets", "braces", "too long", "thoughts"],
)
def test_a_runaway_answer_fails_its_call_and_is_charged(answer: str, reason: str) -> None:
    models = scripted()
    models.answer(answer, model="chk/b")
    run = carry_out(order_of(), models)
    assert run.names == [*BEGINNING, *["checker_complete"] * 2, *ENDING]
    ((stage, message),) = [(f.stage, f.message) for f in run.report.errors]
    assert stage == "verify_1"
    assert "chk/b" in message
    assert reason in message
    calls = [call for call in models.meter.calls if call.model == "chk/b"]
    assert calls
    assert all(call.output_tokens and call.cost_usd for call in calls)


def test_an_ambiguous_checker_is_asked_again_with_the_reason() -> None:
    models = scripted()
    models.answer(llm_texts.verification(llm_texts.CLAIMS, ["DISPUTED"]), model="chk/b")
    models.answer("VERIFIED:\n1. Fine.\n2. Fine.\nDISPUTED:\n1. No.\n2. No.", model="chk/b", times=1)
    run = carry_out(order_of(), models)
    assert run.names == [*BEGINNING, *["checker_complete"] * 3, *ENDING]
    first, again = [asked.prompt for asked in models.asked if asked.model == "chk/b"]
    assert again.user.startswith(first.user)
    assert "numbers that count within groups" in again.user
    said = {o.checker_model: o.verdict for o in run.report.decisions[0].opinions}
    assert said["chk/b"] == "DISPUTED"


def said_by(models: ScriptedModels, model: str) -> list[tuple[str, str]]:
    run = carry_out(order_of(), models)
    opinions = [o for d in run.report.decisions for o in d.opinions if o.checker_model == model]
    return [(o.verdict, o.evidence) for o in opinions]


def test_a_checker_that_leaves_a_claim_out_is_asked_once_more() -> None:
    models = scripted()
    whole = llm_texts.verification(llm_texts.CLAIMS, ["DISPUTED"] * len(llm_texts.CLAIMS))
    models.answer(whole, model="chk/b")
    models.answer(whole.rpartition("VERIFICATION claim_")[0], model="chk/b", times=1)
    assert {verdict for verdict, _ in said_by(models, "chk/b")} == {"DISPUTED"}
    _, again = [asked.prompt for asked in models.asked if asked.model == "chk/b"]
    assert f"no verdict on claim_{len(llm_texts.CLAIMS)} that is one of the three words" in again.user


def test_a_qualified_verdict_is_never_settled_for() -> None:
    models = scripted()
    whole = llm_texts.verification(llm_texts.CLAIMS, ["VERIFIED"])
    qualified = whole.replace("claim_1: VERIFIED", "claim_1: VERIFIED AS FALSE")
    assert qualified != whole
    models.answer(qualified, model="chk/b")
    first, *others = said_by(models, "chk/b")
    assert first == ("UNVERIFIABLE", "Checker gave no verdict that could be read: VERIFIED AS FALSE")
    assert {verdict for verdict, _ in others} == {"VERIFIED"}
    assert len([asked for asked in models.asked if asked.model == "chk/b"]) == 2


def test_the_fuller_of_two_incomplete_answers_counts() -> None:
    models = scripted()
    blocks = llm_texts.verification(llm_texts.CLAIMS, ["DISPUTED"] * len(llm_texts.CLAIMS)).split(
        "VERIFICATION claim_"
    )
    models.answer("VERIFICATION claim_" + blocks[1], model="chk/b")
    models.answer("VERIFICATION claim_".join(blocks[:-1]), model="chk/b", times=1)
    assert [verdict for verdict, _ in said_by(models, "chk/b")].count("DISPUTED") == len(llm_texts.CLAIMS) - 1


def test_an_extractor_is_asked_again_with_the_reason() -> None:
    models = scripted()
    models.answer(llm_texts.extraction(llm_texts.CLAIMS), prompt="extract")
    models.answer("What a fine text!", prompt="extract", times=1)
    run = carry_out(order_of(), models)
    assert run.names[-1] == "complete"
    _, again = [asked.prompt for asked in models.asked if asked.prompt.name == "extract"]
    assert "It could not be used: it has no claims in the format asked for." in again.user


@pytest.mark.parametrize(
    "answer",
    [
        "I'm sorry, I can't help with that.",
        "I can't help with that. You could:\n1. Ask somebody else\n2. Change the text",
        "What a fine text!",
    ],
)
def test_an_extractor_without_claims_must_say_so(answer: str) -> None:
    models = scripted()
    models.answer(answer, prompt="extract")
    run = carry_out(order_of(), models)
    assert run.names == ["factcheck_start", "extract_start", "error"]
    assert run.data("error") == {"message": "Claim extraction failed. Cannot proceed with verification."}
    (reason,) = [e.data["failure"]["message"] for e in run.events if e.name is EventName.STAGE_FAILED]
    assert reason.startswith("ext/one ")
    assert answer.partition("\n")[0] in reason


def test_bracketed_numbers_that_cite_nothing_stay() -> None:
    models = scripted()
    models.answer(
        "VERIFICATION claim_1: VERIFIED\nEvidence: The law of [2019] says so [1].\nConfidence: HIGH",
        prompt="verify",
    )
    first = carry_out(order_of(), models).report.decisions[0]
    assert {opinion.evidence for opinion in first.opinions} == {"The law of [2019] says so [1]."}
    assert "The law of [2019] says so [1]." in first.rationale


def test_if_all_checkers_fail_the_run_ends_with_claims() -> None:
    models = scripted()
    models.answer(ModelRefusalError("It would not."), prompt="verify")
    run = carry_out(order_of(), models)
    assert run.names == [*BEGINNING, "error"]
    assert run.data("error") == {"message": "All verification checkers failed."}
    assert [stage.stage_type for stage in run.stages] == ["extract"]
    reasons = [e.data["failure"]["message"] for e in run.events if e.name is EventName.STAGE_FAILED]
    assert reasons == ["It would not."] * 3


def test_a_failed_extractor_ends_the_run_with_the_content() -> None:
    models = scripted()
    models.answer(ModelUnreachableError("ext/one is not there."), prompt="extract")
    run = carry_out(order_of(None), models)
    assert run.names == ["factcheck_start", "generate_start", "generate_complete", "extract_start", "error"]
    assert run.data("error") == {"message": "Claim extraction failed. Cannot proceed with verification."}
    assert [stage.stage_type for stage in run.stages] == ["generate"]


def test_a_failed_generator_ends_the_run_with_its_reason() -> None:
    models = scripted()
    models.answer(ModelAccessError("gen/one: no credit is left."), prompt="generate")
    run = carry_out(order_of(None), models)
    assert run.names == ["factcheck_start", "generate_start", "error"]
    assert run.data("error") == {"message": "Content generation failed: gen/one: no credit is left."}


def test_a_failed_reporter_is_replaced_by_the_table() -> None:
    models = scripted({"chk/a": ("DISPUTED",), "chk/b": ("DISPUTED",)})
    models.answer(ModelRefusalError("It would not."), prompt="report")
    run = carry_out(order_of(), models)
    assert run.names[-5:] == ENDING
    assert run.stage("report").parsed_data["fallback"] is True
    assert llm_texts.CLAIMS[0][0] in run.stage("report").content
    assert "67%" in run.stage("report").content
    assert run.data("report_complete")["reliabilityScore"] is not None
    assert ("report", "It would not.") in [(f.stage, f.message) for f in run.report.errors]


def test_generator_as_checker_is_allowed_with_a_warning() -> None:
    shared = MODELS.model_copy(update={"generator": "chk/a"})
    warned = carry_out(order_of(None, models=shared), scripted()).data("factcheck_start")["config"]
    assert warned["biasWarning"] == (
        "Generator and checker share model — results may be biased toward confirming generated content."
    )
    given = carry_out(order_of(models=shared), scripted()).data("factcheck_start")["config"]
    assert "biasWarning" not in given


def test_duplicate_claims_are_checked_once() -> None:
    models = scripted()
    models.answer(
        llm_texts.extraction([llm_texts.CLAIMS[0], llm_texts.CLAIMS[0], llm_texts.CLAIMS[1]]),
        prompt="extract",
    )
    run = carry_out(order_of(), models)
    assert [claim["id"] for claim in run.data("extract_complete")["claims"]] == ["claim_1", "claim_2"]
    assert run.data("verify_start")["claimCount"] == 2


def test_long_content_is_truncated_with_a_note() -> None:
    models = scripted()
    run = carry_out(order_of(CONTENT + " More." * 200, max_content_length=500), models)
    note = "[Content truncated to 500 characters. Claims beyond this point were not analyzed.]"
    assert run.report.document.text.endswith(note)
    assert len(run.report.document.text) == 500 + len("\n\n") + len(note)
    asked = next(asked for asked in models.asked if asked.prompt.name == "extract")
    assert note in asked.prompt.user


def test_neither_content_nor_generator() -> None:
    nobody = MODELS.model_copy(update={"generator": None})
    with pytest.raises(UsageError, match=r"Either contentToCheck or generatorModel must be provided\."):
        carry_out(order_of(None, models=nobody), scripted())


def test_a_slow_checker_does_not_delay_others() -> None:
    async def follow() -> list[str]:
        models = scripted()
        gate = asyncio.Event()
        models.answer(llm_texts.verification(llm_texts.CLAIMS), model="chk/a", until=gate)
        seen: list[str] = []
        events = run_order(
            order_of(), Settings(), as_of=AS_OF, models=models, meter=models.meter, conversation=CONVERSATION
        )
        async for event in events:
            if event.name is EventName.CHECKER_COMPLETE:
                seen.append(event.data["model"])
                if len(seen) == 2:
                    gate.set()
        return seen

    seen = asyncio.run(follow())
    assert seen[-1] == "chk/a"
    assert sorted(seen) == ["chk/a", "chk/b", "chk/c"]


def test_closing_the_events_stops_the_calls() -> None:
    async def leave() -> int:
        models = scripted()
        models.answer("never", prompt="verify", until=asyncio.Event())
        events = run_order(
            order_of(), Settings(), as_of=AS_OF, models=models, meter=models.meter, conversation=CONVERSATION
        )
        async for event in events:
            if event.name is EventName.VERIFY_START:
                break
        await events.aclose()  # type: ignore[attr-defined]
        return len(asyncio.all_tasks())

    assert asyncio.run(leave()) == 1


class Clock:
    """A clock that only advances when a stage's answer moves it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_out_of_time_the_current_stage_finishes() -> None:
    clock, models = Clock(), scripted()

    def slow(model: str, prompt: Prompt) -> str:
        clock.now += 700
        return llm_texts.verification(llm_texts.CLAIMS)

    models.answer(slow, model="chk/a", prompt="verify")
    run = timed(models, clock)
    assert run.names == [*BEGINNING, *["checker_complete"] * 3, *ENDING]
    assert "report" not in {asked.prompt.name for asked in models.asked}
    assert run.stage("report").parsed_data["fallback"] is True
    assert run.data("report_complete")["summary"]["verified"] == 4
    assert "time limit of 600 seconds" in run.data("report_complete")["summary"]["note"]


def test_out_of_time_before_checking_shows_the_claims() -> None:
    clock, models = Clock(), scripted()

    def slow(model: str, prompt: Prompt) -> str:
        clock.now += 700
        return llm_texts.extraction(llm_texts.CLAIMS)

    models.answer(slow, prompt="extract")
    run = timed(models, clock)
    assert run.names == ["factcheck_start", "extract_start", "extract_complete", "report_start", "report_complete", "title_complete", "complete"]  # fmt: skip
    assert run.data("report_complete")["reliabilityScore"] is None
    assert llm_texts.CLAIMS[0][0] in run.stage("report").content
    unchecked = [one.text for one in run.report.omissions if one.reason is OmissionReason.OUT_OF_TIME]
    assert unchecked == [claim for claim, _ in llm_texts.CLAIMS]
    for kind in (ReportFormat.TEXT, ReportFormat.MARKDOWN, ReportFormat.HTML):
        shown = render(run.report, kind)
        assert "No claim was checked before the time limit was reached." in shown
        assert shown.count("The web has more than five billion users today") >= 2, (
            "in the report and as not checked"
        )


def test_out_of_time_before_extraction_is_reported() -> None:
    clock, models = Clock(), scripted()

    def slow(model: str, prompt: Prompt) -> str:
        clock.now += 700
        return CONTENT

    models.answer(slow, prompt="generate")
    run = timed(models, clock, question=True)
    assert run.names[-1] == "error"
    assert "time limit of 600 seconds" in run.data("error")["message"]


@pytest.fixture
def _short_timeouts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every stage times out at once if its model does not answer at once."""
    monkeypatch.setattr("veridic.run.stage_seconds", lambda _order, _settings: 0.02)
    yield


@pytest.mark.usefixtures("_short_timeouts")
@pytest.mark.parametrize(
    ("prompt", "last", "kept"),
    [
        ("generate", "complete", "generate"),
        ("extract", "error", "generate"),
        ("report", "complete", "report"),
    ],
)
def test_a_stage_that_times_out(prompt: str, last: str, kept: str) -> None:
    models = scripted()

    async def follow() -> Outcome:
        models.answer("never", prompt=prompt, until=asyncio.Event())
        events = run_order(
            order_of(None),
            Settings(),
            as_of=AS_OF,
            models=models,
            meter=models.meter,
            conversation=CONVERSATION,
        )
        return Outcome([event async for event in events])

    run = asyncio.run(follow())
    assert run.names[-1] == last
    assert run.stages[-1].stage_type == kept or prompt == "generate"
    if prompt == "generate":
        assert run.data("generate_complete")["content"] == "Is it so?"
        assert run.stage("generate").parsed_data["fallback"] is True


@pytest.mark.usefixtures("_short_timeouts")
def test_checkers_that_time_out_are_left_out() -> None:
    async def follow() -> Outcome:
        models = scripted()
        models.answer("never", model="chk/a", until=asyncio.Event())
        events = run_order(
            order_of(), Settings(), as_of=AS_OF, models=models, meter=models.meter, conversation=CONVERSATION
        )
        return Outcome([event async for event in events])

    run = asyncio.run(follow())
    assert run.names.count("checker_complete") == 2
    assert run.stage("report").parsed_data["failedCheckers"][0]["model"] == "chk/a"
    assert "gave no answer within" in run.stage("report").parsed_data["failedCheckers"][0]["error"]


def test_a_continued_conversation_keeps_its_title() -> None:
    models = scripted()

    async def follow() -> Outcome:
        ongoing = CONVERSATION.model_copy(update={"is_new": False})
        events = run_order(
            order_of(), Settings(), as_of=AS_OF, models=models, meter=models.meter, conversation=ongoing
        )
        return Outcome([event async for event in events])

    assert "title_complete" not in asyncio.run(follow()).names
    assert "title" not in {asked.prompt.name for asked in models.asked}


def test_a_failed_title_is_made_of_the_first_words() -> None:
    models = scripted()
    models.answer(ModelRefusalError("It would not."), prompt="title")
    title = carry_out(order_of(), models).data("title_complete")["title"]
    assert title.startswith("ARPANET was funded by the U.S.")
    assert len(title) <= 80


def test_the_report_uses_the_canonical_scale() -> None:
    verdicts = {
        "chk/a": ("VERIFIED", "DISPUTED", "DISPUTED", "UNVERIFIABLE"),
        "chk/b": ("VERIFIED", "DISPUTED", "VERIFIED", "UNVERIFIABLE"),
    }
    two = MODELS.model_copy(update={"checkers": ("chk/a", "chk/b")})
    report = carry_out(order_of(models=two), scripted(verdicts)).report
    assert report.mode == "consensus"
    assert [d.verdict for d in report.decisions] == [
        Verdict.SUPPORTED, Verdict.REFUTED, Verdict.CONTESTED, Verdict.UNVERIFIABLE,
    ]  # fmt: skip
    assert [report.document.text[slice(*d.claim.span)] for d in report.decisions] == [
        c for c, _ in llm_texts.CLAIMS
    ]
    assert report.decisions[1].correction is not None
    assert "No source was cited for this" in report.decisions[0].rationale
    assert [o.checker_model for o in report.decisions[0].opinions] == ["chk/a", "chk/b"]


def test_failed_calls_are_counted_too() -> None:
    models = scripted()
    models.answer(ModelRefusalError("It would not."), model="chk/b")
    run = carry_out(order_of(), models)
    calls = [event.data["call"] for event in run.events if event.name is EventName.MODEL_CALLED]
    assert sorted(call.stage for call in calls) == [
        "extract",
        "report",
        "title",
        "verify_0",
        "verify_1",
        "verify_2",
    ]
    assert [call.error for call in calls if call.stage == "verify_1"] == ["It would not."]
    assert run.report.usage.calls == 6


def test_a_cancelled_title_is_counted_too() -> None:
    async def follow() -> Outcome:
        models = scripted()
        models.answer("never", prompt="title", until=asyncio.Event())
        models.answer(
            ModelAccessError("ext/one: the key is wrong."), prompt="extract", until=(asked := asyncio.Event())
        )
        events = run_order(
            order_of(), Settings(), as_of=AS_OF, models=models, meter=models.meter, conversation=CONVERSATION
        )
        seen = []
        async for event in events:
            seen.append(event)
            if event.name is EventName.EXTRACT_START:
                asyncio.get_running_loop().call_later(0, asked.set)
        return Outcome(seen)

    run = asyncio.run(follow())
    assert run.names[-1] == "error"
    calls = [event.data["call"].stage for event in run.events if event.name is EventName.MODEL_CALLED]
    assert sorted(calls) == ["extract", "title"]


def test_a_budget_stops_the_run_with_partial_results() -> None:
    models = scripted(meter=Meter(max_tokens=4_000))
    dear = Billing(input_tokens=3_000, output_tokens=100, cost_usd=None)
    models.answer(llm_texts.verification(llm_texts.CLAIMS), model="chk/a", billing=dear)
    run = carry_out(order_of(), models)
    assert run.names[-1] == "complete"
    assert [data["model"] for name, data in run.shown if name == "checker_complete"] == ["chk/a"]
    assert "budget" in {failure.stage for failure in run.report.errors}
    assert (
        "would pass the limit of 4,000 tokens"
        in run.stage("report").parsed_data["failedCheckers"][0]["error"]
    )


def test_an_unknown_embedded_role_is_refused() -> None:
    with pytest.raises(UsageError, match="embedded/oracle can't be the checker; the embedded engine has"):
        carry_out(order_of(models=MODELS.model_copy(update={"checkers": ("embedded/oracle",)})), scripted())


def test_the_embedded_engine_takes_no_language_model() -> None:
    with pytest.raises(UsageError, match="leave --engine out"):
        carry_out(order_of(engine=EngineChoice.EMBEDDED), scripted())


def test_a_configured_search_gives_checkers_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    web = ScriptedSearch("web", today=lambda: AS_OF)
    web.answer([Row(title="History", url="https://history.example/", text=f"{llm_texts.CLAIMS[0][0]}.")])
    web.answer(SearchError("Web gave no answer."), channel=Channel.NEWS)
    monkeypatch.setattr("veridic.run.connect_search", lambda _settings: (web,))
    models = scripted()
    models.answer(
        "VERIFICATION claim_1: VERIFIED\nEvidence: It says so [1].\nCorrection: N/A\nConfidence: HIGH",
        prompt="verify_by_evidence",
    )
    run = carry_out(order_of(), models)
    assert run.data("report_complete")["summary"]["verified"] == 1
    first = run.report.decisions[0]
    assert [e.source.url for e in first.evidence] == ["https://history.example/"]
    assert "No source was read" not in first.rationale
    assert {opinion.evidence for opinion in first.opinions} == {"It says so."}
    assert run.report.corpora == ("web",)
    assert [failure.message for failure in run.report.errors] == [
        "The news search of web was left out: Web gave no answer."
    ]


def test_a_checker_s_citations_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    web = ScriptedSearch("web", today=lambda: AS_OF)
    web.answer([Row(title="History", url="https://history.example/", text=_FUNDED_LATER)])
    monkeypatch.setattr("veridic.run.connect_search", lambda _settings: (web,))
    models = scripted()
    models.answer(
        "VERIFICATION claim_1: VERIFIED\nEvidence: It says so [1].\nCorrection: N/A\nConfidence: HIGH",
        prompt="verify_by_evidence",
    )
    run = carry_out(order_of(), models)
    first = run.report.decisions[0]
    assert first.verdict is Verdict.UNVERIFIABLE
    assert "“History” was cited as supporting and is taken out: it reads as saying the opposite." in (
        first.rationale
    )


_FUNDED_LATER = "ARPANET was not funded by the U.S. Department of Defense in 1969."


def test_a_correction_has_no_source_numbers_of_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    web = ScriptedSearch("web", today=lambda: AS_OF)
    web.answer([Row(title="History", url="https://history.example/", text=_FUNDED_LATER)])
    monkeypatch.setattr("veridic.run.connect_search", lambda _settings: (web,))
    models = scripted()
    models.answer(
        "VERIFICATION claim_1: DISPUTED\nEvidence: No [1].\nCorrection: It was funded in [or about] 1970 [1].\n"
        "Confidence: HIGH",
        prompt="verify_by_evidence",
    )
    run = carry_out(order_of(), models)
    first = run.report.decisions[0]
    assert first.correction is not None
    assert first.correction.corrected == "It was funded in [or about] 1970."
    assert [source.url for source in first.correction.sources] == ["https://history.example/"]
    assert {opinion.correction for opinion in first.opinions} == {"It was funded in [or about] 1970."}
    said = run.stage("verify_0").parsed_data["verifications"][0]
    assert said["correction"] == "It was funded in [or about] 1970 [1].", "the run keeps its own numbers"


def test_a_cost_limit_refuses_unpriced_models() -> None:
    models = ScriptedModels(Meter(max_cost_usd=1.0), is_paid=True)
    models.answer("never asked")
    run = carry_out(order_of(), models)
    assert run.names[-1] == "error"
    assert models.asked == []
    reasons = [e.data["failure"] for e in run.events if e.name is EventName.STAGE_FAILED]
    assert "The price of ext/one is unknown" in reasons[-1]["message"]


def test_an_unknown_model_is_refused_before_any_cost() -> None:
    settings = Settings()

    async def follow() -> None:
        meter = Meter()
        order = order_of(models=ModelChoice(checkers=("embedded/verifier", "openai/o3")))
        models = connect_models(settings, meter)
        async for _ in run_order(order, settings, as_of=AS_OF, models=models, meter=meter):
            raise AssertionError("it began")

    with pytest.raises(UsageError, match="No provider is set up for openai/o3"):
        asyncio.run(follow())


def test_an_embedded_checker_returns_partial_results_in_time() -> None:
    clock = Clock()

    class SlowJudge(FakeJudge):
        def read(self, claim: str, passages: Sequence[Passage], context: str = "") -> ClaimReading:
            clock.now += 60
            return super().read(claim, passages, context)

    found = passage("ARPANET was funded in 1969.")
    run_evidence = run_evidence_of(FakeGatherer(found))
    document = document_from_text(CONTENT, source="-")
    claims = locate_claims(parse_claims(llm_texts.extraction(llm_texts.CLAIMS)), document)
    run = Deliberation(
        config=RunConfig(
            content_source=ContentSource.USER_PROVIDED,
            extractor_model="x",
            checker_models=("y",),
            reporter_model="z",
        ),
        document=document,
        run_evidence=run_evidence,
        claims=claims,
    )
    checker = EmbeddedChecker(
        "embedded/verifier",
        lambda: SlowJudge({}),
        Settings(),
        as_of=AS_OF,
        threshold=0.85,
        seconds=100,
        clock=clock,
    )
    said = asyncio.run(checker.verify("verify_0", run)).verifications
    assert len(said) == 4
    assert [one.evidence == "Checker did not address this claim" for one in said] == [
        False,
        False,
        True,
        True,
    ]


def test_a_claim_missing_from_the_text_is_an_omission() -> None:
    models = scripted()
    claims = [("Bananas are radioactive", "TECHNICAL"), llm_texts.CLAIMS[0]]
    models.answer(llm_texts.extraction(claims), prompt="extract")
    run = carry_out(order_of(), models)
    assert run.data("extract_complete")["claims"] == [
        {"id": "claim_1", "claim": llm_texts.CLAIMS[0][0], "type": "DATE"}
    ]
    assert all("Bananas" not in asked.prompt.user for asked in models.asked if asked.prompt.name == "verify")
    assert run.data("report_complete")["summary"] == {"verified": 1, "disputed": 0, "unverifiable": 0}
    assert "content does not say it: “Bananas are radioactive”." in run.stage("report").content
    left_out = [(one.text, one.reason) for one in run.report.omissions]
    assert left_out[0] == ("Bananas are radioactive", OmissionReason.NOT_IN_TEXT)
    assert (f"{llm_texts.CLAIMS[2][0]}.", OmissionReason.NOT_LISTED) in left_out
    assert f"the extractor did not list it: “{llm_texts.CLAIMS[2][0]}.”" in run.stage("report").content


def test_a_claim_no_sentence_says_is_left_out() -> None:
    models = scripted()
    invented = "The first message on ARPANET was sent by the president"
    models.answer(
        f"CLAIM 1: {invented}\nContext: {llm_texts.CONTENT}\nType: DATE\n\n"
        f"CLAIM 2: {llm_texts.CLAIMS[0][0]}\nContext: the\nType: DATE",
        prompt="extract",
    )
    run = carry_out(order_of(), models)
    assert [claim["claim"] for claim in run.data("extract_complete")["claims"]] == [llm_texts.CLAIMS[0][0]]
    assert f"content does not say it: “{invented}”." in run.stage("report").content
    assert (invented, OmissionReason.NOT_SAID) in [(one.text, one.reason) for one in run.report.omissions]


def test_if_all_claims_were_invented_the_report_says_so() -> None:
    models = scripted()
    models.answer(llm_texts.extraction([("Bananas are radioactive", "TECHNICAL")]), prompt="extract")
    run = carry_out(order_of(), models)
    assert run.names == ["factcheck_start", "extract_start", "extract_complete", *ENDING[1:]]
    assert run.data("report_complete")["reliabilityScore"] is None
    assert "“Bananas are radioactive”" in run.stage("report").content


def test_an_endless_extractor_is_cut_off_with_a_remark() -> None:
    models = scripted()
    sentences = [f"Town {number} has {number} bridges" for number in range(MOST_CLAIMS + 40)]
    models.answer(llm_texts.extraction([(one, "STATISTIC") for one in sentences]), prompt="extract")
    run = carry_out(order_of(". ".join(sentences)), models)
    assert run.data("extract_complete")["totalClaims"] == MOST_CLAIMS
    assert len(run.report.decisions) == MOST_CLAIMS
    assert [one.reason for one in run.report.omissions] == [OmissionReason.OVER_THE_LIMIT] * 40
    assert "The extractor named 240 claims. The last 40 were left out" in run.stage("report").content
