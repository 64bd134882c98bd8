"""Recognises what a piece of code in prose names by its form: a flag, a variable, a call, a path, a route, a dotted name."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from veridic.domain.code import Entity, EntityKind
from veridic.text.markdown import code_spans, links

_FLAG = r"--?[A-Za-z][\w-]*(?:\.[\w-]+)*"
FLAG = re.compile(rf"(?<![\w/.$=-]){_FLAG}(?![\w/])")
_FLAGS_ONLY = re.compile(
    rf"^{_FLAG}(?:\s*[,/|]\s*{_FLAG}|\s+or\s+{_FLAG}|[ =]\[?=?[<\[{{(]?[A-Za-z][\w.|,:-]*[>\]}})]?(?:\.\.\.)?)*$"
)
_FLAG_VALUE = re.compile(rf"^({_FLAG})=(\"[^\"]*\"|'[^']*'|[^\s<>\[\]{{}}]+)$")
_ENVIRONMENT = re.compile(r"^\$?\{?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\}?(?:=.*)?$")
_DOLLAR = re.compile(r"^\$\{?([A-Z][A-Z0-9_]{2,})\}?$")
_ROUTE = re.compile(r"^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+(/\S*)$")
_CALL = re.compile(
    r"^(?:await\s+|new\s+|@)?([A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*)!?\((.*)\)[;:]?$"
)
_DOTTED = re.compile(r"^@?[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)+$")
_IDENTIFIER = re.compile(r"^@?[A-Za-z_$][\w$-]*$")
_SHAPED = re.compile(r"[a-z0-9][A-Z]|[A-Z][a-z]+[A-Z]|\w_\w")
_FILE = re.compile(
    r"^[\w.@~*-]+\.(?:py|pyi|js|mjs|cjs|jsx|ts|mts|tsx|go|rs|java|kt|kts|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|lua|sh|bash|zsh|fish|ps1|bat|md|mdx|rst|txt|adoc|"
    r"json|jsonc|json5|yaml|yml|toml|ini|cfg|conf|properties|xml|html|css|svg|png|gif|jpg|lock|env|sql|csv|log|gradle|mod|sum|exe|deb|rpm|zip|tar|gz|jar|whl)$"
)
_PATH = re.compile(
    r"^(?:\.{1,2}/|~/|/|\$\w+/)?(?:[\w.@*{}<>%+-]+/)+[\w.@*{}<>%+-]*$|^(?:\.{1,2}/|~/)[\w.-]+$"
)
_KEY_VALUE = re.compile(r"^[\"']?([A-Za-z_][\w.-]*)[\"']?\s*[:=]\s*(\S.{0,80})$")
_LITERAL = re.compile(
    r"^(?:[-+]?\d[\d_.,]*\s?\w{0,12}|v?\d+(?:\.\d+)+\S*|true|false|null|none|nil|undefined|yes|no|on|off|[\"'].*[\"']|[^\w\s]+)$", re.IGNORECASE
)  # fmt: skip
_BARE = re.compile(
    rf"(?<![\w/.$=`\[(-]){_FLAG}(?![\w/`])|\$\{{?[A-Z][A-Z0-9_]{{2,}}\}}?|(?<![\w.$/-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w(])"
)
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_LONGEST = 160
LONGEST_TEXT = 4_000
"""Longer sentences are data."""


class Name(NamedTuple):
    """A name and its place in a text."""

    entity: Entity
    start: int
    end: int
    is_formal: bool
    """Its form shows that it is a name in code; `foo` could be any word."""
    value: str = ""
    """The value it is given there: `none` in `--shell=none`."""
    parameters: str | None = None
    """The text between the brackets of a call."""


def names_in(text: str, *, is_environment: bool = False) -> list[Name]:
    """The names of a plain line, in order; with `is_environment`, names in capitals are variables."""
    found: list[Name] = []
    if len(text) > LONGEST_TEXT:
        return found
    spans = code_spans(text)
    for start, end in spans:
        name = name_of(text[start:end], is_environment=is_environment)
        if name:
            found.append(name._replace(start=name.start + start, end=name.end + start))
    if "-" in text or "$" in text or "_" in text:
        taken = [*spans, *((link.end - len(link.target) - 3, link.end) for link in links(text))]
        for match in _BARE.finditer(text):
            if not any(start - 1 <= match.start() < end + 1 for start, end in taken):
                name = name_of(match[0], is_environment=is_environment)
                if name and (not match[0].startswith("-") or len(match[0]) > 2 or _is_alone(text, match)):
                    found.append(name._replace(start=match.start(), end=match.end()))
    found.sort(key=lambda name: name.start)
    return found


def name_of(code: str, *, is_environment: bool = False) -> Name | None:
    """The name in one code span; None for literals, placeholders and whole lines of code."""
    code = code.strip()
    if not code or len(code) > _LONGEST or "\n" in code:
        return None
    kind = EntityKind.ENVIRONMENT if is_environment else EntityKind.CONSTANT

    def made(kind: EntityKind, name: str, *, formal: bool = True, value: str = "") -> Name:
        return Name(Entity(kind=kind, name=name), 0, len(code), formal, value)

    if code.startswith("-"):
        return _flag(code)
    if route := _ROUTE.match(code):
        return made(EntityKind.ENDPOINT, f"{route[1]} {route[2]}")
    if variable := _DOLLAR.match(code) or _ENVIRONMENT.match(code):
        is_set = code.startswith("$") or "=" in code
        return made(EntityKind.ENVIRONMENT if is_set else kind, variable[1], value=code.partition("=")[2])
    if call := _CALL.match(code):
        return made(EntityKind.FUNCTION, _dotted(call[1]))._replace(parameters=call[2])
    if _LITERAL.match(code) or code in _METHODS:
        return None
    if _FILE.match(code) or _PATH.match(code):
        return made(EntityKind.PATH, code, formal="/" in code.rstrip("/"))
    if _DOTTED.match(code):
        return made(EntityKind.SYMBOL, _dotted(code.lstrip("@")))
    if _IDENTIFIER.match(code):
        return made(EntityKind.SYMBOL, code.lstrip("@"), formal=bool(_SHAPED.search(code)))
    pair = None if "://" in code else _KEY_VALUE.match(code)
    return made(EntityKind.SETTING, pair[1], value=pair[2]) if pair else None


def is_literal(text: str) -> bool:
    """Whether it is a number, a version, a quoted text or a truth value."""
    return bool(_LITERAL.match(text.strip()))


def parameters_of(inside: str) -> tuple[str, ...] | None:
    """The parameters of a documented call, `name=value` for one with a default; None unless all of them are names."""
    if not inside.strip():
        return ()
    found: list[str] = []
    for part in _split(inside.replace("[", " ").replace("]", " ")):
        plain = part.strip()
        match = re.match(
            r"^(\*{0,2}|\.{3}|&)?([A-Za-z_$][\w$]*)\??(?:\s*:\s*([^=]+?))?(?:\s*=\s*(\S.*))?(?:\.{3})?$",
            plain,
        )
        if plain in ("*", "/", "...", "…", ""):
            continue
        if match is None:
            return None
        found.append((match[1] or "") + match[2] + (f"={match[4]}" if match[4] else ""))
    return tuple(found)


def _split(text: str) -> Iterator[str]:
    depth, start = 0, 0
    for at, character in enumerate(text):
        depth += (character in "({<") - (character in ")}>")
        if character == "," and depth <= 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _flag(code: str) -> Name | None:
    if valued := _FLAG_VALUE.match(code):
        return Name(Entity(kind=EntityKind.FLAG, name=valued[1]), 0, len(code), True, valued[2].strip("\"'"))
    if not _FLAGS_ONLY.match(code):
        first = FLAG.match(code)
        # `--flag value`: what follows is its value.
        if first is None or "--" in code[first.end() :] or len(code.split()) > 4:
            return None
        return Name(Entity(kind=EntityKind.FLAG, name=first[0]), 0, first.end(), True)
    flags = re.findall(rf"(?<![\w-]){_FLAG}", code)
    return Name(Entity(kind=EntityKind.FLAG, name=max(flags, key=len)), 0, len(code), True) if flags else None


def _is_alone(text: str, match: re.Match[str]) -> bool:
    """Whether a short flag such as `-v` is among words, and not a minus sign in a sum."""
    return (
        text[match.end() : match.end() + 1] in ("", " ", ",", ".", "/", ")", ":", "`")
        and match[0][1].isalpha()
    )


def _dotted(name: str) -> str:
    return re.sub(r"::|#|->", ".", name)
