from tests.builders import make_claim
from tests.unit.store.test_consensus_runs import extract_stage, report_stage

from veridic.domain.usage import ModelCall
from veridic.store.event_log import LoggedEvent
from veridic.store.progress import RunUpdate

FIRST, SECOND = LoggedEvent(1, "extract_start", {}), LoggedEvent(2, "complete", {})
CALL = ModelCall(stage="extract", model="openai/o3")


def test_merged_updates_keep_their_order() -> None:
    earlier = RunUpdate(
        claims=[make_claim()], stages=[extract_stage()], calls=[CALL], events=[FIRST], title="Old"
    )
    later = RunUpdate(stages=[report_stage()], events=[SECOND], title="New", error="It broke.")
    assert earlier.merged_with(later) == RunUpdate(
        claims=[make_claim()],
        stages=[extract_stage(), report_stage()],
        calls=[CALL],
        events=[FIRST, SECOND],
        title="New",
        error="It broke.",
    )
    assert earlier.merged_with(RunUpdate()) == earlier == RunUpdate().merged_with(earlier)


def test_an_empty_update() -> None:
    assert RunUpdate().is_empty
    assert not RunUpdate(claims=[]).is_empty, "an empty list of claims is an update"
    assert not RunUpdate(events=[FIRST]).is_empty
