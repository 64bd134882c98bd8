"""Puts text from outside into a prompt as data that can't be mistaken for instructions or answers.

The text stands between two marks with a key. The key is derived from the text and doesn't occur in it, so that nothing inside
can close the fence, and the same text always gives the same prompt (providers cache by prefix). Inside, everything that could
be taken for our marks, for another speaker or for an answer in our formats is neutralized:

- invisible format characters and those that change the writing direction are removed; those that shape visible characters
  (joiners, variation selectors) stay where they do so, and are removed where they could only hide something;
- marks like ours and the special tokens of chat models are broken up;
- lines that begin like a speaker's turn or a verdict get a `> ` in front. If a model repeats them, our parsers skip them
  as quotations.
"""

import hashlib
import re
import unicodedata

_LINE_END = re.compile(r"\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_REMOVED_CHARACTERS = (
    dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), None)
    | dict.fromkeys((0xAD, 0x34F, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F)), None)
    | dict.fromkeys((*range(0x2060, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0100)), None)
    | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    | {0x09: "\t", 0x0A: "\n"}
)
_SHAPING = re.compile(r"[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]+")
_MAX_SHAPING = 2
"""A variation selector and a joiner, as in some emoji."""
_MARK = re.compile(r"<{3,}|>{3,}")
_TOKEN = re.compile(
    r"(?P<open>[<◁])(?=[|｜]|/?(?:s|bos|eos|system|user|assistant|(?:seed:|ant:?)?think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis|"
    r"(?:final[_ -]?)?answer|final|output|response|result|tool_call|start_of_turn|end_of_turn)[>▷]|<SYS>|br\s{0,3}/?>)"
    r"|(?P<bracket>\[)(?=/?(?:INST|THINK|SYSTEM_PROMPT|AVAILABLE_TOOLS)\])",
    re.IGNORECASE,
)
_SPEAKER_OR_VERDICT_LINE = re.compile(
    r"^(?=(?:[^\S\n]|[#*_`~+•‣◦▪·-]){0,20}(?:[0-9]{1,4}[.)]\s{1,3})?[*_`]{0,3}"
    r"(?:verification\b|extraction summary|(?:final )?verdict\W|(?:final|revised|corrected) (?:answer|output|response)|"
    r"(?:verified|disputed|unverifiable)(?: claims?)?[*_\s]{0,4}(?:[:：]|$)|claim[\s_#-]{0,3}[0-9]|"
    r"(?:system|assistant|user|human|developer|instructions?)[*_`\s]{0,3}[:：]))",
    re.IGNORECASE | re.MULTILINE,
)


def fenced(name: str, text: str) -> str:
    """Fence a text from outside as data called `name`. Ordinary prose is unchanged, except for its line ends."""
    return enclosed(name, _SPEAKER_OR_VERDICT_LINE.sub("> ", _neutralized(text)))


def enclosed(name: str, data: str) -> str:
    """Fence our own lines, which contain outside text only through `on_one_line`, as data called `name`."""
    key = _key(data)
    return f"<<<{name} {key}>>>\n{data}\n<<<END {name} {key}>>>"


def on_one_line(text: str, longest: int | None = None) -> str:
    """Put outside text on one line, for use after one of our labels: it can't start a line, so it can't fake a label."""
    line = " ".join(_neutralized(text).split())
    return line if longest is None or len(line) <= longest else f"{line[:longest].rstrip()} …"


def _neutralized(text: str) -> str:
    plain = _LINE_END.sub("\n", text).translate(_REMOVED_CHARACTERS)
    plain = _SHAPING.sub(_keep_if_shaping, plain)
    plain = _MARK.sub(lambda match: ("‹" if match[0][0] == "<" else "›") * len(match[0]), plain)
    return _TOKEN.sub(lambda match: f"{match[0]} ", plain)


def _keep_if_shaping(match: re.Match[str]) -> str:
    """Keep shaping characters after a letter or symbol that needs them (Persian, Indic scripts, emoji). Next to ASCII, which our
    marks and labels consist of, they can only hide something."""
    before = match.string[match.start() - 1 : match.start()]
    after = match.string[match.end() : match.end() + 1]
    shapes = not before.isascii() and unicodedata.category(before)[0] in "LMS"
    hides = after.isascii() and (after.isalnum() or after in tuple("<>[]|#*_`"))
    return match[0] if shapes and not hides and len(match[0]) <= _MAX_SHAPING else ""


def _key(data: str) -> str:
    """Derive a key from `data` that doesn't occur in it."""
    digest = hashlib.sha256(data.encode())
    while (key := digest.hexdigest()[:10]) in data:
        digest.update(key.encode())
    return key
