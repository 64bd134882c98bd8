"""Fills a database with checks of a busy desk: claims, verdicts of the machine and of people, sources."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import Engine, Table, func, insert, select, text

import veridic.store.tables  # noqa: F401  declares the tables
from benchmarks.workspace import Step
from benchmarks.world import SEED, World
from veridic.store.columns import Base

CLAIMS_PER_CHECK = 20
PEOPLE = 12
_SENTENCES = 60_000
_SENTENCES_PER_TEXT = 56
"""Some 550 words."""
_CHECKS_AT_ONCE = 500
_BEGINNING = datetime(2025, 1, 1, tzinfo=UTC)
_STATUSES = ("pending", "in_progress", "completed", "published")
_SHARES = (20, 20, 30, 30)
_RATINGS = ("true", "mostly_true", "mixed", "mostly_false", "false", "unverifiable")
_KINDS = ("direct_factual", "hearsay", "plausible_deniability", "private_data")
_TIERS = ("federal_government", "national_news", "regional_news", "unknown")
_SHARE_BY_PEOPLE = 0.2


class _Verdict(NamedTuple):
    rating: str
    is_person: bool
    seconds: int


def fill(engine: Engine, checks: int, step: Step) -> None:
    """Add so many checks with twenty claims each, and what hangs on them."""
    pick = Random(SEED)
    sentences = _sentences(min(_SENTENCES, checks * CLAIMS_PER_CHECK))
    tables = Base.metadata.tables
    with engine.begin() as connection:
        names = [{"id": number, "username": f"person{number}"} for number in range(1, PEOPLE + 1)]
        connection.execute(insert(tables["users"]), [{**name, "role": "fact_checker"} for name in names])
    for first in range(0, checks, _CHECKS_AT_ONCE):
        numbers = range(first, min(first + _CHECKS_AT_ONCE, checks))
        with engine.begin() as connection:
            for table, rows in _rows(pick, sentences, numbers).items():
                connection.execute(insert(tables[table]), rows)
        step(numbers[-1] + 1, checks, "filling the database")
    with engine.begin() as connection:
        for table in ("extracted_claims", "claim_verifications"):
            _continue_numbers(connection, tables[table])
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))


def _sentences(count: int) -> list[str]:
    world = World()
    found: list[str] = []
    while len(found) < count:
        found += [part for part in world.prose(20_000).replace("\n\n", " ").split(". ") if part]
    return found[:count]


def _rows(pick: Random, sentences: list[str], numbers: range) -> dict[str, list[dict[str, Any]]]:
    rows: dict[str, list[dict[str, Any]]] = {
        name: []
        for name in (
            "fact_checks",
            "desk_checks",
            "extracted_claims",
            "claim_verifications",
            "verification_sources",
            "validation_results",
        )
    }
    for number in numbers:
        _add_check(rows, pick, sentences, number)
    return rows


def _add_check(
    rows: dict[str, list[dict[str, Any]]], pick: Random, sentences: list[str], number: int
) -> None:
    check_id = f"FC-2025-{number:06d}"
    status = pick.choices(_STATUSES, _SHARES)[0]
    said = pick.choices(sentences, k=_SENTENCES_PER_TEXT)
    claims = said[:CLAIMS_PER_CHECK]
    is_done = status in ("completed", "published")
    at = _BEGINNING + timedelta(minutes=number * 50)
    owner = pick.randint(1, PEOPLE) if status != "pending" else None
    rows["fact_checks"].append(
        {
            "id": check_id,
            "content": ". ".join(said) + ".",
            "claims_to_verify": json.dumps(claims),
            "status": status,
            "created_by": pick.randint(1, PEOPLE),
            "assigned_to": owner,
            "completed_by": owner if is_done else None,
            "created_at": at,
            "completed_at": at + timedelta(days=1) if is_done else None,
        }
    )
    rows["desk_checks"].append(
        {
            "fact_check_id": check_id,
            "version": 3,
            "title": said[0],
            "priority": pick.choice(("high", "medium", "low")),
            "due_at": at + timedelta(days=2),
        }
    )
    for place, claim in enumerate(claims):
        claim_id = number * CLAIMS_PER_CHECK + place + 1
        _add_claim(rows, pick, check_id, claim_id, claim, is_checked=status != "pending")


def _add_claim(
    rows: dict[str, list[dict[str, Any]]],
    pick: Random,
    check_id: str,
    claim_id: int,
    claim: str,
    *,
    is_checked: bool,
) -> None:
    rows["extracted_claims"].append(
        {
            "id": claim_id,
            "fact_check_id": check_id,
            "claim_text": claim,
            "claim_type": pick.choices(_KINDS, (70, 15, 10, 5))[0],
            "sentence_index": claim_id % CLAIMS_PER_CHECK,
            "confidence_score": 0.8,
            "patterns_matched": "[]",
            "status": pick.choice(("verified", "verified", "disputed", "flagged"))
            if is_checked
            else "pending",
            "priority": pick.choice(("high", "medium", "low")),
            "created_at": _BEGINNING,
        }
    )
    if not is_checked:
        return
    rows["validation_results"].append(
        {
            "id": f"00000000-0000-4000-8000-{claim_id:012d}",
            "claim": claim,
            "verdict": "TRUE",
            "confidence": pick.randint(30, 99),
            "fact_check_id": check_id,
            "claim_id": claim_id,
        }
    )
    for verdict in _verdicts(pick):
        _add_verdict(rows, pick, claim_id, verdict)


def _verdicts(pick: Random) -> Iterator[_Verdict]:
    rating = pick.choice(_RATINGS)
    yield _Verdict(rating, is_person=False, seconds=pick.randint(1, 9))
    if pick.random() < _SHARE_BY_PEOPLE:
        yield _Verdict(
            pick.choice((rating, rating, pick.choice(_RATINGS))),
            is_person=True,
            seconds=pick.randint(60, 900),
        )


def _add_verdict(
    rows: dict[str, list[dict[str, Any]]], pick: Random, claim_id: int, verdict: _Verdict
) -> None:
    # Two numbers a claim: the machine's is odd, the person's even.
    verification_id = claim_id * 2 - (0 if verdict.is_person else 1)
    rows["claim_verifications"].append(
        {
            "id": verification_id,
            "claim_id": claim_id,
            "verification_status": verdict.rating,
            "rating": verdict.rating,
            "sources_found": "[]",
            "verification_method": "manual" if verdict.is_person else "automated",
            "verification_notes": "The sources say so, as far as they go.",
            "verified_by": pick.randint(1, PEOPLE) if verdict.is_person else None,
            "verified_at": _BEGINNING,
            "time_spent_seconds": verdict.seconds,
        }
    )
    for number in range(2):
        tier = pick.choice(_TIERS)
        rows["verification_sources"].append(
            {
                "verification_id": verification_id,
                "url": f"https://example.org/{verification_id}/{number}",
                "domain": "example.org",
                "title": "A page about it",
                "credibility_tier": tier,
                "credibility_score": 0.5,
                "supports_claim": pick.choice((True, False, None)),
                "excerpt": "What the page says about the claim, in a sentence or two of its own.",
            }
        )


def _continue_numbers(connection: Any, table: Table) -> None:
    """Let PostgreSQL go on after the numbers that were given here; SQLite does so by itself."""
    if connection.dialect.name == "postgresql":
        newest = select(func.max(table.c.id)).scalar_subquery()
        connection.execute(select(func.setval(func.pg_get_serial_sequence(table.name, "id"), newest)))
