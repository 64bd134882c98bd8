"""Says what a check will ask before it starts: which models and searches, against which sources, at what likely cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from veridic.check.choose_readers import chosen_models
from veridic.check.estimate import estimate
from veridic.config.settings import Settings
from veridic.domain.errors import UsageError
from veridic.domain.modes import EngineChoice, Mode
from veridic.domain.usage import CostEstimate
from veridic.engine.order import CheckOrder
from veridic.evidence.corpus import REFERENCE
from veridic.providers.llm.roles import EMBEDDED, default_models
from veridic.reporting.wording import count
from veridic.web.forms import web_searches

_EMBEDDED = "embedded/"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a check will ask, in two sentences."""

    what: str
    cost: str
    stays_here: bool
    """Nothing is sent to another machine, so it costs nothing."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """What this server can ask besides its embedded engine."""

    models: bool
    searches: tuple[str, ...]

    @property
    def banner(self) -> str:
        """What it means that something is missing; empty if nothing is."""
        if self.models and self.searches:
            return ""
        if self.models:
            return (
                "No web search is set up: claims are checked against the built-in library of countries and your own "
                "sources. What neither says stays open."
            )
        if self.searches:
            return (
                "No language model is set up: the embedded engine reads what the searches find. It is free and careful, "
                "and leaves more claims open than a model would."
            )
        return (
            "No web search and no language model are set up: claims are checked on this server, against the built-in "
            "library of countries and your own sources. What neither says stays open."
        )

    @property
    def advice(self) -> str:
        """Which settings would change that."""
        searches = "EXA_API_KEY or VERIDIC_SEARCH=wikipedia (free) for searches"
        models = "OPENROUTER_API_KEY or VERIDIC_LLM_BASE_URL (a server of your own) for models"
        missing = [*([] if self.searches else [searches]), *([] if self.models else [models])]
        return f"To change that, whoever runs this server sets {', and '.join(missing)}." if missing else ""


def set_up(settings: Settings) -> SetUp:
    keys = (settings.openrouter_api_key, settings.openai_api_key, settings.anthropic_api_key)
    return SetUp(bool(settings.llm_base_url) or any(keys), web_searches(settings).names)


def what_is_asked(order: CheckOrder, settings: Settings) -> Asked:
    """Say what an order will ask; what it costs only if it has a document. Raises `UsageError` if it can't be run."""
    models = _models(order, settings)
    asked = list(dict.fromkeys(model for model in models if not model.startswith(_EMBEDDED)))
    web = () if order.against else web_searches(settings).names
    likely = estimate(order, settings) if order.document is not None else None
    by = _listed(asked) if asked else "the embedded engine"
    if asked and len(asked) < len(set(models)):
        by = f"{by} and the embedded engine"
    return Asked(
        what=f"{order.mode.value.capitalize()} check by {by}, {_against(order, web)}.",
        cost=_cost(likely, stays_here=not (asked or web)),
        stays_here=not (asked or web),
    )


def asked_or_problem(order: CheckOrder, settings: Settings) -> Asked:
    """Return `what_is_asked`, or the sentence on why the order can't be run."""
    try:
        return what_is_asked(order, settings)
    except UsageError as error:
        return Asked(str(error), "", stays_here=True)


def _models(order: CheckOrder, settings: Settings) -> Sequence[str]:
    if order.mode is not Mode.CONSENSUS:
        return chosen_models(order, settings)
    wanted = order.models
    chosen = (
        EMBEDDED
        if order.engine is EngineChoice.EMBEDDED
        else default_models(
            settings,
            extractor=wanted.extractor,
            checkers=wanted.checkers,
            reporter=wanted.reporter,
            generator=wanted.generator,
        )
    )
    answers = (chosen.generator,) if chosen.generator and order.document is None and order.question else ()
    return [*answers, chosen.extractor, *chosen.checkers, chosen.reporter]


def _against(order: CheckOrder, web: Sequence[str]) -> str:
    if order.against:
        names = ["the built-in library" if name == REFERENCE else name for name in order.against]
        return f"against {_listed(names)}"
    if web:
        return f"against the web ({', '.join(web)}) and the built-in library"
    if order.mode is Mode.CONSENSUS:
        return "with no sources, from what the checkers know"
    return "against the built-in library"


def _cost(likely: CostEstimate | None, *, stays_here: bool) -> str:
    claims = f"{count(likely.claims, 'claim')}: " if likely else ""
    if stays_here:
        return f"{claims}free, and nothing leaves this server.".capitalize()
    if likely is None:
        return "What it costs depends on the text."
    asked = [
        count(likely.calls, "call") + " of models" if likely.calls else "",
        count(likely.searches, "search", "searches") if likely.searches else "",
    ]
    details = f"{count(likely.claims, 'claim')}, {' and '.join(filter(None, asked))}"
    if likely.unpriced_models:
        return f"Likely ${likely.cost_usd:.4f} and the unknown cost of {_listed(likely.unpriced_models)}: {details}."
    return f"{'Free' if likely.is_free else f'Likely ${likely.cost_usd:.4f}'}: {details}."


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
