from collections.abc import AsyncGenerator, Sequence
from typing import NamedTuple, Unpack

from ..inputs import BackfillPostsRequest, ErasureRequest, ReplayLaneRequest
from ..inputs import Post as PostInput
from ..models import (
    AuditEvent,
    CancelledCrawl,
    CrawlSummary,
    Erasure,
    Join,
    KeyDelivery,
    Lane,
    Overview,
    Owner,
    OwnerLink,
    PlannedPost,
    Post,
    Scrape,
    ScrapeSummary,
    SourceSummary,
    TotalUsage,
)
from .lists import PART, items_of
from .operations import AsyncOperations
from .transport import AsyncTransport

BACKFILL = 120.0
"""Seconds: a large backfill may wait for the network more than once."""
DISPATCH = 60.0


class Backfilled(NamedTuple):
    """What a backfill has fetched."""

    posts: list[Post]
    """The newest first."""
    next_cursor: str | None
    """The `cursor` of older posts; None where there are none."""


class AsyncAdministration:
    """What an administrator does for all keys: with an `admin_key`. API keys are in `keys`."""

    def __init__(self, raw: AsyncOperations, transport: AsyncTransport) -> None:
        self._raw = raw
        self._transport = transport

    async def overview(self) -> Overview:
        """How the installation is: its nodes, its queues, and what needs attention."""
        return (await self._raw.get_overview())["data"]

    async def usage(self, *, days: int | None = None) -> TotalUsage:
        """What all keys used by day."""
        return (await self._raw.get_total_usage(days=days))["data"]

    async def backfill(self, **request: Unpack[BackfillPostsRequest]) -> Backfilled:
        """Fetch posts of a microblog account, by `uid` or `username`, and deliver them to the keys that track it.

        What a key has is not delivered again. Continue with the `cursor` that it returns.
        """
        path = "/internal/backfill"
        response = await self._transport.send("POST", path, body=request, timeout=BACKFILL + DISPATCH)
        posts: list[Post] = self._transport.read(response)
        return Backfilled(posts, response.headers.get("x-next-cursor"))

    async def dispatch(self, posts: Sequence[PostInput]) -> str:
        """Deliver posts to the keys that track their authors, as if the network had sent them. Says what it did, in words."""
        answer = await self._transport.json(
            "POST", "/internal/dispatch", body={"posts": list(posts)}, timeout=DISPATCH * 2
        )
        message: str = answer["message"]
        return message

    async def plan_dispatch(self, posts: Sequence[PostInput]) -> list[PlannedPost]:
        """What `dispatch` would make of each post. Delivers none."""
        body = {"posts": list(posts), "dry_run": True}
        answer = await self._transport.json("POST", "/internal/dispatch", body=body, timeout=DISPATCH * 2)
        planned: list[PlannedPost] = answer["data"]
        return planned

    def sources(
        self, *, source: str | None = None, health: str | None = None, query: str | None = None
    ) -> AsyncGenerator[SourceSummary, None]:
        """The sources of all keys, with their health."""
        return items_of(
            lambda cursor: self._raw.list_all_sources(
                source=source, health=health, query=query, cursor=cursor, limit=PART
            )
        )

    async def poll(self, source_id: str) -> str:
        """Have a source of any key polled now. Returns when that is due, or began."""
        return (await self._raw.poll_any_source(source_id)).data.due_at

    async def remove_source(self, source_id: str) -> None:
        """End the tracking of a source, for all keys."""
        await self._raw.remove_source(source_id)

    def scrapes(
        self, *, key_id: str | None = None, status: str | None = None
    ) -> AsyncGenerator[ScrapeSummary, None]:
        """The scrapes of all keys, the latest first."""
        return items_of(
            lambda cursor: self._raw.list_all_scrapes(key_id=key_id, status=status, cursor=cursor, limit=PART)
        )

    def crawls(
        self, *, key_id: str | None = None, status: str | None = None
    ) -> AsyncGenerator[CrawlSummary, None]:
        """The crawls and batches of all keys, the latest first."""
        return items_of(
            lambda cursor: self._raw.list_all_crawls(key_id=key_id, status=status, cursor=cursor, limit=PART)
        )

    def joins(self, *, key_id: str | None = None, status: str | None = None) -> AsyncGenerator[Join, None]:
        """The requests of all keys to join private channels."""
        return items_of(
            lambda cursor: self._raw.list_all_joins(key_id=key_id, status=status, cursor=cursor, limit=PART)
        )

    async def cancel_scrape(self, scrape_id: str) -> Scrape:
        """Cancel a scrape of any key."""
        return await self._raw.cancel_any_scrape(scrape_id)

    async def cancel_crawl(self, crawl_id: str) -> CancelledCrawl:
        """Cancel a crawl or a batch of any key; what was read stays."""
        return await self._raw.cancel_any_crawl(crawl_id)

    def endpoints(
        self, *, key_id: str | None = None, status: str | None = None
    ) -> AsyncGenerator[Lane, None]:
        """The endpoints of all keys, with the state of their deliveries."""
        return items_of(
            lambda cursor: self._raw.list_lanes(key_id=key_id, status=status, cursor=cursor, limit=PART)
        )

    async def reactivate(self, webhook_id: str) -> Lane:
        """Start an endpoint of any key again: what was kept is delivered first."""
        return (await self._raw.reactivate_lane(webhook_id))["data"]

    async def replay(self, webhook_id: str, /, **wanted: Unpack[ReplayLaneRequest]) -> int:
        """Send events to an endpoint of any key again: since a time, or those that are named. Returns how many."""
        return (await self._raw.replay_lane(webhook_id, wanted)).data.events

    def deliveries(
        self, *, key_id: str | None = None, status: str | None = None
    ) -> AsyncGenerator[KeyDelivery, None]:
        """The attempts to deliver, of all keys, the latest first."""
        return items_of(
            lambda cursor: self._raw.list_all_deliveries(
                key_id=key_id, status=status, cursor=cursor, limit=PART
            )
        )

    def acts(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        actor: str | None = None,
        owner: str | None = None,
        key_id: str | None = None,
        type: str | None = None,
    ) -> AsyncGenerator[AuditEvent, None]:
        """The audit log: the acts of people and keys, the latest first."""
        chosen = {
            "since": since,
            "until": until,
            "actor": actor,
            "owner": owner,
            "key_id": key_id,
            "type": type,
        }
        return items_of(lambda cursor: self._raw.list_audit(**chosen, cursor=cursor, limit=PART))

    async def export_acts(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        actor: str | None = None,
        owner: str | None = None,
        key_id: str | None = None,
        type: str | None = None,
        as_: str | None = None,
    ) -> str:
        """The audit log, the oldest act first: a line of JSON each, or with `as_="csv"` a table."""
        chosen = {
            "since": since,
            "until": until,
            "actor": actor,
            "owner": owner,
            "key_id": key_id,
            "type": type,
        }
        return (await self._raw.export_audit(**chosen, as_=as_)).decode()

    def owners(self, *, query: str | None = None) -> AsyncGenerator[Owner, None]:
        """The owners of keys, with how many they have."""
        return items_of(lambda cursor: self._raw.list_owners(query=query, cursor=cursor, limit=PART))

    async def invite(self, owner: str) -> OwnerLink:
        """Make the link by which an owner sets a password. It works once, and ends the one before."""
        return (await self._raw.create_owner_link(owner))["data"]

    async def remove_password(self, owner: str) -> None:
        """Take the password of an owner away, and end its sessions."""
        await self._raw.delete_owner_password(owner)

    async def erase(self, **request: Unpack[ErasureRequest]) -> Erasure:
        """Begin to erase what is kept of a key or an owner, or count it. `erasure` says how far that is."""
        return (await self._raw.start_erasure(request))["data"]

    async def erasure(self, id: str) -> Erasure:
        """How far an erasure is, and what it has found."""
        return (await self._raw.get_erasure(id))["data"]
