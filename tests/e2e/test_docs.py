"""The documentation holds: its sessions go as shown, its tables are the program's, its links lead somewhere."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from docs.parts import help_pages
from docs.sessions import ROOT, Workspace, agrees, find_sessions, refreshed
from docs.update import pages, with_parts
from pydantic import AliasChoices
from pydantic.fields import FieldInfo
from tests.builders import make_claim, make_decision, sample_report
from tests.command import run_veridic
from tests.shell import run_script

from veridic.config.settings import Settings
from veridic.decision.aggregation import credibility_score
from veridic.desk.records import QueueView
from veridic.domain.claim import Risk
from veridic.domain.consensus import ConsensusDetails
from veridic.domain.evidence import Quality
from veridic.domain.verdicts import Verdict
from veridic.reporting.json_report import to_json
from veridic.store.runs import RunSummary

PAGES = pages()
REFERENCE = ROOT / "docs" / "reference"


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _rows(page: str) -> dict[str, list[str]]:
    """The rows of all tables by their first cell, where that is one piece of code."""
    cells = ([cell.strip() for cell in line.strip("|").split(" | ")] for line in page.splitlines() if line.startswith("| `"))  # fmt: skip
    return {row[0].strip("` "): row[1:] for row in cells}


@pytest.mark.parametrize("path", [p for p in PAGES if find_sessions(_read(p))], ids=_name)
def test_sessions_go_as_shown(path: Path, tmp_path: Path, reference_home: Path) -> None:
    workspace = Workspace(tmp_path, reference_home, run_script)

    for session in find_sessions(_read(path)):
        for exchange, output in zip(session.exchanges, workspace.run(session), strict=True):
            if not agrees(exchange.shown, output):
                shown = "\n".join(exchange.shown)
                where = f"{_name(path)}, line {session.start + 1}, which `make docs` refreshes"
                pytest.fail(
                    f"{where}:\n{exchange.command}\n--- shown\n{shown}\n--- real\n{output}", pytrace=False
                )


@pytest.mark.parametrize("path", [p for p in PAGES if "<!-- from the program" in _read(p)], ids=_name)
def test_parts_from_the_program_are_the_program_s(path: Path) -> None:
    assert with_parts(_read(path)) == _read(path), "`make docs` writes it again"


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_links_lead_somewhere(path: Path) -> None:
    page = re.sub(r"```.*?```", "", _read(path), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", page):
        if re.match(r"\w+:", target):
            continue
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        assert found.exists(), target
        if anchor:
            assert anchor in _anchors(_read(found)), target


def _anchors(page: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", page, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.fixture(scope="module")
def helps() -> dict[str, str]:
    return help_pages()


def _code(page: str) -> Iterator[str]:
    """What a page sets as code: spans, and blocks line by line, of sessions only what is typed."""
    blocks = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    for language, block in blocks.findall(page):
        if language not in ("console", "pycon"):
            yield from block.splitlines()
    for session in find_sessions(page):
        yield from (exchange.command for exchange in session.exchanges)
    yield from re.findall(r"`([^`\n]+)`", blocks.sub("", page))


def _commands(page: str) -> Iterator[list[str]]:
    """The words after each `veridic` in code, up to the end of the command."""
    for line in _code(page):
        for command in re.findall(r"(?:^|[$|;&] ?)veridic((?: [^|;&]+)?)", line.strip()):
            yield command.split()


@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_commands_and_options_named_exist(path: Path, helps: dict[str, str]) -> None:
    every_option = set(re.findall(r"--[a-z][a-z-]+", " ".join(helps.values())))
    for words in _commands(_read(path)):
        group = next((n for n in (2, 1) if " ".join(["veridic", *words[:n]]) in helps), 0)
        if words and not words[0].startswith(("-", "[", ":")):
            assert group, f"veridic {' '.join(words)}"
        options = {word.partition("=")[0] for word in words if word.startswith("--")}
        known = helps[" ".join(["veridic", *words[:group]])] if group else " ".join(helps.values())
        assert all(option in known for option in options), f"veridic {' '.join(words)}"
    prose = re.sub(r"```.*?```", "", _read(path), flags=re.DOTALL)
    for span in re.findall(r"`(--[a-z-]+)", prose):
        assert span in every_option, span


@pytest.mark.parametrize("path", [p for p in PAGES if "OWNER/veridic" in _read(p)], ids=_name)
def test_workflows_use_inputs_and_hooks_that_exist(path: Path) -> None:
    inputs = set(yaml.safe_load(_read(ROOT / "action.yml"))["inputs"])
    hooks = {hook["id"] for hook in yaml.safe_load(_read(ROOT / ".pre-commit-hooks.yaml"))}
    shown = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", _read(path), re.DOTALL)]
    steps = [step for one in shown for step in _steps(one) if "/veridic@" in step.get("uses", "")]
    used = {hook["id"] for one in shown for repo in one.get("repos", []) for hook in repo["hooks"]}

    assert steps
    assert all(set(step["with"]) <= inputs for step in steps)
    assert used
    assert used <= hooks


def _steps(workflow: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The steps of a workflow, or of the part of a job that a page shows."""
    for job in [workflow, *workflow.get("jobs", {}).values()]:
        yield from job.get("steps", [])


def test_the_command_line_page_names_every_command(helps: dict[str, str]) -> None:
    page = _read(REFERENCE / "command-line.md")

    assert len(helps) > 10
    for command, text in helps.items():
        assert f"## {command}\n" in page
        assert all(option in page for option in re.findall(r"--[a-z][a-z-]+", text))


def test_the_desk_tutorial_names_buttons_that_exist() -> None:
    page = _read(ROOT / "docs" / "tutorial" / "desk-day.md")
    named = set(re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", page))
    web = ROOT / "src" / "veridic" / "web"
    shown = " ".join(_read(file) for kind in ("*.j2", "*.py") for file in web.rglob(kind))

    assert len(named) > 10
    views = {view.replace("_", " ").capitalize() for view in get_args(QueueView)}
    assert {name for name in named - views if name not in shown} == set()


def _sections(page: str) -> dict[str, set[str]]:
    """The fields that each section of the JSON page lists, by the section's path."""
    parts = re.split(r"^## `(.+)`$", page, flags=re.MULTILINE)
    return {path: set(_rows(text)) for path, text in zip(parts[1::2], parts[2::2], strict=True)}


def _objects(value: Any, path: str) -> Iterator[tuple[str, set[str]]]:
    """Every object in a JSON value with its path; `counts` and `models` are maps, and their keys are no fields."""
    if isinstance(value, list):
        for item in value:
            yield from _objects(item, f"{path}[]")
    elif isinstance(value, dict) and path not in ("counts", "models"):
        yield path or "report", set(value)
        for key, item in value.items():
            yield from _objects(item, f"{path}.{key}" if path else key)


def _fields(*values: Any) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for value in values:
        for path, fields in _objects(value, ""):
            found[path] = found.get(path, set()) | fields
    return found


def test_the_json_page_lists_every_field(reference_home: Path) -> None:
    report = sample_report()
    extracted = report.document.model_copy(update={"text_is_source": False})
    told = ConsensusDetails(
        extractor="a", checkers=("b",), reporter="c", report_text="", annotated_content=""
    )
    others = ({"document": extracted}, {"consensus": told})
    fields = _fields(to_json(report), *(to_json(report.model_copy(update=other)) for other in others))
    fields["runs[]"] = set(RunSummary.model_fields)
    corpora = run_veridic("corpus", "list", "--format", "json", home=reference_home).stdout
    fields["corpora[]"] = set(json.loads(corpora)[0])

    assert _sections(_read(REFERENCE / "json.md")) == fields


def _variables(name: str, field: FieldInfo) -> list[str]:
    """What a setting can be set by."""
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        return list(map(str, alias.choices))
    return [str(alias or f"VERIDIC_{name.upper()}")]


def test_the_settings_page_lists_every_setting_and_its_default() -> None:
    rows = {name: cells for name, cells in _rows(_read(REFERENCE / "settings.md")).items() if name.isupper()}
    fields = {
        variable: field.default
        for name, field in Settings.model_fields.items()
        for variable in _variables(name, field)
    }

    assert set(rows) == set(fields)
    for name, default in fields.items():
        if isinstance(default, int | float) and not isinstance(default, bool):
            assert float(rows[name][0].strip("`")) == default


def _documented_score(verdicts: list[tuple[Verdict, Risk, float]]) -> int:
    """The score as its page says it is worked out."""
    rows = _rows(_read(REFERENCE / "score.md"))
    worth = {verdict: float(rows[verdict][0].rstrip(" |")) for verdict in Verdict if verdict in rows}
    weight = {risk: float(rows[risk][0].rstrip(" |")) for risk in Risk}
    weights = [weight[risk] for _, risk, _ in verdicts]
    values = [0.5 + (worth[v] - 0.5) * (0.5 + 0.5 * confidence) for v, _, confidence in verdicts]
    score = 100 * sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
    if {v for v, _, _ in verdicts} == {Verdict.SUPPORTED}:
        score = max(score, 90)
    elif {v for v, _, _ in verdicts} == {Verdict.REFUTED}:
        score = min(score, 20)
    return round(score)


@pytest.mark.parametrize(
    "verdicts",
    [
        [(verdict, risk, confidence) for verdict in Verdict if verdict not in ("AMBIGUOUS", "UNVERIFIABLE")]
        for risk in Risk
        for confidence in (0.0, 0.6, 1.0)
    ]
    + [[(Verdict.SUPPORTED, Risk.LOW, 0.4)], [(Verdict.REFUTED, Risk.HIGH, 0.4), (Verdict.REFUTED, Risk.LOW, 0.9)]]
    + [[(Verdict.SUPPORTED, Risk.HIGH, 0.9), (Verdict.REFUTED, Risk.LOW, 0.7), (Verdict.OUTDATED, Risk.MEDIUM, 1.0)]],
)  # fmt: skip
def test_the_score_is_worked_out_as_its_page_says(verdicts: list[tuple[Verdict, Risk, float]]) -> None:
    decisions = [
        make_decision(make_claim(risk=risk), verdict, confidence=confidence)
        for verdict, risk, confidence in verdicts
    ]

    assert credibility_score(decisions) == _documented_score(verdicts)


def test_the_quality_formula_is_the_program_s() -> None:
    page = _read(REFERENCE / "evidence.md")
    formula = re.search(r"^quality = (.+)$", page, re.MULTILINE)
    assert formula is not None
    weights = {name: float(weight) for weight, name in re.findall(r"([\d.]+) × (\w+)", formula[1])}

    for name in Quality.model_fields:
        only = Quality(**{other: float(other == name) for other in Quality.model_fields})
        assert only.score == weights.pop(name)
    assert weights == {}


REAL = "FC-2026-000007\n  FALSE   credibility 12 of 100   as of 1 May 2027\n\nClaims\n  first\n  second\n\nMethod"


@pytest.mark.parametrize(
    ("shown", "same"),
    [
        (REAL, True),
        ("FC-2026-000001 FALSE credibility 10 of 100 as of 2 June 2026 Claims first second Method", True),
        ("FC-2026-000001\n...\nClaims\n...\n  second\n...", True),
        ("...", True),
        ("FC-2026-000001\n...\nClaims\n  second\n...", False),
        ("FC-2026-000001\n  FALSE   credibility 80 of 100   as of 1 May 2027\n...", False),
        ("FC-2026-000001\n  TRUE   credibility 12 of 100   as of 1 May 2027\n...", False),
        ("FC-2026-000001", False),
        ("", False),
    ],
)
def test_what_is_shown_is_compared(shown: str, same: bool) -> None:
    assert agrees(shown.splitlines(), REAL) is same


def test_refreshing_leaves_out_what_was_left_out() -> None:
    shown = "FC-2026-000001\n  TRUE   credibility 9 of 100   as of today\n...\n  second\n...".splitlines()

    fresh = refreshed(shown, REAL)

    assert fresh == [*REAL.splitlines()[:2], "...", "  second", "..."]
    assert refreshed(fresh, REAL) == fresh
    assert refreshed([], REAL) == REAL.splitlines()
