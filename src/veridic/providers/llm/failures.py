"""Turns a failed model request into one of our errors: one sentence that includes the provider's reason."""

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
from veridic.providers.llm.calling import Billing, ModelAttemptError
from veridic.providers.llm.services import Service, ServiceKind

_LONGEST_REASON = 200
_LONGEST_READ = 10_000
"""Characters of a reason that we look at; an error page can have any length."""
_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|key)-[\w*.-]{6,}|(?<=bearer )\S+", re.IGNORECASE)
_REQUEST_TIMEOUT, _TOO_MANY_REQUESTS, _SERVER_ERRORS = 408, 429, 500


def failed_request(error: AgentRunError, model: str, service: Service) -> ModelAttemptError:
    """Return the error for a request that failed or returned no model answer."""
    reason = _reason(error, service)
    if isinstance(error, ModelHTTPError):
        return _failed_status(error, model, service, f"{error.status_code}{reason and ': '}{reason}")
    if isinstance(error, ModelConnectionError):
        return _failed_connection(error, model, service, reason)
    way_out = ": check VERIDIC_LLM_BASE_URL" if service.kind is ServiceKind.OWN else ""
    sentence = f"{service.label} was asked for {model}, but the response is not that of a language model{_in_parentheses(reason)}{way_out}."
    return ModelAttemptError(EmptyAnswerError(sentence))


def _failed_connection(
    error: ModelConnectionError, model: str, service: Service, reason: str
) -> ModelAttemptError:
    was_sent = error.phase not in ("pool", "connect")
    if was_sent:
        sentence = f"{service.label} ended the connection before {model} had answered{_in_parentheses(reason)}: try again later."
    else:
        check = "VERIDIC_LLM_BASE_URL" if service.kind is ServiceKind.OWN else "the connection"
        sentence = (
            f"{service.label} could not be reached for {model}{_in_parentheses(reason)}: check {check}."
        )
    return ModelAttemptError(ModelUnreachableError(sentence), is_transient=True, outcome_known=not was_sent)


def _failed_status(error: ModelHTTPError, model: str, service: Service, reason: str) -> ModelAttemptError:
    status = error.status_code
    is_transient = False
    failure: ModelError
    if isinstance(error, ModelAuthenticationError | ModelQuotaExceededError) or status in (401, 402):
        failure = _no_access(model, service, reason)
    elif isinstance(error, ModelNotFoundError) or status == 404:
        where = " and VERIDIC_LLM_BASE_URL" if service.kind is ServiceKind.OWN else ""
        failure = UnknownModelError(
            f"{service.label} does not know the model {model} ({reason}): check its name{where}."
        )
    elif status == _TOO_MANY_REQUESTS:
        failure = ModelRateLimitError(
            f"{service.label} takes no more requests for {model} now ({reason}): try again later."
        )
        is_transient = True
    elif status == _REQUEST_TIMEOUT or status >= _SERVER_ERRORS:
        failure = ModelUnreachableError(
            f"{service.label} could not serve {model} ({reason}): try again later, or take another model."
        )
        is_transient = True
    elif status == 403 and isinstance(error, ModelRequestRejectedError):  # Input that was flagged.
        failure = ModelRefusalError(f"{service.label} would not pass the text on to {model} ({reason}).")
    elif status == 403:
        failure = _no_access(model, service, reason)
    else:
        failure = ModelRequestError(f"{service.label} did not take the request for {model} ({reason}).")
    return ModelAttemptError(failure, is_transient=is_transient, retry_after=error.retry_after)


def _no_access(model: str, service: Service, reason: str) -> ModelAccessError:
    return ModelAccessError(
        f"{service.label} does not let you use {model} ({reason}): check {service.key_variable} and its credit."
    )


def refused(model: str, reason: str, service: Service, billing: Billing) -> ModelAttemptError:
    message = one_line(reason, service)
    return ModelAttemptError(
        ModelRefusalError(f"{model} would not answer{_in_parentheses(message)}."), billing=billing
    )


def cut_off(model: str, billing: Billing) -> ModelAttemptError:
    after = f" after {billing.output_tokens:,} tokens" if billing.output_tokens else ""
    return ModelAttemptError(
        CutOffAnswerError(
            f"The answer of {model} was cut off at its length limit{after}: give it less text."
        ),
        billing=billing,
    )


def broke_off(model: str, billing: Billing) -> ModelAttemptError:
    sentence = f"{model} broke off in the middle of its answer: try again later, or take another model."
    return ModelAttemptError(ModelUnreachableError(sentence), billing=billing, is_transient=True)


def _reason(error: AgentRunError, service: Service) -> str:
    """Return the provider's message or the network error; empty if only the client library reported something."""
    if isinstance(error, ModelAPIError) and error.body is not None:
        return one_line(_error_message(error.body), service)
    if not isinstance(error, ModelConnectionError):
        return ""
    deepest: BaseException = error
    while deepest.__cause__ is not None:
        deepest = deepest.__cause__
    return one_line(str(deepest), service)


def _error_message(body: object) -> str:
    if isinstance(body, str):
        is_page = body.lstrip()[:1] == "<"
        return "a web page" if is_page else body
    if isinstance(body, dict):
        for name in ("message", "error", "detail"):
            if message := _error_message(body.get(name)):
                return message
    return ""


def one_line(text: str, service: Service) -> str:
    """Shorten a text to one line without keys, invisible characters or a full stop at the end."""
    text = text[:_LONGEST_READ]
    if service.api_key is not None and (secret := service.api_key.get_secret_value()):
        text = text.replace(secret, "[key]")
    text = _KEY_LIKE.sub("[key]", " ".join(text.split()))
    text = "".join(character for character in text if unicodedata.category(character)[0] != "C")
    if len(text) > _LONGEST_REASON:
        text = text[: _LONGEST_REASON - 1] + "…"
    return text.rstrip(" .")


def _in_parentheses(reason: str) -> str:
    return f" ({reason})" if reason else ""
