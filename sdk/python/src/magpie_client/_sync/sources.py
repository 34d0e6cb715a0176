# Written by generate.py from the asynchronous client: change that.
import builtins
from collections.abc import Generator, Mapping
from typing import Any, Literal, Unpack, cast

from .._errors import JobFailed
from .._pause import pause
from ..inputs import (
    ChangeSourceRequest,
    PreviewSourceRequest,
    SourceKind,
    TrackManyRequestItem,
    TrackRequest,
    UntrackRequest,
    WatchChanges,
    WatchOptions,
)
from ..models import (
    DatedSource,
    OpmlImport,
    QueuedTrack,
    Source,
    SourceDetail,
    SourcePreview,
    TrackBatch,
    TrackBatchEntry,
    TrackedSource,
    TrackJob,
    WatchedSource,
)
from .lists import PART, items_of
from .operations import Operations


class Sources:
    """What the key tracks. The past of one source is below `magpie.source(id)`."""

    def __init__(self, raw: Operations) -> None:
        self._raw = raw

    def track(
        self, kind: SourceKind, address: str, **options: Unpack[WatchOptions]
    ) -> WatchedSource | QueuedTrack:
        """Track a source: its new posts, or its changes, become events of the key.

        Tracking it again with other options changes them. A private channel answers a `QueuedTrack`: its owner has to approve
        first, and `joined(kind, answer.jobId)` waits for that.
        """
        body: TrackRequest = {"sid": address, "options": options} if options else {"sid": address}
        answer = self._raw.track(kind, body)
        if "jobId" in answer:
            return QueuedTrack(answer)
        return cast(WatchedSource, answer["data"])

    def untrack(self, kind: SourceKind, id: str | None = None, *, external_id: str | None = None) -> None:
        """Stop tracking a source: by its `id`, or by what its platform calls it."""
        self._raw.untrack(kind, cast(UntrackRequest, _named(id, external_id)))

    def change(
        self,
        kind: SourceKind,
        id: str | None = None,
        /,
        *,
        external_id: str | None = None,
        **changes: Unpack[WatchChanges],
    ) -> WatchedSource:
        """Change the options of a source: what is not named stays, and None removes an option.

        The answer has another `id` where the source is polled differently from now on.
        """
        body = {**_named(id, external_id), "options": changes}
        return (self._raw.change_source(kind, cast(ChangeSourceRequest, body)))["data"]

    def preview(
        self,
        kind: SourceKind,
        address: str,
        *,
        with_page: bool = False,
        with_picture: bool = False,
        **options: Unpack[WatchOptions],
    ) -> SourcePreview:
        """What a source with these options would watch, and whether that would make an event now. Tracks nothing."""
        body: PreviewSourceRequest = {"sid": address, "options": options}
        if with_page:
            body["with_page"] = True
        if with_picture:
            body["with_picture"] = True
        return (self._raw.preview_source(kind, body))["data"]

    def poll(self, kind: SourceKind, id: str) -> None:
        """Have a source polled now."""
        self._raw.poll_source(kind, {"iid": id})

    def track_many(self, items: builtins.list[TrackManyRequestItem]) -> TrackBatch:
        """Track up to 5,000 sources. The answer says how far that is; `finished_batch` waits for its end."""
        return (self._raw.track_many({"items": items}))["data"]

    def batch(self, id: str) -> TrackBatch:
        """How far a batch is, with the first of its entries."""
        return (self._raw.get_track_batch(id, limit=1))["data"]

    def finished_batch(self, id: str, *, poll: float = 1) -> TrackBatch:
        """Wait until nothing of a batch is pending; `poll` is the seconds between two looks."""
        while True:
            batch = self.batch(id)
            if batch.state == "completed":
                return batch
            pause(poll)

    def batch_entries(self, id: str, *, status: str | None = None) -> Generator[TrackBatchEntry, None]:
        """The entries of a batch, in the order of the request."""

        def ask(cursor: str | None) -> Any:
            answer = self._raw.get_track_batch(id, cursor=cursor, limit=PART, status=status)
            return {"data": answer.data.entries, "next_cursor": answer.data.next_cursor}

        return items_of(ask)

    def list(
        self,
        *,
        source: SourceKind | None = None,
        health: Literal["ok", "failing", "gone"] | None = None,
        query: str | None = None,
        tag: str | None = None,
    ) -> Generator[TrackedSource, None]:
        """The sources of the key with their health, the latest first."""
        return items_of(
            lambda cursor: self._raw.list_sources(
                cursor=cursor, limit=PART, source=source, health=health, query=query, tag=tag
            )
        )

    def get(self, id: str) -> SourceDetail:
        """A source: its options, health, latest check and values."""
        return (self._raw.get_source(id))["data"]

    def find(self, kind: SourceKind, query: str) -> Generator[DatedSource, None]:
        """Accounts and channels of a platform, by words."""
        page = 1
        while True:
            answer = self._raw.find_sources(kind, query=query, page=page, limit=PART)
            for found in answer.data:
                yield found
            if not answer.data or page * PART >= answer.total:
                return
            page += 1

    def join(self, kind: SourceKind, job_id: str) -> TrackJob:
        """A request to join a private channel."""
        return self._raw.get_join(kind, id=job_id)

    def joined(self, kind: SourceKind, job_id: str, *, poll: float = 5) -> Source:
        """Wait until the owner of a private channel has decided. Raises JobFailed when it will not be tracked."""
        while True:
            job = self.join(kind, job_id)
            if job.state == "completed" and job.returnvalue is not None:
                return job.returnvalue
            if job.state == "failed":
                raise JobFailed(job_id, {"code": "forbidden", "message": job.failedReason})
            pause(poll)

    def export_opml(self) -> str:
        """The sources of the key as an OPML document."""
        return self._raw.export_sources()

    def import_opml(self, opml: str | bytes, *, sync: bool = False, dry_run: bool = False) -> OpmlImport:
        """Track what an OPML document names.

        `sync` makes the list equal to it; `dry_run` only says what would happen. Bytes are in the encoding that the document
        states.
        """
        answer = self._raw.import_sources(opml, mode="sync" if sync else "add", dry_run=dry_run)
        return answer["data"]


def _named(id: str | None, external_id: str | None) -> Mapping[str, str]:
    if (id is None) == (external_id is None):
        raise TypeError("Name the source by its `id` or by its `external_id`.")
    return {"iid": id} if id is not None else {"eid": cast(str, external_id)}
