"""All tables: a fact-checking desk's records, and the runs that wrote them.

The first five are a fixed contract (names, types, defaults, keys and indexes), because people query them
directly, and so is `deliberation_stages`. What people at the desk add stands in `desk_tables.py`,
and batches in `batch_tables.py`.
(The contract and the migration leave `NOT NULL` out of primary keys; here they are not nullable, and none is ever
null.)

SQLite and PostgreSQL share these declarations; where they differ, a type has a variant.
"""

from datetime import date, datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, false, true
from sqlalchemy.orm import Mapped, mapped_column

from veridic.store.columns import NOW, Base, Dollars, Uuid

SCHEMA_REVISION = "0015"
"""The migration that these declarations match; a test compares them."""


class User(Base):
    """A person at the desk."""

    __tablename__ = "users"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    username: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)
    display_name: Mapped[str | None]
    role: Mapped[str] = mapped_column(server_default="viewer")
    password_hash: Mapped[str | None]
    """argon2id; None if this person signs in elsewhere, or not at all."""
    failed_sign_ins: Mapped[int] = mapped_column(server_default="0")
    locked_until: Mapped[datetime | None]
    disabled_at: Mapped[datetime | None]


class Assignment(Base):
    """An editorial assignment that a fact check belongs to. For other programs: Veridic writes none."""

    __tablename__ = "assignments"

    id: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[str | None]
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)


class FactCheck(Base):
    __tablename__ = "fact_checks"
    __table_args__ = (Index("idx_factchecks_status", "status"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    assignment_id: Mapped[str | None] = mapped_column(ForeignKey("assignments.id"))
    source_assignment_id: Mapped[str | None] = mapped_column(ForeignKey("assignments.id"))
    content: Mapped[str]
    claims_to_verify: Mapped[str | None]
    verified_claims: Mapped[str | None]
    disputed_claims: Mapped[str | None]
    sources: Mapped[str | None]
    overall_rating: Mapped[str | None]
    status: Mapped[str | None] = mapped_column(server_default="pending")
    assigned_to: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    created_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    completed_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    fact_checker_notes: Mapped[str | None]
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)
    completed_at: Mapped[datetime | None]


class ExtractedClaim(Base):
    __tablename__ = "extracted_claims"
    __table_args__ = (
        Index("idx_claims_factcheck", "fact_check_id"),
        Index("idx_claims_status", "status"),
        Index("idx_claims_type", "claim_type"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    fact_check_id: Mapped[str] = mapped_column(ForeignKey("fact_checks.id", ondelete="CASCADE"))
    claim_text: Mapped[str]
    claim_type: Mapped[str | None]
    sentence_index: Mapped[int | None]
    span_start: Mapped[int | None]
    span_end: Mapped[int | None]
    verifiable: Mapped[bool | None] = mapped_column(server_default=true())
    verification_type: Mapped[str | None]
    confidence_score: Mapped[float | None]
    patterns_matched: Mapped[str | None]
    deniability_score: Mapped[float | None]
    hearsay_confidence: Mapped[float | None]
    private_data_detected: Mapped[bool | None] = mapped_column(server_default=false())
    status: Mapped[str | None] = mapped_column(server_default="pending")
    priority: Mapped[str | None] = mapped_column(server_default="medium")
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)
    updated_at: Mapped[datetime | None] = mapped_column(server_default=NOW)


class ClaimVerification(Base):
    __tablename__ = "claim_verifications"
    __table_args__ = (Index("idx_verifications_claim", "claim_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    claim_id: Mapped[int] = mapped_column(ForeignKey("extracted_claims.id", ondelete="CASCADE"))
    verification_status: Mapped[str | None] = mapped_column(server_default="pending")
    rating: Mapped[str | None]
    credibility_score: Mapped[float | None]
    sources_found: Mapped[str | None]
    verification_method: Mapped[str | None]
    verification_notes: Mapped[str | None]
    verified_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    verified_at: Mapped[datetime | None]
    time_spent_seconds: Mapped[int | None]
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)


class VerificationSource(Base):
    __tablename__ = "verification_sources"
    __table_args__ = (
        Index("idx_sources_verification", "verification_id"),
        Index("idx_sources_domain", "domain"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    verification_id: Mapped[int] = mapped_column(ForeignKey("claim_verifications.id", ondelete="CASCADE"))
    url: Mapped[str]
    domain: Mapped[str | None]
    title: Mapped[str | None]
    credibility_tier: Mapped[str | None]
    credibility_score: Mapped[float | None]
    supports_claim: Mapped[bool | None]
    relevance_score: Mapped[float | None]
    excerpt: Mapped[str | None]
    date_published: Mapped[datetime | None]
    date_accessed: Mapped[datetime | None] = mapped_column(server_default=NOW)
    notes: Mapped[str | None]


class ClaimKind(Base):
    """How each framing is verified; filled by the first migration."""

    __tablename__ = "claim_types"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    type_name: Mapped[str] = mapped_column(unique=True)
    verification_approach: Mapped[str]
    description: Mapped[str | None]
    requires_sources: Mapped[bool | None] = mapped_column(server_default=true())
    typical_verification_time: Mapped[int | None]
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)


class Run(Base):
    """How a fact check was run, and its report or error.

    Neither `report` nor `error` is set while a run is under way, or if it was killed.
    """

    __tablename__ = "runs"
    __table_args__ = (
        Index("idx_runs_created", "created_at"),
        Index("idx_runs_message", "message_id"),
        Index("idx_runs_owner", "owner"),
        Index("idx_runs_queued", "queued_at"),
    )

    fact_check_id: Mapped[str] = mapped_column(
        ForeignKey("fact_checks.id", ondelete="CASCADE"), primary_key=True
    )
    mode: Mapped[str]
    engine: Mapped[str]
    source: Mapped[str]
    title: Mapped[str | None]
    verdict: Mapped[str | None]
    credibility_score: Mapped[int | None]
    people_verdict: Mapped[str | None]
    """Of the report with the verdicts of people, which lead; None if there are none."""
    people_score: Mapped[int | None]
    people_claims: Mapped[int] = mapped_column(server_default="0")
    """How many claims people have rated."""
    people_decided: Mapped[int] = mapped_column(server_default="0")
    """How many claims are decided, by people or by the machine."""
    report: Mapped[str | None] = mapped_column(deferred=True)
    error: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)
    message_id: Mapped[str | None] = mapped_column(ForeignKey("messages.id", ondelete="SET NULL"))
    """Consensus mode: the message that the stages belong to."""
    question: Mapped[str | None]
    """Consensus mode: the question, or the description of the text."""
    order_data: Mapped[dict[str, Any] | None] = mapped_column(deferred=True)
    """The order without its text, and the settings that a resumed run or a replay needs."""
    usage: Mapped[dict[str, Any] | None] = mapped_column(deferred=True)
    """What models and searches have cost so far, also if the run failed."""
    owner: Mapped[str | None]
    """The process that works on the run; None if none does."""
    lease_until: Mapped[datetime | None]
    """Until when the owner has it; the owner renews this as long as it lives."""
    queued_at: Mapped[datetime | None]
    """Set as long as any worker may take the run; None for runs of the command line, and for ended ones."""
    priority: Mapped[str] = mapped_column(server_default="medium")
    cancel_requested_at: Mapped[datetime | None]
    """Somebody has asked for this run to be cancelled; its owner does it."""
    cancel_requested_by: Mapped[str | None]
    """Who that was, as shown; None if that is not known."""
    tries: Mapped[int] = mapped_column(server_default="0")
    """How many processes have taken the run and did not give it back."""
    origin: Mapped[str | None]
    """The batch or the process that it is a run of, which may take only its own; None for a server's."""
    needs: Mapped[str | None]
    """JSON: what a process must have to do the run; None if every process can."""
    retries: Mapped[int] = mapped_column(server_default="0")
    """Requests to models and search providers that were made again, because the one before brought no answer."""


class WorkingProcess(Base):
    """A process that takes runs from the queue; its row goes with it."""

    __tablename__ = "working_processes"

    name: Mapped[str] = mapped_column(primary_key=True)
    origin: Mapped[str | None]
    """It takes only runs of this origin; None for all."""
    lacks: Mapped[dict[str, Any]]
    """Why it leaves waiting runs to others, by their `needs`."""
    seen_at: Mapped[datetime]


class RunStep(Base):
    """A step of a run under way: a paid call that has begun, or a finished step with its result.

    The rows of a run are deleted when it ends.
    """

    __tablename__ = "run_steps"
    __table_args__ = (Index("idx_run_steps_provider", "provider", "started_at"),)

    fact_check_id: Mapped[str] = mapped_column(
        ForeignKey("fact_checks.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(primary_key=True)
    """SHA-256 of the step's name and its count; for a repeated request, with what makes it another."""
    name: Mapped[str]
    """For people; cut if it is long."""
    provider: Mapped[str | None]
    """Who is paid for the step; None for steps that cost nothing."""
    expense: Mapped[dict[str, Any] | None]
    """What a paid step is likely to cost."""
    started_at: Mapped[datetime]
    result: Mapped[str | None]
    """JSON; None while the step is under way."""


class Conversation(Base):
    """A series of checks in consensus mode."""

    __tablename__ = "conversations"

    id: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[str | None]
    mode: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)
    updated_at: Mapped[datetime] = mapped_column(server_default=NOW)


class Message(Base):
    """What a user gave to check: the text, or the question whose answer is checked."""

    __tablename__ = "messages"
    __table_args__ = (Index("idx_messages_conversation", "conversation_id"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"))
    role: Mapped[str]
    content: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)


class Stage(Base):
    """One model's stage of a consensus run: its answer, and the data parsed from it."""

    __tablename__ = "deliberation_stages"
    __table_args__ = (Index("idx_deliberation_stages_message", "message_id", "stage_order"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    message_id: Mapped[str] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"))
    stage_type: Mapped[str]
    stage_order: Mapped[int]
    model: Mapped[str | None]
    role: Mapped[str | None]
    content: Mapped[str]
    parsed_data: Mapped[dict[str, Any] | None]
    response_time_ms: Mapped[int | None]
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)


class Call(Base):
    """One request to a language model, also if it failed."""

    __tablename__ = "model_calls"
    __table_args__ = (Index("idx_model_calls_run", "fact_check_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    fact_check_id: Mapped[str] = mapped_column(ForeignKey("fact_checks.id", ondelete="CASCADE"))
    stage: Mapped[str]
    model: Mapped[str]
    input_tokens: Mapped[int]
    output_tokens: Mapped[int]
    cost_usd: Mapped[float | None]
    cost_is_estimate: Mapped[bool]
    duration_ms: Mapped[int]
    error: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)


class RunEvent(Base):
    """An event of a run as clients get it, numbered from 1."""

    __tablename__ = "run_events"

    fact_check_id: Mapped[str] = mapped_column(
        ForeignKey("fact_checks.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str]
    data: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)


class IdCounter(Base):
    """The last number used in a year, so that ids of deleted runs are not reused. Counted in plain SQL."""

    __tablename__ = "id_counters"

    year: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    last_number: Mapped[int]


class CodeFinding(Base):
    __tablename__ = "code_findings"
    __table_args__ = (Index("idx_code_findings_repo", "repo"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    repo: Mapped[str]
    """The folder of the repository."""
    method: Mapped[str]
    likeness: Mapped[str]
    document: Mapped[str]
    line: Mapped[int]
    claim_text: Mapped[str]
    """Normalised."""
    digests: Mapped[dict[str, Any]]
    content: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)


class ValidationResult(Base):
    """The result of reading the evidence for one claim."""

    __tablename__ = "validation_results"
    __table_args__ = (
        Index("idx_validations_run", "fact_check_id"),
        Index("idx_validations_claim", "claim_id"),
    )

    id: Mapped[str] = mapped_column(Uuid, primary_key=True)
    claim: Mapped[str]
    verdict: Mapped[str]
    confidence: Mapped[int]
    claim_timeframe: Mapped[str | None]
    evidence_currency: Mapped[str | None]
    historical_context: Mapped[str | None]
    temporal_verdict: Mapped[str | None]
    created_at: Mapped[datetime | None] = mapped_column(server_default=NOW)
    evidence_latest_date: Mapped[datetime | None]
    evidence_oldest_date: Mapped[datetime | None]
    total_sources: Mapped[int | None]
    sources_news: Mapped[int | None]
    sources_research: Mapped[int | None]
    sources_general: Mapped[int | None]
    sources_historical: Mapped[int | None]
    processing_time_ms: Mapped[int | None]
    cost_usd: Mapped[float | None] = mapped_column(Dollars)
    fact_check_id: Mapped[str | None] = mapped_column(ForeignKey("fact_checks.id", ondelete="CASCADE"))
    claim_id: Mapped[int | None] = mapped_column(ForeignKey("extracted_claims.id", ondelete="CASCADE"))


class ValidationSource(Base):
    """A source cited by the account of a validation."""

    __tablename__ = "validation_sources"
    __table_args__ = (
        Index("idx_validation_sources_validation", "validation_id"),
        Index("idx_validation_sources_published", "published_date"),
    )

    id: Mapped[str] = mapped_column(Uuid, primary_key=True)
    validation_id: Mapped[str | None] = mapped_column(
        Uuid, ForeignKey("validation_results.id", ondelete="CASCADE")
    )
    citation_id: Mapped[int | None]
    """Its number in the report."""
    title: Mapped[str | None]
    url: Mapped[str | None]
    source: Mapped[str | None]
    author: Mapped[str | None]
    published_date: Mapped[date | None]
    query_type: Mapped[str | None]
    credibility: Mapped[str | None]
    relevance: Mapped[str | None]


class EvidenceSnapshot(Base):
    """The evidence found for one question of a run, saved for replays."""

    __tablename__ = "evidence_snapshots"
    __table_args__ = (Index("idx_evidence_snapshots_run", "fact_check_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    fact_check_id: Mapped[str] = mapped_column(ForeignKey("fact_checks.id", ondelete="CASCADE"))
    question: Mapped[str]
    digest: Mapped[str]
    """SHA-256 of `content`."""
    content: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)
