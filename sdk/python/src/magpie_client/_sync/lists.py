# Written by generate.py from the asynchronous client: change that.
from collections.abc import Generator
from typing import Any, Protocol

PART = 100
"""Items of a part, of a list that is read to its end."""


class Ask(Protocol):
    """Gets the part of a list that begins at a cursor; None begins with the first."""

    def __call__(self, cursor: str | None, /) -> Any: ...


def items_of(ask: Ask) -> Generator[Any, None]:
    """The items of a list that is answered in parts."""
    cursor: str | None = None
    while True:
        page = ask(cursor)
        for item in page["data"]:
            yield item
        cursor = page["next_cursor"]
        if cursor is None:
            return
