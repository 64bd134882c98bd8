"""What Markdown and reStructuredText say about a project."""

import re
from pathlib import Path

import pytest
from tests.unit.code.claims.kettle import claims_in, said, subject_of

from veridic.domain.code import (
    AssertionKind,
    ClaimCategory,
    ClaimDomain,
    Depth,
    EntityKind,
    Origin,
    Quantifier,
)


@pytest.mark.parametrize(
    ("text", "kind", "subject", "expected"),
    [
        ("`connect(host)` opens it. Its `port` defaults to 5432.", "default", "parameter port of connect", "5432"),
        ("`--port` defaults to `8080`.", "default", "flag --port", "8080"),
        ("- `--port PORT`: where to listen (default: 8080)", "default", "flag --port", "8080"),
        ("- `--format`: how to print. Default: text", "default", "flag --format", "text"),
        ("The default for `--port` is 8080.", "default", "flag --port", "8080"),
        ("The default port is 8080.", "default", "flag --port", "8080"),
        ("By default, `--port` is 8080.", "default", "flag --port", "8080"),
        ("It listens on port 8080 by default.", "default", "flag --port", "8080"),
        ("`KETTLE_LIMIT` defaults to 20.", "default", "environment KETTLE_LIMIT", "20"),
        ("`Kettle` waits: `timeout` defaults to 30 seconds.", "default", "parameter timeout of Kettle", "30 seconds"),
        ("`MAX_RETRIES` is 5.", "equals", "constant MAX_RETRIES", "5"),
        ("Set by `MAX_RETRIES = 5`.", "equals", "constant MAX_RETRIES", "5"),
        ("At most 10 MB (`MAX_SIZE`) are taken.", "equals", "constant MAX_SIZE", "10 MB"),
        ("The current version is 1.2.0.", "equals", "version version", "1.2.0"),
        ("`Kettle.boil()` returns `None` if it is cold.", "returns", "function Kettle.boil", "None"),
        ("`connect()` returns a list of sockets.", "returns", "function connect", "list"),
        ("`connect()` raises `ValueError` for no host.", "raises", "function connect", "ValueError"),
        ("It requires Python 3.10 or later.", "requires", "package python", "3.10"),
        ("Runs on Python 3.10+", "requires", "package python", "3.10"),
        ("Needs Node.js 18 or newer.", "requires", "package node", "18"),
        ("It needs `httpx>=0.27`.", "requires", "package httpx", "0.27"),
        ("`connect` is deprecated since 1.1.", "deprecated", "function connect", "1.1"),
        ("`Mode` has two members.", "count", "class Mode", "two"),
        ("`Kettle` is a subclass of `Pot`.", "behaves", "class Kettle", "Pot"),
    ],
)  # fmt: skip
def test_a_sentence_and_its_claim(tmp_path: Path, text: str, kind: str, subject: str, expected: str) -> None:
    claims = claims_in(tmp_path, {"README.md": f"# Kettle\n\n{text}\n"})
    assert (kind, subject, (expected,)) in said(claims)
    claim = next(claim for claim in claims if claim.assertion.kind.value == kind)
    place = claim.assertion.expected_place
    assert place is not None and place.line == 3
    assert text[place.start : place.end] == expected


@pytest.mark.parametrize(
    ("text", "members", "is_exact"),
    [
        ("`--format` is one of `text` or `json`.", ("text", "json"), True),
        ("`--format` can be `text` or `json`.", ("text", "json"), False),
        ("The mode is one of `FAST` and `SLOW`.", ("FAST", "SLOW"), True),
        ('`--format` takes either "text" or "json".', ("text", "json"), True),
    ],
)
def test_possible_values(tmp_path: Path, text: str, members: tuple[str, ...], is_exact: bool) -> None:
    claims = claims_in(tmp_path, {"README.md": text})
    found = next(claim.assertion for claim in claims if claim.assertion.kind is AssertionKind.MEMBERS)
    assert found.expected == members
    assert (Quantifier.EXACTLY in found.quantifiers) is is_exact


@pytest.mark.parametrize(
    "text",
    [
        "`--port` will default to 9000.",
        "`--port` used to default to 80.",
        "Previously `--port` defaulted to 80; before version 1.0 `MAX_RETRIES` was 3.",
        "On Windows, `--port` defaults to 9000.",
        "`--port` defaults to 9000 if `--fast` is given.",
        "`--port` has no default.",
        "`--port` defaults to the port of the proxy.",
        "If `MAX_RETRIES` is 0, nothing is tried again.",
        "`your_function()` returns `None`.",
        "Let `foo(bar=1)` be a call.",
        "Run it with `path/to/x` or `<name>`.",
        "`requests.get(url, timeout=3)` is of another project.",
        "`connect()` does not return `None`.",
        "<!-- `--port` defaults to 1 -->",
        "[![python 3.8+](https://img.example/python-3.8+.svg)](https://example.com)",
        "A plain sentence about 5 things.",
    ],
)
def test_what_is_no_claim(tmp_path: Path, text: str) -> None:
    assert said(claims_in(tmp_path, {"README.md": text})) == []


@pytest.mark.parametrize("heading", ["License", "Roadmap", "Changelog", "Migrating from 0.9"])
def test_sections_that_do_not_speak_of_today(tmp_path: Path, heading: str) -> None:
    text = f"# Kettle\n\n## {heading}\n\n`--port` defaults to 80.\n\n## Use\n\n`--port` defaults to 8080.\n"
    assert [claim.line for claim in claims_in(tmp_path, {"README.md": text}) if said([claim])] == [9]


def test_signatures_and_calls(tmp_path: Path) -> None:
    text = (
        "## `connect(host, port=5432)`\n\nCall `connect(here, port=1)` for one.\n\n`Kettle.pour(x)` pours.\n"
    )
    claims = claims_in(tmp_path, {"docs/api.md": text})
    assert said(claims) == [
        ("signature", "function connect", ("host", "port=5432")),
        ("parameter", "parameter port of connect", ("port",)),
    ]
    assert said(claims, AssertionKind.EXISTS) == [("exists", "function Kettle.pour", ("Kettle.pour",))]


def test_a_table_of_options(tmp_path: Path) -> None:
    text = (
        "| Option | Command | Default | Meaning |\n|---|---|---|---|\n"
        "| `--format` | `run` | `text` | `text` or `json` |\n"
        "| `--limit` | `run` | 20 | at most so many |\n"
        "| `--gone` | `run` | - | never mind |\n"
    )
    claims = claims_in(tmp_path, {"README.md": text})
    assert said(claims) == [
        ("default", "flag --format of kettle run", ("text",)),
        ("members", "flag --format of kettle run", ("text", "json")),
        ("default", "flag --limit of kettle run", ("20",)),
    ]
    assert ("exists", "flag --gone of kettle run", ("--gone",)) in said(claims, AssertionKind.EXISTS)


def test_a_table_of_variables_without_code_marks(tmp_path: Path) -> None:
    text = "Variable | Default\n--- | ---\nKETTLE_LIMIT | 20\n"
    assert said(claims_in(tmp_path, {"README.md": text})) == [
        ("default", "environment KETTLE_LIMIT", ("20",))
    ]


def test_parameters_under_the_heading_of_their_function(tmp_path: Path) -> None:
    text = "### `connect()`\n\n| Parameter | Default |\n|---|---|\n| `host` | |\n| `port` | `5432` |\n"
    assert said(claims_in(tmp_path, {"README.md": text})) == [
        ("parameter", "parameter host of connect", ("host",)),
        ("parameter", "parameter port of connect", ("port",)),
        ("default", "parameter port of connect", ("5432",)),
    ]


def test_commands_in_a_terminal(tmp_path: Path) -> None:
    text = (
        "```console\n$ KETTLE_LIMIT=3 kettle run tea.txt --fast --limit=5 | grep --color x\n--output is not typed\n"
        "$ pip install --upgrade kettle\n$ make test\n```\n\n```sh\nkettle pour \\\n  --slowly  # --later\n```\n"
    )
    assert said(claims_in(tmp_path, {"README.md": text}), AssertionKind.EXISTS) == [
        ("exists", "environment KETTLE_LIMIT", ("KETTLE_LIMIT",)),
        ("exists", "command run of kettle", ("run",)),
        ("exists", "flag --fast of kettle run", ("--fast",)),
        ("exists", "flag --limit of kettle run", ("--limit",)),
        ("exists", "command test of make", ("test",)),
        ("exists", "command pour of kettle", ("pour",)),
        ("exists", "flag --slowly of kettle pour", ("--slowly",)),
    ]


def test_the_text_of_help(tmp_path: Path) -> None:
    text = (
        "```text\nusage: kettle run [-h] [--format {text,json}]\n\noptions:\n  -h, --help  show this\n"
        "  --format {text,json}  how to print\n                        (default: text)\n```\n"
        "```text\nusage: other\n  --format X  (default: y)\n```\n"
    )
    claims = claims_in(tmp_path, {"README.md": text})
    assert said(claims) == [
        ("members", "flag --format of kettle run", ("text", "json")),
        ("default", "flag --format of kettle run", ("text",)),
    ]


def test_an_example_in_python(tmp_path: Path) -> None:
    text = (
        "```python\nfrom kettle.core import Kettle, Teapot\nimport requests\n\nk = Kettle(2, timeout=5)\n"
        "k.boil(until=90, loudly=True)\nrequests.get('x', timeout=1)\nk.sing()\n```\n"
    )
    claims = claims_in(tmp_path, {"README.md": text})
    assert said(claims) == [
        ("parameter", "parameter timeout of kettle.core.Kettle", ("timeout",)),
        ("parameter", "parameter until of kettle.core.Kettle.boil", ("until",)),
        ("parameter", "parameter loudly of kettle.core.Kettle.boil", ("loudly",)),
    ]
    assert [subject_of(claim) for claim in claims if claim.assertion.kind is AssertionKind.EXISTS] == [
        "symbol kettle.core.Kettle",
        "symbol kettle.core.Teapot",
        "function kettle.core.Kettle.boil",
        "function kettle.core.Kettle.sing",
    ]


def test_links_and_paths(tmp_path: Path) -> None:
    text = (
        "See [the guide](docs/guide.md#use), [home](https://kettle.dev/x), ![](img.png), [me](mailto:a@b.c),\n"
        "[there][r] and `src/kettle/core.py`, not `build/x.py`.\n\n[r]: docs/r.md\n"
    )
    claims = claims_in(tmp_path, {"README.md": text})
    links = [claim for claim in claims if claim.assertion.kind is AssertionKind.LINKS]
    assert [(link.assertion.expected[0], link.category, link.line) for link in links] == [
        ("docs/guide.md#use", ClaimCategory.INTERNAL, 1),
        ("https://kettle.dev/x", ClaimCategory.EXTERNAL, 1),
        ("img.png", ClaimCategory.INTERNAL, 1),
        ("docs/r.md", ClaimCategory.INTERNAL, 4),
    ]
    assert said(claims, AssertionKind.EXISTS) == [
        ("exists", "path src/kettle/core.py", ("src/kettle/core.py",))
    ]


def test_behaviour_has_a_domain_and_a_depth(tmp_path: Path) -> None:
    text = "`Kettle` is thread-safe.\n\n`connect` never logs the password.\n\nIt is fast and secure."
    claims = [
        c for c in claims_in(tmp_path, {"README.md": text}) if c.assertion.kind is AssertionKind.BEHAVES
    ]
    assert [(claim.domain, claim.depth) for claim in claims] == [
        (ClaimDomain.CONCURRENCY, Depth.DEEP),
        (ClaimDomain.SECURITY, Depth.MEDIUM),
    ]
    assert claims[1].assertion.quantifiers == (Quantifier.NEVER,)


RST = """
Kettle
======

.. module:: kettle.core

.. function:: connect(host, port=5432)

   Opens it. ``port`` defaults to 5432.

   :param host: where
   :param int teapot: what
   :raises ValueError: always
   :rtype: None

   .. deprecated:: 1.1

.. code-block:: console

   $ kettle run --fast

.. option:: --port

   Where to listen (default: 8080).

================  =======
Variable          Default
================  =======
``KETTLE_LIMIT``  20
================  =======

.. a comment: ``--port`` defaults to 1

Roadmap
-------

``--port`` defaults to 2.
"""


def test_restructured_text(tmp_path: Path) -> None:
    claims = claims_in(tmp_path, {"docs/index.rst": RST})
    assert said(claims) == [
        ("signature", "function kettle.core.connect", ("host", "port=5432")),
        ("default", "parameter port of kettle.core.connect", ("5432",)),
        ("parameter", "parameter host of kettle.core.connect", ("host",)),
        ("parameter", "parameter teapot of kettle.core.connect", ("teapot",)),
        ("raises", "function kettle.core.connect", ("ValueError",)),
        ("returns", "function kettle.core.connect", ("None",)),
        ("deprecated", "symbol kettle.core.connect", ("1.1",)),
        ("default", "flag --port of kettle", ("8080",)),
        ("default", "environment KETTLE_LIMIT", ("20",)),
    ]
    lines = RST.split("\n")
    for claim in claims:
        place = claim.assertion.expected_place
        if place is not None and claim.assertion.kind is not AssertionKind.SIGNATURE:
            assert lines[place.line - 1][place.start : place.end] == claim.assertion.expected[0]


def test_a_changelog_is_history(tmp_path: Path) -> None:
    text = "# Changes\n\n## 1.1.0\n\n- `--port` defaults to 80 (4f2a9c1e)\n- see [x](gone.md)\n"
    claims = claims_in(tmp_path, {"CHANGELOG.md": text})
    assert [(subject_of(claim), claim.domain, claim.origin) for claim in claims] == [
        ("version 1.1.0", ClaimDomain.HISTORY, Origin.CHANGELOG),
        ("commit 4f2a9c1e", ClaimDomain.HISTORY, Origin.CHANGELOG),
        ("link gone.md", ClaimDomain.HISTORY, Origin.CHANGELOG),
    ]


def test_licences_and_data_of_tests_are_not_read(tmp_path: Path) -> None:
    files = dict.fromkeys(("LICENSE.md", "CODE_OF_CONDUCT.md", "tests/data/x.md"), "`--port` defaults to 1.")
    assert {claim.document for claim in claims_in(tmp_path, files, documents=None)} <= {"tests/data/x.md"}


def test_lines_and_columns_of_awkward_files(tmp_path: Path) -> None:
    text = "---\ntitle: x\n---\r\n> - א `--port`\r\n>   defaults to **`8080`**.\rend\n"
    (claim,) = [
        c for c in claims_in(tmp_path, {"README.md": text}) if c.assertion.kind is AssertionKind.DEFAULT
    ]
    place = claim.assertion.expected_place
    assert place is not None
    assert re.split(r"\r\n|\r|\n", text)[place.line - 1][place.start : place.end] == "8080"


def test_ids_are_different_and_stay(tmp_path: Path) -> None:
    text = "`--port` defaults to 8080.\n\n`--port` defaults to 8080.\n"
    first = [claim.id for claim in claims_in(tmp_path, {"README.md": text})]
    moved = [claim.id for claim in claims_in(tmp_path, {"README.md": f"\n\nMore.\n\n{text}"})]
    assert len(set(first)) == len(first)
    assert first == moved


def test_commands_in_running_text(tmp_path: Path) -> None:
    text = "Use `kettle run --fast x` or `python -m kettle run --slow`, and `pip install --user kettle`."
    assert said(claims_in(tmp_path, {"README.md": text}), AssertionKind.EXISTS) == [
        ("exists", "command run of kettle", ("run",)),
        ("exists", "flag --fast of kettle run", ("--fast",)),
        ("exists", "flag --slow of kettle run", ("--slow",)),
    ]


def test_a_drawn_tree_of_this_repository(tmp_path: Path) -> None:
    tree = "```\nkettle/\n├── Makefile\n├── src/\n│   └── kettle/\n│       ├── core.py   # all\n│       └── gone.py\n└── my_file.py\n```\n"
    found = said(claims_in(tmp_path, {"README.md": tree}), AssertionKind.EXISTS)
    assert [subject for _, subject, _ in found] == [
        "path Makefile", "path src", "path src/kettle", "path src/kettle/core.py", "path src/kettle/gone.py",
    ]  # fmt: skip


def test_a_drawn_tree_of_another_project(tmp_path: Path) -> None:
    tree = "```\napp/\n├── src/\n├── models/\n├── views/\n└── index.html\n```\n"
    assert claims_in(tmp_path, {"README.md": tree}) == []


def test_variables_in_a_block_of_configuration(tmp_path: Path) -> None:
    text = "```env\nKETTLE_LIMIT=5\nKETTLE_GONE=1\nAWS_REGION=eu\n```\n"
    assert [subject_of(claim) for claim in claims_in(tmp_path, {"README.md": text})] == [
        "environment KETTLE_LIMIT",
        "environment KETTLE_GONE",
    ]


def test_methods_and_paths_in_a_table(tmp_path: Path) -> None:
    server = (
        'from flask import Flask\napp = Flask(__name__)\n\n\n@app.get("/tea")\ndef tea():\n    return ""\n'
    )
    text = "| Method | Path |\n|---|---|\n| GET | `/tea` |\n| POST | /milk/{id} |\n"
    claims = claims_in(tmp_path, {"README.md": text, "src/kettle/server.py": server}, documents=["README.md"])
    assert [subject_of(claim) for claim in claims] == ["endpoint GET /tea", "endpoint POST /milk/{id}"]


@pytest.mark.parametrize(
    "text",
    [
        "It runs on Python 3.9 and below.",
        "The last version to support Python 3.6 is 0.9.",
        "This release drops support for Python 3.9.",
        "If you need Python 3.7, use another branch.",
    ],
)
def test_versions_that_are_not_required(tmp_path: Path, text: str) -> None:
    assert said(claims_in(tmp_path, {"README.md": text})) == []


def test_an_item_that_declares_a_parameter(tmp_path: Path) -> None:
    text = "### `connect()`\n\n- `port: int = 5432` where to knock\n- `host`\n"
    assert ("default", "parameter port of connect", ("5432",)) in said(
        claims_in(tmp_path, {"README.md": text})
    )


def test_one_flag_may_be_gone_but_not_most_of_them(tmp_path: Path) -> None:
    gone = "```console\n$ kettle run --fast --limit 2 --gone\n```\n"
    unseen = "```console\n$ kettle run --fast --one --two --three\n```\n"
    assert "flag --gone of kettle run" in [subject_of(claim) for claim in claims_in(tmp_path, {"a.md": gone})]
    assert [subject_of(claim) for claim in claims_in(tmp_path, {"b.md": unseen})] == [
        "command run of kettle",
        "flag --fast of kettle run",
    ]


def test_parameters_of_something_else_below_a_function(tmp_path: Path) -> None:
    text = "### `connect()`\n\n| Parameter | Default |\n|---|---|\n| `page` | `1` |\n| `size` | `20` |\n"
    assert said(claims_in(tmp_path, {"README.md": text}), AssertionKind.PARAMETER) == []


@pytest.mark.parametrize("name", ["README.md", "README.rst"])
def test_a_sentence_that_begins_with_code_at_the_start_of_a_line_is_told_of_there(
    tmp_path: Path, name: str
) -> None:
    files = {"app.py": "LIMIT = 5\n", name: "First\n=====\n\nThe first sentence here.\n``LIMIT`` is 6.\n"}
    (claim,) = [one for one in claims_in(tmp_path, files) if one.assertion.expected == ("6",)]
    assert (claim.line, claim.end_line) == (5, 5)


def test_a_commit_is_named_where_the_text_calls_it_one(tmp_path: Path) -> None:
    text = "# App\n\nBroken since commit `deadbeef12`. The digest is 0123abc4567.\n"
    commits = [
        claim.assertion.expected
        for claim in claims_in(tmp_path, {"README.md": text})
        if claim.assertion.subject and claim.assertion.subject.kind is EntityKind.COMMIT
    ]
    assert commits == [("deadbeef12",)]
