"""An article against a folder of documents, where three claims have no evidence."""

import json
import re
from pathlib import Path

from tests.command import run_veridic

from veridic.domain.verdicts import Scale, Verdict, say

LAKELAND = Path(__file__).parent / "folders" / "lakeland"
FLOOR = 15


def test_plain_documents_settle_plain_claims_and_nothing_else(tmp_path: Path) -> None:
    result = run_veridic(
        "check",
        str(LAKELAND / "article.md"),
        "--against",
        str(LAKELAND / "sources"),
        "--format",
        "json",
        home=tmp_path,
    )
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    text = (LAKELAND / "article.md").read_text(encoding="utf-8")
    claims = {re.sub(r"\s+", " ", text[slice(*claim["span"])]): claim for claim in report["claims"]}
    expected: dict[str, str] = json.loads((LAKELAND / "expected.json").read_text(encoding="utf-8"))
    assert claims.keys() == expected.keys()
    verdicts = {
        sentence: say(Verdict(claim["verdict"]), Scale.VALIDATION) for sentence, claim in claims.items()
    }
    wrong = {sentence: verdict for sentence, verdict in verdicts.items() if verdict != expected[sentence]}
    assert len(expected) - len(wrong) >= FLOOR, wrong
    assert set(wrong.values()) <= {"UNVERIFIABLE"}
    without_evidence = [
        claims[sentence] for sentence, verdict in expected.items() if verdict == "UNVERIFIABLE"
    ]
    assert len(without_evidence) == 3
    for claim in without_evidence:
        assert claim["verdict"] == "UNVERIFIABLE"
        assert claim["rationale"]
        assert claim["citations"] == []
    for claim in claims.values():
        if claim["verdict"] != "UNVERIFIABLE":
            assert claim["citations"]
            assert all(evidence["quote"] for evidence in claim["evidence"])
