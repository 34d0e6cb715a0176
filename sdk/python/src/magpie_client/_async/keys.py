import builtins
from collections.abc import AsyncGenerator
from typing import Unpack

from ..inputs import (
    CreateApiKeyRequest,
    CreateFeedRequest,
    CreateOwnKeyRequest,
    RenameOwnKeyRequest,
    UpdateApiKeyRequest,
)
from ..models import (
    ApiKey,
    ApiKeyDetails,
    EventFeed,
    GetApiKeyUsageResponse,
    GetOwnKeyUsageResponse,
    GetUsageResponse,
    Me,
)
from .lists import PART, items_of
from .operations import AsyncOperations


class AsyncKeys:
    """The API keys of the installation, for its administrator: with an `admin_key`."""

    def __init__(self, raw: AsyncOperations) -> None:
        self._raw = raw

    async def create(self, **request: Unpack[CreateApiKeyRequest]) -> ApiKeyDetails:
        """Generate a key. The answer holds its value, once."""
        return (await self._raw.create_api_key(request))["data"]

    def list(
        self, *, owner: str | None = None, query: str | None = None
    ) -> AsyncGenerator[ApiKeyDetails, None]:
        """The keys, the newest first, without their values."""
        return items_of(
            lambda cursor: self._raw.list_all_api_keys(cursor=cursor, limit=PART, owner=owner, query=query)
        )

    async def update(self, id: str, /, **changes: Unpack[UpdateApiKeyRequest]) -> ApiKeyDetails:
        """Change the name, the scopes, the end, the limits or the quotas of a key: what is not named stays."""
        return (await self._raw.update_api_key(id, changes))["data"]

    async def delete(self, id: str) -> None:
        """Delete a key. Its events and sources go with it."""
        await self._raw.delete_api_key(id)

    async def usage(self, id: str, *, days: int | None = None) -> GetApiKeyUsageResponse:
        """What a key used by day, and what is left of its quotas."""
        return await self._raw.get_api_key_usage(id, days=days)


class AsyncOwnKeys:
    """The keys of an owner who has signed in: with the cookie of the session."""

    def __init__(self, raw: AsyncOperations) -> None:
        self._raw = raw

    async def create(self, **request: Unpack[CreateOwnKeyRequest]) -> ApiKeyDetails:
        """Generate a key. The answer holds its value, once."""
        return (await self._raw.create_own_key(request))["data"]

    def list(self) -> AsyncGenerator[ApiKeyDetails, None]:
        """The owner's keys, the newest first, without their values."""
        return items_of(lambda cursor: self._raw.list_own_keys(cursor=cursor, limit=PART))

    async def update(self, id: str, /, **changes: Unpack[RenameOwnKeyRequest]) -> ApiKeyDetails:
        """Change the name, the scopes or the end of a key: what is not named stays."""
        return (await self._raw.rename_own_key(id, changes))["data"]

    async def delete(self, id: str) -> None:
        """Delete a key. Its events and sources go with it."""
        await self._raw.delete_own_key(id)

    async def usage(self, id: str, *, days: int | None = None) -> GetOwnKeyUsageResponse:
        """What a key used by day, and what is left of its quotas."""
        return await self._raw.get_own_key_usage(id, days=days)


class AsyncAccount:
    """What an API key says of itself."""

    def __init__(self, raw: AsyncOperations) -> None:
        self._raw = raw

    async def get(self) -> Me:
        """The key that is used: its owner, its limits and quotas."""
        return (await self._raw.me())["data"]

    async def usage(self, *, days: int | None = None) -> GetUsageResponse:
        """What the key used by day, and what is left of its quotas."""
        return await self._raw.get_usage(days=days)

    async def keys(self) -> list[ApiKey]:
        """The keys of the same owner."""
        return (await self._raw.list_api_keys()).data.apiKeys


class AsyncFeeds:
    """Feeds of the key's events, for feed readers."""

    def __init__(self, raw: AsyncOperations) -> None:
        self._raw = raw

    async def create(self, **request: Unpack[CreateFeedRequest]) -> EventFeed:
        """Make a feed. Anyone who has its address can read it."""
        return (await self._raw.create_feed(request))["data"]

    async def list(self) -> builtins.list[EventFeed]:
        """The feeds of the key."""
        return (await self._raw.list_feeds())["data"]

    async def delete(self, id: str) -> None:
        """Delete a feed; its address answers 404 from then on."""
        await self._raw.delete_feed(id)
