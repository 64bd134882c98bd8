"""Reading definitions in five languages as facts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridic.verify.facts.model import Fact, FactKind, FileFacts, Parameter
from veridic.verify.facts.symbols import complete_classes, has_member, read_symbols

PYTHON = """
LIMIT = 60 * 60
DEFAULTS = {"timeout": 30, "retry": {"count": 2}}

class Client(Base, metaclass=Meta):
    retries: int = 3
    def __init__(self, url, /, *args, timeout: float = 1.5, **rest) -> None:
        self.mode = "fast"
        self.url = url

    def get(self, path: str) -> "Reply":
        if not path:
            raise errors.Missing(path)
        raise ValueError

@dataclass(frozen=True)
class Settings:
    port: int = 8080
    hosts: list[str] = field(default_factory=list)

def run(*, quiet=False):
    def inner(): ...
"""
TYPESCRIPT = """
export interface Options extends Base { retry?: number; close(): void }
export type Extra = { name: string; inner: { deep: string } } & Options;
export const defaults = { timeout: 10_000, retry: { limit: 2 }, after: codes } as const;
export enum Mode { Fast, Slow = 'slow' }
export class Pool<T> extends Base<T> implements Closable {
  static readonly size = 5;
  #hidden = 1;
  constructor(private readonly url: string, { a = 1, b: renamed }: Options = {}) { super(); this.open = true; }
  async take(count: number, ...rest: string[]): Promise<T> { throw new TimeoutError('x'); }
}
export const make = (name = 'x') => name;
"""
JAVASCRIPT = """
function Old(name) { this.name = name; }
Old.prototype.get = function (key) { throw new Error('x'); };
exports.run = function (options, done) { const hidden = 5; };
"""
GO = """package store

type Config struct {
	Port, Limit int
	*Base
}

const timeout = 30 * time.Second

func DefaultConfig() Config { return Config{Port: 8080, Limit: 5} }

func (c *Config) Load(path string, more ...Option) error { return nil }
"""
RUST = """
#[derive(Debug, Clone)]
pub struct Config { pub port: u16 }
#[derive(Builder)]
pub struct Made { a: u8 }
pub enum Level { Info = 1, Debug }
impl Default for Config { fn default() -> Self { Self { port: 8080 } } }
impl Config { pub fn load(&self, path: &str) -> Result<()> { todo!() } }
pub const WAIT: Duration = Duration::from_secs(5);
#[cfg(test)]
mod tests { const HIDDEN: u8 = 1; }
"""
JAVA = """package org.example;

public class Pool extends Base implements Closeable {
  public static final int MAX = 10, MIN = 2;
  private String mode = "fast";
  public Pool(int size, String... names) throws IOException { this.wait = 30; }
  public <T> List<T> take(final long timeout) { throw new TimeoutException("x"); }
  enum Level { INFO(1), DEBUG }
}
@Data class Made { int a; }
record Point(int x, int y) {}
"""


def named(read: FileFacts, name: str, kind: FactKind | None = None) -> Fact:
    return next(fact for fact in read.facts if fact.name == name and kind in (None, fact.kind))


def constants(read: FileFacts) -> dict[str, str | None]:
    return {f"{fact.owner}:{fact.name}": fact.value for fact in read.facts if fact.kind is FactKind.CONSTANT}


def test_python_functions_with_their_parameters() -> None:
    read = read_symbols("src/shop/net/client.py", PYTHON)
    init = named(read, "__init__")
    assert init.qualified == "shop.net.client.Client.__init__"
    assert init.parameters == (
        Parameter("url"),
        Parameter("args", is_variadic=True),
        Parameter("timeout", "1.5", "float"),
        Parameter("rest", is_variadic=True),
    )
    get = named(read, "get")
    assert (get.owner, get.returns, get.raises) == ("Client", '"Reply"', ("errors.Missing", "ValueError"))
    assert (get.line, get.end_line) == (11, 14)
    assert named(read, "run").parameters == (Parameter("quiet", "False"),)
    assert not [fact for fact in read.facts if fact.name == "inner"]


def test_python_classes_and_constants() -> None:
    read = read_symbols("src/shop/client.py", PYTHON)
    client = named(read, "Client")
    assert client.bases == ("Base",)
    assert set(client.members) == {"retries", "__init__", "get", "mode", "url"}
    assert not client.members_are_complete
    assert named(read, "Settings").members_are_complete
    assert [one.name for one in named(read, "Settings").parameters] == ["port", "hosts"]
    found = constants(read)
    assert found[":LIMIT"] == "60 * 60"
    assert found["DEFAULTS:timeout"] == "30"
    assert found["DEFAULTS.retry:count"] == "2"
    assert found["Client:mode"] == "fast"
    assert found["Settings:port"] == "8080"
    assert named(read, "LIMIT").is_literal


@pytest.mark.parametrize(
    "body",
    [
        "    def __getattr__(self, name): ...",
        "    def fill(self, values):\n        setattr(self, values, 1)",
        "    def fill(self, values):\n        self.__dict__.update(values)",
        "    pass\nsetattr(Thing, name, 1)",
    ],
)
def test_python_classes_with_possible_other_members(body: str) -> None:
    assert not named(read_symbols("a.py", f"class Thing:\n{body}\n"), "Thing").members_are_complete


def test_typescript_types_with_their_members() -> None:
    read = read_symbols("source/pool.ts", TYPESCRIPT)
    assert set(named(read, "Options").members) == {"retry", "close"}
    assert named(read, "Extra").members == ("name", "inner")
    assert named(read, "Extra").bases == ("Options",)
    assert named(read, "Mode").members == ("Fast", "Slow")
    pool = named(read, "Pool")
    assert pool.bases == ("Base",)
    assert set(pool.members) == {"size", "#hidden", "constructor", "take", "url", "open"}
    assert pool.parameters == (Parameter("url", annotation="string"), Parameter("a", "1"), Parameter("b"))


def test_typescript_functions_and_constants() -> None:
    read = read_symbols("source/pool.ts", TYPESCRIPT)
    take = named(read, "take")
    assert (take.qualified, take.returns, take.raises) == ("pool.Pool.take", "Promise<T>", ("TimeoutError",))
    assert take.parameters[1] == Parameter("rest", annotation="string[]", is_variadic=True)
    assert named(read, "make").parameters == (Parameter("name", "'x'"),)
    found = constants(read)
    assert found["defaults:timeout"] == "10_000"
    assert found["defaults.retry:limit"] == "2"
    assert found["defaults:after"] == "codes"
    assert found["Mode:Slow"] == "slow"
    assert found["Pool:open"] == "true"


def test_javascript_functions_by_assignment() -> None:
    read = read_symbols("lib/old.js", JAVASCRIPT)
    assert (named(read, "get").owner, named(read, "get").raises) == ("Old", ("Error",))
    assert [one.name for one in named(read, "run").parameters] == ["options", "done"]
    assert not [fact for fact in read.facts if fact.name == "hidden"]


def test_go_structs_methods_and_defaults() -> None:
    read = read_symbols("store/config.go", GO)
    config = named(read, "Config")
    assert config.members == ("Port", "Limit", "Base")
    assert config.bases == ("Base",)
    load = named(read, "Load")
    assert (load.owner, load.qualified, load.returns) == ("Config", "store.Config.Load", "error")
    assert load.parameters[1] == Parameter("more", annotation="Option", is_variadic=True)
    assert constants(read) == {":timeout": "30 * time.Second", "Config:Port": "8080", "Config:Limit": "5"}


def test_rust_types_methods_and_defaults() -> None:
    read = read_symbols("src/net/config.rs", RUST)
    config = named(read, "Config")
    assert config.qualified == "net::config::Config"
    assert config.bases == ("Debug", "Clone", "Default")
    assert named(read, "load").parameters == (Parameter("path", annotation="&str"),)
    assert named(read, "load").owner == "Config"
    assert constants(read) == {
        "Level:Info": "1",
        "Level:Debug": None,
        "Config:port": "8080",
        ":WAIT": "Duration::from_secs(5)",
    }


def test_java_classes_methods_and_constants() -> None:
    read = read_symbols("src/main/java/org/example/Pool.java", JAVA)
    pool = named(read, "Pool", FactKind.CLASS)
    assert pool.qualified == "org.example.Pool"
    assert pool.bases == ("Base", "Closeable")
    assert pool.parameters == (Parameter("size", annotation="int"), Parameter("names", is_variadic=True))
    assert named(read, "Pool", FactKind.FUNCTION).raises == ("IOException",)
    assert named(read, "take").raises == ("TimeoutException",)
    assert named(read, "Level").members == ("INFO", "DEBUG")
    assert not named(read, "Made").members_are_complete
    assert named(read, "Point").members == ("x", "y")
    found = constants(read)
    assert (found["Pool:MAX"], found["Pool:MIN"], found["Pool:mode"]) == ("10", "2", "fast")
    assert (found["Pool:wait"], found["Pool.Level:INFO"]) == ("30", "1")


def completed(files: dict[str, str], name: str) -> Fact:
    facts = [fact for path, text in files.items() for fact in read_symbols(path, text).facts]
    return next(fact for fact in complete_classes(facts) if fact.name == name and fact.kind is FactKind.CLASS)


def test_class_has_the_members_of_its_bases() -> None:
    files = {"a.py": "class Child(Base):\n    x = 1\n", "b.py": "class Base:\n    def close(self): ...\n"}
    child = completed(files, "Child")
    assert has_member(child, "close") is True
    assert has_member(child, "open") is False


def test_unknown_base_may_have_any_member() -> None:
    child = completed({"a.py": "class Child(Elsewhere):\n    x = 1\n"}, "Child")
    assert has_member(child, "x") is True
    assert has_member(child, "open") is None


def test_methods_of_other_files_are_members() -> None:
    files = {
        "p/a.go": "package p\n\ntype T struct{ A int }\n",
        "p/b.go": "package p\n\nfunc (t *T) Do() {}\n",
    }
    assert has_member(completed(files, "T"), "Do") is True
    assert has_member(completed(files, "T"), "Undo") is False


def test_constants_in_other_files_are_members() -> None:
    files = {"src/a.rs": "pub struct T { a: u8 }\n", "src/b.rs": "impl T { const ALL: u8 = 1; }\n"}
    assert has_member(completed(files, "T"), "ALL") is True


def test_members_of_an_inner_builder_count_for_the_class() -> None:
    files = {"A.java": "class A { static class Builder { Builder add(int x) { return this; } } }"}
    assert has_member(completed(files, "A"), "add") is True
    assert has_member(completed(files, "A"), "remove") is False


def test_unknown_trait_in_another_file_may_add_members() -> None:
    files = {
        "src/a.rs": "pub struct T { a: u8 }\n",
        "src/b.rs": "impl Iterator for T { fn next(&mut self) -> Option<u8> { None } }\n",
    }
    assert has_member(completed(files, "T"), "map") is None


def test_derived_methods_are_members() -> None:
    config = completed({"src/a.rs": RUST}, "Config")
    assert has_member(config, "clone") is True
    assert has_member(config, "save") is False
    assert has_member(completed({"src/a.rs": RUST}, "Made"), "build") is None


def test_circular_bases_are_handled() -> None:
    child = completed({"a.py": "class A(B): ...\nclass B(A):\n    x = 1\n"}, "A")
    assert has_member(child, "x") is True


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.ts", "a.tsx", "a.go", "a.rs", "a.java"])
@pytest.mark.parametrize(
    "text", ["", "\ufeff", "\0\0", "{" * 100_000, "class A" * 500, "def f(:\n  class", "((((\n" * 20_000]
)
def test_hostile_files_are_read(path: str, text: str) -> None:
    read = read_symbols(path, text)
    assert all(1 <= fact.line <= text.count("\n") + 1 for fact in read.facts)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.java", "class A { " * 2_000),
        ("a.rs", "mod a { struct B; " * 2_000),
        ("a.ts", "namespace a { interface B { x: 1 } " * 2_000),
        ("a.py", "class A:\n    x = 1\n" * 2_000),
        ("a.js", "function f() { throw new E(); " * 2_000),
        ("a.go", "package p\n" + "type T struct { A int }\n" * 2_000),
    ],
)
def test_deep_and_long_files_are_read(path: str, text: str) -> None:
    text = text.replace("{ ", "{\n")
    assert len(read_symbols(path, text).facts) + len(read_symbols(path, text).gaps) > 0


def test_syntax_error_is_a_gap() -> None:
    read = read_symbols("a.java", "class A { int x = ; void f( }")
    assert {gap.kind for gap in read.gaps} == {FactKind.FUNCTION, FactKind.CLASS, FactKind.CONSTANT}
    assert not any(fact.members_are_complete for fact in read.facts)


def test_unreadable_files_are_gaps() -> None:
    assert read_symbols("a.kt", "fun run() {}").gaps
    assert read_symbols("a.js", "x" * 10_000).gaps
    assert read_symbols("a.md", "# Title") == FileFacts()


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([("a.py", PYTHON), ("a.ts", TYPESCRIPT), ("a.go", GO), ("a.rs", RUST), ("a.java", JAVA)]),
    st.integers(0, 900),
    st.text("(){}[]\"'`:;,.<>@#\n \tax", max_size=12),
)
def test_damaged_files_never_raise(file: tuple[str, str], at: int, inserted: str) -> None:
    path, text = file
    damaged = text[:at] + inserted + text[at + 3 :]
    read = read_symbols(path, damaged)
    lines = damaged.split("\n")
    for fact in complete_classes(read.facts):
        assert 1 <= fact.line <= len(lines)
        assert fact.quote in lines[fact.line - 1]
