"""Citations `[n]` in what a checker wrote, held against the passages that exist."""

import re
from collections.abc import Collection, Iterator

_CITATION = re.compile(
    r"\s?[\[【](?:(?:passage|source|evidence|ref(?:erence)?)s?\s?)?[#^]?(?P<numbers>[0-9]{1,6}(?:\s?(?:,|;|and|[-–])\s?[0-9]{1,6}){0,40})[\]】]",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[0-9]+|[-–]")
_LONGEST_RANGE = 50


def keep_real_citations(text: str, existing: Collection[int]) -> tuple[str, tuple[int, ...]]:
    """`text` with only those citations that lead somewhere, as `[1] [2]`, and their numbers, each once."""
    cited: dict[int, None] = {}

    def only_real(match: re.Match[str]) -> str:
        real = [number for number in _numbers(match["numbers"]) if number in existing]
        cited.update(dict.fromkeys(real))
        lead = " " if match[0][0].isspace() else ""
        return lead + " ".join(f"[{number}]" for number in real) if real else ""

    return _CITATION.sub(only_real, text).strip(), tuple(cited)


def _numbers(listed: str) -> Iterator[int]:
    """`1, 3-5` is 1, 3, 4, 5."""
    previous: int | None = None
    is_range = False
    for token in _NUMBER.findall(listed):
        if not token.isdigit():
            is_range = True
            continue
        number = int(token)
        if is_range and previous is not None and 0 < number - previous <= _LONGEST_RANGE:
            yield from range(previous + 1, number)
        yield number
        previous, is_range = number, False
