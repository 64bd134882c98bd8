"""Corrections: what the diff shows, what is written, and what is reverted."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.code_findings import README, code_correction, code_finding, doc_claim, refuted

from veridic.domain.code import AssertionKind, CodeVerdict, Entity, EntityKind, Finding, Place, VerifyReport
from veridic.verify.fixing import VerifyAgain, apply_corrections, correction_diff, sort_corrections
from veridic.verify.folder import Folder

RETRIES = Entity(kind=EntityKind.CONSTANT, name="RETRIES")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "README.md").write_bytes(README.encode())
    return tmp_path


def retries(confidence: float = 0.95, place: Place | None = None) -> Finding:
    place = place or Place(line=4, start=11, end=12)
    claim = doc_claim("It retries 3 times.", line=4, subject=RETRIES, kind=AssertionKind.EQUALS)
    return code_finding(claim=claim, correction=code_correction(place, "3", "5", confidence))


def answering(folder: Path, verdict: Callable[[str], CodeVerdict]) -> VerifyAgain:
    """Verify by reading the current README."""

    def verify(documents: tuple[str, ...]) -> VerifyReport:
        assert documents == ("README.md",)
        text = (folder / "README.md").read_bytes().decode()
        found = [
            f.model_copy(update={"verdict": verdict(text), "correction": None})
            for f in (refuted(), retries())
        ]
        return VerifyReport(repo="r", findings=tuple(found))

    return verify


def applied(
    folder: Path, *findings: Finding, verdict: Callable[[str], CodeVerdict]
) -> tuple[list[str], list[str]]:
    """Apply the corrections; returns what was corrected, and why the rest was not."""
    documents = Folder(folder)
    corrections = sort_corrections(findings, documents)
    done = apply_corrections(corrections, documents, answering(folder, verdict))
    return (
        [finding.claim.text for finding in done.corrected],
        [one.why for one in (*corrections.flagged, *done.flagged)],
    )


def test_diff_shows_all_corrections_and_writes_nothing(repository: Path) -> None:
    documents = Folder(repository)

    shown = correction_diff(sort_corrections([refuted(), retries(0.3)], documents).proposed, documents.text)

    assert "--- a/README.md\n+++ b/README.md\n" in shown
    assert "+The `timeout` of `fetch` is 10 seconds by default.\n+It retries 5 times.\n" in shown
    assert (repository / "README.md").read_bytes() == README.encode()


def test_diff_marks_a_missing_final_newline(repository: Path) -> None:
    (repository / "README.md").write_bytes(README.rstrip().encode())
    documents = Folder(repository)

    assert correction_diff([retries()], documents.text).count("\\ No newline at end of file\n") == 2


def test_only_certain_corrections_are_written(repository: Path) -> None:
    done, flagged = applied(repository, refuted(), retries(0.8), verdict=lambda _: CodeVerdict.VERIFIED)

    assert (repository / "README.md").read_bytes() == README.replace("30", "10").encode()
    assert done == [refuted().claim.text]
    assert flagged == ["it needs a person's review"]


def test_correction_that_does_not_verify_is_reverted(repository: Path) -> None:
    def only_without_five(text: str) -> CodeVerdict:
        return CodeVerdict.REFUTED if "5 times" in text else CodeVerdict.VERIFIED

    done, flagged = applied(repository, retries(), verdict=only_without_five)

    assert (repository / "README.md").read_bytes() == README.encode()
    assert (done, len(flagged)) == ([], 1)
    assert "reverted" in flagged[0]


def test_reverting_one_correction_keeps_the_others(repository: Path) -> None:
    documents = Folder(repository)

    def verify(_: tuple[str, ...]) -> VerifyReport:
        good = refuted().model_copy(update={"verdict": CodeVerdict.VERIFIED, "correction": None})
        return VerifyReport(repo="r", findings=(good, retries()))

    findings = (refuted(), retries())
    done = apply_corrections(sort_corrections(findings, documents), documents, verify)

    assert (repository / "README.md").read_bytes() == README.replace("30", "10").encode()
    updated = done.updated(
        VerifyReport(repo="r", findings=done.corrected and (done.corrected[0], findings[1]))
    )
    assert [finding.verdict for finding in updated.findings] == [CodeVerdict.VERIFIED, CodeVerdict.REFUTED]


def test_interruption_restores_the_files(repository: Path) -> None:
    documents = Folder(repository)

    def interrupted(_: tuple[str, ...]) -> VerifyReport:
        assert (repository / "README.md").read_bytes() != README.encode()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apply_corrections(sort_corrections([refuted()], documents), documents, interrupted)

    assert (repository / "README.md").read_bytes() == README.encode()


def test_line_ends_and_byte_order_mark_are_kept(repository: Path) -> None:
    before = b"\xef\xbb\xbf" + README.replace("\n", "\r\n").encode()
    (repository / "README.md").write_bytes(before)

    applied(repository, refuted(), verdict=lambda _: CodeVerdict.VERIFIED)

    assert (repository / "README.md").read_bytes() == before.replace(b"30", b"10")


def test_document_that_is_not_utf_8_is_unchanged(repository: Path) -> None:
    before = README.encode() + b"\xff\xff"
    (repository / "README.md").write_bytes(before)

    done, flagged = applied(repository, refuted(), verdict=lambda _: CodeVerdict.VERIFIED)

    assert (repository / "README.md").read_bytes() == before
    assert done == []
    assert flagged == ["its document is not UTF-8, and is left as it is"]


def test_words_changed_in_the_meantime_are_not_overwritten(repository: Path) -> None:
    (repository / "README.md").write_text("Something else.\n", encoding="utf-8")

    done, flagged = applied(repository, refuted(), verdict=lambda _: CodeVerdict.VERIFIED)

    assert done == []
    assert flagged == ["its words don't stand there any more"]


def test_conflicting_corrections_are_not_both_made(repository: Path) -> None:
    other = code_finding(correction=code_correction(Place(line=3, start=28, end=38), "30 seconds", "a while"))

    _, flagged = applied(repository, refuted(), other, verdict=lambda _: CodeVerdict.VERIFIED)

    assert "is 10 seconds" in (repository / "README.md").read_text(encoding="utf-8")
    assert flagged == ["another correction changes the same words"]
