"""Corrections: in the document's own style, at one place, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.verify.projects import a, claim_of

from veridic.domain.code import (
    AgentVerdict,
    AssertionKind,
    CodeCorrection,
    CodeEvidence,
    CodeVerdict,
    DocClaim,
    EntityKind,
    EvidenceTier,
    Place,
)
from veridic.domain.decision import CorrectionType
from veridic.domain.errors import InputError
from veridic.domain.evidence import Stance
from veridic.verify.corrections import corrected_text, may_be_applied, propose_correction

K = AssertionKind


def said(
    words: str, kind: AssertionKind = K.DEFAULT, name: str = "timeout", text: str = "It is so."
) -> DocClaim:
    place = Place(line=1, start=0, end=len(words))
    return claim_of(kind, a(EntityKind.PARAMETER, name), words, text=text, place=place)


def verdict(
    value: str | None, word: CodeVerdict = CodeVerdict.REFUTED, confidence: float = 0.95
) -> AgentVerdict:
    evidence = CodeEvidence(
        tier=EvidenceTier.CODE, stance=Stance.CONTRADICTING, path="app.py", line=1, quote="x", value=value
    )
    return AgentVerdict(
        agent="correctness", verdict=word, confidence=confidence, reason="x", evidence=(evidence,)
    )


@pytest.mark.parametrize(
    ("words", "value", "corrected"),
    [
        ("30", "60", "60"), ("30", "60.5", "60.5"), ("0.5", "1", "1"), ("-1", "-2", "-2"),
        ("1,000", "25000", "25,000"), ("1_000", "25000", "25_000"), ("1000", "25_000", "25000"),
        ("true", "False", "false"), ("True", "false", "False"), ("YES", "False", "NO"), ("Yes", "False", "No"),
        ("enabled", "False", "disabled"), ("off", "True", "on"),
        ("json", "yaml", "yaml"), ("'json'", "yaml", "'yaml'"), ('"json"', "yaml", '"yaml"'),
    ],
)  # fmt: skip
def test_literals_in_the_documents_style(words: str, value: str, corrected: str) -> None:
    made = propose_correction(said(words), verdict(value))
    assert made is not None
    assert (made.original, made.corrected) == (words, corrected)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("30 seconds", "60"), ("5 minutes", "900"), ("10 MB", "20_000_000"), ("50%", "0.75"), ("3 attempts", "5"),
        ("three", "4"), ("unset", "30"), ("30", "true"), ("30", "os.cpu_count()"), ("30", None), ("30", "30"),
        ("json", ""), ("json", "a\nb"), ("json", "a`b"), ("json", "x" * 300),
    ],
)  # fmt: skip
def test_no_correction_if_judgement_is_needed(words: str, value: str | None) -> None:
    assert propose_correction(said(words), verdict(value)) is None


@pytest.mark.parametrize(
    ("words", "value", "corrected"),
    [("3.10", "3.11", "3.11"), ("3.10+", "3.11", "3.11+"), (">=3.10", "3.12", ">=3.12"),
     ("3.10 or newer", "3.11", "3.11 or newer"), ("v18", "20.1", "v20.1"), ("3.10", ">=3.11", None), ("any", "3.11", None)],
)  # fmt: skip
def test_only_the_number_of_a_version_changes(words: str, value: str, corrected: str | None) -> None:
    made = propose_correction(said(words, K.REQUIRES), verdict(value))
    assert (made.corrected if made else None) == corrected


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        (CodeVerdict.REFUTED, CorrectionType.REPLACE),
        (CodeVerdict.STALE, CorrectionType.UPDATE),
        (CodeVerdict.INCOMPLETE, CorrectionType.CLARIFY),
        (CodeVerdict.MISLEADING, CorrectionType.CLARIFY),
        (CodeVerdict.VERIFIED, None),
        (CodeVerdict.INCONCLUSIVE, None),
        (CodeVerdict.CONTESTED, None),
    ],
)
def test_the_kind_of_correction_follows_the_verdict(word: CodeVerdict, kind: CorrectionType | None) -> None:
    made = propose_correction(said("30"), verdict("60", word))
    assert (made.type if made else None) == kind


@pytest.mark.parametrize(
    ("kind", "words", "found", "is_applied"),
    [
        (K.DEFAULT, "30", verdict("60"), True),
        (K.EQUALS, "30", verdict("60"), True),
        (K.LINKS, "guide.md", verdict("docs/guide.md"), True),
        (K.DEFAULT, "30", verdict("60", confidence=0.9), True),
        (K.DEFAULT, "30", verdict("60", confidence=0.89), False),
        (K.REQUIRES, "3.9", verdict("3.11"), False),
        (K.RAISES, "ValueError", verdict("TypeError"), False),
        (K.DEFAULT, "30", verdict("60", CodeVerdict.MISLEADING), False),
    ],
)
def test_only_sure_and_exact_corrections_are_applied(
    kind: AssertionKind, words: str, found: AgentVerdict, is_applied: bool
) -> None:
    made = propose_correction(said(words, kind), found)
    assert made is not None
    assert may_be_applied(made) is is_applied


def test_evidence_with_two_values_gives_no_correction() -> None:
    both = verdict("60").evidence + verdict("90").evidence
    assert propose_correction(said("30"), verdict("60").model_copy(update={"evidence": both})) is None


def test_no_correction_without_a_place() -> None:
    nowhere = claim_of(K.DEFAULT, a(EntityKind.PARAMETER, "x"), "30")
    wider = claim_of(K.DEFAULT, a(EntityKind.PARAMETER, "x"), "30", place=Place(line=1, start=0, end=9))
    assert propose_correction(nowhere, verdict("60")) is None
    assert propose_correction(wider, verdict("60")) is None


def change(line: int, start: int, original: str, corrected: str) -> CodeCorrection:
    place = Place(line=line, start=start, end=start + len(original))
    return CodeCorrection(
        type=CorrectionType.REPLACE, place=place, original=original, corrected=corrected, confidence=0.9
    )


def test_several_corrections_in_one_document() -> None:
    text = "a 1 b 2\r\n\r\nüñ 3\n"
    made = corrected_text(
        text, [change(3, 3, "3", "three"), change(1, 6, "2", "22"), change(1, 2, "1", "11")]
    )
    assert made == "a 11 b 22\r\n\r\nüñ three\n"
    assert corrected_text(text, []) == text


def test_duplicate_correction_is_made_once() -> None:
    assert corrected_text("a 1", [change(1, 2, "1", "2"), change(1, 2, "1", "2")]) == "a 2"


@pytest.mark.parametrize("wrong", [change(1, 2, "9", "2"), change(7, 0, "a", "b"), change(1, 90, "a", "b")])
def test_changed_document_is_not_corrected(wrong: CodeCorrection) -> None:
    with pytest.raises(InputError, match="verify the document again"):
        corrected_text("a 1", [wrong])


def test_overlapping_corrections_are_refused() -> None:
    with pytest.raises(InputError, match="the same words"):
        corrected_text("a 12", [change(1, 2, "12", "3"), change(1, 3, "2", "4")])


LINE = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=15)


@given(
    st.lists(st.tuples(LINE, LINE, st.sampled_from(["\n", "\r\n", "\r"])), min_size=1, max_size=6), st.data()
)
def test_corrections_change_nothing_else(lines: list[tuple[str, str, str]], data: st.DataObject) -> None:
    text = "".join(f"{before}30{after}{end}" for before, after, end in lines)
    chosen = data.draw(st.sets(st.integers(0, len(lines) - 1)))
    made = corrected_text(
        text, [change(number + 1, len(lines[number][0]), "30", "sixty") for number in sorted(chosen)]
    )
    expected = "".join(
        f"{before}{'sixty' if number in chosen else '30'}{after}{end}"
        for number, (before, after, end) in enumerate(lines)
    )
    assert made == expected


@given(
    st.text(max_size=20),
    st.text(max_size=20) | st.none(),
    st.sampled_from(list(K)),
    st.sampled_from(list(CodeVerdict)),
)
def test_propose_correction_never_raises(
    words: str, value: str | None, kind: AssertionKind, word: CodeVerdict
) -> None:
    made = propose_correction(said(words, kind), verdict(value, word))
    assert made is None or (made.corrected != words and "\n" not in made.corrected)
