# Written by generate.py from the asynchronous client: change that.
from collections.abc import Generator
from datetime import datetime
from typing import Any, Literal, TypeAlias, cast

from .._request import compact, path_of
from ..inputs import RehearseRequest, WatchOptions
from ..models import (
    Check,
    Rehearsal,
    SiteBranch,
    SourceDetail,
    ValuePoint,
    Version,
    VersionContent,
    VersionDiff,
    WatchedPage,
)
from .lists import PART, items_of
from .operations import Operations
from .transport import Transport

PageState: TypeAlias = Literal["new", "there", "missing", "removed", "moved", "refused", "alias"]


class TrackedSource:
    """A source that the key tracks: how its checks went, and what it said."""

    def __init__(self, raw: Operations, transport: Transport, id: str) -> None:
        self._raw = raw
        self._transport = transport
        self.id = id

    def details(self) -> SourceDetail:
        """Its options, health, latest check and values, and the lines that are muted."""
        return (self._raw.get_source(self.id))["data"]

    def checks(
        self, *, outcome: Literal["same", "changed", "held", "muted", "failed"] | None = None
    ) -> Generator[Check, None]:
        """Its checks, the latest first. Checks in a row with the same outcome and reason are one entry."""
        return items_of(
            lambda cursor: self._raw.list_checks(self.id, outcome=outcome, cursor=cursor, limit=PART)
        )

    def versions(
        self, *, item: str | None = None, at: str | datetime | None = None, all: bool | None = None
    ) -> Generator[Version, None]:
        """What it said, the latest first: each state that differed from the one before.

        With `at` the one that was there at that time, alone. `all` adds those in which nothing counted.
        """
        when = at.isoformat() if isinstance(at, datetime) else at
        return items_of(
            lambda cursor: self._raw.list_versions(
                self.id, item=item, at=when, all=all, cursor=cursor, limit=PART
            )
        )

    def version_at(self, at: str | datetime, *, item: str | None = None) -> Version | None:
        """What it said at a time; None when the past of the key begins later."""
        for version in self.versions(item=item, at=at):
            return version
        return None

    def version(self, version: str) -> VersionContent:
        """A version: its facts, its text and its Markdown."""
        answer = self._raw.get_version(self.id, version)
        return answer["data"]

    def version_html(self, version: str) -> str:
        """A version as HTML, without scripts and advertisements."""
        path = path_of("/sources/{id}/versions/{version}", id=self.id, version=version)
        return self._transport.text("GET", path, query={"as": "html"})

    def diff(self, *, from_: str | None = None, to: str | None = None) -> VersionDiff:
        """Two versions, line by line, and changed lines by words; the latest one and the one before it by default."""
        answer = self._raw.diff_versions(self.id, from_=from_, to=to)
        return answer["data"]

    def unified_diff(self, *, from_: str | None = None, to: str | None = None) -> str:
        """Two versions as a unified diff."""
        query = compact({"from": from_, "to": to, "as": "unified"})
        return self._transport.text("GET", path_of("/sources/{id}/diff", id=self.id), query=query)

    def values(
        self,
        *,
        field: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        every: str | None = None,
        limit: int | None = None,
    ) -> list[ValuePoint]:
        """Its number (`value`) and its fields over time, the oldest first."""
        answer = self._raw.list_values(self.id, field=field, from_=from_, to=to, every=every, limit=limit)
        return answer["data"]

    def pages(
        self,
        *,
        prefix: str | None = None,
        state: PageState | None = None,
        changed_since: str | datetime | None = None,
    ) -> Generator[WatchedPage, None]:
        """The pages of a site, in the order of their addresses."""
        since = changed_since.isoformat() if isinstance(changed_since, datetime) else changed_since
        return items_of(
            lambda cursor: self._raw.list_site_pages(
                self.id, prefix=prefix, state=state, changed_since=since, cursor=cursor, limit=PART
            )
        )

    def tree(
        self, *, prefix: str | None = None, changed_since: str | datetime | None = None
    ) -> list[SiteBranch]:
        """One level of the addresses of a site: how many pages lie below each part, and when one of them changed last."""
        since = changed_since.isoformat() if isinstance(changed_since, datetime) else changed_since
        return (self._raw.read_site_tree(self.id, prefix=prefix, changed_since=since))["data"]

    def rehearse(self, *, options: dict[str, Any] | None = None, days: int | None = None) -> Rehearsal:
        """Options, tried on its past: which checks would have made an event. Changes nothing."""
        given = {"options": options, "days": days}
        body = {name: value for name, value in given.items() if value is not None}
        return (self._raw.rehearse(self.id, cast(RehearseRequest, body)))["data"]

    def erase_versions(self) -> None:
        """Erases its past for the key, for good, but for the latest version."""
        self._raw.erase_versions(self.id)
