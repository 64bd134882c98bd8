"""Request bodies, and how they become a `CheckOrder`."""

from datetime import UTC, date, datetime
from pathlib import PurePosixPath
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator
from pydantic.alias_generators import to_camel

from veridic.api.errors import CONTENT_OR_GENERATOR, QUESTION_REQUIRED, verbatim_error
from veridic.config.settings import Settings
from veridic.domain.claim import Priority
from veridic.domain.document import Document
from veridic.domain.errors import TooLargeError, UsageError
from veridic.domain.modes import EngineChoice, Mode
from veridic.engine.order import CheckOrder, ModelChoice
from veridic.evidence.corpus import REFERENCE, Corpora
from veridic.ingest.read import document_from_bytes, document_from_text, read_document
from veridic.providers.fetch.base import Fetcher

ModelName = Annotated[str, StringConstraints(min_length=1, max_length=200)]
ModelNameOrEmpty = Annotated[str, StringConstraints(max_length=200)]
"""Empty means not given."""
CorpusName = Annotated[str, StringConstraints(min_length=1, max_length=64)]
CorpusNames = Annotated[list[CorpusName], Field(max_length=20)]
_TEXT = "text"
_UPLOAD = "upload"
_MAX_NAME_LENGTH = 200
_WEB_SCHEMES = ("http://", "https://")


class FactCheckConfig(BaseModel):
    """The content, the models and the limits of a consensus run."""

    model_config = ConfigDict(alias_generator=to_camel, strict=True)

    content_to_check: str | None = Field(
        default=None,
        description="The text to check; without it, `generatorModel` first answers the question.",
    )
    generator_model: ModelNameOrEmpty | None = Field(
        default=None, description="Required without `contentToCheck`."
    )
    extractor_model: ModelNameOrEmpty | None = None
    checker_models: Annotated[list[ModelName], Field(min_length=1, max_length=4)] | None = None
    reporter_model: ModelNameOrEmpty | None = None
    # Clients in languages with a single number type may send 45000.0.
    max_content_length: float = Field(
        default=20_000,
        ge=500,
        le=50_000,
        allow_inf_nan=False,
        description="Content is cut off after this many characters.",
    )
    timeout_ms: float = Field(
        default=120_000,
        ge=30_000,
        le=180_000,
        allow_inf_nan=False,
        description="For each stage; by default the server's VERIDIC_LLM_TIMEOUT_SECONDS.",
    )
    against: CorpusNames | None = Field(
        default=None,
        description="Names of corpora to give the checkers evidence from; `reference` is the built-in one.",
    )

    @field_validator(
        "content_to_check", "generator_model", "extractor_model", "reporter_model", mode="before"
    )
    @classmethod
    def _empty_is_not_given(cls, value: object) -> object:
        return None if value == "" else value

    @model_validator(mode="after")
    def _needs_content_or_generator(self) -> Self:
        if self.content_to_check is None and self.generator_model is None:
            raise verbatim_error(CONTENT_OR_GENERATOR)
        return self


class FactCheckStreamRequest(BaseModel):
    """The body of `POST /api/fact-check/stream`: a run in consensus mode."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        strict=True,
        json_schema_extra={
            "examples": [
                {
                    "question": "What are the key facts about the history of the Internet?",
                    "mode": "fact_check",
                    "modeConfig": {
                        "generatorModel": "openai/o3",
                        "extractorModel": "anthropic/claude-opus-4-6",
                        "checkerModels": ["google/gemini-2.5-pro", "meta-llama/llama-4-maverick"],
                        "reporterModel": "anthropic/claude-opus-4-6",
                    },
                },
                {
                    "question": "Check this note about Australia",
                    "mode": "fact_check",
                    "modeConfig": {
                        "contentToCheck": "The capital of Australia is Canberra.",
                        "extractorModel": "embedded/extractor",
                        "checkerModels": ["embedded/verifier"],
                        "reporterModel": "embedded/reporter",
                        "against": ["reference"],
                    },
                },
            ]
        },
    )

    question: str = Field(
        min_length=1, description="The question to answer, or a description of the content to check."
    )
    mode: Literal["fact_check"]
    conversation_id: str | None = Field(
        default=None,
        max_length=64,
        description="The conversation to continue; without it, a new one is created.",
    )
    mode_config: FactCheckConfig | None = None

    @field_validator("question")
    @classmethod
    def _question_not_blank(cls, question: str) -> str:
        if not question.strip():
            raise verbatim_error(QUESTION_REQUIRED)
        return question

    @model_validator(mode="after")
    def _needs_config(self) -> Self:
        # All its fields are optional, but without it there is neither content nor a generator.
        if self.mode_config is None:
            raise verbatim_error(CONTENT_OR_GENERATOR)
        return self


class ModelNames(BaseModel):
    """Models by role; roles left out get the configured defaults."""

    model_config = ConfigDict(extra="forbid", strict=True)

    generator: ModelName | None = Field(
        default=None, description="Consensus mode: answers the question, if nothing else is given."
    )
    extractor: ModelName | None = Field(default=None, description="Finds the claims.")
    checkers: Annotated[list[ModelName], Field(min_length=1, max_length=4)] | None = Field(
        default=None,
        description="Consensus mode: the models that judge the claims. Summary and thorough mode: one model, which reads the evidence.",
    )
    reporter: ModelName | None = Field(default=None, description="Consensus mode: writes the report.")


class CheckRequest(BaseModel):
    """A run of any mode: one of `text`, `url` and an uploaded `file`, or in consensus mode a `question`."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"text": "The capital of Australia is Canberra.", "against": ["reference"]},
                {
                    "mode": "thorough",
                    "engine": "llm",
                    "url": "https://example.org/article.html",
                    "as_of": "2025-01-21",
                    "models": {"extractor": "openai/o3", "checkers": ["google/gemini-2.5-pro"]},
                    "max_cost": 0.4,
                },
                {
                    "mode": "summary",
                    "text": "The Federal Reserve raised interest rates in 2024 to combat inflation.",
                    "title": "Federal Reserve announces rate increase",
                    "max_cost": 0.05,
                },
                {
                    "mode": "consensus",
                    "url": "https://example.org/article.html",
                    "models": {"checkers": ["openai/o3", "google/gemini-2.5-pro"]},
                    "max_cost": 0.5,
                    "max_content_length": 10_000,
                    "stage_timeout_ms": 60_000,
                },
            ]
        },
    )

    mode: Mode | None = Field(
        default=None,
        description="`summary`: the one or two main statements of an article, with one round of searches. "
        "`thorough`, the default unless USE_THOROUGH_VALIDATION is false: every claim, each with its own searches. "
        "`consensus`: several models check every claim.",
    )
    engine: EngineChoice = Field(
        default=EngineChoice.AUTO,
        description="`auto`: language models if any are configured, else the embedded engine.",
    )
    text: Annotated[str, Field(min_length=1)] | None = None
    url: Annotated[str, Field(min_length=1, max_length=4000)] | None = Field(
        default=None, description="An http or https address."
    )
    question: str | None = Field(
        default=None,
        max_length=20_000,
        description="Consensus mode: with no text, url or file, a model answers it first, and the answer is checked.",
    )
    title: str | None = Field(default=None, max_length=500)
    earlier: Annotated[str, Field(min_length=1, max_length=64)] | None = Field(
        default=None,
        description="The id of a check of an earlier version of the text. Mode, engine, models, sources and limit of cost are "
        "those of that check, unless they are named. If both are thorough, a claim in the same words and the same sentence "
        "keeps its verdict, if that was reached in the same way: with the same engine, models, settings and sources, which have not "
        "changed since, and for web searches on the same day.",
    )
    models: ModelNames = ModelNames()
    against: CorpusNames = Field(
        default=[],
        description="Names of corpora; by default the web, if a search provider is configured, and the reference library.",
    )
    as_of: date | None = Field(
        default=None,
        description="Check as of this day, today by default: sources published later are not used.",
    )
    max_cost: Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)] | None = Field(
        default=None,
        description="What language models and searches may cost, in US dollars; capped by the server's own limit.",
    )
    max_content_length: int = Field(
        default=20_000,
        strict=True,
        ge=500,
        le=50_000,
        description="Consensus mode: content is cut off after this many characters.",
    )
    stage_timeout_ms: int = Field(
        default=120_000,
        strict=True,
        ge=30_000,
        le=180_000,
        description="How long a model may take to answer; by default the server's VERIDIC_LLM_TIMEOUT_SECONDS.",
    )
    priority: Priority = Field(
        default=Priority.MEDIUM,
        description="Where it stands in the queue, if there is one: `high` goes first, `low` last.",
    )


class Upload(NamedTuple):
    """A file uploaded in a form."""

    name: str
    content: bytes


def stream_order(request: FactCheckStreamRequest, settings: Settings) -> CheckOrder:
    """Build the order for a consensus run. Blocks while corpora are looked up."""
    config = request.mode_config
    if config is None:
        raise UsageError(CONTENT_OR_GENERATOR)
    content = config.content_to_check
    return CheckOrder(
        mode=Mode.CONSENSUS,
        document=None if content is None else _from_text(content, settings),
        question=request.question,
        models=ModelChoice(
            generator=config.generator_model,
            extractor=config.extractor_model,
            checkers=_tuple_or_none(config.checker_models),
            reporter=config.reporter_model,
        ),
        against=known_corpora(config.against or (), settings),
        max_content_length=round(config.max_content_length),
        stage_timeout_ms=round(config.timeout_ms) if "timeout_ms" in config.model_fields_set else None,
        conversation_id=request.conversation_id or None,
    )


def check_order(request: CheckRequest, upload: Upload | None, settings: Settings) -> CheckOrder:
    """Build the order for a run of any mode. Blocks while a page is fetched, a file read and corpora looked up."""
    mode = request.mode or default_mode(settings)
    _refuse_unclear_subject(request, upload, mode)
    _refuse_unfit_models(request.models, mode)
    _refuse_future_date(request.as_of)
    against = known_corpora(request.against, settings)
    document = read_given(request.text, request.url, upload, settings)
    if document is not None and request.title:
        document = document.model_copy(update={"title": " ".join(request.title.split())})
    return CheckOrder(
        mode=mode,
        engine=request.engine,
        document=document,
        question=request.question or "",
        models=ModelChoice(
            generator=request.models.generator,
            extractor=request.models.extractor,
            checkers=_tuple_or_none(request.models.checkers),
            reporter=request.models.reporter,
        ),
        against=against,
        as_of=request.as_of,
        max_content_length=request.max_content_length,
        stage_timeout_ms=request.stage_timeout_ms if "stage_timeout_ms" in request.model_fields_set else None,
        max_cost_usd=_cost_limit(request.max_cost, settings),
    )


def _cost_limit(wanted: float | None, settings: Settings) -> float | None:
    """Return the lower of the client's limit and the server's; the server pays."""
    limits = [limit for limit in (wanted, settings.max_cost_usd) if limit is not None]
    return min(limits, default=None)


def known_corpora(names: list[str] | tuple[str, ...], settings: Settings) -> tuple[str, ...]:
    """Return the names without duplicates; raise `UsageError` for unknown ones, so that no path of the server is read."""
    corpora = Corpora(settings.corpora)
    for name in names:
        if name != REFERENCE and not corpora.exists(name):
            known = ", ".join(sorted({*corpora.names(), REFERENCE}))
            raise UsageError(f"against names corpora, and there is none named {name!r} (known: {known}).")
    return tuple(dict.fromkeys(names))


def default_mode(settings: Settings) -> Mode:
    """Return the mode of requests that name none."""
    return Mode.THOROUGH if settings.use_thorough_validation else Mode.SUMMARY


def _refuse_unclear_subject(request: CheckRequest, upload: Upload | None, mode: Mode) -> None:
    given = [thing for thing in (request.text, request.url, upload) if thing is not None]
    if len(given) > 1:
        raise UsageError("Give one of text, url and file, not several.")
    if given:
        return
    if mode is not Mode.CONSENSUS:
        raise UsageError("Give what is to be checked as text, url or file.")
    if not (request.question or "").strip():
        raise UsageError(
            "Give what is to be checked as text, url or file, or a question to be answered first."
        )


def _refuse_unfit_models(models: ModelNames, mode: Mode) -> None:
    if mode is not Mode.CONSENSUS and (models.generator or models.reporter or len(models.checkers or ()) > 1):
        raise UsageError(
            f"In {mode} mode models names an extractor and one checker, which reads the evidence; "
            "more of them work in consensus mode."
        )


def _refuse_future_date(as_of: date | None) -> None:
    today = datetime.now(UTC).date()
    if as_of is not None and as_of > today:
        raise UsageError(f"as_of can't be in the future: {as_of} is after today, {today}.")


def read_given(
    text: str | None,
    url: str | None,
    upload: Upload | None,
    settings: Settings,
    fetcher: Fetcher | None = None,
) -> Document | None:
    """Read what a client gave: a file, a text or the address of a page. Blocks."""
    if upload is not None:
        return document_from_bytes(upload.content, source=_file_name(upload.name), settings=settings)
    if text is not None:
        return _from_text(text, settings)
    if url is None:
        return None
    # `read_document` would read anything else as a path on the server.
    if not url.lower().startswith(_WEB_SCHEMES):
        raise UsageError("url should be an address that begins with http:// or https://.")
    return read_document(url, settings=settings, fetcher=fetcher)


def refuse_large_text(text: str, settings: Settings) -> None:
    """Raise `TooLargeError` if a text is larger than a document may be."""
    if len(text.encode()) > settings.max_document_bytes:
        raise TooLargeError(
            f"The text is larger than {settings.max_document_bytes:,} bytes; VERIDIC_MAX_DOCUMENT_BYTES sets the limit."
        )


def _from_text(text: str, settings: Settings) -> Document:
    refuse_large_text(text, settings)
    return document_from_text(text, source=_TEXT)


def _file_name(name: str) -> str:
    """Return the last part of the client's file name, without characters that can't be printed."""
    last = PurePosixPath(name.replace("\\", "/")).name
    visible = "".join(character for character in last if character.isprintable()).strip()
    return visible[-_MAX_NAME_LENGTH:] if visible not in ("", "-", ".", "..") else _UPLOAD


def _tuple_or_none(names: list[str] | None) -> tuple[str, ...] | None:
    return tuple(names) if names else None
