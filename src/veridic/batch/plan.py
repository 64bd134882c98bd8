"""How each article of a batch is checked, and which ones get a second, thorough look."""

from collections.abc import Iterable
from datetime import UTC, date, datetime

from veridic.check.choose_readers import ReaderChoice
from veridic.config.settings import HIGH_RISK, Settings
from veridic.consensus.cast import Casting
from veridic.domain.base import Frozen
from veridic.domain.claim import Risk
from veridic.domain.document import Document
from veridic.domain.errors import UsageError
from veridic.domain.modes import EngineChoice, FirstLook, Mode
from veridic.domain.report import Report
from veridic.domain.verdicts import Scale, Verdict, say
from veridic.engine.costs import NOT_COMPLETED
from veridic.engine.order import CheckOrder, ModelChoice
from veridic.providers.llm.connect import connect_models
from veridic.providers.llm.meter import Meter

NOT_COMPLETE = "INCOMPLETE"
"""Why an article is flagged whose first look could not be completed."""


class BatchPlan(Frozen):
    """What is the same for all articles of a batch."""

    mode: Mode = Mode.THOROUGH
    engine: EngineChoice = EngineChoice.AUTO
    models: ModelChoice = ModelChoice()
    against: tuple[str, ...] = ()
    as_of: date | None = None
    triage: FirstLook | None = None
    folder: str = ""
    """The folder that relative paths start from."""
    max_cost_usd: float | None = None
    """The most that the whole batch may cost; it may be changed later."""

    def order(self, document: Document, max_cost_usd: float | None = None) -> CheckOrder:
        """Return the order for an article, for its second look if there is triage."""
        return CheckOrder(
            mode=self.mode,
            engine=self.engine,
            models=self.models,
            against=self.against,
            as_of=self.as_of,
            document=document,
            max_cost_usd=max_cost_usd,
        )

    def first_order(self, document: Document, max_cost_usd: float | None = None) -> CheckOrder:
        """Return the order for an article that nobody has looked at."""
        order = self.order(document, max_cost_usd)
        match self.triage:
            case FirstLook.SUMMARY:
                return order.model_copy(update={"mode": Mode.SUMMARY})
            case FirstLook.EMBEDDED:
                first = {
                    "mode": Mode.THOROUGH,
                    "engine": EngineChoice.EMBEDDED,
                    "models": ModelChoice(),
                }
                return order.model_copy(update=first)
            case None:
                return order

    def uses_embedded_engine(self, settings: Settings) -> bool:
        """Return whether the first order of each article is the work of this machine's processors.

        Raises `UsageError` for a plan that can't be carried out, before anything is begun.
        """
        if self.triage is not None and self.mode is Mode.SUMMARY:
            raise UsageError("Triage looks at flagged articles thoroughly, so leave --mode summary out.")
        if self.triage is FirstLook.SUMMARY and self.mode is Mode.CONSENSUS:
            raise UsageError(
                "The cast of consensus mode can't make a summary; use --triage embedded with --mode consensus."
            )
        sample = Document(text="-", source="-")
        own = [_is_embedded(order, settings) for order in (self.first_order(sample), self.order(sample))]
        return own[0]


def flags_of(report: Report, rule: Iterable[str]) -> tuple[str, ...]:
    """Return which words of the rule (`VERIDIC_BATCH_FLAGS`) hold of a first look; with any, the article is checked thoroughly.

    What could not be looked at completely is flagged too.
    """
    verdicts = {report.verdict, *(decision.verdict for decision in report.decisions)}
    words = {word for verdict in verdicts for word in (verdict.value, say(verdict, Scale.VALIDATION))}
    if any(decision.claim.risk is Risk.HIGH for decision in report.decisions):
        words.add(HIGH_RISK)
    flags = tuple(word for word in rule if word in words)
    is_complete = all(failure.stage not in NOT_COMPLETED for failure in report.errors)
    return flags if is_complete else (*flags, NOT_COMPLETE)


def verdicts_of(report: Report) -> set[Verdict]:
    """Return the verdicts that `--fail-on` looks at: of the claims, and in summary mode a model's on the article."""
    verdicts = {decision.verdict for decision in report.decisions}
    return verdicts | {report.verdict} if report.by_claims is not None else verdicts


def _is_embedded(order: CheckOrder, settings: Settings) -> bool:
    models = connect_models(settings, Meter())
    today = order.as_of or datetime.now(UTC).date()
    if order.mode is Mode.CONSENSUS:
        Casting(order, settings, models, as_of=today).cast()
        return False
    return not ReaderChoice(order, settings, models, as_of=today).asks_models
