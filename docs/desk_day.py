"""The exchanges on the page about the desk, as the API answers them now."""

import json
import re
import tempfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

_API = "/api/fact-checking/"
_TEXT = (
    "Canberra has been the capital of Australia since 1913. "
    "The country had 26 million inhabitants in 2023. "
    "It is the most beautiful country in the world."
)
_PEOPLE = {"mira": "admin", "eva": "editor", "jon": "fact_checker", "lee": "fact_checker"}
_POPULATION = {
    "url": "https://www.abs.gov.au/population",
    "supports_claim": True,
    "excerpt": "26.6 million people at 30 June 2023",
}
_HISTORY = {
    "url": "https://www.aph.gov.au/history",
    "supports_claim": False,
    "excerpt": "Parliament moved in 1927.",
}
_GAZETTE = {"url": "https://www.legislation.gov.au/gazette", "supports_claim": True, "published": "1913-03"}
_YEAR = re.compile(r"FC-\d{4}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC")
_SHOWN_MOMENT = "2026-11-19 09:30 UTC"

Pick = Callable[[Any], Any]


class _Step(NamedTuple):
    who: str
    method: str
    path: str
    body: Mapping[str, Any] | None
    query: str
    """What `jq` is asked for."""
    pick: Pick
    """The same in Python."""


def _fields(*names: str) -> tuple[str, Pick]:
    return f"-c '{{{', '.join(names)}}}'", lambda value: {name: value[name] for name in names}


def _each(of: str, *names: str) -> tuple[str, Pick]:
    return (
        f"-c '.{of}[] | {{{', '.join(names)}}}'",
        lambda value: [{name: item[name] for name in names} for item in value[of]],
    )


_CHECK = "checks/FC-2026-000001"
_STATE = _fields("id", "status", "version")
_CLAIM = _fields("id", "status", "version")
GROUPS: dict[str, list[_Step]] = {
    "intake": [
        _Step("jon", "POST", "create", {"title": "Australia", "content": _TEXT}, *_fields("id")),
        _Step("jon", "POST", f"{_CHECK}/extract-claims", {"version": 1}, *_each("claims", "id", "text", "claim_type")),
        _Step("jon", "POST", f"{_CHECK}/claims", {"text": "Australia is a country."}, *_CLAIM),
        _Step("eva", "GET", "people", None, *_each("people", "id", "username")),
        _Step("eva", "POST", f"{_CHECK}/assign", {"version": 3, "assigned_to": 3, "priority": "high", "due_at": "2026-11-20T17:00:00+01:00"}, *_fields("status", "priority", "due_at", "version")),
        _Step("jon", "GET", "checks?view=mine", None, *_each("checks", "id", "title", "claims", "settled")),
    ],
    "verify": [
        _Step("jon", "POST", "claims/2/verify", {"version": 1, "rating": "true", "notes": "The bureau counts 26.6 million.", "time_spent_seconds": 240, "sources": [_POPULATION]}, *_CLAIM),
        _Step("jon", "POST", "claims/1/verify", {"version": 1, "rating": "mixed", "status": "disputed", "notes": "Named in 1913, seat of parliament since 1927.", "sources": [_HISTORY]}, *_CLAIM),
        _Step("lee", "POST", "claims/1/verify", {"version": 1, "rating": "true"}, "-r .error", lambda value: value["error"]),
        _Step("jon", "PATCH", "claims/3", {"version": 1, "verifiable": False}, *_CLAIM),
        _Step("jon", "POST", f"{_CHECK}/move", {"version": 5, "status": "completed"}, *_STATE),
    ],
    "publish": [
        _Step("jon", "POST", f"{_CHECK}/publish", {"version": 6}, "-r .error", lambda value: value["error"]),
        _Step("eva", "GET", _CHECK, None, "-r .second_reader.sentence", lambda value: value["second_reader"]["sentence"]),
        _Step("eva", "POST", f"{_CHECK}/review", {"version": 6, "decision": "approved"}, *_STATE),
        _Step("eva", "POST", f"{_CHECK}/publish", {"version": 6}, *_STATE),
        _Step("eva", "POST", f"{_CHECK}/reopen", {"version": 7, "reason": "A reader sent the gazette."}, *_STATE),
        _Step("jon", "POST", "claims/1/verify", {"version": 2, "rating": "mostly_true", "notes": "Gazetted in 1913.", "sources": [_GAZETTE]}, *_CLAIM),
        _Step("jon", "POST", f"{_CHECK}/move", {"version": 8, "status": "completed"}, *_STATE),
        _Step("eva", "POST", f"{_CHECK}/review", {"version": 9, "decision": "approved"}, *_STATE),
        _Step("eva", "POST", f"{_CHECK}/correct", {"version": 9, "reason": "The name dates from 1913."}, *_STATE),
        _Step("lee", "GET", f"{_CHECK}/publication", None, *_each("notices", "number", "kind", "reason")),
        _Step("lee", "GET", f"{_CHECK}/publications/1", None, *_fields("number", "kind", "reason")),
    ],
    "earlier": [
        _Step("lee", "GET", "similar?text=Australia+had+26+million+inhabitants+in+2023", None, *_each("claims", "check_id", "text", "rating")),
    ],
    "audit": [
        _Step("mira", "GET", f"{_CHECK}/audit?limit=4", None, *_each("entries", "username", "action", "before", "after")),
    ],
}  # fmt: skip


def desk_part(group: str) -> str:
    """Return the exchanges of one group, as a reader types them and sees the answers."""
    return f"```text\n{_whole_day()[group]}\n```"


@lru_cache(maxsize=1)
def _whole_day() -> dict[str, str]:
    from starlette.testclient import TestClient

    from veridic.api.app import create_app
    from veridic.config.settings import Settings
    from veridic.desk.accounts import Accounts
    from veridic.domain.people import LOCAL_USER, Role
    from veridic.store.runs import RunStore

    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder))
        with RunStore(settings.database) as store:
            accounts = Accounts(store)
            for name, role in _PEOPLE.items():
                accounts.add(LOCAL_USER, name, "only on this page", Role(role))
            tokens = {name: accounts.create_token(LOCAL_USER, name, "docs") for name in _PEOPLE}
        with TestClient(create_app(settings), base_url="http://localhost") as client:
            return {
                group: "\n".join(_exchange(client, tokens, step) for step in steps)
                for group, steps in GROUPS.items()
            }


def _exchange(client: Any, tokens: Mapping[str, str], step: _Step) -> str:
    this_year = _YEAR.sub(f"FC-{datetime.now(UTC).year}", step.path)
    answer = client.request(
        step.method,
        _API + this_year,
        headers={"Authorization": f"Bearer {tokens[step.who]}"},
        **({} if step.body is None else {"json": step.body}),
    )
    body = "" if step.body is None else f" '{json.dumps(step.body)}'"
    shown = _shown(step.pick(answer.json()))
    return f"$ desk ${step.who.upper()} {step.method} '{step.path}'{body} | jq {step.query}\n{shown}"


def _shown(value: Any) -> str:
    """Return what `jq` prints, with the same days on every day."""
    if isinstance(value, str):
        text = value
    else:
        items = value if isinstance(value, list) else [value]
        text = "\n".join(json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in items)
    return _MOMENT.sub(_SHOWN_MOMENT, _YEAR.sub("FC-2026", text))
