"""The base of every noun: frozen, strict about its fields, comparable by value."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value. Change one with `model_copy(update=...)`, never in place."""

    model_config = ConfigDict(frozen=True, extra="forbid")
