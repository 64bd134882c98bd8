"""Finds the configuration of the site generator that makes pages of documents. Links in its pages may resolve differently."""

import posixpath
from collections.abc import Collection

_CONFIGURATIONS = (
    "mkdocs.yml mkdocs.yaml conf.py _config.yml book.toml hugo.toml docusaurus.config.js docusaurus.config.ts "
    "antora.yml astro.config.mjs astro.config.ts gatsby-config.js .vitepress .vuepress _sidebar.md SUMMARY.md "
    "config.toml _quarto.yml site.xml zensical.toml next.config.js next.config.mjs"
).split()


def site_around(document: str, paths: Collection[str]) -> str | None:
    """The site configuration beside or above a document, if any; `paths` are all files and folders. The top-level README is not part of a site."""
    folder = posixpath.dirname(document)
    while folder:
        if found := site_in(folder, paths):
            return found
        folder = posixpath.dirname(folder)
    return site_in("", paths) if "/" in document else None


def site_in(folder: str, paths: Collection[str]) -> str | None:
    """The site configuration in a folder, if any."""
    return next((path for name in _CONFIGURATIONS if (path := posixpath.join(folder, name)) in paths), None)
