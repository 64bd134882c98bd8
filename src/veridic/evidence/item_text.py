"""The text of one item of a corpus: its stored passages in reading order."""

from collections.abc import Iterable, Sequence
from typing import overload

from veridic.domain.evidence import Passage


class ItemText(Sequence[Passage]):
    """The passages of an item in reading order. A long text has thousands, so each is parsed only when asked for."""

    def __init__(self, stored: Iterable[bytes]) -> None:
        """`stored` are passages as `IndexWriter` stores them, with ids that end in `-DOCUMENT-PASSAGE`."""
        by_place = sorted((_numbers(data), data) for data in stored)
        self.places = [f"{document}-{passage}" for (document, passage), _ in by_place]
        """Where each passage stands: the numbers of its document and of itself, from 1, such as `1-12`."""
        self._stored = [data for _, data in by_place]

    def __len__(self) -> int:
        return len(self._stored)

    @overload
    def __getitem__(self, index: int) -> Passage: ...
    @overload
    def __getitem__(self, index: slice) -> list[Passage]: ...
    def __getitem__(self, index: int | slice) -> Passage | list[Passage]:
        if isinstance(index, slice):
            return [Passage.model_validate_json(data) for data in self._stored[index]]
        return Passage.model_validate_json(self._stored[index])


def _numbers(data: bytes) -> tuple[int, int]:
    """Return the two numbers at the end of a stored passage's id, which is its first field."""
    _, document, passage = data.split(b'"', 4)[3].split(b"-")
    return int(document), int(passage)
