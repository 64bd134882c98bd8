"""What the finders of claims hand on, and what they know of the place they look at."""

from dataclasses import dataclass, replace

from veridic.code.claims.names import Names
from veridic.domain.code import Assertion, ClaimCategory, Entity


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim as far as its own words tell."""

    assertion: Assertion
    text: str
    line: int
    end_line: int
    entities: tuple[Entity, ...] = ()
    category: ClaimCategory = ClaimCategory.CODEBASE
    domain: str | None = None
    """Where the words say more than the kind of the assertion."""


@dataclass(frozen=True, slots=True)
class Context:
    names: Names
    document: str
    owner: str | None = None
    """The function, class or command that a docstring or section is about."""
    topic: Entity | None = None
    """What a list's item, a table's row or a field is about."""
    nearby: tuple[str, ...] = ()
    """Functions and classes that the same paragraph names, the nearest first: their parameters may be meant."""
    is_in_code: bool = False
    """A docstring, comment or help text: it speaks of the code around it."""
    speaks_for_owner: bool = False
    """A docstring: a sentence without a subject says what its owner does."""
    has_own_flags: bool = False
    """The document's flags are the project's own, but for one that may be gone."""

    @property
    def command(self) -> str | None:
        """The program that flags belong to where none is named: the one that the document is called after, or the only one."""
        stem = self.document.rpartition("/")[2].partition(".")[0]
        return stem if stem in self.names.commands else self.names.command

    def about(self, topic: Entity | None) -> "Context":
        return self if topic is self.topic else replace(self, topic=topic)
