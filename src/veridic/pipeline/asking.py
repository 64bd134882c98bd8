"""Asking a language model for an answer that can be read: once, and once more with what was wrong."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from veridic.domain.errors import ModelError, ModelRefusalError
from veridic.pipeline.threads import in_thread
from veridic.prompts.validation import asked_again
from veridic.providers.llm.base import Prompt
from veridic.text.answer_fields import AnswerError
from veridic.text.refusal import beginning_of, reads_like_a_refusal

_T = TypeVar("_T")
_SHORT = 50_000
"""Characters that are read in no time."""


async def ask_and_read(
    model: str,
    prompt: Prompt,
    complete: Callable[[Prompt], Awaitable[str]],
    parse: Callable[[str], _T],
    *,
    settle_for: Callable[[str], _T] | None = None,
) -> tuple[str, _T]:
    """The answer that counts, and what `parse` reads in it. `settle_for` reads the second answer, where less will do than
    was asked for.

    A `ModelError` where the second answer is of no use either, and `ModelRefusalError` where the model won't.
    """
    answer = await complete(prompt)
    try:
        return answer, await _read(answer, parse)
    except AnswerError as error:
        _must_not_refuse(model, answer)
        again = asked_again(prompt, answer, str(error))
    answer = await complete(again)
    try:
        return answer, await _read(answer, settle_for or parse)
    except AnswerError as error:
        _must_not_refuse(model, answer)
        raise ModelError(
            f"{model} gave an answer with {error}, twice; it begins: {beginning_of(answer)}"
        ) from error


async def _read(answer: str, parse: Callable[[str], _T]) -> _T:
    """Nobody waits while an answer that ran wild is read."""
    return parse(answer) if len(answer) <= _SHORT else await in_thread(partial(parse, answer))


def _must_not_refuse(model: str, answer: str) -> None:
    if reads_like_a_refusal(answer):
        raise ModelRefusalError(f"{model} would not answer ({beginning_of(answer)}).")
