"""Checkers of which nothing is known for sure, as far as the rows of a run tell. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence

from veridic.domain.consensus import FailedChecker
from veridic.domain.usage import ModelCall
from veridic.reporting.wording import Tone
from veridic.web.check_view import Notice

_VERIFY = "verify_"
"""How the stages of checkers begin."""
_NO_REASON = "it gave no answer that could be used."


def unheard(asked: Sequence[str], heard: Sequence[str]) -> list[str]:
    """The models that have neither answered nor failed; one that was asked twice may be among them twice."""
    return list((Counter(asked) - Counter(heard)).elements())


def given_up(silent: Sequence[str], calls: Sequence[ModelCall]) -> tuple[FailedChecker, ...]:
    """For when all have been heard: who is silent then has failed."""
    errors = _last_errors(calls)
    return tuple(FailedChecker(model=model, error=errors.get(model, _NO_REASON)) for model in silent)


def in_trouble(silent: Sequence[str], calls: Sequence[ModelCall]) -> Iterator[Notice]:
    """For before that: a request that failed may be made again, so they may yet answer."""
    errors = _last_errors(calls)
    for model in silent:
        if model in errors:
            yield Notice(
                Tone.CAUTION, "A checker has trouble.", f"{model} has no answer yet: {errors[model]}"
            )


def _last_errors(calls: Sequence[ModelCall]) -> dict[str, str]:
    return {call.model: call.error for call in calls if call.error and call.stage.startswith(_VERIFY)}
