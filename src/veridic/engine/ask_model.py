"""Asks a language model for an answer that can be parsed; asks a second time, naming the problem, if it can't be."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

from veridic.domain.errors import ModelError, ModelRefusalError
from veridic.engine.threads import in_thread
from veridic.prompts.validation import asked_again
from veridic.providers.llm.base import Prompt
from veridic.text.answer_fields import AnswerError, beginning_of, reads_like_a_refusal

_T = TypeVar("_T")
_PARSED_INLINE = 50_000
"""Answers up to this many characters are parsed on the event loop; longer ones in a thread."""


async def ask_and_read(
    model: str,
    prompt: Prompt,
    complete: Callable[[Prompt], Awaitable[str]],
    parse: Callable[[str], _T],
    *,
    settle_for: Callable[[str], _T] | None = None,
    worth: Callable[[_T], int] = lambda _: 0,
) -> tuple[str, _T]:
    """Return the usable answer and what `parse` made of it. `settle_for` accepts less than was asked for: it is used once the second answer
    can't be parsed either, on both, and the one of greater `worth` counts, the second of two equal ones.

    Raises `ModelError` if neither answer can be parsed, and `ModelRefusalError` if the model refuses.
    """
    first = await complete(prompt)
    try:
        return first, await _read(first, parse)
    except AnswerError as error:
        if settle_for is None or await _settled([first], settle_for, worth) is None:
            _raise_if_refused(model, first)
        again = asked_again(prompt, first, str(error))
    second = await complete(again)
    try:
        return second, await _read(second, parse)
    except AnswerError as error:
        settled = await _settled([second, first], settle_for, worth) if settle_for else None
        if settled is not None:
            return settled
        _raise_if_refused(model, second)
        raise ModelError(
            f"{model} gave an answer with {error}, twice; it begins: {beginning_of(second)}"
        ) from error


async def _settled(
    answers: Sequence[str], settle_for: Callable[[str], _T], worth: Callable[[_T], int]
) -> tuple[str, _T] | None:
    """Return the answer that is worth most with what was made of it; None if none can be parsed."""
    readings: list[tuple[str, _T]] = []
    for answer in answers:
        with suppress(AnswerError):
            readings.append((answer, await _read(answer, settle_for)))
    return max(readings, key=lambda reading: worth(reading[1]), default=None)


async def _read(answer: str, parse: Callable[[str], _T]) -> _T:
    """Parse a long answer in a thread, so that it doesn't block the event loop."""
    return parse(answer) if len(answer) <= _PARSED_INLINE else await in_thread(partial(parse, answer))


def _raise_if_refused(model: str, answer: str) -> None:
    if reads_like_a_refusal(answer):
        raise ModelRefusalError(f"{model} would not answer ({beginning_of(answer)}).")
