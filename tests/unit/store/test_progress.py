from tests.builders import make_claim
from tests.unit.store.test_consensus_runs import extract_stage, report_stage

from veridic.domain.usage import ModelCall
from veridic.store.event_log import LoggedEvent
from veridic.store.progress import Page

FIRST, SECOND = LoggedEvent(1, "extract_start", {}), LoggedEvent(2, "complete", {})
CALL = ModelCall(stage="extract", model="openai/o3")


def test_pages_put_together_keep_their_order() -> None:
    earlier = Page(claims=[make_claim()], stages=[extract_stage()], calls=[CALL], events=[FIRST], title="Old")
    later = Page(stages=[report_stage()], events=[SECOND], title="New", error="It broke.")
    assert earlier.followed_by(later) == Page(
        claims=[make_claim()],
        stages=[extract_stage(), report_stage()],
        calls=[CALL],
        events=[FIRST, SECOND],
        title="New",
        error="It broke.",
    )
    assert earlier.followed_by(Page()) == earlier == Page().followed_by(earlier)


def test_a_page_with_nothing_on_it() -> None:
    assert Page().is_empty
    assert not Page(claims=[]).is_empty, "that there are no claims is news too"
    assert not Page(events=[FIRST]).is_empty
