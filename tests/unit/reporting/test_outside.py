import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.reporting.escaping import one_line, visible, web_link


@given(st.text(st.characters()))
def test_visible_text_has_no_control_characters(text: str) -> None:
    shown = visible(text)

    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t"]
    assert not set(shown) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
    shown.encode()


@given(st.text(st.characters(categories=("L", "N", "P", "S", "M", "Zs"))))
def test_ordinary_text_is_unchanged(text: str) -> None:
    assert visible(text) == text


def test_escape_sequence_is_shown() -> None:
    assert visible("a\x1b[31mb\x9bc") == "a␛[31mb⟨U+009B⟩c"


def test_emoji_and_right_to_left_marks_are_kept() -> None:
    assert visible("👩‍🚀 שלום\u200f") == "👩‍🚀 שלום\u200f"


def test_line_ends_become_spaces_on_one_line() -> None:
    assert one_line(" a\r\nb\rc\n\n d\te ") == "a b c d e"


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "javascript:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "JAVASCRIPT://x/%0aalert(1)",
        "data:text/html,<script>",
        "file:///etc/passwd",
        "//evil.example",
        "https://",
        "https:///path",
        "http://[broken",
        "https://a.example/\x1b]8",
        "sources/a.txt",
    ],
)
def test_only_http_is_linked(url: str | None) -> None:
    assert web_link(url) is None


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("https://a.example/b?c=1&d=%20#e", "https://a.example/b?c=1&d=%20#e"),
        ('https://a.example/"><b>(x)', "https://a.example/%22%3E%3Cb%3E%28x%29"),
        ("HTTP://a.example/é", "HTTP://a.example/%C3%A9"),
    ],
)
def test_links_are_percent_encoded(url: str, link: str) -> None:
    assert web_link(url) == link
