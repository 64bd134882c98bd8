"""The page of a run at each stage of the run."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from tests import validation_runs
from tests.builders import make_document, make_report, sample_report
from tests.unit.web import samples

from veridic.domain.claim import Omission, OmissionReason
from veridic.domain.consensus import FailedChecker
from veridic.domain.modes import Mode
from veridic.domain.report import Failure
from veridic.domain.usage import ModelCall
from veridic.runtime.cancelling import CANCELLED
from veridic.store.event_log import LoggedEvent
from veridic.store.runs import RunState, RunSummary
from veridic.web.check_page import build_check_view, run_title
from veridic.web.check_view import CheckView
from veridic.web.marks import ClaimMark, TextPiece
from veridic.web.run_record import RunRecord
from veridic.web.stages import StageState
from veridic.web.templating import render

_CONFIG = {
    "contentSource": "generated",
    "generatorModel": "openai/o3",
    "extractorModel": "anthropic/claude-opus-4-6",
    "checkerModels": list(samples.MODELS),
    "reporterModel": "anthropic/claude-opus-4-6",
}
_ALL_EVENTS = (
    "factcheck_start generate_start generate_complete extract_start extract_complete verify_start checker_complete "
    "checker_complete checker_complete all_checkers_complete report_start report_complete title_complete complete"
).split()


def _events(event_count: int, config: dict[str, Any] = _CONFIG) -> tuple[LoggedEvent, ...]:
    return tuple(
        LoggedEvent(number, name, {"config": config} if name == "factcheck_start" else {})
        for number, name in enumerate(_ALL_EVENTS[:event_count], 1)
    )


def _summary(state: RunState = RunState.INTERRUPTED, **changes: Any) -> RunSummary:
    values: dict[str, Any] = {
        "id": "FC-2026-000042",
        "created_at": datetime(2026, 11, 16, 9, 30, tzinfo=UTC),
        "title": None,
        "source": "question",
        "mode": "consensus",
        "engine": "auto",
        "state": state,
        "verdict": None,
        "credibility_score": None,
        "claims": 0,
        "error": None,
        "question": "Where does the Internet come from?",
    }
    return RunSummary(**(values | changes))


def _running(event_count: int, **result: Any) -> RunRecord:
    return RunRecord(
        summary=_summary(RunState.RUNNING),
        text=samples.TEXT,
        events=_events(event_count),
        result=samples.fact_check_result(**result),
    )


def _states(view: CheckView) -> dict[str, str]:
    return {stage.name: stage.state.value for stage in view.stages}


def _numbers(pieces: Sequence[TextPiece]) -> list[int]:
    return [mark.number for piece in pieces for mark in piece.ends if isinstance(mark, ClaimMark)]


def test_there_is_no_text_while_it_is_generated() -> None:
    record = _running(2, checkers=0, extracted=False, reported=False)
    assert record.result is not None
    content = record.result.content.model_copy(update={"model": None, "text": "Where from?"})
    view = build_check_view(replace(record, result=record.result.model_copy(update={"content": content})))

    assert view.content is None
    assert view.title == "Where does the Internet come from?"
    assert view.progress == "A model is answering the question …"
    assert _states(view)["Generate"] == StageState.RUNNING
    assert not view.extracted


def test_claims_are_marked_once_extracted() -> None:
    view = build_check_view(_running(6, checkers=0, reported=False))

    assert view.content is not None
    assert view.content.label == "openai/o3"
    assert view.content.detail == "written in 7.2 s"
    pieces = [piece for block in view.content.blocks for piece in block.pieces]
    assert _numbers(pieces) == [1, 2, 3, 4, 5, 6]
    assert view.undecided == 6
    assert view.progress == "Checking the claims: 0 of 3 checkers answered …"
    assert [kind.value for kind, _ in view.by_type][:2] == ["STATISTIC", "DATE"]


def test_verdicts_are_provisional_until_all_checkers_answered() -> None:
    view = build_check_view(_running(7, checkers=1, reported=False))

    assert all(claim.so_far and claim.sign for claim in view.claims)
    assert view.progress == "Checking the claims: 1 of 3 checkers answered …"
    assert not any(claim.so_far for claim in build_check_view(_running(10, reported=False)).claims)


def test_the_report_brings_the_score() -> None:
    view = build_check_view(_running(12))

    assert view.reported
    assert (view.score, view.score_tone.value) == (64, "caution")
    assert view.agreement == 89
    assert view.verdicts_in_words == "3 verified, 2 disputed, 1 unverifiable"
    assert [share.sign.word for share in view.findings] == ["Disputed", "Verified", "Unverifiable"]
    assert view.report_html is not None


def test_a_finished_run_warns_about_missing_citations() -> None:
    summary = _summary(RunState.COMPLETED)
    record = replace(_running(14), summary=summary)

    view = build_check_view(record)

    assert view.state == "completed"
    assert view.progress == "Finished. 6 claims: 3 verified, 2 disputed, 1 unverifiable."
    assert [notice.title for notice in view.notices] == ["No source was cited."]
    assert (
        build_check_view(replace(record, result=samples.fact_check_result(cites=True))).rests_on_knowledge
        == 4
    )


def test_each_problem_has_one_notice() -> None:
    result = samples.fact_check_result(checkers=2).model_copy(
        update={"failed_checkers": (FailedChecker(model="openai/o3", error="It answered 503."),)}
    )
    document = make_document(samples.TEXT)
    report = make_report(
        (),
        document=document,
        errors=(
            Failure(stage="verify_2", message="It answered 503."),
            Failure(stage="report", message="No answer within 120 seconds."),
        ),
    )
    record = replace(_running(14), summary=_summary(RunState.COMPLETED), result=result, report=report)
    record = replace(record, events=_events(14, _CONFIG | {"biasWarning": "Shares a model."}))

    view = build_check_view(record)

    assert [(notice.title, notice.text) for notice in view.notices[:3]] == [
        ("Possible bias.", "Shares a model."),
        ("A checker failed.", "openai/o3: It answered 503."),
        ("A step failed.", "report: No answer within 120 seconds."),
    ]
    assert view.stages[2].detail == "2 of 3 checkers, 1 failed"


@pytest.mark.parametrize(
    ("event_count", "heading", "text", "detail"),
    [
        (
            8,
            "A checker has trouble.",
            "anthropic/claude-sonnet-4 has no answer yet: It answered 503.",
            "2 of 3 checkers",
        ),
        (11, "A checker failed.", "anthropic/claude-sonnet-4: It answered 503.", "2 of 3 checkers, 1 failed"),
    ],
)
def test_failing_checkers_are_shown_before_the_report(
    event_count: int, heading: str, text: str, detail: str
) -> None:
    failed = ModelCall(stage="verify_2", model=samples.MODELS[2], error="It answered 503.")
    retried = ModelCall(stage="verify_0", model=samples.MODELS[0], error="It answered 429.")
    record = replace(_running(event_count, checkers=2, reported=False), calls=(retried, failed))

    view = build_check_view(record)

    assert [(notice.title, notice.text) for notice in view.notices] == [(heading, text)]
    assert view.stages[2].detail == detail


def test_claims_not_in_the_text_are_reported() -> None:
    left_out = [
        Omission(span=(0, 0), text="Bananas are radioactive", reason=OmissionReason.NOT_IN_TEXT),
        Omission(span=(0, 0), text="The moon is near", reason=OmissionReason.NOT_IN_TEXT),
    ]
    report = make_report((), document=make_document(samples.TEXT), omissions=tuple(left_out))

    view = build_check_view(replace(_running(14), report=report))

    assert ("Not checked.", "2 claims that the extractor named: not in the text.") in [
        (notice.title, notice.text) for notice in view.notices
    ]


def test_unlisted_sentences_are_on_the_page() -> None:
    left_out = (
        Omission(span=(0, 14), text="It rained then", reason=OmissionReason.NOT_LISTED),
        Omission(
            span=(0, 0), text="The moon is <b>near</b>", reason=OmissionReason.NOT_SAID, detail="It rained"
        ),
    )
    report = make_report((), document=make_document(samples.TEXT), omissions=left_out)

    view = build_check_view(replace(_running(14), report=report))

    assert ("Not checked.", "1 sentence of the text: not listed by the model.") in [
        (notice.title, notice.text) for notice in view.notices
    ]
    page = render("check.html.j2", view=view)
    section = page[page.index('id="left-out"') :]
    assert "It rained then" in section
    assert "The moon is &lt;b&gt;near&lt;/b&gt;" in section


def test_what_was_not_checked_is_marked_in_the_text() -> None:
    start = samples.TEXT.index("I think it is")
    opinion = Omission(
        span=(start, len(samples.TEXT)), text=samples.TEXT[start:], reason=OmissionReason.OPINION
    )
    report = make_report((), document=make_document(samples.TEXT), omissions=(opinion,))

    view = build_check_view(replace(_running(14), report=report))

    assert view.content is not None
    last = view.content.blocks[-1].pieces[-1]
    assert (last.text, last.unchecked and last.unchecked.reason) == (samples.TEXT[start:], "opinion")
    page = render("check.html.j2", view=view)
    assert 'aria-label="Not checked: opinion"' in page


def test_a_queued_run_waits_and_an_interrupted_one_can_go_on() -> None:
    queued = build_check_view(replace(_running(0), summary=_summary(RunState.QUEUED)))
    assert (queued.running, queued.progress) == (True, "Waiting for its turn …")

    interrupted = build_check_view(replace(_running(6), summary=_summary()))
    assert "Resume" in render("check.html.j2", view=interrupted)


def test_failed_and_struggling_checkers_are_told_apart() -> None:
    failed = FailedChecker(model=samples.MODELS[1], error="The key is wrong.")
    trouble = ModelCall(stage="verify_2", model=samples.MODELS[2], error="It answered 503.")
    final = ModelCall(stage="verify_1", model=samples.MODELS[1], error="The key is wrong.")
    record = replace(
        _running(7, checkers=1, reported=False), calls=(final, trouble), failed_checkers=(failed,)
    )

    view = build_check_view(record)

    assert view.awaits_checkers
    assert [(notice.title, notice.text) for notice in view.notices] == [
        ("A checker failed.", f"{samples.MODELS[1]}: The key is wrong."),
        ("A checker has trouble.", f"{samples.MODELS[2]} has no answer yet: It answered 503."),
    ]
    assert view.stages[2].detail == "1 of 3 checkers, 1 failed"
    assert not build_check_view(_running(11)).awaits_checkers


def test_a_checker_that_never_answered_has_failed() -> None:
    view = build_check_view(_running(11, checkers=2, reported=False))

    assert [notice.title for notice in view.notices] == ["A checker failed."]
    assert [notice.title for notice in build_check_view(_running(11, reported=False)).notices] == []
    assert [
        notice.title for notice in build_check_view(_running(8, checkers=2, reported=False)).notices
    ] == []


def test_without_claims_verify_is_skipped() -> None:
    result = samples.fact_check_result(checkers=0, extracted=False)
    unrated = result.report.model_copy(update={"reliability_score": None})
    record = replace(_running(14), result=result.model_copy(update={"report": unrated}))

    view = build_check_view(replace(record, summary=_summary(RunState.COMPLETED)))

    assert _states(view)["Verify"] == StageState.SKIPPED
    assert (view.score, view.extracted, view.claims) == (None, True, ())
    assert view.progress == "Finished. 0 claims."


def test_the_truncation_note_is_not_part_of_the_text() -> None:
    note = "[Content truncated to 500 characters. Claims beyond this point were not analyzed.]"
    view = build_check_view(_running(6, checkers=0, reported=False, text=f"{samples.TEXT}\n\n{note}"))

    assert view.content is not None
    assert view.content.truncated == note.strip("[]")
    assert "".join(piece.text for piece in view.content.blocks[0].pieces) == samples.TEXT


@pytest.mark.parametrize(
    ("error", "state", "words"),
    [
        (CANCELLED, "cancelled", "was cancelled"),
        ("All verification checkers failed.", "failed", "did not finish"),
    ],
)
def test_an_unfinished_run_keeps_what_it_found(error: str, state: str, words: str) -> None:
    summary = _summary(RunState.FAILED, error=error)

    view = build_check_view(replace(_running(6, checkers=0, reported=False), summary=summary))

    assert view.state == state
    assert words in view.progress
    assert len(view.claims) == 6
    assert _states(view)["Verify"] == StageState.STOPPED


def test_an_unfinished_run_not_under_way_is_interrupted() -> None:
    record = _running(6, checkers=0, reported=False)

    view = build_check_view(replace(record, summary=_summary(RunState.INTERRUPTED)))

    assert view.state == "interrupted"
    assert not view.running


def test_markdown_is_shown_without_its_syntax() -> None:
    text = "---\ntitle: Notes\n---\n\n# Notes\n\nThe **Internet** grew out of\nARPANET. It is *old*.\n"
    claims = (
        samples.CLAIMS[0].model_copy(
            update={"claim": "The **Internet** grew out of\nARPANET", "context": ""}
        ),
        samples.CLAIMS[1].model_copy(update={"claim": "It is *old*", "context": ""}),
    )
    record = _running(6, checkers=0, reported=False, text=text)
    assert record.result is not None
    extraction = record.result.extraction.model_copy(update={"claims": claims})
    result = record.result.model_copy(update={"extraction": extraction})

    view = build_check_view(replace(record, result=result))

    assert view.content is not None
    heading, paragraph = view.content.blocks
    assert "".join(piece.text for piece in heading.pieces) == "Notes"
    assert "".join(piece.text for piece in paragraph.pieces) == (
        "The Internet grew out of\nARPANET. It is old."
    )
    assert _numbers(paragraph.pieces) == [1, 2]


def test_usage_comes_from_calls_before_the_report() -> None:
    call = ModelCall(stage="extract", model="openai/o3", input_tokens=10, output_tokens=2, cost_usd=0.5)

    view = build_check_view(replace(_running(6, checkers=0, reported=False), calls=(call,)))

    assert view.usage is not None
    assert (view.usage.calls, view.usage.cost_usd) == (1, 0.5)


def _thorough(*events: tuple[str, dict[str, Any]], reported: bool = False) -> RunRecord:
    report = sample_report()
    return RunRecord(
        summary=_summary(
            RunState.COMPLETED if reported else RunState.RUNNING,
            mode="thorough",
            source="https://news.example/a",
            question=None,
        ),
        text=report.document.text,
        events=tuple(LoggedEvent(number, *event) for number, event in enumerate(events, 1)),
        report=report if reported else None,
    )


def test_thorough_claims_get_verdicts_one_by_one() -> None:
    claims = [decision.claim.model_dump(mode="json") for decision in sample_report().decisions]
    decided = {"claim_id": "claim_1", "verdict": "SUPPORTED", "confidence": 0.9, "rationale": "It says so."}

    view = build_check_view(
        _thorough(("check_started", {}), ("claims_extracted", {"claims": claims}), ("claim_decided", decided))
    )

    assert view.progress == "Checking the claims: 1 of 7 claims checked …"
    assert view.claims[0].sign is not None
    assert view.undecided == 6
    assert (view.after, view.origin) == (3, "https://news.example/a")


def test_a_thorough_report_has_its_sources_and_errors() -> None:
    view = build_check_view(_thorough(reported=True))

    assert view.score == 48
    assert [stage.state for stage in view.stages] == [StageState.DONE] * 3
    assert view.sources
    assert view.notices[0].text == "evidence: The index of the corpus desk was busy."
    assert not view.has_checkers


def test_title_falls_back_to_first_words_source_or_id() -> None:
    summary = _summary(question=None, source="text")

    assert run_title(summary, "Word " * 100).endswith("Word …")
    assert run_title(summary) == "FC-2026-000042"
    assert run_title(_summary(question=None, source="notes.pdf")) == "notes.pdf"


def _validating(events: int | None, mode: Mode = Mode.THOROUGH) -> RunRecord:
    """Return a summary or thorough run after `events` events; None is the completed run."""
    events_so_far = validation_runs.events(mode)[:events]
    return RunRecord(
        summary=_summary(RunState.RUNNING if events else RunState.COMPLETED, mode=mode.value, source="text"),
        text=validation_runs.TEXT,
        events=tuple(validation_runs.logged(events_so_far, mode)),
        report=None if events else validation_runs.report(mode),
    )


def test_a_running_validation_shows_usage_and_failures() -> None:
    view = build_check_view(_validating(-1))

    assert view.as_of == validation_runs.AS_OF
    assert view.usage is not None
    assert (view.usage.calls, view.usage.searches) == (4, 16)
    assert view.costs
    assert (view.undecided, view.failed) == (0, 1)
    assert [notice.text for notice in view.notices] == [
        f"validate, claim_2: {validation_runs.UNREAD}",
        f"search: {validation_runs.PROBLEM}",
    ]
    assert view.stages[1].detail == "3 of 4 claims"
    assert view.verdict is None


def test_a_finished_validation_has_an_overall_verdict() -> None:
    view = build_check_view(_validating(None))

    assert view.verdict is not None
    assert (view.verdict.word, view.score) == ("Misleading", 61)
    assert len(view.notices) == 2
    assert view.shared is None
    assert [stage for stage, _ in view.usage_by_stage] == ["extract", "search", "validate"]


def test_shared_evidence_is_shown_until_the_report() -> None:
    assert build_check_view(_validating(4, Mode.SUMMARY)).shared is not None
    assert build_check_view(_validating(None, Mode.SUMMARY)).shared is None


@pytest.mark.parametrize("events", [1, 2, 4, 9, 16, -1, None])
@pytest.mark.parametrize("mode", [Mode.SUMMARY, Mode.THOROUGH])
def test_a_validation_can_be_rendered_at_any_point(mode: Mode, events: int | None) -> None:
    page = render("check.html.j2", view=build_check_view(_validating(events, mode)))

    assert "As of" in page
    assert page.count("<svg") == page.count("</svg>")


def test_the_summary_is_escaped_and_its_citations_linked() -> None:
    record = _validating(None)
    assert record.report is not None
    hostile = record.report.model_copy(update={"summary": "<b>So</b> [1][99] \u202e[x]."})

    page = render("check.html.j2", view=build_check_view(replace(record, report=hostile)))

    assert '&lt;b&gt;So&lt;/b&gt; <a class="reference" href="#source-1"' in page
    assert "[99] \u27e8U+202E\u27e9[x]." in page
