# Written by generate.py from the asynchronous client: change that.
import json
from collections.abc import Generator, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, Self, TypeAlias, Unpack, cast

import httpx

from .._errors import JobFailed
from .._pause import pause
from .._request import RetryOptions, file_of
from ..inputs import BatchRequest, CrawlRequest, MapSiteRequest, PageRequest, ParseOptions
from ..models import (
    Batch,
    Crawl,
    CrawlError,
    Event,
    FinishedScrape,
    Found,
    Page,
    ParsedDocument,
    SiteMap,
)
from .administration import Administration
from .events import SILENCE, follow_events
from .job import Job
from .keys import Account, Feeds, Keys, OwnKeys
from .lists import PART, items_of
from .monitor import Monitors, NamedMonitor
from .operations import Operations
from .source import TrackedSource
from .sources import Sources
from .transport import Transport
from .ways import BatchWay, CrawlWay
from .webhooks import Deliveries, Webhooks

CrawlJob: TypeAlias = Job[Page, Crawl, CrawlError]
BatchJob: TypeAlias = Job[Page, Batch, CrawlError]

MARGIN = 30.0
"""Seconds for the way, and for what follows a page's own time."""
SCRAPE = 30.0


class Magpie:
    """A Magpie service. Close it, or use it in a `with` statement."""

    def __init__(
        self,
        url: str,
        api_key: str | None = None,
        *,
        admin_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = 60,
        retries: int = 4,
        max_wait: float = 60,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`timeout` is for one attempt and `max_wait` for the wait before another one, both in seconds."""
        keys = {"x-api-key": api_key, "x-admin-key": admin_key}
        sent = {**{name: key for name, key in keys.items() if key is not None}, **(headers or {})}
        self._http = httpx.Client(base_url=url, headers=sent, timeout=timeout, transport=transport)
        self._transport = Transport(self._http, RetryOptions(retries, max_wait))
        self.raw = Operations(self._transport)
        """Every operation of the service, typed."""
        self.sources = Sources(self.raw)
        """What the key tracks."""
        self.monitors = Monitors(self.raw)
        """Sources that are checked together, by a schedule."""
        self.webhooks = Webhooks(self.raw)
        """The endpoints that the key's events are posted to."""
        self.deliveries = Deliveries(self.raw)
        """The attempts to deliver events."""
        self.feeds = Feeds(self.raw)
        """Feeds of the key's events, for feed readers."""
        self.account = Account(self.raw)
        """What the key says of itself."""
        self.keys = Keys(self.raw)
        """All API keys, for the administrator."""
        self.own_keys = OwnKeys(self.raw)
        """The keys of an owner who has signed in."""
        self.admin = Administration(self.raw, self._transport)
        """What an administrator does for all keys."""

    def scrape(self, **request: Unpack[PageRequest]) -> FinishedScrape:
        """Read one page.

        A page that takes longer than its `timeout` (milliseconds) is a MagpieError `scrape_timeout`: its scrape continues, and
        `finished_scrape(error.scrape_id)` waits for it.
        """
        seconds = (request.get("timeout") or SCRAPE * 1000) / 1000 + MARGIN
        body = {**request, "mode": "sync"}
        return cast(FinishedScrape, self._transport.json("POST", "/web/scrape", body=body, timeout=seconds))

    def finished_scrape(self, scrape_id: str, *, poll: float = 1) -> FinishedScrape:
        """Wait for a scrape, however long it takes. Raises JobFailed when it failed."""
        while True:
            job = self.raw.get_scrape(scrape_id)
            if job["status"] == "completed":
                return cast(FinishedScrape, job)
            if job["status"] == "failed":
                raise JobFailed(scrape_id, cast(dict[str, Any] | None, job.get("error")))
            pause(poll)

    def screenshot(self, key: str) -> bytes:
        """The PNG of `data.screenshot`."""
        return self.raw.get_screenshot(key)

    def parse(
        self, file: str | PathLike[str] | bytes, *, name: str | None = None, **options: Unpack[ParseOptions]
    ) -> ParsedDocument:
        """Read a document that has no address: the path of a file, or bytes with the name of their file.

        A document that takes longer than its `timeout` (milliseconds) is a MagpieError `scrape_timeout`.
        """
        seconds = (options.get("timeout") or SCRAPE * 1000) / 1000 + MARGIN
        sent = {"files": {"file": file_of(file, name)}, "fields": {"options": json.dumps(options)}}
        return cast(ParsedDocument, self._transport.json("POST", "/web/parse", timeout=seconds, **sent))

    def crawl(self, *, keep: bool = False, poll: float = 1, **request: Unpack[CrawlRequest]) -> CrawlJob:
        """Read a site: iterate over the answer for its pages. `poll` is the seconds between looks at a crawl without new pages."""
        return Job(CrawlWay(self.raw, request), keep=keep, poll=poll)

    def resume_crawl(
        self, crawl_id: str, *, cursor: str | None = None, keep: bool = False, poll: float = 1
    ) -> CrawlJob:
        """The pages of a crawl that has started before, from `cursor` on."""
        return Job(CrawlWay(self.raw, None), id=crawl_id, cursor=cursor, keep=keep, poll=poll)

    def map(self, **request: Unpack[MapSiteRequest]) -> SiteMap:
        """The pages of a site, as its sitemaps, its entry page and earlier crawls name them. Reads no other page."""
        seconds = (request.get("timeout") or SCRAPE * 1000) / 1000 + MARGIN
        return cast(SiteMap, self._transport.json("POST", "/web/map", body=request, timeout=seconds))

    def batch(self, *, keep: bool = False, poll: float = 1, **request: Unpack[BatchRequest]) -> BatchJob:
        """Read a list of pages, each once: iterate over the answer for them, in the order in which they end."""
        return Job(BatchWay(self.raw, request), keep=keep, poll=poll)

    def resume_batch(
        self, batch_id: str, *, cursor: str | None = None, keep: bool = False, poll: float = 1
    ) -> BatchJob:
        """The pages of a batch that has started before, from `cursor` on."""
        return Job(BatchWay(self.raw, None), id=batch_id, cursor=cursor, keep=keep, poll=poll)

    def source(self, id: str) -> TrackedSource:
        """A source that the key tracks, by its id: how its checks went, and what it said. Asks nothing yet."""
        return TrackedSource(self.raw, self._transport, id)

    def monitor(self, id: str) -> NamedMonitor:
        """A monitor of the key, by its id. Asks nothing yet."""
        return NamedMonitor(self.raw, id)

    def search(self, q: str) -> Generator[Found, None]:
        """What the sources of the key said, the latest first.

        Words that must all be there, `"a phrase"`, `prefix*`, `-without`, `source:`, `tag:`, `after:2026-03-01`, `before:`.
        """
        return items_of(lambda cursor: self.raw.search_history(q=q, cursor=cursor, limit=PART))

    def events(
        self,
        *,
        after: int | None = None,
        since: str | None = None,
        until: str | None = None,
        types: Sequence[str] | None = None,
        sources: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        meaningful: bool = False,
        wait: int = 25,
        silence: float = SILENCE,
    ) -> Generator[Event, None]:
        """The key's events as they come in, without end, and without loss or repetition when the connection breaks.

        They begin after the event with the `seq` `after` (0: with all that are kept) or at the time `since` (ISO 8601); without
        these, with what is new from now on. With `until` they end before that time, and begin with the oldest by default.
        `types`, `sources` (ids or kinds) and `tags` leave events out, and `meaningful` what the judge of a source has dismissed:
        one has to pass each filter that is given. With filters,
        a request waits `wait` seconds, 1 to 25, for an event. Close them with `contextlib.aclosing` where the loop is left
        before the program. Raises EventGap when events that follow the position are kept no longer. A stream of which nothing
        arrives for `silence` seconds is opened again.
        """
        filters = {"types": types, "sources": sources, "tags": tags, "meaningful": meaningful, "until": until}
        return follow_events(self._http, after, silence, filters, wait, since)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
