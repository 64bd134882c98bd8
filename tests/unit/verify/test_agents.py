"""Agents use different evidence: disagreement is shown, and missing evidence leaves a claim open."""

from pathlib import Path

import pytest
from tests.unit.verify.projects import verify

from veridic.domain.code import AssertionKind, CodeVerdict, Depth, EvidenceTier, Finding, VerifyReport
from veridic.domain.evidence import Stance
from veridic.verify.gates import CONTESTED
from veridic.verify.rules import rule

ALARMS = {CodeVerdict.REFUTED, CodeVerdict.STALE, CodeVerdict.MISLEADING, CodeVerdict.CONTESTED}
MANIFEST = '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "brew:main"\n'
TABLE = "# Tool\n\n| Option | Default |\n|---|---|\n| `--port` | `8080` |\n"


def project(
    readme: str = TABLE, *, port: str = "9090", more: str = "", parse: str = "parse_args"
) -> dict[str, str]:
    code = (
        "import argparse\n\n"
        'parser = argparse.ArgumentParser(prog="tool")\n'
        f'parser.add_argument("--port", type=int, default={port})\n'
        f"{more}"
        f"result = parser.{parse}()\n"
    )
    return {"pyproject.toml": MANIFEST, "brew.py": code, "README.md": readme}


def default_in(report: VerifyReport, document: str = "README.md") -> Finding:
    (found,) = [
        one
        for one in report.findings
        if one.claim.assertion.kind is AssertionKind.DEFAULT and one.claim.document == document
    ]
    return found


def on(report: VerifyReport, name: str) -> list[Finding]:
    subjects = [(one, one.claim.assertion.subject) for one in report.findings]
    return [one for one, subject in subjects if subject and subject.name == name]


def alarms(report: VerifyReport) -> list[str]:
    return [one.reason for one in report.findings if one.verdict in ALARMS]


def test_disagreeing_code_and_tests_are_both_shown(tmp_path: Path) -> None:
    tests = {"tests/test_tool.py": "def test_port():\n    assert options([]).port == 8080\n"}
    found = default_in(verify(tmp_path / "p", project() | tests))
    assert found.verdict is CodeVerdict.CONTESTED
    assert {side.verdict for side in found.sides} == {CodeVerdict.REFUTED, CodeVerdict.VERIFIED}
    assert [(side.agent, [one.path for one in side.evidence]) for side in found.sides] == [
        ("configuration", ["brew.py"]),
        ("correctness", ["tests/test_tool.py"]),
    ]
    assert CONTESTED in found.gates
    assert found.correction is None


def test_claim_against_code_and_tests_is_refuted(tmp_path: Path) -> None:
    tests = {"tests/test_tool.py": "def test_port():\n    assert options([]).port == 9090\n"}
    found = default_in(verify(tmp_path / "p", project() | tests))
    assert found.verdict is CodeVerdict.REFUTED
    assert found.depth is Depth.MEDIUM


def test_tests_may_show_what_code_does_not(tmp_path: Path) -> None:
    tests = {"tests/test_tool.py": "def test_port():\n    assert options([]).port == 8080\n"}
    found = default_in(verify(tmp_path / "p", project(port="compute()") | tests))
    assert found.verdict is CodeVerdict.VERIFIED
    assert [one.path for one in found.evidence] == ["tests/test_tool.py"]


def test_disagreeing_documents_leave_claim_open_and_are_named(tmp_path: Path) -> None:
    other = {"docs/use.md": "The `--port` option defaults to `9000`.\n"}
    report = verify(tmp_path / "p", project(port="compute()") | other)
    for document, names in (("README.md", "docs/use.md:1"), ("docs/use.md", "README.md:5")):
        found = default_in(report, document)
        assert found.verdict is CodeVerdict.INCONCLUSIVE
        assert names in found.reason
        (shown,) = [one for one in found.evidence if one.tier is EvidenceTier.DOCUMENTATION]
        assert (f"{shown.path}:{shown.line}", shown.stance) == (names, Stance.CONTRADICTING)
        assert found.would_settle


def test_code_decides_between_disagreeing_documents(tmp_path: Path) -> None:
    other = {"docs/use.md": "The `--port` option defaults to `9090`.\n"}
    report = verify(tmp_path / "p", project() | other)
    assert default_in(report).verdict is CodeVerdict.REFUTED
    assert default_in(report, "docs/use.md").verdict is CodeVerdict.VERIFIED


@pytest.mark.parametrize(
    "declared",
    [
        {"more": 'for name in ("speed", "depth"):\n    parser.add_argument(f"--{name}")\n'},
        {"more": "engine = {'speed': 1}\n", "parse": "parse_known_args"},
    ],
    ids=["computed names", "unknown ones are taken"],
)
def test_incomplete_table_reports_nothing_missing(tmp_path: Path, declared: dict[str, str]) -> None:
    report = verify(tmp_path / "p", project("# Tool\n\n```sh\ntool --speed 3\n```\n", **declared))
    (found,) = on(report, "--speed")
    assert found.verdict is CodeVerdict.INCONCLUSIVE
    assert "brew.py:" in found.reason
    assert found.would_settle
    assert alarms(report) == []


def test_complete_table_reports_missing_option(tmp_path: Path) -> None:
    report = verify(tmp_path / "p", project("# Tool\n\n```sh\ntool --speed 3\n```\n"))
    assert [one.verdict for one in on(report, "--speed")] == [CodeVerdict.REFUTED]


@pytest.mark.parametrize(
    "said",
    [
        "```sh\ngrep --count x\n```",
        "```sh\ndocker run --rm tool\n```",
        "```sh\nanother --speed 3\n```",
        "`git commit --amend` changes the last one.",
        "Call `curl --silent` first.",
    ],
)
def test_flags_of_other_programs_are_ignored(tmp_path: Path, said: str) -> None:
    assert alarms(verify(tmp_path / "p", project(f"# Tool\n\n{said}\n"))) == []


@pytest.mark.parametrize("name", ["CHANGELOG.md", "HISTORY.rst"])
def test_changelogs_are_not_checked(tmp_path: Path, name: str) -> None:
    past = "Changes\n=======\n\n* The `--port` option defaults to `80`.\n* Added `--gone` and `tool.vanished()`.\n"
    report = verify(tmp_path / "p", project("# Tool\n") | {name: past})
    assert [one.verdict for one in report.findings if one.claim.document == name] == []


@pytest.mark.parametrize(("confidence", "is_shown"), [(0.89, False), (0.9, True)])
def test_only_confident_alarms_are_shown_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, confidence: float, is_shown: bool
) -> None:
    monkeypatch.setattr(rule, "confidence_in", lambda *_: confidence)
    shown = default_in(verify(tmp_path / "p", project(), with_unsure=False))
    assert shown.verdict is (CodeVerdict.REFUTED if is_shown else CodeVerdict.INCONCLUSIVE)
    assert is_shown or ("not counted as Refuted" in shown.reason and shown.correction is None)
    asked_for = default_in(verify(tmp_path / "p", with_unsure=True))
    assert (asked_for.verdict, asked_for.confidence) == (CodeVerdict.REFUTED, confidence)
    assert asked_for.correction is not None


HOST = "https://github.com/someone/kettle"


@pytest.mark.parametrize(
    ("address", "is_alarm"),
    [
        (f"{HOST}/blob/main/docs/gone.md", True),
        (f"{HOST}/blob/main/docs/guide.md", False),
        (f"{HOST}/tree/master/docs", False),
        (f"{HOST}/blob/v1.2/docs/gone.md", False),
        ("https://github.com/other/kettle/blob/main/docs/gone.md", False),
    ],
    ids=["gone", "there", "folder", "tag", "another's"],
)
def test_links_to_the_projects_own_host_are_checked(address: str, is_alarm: bool, tmp_path: Path) -> None:
    files = {
        "package.json": f'{{\n  "name": "kettle",\n  "repository": "{HOST}"\n}}\n',
        "docs/guide.md": "# Guide\n",
        "README.md": f"# kettle\n\nSee [it]({address}).\n",
    }
    assert bool(alarms(verify(tmp_path / "p", files))) is is_alarm
