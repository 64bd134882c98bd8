"""What a user asks for: the same order from the command line, the API and the page."""

from datetime import date

from pydantic import ConfigDict, Field

from veridic.decision.weighing import DEFAULT_THRESHOLD
from veridic.domain.base import Frozen
from veridic.domain.document import Document
from veridic.domain.modes import EngineChoice, Mode


class ModelChoice(Frozen):
    """Names of models by role, such as `openai/o3` or `embedded/verifier`; None is the default of the settings."""

    generator: str | None = None
    extractor: str | None = None
    checkers: tuple[str, ...] | None = Field(default=None, min_length=1, max_length=4)
    reporter: str | None = None


class CheckOrder(Frozen):
    """Either `document`, or in consensus mode a `question` for the generator to answer."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    mode: Mode = Mode.THOROUGH
    engine: EngineChoice = EngineChoice.AUTO
    document: Document | None = None
    question: str = ""
    """What to generate an answer to, or a description of what is checked."""
    models: ModelChoice = ModelChoice()
    against: tuple[str, ...] = ()
    """Folders, files or corpora to take evidence from."""
    as_of: date | None = None
    """The day the check is made as of, today by default: nothing later is evidence."""
    threshold: float = DEFAULT_THRESHOLD
    max_content_length: int = Field(default=20_000, ge=500, le=50_000)
    stage_timeout_ms: int | None = Field(default=None, gt=0)
    """How long a model may take for its answer; None is the time of the settings."""
    max_cost_usd: float | None = Field(default=None, ge=0)
    conversation_id: str | None = None
    """Consensus mode: the conversation to go on with; None begins one, and gives it a title."""


class Conversation(Frozen):
    """Where a run of consensus mode is kept."""

    conversation_id: str
    message_id: str
    is_new: bool
