"""What is typed into the start page, and the order it comes to."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum

from pydantic import ValidationError

from veridic.api.requests import CheckRequest, ModelNames, Upload, default_mode
from veridic.config.settings import Settings
from veridic.domain.errors import InputError, ProviderError, UsageError, VeridicError
from veridic.domain.modes import EngineChoice, Mode
from veridic.evidence.corpus import REFERENCE, Corpora
from veridic.providers.llm.roles import RoleModels
from veridic.providers.search.connect import connect_search

MOST_CHECKERS = 4
_LONGEST_MODEL_NAME = 200


class Given(StrEnum):
    """What is to be checked."""

    TEXT = "text"
    FILE = "file"
    URL = "url"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class OrderForm:
    """Everything on the start page, as it was typed."""

    given: Given = Given.TEXT
    text: str = ""
    url: str = ""
    question: str = ""
    mode: Mode = Mode.THOROUGH
    engine: EngineChoice = EngineChoice.AUTO
    lister: str = ""
    """Summary and thorough mode: who finds the claims."""
    validator: str = ""
    """Summary and thorough mode: who reads the evidence."""
    generator: str = ""
    extractor: str = ""
    checkers: tuple[str, ...] = ("",) * MOST_CHECKERS
    reporter: str = ""
    against: tuple[str, ...] = (REFERENCE,)
    as_of: str = ""
    max_cost: str = ""
    mistakes: Mapping[str, str] = field(default_factory=dict)
    """By field: one sentence on what is wrong. The field `form` is for what belongs to none."""

    @property
    def effective_mode(self) -> Mode:
        """A question needs a model to answer it, and so consensus mode."""
        return Mode.CONSENSUS if self.given is Given.QUESTION else self.mode


def blank_form(settings: Settings) -> OrderForm:
    """The form as it is first shown. What is ticked is all that is searched, so where the web can be, nothing is."""
    return OrderForm(
        mode=default_mode(settings), against=() if web_searches(settings).names else (REFERENCE,)
    )


def read_form(fields: Mapping[str, Sequence[str]]) -> OrderForm:
    """What a browser sent; what it can't have sent by itself falls back to the defaults."""

    def one(name: str) -> str:
        return next(iter(fields.get(name, ())), "").strip()

    checkers = [name.strip() for name in fields.get("checker", ())][:MOST_CHECKERS]
    return OrderForm(
        given=Given(one("given")) if one("given") in list(Given) else Given.TEXT,
        text=next(iter(fields.get("text", ())), ""),
        url=one("url"),
        question=one("question"),
        mode=Mode(one("mode")) if one("mode") in list(Mode) else Mode.THOROUGH,
        engine=EngineChoice(one("engine")) if one("engine") in list(EngineChoice) else EngineChoice.AUTO,
        lister=one("lister"),
        validator=one("validator"),
        generator=one("generator"),
        extractor=one("extractor"),
        checkers=(*checkers, *([""] * (MOST_CHECKERS - len(checkers)))),
        reporter=one("reporter"),
        against=tuple(dict.fromkeys(fields.get("against", ()))),
        as_of=one("as_of"),
        max_cost=one("max_cost"),
    )


def missing(form: OrderForm, upload: Upload | None, default: RoleModels | None) -> dict[str, str]:
    """What has to be filled in before anything is sent on, by field."""
    mistakes: dict[str, str] = {}
    if form.given is Given.TEXT and not form.text.strip():
        mistakes["text"] = "Paste the text that is to be checked."
    elif form.given is Given.FILE and upload is None:
        mistakes["file"] = "Choose the file that is to be checked."
    elif form.given is Given.URL and not form.url.lower().startswith(("http://", "https://")):
        mistakes["url"] = "Give an address that begins with http:// or https://."
    elif form.given is Given.QUESTION and not form.question:
        mistakes["question"] = "Ask the question whose answer is to be checked."
    if form.given is Given.QUESTION and not (form.generator or (default and default.generator)):
        mistakes["generator"] = "Name the model that answers the question."
    for name, model in _models(form).items():
        if len(model) > _LONGEST_MODEL_NAME:
            mistakes[name] = f"A model's name has at most {_LONGEST_MODEL_NAME} characters."
    return mistakes | _wrong_limits(form)


def _wrong_limits(form: OrderForm) -> dict[str, str]:
    mistakes: dict[str, str] = {}
    today = datetime.now(UTC).date()
    day = _day(form.as_of)
    if form.as_of and day is None:
        mistakes["as_of"] = "Give a date such as 2025-01-21."
    elif day is not None and day > today:
        mistakes["as_of"] = f"Give a day that has come; today is {today}."
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


def request_of(form: OrderForm) -> CheckRequest:
    """The same as a client of the API would have asked; raises `ValueError` for what no client may."""
    return CheckRequest(
        mode=form.effective_mode,
        engine=EngineChoice.AUTO if form.effective_mode is Mode.CONSENSUS else form.engine,
        text=form.text if form.given is Given.TEXT else None,
        url=form.url if form.given is Given.URL else None,
        question=form.question if form.given is Given.QUESTION else None,
        models=_chosen(form),
        against=list(form.against),
        as_of=_day(form.as_of),
        max_cost=_amount(form.max_cost),
    )


def _chosen(form: OrderForm) -> ModelNames:
    """Only what the mode has a use for: fields of another keep what was typed, and are not shown."""
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


def place_of(error: VeridicError | ValidationError, form: OrderForm) -> str:
    """The field that an error is about."""
    message = str(error)
    for name, model in _models(form).items():
        if model and model in message:
            return name
    if isinstance(error, InputError | ProviderError):
        return form.given.value
    return "against" if "against" in message else "form"


def _models(form: OrderForm) -> dict[str, str]:
    """Those of the chosen mode, by the field they were typed into."""
    if form.effective_mode is not Mode.CONSENSUS:
        return {"lister": form.lister, "validator": form.validator}
    checkers = {f"checker-{place}": name for place, name in enumerate(form.checkers, 1)}
    return {"generator": form.generator, "extractor": form.extractor, "reporter": form.reporter} | checkers


@dataclass(frozen=True, slots=True)
class CorpusChoice:
    name: str
    about: str
    problem: str | None = None


def corpora_to_choose(settings: Settings) -> tuple[CorpusChoice, ...]:
    """What can be checked against: the built-in library first. Blocks."""
    own = [corpus for corpus in Corpora(settings.corpora).list() if corpus.name != REFERENCE]
    return (
        CorpusChoice(REFERENCE, "the built-in library: countries, their people, economies and governments"),
        *(CorpusChoice(corpus.name, f"{corpus.documents:,} documents", corpus.problem) for corpus in own),
    )


@dataclass(frozen=True, slots=True)
class WebSearches:
    """Who is asked for evidence on the web, or why nobody can be."""

    names: tuple[str, ...] = ()
    problem: str = ""


def web_searches(settings: Settings) -> WebSearches:
    try:
        return WebSearches(tuple(provider.name for provider in connect_search(settings)))
    except UsageError as error:
        return WebSearches(problem=str(error))
