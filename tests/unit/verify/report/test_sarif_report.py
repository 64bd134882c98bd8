"""SARIF 2.1.0: what code scanning and editors read."""

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
    """What the model of SARIF has no field for, wherever it stands."""
    yield from model.model_extra or ()
    for value in vars(model).values():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, BaseModel):
                yield from unknown_fields(item)


def test_it_is_sarif_and_nothing_else() -> None:
    log = findings_sarif(every_kind(), version="1.2.3", everything=True)

    model = Sarif.model_validate(json.loads(json.dumps(log)))

    assert model.version == "2.1.0"
    in_the_standard_but_not_in_the_library = {"$schema", "columnKind", "toolExecutionNotifications"}
    assert set(unknown_fields(model)) <= in_the_standard_but_not_in_the_library


def test_every_verdict_has_a_rule_and_results_point_at_it() -> None:
    log = findings_sarif(every_kind(), version="1.2.3", everything=True)
    rules = log["runs"][0]["tool"]["driver"]["rules"]

    assert {rule["name"] for rule in rules} == {verdict.value for verdict in CodeVerdict}
    for result in log["runs"][0]["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_a_result_names_the_rule_behind_it() -> None:
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


def test_what_holds_is_left_out_unless_all_is_asked_for() -> None:
    assert results(verified()) == []
    assert len(results(verified(), everything=True)) == 1


def test_both_sides_have_a_place() -> None:
    (result,) = results(refuted())
    (document,) = result["locations"]
    (code,) = result["relatedLocations"]

    assert document["physicalLocation"]["artifactLocation"] == {"uri": "README.md", "uriBaseId": "%SRCROOT%"}
    region = document["physicalLocation"]["region"]
    line = README.splitlines()[region["startLine"] - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "30"
    assert code["physicalLocation"]["artifactLocation"]["uri"] == "src/ferry/net.py"
    assert code["physicalLocation"]["region"]["startLine"] == 8


def test_a_fix_replaces_exactly_the_words() -> None:
    (result,) = results(refuted())
    (fix,) = result["fixes"]
    (replacement,) = fix["artifactChanges"][0]["replacements"]

    assert replacement["deletedRegion"] == {"startLine": 3, "startColumn": 29, "endLine": 3, "endColumn": 31}
    assert replacement["insertedContent"] == {"text": "10"}


def test_fingerprints_stay_when_lines_move_and_tell_repetitions_apart() -> None:
    def names(*lines: int) -> list[str]:
        found = results(*(code_finding(claim=doc_claim("Same words.", line=line)) for line in lines))
        return [result["partialFingerprints"]["veridicClaim/v1"] for result in found]

    assert names(3, 9) == names(40, 77)
    assert len(set(names(3, 9))) == 2


def test_paths_are_addresses_and_evidence_without_a_place_is_left_to_the_message() -> None:
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


def test_a_commit_s_message_is_in_no_file() -> None:
    (result,) = results(code_finding(claim=doc_claim(document="3f2a9c1", origin=Origin.COMMIT)))

    assert result["locations"] == []
    assert result["message"]["text"].startswith("Commit 3f2a9c1: ")


def test_sides_of_a_contested_claim_are_in_the_message() -> None:
    (result,) = results(contested())

    assert "correctness: Refuted. The code says 10." in result["message"]["text"]
    assert "history: Verified. A commit says 30." in result["message"]["text"]


def test_text_from_outside_makes_no_link_and_can_be_written() -> None:
    (result,) = results(code_finding(reason="see [this](https://evil.example) \x1b[2J \ud800"))

    assert "[this](" not in result["message"]["text"]
    assert "\x1b" not in result["message"]["text"]
    json.dumps(result, ensure_ascii=False).encode("utf-8")


def test_what_could_not_be_looked_at_is_a_notification() -> None:
    log = findings_sarif(every_kind(), version="1.2.3")
    (notification,) = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]

    assert "data/big.json" in notification["message"]["text"]
