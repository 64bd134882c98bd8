"""Extracts the final answer from what a language model wrote, without its thinking and the tags around it.

Thinking is in `<think>`, `<thinking>` and similar tags (`[THINK]`, `◁think▷`), before a closing tag whose opening tag the server
removed, folded (`<details>`), or on a separate channel (`<|channel|>analysis`). The answer may be in `<answer>`, or after a draft and a line such as
"Final answer:". Linear time; never raises.
"""

import re

_THOUGHT = r"(?:seed:|ant:?)?(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad|analysis)"
_THINKING = re.compile(
    rf"(?P<opens>^[^\S\n]{{0,8}}(?:<\|?{_THOUGHT}\|?>|\[think\]|◁think▷|<\|begin_of_thought\|>))"
    rf"|(?<!`)(?:<\|?/{_THOUGHT}\|?>|\[/think\]|◁/think▷|<\|end_of_thought\|>)",
    re.IGNORECASE | re.MULTILINE,
)
_DETAILS = re.compile(
    r"<details[^>\n]{0,40}>\s{0,8}<summary>[^<\n]{0,60}(?:think|thought|reason|draft|analysis|scratch|working)[^<\n]{0,60}</summary>",
    re.IGNORECASE,
)
"""Folded text whose title says that it is thinking."""
_END_OF_DETAILS = re.compile(r"</details\s{0,2}>", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>\s{0,4}(?P<name>[a-z]{1,20})[^<\n]{0,40}<\|message\|>", re.IGNORECASE)
_END_OF_MESSAGE = re.compile(r"<\|(?:end|return|start|channel)\|>")
_ANSWER = r"(?:final[_ -]?answer|answer|final|output|response|result)"
_ANSWER_OPENS = re.compile(
    rf"^[^\S\n]{{0,8}}(?:<{_ANSWER}>|<\|begin_of_solution\|>)", re.IGNORECASE | re.MULTILINE
)
_ANSWER_CLOSES = re.compile(rf"(?:</{_ANSWER}>|<\|end_of_solution\|>)", re.IGNORECASE)
_ANNOUNCED = re.compile(
    r"^[^\S\n]{0,8}[#*_=-]{0,6}[^\S\n]{0,4}(?:my |here is (?:my |the )?)?(?:final|revised|corrected) (?:answer|output|response)"
    r"[*_=\s]{0,6}(?:[:：][*_]{0,3}[^\S\n]{0,4})?(?=$|[{\[]|```)",
    re.IGNORECASE | re.MULTILINE,
)


def final_answer(text: str) -> str:
    """Return the final answer in `text`; empty if there is only thinking."""
    return _announced(_in_answer_marks(_without_details(_without_thoughts(_on_final_channel(text)))))


def _on_final_channel(text: str) -> str:
    channels = list(_CHANNEL.finditer(text))
    if not channels:
        return text
    if channels[-1]["name"].lower() != "final":
        return ""
    start = channels[-1].end()
    end = _END_OF_MESSAGE.search(text, start)
    return text[start : end.start() if end else len(text)]


def _without_thoughts(text: str) -> str:
    """Remove the thinking. A closing tag without an opening one ends thinking that began with the text; an unclosed one never ends."""
    kept: list[str] = []
    position, is_thinking = 0, False
    for mark in _THINKING.finditer(text):
        if mark["opens"]:
            if not is_thinking:
                kept.append(text[position : mark.start()])
            is_thinking = True
        else:
            if not is_thinking:
                kept.clear()
            position, is_thinking = mark.end(), False
    if not is_thinking:
        kept.append(text[position:])
    return "".join(kept).strip() if position or is_thinking else text


def _without_details(text: str) -> str:
    """Remove folded thinking, unless there is nothing else."""
    kept: list[str] = []
    position = 0
    while (opened := _DETAILS.search(text, position)) is not None:
        closed = _END_OF_DETAILS.search(text, opened.end())
        if closed is None:
            break
        kept.append(text[position : opened.start()])
        position = closed.end()
    rest = "".join([*kept, text[position:]]).strip()
    return rest if position and rest else text


def _in_answer_marks(text: str) -> str:
    """Return the last answer in answer tags."""
    opened = list(_ANSWER_OPENS.finditer(text))
    if not opened:
        return text
    closed = _ANSWER_CLOSES.search(text, opened[-1].end())
    return text[opened[-1].end() : closed.start() if closed else len(text)].strip()


def _announced(text: str) -> str:
    """Return the text after the line that announces the answer; several such lines are answers to several questions."""
    announcements = list(_ANNOUNCED.finditer(text))
    if len(announcements) != 1:
        return text
    answer = text[announcements[0].end() :].strip()
    return answer or text
