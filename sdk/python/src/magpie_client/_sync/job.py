# Written by generate.py from the asynchronous client: change that.
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar, cast

from .._errors import JobFailed, MagpieConnectionError, MagpieError
from .._pause import pause

Page = TypeVar("Page")
State = TypeVar("State")
Failure = TypeVar("Failure")

ENDED = ("already_finished", "expired", "not_found")


class Way(Protocol):
    """How to reach one kind of job. Answers are those of the operations, as JSON."""

    def start(self) -> tuple[str, Any]: ...

    def read(self, id: str, cursor: str | None) -> Any: ...

    def errors(self, id: str, cursor: str | None) -> Any: ...

    def cancel(self, id: str) -> None: ...


class Job(Generic[Page, State, Failure]):
    """A crawl or a batch. Iterate over it for its pages, each as soon as it is read: the job starts with the first.

    A loop that is left early cancels the job, unless it was made with `keep=True`; a lost connection does not. In a `with` statement, the job is cancelled
    at the latest when the block ends. A job that fails raises JobFailed after its last page.
    """

    def __init__(
        self,
        way: Way,
        *,
        id: str | None = None,
        cursor: str | None = None,
        keep: bool = False,
        poll: float = 1,
    ) -> None:
        self._way = way
        self._keep = keep
        self._poll = poll
        self._over = False
        self.id = id
        """The job's id; None until it has started."""
        self.cursor = cursor
        """Where to resume: after the last answer all of whose pages were taken. Those of one answer may come a second time."""
        self.webhook_secret: str | None = None
        """Signs the deliveries to the job's own webhook, when the service made a secret for this key."""

    def start(self) -> str:
        """Start the job unless it has started, and return its id."""
        if self.id is None:
            self.id, accepted = self._way.start()
            self.webhook_secret = accepted.get("webhook_secret")
        return self.id

    def status(self) -> State:
        """The job's present state, with its first pages."""
        return cast(State, self._way.read(self.start(), None))

    def errors(self) -> Iterator[Failure]:
        """The pages that failed or were skipped, so far."""
        id = self.start()
        cursor: str | None = None
        while True:
            answer = self._way.errors(id, cursor)
            for each in answer["data"]:
                yield cast(Failure, each)
            cursor = answer["next_cursor"]
            # A job that runs has a next page always, which may be empty as yet.
            if cursor is None or not answer["data"]:
                return

    def cancel(self) -> None:
        """Cancel the job. What it has read stays. Does nothing when it has ended, or has not started."""
        self._over = True
        if self.id is None:
            return
        try:
            self._way.cancel(self.id)
        except MagpieError as error:
            if error.code not in ENDED:
                raise

    def __iter__(self) -> Iterator[Page]:
        id = self.start()
        try:
            while True:
                state = self._way.read(id, self.cursor)
                for page in state["data"]:
                    yield cast(Page, page)
                if state["next_cursor"] is None:
                    self._over = True
                    if state["status"] == "failed":
                        raise JobFailed(id, state.get("error"))
                    return
                self.cursor = state["next_cursor"]
                if not state["data"]:
                    pause(self._poll)
        except (MagpieError, MagpieConnectionError):
            # A service that cannot be reached is no reason to cancel: the job can be resumed.
            self._over = True
            raise
        finally:
            self._end()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        if not self._over and not self._keep:
            self.cancel()
