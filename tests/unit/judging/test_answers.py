"""The answers in `tests/answers`: each gives the result in its first lines, or is refused with that reason."""

from collections.abc import Callable
from pathlib import Path

import pytest

from veridic.claims.parse_extractor import parse_extraction
from veridic.claims.parse_lister import parse_listed
from veridic.decision.reliability import parse_reliability_score
from veridic.domain.verdicts import Scale, say
from veridic.judging.parse_checker import parse_verifications
from veridic.judging.parse_claim_entries import parse_hearsay, parse_summary_validation
from veridic.judging.parse_summary import parse_summary_answer
from veridic.judging.parse_validator import ValidationAnswer, parse_validation
from veridic.providers.llm.thinking import final_answer
from veridic.text.answer_fields import AnswerError

FOLDER = Path(__file__).parents[2] / "answers"
ANSWERS = sorted(FOLDER.glob("*/*.txt"))
CLAIMS = {
    "claim_1": "The Eiffel Tower was completed in March 1889",
    "claim_2": "The Eiffel Tower stands 450 metres tall",
    "claim_3": "The tower was built by the company of Gustave Eiffel",
    "claim_4": "In 2022 it had 5.9 million visitors",
}
PARTS = {"part_1": "The minister said that the bridge is safe", "part_2": "The bridge is safe"}
TYPES = ["DATE", "STATISTIC", "ATTRIBUTION", "STATISTIC"]


def checker(answer: str, wanted: dict[str, str]) -> None:
    if "asks" in wanted:
        with pytest.raises(AnswerError) as asked:
            parse_verifications(answer, "m", CLAIMS, complete=True)
        assert f"no verdict on {wanted['asks']} that is" in str(asked.value)
    found = parse_verifications(answer, "m", CLAIMS)
    letters = "".join("-" if "did not address" in one.evidence else one.verdict[0] for one in found)
    assert letters == wanted.get("gives", "VDVU")
    if "evidence" in wanted:
        claim_id, _, evidence = wanted["evidence"].partition(" ")
        assert {one.claim_id: one.evidence for one in found}[claim_id] == evidence
    if "confidences" in wanted:
        assert [one.confidence for one in found] == wanted["confidences"].split()


def extractor(answer: str, wanted: dict[str, str]) -> None:
    found = parse_extraction(answer)
    assert [claim.claim for claim in found] == (
        [] if wanted.get("gives") == "none" else list(CLAIMS.values())
    )
    if any(kind in answer for kind in TYPES):
        assert [claim.type for claim in found] == TYPES


def lister(answer: str, wanted: dict[str, str]) -> None:
    expected = [] if wanted.get("gives") == "none" else list(CLAIMS.values())
    found = parse_listed(answer)
    assert [listed.claim for listed in found] == expected
    if "risks" in wanted:
        assert [listed.risk for listed in found] == wanted["risks"].split()


def validator(answer: str, wanted: dict[str, str]) -> None:
    read = parse_validation(answer)
    assert judged(read) == wanted["gives"]
    if "contradicting" in wanted:
        assert [str(number) for number in read.contradicting] == wanted["contradicting"].split()


def summary(answer: str, wanted: dict[str, str]) -> None:
    claims = {one: CLAIMS[one] for one in ("claim_1", "claim_2")}
    read = parse_summary_validation(answer, claims)
    assert ", ".join(judged(one) for one in read.values()) == wanted["gives"]
    if "article" in wanted:
        whole = parse_summary_answer(answer, claims)
        assert whole.article is not None
        assert (
            f"{say(whole.article.verdict, Scale.VALIDATION)} {whole.credibility_score}" == wanted["article"]
        )


def unsettled_summary(answer: str, wanted: dict[str, str]) -> None:
    """Nothing may stand for claims that have unreadable entries, or none, either."""
    claims = {one: CLAIMS[one] for one in ("claim_1", "claim_2")}
    whole = parse_summary_answer(answer, claims, partly=True)
    assert ", ".join(f"{one} {judged(read)}" for one, read in whole.claims.items()) == wanted["gives"]


def hearsay(answer: str, wanted: dict[str, str]) -> None:
    read = parse_hearsay(answer, PARTS)
    assert ", ".join(judged(one) for one in read.values()) == wanted["gives"]


def reporter(answer: str, wanted: dict[str, str]) -> None:
    score = parse_reliability_score(answer)
    assert ("none" if score is None else str(score)) == wanted["gives"]


def judged(answer: ValidationAnswer) -> str:
    return f"{say(answer.verdict, Scale.VALIDATION)} {answer.confidence:g}"


READERS: dict[str, Callable[[str, dict[str, str]], None]] = {
    "checker": checker,
    "extractor": extractor,
    "lister": lister,
    "validator": validator,
    "summary": summary,
    "summary-second": unsettled_summary,
    "hearsay": hearsay,
    "reporter": reporter,
}


@pytest.mark.parametrize("path", ANSWERS, ids=[f"{path.parent.name}/{path.stem}" for path in ANSWERS])
def test_an_answer_gives_its_expected_result(path: Path) -> None:
    head, _, written = path.read_text(encoding="utf-8").partition("---\n")
    wanted = dict(line.split(": ", 1) for line in head.splitlines())
    read = READERS[path.parent.name]
    answer = final_answer(written)
    if "refused" not in wanted:
        read(answer, wanted)
        return
    with pytest.raises(AnswerError) as refused:
        read(answer, wanted)
    assert wanted["refused"] in str(refused.value)


def test_every_role_has_enough_answers() -> None:
    assert len(ANSWERS) >= 120
    assert {path.parent.name for path in ANSWERS} == set(READERS)
