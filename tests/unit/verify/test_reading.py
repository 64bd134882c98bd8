"""Reading code and documents to find what a change made false."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.growth import LINEAR, growth

from veridic.verify.changed import Derived, changes_between, written_lines
from veridic.verify.source_text import TokenKind, read_source
from veridic.verify.spellings import pieces, spellings
from veridic.verify.units import headings_of, units_of

PATHS = ("a.py", "a.rs", "a.go", "a.ts", "a.java", "a.toml", "Makefile", "a.unknown")


def changes(path: str, before: str, after: str) -> dict[str, str | None]:
    found = changes_between(path, read_source(path, before), read_source(path, after), before, after)
    return {change.old: change.new for change in found if change.derived is Derived.NOT}


@pytest.mark.parametrize(
    ("path", "before", "after", "found"),
    [
        ("a.py", "TIMEOUT = 30\n", "TIMEOUT = 45\n", {"30": "45"}),
        ("a.go", 'fs.Int("rate", 50, "Requests per second")\n', 'fs.Int("rate", 9, "Requests per second")\n', {"50": "9"}),
        ("a.rs", '#[arg(default_value = "10")]\n', '#[arg(default_value = "12")]\n', {"10": "12"}),
        ("a.ts", "const x = {exitcrash: true};\n", "const x = {exitOnCrash: true};\n", {"exitcrash": "exitOnCrash"}),
        ("a.java", "throw new IllegalStateException();\n", "throw new IOException();\n", {"IllegalStateException": "IOException"}),
        ("a.toml", 'requires-python = ">=3.8"\n', 'requires-python = ">=3.10"\n', {">=3.8": ">=3.10"}),
        ("run.sh", "dir=${1:-./bin}\n", "dir=${1:-./out}\n", {"./bin": "./out"}),
        ("a.go", 'A string `toml:"banner" usage:"Text to show at start"`\n', 'A string `toml:"logo" usage:"Text to show at start"`\n', {"banner": "logo"}),
    ],
)  # fmt: skip
def test_changes_between_versions(path: str, before: str, after: str, found: dict[str, str]) -> None:
    assert changes(path, before, after) == found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1  # thirty\n", "x = 1  # forty\n"),
        ('def f():\n    """Waits for thirty seconds."""\n', 'def f():\n    """Waits for forty seconds."""\n'),
        ("a = 1\nb = 2\n", "b = 2\n\n\na = 1\n\n"),
    ],
    ids=["comment", "docstring", "order"],
)
def test_comments_texts_and_white_space_are_not_changes(before: str, after: str) -> None:
    replaced = changes("a.py", before, after)
    assert not {"thirty", "forty", "b"} & replaced.keys()


def test_change_has_near_and_enclosing_names() -> None:
    before = 'class Client:\n    def get(self):\n        parser.add_argument(\n            "--max-redirects",\n            default=30,\n        )\n'
    after = before.replace("30", "20")
    (change,) = changes_between(
        "a.py", read_source("a.py", before), read_source("a.py", after), before, after
    )
    assert {"--max-redirects", "add_argument"} <= set(change.near)
    assert {"Client", "get"} <= set(change.enclosing)
    assert (change.line, change.quote_old, change.quote_new) == (5, "default=30,", "default=20,")


@given(st.sampled_from(PATHS), st.text(max_size=300))
def test_any_text_can_be_read_as_code(path: str, text: str) -> None:
    source = read_source(path, text)
    lines = text.count("\n")
    assert all(0 <= token.line <= lines for token in source.tokens)
    assert all(0 <= prose.line <= lines for prose in source.prose)


@given(st.sampled_from(PATHS), st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_can_be_compared(path: str, before: str, after: str) -> None:
    found = changes_between(path, read_source(path, before), read_source(path, after), before, after)
    assert all(
        change.old in before
        for change in found
        if change.derived is Derived.NOT and change.kind is not TokenKind.TEXT
    )
    if before == after:
        assert found == []
        assert written_lines(before, after) == set()


DOCUMENT = """Title
=====

First sentence. Second one
goes on.

- `--rate`: Requests per second.
  Default: 50

| Option | Default |
|---|---|
| `--x` | 3 |

## Next

```
tool run
```
"""


def test_document_pieces_have_their_headings() -> None:
    units = {unit.text: unit for unit in units_of("a.md", DOCUMENT)}
    assert (units["Second one goes on."].line, units["Second one goes on."].end_line) == (4, 5)
    assert units["Default: 50"].before == "- `--rate`: Requests per second."
    assert units["| `--x` | 3 |"].before == "| Option | Default |"
    assert units["tool run"].is_code
    assert units["tool run"].headings == ("Title", "Next")
    assert [heading.text for heading in headings_of("a.md", DOCUMENT)] == ["Title", "Next"]


@given(st.text(max_size=400))
def test_any_text_can_be_read_as_a_document(text: str) -> None:
    lines = text.count("\n") + 1
    assert all(1 <= unit.line <= unit.end_line <= lines for unit in units_of("a.md", text))


@pytest.mark.parametrize(
    "name", ["maxRedirects", "max_redirects", "--max-redirects", "MAX_REDIRECTS", "MaxRedirects"]
)
def test_name_has_the_same_words_in_every_style(name: str) -> None:
    assert pieces(name) == ("max", "redirects")


@pytest.mark.parametrize(
    ("value", "kind", "text", "is_there"),
    [
        ("30", TokenKind.NUMBER, "waits 30 seconds", True),
        ("30", TokenKind.NUMBER, "waits 30s", True),
        ("30", TokenKind.NUMBER, "follows 30x redirects", False),
        ("30", TokenKind.NUMBER, "version 1.30", False),
        ("30_000", TokenKind.NUMBER, "waits 30 seconds", True),
        ("30_000", TokenKind.NUMBER, "at most 30,000", True),
        ("3", TokenKind.NUMBER, "tries three times", True),
        ("3.0", TokenKind.NUMBER, "at least 3 seconds", True),
        (">=3.8", TokenKind.TEXT, "Python 3.8 or newer", True),
        (">=3.8", TokenKind.TEXT, "Python 3.80", False),
        ("max_tries", TokenKind.NAME, "set `max-tries`", True),
        ("max_tries", TokenKind.NAME, "set `max_tries_total`", False),
        (".task", TokenKind.TEXT, "kept in ./.task", True),
        (".task", TokenKind.TEXT, "kept in ~/.task-cache", False),
        ("#setup", TokenKind.TEXT, "see [there](guide.md#setup)", True),
        ("ab", TokenKind.NAME, "ab", False),
    ],
)
def test_spellings_match_document_text(value: str, kind: TokenKind, text: str, *, is_there: bool) -> None:
    assert any(spelling.pattern.search(text) for spelling in spellings(value, kind)) is is_there


@pytest.mark.parametrize("piece", ["a = 'b'\n", "# c\n", "abc.", "x/", "`", "| a ", "-", "Word. "])
@pytest.mark.parametrize("path", ["a.py", "a.cfg"])
def test_reading_time_is_linear(path: str, piece: str) -> None:
    assert growth(lambda text: read_source(path, text), piece, 4_000) < LINEAR
    assert growth(lambda text: units_of("a.md", text), piece, 4_000) < LINEAR


MAN_PAGE = """.TH TOOL 1
.SH OPTIONS
.IP "\\fB\\-\\-max\\-tries\\fR"
At most 30 tries.
"""


def test_man_page_is_read_without_its_markup() -> None:
    unit = units_of("tool.1", MAN_PAGE)[-1]
    assert (unit.headings, unit.end_line) == (("OPTIONS",), 4)
    assert unit.text.startswith("--max-tries")
    assert unit.text.endswith("At most 30 tries.")


def test_piece_has_recent_pieces_above() -> None:
    units = units_of("a.md", "# A\n\nFirst. Second.\n\nThird.\n\n# B\n\nFourth.\n")
    assert {unit.text: unit.recent for unit in units}["Third."] == ("Second.", "First.")
    assert {unit.text: unit.recent for unit in units}["Fourth."] == ()


def test_comments_on_consecutive_lines_are_joined() -> None:
    source = read_source("a.go", "// Waits for ten\n// seconds.\nx := 1\n\n// Alone.\n")
    assert [prose.text for prose in source.prose] == ["// Waits for ten\n// seconds.", "// Alone."]
    assert [token.text for token in source.tokens] == ["x", ":", "=", "1"]
