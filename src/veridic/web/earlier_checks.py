"""Earlier checks of the same claims, offered before the work is done a second time."""

from collections.abc import Sequence
from dataclasses import dataclass

from veridic.desk.desk import Desk
from veridic.desk.records import SimilarClaim
from veridic.domain.people import Actor

MOST_CLAIMS = 60
"""Looked for at once: each takes a moment of the network."""
_FOR_EACH = 3


@dataclass(frozen=True, slots=True)
class EarlierChecks:
    """A claim that was checked before."""

    claim: str
    found: tuple[SimilarClaim, ...]


def earlier_checks(
    desk: Desk, actor: Actor, claims: Sequence[str], check_id: str | None = None
) -> list[EarlierChecks]:
    """Return those of the claims that have verdicts in other checks than `check_id`, with the verdicts. Blocks."""
    earlier = []
    for claim in dict.fromkeys(claims[:MOST_CLAIMS]):
        similar = desk.similar(actor, claim, 2 * _FOR_EACH + 1)
        others = [one for one in similar if one.check_id != check_id]
        if others:
            earlier.append(EarlierChecks(claim, tuple(others[:_FOR_EACH])))
    return earlier
