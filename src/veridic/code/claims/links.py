"""Links: each claims to lead somewhere."""

import re
from collections.abc import Iterable, Iterator

from veridic.code.claims.blocks import Link
from veridic.code.claims.drafts import Draft
from veridic.code.claims.names import Names, is_placeholder
from veridic.code.hosted import hosted_file
from veridic.domain.code import Assertion, AssertionKind, ClaimCategory, Entity, EntityKind

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_TEMPLATE = re.compile(r"[{}$<>|]|%7B|%s", re.IGNORECASE)
_ALIAS_OR_MAIL = re.compile(r"[^/#]+_|[^/#]+@[^/#]+")
"""Of reStructuredText, another target; an address of mail without its scheme."""
_NOT_PUBLIC = re.compile(
    r"https?://(?:localhost|127\.|0\.0\.0\.0|\[::1\]|10\.|192\.168\.|[^/]*\.(?:local|internal|test|example|invalid)\b"
    r"|(?:www\.)?example\.(?:com|org|net)|[^/.:]+(?:[:/]|\Z))",
    re.IGNORECASE,
)


def link_drafts(links: Iterable[Link], names: Names) -> Iterator[Draft]:
    """One claim for each link to a file, a heading or a page; mail, templates and private addresses are none."""
    for link in links:
        category = _category(link.target, names)
        if category is None:
            continue
        entity = Entity(kind=EntityKind.LINK, name=link.target)
        assertion = Assertion(
            kind=AssertionKind.LINKS, subject=entity, expected=(link.target,), expected_place=link.place
        )
        text = f"{link.text} ({link.target})" if link.text and link.text != link.target else link.target
        yield Draft(assertion, text, link.line, link.line, (entity,), category)


def _category(target: str, names: Names) -> ClaimCategory | None:
    if not target or _TEMPLATE.search(target) or _ALIAS_OR_MAIL.fullmatch(target):
        return None
    if target.lower().startswith(("http://", "https://")):
        hosted = hosted_file(target)
        if hosted and names.is_project(hosted.project):
            return ClaimCategory.INTERNAL
        return None if _NOT_PUBLIC.match(target) else ClaimCategory.EXTERNAL
    if (
        _SCHEME.match(target)
        or target.startswith("//")
        or is_placeholder(target.removeprefix("./").removeprefix("example/"))
    ):
        return None
    return ClaimCategory.INTERNAL
