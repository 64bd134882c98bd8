"""What the site needs beside the pages: links to files of the repository that are no pages become their names."""

import re
from typing import Any

_OUT_OF_THE_DOCS = re.compile(r"\[([^\]]+)\]\((?:\.\./)+((?!images/)[\w./-]+)(?:#[\w-]+)?\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Called by mkdocs with the text of each page."""
    above = page.file.src_uri.count("/")

    def name(match: re.Match[str]) -> str:
        is_outside = match[0].count("../") > above
        return f"{match[1]} (`{match[2]}` in the repository)" if is_outside else match[0]

    return _OUT_OF_THE_DOCS.sub(name, markdown)
