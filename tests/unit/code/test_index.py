"""Facts of a whole repository: found by name, read once, kept by content."""

import sys
import textwrap
from pathlib import Path

import pytest

from veridic.code.facts import pool
from veridic.code.facts.read import read_facts
from veridic.code.index import FactIndex, build_index
from veridic.code.repository import Repository
from veridic.domain.code import FactKind, FileFacts


def build(root: Path, files: dict[str, str], cache: Path | None = None) -> FactIndex:
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(textwrap.dedent(text), encoding="utf-8")
    return build_index(Repository(root), cache=cache)


def places(index: FactIndex, name: str, *kinds: FactKind) -> list[tuple[str, int]]:
    return [(fact.path, fact.line) for fact in index.named(name, *kinds)]


def test_names_are_found_simple_dotted_and_qualified(tmp_path: Path) -> None:
    index = build(
        tmp_path,
        {
            "src/app/client.py": "class Client:\n    def fetch(self): ...\ndef outer():\n    def fetch(): ...\n",
            "src/app/other.py": "class Other:\n    def fetch(self): ...\n",
            "src/app/__init__.py": "from app.client import Client\n",
        },
    )
    assert places(index, "fetch") == [("src/app/client.py", 2), ("src/app/other.py", 2)]
    assert places(index, "Client.fetch") == [("src/app/client.py", 2)]
    assert places(index, "app.client.Client.fetch") == [("src/app/client.py", 2)]
    assert places(index, "app.client.outer.<locals>.fetch") == [("src/app/client.py", 4)]
    assert places(index, "app.Client") == [("src/app/client.py", 1)]
    assert places(index, "app.Client.fetch") == [("src/app/client.py", 2)]
    assert places(index, "app.Other") == []
    assert places(index, "lient.fetch") == [] and places(index, "nothing") == []
    assert places(index, "Client", FactKind.FUNCTION) == []
    assert index.mentioning("Client") == ("src/app/__init__.py", "src/app/client.py")


def test_flags_variables_and_routes(tmp_path: Path) -> None:
    index = build(
        tmp_path,
        {
            "cli.py": 'parser.add_argument("-v", "--verbose", action="store_true")\nos.getenv("APP_MODE", "x")\n',
            "web.py": 'app = FastAPI()\n@app.get("/users/{user_id}")\ndef show(): ...\n',
            "go.mod": "module x\n\nrequire github.com/a/b v1.0.0\n",
            "urls.py": 'urlpatterns = [path("items/<int:pk>/", view)]\n',
        },
    )
    assert places(index, "github.com/a/b", FactKind.DEPENDENCY) == [("go.mod", 3)]
    assert places(index, "-v") == places(index, "--verbose") == [("cli.py", 1)]
    assert index.named("APP_MODE")[0].value == '"x"'
    assert places(index, "GET /users/{id}") == places(index, "/users/:id") == [("web.py", 2)]
    assert places(index, "POST /users/{id}") == places(index, "GET /v2/users/{id}") == []
    assert places(index, "DELETE /items/7x") == []
    assert places(index, "GET /items/{id}") == places(index, "GET /shop/items/{id}") == [("urls.py", 1)]


def test_option_types_are_shared_between_files(tmp_path: Path) -> None:
    index = build(
        tmp_path,
        {
            "shared.py": 'import typer\nFormatOption = Annotated[str, typer.Option("--format", "-f", help="How.")]\n',
            "cli.py": 'import typer\n@app.command()\ndef show(output_format: FormatOption = "text"): ...\n',
        },
    )
    [fact] = index.named("--format", FactKind.OPTION)
    assert (fact.path, fact.owner, fact.value, fact.aliases) == (
        "cli.py",
        "show",
        '"text"',
        ("--format", "-f"),
    )
    assert not index.named("--output-format")


def test_commands_of_a_module_belong_to_the_group_it_is_added_as(tmp_path: Path) -> None:
    index = build(
        tmp_path,
        {
            "cli/main.py": 'import typer\nfrom cli import db\napp.add_typer(db.app, name="database")\n',
            "cli/db.py": "import typer\napp = typer.Typer()\n@app.command()\ndef upgrade(): ...\n",
        },
    )
    assert (
        places(index, "database upgrade") == places(index, "upgrade", FactKind.COMMAND) == [("cli/db.py", 4)]
    )
    assert index.named("upgrade", FactKind.COMMAND)[0].owner == "database"


def test_unchanged_files_come_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, cache = tmp_path / "repo", tmp_path / "cache" / "facts"
    first = build(root, {"a.py": "LIMIT = 1\n", "b.py": "OTHER = 1\n", "README.md": "text"}, cache)
    read: list[str] = []

    def spy(path: str, language: str, source: str, digest: str) -> FileFacts:
        read.append(path)
        return read_facts(path, language, source, digest)

    monkeypatch.setattr(pool, "read_facts", spy)
    again = build(root, {}, cache)
    assert read == []
    assert dict(again.files) == dict(first.files)
    changed = build(root, {"a.py": "LIMIT = 2\n"}, cache)
    assert read == ["a.py"]
    assert changed.named("LIMIT")[0].value == "2"
    assert changed.digest("b.py") == first.digest("b.py") != changed.digest("a.py") != first.digest("a.py")
    assert changed.digest("missing.py") is None


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "other", "folder"])
def test_a_damaged_cache_is_none(tmp_path: Path, damage: str) -> None:
    root, cache = tmp_path / "repo", tmp_path / "facts"
    build(root, {"a.py": "LIMIT = 1\n"}, cache)
    content = cache.read_bytes()
    cache.unlink()
    match damage:
        case "empty":
            cache.write_bytes(b"")
        case "cut":
            cache.write_bytes(content[:-5])
        case "flipped":
            cache.write_bytes(content[:-5] + bytes([content[-5] ^ 1]) + content[-4:])
        case "other":
            cache.write_bytes(b"\x80\x04c__builtin__\neval\n")
        case "folder":
            cache.mkdir()
    assert build(root, {}, cache).named("LIMIT")[0].value == "1"


def test_files_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "binary.py").write_bytes(b"x = 1\0")
    (tmp_path / "latin.py").write_bytes(b"NAME = 'caf\xe9'  # \xff\n")
    index = build(tmp_path, {"deep.py": "(" * 5_000})
    assert set(index.files) == {"deep.py", "latin.py"}
    assert index.named("NAME")


def test_helpers_read_what_this_process_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"m{number}.py": f"def f{number}(x={number}): return x\n" for number in range(40)}
    alone = build(tmp_path, files)
    # A module that shadows what a helper needs must not be picked up from the repository.
    (tmp_path / "msgpack.py").write_text("raise SystemExit('run')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pool, "TREE_LANGUAGES", {"python"})
    monkeypatch.setattr(pool, "_BATCH_BYTES", 100)
    seen: list[tuple[int, int | None]] = []
    together = build_index(
        Repository(tmp_path), progress=lambda done, total, what: seen.append((done, total))
    )
    assert {path: together.files[path] for path in alone.files} == dict(alone.files)
    assert seen[-1] == (41, 41) and seen == sorted(seen)


def test_a_file_that_takes_too_long_has_no_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_BATCH_SECONDS", 0.5)
    monkeypatch.setattr(pool, "_FILE_SECONDS", 2.0)
    # The parser loses itself in this for hours.
    files = {"Slow.java": "x => " * 3_900, "Quick.java": "class Quick { static final int MAX = 3; }\n"}
    index = build(tmp_path, files)
    assert index.named("MAX")[0].value == "3"
    assert index.files["Slow.java"].facts == ()


def test_without_helpers_python_is_read_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "missing"))
    index = build(tmp_path, {"a.py": "LIMIT = 1\n", "b.js": "const OTHER = 1\n"})
    assert index.named("LIMIT") and not index.named("OTHER")
    assert set(index.files) == {"a.py", "b.js"}
    assert [failure.what for failure in index.failures] == ["b.js"]


def test_what_was_left_unread_is_read_the_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, cache = tmp_path / "project", tmp_path / "facts"
    project.mkdir()
    (project / "b.js").write_text("const OTHER = 1\n", encoding="utf-8")
    with monkeypatch.context() as without_helpers:
        without_helpers.setattr(sys, "executable", str(tmp_path / "missing"))
        assert build_index(Repository(project), cache=cache).failures
    index = build_index(Repository(project), cache=cache)
    assert index.named("OTHER") and not index.failures
