"""What the site needs beside the pages: links to files of the repository that are no pages become their names."""

import re
from typing import Any

_OUT_OF_THE_DOCS = re.compile(r"\[([^\]]+)\]\((?:\.\./)+((?!images/)[\w./-]+)(?:#[\w-]+)?\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Called by mkdocs with the text of each page."""
    above = page.file.src_uri.count("/")

    def name(match: re.Match[str]) -> str:
        is_outside = match[0].count("../") > above
        if not is_outside:
            return match[0]
        path = f"`{match[2]}` in the repository"
        return path if match[1] == f"`{match[2]}`" else f"{match[1]} ({path})"

    return _OUT_OF_THE_DOCS.sub(name, markdown)
