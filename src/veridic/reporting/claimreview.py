"""Renders a report as schema.org ClaimReview, for search engines and fact-check directories."""

from datetime import date
from typing import Any

from veridic.domain.decision import Decision
from veridic.domain.document import Document
from veridic.domain.evidence import Source
from veridic.domain.report import Report
from veridic.domain.verdicts import Scale, say
from veridic.reporting.escaping import one_line, web_link
from veridic.reporting.numbering import Numbering
from veridic.reporting.wording import verdict_word

RATING_VALUES = {"true": 5, "mostly_true": 4, "mixed": 3, "mostly_false": 2, "false": 1}
"""From the worst, 1, to the best, 5; a claim that could not be verified has no value."""


def to_claimreview(report: Report) -> dict[str, Any]:
    """Return one JSON-LD document with a ClaimReview for each decided claim; unverifiable claims are left out."""
    numbering = Numbering(report)
    return {
        "@context": "https://schema.org",
        "@graph": [
            _review(decision, report, numbering)
            for decision in report.decisions
            if say(decision.verdict, Scale.RATING) in RATING_VALUES
        ],
    }


def _review(decision: Decision, report: Report, numbering: Numbering) -> dict[str, Any]:
    return {
        "@type": "ClaimReview",
        "datePublished": _decided_on(decision).isoformat(),
        "claimReviewed": one_line(decision.claim.text),
        "author": _author(decision),
        "itemReviewed": _item(decision, report.document),
        "reviewRating": {
            "@type": "Rating",
            "ratingValue": RATING_VALUES[say(decision.verdict, Scale.RATING)],
            "bestRating": 5,
            "worstRating": 1,
            "alternateName": verdict_word(decision.verdict),
        },
        "reviewBody": one_line(decision.rationale),
        "citation": [_work(report.sources[number - 1]) for number in numbering.citations(decision)],
    }


def _decided_on(decision: Decision) -> date:
    person = decision.person
    return person.at.date() if person is not None and person.at is not None else decision.as_of


def _author(decision: Decision) -> dict[str, Any]:
    """The person who decided the claim, otherwise Veridic."""
    if decision.person is not None and decision.person.by:
        return {"@type": "Person", "name": one_line(decision.person.by)}
    return {"@type": "Organization", "name": "Veridic"}


def _item(decision: Decision, document: Document) -> dict[str, Any]:
    author = decision.claim.framing.speaker or document.author
    item: dict[str, Any] = {"@type": "Claim", "text": one_line(decision.claim.wording)}
    if author:
        item["author"] = {"@type": "Person", "name": one_line(author)}
    if document.published is not None:
        item["datePublished"] = str(document.published)
    appearance: dict[str, Any] = {"@type": "CreativeWork"}
    if document.title:
        appearance["name"] = one_line(document.title)
    if link := web_link(document.url):
        appearance["url"] = link
    if len(appearance) > 1:
        item["appearance"] = appearance
    return item


def _work(source: Source) -> dict[str, Any]:
    work: dict[str, Any] = {"@type": "CreativeWork", "name": one_line(source.title)}
    if link := web_link(source.url):
        work["url"] = link
    if source.date is not None:
        work["datePublished"] = str(source.date)
    return work
