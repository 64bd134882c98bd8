"""Chooses a model for each role of a consensus run: as ordered, else the default of the settings."""

from collections.abc import Callable
from datetime import date

from veridic.config.settings import Settings
from veridic.consensus import embedded_roles
from veridic.consensus.model_roles import ModelChecker, ModelExtractor, ModelGenerator, ModelReporter
from veridic.consensus.roles import Cast, Checker, Extractor, Generator, Reporter
from veridic.domain.errors import UnknownModelError, UsageError
from veridic.domain.modes import EngineChoice
from veridic.engine.judges import embedded_judge, sentence_vectors, source_judge
from veridic.engine.order import CheckOrder, stage_seconds
from veridic.judging.base import Judge
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.roles import (
    EMBEDDED,
    EMBEDDED_EXTRACTOR,
    EMBEDDED_REPORTER,
    EMBEDDED_VERIFIER,
    RoleModels,
    default_models,
)

NEITHER_CONTENT_NOR_GENERATOR = "Either contentToCheck or generatorModel must be provided."
_JUDGES: dict[str, Callable[[], Judge]] = {EMBEDDED_VERIFIER: embedded_judge}
_READING_SHARE = 0.9
"""The share of a stage's time that a checker may read for; the rest is for returning its result."""
_GRACE_SECONDS = 5.0
"""The run itself ends a stage on time; the client's timeout is a little longer and only cleans up."""


class Casting:
    """Chooses models for one order."""

    def __init__(self, order: CheckOrder, settings: Settings, models: LanguageModels, *, as_of: date) -> None:
        self._order = order
        self._settings = settings
        self._models = models
        self._as_of = as_of
        self._seconds = stage_seconds(order, settings)
        self._timeout = self._seconds + _GRACE_SECONDS
        self._source_judge = source_judge()
        """Shared by all checkers, so that a source several of them cite is read once."""

    def cast(self) -> Cast:
        """Return the cast; raises `UsageError` if a named model can't fill its role."""
        names = chosen_cast(self._order, self._settings)
        if self._order.document is None and names.generator is None:
            raise UsageError(NEITHER_CONTENT_NOR_GENERATOR)
        answers = names.generator if self._order.document is None else None
        return Cast(
            generator=self._generator(answers) if answers else None,
            extractor=self._extractor(names.extractor),
            checkers=tuple(map(self._checker, names.checkers)),
            reporter=self._reporter(names.reporter),
        )

    def _generator(self, model: str) -> Generator:
        self._require_usable(model, "generator")
        return ModelGenerator(model, self._models, self._timeout)

    def _extractor(self, model: str) -> Extractor:
        if model == EMBEDDED_EXTRACTOR:
            return embedded_roles.EmbeddedExtractor(sentence_vectors)
        self._require_usable(model, "extractor")
        return ModelExtractor(model, self._models, self._timeout)

    def _checker(self, model: str) -> Checker:
        if model in _JUDGES:
            return embedded_roles.EmbeddedChecker(
                model,
                _JUDGES[model],
                self._settings,
                as_of=self._as_of,
                threshold=self._order.threshold,
                seconds=self._seconds * _READING_SHARE,
            )
        self._require_usable(model, "checker")
        return ModelChecker(
            model,
            self._models,
            self._timeout,
            judge=self._source_judge,
            as_of=self._as_of,
            seconds=self._seconds * _READING_SHARE,
        )

    def _reporter(self, model: str) -> Reporter:
        if model == EMBEDDED_REPORTER:
            return embedded_roles.EmbeddedReporter()
        self._require_usable(model, "reporter")
        return ModelReporter(model, self._models, self._timeout)

    def _require_usable(self, model: str, role: str) -> None:
        if model.startswith("embedded/"):
            known = ", ".join((EMBEDDED_EXTRACTOR, *_JUDGES, EMBEDDED_REPORTER))
            raise UsageError(f"{model} can't be the {role}; the embedded engine has {known}.")
        if self._order.engine is EngineChoice.EMBEDDED:
            raise UsageError(
                f"{model} can't be the {role} of a run on the embedded engine; leave --engine out."
            )
        try:
            self._models.require(model)
        except UnknownModelError as error:
            raise UsageError(str(error)) from None


def chosen_cast(order: CheckOrder, settings: Settings) -> RoleModels:
    """Return the model of each role, by name."""
    wanted = order.models
    if order.engine is EngineChoice.EMBEDDED:
        return RoleModels(
            extractor=wanted.extractor or EMBEDDED.extractor,
            checkers=wanted.checkers or EMBEDDED.checkers,
            reporter=wanted.reporter or EMBEDDED.reporter,
            generator=wanted.generator,
        )
    return default_models(
        settings,
        extractor=wanted.extractor,
        checkers=wanted.checkers,
        reporter=wanted.reporter,
        generator=wanted.generator,
    )
