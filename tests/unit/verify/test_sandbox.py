"""The sandbox confines commands of a repository."""

import os
import shutil
from pathlib import Path

import pytest

from veridic.domain.code import CodeVerdict, EvidenceTier
from veridic.domain.errors import InputError, UsageError
from veridic.domain.evidence import Stance
from veridic.verify.evidence.examples import Example, check_example
from veridic.verify.sandbox.run import (
    SYSTEM_FOLDERS,
    Limits,
    Ran,
    evidence_of,
    readable_programs,
    run_in_sandbox,
)


@pytest.fixture(scope="module")
def _can_confine(tmp_path_factory: pytest.TempPathFactory) -> None:
    try:
        run_in_sandbox("true", tmp_path_factory.mktemp("empty"))
    except UsageError as error:
        pytest.skip(str(error))


@pytest.fixture
def root(tmp_path: Path, _can_confine: None) -> Path:
    folder = tmp_path / "project"
    (folder / "src" / "shop").mkdir(parents=True)
    (folder / "src" / "shop" / "__init__.py").write_text("def total(prices):\n    return sum(prices)\n")
    (folder / "README.md").write_text("Words.\n")
    return folder


def test_command_runs_in_a_copy(root: Path) -> None:
    ran = run_in_sandbox("cat README.md && echo new > README.md && cat README.md && exit 3", root)
    assert (ran.exit_code, ran.output) == (3, "Words.\nnew\n")
    assert (root / "README.md").read_text() == "Words.\n"


def test_files_outside_the_copy_are_read_only(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "stolen"
    ran = run_in_sandbox(
        f"echo x > {target}; echo x > {root}/README.md; mount -o remount,rw /; echo x > {target}", root
    )
    assert "Read-only file system" in ran.output
    assert not target.exists()
    assert (root / "README.md").read_text() == "Words.\n"


def test_user_files_can_not_be_read(root: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("geheim")
    (root / "link").symlink_to(secret)
    ran = run_in_sandbox(
        f"cat link; cat {secret}; cat /proc/1/root{secret}; ls -a {tmp_path} ~ {Path.home()}", root
    )
    assert "No such file or directory" in ran.output
    assert not {"geheim", "secret"} & set(ran.output.split())


def test_only_system_folders_are_visible(root: Path) -> None:
    ran = run_in_sandbox("ls /; ls /dev", root)
    own = {Path(folder).parts[1] for folder in SYSTEM_FOLDERS}
    devices = set("fd full null ptmx pts random shm stderr stdin stdout tty urandom zero".split())
    made = {"dev", "proc", "run", "tmp", "var"}
    of_programs = {Path(path).parts[1] for path in readable_programs("ls", os.environ["PATH"], root)}
    assert set(ran.output.split()) <= own | devices | made | of_programs | {root.parts[1]}


def test_repository_is_readable_at_its_own_path(root: Path) -> None:
    (root / ".venv").mkdir()
    (root / ".venv" / "tool").write_text("here")
    assert run_in_sandbox(f"cat {root}/README.md .venv/tool", root).output == "Words.\nhere"


def test_number_of_processes_is_limited(root: Path) -> None:
    (root / "fork.py").write_text(
        "import os, signal\n"
        "children = 0\n"
        "try:\n"
        "    while children < 200:\n"
        "        if os.fork() == 0:\n"
        "            signal.pause()\n"
        "        children += 1\n"
        "except BlockingIOError:\n"
        "    print('limited')\n"
    )
    ran = run_in_sandbox("python3 fork.py", root, limits=Limits(processes=30, seconds=60))
    assert ran.output == "limited\n"


def test_only_the_loopback_network_is_reachable(root: Path) -> None:
    reach_out = "import socket; socket.create_connection(('192.0.2.1', 80), 5)"
    ran = run_in_sandbox(f'python3 -c "{reach_out}"', root)
    assert ran.exit_code == 1
    assert "unreachable" in ran.output
    own = (
        "import socket; s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname())"
    )
    assert run_in_sandbox(f'python3 -c "{own}"', root).exit_code == 0


def test_environment_contains_no_secrets(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "geheim")
    ran = run_in_sandbox("env; cat /proc/*/environ", root)
    assert "PATH=" in ran.output
    assert "geheim" not in ran.output


def test_all_capabilities_are_dropped(root: Path) -> None:
    ran = run_in_sandbox("grep -E 'Cap(Prm|Eff|Bnd)' /proc/self/status", root)
    assert set(ran.output.split()) == {"CapPrm:", "CapEff:", "CapBnd:", "0000000000000000"}


def test_time_limit_kills_all_processes(root: Path) -> None:
    ran = run_in_sandbox("echo begun; sleep 1000 & sleep 1000", root, limits=Limits(seconds=1))
    assert (ran.exit_code, ran.output) == (None, "begun\n")


def test_memory_and_disk_are_limited(root: Path) -> None:
    small = Limits(memory_bytes=500_000_000, file_bytes=100_000)
    assert "MemoryError" in run_in_sandbox("python3 -c 'bytearray(600_000_000)'", root, limits=small).output
    ran = run_in_sandbox("head -c 200000 /dev/zero > big; wc -c < big", root, limits=small)
    assert ran.output.split()[-1] == "100000"
    full = Limits(disk_bytes=1_000_000)
    assert "No space left" in run_in_sandbox("head -c 2000000 /dev/zero > big", root, limits=full).output


def test_long_output_is_truncated(root: Path) -> None:
    ran = run_in_sandbox("echo first; yes | head -c 1000000; echo; echo last", root)
    assert len(ran.output) < 30_000
    assert ran.output.startswith("first\n")
    assert ran.output.endswith("last\n")


def test_repository_with_special_files_is_copied(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "out").symlink_to("/etc/passwd")
    (root / "round").symlink_to(root)
    (root / "conftest.py").write_text("raise SystemExit(9)\n")
    (root / "name\n\u202e").write_text("x")
    assert run_in_sandbox("true", root).exit_code == 0


def test_repository_larger_than_the_limit_is_rejected(root: Path) -> None:
    (root / "big").write_bytes(b"\0" * 2_000_000)
    with pytest.raises(InputError, match="could not be set up"):
        run_in_sandbox("true", root, limits=Limits(disk_bytes=1_000_000))


@pytest.mark.parametrize("command", ["", "  ", "a\0b", "x" * 5_000])
def test_invalid_command_is_rejected(tmp_path: Path, command: str) -> None:
    with pytest.raises(UsageError):
        run_in_sandbox(command, tmp_path)


def test_nothing_runs_if_confinement_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(UsageError, match="VERIDIC_UNCONFINED_TESTS=true"):
        run_in_sandbox(f"touch {tmp_path}/ran", tmp_path)
    assert list(tmp_path.iterdir()) == []


def _installed(prefix: Path, program: str) -> Path:
    for part in ("bin", "lib"):
        (prefix / part).mkdir(parents=True, exist_ok=True)
    file = prefix / "bin" / program
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


def test_virtual_environment_and_its_interpreter_are_readable(tmp_path: Path) -> None:
    interpreter, environment = tmp_path / "python-3.12", tmp_path / "environment"
    _installed(interpreter, "python3")
    (interpreter / "notes").mkdir()
    _installed(environment, "pytest")
    (environment / "pyvenv.cfg").write_text(f"home = {interpreter}/bin\nversion = 3.12.1\n")
    found = readable_programs("make test", f"/usr/bin:{environment}/bin", tmp_path / "project")
    assert found == [str(environment), f"{interpreter}/bin", f"{interpreter}/lib"]


def test_script_folders_in_home_are_not_readable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for prefix in (tmp_path, tmp_path / ".local"):
        _installed(prefix, "deploy")
    search_path = f"{tmp_path}/bin:{tmp_path}/.local/bin:{tmp_path}:/usr/bin"
    assert readable_programs("pytest -q", search_path, tmp_path / "project") == []


def test_program_is_readable_at_its_symlink_target(tmp_path: Path) -> None:
    (tmp_path / "links" / "bin").mkdir(parents=True)
    link = tmp_path / "links" / "bin" / "checker"
    link.symlink_to(_installed(tmp_path / "tools" / "checker-2.0", "checker"))
    found = readable_programs("checker --all", str(link.parent), tmp_path / "project")
    tool = tmp_path / "tools" / "checker-2.0"
    assert found == [str(link), f"{tool}/bin", f"{tool}/lib", f"{tool}/bin/checker"]


def test_unconfined_command_also_runs_in_a_copy(tmp_path: Path) -> None:
    ran = run_in_sandbox("touch ran; echo $HOME", tmp_path, is_confined=False)
    assert ran.exit_code == 0
    assert ran.output.strip() != os.environ.get("HOME")
    assert list(tmp_path.iterdir()) == []


def test_evidence_has_command_and_end_of_output() -> None:
    ran = Ran(command="pytest -q", exit_code=1, output="x" * 5_000 + "\n1 failed, 3 passed\n")
    evidence = evidence_of(ran, Stance.CONTRADICTING)
    assert (evidence.tier, evidence.path) == (EvidenceTier.TESTS, "$ pytest -q")
    assert evidence.quote.endswith("1 failed, 3 passed\n(exit code 1)")
    assert len(evidence.quote) < 2_000


@pytest.mark.parametrize(
    ("language", "code", "verdict"),
    [
        ("python", "from shop import total\nassert total([1, 2]) == 3\n", CodeVerdict.VERIFIED),
        ("python", "from shop import total\nassert total([1, 2]) == 4\n", CodeVerdict.REFUTED),
        ("python", "from shop.prices import total\n", CodeVerdict.REFUTED),
        ("python", "from shop import sums\n", CodeVerdict.REFUTED),
        ("python", ">>> from shop import total\n>>> total([1, 2])\n3\n", CodeVerdict.VERIFIED),
        ("python", ">>> from shop import total\n>>> total([1, 2])\n4\n", CodeVerdict.REFUTED),
        ("python", "import no_such_package\n", CodeVerdict.INCONCLUSIVE),
        ("python", "import socket\nsocket.create_connection(('192.0.2.1', 80))\n", CodeVerdict.INCONCLUSIVE),
        ("shell", "test -f README.md\nfalse\ntrue\n", CodeVerdict.REFUTED),
        ("shell", "no-such-program --help\n", CodeVerdict.INCONCLUSIVE),
    ],
)
def test_examples_are_run(root: Path, language: str, code: str, verdict: CodeVerdict) -> None:
    found = check_example(Example("README.md", 3, language, code), root)
    assert found.verdict is verdict, found.evidence[0].quote
    assert found.evidence[0].tier is EvidenceTier.TESTS


def test_example_that_times_out_is_inconclusive(root: Path) -> None:
    example = Example("README.md", 3, "shell", "sleep 1000\n")
    assert check_example(example, root, limits=Limits(seconds=1)).verdict is CodeVerdict.INCONCLUSIVE
