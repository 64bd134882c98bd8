"""Which claim of the desk is which on the page of a check. Does no I/O."""

from collections.abc import Iterable

from veridic.desk.person_verdicts import claim_key
from veridic.domain.claim import Claim
from veridic.reporting.numbering import Numbering
from veridic.web.claim_views import claim_number
from veridic.web.run_events import RunEvents
from veridic.web.run_record import RunRecord


def desk_claims(record: RunRecord) -> dict[int, int]:
    """Return the ids of the claims at the desk by their numbers on the page."""
    if record.report is None:
        return {}
    ids = {claim_key(one.span, one.text): one.id for one in record.at_desk}
    numbered = {claim_key(claim.span, claim.text): number for number, claim in _claims(record)}
    return {number: ids[key] for key, number in numbered.items() if key in ids}


def _claims(record: RunRecord) -> Iterable[tuple[int, Claim]]:
    """Yield every claim with its number: first those that were not decided, since a decision has the last word."""
    for place, claim in enumerate(RunEvents(record.events).claims or (), 1):
        yield claim_number(claim.id, place), claim
    if record.report is not None:
        decided = (decision.claim for decision in record.report.decisions)
        yield from zip(Numbering(record.report).claims, decided, strict=True)
