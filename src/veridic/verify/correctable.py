"""Whether what a change made false can be put right by writing the new literal in the place of the old one."""

import re
from collections.abc import Collection

from veridic.verify.changed import Change, Derived
from veridic.verify.features import is_named
from veridic.verify.source_text import TokenKind
from veridic.verify.spellings import pieces
from veridic.verify.units import Unit

_BEFORE = frozenset(" `'\"*([|=:>_")
_AFTER = re.compile(r"$|[\s`'\"*)\]|,;:<_]|[.!?](?:$|[\s*_)])")
_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:-\w+)*")


def is_correctable(
    change: Change, unit: Unit, written: str, still: int, news: Collection[str | None]
) -> bool:
    """Only where an exact literal took the place of an exact literal, and it stands once, by itself, in a sentence or row. A value needs a name
    of its statement beside it. A name needs several words, to be gone from all of the code (`still` is the number of files that
    have it) and the same successor everywhere (`news` has all). On the projects that the trees were fitted on no such correction is wrong.
    """
    if change.new is None or change.derived is not Derived.NOT or written != change.old or unit.is_code:
        return False
    if unit.text.count(written) != 1 or not _stands_by_itself(written, unit.text):
        return False
    if change.kind is not TokenKind.NAME and is_named(change.near, unit.text):
        return True
    return (
        still == 0
        and change.left == 0
        and len(set(news)) == 1
        and len(pieces(change.old)) > 1
        and _IDENTIFIER.fullmatch(change.old) is not None
        and not set(pieces(change.old)).isdisjoint(pieces(change.new))
    )


def _stands_by_itself(written: str, text: str) -> bool:
    before, _, after = text.partition(written)
    return (not before or before[-1] in _BEFORE) and _AFTER.match(after) is not None
