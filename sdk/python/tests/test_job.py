import asyncio
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fake_service import Asked, FakeService, Handler, answer, failure, fake_service, hang_up

from magpie_client import AsyncMagpie, JobFailed, Magpie, MagpieConnectionError


class FakeCrawl:
    """A crawl of five pages, two in an answer, that is slow to find the third."""

    def __init__(self) -> None:
        self.looks = 0
        self.is_broken = False
        self.outcome: dict[str, Any] = {"status": "completed"}

    def __call__(self, asked: Asked, handler: Handler) -> None:
        reply = hang_up if self.is_broken else answer(self.body(asked))
        reply(asked, handler)

    def body(self, asked: Asked) -> dict[str, Any]:
        parts = urlsplit(asked.url)
        place = parse_qs(parts.query).get("cursor", [None])[0]
        if asked.method != "GET":
            return {"crawl_id": "crw_1", "version": "v1", "status": "crawling"}
        if parts.path.endswith("/errors"):
            return {"data": [{"code": "robots"}] if place is None else [], "next_cursor": "1"}
        cursor = int(place or 0)
        self.looks += 1
        if cursor == 2 and self.looks < 4:
            return {"status": "crawling", "data": [], "next_cursor": "2"}
        data = [{"markdown": each} for each in "abcde"[cursor : cursor + 2]]
        if cursor < 4:
            return {"status": "crawling", "data": data, "next_cursor": str(cursor + 2)}
        return {**self.outcome, "data": data, "next_cursor": None}


@pytest.fixture
def crawl() -> FakeCrawl:
    return FakeCrawl()


@pytest.fixture
def fake(crawl: FakeCrawl) -> Iterator[FakeService]:
    with fake_service(crawl) as started:
        yield started


@pytest.fixture
def magpie(fake: FakeService) -> Iterator[Magpie]:
    with Magpie(fake.url, "mk_test") as client:
        yield client


URL = "https://example.com/"


def test_the_pages_come_once_each_across_answers_and_waits(magpie: Magpie, fake: FakeService) -> None:
    pages = [page["markdown"] for page in magpie.crawl(url=URL, crawler={"limit": 5}, poll=0.001)]
    assert pages == list("abcde")
    assert json.loads(fake.asked[0].body) == {"url": URL, "crawler": {"limit": 5}}
    assert fake.count("DELETE") == 0


def test_a_loop_that_is_left_cancels_the_crawl(magpie: Magpie, fake: FakeService) -> None:
    for page in magpie.crawl(url=URL):
        if page["markdown"] == "b":
            break
    assert fake.count("DELETE") == 1


def test_a_lost_connection_cancels_nothing(crawl: FakeCrawl, fake: FakeService) -> None:
    with Magpie(fake.url, retries=1) as magpie, pytest.raises(MagpieConnectionError):
        with magpie.crawl(url=URL) as job:
            for page in job:
                crawl.is_broken = page["markdown"] == "b"
    assert fake.count("DELETE") == 0
    assert job.cursor == "2"


def test_a_block_that_is_left_cancels_the_crawl(magpie: Magpie, fake: FakeService) -> None:
    with pytest.raises(RuntimeError, match="no room"), magpie.crawl(url=URL) as job:
        assert job.id == "crw_1"
        raise RuntimeError("no room")
    assert fake.count("DELETE") == 1


def test_with_keep_the_crawl_goes_on_and_another_process_takes_the_rest(magpie: Magpie, fake: FakeService) -> None:
    first = magpie.crawl(url=URL, keep=True, poll=0.001)
    for page in first:
        if page["markdown"] == "c":
            break
    assert fake.count("DELETE") == 0
    assert (first.id, first.cursor) == ("crw_1", "2")
    rest = magpie.resume_crawl("crw_1", cursor="2", poll=0.001)
    assert [page["markdown"] for page in rest] == list("cde")


def test_a_crawl_that_fails_raises_after_its_last_page(magpie: Magpie, crawl: FakeCrawl, fake: FakeService) -> None:
    error = {"code": "target_unreachable", "message": "The site's name does not resolve."}
    crawl.outcome = {"status": "failed", "error": error}
    pages = []
    with pytest.raises(JobFailed, match="does not resolve") as caught:
        for page in magpie.crawl(url=URL, poll=0.001):
            pages.append(page)
    assert (caught.value.id, caught.value.code, len(pages)) == ("crw_1", "target_unreachable", 5)
    assert fake.count("DELETE") == 0


def test_the_failed_pages_are_a_list_which_ends_while_the_crawl_runs(magpie: Magpie) -> None:
    assert [each["code"] for each in magpie.crawl(url=URL).errors()] == ["robots"]


def test_cancelling_what_has_ended_does_nothing() -> None:
    with fake_service(failure(409, "already_finished")) as fake, Magpie(fake.url) as magpie:
        magpie.resume_crawl("crw_1").cancel()
        assert fake.count("DELETE") == 1


def test_the_asynchronous_client_does_the_same(fake: FakeService) -> None:
    async def run() -> list[str]:
        async with AsyncMagpie(fake.url, "mk_test") as magpie:
            return [page["markdown"] async for page in magpie.crawl(url=URL, poll=0.001)]

    assert asyncio.run(run()) == list("abcde")


def test_cancelling_the_task_cancels_the_crawl(fake: FakeService) -> None:
    async def read(magpie: AsyncMagpie, taken: asyncio.Event) -> None:
        async with magpie.crawl(url=URL, poll=60) as job:
            async for _ in job:
                taken.set()

    async def run() -> None:
        async with AsyncMagpie(fake.url, "mk_test") as magpie:
            taken = asyncio.Event()
            task = asyncio.create_task(read(magpie, taken))
            await taken.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(run())
    assert fake.count("DELETE") == 1
