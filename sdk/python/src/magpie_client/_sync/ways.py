# Written by generate.py from the asynchronous client: change that.
from typing import Any

from ..inputs import BatchRequest, CrawlRequest
from .operations import Operations

LIMIT = 100
"""Pages in an answer."""


class CrawlWay:
    """How to reach crawls; to start one, with its request."""

    def __init__(self, raw: Operations, request: CrawlRequest | None) -> None:
        self._raw = raw
        self._request = request

    def start(self) -> tuple[str, Any]:
        if self._request is None:
            raise TypeError("A job that is resumed has no request to start.")
        accepted = self._raw.start_crawl(self._request)
        return accepted["crawl_id"], accepted

    def read(self, id: str, cursor: str | None) -> Any:
        return self._raw.get_crawl(id, cursor=cursor, limit=LIMIT)

    def errors(self, id: str, cursor: str | None) -> Any:
        return self._raw.list_crawl_errors(id, cursor=cursor, limit=LIMIT)

    def cancel(self, id: str) -> None:
        self._raw.cancel_crawl(id)


class BatchWay:
    """How to reach batches; to start one, with its request."""

    def __init__(self, raw: Operations, request: BatchRequest | None) -> None:
        self._raw = raw
        self._request = request

    def start(self) -> tuple[str, Any]:
        if self._request is None:
            raise TypeError("A job that is resumed has no request to start.")
        accepted = self._raw.start_batch(self._request)
        return accepted["batch_id"], accepted

    def read(self, id: str, cursor: str | None) -> Any:
        return self._raw.get_batch(id, cursor=cursor, limit=LIMIT)

    def errors(self, id: str, cursor: str | None) -> Any:
        return self._raw.list_batch_errors(id, cursor=cursor, limit=LIMIT)

    def cancel(self, id: str) -> None:
        self._raw.cancel_batch(id)
