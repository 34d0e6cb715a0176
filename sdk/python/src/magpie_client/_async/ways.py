from typing import Any

from ..inputs import BatchRequest, CrawlRequest
from .operations import AsyncOperations

LIMIT = 100
"""Pages in an answer."""


class AsyncCrawlWay:
    """How to reach crawls; to start one, with its request."""

    def __init__(self, raw: AsyncOperations, request: CrawlRequest | None) -> None:
        self._raw = raw
        self._request = request

    async def start(self) -> tuple[str, Any]:
        if self._request is None:
            raise TypeError("A job that is resumed has no request to start.")
        accepted = await self._raw.start_crawl(self._request)
        return accepted["crawl_id"], accepted

    async def read(self, id: str, cursor: str | None) -> Any:
        return await self._raw.get_crawl(id, cursor=cursor, limit=LIMIT)

    async def errors(self, id: str, cursor: str | None) -> Any:
        return await self._raw.list_crawl_errors(id, cursor=cursor, limit=LIMIT)

    async def cancel(self, id: str) -> None:
        await self._raw.cancel_crawl(id)


class AsyncBatchWay:
    """How to reach batches; to start one, with its request."""

    def __init__(self, raw: AsyncOperations, request: BatchRequest | None) -> None:
        self._raw = raw
        self._request = request

    async def start(self) -> tuple[str, Any]:
        if self._request is None:
            raise TypeError("A job that is resumed has no request to start.")
        accepted = await self._raw.start_batch(self._request)
        return accepted["batch_id"], accepted

    async def read(self, id: str, cursor: str | None) -> Any:
        return await self._raw.get_batch(id, cursor=cursor, limit=LIMIT)

    async def errors(self, id: str, cursor: str | None) -> Any:
        return await self._raw.list_batch_errors(id, cursor=cursor, limit=LIMIT)

    async def cancel(self, id: str) -> None:
        await self._raw.cancel_batch(id)
