"""What the readers of one file add to while they go through it."""

from dataclasses import dataclass, field

from veridic.code.facts.source import Source
from veridic.domain.code import Fact, FactKind, Origin, SourceText


@dataclass(slots=True)
class Collected:
    path: str
    source: Source
    facts: list[Fact] = field(default_factory=list)
    texts: list[SourceText] = field(default_factory=list)

    def add(
        self,
        kind: FactKind,
        name: str,
        line: int,
        *,
        qualified: str = "",
        owner: str = "",
        value: str | None = None,
        annotation: str | None = None,
        aliases: tuple[str, ...] = (),
        members: tuple[str, ...] = (),
    ) -> None:
        """A fact that one line shows."""
        self.facts.append(
            Fact(
                kind=kind,
                name=name,
                path=self.path,
                line=line,
                quote=self.source.quote(line),
                qualified=qualified,
                owner=owner,
                value=value,
                annotation=annotation,
                aliases=aliases,
                members=members,
                end_line=line,
            )
        )

    def add_text(self, origin: Origin, text: str, line: int, owner: str = "") -> None:
        """A docstring, comment or help text; empty ones are left out."""
        if text.strip():
            self.texts.append(SourceText(origin, text, line, owner))
