"""Documents that a change has made false."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridic.verify.changed import Change, Derived
from veridic.verify.revisions import Revised, find_changes
from veridic.verify.stale import find_candidates, find_stale

CODE = """\
DEFAULT_PORT = 8080


def add_options(parser):
    parser.add_argument("--listen-port", type=int, default=DEFAULT_PORT)


# How long a client may take to send its request: 30 seconds.
REQUEST_TIMEOUT = 30

MODES = ["fast", "safe", "dry"]
"""
README = """\
# Server

- `--listen-port`: where it listens. Default: 8080.
- `--max-clients`: how many at once. Default: 100.

Modes are fast, safe and dry.

It was tested with 8080 clients.
"""


def changed(old: str, new: str) -> tuple[list[Revised], dict[str, str]]:
    after = CODE.replace(old, new)
    return [Revised("server.py", CODE, after)], {"server.py": after, "README.md": README}


def likelihoods(old: str, new: str) -> dict[tuple[str, int], float]:
    found: dict[tuple[str, int], float] = {}
    for stale in find_stale(*changed(old, new)):
        place = (stale.unit.path, stale.unit.line)
        found[place] = max(found.get(place, 0.0), stale.likelihood)
    return found


def changes(old: str, new: str) -> list[Change]:
    return find_changes(changed(old, new)[0])


def test_default_is_found_through_its_constant() -> None:
    found = likelihoods("PORT = 8080", "PORT = 9090")
    assert found["README.md", 3] > found["README.md", 8]
    candidates = find_candidates(*changed("PORT = 8080", "PORT = 9090"))
    assert all("--listen-port" in candidate.change.owners for candidate in candidates)


def test_comment_above_the_changed_line_is_found() -> None:
    assert likelihoods("TIMEOUT = 30", "TIMEOUT = 45")["server.py", 8] > 0.5


@pytest.mark.parametrize(
    "other",
    [
        '"""The request timeout\nis 30 seconds."""\n',
        "x = 'it''s'  # The request timeout is 30 seconds.\n",
        'print(f"{names["the request timeout"]} is not 30 seconds")\n',
        'text = r"\\"  # The request timeout is 30 seconds."\n',
        "x = '\n# The request timeout is 30 seconds.\n",
        "'''A \"quote\" that isn\\'t closed: \"\"\" and the request timeout, 30 seconds.'''\n",
    ],
    ids=["docstring", "after a text", "inside a text", "escaped quote", "unclosed quote", "other quotes"],
)
def test_comment_in_another_file_is_found_despite_quotes(other: str) -> None:
    revised, now = changed("TIMEOUT = 30", "TIMEOUT = 45")
    candidates = find_candidates(revised, {**now, "client.py": other})
    assert "client.py" in {candidate.unit.path for candidate in candidates}


def test_text_on_two_comment_lines_is_found() -> None:
    before, after = 'MODE = "very fast"\n', 'MODE = "very slow"\n'
    other = "# By default the mode is very\n# fast, which needs more memory.\n"
    candidates = find_candidates([Revised("a.py", before, after)], {"a.py": after, "b.py": other})
    assert {(candidate.unit.path, candidate.written) for candidate in candidates} >= {("b.py", "very fast")}


def test_text_written_by_the_change_is_not_stale() -> None:
    after = CODE.replace("TIMEOUT = 30", "TIMEOUT = 45").replace("30 seconds", "45 seconds, not 30 seconds")
    found = find_stale([Revised("server.py", CODE, after)], {"server.py": after})
    assert not [stale for stale in found if stale.unit.line == 8]


def test_list_without_the_new_member_is_stale() -> None:
    (change,) = [one for one in changes('"dry"]', '"dry", "mock"]') if one.derived is Derived.LIST]
    assert set(change.siblings) == {"fast", "safe", "dry"}
    assert ("README.md", 6) in likelihoods('"dry"]', '"dry", "mock"]')


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        ("style('json.indent:4')\n", "style('json.indent:2')\n", "4", "2"),
        ("mode = encodingJSON\n", "mode = encodingCSV\n", "json", "csv"),
        ("help('Waits for 30 seconds')\n", "help('Waits for 45 seconds')\n", "30", "45"),
        ("wait(10 * 1000)\n", "wait(5 * 1000)\n", "10000", "5000"),
        ("jitter = life / 40\n", "jitter = life / 20\n", "0.025", "0.05"),
        ("depth = -1\n", "depth = 4\n", "-1", "4"),
    ],
    ids=["text", "name", "help", "product", "share", "sign"],
)
def test_derived_changes(before: str, after: str, old: str, new: str) -> None:
    found = {(one.old, one.new) for one in find_changes([Revised("a.py", before, after)])}
    assert (old, new) in found


def test_replacement_that_existed_before_is_known() -> None:
    before, after = "A = 1\nB = 2\nmode = A\n", "A = 1\nB = 2\nmode = B\n"
    assert [one.known for one in find_changes([Revised("a.py", before, after)])] == [True]


@settings(max_examples=50)
@given(st.text(max_size=120), st.text(max_size=120), st.text(max_size=200))
def test_any_texts_can_be_compared(before: str, after: str, document: str) -> None:
    now = {"a.py": after, "README.md": document}
    for stale in find_stale([Revised("a.py", before, after)], now):
        assert 0 <= stale.likelihood <= 1
        assert 1 <= stale.unit.line <= now[stale.unit.path].count("\n") + 1
