"""Declarations of programs, joined over files, and when a table is complete."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridic.verify.facts.declarations import collect, is_not_product_code, read_declarations
from veridic.verify.facts.model import FactKind, Table

OPTIONS = (
    'import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument("--port", default=LIMIT)\n'
)
ENDINGS = ("py", "js", "ts", "tsx", "go", "rs", "java")
PIECES = (
    'import argparse, click, os; "--x"', "use clap::Arg;", 'import "flag"', "from 'arg'", "picocli", "(", ")", "{", "}", "[", "\n", '"',
    "'", "`", "#[arg(long", ")]", 'Arg::new("x").long("y")', '.add_argument("--a"', "process.env.", "os.environ[", '@Option(names="-x")',
    'case "--x":', 'struct { A int `cmd:"" help:"b"`', "\x00", "é", "\ud800", "\\", "match x { ", '"--q" => ', "vec![", "=",
)  # fmt: skip


def options(*files: tuple[str, str]) -> Table:
    return collect(files)[FactKind.OPTION]


def test_constant_of_another_file_is_resolved() -> None:
    table = options(("app/cli.py", OPTIONS), ("app/limits.py", "LIMIT = 1_000  # at most\n"))
    (port,) = table.named("--port")
    assert (port.value, port.is_literal) == ("1000", True)


def test_constant_assigned_twice_is_not_resolved() -> None:
    table = options(("app/cli.py", OPTIONS), ("app/a.py", "LIMIT = 1\n"), ("app/b.py", "LIMIT = 2\n"))
    (port,) = table.named("--port")
    assert (port.value, port.is_literal) == ("LIMIT", False)


def test_computed_constant_is_not_resolved() -> None:
    (port,) = options(("app/cli.py", OPTIONS), ("app/a.py", "LIMIT = 2 * 3\n")).named("--port")
    assert not port.is_literal


@pytest.mark.parametrize(
    "path",
    [
        "tests/cli.py",
        "src/cli_test.go",
        "a/examples/cli.py",
        "src/cli.spec.ts",
        "x/src/test/java/CliTest.java",
    ],
)
def test_tests_and_examples_declare_nothing(path: str) -> None:
    assert is_not_product_code(path)
    assert not options((path, OPTIONS)).is_known


def test_declared_options_are_complete() -> None:
    table = options(("app/cli.py", OPTIONS))
    assert table.is_complete
    assert not table.named("--verbose")


def test_table_without_options_is_not_known() -> None:
    table = options(("app/a.py", "print(1)\n"))
    assert not table.is_known
    assert not table.is_complete


def test_comparison_with_a_declared_option_leaves_no_gap() -> None:
    table = options(("app/cli.py", OPTIONS), ("app/a.py", 'if "--port" in sys.argv: pass\n'))
    assert table.is_complete


def test_comparison_with_another_option_leaves_a_gap() -> None:
    table = options(("app/cli.py", OPTIONS), ("app/a.py", 'if "--fast" in sys.argv: pass\n'))
    assert table.named("--fast")
    assert not table.is_complete


def test_options_of_other_programs_are_ignored() -> None:
    many = OPTIONS + 'parser.add_argument("--a")\nparser.add_argument("--b")\n'
    table = options(("app/cli.py", many), ("app/pip.py", 'def f(given):\n    return "--pre" in given\n'))
    assert not table.named("--pre")
    assert table.is_complete


def test_options_of_helper_scripts_are_not_complete() -> None:
    program = "fn main() { run() }\n" * 50
    assert not options(("scripts/release.py", OPTIONS), ("src/main.rs", program)).is_complete


def test_options_of_an_unknown_type_leave_a_gap() -> None:
    shared = "use clap::Parser;\n#[derive(Parser)]\nstruct Cli {\n    #[command(flatten)]\n    shared: Shared,\n}\n"
    own = "use clap::Args;\n#[derive(Args)]\npub struct Shared {\n    #[arg(long)]\n    fast: bool,\n}\n"
    assert not options(("src/main.rs", shared)).is_complete
    assert options(("src/main.rs", shared), ("src/shared.rs", own)).is_complete


def test_variables_are_never_complete() -> None:
    table = collect([("app/a.py", 'import os\nos.environ["HOME_DIR"]\n')])[FactKind.ENVIRONMENT]
    assert table.named("HOME_DIR")
    assert not table.is_complete


@pytest.mark.parametrize("ending", ENDINGS)
def test_deep_nesting_is_a_gap(ending: str) -> None:
    text = 'import argparse\nimport "flag"\nuse clap::Arg; picocli; yargs;' + "add_argument(" * 100_000
    assert read_declarations(f"a.{ending}", text).gaps


def test_file_of_one_long_line_is_a_gap() -> None:
    assert read_declarations("a.js", "import y from 'yargs';" + 'y.option("a", {});' * 5_000).gaps


def test_long_call_chain_is_read() -> None:
    (fact,) = read_declarations("a.rs", 'fn f() { clap::Arg::new("x")' + '\n.long("a")' * 3_000 + "; }").facts
    assert fact.name == "--a"


def test_unparsable_file_is_a_gap() -> None:
    assert read_declarations("a.py", "import argparse\nparser.add_argument('--x'\n").gaps


@pytest.mark.parametrize("path", ["README.md", "a.txt", "Makefile", ""])
def test_other_files_give_nothing(path: str) -> None:
    read = read_declarations(path, OPTIONS)
    assert not read.facts
    assert not read.gaps


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(ENDINGS),
    st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=30).map("".join),
)
def test_line_numbers_are_within_the_file(ending: str, text: str) -> None:
    read = read_declarations(f"src/a.{ending}", text)
    lines = text.count("\n") + 1
    found = [fact.line for fact in read.facts] + [gap.line for gap in read.gaps]
    assert all(1 <= line <= lines for line in found)
