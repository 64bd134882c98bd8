"""Documents and comments split into units."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.code import Origin
from veridic.verify.documents.comments import read_source_units
from veridic.verify.documents.read import read_units
from veridic.verify.documents.unit import Unit, UnitKind


def _texts(path: str, text: str) -> list[tuple[int, UnitKind, str]]:
    return [(unit.line, unit.kind, unit.text) for unit in read_units(path, text)]


def _named(units: list[Unit], start: str) -> Unit:
    return next(unit for unit in units if unit.text.startswith(start))


def test_sentences_of_an_item_are_under_it() -> None:
    units = read_units("a.md", "# Kettle\n\nOptions:\n\n- `boil`: how long.\n  Default: `3`.\n")
    default = _named(units, "Default")
    assert (default.line, default.kind, default.headings) == (6, UnitKind.SENTENCE, ("Kettle",))
    assert default.under == ("Options:", "`boil`: how long.")
    assert default.source == ("  Default: `3`.",)


def test_sentences_keep_their_lines() -> None:
    assert _texts("a.md", "It boils water. It\nthen stops, see `a. B`.\n") == [
        (1, UnitKind.SENTENCE, "It boils water."),
        (1, UnitKind.SENTENCE, "It then stops, see `a. B`."),
    ]


def test_code_lines_share_a_block() -> None:
    units = read_units("a.md", "Run:\n\n```sh\nkettle on\n\nkettle off\n```\n")
    code = [unit for unit in units if unit.is_code]
    assert [(unit.line, unit.text, unit.language) for unit in code] == [
        (4, "kettle on", "sh"),
        (6, "kettle off", "sh"),
    ]
    assert len({unit.block for unit in code}) == 1
    assert code[0].under == ("Run:",)


def test_changelogs_are_recognised_by_name() -> None:
    assert read_units("CHANGELOG.md", "Added `--x`.\n")[0].origin is Origin.CHANGELOG


@pytest.mark.parametrize("path", ["docs/3.6.0.rst", "docs/v1.2.md", "notes/2.0rc1.md"])
def test_document_named_after_a_version_is_a_changelog(path: str) -> None:
    assert read_units(path, "It requires Python 3.4.\n")[0].origin is Origin.CHANGELOG


@pytest.mark.parametrize("path", ["docs/3.md", "docs/use.v2.md", "man/kettle.1"])
def test_number_in_a_name_is_not_a_version(path: str) -> None:
    assert read_units(path, "It requires Python 3.4.\n")[0].origin is not Origin.CHANGELOG


def test_rst_directives_of_options_are_terms() -> None:
    units = read_units("a.rst", "Kettle\n======\n\n.. option:: --boil N\n\n   How long, with ``--warm``.\n")
    described = _named(units, "How long")
    assert described.text == "How long, with `--warm`."
    assert described.under == ("`--boil N`",)
    assert described.headings == ("Kettle",)


def test_rst_code_blocks_and_literal_blocks_are_code() -> None:
    text = "Run::\n\n   kettle on\n\n.. code-block:: python\n   :linenos:\n\n   import kettle\n\nDone.\n"
    assert _texts("a.rst", text) == [
        (1, UnitKind.SENTENCE, "Run:"),
        (3, UnitKind.CODE, "kettle on"),
        (8, UnitKind.CODE, "import kettle"),
        (10, UnitKind.SENTENCE, "Done."),
    ]


def test_rst_tables_have_rows() -> None:
    simple = "====  =======\nName  Default\n====  =======\nboil  3\n====  =======\n"
    grid = (
        "+------+---------+\n| Name | Default |\n+======+=========+\n| boil | 3       |\n+------+---------+\n"
    )
    for text in (simple, grid):
        (row,) = read_units("a.rst", text)
        assert (row.cells, row.columns) == (("boil", "3"), ("Name", "Default"))


def test_rst_option_and_definition_lists() -> None:
    units = read_units("a.rst", "-b, --boil=N  How long.\n\nterm\n   What it is.\n")
    assert _named(units, "How long.").under == ("`-b, --boil=N`",)
    assert _named(units, "What it is.").under == ("term",)


def test_asciidoc_has_terms_code_and_rows() -> None:
    text = "= Kettle\n\n`--boil`:: How long.\n\n[source,sh]\n----\nkettle on\n----\n\n|===\n|Name |Default\n\n|boil |3\n|===\n"
    units = read_units("a.adoc", text)
    assert _named(units, "How long.").under == ("`--boil`",)
    assert _named(units, "kettle on").language == "sh"
    assert units[-1].cells == ("boil", "3")


def test_man_pages_have_options_as_terms() -> None:
    text = ".TH KETTLE 1\n.SH OPTIONS\n.TP\n\\fB\\-b\\fR, \\fB\\-\\-boil\\fR \\fIN\\fR\nHow long it boils.\nDefault: 3.\n"
    units = read_units("kettle.1", text)
    default = _named(units, "Default")
    assert default.under == ("`-b`, `--boil` N",)
    assert default.headings == ("`kettle`", "OPTIONS")
    assert default.line == 6


def test_google_sections_are_headings_over_items() -> None:
    text = 'def boil(time):\n    """Boil it.\n\n    Args:\n        time (int): How long\n            it takes.\n\n    Raises:\n        ValueError: If cold.\n    """\n'
    units = read_source_units("kettle.py", text)
    assert [(unit.line, unit.headings, unit.text) for unit in units if unit.kind is UnitKind.ITEM] == [
        (5, ("Args",), "time (int): How long it takes."),
        (9, ("Raises",), "ValueError: If cold."),
    ]
    assert {unit.owner for unit in units} == {"boil"}


@pytest.mark.parametrize(
    ("path", "text", "owner"),
    [
        ("a.py", 'class Kettle:\n    limit = 3\n    """How much it can hold."""\n', "Kettle.limit"),
        ("a.ts", "export class Kettle {\n  /** How much it can hold. */\n  limit = 3;\n}\n", "Kettle.limit"),
        (
            "a.java",
            "class Kettle {\n  /** How much it can hold. */\n  @Safe\n  int limit() { return 3; }\n}\n",
            "Kettle.limit",
        ),
        ("a.go", "package a\n\n// How much it can hold.\nfunc Limit() int { return 3 }\n", "Limit"),
        (
            "a.rs",
            "pub struct Kettle {\n    /// How much it can hold.\n    pub limit: u8,\n}\n",
            "Kettle.limit",
        ),
    ],
)
def test_doc_comments_know_their_definition(path: str, text: str, owner: str) -> None:
    (unit,) = read_source_units(path, text)
    assert (unit.text, unit.owner, unit.origin) == ("How much it can hold.", owner, Origin.DOCSTRING)


def test_multiline_code_in_doc_comment_keeps_line_numbers() -> None:
    text = "class A {\n/**\n * Use it:\n * {@code\n *   a.pour(3);\n * }\n *\n * @param <T> the type\n * @param cup which one\n */\nvoid pour(T cup) {}\n}\n"
    units = read_source_units("A.java", text)
    assert [(unit.line, unit.source) for unit in units if "@param" in unit.text] == [
        (8, (" * @param <T> the type",)),
        (9, (" * @param cup which one",)),
    ]


def test_help_texts_know_their_flag() -> None:
    text = 'parser.add_argument("-b", "--boil", help="How long it boils, "\n    "in minutes.")\n'
    (unit,) = read_source_units("a.py", text)
    assert (unit.text, unit.owner, unit.line, unit.end_line) == (
        "How long it boils, in minutes.",
        "--boil",
        1,
        2,
    )


_MARKS = st.text(alphabet=st.sampled_from("ab `*_[]()<>|#-:!=+.\n\t\\&\"'1~/@{}^"), max_size=200)


@given(_MARKS, st.sampled_from(["a.md", "a.mdx", "a.rst", "a.adoc", "a.txt"]))
def test_any_document_is_read_within_its_lines(text: str, path: str) -> None:
    for unit in read_units(path, text):
        assert 1 <= unit.line <= unit.end_line <= text.count("\n") + 1
        assert unit.text


@given(_MARKS)
def test_any_man_page_is_read_within_its_lines(text: str) -> None:
    for unit in read_units("a.1", f".TH A 1\n{text}"):
        assert 1 <= unit.line <= unit.end_line <= text.count("\n") + 2


@given(_MARKS, st.sampled_from(["a.py", "a.ts", "a.go", "a.rs", "a.java"]))
def test_any_source_is_read_within_its_lines(text: str, path: str) -> None:
    for unit in read_source_units(path, text):
        assert 1 <= unit.line <= unit.end_line <= text.count("\n") + 1


@pytest.mark.parametrize("path", ["a.md", "a.rst", "a.adoc", "a.1", "a.txt"])
def test_malicious_documents_are_read_quickly(path: str) -> None:
    for text in (
        "(" * 200_000,
        "`a " * 60_000,
        "- " * 60_000,
        "|a" * 60_000,
        ".. a::\n  " * 20_000,
        "> " * 20_000,
    ):
        assert isinstance(read_units(path, f".SH A\n{text}"), list)
