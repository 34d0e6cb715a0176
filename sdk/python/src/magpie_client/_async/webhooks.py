import builtins
from collections.abc import AsyncGenerator
from typing import Literal, TypeAlias, Unpack

from ..inputs import (
    ChangeEndpointRequest,
    CreateEndpointRequest,
    ReplayEndpointRequest,
    TestTransformRequest,
)
from ..models import (
    ChangedWebhookEndpoint,
    Delivery,
    DeliveryWithBody,
    EventTypeDescription,
    NewWebhookEndpoint,
    RetriedDelivery,
    TransformTest,
    WebhookState,
)
from .lists import PART, items_of
from .operations import AsyncOperations

Outcome: TypeAlias = Literal["succeeded", "failed", "dead"]


class AsyncWebhooks:
    """The endpoints that the key's events are posted to."""

    def __init__(self, raw: AsyncOperations) -> None:
        self._raw = raw

    async def create(self, **request: Unpack[CreateEndpointRequest]) -> NewWebhookEndpoint:
        """Have events posted to a URL, or mailed to a `mailto:` address. The answer holds the signing secret, once."""
        return (await self._raw.create_endpoint(request))["data"]

    async def list(self) -> AsyncGenerator[WebhookState, None]:
        """The endpoints of the key, which the service answers at once."""
        for endpoint in (await self._raw.list_webhooks()).data:
            yield endpoint

    async def get(self, id: str) -> WebhookState:
        """An endpoint: its options, its status, and what waits for it."""
        return (await self._raw.get_endpoint(id))["data"]

    async def update(self, id: str, /, **changes: Unpack[ChangeEndpointRequest]) -> ChangedWebhookEndpoint:
        """Change an endpoint: what is not named stays. One that has failed starts again, unless it is disabled."""
        return (await self._raw.change_endpoint(id, changes))["data"]

    async def rotate_secret(self, id: str) -> str:
        """Make another signing secret, and return it. Both secrets sign for 24 hours: change the receiver meanwhile."""
        secret: str = (await self.update(id, rotate_secret=True))["secret"]
        return secret

    async def delete(self, id: str) -> None:
        """Delete an endpoint. Events that wait for it are not delivered."""
        await self._raw.delete_endpoint(id)

    async def test(self, id: str) -> str:
        """Send a test event to an endpoint, whatever events it takes, and return the id of the event."""
        return (await self._raw.test_endpoint(id)).data.event_id

    async def try_transform(self, id: str, /, **tried: Unpack[TestTransformRequest]) -> TransformTest:
        """What an endpoint's filter and transform, or others, make of an event of the key. Nothing is sent."""
        return (await self._raw.test_transform(id, tried))["data"]

    async def replay(self, id: str, /, **wanted: Unpack[ReplayEndpointRequest]) -> int:
        """Send events to an endpoint again: since a time, or those that are named. Returns how many."""
        return (await self._raw.replay_endpoint(id, wanted)).data.events

    def deliveries(
        self, id: str, *, status: Outcome | None = None, event_id: str | None = None
    ) -> AsyncGenerator[Delivery, None]:
        """The attempts to deliver to an endpoint, the latest first."""
        return items_of(
            lambda cursor: self._raw.list_endpoint_deliveries(
                id, status=status, event_id=event_id, cursor=cursor, limit=PART
            )
        )

    async def retry(self, id: str, delivery_id: str) -> RetriedDelivery:
        """Send the event of one attempt again."""
        return (await self._raw.retry_endpoint_delivery(id, delivery_id))["data"]

    async def event_types(self) -> builtins.list[EventTypeDescription]:
        """The types that events can have, with what each carries."""
        return (await self._raw.list_event_types())["data"]


class AsyncDeliveries:
    """The attempts to deliver to any endpoint of the key."""

    def __init__(self, raw: AsyncOperations) -> None:
        self._raw = raw

    def list(
        self, *, status: Outcome | None = None, event_id: str | None = None
    ) -> AsyncGenerator[Delivery, None]:
        """The attempts, the latest first."""
        return items_of(
            lambda cursor: self._raw.list_deliveries(
                status=status, event_id=event_id, cursor=cursor, limit=PART
            )
        )

    async def get(self, id: str) -> DeliveryWithBody:
        """An attempt, with what was sent and answered."""
        return (await self._raw.get_delivery(id))["data"]

    async def retry(self, id: str) -> RetriedDelivery:
        """Send the event of an attempt again."""
        return (await self._raw.retry_delivery(id))["data"]
