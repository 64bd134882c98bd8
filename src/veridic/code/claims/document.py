"""A document's blocks in order: each is read with what the headings above it say."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from veridic.code.claims.blocks import Block, Directive, Field, Heading, Paragraph, Snippet, Table
from veridic.code.claims.changelog import named_commits
from veridic.code.claims.directives import DirectiveState, directive_drafts
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.fields import field_drafts
from veridic.code.claims.layout import layout_drafts, variable_drafts
from veridic.code.claims.links import link_drafts
from veridic.code.claims.lists import owner_of_list
from veridic.code.claims.names import FLAGS_OF_INSTALLERS, called
from veridic.code.claims.prose import prose_drafts
from veridic.code.claims.python_examples import python_drafts
from veridic.code.claims.tables import table_drafts
from veridic.code.claims.terminal import (
    FLAGS_OF_FRAMEWORKS,
    goes_elsewhere,
    is_terminal,
    runs_own_program,
    terminal_drafts,
    typed_flags,
)
from veridic.domain.code import Entity, EntityKind, FactKind

_NOT_ABOUT_TODAY = re.compile(
    r"\A\W*(?:v?\d+\.\d+(?:\.\d+)*\b|licen[cs]e|copying|change ?log|changes|history|release notes|what'?s new|roadmap|future|to-?do|planned|"
    r"migrat\w+|upgrad\w+|acknowledge?ments?|credits|thanks|sponsors?|alternatives|comparison|related|similar|citation|citing|"
    r"previous(?:ly)?|deprecated versions?|prior art|motivation|benchmarks?)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"`([^`]{1,160})`")
_LONG_FLAG = re.compile(r"(?:`(?:-\w[ ,/|]+)?|\A(?:-\w(?: \w+)?, )?)(--[a-z][\w-]{1,40})")
_ONLY_CODE = re.compile(r"`([^`]{1,80})`")
_OPTION_OR_VARIABLE = re.compile(r"(?<![\w-])--?[a-z]|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|`[a-z_]\w*`\s*[=(]")
_KINDS_OF_HEADINGS = {
    EntityKind.FLAG: (FactKind.OPTION,),
    EntityKind.ENVIRONMENT: (FactKind.ENVIRONMENT,),
    EntityKind.SETTING: (FactKind.SETTING,),
}
_LEAST_OWN_FLAGS = 3
_MOST_STRANGE = 0.2


def document_drafts(blocks: Sequence[Block], context: Context) -> Iterator[Draft]:
    """Every claim of a document that speaks of today."""
    if _has_own_flags(blocks, context):
        context = replace(context, has_own_flags=True)
    yield from _Reader(context).drafts(blocks)


def _has_own_flags(blocks: Sequence[Block], context: Context) -> bool:
    """Whether flags that stand alone are the project's own: nearly all are known, so one that isn't is gone.

    Where few are known, one that isn't must look like an option of the project.
    """
    passages = [block.passage for block in blocks if isinstance(block, Paragraph | Heading)]
    for block in blocks:
        if isinstance(block, Table):
            passages.extend(cell for row in block.rows for cell in row)
    flags = {flag for passage in passages for flag in _LONG_FLAG.findall(passage.text)}
    strange = _strange(flags, context)
    typed = {flag for block in blocks if isinstance(block, Snippet) for flag in typed_flags(block, context)}
    known = len({flag for flag in flags | typed if context.names.is_known(flag, FactKind.OPTION)})
    if known >= _LEAST_OWN_FLAGS:
        return len(strange) <= max(1, _MOST_STRANGE * len(flags))
    return known > 0 and len(strange) == 1 and all(map(context.names.is_like_an_option, strange))


def _strange(flags: set[str], context: Context) -> set[str]:
    """Those that the project does not have, without those that every program has."""
    unknown = {flag for flag in flags if not context.names.is_known(flag, FactKind.OPTION)}
    return unknown - FLAGS_OF_INSTALLERS - FLAGS_OF_FRAMEWORKS


class _Reader:
    def __init__(self, context: Context) -> None:
        self._base = context
        self._context = context
        self._sections: list[tuple[int, str | None]] = []
        """Level and owner of the headings that are open."""
        self._left_out: int | None = None
        """The level of the heading whose section does not speak of today."""
        self._directives = DirectiveState()
        self._is_in_list = False
        self._list_owner: str | None = None
        self._is_away = False
        """A block of the section went into a folder outside of the repository."""
        self._heading: Entity | None = None
        """The option, variable or setting that the innermost heading is."""
        self._is_others = False
        """The last terminal of the section shows other programs: a flag that is told of then may be theirs."""

    def drafts(self, blocks: Sequence[Block]) -> Iterator[Draft]:
        for number, block in enumerate(blocks):
            if isinstance(block, Heading):
                self._enter(block)
            self._follow_list(blocks, number)
            if isinstance(block, Paragraph | Heading | Table):
                yield from link_drafts(block.links, self._base.names)
            if self._left_out is None:
                yield from self._block(block)

    def _follow_list(self, blocks: Sequence[Block], number: int) -> None:
        """Finds out at the first item of a list whose parameters it lists."""
        block = blocks[number]
        if not isinstance(block, Paragraph) or not block.is_item:
            self._is_in_list, self._list_owner = False, None
        elif not self._is_in_list and not self._context.is_in_code:
            self._is_in_list, self._list_owner = True, owner_of_list(blocks, number, self._context)

    def _block(self, block: Block) -> Iterator[Draft]:
        match block:
            case Heading():
                yield from prose_drafts(block.passage, self._context, is_heading=True)
            case Paragraph():
                context = self._context.about(self._directives.topic or self._section_topic(block))
                if self._is_others:
                    context = replace(context, has_own_flags=False)
                if block.is_item and self._list_owner:
                    context = replace(context, owner=self._list_owner)
                yield from prose_drafts(block.passage, context, is_item=block.is_item)
                if not self._context.is_in_code:
                    yield from named_commits(block.passage)
            case Table():
                yield from table_drafts(block, self._context)
            case Snippet():
                self._is_away |= goes_elsewhere(block)
                if is_terminal(block):
                    self._is_others = not runs_own_program(block, self._context)
                if not self._is_away:
                    yield from terminal_drafts(block, self._context)
                yield from python_drafts(block, self._context)
                yield from layout_drafts(block, self._context)
                yield from variable_drafts(block, self._context)
            case Field():
                yield from field_drafts(block, self._context)
            case Directive():
                yield from directive_drafts(block, self._directives, self._context)
                self._context = replace(self._context, owner=self._directives.documented or self._owner())

    def _enter(self, heading: Heading) -> None:
        if self._left_out is not None and heading.level <= self._left_out:
            self._left_out = None
        if self._left_out is None and _NOT_ABOUT_TODAY.match(heading.passage.text):
            self._left_out = heading.level
        while self._sections and self._sections[-1][0] >= heading.level:
            self._sections.pop()
        self._sections.append((heading.level, self._named(heading)))
        self._heading = self._option_or_variable(heading)
        self._directives = DirectiveState(module=self._directives.module)
        self._is_away = self._is_others = False
        self._context = replace(self._base, owner=self._owner())

    def _owner(self) -> str | None:
        """What the innermost heading that names code is about; else what the whole text belongs to."""
        return next((owner for _, owner in reversed(self._sections) if owner), self._base.owner)

    def _option_or_variable(self, heading: Heading) -> Entity | None:
        """What a heading names that is nothing but a flag, a variable or a setting of the project."""
        code = _ONLY_CODE.fullmatch(heading.passage.text.strip())
        entity = self._base.names.entity(code[1]) if code else None
        kinds = _KINDS_OF_HEADINGS.get(entity.kind) if entity else None
        return entity if entity and kinds and self._base.names.is_known(entity.name, *kinds) else None

    def _section_topic(self, paragraph: Paragraph) -> Entity | None:
        """What the heading names, where the paragraph names no other that a default could be of."""
        if self._heading is None or paragraph.is_item:
            return None
        text = paragraph.passage.text.replace(self._heading.name, "")
        return None if _OPTION_OR_VARIABLE.search(text) else self._heading

    def _named(self, heading: Heading) -> str | None:
        names = self._base.names
        for written in _CODE.findall(heading.passage.text):
            call = called(written)
            name = call[0] if call else written.strip()
            is_plain_word = call is None and name.islower() and name.isalpha()
            if not is_plain_word and names.is_known(name, FactKind.FUNCTION, FactKind.CLASS):
                return name
        return None
