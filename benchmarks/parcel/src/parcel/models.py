"""What a parcel can be."""

from dataclasses import dataclass
from enum import Enum


class Status(Enum):
    PENDING = "pending"
    SHIPPED = "shipped"
    DELIVERED = "delivered"
    LOST = "lost"


FORMATS = ("text", "json", "csv")


@dataclass
class Parcel:
    number: str
    weight_grams: int = 500
    insured: bool = False
    status: Status = Status.PENDING


def price(parcel, express=False, currency="EUR"):
    """The price of sending a parcel.

    Args:
        parcel: What is sent.
        express: Whether it goes overnight.
        currency: ISO code; defaults to "EUR".

    Returns:
        The price as a float.
    """
    base = 4.5 if parcel.weight_grams <= 1000 else 9.0
    return float(base * (2 if express else 1))
