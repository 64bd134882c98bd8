"""The parts of a long claim that each say something: it is borne out only if every one of them is."""

import re

SHORTEST = 4
"""Words; anything shorter stays with its neighbour."""
MOST = 8
"""Parts; what comes behind them is not looked at."""
_CUT = re.compile(
    r"[,;:]\s+|\s+(?=(?:and|but|which|who|where|when|after|before|while|because|that)\s)", re.IGNORECASE
)


def claim_parts(claim: str) -> list[str]:
    """The first `MOST` parts in their order; none where the claim is a single one."""
    parts: list[str] = []
    for piece in _CUT.split(claim):
        part = piece.strip(" .,;:")
        if parts and min(_words(parts[-1]), _words(part)) < SHORTEST:
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    return parts[:MOST] if len(parts) > 1 else []


def _words(text: str) -> int:
    return len(text.split())
