"""The loop for one claim: its events in order, and the effect of each rule."""

import asyncio
import json
from datetime import date

import pytest
from tests.builders import make_claim, make_difference, make_evidence
from tests.unit.engine.fakes import (
    AS_OF,
    OPTIONS,
    FakeJudge,
    FakeObserver,
    decision_of,
    passage,
    run_loop,
)

from veridic.domain.claim import Claim, Framing, FramingKind
from veridic.domain.decision import CorrectionType, Judgement
from veridic.domain.errors import SearchError
from veridic.domain.events import EventName
from veridic.domain.evidence import Channel, Detail, Stance
from veridic.domain.search import Gathered
from veridic.domain.validation import SourceConsensus
from veridic.domain.verdicts import Verdict
from veridic.engine.claim_loop import ClaimLoop, LoopOptions
from veridic.engine.readers import HearsayReading, Reading
from veridic.engine.steps import InMemorySteps

CLAIM = make_claim("The capital of Australia is Canberra.")
FOR, AGAINST, BESIDE = (
    passage("Canberra is the capital."),
    passage("Sydney is the capital."),
    passage("Kangaroos are many."),
)


CORRECTED = "The capital of Australia is Sydney."
DIFFERS = (make_difference("Canberra", "Sydney", Detail.NAME),)


def judge_of(claim: Claim = CLAIM, **details: object) -> FakeJudge:
    stances = {(claim.text, FOR.text): Stance.SUPPORTING, (claim.text, AGAINST.text): Stance.CONTRADICTING}
    return FakeJudge(stances, **details)


def correcting_judge(*borne_out_by: str) -> FakeJudge:
    """Marks what differs, and finds that these passages support the correction."""
    stances = {(CLAIM.text, AGAINST.text): Stance.CONTRADICTING}
    return FakeJudge(
        stances | {(CORRECTED, text): Stance.SUPPORTING for text in borne_out_by}, differences=DIFFERS
    )


def test_a_supported_claim() -> None:
    events = run_loop(CLAIM, FakeObserver(FOR, BESIDE), judge=judge_of())
    assert [event.name for event in events] == [
        EventName.CLAIM_STARTED,
        EventName.EVIDENCE_COLLECTED,
        EventName.CLAIM_VERIFIED,
        EventName.CLAIM_DECIDED,
    ]
    started, collected, verified, _ = (event.data for event in events)
    assert started == {"claim_id": "claim_1", "text": CLAIM.text}
    assert collected == {
        "claim_id": "claim_1", "passages": 2, "sources_checked": 2, "supporting": 1, "contradicting": 0, "contextual": 1,
    }  # fmt: skip
    assert verified == {"claim_id": "claim_1", "confidence": 0.9, "evidence": FOR.text}
    decided = decision_of(events)
    assert (decided.verdict, decided.claim, decided.as_of) == (Verdict.SUPPORTED, CLAIM, AS_OF)
    assert (decided.passages_read, decided.correction) == (2, None)


def test_a_refuted_claim_is_corrected() -> None:
    events = run_loop(CLAIM, FakeObserver(AGAINST), judge=correcting_judge(AGAINST.text))
    assert [event.name for event in events][2:] == [
        EventName.CLAIM_CONTRADICTED,
        EventName.CORRECTION_GENERATED,
        EventName.CLAIM_DECIDED,
    ]
    contradicted, generated = events[2].data, events[3].data
    assert contradicted == {"claim_id": "claim_1", "confidence": 0.9, "contradiction": AGAINST.text}
    correction = decision_of(events).correction
    assert correction is not None
    assert (correction.type, correction.corrected) == (CorrectionType.REPLACE, CORRECTED)
    assert generated == {"claim_id": "claim_1", "correction": correction.model_dump(mode="json")}


def test_an_outdated_claim() -> None:
    old = passage("Canberra is the capital.", "2020")
    new = [
        passage("Sydney is the capital.", "2026-02"),
        passage("Parliament has moved to the coast.", "2026-05"),
    ]
    stances = {(CLAIM.text, old.text): Stance.SUPPORTING}
    stances |= {(CLAIM.text, one.text): Stance.CONTRADICTING for one in new}
    stances[CORRECTED, new[0].text] = Stance.SUPPORTING
    judge = FakeJudge(stances, differences=DIFFERS)
    options = OPTIONS._replace(claim_date=date(2023, 1, 1))
    events = run_loop(CLAIM, FakeObserver(old, *new), judge=judge, options=options)
    assert [event.name for event in events][2:] == [
        EventName.CLAIM_OUTDATED,
        EventName.CORRECTION_GENERATED,
        EventName.CLAIM_DECIDED,
    ]
    assert events[2].data == {"claim_id": "claim_1", "was_true_until": "2026-02-01"}
    decided = decision_of(events)
    assert decided.verdict is Verdict.OUTDATED
    assert decided.correction is not None
    assert decided.correction.type is CorrectionType.UPDATE


def test_a_claim_without_evidence() -> None:
    events = run_loop(CLAIM, FakeObserver(BESIDE), judge=judge_of())
    assert [event.name for event in events][2:] == [EventName.CLAIM_UNVERIFIABLE, EventName.CLAIM_DECIDED]
    assert events[2].data == {"claim_id": "claim_1", "sources_checked": 1}
    assert decision_of(events).verdict is Verdict.UNVERIFIABLE


def test_a_contested_claim() -> None:
    events = run_loop(CLAIM, FakeObserver(FOR, AGAINST), judge=judge_of())
    assert [event.name for event in events][2:] == [
        EventName.CLAIM_PARTIAL,
        EventName.CORRECTION_GENERATED,
        EventName.CLAIM_DECIDED,
    ]
    decided = decision_of(events)
    assert decided.verdict is Verdict.CONTESTED
    assert {e.stance for e in decided.evidence} == {Stance.SUPPORTING, Stance.CONTRADICTING}
    assert decided.correction is not None
    assert decided.correction.type is CorrectionType.CLARIFY


def test_all_event_data_but_the_decision_is_json() -> None:
    for found in (FOR, AGAINST, BESIDE):
        events = run_loop(CLAIM, FakeObserver(found), judge=judge_of())
        assert all(json.dumps(event.data) for event in events[:-1])


def test_a_belief_below_the_threshold() -> None:
    def verdict(threshold: float) -> Verdict:
        others = [passage(f"Canberra it is, says {n}.") for n in range(4)]
        stances = {(CLAIM.text, one.text): Stance.SUPPORTING for one in others}
        stances[CLAIM.text, AGAINST.text] = Stance.CONTRADICTING
        options = OPTIONS._replace(threshold=threshold)
        events = run_loop(CLAIM, FakeObserver(*others, AGAINST), judge=FakeJudge(stances), options=options)
        return decision_of(events).verdict

    assert verdict(0.75) is Verdict.SUPPORTED
    assert verdict(0.85) is Verdict.CONTESTED


def test_an_unsupported_correction_is_dropped() -> None:
    judge = correcting_judge()
    events = run_loop(CLAIM, FakeObserver(AGAINST), judge=judge)
    assert CORRECTED in judge.asked
    assert EventName.CORRECTION_GENERATED not in [event.name for event in events]
    decided = decision_of(events)
    assert (decided.verdict, decided.correction) == (Verdict.REFUTED, None)


def test_no_correction_if_nothing_can_be_replaced() -> None:
    decided = decision_of(run_loop(CLAIM, FakeObserver(AGAINST), judge=judge_of()))
    assert (decided.verdict, decided.correction) == (Verdict.REFUTED, None)
    assert decided.evidence[0].assessment.quote == AGAINST.text


def test_future_passages_are_not_evidence() -> None:
    tomorrow = passage("Canberra is the capital.", "2026-11-16")
    events = run_loop(CLAIM, FakeObserver(tomorrow), judge=judge_of())
    decided = decision_of(events)
    assert (decided.verdict, decided.evidence, decided.passages_read) == (Verdict.UNVERIFIABLE, (), 0)
    assert events[1].data["passages"] == 0


def test_the_number_of_passages_read_is_limited() -> None:
    many = [passage(f"Passage number {n} is about something else {n * 7}.") for n in range(9)]
    events = run_loop(CLAIM, FakeObserver(*many), judge=judge_of(), options=OPTIONS._replace(passages=4))
    assert decision_of(events).passages_read == 4


TOO_LATE = "Exa took too long on the news channel."


def test_a_failed_channel_is_named_and_others_count() -> None:
    events = run_loop(CLAIM, FakeObserver(FOR, problems={Channel.NEWS: TOO_LATE}), judge=judge_of())
    decided = decision_of(events)
    assert decided.verdict is Verdict.SUPPORTED
    assert decided.validation is not None
    assert (decided.validation.successful_searches, len(decided.validation.searches)) == (3, 4)
    assert decided.validation.searches[0].problems == (TOO_LATE,)


def test_a_failed_search_is_named_in_the_rationale() -> None:
    events = run_loop(CLAIM, FakeObserver(problems={Channel.NEWS: TOO_LATE}), judge=judge_of())
    decided = decision_of(events)
    assert decided.verdict is Verdict.UNVERIFIABLE
    assert decided.rationale == f"{TOO_LATE} What was found does not settle it."


def test_no_verdict_if_no_search_is_answered() -> None:
    nobody = FakeObserver(FOR, problems=dict.fromkeys(Channel, TOO_LATE))
    with pytest.raises(SearchError, match="Exa took too long"):
        run_loop(CLAIM, nobody, judge=judge_of())


def test_the_reason_is_given_once_for_all_channels() -> None:
    problems = {
        channel: f"The {channel} search of exa was left out: Exa is down (500)." for channel in Channel
    }
    with pytest.raises(SearchError) as raised:
        run_loop(CLAIM, FakeObserver(FOR, problems=problems), judge=judge_of())
    assert str(raised.value) == "No search was answered: Exa is down (500)."


def test_all_passages_read_are_in_the_decision() -> None:
    decided = decision_of(run_loop(CLAIM, FakeObserver(FOR, AGAINST, BESIDE), judge=judge_of()))
    validation = decided.validation
    assert validation is not None
    assert [validation.count(stance) for stance in Stance] == [1, 1, 1]
    assert {one.source for one in validation.sources} == {FOR.source, AGAINST.source, BESIDE.source}
    assert validation.account.contradictions
    assert all(sentence.sources for sentence in validation.account.summary + validation.account.key_findings)
    assert decided.temporal is not None
    assert "2026" in decided.temporal.evidence_currency


def test_private_data_is_never_searched_for() -> None:
    framing = Framing(kind=FramingKind.PRIVATE_DATA, private_data_detected=True)
    private = make_claim("Internal memos show that staff numbers fell by half.", framing=framing)
    observer, judge = FakeObserver(FOR), judge_of(private)
    events = run_loop(private, observer, judge=judge)
    assert [event.name for event in events] == [
        EventName.CLAIM_STARTED,
        EventName.CLAIM_UNVERIFIABLE,
        EventName.CLAIM_DECIDED,
    ]
    assert events[1].data == {"claim_id": "claim_1", "sources_checked": 0}
    assert (observer.asked, judge.asked) == ([], [])
    assert decision_of(events).verdict is Verdict.UNVERIFIABLE


def test_insinuation_is_judged_by_its_underlying_claim() -> None:
    framing = Framing(kind=FramingKind.PLAUSIBLE_DENIABILITY, underlying_claim="The census was rigged.")
    claim = make_claim("People are saying the census was rigged.", framing=framing)
    judge = FakeJudge(
        {
            ("The census was rigged.", AGAINST.text): Stance.CONTRADICTING,
            ("The vote was rigged.", AGAINST.text): Stance.SUPPORTING,
        },
        differences=(make_difference("census", "vote", Detail.NAME),),
    )
    observer = FakeObserver(AGAINST)
    decided = decision_of(run_loop(claim, observer, judge=judge))
    assert observer.asked == ["The census was rigged."]
    assert (decided.verdict, decided.claim, decided.parts) == (Verdict.REFUTED, claim, ())
    assert decided.correction is not None
    assert decided.correction.original == "The census was rigged."


HEARSAY = make_claim(
    "The café owner said that inflation doubled last year.",
    framing=Framing(
        kind=FramingKind.HEARSAY, speaker="The café owner", underlying_claim="Inflation doubled last year."
    ),
)


@pytest.mark.parametrize(
    ("said", "so", "verdict"),
    [
        (Stance.SUPPORTING, Stance.SUPPORTING, Verdict.SUPPORTED),
        (Stance.SUPPORTING, Stance.CONTRADICTING, Verdict.MISLEADING),
        (Stance.CONTEXTUAL, Stance.SUPPORTING, Verdict.UNVERIFIABLE),
        (Stance.CONTEXTUAL, Stance.CONTRADICTING, Verdict.REFUTED),
        (Stance.SUPPORTING, Stance.CONTEXTUAL, Verdict.MOSTLY_SUPPORTED),
        (Stance.CONTEXTUAL, Stance.CONTEXTUAL, Verdict.UNVERIFIABLE),
    ],
)
def test_hearsay_is_checked_in_two_parts(said: Stance, so: Stance, verdict: Verdict) -> None:
    spoken, stated = passage("Prices doubled, the owner of the café said."), passage("Prices have doubled.")
    judge = FakeJudge({(HEARSAY.text, spoken.text): said, ("Inflation doubled last year.", stated.text): so})
    observer = FakeObserver(spoken, stated)
    decided = decision_of(run_loop(HEARSAY, observer, judge=judge))
    assert decided.verdict is verdict
    assert sorted(observer.asked) == ["Inflation doubled last year.", HEARSAY.text]
    attribution, content = decided.parts
    assert (attribution.name, attribution.text) == ("attribution", HEARSAY.text)
    assert (content.name, content.text) == ("content", "Inflation doubled last year.")
    words = {Stance.SUPPORTING: Verdict.SUPPORTED, Stance.CONTRADICTING: Verdict.REFUTED}
    assert attribution.verdict is words.get(said, Verdict.UNVERIFIABLE)
    assert content.verdict is words.get(so, Verdict.UNVERIFIABLE)


def test_attribution_and_content_are_counted_separately() -> None:
    spoken = [passage(f"The café owner said so, {name} reports.") for name in ("a", "b", "c")]
    stated = passage("Prices have not doubled at all.")
    judge = FakeJudge(
        {(HEARSAY.text, one.text): Stance.SUPPORTING for one in spoken}
        | {("Inflation doubled last year.", stated.text): Stance.CONTRADICTING}
    )
    decided = decision_of(run_loop(HEARSAY, FakeObserver(*spoken, stated), judge=judge))
    assert decided.verdict is Verdict.MISLEADING
    counts = [
        (part.supporting_sources, part.contradicting_sources, part.neutral_sources) for part in decided.parts
    ]
    assert counts == [(3, 0, 1), (0, 1, 3)]
    validation = decided.validation
    assert validation is not None
    assert (validation.count(Stance.SUPPORTING), validation.count(Stance.CONTRADICTING)) == (0, 1)
    assert validation.count(Stance.CONTEXTUAL) == 3
    assert validation.consensus is SourceConsensus.INSUFFICIENT_DATA, "one source says whether it is so"
    assert validation.account.contradictions == (), "that it was said is not at odds with that it is not so"


def test_a_report_of_a_statement_does_not_support_it() -> None:
    spoken = passage("Inflation doubled last year, the owner of the café said.")
    both = ((HEARSAY.text, spoken.text), ("Inflation doubled last year.", spoken.text))
    decided = decision_of(
        run_loop(HEARSAY, FakeObserver(spoken), judge=FakeJudge(dict.fromkeys(both, Stance.SUPPORTING)))
    )
    assert decided.verdict is Verdict.MOSTLY_SUPPORTED
    assert [part.verdict for part in decided.parts] == [Verdict.SUPPORTED, Verdict.UNVERIFIABLE]


class BothAtOnce:
    """A reader that answers both questions of hearsay from the same evidence."""

    def __init__(self, said: Verdict, so: Verdict | None) -> None:
        self._said, self._so = said, so
        self.stages: list[str] = []

    async def read(self, claim: Claim, question: str, gathered: Gathered, *, stage: str) -> Reading:
        raise AssertionError(question)

    async def read_hearsay(self, claim: Claim, gathered: Gathered, *, stage: str) -> HearsayReading:
        self.stages.append(stage)
        return HearsayReading(_reading(self._said), _reading(self._so) if self._so else None)


def _reading(verdict: Verdict) -> Reading:
    evidence = make_evidence(stance=Stance.CONTRADICTING if verdict is Verdict.REFUTED else Stance.SUPPORTING)
    return Reading(
        Judgement(
            judge="lab/model",
            verdict=verdict,
            confidence=0.9,
            rationale="It is.",
            evidence=(evidence,),
            considered=(evidence,),
        )
    )


@pytest.mark.parametrize(
    ("so", "verdict", "parts"),
    [
        (Verdict.REFUTED, Verdict.MISLEADING, ["attribution", "content"]),
        (None, Verdict.SUPPORTED, ["attribution"]),
    ],
)
def test_both_hearsay_questions_share_evidence_and_reading(
    so: Verdict | None, verdict: Verdict, parts: list[str]
) -> None:
    observer, reader = FakeObserver(FOR), BothAtOnce(Verdict.SUPPORTED, so)
    options = LoopOptions(OPTIONS.as_of, OPTIONS.claim_date)
    loop = ClaimLoop(observer=observer, reader=reader, options=options, steps=InMemorySteps())
    decided = asyncio.run(loop.check(HEARSAY))
    assert decided.verdict is verdict
    assert [part.name for part in decided.parts] == parts
    assert observer.asked == [HEARSAY.text]
    assert reader.stages == ["validate/claim_1"]
