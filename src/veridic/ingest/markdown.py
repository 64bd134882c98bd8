"""Converts Markdown to the blocks of a document: its visible text, with exact offsets into the source."""

from veridic.domain.document import Block, BlockKind
from veridic.text.markdown_leaves import ContainerKind, Leaf, LeafKind, MarkdownSource

_LEAVES = {
    LeafKind.HEADING: BlockKind.HEADING,
    LeafKind.ROW: BlockKind.TABLE_CELL,
}
_CONTAINERS = {
    ContainerKind.ITEM: BlockKind.LIST_ITEM,
    ContainerKind.QUOTE: BlockKind.QUOTE,
    ContainerKind.FOOTNOTE: BlockKind.FOOTNOTE,
}


def markdown_blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of Markdown `text` without its front matter."""
    source = MarkdownSource(text)
    return tuple(
        Block(kind=_kind(leaf), runs=tuple(runs)) for leaf in source.leaves for runs in source.seen(leaf)
    )


def _kind(leaf: Leaf) -> BlockKind:
    if leaf.kind is LeafKind.CODE:
        return BlockKind.CODE
    if ContainerKind.FOOTNOTE in leaf.containers:
        return BlockKind.FOOTNOTE
    within = _CONTAINERS[leaf.containers[-1]] if leaf.containers else BlockKind.PARAGRAPH
    return _LEAVES.get(leaf.kind, within)
