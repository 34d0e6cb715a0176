from collections.abc import AsyncGenerator
from typing import Any, Protocol

PART = 100
"""Items of a part, of a list that is read to its end."""


class AsyncAsk(Protocol):
    """Gets the part of a list that begins at a cursor; None begins with the first."""

    async def __call__(self, cursor: str | None, /) -> Any: ...


async def items_of(ask: AsyncAsk) -> AsyncGenerator[Any, None]:
    """The items of a list that is answered in parts."""
    cursor: str | None = None
    while True:
        page = await ask(cursor)
        for item in page["data"]:
            yield item
        cursor = page["next_cursor"]
        if cursor is None:
            return
