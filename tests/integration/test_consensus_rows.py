"""Consensus mode with the real pipeline: the result read from the database equals the streamed events."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests import llm_texts

from veridic.config.settings import Settings
from veridic.domain.consensus import FactCheckResult
from veridic.domain.errors import ModelRefusalError
from veridic.domain.modes import Mode
from veridic.domain.usage import add_up
from veridic.engine.order import CheckOrder, ModelChoice
from veridic.ingest.read import document_from_text
from veridic.providers.llm.base import Prompt
from veridic.providers.llm.fake import ScriptedModels
from veridic.runtime.runner import Runner
from veridic.store.event_log import LoggedEvent
from veridic.store.runs import RunState

MODELS = ModelChoice(generator="g/1", extractor="e/1", checkers=("c/0", "c/1", "c/2"), reporter="r/1")
VERDICTS = {
    "c/0": ("VERIFIED", "DISPUTED"),
    "c/1": ("DISPUTED",),
    "c/2": ("VERIFIED", "DISPUTED", "UNVERIFIABLE"),
}


def scripted() -> ScriptedModels:
    def say(model: str, prompt: Prompt) -> str:
        match prompt.name:
            case "extract":
                return llm_texts.extraction(llm_texts.CLAIMS)
            case "verify":
                return llm_texts.verification(llm_texts.CLAIMS, VERDICTS[model])
            case "report":
                return llm_texts.report(llm_texts.CLAIMS, 60)
            case "title":
                return "Early years of the Internet"
        return llm_texts.CONTENT

    models = ScriptedModels()
    models.answer(say)
    return models


def order(text: str | None = llm_texts.CONTENT, **fields: Any) -> CheckOrder:
    document = None if text is None else document_from_text(text, source="-")
    return CheckOrder(mode=Mode.CONSENSUS, document=document, question="Is it so?", models=MODELS, **fields)


def run(settings: Settings, models: ScriptedModels, check_order: CheckOrder) -> "Outcome":
    async def main() -> Outcome:
        async with Runner(settings, connect=models.connect) as runner:
            started = await runner.start(check_order)
            events = [event async for event in runner.events(started.run_id)]
            again = [event async for event in runner.events(started.run_id)]
            assert again == events, "the log in the database is the same"
            return Outcome(started.run_id, events, runner)

    return asyncio.run(main())


class Outcome:
    """A run's streamed events, and what the database has of it."""

    def __init__(self, run_id: str, events: list[LoggedEvent], runner: Runner) -> None:
        self.events = events
        self.result: FactCheckResult = runner.store.result(run_id)
        self.summary = runner.store.summary(run_id)
        self.calls = runner.store.calls(run_id)
        self.report = runner.store.get(run_id) if self.summary.state is RunState.COMPLETED else None

    def named(self, name: str) -> list[dict[str, Any]]:
        return [event.data for event in self.events if event.name == name]


def picked(model: Any, *names: str) -> dict[str, Any]:
    """Return some fields of a model as JSON."""
    written = model.model_dump(mode="json")
    return {name: written[name] for name in names}


def assert_same(outcome: Outcome) -> None:
    """Assert that every field of the events has the same value in the result."""
    result = outcome.result
    (extracted,) = outcome.named("extract_complete")
    assert extracted == {
        "model": result.extraction.model,
        "claims": [picked(claim, "id", "claim", "type") for claim in result.extraction.claims],
        "totalClaims": len(result.extraction.claims),
        "typeBreakdown": result.extraction.type_breakdown,
        "responseTimeMs": result.extraction.response_time_ms,
    }
    streamed = sorted(outcome.named("checker_complete"), key=lambda checker: checker["model"])
    assert streamed == [
        {
            "model": checker.model,
            "verifications": [
                picked(one, "claimId", "verdict", "confidence") for one in checker.verifications
            ],
            "summary": checker.summary.model_dump(mode="json"),
            "responseTimeMs": checker.response_time_ms,
        }
        for checker in result.verification.checkers
    ]
    (consensus,) = outcome.named("all_checkers_complete")
    fields = ("claimId", "claim", "consensusVerdict", "agreementRate", "correction")
    assert consensus["consensus"] == [picked(item, *fields) for item in result.verification.consensus]
    (report,) = outcome.named("report_complete")
    assert report == picked(result.report, "model", "reliabilityScore", "summary", "responseTimeMs")
    (title,) = outcome.named("title_complete")
    assert title["title"] == result.title == outcome.summary.title


def test_result_of_a_text(tmp_path: Path) -> None:
    outcome = run(Settings(home=tmp_path), scripted(), order())
    assert_same(outcome)
    content = outcome.result.content
    assert (content.source, content.model, content.text) == ("user_provided", None, llm_texts.CONTENT)
    assert outcome.report is not None
    assert outcome.report.usage == add_up(outcome.calls)
    assert {call.stage for call in outcome.calls} >= {"extract", "verify_0", "verify_1", "verify_2", "report"}
    assert len(outcome.report.decisions) == outcome.summary.claims == 4


def test_result_of_a_question(tmp_path: Path) -> None:
    outcome = run(Settings(home=tmp_path), scripted(), order(None))
    assert_same(outcome)
    (generated,) = outcome.named("generate_complete")
    assert generated == picked(outcome.result.content, "model", "responseTimeMs") | {
        "content": outcome.result.content.text
    }


LONG = f"{llm_texts.CONTENT}\n\n{'And so on. ' * 100}"
CUT = f"{LONG[:500]}\n\n[Content truncated to 500 characters. Claims beyond this point were not analyzed.]"


def test_a_long_text_is_saved_cut(tmp_path: Path) -> None:
    outcome = run(Settings(home=tmp_path), scripted(), order(LONG, max_content_length=500))
    assert_same(outcome)
    assert outcome.report is not None
    assert outcome.result.content.text == outcome.report.document.text == CUT


def test_a_long_generated_answer_is_saved_cut(tmp_path: Path) -> None:
    models = scripted()
    models.answer(LONG, model="g/1")
    outcome = run(Settings(home=tmp_path), models, order(None, max_content_length=500))
    assert_same(outcome)
    (generated,) = outcome.named("generate_complete")
    assert outcome.report is not None
    assert generated["content"] == outcome.result.content.text == outcome.report.document.text == CUT


def test_a_failed_run_saves_the_cut_text(tmp_path: Path) -> None:
    models = scripted()
    models.answer(ModelRefusalError("I would rather not."), prompt="extract")
    outcome = run(Settings(home=tmp_path), models, order(LONG, max_content_length=500))
    assert outcome.summary.state is RunState.FAILED
    assert outcome.result.content.text == CUT


def test_one_failed_checker(tmp_path: Path) -> None:
    models = scripted()
    models.answer(ModelRefusalError("c/1 would not answer."), model="c/1")
    outcome = run(Settings(home=tmp_path), models, order())
    assert_same(outcome)
    assert outcome.result.failed_checkers is not None
    assert [failed.model for failed in outcome.result.failed_checkers] == ["c/1"]
    assert [call.model for call in outcome.calls if call.error] == ["c/1"]


def test_all_checkers_failed(tmp_path: Path) -> None:
    models = scripted()
    models.answer(ModelRefusalError("I would rather not."), prompt="verify")
    outcome = run(Settings(home=tmp_path), models, order())
    assert outcome.events[-1][1:] == ("error", {"message": "All verification checkers failed."})
    assert "stage_failed" not in {event.name for event in outcome.events}
    assert outcome.summary.state is RunState.FAILED
    assert outcome.summary.error is not None
    assert "I would rather not." in outcome.summary.error
    assert len(outcome.result.extraction.claims) == 4
    assert outcome.result.verification.consensus == ()
    assert outcome.result.report.report_text == ""


@pytest.mark.parametrize("text", ["There is nothing to check here.", ""])
def test_no_claims(tmp_path: Path, text: str) -> None:
    models = scripted()
    models.answer("EXTRACTION SUMMARY:\nTotal claims: 0", prompt="extract")
    outcome = run(Settings(home=tmp_path), models, order(f"I like it. {text}"))
    assert outcome.result.report.reliability_score is None
    (report,) = outcome.named("report_complete")
    assert report["summary"] == outcome.result.report.summary.model_dump(mode="json")
    assert report["summary"]["note"] == "No verifiable claims identified"
