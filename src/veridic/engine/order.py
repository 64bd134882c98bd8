"""The order: what a user asks for, the same from the command line, the API and the page."""

from datetime import date

from pydantic import ConfigDict, Field

from veridic.config.settings import Settings
from veridic.decision.weighing import DEFAULT_THRESHOLD
from veridic.domain.base import Frozen
from veridic.domain.document import Document
from veridic.domain.errors import UsageError
from veridic.domain.modes import EngineChoice, Mode


class ModelChoice(Frozen):
    """Names of models by role, such as `openai/o3` or `embedded/verifier`; None stands for the default of the settings."""

    generator: str | None = None
    extractor: str | None = None
    checkers: tuple[str, ...] | None = Field(default=None, min_length=1, max_length=4)
    reporter: str | None = None


class CheckOrder(Frozen):
    """What to check: a `document`, or in consensus mode a `question` for the generator to answer."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    mode: Mode = Mode.THOROUGH
    engine: EngineChoice = EngineChoice.AUTO
    document: Document | None = None
    question: str = ""
    """The question that the generator answers, or a description of the document."""
    models: ModelChoice = ModelChoice()
    against: tuple[str, ...] = ()
    """Folders, files or corpora to take evidence from."""
    folder: str = ""
    """The folder that relative paths in `against` start from; empty for the one that the process is in."""
    search: tuple[str, ...] | None = None
    """The search providers to ask, where `against` is empty; None for those that are set up."""
    as_of: date | None = None
    """The day the check is made as of, today by default; later sources are no evidence."""
    threshold: float = DEFAULT_THRESHOLD
    max_content_length: int = Field(default=20_000, ge=500, le=50_000)
    stage_timeout_ms: int | None = Field(default=None, gt=0)
    """How long a model may take for its answer; None stands for the time in the settings."""
    max_cost_usd: float | None = Field(default=None, ge=0)
    max_claims: int | None = Field(default=None, gt=0)
    """Summary and thorough mode: check at most this many claims, also if the settings allow more."""
    max_seconds: float | None = Field(default=None, gt=0)
    """The time limit of the run, also if the settings allow more; at its end, calls in progress are finished."""
    conversation_id: str | None = None
    """Consensus mode: the conversation to continue; None starts a new one and gives it a title."""


class Conversation(Frozen):
    """Where a run of consensus mode is saved."""

    conversation_id: str
    message_id: str
    is_new: bool


def stage_seconds(order: CheckOrder, settings: Settings) -> float:
    """Return how long a model may take for its answer."""
    return settings.llm_timeout_seconds if order.stage_timeout_ms is None else order.stage_timeout_ms / 1000


def document_to_validate(order: CheckOrder) -> Document:
    """Return the document that an order of summary or thorough mode checks; raises `UsageError` if there is none."""
    if order.document is None:
        raise UsageError(
            f"{order.mode.value.capitalize()} mode needs a text to check; to ask a question, choose consensus mode."
        )
    return order.document
