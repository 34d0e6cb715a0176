# Written by generate.py from the asynchronous client: change that.
from collections.abc import Generator, Sequence
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
from .operations import Operations
from .transport import Transport

BACKFILL = 120.0
"""Seconds: a large backfill may wait for the network more than once."""
DISPATCH = 60.0


class Backfilled(NamedTuple):
    """What a backfill has fetched."""

    posts: list[Post]
    """The newest first."""
    next_cursor: str | None
    """The `cursor` of older posts; None where there are none."""


class Administration:
    """What an administrator does for all keys: with an `admin_key`. API keys are in `keys`."""

    def __init__(self, raw: Operations, transport: Transport) -> None:
        self._raw = raw
        self._transport = transport

    def overview(self) -> Overview:
        """How the installation is: its nodes, its queues, and what needs attention."""
        return (self._raw.get_overview())["data"]

    def usage(self, *, days: int | None = None) -> TotalUsage:
        """What all keys used by day."""
        return (self._raw.get_total_usage(days=days))["data"]

    def backfill(self, **request: Unpack[BackfillPostsRequest]) -> Backfilled:
        """Fetch posts of a microblog account, by `uid` or `username`, and deliver them to the keys that track it.

        What a key has is not delivered again. Continue with the `cursor` that it returns.
        """
        path = "/internal/backfill"
        response = self._transport.send("POST", path, body=request, timeout=BACKFILL + DISPATCH)
        posts: list[Post] = self._transport.read(response)
        return Backfilled(posts, response.headers.get("x-next-cursor"))

    def dispatch(self, posts: Sequence[PostInput]) -> str:
        """Deliver posts to the keys that track their authors, as if the network had sent them. Says what it did, in words."""
        answer = self._transport.json(
            "POST", "/internal/dispatch", body={"posts": list(posts)}, timeout=DISPATCH * 2
        )
        message: str = answer["message"]
        return message

    def plan_dispatch(self, posts: Sequence[PostInput]) -> list[PlannedPost]:
        """What `dispatch` would make of each post. Delivers none."""
        body = {"posts": list(posts), "dry_run": True}
        answer = self._transport.json("POST", "/internal/dispatch", body=body, timeout=DISPATCH * 2)
        planned: list[PlannedPost] = answer["data"]
        return planned

    def sources(
        self, *, source: str | None = None, health: str | None = None, query: str | None = None
    ) -> Generator[SourceSummary, None]:
        """The sources of all keys, with their health."""
        return items_of(
            lambda cursor: self._raw.list_all_sources(
                source=source, health=health, query=query, cursor=cursor, limit=PART
            )
        )

    def poll(self, source_id: str) -> str:
        """Have a source of any key polled now. Returns when that is due, or began."""
        return (self._raw.poll_any_source(source_id)).data.due_at

    def remove_source(self, source_id: str) -> None:
        """End the tracking of a source, for all keys."""
        self._raw.remove_source(source_id)

    def scrapes(
        self, *, key_id: str | None = None, status: str | None = None
    ) -> Generator[ScrapeSummary, None]:
        """The scrapes of all keys, the latest first."""
        return items_of(
            lambda cursor: self._raw.list_all_scrapes(key_id=key_id, status=status, cursor=cursor, limit=PART)
        )

    def crawls(
        self, *, key_id: str | None = None, status: str | None = None
    ) -> Generator[CrawlSummary, None]:
        """The crawls and batches of all keys, the latest first."""
        return items_of(
            lambda cursor: self._raw.list_all_crawls(key_id=key_id, status=status, cursor=cursor, limit=PART)
        )

    def joins(self, *, key_id: str | None = None, status: str | None = None) -> Generator[Join, None]:
        """The requests of all keys to join private channels."""
        return items_of(
            lambda cursor: self._raw.list_all_joins(key_id=key_id, status=status, cursor=cursor, limit=PART)
        )

    def cancel_scrape(self, scrape_id: str) -> Scrape:
        """Cancel a scrape of any key."""
        return self._raw.cancel_any_scrape(scrape_id)

    def cancel_crawl(self, crawl_id: str) -> CancelledCrawl:
        """Cancel a crawl or a batch of any key; what was read stays."""
        return self._raw.cancel_any_crawl(crawl_id)

    def endpoints(self, *, key_id: str | None = None, status: str | None = None) -> Generator[Lane, None]:
        """The endpoints of all keys, with the state of their deliveries."""
        return items_of(
            lambda cursor: self._raw.list_lanes(key_id=key_id, status=status, cursor=cursor, limit=PART)
        )

    def reactivate(self, webhook_id: str) -> Lane:
        """Start an endpoint of any key again: what was kept is delivered first."""
        return (self._raw.reactivate_lane(webhook_id))["data"]

    def replay(self, webhook_id: str, /, **wanted: Unpack[ReplayLaneRequest]) -> int:
        """Send events to an endpoint of any key again: since a time, or those that are named. Returns how many."""
        return (self._raw.replay_lane(webhook_id, wanted)).data.events

    def deliveries(
        self, *, key_id: str | None = None, status: str | None = None
    ) -> Generator[KeyDelivery, None]:
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
    ) -> Generator[AuditEvent, None]:
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

    def export_acts(
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
        return (self._raw.export_audit(**chosen, as_=as_)).decode()

    def owners(self, *, query: str | None = None) -> Generator[Owner, None]:
        """The owners of keys, with how many they have."""
        return items_of(lambda cursor: self._raw.list_owners(query=query, cursor=cursor, limit=PART))

    def invite(self, owner: str) -> OwnerLink:
        """Make the link by which an owner sets a password. It works once, and ends the one before."""
        return (self._raw.create_owner_link(owner))["data"]

    def remove_password(self, owner: str) -> None:
        """Take the password of an owner away, and end its sessions."""
        self._raw.delete_owner_password(owner)

    def erase(self, **request: Unpack[ErasureRequest]) -> Erasure:
        """Begin to erase what is kept of a key or an owner, or count it. `erasure` says how far that is."""
        return (self._raw.start_erasure(request))["data"]

    def erasure(self, id: str) -> Erasure:
        """How far an erasure is, and what it has found."""
        return (self._raw.get_erasure(id))["data"]
