"""Asks a language model for an answer that can be parsed; asks a second time, naming the problem, if it can't be."""

from collections.abc import Awaitable, Callable
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
) -> tuple[str, _T]:
    """Return the usable answer and what `parse` made of it. If `settle_for` is given, it parses the second answer and may accept
    less than was asked for.

    Raises `ModelError` if the second answer can't be parsed either, and `ModelRefusalError` if the model refuses.
    """
    answer = await complete(prompt)
    try:
        return answer, await _read(answer, parse)
    except AnswerError as error:
        _raise_if_refused(model, answer)
        again = asked_again(prompt, answer, str(error))
    answer = await complete(again)
    try:
        return answer, await _read(answer, settle_for or parse)
    except AnswerError as error:
        _raise_if_refused(model, answer)
        raise ModelError(
            f"{model} gave an answer with {error}, twice; it begins: {beginning_of(answer)}"
        ) from error


async def _read(answer: str, parse: Callable[[str], _T]) -> _T:
    """Parse a long answer in a thread, so that it doesn't block the event loop."""
    return parse(answer) if len(answer) <= _PARSED_INLINE else await in_thread(partial(parse, answer))


def _raise_if_refused(model: str, answer: str) -> None:
    if reads_like_a_refusal(answer):
        raise ModelRefusalError(f"{model} would not answer ({beginning_of(answer)}).")
