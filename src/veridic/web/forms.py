"""The form of the start page: reading it, finding mistakes, and turning it into a request."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum

from pydantic import ValidationError

from veridic.api.requests import CheckRequest, ModelNames, Upload, default_mode
from veridic.config.settings import Settings
from veridic.domain.errors import ConflictError, InputError, ProviderError, UsageError, VeridicError
from veridic.domain.modes import EngineChoice, Mode
from veridic.engine.order import CheckOrder, ModelChoice
from veridic.evidence.corpus import REFERENCE, Corpora
from veridic.providers.llm.roles import RoleModels
from veridic.providers.search.connect import connect_search
from veridic.reporting.wording import count
from veridic.web.example_article import EXAMPLE

MAX_CHECKERS = 4
MOST_PASTED = 1_000_000
"""Characters of a pasted text: a browser lays out more only slowly, and a file has no such limit."""
_MAX_MODEL_NAME = 200


class InputKind(StrEnum):
    """How the content to check is given."""

    TEXT = "text"
    FILE = "file"
    URL = "url"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class OrderForm:
    """The fields of the start page, as typed."""

    given: InputKind = InputKind.TEXT
    text: str = ""
    url: str = ""
    question: str = ""
    mode: Mode = Mode.THOROUGH
    engine: EngineChoice = EngineChoice.AUTO
    lister: str = ""
    """Summary and thorough mode: the model that finds the claims."""
    validator: str = ""
    """Summary and thorough mode: the model that reads the evidence."""
    generator: str = ""
    extractor: str = ""
    checkers: tuple[str, ...] = ("",) * MAX_CHECKERS
    reporter: str = ""
    against: tuple[str, ...] = (REFERENCE,)
    as_of: str = ""
    max_cost: str = ""
    new_set: str = ""
    """The name of the set that files sent with the form go to."""
    mistakes: Mapping[str, str] = field(default_factory=dict)
    """By field: one sentence on what is wrong. The key `form` is for errors that concern no field."""

    @property
    def effective_mode(self) -> Mode:
        """The chosen mode; consensus for a question, because a model has to answer it."""
        return Mode.CONSENSUS if self.given is InputKind.QUESTION else self.mode

    @property
    def mistakes_in_settings(self) -> bool:
        return not set(self.mistakes) <= {"form", "text", "file", "url", "question", "against", "new_set"}

    @property
    def settings_in_words(self) -> str:
        """What is chosen under the settings, for when they are folded away."""
        chosen = [f"{self.effective_mode.value.capitalize()} mode"]
        chosen += [f"as of {self.as_of}"] if _day(self.as_of) else []
        chosen += [f"at most {self.max_cost} USD"] if _amount(self.max_cost) is not None else []
        return ", ".join(chosen)


def blank_form(settings: Settings, against: Sequence[str] = ()) -> OrderForm:
    """Return the initial form. Nothing is ticked if the web can be searched: only what is ticked is searched."""
    reference = () if web_searches(settings).names else (REFERENCE,)
    return OrderForm(mode=default_mode(settings), against=tuple(against) or reference)


def example_form() -> OrderForm:
    """Return the form for the example: free and on this server, whatever is set up."""
    return OrderForm(text=EXAMPLE, engine=EngineChoice.EMBEDDED)


def read_form(fields: Mapping[str, Sequence[str]]) -> OrderForm:
    """Parse the form fields; values that no browser would send fall back to the defaults."""

    def first(name: str) -> str:
        return next(iter(fields.get(name, ())), "").strip()

    checkers = [name.strip() for name in fields.get("checker", ())][:MAX_CHECKERS]
    return OrderForm(
        given=InputKind(first("given")) if first("given") in list(InputKind) else InputKind.TEXT,
        text=next(iter(fields.get("text", ())), ""),
        url=first("url"),
        question=first("question"),
        mode=Mode(first("mode")) if first("mode") in list(Mode) else Mode.THOROUGH,
        engine=EngineChoice(first("engine")) if first("engine") in list(EngineChoice) else EngineChoice.AUTO,
        lister=first("lister"),
        validator=first("validator"),
        generator=first("generator"),
        extractor=first("extractor"),
        checkers=(*checkers, *([""] * (MAX_CHECKERS - len(checkers)))),
        reporter=first("reporter"),
        against=tuple(dict.fromkeys(fields.get("against", ()))),
        as_of=first("as_of"),
        max_cost=first("max_cost"),
        new_set=first("new_set"),
    )


def find_mistakes(form: OrderForm, upload: Upload | None, default: RoleModels | None) -> dict[str, str]:
    """Return missing and invalid fields, each with a sentence, before anything is read or fetched."""
    mistakes: dict[str, str] = {}
    if form.given is InputKind.TEXT and not form.text.strip():
        mistakes["text"] = "Paste the text that is to be checked."
    elif form.given is InputKind.TEXT and len(form.text) > MOST_PASTED:
        mistakes["text"] = (
            f"The text has {len(form.text):,} characters, and at most {MOST_PASTED:,} can be pasted: send it as a file."
        )
    elif form.given is InputKind.FILE and upload is None:
        mistakes["file"] = "Choose the file that is to be checked."
    elif form.given is InputKind.URL and not form.url.lower().startswith(("http://", "https://")):
        mistakes["url"] = "Give an address that begins with http:// or https://."
    elif form.given is InputKind.QUESTION and not form.question:
        mistakes["question"] = "Ask the question whose answer is to be checked."
    if form.given is InputKind.QUESTION and not (form.generator or (default and default.generator)):
        mistakes["generator"] = "Name the model that answers the question."
    for name, model in _models(form).items():
        if len(model) > _MAX_MODEL_NAME:
            mistakes[name] = f"A model's name has at most {_MAX_MODEL_NAME} characters."
    return mistakes | _limit_mistakes(form)


def _limit_mistakes(form: OrderForm) -> dict[str, str]:
    mistakes: dict[str, str] = {}
    today = datetime.now(UTC).date()
    day = _day(form.as_of)
    if form.as_of and day is None:
        mistakes["as_of"] = "Give a date such as 2025-01-21."
    elif day is not None and day > today:
        mistakes["as_of"] = f"The date can't be in the future; today is {today}."
    if form.max_cost and _amount(form.max_cost) is None:
        mistakes["max_cost"] = "Give an amount in US dollars, such as 0.50."
    return mistakes


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _amount(text: str) -> float | None:
    try:
        amount = float(text.replace(",", "."))
    except ValueError:
        return None
    return amount if math.isfinite(amount) and amount >= 0 else None


def to_request(form: OrderForm) -> CheckRequest:
    """Convert the form to an API request; raises `ValueError` if the API would refuse it."""
    return CheckRequest(
        mode=form.effective_mode,
        engine=EngineChoice.AUTO if form.effective_mode is Mode.CONSENSUS else form.engine,
        text=form.text if form.given is InputKind.TEXT else None,
        url=form.url if form.given is InputKind.URL else None,
        question=form.question if form.given is InputKind.QUESTION else None,
        models=_model_names(form),
        against=list(form.against),
        as_of=_day(form.as_of),
        max_cost=_amount(form.max_cost),
    )


def preview_order(form: OrderForm) -> CheckOrder:
    """Return the order as far as it is known without a text, to say what it will ask."""
    names = _model_names(form)
    return CheckOrder(
        mode=form.effective_mode,
        engine=EngineChoice.AUTO if form.effective_mode is Mode.CONSENSUS else form.engine,
        question=form.question if form.given is InputKind.QUESTION else "",
        models=ModelChoice(
            generator=names.generator,
            extractor=names.extractor,
            checkers=tuple(names.checkers) if names.checkers else None,
            reporter=names.reporter,
        ),
        against=form.against,
    )


def _model_names(form: OrderForm) -> ModelNames:
    """Return the models of the chosen mode; the hidden fields of other modes are ignored."""
    if form.effective_mode is not Mode.CONSENSUS:
        return ModelNames(
            extractor=form.lister or None, checkers=[form.validator] if form.validator else None
        )
    return ModelNames(
        generator=form.generator or None,
        extractor=form.extractor or None,
        checkers=[name for name in form.checkers if name] or None,
        reporter=form.reporter or None,
    )


def field_for_error(error: VeridicError | ValidationError, form: OrderForm) -> str:
    """Return the name of the field that an error is about."""
    message = str(error)
    for name, model in _models(form).items():
        if model and model in message:
            return name
    if isinstance(error, ConflictError):
        return "new_set"
    if isinstance(error, InputError | ProviderError):
        return form.given.value
    return "against" if "against" in message else "form"


def _models(form: OrderForm) -> dict[str, str]:
    """Return the models of the chosen mode by field."""
    if form.effective_mode is not Mode.CONSENSUS:
        return {"lister": form.lister, "validator": form.validator}
    checkers = {f"checker-{number}": name for number, name in enumerate(form.checkers, 1)}
    return {"generator": form.generator, "extractor": form.extractor, "reporter": form.reporter} | checkers


@dataclass(frozen=True, slots=True)
class CorpusChoice:
    name: str
    about: str
    problem: str | None = None


def corpus_choices(settings: Settings) -> tuple[CorpusChoice, ...]:
    """Return the corpora to choose from, the reference library first. Blocks."""
    other = [corpus for corpus in Corpora(settings.corpora).list() if corpus.name != REFERENCE]
    return (
        CorpusChoice(REFERENCE, "the built-in library: countries, their people, economies and governments"),
        *(
            CorpusChoice(
                corpus.name,
                count(corpus.documents, "document"),
                corpus.problem or (None if corpus.documents else "no documents yet"),
            )
            for corpus in other
        ),
    )


@dataclass(frozen=True, slots=True)
class WebSearches:
    """The search providers, or why there are none."""

    names: tuple[str, ...] = ()
    problem: str = ""


def web_searches(settings: Settings) -> WebSearches:
    try:
        return WebSearches(tuple(provider.name for provider in connect_search(settings)))
    except UsageError as error:
        return WebSearches(problem=str(error))
