"""The options of `veridic verify`, combined with the project's settings."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from veridic.cli.verify import VerifyFormat, VerifyOptions
from veridic.cli.verify_run import (
    baseline_file,
    failing_verdicts,
    make_order,
    refuse_contradictions,
)
from veridic.config.project import DocumentChoice, ProjectSettings
from veridic.domain.code import CodeVerdict
from veridic.domain.errors import VeridicError
from veridic.domain.modes import EngineChoice

PLAIN = VerifyOptions(
    documents=(), repo=Path(), format=VerifyFormat.TEXT, output=None, fail_on=None, everything=False, plan=False,
    engine=EngineChoice.AUTO, use_cache=True, since=None, only_changed=False, commits=None, run_tests=None,
    run_examples=False, run_configured=False, check_links=False, databases=(), apis=(), fix=False, apply=False,
    baseline=None, write_baseline=False,
)  # fmt: skip


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name in ("README.md", "docs/guide.md", "docs/old/first.md", "src/app.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("Words.\n", encoding="utf-8")
    return tmp_path


def documents(repository: Path, *names: str, project: ProjectSettings | None = None) -> tuple[str, ...]:
    return make_order(
        replace(PLAIN, repo=repository, documents=names), project or ProjectSettings()
    ).documents


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"apply": True}, "--fix"),
        ({"plan": True, "fix": True}, "--plan"),
        ({"plan": True, "write_baseline": True}, "--plan"),
        ({"plan": True, "format": VerifyFormat.SARIF}, "text or json"),
        ({"fix": True, "format": VerifyFormat.JSON}, "--output"),
        ({"since": "main", "only_changed": True}, "--since or --changed"),
        ({"fix": True, "write_baseline": True}, "--fix or --write-baseline"),
        ({"write_baseline": True, "documents": ("README.md",)}, "whole repository"),
    ],
)
def test_contradictory_options_are_rejected(given: dict[str, Any], said: str) -> None:
    with pytest.raises(VeridicError, match=said):
        refuse_contradictions(replace(PLAIN, **given))


def test_documents_relative_to_here_or_the_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert documents(repository, "docs/guide.md", str(repository / "README.md")) == (
        "docs/guide.md",
        "README.md",
    )
    monkeypatch.chdir(repository / "docs")
    assert documents(Path(".."), "guide.md", "README.md") == ("docs/guide.md", "README.md")


def test_folder_means_all_its_documents(repository: Path) -> None:
    assert documents(repository, "docs") == ("docs/guide.md", "docs/old/first.md")
    assert documents(repository, str(repository)) == ()


def test_documents_outside_the_repository_are_rejected(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "x.md"
    outside.write_text("x", encoding="utf-8")
    (repository / "link.md").symlink_to(outside)
    (repository / "empty").mkdir()

    with pytest.raises(VeridicError, match="is not in the repository"):
        documents(repository, str(outside))
    with pytest.raises(VeridicError, match=r"no file or folder 'link\.md' in"):
        documents(repository, "link.md")
    with pytest.raises(VeridicError, match=r"no file or folder 'none\.md'"):
        documents(repository, "none.md")
    with pytest.raises(VeridicError, match="nothing to check in empty"):
        documents(repository, "empty")


def test_project_settings_choose_the_documents(repository: Path) -> None:
    chosen = ProjectSettings(documents=DocumentChoice(include=["*.md"], exclude=["docs/old/"]))

    assert documents(repository, project=chosen) == ("README.md", "docs/guide.md")
    assert documents(repository, "docs/old/first.md", project=chosen) == ("docs/old/first.md",)


def test_project_patterns_without_match_are_rejected(repository: Path) -> None:
    chosen = ProjectSettings(documents=DocumentChoice(include=["*.rst"]))

    with pytest.raises(VeridicError, match="name no file of the repository"):
        documents(repository, project=chosen)


def test_repository_settings_alone_run_nothing(repository: Path) -> None:
    project = ProjectSettings.model_validate({"run-tests": "make evil", "run-examples": True})
    options = replace(PLAIN, repo=repository)

    unasked = make_order(options, project)
    asked = make_order(replace(options, run_configured=True), project)
    own = make_order(replace(options, run_tests="pytest -q", run_configured=True), project)

    assert (unasked.run_tests, unasked.run_examples) == (None, False)
    assert (asked.run_tests, asked.run_examples) == ("make evil", True)
    assert own.run_tests == "pytest -q"


@pytest.mark.parametrize(
    ("option", "project", "failing"),
    [
        (None, None, {CodeVerdict.REFUTED, CodeVerdict.STALE}),
        (None, [], set()),
        (None, ["Stale"], {CodeVerdict.STALE}),
        ("refuted, STALE,", ["Ambiguous"], {CodeVerdict.REFUTED, CodeVerdict.STALE}),
        ("", ["Stale"], set()),
    ],
)
def test_fail_on_option_takes_precedence_over_the_project(
    option: str | None, project: list[str] | None, failing: set[CodeVerdict]
) -> None:
    settings = ProjectSettings.model_validate({} if project is None else {"fail-on": project})

    assert failing_verdicts(replace(PLAIN, fail_on=option), settings) == failing


def test_unknown_verdict_lists_the_known_ones() -> None:
    with pytest.raises(
        VeridicError, match="--fail-on: 'Wrong' is not a verdict; there are Verified, Refuted"
    ):
        failing_verdicts(replace(PLAIN, fail_on="Wrong"), ProjectSettings())


def test_baseline_must_be_in_the_repository(repository: Path) -> None:
    options = replace(PLAIN, repo=repository)

    assert baseline_file(options, ProjectSettings()) is None
    assert (
        baseline_file(replace(options, write_baseline=True), ProjectSettings())
        == repository / "veridic-baseline.json"
    )
    assert baseline_file(options, ProjectSettings(baseline="known.json")) == repository / "known.json"
    for name in ("../known.json", "/etc/passwd"):
        with pytest.raises(VeridicError, match="is not in the repository"):
            baseline_file(options, ProjectSettings(baseline=name))
