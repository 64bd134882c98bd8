"""The `[tool.veridic]` table."""

from pathlib import Path

import pytest

from veridic.config.project import ProjectSettings, load_project
from veridic.domain.code import CodeVerdict
from veridic.domain.errors import VeridicError

EVERYTHING = """
[tool.veridic]
documents = { include = ["README.md", "docs/**"], exclude = ["docs/old"] }
exclude = ["tests/data"]
fail-on = ["Refuted", "stale"]
baseline = "veridic-baseline.json"
run-tests = "pytest -q"
run-examples = true
"""


def load(folder: Path, text: str, name: str = "veridic.toml") -> ProjectSettings:
    (folder / name).write_text(text, encoding="utf-8")
    return load_project(folder)


def test_every_key_is_read(tmp_path: Path) -> None:
    project = load(tmp_path, EVERYTHING, "pyproject.toml")

    assert project.documents.include == ("README.md", "docs/**")
    assert project.documents.exclude == ("docs/old",)
    assert project.exclude == ("tests/data",)
    assert project.fail_on == (CodeVerdict.REFUTED, CodeVerdict.STALE)
    assert (project.baseline, project.run_tests, project.run_examples) == (
        "veridic-baseline.json",
        "pytest -q",
        True,
    )


def test_veridic_toml_takes_precedence(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(EVERYTHING, encoding="utf-8")

    assert load(tmp_path, 'documents = ["guide"]').documents.include == ("guide",)
    assert load_project(tmp_path).baseline is None


@pytest.mark.parametrize("text", ["", "[tool.other]\nx = 1", "[project]\nname = 'x'", "tool = 3"])
def test_project_without_settings_has_the_defaults(text: str, tmp_path: Path) -> None:
    assert load(tmp_path, text, "pyproject.toml") == ProjectSettings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fail_on = []", "has a key 'fail_on' that Veridic doesn't know; it knows documents,"),
        (
            "documents = { files = [] }",
            "has a key 'documents.files' that Veridic doesn't know; it knows include, exclude.",
        ),
        ("fail-on = ['Wrong']", "fail-on is wrong: 'Wrong' is not a verdict; there are Verified, Refuted"),
        ("fail-on = 'Refuted'", "fail-on is wrong: it has to be a list of strings"),
        ("exclude = [1]", "exclude is wrong: it has to be a list of strings"),
        ("documents = 'README.md'", "documents is wrong"),
        ("run-examples = 'yes'", "run-examples is wrong: input should be a valid boolean"),
        ("baseline = 3", "baseline is wrong: input should be a valid string"),
        ("a = ", "is not TOML"),
    ],
)
def test_bad_settings_give_one_sentence(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(VeridicError) as refused:
        load(tmp_path, text)

    sentence = str(refused.value)
    assert sentence.startswith("veridic.toml")
    assert said in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert refused.value.exit_code == 2


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"x = " + b"[" * 5_000, b"\x00"])
def test_unreadable_file_gives_one_sentence(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "veridic.toml").write_bytes(content)

    with pytest.raises(VeridicError, match=r"^veridic\.toml [^\n]*\.$"):
        load_project(tmp_path)


def test_link_out_of_the_repository_is_rejected(tmp_path: Path) -> None:
    outside = tmp_path / "outside.toml"
    outside.write_text("fail-on = []", encoding="utf-8")
    inside = tmp_path / "repository"
    inside.mkdir()
    (inside / "veridic.toml").symlink_to(outside)

    with pytest.raises(VeridicError, match="leads out of the repository"):
        load_project(inside)
