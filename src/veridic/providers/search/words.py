"""Words on their way to a search engine, and on their way back: cleaned, cut, and free of commands."""

import html
import re

_INVISIBLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""Control characters other than tab and line end, halves of characters, and what reverses the reading direction."""
_MARK_UP = re.compile(r"</?(?:b|em|i|mark|span|strong)\b[^<>]*>", re.IGNORECASE)
_OPERATORS = re.compile(r"[\"“”„«»()\[\]{}<>|~*^\\/=&]+|(?<!\d):|:(?!\d)")
_LEADING = "!-+:@#?$%."
"""What turns the word that follows into a command: `!g`, `-word`, `:fr`."""
_CONNECTIVES = frozenset({"AND", "OR", "NOT", "NEAR"})


def clean(text: str) -> str:
    """The text with its lines and nothing in it that can't be seen and changes what is."""
    return _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """Clean, and with single spaces only."""
    return " ".join(clean(text).split())


def without_markup(text: str) -> str:
    """A snippet without the tags that mark the words that were found."""
    return html.unescape(_MARK_UP.sub("", text))


def cut(text: str, characters: int, words: int | None = None) -> str:
    """At most so many characters and words, ending with a whole word where there is one."""
    if words is not None:
        text = " ".join(text.split(" ")[:words])
    if len(text) <= characters:
        return text
    return text[: characters + 1].rpartition(" ")[0] or text[:characters]


def plain_words(text: str) -> str:
    """The text as words to be looked for: quotes, operators and engines' commands in it have no effect."""
    words = (word.lstrip(_LEADING) for word in _OPERATORS.sub(" ", one_line(text)).split())
    return " ".join(word.lower() if word in _CONNECTIVES else word for word in words if word)


def site_operators(include: tuple[str, ...], exclude: tuple[str, ...]) -> str:
    """The domains as most engines want them to stand in a query."""
    wanted = " OR ".join(f"site:{domain}" for domain in include)
    unwanted = " ".join(f"-site:{domain}" for domain in exclude)
    return f"{f'({wanted})' if len(include) > 1 else wanted} {unwanted}".strip()
