"""The baseline: old findings are known, new ones fail."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.code_findings import code_finding, doc_claim, verified

from veridic.domain.code import CodeVerdict, Finding
from veridic.domain.errors import VeridicError
from veridic.verify.baseline import Baseline, baseline_of, baseline_text, compare_with_baseline, load_baseline


def wrong(text: str, line: int = 1, verdict: CodeVerdict = CodeVerdict.REFUTED) -> Finding:
    return code_finding(verdict, doc_claim(text, line=line))


def test_known_finding_is_set_aside_after_moving() -> None:
    known = baseline_of([wrong("Old.", 3), verified()])

    compared = compare_with_baseline(known, [wrong("Old.", 90), wrong("New."), verified()])

    assert [one.finding.claim.line for one in compared.known] == [90]
    assert [finding.claim.text for finding in compared.kept] == ["New.", verified().claim.text]


def test_additional_occurrence_is_new() -> None:
    known = baseline_of([wrong("Same.", 1), wrong("Same.", 2)])

    compared = compare_with_baseline(known, [wrong("Same.", line) for line in (1, 2, 3)])

    assert (len(compared.known), len(compared.kept)) == (2, 1)


def test_verified_and_inconclusive_are_not_recorded() -> None:
    assert baseline_of([verified(), wrong("Open.", verdict=CodeVerdict.INCONCLUSIVE)]) == Baseline()


def test_refuted_claim_is_still_known_as_stale() -> None:
    compared = compare_with_baseline(baseline_of([wrong("Old.")]), [wrong("Old.", verdict=CodeVerdict.STALE)])

    assert len(compared.known) == 1


@given(st.lists(st.text(), max_size=5))
def test_baseline_round_trip(texts: list[str]) -> None:
    made = baseline_of([wrong(text) for text in texts])

    assert Baseline.model_validate(json.loads(baseline_text(made))) == made


def test_file_has_a_line_per_claim_in_order(tmp_path: Path) -> None:
    findings = [wrong("b"), wrong("a"), wrong("c")]
    file = tmp_path / "baseline.json"
    file.write_text(baseline_text(baseline_of(findings)), encoding="utf-8")

    assert baseline_text(baseline_of(findings[::-1])) == file.read_text(encoding="utf-8")
    assert file.read_text(encoding="utf-8").count('"fingerprint"') == 3
    assert load_baseline(file) == baseline_of(findings)


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"[]", b'{"version": 2, "findings": []}', b'{"findings": [{"count": 0}]}', b"[" * 100_000]
)  # fmt: skip
def test_invalid_baseline_is_an_input_error(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    file.write_bytes(content)

    with pytest.raises(VeridicError, match=r"is not a baseline; write it again with --write-baseline\.$"):
        load_baseline(file)


def test_missing_baseline_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(VeridicError, match="make one with --write-baseline"):
        load_baseline(tmp_path / "none.json")
