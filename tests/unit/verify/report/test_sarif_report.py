"""SARIF 2.1.0, for code scanning and editors."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel
from sarif_pydantic import Sarif
from tests.code_findings import (
    README,
    code_evidence,
    code_finding,
    contested,
    doc_claim,
    every_kind,
    refuted,
    verified,
)

from veridic.domain.code import CodeVerdict, EvidenceTier, Origin, VerifyReport
from veridic.verify.report.sarif import findings_sarif


def sarif(*findings: Any, everything: bool = False) -> dict[str, Any]:
    return findings_sarif(VerifyReport(repo="r", findings=findings), version="1.2.3", everything=everything)


def results(*findings: Any, everything: bool = False) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = sarif(*findings, everything=everything)["runs"][0]["results"]
    return found


def unknown_fields(model: BaseModel) -> Iterator[str]:
    """All fields that the SARIF model doesn't define, at any depth."""
    yield from model.model_extra or ()
    for value in vars(model).values():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, BaseModel):
                yield from unknown_fields(item)


def test_report_is_valid_sarif() -> None:
    log = findings_sarif(every_kind(), version="1.2.3", everything=True)

    model = Sarif.model_validate(json.loads(json.dumps(log)))

    assert model.version == "2.1.0"
    in_the_standard_but_not_in_the_library = {"$schema", "columnKind", "toolExecutionNotifications"}
    assert set(unknown_fields(model)) <= in_the_standard_but_not_in_the_library


def test_results_point_at_the_rule_of_their_verdict() -> None:
    log = findings_sarif(every_kind(), version="1.2.3", everything=True)
    rules = log["runs"][0]["tool"]["driver"]["rules"]

    assert {rule["name"] for rule in rules} == {verdict.value for verdict in CodeVerdict}
    for result in log["runs"][0]["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_result_names_its_rule() -> None:
    by_rule = refuted().model_copy(update={"rule": "path: gone"})

    assert [result["properties"]["rule"] for result in results(by_rule, refuted())] == ["path: gone", None]


@pytest.mark.parametrize(
    ("verdict", "kind", "level"),
    [
        (CodeVerdict.REFUTED, "fail", "error"),
        (CodeVerdict.STALE, "fail", "warning"),
        (CodeVerdict.CONTESTED, "fail", "warning"),
        (CodeVerdict.INCOMPLETE, "fail", "note"),
        (CodeVerdict.AMBIGUOUS, "review", "none"),
        (CodeVerdict.INCONCLUSIVE, "open", "none"),
        (CodeVerdict.VERIFIED, "pass", "none"),
    ],
)
def test_levels_and_kinds(verdict: CodeVerdict, kind: str, level: str) -> None:
    (result,) = results(code_finding(verdict), everything=True)

    assert (result["kind"], result["level"]) == (kind, level)


def test_verified_claims_only_with_everything() -> None:
    assert results(verified()) == []
    assert len(results(verified(), everything=True)) == 1


def test_both_sides_have_a_location() -> None:
    (result,) = results(refuted())
    (document,) = result["locations"]
    (code,) = result["relatedLocations"]

    assert document["physicalLocation"]["artifactLocation"] == {"uri": "README.md", "uriBaseId": "%SRCROOT%"}
    region = document["physicalLocation"]["region"]
    line = README.splitlines()[region["startLine"] - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "30"
    assert code["physicalLocation"]["artifactLocation"]["uri"] == "src/ferry/net.py"
    assert code["physicalLocation"]["region"]["startLine"] == 8


def test_fix_replaces_exactly_the_words() -> None:
    (result,) = results(refuted())
    (fix,) = result["fixes"]
    (replacement,) = fix["artifactChanges"][0]["replacements"]

    assert replacement["deletedRegion"] == {"startLine": 3, "startColumn": 29, "endLine": 3, "endColumn": 31}
    assert replacement["insertedContent"] == {"text": "10"}


def test_fingerprints_survive_moved_lines_and_distinguish_repetitions() -> None:
    def names(*lines: int) -> list[str]:
        found = results(*(code_finding(claim=doc_claim("Same words.", line=line)) for line in lines))
        return [result["partialFingerprints"]["veridicClaim/v1"] for result in found]

    assert names(3, 9) == names(40, 77)
    assert len(set(names(3, 9))) == 2


def test_paths_are_uris_and_unlocated_evidence_has_no_location() -> None:
    claim = doc_claim(document="docs/a b#c?.md")
    page = code_evidence(tier=EvidenceTier.EXTERNAL, path="https://example.org/spec", line=None)
    (result,) = results(
        code_finding(claim=claim, evidence=(page, code_evidence(path="pytest -q", line=None)))
    )

    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "docs/a%20b%23c%3F.md"
    assert [r["physicalLocation"]["artifactLocation"]["uri"] for r in result["relatedLocations"]] == [
        "https://example.org/spec"
    ]


def test_commit_message_has_no_location() -> None:
    (result,) = results(code_finding(claim=doc_claim(document="3f2a9c1", origin=Origin.COMMIT)))

    assert result["locations"] == []
    assert result["message"]["text"].startswith("Commit 3f2a9c1: ")


def test_message_has_the_sides_of_a_contested_claim() -> None:
    (result,) = results(contested())

    assert "correctness: Refuted. The code says 10." in result["message"]["text"]
    assert "history: Verified. A commit says 30." in result["message"]["text"]


def test_outside_text_makes_no_link() -> None:
    (result,) = results(code_finding(reason="see [this](https://evil.example) \x1b[2J \ud800"))

    assert "[this](" not in result["message"]["text"]
    assert "\x1b" not in result["message"]["text"]
    json.dumps(result, ensure_ascii=False).encode("utf-8")


def test_failures_are_notifications() -> None:
    log = findings_sarif(every_kind(), version="1.2.3")
    (notification,) = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]

    assert "data/big.json" in notification["message"]["text"]
