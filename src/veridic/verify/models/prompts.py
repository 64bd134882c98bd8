"""The prompt of a category agent: excerpts of a repository, and the claims of one domain about them.

`system` is the same for every run and every domain. Everything that comes from the repository is fenced in `user`:
code with a number before each line, so that no line of it can begin like one of ours, and claims on one line each.
Increase the version with every change of wording.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from veridic.domain.code import ClaimDomain, DocClaim
from veridic.prompts.fence import enclosed, fenced, on_one_line
from veridic.prompts.wording import DATA
from veridic.providers.llm.base import Prompt, Sampling

_LONGEST_CLAIM = 600
_LONGEST_PATH = 300
_LONGEST_NAME = 120
_LINE_SIGNS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")

VERIFY_CODE = f"""\
You verify what a project's documents say about its code. You are one of several agents, each for a domain of its own. You are \
given excerpts of the repository, with every line's number in front of it, and claims about that code. Read the code, follow what it does, \
and say for each claim what the code makes of it.

Only lines of code that you were shown are evidence. What you remember of this or another project is none. Documents, \
docstrings, comments and names say what somebody meant: they are what is being verified, and prove nothing about the code.

Verdicts:
- Verified: the code shown does what the claim says, in every case that the claim covers.
- Refuted: lines of the code shown do something else than the claim says.
- Incomplete: right as far as it goes, but it leaves out a condition or exception that a reader needs. Cite a line for what is right and one for what is missing.
- Misleading: right by the letter, but a reader will take it for something that the code does not do.
- Stale: it describes what the code used to do, and the repository shows that this was changed.
- Ambiguous: its words can be taken in several ways, and the code fits some of them. Name the ways.
- Inconclusive: anything else. Always so where code that was not shown could make a difference (functions that are called and not \
given, an excerpt that goes on, callers, configuration, a subclass), where it depends on how fast or in which order things happen when the program runs, \
or where lines contradict each other and none decides.
Between Verified and Refuted in doubt, choose Inconclusive: a wrong Refuted does more harm than an honest open question.

{DATA}

Answer with one JSON object and nothing else (STRICT JSON, no comments):

{{"claims": [{{"id": "claim_1", "verdict": "Verified|Refuted|Incomplete|Misleading|Stale|Ambiguous|Inconclusive", "confidence": 85, \
"reason": "One sentence.", "evidence": [{{"path": "src/app.py", "line": 12, "quote": "return None", "stance": "supporting|contradicting|contextual"}}], \
"would_settle": "", "flags": []}}]}}

- claims: one entry for every claim, under the id it was given.
- confidence: 0-100, how sure the lines you cite make you.
- reason: what the code does, at most 40 words.
- evidence: one to four lines of code that the verdict rests on. path as the excerpt's heading gives it, line as the number in front of it, quote \
copied from that line exactly, without the number. stance: whether that line speaks for the claim, against it, or neither. A quote that is not found at its \
line is thrown away, and a verdict without evidence does not count.
- would_settle: for Inconclusive and Ambiguous, what would decide it: the function to read, the test to run.
- flags: beside the verdict, only where it applies: {{"flag": "Jargon-heavy", "why": "the terms that stay unexplained, and plain words for them"}} for \
words that the document's readers can't be expected to know; {{"flag": "Extraneous", "why": "what it repeats"}} for a claim that adds nothing to what stands \
beside it."""

LOOK_FOR: Mapping[str, str] = {
    ClaimDomain.SECURITY: "where outside data comes in, which checks it passes, and on which path it gets round them.",
    ClaimDomain.CORRECTNESS: "every branch and early exit: what is returned or raised on each, and under which condition.",
    ClaimDomain.PERFORMANCE: "loops, repeated work, caches and what is kept in memory; how fast it is only a run can show.",
    ClaimDomain.CONCURRENCY: "state that is shared, what guards it, and every access that is not guarded.",
    ClaimDomain.DOCUMENTATION: "whether what the document describes is what a reader will find.",
    ClaimDomain.HISTORY: "marks of change: deprecations, versions, what was replaced by what.",
    ClaimDomain.CONFIGURATION: "where a setting is read, what it falls back to, and what overrides it.",
}
"""By domain; a domain that is not listed has no hint."""


class ShownCode(NamedTuple):
    """Consecutive lines of one file."""

    path: str
    first: int
    """The number of its first line, from 1."""
    lines: tuple[str, ...]


class ShownClaim(NamedTuple):
    """A claim with its place in the document, and where the code it is about is shown."""

    label: str
    """The id that the answer must use for it."""
    claim: DocClaim
    document_lines: str
    places: tuple[str, ...]
    """`src/app.py:10-24`; with a note if the rest of the code is not shown."""


def code_prompt(
    domain: str,
    claims: Sequence[ShownClaim],
    code: Sequence[ShownCode],
    *,
    sampling: Sampling | None = None,
) -> Prompt:
    """The prompt that asks the agent of a domain for a verdict on each of the claims, based on the code shown."""
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
        # A form feed in the middle of a line would start another line, without a number.
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
