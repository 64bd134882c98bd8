"""Breaks in time: newer evidence that overrides older evidence, and cases that only look like it."""

from datetime import date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_claim, make_source
from tests.unit.decision import weighed
from tests.unit.decision.weighed import contextual

from veridic.decision.breaks import GAP_DAYS, clean_break, is_dated, relative_time
from veridic.decision.decide import decision, judgement
from veridic.decision.gates import without_the_future
from veridic.decision.weighing import changed_on, correction_type, finalize, weigh
from veridic.domain.dates import PartialDate
from veridic.domain.decision import CorrectionType, Judgement
from veridic.domain.evidence import Evidence, Stance, Tier
from veridic.domain.verdicts import Verdict

TODAY = date(2026, 11, 16)


def supporting(quality: float = 0.5, *, name: str = "for", **details: object) -> Evidence:
    return weighed.supporting(quality, name=name, **details)


def contradicting(quality: float = 0.5, *, name: str = "against", **details: object) -> Evidence:
    return weighed.contradicting(quality, name=name, **details)


DATES = st.sampled_from([None, "2019", "2021", "2021-06", "2021-06-10", "2021-07-15", "2023", "2026-11-01"])
EVIDENCE = st.lists(
    st.builds(
        lambda make, when, quality, probability, name: make(
            quality, when=when, probability=probability, name=f"{make.__name__}{name}"
        ),
        st.sampled_from([supporting, contradicting, contextual]),
        DATES,
        st.sampled_from([0.0, 0.2, 0.9]),
        st.sampled_from([0.5, 0.9]),
        st.sampled_from("ab"),
    ),
    max_size=7,
)


def judged(*evidence: Evidence, is_dated: bool = False, threshold: float = 0.85) -> Judgement:
    weighing = weigh(evidence, claim_date=TODAY, is_dated=is_dated)
    return judgement("rules", evidence, weighing, None, threshold=threshold)


@pytest.mark.parametrize(
    ("old", "new", "breaks"),
    [
        ("2021-06-10", "2021-07-10", True),  # exactly thirty days
        ("2021-06-10", "2021-07-09", False),
        ("2021", "2021-06", False),
        ("2021", "2022", False),  # both may mean New Year
        ("2021", "2022-01-30", True),
        ("2021", "2023", True),
        ("2021-06", "2021-08", True),
        ("2021-06", "2021-07", False),
        ("2021-06", "2021-06", False),
        ("2021", None, False),
        (None, "2021", False),
    ],
)
def test_break_needs_thirty_days_between_the_dates(old: str | None, new: str | None, breaks: bool) -> None:
    time_break = clean_break([supporting(when=old), contradicting(when=new)])
    assert (time_break is not None) is breaks
    if time_break is not None:
        assert (time_break.newer_side, str(time_break.until), str(time_break.since)) == (
            Stance.CONTRADICTING,
            old,
            new,
        )


def test_newer_contradiction_makes_outdated_whatever_the_weights() -> None:
    many = [supporting(0.9, when="2020-05-01", name=f"old{n}") for n in range(9)]
    result = judged(*many, contradicting(0.3, when="2024-03-02", name="new"))
    assert result.verdict is Verdict.OUTDATED
    assert result.confidence == 0.95
    assert result.rationale.startswith("True as of 2020-05-01, but not any more as of 2024-03-02:")
    assert changed_on(result.considered) == date(2024, 3, 2)
    assert correction_type(result.verdict) is CorrectionType.UPDATE


def test_newer_support_wins_and_older_sources_are_mentioned() -> None:
    many = [contradicting(0.9, when=f"201{n}", name=f"old{n}") for n in range(5)]
    result = judged(*many, supporting(0.4, when="2022-01-05", name="new"))
    assert (result.verdict, result.confidence) == (Verdict.SUPPORTED, 0.95)
    assert result.rationale.endswith("Sources that say otherwise are older, the newest from 2014.")
    made = decision(make_claim(), result, as_of=TODAY)
    assert made.verdict is Verdict.SUPPORTED
    assert Stance.CONTRADICTING in {e.stance for e in made.evidence}


def test_verdict_depends_on_the_as_of_day() -> None:
    evidence = (supporting(when="2023-05-01", name="old"), contradicting(when="2025-02-01", name="new"))
    before = judged(*without_the_future(evidence, date(2024, 6, 1)))
    after = judged(*without_the_future(evidence, date(2025, 6, 1)))
    assert (before.verdict, after.verdict) == (Verdict.SUPPORTED, Verdict.OUTDATED)


@pytest.mark.parametrize(
    "evidence",
    [
        [supporting(when="2020"), supporting(when="2024"), contradicting(when="2022")],
        [supporting(when="2020"), contradicting(when="2024"), contradicting(when="2019")],
        [supporting(when="2020"), contradicting(when="2024", probability=0.55)],
        [supporting(when="2020"), contradicting(0.0, when="2024")],
        [supporting(when="2020"), supporting(0.9, when=None), contradicting(0.4, when="2024")],
        [supporting(when="2020"), contextual(when="2024")],
        [supporting(when="2020", name="both"), contradicting(when="2024", name="both")],
        [],
    ],
)
def test_no_break(evidence: list[Evidence]) -> None:
    assert clean_break(evidence) is None


def test_new_blog_does_not_override_a_statistics_office() -> None:
    def of(tier: Tier, evidence: Evidence) -> Evidence:
        url = f"https://{tier}.example/{evidence.stance}"
        source = make_source(tier, published=str(evidence.date), tier=tier, url=url)
        return evidence.model_copy(update={"passage": evidence.passage.model_copy(update={"source": source})})

    office = of(Tier.FEDERAL_GOVERNMENT, supporting(when="2020"))
    assert clean_break([office, of(Tier.BLOGS_OPINION, contradicting(when="2024"))]) is None
    assert clean_break([office, of(Tier.UNKNOWN, contradicting(when="2024"))]) is not None
    blog = of(Tier.BLOGS_OPINION, supporting(when="2020"))
    assert clean_break([blog, of(Tier.BLOGS_OPINION, contradicting(when="2024"))]) is not None


def test_undated_older_evidence_lowers_confidence() -> None:
    evidence = [supporting(0.5, when="2020"), supporting(0.3, when=None), contradicting(0.9, when="2024")]
    time_break = clean_break(evidence)
    assert time_break is not None
    assert time_break[:3] == (Stance.CONTRADICTING, PartialDate(2020), PartialDate(2024))
    assert time_break.confidence == pytest.approx(0.75)


def test_rationale_uses_the_newest_of_the_strongest() -> None:
    evidence = [
        supporting(when="2020"),
        contradicting(0.9, when="2023", name="strong"),
        contradicting(0.8, when="2025", name="newest"),
        contradicting(0.1, when="2026-11", name="weak"),
        contradicting(0.7, when="2022", name="first"),
    ]
    key = weigh(evidence, claim_date=TODAY, is_dated=False).key_contradicting
    assert [e.source.title for e in key] == ["newest", "strong", "first"]


def test_break_does_not_apply_to_dated_claims() -> None:
    evidence = [supporting(0.9, when="2020"), contradicting(0.9, when="2024")]
    assert weigh(evidence, claim_date=TODAY) == weigh(evidence, claim_date=TODAY, is_dated=True)
    assert judged(*evidence, is_dated=True).verdict is Verdict.PARTIAL
    assert judged(*evidence, is_dated=False).verdict is Verdict.OUTDATED


@pytest.mark.parametrize(
    ("claim", "dated"),
    [
        ("Anna Cole is the mayor of Brindle.", False),
        ("The policy rate stands at 5.5 percent.", False),
        ("The city has 1500 islands.", False),
        ("The tower, which was built by Eiffel, is the tallest in the city.", False),
        ("The council had 12 members in May 2019.", True),
        ("The rate was raised in 2024.", True),
        ("Sales fell last year.", True),
        ("It opened three years ago.", True),
        ("Anna Cole was the mayor of Brindle.", True),
        ("Anna Cole opened the bridge.", True),
        ("Prices rose.", True),
        ("The Fed's rate stands at 5.5 percent in the United States.", False),
        ("A hundred islands need a ferry.", False),
        ("This may cause harm.", False),
        ("", False),
    ],
)
def test_is_dated(claim: str, dated: bool) -> None:
    assert is_dated(claim) is dated


def test_relative_time_words() -> None:
    assert relative_time("It fell Last Year again.") == "Last Year"
    assert relative_time("It fell in 2019.") is None


@given(EVIDENCE)
def test_break_separates_the_dates_of_the_two_sides(evidence: list[Evidence]) -> None:
    time_break = clean_break(evidence)
    if time_break is None:
        return
    sides: dict[bool, list[PartialDate]] = {True: [], False: []}
    for one in evidence:
        if one.date and one.weight and one.stance is not Stance.CONTEXTUAL:
            sides[one.stance is time_break.newer_side].append(one.date)
    assert min(when.first for when in sides[True]) == time_break.since.first
    assert max(when.last for when in sides[False]) == time_break.until.last
    assert (time_break.since.first - time_break.until.last).days >= GAP_DAYS
    assert 0.5 <= time_break.confidence <= 1


@given(EVIDENCE, st.randoms(use_true_random=False))
def test_evidence_order_does_not_matter(evidence: list[Evidence], random: Random) -> None:
    shuffled = list(evidence)
    random.shuffle(shuffled)
    assert clean_break(evidence) == clean_break(shuffled)


@given(EVIDENCE, st.floats(0, 1))
def test_break_needs_both_sides(evidence: list[Evidence], threshold: float) -> None:
    weighing = weigh(evidence, claim_date=TODAY, is_dated=False)
    final = finalize(weighing, threshold=threshold)
    result = judged(*evidence, threshold=threshold)
    assert 0 <= result.confidence <= 1
    if final is Verdict.OUTDATED:
        assert weighing.key_supporting
        assert weighing.key_contradicting
        assert changed_on(evidence) is not None
