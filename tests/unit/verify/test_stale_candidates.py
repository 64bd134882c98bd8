"""Which places a search for a change reaches, and what their position shows."""

import pytest

from veridic.verify.position import position_of, subject
from veridic.verify.revisions import Revised, find_changes
from veridic.verify.source_text import read_source
from veridic.verify.stale import find_candidates


def places(path: str, before: str, after: str, documents: dict[str, str]) -> set[tuple[str, str]]:
    """The text and the document of each candidate outside the changed file."""
    candidates = find_candidates([Revised(path, before, after)], {path: after, **documents})
    return {(one.unit.path, one.written) for one in candidates if one.unit.path != path}


@pytest.mark.parametrize(
    ("before", "after", "document", "written"),
    [
        ('SEPARATOR = ","\n', 'SEPARATOR = ";"\n', "Use a comma to separate items.", "comma"),
        ('delimiter = "."\n', 'delimiter = "/"\n', "Nested keys use `.` as a delimiter.", "."),
        ('exclude = ["~*"]\n', 'exclude = ["*~"]\n', "These are excluded: `.*, ~*`.", "~*"),
        ('indent = "  "\n', 'indent = "    "\n', "The indent is 2 spaces.", "2 spaces"),
        ('threshold = "1h"\n', 'threshold = "3h"\n', "Threshold: within the last hour.", "last hour"),
        ('path = "./app.conf"\n', 'path = "./Appfile"\n', "Write it into *app.conf*.", "app.conf"),
        ('all = ["yaml>=5.1", "h2"]\n', 'all = ["h2"]\n', "It installs `yaml`.", "yaml"),
        ("share = min(count // 4)\n", "share = min(count // 2)\n", "The share is 25% of them.", "25%"),
        (
            'fail(f"Cannot find the file: {name}")\n',
            'fail(f"No such file: {name}")\n',
            "Says `Cannot find the file: a.txt` if it is gone.",
            "Cannot find the file:",
        ),
    ],
    ids=["separator", "sign", "pattern", "spaces", "hour", "file", "requirement", "share", "message"],
)
def test_place_that_writes_it_otherwise_is_found(
    before: str, after: str, document: str, written: str
) -> None:
    assert ("README.md", written) in places("app.py", before, after, {"README.md": document})


def test_version_with_a_letter_is_one_number() -> None:
    changes = find_changes([Revised("Makefile", "TOOL_VERSION = v2.6.1\n", "TOOL_VERSION = v2.8.0\n")])
    assert [(one.old, one.new) for one in changes] == [("2.6.1", "2.8.0")]


def test_comment_beside_a_setting_is_found() -> None:
    sample = "size:\n  small: 229   # Default = 229\n  medium: 216  # Default = 216\n"
    found = places("theme.py", "medium = 216\n", "medium = 214\n", {"sample.yaml": sample})
    assert found == {("sample.yaml", "216")}


def test_mark_in_quotes_starts_no_comment() -> None:
    (prose,) = read_source("sample.yaml", 'title: "a # b: medium 216"\n').prose
    assert (prose.text, prose.is_comment) == ('"a # b: medium 216"', False)


def test_short_option_beside_its_long_form_is_found() -> None:
    before = 'match flag:\n    case "-n": dry_run = read("--dry-run")\n'
    usage = '"""Usage: tool\n\n  --dry-run, -n  changes nothing\n"""\n'
    assert ("usage.py", "-n") in places("cli.py", before, before.replace("-n", "-d", 1), {"usage.py": usage})


def test_text_far_from_its_quotes_is_found() -> None:
    lines = ["It tells of another thing than what it is asked for, at length and in plain words."] * 8
    text = "\n".join([*lines, "Updates are checked once every 24 hours.", *lines])
    other = f"package help\n\nvar Text = `\n{text}\n`\n"
    before = "package update\n\nfunc f() bool { return checkedUpdates().Hours() < 24 }\n"
    assert ("help.go", "24") in places("update.go", before, before.replace("24", "72"), {"help.go": other})


def test_name_beside_marks_of_a_format_is_found() -> None:
    other = 'package help\n\nvar Text = f(`%[1]sNO_UPDATES%[1]s: set it to be left alone.`, "`")\n'
    before = 'package update\n\nvar quiet = os.Getenv("NO_UPDATES")\n'
    found = places("update.go", before, before.replace("NO_UPDATES", "NO_CHECK"), {"help.go": other})
    assert ("help.go", "NO_UPDATES") in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- `max_redirects`: at most 30", 1.0),
        ("| `--max-redirects` | 30 |", 1.0),
        ("max-redirects", 1.0),
        ("- `timeout`: 30", -1.0),
        ("It follows redirects up to 30 times.", 0.0),
    ],
    ids=["item", "row", "heading", "another", "sentence"],
)
def test_subject_leads_its_text(text: str, expected: float) -> None:
    assert subject(text, ["maxRedirects"]) == expected


def test_value_in_a_longer_name_is_not_by_itself() -> None:
    inside = position_of("See .", ".yml for more.", [], {})
    alone = position_of("It is called `", "` by default.", [], {})
    assert (inside[:3], alone[:3]) == ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def test_default_before_another_number_is_not_its_own() -> None:
    def since(before: str) -> float:
        return position_of(before, "", [], {})[3]

    assert since("The default is ") < since("The default is 30, at most ") < since("At most ")
