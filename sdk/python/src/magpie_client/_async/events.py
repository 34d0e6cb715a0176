import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, cast

import httpx
from httpx_sse import EventSource, SSEError

from .._errors import EventGap, MagpieError, error_of
from .._pause import async_pause
from .._request import backoff
from ..models import Event

FINAL = ("unauthorized", "forbidden", "validation_failed", "not_found")
"""What ends a stream for good: another attempt would end the same way."""
SILENCE = 62.5
"""Seconds without a byte after which a stream is broken: two of the service's heartbeats, and some."""


async def follow_events(
    http: httpx.AsyncClient, after: int | None, silence: float
) -> AsyncGenerator[Event, None]:
    """The events of a key, without end. A broken stream is opened again after the last event."""
    position = after
    failures = 0
    while True:
        asked: float | None = None
        try:
            async with aclosing(_stream(http, position, silence)) as messages:
                async for kind, content in messages:
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
        await async_pause(backoff(failures) if asked is None else asked)
        failures += 1


async def _stream(
    http: httpx.AsyncClient, after: int | None, silence: float
) -> AsyncGenerator[tuple[str, dict[str, Any]], None]:
    query = {} if after is None else {"after": after}
    timeout = httpx.Timeout(silence)
    accept = {"accept": "text/event-stream"}
    async with http.stream("GET", "/stream/sse", params=query, headers=accept, timeout=timeout) as response:
        if not response.is_success:
            await response.aread()
            raise _refusal(response, after)
        async for message in EventSource(response).aiter_sse():
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
