from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_claim, make_decision, make_report
from tests.unit.reporting.article import TEXT, article_report

from veridic.domain.claim import Omission, OmissionReason
from veridic.domain.document import Block, BlockKind, Document, Span
from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict
from veridic.reporting.annotate import Segment, annotate, paragraphs

_OFFSETS = st.integers(0, 60)
_SPANS = st.lists(st.tuples(_OFFSETS, _OFFSETS).map(lambda pair: (min(pair), max(pair))), max_size=8)


def _report(
    text: str,
    claims: list[Span],
    omissions: list[Span] | None = None,
    runs: list[Span] | None = None,
    verdicts: tuple[Verdict, ...] = (),
) -> Report:
    document = Document(
        text=text,
        source="-",
        blocks=tuple(Block(kind=BlockKind.PARAGRAPH, runs=(run,)) for run in runs or []),
    )
    decisions = [
        make_decision(
            make_claim(number=number).model_copy(update={"span": span}),
            verdicts[number - 1] if verdicts else Verdict.SUPPORTED,
        )
        for number, span in enumerate(claims, 1)
    ]
    return make_report(
        decisions,
        document=document,
        omissions=tuple(
            Omission(span=span, text="", reason=OmissionReason.OPINION) for span in omissions or []
        ),
    )


@given(st.text(max_size=50), _SPANS, _SPANS, _SPANS)
def test_no_character_is_lost_or_added(
    text: str, claims: list[Span], omissions: list[Span], runs: list[Span]
) -> None:
    report = _report(text, claims, omissions, runs)

    assert "".join(segment.text for segment in annotate(report)) == text


@given(st.text(max_size=50), _SPANS)
def test_each_claim_has_one_superscript_and_its_own_words(text: str, claims: list[Span]) -> None:
    segments = annotate(_report(text, claims))

    for number, (start, end) in enumerate(claims, 1):
        own = "".join(segment.text for segment in segments if number in segment.claims)
        assert own == text[start:end]
        assert sum(number in segment.ends for segment in segments) == bool(own)


@given(st.text("ab \n#|", max_size=50), _SPANS, _SPANS)
def test_paragraphs_drop_only_blank_lines(text: str, claims: list[Span], runs: list[Span]) -> None:
    report = _report(text, claims, runs=runs)
    shown = [segment for paragraph in paragraphs(report) for segment in paragraph.segments]

    assert "".join("".join(segment.text for segment in shown).split()) == "".join(text.split())
    wanted = [number for segment in annotate(report) for number in segment.ends]
    assert [number for segment in shown for number in segment.ends] == wanted


def test_nested_claim_shows_its_own_verdict() -> None:
    report = _report(
        "He said that it is so.", [(0, 22), (13, 21)], verdicts=(Verdict.PARTIAL, Verdict.REFUTED)
    )

    assert annotate(report) == (
        Segment("He said that ", claims=(1,), verdict=Verdict.PARTIAL),
        Segment("it is so", claims=(1, 2), verdict=Verdict.REFUTED, ends=(2,)),
        Segment(".", claims=(1,), verdict=Verdict.PARTIAL, ends=(1,)),
    )


def test_adjacent_claims_stay_separate() -> None:
    segments = annotate(_report("One.Two.", [(0, 4), (4, 8)]))

    assert [(segment.text, segment.claims, segment.ends) for segment in segments] == [
        ("One.", (1,), (1,)),
        ("Two.", (2,), (2,)),
    ]


def test_empty_text_has_no_segments() -> None:
    assert annotate(_report("", [])) == ()


def test_markup_stays_with_its_line() -> None:
    shown = paragraphs(article_report())
    texts = ["".join(segment.text for segment in paragraph.segments) for paragraph in shown]

    assert texts[0] == "# A week across the Andes, and three capitals"
    assert [paragraph.kind for paragraph in shown].count("list_item") == 3
    assert [paragraph.kind for paragraph in shown].count("table_cell") == 1
    table = next(text for text in texts if "Paraguay" in text)
    assert table == TEXT[TEXT.index("| Country") : TEXT.index("\n\nWhere")]


def test_lines_outside_blocks_are_separate_without_front_matter() -> None:
    text = "---\nkey: x\n---\n\nWords.\n\n***\n\nMore words.\n\n[1]: https://a.example\n"
    runs = [(text.index("Words"), text.index("\n\n***")), (text.index("More"), text.index("\n\n[1]"))]

    assert [paragraph.kind for paragraph in paragraphs(_report(text, [], runs=runs))] == [
        "paragraph",
        "markup",
        "paragraph",
        "markup",
    ]
