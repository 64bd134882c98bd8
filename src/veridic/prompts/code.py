"""The prompt of a category agent: excerpts of a repository, and the claims of one domain about them.

`system` is the same for every run and every domain. Everything that comes from the repository stands fenced in `user`:
code with a number in front of each line, so that no line of it can begin like one of ours, and claims on one line each.
A version goes up with every change of wording.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from veridic.domain.code import DocClaim
from veridic.prompts.code_wording import LOOK_FOR, VERIFY_CODE
from veridic.prompts.fence import enclosed, fenced, on_one_line
from veridic.providers.llm.base import Prompt, Sampling

_LONGEST_CLAIM = 600
_LONGEST_PATH = 300
_LONGEST_NAME = 120
_LINE_SIGNS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


class ShownCode(NamedTuple):
    """Lines of one file that stand together."""

    path: str
    first: int
    """The number of its first line, from 1."""
    lines: tuple[str, ...]


class ShownClaim(NamedTuple):
    """A claim with where its document has it, and where the code it is about is shown."""

    label: str
    """What the answer is to call it."""
    claim: DocClaim
    document_lines: str
    places: tuple[str, ...]
    """`src/app.py:10-24`; with a remark where the code goes on and that is not shown."""


def code_prompt(
    domain: str,
    claims: Sequence[ShownClaim],
    code: Sequence[ShownCode],
    *,
    sampling: Sampling | None = None,
) -> Prompt:
    """Asks the agent of a domain for a verdict on each of the claims, by the code that is shown."""
    wanted = ", ".join(claim.label for claim in claims)
    hint = LOOK_FOR.get(domain)
    look_for = f" Look for {hint}" if hint else ""
    about = "\n\n".join([f"Domain: {on_one_line(domain, _LONGEST_NAME)}", *map(_claim, claims)])
    return Prompt(
        name="verify_code",
        version=1,
        system=VERIFY_CODE,
        user=f"CODE:\n{fenced('CODE', _numbered(code))}\n\nCLAIMS:\n{enclosed('CLAIMS', about)}\n\nVerify {wanted}.{look_for}",
        sampling=sampling,
    )


def _numbered(code: Sequence[ShownCode]) -> str:
    return "\n\n".join("\n".join(_excerpt(one)) for one in code) or "No code was found."


def _excerpt(code: ShownCode) -> Iterator[str]:
    last = code.first + len(code.lines) - 1
    yield f"File {on_one_line(code.path, _LONGEST_PATH)}, lines {code.first}-{last}:"
    for number, line in enumerate(code.lines, code.first):
        # A form feed in the middle of a line would begin another one, with no number in front.
        yield f"{number} | {_LINE_SIGNS.sub(' ', line)}"


def _claim(shown: ShownClaim) -> str:
    claim = shown.claim
    text = on_one_line(claim.text, _LONGEST_CLAIM)
    lines = [
        f"{shown.label}: {text}",
        f"Stands in: {on_one_line(claim.document, _LONGEST_PATH)}:{claim.line} ({claim.origin})",
    ]
    document_lines = on_one_line(shown.document_lines, _LONGEST_CLAIM)
    if document_lines not in ("", text):
        lines.append(f"As written there: {document_lines}")
    if claim.owner:
        lines.append(f"Written about: {on_one_line(claim.owner, _LONGEST_NAME)}")
    if claim.assertion.subject:
        lines.append(f"Subject: {on_one_line(claim.assertion.subject.name, _LONGEST_NAME)}")
    lines.append(f"Code: {'; '.join(on_one_line(place, _LONGEST_PATH) for place in shown.places)}")
    return "\n".join(lines)
