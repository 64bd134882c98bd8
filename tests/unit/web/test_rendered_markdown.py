"""Rendering a model's Markdown safely."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.web.check_page import render_markdown


def _tags(page: str) -> list[tuple[str, dict[str, str]]]:
    found: list[tuple[str, dict[str, str]]] = []

    class Collector(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, {name: value or "" for name, value in attrs}))

    Collector().feed(page)
    return found


def test_headings_are_shifted_down() -> None:
    assert render_markdown("# Report\n\n## Summary") == "<h3>Report</h3>\n<h4>Summary</h4>\n"


def test_tables_have_no_inline_style() -> None:
    page = render_markdown("| a | b |\n|---|:--:|\n| 1 | 2 |")

    assert "<td>2</td>" in page
    assert "style" not in page


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](data:text/html,<script>alert(1)</script>)",
        "[a](vbscript:x)",
        "<javascript:alert(1)>",
        "[a]: javascript:alert(1)\n\n[a]",
        "[a](/api/checks)",
        '[a](https://ok.example "x" onclick="alert(1)")',
        "```<script>\nalert(1)\n```",
    ],
)
def test_hostile_markdown_is_harmless(hostile: str) -> None:
    for tag, attributes in _tags(render_markdown(hostile)):
        assert tag not in ("script", "img")
        assert attributes.keys() <= {"href", "rel", "class", "title"}
        assert attributes.get("href", "https://").startswith("https://")


def test_images_are_not_rendered() -> None:
    assert "<img" not in render_markdown("![a picture](https://tracker.example/pixel.png)")


def test_links_send_no_referrer() -> None:
    assert render_markdown("[a](https://a.example/)") == (
        '<p><a href="https://a.example/" rel="noopener noreferrer nofollow">a</a></p>\n'
    )


def test_direction_override_characters_are_made_visible() -> None:
    assert "⟨U+202E⟩" in render_markdown("right\u202eleft")


@given(st.text(alphabet="<>&\"'()[]!`*#|-: \n\\ajvscript/", max_size=80))
def test_only_known_tags_are_produced(text: str) -> None:
    known = {"p", "a", "em", "strong", "code", "pre", "ul", "ol", "li", "hr", "br", "blockquote"}
    known |= {"h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"}
    for piece in render_markdown(text).split("<")[1:]:
        assert piece.lstrip("/").split(">")[0].split()[0].rstrip("/") in known
