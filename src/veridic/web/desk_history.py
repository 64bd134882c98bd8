"""The audit trail in words: of one check, and of everything. Does no I/O."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from veridic.desk.records import CheckRecord, Person
from veridic.store.audit import AuditEntry

_ACTIONS = {
    "asked_machine": "asked the machine",
    "taken": "assigned to themselves",
    "made": "made the",
    "added_to": "added to the",
    "removed_from": "took out of the",
    "deleted": "deleted",
    "accepted": "accepted the machine's verdict on",
    "accepted_remaining": "accepted the machine's verdicts that remained",
}
_NAMES = {
    "assigned_to": "assigned to",
    "due_at": "due",
    "time_spent_seconds": "seconds spent",
    "claim_type": "type",
    "second_reader": "second reader",
}
_WORDS = frozenset({"status", "rating", "decision", "claim_type"})
"""Keys whose values are words of a scale."""
# Numbers that only the database needs.
_LEFT_OUT = frozenset({"version", "verification_id", "claim_id"})


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One change: who did what to what, and the values before and after."""

    at: datetime
    by: str
    action: str
    subject: str
    """What was changed; in the history of a check, empty for the check itself."""
    check_id: str | None
    changes: tuple[str, ...]


def history_of(check: CheckRecord, entries: Iterable[AuditEntry]) -> tuple[HistoryLine, ...]:
    """Return the changes of a check in the order of `entries`; claims are named by their number."""
    numbers = {str(claim.id): number for number, claim in enumerate(check.claims, 1)}
    people = _people_of(check)
    return tuple(_line(entry, _subject(entry, numbers), people) for entry in entries)


def trail_of(entries: Iterable[AuditEntry], people: Mapping[int, str]) -> tuple[HistoryLine, ...]:
    """Return the changes of everything in the order of `entries`; `people` has the name of each person."""
    return tuple(_line(entry, _subject_in_trail(entry, people), people) for entry in entries)


def _subject_in_trail(entry: AuditEntry, people: Mapping[int, str]) -> str:
    """Return what was changed; empty for a check, which is named beside it, and for oneself."""
    if entry.subject_type == "fact_check" or _is_oneself(entry):
        return ""
    if entry.subject_type == "user" and entry.subject_id.isdigit():
        return people.get(int(entry.subject_id), f"user {entry.subject_id}")
    return f"{entry.subject_type.replace('_', ' ')} {entry.subject_id}"


def _is_oneself(entry: AuditEntry) -> bool:
    return entry.subject_type == "user" and entry.subject_id == str(entry.user_id)


def _line(entry: AuditEntry, subject: str, people: Mapping[int, str]) -> HistoryLine:
    return HistoryLine(
        at=entry.created_at,
        by=entry.username,
        action=_ACTIONS.get(entry.action, entry.action.replace("_", " ")),
        subject=subject,
        check_id=entry.fact_check_id,
        changes=tuple(_changes(entry.before or {}, entry.after or {}, people)),
    )


def _people_of(check: CheckRecord) -> dict[int, str]:
    """Return the names of everybody who has a part in the check."""
    verifications = (v.verified_by for claim in check.claims for v in claim.verifications)
    others = (check.assigned_to, check.created_by, check.completed_by)
    written = (*(one.by for one in check.comments), *(one.by for one in check.reviews))
    known: list[Person | None] = [*verifications, *others, *written]
    return {person.id: person.name for person in known if person is not None}


def _subject(entry: AuditEntry, numbers: Mapping[str, int]) -> str:
    claim = entry.subject_id if entry.subject_type == "claim" else str((entry.after or {}).get("claim_id"))
    return f"claim {numbers[claim]}" if claim in numbers else ""


def _changes(before: Mapping[str, Any], after: Mapping[str, Any], people: Mapping[int, str]) -> Iterable[str]:
    for key in dict.fromkeys((*before, *after)):
        old, new = (_value(key, values.get(key), people) for values in (before, after))
        if key in _LEFT_OUT or old == new or not (old or new):
            continue
        name = _NAMES.get(key, key.replace("_", " "))
        yield f"{name}: {old} → {new or 'none'}" if old else f"{name}: {new}"


def _value(key: str, value: object, people: Mapping[int, str]) -> str:
    if value is None or value == "":
        return ""
    if key == "assigned_to" and isinstance(value, int):
        return people.get(value, f"person {value}")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    words = str(value)
    if key == "due_at":
        return words[:10]
    return words.replace("_", " ") if key in _WORDS else words
