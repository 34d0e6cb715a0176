# Written by generate.py from the asynchronous client: change that.
from typing import Any

from .._request import compact, path_of
from ..inputs import (
    BackfillPostsRequest,
    BatchRequest,
    ChangeEndpointRequest,
    ChangeMonitorRequest,
    ChangePasswordRequest,
    ChangeSourceRequest,
    ChangeWebhookRequest,
    CrawlRequest,
    CreateApiKeyRequest,
    CreateEndpointRequest,
    CreateFeedRequest,
    CreateMonitorRequest,
    CreateOwnKeyRequest,
    DispatchPostsRequest,
    ErasureRequest,
    MapSiteRequest,
    PollSourceRequest,
    PostInSandboxRequest,
    PreviewSourceRequest,
    RehearseRequest,
    RenameOwnKeyRequest,
    ReplayDeliveriesRequest,
    ReplayEndpointRequest,
    ReplayLaneRequest,
    ScrapeRequest,
    SetMessengerDefaultKeyRequest,
    SetPasswordRequest,
    SetWebhookRequest,
    SignInRequest,
    TestTransformRequest,
    TrackChatRequest,
    TrackManyRequest,
    TrackRequest,
    TrackUserRequest,
    UntrackChatRequest,
    UntrackRequest,
    UntrackUserRequest,
    UpdateApiKeyRequest,
)
from ..models import (
    AcceptedBatch,
    AcceptedCrawl,
    AcceptedScrape,
    AccountAbout,
    BackfillPostsResponse,
    Batch,
    CancelledBatch,
    CancelledCrawl,
    ChangeEndpointResponse,
    ChangeMonitorResponse,
    ChangePasswordResponse,
    ChangeSourceResponse,
    ChangeWebhookResponse,
    CheckLivenessResponse,
    CheckReadinessResponse,
    Crawl,
    CreateApiKeyResponse,
    CreateEndpointResponse,
    CreateFeedResponse,
    CreateMonitorResponse,
    CreateOwnKeyResponse,
    CreateOwnerLinkResponse,
    DeleteEndpointResponse,
    DeleteFeedResponse,
    DeleteMonitorResponse,
    DeleteWebhookResponse,
    DiffVersionsResponse,
    DispatchPostsResponse,
    EraseSiteSessionResponse,
    EventPage,
    FindSourcesResponse,
    FinishedScrape,
    GetApiKeyUsageResponse,
    GetDeliveryResponse,
    GetEndpointResponse,
    GetErasureResponse,
    GetMonitorCheckResponse,
    GetMonitorResponse,
    GetOverviewResponse,
    GetOwnKeyUsageResponse,
    GetSessionResponse,
    GetSiteSessionResponse,
    GetSourceResponse,
    GetTotalUsageResponse,
    GetTrackBatchResponse,
    GetUsageResponse,
    GetVersionResponse,
    GetWebhookResponse,
    HomeResponse,
    ImportSourcesResponse,
    ListAllApiKeysResponse,
    ListAllCrawlsResponse,
    ListAllDeliveriesResponse,
    ListAllJoinsResponse,
    ListAllScrapesResponse,
    ListAllSourcesResponse,
    ListApiKeysResponse,
    ListAuditResponse,
    ListBatchErrorsResponse,
    ListChecksResponse,
    ListCrawlErrorsResponse,
    ListCrawlsResponse,
    ListDeliveriesResponse,
    ListEndpointDeliveriesResponse,
    ListEventTypesResponse,
    ListFeedsResponse,
    ListJoinsResponse,
    ListLanesResponse,
    ListMonitorChecksResponse,
    ListMonitorsResponse,
    ListOwnKeysResponse,
    ListOwnersResponse,
    ListScrapesResponse,
    ListSitePagesResponse,
    ListSiteSessionsResponse,
    ListSourcesResponse,
    ListTrackedUsersResponse,
    ListValuesResponse,
    ListVersionsResponse,
    ListWebhooksResponse,
    MeResponse,
    PollAnySourceResponse,
    PollSourceResponse,
    Post,
    PostInSandboxResponse,
    PreviewSourceResponse,
    QueuedTrack,
    ReactivateLaneResponse,
    ReadSiteTreeResponse,
    RehearseResponse,
    RenameOwnKeyResponse,
    ReplayDeliveriesResponse,
    ReplayEndpointResponse,
    ReplayLaneResponse,
    RetryDeliveryResponse,
    RetryEndpointDeliveryResponse,
    RunMonitorResponse,
    Scrape,
    SearchChannelResponse,
    SearchGuideResponse,
    SearchHistoryResponse,
    SearchMessagesResponse,
    SetMessengerDefaultKeyResponse,
    SetPasswordResponse,
    SetWebhookResponse,
    SignInResponse,
    SiteMap,
    StartErasureResponse,
    TestEndpointResponse,
    TestTransformResponse,
    TestWebhookResponse,
    TrackChatResponse,
    TrackJob,
    TrackManyResponse,
    TrackResponse,
    TrackUserResponse,
    UntrackChatResponse,
    UntrackResponse,
    UntrackUserResponse,
    UpdateApiKeyResponse,
    WebhookKeys,
)
from .transport import Transport


class Operations:
    """Every operation of the service, as its document has it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def track_many(self, body: TrackManyRequest) -> TrackManyResponse:
        """Track many sources."""
        result: TrackManyResponse = self._transport.json("POST", path_of("/track/batch"), body=body)
        return result

    def get_track_batch(
        self, batch_id: str, *, cursor: str | None = None, limit: int | None = None, status: str | None = None
    ) -> GetTrackBatchResponse:
        """Get a batch of sources."""
        result: GetTrackBatchResponse = self._transport.json(
            "GET",
            path_of("/track-batches/{batch_id}", batch_id=batch_id),
            query=compact({"cursor": cursor, "limit": limit, "status": status}),
        )
        return result

    def create_monitor(
        self, body: CreateMonitorRequest, *, idempotency_key: str | None = None
    ) -> CreateMonitorResponse:
        """Make a monitor."""
        result: CreateMonitorResponse = self._transport.json(
            "POST", path_of("/monitors"), body=body, idempotency_key=idempotency_key
        )
        return result

    def list_monitors(
        self, *, cursor: str | None = None, limit: int | None = None, offset: int | None = None
    ) -> ListMonitorsResponse:
        """List the monitors of the key."""
        result: ListMonitorsResponse = self._transport.json(
            "GET", path_of("/monitors"), query=compact({"cursor": cursor, "limit": limit, "offset": offset})
        )
        return result

    def get_monitor(self, id: str) -> GetMonitorResponse:
        """Get a monitor."""
        result: GetMonitorResponse = self._transport.json("GET", path_of("/monitors/{id}", id=id))
        return result

    def change_monitor(self, id: str, body: ChangeMonitorRequest | None = None) -> ChangeMonitorResponse:
        """Change or pause a monitor."""
        result: ChangeMonitorResponse = self._transport.json(
            "PATCH", path_of("/monitors/{id}", id=id), body=body
        )
        return result

    def delete_monitor(self, id: str) -> DeleteMonitorResponse:
        """Delete a monitor."""
        result: DeleteMonitorResponse = self._transport.json("DELETE", path_of("/monitors/{id}", id=id))
        return result

    def run_monitor(self, id: str) -> RunMonitorResponse:
        """Check a monitor now."""
        result: RunMonitorResponse = self._transport.json("POST", path_of("/monitors/{id}/run", id=id))
        return result

    def list_monitor_checks(
        self,
        id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        status: str | None = None,
    ) -> ListMonitorChecksResponse:
        """List the checks of a monitor."""
        result: ListMonitorChecksResponse = self._transport.json(
            "GET",
            path_of("/monitors/{id}/checks", id=id),
            query=compact({"cursor": cursor, "limit": limit, "offset": offset, "status": status}),
        )
        return result

    def get_monitor_check(
        self,
        id: str,
        check: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        status: str | None = None,
    ) -> GetMonitorCheckResponse:
        """Get a check and its pages."""
        result: GetMonitorCheckResponse = self._transport.json(
            "GET",
            path_of("/monitors/{id}/checks/{check}", id=id, check=check),
            query=compact({"cursor": cursor, "limit": limit, "offset": offset, "status": status}),
        )
        return result

    def export_sources(self) -> str:
        """Export tracked sources as OPML."""
        result: str = self._transport.text("GET", path_of("/track/opml"))
        return result

    def import_sources(
        self, body: str | bytes, *, mode: str | None = None, dry_run: bool | None = None
    ) -> ImportSourcesResponse:
        """Import sources from OPML."""
        result: ImportSourcesResponse = self._transport.json(
            "POST",
            path_of("/track/opml"),
            query=compact({"mode": mode, "dry_run": dry_run}),
            content=body,
            content_type="text/x-opml",
        )
        return result

    def track(self, source: str, body: TrackRequest) -> TrackResponse | QueuedTrack:
        """Track a source."""
        result: TrackResponse | QueuedTrack = self._transport.json(
            "POST", path_of("/track/{source}", source=source), body=body
        )
        return result

    def untrack(
        self,
        source: str,
        body: UntrackRequest | None = None,
        *,
        eid: str | None = None,
        iid: str | None = None,
    ) -> UntrackResponse:
        """Stop tracking a source."""
        result: UntrackResponse = self._transport.json(
            "DELETE",
            path_of("/track/{source}", source=source),
            query=compact({"eid": eid, "iid": iid}),
            body=body,
        )
        return result

    def change_source(self, source: str, body: ChangeSourceRequest) -> ChangeSourceResponse:
        """Change how a source is tracked."""
        result: ChangeSourceResponse = self._transport.json(
            "PATCH", path_of("/track/{source}", source=source), body=body
        )
        return result

    def find_sources(
        self,
        source: str,
        *,
        query: str,
        page: int | None = None,
        cursor: int | None = None,
        limit: int | None = None,
    ) -> FindSourcesResponse:
        """Find tracked sources."""
        result: FindSourcesResponse = self._transport.json(
            "GET",
            path_of("/track/{source}/find", source=source),
            query=compact({"query": query, "page": page, "cursor": cursor, "limit": limit}),
        )
        return result

    def get_join(self, source: str, *, id: str) -> TrackJob:
        """Get the state of a join request."""
        result: TrackJob = self._transport.json(
            "GET", path_of("/track/{source}/status", source=source), query=compact({"id": id})
        )
        return result

    def track_user(self, body: TrackUserRequest) -> TrackUserResponse:
        """Track a microblog user."""
        result: TrackUserResponse = self._transport.json("POST", path_of("/track-user"), body=body)
        return result

    def untrack_user(
        self, body: UntrackUserRequest | None = None, *, username: str | None = None
    ) -> UntrackUserResponse:
        """Stop tracking a microblog user."""
        result: UntrackUserResponse = self._transport.json(
            "DELETE", path_of("/track-user"), query=compact({"username": username}), body=body
        )
        return result

    def list_tracked_users(self) -> ListTrackedUsersResponse:
        """List the microblog users that the key tracks."""
        result: ListTrackedUsersResponse = self._transport.json("GET", path_of("/tracked-users"))
        return result

    def track_chat(self, body: TrackChatRequest) -> TrackChatResponse:
        """Track one channel of a chat server."""
        result: TrackChatResponse = self._transport.json("POST", path_of("/track-chat"), body=body)
        return result

    def untrack_chat(
        self, body: UntrackChatRequest | None = None, *, channelId: str | None = None
    ) -> UntrackChatResponse:
        """Stop tracking a channel of a chat server."""
        result: UntrackChatResponse = self._transport.json(
            "DELETE", path_of("/track-chat"), query=compact({"channelId": channelId}), body=body
        )
        return result

    def get_microblog_post(self, *, postId: str) -> Post:
        """One microblog post."""
        result: Post = self._transport.json(
            "GET", path_of("/microblog/post"), query=compact({"postId": postId})
        )
        return result

    def about_microblog_user(self, *, username: str) -> AccountAbout:
        """About a microblog account."""
        result: AccountAbout = self._transport.json(
            "GET", path_of("/microblog/about-user"), query=compact({"username": username})
        )
        return result

    def search_messages(
        self, *, q: str | None = None, query: str | None = None, limit: int | None = None
    ) -> SearchMessagesResponse:
        """Search messages everywhere."""
        result: SearchMessagesResponse = self._transport.json(
            "GET", path_of("/messenger/search"), query=compact({"q": q, "query": query, "limit": limit})
        )
        return result

    def search_channel(
        self, channelId: str, *, q: str | None = None, query: str | None = None, limit: int | None = None
    ) -> SearchChannelResponse:
        """Search messages of a channel."""
        result: SearchChannelResponse = self._transport.json(
            "GET",
            path_of("/messenger/channel/{channelId}/search", channelId=channelId),
            query=compact({"q": q, "query": query, "limit": limit}),
        )
        return result

    def list_webhooks(self, *, cursor: str | None = None, limit: int | None = None) -> ListWebhooksResponse:
        """List webhooks and how their deliveries go."""
        result: ListWebhooksResponse = self._transport.json(
            "GET", path_of("/webhooks"), query=compact({"cursor": cursor, "limit": limit})
        )
        return result

    def create_endpoint(
        self, body: CreateEndpointRequest | None = None, *, idempotency_key: str | None = None
    ) -> CreateEndpointResponse:
        """Add a webhook."""
        result: CreateEndpointResponse = self._transport.json(
            "POST", path_of("/webhooks"), body=body, idempotency_key=idempotency_key
        )
        return result

    def get_webhook(self) -> GetWebhookResponse:
        """Show the registered URL."""
        result: GetWebhookResponse = self._transport.json("GET", path_of("/webhook"))
        return result

    def set_webhook(self, body: SetWebhookRequest) -> SetWebhookResponse:
        """Register a URL."""
        result: SetWebhookResponse = self._transport.json("POST", path_of("/webhook"), body=body)
        return result

    def change_webhook(self, body: ChangeWebhookRequest | None = None) -> ChangeWebhookResponse:
        """Change or restart the webhook."""
        result: ChangeWebhookResponse = self._transport.json("PATCH", path_of("/webhook"), body=body)
        return result

    def delete_webhook(self) -> DeleteWebhookResponse:
        """Remove the webhook."""
        result: DeleteWebhookResponse = self._transport.json("DELETE", path_of("/webhook"))
        return result

    def list_deliveries(
        self,
        *,
        status: str | None = None,
        event_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> ListDeliveriesResponse:
        """List attempts to deliver."""
        result: ListDeliveriesResponse = self._transport.json(
            "GET",
            path_of("/webhook/deliveries"),
            query=compact({"status": status, "event_id": event_id, "cursor": cursor, "limit": limit}),
        )
        return result

    def get_delivery(self, id: str) -> GetDeliveryResponse:
        """Show an attempt and what was sent."""
        result: GetDeliveryResponse = self._transport.json("GET", path_of("/webhook/deliveries/{id}", id=id))
        return result

    def retry_delivery(self, id: str) -> RetryDeliveryResponse:
        """Deliver one event again."""
        result: RetryDeliveryResponse = self._transport.json(
            "POST", path_of("/webhook/deliveries/{id}/retry", id=id)
        )
        return result

    def test_webhook(self) -> TestWebhookResponse:
        """Send a test event."""
        result: TestWebhookResponse = self._transport.json("POST", path_of("/webhook/test"))
        return result

    def replay_deliveries(self, body: ReplayDeliveriesRequest) -> ReplayDeliveriesResponse:
        """Deliver again."""
        result: ReplayDeliveriesResponse = self._transport.json("POST", path_of("/webhook/replay"), body=body)
        return result

    def get_endpoint(self, id: str) -> GetEndpointResponse:
        """Show a webhook and how its deliveries go."""
        result: GetEndpointResponse = self._transport.json("GET", path_of("/webhooks/{id}", id=id))
        return result

    def change_endpoint(self, id: str, body: ChangeEndpointRequest | None = None) -> ChangeEndpointResponse:
        """Change, restart or disable a webhook."""
        result: ChangeEndpointResponse = self._transport.json(
            "PATCH", path_of("/webhooks/{id}", id=id), body=body
        )
        return result

    def delete_endpoint(self, id: str) -> DeleteEndpointResponse:
        """Remove one webhook."""
        result: DeleteEndpointResponse = self._transport.json("DELETE", path_of("/webhooks/{id}", id=id))
        return result

    def webhook_keys(self, id: str) -> WebhookKeys:
        """Show the public keys of a webhook."""
        result: WebhookKeys = self._transport.json("GET", path_of("/.well-known/webhooks/keys/{id}", id=id))
        return result

    def list_endpoint_deliveries(
        self,
        id: str,
        *,
        status: str | None = None,
        event_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> ListEndpointDeliveriesResponse:
        """List attempts to deliver to one webhook."""
        result: ListEndpointDeliveriesResponse = self._transport.json(
            "GET",
            path_of("/webhooks/{id}/deliveries", id=id),
            query=compact({"status": status, "event_id": event_id, "cursor": cursor, "limit": limit}),
        )
        return result

    def retry_endpoint_delivery(self, id: str, delivery_id: str) -> RetryEndpointDeliveryResponse:
        """Deliver one event to one webhook again."""
        result: RetryEndpointDeliveryResponse = self._transport.json(
            "POST", path_of("/webhooks/{id}/deliveries/{delivery_id}/retry", id=id, delivery_id=delivery_id)
        )
        return result

    def test_endpoint(self, id: str) -> TestEndpointResponse:
        """Send a test event to one webhook."""
        result: TestEndpointResponse = self._transport.json("POST", path_of("/webhooks/{id}/test", id=id))
        return result

    def test_transform(self, id: str, body: TestTransformRequest | None = None) -> TestTransformResponse:
        """Try a filter and a transform on an event."""
        result: TestTransformResponse = self._transport.json(
            "POST", path_of("/webhooks/{id}/transform/test", id=id), body=body
        )
        return result

    def replay_endpoint(self, id: str, body: ReplayEndpointRequest | None = None) -> ReplayEndpointResponse:
        """Deliver events to one webhook again."""
        result: ReplayEndpointResponse = self._transport.json(
            "POST", path_of("/webhooks/{id}/replay", id=id), body=body
        )
        return result

    def list_event_types(
        self, *, cursor: str | None = None, limit: int | None = None
    ) -> ListEventTypesResponse:
        """List the types of events."""
        result: ListEventTypesResponse = self._transport.json(
            "GET", path_of("/event-types"), query=compact({"cursor": cursor, "limit": limit})
        )
        return result

    def read_events(
        self,
        *,
        after: int | None = None,
        cursor: int | None = None,
        since: str | None = None,
        until: str | None = None,
        types: str | None = None,
        type: str | None = None,
        event_types: str | None = None,
        sources: str | None = None,
        source: str | None = None,
        tags: str | None = None,
        tag: str | None = None,
        meaningful: bool | None = None,
        limit: int | None = None,
        wait_seconds: int | None = None,
        wait: int | None = None,
    ) -> EventPage:
        """Read events a page at a time."""
        result: EventPage = self._transport.json(
            "GET",
            path_of("/events"),
            query=compact(
                {
                    "after": after,
                    "cursor": cursor,
                    "since": since,
                    "until": until,
                    "types": types,
                    "type": type,
                    "event_types": event_types,
                    "sources": sources,
                    "source": source,
                    "tags": tags,
                    "tag": tag,
                    "meaningful": meaningful,
                    "limit": limit,
                    "wait_seconds": wait_seconds,
                    "wait": wait,
                }
            ),
        )
        return result

    def list_feeds(self, *, cursor: str | None = None, limit: int | None = None) -> ListFeedsResponse:
        """List feeds."""
        result: ListFeedsResponse = self._transport.json(
            "GET", path_of("/feeds"), query=compact({"cursor": cursor, "limit": limit})
        )
        return result

    def create_feed(
        self, body: CreateFeedRequest | None = None, *, idempotency_key: str | None = None
    ) -> CreateFeedResponse:
        """Create a feed of events."""
        result: CreateFeedResponse = self._transport.json(
            "POST", path_of("/feeds"), body=body, idempotency_key=idempotency_key
        )
        return result

    def delete_feed(self, feed: str) -> DeleteFeedResponse:
        """Delete a feed."""
        result: DeleteFeedResponse = self._transport.json("DELETE", path_of("/feeds/{feed}", feed=feed))
        return result

    def read_feed(self, feed: str) -> bytes:
        """Read a feed."""
        result: bytes = self._transport.content("GET", path_of("/feeds/{feed}", feed=feed))
        return result

    def scrape(
        self, body: ScrapeRequest, *, idempotency_key: str | None = None
    ) -> FinishedScrape | AcceptedScrape:
        """Scrape one page."""
        result: FinishedScrape | AcceptedScrape = self._transport.json(
            "POST", path_of("/web/scrape"), body=body, idempotency_key=idempotency_key
        )
        return result

    def list_scrapes(
        self, *, cursor: str | None = None, limit: int | None = None, status: str | None = None
    ) -> ListScrapesResponse:
        """List scrapes."""
        result: ListScrapesResponse = self._transport.json(
            "GET", path_of("/web/scrape"), query=compact({"cursor": cursor, "limit": limit, "status": status})
        )
        return result

    def get_scrape(self, scrape_id: str) -> Scrape:
        """Get a scrape."""
        result: Scrape = self._transport.json("GET", path_of("/web/scrape/{scrape_id}", scrape_id=scrape_id))
        return result

    def cancel_scrape(self, scrape_id: str) -> Scrape:
        """Cancel a scrape."""
        result: Scrape = self._transport.json(
            "DELETE", path_of("/web/scrape/{scrape_id}", scrape_id=scrape_id)
        )
        return result

    def get_screenshot(self, key: str) -> bytes:
        """Download a screenshot."""
        result: bytes = self._transport.content("GET", path_of("/web/screenshot/{key}", key=key))
        return result

    def start_crawl(self, body: CrawlRequest, *, idempotency_key: str | None = None) -> AcceptedCrawl:
        """Crawl a site."""
        result: AcceptedCrawl = self._transport.json(
            "POST", path_of("/web/crawl"), body=body, idempotency_key=idempotency_key
        )
        return result

    def list_crawls(
        self, *, cursor: str | None = None, limit: int | None = None, status: str | None = None
    ) -> ListCrawlsResponse:
        """List crawls."""
        result: ListCrawlsResponse = self._transport.json(
            "GET", path_of("/web/crawl"), query=compact({"cursor": cursor, "limit": limit, "status": status})
        )
        return result

    def get_crawl(
        self, crawl_id: str, *, cursor: str | None = None, limit: int | None = None, status: str | None = None
    ) -> Crawl:
        """Get a crawl and its pages."""
        result: Crawl = self._transport.json(
            "GET",
            path_of("/web/crawl/{crawl_id}", crawl_id=crawl_id),
            query=compact({"cursor": cursor, "limit": limit, "status": status}),
        )
        return result

    def cancel_crawl(self, crawl_id: str) -> CancelledCrawl:
        """Cancel a crawl."""
        result: CancelledCrawl = self._transport.json(
            "DELETE", path_of("/web/crawl/{crawl_id}", crawl_id=crawl_id)
        )
        return result

    def list_crawl_errors(
        self, crawl_id: str, *, cursor: str | None = None, limit: int | None = None
    ) -> ListCrawlErrorsResponse:
        """List the failed and skipped pages of a crawl."""
        result: ListCrawlErrorsResponse = self._transport.json(
            "GET",
            path_of("/web/crawl/{crawl_id}/errors", crawl_id=crawl_id),
            query=compact({"cursor": cursor, "limit": limit}),
        )
        return result

    def start_batch(self, body: BatchRequest, *, idempotency_key: str | None = None) -> AcceptedBatch:
        """Scrape a list of pages."""
        result: AcceptedBatch = self._transport.json(
            "POST", path_of("/web/batch"), body=body, idempotency_key=idempotency_key
        )
        return result

    def get_batch(
        self, batch_id: str, *, cursor: str | None = None, limit: int | None = None, status: str | None = None
    ) -> Batch:
        """Get a batch and its pages."""
        result: Batch = self._transport.json(
            "GET",
            path_of("/web/batch/{batch_id}", batch_id=batch_id),
            query=compact({"cursor": cursor, "limit": limit, "status": status}),
        )
        return result

    def cancel_batch(self, batch_id: str) -> CancelledBatch:
        """Cancel a batch."""
        result: CancelledBatch = self._transport.json(
            "DELETE", path_of("/web/batch/{batch_id}", batch_id=batch_id)
        )
        return result

    def list_batch_errors(
        self, batch_id: str, *, cursor: str | None = None, limit: int | None = None
    ) -> ListBatchErrorsResponse:
        """List the failed and skipped pages of a batch."""
        result: ListBatchErrorsResponse = self._transport.json(
            "GET",
            path_of("/web/batch/{batch_id}/errors", batch_id=batch_id),
            query=compact({"cursor": cursor, "limit": limit}),
        )
        return result

    def map_site(self, body: MapSiteRequest) -> SiteMap:
        """List the pages of a site."""
        result: SiteMap = self._transport.json("POST", path_of("/web/map"), body=body)
        return result

    def sign_in(self, body: SignInRequest | None = None) -> SignInResponse:
        """Sign in."""
        result: SignInResponse = self._transport.json("POST", path_of("/session"), body=body)
        return result

    def get_session(self) -> GetSessionResponse:
        """Who is signed in."""
        result: GetSessionResponse = self._transport.json("GET", path_of("/session"))
        return result

    def sign_out(self) -> None:
        """Sign out."""
        self._transport.nothing("DELETE", path_of("/session"))

    def set_password(self, body: SetPasswordRequest) -> SetPasswordResponse:
        """Set an owner's password by its one-time link."""
        result: SetPasswordResponse = self._transport.json("POST", path_of("/session/password"), body=body)
        return result

    def change_password(self, body: ChangePasswordRequest) -> ChangePasswordResponse:
        """Change the owner's password."""
        result: ChangePasswordResponse = self._transport.json("PUT", path_of("/session/password"), body=body)
        return result

    def me(self) -> MeResponse:
        """The calling key."""
        result: MeResponse = self._transport.json("GET", path_of("/users/me"))
        return result

    def get_usage(self, *, days: int | None = None) -> GetUsageResponse:
        """Requests of the calling key per day, and its quotas."""
        result: GetUsageResponse = self._transport.json(
            "GET", path_of("/users/me/usage"), query=compact({"days": days})
        )
        return result

    def list_api_keys(self) -> ListApiKeysResponse:
        """List the owner's keys."""
        result: ListApiKeysResponse = self._transport.json("GET", path_of("/users/me/api-keys"))
        return result

    def set_messenger_default_key(
        self, body: SetMessengerDefaultKeyRequest
    ) -> SetMessengerDefaultKeyResponse:
        """Choose the messenger bot's key."""
        result: SetMessengerDefaultKeyResponse = self._transport.json(
            "PUT", path_of("/users/me/messenger-default-key"), body=body
        )
        return result

    def list_all_api_keys(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        owner: str | None = None,
        query: str | None = None,
        ids: str | None = None,
    ) -> ListAllApiKeysResponse:
        """List keys."""
        result: ListAllApiKeysResponse = self._transport.json(
            "GET",
            path_of("/internal/keys"),
            query=compact({"cursor": cursor, "limit": limit, "owner": owner, "query": query, "ids": ids}),
        )
        return result

    def create_api_key(
        self, body: CreateApiKeyRequest, *, idempotency_key: str | None = None
    ) -> CreateApiKeyResponse:
        """Generate a key."""
        result: CreateApiKeyResponse = self._transport.json(
            "POST", path_of("/internal/keys"), body=body, idempotency_key=idempotency_key
        )
        return result

    def update_api_key(self, id: str, body: UpdateApiKeyRequest | None = None) -> UpdateApiKeyResponse:
        """Change a key."""
        result: UpdateApiKeyResponse = self._transport.json(
            "PATCH", path_of("/internal/keys/{id}", id=id), body=body
        )
        return result

    def delete_api_key(self, id: str) -> None:
        """Delete a key."""
        self._transport.nothing("DELETE", path_of("/internal/keys/{id}", id=id))

    def get_api_key_usage(self, id: str, *, days: int | None = None) -> GetApiKeyUsageResponse:
        """Requests of a key per day, and its quotas."""
        result: GetApiKeyUsageResponse = self._transport.json(
            "GET", path_of("/internal/keys/{id}/usage", id=id), query=compact({"days": days})
        )
        return result

    def list_own_keys(self, *, cursor: str | None = None, limit: int | None = None) -> ListOwnKeysResponse:
        """List your keys."""
        result: ListOwnKeysResponse = self._transport.json(
            "GET", path_of("/owner/keys"), query=compact({"cursor": cursor, "limit": limit})
        )
        return result

    def create_own_key(
        self, body: CreateOwnKeyRequest, *, idempotency_key: str | None = None
    ) -> CreateOwnKeyResponse:
        """Generate a key."""
        result: CreateOwnKeyResponse = self._transport.json(
            "POST", path_of("/owner/keys"), body=body, idempotency_key=idempotency_key
        )
        return result

    def rename_own_key(self, id: str, body: RenameOwnKeyRequest | None = None) -> RenameOwnKeyResponse:
        """Rename a key, or change its scopes or its end."""
        result: RenameOwnKeyResponse = self._transport.json(
            "PATCH", path_of("/owner/keys/{id}", id=id), body=body
        )
        return result

    def delete_own_key(self, id: str) -> None:
        """Delete a key."""
        self._transport.nothing("DELETE", path_of("/owner/keys/{id}", id=id))

    def get_own_key_usage(self, id: str, *, days: int | None = None) -> GetOwnKeyUsageResponse:
        """Requests of a key per day."""
        result: GetOwnKeyUsageResponse = self._transport.json(
            "GET", path_of("/owner/keys/{id}/usage", id=id), query=compact({"days": days})
        )
        return result

    def list_owners(
        self, *, cursor: str | None = None, limit: int | None = None, query: str | None = None
    ) -> ListOwnersResponse:
        """List owners."""
        result: ListOwnersResponse = self._transport.json(
            "GET",
            path_of("/internal/owners"),
            query=compact({"cursor": cursor, "limit": limit, "query": query}),
        )
        return result

    def create_owner_link(self, owner: str) -> CreateOwnerLinkResponse:
        """Let an owner in."""
        result: CreateOwnerLinkResponse = self._transport.json(
            "POST", path_of("/internal/owners/{owner}/link", owner=owner)
        )
        return result

    def delete_owner_password(self, owner: str) -> None:
        """Take an owner's password away."""
        self._transport.nothing("DELETE", path_of("/internal/owners/{owner}/password", owner=owner))

    def start_erasure(self, body: ErasureRequest | None = None) -> StartErasureResponse:
        """Erase what is kept of a key, an owner or a source."""
        result: StartErasureResponse = self._transport.json("POST", path_of("/internal/erasures"), body=body)
        return result

    def get_erasure(self, id: str) -> GetErasureResponse:
        """Show an erasure."""
        result: GetErasureResponse = self._transport.json("GET", path_of("/internal/erasures/{id}", id=id))
        return result

    def backfill_posts(self, body: BackfillPostsRequest | None = None) -> BackfillPostsResponse:
        """Fetch posts of a microblog account."""
        result: BackfillPostsResponse = self._transport.json("POST", path_of("/internal/backfill"), body=body)
        return result

    def dispatch_posts(self, body: DispatchPostsRequest | None = None) -> DispatchPostsResponse:
        """Deliver microblog posts."""
        result: DispatchPostsResponse = self._transport.json("POST", path_of("/internal/dispatch"), body=body)
        return result

    def post_in_sandbox(self, body: PostInSandboxRequest) -> PostInSandboxResponse:
        """Post on a simulated platform."""
        result: PostInSandboxResponse = self._transport.json(
            "POST", path_of("/internal/sandbox/post"), body=body
        )
        return result

    def list_sources(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        source: str | None = None,
        sources: str | None = None,
        health: str | None = None,
        query: str | None = None,
        tag: str | None = None,
        tags: str | None = None,
    ) -> ListSourcesResponse:
        """List tracked sources."""
        result: ListSourcesResponse = self._transport.json(
            "GET",
            path_of("/track"),
            query=compact(
                {
                    "cursor": cursor,
                    "limit": limit,
                    "source": source,
                    "sources": sources,
                    "health": health,
                    "query": query,
                    "tag": tag,
                    "tags": tags,
                }
            ),
        )
        return result

    def list_all_sources(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        source: str | None = None,
        sources: str | None = None,
        health: str | None = None,
        query: str | None = None,
    ) -> ListAllSourcesResponse:
        """List tracked sources of all keys."""
        result: ListAllSourcesResponse = self._transport.json(
            "GET",
            path_of("/internal/sources"),
            query=compact(
                {
                    "cursor": cursor,
                    "limit": limit,
                    "source": source,
                    "sources": sources,
                    "health": health,
                    "query": query,
                }
            ),
        )
        return result

    def poll_source(self, source: str, body: PollSourceRequest) -> PollSourceResponse:
        """Poll a tracked source now."""
        result: PollSourceResponse = self._transport.json(
            "POST", path_of("/track/{source}/poll", source=source), body=body
        )
        return result

    def preview_source(self, source: str, body: PreviewSourceRequest) -> PreviewSourceResponse:
        """See what tracking a source would watch."""
        result: PreviewSourceResponse = self._transport.json(
            "POST", path_of("/track/{source}/preview", source=source), body=body
        )
        return result

    def poll_any_source(self, id: str) -> PollAnySourceResponse:
        """Poll a source now."""
        result: PollAnySourceResponse = self._transport.json(
            "POST", path_of("/internal/sources/{id}/poll", id=id)
        )
        return result

    def remove_source(self, id: str) -> None:
        """Stop tracking a source for all keys."""
        self._transport.nothing("DELETE", path_of("/internal/sources/{id}", id=id))

    def get_source(self, id: str) -> GetSourceResponse:
        """Get a tracked source."""
        result: GetSourceResponse = self._transport.json("GET", path_of("/sources/{id}", id=id))
        return result

    def list_site_pages(
        self,
        id: str,
        *,
        prefix: str | None = None,
        state: str | None = None,
        changed_since: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListSitePagesResponse:
        """List the pages of a site."""
        result: ListSitePagesResponse = self._transport.json(
            "GET",
            path_of("/sources/{id}/pages", id=id),
            query=compact(
                {
                    "prefix": prefix,
                    "state": state,
                    "changed_since": changed_since,
                    "limit": limit,
                    "cursor": cursor,
                }
            ),
        )
        return result

    def read_site_tree(
        self, id: str, *, prefix: str | None = None, changed_since: str | None = None
    ) -> ReadSiteTreeResponse:
        """Read one level of a site."""
        result: ReadSiteTreeResponse = self._transport.json(
            "GET",
            path_of("/sources/{id}/tree", id=id),
            query=compact({"prefix": prefix, "changed_since": changed_since}),
        )
        return result

    def list_checks(
        self, id: str, *, outcome: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> ListChecksResponse:
        """List the checks of a source."""
        result: ListChecksResponse = self._transport.json(
            "GET",
            path_of("/sources/{id}/checks", id=id),
            query=compact({"outcome": outcome, "limit": limit, "cursor": cursor}),
        )
        return result

    def list_versions(
        self,
        id: str,
        *,
        item: str | None = None,
        at: str | None = None,
        all: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ListVersionsResponse:
        """List what a source said."""
        result: ListVersionsResponse = self._transport.json(
            "GET",
            path_of("/sources/{id}/versions", id=id),
            query=compact({"item": item, "at": at, "all": all, "limit": limit, "cursor": cursor}),
        )
        return result

    def erase_versions(self, id: str) -> None:
        """Erase what a source said."""
        self._transport.nothing("DELETE", path_of("/sources/{id}/versions", id=id))

    def get_version(self, id: str, version: str, *, as_: str | None = None) -> GetVersionResponse:
        """Read a version."""
        result: GetVersionResponse = self._transport.json(
            "GET",
            path_of("/sources/{id}/versions/{version}", id=id, version=version),
            query=compact({"as": as_}),
        )
        return result

    def diff_versions(
        self,
        id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        item: str | None = None,
        as_: str | None = None,
    ) -> DiffVersionsResponse:
        """Compare two versions."""
        result: DiffVersionsResponse = self._transport.json(
            "GET",
            path_of("/sources/{id}/diff", id=id),
            query=compact({"from": from_, "to": to, "item": item, "as": as_}),
        )
        return result

    def list_values(
        self,
        id: str,
        *,
        field: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        every: str | None = None,
        as_: str | None = None,
        limit: int | None = None,
    ) -> ListValuesResponse:
        """List the values of a source over time."""
        result: ListValuesResponse = self._transport.json(
            "GET",
            path_of("/sources/{id}/values", id=id),
            query=compact(
                {"field": field, "from": from_, "to": to, "every": every, "as": as_, "limit": limit}
            ),
        )
        return result

    def rehearse(self, id: str, body: RehearseRequest | None = None) -> RehearseResponse:
        """Try options on the past of a source."""
        result: RehearseResponse = self._transport.json(
            "POST", path_of("/sources/{id}/rehearse", id=id), body=body
        )
        return result

    def search_history(
        self, *, q: str, limit: int | None = None, cursor: str | None = None
    ) -> SearchHistoryResponse:
        """Search what the sources said."""
        result: SearchHistoryResponse = self._transport.json(
            "GET", path_of("/search"), query=compact({"q": q, "limit": limit, "cursor": cursor})
        )
        return result

    def list_site_sessions(
        self, *, cursor: str | None = None, limit: int | None = None
    ) -> ListSiteSessionsResponse:
        """List sessions at sites."""
        result: ListSiteSessionsResponse = self._transport.json(
            "GET", path_of("/sessions"), query=compact({"cursor": cursor, "limit": limit})
        )
        return result

    def get_site_session(self, id: str) -> GetSiteSessionResponse:
        """Get a session at a site."""
        result: GetSiteSessionResponse = self._transport.json("GET", path_of("/sessions/{id}", id=id))
        return result

    def erase_site_session(self, id: str) -> EraseSiteSessionResponse:
        """Erase a session at a site."""
        result: EraseSiteSessionResponse = self._transport.json("DELETE", path_of("/sessions/{id}", id=id))
        return result

    def list_joins(
        self, *, cursor: str | None = None, limit: int | None = None, status: str | None = None
    ) -> ListJoinsResponse:
        """List join requests for gated channels."""
        result: ListJoinsResponse = self._transport.json(
            "GET",
            path_of("/track/joins"),
            query=compact({"cursor": cursor, "limit": limit, "status": status}),
        )
        return result

    def list_all_scrapes(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        key_id: str | None = None,
        status: str | None = None,
    ) -> ListAllScrapesResponse:
        """List scrapes of all keys."""
        result: ListAllScrapesResponse = self._transport.json(
            "GET",
            path_of("/internal/scrapes"),
            query=compact({"cursor": cursor, "limit": limit, "key_id": key_id, "status": status}),
        )
        return result

    def list_all_crawls(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        key_id: str | None = None,
        status: str | None = None,
    ) -> ListAllCrawlsResponse:
        """List crawls of all keys."""
        result: ListAllCrawlsResponse = self._transport.json(
            "GET",
            path_of("/internal/crawls"),
            query=compact({"cursor": cursor, "limit": limit, "key_id": key_id, "status": status}),
        )
        return result

    def list_all_joins(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        key_id: str | None = None,
        status: str | None = None,
    ) -> ListAllJoinsResponse:
        """List join requests of all keys."""
        result: ListAllJoinsResponse = self._transport.json(
            "GET",
            path_of("/internal/joins"),
            query=compact({"cursor": cursor, "limit": limit, "key_id": key_id, "status": status}),
        )
        return result

    def cancel_any_scrape(self, scrape_id: str) -> Scrape:
        """Cancel a scrape of any key."""
        result: Scrape = self._transport.json(
            "DELETE", path_of("/internal/scrapes/{scrape_id}", scrape_id=scrape_id)
        )
        return result

    def cancel_any_crawl(self, crawl_id: str) -> CancelledCrawl:
        """Cancel a crawl of any key."""
        result: CancelledCrawl = self._transport.json(
            "DELETE", path_of("/internal/crawls/{crawl_id}", crawl_id=crawl_id)
        )
        return result

    def list_lanes(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        key_id: str | None = None,
        status: str | None = None,
    ) -> ListLanesResponse:
        """List webhook endpoints."""
        result: ListLanesResponse = self._transport.json(
            "GET",
            path_of("/internal/lanes"),
            query=compact({"cursor": cursor, "limit": limit, "key_id": key_id, "status": status}),
        )
        return result

    def reactivate_lane(self, webhook_id: str) -> ReactivateLaneResponse:
        """Start a webhook endpoint of any key again."""
        result: ReactivateLaneResponse = self._transport.json(
            "POST", path_of("/internal/lanes/{webhook_id}/reactivate", webhook_id=webhook_id)
        )
        return result

    def replay_lane(self, webhook_id: str, body: ReplayLaneRequest | None = None) -> ReplayLaneResponse:
        """Deliver events to a webhook endpoint of any key again."""
        result: ReplayLaneResponse = self._transport.json(
            "POST", path_of("/internal/lanes/{webhook_id}/replay", webhook_id=webhook_id), body=body
        )
        return result

    def list_all_deliveries(
        self,
        *,
        key_id: str | None = None,
        status: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> ListAllDeliveriesResponse:
        """List attempts to deliver, of all keys."""
        result: ListAllDeliveriesResponse = self._transport.json(
            "GET",
            path_of("/internal/deliveries"),
            query=compact({"key_id": key_id, "status": status, "cursor": cursor, "limit": limit}),
        )
        return result

    def list_audit(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        since: str | None = None,
        until: str | None = None,
        actor: str | None = None,
        owner: str | None = None,
        key_id: str | None = None,
        type: str | None = None,
        types: str | None = None,
        event_types: str | None = None,
    ) -> ListAuditResponse:
        """List the acts of people and keys."""
        result: ListAuditResponse = self._transport.json(
            "GET",
            path_of("/internal/audit"),
            query=compact(
                {
                    "cursor": cursor,
                    "limit": limit,
                    "since": since,
                    "until": until,
                    "actor": actor,
                    "owner": owner,
                    "key_id": key_id,
                    "type": type,
                    "types": types,
                    "event_types": event_types,
                }
            ),
        )
        return result

    def export_audit(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        actor: str | None = None,
        owner: str | None = None,
        key_id: str | None = None,
        type: str | None = None,
        types: str | None = None,
        event_types: str | None = None,
        as_: str | None = None,
    ) -> bytes:
        """Export the acts of people and keys."""
        result: bytes = self._transport.content(
            "GET",
            path_of("/internal/audit/export"),
            query=compact(
                {
                    "since": since,
                    "until": until,
                    "actor": actor,
                    "owner": owner,
                    "key_id": key_id,
                    "type": type,
                    "types": types,
                    "event_types": event_types,
                    "as": as_,
                }
            ),
        )
        return result

    def get_overview(self) -> GetOverviewResponse:
        """Show the state of the installation."""
        result: GetOverviewResponse = self._transport.json("GET", path_of("/internal/overview"))
        return result

    def get_total_usage(self, *, days: int | None = None) -> GetTotalUsageResponse:
        """Requests of all keys per day."""
        result: GetTotalUsageResponse = self._transport.json(
            "GET", path_of("/internal/usage"), query=compact({"days": days})
        )
        return result

    def check_liveness(self) -> CheckLivenessResponse:
        """Check that the process is alive."""
        result: CheckLivenessResponse = self._transport.json("GET", path_of("/health/live"))
        return result

    def check_readiness(self) -> CheckReadinessResponse:
        """Check that the service is ready."""
        result: CheckReadinessResponse = self._transport.json("GET", path_of("/health/ready"))
        return result

    def get_metrics(self) -> str:
        """Metrics for Prometheus."""
        result: str = self._transport.text("GET", path_of("/metrics"))
        return result

    def get_open_api(self) -> dict[str, Any]:
        """This document."""
        result: dict[str, Any] = self._transport.json("GET", path_of("/openapi.json"))
        return result

    def get_async_api(self) -> dict[str, Any]:
        """What webhooks receive and streams carry, as AsyncAPI."""
        result: dict[str, Any] = self._transport.json("GET", path_of("/asyncapi.json"))
        return result

    def read_docs(self) -> str:
        """This document as pages to read."""
        result: str = self._transport.text("GET", path_of("/docs"))
        return result

    def open_dashboard(self) -> str:
        """The dashboard."""
        result: str = self._transport.text("GET", path_of("/dashboard"))
        return result

    def home(self) -> HomeResponse:
        """What this is, whether it is well, and where to continue."""
        result: HomeResponse = self._transport.json("GET", path_of("/"))
        return result

    def search_guide(self, *, q: str | None = None) -> SearchGuideResponse:
        """The guide, or a search in it."""
        result: SearchGuideResponse = self._transport.json("GET", path_of("/guide"), query=compact({"q": q}))
        return result

    def read_guide(self, page: str) -> str:
        """A page of the guide, or its Markdown."""
        result: str = self._transport.text("GET", path_of("/guide/{page}", page=page))
        return result

    def get_llms_index(self) -> str:
        """The pages of the guide for language models."""
        result: str = self._transport.text("GET", path_of("/llms.txt"))
        return result

    def get_llms_text(self) -> str:
        """The guide in one text."""
        result: str = self._transport.text("GET", path_of("/llms-full.txt"))
        return result
