import asyncio
import json
from typing import Any

import pytest
from fake_service import Answer, answer, failure, fake_service, hang_up, stream

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


def page(next_after: int, *seqs: int) -> Answer:
    data = [{"id": f"evt_{seq}", "type": "webhook.test", "seq": seq} for seq in seqs]
    return answer({"data": data, "next_after": next_after, "more": False})


def filtered(count: int, *answers: Answer, **options: Any) -> tuple[list[int], list[str]]:
    seqs = []
    with fake_service(*answers) as fake, Magpie(fake.url, "mk_test") as magpie:
        for each in magpie.events(**options):
            seqs.append(each["seq"])
            if len(seqs) == count:
                break
        return seqs, [each.url for each in fake.asked]


def test_with_filters_it_asks_for_pages_and_goes_on_after_what_they_left_out() -> None:
    wanted = {"types": ["rss.item.created"], "sources": ["web"], "tags": ["shop", "a b"]}
    seqs, urls = filtered(3, page(4, 2, 3), hang_up, page(9), page(12, 11), after=0, wait=5, **wanted)
    assert seqs == [2, 3, 11]
    query = "types=rss.item.created&sources=web&tags=shop&tags=a+b"
    assert urls == [f"/events?{query}&after={after}&wait_seconds=5" for after in (0, 4, 4, 9)]


def test_with_filters_and_no_position_it_begins_where_the_events_end_now() -> None:
    seqs, urls = filtered(1, stream(hello(7)), page(8, 8), tags=["shop"])
    assert seqs == [8]
    assert urls == ["/stream/sse", "/events?tags=shop&after=7&wait_seconds=25"]


def test_a_gap_or_a_refused_filter_is_an_error_with_filters_too() -> None:
    with pytest.raises(EventGap) as gap:
        filtered(1, failure(410, "expired", oldest_seq=40), after=3, tags=["shop"])
    assert (gap.value.after, gap.value.oldest_seq) == (3, 40)
    with pytest.raises(MagpieError) as refused:
        filtered(1, failure(400, "validation_failed"), after=3, tags=["a,b"])
    assert refused.value.code == "validation_failed"


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
