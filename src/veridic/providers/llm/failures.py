"""What went wrong with a request, as an error of ours: one sentence with the provider's own reason in it."""

import re
import unicodedata

from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRequestRejectedError,
)

from veridic.domain.errors import (
    CutOffAnswerError,
    EmptyAnswerError,
    ModelAccessError,
    ModelError,
    ModelRateLimitError,
    ModelRefusalError,
    ModelRequestError,
    ModelUnreachableError,
    UnknownModelError,
)
from veridic.providers.llm.calling import AttemptError, Billing
from veridic.providers.llm.services import Service, ServiceKind

_LONGEST_REASON = 200
_LONGEST_READ = 10_000
"""Characters of a reason that are looked at: an error page can be of any length."""
_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|key)-[\w*.-]{6,}|(?<=bearer )\S+", re.IGNORECASE)
_REQUEST_TIMEOUT, _TOO_MANY_REQUESTS, _SERVER_ERRORS = 408, 429, 500


def failed_request(error: AgentRunError, model: str, service: Service) -> AttemptError:
    """What a request that brought no answer of a model comes to."""
    reason = _reason(error, service)
    if isinstance(error, ModelHTTPError):
        return _failed_status(error, model, service, f"{error.status_code}{reason and ': '}{reason}")
    if isinstance(error, ModelConnectionError):
        return _failed_connection(error, model, service, reason)
    way_out = ": check VERIDIC_LLM_BASE_URL" if service.kind is ServiceKind.OWN else ""
    sentence = f"{service.label} was asked for {model}, and what came back is no answer of a language model{_bracketed(reason)}{way_out}."
    return AttemptError(EmptyAnswerError(sentence))


def _failed_connection(
    error: ModelConnectionError, model: str, service: Service, reason: str
) -> AttemptError:
    was_sent = error.phase not in ("pool", "connect")
    if was_sent:
        sentence = f"{service.label} ended the connection before {model} had answered{_bracketed(reason)}: try again later."
    else:
        check = "VERIDIC_LLM_BASE_URL" if service.kind is ServiceKind.OWN else "the connection"
        sentence = f"{service.label} could not be reached for {model}{_bracketed(reason)}: check {check}."
    return AttemptError(ModelUnreachableError(sentence), is_transient=True, outcome_known=not was_sent)


def _failed_status(error: ModelHTTPError, model: str, service: Service, reason: str) -> AttemptError:
    status = error.status_code
    is_transient = False
    made: ModelError
    if isinstance(error, ModelAuthenticationError | ModelQuotaExceededError) or status in (401, 402):
        made = _no_access(model, service, reason)
    elif isinstance(error, ModelNotFoundError) or status == 404:
        where = " and VERIDIC_LLM_BASE_URL" if service.kind is ServiceKind.OWN else ""
        made = UnknownModelError(
            f"{service.label} does not know the model {model} ({reason}): check its name{where}."
        )
    elif status == _TOO_MANY_REQUESTS:
        made = ModelRateLimitError(
            f"{service.label} takes no more requests for {model} now ({reason}): try again later."
        )
        is_transient = True
    elif status == _REQUEST_TIMEOUT or status >= _SERVER_ERRORS:
        made = ModelUnreachableError(
            f"{service.label} could not serve {model} ({reason}): try again later, or take another model."
        )
        is_transient = True
    elif status == 403 and isinstance(error, ModelRequestRejectedError):  # Input that was flagged.
        made = ModelRefusalError(f"{service.label} would not pass the text on to {model} ({reason}).")
    elif status == 403:
        made = _no_access(model, service, reason)
    else:
        made = ModelRequestError(f"{service.label} did not take the request for {model} ({reason}).")
    return AttemptError(made, is_transient=is_transient, retry_after=error.retry_after)


def _no_access(model: str, service: Service, reason: str) -> ModelAccessError:
    return ModelAccessError(
        f"{service.label} does not let you use {model} ({reason}): check {service.key_variable} and its credit."
    )


def refused(model: str, reason: str, service: Service, billing: Billing) -> AttemptError:
    said = one_line(reason, service)
    return AttemptError(ModelRefusalError(f"{model} would not answer{_bracketed(said)}."), billing=billing)


def cut_off(model: str, billing: Billing) -> AttemptError:
    after = f" after {billing.output_tokens:,} tokens" if billing.output_tokens else ""
    return AttemptError(
        CutOffAnswerError(
            f"The answer of {model} was cut off at its length limit{after}: give it less text."
        ),
        billing=billing,
    )


def broke_off(model: str, billing: Billing) -> AttemptError:
    sentence = f"{model} broke off in the middle of its answer: try again later, or take another model."
    return AttemptError(ModelUnreachableError(sentence), billing=billing, is_transient=True)


def _reason(error: AgentRunError, service: Service) -> str:
    """The provider's own words, or the network's; nothing where there are only the client's."""
    if isinstance(error, ModelAPIError) and error.body is not None:
        return one_line(_message_in(error.body), service)
    if not isinstance(error, ModelConnectionError):
        return ""
    deepest: BaseException = error
    while deepest.__cause__ is not None:
        deepest = deepest.__cause__
    return one_line(str(deepest), service)


def _message_in(body: object) -> str:
    if isinstance(body, str):
        is_page = body.lstrip()[:1] == "<"
        return "a web page" if is_page else body
    if isinstance(body, dict):
        for name in ("message", "error", "detail"):
            if said := _message_in(body.get(name)):
                return said
    return ""


def one_line(text: str, service: Service) -> str:
    """Short, on one line, with no key and no invisible characters in it, and no full stop at the end."""
    text = text[:_LONGEST_READ]
    if service.api_key is not None and (secret := service.api_key.get_secret_value()):
        text = text.replace(secret, "[key]")
    text = _KEY_LIKE.sub("[key]", " ".join(text.split()))
    text = "".join(character for character in text if unicodedata.category(character)[0] != "C")
    if len(text) > _LONGEST_REASON:
        text = text[: _LONGEST_REASON - 1] + "…"
    return text.rstrip(" .")


def _bracketed(reason: str) -> str:
    return f" ({reason})" if reason else ""
