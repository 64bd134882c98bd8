"""Citations `[n]` in what a checker wrote, held against the passages that exist."""

from collections.abc import Collection

from veridic.text.citation_marks import find_marks


def keep_real_citations(text: str, existing: Collection[int]) -> tuple[str, tuple[int, ...]]:
    """`text` with only those citations that lead somewhere, as `[1] [2]`, and their numbers, each once."""
    cited: dict[int, None] = {}
    pieces: list[str] = []
    end = 0
    for (start, mark_end), numbers in find_marks(text):
        real = [number for number in numbers if number in existing]
        cited.update(dict.fromkeys(real))
        lead = " " if real and text[start].isspace() else ""
        pieces += text[end:start], lead, " ".join(f"[{number}]" for number in real)
        end = mark_end
    return "".join([*pieces, text[end:]]).strip(), tuple(cited)
