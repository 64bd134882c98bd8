"""A model's Markdown as HTML that shows and does nothing else."""

from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

from veridic.reporting.outside import visible, web_link

_HEADINGS_BELOW = 2
"""A report's own `#` stands under the page's second level."""


def rendered(text: str) -> Markup:
    """Markdown with tables; HTML in it is shown as text, pictures are not fetched, links lead to http(s) only."""
    parser = _parser()
    tokens = parser.parse(visible(text))
    for token in tokens:
        token.attrs.pop("style", None)  # a table's alignment: the page's policy allows no inline style
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + _HEADINGS_BELOW)}"
        for child in token.children or ():
            if child.type == "link_open":
                child.attrs["rel"] = "noopener noreferrer nofollow"
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704 - html is off


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.validateLink = lambda url: web_link(url) is not None  # type: ignore[method-assign]
    return parser
