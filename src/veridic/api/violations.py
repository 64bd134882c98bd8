"""What is wrong with a request, as one sentence: which field, and what is allowed. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

QUESTION_REQUIRED = "Question or content description is required"
CONTENT_OR_GENERATOR = "Either contentToCheck or generatorModel must be provided."

_OWN_SENTENCE = "own_sentence"
"""The type of an error that says everything itself."""
_PLACES = ("body", "query", "path", "header", "cookie")
_BEGINNINGS = ("Input", "String", "List", "Tuple", "Value", "Dictionary")
_LONGEST = 300


def own_sentence(sentence: str) -> Exception:
    """For validators: an error whose sentence reaches the client as it is."""
    from pydantic_core import PydanticCustomError

    return PydanticCustomError(_OWN_SENTENCE, "{sentence}", {"sentence": sentence})


def first_violation(errors: Sequence[Mapping[str, Any]]) -> str:
    """The sentence for the first of Pydantic's errors; clients mend one thing at a time."""
    if not errors:
        return "The request is not valid."
    first = errors[0]
    message = str(first.get("msg", ""))
    match first.get("type"):
        case "own_sentence":
            return message
        case "json_invalid":
            reason = (first.get("ctx") or {}).get("error", "it can't be parsed")
            return f"The body is not valid JSON: {reason}."
        case "missing" | "string_too_short" if _field(first) == "question":
            return QUESTION_REQUIRED
        case "missing":
            return f"{_field(first)} is required."
        case "extra_forbidden":
            return f"{_field(first)} is not a field of this request."
        case "model_attributes_type" | "model_type" | "dict_type":
            return f"{_field(first)} should be a JSON object."
    return _sentence(_field(first), message)


def _field(error: Mapping[str, Any]) -> str:
    """The field's name as the client wrote it, such as `modeConfig.checkerModels[0]`."""
    name = ""
    for part in error.get("loc", ()):
        if isinstance(part, int):
            name += f"[{part}]"
        elif part not in _PLACES or name:
            name += f".{part}" if name else part
    return name[:_LONGEST] or "The body"


def _sentence(field: str, message: str) -> str:
    for beginning in _BEGINNINGS:
        if message.startswith(f"{beginning} should"):
            return f"{field}{message.removeprefix(beginning)}"[:_LONGEST].rstrip(".") + "."
    return f"{field} is not valid: {message}"[:_LONGEST].rstrip(".") + "."
