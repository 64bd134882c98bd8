"""Defaults outside of declarations in code, and outside of sentences in documents."""

from pathlib import Path

import pytest
from tests.unit.verify.projects import context_of, verify

from veridic.domain.code import AssertionKind, CodeVerdict
from veridic.verify.corrections import may_be_applied
from veridic.verify.facts.fallbacks import read_fallbacks

LIST = "# Kit\n\nDefault:\n\n- `retry_limit`: `{}`\n"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("kit.js", "const o = {retryLimit: options.retryLimit ?? 3};\n"),
        ("kit.ts", "const {retryLimit = 3} = options;\n"),
        ("kit.py", "limit = options.get('retryLimit', 3)\n"),
        ("kit.py", "if self.retryLimit is None:\n    self.retryLimit = 3\n"),
        ("kit.go", "if c.RetryLimit == 0 {\n\tc.RetryLimit = 3\n}\n"),
        ("kit.go", 'viper.SetDefault("retryLimit", 3)\n'),
        ("kit.rs", "let limit = args.retry_limit.unwrap_or(3);\n"),
        ("Kit.java", 'int limit = properties.getInt("retryLimit", 3);\n'),
    ],
)
def test_fallback_value_is_the_default(path: str, code: str, tmp_path: Path) -> None:
    assert {fact.value for fact in read_fallbacks(path, code)} == {"3"}
    for said, verdict in (("3", CodeVerdict.VERIFIED), ("5", CodeVerdict.REFUTED)):
        report = verify(tmp_path / said, {path: code, "README.md": LIST.format(said)})
        (found,) = [one for one in report.findings if one.claim.assertion.kind is AssertionKind.DEFAULT]
        assert found.verdict is verdict


@pytest.mark.parametrize(
    "code", ["# x = o.get('limit', 3)\n", "o.get('limit', other)\n", "o.get(limit, 3)\n"]
)
def test_only_literals_of_named_settings_are_fallbacks(code: str) -> None:
    assert list(read_fallbacks("kit.py", code)) == []


@pytest.mark.parametrize(
    "files",
    [
        {"kit.py": "DEFAULT_RETRY_LIMIT = 3\n", "other.py": "retry_limit = 9\n"},
        {"defaults.js": "export const retryLimit = 3;\n", "other.js": "const a = {retryLimit: 9};\n"},
        {"kit.py": 'class Retry(Setting):\n    name = "retry_limit"\n    default = 3\n'},
        {"kit.js": "const most = 3;\nmodule.exports = {retryLimit: most};\n"},
        {"kit.js": "const retryLimit = 3;\nconst a = {retryLimit: options.retryLimit};\n"},
    ],
    ids=["by its name", "by its file", "record", "by reference", "passed on"],
)
def test_value_named_default_is_used(files: dict[str, str], tmp_path: Path) -> None:
    for said, verdict in (("3", CodeVerdict.VERIFIED), ("5", CodeVerdict.REFUTED)):
        report = verify(tmp_path / said, {**files, "README.md": LIST.format(said)})
        (found,) = [one for one in report.findings if one.claim.assertion.kind is AssertionKind.DEFAULT]
        assert found.verdict is verdict


def test_correction_found_by_name_only_is_not_applied(tmp_path: Path) -> None:
    files = {"kit.py": "DEFAULT_RETRY_LIMIT = 3\n", "README.md": LIST.format("5")}
    (found,) = [one.correction for one in verify(tmp_path / "project", files).findings if one.correction]
    assert found.corrected == "3"
    assert not may_be_applied(found)


def test_readme_of_an_example_is_about_its_own_settings(tmp_path: Path) -> None:
    files = {
        "kit.py": "DEFAULT_RETRY_LIMIT = 3\n",
        "examples/a/conf.py": "retry_limit = 5\n",
        "examples/a/README.md": LIST.format("5"),
    }
    found = verify(tmp_path / "project", files).findings
    assert CodeVerdict.REFUTED not in [one.verdict for one in found]


@pytest.mark.parametrize(
    ("files", "program"),
    [
        ({"go.mod": "module github.com/someone/kettle/v3\n"}, "kettle"),
        ({"go.mod": "module example.org/x\n", "cmd/kettle/main.go": "package main\n"}, "kettle"),
        ({"src/bin/kettle.rs": "fn main() {}\n"}, "kettle"),
    ],
)
def test_program_names_come_from_modules_and_folders(
    files: dict[str, str], program: str, tmp_path: Path
) -> None:
    assert program in context_of(tmp_path, files).programs
