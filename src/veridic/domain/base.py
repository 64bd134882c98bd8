"""The base class of the data model: frozen, strict about its fields, comparable by value."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable value. To change a field, make a copy with `model_copy(update=...)`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
