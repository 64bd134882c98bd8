"""Finding names in the code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.verify.facts.names import Names, is_code

FILES = {
    "src/client.py": "max_redirects = 5\nPREFIX = 'SHOP_'\nwidth = total-margin\n",
    "lib/run.js": "options['keep-alive'] = setLogLevel(2)\n",
    "docs/guide.md": "Use `only_documented`.\n",
    "tests/test_client.py": "only_tested = 1\n",
    "poetry.lock": "only_locked = 1\n",
    "CHANGELOG.md": "- `only_told`\n",
}


@pytest.mark.parametrize(
    "name",
    ["max_redirects", "maxRedirects", "MaxRedirects", "max-redirects", "--max-redirects", "MAX_REDIRECTS"],
)
def test_every_spelling_is_found(name: str) -> None:
    assert Names(FILES).files_with(name) == ("src/client.py",)


@pytest.mark.parametrize(
    "name", ["keepAlive", "margin", "total", "SHOP_MAX_REDIRECTS", "log_level", "logLevel"]
)
def test_names_in_strings_and_longer_names_are_found(name: str) -> None:
    assert Names(FILES).spells(name)


@pytest.mark.parametrize(
    "name",
    [
        "only_documented",
        "only_tested",
        "only_locked",
        "only_told",
        "max_redirects.only_told",
        "OTHER_MAX_REDIRECTS",
        "redirect",
    ],
)
def test_names_outside_of_code_are_not_found(name: str) -> None:
    names = Names(FILES)
    assert not names.spells(name)
    assert names.files_with(name) == ()


@pytest.mark.parametrize(
    "path",
    ["src/commands/upgrade.py", "pkg/release.go", "app/migrations/first.py", "Makefile", "src/changed.rs"],
)
def test_code_named_like_a_changelog_is_code(path: str) -> None:
    assert is_code(path)


def test_separate_words_are_not_a_name() -> None:
    assert Names(FILES).files_with("max redirects") == ()


def test_dotted_name_needs_every_part() -> None:
    assert Names(FILES).spells("client.max_redirects") is False
    assert Names({"src/a.ts": "const retry = {limit: 2}"}).spells("retry.limit") is True


def test_accepts_pairs_instead_of_a_mapping() -> None:
    assert Names(iter(FILES.items())).files_with("keep_alive") == ("lib/run.js",)


@given(
    st.from_regex(r"[a-z]{1,8}(_[a-z]{1,8}){0,3}", fullmatch=True),
    st.text(st.characters(exclude_characters="\0"), max_size=40),
)
def test_name_in_the_code_is_always_found(name: str, around: str) -> None:
    words = name.split("_")
    camel = words[0] + "".join(word.title() for word in words[1:])
    names = Names({"src/a.py": f"{around} {name} {around}"})
    assert all(names.spells(spelled) for spelled in (name, camel, name.upper(), name.replace("_", "-")))
