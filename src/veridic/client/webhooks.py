"""For receivers of webhooks: checks the signature, and reads what was sent."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from veridic.client.errors import ClientError
from veridic.runtime.webhook_signature import HEADER, is_signed

__all__ = ["HEADER", "EndedRun", "ForgedWebhookError", "Webhook", "read_webhook"]


class ForgedWebhookError(ClientError):
    """It is not from the server that has the secret, was changed on its way, or is too old."""


class EndedRun(BaseModel):
    """A run that has ended. Its title, source and error are text from outside."""

    model_config = ConfigDict(frozen=True)

    id: str
    created_at: datetime
    state: Literal["completed", "failed"]
    mode: str
    engine: str
    title: str | None
    source: str
    verdict: str | None
    credibility_score: int | None
    claims: int
    error: str | None


class Webhook(BaseModel):
    """What was sent. `delivery` is the same when it is sent again; `report` is a path on the server."""

    model_config = ConfigDict(frozen=True)

    event: Literal["run.completed", "run.failed"]
    delivery: str
    run: EndedRun
    report: str


def read_webhook(body: bytes, signature: str, secret: str) -> Webhook:
    """Return what the body says. `signature` is the header `HEADER`; raises `ForgedWebhookError` if it doesn't sign the body."""
    if not is_signed(body, signature, secret):
        raise ForgedWebhookError("The webhook is not signed with this secret, or it is too old.")
    try:
        return Webhook.model_validate_json(body)
    except ValidationError:
        raise ClientError(
            "The webhook was sent by another version of Veridic and can't be read by this one."
        ) from None
