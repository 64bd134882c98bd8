"""Response bodies: runs, lists of runs, estimates, corpora, models, health."""

from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, Field

from veridic.domain.consensus import FactCheckResult
from veridic.domain.modes import Mode
from veridic.domain.usage import Usage
from veridic.domain.verdicts import Scale, say
from veridic.engine.own_sources import Outcome
from veridic.store.runs import RunState, RunSummary


def check_path(run_id: str) -> str:
    return f"/api/checks/{run_id}"


def events_path(run_id: str) -> str:
    return f"{check_path(run_id)}/events"


class Links(BaseModel):
    """Paths of a run, its events and its report."""

    check: str = Field(examples=["/api/checks/FC-2026-000001"])
    events: str = Field(examples=["/api/checks/FC-2026-000001/events"])
    report: str = Field(examples=["/api/checks/FC-2026-000001/report"])

    @classmethod
    def to(cls, run_id: str) -> "Links":
        path = check_path(run_id)
        return cls(check=path, events=events_path(run_id), report=f"{path}/report")


class CheckStarted(BaseModel):
    """A run that was just started."""

    id: str = Field(examples=["FC-2026-000001"])
    mode: Mode
    conversation_id: str | None = Field(description="Consensus mode only.")
    message_id: str | None = Field(description="Consensus mode only.")
    links: Links


class EstimatedCost(BaseModel):
    """The expected cost of a run."""

    mode: Mode
    claims: int = Field(description="Counted by the embedded extractor.")
    calls: int = Field(description="Requests to language models.")
    input_tokens: int
    output_tokens: int
    searches: int = Field(description="Requests to search providers.")
    model_cost_usd: float = Field(description="The cost of the models whose price is known.")
    search_cost_usd: float
    cost_usd: float = Field(description="Of models and searches together.", examples=[0.21])
    unpriced_models: list[str] = Field(
        description="Paid models without a known price; their cost is not included."
    )


class CheckSummary(BaseModel):
    """A run in a list."""

    id: str = Field(examples=["FC-2026-000001"])
    created_at: datetime
    title: str | None
    source: str = Field(description="The file, URL or `text` it was read from.")
    mode: str
    engine: str
    state: RunState = Field(description="`interrupted`: stopped before its end; it can be resumed.")
    under_way: bool = Field(description="Whether it is queued or running, so more events will come.")
    waiting_for: str | None = Field(
        description="Of a queued run that no running process can do: what is missing, as a sentence."
    )
    verdict: str | None = Field(description="TRUE, FALSE, MISLEADING or UNVERIFIABLE; null without a report.")
    credibility_score: int | None
    claims: int = Field(description="The number of claims found.")
    error: str | None = Field(description="Why it failed, if it did.")
    question: str | None = Field(description="Consensus mode: the question, or the description of the text.")
    conversation_id: str | None = Field(description="Consensus mode only.")
    message_id: str | None = Field(description="Consensus mode only.")
    started_by: str | None = Field(description="The user name of who started it, where there are accounts.")
    links: Links


class CheckList(BaseModel):
    """Runs, newest first."""

    checks: list[CheckSummary]
    next_cursor: str | None = Field(
        description="Pass it as `cursor` to get the next page; null on the last page."
    )


class RunUsage(BaseModel):
    """A run's requests to language models and search providers, and their cost."""

    input_tokens: int
    output_tokens: int
    calls: int
    searches: int
    cost_usd: float = Field(description="Of models and searches together.", examples=[0.21])
    cost_is_estimate: bool = Field(description="Whether part of the cost comes from a price list.")
    unpriced_calls: int = Field(description="Calls whose cost is unknown and not included.")

    @classmethod
    def of(cls, usage: Usage) -> Self:
        """Create it with the cost rounded as in reports."""
        return cls.model_validate(usage.model_dump() | {"cost_usd": round(usage.cost_usd, 6)})


class CheckDetail(CheckSummary):
    """A run with its usage, result and report."""

    usage: RunUsage = Field(description="So far; failed runs have a cost too.")
    result: FactCheckResult | None = Field(
        description="Consensus mode, once completed: what each model answered, and the consensus."
    )
    report: dict[str, Any] | None = Field(
        description="Once completed: the report as `veridic check --format json` writes it."
    )


class Cancelled(BaseModel):
    id: str
    cancelled: bool = Field(description="False if the run had ended already.")


class Resumed(BaseModel):
    id: str
    events: str = Field(description="Where to follow it.")


class CorpusEntry(BaseModel):
    """A collection of documents that can be checked against."""

    name: str
    label: str
    documents: int
    passages: int
    updated: datetime | None
    problem: str | None = Field(description="Why it can't be used, if it can't.")


class CorpusList(BaseModel):
    corpora: list[CorpusEntry]


class RoleDefaults(BaseModel):
    """The model of each role that a request leaves out."""

    generator: str | None
    extractor: str
    checkers: list[str]
    reporter: str


class ValidationDefaults(BaseModel):
    """The default models of summary and thorough mode."""

    extractor: str
    validator: str = Field(description="Reads the evidence; requests name it as the only checker.")


class ModelsInfo(BaseModel):
    defaults: RoleDefaults = Field(description="Consensus mode.")
    validation: ValidationDefaults
    search: list[str] = Field(description="Search providers for evidence on the web.", examples=[["exa"]])
    providers: dict[str, bool] = Field(
        description="Whether each provider is configured.", examples=[{"embedded": True, "openrouter": False}]
    )


class Health(BaseModel):
    status: str = Field(examples=["ok"])
    version: str


class Readiness(BaseModel):
    """The state of what the server depends on."""

    database: str = Field(examples=["ok"])
    model: str = Field(examples=["ok"])


def summary_fields(run: RunSummary) -> dict[str, Any]:
    """Return the fields of `CheckSummary` for a run."""
    return run.model_dump() | {
        "under_way": run.state.is_under_way,
        "verdict": None if run.verdict is None else say(run.verdict, Scale.VALIDATION),
        "links": Links.to(run.id),
    }


class CorpusDocumentEntry(BaseModel):
    """A file, a page or a text in a corpus."""

    name: str = Field(description="Unique in its corpus: a file name, a name in a folder, or an address.")
    passages: int
    added: datetime | None
    failure: str | None = Field(description="Why it can't be read; null if it can.")
    problem: str | None = Field(description="What of it could not be read, if the rest was.")


class CorpusDetail(BaseModel):
    """A corpus and its documents."""

    name: str
    documents: list[CorpusDocumentEntry]


class CorpusCreated(BaseModel):
    """A corpus that was just made, still empty."""

    name: str
    documents: str = Field(
        examples=["/api/corpora/harbour/documents"], description="Where documents are sent."
    )


class AddedDocument(BaseModel):
    """A document that was sent, and what became of it."""

    name: str = Field(description="Its name in the corpus: another one than was sent if that was taken.")
    outcome: Outcome
    passages: int
    problem: str | None = Field(description="Why it was not read, or not all of it.")


class AddedDocuments(BaseModel):
    """What became of each document that was sent, in their order."""

    documents: list[AddedDocument]
