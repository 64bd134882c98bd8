"""Replaying a run with language models: the reader gets the same prompt again, and no other model is called."""

import json
import shutil
from datetime import date
from pathlib import Path

import pytest

from veridic.check.replay import Replayed
from veridic.config.settings import Settings
from veridic.domain.modes import Mode
from veridic.domain.report import Report
from veridic.engine.order import CheckOrder, ModelChoice
from veridic.ingest.read import document_from_text
from veridic.library import follow
from veridic.providers.llm.fake import ScriptedModels
from veridic.run import run_order
from veridic.runtime.replaying import changes, load_replay
from veridic.runtime.single_run import recording
from veridic.store.runs import RunStore

DAY = date(2026, 5, 1)
CLAIM = "The Eiffel Tower is 120 metres tall."
LISTED = json.dumps([{"claim": CLAIM, "risk_level": "HIGH", "category": "Buildings", "quote": CLAIM}])
JUDGED = {
    "verdict": "FALSE",
    "confidence": 90,
    "summary": "The Eiffel Tower is 330 metres tall [1].",
    "key_findings": ["The tower is 330 metres tall [1]."],
    "contradictions": [],
    "supporting_sources": [],
    "contradicting_sources": [1],
    "sources": [{"id": 1, "relevance": "Gives the height"}],
}


def scripted(listed: str = LISTED, judged: dict[str, object] = JUDGED) -> ScriptedModels:
    models = ScriptedModels()
    models.answer(listed, model="lab/extractor", prompt="list_claims")
    models.answer(json.dumps(judged), model="lab/reader", prompt="validate")
    models.answer(
        json.dumps({"claims": [{"id": "claim_1", **judged}]}), model="lab/reader", prompt="validate_summary"
    )
    return models


def check_and_save(order: CheckOrder, settings: Settings, models: ScriptedModels) -> Report:
    events = run_order(order, settings, as_of=DAY, models=models, meter=models.meter)
    with recording(settings, order) as run:
        return run.recorder.complete(follow(events, run.recorder.follow)).result()


def check_again(run_id: str, settings: Settings, models: ScriptedModels) -> tuple[Report, Report]:
    with RunStore(settings.database) as store:
        replay = load_replay(store, run_id, settings)
    events = run_order(
        replay.order,
        replay.settings,
        as_of=replay.before.as_of,
        models=models,
        meter=models.meter,
        replayed=Replayed(replay.before, replay.evidence),
    )
    return replay.before, follow(events)


@pytest.mark.parametrize("mode", [Mode.THOROUGH, Mode.SUMMARY])
def test_a_replay_sends_the_reader_the_same_prompt(tmp_path: Path, mode: Mode) -> None:
    settings = Settings(home=tmp_path / "home")
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "tower.txt").write_text("The Eiffel Tower is 330 metres tall.", encoding="utf-8")
    order = CheckOrder(
        mode=mode,
        document=document_from_text(CLAIM, source="text"),
        models=ModelChoice(extractor="lab/extractor", checkers=("lab/reader",)),
        against=(str(sources),),
    )
    first = scripted()
    saved = check_and_save(order, settings, first)
    assert saved.id is not None
    shutil.rmtree(sources)
    second = scripted()
    # The current settings name another model, which must not be called.
    current = settings.model_copy(update={"llm_model": "lab/newcomer", "gemini_temperature_thorough": 1.5})
    before, after = check_again(saved.id, current, second)
    assert [asked.model for asked in second.asked] == ["lab/reader"]
    assert second.asked == [asked for asked in first.asked if asked.model == "lab/reader"]
    assert changes(before, after) == []
    assert [decision.verdict for decision in after.decisions] == ["REFUTED"]
    with RunStore(settings.database) as store:
        assert [call.model for call in store.calls(saved.id)] == ["lab/extractor", "lab/reader"]
        assert len(store.recent()) == 1


def test_a_changed_judgement_is_a_change(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    source = tmp_path / "tower.txt"
    source.write_text("The Eiffel Tower is 330 metres tall.", encoding="utf-8")
    order = CheckOrder(
        document=document_from_text(CLAIM, source="text"),
        models=ModelChoice(extractor="lab/extractor", checkers=("lab/reader",)),
        against=(str(source),),
    )
    saved = check_and_save(order, settings, scripted())
    assert saved.id is not None
    undecided = JUDGED | {"verdict": "UNVERIFIABLE", "contradicting_sources": []}
    (change,) = changes(*check_again(saved.id, settings, scripted(judged=undecided)))
    assert (change.claim, change.before, change.after) == (CLAIM, "REFUTED", "UNVERIFIABLE")
