"""Request bodies of the desk's routes."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from veridic.desk.claim_editing import ClaimChange
from veridic.desk.lifecycle import CheckStatus
from veridic.desk.records import (
    Line,
    Moment,
    Notes,
    ReviewDecision,
    SourceInput,
    Text,
    Url,
    VerificationInput,
)
from veridic.domain.claim import Priority

_MAX_NUMBER = 2**31 - 1


def _written_out(value: object) -> object:
    # Pydantic would also take a number of seconds, or the digits of one.
    if value is None or (isinstance(value, str) and "-" in value[1:8]):
        return value
    raise ValueError("it should be a date and time such as 2026-11-19T09:30:00Z")


WrittenMoment = Annotated[Moment, BeforeValidator(_written_out, json_schema_input_type=Moment)]
Version = Annotated[
    int, Field(strict=True, ge=1, le=_MAX_NUMBER, description="The version that the person saw.")
]
Offset = Annotated[int, Field(strict=True, ge=0, le=_MAX_NUMBER)]


class DeskRequest(BaseModel):
    """Base of the desk's request bodies; other fields are refused."""

    model_config = ConfigDict(extra="forbid")


class CreateRequest(DeskRequest):
    """A text to check, or the address of a page; a file is sent in a form with the same fields."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "content": "Canberra has been the capital of Australia since 1913.",
                    "title": "Australia",
                    "priority": "high",
                    "due_at": "2026-11-20T17:00:00+01:00",
                }
            ]
        }
    )

    content: str | None = Field(
        default=None, min_length=1, description="The text, as plain text or Markdown."
    )
    url: Url | None = Field(default=None, description="An http or https address, whose article is read.")
    title: Line = Field(default="", description="By default that of the file or the page.")
    priority: Priority = Priority.MEDIUM
    due_at: WrittenMoment | None = None


class AtVersion(DeskRequest):
    """A change without anything else to say."""

    version: Version


class AssignRequest(DeskRequest):
    """Who works on a check. What is left out stays as it is."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"version": 3, "assigned_to": 11, "due_at": "2026-11-20T17:00:00+01:00"}]
        }
    )

    version: Version
    assigned_to: Annotated[int, Field(strict=True, ge=1, le=_MAX_NUMBER)] | None = Field(
        description="The person's `id`; null for nobody."
    )
    due_at: WrittenMoment | None = None
    priority: Priority | None = None


class MoveRequest(DeskRequest):
    """Another state for a check; publishing and reopening have routes of their own."""

    version: Version
    status: Literal[CheckStatus.PENDING, CheckStatus.IN_PROGRESS, CheckStatus.COMPLETED]
    notes: Notes | None = Field(default=None, description="Replaces the notes on the whole check.")


class CommentRequest(DeskRequest):
    text: Text
    claim_id: Annotated[int, Field(strict=True, ge=1, le=_MAX_NUMBER)] | None = Field(
        default=None, description="A claim of this check; without it, the comment is on the whole check."
    )


class ReviewRequest(DeskRequest):
    """A second reader's decision."""

    version: Version
    decision: ReviewDecision
    note: Notes = ""


class ReasonRequest(DeskRequest):
    """A change of something published."""

    version: Version
    reason: Notes = Field(min_length=1, description="Readers see it on the public page.")


class NewClaim(DeskRequest):
    """A claim that the extractor missed."""

    text: Text
    span: tuple[Offset, Offset] | None = Field(
        default=None, description="Its first character in the text of the check, and the one after its last."
    )


class ClaimChangeRequest(ClaimChange):
    """What to change of a claim; what is left out stays as it is."""

    version: Version
    verifiable: Annotated[bool, Field(strict=True)] | None = Field(
        default=None, description="A claim that can't be verified doesn't keep a check from being completed."
    )


class FlagRequest(DeskRequest):
    """Why a claim needs special attention."""

    version: Version
    note: Notes = Field(default="", description="Becomes a comment on the claim.")


class GivenSource(SourceInput):
    """A source that a person used. Domain and tier are read from the address unless given."""

    supports_claim: Annotated[bool, Field(strict=True)] | None = Field(
        default=None, description="True: it supports the claim. False: it disputes it. Null: context."
    )
    relevance_score: Annotated[float, Field(strict=True, ge=0, le=1)] | None = None
    date_published: WrittenMoment | None = None


class VerifyRequest(VerificationInput):
    """A person's verdict on a claim."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "version": 1,
                    "rating": "true",
                    "notes": "Confirmed by the bureau's quarterly release.",
                    "time_spent_seconds": 420,
                    "sources": [
                        {
                            "url": "https://www.abs.gov.au/population",
                            "title": "National population",
                            "supports_claim": True,
                            "excerpt": "26.6 million people at 30 June 2023",
                            "date_published": "2024-03-21T00:00:00Z",
                        }
                    ],
                }
            ]
        }
    )

    version: Version
    time_spent_seconds: Annotated[int, Field(strict=True, ge=0, le=7 * 86_400)] | None = Field(
        default=None, description="How long the claim was open and worked on."
    )
    sources: tuple[GivenSource, ...] = Field(default=(), max_length=100)


class SourceRequest(DeskRequest):
    """The address of a source."""

    url: Url = Field(examples=["https://www.abs.gov.au/statistics"])
