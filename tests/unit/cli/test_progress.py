"""The progress display of a check."""

import io
from typing import Any

import pytest
from rich.console import Console
from tests.builders import make_claim, make_decision

from veridic.cli.progress import CheckProgress, ProgressBar
from veridic.domain.events import Event, EventName

CLAIMS = Event(name=EventName.CLAIMS_EXTRACTED, data={"claims": [{"id": f"claim_{n}"} for n in range(1, 13)]})


def _searched(channel: str, results: int, *, claim: str | None = "claim_3", succeeded: bool = True) -> Event:
    data = {"claim_id": claim, "channel": channel, "results": results, "succeeded": succeeded}
    return Event(name=EventName.SEARCH_COMPLETED, data=data)


def _progress(*events: Event) -> CheckProgress:
    progress = CheckProgress()
    for event in events:
        progress.follow(event)
    return progress


def _event(name: EventName, **data: Any) -> Event:
    return Event(name=name, data=data)


STARTED = _event(EventName.CLAIM_STARTED, claim_id="claim_3", text="It is so.")


def test_searches_by_channel_and_cost_are_shown() -> None:
    progress = _progress(
        CLAIMS,
        STARTED,
        _searched("news", 5),
        _searched("research", 10),
        _searched("general", 0, succeeded=False),
        _event(EventName.USAGE_UPDATED, cost_usd=0.0214, calls=1),
    )

    assert str(progress) == "claim 3 of 12 · news 5 · research 10 · general failed · $0.021"


def test_concurrent_claims_are_kept_apart() -> None:
    progress = _progress(CLAIMS, STARTED, _searched("news", 5), _searched("news", 2, claim="claim_4"))

    assert str(progress) == "claim 4 of 12 · news 2"
    progress.follow(_searched("research", 1))
    assert str(progress) == "claim 3 of 12 · news 5 · research 1"


def test_shared_search_names_no_claim() -> None:
    assert str(_progress(CLAIMS, _searched("news", 5, claim=None))) == "news 5"


def test_two_rounds_of_hearsay_add_up() -> None:
    rounds = _searched("news", 5), _searched("news", 0, succeeded=False), _searched("news", 2)

    assert str(_progress(CLAIMS, STARTED, *rounds)) == "claim 3 of 12 · news 7"


def test_failed_claim_counts_as_done() -> None:
    decided = _event(EventName.CLAIM_DECIDED, decision=make_decision(make_claim(number=2)))
    failed = _event(
        EventName.STAGE_FAILED, failure={"stage": "validate", "message": "No.", "claim_id": "claim_3"}
    )
    elsewhere = _event(
        EventName.STAGE_FAILED, failure={"stage": "saving", "message": "No.", "claim_id": None}
    )

    assert _progress(CLAIMS, decided, failed, elsewhere).done == {"claim_2", "claim_3"}


def test_default_text() -> None:
    assert str(_progress(CLAIMS)) == "Checking claims"
    assert str(_progress(_event(EventName.REPORT_READY, report=None))) == "Checking claims"


@pytest.mark.parametrize("is_terminal", [True, False])
def test_only_a_terminal_shows_progress(is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=is_terminal, width=100, color_system=None)
    monkeypatch.setattr("veridic.cli.progress.Console", lambda **_: console)

    with ProgressBar() as bar:
        for event in (CLAIMS, STARTED, _searched("news", 5)):
            bar.follow(event)

    assert ("claim 3 of 12 · news 5" in shown.getvalue()) is is_terminal
