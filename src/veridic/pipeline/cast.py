"""Who plays which part in a consensus run: the order's wishes, else the defaults of what is set up."""

from collections.abc import Callable
from datetime import date

from veridic.config.settings import Settings
from veridic.domain.errors import UnknownModelError, UsageError
from veridic.domain.modes import EngineChoice
from veridic.judging.base import Judge
from veridic.pipeline import embedded_roles as embedded
from veridic.pipeline.judges import embedded_judge, sentence_vectors, source_judge
from veridic.pipeline.limits import stage_seconds
from veridic.pipeline.model_roles import ModelChecker, ModelExtractor, ModelGenerator, ModelReporter
from veridic.pipeline.orders import CheckOrder
from veridic.pipeline.roles import Cast, Checker, Extractor, Generator, Reporter
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.roles import EMBEDDED, RoleModels, default_models

NEITHER_CONTENT_NOR_GENERATOR = "Either contentToCheck or generatorModel must be provided."
_JUDGES: dict[str, Callable[[], Judge]] = {embedded.VERIFIER: embedded_judge}
_OF_THE_STAGE = 0.9
"""How much of a stage's time a checker may read; the rest is for handing in what it has."""
_GRACE_SECONDS = 5.0
"""The run's own clock ends a stage; a client's only cleans up after it."""


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
        """One for all checkers: what several of them cite is read once."""

    def cast(self) -> Cast:
        """`UsageError` where a part can't be played by the model that is named for it."""
        names = self._names()
        if self._order.document is None and names.generator is None:
            raise UsageError(NEITHER_CONTENT_NOR_GENERATOR)
        answers = names.generator if self._order.document is None else None
        return Cast(
            generator=self._generator(answers) if answers else None,
            extractor=self._extractor(names.extractor),
            checkers=tuple(map(self._checker, names.checkers)),
            reporter=self._reporter(names.reporter),
        )

    def _names(self) -> RoleModels:
        wanted = self._order.models
        if self._order.engine is EngineChoice.EMBEDDED:
            return RoleModels(
                extractor=wanted.extractor or EMBEDDED.extractor,
                checkers=wanted.checkers or EMBEDDED.checkers,
                reporter=wanted.reporter or EMBEDDED.reporter,
                generator=wanted.generator,
            )
        return default_models(
            self._settings,
            extractor=wanted.extractor,
            checkers=wanted.checkers,
            reporter=wanted.reporter,
            generator=wanted.generator,
        )

    def _generator(self, model: str) -> Generator:
        self._refuse_unfit(model, "generator")
        return ModelGenerator(model, self._models, self._timeout)

    def _extractor(self, model: str) -> Extractor:
        if model == embedded.EXTRACTOR:
            return embedded.EmbeddedExtractor(sentence_vectors)
        self._refuse_unfit(model, "extractor")
        return ModelExtractor(model, self._models, self._timeout)

    def _checker(self, model: str) -> Checker:
        if model in _JUDGES:
            return embedded.EmbeddedChecker(
                model,
                _JUDGES[model],
                self._settings,
                as_of=self._as_of,
                threshold=self._order.threshold,
                seconds=self._seconds * _OF_THE_STAGE,
            )
        self._refuse_unfit(model, "checker")
        return ModelChecker(
            model,
            self._models,
            self._timeout,
            judge=self._source_judge,
            as_of=self._as_of,
            seconds=self._seconds * _OF_THE_STAGE,
        )

    def _reporter(self, model: str) -> Reporter:
        if model == embedded.REPORTER:
            return embedded.EmbeddedReporter()
        self._refuse_unfit(model, "reporter")
        return ModelReporter(model, self._models, self._timeout)

    def _refuse_unfit(self, model: str, role: str) -> None:
        if model.startswith("embedded/"):
            known = ", ".join((embedded.EXTRACTOR, *_JUDGES, embedded.REPORTER))
            raise UsageError(f"{model} can't be the {role}; the embedded engine has {known}.")
        if self._order.engine is EngineChoice.EMBEDDED:
            raise UsageError(
                f"{model} can't be the {role} of a run on the embedded engine; leave --engine out."
            )
        try:
            self._models.require(model)
        except UnknownModelError as error:
            raise UsageError(str(error)) from None
