"""Values that every JSON reader can take."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")


def sound(content: Mapping[str, Any]) -> dict[str, Any]:
    """Words of a scale as strings, and unpaired surrogates, which no encoding can carry, as U+FFFD, so that offsets
    stay what they are."""
    return {key: _sound(item) for key, item in content.items()}


def _sound(value: Any) -> Any:
    match value:
        case StrEnum():
            return value.value
        case str():
            return _SURROGATE.sub("\ufffd", value)
        case dict():
            return sound(value)
        case list():
            return [_sound(item) for item in value]
        case _:
            return value
