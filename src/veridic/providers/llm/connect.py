"""Connects the language models that the settings configure."""

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
    """Return the models of one run, which record their calls in `meter`.

    Cheap: connections and limits are shared by the process, and nothing is imported or opened before the first call.
    """

    async def backend_of(model: str) -> Backend:
        service = service_for(model, settings)
        if _CLIENT not in sys.modules:  # Takes a second or two; don't block the event loop.
            await asyncio.to_thread(import_module, _CLIENT)
        return _backend(service, settings.llm_max_concurrency)

    return MeteredModels(backend_of, meter, require=lambda model: service_for(model, settings))


@cache
def _backend(service: Service, max_concurrency: int) -> Backend:
    from veridic.providers.llm.openai_compatible import PydanticBackend

    return PydanticBackend(service, max_concurrency)
