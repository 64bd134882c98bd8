import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_claim, make_decision, make_document, make_evidence, make_report

from veridic.bench.stories import LabelMeaning, StoriesResult, bench_stories, score_story, sum_up
from veridic.bench.story import Story, StoryLabel, is_story_file, read_story
from veridic.domain.errors import InputError, NotFoundError
from veridic.domain.evidence import Evidence
from veridic.domain.report import Failure, Report
from veridic.domain.verdicts import Verdict

TEXT = "It rained in May. It snowed in June. The lake froze in July. What a summer! The mayor stays until August."
RAIN, SNOW, LAKE, SUMMER, MAYOR = (f"{piece.strip(' .!')}" for piece in TEXT.replace("!", ".").split(".")[:5])
SOURCE = "The station noted rain on four days in May, and none in June. The lake was open all year round."
GOLD = "The station noted rain on four days in May"


def story_of(*labels: tuple[str, str], colour: Sequence[str] = (), **changes: Any) -> dict[str, Any]:
    """A story as in its file; each label is for words of `TEXT`."""
    return {
        "id": "weather",
        "topic": "rain",
        "article": {"title": 'A "wet" year', "published": "2026-02-13", "text": TEXT},
        "sources": [
            {"id": "s1", "title": "Log", "date": "2026-01-30", "domain": "met.example", "text": SOURCE}
        ],
        "statements": [
            {"words": words, "label": label, "evidence": [], "kind": "time", "why": "It says so."}
            for words, label in labels
        ],
        "not_claims": list(colour),
        **changes,
    }


def report_on(
    story: Story, *found: tuple[str, Verdict], confidence: float = 0.9, evidence: Sequence[Evidence] = ()
) -> Report:
    """A report with a claim for each of these words."""
    document = make_document(story.markdown)
    decisions = [
        make_decision(
            make_claim(words, number=number, document=document),
            verdict,
            confidence=confidence,
            evidence=evidence,
        )
        for number, (words, verdict) in enumerate(found, 1)
    ]
    return make_report(decisions, document=document, processing_time_ms=2000)


def figures(
    labels: Sequence[tuple[str, str]],
    found: Sequence[tuple[str, Verdict]],
    *,
    confidence: float = 0.9,
    colour: Sequence[str] = (),
) -> StoriesResult:
    story = Story.model_validate(story_of(*labels, colour=colour))
    return sum_up([score_story(story, report_on(story, *found, confidence=confidence))])


def outcome(label: str, verdict: Verdict) -> tuple[LabelMeaning, LabelMeaning]:
    story = Story.model_validate(story_of((RAIN, label)))
    (judged,) = score_story(story, report_on(story, (RAIN, verdict))).judged
    return judged.wanted, judged.given


@pytest.mark.parametrize(
    ("verdict", "given"),
    [
        (Verdict.REFUTED, LabelMeaning.ALARM),
        (Verdict.OUTDATED, LabelMeaning.ALARM),
        (Verdict.MISLEADING, LabelMeaning.ALARM),
        (Verdict.SUPPORTED, LabelMeaning.BORNE_OUT),
        (Verdict.MOSTLY_SUPPORTED, LabelMeaning.BORNE_OUT),
        (Verdict.PARTIAL, LabelMeaning.MIXED),
        (Verdict.CONTESTED, LabelMeaning.MIXED),
        (Verdict.AMBIGUOUS, LabelMeaning.OPEN),
        (Verdict.UNVERIFIABLE, LabelMeaning.OPEN),
    ],
)
def test_verdict_maps_to_outcome(verdict: Verdict, given: LabelMeaning) -> None:
    assert outcome("NEI", verdict) == (LabelMeaning.OPEN, given)


@pytest.mark.parametrize(
    ("label", "wanted"),
    [
        ("SUPPORTED", LabelMeaning.BORNE_OUT),
        ("REFUTED", LabelMeaning.ALARM),
        ("OUTDATED", LabelMeaning.ALARM),
        ("CONTESTED", LabelMeaning.MIXED),
        ("NEI", LabelMeaning.OPEN),
    ],
)
def test_label_maps_to_outcome(label: str, wanted: LabelMeaning) -> None:
    assert outcome(label, Verdict.SUPPORTED)[0] is wanted


def test_precision_and_recall_of_mistakes_and_true_statements() -> None:
    found = figures(
        [(RAIN, "REFUTED"), (SNOW, "OUTDATED"), (LAKE, "REFUTED"), (MAYOR, "SUPPORTED")],
        [
            (RAIN, Verdict.REFUTED),
            (SNOW, Verdict.MISLEADING),
            (LAKE, Verdict.SUPPORTED),
            (MAYOR, Verdict.REFUTED),
        ],
        confidence=0.5,
    )
    assert (found.stories, found.statements) == (1, 4)
    assert (found.mistakes_found, found.alarms_right) == (0.667, 0.667)
    assert (found.true_borne_out, found.borne_out_right) == (0.0, 0.0)
    assert (found.of["mistakes_found"], found.of["alarms_right"]) == (3, 3)
    assert (found.of["true_borne_out"], found.of["borne_out_right"]) == (1, 1)


def test_share_of_nothing_is_none() -> None:
    found = figures([(RAIN, "NEI")], [(RAIN, Verdict.UNVERIFIABLE)])
    assert (found.mistakes_found, found.alarms_right, found.true_borne_out) == (None, None, None)
    assert (found.borne_out_right, found.outdated_found, found.contested_found) == (None, None, None)
    assert (found.colour_listed_as_claims, found.settling_passage_in_first_five) == (None, None)
    assert (found.wrong_and_sure, found.not_listed, found.misjudged) == (0.0, 0.0, ())


@pytest.mark.parametrize(
    ("label", "verdict", "confidence", "share"),
    [
        ("REFUTED", Verdict.SUPPORTED, 0.8, 1.0),
        ("REFUTED", Verdict.SUPPORTED, 0.79, 0.0),
        ("SUPPORTED", Verdict.OUTDATED, 0.9, 1.0),
        ("OUTDATED", Verdict.MOSTLY_SUPPORTED, 0.9, 1.0),
        ("NEI", Verdict.REFUTED, 0.9, 1.0),
        ("NEI", Verdict.SUPPORTED, 0.9, 1.0),
        ("NEI", Verdict.PARTIAL, 0.9, 0.0),
        ("SUPPORTED", Verdict.UNVERIFIABLE, 0.9, 0.0),
        ("REFUTED", Verdict.REFUTED, 0.9, 0.0),
        ("CONTESTED", Verdict.SUPPORTED, 0.9, 0.0),
    ],
)
def test_wrong_and_sure_needs_sure_opposite_verdict(
    label: str, verdict: Verdict, confidence: float, share: float
) -> None:
    assert figures([(RAIN, label)], [(RAIN, verdict)], confidence=confidence).wrong_and_sure == share


def test_outdated_found_needs_verdict_outdated() -> None:
    found = figures(
        [(RAIN, "OUTDATED"), (SNOW, "OUTDATED"), (LAKE, "SUPPORTED")],
        [(RAIN, Verdict.OUTDATED), (SNOW, Verdict.REFUTED), (LAKE, Verdict.OUTDATED)],
    )
    assert (found.outdated_found, found.of["outdated_found"]) == (0.5, 2)
    assert found.mistakes_found == 1.0


def test_contested_found_needs_mixed_verdict() -> None:
    found = figures(
        [(RAIN, "CONTESTED"), (SNOW, "CONTESTED"), (LAKE, "CONTESTED")],
        [(RAIN, Verdict.CONTESTED), (SNOW, Verdict.PARTIAL), (LAKE, Verdict.REFUTED)],
    )
    assert (found.contested_found, found.of["contested_found"]) == (0.667, 3)


def test_statement_without_claim_is_not_listed() -> None:
    found = figures([(RAIN, "SUPPORTED"), (SNOW, "NEI")], [(RAIN, Verdict.SUPPORTED)])
    assert (found.not_listed, found.true_borne_out) == (0.5, 1.0)
    (missed,) = found.misjudged
    assert (missed.words, missed.got, missed.confidence, missed.quote) == (SNOW, None, None, None)


def test_words_missing_from_report_are_not_listed() -> None:
    story = Story.model_validate(story_of((RAIN, "SUPPORTED"), colour=[SUMMER]))
    other = make_report([make_decision()])
    score = score_story(story, other)
    assert [one.given for one in score.judged] == [LabelMeaning.NOT_LISTED]
    assert score.colour_listed == (False,)


def test_report_without_claims_lists_nothing() -> None:
    assert figures([(RAIN, "REFUTED")], []).not_listed == 1.0


def test_colour_is_listed_if_claim_overlaps_it() -> None:
    touching = "July. What"
    found = figures([], [(touching, Verdict.UNVERIFIABLE)], colour=[SUMMER, MAYOR])
    assert (found.colour_listed_as_claims, found.of["colour_listed_as_claims"]) == (0.5, 2)


def test_best_fitting_claim_gives_verdict() -> None:
    both = f"{RAIN}. {SNOW}"
    found = figures([(RAIN, "REFUTED")], [(both, Verdict.SUPPORTED), ("rained in May", Verdict.REFUTED)])
    assert found.mistakes_found == 1.0


def test_first_of_equally_fitting_claims_counts() -> None:
    halves = [("It rained", Verdict.REFUTED), ("ed in May", Verdict.SUPPORTED), (RAIN, Verdict.SUPPORTED)]
    labels = [(RAIN, "REFUTED")]
    assert figures(labels, halves[:2]).mistakes_found == 1.0
    assert figures(labels, halves[1::-1]).mistakes_found == 0.0
    assert figures(labels, halves).mistakes_found == 0.0


def settling(*passages: str, quotes: Sequence[str] = (GOLD,)) -> float | None:
    gold = [{"source": "s1", "quote": quote} for quote in quotes]
    content = story_of((RAIN, "SUPPORTED"))
    content["statements"][0]["evidence"] = gold
    story = Story.model_validate(content)
    evidence = [_evidence(text) for text in passages]
    report = report_on(story, (RAIN, Verdict.UNVERIFIABLE), evidence=evidence)
    return sum_up([score_story(story, report)]).settling_passage_in_first_five


def _evidence(text: str) -> Evidence:
    made = make_evidence(text)
    return made.model_copy(update={"passage": made.passage.model_copy(update={"text": text})})


def test_passage_with_quote_settles() -> None:
    assert settling("Something else.", f"On the rain. {GOLD},\n and none in June.") == 1.0


def test_quote_match_ignores_whitespace() -> None:
    assert settling(GOLD.replace(" ", "\n  ")) == 1.0


@pytest.mark.parametrize("passage", [GOLD[5:], f"Before. {GOLD[:30]}", f"{GOLD[-25:]}, it says.", GOLD[4:35]])
def test_passage_with_enough_of_quote_settles(passage: str) -> None:
    assert settling(passage) == 1.0


@pytest.mark.parametrize(
    "passage", ["The lake was open.", "rain on four days", "It ends with The station", ""]
)
def test_passage_with_little_of_quote_does_not_settle(passage: str) -> None:
    assert settling(passage) == 0.0


def test_any_quote_settles() -> None:
    lake = "The lake was open all year round."
    assert settling(lake, quotes=[GOLD, lake]) == 1.0


def test_only_first_five_passages_count() -> None:
    others = [f"Passage number {n}." for n in range(5)]
    assert settling(*others[:4], GOLD) == 1.0
    assert settling(*others, GOLD) == 0.0


def test_statement_without_quotes_is_not_counted() -> None:
    assert settling(GOLD, quotes=[]) is None


def test_speed_is_measured_over_all_words() -> None:
    story = Story.model_validate(story_of((RAIN, "SUPPORTED")))
    score = score_story(story, report_on(story, (RAIN, Verdict.SUPPORTED)))
    assert (score.seconds, score.words) == (2.0, len(TEXT.split()))
    assert sum_up([score, score]).seconds_per_1000_words == round(2000 / len(TEXT.split()), 1)
    assert sum_up([]).seconds_per_1000_words == 0.0


def test_stories_are_checked_in_order_and_summed() -> None:
    stories = [
        Story.model_validate(story_of((RAIN, "REFUTED"), colour=[SUMMER], id="first")),
        Story.model_validate(story_of((SNOW, "SUPPORTED"), (LAKE, "NEI"), id="second")),
    ]

    def check(story: Story) -> Report:
        words = story.statements[0].words
        slow = Failure(stage="search", message="It took too long.")
        shown = [make_evidence(GOLD)] if story.id == "second" else []
        report = report_on(story, (words, Verdict.REFUTED), evidence=shown)
        return report.model_copy(update={"errors": (slow,) if story.id == "second" else ()})

    steps: list[tuple[int, int, str]] = []
    found = bench_stories(stories, check, lambda *step: steps.append(step))
    assert steps == [(0, 2, "first"), (1, 2, "second")]
    assert (found.stories, found.statements, found.not_listed) == (2, 3, 0.333)
    assert (found.mistakes_found, found.alarms_right, found.true_borne_out) == (1.0, 0.5, 0.0)
    assert (found.wrong_and_sure, found.colour_listed_as_claims) == (0.333, 0.0)
    assert found.errors == ("second: It took too long.",)
    wrong, missing = found.misjudged
    assert (wrong.story, wrong.label, wrong.kind) == ("second", StoryLabel.SUPPORTED, "time")
    assert (wrong.got, wrong.confidence, wrong.quote) == (Verdict.REFUTED, 0.9, GOLD)
    assert (missing.words, missing.got) == (LAKE, None)


def test_article_has_title_and_date() -> None:
    story = Story.model_validate(story_of())
    assert story.markdown == f'---\ntitle: "A \\"wet\\" year"\ndate: 2026-02-13\n---\n\n{TEXT}\n'


@pytest.mark.parametrize("name", ["a.json", "a.json.gz", "A.JSON"])
def test_story_is_read_from_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    content = json.dumps(story_of((RAIN, "REFUTED")), indent=1).encode()
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else b"\xef\xbb\xbf" + content)
    assert is_story_file(path)
    assert read_story(path).statements[0].label is StoryLabel.REFUTED


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.ndjson", "json", "a.gz"])
def test_other_file_names_are_json_lines(name: str) -> None:
    assert not is_story_file(Path(name))


def _with(part: str, **changes: object) -> dict[str, Any]:
    content = story_of((RAIN, "REFUTED"))
    inner = content[part]
    content[part] = [inner[0] | changes] if isinstance(inner, list) else inner | changes
    return content


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (7, "not one JSON object"),
        ([], "not one JSON object"),
        ({}, '"id" is missing'),
        (story_of(sources=[]), '"sources" can\'t be []'),
        (story_of(article=None), '"article" can\'t be None'),
        (_with("article", text=""), "\"article.text\" can't be ''"),
        (_with("article", published="soon"), '"article.published" not an ISO date'),
        (_with("sources", date="2026-13-01"), '"sources[0].date" month must be'),
        (_with("statements", label="MAYBE"), "\"statements[0].label\" can't be 'MAYBE'"),
        (_with("statements", words="It hailed"), "'It hailed' should be in the article once"),
        (_with("statements", words="It "), "'It ' should be in the article once, and is there 2 times"),
        (_with("statements", evidence=[{"source": "s1"}]), '"statements[0].evidence[0].quote" is missing'),
        (
            _with("statements", evidence=[{"source": "s1", "quote": "Hail"}]),
            "'Hail' is not in the source 's1'",
        ),
        (_with("statements", evidence=[{"source": "s2", "quote": GOLD}]), "is not in the source 's2'"),
        (story_of(colour=["Hail!"]), "'Hail!' should be in the article once, and is there 0 times"),
        (story_of(colour=[""]), "'' should be in the article once"),
    ],
)
def test_bad_story_is_refused_in_one_sentence(tmp_path: Path, content: object, problem: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_story(path)
    said = str(caught.value)
    assert said.startswith(f"{path} is no story: ")
    assert problem in said
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < len(str(path)) + 250


def test_json_lines_in_story_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text("{}\n{}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"JSON lines should be named \.jsonl"):
        read_story(path)


def test_missing_story_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"There is no file .*none\.json"):
        read_story(tmp_path / "none.json")


@given(content=st.binary(max_size=100))
def test_random_bytes_are_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("stories") / "a.json"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_story(path)


def test_one_claim_may_match_several_statements() -> None:
    both = f"{RAIN}. {SNOW}"
    story = Story.model_validate(story_of((RAIN, "SUPPORTED"), (SNOW, "REFUTED")))
    judged = score_story(story, report_on(story, (both, Verdict.SUPPORTED))).judged
    assert [one.given for one in judged] == [LabelMeaning.BORNE_OUT, LabelMeaning.BORNE_OUT]
