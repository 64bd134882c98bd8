"""What every page of the desk needs: the desk, who is at it, and how a page is rendered."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Depends, Form, HTTPException, Request
from fastapi.routing import APIRoute
from starlette.responses import HTMLResponse, Response

from veridic.api.dependencies import AccountsDep, ActorDep, DeskDep, SettingsDep
from veridic.api.errors import headers_of, status_of
from veridic.api.guard import PROGRAM, client_address
from veridic.api.limits import TokenBuckets, refuse_if_too_many
from veridic.config.settings import Settings
from veridic.desk.accounts import Accounts
from veridic.desk.desk import Desk
from veridic.desk.lifecycle import CheckStatus
from veridic.desk.records import CheckRecord, QueueItem
from veridic.domain.errors import ForbiddenError, TooLargeError, VeridicError
from veridic.domain.people import RIGHTS, Actor, Right
from veridic.web.templating import render

MAX_TEXT_LENGTH = 20_000
"""Of notes, reasons and comments."""
_LONGEST_SHOWN = 1_000_000
"""A browser lays out a longer text only slowly."""
_MAX_FIELDS = 1_200

Version = Annotated[int, Form()]
Line = Annotated[str, Form(max_length=500)]
LongText = Annotated[str, Form()]
"""Its length is checked by `refuse_large`, so that the other fields are kept."""


class LargeForms(APIRoute):
    """A route whose form may be as large as a request: Starlette would refuse a field of a megabyte before it is read."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_large(request: Request) -> Response:
            return await handle(_LargeFormRequest(request.scope, request.receive))

        return handle_large


class _LargeFormRequest(Request):
    def form(self, **limits: Any) -> Any:
        settings: Settings = self.app.state.settings
        return super().form(**{"max_part_size": settings.api_max_request_bytes} | limits)


def refuse_large(typed: Mapping[str, str]) -> None:
    """Raise `TooLargeError` if a text is longer than the desk keeps."""
    longest = max(map(len, typed.values()), default=0)
    if longest > MAX_TEXT_LENGTH:
        raise TooLargeError(too_long(longest))


def too_long(length: int, most: int = MAX_TEXT_LENGTH) -> str:
    return f"The text has {length:,} characters, and at most {most:,} fit here; shorten it."


def as_shown(text: str) -> str:
    """Return what was typed, to be shown again; nothing in place of what would freeze the browser."""
    return text if len(text) <= _LONGEST_SHOWN else ""


REFUSALS = (VeridicError, HTTPException)
"""What a page answers with a sentence, keeping what was typed."""


def answer_to(error: VeridicError | HTTPException) -> tuple[str, int, dict[str, str]]:
    """Return the sentence, the status and the headers of the answer."""
    if isinstance(error, HTTPException):
        return str(error.detail), error.status_code, dict(error.headers or {})
    return str(error), status_of(error), headers_of(error)


@dataclass(frozen=True, slots=True)
class DeskContext:
    """One request to the desk."""

    desk: Desk
    accounts: Accounts
    actor: Actor
    settings: Settings
    starts: TokenBuckets
    client: str
    """The address that the request came from, by which work is limited."""

    def page(
        self,
        template: str,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        **values: object,
    ) -> Response:
        """Render a page; it knows what the person may do, so that it offers nothing that would be refused."""
        page = render(
            template,
            here="desk",
            signed_in=self.settings.api_token is not None,
            may={right.value: self.actor.may(right) for right in Right},
            now=datetime.now(UTC),
            **values,
        )
        return HTMLResponse(page, status, headers=headers)

    def limit_work(self) -> None:
        """Raise `HTTPException` (429) if the client has asked for too much work in the last minute."""
        refuse_if_too_many(self.starts.take(self.client), self.settings.api_starts_per_minute)

    def can_take(self, check: CheckRecord | QueueItem) -> bool:
        """Return whether a check waits for somebody: nobody has it, and it is open or only the machine has completed it."""
        if not self.actor.may(Right.CHECK) or check.assigned_to is not None:
            return False
        match check.status:
            case CheckStatus.PENDING:
                return True
            case CheckStatus.IN_PROGRESS:
                return self.actor.user_id is not None
            case CheckStatus.COMPLETED:
                # Whatever people do with a check raises its version.
                return check.version == 1
            case _:
                return False

    def colleagues(self) -> list[tuple[int, str]]:
        """Return who can work on checks: id and name. Empty on a server without accounts."""
        return [
            (person.id, person.display_name or person.username)
            for person in self.accounts.people()
            if not person.disabled and Right.CHECK in RIGHTS[person.role]
        ]

    def is_mine(self, check: CheckRecord) -> bool:
        """Return whether the check is assigned to the person who asks."""
        owner = check.assigned_to
        return owner is not None and owner.id == self.actor.user_id


async def _context(
    request: Request, desk: DeskDep, accounts: AccountsDep, actor: ActorDep, settings: SettingsDep
) -> DeskContext:
    if actor is PROGRAM:
        raise ForbiddenError("The shared token can't be used at the desk; sign in as a person.")
    return DeskContext(
        desk, accounts, actor, settings, request.app.state.starts, client_address(request.scope)
    )


async def _fields(request: Request) -> dict[str, list[str]]:
    async with request.form(max_files=0, max_fields=_MAX_FIELDS) as form:
        fields: dict[str, list[str]] = {}
        for name, value in form.multi_items():
            if isinstance(value, str):
                fields.setdefault(name, []).append(value)
        return fields


ContextDep = Annotated[DeskContext, Depends(_context)]
FieldsDep = Annotated[dict[str, list[str]], Depends(_fields)]
"""All fields of a form, for forms with rows of fields of the same name."""
