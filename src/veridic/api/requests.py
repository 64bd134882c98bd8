"""What clients send, and the order it comes to."""

from datetime import UTC, date, datetime
from pathlib import PurePosixPath
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator
from pydantic.alias_generators import to_camel

from veridic.api.violations import CONTENT_OR_GENERATOR, QUESTION_REQUIRED, own_sentence
from veridic.config.settings import Settings
from veridic.domain.document import Document
from veridic.domain.errors import TooLargeError, UsageError
from veridic.domain.modes import EngineChoice, Mode
from veridic.evidence.corpus import REFERENCE, Corpora
from veridic.ingest.read import document_from_bytes, document_from_text, read_document
from veridic.pipeline.orders import CheckOrder, ModelChoice

ModelName = Annotated[str, StringConstraints(min_length=1, max_length=200)]
ModelNameOrEmpty = Annotated[str, StringConstraints(max_length=200)]
"""Empty is like not given."""
CorpusName = Annotated[str, StringConstraints(min_length=1, max_length=64)]
CorpusNames = Annotated[list[CorpusName], Field(max_length=20)]
_TEXT = "text"
_UPLOAD = "upload"
_LONGEST_NAME = 200
_WEB = ("http://", "https://")


class FactCheckConfig(BaseModel):
    """Who checks what, and how long it may take."""

    model_config = ConfigDict(alias_generator=to_camel, strict=True)

    content_to_check: str | None = Field(
        default=None, description="What is checked; without it, `generatorModel` first answers the question."
    )
    generator_model: ModelNameOrEmpty | None = Field(
        default=None, description="Needed where there is no `contentToCheck`."
    )
    extractor_model: ModelNameOrEmpty | None = None
    checker_models: Annotated[list[ModelName], Field(min_length=1, max_length=4)] | None = None
    reporter_model: ModelNameOrEmpty | None = None
    # Clients whose language has one kind of number may send 45000.0.
    max_content_length: float = Field(
        default=20_000,
        ge=500,
        le=50_000,
        allow_inf_nan=False,
        description="Content is cut off after so many characters.",
    )
    timeout_ms: float = Field(
        default=120_000,
        ge=30_000,
        le=180_000,
        allow_inf_nan=False,
        description="For each stage; where it is not given, the server's VERIDIC_LLM_TIMEOUT_SECONDS counts.",
    )
    against: CorpusNames | None = Field(
        default=None,
        description="Corpora that checkers are given evidence from, by name; `reference` is the built-in one.",
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
            raise own_sentence(CONTENT_OR_GENERATOR)
        return self


class FactCheckStreamRequest(BaseModel):
    """A run of consensus mode, as its clients ask for it."""

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
        min_length=1, description="What to generate an answer to, or a description of what is checked."
    )
    mode: Literal["fact_check"]
    conversation_id: str | None = Field(
        default=None, max_length=64, description="The conversation to go on with; without it, one is begun."
    )
    mode_config: FactCheckConfig | None = None

    @field_validator("question")
    @classmethod
    def _says_something(cls, question: str) -> str:
        if not question.strip():
            raise own_sentence(QUESTION_REQUIRED)
        return question

    @model_validator(mode="after")
    def _needs_a_config(self) -> Self:
        # Everything in it is optional, but without it there is neither content nor a generator.
        if self.mode_config is None:
            raise own_sentence(CONTENT_OR_GENERATOR)
        return self


class ModelNames(BaseModel):
    """Models by role; what is left out is chosen from what is set up."""

    model_config = ConfigDict(extra="forbid", strict=True)

    generator: ModelName | None = Field(
        default=None, description="Consensus mode: answers the question, if nothing else is given."
    )
    extractor: ModelName | None = Field(default=None, description="Finds the claims.")
    checkers: Annotated[list[ModelName], Field(min_length=1, max_length=4)] | None = Field(
        default=None,
        description="Consensus mode: who judges the claims. Summary and thorough mode: one, who reads the evidence.",
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
        description="`summary`: the one or two statements an article stands for, against one round of evidence. "
        "`thorough`, the default unless USE_THOROUGH_VALIDATION says otherwise: each claim against evidence of its own. "
        "`consensus`: several models check every claim.",
    )
    engine: EngineChoice = Field(
        default=EngineChoice.AUTO,
        description="`auto`: language models where some are set up, else the embedded engine.",
    )
    text: Annotated[str, Field(min_length=1)] | None = None
    url: Annotated[str, Field(min_length=1, max_length=4000)] | None = Field(
        default=None, description="An http or https address."
    )
    question: str | None = Field(
        default=None,
        max_length=20_000,
        description="Consensus mode: what a model answers first, if nothing else is given.",
    )
    title: str | None = Field(default=None, max_length=500)
    models: ModelNames = ModelNames()
    against: CorpusNames = Field(
        default=[],
        description="Corpora by name; without any, the web where a search provider is set up, and the reference library.",
    )
    as_of: date | None = Field(
        default=None,
        description="The day the check is made as of, today by default: nothing later is evidence.",
    )
    max_cost: Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)] | None = Field(
        default=None,
        description="What language models and searches may cost, in US dollars; at most the server's own limit.",
    )
    max_content_length: int = Field(
        default=20_000,
        strict=True,
        ge=500,
        le=50_000,
        description="Consensus mode: content is cut off after so many characters.",
    )
    stage_timeout_ms: int = Field(
        default=120_000,
        strict=True,
        ge=30_000,
        le=180_000,
        description="How long a model may take for its answer; where it is not given, the server's "
        "VERIDIC_LLM_TIMEOUT_SECONDS counts.",
    )


class Upload(NamedTuple):
    """A file as it came in a form."""

    name: str
    content: bytes


def stream_order(request: FactCheckStreamRequest, settings: Settings) -> CheckOrder:
    """The order of a client of consensus mode. Blocks: corpora are looked up."""
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
            checkers=_choice(config.checker_models),
            reporter=config.reporter_model,
        ),
        against=known_corpora(config.against or (), settings),
        max_content_length=round(config.max_content_length),
        stage_timeout_ms=round(config.timeout_ms) if "timeout_ms" in config.model_fields_set else None,
        conversation_id=request.conversation_id or None,
    )


def check_order(request: CheckRequest, upload: Upload | None, settings: Settings) -> CheckOrder:
    """The order for a run of any mode. Blocks: a page is fetched, a file is read, corpora are looked up."""
    mode = request.mode or default_mode(settings)
    _refuse_unclear_subject(request, upload, mode)
    _refuse_unfit_models(request.models, mode)
    _refuse_the_future(request.as_of)
    against = known_corpora(request.against, settings)
    document = _read(request, upload, settings)
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
            checkers=_choice(request.models.checkers),
            reporter=request.models.reporter,
        ),
        against=against,
        as_of=request.as_of,
        max_content_length=request.max_content_length,
        stage_timeout_ms=request.stage_timeout_ms if "stage_timeout_ms" in request.model_fields_set else None,
        max_cost_usd=_within_budget(request.max_cost, settings),
    )


def _within_budget(wanted: float | None, settings: Settings) -> float | None:
    """A client may ask for less than the server's limit and not for more: it is the server that pays."""
    limits = [limit for limit in (wanted, settings.max_cost_usd) if limit is not None]
    return min(limits, default=None)


def known_corpora(names: list[str] | tuple[str, ...], settings: Settings) -> tuple[str, ...]:
    """The names, each once; `UsageError` for what is no corpus, a path above all: files of the server are its own."""
    corpora = Corpora(settings.corpora)
    for name in names:
        if name != REFERENCE and not corpora.exists(name):
            known = ", ".join(sorted({*corpora.names(), REFERENCE}))
            raise UsageError(f"against names corpora, and there is none named {name!r} (known: {known}).")
    return tuple(dict.fromkeys(names))


def default_mode(settings: Settings) -> Mode:
    """Of a check that names none."""
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


def _refuse_the_future(as_of: date | None) -> None:
    today = datetime.now(UTC).date()
    if as_of is not None and as_of > today:
        raise UsageError(f"as_of should be a day that has come: {as_of} is after today, {today}.")


def _read(request: CheckRequest, upload: Upload | None, settings: Settings) -> Document | None:
    if upload is not None:
        return document_from_bytes(upload.content, source=_file_name(upload.name), settings=settings)
    if request.text is not None:
        return _from_text(request.text, settings)
    if request.url is None:
        return None
    # What is no web address would be read as a path of the server's.
    if not request.url.lower().startswith(_WEB):
        raise UsageError("url should be an address that begins with http:// or https://.")
    return read_document(request.url, settings=settings)


def _from_text(text: str, settings: Settings) -> Document:
    if len(text.encode()) > settings.max_document_bytes:
        raise TooLargeError(
            f"The text is larger than {settings.max_document_bytes:,} bytes; VERIDIC_MAX_DOCUMENT_BYTES sets the limit."
        )
    return document_from_text(text, source=_TEXT)


def _file_name(name: str) -> str:
    """The last part of what a browser calls the file, in one line of visible characters."""
    last = PurePosixPath(name.replace("\\", "/")).name
    visible = "".join(character for character in last if character.isprintable()).strip()
    return visible[-_LONGEST_NAME:] if visible not in ("", "-", ".", "..") else _UPLOAD


def _choice(names: list[str] | None) -> tuple[str, ...] | None:
    return tuple(names) if names else None
