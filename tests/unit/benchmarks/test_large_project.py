import ast
from pathlib import Path

from benchmarks.large_project import write_project
from benchmarks.measure import QUICK

from veridic.config.settings import Settings
from veridic.domain.code import CodeVerdict
from veridic.verify.order import VerifyOrder
from veridic.verify.run import verify_repository


def written(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_project_is_reproducible_python_of_the_size_asked(tmp_path: Path) -> None:
    made = write_project(tmp_path / "one", QUICK.lines)
    write_project(tmp_path / "other", QUICK.lines)
    files = written(tmp_path / "one")
    assert files == written(tmp_path / "other")
    assert QUICK.lines <= made.lines == sum(len(text.splitlines()) for text in files.values())
    defined = {
        node.name
        for path, text in files.items()
        if path.endswith(".py")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
    }
    assert set(made.names) <= defined
    assert len(set(made.names)) == len(made.names)


def test_another_seed_writes_another_project(tmp_path: Path) -> None:
    assert (
        write_project(tmp_path / "one", 500, seed=1).names
        != write_project(tmp_path / "other", 500, seed=2).names
    )


def test_its_documents_are_mostly_true(tmp_path: Path) -> None:
    write_project(tmp_path / "project", 5_000)
    order = VerifyOrder(root=tmp_path / "project", use_cache=False, with_unsure=True)
    found = verify_repository(order, Settings(home=tmp_path / "home")).counts()
    assert found[CodeVerdict.VERIFIED] > 50
    assert found.get(CodeVerdict.REFUTED, 0) < 10
    assert set(found) <= {CodeVerdict.VERIFIED, CodeVerdict.REFUTED, CodeVerdict.INCONCLUSIVE}
