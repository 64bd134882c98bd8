"""What a claim's text holds that its type, its risk and its worth depend on, found once."""

import re
from typing import NamedTuple

from veridic.text.dates import find_dates
from veridic.text.names import find_names
from veridic.text.numbers import find_quantities

_YEAR = re.compile(r"\A(?:1[0-9]{3}|20[0-9]{2})\Z")


class Features(NamedTuple):
    text: str
    has_figure: bool
    """It gives a quantity that is not (part of) a date."""
    has_date: bool
    names: int


def find_features(text: str) -> Features:
    """Figures, dates and names of a claim's text."""
    dates = [mention.span for mention in find_dates(text)]
    has_figure = any(
        not any(start < quantity.span[1] and quantity.span[0] < end for start, end in dates)
        and not _YEAR.match(text[slice(*quantity.span)].strip())
        for quantity in find_quantities(text)
    )
    return Features(text, has_figure, bool(dates), len(find_names(text)))
