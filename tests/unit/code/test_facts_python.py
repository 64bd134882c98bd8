"""What a Python file shows."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.code.facts.codec import decode_facts, encode
from veridic.code.facts.read import read_facts
from veridic.domain.code import Fact, FactKind, FileFacts, Origin


def facts_of(source: str, path: str = "src/app/core.py") -> FileFacts:
    return read_facts(path, "python", textwrap.dedent(source), "digest")


def one(file: FileFacts, kind: FactKind, name: str) -> Fact:
    [fact] = [fact for fact in file.facts if fact.kind is kind and fact.name == name]
    return fact


def table(file: FileFacts, kind: FactKind) -> dict[str, str | None]:
    return {fact.name: fact.value for fact in file.facts if fact.kind is kind}


def test_a_function_with_everything_about_it() -> None:
    file = facts_of(
        '''
        class Client:
            @retry(times=3)
            async def fetch(self, url: str, /, timeout: float = 30.0, *rest, verify=True, **options) -> Reply:
                """Fetch it."""
                if not url:
                    raise errors.UrlError("empty")
                try:
                    reply = await self.session.get(url)
                except (OSError, TimeoutError):
                    raise
                def inner():
                    return 1
                return Reply(reply)
        '''
    )
    fact = one(file, FactKind.FUNCTION, "fetch")
    assert fact.qualified == "app.core.Client.fetch"
    assert (fact.owner, fact.line, fact.end_line, fact.is_async) == ("Client", 4, 14, True)
    assert [(p.name, p.default, p.annotation) for p in fact.parameters] == [
        ("url", None, "str"),
        ("timeout", "30.0", "float"),
        ("*rest", None, None),
        ("verify", "True", None),
        ("**options", None, None),
    ]
    assert fact.annotation == "Reply"
    assert fact.returns == ("Reply(reply)",)
    assert set(fact.raises) == {"errors.UrlError", "OSError", "TimeoutError"}
    assert fact.calls == ("errors.UrlError", "self.session.get", "Reply")
    assert fact.decorators == ("retry(times=3)",)
    assert one(file, FactKind.FUNCTION, "inner").qualified == "app.core.Client.fetch.<locals>.inner"


def test_yields_and_bare_returns_are_returns() -> None:
    file = facts_of("def f():\n    yield 1\n    x = yield 2\n    return\n")
    assert one(file, FactKind.FUNCTION, "f").returns == ("1", "2", "None")


def test_classes_enums_and_what_they_are_made_of() -> None:
    file = facts_of(
        """
        @dataclass
        class Options:
            size: int = 3
            names: list[str] = field(default_factory=list)
            kind: ClassVar[str] = "x"
        class Server(Base):
            limit = 5
            def __init__(self, port: int = 80): self.port = port
        class Color(StrEnum):
            RED = "red"
            _ignore_ = []
            def shown(self): return 1
        """
    )
    options = one(file, FactKind.CLASS, "Options")
    assert [(p.name, p.default) for p in options.parameters] == [("size", "3"), ("names", "list()")]
    server = one(file, FactKind.CLASS, "Server")
    assert server.bases == ("Base",) and server.members == ("limit", "__init__", "port")
    assert [(p.name, p.default) for p in server.parameters] == [("port", "80")]
    assert one(file, FactKind.ENUM, "Color").members == ("RED",)
    assert one(file, FactKind.CONSTANT, "RED").value == '"red"'
    assert one(file, FactKind.CONSTANT, "RED").owner == "Color"


def test_constants_keep_their_source_text_and_members() -> None:
    file = facts_of(
        """
        LIMIT: int = 20_000
        NAMES = frozenset({"a", "b"})
        Mode = Literal["fast", "slow"]
        TABLE = {"x": 1, "y": 2}
        MIXED = [*NAMES, "c"]
        if WINDOWS:
            SEP = ";"
        else:
            SEP = ":"
        LIMIT += 1
        def f():
            LOCAL = 1
        """
    )
    constants = [fact for fact in file.facts if fact.kind is FactKind.CONSTANT]
    assert [fact.value for fact in constants if fact.name == "LIMIT"] == ["20_000", None]
    assert [fact.value for fact in constants if fact.name == "SEP"] == ['";"', '":"']
    members = {fact.name: fact.members for fact in constants}
    assert (
        members["NAMES"] == ("a", "b")
        and members["Mode"] == ("fast", "slow")
        and members["TABLE"] == ("x", "y")
    )
    assert members["MIXED"] == () and "LOCAL" not in members


def test_environment_reads_with_their_defaults() -> None:
    file = facts_of(
        """
        import os
        NAME = "APP_NAMED"
        a = os.environ.get("APP_A", "1")
        b = os.getenv("APP_B") or "two"
        c = os.environ["APP_C"]
        d = int(os.environ.get(NAME, default=3))
        if "APP_E" in os.environ: pass
        os.environ["APP_SET"] = "x"
        f = env.int("APP_F", default=5)
        g = other.get("APP_G", 1)
        """
    )
    assert table(file, FactKind.ENVIRONMENT) == {
        "APP_A": '"1"',
        "APP_B": '"two"',
        "APP_C": None,
        "APP_NAMED": "3",
        "APP_E": None,
        "APP_F": "5",
    }


def test_argparse_options_belong_to_their_command() -> None:
    file = facts_of(
        """
        parser = argparse.ArgumentParser(prog="tool", description="Does things.")
        parser.add_argument("-v", "--verbose", action="store_true", help="Say more.")
        sub = parser.add_subparsers()
        serve = sub.add_parser("serve", help="Run it.")
        serve.add_argument("--port", type=int, default=8080, help="Port to use.")
        serve.add_argument("--mode", choices=["a", "b"])
        serve.add_argument("path")
        """
    )
    options = {fact.name: fact for fact in file.facts if fact.kind is FactKind.OPTION}
    assert options["--verbose"].aliases == ("-v", "--verbose") and options["--verbose"].value == "False"
    assert (options["--port"].owner, options["--port"].value, options["--port"].annotation) == (
        "serve",
        "8080",
        "int",
    )
    assert options["--mode"].members == ("a", "b") and options["path"].owner == "serve"
    assert set(table(file, FactKind.COMMAND)) == {"tool", "serve"}
    helps = {text.owner: (text.text, text.line) for text in file.texts if text.origin is Origin.HELP}
    assert (
        helps["--port"] == ("Port to use.", 6)
        and helps["serve"][0] == "Run it."
        and helps["tool"][0] == "Does things."
    )


def test_click_commands_and_options() -> None:
    file = facts_of(
        """
        import click
        @click.group()
        def cli(): ...
        @cli.group()
        def db(): ...
        @db.command("migrate", help="Bring it up to date.")
        @click.option("--shout/--no-shout", default=False)
        @click.option("-n", "--count", "number", default=1, envvar="TOOL_COUNT", type=click.Choice(["1", "2"]))
        @click.argument("name")
        def run_it(shout, number, name): ...
        """
    )
    options = {fact.name: fact for fact in file.facts if fact.kind is FactKind.OPTION}
    assert options["--count"].aliases == ("-n", "--count") and options["--count"].members == ("1", "2")
    assert options["--shout"].aliases == ("--shout", "--no-shout")
    assert "name" in options
    assert table(file, FactKind.ENVIRONMENT) == {"TOOL_COUNT": "1"}
    assert one(file, FactKind.COMMAND, "migrate").aliases == ("migrate", "db migrate")


def test_typer_options_of_every_style() -> None:
    file = facts_of(
        """
        import typer
        app = typer.Typer()
        @app.command()
        def make_it(
            ctx: typer.Context,
            path: Path,
            count: int = 3,
            loud: bool = False,
            name: str = typer.Option("x", "--name", "-n", help="Its name.", envvar="TOOL_NAME"),
            mode: Annotated[Literal["a", "b"], typer.Option(help="How.")] = "a",
            source: Annotated[str, typer.Argument(help="From.")] = ".",
            needed: str = typer.Option(..., "--needed"),
        ): ...
        app.command("other")(module.other)
        """
    )
    options = {fact.name: fact for fact in file.facts if fact.kind is FactKind.OPTION}
    assert set(options) == {"path", "--count", "--loud", "--name", "--mode", "source", "--needed"}
    assert options["--count"].value == "3" and options["--count"].owner == "make-it"
    assert options["--loud"].aliases == ("--loud", "--no-loud")
    assert options["--name"].aliases == ("--name", "-n") and options["--name"].value == '"x"'
    assert options["--mode"].members == ("a", "b") and options["--mode"].value == '"a"'
    assert options["source"].value == '"."' and options["--needed"].value is None
    assert table(file, FactKind.ENVIRONMENT) == {"TOOL_NAME": '"x"'}
    assert set(table(file, FactKind.COMMAND)) == {"make-it", "other"}


def test_routes_of_web_frameworks() -> None:
    file = facts_of(
        """
        app = FastAPI()
        router = APIRouter(prefix="/api/users")
        @router.get("/{user_id}")
        async def show(user_id): ...
        @app.post("/login")
        def login(): ...
        @app.route("/both/<int:key>", methods=["GET", "PUT"])
        def both(key): ...
        app.add_api_route("/added", login, methods=["DELETE"])
        client.get("/not-a-route")
        """
    )
    assert [(fact.name, fact.owner) for fact in file.facts if fact.kind is FactKind.ROUTE] == [
        ("GET /api/users/{user_id}", "router"),
        ("POST /login", ""),
        ("GET /both/{key}", ""),
        ("PUT /both/{key}", ""),
        ("DELETE /added", ""),
    ]
    django = facts_of(
        'urlpatterns = [path("users/<int:pk>/", view), path("api/", include("api.urls"))]', "shop/urls.py"
    )
    assert [fact.name for fact in django.facts if fact.kind is FactKind.ROUTE] == ["ANY /users/{pk}/"]


def test_settings_are_set_by_variables() -> None:
    file = facts_of(
        """
        class Settings(BaseSettings):
            model_config = SettingsConfigDict(env_prefix="APP_")
            port: int = 8080
            token: SecretStr = Field(validation_alias="API_TOKEN")
            name: str = Field(default="x", validation_alias=AliasChoices("NAME", "APP_TITLE"))
        class Computed(BaseSettings):
            model_config = SettingsConfigDict(env_prefix=PREFIX + "_")
            size: int = 1
        DEFAULTS = {"retries": 3}
        """
    )
    assert table(file, FactKind.ENVIRONMENT) == {
        "APP_PORT": "8080",
        "API_TOKEN": None,
        "NAME": '"x"',
        "APP_TITLE": '"x"',
    }
    assert table(file, FactKind.SETTING) == {
        "port": "8080",
        "token": None,
        "name": '"x"',
        "size": "1",
        "retries": "3",
    }


def test_setup_py_is_read_and_never_run() -> None:
    file = facts_of(
        """
        from setuptools import setup
        raise SystemExit("never run")
        setup(name="tool", version="1.2", python_requires=">=3.8", install_requires=["a>=1", "b[x] ; sys_platform"],
              entry_points={"console_scripts": ["tool = tool.cli:main"]})
        """,
        "setup.py",
    )
    assert table(file, FactKind.VERSION) == {"tool": "1.2"}
    assert table(file, FactKind.RUNTIME) == {"python": ">=3.8"}
    assert table(file, FactKind.DEPENDENCY) == {"a": ">=1", "b": None}
    assert table(file, FactKind.SCRIPT) == {"tool": "tool.cli:main"}


def test_the_version_of_the_project() -> None:
    assert table(facts_of('__version__ = "1.4"\n', "src/tool/__init__.py"), FactKind.VERSION) == {
        "tool": "1.4"
    }


def test_texts_know_their_owner_and_line() -> None:
    file = facts_of(
        '''
        """The module."""
        # About everything,
        # in two lines.
        LIMIT = 3  # at most three

        # Fetches.
        def fetch():
            """Fetch it."""
            url = "# not a comment"
            # Inside.
            return url
        '''
    )
    assert [(text.origin.value, text.text, text.line, text.owner) for text in file.texts] == [
        ("docstring", "The module.", 2, "app.core"),
        ("comment", "About everything,\nin two lines.", 3, "app.core"),
        ("comment", "at most three", 5, "app.core"),
        ("comment", "Fetches.", 7, "app.core.fetch"),
        ("docstring", "Fetch it.", 9, "app.core.fetch"),
        ("comment", "Inside.", 11, "app.core.fetch"),
    ]
    assert {"LIMIT", "fetch", "url"} <= file.identifiers


def test_columns_after_other_scripts_are_right() -> None:
    file = facts_of('GREETING = {"שלום": 1}; OTHER = "naïve"\n')
    assert table(file, FactKind.CONSTANT) == {"GREETING": '{"שלום": 1}', "OTHER": '"naïve"'}


@pytest.mark.parametrize(
    "source",
    [
        "(" * 20_000,
        "-" * 20_000 + "1",
        "x = a" + "\n.b" * 5_000,
        "x = (1" + "\n+ 1" * 20_000 + ")",
        "if a:\n    X = 1\n" + "elif b:\n    X = 2\n" * 5_000,
        "x = '" + "\\" * 10_000,
        '"""' * 9_999,
        "null\0byte = 1",
        "print 'Python 2'",
        "x = '\ud800'",
        "\x0c\r\r\n",
        "",
    ],
)
def test_no_source_is_too_strange(source: str) -> None:
    file = read_facts("a.py", "python", source, "d")
    assert file.path == "a.py" and file.digest == "d"


@given(st.text())
def test_facts_survive_the_cache(source: str) -> None:
    file = read_facts("a.py", "python", f"X = 1\n{source}\n", "d")
    assert decode_facts(encode(file), "a.py", "d") == file
