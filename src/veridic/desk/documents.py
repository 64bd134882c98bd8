"""The text of a check as it was read when it was taken in: with its title, its address and its paragraphs."""

from typing import Any

from sqlalchemy.orm import Session

from veridic.desk.changing import HeldCheck, hold_check, no_check, record_change, set_status
from veridic.desk.lifecycle import OPEN, CheckStatus
from veridic.domain.document import Document
from veridic.domain.errors import ConflictError
from veridic.domain.people import Actor
from veridic.ingest.formats import MARKDOWN
from veridic.ingest.read import document_from_text
from veridic.store.desk_tables import DeskCheck
from veridic.store.tables import FactCheck

PASTED = "text"
"""The source of a text that was pasted."""


def pasted_document(text: str) -> Document:
    """Return a pasted text as a document. As Markdown, which is read where it stands: the spans of claims are places in `text` itself."""
    return document_from_text(text, source=PASTED, media_type=MARKDOWN)


def as_saved(document: Document) -> dict[str, Any]:
    """Return what the desk keeps of a document besides its text."""
    return document.model_dump(mode="json", exclude={"text"})


def load_document(session: Session, check_id: str) -> Document:
    """Return the text of a check as it was read; raise `NotFoundError`."""
    check = session.get(FactCheck, check_id)
    if check is None:
        raise no_check(check_id)
    desk = session.get(DeskCheck, check_id)
    if desk is None or desk.document is None:
        return pasted_document(check.content)
    known = {name: value for name, value in desk.document.items() if name in Document.model_fields}
    return Document.model_validate({**known, "text": check.content})


def begin_machine_check(session: Session, actor: Actor, check_id: str, version: int) -> None:
    """Note that the actor has asked the machine about a check, which is as open as for a person's work."""
    check = hold_check(session, check_id, version)
    if check.status not in OPEN:
        raise ConflictError(f"{check_id} is {check.status.value}, so the machine can't check it now.")
    _keep_document(check)
    record_change(session, actor, "asked_machine", check, {}, {})
    if check.status is CheckStatus.PENDING:
        set_status(session, actor, check, CheckStatus.EXTRACTING_CLAIMS)


def _keep_document(check: HeldCheck) -> None:
    # A check of an older version has none; with one it is the desk's, and the machine doesn't complete it.
    if check.desk.document is None:
        check.desk.document = as_saved(pasted_document(check.row.content))
