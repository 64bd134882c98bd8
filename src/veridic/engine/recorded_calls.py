"""Makes every call of a language model and every search a step of the run, so that none is paid twice."""

import json
from functools import partial

from veridic.domain.base import Frozen
from veridic.domain.digests import content_digest
from veridic.domain.usage import Expense
from veridic.engine.steps import Steps
from veridic.providers.llm.base import LanguageModels, Prompt
from veridic.providers.search.base import SearchAnswer, SearchProvider, SearchQuery, search_price


class RecordedModels:
    """`LanguageModels` whose answers are steps, named by stage, model and prompt."""

    def __init__(self, models: LanguageModels, steps: Steps) -> None:
        self._models = models
        self._steps = steps

    def require(self, model: str) -> None:
        """See `LanguageModels.require`."""
        self._models.require(model)

    async def expense(self, model: str, prompt: Prompt, *, stage: str) -> Expense:
        """See `LanguageModels.expense`."""
        return await self._models.expense(model, prompt, stage=stage)

    async def complete(self, model: str, prompt: Prompt, *, stage: str, timeout_seconds: float) -> str:
        """See `LanguageModels.complete`."""
        call = partial(self._models.complete, model, prompt, stage=stage, timeout_seconds=timeout_seconds)
        expense = await self._models.expense(model, prompt, stage=stage)
        return await self._steps.run(
            f"model/{stage}/{model}/{_value_digest(prompt)}", call, str, expense=expense
        )


class RecordedSearch:
    """A search provider whose answers are steps, named by provider, channel and query."""

    def __init__(self, provider: SearchProvider, steps: Steps) -> None:
        self._provider = provider
        self._steps = steps

    @property
    def name(self) -> str:
        """See `SearchProvider.name`."""
        return self._provider.name

    async def search(self, query: SearchQuery) -> SearchAnswer:
        """See `SearchProvider.search`."""
        return await self._steps.run(
            f"search/{self.name}/{query.channel}/{_value_digest(query)}",
            partial(self._provider.search, query),
            SearchAnswer,
            expense=Expense(provider=self.name, search_cost_usd=search_price(self.name)),
        )


def _value_digest(value: Frozen) -> str:
    return content_digest(json.dumps(value.model_dump(mode="json")))
