from collections.abc import Mapping
from typing import Any

import httpx

from .._answer import Answer
from .._errors import MagpieConnectionError, error_of
from .._pause import async_pause
from .._request import RetryOptions, backoff, deletes_thing, gone, is_repeatable, job_headers, wait_after

KEYED = (
    *("/web/scrape", "/web/crawl", "/web/batch"),
    *("/webhooks", "/feeds", "/monitors", "/internal/keys", "/owner/keys"),
)


class AsyncTransport:
    """Sends requests, again where the service asks for it, and reads the answers. Errors are raised."""

    def __init__(self, http: httpx.AsyncClient, retry: RetryOptions) -> None:
        self.http = http
        self._retry = retry

    async def json(self, method: str, path: str, **given: Any) -> Any:
        return self.read(await self.send(method, path, **given))

    def read(self, response: httpx.Response) -> Any:
        return response.json(object_hook=Answer)

    async def text(self, method: str, path: str, **given: Any) -> str:
        return (await self.send(method, path, **given)).text

    async def content(self, method: str, path: str, **given: Any) -> bytes:
        return (await self.send(method, path, **given)).content

    async def nothing(self, method: str, path: str, **given: Any) -> None:
        await self.send(method, path, **given)

    async def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        content: str | bytes | None = None,
        content_type: str | None = None,
        files: Mapping[str, tuple[str, bytes]] | None = None,
        fields: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> httpx.Response:
        """The answer, when it is a success. `files` and `fields` are the parts of a form. `timeout` is for one attempt, in seconds."""
        headers = job_headers(idempotency_key) if method == "POST" and path in KEYED else {}
        if content_type is not None:
            headers = {**headers, "content-type": content_type}
        request = self.http.build_request(
            method,
            path,
            params=query,
            json=body,
            content=content,
            data=fields,
            files=files,
            headers=headers,
        )
        if timeout is not None:
            request.extensions["timeout"] = httpx.Timeout(timeout).as_dict()
        attempt = 0
        may_have_arrived = False
        while True:
            response, wait = await self._attempt(request, attempt)
            if response is not None and may_have_arrived and response.status_code == 404 and deletes_thing(request):
                return gone(request)
            may_have_arrived = may_have_arrived or response is None or response.status_code != 429
            if response is not None and (
                wait is None or wait > self._retry.max_wait or attempt >= self._retry.retries
            ):
                if response.is_success:
                    return response
                raise error_of(response)
            await async_pause(backoff(attempt) if wait is None else wait)
            attempt += 1

    async def _attempt(
        self, request: httpx.Request, attempt: int
    ) -> tuple[httpx.Response | None, float | None]:
        """An answer, and the wait before the next attempt; no answer where the connection failed and may do better."""
        try:
            response = await self.http.send(request)
        except httpx.TransportError as error:
            if attempt < self._retry.retries and is_repeatable(request):
                return None, None
            raise MagpieConnectionError(f"No answer of {request.url}: {error!r}") from error
        return response, wait_after(response, attempt)
