"""The units for systemd fit the program, and systemd finds nothing wrong with them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.test_compose import parse, variables_of_settings

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))


def values_of(unit: Path, key: str) -> list[str]:
    return re.findall(rf"^{key}=(.+)$", unit.read_text(encoding="utf-8"), re.MULTILINE)


def test_there_is_a_unit_for_the_server_and_one_for_any_number_of_workers() -> None:
    assert [unit.name for unit in UNITS] == ["veridic-worker@.service", "veridic.service"]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_every_command_and_variable_of_a_unit_is_one_of_the_program(unit: Path) -> None:
    (started,) = values_of(unit, "ExecStart")
    program, *words = started.split()
    assert program.endswith("/veridic")
    parse(words)
    assert {value.partition("=")[0] for value in values_of(unit, "Environment")} <= variables_of_settings()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
def test_systemd_finds_nothing_wrong(tmp_path: Path) -> None:
    """The program and the file of the environment are where they would be on the machine of the site, and not here."""
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8").replace("/opt/veridic/bin/veridic", sys.executable)
        (tmp_path / unit.name.replace("@", "@1")).write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=no", *map(str, sorted(tmp_path.iterdir()))],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
