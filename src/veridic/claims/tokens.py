"""Tokens of an English sentence, and the closed classes of words that give it its shape."""

import re
from typing import NamedTuple


class Token(NamedTuple):
    text: str
    low: str
    """Lower case, with straight apostrophes."""
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        return self.text[0].isalpha()

    @property
    def is_number(self) -> bool:
        return self.text[0].isdigit()

    @property
    def is_capitalised(self) -> bool:
        return self.text[0].isupper()


_TOKEN = re.compile(
    r"[^\W\d_]+(?:\.[^\W\d_]\b\.?)+|[^\W\d_](?:['’\-]?[^\W_])*|\d(?:[\d,.]*\d)?(?:[^\W\d_]+)?|\S"
)

DETERMINERS = frozenset(
    "the a an this that these those its his her their our my your some any no each every all both many most several "
    "few another such either neither".split()
)
PREPOSITIONS = frozenset(
    "about above across after against along among amid around as at before behind below beneath beside between beyond by "
    "despite down during except for from in inside into like near of off on onto out outside over past per since "
    "through throughout to toward towards under until up upon via with within without".split()
)
PRONOUNS = frozenset("i you he she it we they who which that there this these those".split())
SUBORDINATORS = frozenset(
    "that which who whom whose where when if because although though since unless until whether while whereas "
    "than as how what why after before so once".split()
)
RELATIVES = frozenset("which who whose whom where".split())
ADVERBS = frozenset(
    "also then later now still soon again never always often usually currently subsequently eventually finally only not "
    "even already ever once just mostly mainly largely nearly almost formerly originally officially recently rapidly "
    "sharply slightly steadily briefly first long thus therefore however together both each all normally".split()
)
NUMBER_WORDS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million "
    "billion half about around approximately roughly nearly almost over under".split()
)


def tokenize(text: str) -> list[Token]:
    """Words, numbers and single marks, with their places in `text`."""
    return [
        Token(match[0], match[0].lower().replace("’", "'"), match.start(), match.end())
        for match in _TOKEN.finditer(text)
    ]


def is_adverb(token: Token) -> bool:
    return token.low in ADVERBS or (
        token.low.endswith("ly") and len(token.low) > 4 and not token.is_capitalised
    )


def opens_noun_phrase(token: Token) -> bool:
    """Whether a noun phrase may begin here: "the", a name, a figure."""
    return (
        token.low in DETERMINERS
        or token.is_number
        or token.low in NUMBER_WORDS
        or token.text in "$€£¥"
        or (token.is_word and token.is_capitalised)
    )
