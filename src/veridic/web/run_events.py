"""Collects the state of a summary or thorough run from its events. Does no I/O."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from veridic.api.payloads import ClaimDecided, SearchCompleted
from veridic.domain.claim import Claim
from veridic.domain.events import EventName
from veridic.domain.report import Failure
from veridic.domain.usage import Usage
from veridic.store.event_log import LoggedEvent


class RunEvents:
    """A run's state as its events have it; used until there is a report."""

    def __init__(self, events: Sequence[LoggedEvent]) -> None:
        self.as_of: date | None = None
        self.claims: tuple[Claim, ...] | None = None
        """None until extraction is done."""
        self.started: set[str] = set()
        self.searches: defaultdict[str | None, list[SearchCompleted]] = defaultdict(list)
        """By claim; None is the key of searches for all claims."""
        self.decided: dict[str, ClaimDecided] = {}
        self.corrections: dict[str, str] = {}
        self.failures: list[Failure] = []
        self.usage: Usage | None = None
        for event in events:
            self._apply(event)

    def _apply(self, event: LoggedEvent) -> None:
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
                # Events of earlier versions have no sources.
                decided = ClaimDecided.model_validate({"sources": [], **data})
                self.decided[decided.claim_id] = decided
            case EventName.STAGE_FAILED:
                self.failures.append(Failure.model_validate(data["failure"]))
            case EventName.USAGE_UPDATED:
                self.usage = Usage.model_validate(data)

    def problem(self, claim_id: str) -> str:
        """Return why a claim will get no verdict, or an empty string."""
        return next((failure.message for failure in self.failures if failure.claim_id == claim_id), "")
