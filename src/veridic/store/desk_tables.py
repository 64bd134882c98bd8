"""Tables of people at the desk: sessions, tokens, assignment, review, publishing and the audit trail."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from veridic.store.columns import NOW, Base


class SignInSession(Base):
    """A browser's session. The cookie has the token; the table has only its hash."""

    __tablename__ = "sign_in_sessions"
    __table_args__ = (Index("idx_sign_in_sessions_user", "user_id"),)

    token_hash: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)
    expires_at: Mapped[datetime]


class OidcIdentity(Base):
    """Whom an OpenID Connect issuer must say somebody is for them to sign in to an account."""

    __tablename__ = "oidc_identities"
    __table_args__ = (
        UniqueConstraint("issuer", "subject"),
        UniqueConstraint("issuer", "email", name="uq_oidc_identities_issuer_email"),
    )

    user_id: Mapped[int] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    issuer: Mapped[str]
    subject: Mapped[str | None]
    """Set at the first sign-in where only the email address was known, which is then forgotten: addresses change hands."""
    email: Mapped[str | None]


class OidcSignIn(Base):
    """A sign-in that a browser has begun at the issuer. The cookie has the secret; the table has only its hash."""

    __tablename__ = "oidc_sign_ins"

    secret_hash: Mapped[str] = mapped_column(primary_key=True)
    next_path: Mapped[str]
    expires_at: Mapped[datetime]


class ApiToken(Base):
    """A person's token for the API, saved as its hash."""

    __tablename__ = "api_tokens"
    __table_args__ = (Index("idx_api_tokens_user", "user_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str]
    token_hash: Mapped[str] = mapped_column(unique=True)
    scope: Mapped[str]
    """Rights, separated by spaces."""
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)
    expires_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class DeskCheck(Base):
    """What the desk adds to a fact check; a row is made when somebody first handles it."""

    __tablename__ = "desk_checks"

    fact_check_id: Mapped[str] = mapped_column(
        ForeignKey("fact_checks.id", ondelete="CASCADE"), primary_key=True
    )
    version: Mapped[int] = mapped_column(server_default="1")
    """Raised by every change; who changes an older version gets a conflict."""
    priority: Mapped[str] = mapped_column(server_default="medium")
    due_at: Mapped[datetime | None]
    title: Mapped[str | None]
    """Given by a person; a check without one has its run's."""
    extracting_until: Mapped[datetime | None]
    """Set while the desk's extractor reads the text. After that moment it has died, and the check is free again."""
    document: Mapped[dict[str, Any] | None] = mapped_column(deferred=True)
    """A text that was taken in: where it came from and its paragraphs, without the text itself."""


class DeskClaim(Base):
    """The version of a claim that people work on, and who put it into its state."""

    __tablename__ = "desk_claims"

    claim_id: Mapped[int] = mapped_column(
        ForeignKey("extracted_claims.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    version: Mapped[int] = mapped_column(server_default="1")
    status_by: Mapped[int | None]
    """The person; None without accounts."""
    status_at: Mapped[datetime | None]
    """None if the machine put it into its state."""


class SourceDate(Base):
    """When a source was published, where the day or the month is not known: `date_published` then has the first day."""

    __tablename__ = "source_dates"

    source_id: Mapped[int] = mapped_column(
        ForeignKey("verification_sources.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    published: Mapped[str]
    """Such as `2026-01` or `2026`."""


class ClaimComment(Base):
    """A comment on a claim, or on the whole check where `claim_id` is None."""

    __tablename__ = "claim_comments"
    __table_args__ = (Index("idx_claim_comments_check", "fact_check_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    fact_check_id: Mapped[str] = mapped_column(ForeignKey("fact_checks.id", ondelete="CASCADE"))
    claim_id: Mapped[int | None] = mapped_column(ForeignKey("extracted_claims.id", ondelete="CASCADE"))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    text: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)


class CheckReview(Base):
    """A second reader's decision on a completed check, at the version that was read."""

    __tablename__ = "check_reviews"
    __table_args__ = (Index("idx_check_reviews_check", "fact_check_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    fact_check_id: Mapped[str] = mapped_column(ForeignKey("fact_checks.id", ondelete="CASCADE"))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    decision: Mapped[str]
    """`approved` or `changes_requested`."""
    note: Mapped[str | None]
    version: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)


class Publication(Base):
    """One published version, whole. Its foreign key doesn't cascade: what was published can't be deleted."""

    __tablename__ = "publications"
    __table_args__ = (
        UniqueConstraint("fact_check_id", "number", name="uq_publications_number"),
        Index("idx_publications_published", "published_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    fact_check_id: Mapped[str] = mapped_column(ForeignKey("fact_checks.id"))
    number: Mapped[int]
    """1 for the first publication of a check, then counted up."""
    kind: Mapped[str]
    """`published`, `corrected` or `retracted`."""
    reason: Mapped[str | None]
    """Why it was corrected or retracted; shown on the public page."""
    content: Mapped[dict[str, Any]]
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    published_at: Mapped[datetime] = mapped_column(server_default=NOW)


class AuditEvent(Base):
    """Who changed what, and when. Triggers refuse to change or delete a row.

    It refers to nothing by foreign key, so that it outlives what it tells of.
    """

    __tablename__ = "audit_events"
    __table_args__ = (
        Index("idx_audit_events_check", "fact_check_id"),
        Index("idx_audit_events_subject", "subject_type", "subject_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(server_default=NOW)
    user_id: Mapped[int | None]
    username: Mapped[str]
    """The person's name then, `local` on a server without accounts, or `machine`."""
    action: Mapped[str]
    subject_type: Mapped[str]
    subject_id: Mapped[str]
    fact_check_id: Mapped[str | None]
    before: Mapped[dict[str, Any] | None]
    after: Mapped[dict[str, Any] | None]
