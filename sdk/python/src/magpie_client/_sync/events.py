# Written by generate.py from the asynchronous client: change that.
import json
from collections.abc import Generator
from contextlib import closing
from typing import Any, cast

import httpx
from httpx_sse import EventSource, SSEError

from .._errors import EventGap, MagpieError, error_of
from .._pause import pause
from .._request import backoff
from ..models import Event

FINAL = ("unauthorized", "forbidden", "validation_failed", "not_found")
"""What ends a stream for good: another attempt would end the same way."""
SILENCE = 62.5
"""Seconds without a byte after which a stream is broken: two of the service's heartbeats, and some."""


def follow_events(http: httpx.Client, after: int | None, silence: float) -> Generator[Event, None]:
    """The events of a key, without end. A broken stream is opened again after the last event."""
    position = after
    failures = 0
    while True:
        asked: float | None = None
        try:
            with closing(_stream(http, position, silence)) as messages:
                for kind, content in messages:
                    failures = 0
                    if kind == "error":
                        raise _end_of(content, position)
                    if kind == "hello":
                        # A stream without a position is live from here on, and resumes here.
                        position = content["seq"] if position is None else position
                    else:
                        position = content["seq"]
                        yield cast(Event, content)
        except MagpieError as error:
            if error.code in FINAL:
                raise
            asked = error.retry_after
        except (httpx.TransportError, SSEError):
            pass
        pause(backoff(failures) if asked is None else asked)
        failures += 1


def _stream(
    http: httpx.Client, after: int | None, silence: float
) -> Generator[tuple[str, dict[str, Any]], None]:
    query = {} if after is None else {"after": after}
    timeout = httpx.Timeout(silence)
    accept = {"accept": "text/event-stream"}
    with http.stream("GET", "/stream/sse", params=query, headers=accept, timeout=timeout) as response:
        if not response.is_success:
            response.read()
            raise _refusal(response, after)
        for message in EventSource(response).iter_sse():
            yield message.event, json.loads(message.data)


def _refusal(response: httpx.Response, after: int | None) -> Exception:
    error = error_of(response)
    oldest = error.body.get("oldest_seq")
    return EventGap(after or 0, oldest) if response.status_code == 410 and oldest is not None else error


def _end_of(frame: dict[str, Any], after: int | None) -> Exception:
    """The error of a stream's last message."""
    if frame["code"] == "cursor_too_old":
        return EventGap(after or 0, frame.get("oldest_seq", 0))
    return MagpieError(401 if frame["code"] == "unauthorized" else 503, frame)
