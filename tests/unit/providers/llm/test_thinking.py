"""A model's thinking is removed from its answer, in whatever tags it comes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.growth import LINEAR, growth

from veridic.providers.llm.thinking import final_answer

DRAFT = "VERIFICATION claim_1: DISPUTED, or perhaps not?"
ANSWER = "VERIFICATION claim_1: VERIFIED\nEvidence: Known."


@pytest.mark.parametrize(
    "written",
    [
        f"<think>\n{DRAFT}\n</think>\n\n{ANSWER}",
        f"<thinking>{DRAFT}</thinking>\n{ANSWER}",
        f"<Thinking>{DRAFT}</Thinking>\n<answer>\n{ANSWER}\n</answer>",
        f"{DRAFT}\n</think>\n{ANSWER}",
        f"<think>\n<think>\n{DRAFT}\n</think>\n{ANSWER}",
        f"<think>{DRAFT}</think>\n<think>{DRAFT}</think>{ANSWER}",
        f"[THINK]{DRAFT}[/THINK]{ANSWER}",
        f"◁think▷{DRAFT}◁/think▷{ANSWER}",
        f"<reasoning>{DRAFT}</reasoning>\n<output>{ANSWER}</output>\nDone.",
        f"<|begin_of_thought|>{DRAFT}<|end_of_thought|>\n<|begin_of_solution|>{ANSWER}<|end_of_solution|>",
        f"<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>{ANSWER}<|return|>",
        f"Draft:\n{DRAFT}\n\n**Final answer:**\n\n{ANSWER}",
        f"{DRAFT}\n\n### Final Answer\n{ANSWER}",
        f"<answer>{DRAFT}</answer>\nI must correct myself.\n<answer>{ANSWER}</answer>",
        f"<scratchpad>{DRAFT}</scratchpad>\nFinal answer:\n{ANSWER}",
    ],
)
def test_only_final_answer_is_left(written: str) -> None:
    assert final_answer(written) == ANSWER


def test_json_after_final_answer_line() -> None:
    assert (
        final_answer('{"verdict": "FALSE"}? No.\nFinal answer: {"verdict": "TRUE"}') == '{"verdict": "TRUE"}'
    )


@pytest.mark.parametrize("written", [f"<think>{DRAFT}", f"<|channel|>analysis<|message|>{DRAFT}"])
def test_unclosed_thinking_is_no_answer(written: str) -> None:
    assert final_answer(written) == ""


@pytest.mark.parametrize(
    "written",
    [
        ANSWER,
        "Models write `<think>` first, then `</think>`.",
        "Claim 1\nFinal answer:\nVERIFIED\nClaim 2\nFinal answer:\nDISPUTED",
        "It is done.\nFinal answer:",
        "The final answer: it depends.",
        " \n",
    ],
)
def test_text_without_thinking_is_unchanged(written: str) -> None:
    assert final_answer(written) == written


PIECES = st.sampled_from(["<think>", "</think>", "\n", "<answer>", "</answer>", "Final answer:", "a", "<|channel|>final<|message|>"])  # fmt: skip


@given(st.lists(PIECES | st.text(max_size=4), max_size=30).map("".join))
def test_result_is_part_of_the_text(written: str) -> None:
    assert all(character in written for character in final_answer(written))


@pytest.mark.parametrize("piece", ["<think>", "</think>", "\n<think>\n", "<answer>", "\n<answer>", "Final answer:\n", " ", "\n", "<|channel|>a<|message|>", "<|channel|>"])  # fmt: skip
def test_runs_in_linear_time(piece: str) -> None:
    assert growth(final_answer, piece) < LINEAR
