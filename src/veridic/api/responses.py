"""What clients get: a run's state, its result, lists of runs."""

from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, Field

from veridic.domain.consensus import FactCheckResult
from veridic.domain.modes import Mode
from veridic.domain.usage import Usage
from veridic.domain.verdicts import Scale, say
from veridic.store.runs import RunState, RunSummary


def check_path(run_id: str) -> str:
    return f"/api/checks/{run_id}"


def events_path(run_id: str) -> str:
    return f"{check_path(run_id)}/events"


class Links(BaseModel):
    """Where the parts of a run are."""

    check: str = Field(examples=["/api/checks/FC-2026-000001"])
    events: str = Field(examples=["/api/checks/FC-2026-000001/events"])
    report: str = Field(examples=["/api/checks/FC-2026-000001/report"])

    @classmethod
    def to(cls, run_id: str) -> "Links":
        path = check_path(run_id)
        return cls(check=path, events=events_path(run_id), report=f"{path}/report")


class CheckStarted(BaseModel):
    """A run that has begun."""

    id: str = Field(examples=["FC-2026-000001"])
    mode: Mode
    conversation_id: str | None = Field(description="Consensus mode only.")
    message_id: str | None = Field(description="Consensus mode only.")
    links: Links


class EstimatedCost(BaseModel):
    """What a run is likely to take."""

    mode: Mode
    claims: int = Field(description="As the embedded extractor counts them.")
    calls: int = Field(description="To language models.")
    input_tokens: int
    output_tokens: int
    searches: int = Field(description="Requests to search providers.")
    model_cost_usd: float = Field(description="Of the models whose price is known.")
    search_cost_usd: float
    cost_usd: float = Field(description="Of models and searches together.", examples=[0.21])
    unpriced_models: list[str] = Field(
        description="Paid for, and in no price list: what they cost comes on top."
    )


class CheckSummary(BaseModel):
    """A run as lists show it."""

    id: str = Field(examples=["FC-2026-000001"])
    created_at: datetime
    title: str | None
    source: str = Field(description="The file, address or `text` it was read from.")
    mode: str
    engine: str
    state: RunState = Field(description="`unfinished` is under way, or was killed.")
    under_way: bool = Field(description="Whether this server is at work on it, and more events will come.")
    verdict: str | None = Field(description="TRUE, FALSE, MISLEADING or UNVERIFIABLE; null without a report.")
    credibility_score: int | None
    claims: int = Field(description="How many were found.")
    error: str | None = Field(description="Why it failed, if so.")
    question: str | None = Field(description="Consensus mode: what was asked, or said about the text.")
    conversation_id: str | None = Field(description="Consensus mode only.")
    message_id: str | None = Field(description="Consensus mode only.")
    links: Links


class CheckList(BaseModel):
    """Runs, newest first."""

    checks: list[CheckSummary]
    next_cursor: str | None = Field(
        description="Pass it as `cursor` for the runs after these; null at the end."
    )


class RunUsage(BaseModel):
    """What language models and searches were asked for a run, and what it cost."""

    input_tokens: int
    output_tokens: int
    calls: int
    searches: int
    cost_usd: float = Field(description="Of models and searches together.", examples=[0.21])
    cost_is_estimate: bool = Field(description="Whether part of it is by a price list.")
    unpriced_calls: int = Field(description="Calls whose cost nobody knows; they are not in the sum.")

    @classmethod
    def of(cls, usage: Usage) -> Self:
        """Rounded as reports are."""
        return cls.model_validate(usage.model_dump() | {"cost_usd": round(usage.cost_usd, 6)})


class CheckDetail(CheckSummary):
    """A run with all it came to."""

    usage: RunUsage = Field(description="So far; a run that failed has a cost too.")
    result: FactCheckResult | None = Field(
        description="Consensus mode: everything that was said, once completed."
    )
    report: dict[str, Any] | None = Field(
        description="The report, as `veridic check --format json` writes it, once completed."
    )


class Cancelled(BaseModel):
    id: str
    cancelled: bool = Field(description="False where it had ended already.")


class CorpusEntry(BaseModel):
    """A collection of documents that can be checked against."""

    name: str
    label: str
    documents: int
    passages: int
    updated: datetime | None
    problem: str | None = Field(description="Why it can't be used, if so.")


class CorpusList(BaseModel):
    corpora: list[CorpusEntry]


class RoleDefaults(BaseModel):
    """Who takes each role where a request names nobody."""

    generator: str | None
    extractor: str
    checkers: list[str]
    reporter: str


class ValidationDefaults(BaseModel):
    """The same for summary and thorough mode."""

    extractor: str
    validator: str = Field(description="Reads the evidence; a request names it as the one checker.")


class ModelsInfo(BaseModel):
    defaults: RoleDefaults = Field(description="Consensus mode.")
    validation: ValidationDefaults
    search: list[str] = Field(description="Who is asked for evidence on the web.", examples=[["exa"]])
    providers: dict[str, bool] = Field(
        description="Which are set up.", examples=[{"embedded": True, "openrouter": False}]
    )


class Health(BaseModel):
    status: str = Field(examples=["ok"])
    version: str


class Readiness(BaseModel):
    """What the server needs, and that it has it."""

    database: str = Field(examples=["ok"])
    model: str = Field(examples=["ok"])


def summary_fields(run: RunSummary, *, under_way: bool) -> dict[str, Any]:
    """A summary's fields, for the models above."""
    return run.model_dump() | {
        "under_way": under_way,
        "verdict": None if run.verdict is None else say(run.verdict, Scale.VALIDATION),
        "links": Links.to(run.id),
    }
