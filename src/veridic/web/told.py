"""What a run of summary or thorough mode has told until now. Pure: events in."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from veridic.api.validation_payloads import ClaimDecided, SearchCompleted
from veridic.domain.claim import Claim
from veridic.domain.events import EventName
from veridic.domain.report import Failure
from veridic.domain.usage import Usage
from veridic.store.event_log import LoggedEvent


class Told:
    """Read off the events, which are all there is before the report."""

    def __init__(self, events: Sequence[LoggedEvent]) -> None:
        self.as_of: date | None = None
        self.claims: tuple[Claim, ...] | None = None
        """None until they are known."""
        self.started: set[str] = set()
        self.searches: defaultdict[str | None, list[SearchCompleted]] = defaultdict(list)
        """By claim; under None, the searches for all of them."""
        self.decided: dict[str, ClaimDecided] = {}
        self.corrections: dict[str, str] = {}
        self.failures: list[Failure] = []
        self.usage: Usage | None = None
        for event in events:
            self._take(event)

    def _take(self, event: LoggedEvent) -> None:
        data = event.data
        match event.name:
            case EventName.CHECK_STARTED if data.get("as_of"):
                self.as_of = date.fromisoformat(data["as_of"])
            case EventName.CLAIMS_EXTRACTED:
                self.claims = tuple(Claim.model_validate(claim) for claim in data["claims"])
            case EventName.CLAIM_STARTED:
                self.started.add(data["claim_id"])
            case EventName.SEARCH_COMPLETED:
                search = SearchCompleted.model_validate(data)
                self.searches[search.claim_id].append(search)
            case EventName.CORRECTION_GENERATED:
                self.corrections[data["claim_id"]] = data["correction"]["corrected"]
            case EventName.CLAIM_DECIDED:
                # Runs of earlier versions did not tell what was read.
                decided = ClaimDecided.model_validate({"sources": [], **data})
                self.decided[decided.claim_id] = decided
            case EventName.STAGE_FAILED:
                self.failures.append(Failure.model_validate(data["failure"]))
            case EventName.USAGE_UPDATED:
                self.usage = Usage.model_validate(data)

    def problem(self, claim_id: str) -> str:
        """Why a claim has no verdict and will get none, as far as that was told."""
        return next((failure.message for failure in self.failures if failure.claim_id == claim_id), "")
