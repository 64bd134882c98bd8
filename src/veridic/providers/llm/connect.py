"""The language models that the settings make available."""

import asyncio
import sys
from functools import cache
from importlib import import_module

from veridic.config.settings import Settings
from veridic.providers.llm.base import LanguageModels
from veridic.providers.llm.calling import Backend, MeteredModels
from veridic.providers.llm.meter import Meter
from veridic.providers.llm.services import Service, service_for

_CLIENT = "veridic.providers.llm.openai_compatible"


def connect_models(settings: Settings, meter: Meter) -> LanguageModels:
    """The models of one run, entered in its meter.

    Cheap: connections and limits are the process's, and nothing is imported or opened before the first call.
    """

    async def backend_of(model: str) -> Backend:
        service = service_for(model, settings)
        if _CLIENT not in sys.modules:  # A second or two that a server's other work does not wait for.
            await asyncio.to_thread(import_module, _CLIENT)
        return _backend(service, settings.llm_max_concurrency)

    return MeteredModels(backend_of, meter, require=lambda model: service_for(model, settings))


@cache
def _backend(service: Service, max_concurrency: int) -> Backend:
    from veridic.providers.llm.openai_compatible import PydanticBackend

    return PydanticBackend(service, max_concurrency)
