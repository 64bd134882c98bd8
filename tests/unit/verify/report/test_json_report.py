"""The JSON that scripts read from `veridic verify`."""

import json
import re
from pathlib import Path

from tests.code_findings import contested, doc_claim, every_kind, refuted

from veridic.domain.code import ProposedClaims, VerifyReport, fingerprint
from veridic.verify.report.json_report import findings_json, plan_json

ROOT = Path(__file__).parents[4]


def test_contract_fields_come_first_in_order() -> None:
    report = findings_json(every_kind())
    finding = report["findings"][1]

    assert list(report)[:5] == ["repo", "commit", "findings", "counts", "processing_time_ms"]
    assert list(finding)[:12] == [
        "id", "document", "line", "claim", "category", "domain", "verdict", "confidence", "depth", "evidence",
        "correction", "flags",
    ]  # fmt: skip
    assert list(finding["evidence"][0])[:4] == ["tier", "path", "line", "quote"]


def test_every_checked_claim_is_a_finding() -> None:
    report = findings_json(every_kind())

    assert report["counts"] == {"Verified": 1, "Refuted": 1, "Inconclusive": 1, "Contested": 1}
    assert sum(report["counts"].values()) == len(report["findings"])
    assert [silenced["finding"]["document"] for silenced in report["silenced"]] == ["OLD.md"]


def test_fields_of_a_finding() -> None:
    finding = findings_json(VerifyReport(repo="r", findings=(refuted(),)))["findings"][0]

    assert (finding["verdict"], finding["confidence"], finding["line"]) == ("Refuted", 0.97, 3)
    assert finding["evidence"][0]["tier"] == 1
    assert finding["correction"] == {
        "type": "replace", "original": "30", "corrected": "10", "confidence": 0.95, "line": 3, "start": 28, "end": 30,
    }  # fmt: skip
    assert finding["fingerprint"] == fingerprint(refuted().claim)


def test_finding_names_its_rule() -> None:
    by_rule = refuted().model_copy(update={"rule": "option default: literal"})
    report = findings_json(VerifyReport(repo="r", findings=(by_rule, refuted())))

    assert [finding["rule"] for finding in report["findings"]] == ["option default: literal", None]


def test_contested_finding_has_all_sides() -> None:
    finding = findings_json(VerifyReport(repo="r", findings=(contested(),)))["findings"][0]

    assert [(side["agent"], side["verdict"]) for side in finding["sides"]] == [
        ("correctness", "Refuted"),
        ("history", "Verified"),
    ]


def test_any_repository_content_can_be_written() -> None:
    hostile = doc_claim("\ud800 \x00 </script>", document="\udcff.md")
    report = VerifyReport(repo="\ud800", findings=(refuted(claim=hostile),))

    written = json.dumps(findings_json(report), ensure_ascii=False).encode("utf-8")

    assert json.loads(written)["findings"][0]["claim"] == "\ufffd \x00 </script>"


def test_plan_has_claims_with_parsed_fields() -> None:
    plan = plan_json("ferry", [doc_claim()])

    (claim,) = plan["claims"]
    assert (claim["category"], claim["domain"], claim["depth"]) == ("codebase", "configuration", "shallow")
    assert claim["assertion"]["expected"] == ["30"]
    json.dumps(plan)


def test_fingerprint_stays_when_lines_move_and_wrap() -> None:
    assert fingerprint(doc_claim("a  b\nc", line=3)) == fingerprint(doc_claim("a b c", line=90))
    assert fingerprint(doc_claim("a", document="x")) != fingerprint(doc_claim("a", document="y"))


def _documented() -> dict[str, list[str]]:
    """The fields that each section of the reference lists, by the section's path."""
    page = (ROOT / "docs" / "reference" / "verify-json.md").read_text(encoding="utf-8")
    parts = re.split(r"^## `(.+)`$", page, flags=re.MULTILINE)
    return {
        path: re.findall(r"^\| `(\w+)`", text.partition("## A plan")[0], re.MULTILINE)
        for path, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_the_reference_lists_every_field_in_order() -> None:
    counts = ProposedClaims(
        model="lab/reader", documents=1, proposed=4, taken=1, known=1, misplaced=1, invented=1
    )
    report = findings_json(every_kind().model_copy(update={"proposals": counts}))
    refuted_one, contested_one = (next(f for f in report["findings"] if f["verdict"] == v) for v in ("Refuted", "Contested"))  # fmt: skip

    assert _documented() == {
        "report": list(report),
        "findings[]": list(refuted_one),
        "findings[].evidence[]": list(refuted_one["evidence"][0]),
        "findings[].correction": list(refuted_one["correction"]),
        "findings[].sides[]": list(contested_one["sides"][0]),
        "silenced[]": list(report["silenced"][0]),
        "notices[]": list(report["notices"][0]),
        "errors[]": list(report["errors"][0]),
        "proposals": list(report["proposals"]),
    }
