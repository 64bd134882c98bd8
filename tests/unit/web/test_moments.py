"""The page of a run at every moment of it."""

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
from veridic.runtime.runner import CANCELLED
from veridic.store.event_log import LoggedEvent
from veridic.store.runs import RunState, RunSummary
from veridic.web.check_view import CheckView
from veridic.web.moment import Moment
from veridic.web.moments import title_of, view_of
from veridic.web.stages import StageState
from veridic.web.templating import render

_CONFIG = {
    "contentSource": "generated",
    "generatorModel": "openai/o3",
    "extractorModel": "anthropic/claude-opus-4-6",
    "checkerModels": list(samples.MODELS),
    "reporterModel": "anthropic/claude-opus-4-6",
}
_WHOLE = (
    "factcheck_start generate_start generate_complete extract_start extract_complete verify_start checker_complete "
    "checker_complete checker_complete all_checkers_complete report_start report_complete title_complete complete"
).split()


def _events(upto: int, config: dict[str, Any] = _CONFIG) -> tuple[LoggedEvent, ...]:
    return tuple(
        LoggedEvent(number, name, {"config": config} if name == "factcheck_start" else {})
        for number, name in enumerate(_WHOLE[:upto], 1)
    )


def _summary(state: RunState = RunState.UNFINISHED, **changes: Any) -> RunSummary:
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


def _live(upto: int, **result: Any) -> Moment:
    return Moment(
        summary=_summary(),
        under_way=True,
        text=samples.TEXT,
        events=_events(upto),
        result=samples.fact_check_result(**result),
    )


def _states(view: CheckView) -> dict[str, str]:
    return {stage.name: stage.state.value for stage in view.stages}


def test_while_the_answer_is_written_there_is_no_text_yet() -> None:
    moment = _live(2, checkers=0, extracted=False, reported=False)
    assert moment.result is not None
    content = moment.result.content.model_copy(update={"model": None, "text": "Where from?"})
    view = view_of(replace(moment, result=moment.result.model_copy(update={"content": content})))

    assert view.content is None
    assert view.title == "Where does the Internet come from?"
    assert view.progress == "A model is answering the question …"
    assert _states(view)["Generate"] == StageState.RUNNING
    assert not view.extracted


def test_claims_are_underlined_as_soon_as_they_are_found() -> None:
    view = view_of(_live(6, checkers=0, reported=False))

    assert view.content is not None
    assert view.content.label == "openai/o3"
    assert view.content.detail == "written in 7.2 s"
    numbered = [
        place.number for block in view.content.blocks for stretch in block.stretches for place in stretch.ends
    ]
    assert numbered == [1, 2, 3, 4, 5, 6]
    assert view.undecided == 6
    assert view.progress == "Checking the claims: 0 of 3 checkers answered …"
    assert [kind.value for kind, _ in view.by_type][:2] == ["STATISTIC", "DATE"]


def test_a_verdict_is_provisional_until_all_have_answered() -> None:
    view = view_of(_live(7, checkers=1, reported=False))

    assert all(claim.so_far and claim.sign for claim in view.claims)
    assert view.progress == "Checking the claims: 1 of 3 checkers answered …"
    assert not any(claim.so_far for claim in view_of(_live(10, reported=False)).claims)


def test_the_score_is_there_with_the_report() -> None:
    view = view_of(_live(12))

    assert view.reported
    assert (view.score, view.score_tone.value) == (64, "caution")
    assert view.agreement == 89
    assert view.verdicts_in_words == "3 verified, 2 disputed, 1 unverifiable"
    assert [share.sign.word for share in view.findings] == ["Disputed", "Verified", "Unverifiable"]
    assert view.report_html is not None


def test_a_finished_run_says_what_was_read_and_what_was_not() -> None:
    summary = _summary(RunState.COMPLETED)
    moment = replace(_live(14), summary=summary, under_way=False)

    view = view_of(moment)

    assert view.state == "completed"
    assert view.progress == "Finished. 6 claims: 3 verified, 2 disputed, 1 unverifiable."
    assert [notice.title for notice in view.notices] == ["No source was cited."]
    assert view_of(replace(moment, result=samples.fact_check_result(cites=True))).rests_on_knowledge == 4


def test_bias_failed_checkers_and_failed_steps_are_told_once() -> None:
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
    moment = replace(
        _live(14), summary=_summary(RunState.COMPLETED), under_way=False, result=result, report=report
    )
    moment = replace(moment, events=_events(14, _CONFIG | {"biasWarning": "Shares a model."}))

    view = view_of(moment)

    assert [(notice.title, notice.text) for notice in view.notices[:3]] == [
        ("Possible bias.", "Shares a model."),
        ("A checker failed.", "openai/o3: It answered 503."),
        ("A step failed.", "report: No answer within 120 seconds."),
    ]
    assert view.stages[2].detail == "2 of 3 checkers, 1 failed"


@pytest.mark.parametrize(
    ("upto", "heading", "text", "detail"),
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
def test_a_checker_that_fails_is_told_before_the_report_is_written(
    upto: int, heading: str, text: str, detail: str
) -> None:
    failed = ModelCall(stage="verify_2", model=samples.MODELS[2], error="It answered 503.")
    retried = ModelCall(stage="verify_0", model=samples.MODELS[0], error="It answered 429.")
    moment = replace(_live(upto, checkers=2, reported=False), calls=(retried, failed))

    view = view_of(moment)

    assert [(notice.title, notice.text) for notice in view.notices] == [(heading, text)]
    assert view.stages[2].detail == detail


def test_what_the_extractor_made_up_is_said_to_be_left_out() -> None:
    left_out = [
        Omission(span=(0, 0), text="Bananas are radioactive", reason=OmissionReason.NOT_IN_TEXT),
        Omission(span=(0, 0), text="The moon is near", reason=OmissionReason.NOT_IN_TEXT),
    ]
    report = make_report((), document=make_document(samples.TEXT), omissions=tuple(left_out))

    view = view_of(replace(_live(14), report=report))

    assert ("Not checked.", "2 claims that the extractor named: not in the text.") in [
        (notice.title, notice.text) for notice in view.notices
    ]


def test_what_the_model_did_not_list_is_on_the_page() -> None:
    left_out = (
        Omission(span=(0, 14), text="It rained then", reason=OmissionReason.NOT_LISTED),
        Omission(
            span=(0, 0), text="The moon is <b>near</b>", reason=OmissionReason.NOT_SAID, detail="It rained"
        ),
    )
    report = make_report((), document=make_document(samples.TEXT), omissions=left_out)

    view = view_of(replace(_live(14), report=report))

    assert ("Not checked.", "1 sentence of the text: not listed by the model.") in [
        (notice.title, notice.text) for notice in view.notices
    ]
    page = render("check.html.j2", view=view)
    section = page[page.index('id="left-out"') :]
    assert "It rained then" in section
    assert "The moon is &lt;b&gt;near&lt;/b&gt;" in section


def test_a_checker_that_has_failed_for_good_is_named_while_others_are_waited_for() -> None:
    failed = FailedChecker(model=samples.MODELS[1], error="The key is wrong.")
    trouble = ModelCall(stage="verify_2", model=samples.MODELS[2], error="It answered 503.")
    final = ModelCall(stage="verify_1", model=samples.MODELS[1], error="The key is wrong.")
    moment = replace(_live(7, checkers=1, reported=False), calls=(final, trouble), failed_checkers=(failed,))

    view = view_of(moment)

    assert view.awaits_checkers
    assert [(notice.title, notice.text) for notice in view.notices] == [
        ("A checker failed.", f"{samples.MODELS[1]}: The key is wrong."),
        ("A checker has trouble.", f"{samples.MODELS[2]} has no answer yet: It answered 503."),
    ]
    assert view.stages[2].detail == "1 of 3 checkers, 1 failed"
    assert not view_of(_live(11)).awaits_checkers


def test_a_checker_without_calls_that_never_answered_has_failed_too() -> None:
    view = view_of(_live(11, checkers=2, reported=False))

    assert [notice.title for notice in view.notices] == ["A checker failed."]
    assert [notice.title for notice in view_of(_live(11, reported=False)).notices] == []
    assert [notice.title for notice in view_of(_live(8, checkers=2, reported=False)).notices] == []


def test_no_claims_skip_the_checkers_and_leave_the_score_open() -> None:
    result = samples.fact_check_result(checkers=0, extracted=False)
    unrated = result.report.model_copy(update={"reliability_score": None})
    moment = replace(_live(14), result=result.model_copy(update={"report": unrated}))

    view = view_of(replace(moment, summary=_summary(RunState.COMPLETED), under_way=False))

    assert _states(view)["Verify"] == StageState.SKIPPED
    assert (view.score, view.extracted, view.claims) == (None, True, ())
    assert view.progress == "Finished. 0 claims."


def test_a_text_that_was_cut_says_so_apart_from_itself() -> None:
    note = "[Content truncated to 500 characters. Claims beyond this point were not analyzed.]"
    view = view_of(_live(6, checkers=0, reported=False, text=f"{samples.TEXT}\n\n{note}"))

    assert view.content is not None
    assert view.content.truncated == note.strip("[]")
    assert "".join(stretch.text for stretch in view.content.blocks[0].stretches) == samples.TEXT


@pytest.mark.parametrize(
    ("error", "state", "words"),
    [
        (CANCELLED, "cancelled", "was cancelled"),
        ("All verification checkers failed.", "failed", "did not finish"),
    ],
)
def test_an_unfinished_run_keeps_what_it_found(error: str, state: str, words: str) -> None:
    summary = _summary(RunState.FAILED, error=error)

    view = view_of(replace(_live(6, checkers=0, reported=False), summary=summary, under_way=False))

    assert view.state == state
    assert words in view.progress
    assert len(view.claims) == 6
    assert _states(view)["Verify"] == StageState.STOPPED


def test_a_run_nobody_works_on_is_interrupted() -> None:
    view = view_of(replace(_live(6, checkers=0, reported=False), under_way=False))

    assert view.state == "interrupted"
    assert not view.running


def test_markdown_is_shown_without_its_marks_and_with_all_its_numbers() -> None:
    text = "---\ntitle: Notes\n---\n\n# Notes\n\nThe **Internet** grew out of\nARPANET. It is *old*.\n"
    claims = (
        samples.CLAIMS[0].model_copy(
            update={"claim": "The **Internet** grew out of\nARPANET", "context": ""}
        ),
        samples.CLAIMS[1].model_copy(update={"claim": "It is *old*", "context": ""}),
    )
    moment = _live(6, checkers=0, reported=False, text=text)
    assert moment.result is not None
    extraction = moment.result.extraction.model_copy(update={"claims": claims})
    result = moment.result.model_copy(update={"extraction": extraction})

    view = view_of(replace(moment, result=result))

    assert view.content is not None
    heading, paragraph = view.content.blocks
    assert "".join(stretch.text for stretch in heading.stretches) == "Notes"
    assert "".join(stretch.text for stretch in paragraph.stretches) == (
        "The Internet grew out of\nARPANET. It is old."
    )
    assert [place.number for stretch in paragraph.stretches for place in stretch.ends] == [1, 2]


def test_calls_count_before_the_report_does_it() -> None:
    call = ModelCall(stage="extract", model="openai/o3", input_tokens=10, output_tokens=2, cost_usd=0.5)

    view = view_of(replace(_live(6, checkers=0, reported=False), calls=(call,)))

    assert view.usage is not None
    assert (view.usage.calls, view.usage.cost_usd) == (1, 0.5)


def _thorough(*events: tuple[str, dict[str, Any]], reported: bool = False) -> Moment:
    report = sample_report()
    return Moment(
        summary=_summary(
            RunState.COMPLETED if reported else RunState.UNFINISHED,
            mode="thorough",
            source="https://news.example/a",
            question=None,
        ),
        under_way=not reported,
        text=report.document.text,
        events=tuple(LoggedEvent(number, *event) for number, event in enumerate(events, 1)),
        report=report if reported else None,
    )


def test_thorough_claims_are_decided_one_by_one() -> None:
    claims = [decision.claim.model_dump(mode="json") for decision in sample_report().decisions]
    decided = {"claim_id": "claim_1", "verdict": "SUPPORTED", "confidence": 0.9, "rationale": "It says so."}

    view = view_of(
        _thorough(("check_started", {}), ("claims_extracted", {"claims": claims}), ("claim_decided", decided))
    )

    assert view.progress == "Checking the claims: 1 of 7 claims checked …"
    assert view.claims[0].sign is not None
    assert view.undecided == 6
    assert (view.after, view.origin) == (3, "https://news.example/a")


def test_a_thorough_report_has_its_sources_and_errors() -> None:
    view = view_of(_thorough(reported=True))

    assert view.score == 48
    assert [stage.state for stage in view.stages] == [StageState.DONE] * 3
    assert view.sources
    assert view.notices[0].text == "evidence: The index of the corpus desk was busy."
    assert not view.has_checkers


def test_a_run_without_title_goes_by_its_first_words() -> None:
    summary = _summary(question=None, source="text")

    assert title_of(summary, "Word " * 100).endswith("Word …")
    assert title_of(summary) == "FC-2026-000042"
    assert title_of(_summary(question=None, source="notes.pdf")) == "notes.pdf"


def _validating(events: int | None, mode: Mode = Mode.THOROUGH) -> Moment:
    """A run of summary or thorough mode after so many events; None: the whole of it."""
    told = validation_runs.events(mode)[:events]
    return Moment(
        summary=_summary(
            RunState.UNFINISHED if events else RunState.COMPLETED, mode=mode.value, source="text"
        ),
        under_way=events is not None,
        text=validation_runs.TEXT,
        events=tuple(validation_runs.logged(told, mode)),
        report=None if events else validation_runs.report(mode),
    )


def test_a_validation_under_way_tells_its_costs_and_what_failed() -> None:
    view = view_of(_validating(-1))

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


def test_a_finished_validation_has_the_text_s_verdict_and_each_failure_once() -> None:
    view = view_of(_validating(None))

    assert view.verdict is not None
    assert (view.verdict.word, view.score) == ("Misleading", 61)
    assert len(view.notices) == 2
    assert view.shared is None
    assert [stage for stage, _ in view.usage_by_stage] == ["extract", "search", "validate"]


def test_the_shared_evidence_of_summary_mode_is_there_until_the_report_is() -> None:
    assert view_of(_validating(4, Mode.SUMMARY)).shared is not None
    assert view_of(_validating(None, Mode.SUMMARY)).shared is None


@pytest.mark.parametrize("events", [1, 2, 4, 9, 16, -1, None])
@pytest.mark.parametrize("mode", [Mode.SUMMARY, Mode.THOROUGH])
def test_every_moment_of_a_validation_can_be_shown(mode: Mode, events: int | None) -> None:
    page = render("check.html.j2", view=view_of(_validating(events, mode)))

    assert "As of" in page
    assert page.count("<svg") == page.count("</svg>")


def test_a_summary_s_marks_are_links_and_its_words_are_words() -> None:
    moment = _validating(None)
    assert moment.report is not None
    hostile = moment.report.model_copy(update={"summary": "<b>So</b> [1][99] \u202e[x]."})

    page = render("check.html.j2", view=view_of(replace(moment, report=hostile)))

    assert '&lt;b&gt;So&lt;/b&gt; <a class="reference" href="#source-1"' in page
    assert "[99] \u27e8U+202E\u27e9[x]." in page
