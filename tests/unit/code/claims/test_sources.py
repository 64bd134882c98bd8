"""What docstrings, comments, help texts, names and commit messages say."""

from pathlib import Path

import pytest
from tests.unit.code.claims.kettle import SOURCES, claims_in, said, subject_of

from veridic.code.claims.promises import promised
from veridic.code.history import CommitText
from veridic.domain.code import AssertionKind, ClaimDomain, DocClaim, Origin

GOOGLE = '''
def brew(water, minutes=3, *, mode="fast"):
    """Brew a cup; returns a dict.

    Args:
        water (int): How much.
        minutes (int, optional): How long. Defaults to 3.
        sugar: Not taken.
        mode: One of ``fast`` or ``slow`` (default: ``"fast"``).

    Returns:
        str: What came of it.

    Raises:
        ValueError: Without water.
        KeyError
    """
'''
NUMPY = '''
def brew(water, minutes=3):
    """
    Brew.

    Parameters
    ----------
    water : int
        How much.
    minutes : int, default: 3
        How long.
    size : {'small', 'large'}, optional

    Returns
    -------
    bool
        Whether.

    Raises
    ------
    ValueError
        Without water.

    Examples
    --------
    >>> brew(1, minutes=9)
    """
'''
SPHINX = '''
def brew(water, minutes=3):
    r"""Brew.

    :param int water: how much
    :param minutes: how long (default 3)
    :returns: a list of cups, or None
    :raises ValueError: without water
    """
'''


def _checked(tmp_path: Path, source: str) -> list[DocClaim]:
    claims = claims_in(tmp_path, {"src/kettle/tea.py": source})
    lines = source.split("\n")
    for claim in claims:
        place = claim.assertion.expected_place
        if place is not None:
            assert lines[place.line - 1][place.start : place.end] == claim.assertion.expected[0]
    return claims


BREW = "kettle.tea.brew"


def test_a_docstring_as_google_writes_them(tmp_path: Path) -> None:
    claims = _checked(tmp_path, GOOGLE)
    assert said(claims) == [
        ("returns", f"function {BREW}", ("dict",)),
        ("parameter", f"parameter water of {BREW}", ("water",)),
        ("parameter", f"parameter minutes of {BREW}", ("minutes",)),
        ("default", f"parameter minutes of {BREW}", ("3",)),
        ("parameter", f"parameter sugar of {BREW}", ("sugar",)),
        ("parameter", f"parameter mode of {BREW}", ("mode",)),
        ("default", f"parameter mode of {BREW}", ("fast",)),
        ("members", f"parameter mode of {BREW}", ("fast", "slow")),
        ("returns", f"function {BREW}", ("str",)),
        ("raises", f"function {BREW}", ("ValueError",)),
        ("raises", f"function {BREW}", ("KeyError",)),
    ]
    assert {claim.owner for claim in claims} == {BREW}


def test_a_docstring_as_numpy_writes_them(tmp_path: Path) -> None:
    assert said(_checked(tmp_path, NUMPY)) == [
        ("parameter", f"parameter water of {BREW}", ("water",)),
        ("parameter", f"parameter minutes of {BREW}", ("minutes",)),
        ("default", f"parameter minutes of {BREW}", ("3",)),
        ("parameter", f"parameter size of {BREW}", ("size",)),
        ("members", f"parameter size of {BREW}", ("small", "large")),
        ("returns", f"function {BREW}", ("bool",)),
        ("raises", f"function {BREW}", ("ValueError",)),
    ]


def test_a_docstring_as_sphinx_reads_them(tmp_path: Path) -> None:
    assert said(_checked(tmp_path, SPHINX)) == [
        ("parameter", f"parameter water of {BREW}", ("water",)),
        ("parameter", f"parameter minutes of {BREW}", ("minutes",)),
        ("default", f"parameter minutes of {BREW}", ("3",)),
        ("returns", f"function {BREW}", ("list",)),
        ("returns", f"function {BREW}", ("None",)),
        ("raises", f"function {BREW}", ("ValueError",)),
    ]


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("Raises `ValueError` if it is cold.", [("raises", "ValueError")]),
        ("Boils it. `ValueError` is raised without water.", [("raises", "ValueError")]),
        ("Boil; returns None where there is no water.", [("returns", "None")]),
        ("A broken kettle raises `OSError` somewhere else.", []),
        ("Thread-safe.", [("behaves", "")]),
        ("Deprecated since 2.0: use `brew`.", [("deprecated", "2.0")]),
    ],
)
def test_sentences_of_docstrings(tmp_path: Path, docstring: str, expected: list[tuple[str, str]]) -> None:
    claims = _checked(tmp_path, f'def brew():\n    """{docstring}"""\n')
    assert [(kind, "".join(values)) for kind, _, values in said(claims)] == expected


def test_a_comment_speaks_of_what_it_names_only(tmp_path: Path) -> None:
    source = "def brew():\n    # returns None here\n    # `MAX_RETRIES` is 5, and `connect()` raises `ValueError`\n    pass\n"
    assert said(_checked(tmp_path, source)) == [
        ("equals", "constant MAX_RETRIES", ("5",)),
        ("raises", "function connect", ("ValueError",)),
    ]


def test_a_help_text_speaks_of_its_option(tmp_path: Path) -> None:
    claims = claims_in(tmp_path, {"src/kettle/cli.py": SOURCES["src/kettle/cli.py"]})
    (claim,) = [claim for claim in claims if claim.origin is Origin.HELP]
    assert (subject_of(claim), claim.assertion.expected) == ("flag --port", ("8080",))
    place = claim.assertion.expected_place
    assert place is not None
    line = SOURCES["src/kettle/cli.py"].split("\n")[place.line - 1]
    assert line[place.start : place.end] == "8080"
    assert line[: place.start].endswith("(default: ")


@pytest.mark.parametrize(
    ("name", "promise"),
    [
        ("is_hot", "bool"), ("hasWater", "bool"), ("_can_boil", "bool"), ("validate_volume", "check"),
        ("ensure", "check"), ("safe_load", "safe"), ("island", None), ("checkout", None), ("boil", None),
    ],
)  # fmt: skip
def test_what_a_name_promises(name: str, promise: str | None) -> None:
    assert promised(name) == promise


def test_names_are_claims_of_their_own_line(tmp_path: Path) -> None:
    claims = claims_in(tmp_path, {}, documents=["src/kettle/core.py"])
    (claim,) = [claim for claim in claims if claim.origin is Origin.NAME]
    assert claim.assertion.kind is AssertionKind.PROMISE
    assert (claim.owner, claim.text) == ("kettle.core.is_hot", "def is_hot(kettle):")


def test_commit_messages_are_history(tmp_path: Path) -> None:
    commit = CommitText("ab" * 20, "Wait longer\n\n`--port` defaults to 8080, as in 4f2a9c1e.\n")
    claims = claims_in(tmp_path, {}, [commit], documents=[])
    assert said(claims, *AssertionKind) == [
        ("default", "flag --port", ("8080",)),
        ("exists", "flag --port", ("--port",)),
        ("exists", "commit 4f2a9c1e", ("4f2a9c1e",)),
    ]
    assert {(claim.document, claim.domain, claim.line) for claim in claims} == {
        ("ab" * 20, ClaimDomain.HISTORY, 3)
    }


JSDOC = """
/**
 * Brews tea.
 * @param {number} water - how much
 * @param {number} [minutes=3] how long
 * @returns {string} what came of it
 * @throws {RangeError} without water
 */
export function brew(water, minutes = 3) {
  return ""
}
"""


def test_tags_of_javascript(tmp_path: Path) -> None:
    claims = claims_in(tmp_path, {"web/tea.js": JSDOC})
    assert [(kind, expected) for kind, _, expected in said(claims)] == [
        ("parameter", ("water",)),
        ("parameter", ("minutes",)),
        ("default", ("3",)),
        ("returns", ("string",)),
        ("raises", ("RangeError",)),
    ]
    lines = JSDOC.split("\n")
    for claim in claims:
        place = claim.assertion.expected_place
        assert place is not None
        assert lines[place.line - 1][place.start : place.end] == claim.assertion.expected[0]
