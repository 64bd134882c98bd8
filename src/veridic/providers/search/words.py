"""Cleans and shortens text for search engines, and text that comes from them."""

import html
import re

_INVISIBLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""Control characters other than tab and line end, lone surrogates, and characters that reverse the reading direction."""
_HIGHLIGHT_TAGS = re.compile(r"</?(?:b|em|i|mark|span|strong)\b[^<>]*>", re.IGNORECASE)
_OPERATORS = re.compile(r"[\"“”„«»()\[\]{}<>|~*^\\/=&]+|(?<!\d):|:(?!\d)")
_COMMAND_PREFIXES = "!-+:@#?$%."
"""Characters that turn the next word into a command: `!g`, `-word`, `:fr`."""
_STOP_WORDS = frozenset(
    "a about after all also an and are as at been before but by for from had has have he her his if in into is it its "
    "more most no not of on one or our over she so than that the their there they this to was we were when which who "
    "will with".split()
)
_CONNECTIVES = frozenset({"AND", "OR", "NOT", "NEAR"})


def clean(text: str) -> str:
    """Remove invisible characters and normalize line ends."""
    return _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """Clean a text and collapse its whitespace to single spaces."""
    return " ".join(clean(text).split())


def without_markup(text: str) -> str:
    """Remove a snippet's highlighting tags and decode its HTML entities."""
    return html.unescape(_HIGHLIGHT_TAGS.sub("", text))


def cut(text: str, characters: int, words: int | None = None) -> str:
    """Cut a text to at most `characters` and `words`, at the end of a word if possible."""
    if words is not None:
        text = " ".join(text.split(" ")[:words])
    if len(text) <= characters:
        return text
    return text[: characters + 1].rpartition(" ")[0] or text[:characters]


def plain_words(text: str) -> str:
    """Return the text as search words: quotes, operators and commands lose their effect."""
    words = (word.lstrip(_COMMAND_PREFIXES) for word in _OPERATORS.sub(" ", one_line(text)).split())
    return " ".join(word.lower() if word in _CONNECTIVES else word for word in words if word)


def site_operators(include: tuple[str, ...], exclude: tuple[str, ...]) -> str:
    """Write the domains as `site:` operators."""
    wanted = " OR ".join(f"site:{domain}" for domain in include)
    unwanted = " ".join(f"-site:{domain}" for domain in exclude)
    return f"{f'({wanted})' if len(include) > 1 else wanted} {unwanted}".strip()


def keywords(text: str) -> list[str]:
    """Return a text's search words, each once, without common ones; all of them if there are no others."""
    words = list(dict.fromkeys(plain_words(text).split()))
    chosen = [word.strip(",;.!?'’") for word in words if _is_keyword(word)] or words
    return [word for word in chosen if word]


def any_keyword(text: str, characters: int) -> str:
    """Join a text's keywords with OR, for engines that otherwise require every word, common ones too."""
    return cut(" OR ".join(keywords(text)), characters).removesuffix(" OR")


def _is_keyword(word: str) -> bool:
    if word.lower() in _STOP_WORDS:
        return False
    return len(word) > 3 or not word.islower() or not word.isascii()
