"""What a run needs of the process that does it, and what a process lacks for it."""

import json
from pathlib import Path

from veridic.config.settings import Settings
from veridic.domain.base import Frozen
from veridic.domain.errors import UnknownModelError, UsageError
from veridic.engine.order import CheckOrder, ModelChoice
from veridic.evidence.corpus import REFERENCE, Corpora
from veridic.providers.llm.base import LanguageModels
from veridic.providers.search.connect import connect_search


class Needs(Frozen):
    """What a run needs besides the embedded engine."""

    models: tuple[str, ...] = ()
    """Language models, by name."""
    has_own_server: bool = False
    """Whether a server that `VERIDIC_LLM_BASE_URL` names serves them; such a server has models of its own under any name."""
    search: tuple[str, ...] = ()
    """Search providers."""
    sources: tuple[str, ...] = ()
    """Corpora by name, and absolute paths."""

    def as_saved(self) -> str | None:
        """Return canonical JSON, so that equal needs are equal in the database; None if nothing is needed."""
        return None if self == Needs() else json.dumps(self.model_dump(mode="json"), sort_keys=True)


def needs_of(order: CheckOrder, settings: Settings) -> Needs:
    """Return what a resolved order needs, which was resolved with these settings."""
    models = tuple(sorted({name for name in named_models(order.models) if not is_embedded(name)}))
    return Needs(
        models=models,
        has_own_server=bool(models and settings.llm_base_url),
        search=tuple(sorted(order.search or ())),
        sources=tuple(sorted(_place(target, order, settings) for target in order.against)),
    )


def lacking(needs: Needs, settings: Settings, models: LanguageModels) -> str | None:
    """Return what is missing here, as the end of a sentence with "because"; None if the run can be done. Blocks.

    A path is named by its last part only: the sentence is shown to clients.
    """
    for model in needs.models:
        if needs.has_own_server and not settings.llm_base_url:
            return f"{model} is on a server of your own: set VERIDIC_LLM_BASE_URL"
        if settings.llm_base_url and not needs.has_own_server:
            return f"VERIDIC_LLM_BASE_URL takes the place of the provider that has {model}: unset it"
        try:
            models.require(model)
        except UnknownModelError as error:
            return _as_reason(error)
    if needs.search:
        try:
            connect_search(settings.model_copy(update={"search": needs.search}))
        except UsageError as error:
            return _as_reason(error).replace("VERIDIC_SEARCH names", "it searches with")
    missing = (_missing_source(source, settings) for source in needs.sources)
    return next((f"{source} is not on its machine" for source in missing if source), None)


def read_needs(saved: str) -> Needs:
    return Needs.model_validate_json(saved)


def named_models(models: ModelChoice) -> list[str]:
    """Return the models of all roles that have one."""
    named = (models.generator, models.extractor, *(models.checkers or ()), models.reporter)
    return [name for name in named if name]


def is_embedded(model: str) -> bool:
    return model.startswith("embedded/")


def _place(target: str, order: CheckOrder, settings: Settings) -> str:
    if target == REFERENCE or Corpora(settings.corpora).exists(target):
        return target
    return str(Path(order.folder or Path.cwd(), target))


def _missing_source(source: str, settings: Settings) -> str | None:
    """Return how a missing source is named."""
    if Path(source).is_absolute():
        return None if Path(source).exists() else f"“{Path(source).name}”, which it is checked against,"
    if source == REFERENCE or Corpora(settings.corpora).exists(source):
        return None
    return f"the corpus “{source}”"


def _as_reason(error: UsageError | UnknownModelError) -> str:
    sentence = str(error).rstrip(".")
    return sentence[:1].lower() + sentence[1:] if sentence.startswith("No ") else sentence
