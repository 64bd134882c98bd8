"""Chooses the lister and the reader of a run: as ordered, else the best that is set up."""

from collections.abc import Callable
from datetime import date

from veridic.check.model_reader import ModelReader
from veridic.config.settings import Settings
from veridic.domain.dates import PartialDate
from veridic.domain.document import Document
from veridic.domain.errors import UnknownModelError, UsageError
from veridic.domain.modes import EngineChoice
from veridic.engine.content import claim_date
from veridic.engine.embedded_reader import EmbeddedLister, EmbeddedReader, ReaderOptions
from veridic.engine.judges import embedded_judge, proofreader, sentence_vectors, source_judge
from veridic.engine.order import CheckOrder, stage_seconds
from veridic.engine.readers import Lister, Reader
from veridic.judging.base import Judge
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.roles import (
    EMBEDDED_EXTRACTOR,
    EMBEDDED_VERIFIER,
    ValidationModels,
    validation_models,
)

_JUDGES: dict[str, Callable[[], Judge]] = {EMBEDDED_VERIFIER: embedded_judge}


class ReaderChoice:
    """Chooses lister and reader for one order of summary or thorough mode; raises `UsageError` if it can't be met."""

    def __init__(self, order: CheckOrder, settings: Settings, models: LanguageModels, *, as_of: date) -> None:
        self._order = order
        self._settings = settings
        self._models = models
        self._as_of = as_of
        self._names = chosen_models(order, settings)
        for role, name in self._names._asdict().items():
            self._require_usable(role, name)

    @property
    def asks_models(self) -> bool:
        return not all(map(_is_embedded, self._names))

    @property
    def uses_embedded_engine(self) -> bool:
        """Whether the evidence is read on this machine."""
        return _is_embedded(self._names.validator)

    @property
    def engine(self) -> str:
        return (EngineChoice.EMBEDDED if self.uses_embedded_engine else EngineChoice.LLM).value

    @property
    def models(self) -> dict[str, str]:
        """The language models of the two, by role."""
        return {role: name for role, name in self._names._asdict().items() if not _is_embedded(name)}

    def lister(self, *, searches_web: bool) -> Lister:
        """Return the lister. A model writes queries only if `searches_web`."""
        if _is_embedded(self._names.extractor):
            return EmbeddedLister(sentence_vectors)
        return self._model_reader(writes_queries=searches_web)

    def reader(self, document: Document) -> Reader:
        made_on = claim_date(document, self._as_of)
        if not _is_embedded(self._names.validator):
            return self._model_reader(made_on, document.published)
        options = ReaderOptions(
            as_of=self._as_of,
            claim_date=made_on,
            threshold=self._order.threshold,
            passages=self._settings.passages_per_claim,
        )
        return EmbeddedReader(_JUDGES[self._names.validator](), options)

    def _model_reader(
        self,
        made_on: date | None = None,
        published: PartialDate | None = None,
        *,
        writes_queries: bool = True,
    ) -> ModelReader:
        return ModelReader(
            self._models,
            extractor=self._names.extractor,
            validator=self._names.validator,
            settings=self._settings,
            proofreader=proofreader(),
            judge=source_judge(),
            as_of=self._as_of,
            timeout_seconds=stage_seconds(self._order, self._settings),
            claim_date=made_on,
            published=published,
            writes_queries=writes_queries,
        )

    def _require_usable(self, role: str, model: str) -> None:
        if _is_embedded(model):
            known = (EMBEDDED_EXTRACTOR,) if role == "extractor" else tuple(_JUDGES)
            if model not in known:
                raise UsageError(f"{model} can't be the {role}; the embedded engine has {', '.join(known)}.")
            return
        if self._order.engine is EngineChoice.EMBEDDED:
            raise UsageError(
                f"{model} can't be the {role} of a run on the embedded engine; leave --engine out."
            )
        try:
            self._models.require(model)
        except UnknownModelError as error:
            raise UsageError(str(error)) from None


def chosen_models(order: CheckOrder, settings: Settings) -> ValidationModels:
    """Return the names of both models."""
    wanted = order.models
    if wanted.generator or wanted.reporter or len(wanted.checkers or ()) > 1:
        raise UsageError(
            f"In {order.mode} mode one model lists the claims (--extractor) and one reads the evidence (--checker);"
            " for more, add --mode consensus."
        )
    validator = wanted.checkers[0] if wanted.checkers else None
    if order.engine is EngineChoice.EMBEDDED:
        return ValidationModels(wanted.extractor or EMBEDDED_EXTRACTOR, validator or EMBEDDED_VERIFIER)
    chosen = validation_models(settings, extractor=wanted.extractor, validator=validator)
    if order.engine is EngineChoice.LLM and _is_embedded(chosen.validator):
        raise UsageError(
            "No language model is set up: give OPENROUTER_API_KEY, or VERIDIC_LLM_BASE_URL and VERIDIC_LLM_MODEL."
        )
    return chosen


def _is_embedded(model: str) -> bool:
    return model.startswith("embedded/")
