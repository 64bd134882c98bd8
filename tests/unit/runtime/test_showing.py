import pytest
from tests.builders import make_decision, make_gathered, make_validation
from tests.scripted_runs import consensus_events, consensus_report, event, thorough_events

from veridic.domain.events import EventName
from veridic.domain.modes import Mode
from veridic.domain.verdicts import Verdict
from veridic.runtime.showing import as_logged


def shown(events: list, mode: Mode) -> list[str]:  # type: ignore[type-arg]
    return [logged[0] for one in events if (logged := as_logged(one, mode, "FC-2026-000001"))]


def test_clients_of_consensus_mode_get_its_own_events_only() -> None:
    names = shown(consensus_events(), Mode.CONSENSUS)
    assert not {"stage_completed", "model_called", "report_ready", "stage_failed"} & set(names)
    assert (names[0], names[-1], len(names)) == ("factcheck_start", "complete", 10)
    assert as_logged(event(EventName.STAGE_FAILED, failure={}), Mode.CONSENSUS, None) is None
    assert as_logged(event(EventName.REPORT_READY, report=consensus_report()), Mode.CONSENSUS, None) is None


def test_payloads_of_consensus_mode_are_passed_on_as_they_are() -> None:
    told = event(EventName.TITLE_COMPLETE, title="T", data={"title": "T"})
    assert as_logged(told, Mode.CONSENSUS, None) == ("title_complete", {"title": "T", "data": {"title": "T"}})


def test_nouns_of_thorough_mode_become_json() -> None:
    decided = event(EventName.CLAIM_DECIDED, decision=make_decision(verdict=Verdict.REFUTED))
    assert as_logged(decided, Mode.THOROUGH, None) == (
        "claim_decided",
        {
            "claim_id": "claim_1",
            "verdict": "REFUTED",
            "confidence": 0.93,
            "rationale": "One source states it.",
            "sources": [],
        },
    )
    name, data = as_logged(thorough_events()[-1], Mode.THOROUGH, "FC-2026-000001") or ("", {})
    assert (name, data["id"], data["verdict"]) == ("report_ready", "FC-2026-000001", "TRUE")
    assert (data["credibility_score"], data["counts"]) == (95, {"SUPPORTED": 1})
    assert data["summary"].startswith("What the article says")
    failed = event(EventName.STAGE_FAILED, failure={"message": "It was busy."})
    assert as_logged(failed, Mode.THOROUGH, None) == (
        "stage_failed",
        {"failure": {"message": "It was busy."}},
    )


@pytest.mark.parametrize("mode", [Mode.SUMMARY, Mode.THOROUGH])
def test_searches_and_costs_are_told_as_they_are(mode: Mode) -> None:
    for name in (EventName.SEARCH_COMPLETED, EventName.USAGE_UPDATED):
        told = event(name, claim_id=None, channel="news", cost_usd=0.01)
        assert as_logged(told, mode, None) == (name.value, told.data)
        assert as_logged(told, Mode.CONSENSUS, None) is None


@pytest.mark.parametrize("mode", list(Mode))
def test_what_was_gathered_is_for_the_rows_only(mode: Mode) -> None:
    gathered = event(EventName.EVIDENCE_GATHERED, claim_id="claim_1", gathered=make_gathered())
    assert as_logged(gathered, mode, None) is None


def test_a_decided_claim_names_what_was_read() -> None:
    decision = make_decision().model_copy(update={"validation": make_validation()})
    _, data = as_logged(event(EventName.CLAIM_DECIDED, decision=decision), Mode.SUMMARY, None) or ("", {})
    (source,) = data["sources"]
    assert (source["domain"], source["date"], source["stance"]) == ("cia.gov", "2025-03-01", "supporting")
