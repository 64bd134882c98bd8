import pytest
from tests.builders import make_decision, make_gathered, make_validation
from tests.scripted_runs import consensus_events, consensus_report, event, thorough_events

from veridic.domain.events import EventName
from veridic.domain.modes import Mode
from veridic.domain.verdicts import Verdict
from veridic.runtime.client_events import as_logged


def client_event_names(events: list, mode: Mode) -> list[str]:  # type: ignore[type-arg]
    return [logged[0] for item in events if (logged := as_logged(item, mode, "FC-2026-000001"))]


def test_consensus_clients_get_only_their_events() -> None:
    names = client_event_names(consensus_events(), Mode.CONSENSUS)
    assert not {"stage_completed", "model_called", "report_ready", "stage_failed"} & set(names)
    assert (names[0], names[-1], len(names)) == ("factcheck_start", "complete", 10)
    assert as_logged(event(EventName.STAGE_FAILED, failure={}), Mode.CONSENSUS, None) is None
    assert as_logged(event(EventName.REPORT_READY, report=consensus_report()), Mode.CONSENSUS, None) is None


def test_consensus_payloads_are_unchanged() -> None:
    source_event = event(EventName.TITLE_COMPLETE, title="T", data={"title": "T"})
    assert as_logged(source_event, Mode.CONSENSUS, None) == (
        "title_complete",
        {"title": "T", "data": {"title": "T"}},
    )


def test_decisions_and_reports_become_json() -> None:
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
def test_search_and_usage_events_are_unchanged(mode: Mode) -> None:
    for name in (EventName.SEARCH_COMPLETED, EventName.USAGE_UPDATED):
        source_event = event(name, claim_id=None, channel="news", cost_usd=0.01)
        assert as_logged(source_event, mode, None) == (name.value, source_event.data)
        assert as_logged(source_event, Mode.CONSENSUS, None) is None


@pytest.mark.parametrize("mode", list(Mode))
def test_clients_do_not_get_gathered_evidence(mode: Mode) -> None:
    gathered = event(EventName.EVIDENCE_GATHERED, claim_id="claim_1", gathered=make_gathered())
    assert as_logged(gathered, mode, None) is None


def test_a_decided_claim_lists_the_sources_read() -> None:
    decision = make_decision().model_copy(update={"validation": make_validation()})
    _, data = as_logged(event(EventName.CLAIM_DECIDED, decision=decision), Mode.SUMMARY, None) or ("", {})
    (source,) = data["sources"]
    assert (source["domain"], source["date"], source["stance"]) == ("cia.gov", "2025-03-01", "supporting")
