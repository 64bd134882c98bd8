"""Text from outside, put into a prompt as data that can't pass for anything else.

It stands between two marks that carry a key. The key is made from the text itself and does not occur in it, so
nothing inside can close the fence, and the same text always gives the same prompt (providers cache by prefix).
Inside, whatever could be taken for our marks, for another speaker or for an answer in our formats is disarmed:

- format signs that show nothing or turn the writing direction are left out; those that shape what is shown
  (joiners, variation selectors) stay where they do so, and go where they could only hide something;
- marks like ours and the special tokens of chat models are broken up;
- lines that begin like a speaker's turn or like a verdict get a `> ` in front, so that a model which repeats
  them repeats a quotation, and our parsers pass over it.
"""

import hashlib
import re
import unicodedata

_LINE_END = re.compile(r"\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_LEFT_OUT = (
    dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), None)
    | dict.fromkeys((0xAD, 0x34F, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F)), None)
    | dict.fromkeys((*range(0x2060, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0100)), None)
    | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    | {0x09: "\t", 0x0A: "\n"}
)
_SHAPING = re.compile(r"[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]+")
_MOST_SHAPING = 2
"""A variation selector and a joiner, as in some emoji."""
_MARK = re.compile(r"<{3,}|>{3,}")
_TOKEN = re.compile(
    r"(?P<open>[<◁])(?=[|｜]|/?(?:s|bos|eos|system|user|assistant|(?:seed:|ant:?)?think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis|"
    r"(?:final[_ -]?)?answer|final|output|response|result|tool_call|start_of_turn|end_of_turn)[>▷]|<SYS>|br\s{0,3}/?>)"
    r"|(?P<bracket>\[)(?=/?(?:INST|THINK|SYSTEM_PROMPT|AVAILABLE_TOOLS)\])",
    re.IGNORECASE,
)
_ACTING_LINE = re.compile(
    r"^(?=(?:[^\S\n]|[#*_`~+•‣◦▪·-]){0,20}(?:[0-9]{1,4}[.)]\s{1,3})?[*_`]{0,3}"
    r"(?:verification\b|extraction summary|(?:final )?verdict\W|(?:final|revised|corrected) (?:answer|output|response)|"
    r"(?:verified|disputed|unverifiable)(?: claims?)?[*_\s]{0,4}(?:[:：]|$)|claim[\s_#-]{0,3}[0-9]|"
    r"(?:system|assistant|user|human|developer|instructions?)[*_`\s]{0,3}[:：]))",
    re.IGNORECASE | re.MULTILINE,
)


def fenced(name: str, text: str) -> str:
    """Outside text as data called `name`; ordinary prose stays as it is, but for the form of its line ends."""
    return enclosed(name, _ACTING_LINE.sub("> ", _disarmed(text)))


def enclosed(name: str, data: str) -> str:
    """Lines of ours, in which outside text stands `on_one_line`, as data called `name`."""
    key = _key(data)
    return f"<<<{name} {key}>>>\n{data}\n<<<END {name} {key}>>>"


def on_one_line(text: str, longest: int | None = None) -> str:
    """Outside text for a place behind a label of ours: it can't begin a line, so it can't write a label."""
    line = " ".join(_disarmed(text).split())
    return line if longest is None or len(line) <= longest else f"{line[:longest].rstrip()} …"


def _disarmed(text: str) -> str:
    plain = _LINE_END.sub("\n", text).translate(_LEFT_OUT)
    plain = _SHAPING.sub(_where_it_shapes, plain)
    plain = _MARK.sub(lambda match: ("‹" if match[0][0] == "<" else "›") * len(match[0]), plain)
    return _TOKEN.sub(lambda match: f"{match[0]} ", plain)


def _where_it_shapes(match: re.Match[str]) -> str:
    """Persian, Indic scripts and emoji need these signs behind a letter or symbol of theirs. Marks and labels
    are ASCII: between, before or behind such letters they do nothing but hide them."""
    before = match.string[match.start() - 1 : match.start()]
    behind = match.string[match.end() : match.end() + 1]
    shapes = not before.isascii() and unicodedata.category(before)[0] in "LMS"
    hides = behind.isascii() and (behind.isalnum() or behind in tuple("<>[]|#*_`"))
    return match[0] if shapes and not hides and len(match[0]) <= _MOST_SHAPING else ""


def _key(data: str) -> str:
    """Derived from `data`, and not in it."""
    digest = hashlib.sha256(data.encode())
    while (key := digest.hexdigest()[:10]) in data:
        digest.update(key.encode())
    return key
