"""The claims of documents: subject, attribute, value and place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.domain.code import AssertionKind, ClaimCategory, DocClaim, EntityKind, Quantifier
from veridic.verify.documents.claims import find_claims
from veridic.verify.documents.comments import read_source_units
from veridic.verify.documents.read import read_units
from veridic.verify.documents.vocabulary import Vocabulary

OWN = Vocabulary(frozenset({"kettle"}), frozenset({"boilTime", "on", "Pot"}), frozenset({"boilTime", "Pot"}))


def _claims(text: str, path: str = "docs/use.md", words: Vocabulary = OWN) -> list[DocClaim]:
    return find_claims(read_units(path, text), words)


def _said(claims: list[DocClaim], kind: AssertionKind) -> list[tuple[str, tuple[str, ...]]]:
    return [
        (claim.assertion.subject.name, claim.assertion.expected)
        for claim in claims
        if claim.assertion.kind is kind and claim.assertion.subject
    ]


@pytest.mark.parametrize(
    "text",
    [
        "- `--port`: where it listens. Default: `80`.\n",
        "The `--port` option defaults to 80.\n",
        "`--port <n>` (default: 80)\n",
        "## `--port`\n\nWhere it listens. The default is `80`.\n",
        "| Option | Default |\n|---|---|\n| `--port` | `80` |\n",
        "```\nOptions:\n  -v, --verbose   Talk more\n  -p, --port <N>  Listen there [default: 80]\n```\n",
        "```console\nUsage: kettle [flags]\n  -v, --verbose   Talk more\n  -p, --port <N>  Listen there [default: 80]\n```\n",
        "Defaults:\n\n- `--port`: `80`\n",
    ],
)
def test_defaults_have_their_subject_and_place(text: str) -> None:
    claim = next(one for one in _claims(text) if one.assertion.kind is AssertionKind.DEFAULT)
    place = claim.assertion.expected_place
    assert claim.assertion.subject is not None
    assert (claim.assertion.subject.name, claim.assertion.expected) == ("--port", ("80",))
    assert place is not None
    assert text.split("\n")[place.line - 1][place.start : place.end] == "80"


@pytest.mark.parametrize(
    "text",
    [
        "```sh\nkettle --port 8080\n```\n",
        "The default of `--port` was 80 previously.\n",
        "For example, `--port` could have 80 as default.\n",
        "Run `kettle --port 8080` to see it.\n",
    ],
)
def test_examples_and_past_tense_give_no_defaults(text: str) -> None:
    assert _said(_claims(text), AssertionKind.DEFAULT) == []


def test_changelogs_only_claim_links() -> None:
    claims = _claims("Added `--x`, see [here](docs/x.md).\n", "CHANGELOG.md")
    assert [claim.assertion.kind for claim in claims] == [AssertionKind.LINKS]


def test_commands_show_flags_of_own_program() -> None:
    claims = _claims("```sh\n$ TEA_COLOR=1 kettle --boil 3 | grep --count tea\n```\n")
    subjects = [claim.assertion.subject for claim in claims]
    assert [(one.kind, one.name, one.owner) for one in subjects if one] == [
        (EntityKind.ENVIRONMENT, "TEA_COLOR", None),
        (EntityKind.COMMAND, "kettle", None),
        (EntityKind.FLAG, "--boil", "kettle"),
    ]


def test_installing_names_the_package_with_its_extra() -> None:
    assert _said(_claims("```sh\npip install 'kettle[tea]' requests\n```\n"), AssertionKind.EXISTS) == [
        ("kettle[tea]", ())
    ]


def test_scripts_and_targets_exist() -> None:
    claims = _claims("```sh\nnpm run brew\nmake tea\n```\n")
    assert _said(claims, AssertionKind.EXISTS) == [("npm run brew", ()), ("make tea", ())]


def test_imports_and_calls_of_own_modules() -> None:
    claims = _claims(
        "```python\nfrom kettle import Pot\nimport os\npot = Pot(size=3)\npot.pour()\nos.getcwd()\n```\n"
    )
    assert _said(claims, AssertionKind.EXISTS) == [("kettle", ()), ("Pot", ()), ("Pot", ()), ("pour", ())]
    assert _said(claims, AssertionKind.PARAMETER) == [("Pot", ("size",))]


def test_imports_from_other_projects_are_ignored() -> None:
    claims = _claims("```python\nfrom teapot import Pot\nPot(size=3)\n```\n")
    assert claims == []


def test_documented_configuration_keys() -> None:
    claims = _claims('```json\n{\n  "boilTime": 3,\n  "unheard": 1\n}\n```\n')
    assert _said(claims, AssertionKind.EXISTS) == [("boilTime", ())]


def test_signatures_list_their_parameters() -> None:
    claims = _claims("### `pour(cup, amount=3, *rest)`\n")
    assert _said(claims, AssertionKind.SIGNATURE) == [("pour", ("cup", "amount=3", "*rest"))]


def test_choices_are_members() -> None:
    claims = _claims("- `--tea`: the tea. One of `green`, `black` (strong) or `white`.\n")
    assert _said(claims, AssertionKind.MEMBERS) == [("--tea", ("green", "black", "white"))]


@pytest.mark.parametrize(
    ("text", "name", "version"),
    [
        ("Requires Python 3.9 and nothing else.", "python", "3.9"),
        ("It runs on Node.js >= 18.", "node", "18"),
        ("You need Rust 1.76 or newer.", "rust", "1.76"),
    ],
)
def test_runtimes_have_a_lowest_version(text: str, name: str, version: str) -> None:
    (claim,) = [one for one in _claims(text) if one.assertion.kind is AssertionKind.REQUIRES]
    assert claim.assertion.subject is not None
    assert (claim.assertion.subject.name, claim.assertion.expected) == (name, (version,))
    assert claim.assertion.quantifiers == (Quantifier.AT_LEAST,)


def test_exit_codes_are_values() -> None:
    assert _said(_claims("It exits with code 3 if it is cold.\n"), AssertionKind.EQUALS) == [
        ("exit code", ("3",))
    ]
    assert _said(_claims("## Exit codes\n\n- 4: too hot\n"), AssertionKind.EQUALS) == [("exit code", ("4",))]


def test_limits_belong_to_the_topic() -> None:
    claims = _claims("`boilTime`<br/>\nHow long it boils. The minimum allowed value is 250 ms.\n")
    assert _said(claims, AssertionKind.EQUALS) == [("boilTime", ("250 ms",))]


def test_links_to_other_sites_are_external() -> None:
    claims = _claims("[a](docs/a.md#x) [b](https://tea.example/y) ![c](c.png) [d](mailto:tea@tea.example)\n")
    links = ["docs/a.md#x", "https://tea.example/y", "c.png"]
    assert _said(claims, AssertionKind.LINKS) == [(link, (link,)) for link in links]
    outside = [claim.assertion.expected[0] for claim in claims if claim.category is ClaimCategory.EXTERNAL]
    assert outside == ["https://tea.example/y"]


def test_routes_and_variables_exist() -> None:
    claims = _claims("`GET /teas/{id}` reads the environment variable `TEA_HOME`.\n")
    kinds = [
        claim.assertion.subject.kind
        for claim in claims
        if claim.assertion.kind is AssertionKind.EXISTS and claim.assertion.subject
    ]
    assert kinds == [EntityKind.ENDPOINT, EntityKind.ENVIRONMENT]


def test_sentences_under_a_term_are_about_it() -> None:
    claims = _claims("- `boilTime`: how long. It never takes more than one attempt.\n")
    claim = next(one for one in claims if one.assertion.kind is AssertionKind.BEHAVES)
    assert claim.assertion.subject is not None
    assert claim.assertion.subject.name == "boilTime"
    assert claim.assertion.quantifiers == (Quantifier.NEVER,)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks to everyone who drinks tea.\n",
        "# License\n\n`kettle` is free for all people.\n",
        "Is `--port` good for tea?\n",
    ],
)
def test_thanks_licences_and_questions_make_no_claims(text: str) -> None:
    assert _said(_claims(text), AssertionKind.BEHAVES) == []


def test_docstring_fields_are_parameters_returns_and_raises() -> None:
    text = 'def pour(cup):\n    """Pour it.\n\n    :param cup: the cup that is filled, defaults to 3\n    :returns: `True` if full\n    :raises TeaError: if empty\n    """\n'
    claims = find_claims(read_source_units("kettle.py", text), OWN)
    assert _said(claims, AssertionKind.PARAMETER) == [("pour", ("cup",))]
    assert _said(claims, AssertionKind.DEFAULT) == [("cup", ("3",))]
    assert _said(claims, AssertionKind.RETURNS) == [("pour", ("True",))]
    assert _said(claims, AssertionKind.RAISES) == [("pour", ("TeaError",))]


def test_tags_of_doc_comments_are_read() -> None:
    text = "/**\n * Pours tea.\n * @param {number} [amount=3] - how much\n * @throws {TeaError} if empty\n */\nfunction pour(amount) {}\n"
    claims = find_claims(read_source_units("kettle.js", text), OWN)
    assert _said(claims, AssertionKind.PARAMETER) == [("pour", ("amount",))]
    assert _said(claims, AssertionKind.DEFAULT) == [("amount", ("3",))]
    assert _said(claims, AssertionKind.RAISES) == [("pour", ("TeaError",))]


def test_fields_of_commented_out_code_are_ignored() -> None:
    text = "class Pot {\n//  /**\n//   * Pours tea.\n//   * @param amount how much\n//   */\n//  void pour(int amount) {}\n\n  Pot() {}\n}\n"
    claims = find_claims(read_source_units("Pot.java", text), OWN)
    assert _said(claims, AssertionKind.PARAMETER) == []


def test_ids_are_stable_and_differ() -> None:
    text = "`--boil` and `--warm` are options of it.\n"
    first, again = _claims(text), _claims(f"\n\n{text}")
    assert [claim.id for claim in first] == [claim.id for claim in again]
    assert len({claim.id for claim in first}) == len(first)


def test_own_names_come_from_readme_and_its_commands() -> None:
    text = "# Kettle\n\nKettle boils. Kettle is hot.\n\n```sh\npip install kettle\nkettle --on\ncurl --silent x\n```\n"
    claims = find_claims(read_units("README.md", text))
    assert ("--on", ()) in _said(claims, AssertionKind.EXISTS)
    assert ("--silent", ()) not in _said(claims, AssertionKind.EXISTS)


@given(
    st.text(alphabet=st.sampled_from("ab AB`*_[]()<>|#-:=$/.,\n\"'13{}~@"), max_size=200),
    st.sampled_from(["a.md", "a.rst", "a.txt"]),
)
def test_places_hold_the_value_that_is_claimed(text: str, path: str) -> None:
    lines = text.split("\n")
    for claim in find_claims(read_units(path, text)):
        place = claim.assertion.expected_place
        assert 1 <= claim.line <= claim.end_line <= len(lines)
        if place:
            assert lines[place.line - 1][place.start : place.end] == claim.assertion.expected[0]


def test_malicious_documents_are_read_quickly() -> None:
    for text in (
        "`--a` " * 3_000,
        "default: " * 5_000,
        "[a](" * 20_000,
        "one of `a`, " * 3_000,
        "exits with " * 9_000,
        "(default " * 9_000,
    ):
        assert isinstance(_claims(text), list)


@pytest.mark.parametrize("mark", ["*", "-"])
def test_list_table_rows_may_begin_with_either_mark(mark: str) -> None:
    rows = f"    {mark} - Variable\n      - Meaning\n    {mark} - ``KETTLE_HOME``\n      - Where it is. Default: ``/opt``.\n"
    found = _claims(f".. list-table::\n    :header-rows: 1\n\n{rows}", "docs/use.rst")
    assert _said(found, AssertionKind.DEFAULT) == [("KETTLE_HOME", ("/opt",))]


def test_default_tag_is_about_its_definition() -> None:
    source = "interface Options {\n\t/**\n\tHow long.\n\n\t@default 10000\n\t*/\n\tboilTime?: number;\n}\n"
    found = find_claims(read_source_units("kettle.ts", source), OWN)
    assert _said(found, AssertionKind.DEFAULT) == [("Options.boilTime", ("10000",))]
