"""Claims of each kind against a small project: what is verified, what is refuted, and what is left alone."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.code.compare.project import a, claim_of, index_of, look, word

from veridic.code.index import FactIndex
from veridic.domain.code import (
    AssertionKind as K,
)
from veridic.domain.code import (
    ClaimCategory,
    Depth,
    EvidenceTier,
    Origin,
    Quantifier,
)
from veridic.domain.code import (
    EntityKind as E,
)
from veridic.domain.evidence import Stance

FILES = {
    "pyproject.toml": (
        '[project]\nname = "app"\nversion = "1.2.0"\nrequires-python = ">=3.11,<3.14"\ndependencies = ["httpx>=0.27"]\n'
        '[project.scripts]\napp = "app.cli:main"\n'
    ),
    "src/app/__init__.py": "from app.client import Client\n",
    "src/app/client.py": '''
from enum import Enum
from typing import overload

DEFAULT_TIMEOUT = 60
MAX_BYTES = 10 * 1024 * 1024
TTL_SECONDS = 300


class AppError(Exception):
    pass


class MissingError(AppError):
    pass


class Level(Enum):
    LOW = "low"
    HIGH = "high"


class Base:
    def close(self):
        pass


class Client(Base):
    """Talks.

    Args:
        url: Where.
        timeout: How long.
    """

    def __init__(self, url, timeout=DEFAULT_TIMEOUT, level=Level.LOW):
        self.url = url

    def fetch(self, number: int, strict: bool = False) -> dict | None:
        """Fetch one.

        Raises:
            MissingError: If there is none.
        """
        if not strict:
            return None
        raise MissingError(number)

    def check(self, number):
        """Check it.

        Raises:
            ValueError: If it is wrong.
        """
        if len(number) != 12:
            raise TypeError(number)
        return True

    def all(self, numbers):
        return [self.fetch(number) for number in numbers]

    async def wait(self):
        return None

    def open(self, **options):
        return options


def is_ready(client) -> str:
    return "yes"


def validate_number(number):
    raise ValueError(number)


def names() -> list[str]:
    return []


@overload
def load(path: str) -> str: ...
@overload
def load(path: str, mode: int) -> bytes: ...
def load(*args):
    return args
''',
    "src/app/cli.py": '''
import argparse
import os

PORT = os.environ.get("APP_PORT", "8080")
HOST = os.environ.get("APP_HOST", "localhost")


def main():
    parser = argparse.ArgumentParser(prog="app")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    parser.add_argument("--limit", type=int, default=20)
    commands = parser.add_subparsers()
    commands.add_parser("run")
    commands.add_parser("list")
''',
    "src/app/server.py": '''
from fastapi import FastAPI

app = FastAPI()


@app.get("/items/{number}")
def item(number):
    return {}
''',
    "Makefile": "test:\n\tpytest\n",
    "docs/guide.md": "# The guide\n\n## Set-up & more\n\n<a id=\"special\"></a>\n",
    "tests/test_client.py": "DEFAULT_TIMEOUT = 5\nONLY_HERE = 3\n",
    "README.md": "# App\n",
}  # fmt: skip
PARAMETER = a(E.PARAMETER, "timeout", "Client")
FETCH = a(E.FUNCTION, "Client.fetch")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> FactIndex:
    return index_of(tmp_path_factory.mktemp("app"), FILES)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        # defaults and constants
        (claim_of(K.DEFAULT, PARAMETER, "60"), "Verified"),
        (claim_of(K.DEFAULT, PARAMETER, "1 minute"), "Verified"),
        (claim_of(K.DEFAULT, PARAMETER, "30"), "Refuted"),
        (claim_of(K.DEFAULT, a(E.PARAMETER, "level", "Client"), "low"), "Verified"),
        (claim_of(K.DEFAULT, a(E.PARAMETER, "level", "Client"), "high"), "Refuted"),
        (claim_of(K.DEFAULT, a(E.PARAMETER, "url", "Client"), "localhost"), "Inconclusive"),
        (claim_of(K.DEFAULT, a(E.PARAMETER, "gone", "Client"), "30"), None),
        (claim_of(K.DEFAULT, a(E.PARAMETER, "timeout", "requests.get"), "30"), None),
        (claim_of(K.DEFAULT, PARAMETER, "30", is_negated=True), None),
        (claim_of(K.DEFAULT, a(E.FLAG, "--limit"), "20"), "Verified"),
        (claim_of(K.DEFAULT, a(E.FLAG, "--limit"), "10"), "Refuted"),
        (claim_of(K.DEFAULT, a(E.ENVIRONMENT, "APP_PORT"), "8080"), "Verified"),
        (claim_of(K.DEFAULT, a(E.ENVIRONMENT, "APP_PORT"), "80"), "Refuted"),
        (claim_of(K.EQUALS, a(E.CONSTANT, "MAX_BYTES"), "10 MB"), "Verified"),
        (claim_of(K.EQUALS, a(E.CONSTANT, "MAX_BYTES"), "20 MB"), "Refuted"),
        (claim_of(K.EQUALS, a(E.CONSTANT, "TTL_SECONDS"), "5 minutes"), "Verified"),
        (claim_of(K.EQUALS, a(E.CONSTANT, "TTL_SECONDS"), "300 minutes"), "Refuted"),
        (claim_of(K.EQUALS, a(E.CONSTANT, "ONLY_HERE"), "4"), None),
        (claim_of(K.EQUALS, a(E.VERSION, "version"), "v1.2.0"), "Verified"),
        (claim_of(K.EQUALS, a(E.VERSION, "version"), "1.1.0"), "Refuted"),
        # signatures and parameters
        (claim_of(K.SIGNATURE, FETCH, "number", "strict=False"), "Verified"),
        (claim_of(K.SIGNATURE, FETCH, "number"), "Verified"),
        (claim_of(K.SIGNATURE, FETCH, "number", "strict=True"), "Refuted"),
        (claim_of(K.SIGNATURE, FETCH, "number", "severe=False"), "Refuted"),
        (claim_of(K.SIGNATURE, FETCH, "strict=False"), "Refuted"),
        (claim_of(K.SIGNATURE, FETCH, "order", "item", "thing"), "Inconclusive"),
        (claim_of(K.SIGNATURE, FETCH, "12", "strict=False"), None),
        (claim_of(K.SIGNATURE, a(E.FUNCTION, "load"), "path", "kind"), "Inconclusive"),
        (claim_of(K.SIGNATURE, a(E.FUNCTION, "Client.post"), "number"), "Refuted"),
        (claim_of(K.SIGNATURE, a(E.FUNCTION, "post"), "number"), None),
        (claim_of(K.PARAMETER, a(E.PARAMETER, "strict", "Client.fetch")), "Verified"),
        (claim_of(K.PARAMETER, a(E.PARAMETER, "gone", "Client.fetch")), "Refuted"),
        (claim_of(K.PARAMETER, a(E.PARAMETER, "anything", "Client.open")), "Inconclusive"),
        (claim_of(K.PARAMETER, a(E.PARAMETER, "x", "load")), "Inconclusive"),
        (claim_of(K.PARAMETER, a(E.PARAMETER, "int", "Client.fetch")), None),
        # returns
        (claim_of(K.RETURNS, FETCH, "None"), "Verified"),
        (claim_of(K.RETURNS, FETCH, "dict"), "Verified"),
        (claim_of(K.RETURNS, FETCH, "list", text="It returns a list."), "Refuted"),
        (claim_of(K.RETURNS, a(E.FUNCTION, "names"), "a list of names"), "Verified"),
        (claim_of(K.RETURNS, a(E.FUNCTION, "names"), "dict", text="It returns `dict`."), "Refuted"),
        (claim_of(K.RETURNS, a(E.FUNCTION, "Client.check"), "True"), "Verified"),
        (claim_of(K.RETURNS, a(E.FUNCTION, "Client.all"), "dictionary", text="Returns a dictionary of all."), "Refuted"),
        (claim_of(K.RETURNS, a(E.FUNCTION, "Client.all"), "whatever is there"), "Inconclusive"),
        (claim_of(K.RETURNS, a(E.FUNCTION, "names"), "integer", text="An integer number, shown."), "Inconclusive"),
        # exceptions
        (claim_of(K.RAISES, FETCH, "MissingError"), "Verified"),
        (claim_of(K.RAISES, FETCH, "AppError"), "Verified"),
        (claim_of(K.RAISES, a(E.FUNCTION, "Client.all"), "MissingError"), "Verified"),
        (claim_of(K.RAISES, a(E.FUNCTION, "Client.check"), "ValueError"), "Refuted"),
        (claim_of(K.RAISES, a(E.FUNCTION, "Client.all"), "ValueError"), "Inconclusive"),
        (claim_of(K.RAISES, FETCH, "httpx.TimeoutException"), "Inconclusive"),
        # versions
        (claim_of(K.REQUIRES, a(E.PACKAGE, "python"), "3.11", text="Requires Python 3.11+"), "Verified"),
        (claim_of(K.REQUIRES, a(E.PACKAGE, "python"), "3", text="Requires Python 3"), "Verified"),
        (claim_of(K.REQUIRES, a(E.PACKAGE, "python"), "3.9", text="Requires Python 3.9 or later"), "Refuted"),
        (
            claim_of(
                K.REQUIRES,
                a(E.PACKAGE, "python"),
                "3.12",
                text="Requires Python 3.12+",
                quantifiers=(Quantifier.AT_LEAST,),
            ),
            "Refuted",
        ),
        (claim_of(K.REQUIRES, a(E.PACKAGE, "python"), "3.14", text="On Python 3.14+ it is faster"), None),
        (claim_of(K.REQUIRES, a(E.PACKAGE, "python"), "3.11", "3.13", text="Supports Python 3.11 and 3.13"), "Verified"),
        (claim_of(K.REQUIRES, a(E.PACKAGE, "python"), "3.10", "3.13", text="Supports Python 3.10 and 3.13"), "Refuted"),
        (claim_of(K.REQUIRES, a(E.PACKAGE, "python"), "3.11", "3.14", text="Supports Python 3.11 and 3.14"), "Refuted"),
        (claim_of(K.REQUIRES, a(E.PACKAGE, "httpx"), "0.27"), "Verified"),
        (claim_of(K.REQUIRES, a(E.PACKAGE, "httpx"), "0.26+"), "Refuted"),
        (claim_of(K.REQUIRES, a(E.PACKAGE, "numpy"), "2.0"), None),
        # members and counts
        (claim_of(K.MEMBERS, a(E.CLASS, "Level"), "LOW", "HIGH"), "Verified"),
        (claim_of(K.MEMBERS, a(E.CLASS, "Level"), "low", "high"), "Verified"),
        (claim_of(K.MEMBERS, a(E.CLASS, "Level"), "LOW", "MIDDLE"), "Refuted"),
        (claim_of(K.MEMBERS, a(E.CLASS, "Level"), "LOW"), "Verified"),
        (claim_of(K.MEMBERS, a(E.CLASS, "Level"), "LOW", quantifiers=(Quantifier.EXACTLY,)), "Incomplete"),
        (claim_of(K.MEMBERS, a(E.FLAG, "--format"), "text", "csv"), "Refuted"),
        (claim_of(K.COUNT, a(E.CLASS, "Level"), "two"), "Verified"),
        (claim_of(K.COUNT, a(E.CLASS, "Level"), "3"), "Refuted"),
        (claim_of(K.COUNT, a(E.CLASS, "Level"), "1", quantifiers=(Quantifier.AT_LEAST,)), "Verified"),
        (claim_of(K.COUNT, a(E.COMMAND, "commands"), "two"), "Verified"),
        (claim_of(K.COUNT, a(E.COMMAND, "commands"), "3"), "Refuted"),
        (claim_of(K.MEMBERS, a(E.CLASS, "Level"), "stdio", "sse"), None),
        (claim_of(K.COUNT, FETCH, "two", text="It takes two parameters."), "Verified"),
        (claim_of(K.COUNT, FETCH, "3", text="It takes 3 parameters."), "Refuted"),
        (claim_of(K.COUNT, a(E.PATH, "src/app/"), "4"), "Verified"),
        (claim_of(K.COUNT, a(E.PATH, "src/app/"), "3"), "Verified"),
        (claim_of(K.COUNT, a(E.PATH, "src/app/"), "7"), "Refuted"),
        (claim_of(K.COUNT, a(E.PATH, "elsewhere/"), "7"), None),
        # existence
        (claim_of(K.EXISTS, a(E.PATH, "src/app/client.py")), "Verified"),
        (claim_of(K.EXISTS, a(E.PATH, "src/app/clients.py"), "src/app/clients.py"), "Refuted"),
        (claim_of(K.EXISTS, a(E.PATH, "src/app/new.py"), text="Create `src/app/new.py`."), None),
        (claim_of(K.EXISTS, a(E.PATH, "elsewhere/app/client.py")), None),
        (claim_of(K.EXISTS, a(E.PATH, "src/app/*.py")), None),
        (claim_of(K.EXISTS, a(E.PATH, "../../etc/passwd")), None),
        (claim_of(K.EXISTS, a(E.PATH, "/etc/passwd")), None),
        (claim_of(K.EXISTS, a(E.FLAG, "--limit", "app")), "Verified"),
        (claim_of(K.EXISTS, a(E.FLAG, "--limits", "app")), "Refuted"),
        (claim_of(K.EXISTS, a(E.FLAG, "--limits", "docker")), None),
        (claim_of(K.EXISTS, a(E.FLAG, "--help", "app")), None),
        (claim_of(K.EXISTS, a(E.ENVIRONMENT, "APP_PORT")), "Verified"),
        (claim_of(K.EXISTS, a(E.ENVIRONMENT, "APP_PORTS")), "Refuted"),
        (claim_of(K.EXISTS, a(E.ENVIRONMENT, "HTTP_PROXY")), None),
        (claim_of(K.EXISTS, a(E.COMMAND, "test", "make")), "Verified"),
        (claim_of(K.EXISTS, a(E.COMMAND, "lint", "make")), "Refuted"),
        (claim_of(K.EXISTS, a(E.COMMAND, "start", "app")), "Refuted"),
        (claim_of(K.EXISTS, a(E.COMMAND, "start", "docker")), None),
        (claim_of(K.EXISTS, a(E.ENDPOINT, "GET /items/{id}")), "Verified"),
        (claim_of(K.EXISTS, a(E.ENDPOINT, "POST /items/{id}")), "Refuted"),
        (claim_of(K.EXISTS, a(E.ENDPOINT, "GET /item/{id}")), "Refuted"),
        (claim_of(K.EXISTS, a(E.ENDPOINT, "GET /api/items/{id}")), "Verified"),
        (claim_of(K.EXISTS, a(E.ENDPOINT, "GET /users")), None),
        (claim_of(K.EXISTS, a(E.FUNCTION, "Client.fetch")), "Verified"),
        (claim_of(K.EXISTS, a(E.FUNCTION, "Client.close")), "Verified"),
        (claim_of(K.EXISTS, a(E.FUNCTION, "Client.fetches")), "Refuted"),
        (claim_of(K.EXISTS, a(E.FUNCTION, "fetches")), None),
        (claim_of(K.EXISTS, a(E.FUNCTION, "requests.get")), None),
        (claim_of(K.EXISTS, a(E.FUNCTION, "app.client.fetches")), "Refuted"),
        (claim_of(K.EXISTS, a(E.FUNCTION, "app.Client")), "Verified"),
        (claim_of(K.EXISTS, a(E.FUNCTION, "app.server")), None),
        # links
        (claim_of(K.LINKS, a(E.LINK, "docs/guide.md")), "Verified"),
        (claim_of(K.LINKS, a(E.LINK, "docs/guides.md")), "Refuted"),
        (claim_of(K.LINKS, a(E.LINK, "docs/guide.md#set-up--more")), "Verified"),
        (claim_of(K.LINKS, a(E.LINK, "docs/guide.md#special")), "Verified"),
        (claim_of(K.LINKS, a(E.LINK, "docs/guide.md#gone")), "Refuted"),
        (claim_of(K.LINKS, a(E.LINK, "../LICENSE")), None),
        (claim_of(K.LINKS, a(E.LINK, "/about/")), None),
        (claim_of(K.LINKS, a(E.LINK, "https://example.org/x.md")), None),
        (claim_of(K.LINKS, a(E.LINK, "tutorial/install.md")), None),
        # names, deprecation, definitions
        (claim_of(K.PROMISE, a(E.FUNCTION, "is_ready"), "bool"), "Misleading"),
        (claim_of(K.PROMISE, a(E.FUNCTION, "validate_number")), "Verified"),
        (claim_of(K.DEPRECATED, a(E.FUNCTION, "names")), None),
        (claim_of(K.BEHAVES, a(E.CLASS, "Client"), "Base"), "Verified"),
        (claim_of(K.BEHAVES, a(E.CLASS, "Client"), "Level"), "Refuted"),
        (claim_of(K.BEHAVES, a(E.FUNCTION, "Client.wait"), "async"), "Verified"),
        (claim_of(K.BEHAVES, a(E.FUNCTION, "names"), "coroutine"), "Refuted"),
        (claim_of(K.BEHAVES, a(E.FUNCTION, "names"), text="`names` is fast."), None),
        # what is outside the code, or in the past
        (claim_of(K.DEFAULT, PARAMETER, "30", category=ClaimCategory.EXTERNAL), None),
        (claim_of(K.DEFAULT, PARAMETER, "30", origin=Origin.CHANGELOG), None),
        (claim_of(K.DEFAULT, PARAMETER, "30", origin=Origin.COMMIT), None),
    ],
)  # fmt: skip
def test_claims(index: FactIndex, claim: object, expected: str | None) -> None:
    assert word(look(index, claim)) == expected  # type: ignore[arg-type]


def test_a_refuted_claim_shows_both_values_and_where(index: FactIndex) -> None:
    verdict = look(index, claim_of(K.DEFAULT, PARAMETER, "30"))
    assert verdict is not None
    assert (
        verdict.reason
        == "`timeout` of `Client` defaults to DEFAULT_TIMEOUT = 60 (src/app/client.py:36), not 30."
    )
    evidence = verdict.evidence[0]
    assert (evidence.tier, evidence.stance) == (EvidenceTier.CODE, Stance.CONTRADICTING)
    assert (evidence.path, evidence.line, evidence.value) == ("src/app/client.py", 36, "60")
    assert "def __init__" in evidence.quote
    assert evidence.digest == index.digest("src/app/client.py")


def test_a_shallow_look_stays_with_the_named_thing(index: FactIndex) -> None:
    followed = claim_of(K.DEFAULT, PARAMETER, "60")
    assert word(look(index, followed, Depth.SHALLOW)) == "Inconclusive"
    called = claim_of(K.RAISES, a(E.FUNCTION, "Client.all"), "MissingError")
    assert word(look(index, called, Depth.SHALLOW)) == "Inconclusive"


def test_an_inconclusive_claim_says_what_would_settle_it(index: FactIndex) -> None:
    verdict = look(index, claim_of(K.DEFAULT, a(E.PARAMETER, "url", "Client"), "localhost"))
    assert verdict is not None
    assert verdict.would_settle


def test_places_that_differ_decide_nothing(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"a.py": "def run(n=1): pass\n", "b.py": "def run(n=2): pass\n"})
    said = claim_of(K.DEFAULT, a(E.PARAMETER, "n", "run"), "1")
    assert word(look(index, said)) == "Inconclusive"
    assert word(look(index, claim_of(K.DEFAULT, a(E.PARAMETER, "n", "a.run"), "2"))) == "Refuted"


def test_a_docstring_speaks_of_its_own_function(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"a.py": "def run(n=1): pass\n", "b.py": "def run(n=2): pass\n"})
    said = claim_of(
        K.DEFAULT, a(E.PARAMETER, "n", "a.run"), "2", document="a.py", owner="a.run", origin=Origin.DOCSTRING
    )
    assert word(look(index, said)) == "Refuted"


def test_a_project_within_the_repository_speaks_for_itself(tmp_path: Path) -> None:
    inner = '[project]\nname = "inner"\nversion = "2.0"\n'
    index = index_of(
        tmp_path,
        {
            "pyproject.toml": '[project]\nname = "outer"\nversion = "1.0"\n',
            "app.py": "LIMIT = 1\n",
            "examples/inner/pyproject.toml": inner,
            "examples/inner/inner.py": "LIMIT = 2\n",
        },
    )
    limit, version = a(E.CONSTANT, "LIMIT"), a(E.VERSION, "version")
    for document, value, number in (("README.md", "1", "1.0"), ("examples/inner/README.md", "2", "2.0")):
        assert word(look(index, claim_of(K.EQUALS, limit, value, document=document))) == "Verified"
        assert word(look(index, claim_of(K.EQUALS, version, number, document=document))) == "Verified"
    assert word(look(index, claim_of(K.EQUALS, limit, "2", document="README.md"))) == "Refuted"


def test_an_attribute_is_meant_only_where_its_class_is_spoken_of(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"app.py": "class Endpoint:\n    kind = 'public'\n"})
    kind = a(E.SYMBOL, "kind")
    assert (
        word(look(index, claim_of(K.DEFAULT, kind, "private", text="`kind` defaults to `private`."))) is None
    )
    of_the_class = claim_of(K.DEFAULT, kind, "private", text="`Endpoint`: `kind` defaults to `private`.")
    assert word(look(index, of_the_class)) == "Refuted"


def test_a_help_text_is_about_its_own_option(tmp_path: Path) -> None:
    lines = [
        "import argparse",
        "one = argparse.ArgumentParser()",
        'one.add_argument("--ref", default="main", help="Where.")',
        "two = argparse.ArgumentParser()",
        'two.add_argument("--ref", default="HEAD", help="Where (default: HEAD).")',
    ]
    index = index_of(tmp_path, {"cli.py": "\n".join(lines)})
    said = claim_of(K.DEFAULT, a(E.FLAG, "--ref"), "HEAD", document="cli.py", origin=Origin.HELP)
    assert word(look(index, said.model_copy(update={"line": 5}))) == "Verified"
    assert word(look(index, said.model_copy(update={"line": 3}))) == "Refuted"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    return {}\n", "Refuted"),
        ("    if x:\n        return {}\n", "Inconclusive"),
        ("    if x:\n        return {}\n    return None\n", "Verified"),
        ("    return other(x)\n", "Inconclusive"),
    ],
)
def test_none_is_returned_by_a_function_that_just_ends(tmp_path: Path, body: str, expected: str) -> None:
    index = index_of(tmp_path, {"app.py": f"def load(x):\n{body}"})
    assert word(look(index, claim_of(K.RETURNS, a(E.FUNCTION, "load"), "None"))) == expected


def test_what_a_docstring_says_in_passing_is_not_held_against_the_other_function(index: FactIndex) -> None:
    said = claim_of(
        K.RETURNS,
        a(E.FUNCTION, "names"),
        "dict",
        text="Like `names`, but returns `dict`.",
        document="src/app/client.py",
        owner="app.client.Client.fetch",
        origin=Origin.DOCSTRING,
    )
    assert look(index, said) is None


def test_a_variable_that_any_file_of_the_project_mentions_is_not_called_missing(tmp_path: Path) -> None:
    files = FILES | {"compose.yaml": "environment:\n  APP_COLOUR: red\n", "tests/test_x.py": "'APP_SHAPE'\n"}
    index = index_of(tmp_path, files)
    assert word(look(index, claim_of(K.EXISTS, a(E.ENVIRONMENT, "APP_COLOUR")))) is None
    assert word(look(index, claim_of(K.EXISTS, a(E.ENVIRONMENT, "APP_SHAPE")))) == "Refuted"


def test_hostile_names_lead_nowhere(index: FactIndex) -> None:
    for name in ("../" * 50 + "etc/passwd", "\0", "a" * 5000, "\u202egnp.exe", "[" * 300, "src/app/\n"):
        for kind in (E.PATH, E.LINK, E.FUNCTION, E.ENVIRONMENT, E.ENDPOINT, E.FLAG, E.COMMAND):
            for assertion in (K.EXISTS, K.LINKS):
                assert word(look(index, claim_of(assertion, a(kind, name), name))) in (
                    None,
                    "Verified",
                    "Refuted",
                )


NAMES = st.sampled_from(
    "Client Client.fetch fetch timeout --limit APP_PORT src/app/client.py Level python commands docs/guide.md#x".split()
) | st.text(max_size=20)
CLAIMS = st.builds(
    lambda kind, entity, name, owner, expected, text, negated, origin: claim_of(
        kind,
        a(entity, name, owner) if entity else None,
        *expected,
        text=text,
        is_negated=negated,
        origin=origin,
        owner=owner,
        document="src/app/client.py" if origin is Origin.DOCSTRING else "README.md",
    ),
    st.sampled_from(list(K)),
    st.sampled_from(list(E)) | st.none(),
    NAMES,
    NAMES | st.none(),
    st.lists(
        st.sampled_from(["30", "None", "a list", "x=1", "3.10+", "True"]) | st.text(max_size=12), max_size=3
    ),
    st.text(max_size=40),
    st.booleans(),
    st.sampled_from(list(Origin)),
)


@given(CLAIMS, st.sampled_from(list(Depth)))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_never_raises_and_never_without_a_reason(index: FactIndex, claim: object, depth: Depth) -> None:
    verdict = look(index, claim, depth)  # type: ignore[arg-type]
    assert verdict is None or verdict.reason
    assert verdict is None or word(verdict) == "Inconclusive" or verdict.evidence
