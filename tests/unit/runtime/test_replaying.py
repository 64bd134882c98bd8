"""What is saved for a replay, and comparing the two reports."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import AS_OF, make_claim, make_decision, make_document, make_gathered, make_report

from veridic.config.settings import Settings
from veridic.domain.errors import NotFoundError, StorageError, UsageError
from veridic.domain.modes import EngineChoice, Mode
from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict
from veridic.engine.order import CheckOrder, ModelChoice
from veridic.runtime.replaying import Change, changes, load_replay
from veridic.runtime.saved_orders import order_data, resolved
from veridic.store.progress import RunUpdate
from veridic.store.runs import RunStore

ORDER = CheckOrder(document=make_document(), against=("sources/",), threshold=0.6, max_cost_usd=0.5)


@pytest.fixture
def store(server: Settings) -> Iterator[RunStore]:
    with RunStore(server.database) as opened:
        yield opened


def saved(
    store: RunStore,
    settings: Settings,
    order: CheckOrder = ORDER,
    *,
    report: Report | None = None,
    is_replayable: bool = True,
) -> str:
    assert order.document is not None
    data = order_data(resolved(order, settings), settings) if is_replayable else None
    run_id = store.begin(order.document, mode=order.mode, engine=order.engine, order_data=data)
    store.add(run_id, RunUpdate(evidence=[make_gathered()] if is_replayable else []))
    store.complete(run_id, report or make_report())
    return run_id


def test_a_replay_has_the_original_order_and_settings(store: RunStore, server: Settings) -> None:
    original = server.model_copy(update={"passages_per_claim": 5, "validate_high_risk_only": True})
    run_id = saved(store, original)
    replay = load_replay(store, run_id, server)
    assert replay.before == store.get(run_id)
    assert replay.evidence == {make_gathered().question: make_gathered()}
    assert (replay.order.mode, replay.order.as_of) == (Mode.THOROUGH, AS_OF)
    assert replay.order.document == make_document()
    assert (replay.order.threshold, replay.order.max_cost_usd) == (0.6, 0.5)
    assert replay.order.against == ("sources/",)
    assert (replay.settings.passages_per_claim, replay.settings.validate_high_risk_only) == (5, True)
    assert replay.settings.home == server.home


def test_mode_and_date_are_those_of_the_run(store: RunStore, server: Settings) -> None:
    report = make_report().model_copy(update={"mode": "summary", "as_of": date(2020, 5, 1)})
    run_id = saved(store, server, ORDER.model_copy(update={"mode": Mode.SUMMARY}), report=report)
    order = load_replay(store, run_id, server).order
    assert (order.mode, order.as_of) == (Mode.SUMMARY, date(2020, 5, 1))


@pytest.mark.parametrize("engine", [EngineChoice.AUTO, EngineChoice.EMBEDDED])
def test_models_configured_later_are_not_used(
    store: RunStore, server: Settings, engine: EngineChoice
) -> None:
    run_id = saved(store, server, ORDER.model_copy(update={"engine": engine}))
    current = server.model_copy(update={"llm_base_url": "http://127.0.0.1:1/v1", "llm_model": "newcomer"})
    assert load_replay(store, run_id, current).order.models == ModelChoice(
        extractor="embedded/extractor", checkers=("embedded/verifier",)
    )


def test_the_original_models_are_used_again(store: RunStore, server: Settings) -> None:
    original = server.model_copy(
        update={
            "llm_base_url": "http://127.0.0.1:1/v1",
            "llm_model": "house-model",
            "validator_model": "reader",
            "gemini_temperature_thorough": 0.7,
        }
    )
    replay = load_replay(store, saved(store, original), server)
    assert replay.order.models == ModelChoice(extractor="house-model", checkers=("reader",))
    assert replay.settings.gemini_temperature_thorough == 0.7


def test_secrets_are_not_saved(store: RunStore, server: Settings) -> None:
    original = Settings(home=server.home, OPENROUTER_API_KEY="sk-secret", EXA_API_KEY="exa-secret")
    run_id = saved(store, original)
    assert "secret" not in str(store.order_data(run_id))
    assert str(server.home) not in str(store.order_data(run_id))


def test_runs_of_earlier_versions_can_not_be_replayed(store: RunStore, server: Settings) -> None:
    run_id = saved(store, server, is_replayable=False)
    with pytest.raises(UsageError, match=f"No evidence was kept for {run_id}"):
        load_replay(store, run_id, server)


def test_a_consensus_run_can_not_be_replayed(store: RunStore, server: Settings) -> None:
    run_id = store.begin_consensus("Is it so?", make_document(), engine="auto").run_id
    store.complete(run_id, make_report().model_copy(update={"mode": "consensus"}))
    with pytest.raises(UsageError, match="consensus mode") as caught:
        load_replay(store, run_id, server)
    assert f"veridic runs show {run_id}" in str(caught.value)


def test_runs_without_a_report_can_not_be_replayed(store: RunStore, server: Settings) -> None:
    run_id = store.begin(make_document(), mode="thorough", engine="auto", order_data={})
    with pytest.raises(NotFoundError, match="has no report"):
        load_replay(store, run_id, server)
    with pytest.raises(NotFoundError, match="There is no run"):
        load_replay(store, "FC-1999-000001", server)


@pytest.mark.parametrize(
    "data",
    [
        "{}",
        "[]",
        '{"order": {}, "settings": 1}',
        '{"order": {"mood": 1}, "settings": {}}',
        '{"order": 1}',
        "7",
    ],
)
def test_orders_of_another_version_give_an_error(store: RunStore, server: Settings, data: str) -> None:
    run_id = saved(store, server)
    with closing(sqlite3.connect(server.home / "veridic.db", isolation_level=None)) as sql:
        sql.execute("UPDATE runs SET order_data = ?", (data,))
    with pytest.raises(StorageError, match="another version"):
        load_replay(store, run_id, server)


def test_settings_that_were_not_saved_are_the_current_ones(store: RunStore, server: Settings) -> None:
    run_id = saved(store, server.model_copy(update={"passages_per_claim": 5}))
    with closing(sqlite3.connect(server.home / "veridic.db", isolation_level=None)) as sql:
        sql.execute(
            "UPDATE runs SET order_data = json_remove(order_data, '$.settings.gemini_top_k_thorough')"
        )
    replayed = load_replay(store, run_id, server.model_copy(update={"gemini_top_k_thorough": 7})).settings
    assert (replayed.passages_per_claim, replayed.gemini_top_k_thorough) == (5, 7)


def report_of(*verdicts: Verdict) -> Report:
    claims = [make_claim(number=number, text=f"Claim {number}.") for number in range(1, len(verdicts) + 1)]
    return make_report(
        [make_decision(claim, verdict) for claim, verdict in zip(claims, verdicts, strict=True)]
    )


@given(st.lists(st.sampled_from(Verdict)))
def test_the_same_verdicts_are_no_changes(verdicts: list[Verdict]) -> None:
    assert changes(report_of(*verdicts), report_of(*verdicts)) == []


def test_different_and_missing_verdicts_are_changes() -> None:
    before = report_of(Verdict.SUPPORTED, Verdict.REFUTED, Verdict.PARTIAL)
    after = report_of(Verdict.SUPPORTED, Verdict.OUTDATED)
    assert changes(before, after) == [
        Change("Claim 2.", Verdict.REFUTED, Verdict.OUTDATED),
        Change("Claim 3.", Verdict.PARTIAL, None),
    ]
