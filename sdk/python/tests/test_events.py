import asyncio
import json
from typing import Any

import pytest
from fake_service import Answer, failure, fake_service, hang_up, stream

from magpie_client import AsyncMagpie, EventGap, Magpie, MagpieError


def hello(seq: int) -> str:
    return f"retry: 2000\nevent: hello\ndata: {json.dumps({'type': 'hello', 'seq': seq, 'heartbeat_ms': 25000})}\n\n"


def event(seq: int) -> str:
    return f"id: {seq}\ndata: {json.dumps({'id': f'evt_{seq}', 'type': 'webhook.test', 'seq': seq})}\n\n"


def last(code: str, **more: Any) -> str:
    return f"event: error\ndata: {json.dumps({'type': 'error', 'code': code, 'message': code, **more})}\n\n"


def follow(count: int, after: int | None, *answers: Answer, silence: float = 60) -> tuple[list[int], list[str]]:
    """The positions of the events until `count` have come, and the URLs that were asked for."""
    seqs = []
    with fake_service(*answers) as fake, Magpie(fake.url, "mk_test") as magpie:
        for each in magpie.events(after=after, silence=silence):
            seqs.append(each["seq"])
            if len(seqs) == count:
                break
        return seqs, [each.url for each in fake.asked]


def test_a_stream_that_breaks_is_resumed_after_its_last_event() -> None:
    first, second = stream(hello(2) + event(1) + event(2)), stream(hello(4) + event(3) + event(4))
    seqs, urls = follow(4, 0, first, hang_up, second)
    assert seqs == [1, 2, 3, 4]
    assert urls == ["/stream/sse?after=0", "/stream/sse?after=2", "/stream/sse?after=2"]


def test_a_live_stream_is_resumed_where_it_began() -> None:
    seqs, urls = follow(1, None, stream(hello(7)), stream(hello(8) + event(8)))
    assert (seqs, urls) == ([8], ["/stream/sse", "/stream/sse?after=7"])


def test_a_stream_that_falls_silent_is_opened_again() -> None:
    seqs, _ = follow(2, 0, stream(hello(1) + event(1), stays=30), stream(hello(2) + event(2)), silence=0.1)
    assert seqs == [1, 2]


def test_a_consumer_that_was_too_slow_goes_on_where_it_was() -> None:
    seqs, urls = follow(2, 0, stream(hello(2) + event(1) + last("too_slow")), stream(hello(2) + event(2)))
    assert (seqs, urls[1]) == ([1, 2], "/stream/sse?after=1")


def test_a_service_without_room_is_asked_again() -> None:
    seqs, _ = follow(1, 0, failure(503, "overloaded", {"retry-after": "0"}), stream(hello(1) + event(1)))
    assert seqs == [1]


GAPS = [
    failure(410, "expired", oldest_seq=40),
    stream(hello(50) + last("cursor_too_old", oldest_seq=40)),
]


@pytest.mark.parametrize("gap", GAPS, ids=["at the start", "on the way"])
def test_a_gap_is_an_error_with_the_place_to_continue(gap: Answer) -> None:
    with pytest.raises(EventGap) as caught:
        follow(1, 3, gap)
    assert (caught.value.after, caught.value.oldest_seq) == (3, 40)


@pytest.mark.parametrize("refusal", [failure(401, "unauthorized"), stream(hello(1) + last("unauthorized"))])
def test_a_key_that_is_refused_ends_the_stream(refusal: Answer) -> None:
    with pytest.raises(MagpieError) as caught:
        follow(1, 0, refusal)
    assert (caught.value.code, caught.value.status) == ("unauthorized", 401)


def test_the_asynchronous_client_does_the_same() -> None:
    async def run(url: str) -> list[int]:
        seqs = []
        async with AsyncMagpie(url) as magpie:
            async for each in magpie.events(after=0):
                seqs.append(each["seq"])
                if len(seqs) == 2:
                    break
        return seqs

    with fake_service(stream(hello(2) + event(1)), stream(hello(2) + event(2))) as fake:
        assert asyncio.run(run(fake.url)) == [1, 2]
