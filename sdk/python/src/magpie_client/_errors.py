import json
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import httpx


class MagpieError(Exception):
    """The service refused a request, or could not do it. Branch on `code`."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        super().__init__(body.get("message") or f"The service answered {status} without saying why.")
        self.status = status
        """The HTTP status."""
        self.code = str(body.get("code") or f"http_{status}")
        self.request_id: str | None = body.get("request_id")
        """Identifies the request in the service's log."""
        self.retry_after: float | None = body.get("retry_after")
        """Seconds to wait before the request may succeed."""
        self.details: list[dict[str, str]] = body.get("details") or []
        """The refused parameters, of `validation_failed`: `field`, `code` and `message` of each."""
        self.scrape_id: str | None = body.get("scrape_id")
        """Of `scrape_timeout`: the scrape that continues."""
        self.body = dict(body)
        """The whole body, with what only some codes carry."""


class MagpieConnectionError(Exception):
    """No answer arrived: the service cannot be reached, or took too long. `__cause__` is the error of httpx."""


class EventGap(Exception):
    """Events after `after` are kept no longer. Continue at `oldest_seq - 1` to take what is left."""

    def __init__(self, after: int, oldest_seq: int) -> None:
        super().__init__(
            f"The events {after + 1} to {oldest_seq - 1} are kept no longer; the oldest is {oldest_seq}."
        )
        self.after = after
        self.oldest_seq = oldest_seq


class JobFailed(Exception):
    """A scrape, crawl or batch ended as failed. `code` says why."""

    def __init__(self, id: str, error: Mapping[str, Any] | None) -> None:
        stated = error or {}
        super().__init__(stated.get("message") or f"The job {id} failed.")
        self.id = id
        self.code = str(stated.get("code") or "internal_error")


class WebhookVerificationError(Exception):
    """The request is not a delivery that this secret signed, or it is an old one sent again."""


def error_of(response: httpx.Response) -> MagpieError:
    """The error of an answer whose body was read; a proxy's body has not the service's form."""
    try:
        stated = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        stated = None
    own = {"request_id": response.headers.get("x-request-id"), "retry_after": retry_after_of(response)}
    return MagpieError(response.status_code, {**own, **(stated if isinstance(stated, dict) else {})})


def retry_after_of(response: httpx.Response) -> float | None:
    """The seconds of `Retry-After`; proxies send a date, too."""
    value = response.headers.get("retry-after", "")
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None
