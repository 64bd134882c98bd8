"""Claims found by several processes: the same as by one, whatever becomes of the others."""

import sys
from pathlib import Path

import pytest

from veridic.code import helpers
from veridic.code.claims import pool
from veridic.code.claims.find import find_claims
from veridic.code.claims.names import Names
from veridic.code.index import FactIndex, build_index
from veridic.code.repository import Repository
from veridic.domain.code import DocClaim

_FILES = 12


@pytest.fixture
def index(tmp_path: Path) -> FactIndex:
    """Modules whose docstrings speak of each other's functions, and a document about all of them."""
    project = tmp_path / "project"
    project.mkdir()
    for number in range(_FILES):
        (project / f"m{number}.py").write_text(
            f"LIMIT_{number} = {number}\n\n\ndef serve{number}(port=80{number:02}):\n"
            f'    """Calls `serve{(number + 1) % _FILES}()`.\n\n    Args:\n        port: Defaults to 80{number:02}.\n    """\n',
            encoding="utf-8",
        )
    said = "\n\n".join(f"`serve{number}(port=80{number:02})` serves." for number in range(_FILES))
    (project / "README.md").write_text(said, encoding="utf-8")
    return build_index(Repository(project), cache=tmp_path / "facts")


def without_helpers(index: FactIndex, monkeypatch: pytest.MonkeyPatch) -> list[DocClaim]:
    with monkeypatch.context() as patch:
        patch.setattr(pool, "_MOST_HELPERS", 0)
        return find_claims(index)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bytes | None]:
    """Three cores, and a helper for every file; holds what helpers have answered."""
    answers: list[bytes | None] = []
    ask = helpers.Helper.ask

    def noted(helper: helpers.Helper, message: bytes, seconds: float) -> bytes | None:
        answers.append(ask(helper, message, seconds))
        return answers[-1]

    monkeypatch.setattr("veridic.code.helpers._cores", lambda: 3)
    monkeypatch.setattr(pool, "_WORTH_A_HELPER", 1)
    monkeypatch.setattr(pool, "_BATCH_BYTES", 1)
    monkeypatch.setattr(helpers.Helper, "ask", noted)
    return answers


@pytest.fixture
def idle_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process leaves the work to the helpers as long as they are there."""
    do = pool._Work.do
    rounds: list[pool._Work] = []

    def second_time(work: pool._Work, names: Names) -> None:
        rounds.append(work)
        if len(rounds) > 1:
            do(work, names)

    monkeypatch.setattr(pool._Work, "do", second_time)


@pytest.mark.usefixtures("idle_here")
def test_helpers_find_what_this_process_would(
    index: FactIndex, asked: list[bytes | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = find_claims(index)
    assert len(asked) == 2 + _FILES + 1 and None not in asked
    monkeypatch.undo()
    assert found == without_helpers(index, monkeypatch) != []


@pytest.mark.usefixtures("idle_here")
@pytest.mark.parametrize("trouble", ["no interpreter", "no facts", "too slow", "nonsense"])
def test_what_helpers_fail_at_is_not_lost(
    index: FactIndex, asked: list[bytes | None], monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    match trouble:
        case "no interpreter":
            monkeypatch.setattr(sys, "executable", str(index.repository.root / "missing"))
        case "no facts":
            assert index.kept_in is not None
            index.kept_in.unlink()
        case "too slow":
            monkeypatch.setattr(pool, "_SECONDS", 0.0)
        case "nonsense":
            monkeypatch.setattr(helpers.Helper, "ask", lambda helper, message, seconds: b"[[]")
    found = find_claims(index)
    # Whoever is given no time may still be done in time, on a machine that is busy elsewhere.
    assert trouble in ("nonsense", "too slow") or set(asked) <= {None}
    monkeypatch.undo()
    assert found == without_helpers(index, monkeypatch) != []
