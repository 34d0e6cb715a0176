import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from ._answer import Answer
from ._errors import WebhookVerificationError
from .models import Event, EventBatch, JobNotice


WebhookBody: TypeAlias = Event | EventBatch | JobNotice
"""What a webhook receives."""


def verify_webhook(
    secret: str | Sequence[str],
    headers: Mapping[str, str],
    body: bytes | str,
    *,
    tolerance: float = 300,
) -> WebhookBody:
    """Verify a delivery by Standard Webhooks 1.0, and return its body.

    `body` is the body as it arrived. Several secrets may be given while one is being replaced. `tolerance` is how many
    seconds the timestamp may be off. Raises WebhookVerificationError for everything else.
    """
    given = {name.lower(): value for name, value in headers.items()}
    missing = [
        name for name in ("webhook-id", "webhook-timestamp", "webhook-signature") if not given.get(name)
    ]
    if missing:
        raise WebhookVerificationError(f"The delivery has no header `{missing[0]}`.")
    id, timestamp = given["webhook-id"], given["webhook-timestamp"]
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookVerificationError("The delivery is too old, or its timestamp is not one.")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{id}.{timestamp}.".encode() + content
    signatures = [each.encode() for each in given["webhook-signature"].split()]
    secrets = [secret] if isinstance(secret, str) else secret
    if not any(_is_signed_by(each, signed, signatures) for each in secrets):
        raise WebhookVerificationError("No signature of the delivery is right.")
    try:
        return cast(WebhookBody, json.loads(content, object_hook=Answer))
    except ValueError as error:
        raise WebhookVerificationError("The body of the delivery is not JSON.") from error


def _is_signed_by(secret: str, signed: bytes, signatures: list[bytes]) -> bool:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as error:
        raise ValueError("The secret of a webhook is `whsec_` and base64.") from error
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return any(hmac.compare_digest(expected, each) for each in signatures)
