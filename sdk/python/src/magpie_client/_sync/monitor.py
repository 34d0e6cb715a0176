# Written by generate.py from the asynchronous client: change that.
from collections.abc import Generator
from typing import Any, Literal, Unpack, cast

from .._pause import pause
from ..inputs import ChangeMonitorRequest, CreateMonitorRequest
from ..models import Monitor, MonitorCheck, MonitorPage
from .lists import PART, items_of
from .operations import Operations


class Monitors:
    """The monitors of the key. What one of them does is below `magpie.monitor(id)`."""

    def __init__(self, raw: Operations) -> None:
        self._raw = raw

    def create(self, **request: Unpack[CreateMonitorRequest]) -> Monitor:
        """Make a monitor: pages, sites and searches that are checked together, by a schedule."""
        return (self._raw.create_monitor(request))["data"]

    def list(self) -> Generator[Monitor, None]:
        """The monitors of the key, the latest first."""
        return items_of(lambda cursor: self._raw.list_monitors(cursor=cursor, limit=PART))

    def get(self, id: str) -> Monitor:
        """The targets of a monitor, its schedule, and its latest check."""
        return (self._raw.get_monitor(id))["data"]


class NamedMonitor:
    """A monitor of the key, by its id: what it checks, and what its checks found."""

    def __init__(self, raw: Operations, id: str) -> None:
        self._raw = raw
        self.id = id

    def details(self) -> Monitor:
        """Its targets, its schedule, and its latest check."""
        return (self._raw.get_monitor(self.id))["data"]

    def change(self, **changes: Unpack[ChangeMonitorRequest]) -> Monitor:
        """Change it: what is not named stays."""
        return (self._raw.change_monitor(self.id, changes))["data"]

    def run(self) -> MonitorCheck:
        """Begin a check. A MagpieError `conflict` says that one is under way."""
        return (self._raw.run_monitor(self.id))["data"]

    def checks(
        self, *, status: Literal["running", "completed", "partial", "failed", "skipped"] | None = None
    ) -> Generator[MonitorCheck, None]:
        """Its checks, the latest first."""
        return items_of(
            lambda cursor: self._raw.list_monitor_checks(self.id, status=status, cursor=cursor, limit=PART)
        )

    def check(self, check: str) -> MonitorCheck:
        """A check: its state and its counts."""
        answer = self._raw.get_monitor_check(self.id, check, limit=1)
        return cast(MonitorCheck, answer["data"])

    def finished_check(self, check: str, *, poll: float = 1) -> MonitorCheck:
        """Wait until a check has ended; `poll` is the seconds between two looks."""
        while True:
            found = self.check(check)
            if found["status"] != "running":
                return found
            pause(poll)

    def pages(
        self,
        check: str,
        *,
        status: Literal["same", "new", "changed", "moved", "removed", "failed"] | None = None,
    ) -> Generator[MonitorPage, None]:
        """The pages of a check, each with what became of it."""

        def ask(cursor: str | None) -> Any:
            answer = self._raw.get_monitor_check(self.id, check, status=status, cursor=cursor, limit=PART)
            return {"data": answer["data"]["pages"], "next_cursor": answer["data"]["next_cursor"]}

        return items_of(ask)

    def delete(self) -> None:
        """Delete it, with its checks and its sources."""
        self._raw.delete_monitor(self.id)
