import asyncio
import copy
import json
import pickle
from contextlib import aclosing

import pytest
from fake_service import answer, failure, fake_service, stream

from magpie_client import Answer, AsyncMagpie, Magpie, MagpieError
from magpie_client.models import QueuedTrack

SCRAPE = {
    "scrape_id": "scr_1",
    "status": "completed",
    "data": {"markdown": "# Boats", "metadata": {"title": "Boats", "status_code": 200}},
}


def test_a_field_is_an_attribute_and_a_key() -> None:
    with fake_service(answer(SCRAPE)) as fake, Magpie(fake.url) as magpie:
        scrape = magpie.scrape(url="https://example.com/")
        assert scrape.data.markdown == scrape["data"]["markdown"] == "# Boats"
        assert json.loads(json.dumps(scrape)) == SCRAPE == scrape
        assert "markdown" in dir(scrape.data)


def test_an_absent_optional_field_is_none_and_a_wrong_name_an_error() -> None:
    page = Answer(markdown="# Boats", metadata=Answer(title="Boats"))
    assert page.metadata.language is None
    with pytest.raises(AttributeError, match="output.formats"):
        page.links
    with pytest.raises(AttributeError, match="no field `markdwon`"):
        page.markdwon
    with pytest.raises(KeyError):
        page["links"]


def test_words_of_python_and_of_dictionaries_get_an_underscore() -> None:
    found = Answer({"from": 1, "items": [2], "values": {"price": 3}})
    assert (found.from_, found.items_, found.values_) == (1, [2], {"price": 3})
    assert dict(found.items())["from"] == 1


def test_an_answer_is_copied_and_pickled_as_what_it_is() -> None:
    found = Answer(a=Answer(b=1))
    for again in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert (type(again), again.a.b) == (Answer, 1)


def test_a_private_channel_answers_its_join_request() -> None:
    with fake_service(answer({"jobId": "j1", "message": "Waiting."})) as fake, Magpie(fake.url) as magpie:
        queued = magpie.sources.track("messenger", "https://m.example/+x")
        assert isinstance(queued, QueuedTrack)
        assert queued.jobId == "j1"


def test_lists_are_read_by_their_cursors_with_the_filter_in_each_request() -> None:
    first = answer({"data": [{"id": "a"}], "next_cursor": "x", "message": ""})
    second = answer({"data": [{"id": "b"}], "next_cursor": None, "message": ""})
    with fake_service(first, second) as fake, Magpie(fake.url) as magpie:
        assert [source.id for source in magpie.sources.list(health="failing")] == ["a", "b"]
        assert [each.url for each in fake.asked] == [
            "/track?limit=100&health=failing",
            "/track?cursor=x&limit=100&health=failing",
        ]


def test_a_source_is_named_by_exactly_one_of_its_names() -> None:
    with fake_service(answer({"data": {}, "message": ""})) as fake, Magpie(fake.url) as magpie:
        magpie.sources.untrack("rss", external_id="https://a.example/feed")
        assert json.loads(fake.asked[0].body) == {"eid": "https://a.example/feed"}
        with pytest.raises(TypeError):
            magpie.sources.untrack("rss")


def test_a_refusal_is_an_error_in_every_namespace() -> None:
    with fake_service(failure(404, "not_found")) as fake, Magpie(fake.url) as magpie:
        for ask in (
            lambda: magpie.sources.get("s1"),
            lambda: next(magpie.sources.list()),
            lambda: magpie.webhooks.create(url="https://a.example/"),
            lambda: next(magpie.deliveries.list()),
            lambda: magpie.feeds.list(),
            lambda: magpie.keys.delete("k1"),
            lambda: next(magpie.own_keys.list()),
            lambda: magpie.account.get(),
            lambda: magpie.monitors.get("m1"),
        ):
            with pytest.raises(MagpieError) as refused:
                ask()
            assert refused.value.code == "not_found"


EVENTS = 'event: hello\ndata: {"type": "hello", "seq": 9}\n\n' + "".join(
    f'data: {{"id": "evt_{seq}", "type": "webhook.test", "seq": {seq}}}\n\n' for seq in range(1, 6)
)


def test_after_a_task_is_cancelled_no_event_comes_although_more_have_arrived() -> None:
    async def main(url: str) -> list[int]:
        seqs: list[int] = []

        async def read() -> None:
            async with AsyncMagpie(url) as magpie, aclosing(magpie.events(after=0)) as events:
                async for event in events:
                    seqs.append(event.seq)
                    if event.seq == 3:
                        reading.cancel()
                        await asyncio.sleep(0)

        reading = asyncio.create_task(read())
        with pytest.raises(asyncio.CancelledError):
            await reading
        return seqs

    with fake_service(stream(EVENTS, stays=2)) as fake:
        assert asyncio.run(main(fake.url)) == [1, 2, 3]


def test_events_that_are_closed_end_at_once() -> None:
    with fake_service(stream(EVENTS)) as fake, Magpie(fake.url) as magpie:
        events = magpie.events(after=0)
        assert next(events).seq == 1
        events.close()
        assert list(events) == []
