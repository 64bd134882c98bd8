"""Small repositories and claims about them, to compare."""

from collections.abc import Mapping
from pathlib import Path

from veridic.code.compare.compare import compare
from veridic.code.index import FactIndex, build_index
from veridic.code.repository import Repository
from veridic.domain.code import (
    AgentVerdict,
    Assertion,
    AssertionKind,
    ClaimCategory,
    ClaimDomain,
    Depth,
    DocClaim,
    Entity,
    EntityKind,
    Origin,
    Place,
    Quantifier,
)


def index_of(folder: Path, files: Mapping[str, str]) -> FactIndex:
    """The facts of a repository with these files."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return build_index(Repository(folder))


def claim_of(
    kind: AssertionKind,
    subject: Entity | None,
    *expected: str,
    text: str = "What the document says.",
    document: str = "README.md",
    origin: Origin = Origin.MARKDOWN,
    owner: str | None = None,
    quantifiers: tuple[Quantifier, ...] = (),
    is_negated: bool = False,
    domain: str = ClaimDomain.CORRECTNESS,
    category: ClaimCategory = ClaimCategory.CODEBASE,
    place: Place | None = None,
) -> DocClaim:
    return DocClaim(
        id="c1",
        text=text,
        document=document,
        line=1,
        end_line=1,
        origin=origin,
        category=category,
        domain=domain,
        owner=owner,
        assertion=Assertion(
            kind=kind,
            subject=subject,
            expected=expected,
            expected_place=place,
            is_negated=is_negated,
            quantifiers=quantifiers,
        ),
    )


def look(index: FactIndex, claim: DocClaim, depth: Depth = Depth.MEDIUM) -> AgentVerdict | None:
    return compare(claim, index, depth)


def word(verdict: AgentVerdict | None) -> str | None:
    """The verdict alone; None where there is none."""
    return str(verdict.verdict) if verdict else None


def a(kind: EntityKind, name: str, owner: str | None = None) -> Entity:
    return Entity(kind=kind, name=name, owner=owner)
