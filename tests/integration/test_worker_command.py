"""`veridic worker`, as the person sees it who starts it."""

from pathlib import Path

from tests.command import run_veridic_process


def test_a_worker_says_which_database_it_works_on(tmp_path: Path) -> None:
    done = run_veridic_process("worker", "--until-empty", home=tmp_path)

    assert done.stderr == f"Working on the checks in {tmp_path / 'veridic.db'} (Ctrl-C ends it).\n"
    assert done.returncode == 0
