"""`Desk`: what people do with checks. Every method is one transaction, and checks the person's right first.

Methods block; async code calls them in a thread. They raise `ForbiddenError` if the person may not do it,
`NotFoundError`, and `ConflictError` if the state doesn't allow it or somebody else was faster; then nothing is changed.
`version` is the version that the person saw.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from veridic.desk import (
    accepting,
    assigning,
    claim_editing,
    documents,
    exporting,
    extraction,
    importing,
    index,
    publishing,
    queue,
    reading,
    similar,
    verifying,
)
from veridic.desk.changing import begin_extraction, end_extraction, hold_check, is_past, require_no_run
from veridic.desk.claim_editing import ClaimChange
from veridic.desk.importing import Imported
from veridic.desk.leading_results import update_leading_result
from veridic.desk.lifecycle import CheckStatus, require_right
from veridic.desk.queue import QueueFilter
from veridic.desk.records import (
    CheckRecord,
    ClaimRecord,
    ClaimTypeRecord,
    PendingClaim,
    PublicationRecord,
    QueueItem,
    QueueView,
    ReviewDecision,
    SimilarClaim,
    VerificationInput,
)
from veridic.desk.statistics import Statistics, collect
from veridic.domain.claim import Claim, Priority
from veridic.domain.document import Document, Span
from veridic.domain.errors import ConflictError, UsageError
from veridic.domain.people import Actor, Right
from veridic.engine.judges import pair_judge
from veridic.evidence.credibility import Credibility, load_credibility
from veridic.judging.base import PairJudge
from veridic.store import audit
from veridic.store.audit import AuditEntry
from veridic.store.desk_tables import DeskCheck
from veridic.store.runs import RunStore

T = TypeVar("T")


class Desk:
    """The desk on one database."""

    def __init__(
        self,
        store: RunStore,
        *,
        needs_second_reader: bool = True,
        credibility: Credibility | None = None,
        judge: Callable[[], PairJudge] = pair_judge,
    ) -> None:
        """`needs_second_reader`: nobody publishes what they completed or verified themselves."""
        self._store = store
        self._needs_second_reader = needs_second_reader
        self._credibility = credibility or load_credibility()
        self._judge = judge

    def queue(
        self,
        actor: Actor,
        view: QueueView = "all",
        text: str = "",
        status: CheckStatus | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> list[QueueItem]:
        """Return checks: high priority before medium before low, then the oldest first.

        "all" leaves published checks out unless `status` asks for them. `text` finds checks that have words which begin
        like each of its words, in their text, title or id. `after` is the last id of the previous page.
        """
        if text.strip():
            self._update_index(actor)
        criteria = QueueFilter(view=view, text=text, status=status, after=after)
        return self._read(
            actor,
            lambda session: queue.find(
                session, actor, criteria, limit, own_reviews=not self._needs_second_reader
            ),
        )

    def check(self, actor: Actor, check_id: str) -> CheckRecord:
        """Return a check with its claims, comments, reviews and publications."""
        found = self._read(actor, lambda session: self._load(session, actor, check_id))
        if found.status is CheckStatus.EXTRACTING_CLAIMS and self._is_left_extracting(check_id):
            return self._store.write(lambda session: self._give_back(session, actor, check_id))
        return found

    def claim(self, actor: Actor, claim_id: int) -> ClaimRecord:
        """Return a claim with its verifications."""
        return self._read(actor, lambda session: reading.load_claim(session, claim_id))

    def create(
        self,
        actor: Actor,
        title: str,
        content: str | Document,
        priority: Priority = Priority.MEDIUM,
        due_at: datetime | None = None,
    ) -> str:
        """Add a text to check, pasted or as it was read, without a run; return the check's id."""
        require_right(actor, Right.CHECK)
        if not (content if isinstance(content, str) else content.text).strip():
            raise UsageError("There is no text to check.")
        document = documents.pasted_document(content) if isinstance(content, str) else content
        name = " ".join((title.strip() or document.title or "").split())
        return self._store.write(
            lambda session: assigning.create(
                session, actor, title=name, content=document, priority=Priority(priority), due_at=due_at
            )
        )

    def extract(self, actor: Actor, check_id: str, version: int) -> CheckRecord:
        """Find the claims of a pending check with the embedded extractor, and save those that it doesn't have yet.

        The check is `extracting_claims` meanwhile; then it is `in_progress` if somebody has it, otherwise `pending`. If the
        process dies on the way, the check is free again a few minutes later.
        """
        require_right(actor, Right.CHECK)
        document = self._store.write(
            lambda session: self._begin_extraction(session, actor, check_id, version)
        )
        try:
            claims = extraction.claims_of(document)
        except BaseException:
            self._store.write(lambda session: self._save_extracted(session, actor, check_id, ()))
            raise
        return self._store.write(lambda session: self._save_extracted(session, actor, check_id, claims))

    def document(self, actor: Actor, check_id: str) -> Document:
        """Return the text of a check as it was read when it was taken in."""
        return self._read(actor, lambda session: documents.load_document(session, check_id))

    def asks_machine(self, actor: Actor, check_id: str, version: int) -> Callable[[Session, str], None]:
        """Return what is to be saved with a run of this check: that the actor has asked for it, at this version."""
        require_right(actor, Right.CHECK)
        return lambda session, _run_id: documents.begin_machine_check(session, actor, check_id, version)

    def take(self, actor: Actor, check_id: str, version: int) -> CheckRecord:
        """Assign an unassigned check to oneself; it becomes `in_progress`."""
        return self._change(
            actor, Right.CHECK, check_id, lambda session: assigning.take(session, actor, check_id, version)
        )

    def assign(
        self,
        actor: Actor,
        check_id: str,
        user_id: int | None,
        due_at: datetime | None,
        priority: Priority,
        version: int,
    ) -> CheckRecord:
        """Set who works on a check, until when, and its priority. The one who has it may reassign it, too."""
        return self._change(
            actor,
            Right.CHECK,
            check_id,
            lambda session: assigning.assign(
                session, actor, check_id, user_id, due_at, Priority(priority), version
            ),
        )

    def move(
        self, actor: Actor, check_id: str, status: CheckStatus, version: int, notes: str | None = None
    ) -> CheckRecord:
        """Move a check to another state; `notes`, if given, replaces the notes on the whole check.

        `completed` needs, for every verifiable claim, a verdict that a person stands for. `published` is like `publish`.
        """
        target = CheckStatus(status)
        if target is CheckStatus.PUBLISHED:
            return self.publish(actor, check_id, version)
        return self._change(
            actor,
            Right.CHECK,
            check_id,
            lambda session: assigning.move(session, actor, check_id, target, version, notes),
        )

    def add_claim(self, actor: Actor, check_id: str, text: str, span: Span | None = None) -> ClaimRecord:
        """Add a claim that the extractor missed; `span` is its place in the check's content."""
        require_right(actor, Right.CHECK)
        if not text.strip():
            raise UsageError("A claim needs words.")
        claim = extraction.claim_by_person(text)

        def write(session: Session) -> ClaimRecord:
            claim_id = verifying.add_claim(session, actor, check_id, claim, span)
            return reading.load_claim(session, claim_id)

        return self._store.write(write)

    def start_claim(self, actor: Actor, claim_id: int, version: int) -> ClaimRecord:
        """Say that one works on a claim, so that others see it."""
        return self._change_claim(
            actor, claim_id, lambda session: verifying.start(session, actor, claim_id, version)
        )

    def stop_claim(self, actor: Actor, claim_id: int, version: int) -> ClaimRecord:
        """Say that one no longer works on a claim that nobody has rated; it is pending again."""
        return self._change_claim(
            actor, claim_id, lambda session: verifying.stop(session, actor, claim_id, version)
        )

    def verify_claim(
        self, actor: Actor, claim_id: int, verification: VerificationInput, version: int
    ) -> ClaimRecord:
        """Save a person's verdict on a claim. It leads; the machine's stays beside it."""
        return self._change_claim(
            actor,
            claim_id,
            lambda session: verifying.verify(
                session, actor, claim_id, verification, version, self._credibility
            ),
        )

    def accept_claim(self, actor: Actor, claim_id: int, version: int) -> ClaimRecord:
        """Accept the machine's verdict on a claim as one's own, with its notes and sources."""
        return self._change_claim(
            actor, claim_id, lambda session: accepting.accept(session, actor, claim_id, version)
        )

    def accept_remaining(self, actor: Actor, check_id: str, version: int) -> CheckRecord:
        """Accept the machine's verdicts on all claims that wait for a person and that nobody else has taken up."""
        return self._change(
            actor,
            Right.CHECK,
            check_id,
            lambda session: accepting.accept_remaining(session, actor, check_id, version),
        )

    def change_claim(self, actor: Actor, claim_id: int, change: ClaimChange, version: int) -> ClaimRecord:
        """Change a claim's words, type or priority, or whether it can be verified."""
        return self._change_claim(
            actor,
            claim_id,
            lambda session: claim_editing.change(session, actor, claim_id, change, version),
        )

    def flag_claim(self, actor: Actor, claim_id: int, note: str, version: int) -> ClaimRecord:
        """Mark a claim as needing special attention; the note becomes a comment."""
        return self._change_claim(
            actor, claim_id, lambda session: verifying.flag(session, actor, claim_id, note, version)
        )

    def comment(self, actor: Actor, check_id: str, claim_id: int | None, text: str) -> int:
        """Comment on a claim, or on the whole check; return the comment's id."""
        require_right(actor, Right.CHECK)
        if not text.strip():
            raise UsageError("A comment needs words.")
        return self._store.write(lambda session: verifying.comment(session, actor, check_id, claim_id, text))

    def review(
        self, actor: Actor, check_id: str, decision: ReviewDecision, note: str, version: int
    ) -> CheckRecord:
        """Approve a completed check, or send it back to work."""
        return self._change(
            actor,
            Right.EDIT,
            check_id,
            lambda session: publishing.review(
                session,
                actor,
                check_id,
                decision,
                note.strip(),
                version,
                needs_second_reader=self._needs_second_reader,
            ),
        )

    def publish(self, actor: Actor, check_id: str, version: int) -> CheckRecord:
        """Publish a completed check and lock it."""
        return self._change(
            actor,
            Right.EDIT,
            check_id,
            lambda session: publishing.publish(
                session, actor, check_id, version, needs_second_reader=self._needs_second_reader
            ),
        )

    def correct(self, actor: Actor, check_id: str, reason: str, version: int) -> CheckRecord:
        """Publish a notice of correction with a new number.

        To change verdicts, `reopen` the check first, verify, and complete it again; the correction then has them.
        """
        return self._change(
            actor,
            Right.EDIT,
            check_id,
            lambda session: publishing.correct(
                session, actor, check_id, reason, version, needs_second_reader=self._needs_second_reader
            ),
        )

    def reopen(self, actor: Actor, check_id: str, reason: str, version: int) -> CheckRecord:
        """Unlock a published check; its public page stays until the correction is published."""
        return self._change(
            actor,
            Right.EDIT,
            check_id,
            lambda session: publishing.reopen(session, actor, check_id, reason, version),
        )

    def retract(self, actor: Actor, check_id: str, reason: str, version: int) -> CheckRecord:
        """Publish that a check no longer stands; its public page stays and says so."""
        return self._change(
            actor,
            Right.EDIT,
            check_id,
            lambda session: publishing.retract(session, actor, check_id, reason, version),
        )

    def publication(self, check_id: str) -> PublicationRecord | None:
        """Return the newest publication of a check, or None. For everybody."""
        with self._store.read() as session:
            return publishing.load_publication(session, check_id)

    def publication_version(self, check_id: str, number: int) -> PublicationRecord | None:
        """Return what was published of a check under a number, from 1, or None. For everybody."""
        with self._store.read() as session:
            return publishing.load_version(session, check_id, number)

    def publications(self, limit: int = 50) -> list[PublicationRecord]:
        """Return the newest publication of each check, newest first; retracted ones say so. For everybody."""
        with self._store.read() as session:
            return publishing.load_publications(session, limit)

    def statistics(self, actor: Actor) -> Statistics:
        """Return counts, times, sources, the machine's calibration and the load of each person."""
        self._update_index(actor)
        return self._read(actor, collect)

    def pending_claims(self, actor: Actor, limit: int = 50) -> list[PendingClaim]:
        """Return verifiable claims that nobody has verified: high priority first, then the oldest first."""
        return self._read(actor, lambda session: queue.pending_claims(session, limit))

    def claim_types(self) -> list[ClaimTypeRecord]:
        """Return the types of claims, and how each is verified."""
        with self._store.read() as session:
            return reading.load_claim_types(session)

    def similar(self, actor: Actor, text: str, limit: int = 5) -> list[SimilarClaim]:
        """Return earlier verdicts on claims like `text` in words or meaning, those that mean the same first.

        A claim that shares no word with `text` is not found.
        """
        self._update_index(actor)
        return self._read(actor, lambda session: similar.find(session, text, limit, self._judge))

    def import_data(self, actor: Actor, data: object) -> Imported:
        """Save checks that a desk exported as JSON under numbers of their own, or ClaimReviews as checks by other desks."""
        require_right(actor, Right.EDIT)
        return importing.import_data(self._store, actor, data, self._credibility)

    def next_ids(
        self, actor: Actor, status: CheckStatus | None = None, after: str = "", limit: int = 100
    ) -> list[str]:
        """Return ids of all checks in their order, a page at a time; `after` is the last id of the previous page."""
        return self._read(actor, lambda session: exporting.next_ids(session, status, after, limit))

    def audit(
        self,
        actor: Actor,
        check_id: str | None = None,
        before_id: int | None = None,
        limit: int = 200,
    ) -> list[AuditEntry]:
        """Return the audit trail, newest first: of one check (EDIT), or of everything (MANAGE)."""
        require_right(actor, Right.MANAGE if check_id is None else Right.EDIT)
        with self._store.read() as session:
            return audit.entries(session, fact_check_id=check_id, before_id=before_id, limit=limit)

    def _update_index(self, actor: Actor) -> None:
        require_right(actor, Right.READ)
        index.update(self._store)

    def _read(self, actor: Actor, read: Callable[[Session], T]) -> T:
        require_right(actor, Right.READ)
        with self._store.read() as session:
            return read(session)

    def _change(
        self, actor: Actor, right: Right, check_id: str, change: Callable[[Session], None]
    ) -> CheckRecord:
        """Run a change of a check in a transaction; return the check after it."""
        require_right(actor, right)

        def write(session: Session) -> CheckRecord:
            change(session)
            update_leading_result(session, check_id)
            return self._load(session, actor, check_id)

        return self._store.write(write)

    def _change_claim(self, actor: Actor, claim_id: int, change: Callable[[Session], None]) -> ClaimRecord:
        require_right(actor, Right.CHECK)

        def write(session: Session) -> ClaimRecord:
            change(session)
            session.flush()
            claim = reading.load_claim(session, claim_id)
            update_leading_result(session, claim.check_id)
            return claim

        return self._store.write(write)

    def _load(self, session: Session, actor: Actor, check_id: str) -> CheckRecord:
        rule = publishing.second_reader(session, check_id, actor, needed=self._needs_second_reader)
        return reading.load_check(session, check_id, rule)

    def _is_left_extracting(self, check_id: str) -> bool:
        with self._store.read() as session:
            until = session.scalar(
                select(DeskCheck.extracting_until).where(DeskCheck.fact_check_id == check_id)
            )
        return is_past(until)

    def _give_back(self, session: Session, actor: Actor, check_id: str) -> CheckRecord:
        # Holding a check is enough: it frees one whose extraction has died.
        hold_check(session, check_id)
        session.flush()
        return self._load(session, actor, check_id)

    def _begin_extraction(self, session: Session, actor: Actor, check_id: str, version: int) -> Document:
        check = hold_check(session, check_id, version)
        require_no_run(session, check)
        begin_extraction(session, actor, check)
        return documents.load_document(session, check_id)

    def _save_extracted(
        self, session: Session, actor: Actor, check_id: str, claims: Sequence[Claim]
    ) -> CheckRecord:
        check = hold_check(session, check_id)
        if check.status is not CheckStatus.EXTRACTING_CLAIMS:
            raise ConflictError(
                f"{check_id} was moved to {check.status.value} while its claims were extracted; nothing was saved."
            )
        end_extraction(session, actor, check, claims=verifying.add_extracted(session, check, claims))
        session.flush()
        return self._load(session, actor, check_id)
