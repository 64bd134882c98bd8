"""The language models that the settings make available."""

from functools import cache

from veridic.config.settings import Settings
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.calling import Backend, MeteredModels
from veridic.providers.llm.meter import Meter
from veridic.providers.llm.services import Service, service_for


def connect_models(settings: Settings, meter: Meter) -> LanguageModels:
    """The models of one run, entered in its meter.

    Cheap: connections and limits are the process's, and nothing is imported or opened before the first call.
    """

    def backend_of(model: str) -> Backend:
        return _backend(service_for(model, settings), settings.llm_max_concurrency)

    return MeteredModels(backend_of, meter)


@cache
def _backend(service: Service, max_concurrency: int) -> Backend:
    from veridic.providers.llm.openai_compatible import PydanticBackend

    return PydanticBackend(service, max_concurrency)
