"""Google's Fact Check Tools: what fact-checkers have published on a claim before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import SecretStr

from veridic.domain.evidence import Channel
from veridic.providers.search.base import MAX_RESULTS, SearchQuery
from veridic.providers.search.http import Engine, SearchRequest, dicts_in
from veridic.providers.search.sifting import Row
from veridic.providers.search.words import cut, plain_words

_MAX_CHARACTERS = 300


@dataclass(frozen=True)
class FactCheckTools(Engine):
    """Serves the general and the historical channel. A result is a fact-check's page; its highlight says how the
    claim was rated, in fields of the page's own ClaimReview.
    """

    api_key: SecretStr | None
    base_url: str = "https://factchecktools.googleapis.com"
    name = "factcheck"
    label = "Google's Fact Check Tools"
    access_hint = (
        "check GOOGLE_FACT_CHECK_API_KEY, and that the Fact Check Tools API is enabled for its project"
    )
    key_header = "X-Goog-Api-Key"

    def request(self, query: SearchQuery, today: date) -> SearchRequest | None:
        if query.channel not in (Channel.GENERAL, Channel.HISTORICAL):
            return None
        parameters = {
            "query": cut(plain_words(query.claim or query.query), _MAX_CHARACTERS),
            "languageCode": "en",
            # All that it gives in one page: several reviews may be left out for their domain or date.
            "pageSize": str(MAX_RESULTS),
        }
        if query.published_from is not None:
            parameters["maxAgeDays"] = str(max((today - query.published_from).days + 1, 1))
        return SearchRequest("/v1alpha1/claims:search", parameters)

    def rows(self, answer: Any) -> Sequence[Row]:
        if answer == {}:  # It found nothing.
            return []
        return [row for claim in dicts_in(answer, "claims") for row in _reviews(claim)]


def _reviews(claim: dict[str, Any]) -> Iterator[Row]:
    reviews = claim.get("claimReview")
    for review in reviews if isinstance(reviews, list) else []:
        if not isinstance(review, dict):
            continue
        publisher = review.get("publisher")
        site = publisher if isinstance(publisher, dict) else {}
        who = _string(site.get("name")) or _string(site.get("site"))
        yield Row(
            title=review.get("title"),
            url=review.get("url"),
            published=review.get("reviewDate"),
            highlights=[_rating(claim, _string(review.get("textualRating")), who)],
            author=who,
        )


def _rating(claim: dict[str, Any], rating: str, who: str) -> str:
    """Say how the claim was rated; the rating leads, so that nobody takes the claim for what the page says."""
    if not rating:
        return ""
    claimant = _string(claim.get("claimant"))
    said = f"the claim by {claimant}" if claimant else "the claim"
    return f"Rated “{rating}”{f' by {who}' if who else ''}: {said} that “{_string(claim.get('text'))}”"


def _string(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
