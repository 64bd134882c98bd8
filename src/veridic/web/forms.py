"""What is typed into the start page, and the order it comes to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import ValidationError

from veridic.api.requests import CheckRequest, ModelNames, Upload
from veridic.config.settings import Settings
from veridic.domain.errors import InputError, ProviderError, VeridicError
from veridic.domain.modes import Mode
from veridic.evidence.corpus import REFERENCE, Corpora
from veridic.providers.llm.roles import RoleModels

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
    generator: str = ""
    extractor: str = ""
    checkers: tuple[str, ...] = ("",) * MOST_CHECKERS
    reporter: str = ""
    against: tuple[str, ...] = (REFERENCE,)
    mistakes: Mapping[str, str] = field(default_factory=dict)
    """By field: one sentence on what is wrong. The field `form` is for what belongs to none."""

    @property
    def effective_mode(self) -> Mode:
        """A question needs a model to answer it, and so consensus mode."""
        return Mode.CONSENSUS if self.given is Given.QUESTION else self.mode


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
        generator=one("generator"),
        extractor=one("extractor"),
        checkers=(*checkers, *([""] * (MOST_CHECKERS - len(checkers)))),
        reporter=one("reporter"),
        against=tuple(dict.fromkeys(fields.get("against", ()))),
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
    return mistakes


def request_of(form: OrderForm) -> CheckRequest:
    """The same as a client of the API would have asked; raises `ValueError` for what no client may."""
    is_consensus = form.effective_mode is Mode.CONSENSUS
    checkers = [name for name in form.checkers if name]
    models = ModelNames(
        generator=form.generator or None,
        extractor=form.extractor or None,
        checkers=checkers or None,
        reporter=form.reporter or None,
    )
    return CheckRequest(
        mode=form.effective_mode,
        text=form.text if form.given is Given.TEXT else None,
        url=form.url if form.given is Given.URL else None,
        question=form.question if form.given is Given.QUESTION else None,
        models=models if is_consensus else ModelNames(),
        against=list(form.against),
    )


def place_of(error: VeridicError | ValidationError, form: OrderForm) -> str:
    """The field that an error is about."""
    message = str(error)
    for name, model in _models(form).items():
        if model and model in message and form.effective_mode is Mode.CONSENSUS:
            return name
    if isinstance(error, InputError | ProviderError):
        return form.given.value
    return "against" if "against" in message else "form"


def _models(form: OrderForm) -> dict[str, str]:
    """By the field it was typed into."""
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
