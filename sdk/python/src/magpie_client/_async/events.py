import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, TypeAlias, cast

import httpx
from httpx_sse import EventSource, SSEError

from .._answer import Answer
from .._errors import EventGap, MagpieError, error_of
from .._pause import async_pause
from .._request import backoff
from ..models import Event

FINAL = ("unauthorized", "forbidden", "validation_failed", "not_found")
"""What ends a stream for good: another attempt would end the same way."""
SILENCE = 62.5
"""Seconds without a byte after which a stream is broken: two of the service's heartbeats, and some."""


MARGIN = 30.0
"""Seconds for the way of a request that waits at the service."""
EMPTY = 0.2
"""A wait that ends early, as when the service stops, is no reason to ask in a hurry."""

Step: TypeAlias = tuple[int, Event | None]
"""How far the reading has come, and the event that brought it there."""


async def follow_events(
    http: httpx.AsyncClient,
    after: int | None,
    silence: float,
    filters: Mapping[str, Sequence[str] | bool | str | None],
    wait: int,
    since: str | None = None,
) -> AsyncGenerator[Event, None]:
    """The events of a key, without end unless `filters` have `until`. What breaks off goes on after the last event."""
    wanted = {name: values_of(values) for name, values in filters.items() if values}
    position = after
    failures = 0
    while True:
        asked: float | None = None
        try:
            paged = bool(wanted) or since is not None
            steps = _pages(http, wanted, wait, position, silence, since) if paged else _messages(http, position, silence)
            async with aclosing(steps):
                async for seq, event in steps:
                    position = seq
                    failures = 0
                    if event is not None:
                        yield event
            if "until" in wanted:
                return
        except MagpieError as error:
            if error.code in FINAL:
                raise
            asked = error.retry_after
        except (httpx.TransportError, SSEError):
            pass
        await async_pause(backoff(failures) if asked is None else asked)
        failures += 1


def values_of(given: Sequence[str] | bool | str) -> list[str]:
    """A filter as a query has it."""
    if given is True:
        return ["true"]
    return [given] if isinstance(given, str) else list(cast(Sequence[str], given))


async def _messages(http: httpx.AsyncClient, after: int | None, silence: float) -> AsyncGenerator[Step, None]:
    """One connection to the stream."""
    position = after
    async with aclosing(_stream(http, after, silence)) as messages:
        async for kind, content in messages:
            if kind == "error":
                raise _end_of(content, position)
            if kind == "hello":
                # A stream without a position is live from here on, and resumes here.
                position = int(content["seq"]) if position is None else position
                yield position, None
            else:
                position = int(content["seq"])
                yield position, cast(Event, content)


async def _pages(
    http: httpx.AsyncClient,
    wanted: Mapping[str, list[str]],
    wait: int,
    after: int | None,
    silence: float,
    since: str | None,
) -> AsyncGenerator[Step, None]:
    """One request after the other; each waits at the service until there is an event that passes the filters.

    Without a position they begin at the time `since`, else with the oldest where they end at a time, else with what is new.
    """
    ends = "until" in wanted
    position = after
    if position is None and since is None and not ends:
        position = await _newest(http, silence)
        yield position, None
    while True:
        start = {"after": str(position)} if position is not None else {"since": since} if since else {}
        query = {**wanted, **start, "wait_seconds": "0" if ends else str(wait)}
        response = await http.get("/events", params=query, timeout=wait + MARGIN)
        if not response.is_success:
            raise _refusal(response, position or 0)
        page = response.json(object_hook=Answer)
        for event in page["data"]:
            yield event["seq"], cast(Event, event)
        position = int(page["next_after"])
        yield position, None
        if ends and not page["more"]:
            return
        if not page["data"]:
            await async_pause(EMPTY)


async def _newest(http: httpx.AsyncClient, silence: float) -> int:
    """Where the events end now, which a stream says at its beginning: the clocks of two machines differ."""
    async with aclosing(_messages(http, None, silence)) as steps:
        async for seq, _ in steps:
            return seq
    raise httpx.RemoteProtocolError("The stream ended before it began.")


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
            yield message.event, json.loads(message.data, object_hook=Answer)


def _refusal(response: httpx.Response, after: int | None) -> Exception:
    error = error_of(response)
    oldest = error.body.get("oldest_seq")
    return EventGap(after or 0, oldest) if response.status_code == 410 and oldest is not None else error


def _end_of(frame: dict[str, Any], after: int | None) -> Exception:
    """The error of a stream's last message."""
    if frame["code"] == "cursor_too_old":
        return EventGap(after or 0, frame.get("oldest_seq", 0))
    return MagpieError(401 if frame["code"] == "unauthorized" else 503, frame)
