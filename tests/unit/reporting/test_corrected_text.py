"""A corrected copy: exactly the words that a correction changes are other words."""

from tests.builders import make_claim, make_decision, make_document, make_report
from tests.unit.reporting.article import article_report

from veridic.domain.decision import Correction, CorrectionType, Decision
from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict
from veridic.reporting.corrected_text import corrected_text, proposals

_TEXT = "The bridge opened in 1931. It is 40 metres long, he said; it carries 40 trains."


def _corrected(quote: str, corrected: str, *, number: int = 1, read_as: str | None = None) -> Decision:
    claim = make_claim(quote, number=number, text=read_as, document=make_document(_TEXT))
    correction = Correction(
        type=CorrectionType.REPLACE, original=claim.text, corrected=corrected, confidence=0.9, sources=()
    )
    return make_decision(claim, Verdict.REFUTED).model_copy(update={"correction": correction})


def _report(*decisions: Decision) -> Report:
    return make_report(decisions, document=make_document(_TEXT))


def test_only_the_wrong_word_is_replaced() -> None:
    report = _report(_corrected("It is 40 metres long", "It is 45 metres long."))

    assert corrected_text(report, [1]).text == _TEXT.replace("40 metres", "45 metres")


def test_completed_claim_is_corrected_in_the_authors_words() -> None:
    report = _report(
        _corrected(
            "It is 40 metres long", "The bridge is 45 metres long.", read_as="The bridge is 40 metres long"
        )
    )

    assert corrected_text(report, [1]).text == _TEXT.replace("40 metres", "45 metres")


def test_another_sentence_takes_the_place_of_the_whole_claim() -> None:
    report = _report(_corrected("it carries 40 trains", "No train crosses the bridge."))

    assert corrected_text(report, [1]).text.endswith("he said; No train crosses the bridge.")


def test_correction_does_not_replace_other_words() -> None:
    report = _report(
        _corrected("It is 40 metres long", "No train crosses it.", read_as="The bridge is 40 metres long")
    )

    copy = corrected_text(report, [1])

    assert (copy.text, copy.applied) == (_TEXT, ())
    assert [proposal.number for proposal in copy.left_out] == [1]


def test_first_correction_of_the_same_words_is_applied() -> None:
    report = _report(
        _corrected("It is 40 metres long", "It is 45 metres long."),
        _corrected("40 metres long, he said", "50 metres long, he said", number=2),
    )

    copy = corrected_text(report, [1, 2])

    assert copy.text == _TEXT.replace("40 metres", "45 metres")
    assert [proposal.number for proposal in copy.left_out] == [2]


def test_nothing_chosen_changes_nothing() -> None:
    report = article_report()

    assert corrected_text(report, []).text == report.document.text


def test_a_whole_article_keeps_everything_else() -> None:
    report = article_report()
    numbers = [proposal.number for proposal in proposals(report)]

    text = corrected_text(report, numbers).text

    assert "about 32.6 million inhabitants. Its highest point" in text
    assert "Argentina is the second-largest country in South America." in text
    assert text.startswith(report.document.text[:100])
