"""Answers of language models that are of no use: refusals put into words, and how an error shows an answer."""

import re

_REFUSAL = re.compile(
    r"\b(?:I|we)(?:['’]m| am|['’]re| are)?(?: (?:really|very|afraid|sorry|but|also|just|simply|must|have to|I)){0,4}"
    r" (?:(?:can ?not|can['’]t|won['’]t|will not|(?:un|not )able to|not (?:comfortable|permitted|allowed|going)(?: to)?)"
    r" (?:\w+ ){0,2}(?:help|assist|comply|do (?:that|this|so)|fulfil|answer|provide|engage|continue|participate|respond|discuss)"
    r"|declin|refus)|\bas an AI\b",
    re.IGNORECASE,
)
_BEGINNING = 400
"""Characters: a refusal begins with itself, and what stands further on may be quoted."""
_SHOWN = 160


def reads_like_a_refusal(answer: str) -> bool:
    """Its beginning says that the model can't or won't help."""
    return _REFUSAL.search(" ".join(answer[:_BEGINNING].split())) is not None


def beginning_of(answer: str) -> str:
    """On one line: so much of an answer as an error shows."""
    line = " ".join(answer.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN].rstrip()} …"
