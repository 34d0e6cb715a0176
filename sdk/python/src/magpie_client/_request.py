import random
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from ._errors import retry_after_of

FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
KEY_HEADER = "idempotency-key"
# A new password ends the session that asked for it, so that a repetition is refused though the change was made.
PASSWORD_PATH = "/session/password"

# A DELETE of a job cancels it, so a 404 is never what a first DELETE left behind.
JOB_PATH = re.compile(r"/(scrapes?|crawls?|batch)/[^/]+$")


@dataclass(frozen=True)
class RetryOptions:
    """How often a request is sent again, at most, and the longest wait before one, in seconds."""

    retries: int
    max_wait: float


def path_of(template: str, **names: str) -> str:
    """The path of an operation."""
    return re.sub(r"\{(\w+)\}", lambda found: quote(names[found[1]], safe=""), template)


def compact(query: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that are given."""
    return {name: value for name, value in query.items() if value is not None}


def job_headers(idempotency_key: str | None) -> dict[str, str]:
    """Without a key of the caller's own, one for this request and its repetitions."""
    return {KEY_HEADER: idempotency_key or str(uuid.uuid4())}


def file_of(file: str | PathLike[str] | bytes, name: str | None) -> tuple[str, bytes]:
    """A file as a part of a form. Without a name a path gives its own; a part without any would be no file."""
    if isinstance(file, bytes):
        return name or "document", file
    path = Path(file)
    return name or path.name, path.read_bytes()


def is_repeatable(request: httpx.Request) -> bool:
    """Whether a request that may have arrived can be sent again. With an idempotency key it is one job."""
    if request.url.path.endswith(PASSWORD_PATH):
        return False
    return request.method not in ("POST", "PATCH") or KEY_HEADER in request.headers


def deletes_thing(request: httpx.Request) -> bool:
    return request.method == "DELETE" and JOB_PATH.search(request.url.path) is None


def gone(request: httpx.Request) -> httpx.Response:
    """The answer to a DELETE that is repeated and finds nothing: the first one, whose answer was lost, did its work."""
    message = "It is gone: a first request, whose answer was lost, has deleted it."
    return httpx.Response(200, json={"message": message}, request=request)


def wait_after(response: httpx.Response, attempt: int) -> float | None:
    """The seconds before the request is sent again; None where the answer is to be taken as it is. A 429 began nothing."""
    status = response.status_code
    if status != 429 and not (status == 503 and is_repeatable(response.request)):
        return None
    asked = retry_after_of(response)
    return backoff(attempt) if asked is None else asked


def backoff(attempt: int) -> float:
    """Twice as long each time, and a random part, so that clients do not come back together."""
    return float(min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(attempt, 10)) * random.uniform(0.5, 1))
