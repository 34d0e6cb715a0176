# Written by generate.py from ../openapi.json: change neither this file nor the document by hand.
from typing import final, Any, Literal, NotRequired, TypeAlias, TypedDict


@final
class ErrorDetail(TypedDict):
    field: str
    """
    Dotted path.
    """
    code: str
    message: str


@final
class ErrorQuota(TypedDict):
    """
    On quota_exceeded: the quota that is used up.
    """

    name: Literal["pages", "rendered", "crawled", "events", "deliveries"]
    period: Literal["day", "month"]
    used: int
    limit: int
    resets_at: str


@final
class Error(TypedDict):
    status: Literal["error"]
    code: Literal[
        "validation_failed",
        "malformed_json",
        "malformed_request",
        "invalid_url",
        "url_not_allowed",
        "unauthorized",
        "key_expired",
        "forbidden",
        "insufficient_scope",
        "key_limit_reached",
        "not_found",
        "method_not_allowed",
        "not_acceptable",
        "scrape_timeout",
        "request_timeout",
        "conflict",
        "already_finished",
        "expired",
        "payload_too_large",
        "unsupported_media_type",
        "expectation_failed",
        "misdirected_request",
        "extraction_failed",
        "element_not_found",
        "mail_unavailable",
        "rate_limited",
        "quota_exceeded",
        "headers_too_large",
        "internal_error",
        "target_unreachable",
        "target_blocked",
        "tls_error",
        "upstream_error",
        "overloaded",
        "connector_unavailable",
    ]
    """
    Stable; branch on it.
    """
    error: str
    """
    A message for people.
    """
    message: str
    """
    The same message.
    """
    request_id: str
    details: NotRequired[list[ErrorDetail]]
    """
    On validation_failed: every field that was refused.
    """
    retry_after: NotRequired[int]
    """
    Whole seconds, on 429 and 503.
    """
    scrape_id: NotRequired[str]
    """
    On scrape_timeout: the job that ran out of time.
    """
    content_type: NotRequired[str]
    """
    On unsupported_media_type: what the target sent.
    """
    rules: NotRequired[
        list[
            Literal[
                "scheme",
                "credentials",
                "port",
                "loopback_address",
                "private_address",
                "link_local_address",
                "reserved_address",
                "internal_name",
                "https_only",
                "resolved_address",
            ]
        ]
    ]
    """
    On url_not_allowed: the rules that refused the URL.
    """
    quota: NotRequired[ErrorQuota]
    """
    On quota_exceeded: the quota that is used up.
    """
    scopes: NotRequired[list[Literal["scrape", "crawl", "track", "webhooks", "read"]]]
    """
    On insufficient_scope: the scopes of which any one would do.
    """
    oldest_seq: NotRequired[int]
    """
    On expired, of a position in the events: the oldest that is kept.
    """


@final
class AcceptedBatch(TypedDict):
    batch_id: str
    version: Literal["v1"]
    status: Literal["scraping"]
    invalid_urls: NotRequired[list[str]]
    """
    With `ignore_invalid_urls`: the URLs that are not read.
    """
    webhook_secret: NotRequired[str]
    """
    Signs the deliveries to `webhook.url`. Shown once, when it was made for a key that had none.
    """


@final
class AcceptedCrawl(TypedDict):
    crawl_id: str
    version: Literal["v1"]
    status: Literal["crawling"]
    webhook_secret: NotRequired[str]
    """
    Signs the deliveries to `webhook.url`. Shown once, when it was made for a key that had none.
    """


@final
class AcceptedScrape(TypedDict):
    scrape_id: str
    version: Literal["v1"]
    status: Literal["pending", "completed", "failed"]
    """
    `pending`, unless the same request was sent before.
    """
    webhook_secret: NotRequired[str]
    """
    Signs the deliveries to `webhook.url`. Shown once, when it was made for a key that had none.
    """


@final
class Account(TypedDict):
    id: str
    """
    Id of the account on its network.
    """
    name: str
    """
    Display name.
    """
    username: str
    """
    Without the @.
    """
    description: str | None
    """
    What the account says of itself.
    """
    profile_image_url: str | None
    """
    URL of its picture.
    """
    protected: bool | None
    """
    Its owner approves followers.
    """
    verified: bool | None
    """
    The network has verified the account.
    """
    followers_count: int | None
    """
    Null where the network gives none.
    """
    following_count: int | None
    """
    Null where the network gives none.
    """
    created_at: str | None
    """
    When the account was opened.
    """


@final
class AccountAboutAboutProfileUsernameChanges(TypedDict):
    count: str
    """
    A number, as a string.
    """
    last_changed_at_msec: str | None
    """
    Unix time in milliseconds, as a string.
    """


@final
class AccountAboutAboutProfile(TypedDict):
    account_based_in: str | None
    """
    Country.
    """
    created_country_accurate: bool | None
    """
    Whether the country in which it was opened is certain.
    """
    location_accurate: bool | None
    """
    Whether `account_based_in` is certain.
    """
    source: str | None
    """
    The app or store through which it connects.
    """
    username_changes: AccountAboutAboutProfileUsernameChanges | None


@final
class AccountAboutAvatar(TypedDict):
    image_url: str | None
    """
    URL of its picture.
    """


@final
class AccountAboutPrivacy(TypedDict):
    protected: bool | None
    """
    Its owner approves followers.
    """


@final
class AccountAboutVerification(TypedDict):
    verified: bool | None
    """
    Legacy verification.
    """


@final
class AccountAboutVerificationInfo(TypedDict):
    is_identity_verified: bool | None
    """
    The network has verified the identity.
    """


@final
class AccountAbout(TypedDict):
    id: str
    """
    Id of the account on its network.
    """
    name: str
    """
    Display name.
    """
    username: str
    """
    Without the @.
    """
    created_at: str | None
    """
    When the account was opened.
    """
    about_profile: AccountAboutAboutProfile
    avatar: AccountAboutAvatar
    is_blue_verified: bool | None
    """
    Premium verification.
    """
    profile_image_shape: str | None
    """
    As in `Circle`.
    """
    privacy: AccountAboutPrivacy
    verification: AccountAboutVerification
    verification_info: AccountAboutVerificationInfo


@final
class ActivitySeries(TypedDict):
    requests: list[int]
    """
    Requests that were made with an API key.
    """
    events: list[int]
    """
    Events that were appended, once for each key.
    """
    delivered: list[int]
    """
    Attempts to deliver that the receiver took.
    """
    failed: list[int]
    """
    Attempts to deliver that failed.
    """
    polls: list[int]
    """
    Polls of sources.
    """
    scrapes: list[int]
    """
    Scrapes that ended.
    """


@final
class ApiKey(TypedDict):
    id: str
    name: str
    key: str
    """
    The key value.
    """
    createdAt: str
    scopes: list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None
    """
    What the key may do; null for everything.
    """
    expires_at: str | None
    """
    When the key ends; null for never.
    """
    last_used_at: str | None
    """
    The minute of the latest request with the key; null before the first one.
    """


@final
class Attachment(TypedDict):
    id: str
    filename: str
    url: str
    contentType: str | None
    size: int | None
    """
    Bytes.
    """
    alt: str | None
    """
    What its author says that it shows.
    """


@final
class Author(TypedDict):
    rest_id: str
    """
    Id of the account on its network.
    """
    name: str
    """
    Display name.
    """
    username: str
    """
    Without the @.
    """


@final
class BackfillPostsRequest(TypedDict):
    uid: str
    """
    `rest_id` of the account.
    """
    cursor: NotRequired[str | None]
    """
    Where to continue: `x-next-cursor` of the previous answer.
    """
    limit: NotRequired[int | None]
    """
    Posts to fetch.
    """


@final
class CancelledBatch(TypedDict):
    batch_id: str
    version: Literal["v1"]
    status: Literal["cancelled"]


@final
class CancelledCrawl(TypedDict):
    crawl_id: str
    version: Literal["v1"]
    status: Literal["cancelled"]


ChangeEndpointRequestSource: TypeAlias = str


ChangeEndpointRequestTag: TypeAlias = str


@final
class ChangePasswordRequest(TypedDict):
    current_password: str
    """
    The password until now.
    """
    new_password: str
    """
    The new password: 10 to 200 characters, and none of those that are guessed first.
    """


ChangedWebhookEndpointSource: TypeAlias = str


ChangedWebhookEndpointTag: TypeAlias = str


@final
class ChangesOptions(TypedDict):
    tag: NotRequired[str | None]
    """
    Compares with the last reading that had the same tag; by default with one that had none.
    """
    modes: NotRequired[list[Literal["diff", "json"]] | None]
    """
    What is told of a page that has changed, by default `diff`: the lines of its Markdown. `json`: each field that `output.json` finds, with both values.
    """


@final
class ChatMessage(TypedDict):
    id: str
    channelId: str
    guildId: str | None
    """
    The server; null in a channel without one.
    """
    authorId: str
    authorName: str
    content: str | None
    """
    Null where the platform withholds it.
    """
    createdAt: str
    attachments: list[Attachment]


@final
class Check(TypedDict):
    at: str
    """
    When the latest of these checks began.
    """
    since: str
    """
    When the first of them began.
    """
    checks: int
    """
    How many there were in a row, with the same outcome and reason.
    """
    outcome: Literal["same", "changed", "held", "muted", "failed"]
    """
    `same`; `changed`: it made an event; `held`: a condition of `when` held it; `muted`: only restless lines changed; `failed`.
    """
    reason: str
    """
    Why, in a sentence.
    """
    status: int | None
    """
    The HTTP status.
    """
    engine: Literal["http", "browser"] | None
    took_ms: int
    version: str | None
    """
    The version that the latest one found.
    """
    event_id: str | None
    """
    The calling key's event that it made.
    """


@final
class CheckLivenessResponse(TypedDict):
    status: Literal["live"]


@final
class CheckReadinessResponseRoomsFinding(TypedDict):
    name: str
    status: Literal["ok", "degraded", "missing"]
    detail: NotRequired[str]
    """
    What to do about it.
    """


@final
class CheckReadinessResponseRooms(TypedDict):
    status: Literal["ready", "degraded", "unavailable"]
    findings: list[CheckReadinessResponseRoomsFinding]


@final
class CheckReadinessResponseMissingItem(TypedDict):
    room: str
    name: str
    status: Literal["ok", "degraded", "missing"]
    detail: NotRequired[str]
    """
    What to do about it.
    """


@final
class CheckReadinessResponse(TypedDict):
    status: Literal["ready", "degraded"]
    rooms: dict[str, CheckReadinessResponseRooms]
    missing: list[CheckReadinessResponseMissingItem]


@final
class Cookie(TypedDict):
    name: str
    value: str
    domain: NotRequired[str | None]
    """
    The page's host or a parent of it; by default the cookie is for that host alone.
    """
    path: NotRequired[str | None]
    """
    By default `/`.
    """
    secure: NotRequired[bool | None]
    """
    Sent over HTTPS only.
    """
    httpOnly: NotRequired[bool | None]
    """
    Hidden from the page's scripts.
    """
    sameSite: NotRequired[Literal["Strict", "Lax", "None"] | None]
    expires: NotRequired[float | None]
    """
    Unix time in seconds.
    """


@final
class CrawlError(TypedDict):
    url: str
    status: Literal["failed", "skipped"]
    code: str
    message: str


@final
class CrawlProgress(TypedDict):
    discovered: int
    """
    Pages found: the sum of the others.
    """
    queued: int
    """
    Pages that wait to be read.
    """
    running: int
    """
    Pages that are being read.
    """
    completed: int
    """
    Pages that were read.
    """
    failed: int
    """
    Pages that could not be read.
    """
    skipped: int
    """
    Pages that were skipped, for example because of robots.txt.
    """


@final
class CrawlSummary(TypedDict):
    crawl_id: str
    """
    Of a batch its `batch_id`.
    """
    kind: Literal["crawl", "batch"]
    key_id: str
    """
    `id` of the key.
    """
    url: str
    """
    The entry page; of a batch the first of its URLs.
    """
    status: Literal["crawling", "completed", "failed", "cancelled"]
    progress: CrawlProgress
    started_at: str
    ended_at: str | None
    expires_at: str | None
    """
    When its pages are removed; null while it runs.
    """


CrawlerOptionsIncludeItem: TypeAlias = str


CrawlerOptionsExcludeItem: TypeAlias = str


@final
class CrawlerOptions(TypedDict):
    limit: NotRequired[int | None]
    """
    Pages to scrape, at most; exact.
    """
    include: NotRequired[list[CrawlerOptionsIncludeItem] | None]
    """
    Only pages that match one of these: globs (`*` within a path segment, `**` across) over the path, globs over the whole URL when they begin with `http`, or regular expressions in slashes (RE2). The entry page is always read.
    """
    exclude: NotRequired[list[CrawlerOptionsExcludeItem] | None]
    """
    No page that matches one of these.
    """
    max_depth: NotRequired[int | None]
    """
    Links from the entry page. Pages that follow one another by `rel=next` count as one.
    """
    include_entire_domain: NotRequired[bool | None]
    """
    The whole host, not only what lies below the entry page's directory.
    """
    include_subdomains: NotRequired[bool | None]
    """
    Also hosts below the entry page's host.
    """
    include_external_links: NotRequired[bool | None]
    """
    Also linked pages of other sites, without following their links.
    """
    sitemaps: NotRequired[bool | None]
    """
    Also the pages that the site's sitemaps name.
    """
    ignore_query: NotRequired[bool | None]
    """
    Addresses that differ by their query alone are one page, which is read once.
    """
    delay: NotRequired[float | None]
    """
    Seconds between two requests to a host, at least; a longer `Crawl-delay` of its robots.txt holds.
    """
    concurrency: NotRequired[int | None]
    """
    Pages that are read at a time, at most; the operator's `CRAWL_CONCURRENCY` holds, too.
    """


CreateEndpointRequestSource: TypeAlias = str


CreateEndpointRequestTag: TypeAlias = str


CreateFeedRequestTag: TypeAlias = str


CreateFeedRequestSource: TypeAlias = str


@final
class CreateFeedRequest(TypedDict):
    name: NotRequired[str | None]
    """
    The title that readers show.
    """
    tags: NotRequired[list[CreateFeedRequestTag] | None]
    """
    Only events of sources with any of these tags.
    """
    sources: NotRequired[list[CreateFeedRequestSource] | None]
    """
    Only events of the sources with these ids.
    """
    event_types: NotRequired[
        list[
            Literal[
                "microblog.post.created",
                "chatserver.message.created",
                "messenger.message.created",
                "rss.item.created",
                "rss.item.updated",
                "web.page.changed",
                "site.page.added",
                "site.page.changed",
                "site.page.removed",
                "site.page.moved",
                "site.changed",
                "site.checked",
                "search.result.found",
                "source.failing",
                "source.recovered",
                "source.gone",
                "source.gap",
                "monitor.page",
                "monitor.checked",
                "quota.warning",
                "quota.exceeded",
                "webhook.test",
            ]
        ]
        | None
    ]
    """
    Only events of these types.
    """
    meaningful: NotRequired[bool | None]
    """
    True: without the changes that a judge has dismissed by the goal of their source. Events that are not judged, or were not in time, pass.
    """


@final
class CreateOwnKeyRequest(TypedDict):
    name: str
    """
    A label to recognise the key by.
    """
    scopes: NotRequired[list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None]
    """
    What the key may do (`scrape`: scrapes, parsed documents and screenshots; `crawl`: crawls, batches and maps; `track`: sources, monitors, previews, outgoing feeds, and questions to a network; `webhooks`: webhook endpoints, their deliveries, tests and replays; `read`: reads what is kept: events, streams, results, sources, deliveries, usage); null for everything.
    """
    expires_at: NotRequired[str | None]
    """
    When the key ends, an RFC 3339 time in the future; null for never.
    """


@final
class DailyUsage(TypedDict):
    keyId: str
    day: str
    requests: int


@final
class DatedSource(TypedDict):
    id: str
    """
    `iid` when untracking.
    """
    source: str
    """
    The kind in upper case, for example `RSS`.
    """
    externalId: str
    """
    `eid` when untracking: what the platform calls it; for pages and feeds the URL.
    """
    username: str
    """
    Its handle; for pages and feeds the host.
    """
    name: str
    """
    Display name; for pages and feeds the title.
    """
    createdAt: str
    """
    When the calling key began to track it.
    """
    updatedAt: str
    """
    When the source last changed its name, address or state.
    """


@final
class DeleteEndpointResponse(TypedDict):
    message: str


@final
class DeleteFeedResponse(TypedDict):
    message: str


@final
class DeleteMonitorResponse(TypedDict):
    message: str


@final
class DeleteWebhookResponse(TypedDict):
    message: str


@final
class Delivery(TypedDict):
    id: str
    webhook_id: str | None
    """
    `id` of the webhook; null for the notice of a job.
    """
    event_id: str
    type: str
    seq: int | None
    """
    The event's position in the key's log; null for the notice of a job.
    """
    url: str
    """
    Where it was sent.
    """
    attempt: int
    outcome: Literal["succeeded", "failed", "dead"]
    """
    `dead`: set aside after the last attempt. It becomes `failed` when the event is retried by hand and arrives.
    """
    http_status: int | None
    """
    Null when no answer came. Of a mail: the code of SMTP.
    """
    error: str | None
    """
    Why it failed. `dns`: the name does not resolve. `not_allowed`: the address is not allowed. `refused`: the connection was refused. `unreachable`: no route leads to the address. `timeout_connect`: no connection in time. `tls_expired`: the certificate has expired. `tls_host`: the certificate is for another name. `tls_other`: the TLS handshake or the certificate failed. `reset`: the connection broke off. `timeout_answer`: no complete answer in time. `malformed`: the answer is not HTTP. `interrupted`: Magpie ended the exchange. `status_503`: it answered with this status. Of a mail: `smtp`, `timeout`, `connection` or `tls`.
    """
    duration_ms: float
    answer: str
    """
    Its first 2 KB.
    """
    at: str


@final
class DeliveryWithBody(TypedDict):
    id: str
    webhook_id: str | None
    """
    `id` of the webhook; null for the notice of a job.
    """
    event_id: str
    type: str
    seq: int | None
    """
    The event's position in the key's log; null for the notice of a job.
    """
    url: str
    """
    Where it was sent.
    """
    attempt: int
    outcome: Literal["succeeded", "failed", "dead"]
    """
    `dead`: set aside after the last attempt. It becomes `failed` when the event is retried by hand and arrives.
    """
    http_status: int | None
    """
    Null when no answer came. Of a mail: the code of SMTP.
    """
    error: str | None
    """
    Why it failed. `dns`: the name does not resolve. `not_allowed`: the address is not allowed. `refused`: the connection was refused. `unreachable`: no route leads to the address. `timeout_connect`: no connection in time. `tls_expired`: the certificate has expired. `tls_host`: the certificate is for another name. `tls_other`: the TLS handshake or the certificate failed. `reset`: the connection broke off. `timeout_answer`: no complete answer in time. `malformed`: the answer is not HTTP. `interrupted`: Magpie ended the exchange. `status_503`: it answered with this status. Of a mail: `smtp`, `timeout`, `connection` or `tls`.
    """
    duration_ms: float
    answer: str
    """
    Its first 2 KB.
    """
    at: str
    body: dict[str, Any] | None
    """
    The event as it was sent; of a batch, the event of this attempt. Null when it is no longer kept: events are kept for 72 hours, notices of jobs until they arrive.
    """


@final
class DiffPart(TypedDict):
    text: str
    kind: Literal["same", "added", "removed"]


@final
class DispatchPostsResponse(TypedDict):
    message: str


@final
class DocumentMetadata(TypedDict):
    title: str
    description: str | None
    language: str | None
    """
    BCP 47 tag as the page declares it.
    """
    canonical_url: str | None
    page_title: str | None
    """
    The page's own `<title>`, or a document's title. `title` may be that of OpenGraph or the first heading.
    """
    author: str | None
    """
    Who wrote the page, without "By"; several are separated by commas.
    """
    published_time: str | None
    """
    ISO 8601: a time with the page's own offset (`2025-09-04T10:00:00+02:00`), or a date (`2025-09-04`) where the page gives no time or no offset.
    """
    modified_time: str | None
    """
    As `published_time`.
    """
    keywords: list[str] | None
    """
    At most 50, each once.
    """
    site_name: str | None
    favicon: str | None
    """
    Absolute URL, as the page declares it.
    """
    image: str | None
    """
    Absolute URL of the image that represents the page where it is shared.
    """
    robots: str | None
    """
    The contents of `<meta name=robots>`.
    """
    content_type: str
    """
    The media type that the document was read as.
    """
    word_count: int
    """
    Words of the content: of the whole page with `only_main_content: false`.
    """
    og: dict[str, str]
    """
    OpenGraph properties without `og:`.
    """
    warning: NotRequired[str]
    """
    Why the page came out nearly empty, was read as the server sent it, or is only the beginning of a document, which formats of a large page are cut, and why a language model was not used; absent otherwise.
    """
    file_name: str
    """
    As it was sent; empty where it was not.
    """


DocumentReadingIncludeTag: TypeAlias = str
"""
CSS selector.
"""


DocumentReadingExcludeTag: TypeAlias = str
"""
CSS selector.
"""


@final
class ErrorFrame(TypedDict):
    type: Literal["error"]
    code: str
    """
    Stable; branch on it.
    """
    message: str
    """
    For people.
    """
    oldest_seq: NotRequired[int]
    """
    On `cursor_too_old`: where the log begins.
    """
    retry_after: NotRequired[int]
    """
    Whole seconds to wait before the next connection.
    """


@final
class EventFeed(TypedDict):
    id: str
    name: str | None
    tags: list[str]
    sources: list[str]
    event_types: list[
        Literal[
            "microblog.post.created",
            "chatserver.message.created",
            "messenger.message.created",
            "rss.item.created",
            "rss.item.updated",
            "web.page.changed",
            "site.page.added",
            "site.page.changed",
            "site.page.removed",
            "site.page.moved",
            "site.changed",
            "site.checked",
            "search.result.found",
            "source.failing",
            "source.recovered",
            "source.gone",
            "source.gap",
            "monitor.page",
            "monitor.checked",
            "quota.warning",
            "quota.exceeded",
            "webhook.test",
        ]
    ]
    meaningful: bool
    """
    True: without the changes that a judge has dismissed by the goal of their source. Events that are not judged, or were not in time, pass.
    """
    token: str
    """
    The secret in its addresses: who has it can read the feed.
    """
    created_at: str
    atom_url: str
    """
    The feed as Atom, for any feed reader.
    """
    json_url: str
    """
    The same as JSON Feed 1.1.
    """


@final
class EventTypeDescription(TypedDict):
    type: str
    description: str
    schema: dict[str, Any]
    """
    JSON Schema of the event.
    """
    example: dict[str, Any]
    """
    An event of this type.
    """


@final
class FailedPageMetadata(TypedDict):
    final_url: str
    status_code: NotRequired[int]
    source_url: NotRequired[str]
    """
    Of a batch: the URL as it was asked for.
    """


@final
class Failure(TypedDict):
    code: str
    message: str


@final
class FeedAttachment(TypedDict):
    url: str
    mime_type: str
    title: NotRequired[str]
    alt: NotRequired[str]
    """
    What a picture or a video shows, by its `media:description`.
    """
    size_in_bytes: NotRequired[float]
    duration_in_seconds: NotRequired[float]


@final
class FeedAuthor(TypedDict):
    name: NotRequired[str]
    url: NotRequired[str]
    avatar: NotRequired[str]


FeedGap = TypedDict(
    "FeedGap",
    {
        "from": str | None,
        "until": str | None,
        "items": int,
        "pages": int,
    },
)


@final
class FeedItem(TypedDict):
    id: str
    """
    Its id in the feed; else its link; else a hash of its content.
    """
    url: NotRequired[str]
    external_url: NotRequired[str]
    title: NotRequired[str]
    """
    Plain text.
    """
    content_html: NotRequired[str]
    """
    Cleaned: no scripts, styles, event handlers or forms, links to the web or a mail address only, all of them absolute.
    """
    content_text: NotRequired[str]
    summary: NotRequired[str]
    """
    Plain text.
    """
    image: NotRequired[str]
    date_published: NotRequired[str]
    """
    ISO 8601.
    """
    date_modified: NotRequired[str]
    """
    ISO 8601.
    """
    authors: NotRequired[list[FeedAuthor]]
    tags: NotRequired[list[str]]
    language: NotRequired[str]
    attachments: NotRequired[list[FeedAttachment]]
    truncated: NotRequired[bool]
    """
    Texts were cut, so that the event stays below 256 KB.
    """


FieldChange = TypedDict(
    "FieldChange",
    {
        "from": NotRequired[Any],
        "to": NotRequired[Any],
    },
)


@final
class FindSourcesResponse(TypedDict):
    data: list[DatedSource]
    total: int
    """
    Of all pages.
    """
    page: int
    """
    As asked for.
    """
    limit: int
    """
    As asked for.
    """
    message: str


@final
class FoundSource(TypedDict):
    id: str
    source: str
    name: str
    externalId: str


@final
class Found(TypedDict):
    kind: Literal["version", "event"]
    at: str
    source: FoundSource
    title: str
    passage: str
    """
    Around the words, which are between `**`.
    """
    version: str | None
    event_id: str | None
    url: str | None


@final
class GetDeliveryResponse(TypedDict):
    data: DeliveryWithBody
    message: str


@final
class GetTrackBatchResponseDataProgress(TypedDict):
    total: int
    """
    All entries: the sum of the others.
    """
    pending: int
    """
    Entries that are still to be tracked.
    """
    tracked: int
    """
    Sources that the key tracks since this batch.
    """
    known: int
    """
    Sources that it tracked before.
    """
    waiting: int
    """
    Private channels that must approve us first.
    """
    removed: int
    """
    Sources that the key no longer tracks, as an OPML document asked.
    """
    failed: int
    """
    Entries that cannot be tracked.
    """


@final
class GetTrackBatchResponseDataEntryError(TypedDict):
    """
    When `failed`; when `pending`, why the last try failed.
    """

    code: str
    message: str


@final
class GetWebhookResponse(TypedDict):
    data: str | None
    message: NotRequired[str]


@final
class GuideHitExcerptItem(TypedDict):
    text: str
    match: bool


@final
class GuideHit(TypedDict):
    title: str
    heading: str
    """
    The heading below which it is; empty at the beginning of a page.
    """
    url: str
    excerpt: list[GuideHitExcerptItem]
    """
    Some of its words; `match` marks those that were asked for.
    """


@final
class HelloFrame(TypedDict):
    type: Literal["hello"]
    seq: int
    """
    The newest event of the key's log; 0 when it never had one.
    """
    oldest_seq: int
    """
    The oldest that is kept; `seq` + 1 when all have expired.
    """
    heartbeat_ms: int
    """
    Milliseconds between the heartbeats of the service.
    """


@final
class HomeResponse(TypedDict):
    name: str
    summary: str
    status: Literal["ready", "degraded", "unavailable"]
    links: dict[str, str]


@final
class ItemChange(TypedDict):
    added: list[str]
    """
    New lines of title, address, author, text and attachments.
    """
    removed: list[str]
    """
    Removed lines, likewise.
    """
    diff: str
    """
    A unified diff of these lines, as Markdown.
    """
    truncated: NotRequired[bool]
    """
    Texts were cut, so that the event stays below 256 KB.
    """


@final
class JobWebhook(TypedDict):
    url: str
    """
    HTTPS endpoint.
    """
    headers: NotRequired[dict[str, Any] | None]
    """
    Sent with every delivery.
    """
    events: NotRequired[list[Literal["started", "page", "completed", "failed"]] | None]
    """
    The events to send. `page`: each page of a crawl or a batch, when it has ended.
    """
    metadata: NotRequired[dict[str, Any] | None]
    """
    Comes with every delivery, as `data.metadata`; at most 16 KB.
    """
    format: NotRequired[Literal["magpie", "firecrawl"] | None]
    """
    By default `magpie`. `firecrawl`: deliveries have the form of Firecrawl's webhooks and its header `x-firecrawl-signature`.
    """


@final
class JsonOptions(TypedDict):
    prompt: NotRequired[str | None]
    """
    What to extract, in words. Without a language model: names of values and lists of the page, and plain questions for them.
    """
    mode: NotRequired[Literal["auto", "recipe", "values"] | None]
    """
    With a language model, by default `auto`: selectors for pages that are made alike, and values of the model where no selector gives what is asked for. `recipe`: selectors alone. `values`: the model reads each page, and its values must rest on words of it.
    """
    json_schema: NotRequired[dict[str, Any] | None]
    """
    JSON Schema that the answer fits, of at most 16 KB, 10 levels and 100 properties, without `$ref` to elsewhere.
    """
    recipe: NotRequired[dict[str, Any] | None]
    """
    `data.json_recipe` of an earlier scrape: extracts the same fields again, without a model.
    """


@final
class Judgement(TypedDict):
    judged: bool
    """
    False: no verdict was had in time, for the reason in `reason`. The event was not held back.
    """
    meaningful: NotRequired[bool]
    """
    Whether the goal is concerned.
    """
    confidence: NotRequired[float]
    """
    From 0 to 1.
    """
    reason: NotRequired[str]
    """
    Why, in a sentence.
    """
    summary: NotRequired[str]
    """
    What has changed, in a sentence.
    """
    goal: str
    """
    The goal that it was judged by.
    """


@final
class KeyDelivery(TypedDict):
    id: str
    webhook_id: str | None
    """
    `id` of the webhook; null for the notice of a job.
    """
    event_id: str
    type: str
    seq: int | None
    """
    The event's position in the key's log; null for the notice of a job.
    """
    url: str
    """
    Where it was sent.
    """
    attempt: int
    outcome: Literal["succeeded", "failed", "dead"]
    """
    `dead`: set aside after the last attempt. It becomes `failed` when the event is retried by hand and arrives.
    """
    http_status: int | None
    """
    Null when no answer came. Of a mail: the code of SMTP.
    """
    error: str | None
    """
    Why it failed. `dns`: the name does not resolve. `not_allowed`: the address is not allowed. `refused`: the connection was refused. `unreachable`: no route leads to the address. `timeout_connect`: no connection in time. `tls_expired`: the certificate has expired. `tls_host`: the certificate is for another name. `tls_other`: the TLS handshake or the certificate failed. `reset`: the connection broke off. `timeout_answer`: no complete answer in time. `malformed`: the answer is not HTTP. `interrupted`: Magpie ended the exchange. `status_503`: it answered with this status. Of a mail: `smtp`, `timeout`, `connection` or `tls`.
    """
    duration_ms: float
    answer: str
    """
    Its first 2 KB.
    """
    at: str
    key_id: str
    """
    `id` of the key.
    """


@final
class KeyLimitOptions(TypedDict):
    requestsPerMinute: NotRequired[int | None]
    """
    Requests in any window of 60 s; by default 600.
    """
    concurrentScrapes: NotRequired[int | None]
    """
    Scrapes at a time; by default 10.
    """
    concurrentCrawls: NotRequired[int | None]
    """
    Crawls and batches at a time; by default 2.
    """
    trackedSources: NotRequired[int | None]
    """
    Sources that the key may track; by default 1000.
    """


@final
class KeyLimits(TypedDict):
    requestsPerMinute: int
    """
    Requests in any window of 60 s.
    """
    concurrentScrapes: int
    """
    Scrapes at a time.
    """
    concurrentCrawls: int
    """
    Crawls and batches at a time.
    """
    trackedSources: int
    """
    Sources that the key may track.
    """


@final
class KeyUsage(TypedDict):
    key_id: str
    name: str | None
    """
    Null when the key was just deleted.
    """
    owner: str | None
    requests: list[int]
    """
    On each day.
    """


@final
class ListAllCrawlsResponse(TypedDict):
    data: list[CrawlSummary]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class ListAllDeliveriesResponse(TypedDict):
    data: list[KeyDelivery]
    next_cursor: str | None
    message: str


@final
class ListApiKeysResponseData(TypedDict):
    apiKeys: list[ApiKey]
    messengerDefaultApiKeyId: str | None
    """
    The key that the messenger bot uses.
    """


@final
class ListApiKeysResponse(TypedDict):
    data: ListApiKeysResponseData
    message: str


@final
class ListBatchErrorsResponse(TypedDict):
    batch_id: str
    data: list[CrawlError]
    next_cursor: str | None
    """
    Where the next page of this list begins; null when it has ended.
    """


@final
class ListChecksResponse(TypedDict):
    data: list[Check]
    next_cursor: str | None
    message: str


@final
class ListCrawlErrorsResponse(TypedDict):
    crawl_id: str
    data: list[CrawlError]
    next_cursor: str | None
    """
    Where the next page of this list begins; null when it has ended.
    """


@final
class ListCrawlsResponse(TypedDict):
    data: list[CrawlSummary]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class ListDeliveriesResponse(TypedDict):
    data: list[Delivery]
    next_cursor: str | None
    message: str


@final
class ListEndpointDeliveriesResponse(TypedDict):
    data: list[Delivery]
    next_cursor: str | None
    message: str


@final
class ListEventTypesResponse(TypedDict):
    data: list[EventTypeDescription]


@final
class ListFeedsResponse(TypedDict):
    data: list[EventFeed]
    message: str


@final
class MapSiteRequest(TypedDict):
    url: str
    """
    The entry page: an absolute http or https URL of a public address, without credentials. The map has what lies below its directory; `/` and `/docs` mean the whole host.
    """
    search: NotRequired[str | None]
    """
    Words: the pages whose URL, title or link has them come first. Nothing is left out because of it.
    """
    limit: NotRequired[int | None]
    """
    URLs in the answer, at most.
    """
    include_subdomains: NotRequired[bool | None]
    """
    Also pages of hosts below the entry page's host.
    """
    sitemaps: NotRequired[Literal["include", "only", "skip"] | None]
    """
    `include`: the site's sitemaps, the links of the entry page and what your crawls know. `only`: the sitemaps alone. `skip`: all but the sitemaps.
    """
    timeout: NotRequired[int | None]
    """
    Milliseconds; then the answer has what was found until then.
    """


@final
class MappedPage(TypedDict):
    url: str
    title: str | None
    """
    The page's title where it is known, else the text of a link to it.
    """
    description: str | None


@final
class MeKey(TypedDict):
    id: str
    name: str
    key: str
    """
    The last four characters of the value.
    """
    createdAt: str
    scopes: list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None
    """
    What the key may do; null for everything.
    """
    expires_at: str | None
    """
    When the key ends; null for never.
    """
    last_used_at: str | None
    """
    The minute of the latest request with the key; null before the first one.
    """


@final
class Media(TypedDict):
    type: Literal["image", "video", "gif", "audio", "unknown"]
    """
    `gif` is a short video without sound that repeats.
    """
    url: str | None
    """
    Where the file is; of a video of Bluesky its playlist (HLS). Null where the network gives none.
    """
    preview_url: str | None
    """
    A smaller picture of it.
    """
    alt: str | None
    """
    What its author says that it shows; null without such a text.
    """


@final
class Message(TypedDict):
    id: int
    """
    Unique within its channel.
    """
    text: str
    """
    The text of the message, or the caption of the attachment.
    """
    date: int
    """
    Unix time in seconds.
    """
    channelId: str | None
    """
    The channel or group.
    """
    channelTitle: str | None
    """
    Its display name.
    """
    fromId: str | None
    """
    The author; null for posts of channels.
    """
    views: int | None
    """
    Null where the network gives none.
    """
    forwards: int | None
    """
    Null where the network gives none.
    """
    hasMedia: bool
    """
    Whether there is an attachment.
    """
    mediaType: Literal["photo", "video", "document", "url"] | None
    """
    `url` is the preview of a link; null without media, and for media of other kinds.
    """


@final
class MonitorCounts(TypedDict):
    pages: int
    """
    Of all states.
    """
    same: int
    new: int
    changed: int
    moved: int
    removed: int
    failed: int
    """
    Pages that could not be read.
    """


@final
class MonitorName(TypedDict):
    id: str
    name: str


@final
class MonitorPage(TypedDict):
    id: str
    target: str
    """
    `id` of the target.
    """
    source_id: str | None
    """
    The source that it belongs to; null where it could not be tracked.
    """
    url: str
    title: str | None
    status: Literal["same", "new", "changed", "moved", "removed", "failed"]
    """
    `new` also on the first check of a page: there is nothing to compare it with.
    """
    http_status: int | None
    error: str | None
    """
    Why it could not be read.
    """
    moved_from: str | None
    """
    Of `moved`: its former address.
    """
    version: str | None
    """
    The version that was kept of it.
    """
    previous_version: str | None
    """
    The one with which it was compared.
    """
    change: dict[str, Any] | None
    """
    As in the event: `added`, `removed`, `diff` and others.
    """
    judgement: NotRequired[Judgement]
    """
    With `goal`: what the language model says of it.
    """
    at: str


@final
class MonitorSchedule(TypedDict):
    cron: str
    """
    What the words mean, where it was said in words.
    """
    text: str | None
    time_zone: str


@final
class MonitorScheduleRequest(TypedDict):
    cron: NotRequired[str | None]
    """
    Five fields: minute, hour, day of the month, month, day of the week.
    """
    text: NotRequired[str | None]
    """
    In words, in place of `cron`: `every 30 minutes`, `hourly`, `every 2 hours`, `daily at 9:00`, `every monday at 5:30 pm`. What the words leave open is spread, so that not all monitors are checked at the same moment.
    """
    time_zone: NotRequired[str | None]
    """
    IANA name; by default `UTC`.
    """


MonitorTargetRequestSid: TypeAlias = str


@final
class MutedLine(TypedDict):
    text: str
    """
    What it shows now.
    """
    since: str
    """
    Since when it is muted.
    """
    ignore: str
    """
    The pattern for `ignore` that would settle it for good.
    """


NewWebhookEndpointSource: TypeAlias = str


NewWebhookEndpointTag: TypeAlias = str


OpmlEntryTag: TypeAlias = str


@final
class OpmlEntryError(TypedDict):
    """
    Why it failed.
    """

    code: str
    message: str


@final
class OutlinePartWithinItem(TypedDict):
    tag: str
    selector: str


@final
class OutlinePart(TypedDict):
    tag: str
    """
    The tag, in lower case.
    """
    text: str
    """
    What it says, at most 300 characters.
    """
    selector: str
    """
    A CSS selector for `select` or `remove`.
    """
    within: list[OutlinePartWithinItem]
    """
    The elements around it, the nearest first.
    """


@final
class OutputOptions(TypedDict):
    formats: NotRequired[
        list[
            Literal[
                "html", "raw_html", "markdown", "links", "images", "summary", "screenshot", "json", "changes"
            ]
        ]
        | None
    ]
    """
    `html` is cleaned, `raw_html` is as the browser or the server has it. `json` needs `output.json`. `changes` compares the page with the last reading of the same key.
    """
    screenshot: NotRequired[Literal["viewport", "full_page"] | None]
    """
    What a screenshot shows; it is taken when `formats` names it.
    """
    changes: NotRequired[ChangesOptions | None]
    """
    How the `changes` format compares the page with the last reading of its address.
    """
    json: NotRequired[JsonOptions | None]
    """
    What the `json` format extracts; at least one of its fields is needed.
    """


@final
class OverviewPart(TypedDict):
    name: str
    """
    A service, or a server that all nodes share.
    """
    status: Literal["ready", "degraded", "unavailable"]
    problem: str | None
    """
    What is wrong and what to do about it.
    """


OverviewRates = TypedDict(
    "OverviewRates",
    {
        "from": str,
        "step_s": int,
        "series": ActivitySeries,
    },
)


@final
class OverviewNode(TypedDict):
    id: str
    services: list[str]
    answered: bool
    """
    False: its numbers are missing in this answer.
    """


@final
class OverviewCounts(TypedDict):
    keys: int | None
    """
    API keys. Null when it could not be read in time.
    """
    sources: int | None
    """
    Tracked sources. Null when it could not be read in time.
    """
    sources_failing: int | None
    """
    Sources whose `health` is `failing`. Null when it could not be read in time.
    """
    endpoints: int | None
    """
    Webhook endpoints. Null when it could not be read in time.
    """
    endpoints_failed: int | None
    """
    Endpoints that are `FAILED`. Null when it could not be read in time.
    """
    events_waiting: int | None
    """
    Events that wait for delivery, without those that are kept for `FAILED` endpoints. Null when it could not be read in time.
    """
    scrapes_running: int | None
    """
    Scrapes that run. Null when it could not be read in time.
    """
    scrapes_waiting: int | None
    """
    Scrapes in the queue. Null when it could not be read in time.
    """
    crawls_running: int | None
    """
    Crawls that run. Null when it could not be read in time.
    """


@final
class Owner(TypedDict):
    owner: str
    keys: int
    """
    Its API keys.
    """
    has_password: bool
    """
    Whether it can sign in.
    """


@final
class OwnerLink(TypedDict):
    path: str
    """
    Where the owner sets its password, once. What follows `#` is the secret.
    """
    expires_at: str


@final
class PageActions(TypedDict):
    """
    With `js_render.actions`: what they gave.
    """

    screenshots: list[str]
    """
    Keys as that of `screenshot`, in order.
    """


@final
class PageAction(TypedDict):
    type: Literal["wait", "click", "type", "press", "scroll", "screenshot"]
    """
    `wait` needs `ms` or `selector`, `click` needs `selector`, `type` needs `text` and types into `selector` or where the focus is, `press` needs `key`, `scroll` needs `direction` and scrolls `selector` or the page by its height, `screenshot` may have `full_page`.
    """
    selector: NotRequired[str | None]
    """
    CSS selector: the first element that matches.
    """
    ms: NotRequired[int | None]
    """
    Milliseconds.
    """
    text: NotRequired[str | None]
    """
    Typed as if by a keyboard.
    """
    key: NotRequired[str | None]
    """
    Name of a key, such as `Enter`, `Tab` or `ArrowDown`, or one character of ASCII.
    """
    direction: NotRequired[Literal["up", "down"] | None]
    """
    Where to scroll.
    """
    full_page: NotRequired[bool | None]
    """
    The whole page, not only what is in view.
    """


@final
class PageChangeScreenshot(TypedDict):
    """
    With `screenshot`: the names of the pictures.
    """

    before: str | None
    after: str
    difference: str | None


@final
class PageChangesJson(TypedDict):
    previous: Any
    current: Any


@final
class PageChanges(TypedDict):
    status: Literal["new", "same", "changed", "removed"]
    previous_at: str | None
    """
    When it was read before; null for a new page.
    """
    visibility: Literal["visible", "hidden"]
    """
    `hidden`: in a crawl, a page of a former crawl from the same entry page that nothing leads to any more.
    """
    diff: NotRequired[str]
    """
    The lines that differ, as `git diff` writes them.
    """
    json: NotRequired[dict[str, PageChangesJson]]
    """
    Each field with both its values.
    """


@final
class PageMetadata(TypedDict):
    title: str
    status_code: int
    """
    The target's own status; its 404 is not an error of the scrape.
    """
    final_url: str
    """
    After redirects.
    """
    source_url: NotRequired[str]
    """
    Of a batch: the URL as it was asked for.
    """
    description: str | None
    language: str | None
    """
    BCP 47 tag as the page declares it.
    """
    canonical_url: str | None
    page_title: str | None
    """
    The page's own `<title>`, or a document's title. `title` may be that of OpenGraph or the first heading.
    """
    author: str | None
    """
    Who wrote the page, without "By"; several are separated by commas.
    """
    published_time: str | None
    """
    ISO 8601: a time with the page's own offset (`2025-09-04T10:00:00+02:00`), or a date (`2025-09-04`) where the page gives no time or no offset.
    """
    modified_time: str | None
    """
    As `published_time`.
    """
    keywords: list[str] | None
    """
    At most 50, each once.
    """
    site_name: str | None
    favicon: str | None
    """
    Absolute URL, as the page declares it.
    """
    image: str | None
    """
    Absolute URL of the image that represents the page where it is shared.
    """
    robots: str | None
    """
    The contents of `<meta name=robots>`.
    """
    content_type: str
    """
    The media type that the page was read as: `text/html`, `application/pdf`.
    """
    word_count: int
    """
    Words of the content: of the whole page with `only_main_content: false`.
    """
    og: dict[str, str]
    """
    OpenGraph properties without `og:`.
    """
    engine: Literal["http", "browser"]
    """
    The engine that read the page.
    """
    proxy_location: str | None
    """
    Country of the proxy; null when the page was fetched directly.
    """
    cached_at: NotRequired[str]
    """
    With `max_age`, when the answer is that of an earlier scrape: the time when that one began.
    """
    warning: NotRequired[str]
    """
    Why the page came out nearly empty, was read as the server sent it, or is only the beginning of a document, which formats of a large page are cut, and why a language model was not used; absent otherwise.
    """


@final
class PdfOptions(TypedDict):
    read: NotRequired[bool | None]
    """
    By default true. False returns the file in base64, as `markdown`, `html` and `raw_html`; it may have 3 MB.
    """
    max_pages: NotRequired[int | None]
    """
    Reads the first pages only; by default 200.
    """


@final
class PeriodQuotaOptions(TypedDict):
    pages: NotRequired[int | None]
    """
    Scrapes that read a page, and pages of batches.
    """
    rendered: NotRequired[int | None]
    """
    Pages that were read in the browser.
    """
    crawled: NotRequired[int | None]
    """
    Pages that crawls and batches read.
    """
    events: NotRequired[int | None]
    """
    Events appended to the key's log.
    """
    deliveries: NotRequired[int | None]
    """
    Events that the key's endpoints took.
    """


@final
class PeriodQuotas(TypedDict):
    pages: int | None
    """
    Scrapes that read a page, and pages of batches.
    """
    rendered: int | None
    """
    Pages that were read in the browser.
    """
    crawled: int | None
    """
    Pages that crawls and batches read.
    """
    events: int | None
    """
    Events appended to the key's log.
    """
    deliveries: int | None
    """
    Events that the key's endpoints took.
    """


@final
class PictureBox(TypedDict):
    selector: str
    """
    The selector that matches it.
    """
    x: int
    y: int
    width: int
    height: int


@final
class PollAnySourceResponseData(TypedDict):
    due_at: str
    """
    When the poll is due, or began if it is under way.
    """


@final
class PollAnySourceResponse(TypedDict):
    data: PollAnySourceResponseData
    message: str


@final
class PollSourceRequest(TypedDict):
    iid: str
    """
    `id` of the source.
    """


@final
class PollSourceResponseData(TypedDict):
    due_at: str
    """
    When the poll is due, or began if it is under way.
    """


@final
class PollSourceResponse(TypedDict):
    data: PollSourceResponseData
    message: str


@final
class PostCoreUserResults(TypedDict):
    result: Author
    """
    The author.
    """


@final
class PostCore(TypedDict):
    user_results: PostCoreUserResults


@final
class PostLegacy(TypedDict):
    full_text: str
    """
    The whole text.
    """
    created_at: str | None
    """
    As in `Wed Oct 10 20:19:24 +0000 2018`; null where the network does not give it.
    """
    favorite_count: int | None
    """
    Null where the network gives none.
    """
    repost_count: int | None
    """
    Null where the network gives none.
    """
    reply_count: int | None
    """
    Null where the network gives none.
    """


@final
class Post(TypedDict):
    rest_id: str
    """
    Id of the post.
    """
    core: PostCore
    legacy: PostLegacy
    language: str | None
    """
    BCP 47, for example `en` or `pt-BR`, as the author or the network says. Null where neither does; nothing is guessed.
    """
    media: list[Media]
    """
    What is attached to it, in the author's order.
    """


@final
class PostInSandboxRequestMediaItem(TypedDict):
    type: Literal["image", "video", "gif", "audio", "unknown"]
    """
    `gif` is a short video without sound that repeats.
    """
    url: NotRequired[str | None]
    preview_url: NotRequired[str | None]
    alt: NotRequired[str | None]


@final
class PostInSandboxRequest(TypedDict):
    platform: Literal["microblog", "chatserver", "messenger"]
    """
    The simulated platform.
    """
    username: NotRequired[str | None]
    """
    The author on the microblog.
    """
    channelId: NotRequired[str | None]
    """
    The channel of a chat server or of the messenger.
    """
    text: str
    """
    The text of the post.
    """
    language: NotRequired[str | None]
    """
    BCP 47: the language of a post of the microblog, as its author says.
    """
    media: NotRequired[list[PostInSandboxRequestMediaItem] | None]
    """
    What is attached to a post of the microblog.
    """


@final
class PostInSandboxResponseData(TypedDict):
    id: str
    """
    Id of the post or message.
    """


@final
class PostInSandboxResponse(TypedDict):
    data: PostInSandboxResponseData
    message: str


@final
class PreviewItem(TypedDict):
    title: str | None
    """
    Its title, or how its text begins.
    """
    url: str | None
    published_at: str | None
    """
    Null where the source gives none.
    """


@final
class PreviewPast(TypedDict):
    days: int
    """
    How far back it was tried.
    """
    checks: int
    """
    Checks in that time.
    """
    fired: int
    """
    How many of them would have made an event.
    """
    why: str
    """
    A sentence: in the last 30 days this would have fired 4 times.
    """


@final
class ProxyOptions(TypedDict):
    location: NotRequired[str | None]
    """
    ISO 3166-1 alpha-2 country code. Without a proxy there the page is fetched directly: `metadata.proxy_location` is null.
    """
    sticky_session: NotRequired[str | None]
    """
    Scrapes with the same value keep the same proxy, for 10 minutes at least.
    """


@final
class QueuedTrack(TypedDict):
    message: str
    jobId: str
    """
    The id of the join request.
    """


@final
class Quota(TypedDict):
    name: Literal["pages", "rendered", "crawled", "events", "deliveries"]
    """
    What is counted.
    """
    period: Literal["day", "month"]
    used: int
    """
    Work under way included.
    """
    limit: int
    resets_at: str
    """
    When the period ends and the quota resets.
    """


@final
class QuotaLeft(TypedDict):
    name: Literal["pages", "rendered", "crawled", "events", "deliveries"]
    """
    What is counted.
    """
    period: Literal["day", "month"]
    used: int
    """
    Work under way included.
    """
    limit: int
    resets_at: str
    """
    When the period ends and the quota resets.
    """
    left: int
    """
    0 when it is used up.
    """


@final
class RehearsedChange(TypedDict):
    added: list[str]
    removed: list[str]


@final
class RehearsedCheck(TypedDict):
    at: str
    version: str
    outcome: Literal["same", "changed", "held", "muted", "failed"]
    reason: str
    change: RehearsedChange | None
    """
    What the event would have said.
    """


@final
class RenameOwnKeyRequest(TypedDict):
    name: NotRequired[str | None]
    """
    A label to recognise the key by.
    """
    scopes: NotRequired[list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None]
    """
    What the key may do (`scrape`: scrapes, parsed documents and screenshots; `crawl`: crawls, batches and maps; `track`: sources, monitors, previews, outgoing feeds, and questions to a network; `webhooks`: webhook endpoints, their deliveries, tests and replays; `read`: reads what is kept: events, streams, results, sources, deliveries, usage); null for everything.
    """
    expires_at: NotRequired[str | None]
    """
    When the key ends, an RFC 3339 time in the future; null for never.
    """


@final
class ReplayDeliveriesRequest(TypedDict):
    since: str
    """
    ISO 8601.
    """


@final
class ReplayDeliveriesResponseData(TypedDict):
    events: int


@final
class ReplayDeliveriesResponse(TypedDict):
    data: ReplayDeliveriesResponseData
    message: str


ReplayEndpointRequestEventId: TypeAlias = str


@final
class ReplayEndpointRequest(TypedDict):
    since: NotRequired[str | None]
    """
    Only events since this time, ISO 8601.
    """
    until: NotRequired[str | None]
    """
    Only events before this time, ISO 8601.
    """
    event_ids: NotRequired[list[ReplayEndpointRequestEventId] | None]
    """
    Only these events.
    """
    event_types: NotRequired[
        list[
            Literal[
                "microblog.post.created",
                "chatserver.message.created",
                "messenger.message.created",
                "rss.item.created",
                "rss.item.updated",
                "web.page.changed",
                "site.page.added",
                "site.page.changed",
                "site.page.removed",
                "site.page.moved",
                "site.changed",
                "site.checked",
                "search.result.found",
                "source.failing",
                "source.recovered",
                "source.gone",
                "source.gap",
                "monitor.page",
                "monitor.checked",
                "quota.warning",
                "quota.exceeded",
                "webhook.test",
            ]
        ]
        | None
    ]
    """
    Only events of these types.
    """


@final
class ReplayEndpointResponseData(TypedDict):
    events: int


@final
class ReplayEndpointResponse(TypedDict):
    data: ReplayEndpointResponseData
    message: str


RequestOptionsIncludeTag: TypeAlias = str
"""
CSS selector.
"""


RequestOptionsExcludeTag: TypeAlias = str
"""
CSS selector.
"""


@final
class RequestOptions(TypedDict):
    locale: NotRequired[str | None]
    """
    BCP 47 tag of the language wanted, for example `de-AT`.
    """
    device: NotRequired[Literal["desktop", "mobile"] | None]
    """
    The kind of device to present to the page.
    """
    cookies: NotRequired[list[Cookie] | dict[str, str] | None]
    """
    A list of cookies, or a map of names to values for the page's own host.
    """
    headers: NotRequired[dict[str, Any] | None]
    """
    At most 50, sent to the page's own origin only. Not `host`, nor those that belong to the connection, the browser or a proxy.
    """
    include_tags: NotRequired[list[RequestOptionsIncludeTag] | None]
    """
    CSS selectors: only the elements that match one of them, and what is in them. Without a search for the main content, since these name it.
    """
    exclude_tags: NotRequired[list[RequestOptionsExcludeTag] | None]
    """
    CSS selectors: without the elements that match one of them.
    """
    only_main_content: NotRequired[bool | None]
    """
    Leaves out navigation, sidebars, footers and the like.
    """
    block_ads: NotRequired[bool | None]
    """
    Blocks advertisements and trackers while the page loads, and drops them from it.
    """
    skip_tls_verification: NotRequired[bool | None]
    """
    Accepts certificates that do not verify.
    """
    pdf: NotRequired[PdfOptions | None]
    """
    How a PDF is read.
    """


@final
class RetriedDelivery(TypedDict):
    event_id: str
    delivery_id: str
    """
    `id` of the new attempt.
    """
    outcome: Literal["succeeded", "failed"]
    """
    Of the new attempt.
    """


@final
class RetryDeliveryResponse(TypedDict):
    data: RetriedDelivery
    message: str


@final
class RetryEndpointDeliveryResponse(TypedDict):
    data: RetriedDelivery
    message: str


@final
class ScrapeSummary(TypedDict):
    scrape_id: str
    key_id: str
    """
    `id` of the key.
    """
    url: str
    """
    Empty once the result has expired.
    """
    status: Literal["pending", "completed", "failed"]
    error: NotRequired[Failure]
    """
    When `failed`.
    """
    started_at: str | None
    ended_at: str | None
    expires_at: str | None
    """
    When the result is removed; null while it is pending.
    """


@final
class SearchChannelResponse(TypedDict):
    total: int
    """
    All matches, as far as the platform counts them.
    """
    messages: list[Message]
    """
    Newest first.
    """


@final
class SearchGuideResponse(TypedDict):
    data: list[GuideHit]
    message: str


@final
class SearchHistoryResponse(TypedDict):
    data: list[Found]
    next_cursor: str | None
    message: str


@final
class SearchMessagesResponse(TypedDict):
    total: int
    """
    All matches, as far as the platform counts them.
    """
    messages: list[Message]
    """
    Newest first.
    """


@final
class SearchResult(TypedDict):
    url: str
    """
    Its canonical address: each is told once.
    """
    title: str | None
    description: str | None
    date: str | None
    """
    When it appeared, as the search engine says it.
    """


@final
class SessionKey(TypedDict):
    """
    Of the role `key`.
    """

    id: str
    name: str


@final
class Session(TypedDict):
    role: Literal["admin", "owner", "key"]
    """
    The administrator, an owner with its password, or somebody with an API key.
    """
    owner: str | None
    """
    Null for the administrator.
    """
    key: SessionKey | None
    """
    Of the role `key`.
    """
    expires_at: str


@final
class SetMessengerDefaultKeyRequest(TypedDict):
    apiKeyId: str | None
    """
    `id` of one of your keys; null for none.
    """


@final
class SetMessengerDefaultKeyResponseData(TypedDict):
    messengerDefaultApiKeyId: str | None
    """
    The key that the messenger bot uses.
    """


@final
class SetMessengerDefaultKeyResponse(TypedDict):
    data: SetMessengerDefaultKeyResponseData
    message: str


@final
class SetPasswordRequest(TypedDict):
    token: str
    """
    What follows `#` in the link.
    """
    password: str
    """
    The new password: 10 to 200 characters, and none of those that are guessed first.
    """


@final
class SetPasswordResponse(TypedDict):
    data: Session
    message: str


ShownWatchOptionsTag: TypeAlias = str


ShownWatchOptionsSchedule = TypedDict(
    "ShownWatchOptionsSchedule",
    {
        "time_zone": str,
        "cron": NotRequired[str],
        "days": NotRequired[list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]],
        "from": NotRequired[str],
        "to": NotRequired[str],
    },
)


ShownWatchOptionsSelectItem: TypeAlias = str


ShownWatchOptionsRemoveItem: TypeAlias = str


ShownWatchOptionsIgnoreItem: TypeAlias = str


ShownWatchOptionsWhenContain: TypeAlias = str


ShownWatchOptionsWhenNotContain: TypeAlias = str


@final
class ShownWatchOptionsWhenValue(TypedDict):
    """
    A number on the page: the first one of what `select` finds, or of the text.
    """

    select: NotRequired[str]
    """
    CSS or XPath.
    """
    below: NotRequired[float]
    """
    When it falls below this; again after it was not below.
    """
    above: NotRequired[float]
    """
    When it rises above this; again after it was not above.
    """
    changed_by_percent: NotRequired[float]
    """
    When it differs by at least so much from the last one that was reported.
    """


@final
class ShownWatchOptionsWhen(TypedDict):
    """
    What a change must be to be reported; all conditions must hold.
    """

    contains: NotRequired[list[ShownWatchOptionsWhenContain]]
    """
    Only when one of these is there; a text, or `/RE2/flags`.
    """
    not_contains: NotRequired[list[ShownWatchOptionsWhenNotContain]]
    """
    Only when none of these is there.
    """
    added_only: NotRequired[bool]
    """
    Only when something was added.
    """
    removed_only: NotRequired[bool]
    """
    Only when something was removed.
    """
    value: NotRequired[ShownWatchOptionsWhenValue]
    """
    A number on the page: the first one of what `select` finds, or of the text.
    """


@final
class ShownWatchOptionsKeep(TypedDict):
    """
    How much of the past is kept, within `KEEP_DAYS` and `KEEP_MB`; of a source that several keys track, what the most generous of them wants. The last version stays, and those of events that exist.
    """

    days: NotRequired[int]
    """
    Days.
    """
    versions: NotRequired[int]
    """
    Versions, at most.
    """


@final
class ShownWatchOptionsJson(TypedDict):
    """
    Compares fields in place of text: `schema`, `recipe` or both.
    """

    schema: NotRequired[dict[str, Any]]
    """
    JSON Schema of the fields.
    """
    recipe: NotRequired[dict[str, Any]]
    """
    `data.json_recipe` of a scrape.
    """


ShownWatchOptionsIncludeItem: TypeAlias = str


ShownWatchOptionsExcludeItem: TypeAlias = str


ShownWatchOptionsDomain: TypeAlias = str


@final
class ShownWatchOptions(TypedDict):
    tags: NotRequired[list[ShownWatchOptionsTag]]
    """
    Words by which the key sorts its sources.
    """
    interval: NotRequired[str]
    """
    `15m`, `2h`, `1d`: how often to poll, at least `POLL_MIN_INTERVAL` and at most `30d`. Without it Magpie chooses by how often the source has news.
    """
    schedule: NotRequired[ShownWatchOptionsSchedule]
    """
    When to poll, in local time; never outside of it.
    """
    paused: NotRequired[bool]
    """
    Not polled, unless a poll is asked for, until this is removed: then it is polled at once, and what has changed meanwhile is told.
    """
    select: NotRequired[list[ShownWatchOptionsSelectItem]]
    """
    Only these parts of a page: CSS selectors, or XPath where they begin with `/` or `xpath:`.
    """
    content: NotRequired[Literal["page", "main"]]
    """
    What of a page counts without `select`: `page`, the default, is all but advertisements, consent banners, navigation and related things; `main` is the main content alone.
    """
    remove: NotRequired[list[ShownWatchOptionsRemoveItem]]
    """
    Without these parts of a page: CSS or XPath.
    """
    ignore: NotRequired[list[ShownWatchOptionsIgnoreItem]]
    """
    Lines that contain one of these texts, or match `/RE2/flags`, are no news.
    """
    when: NotRequired[ShownWatchOptionsWhen]
    """
    What a change must be to be reported; all conditions must hold.
    """
    unique_lines: NotRequired[bool]
    """
    A line that the page has shown before is no news, wherever it is.
    """
    render: NotRequired[Literal["auto", "never", "always"]]
    """
    Whether a browser runs the page's scripts; `auto`, the default: where they change it.
    """
    headers: NotRequired[dict[str, str]]
    """
    Sent to the source's own origin only, at most 50. Encrypted at rest; answers show `•••` for each value, and a value `•••` that is sent leaves the former one.
    """
    cookies: NotRequired[dict[str, str]]
    """
    Names and values; sent, kept and shown as `headers`.
    """
    keep: NotRequired[ShownWatchOptionsKeep]
    """
    How much of the past is kept, within `KEEP_DAYS` and `KEEP_MB`; of a source that several keys track, what the most generous of them wants. The last version stays, and those of events that exist.
    """
    json: NotRequired[ShownWatchOptionsJson]
    """
    Compares fields in place of text: `schema`, `recipe` or both.
    """
    screenshot: NotRequired[bool]
    """
    A picture before and after each change, and one of the difference. A watch has a share of 200 changes or 256 MB, which comes back evenly in four days; changes beyond it are reported without pictures.
    """
    limit: NotRequired[int]
    """
    Of a site: pages that are watched, at most; by default 1,000.
    """
    include: NotRequired[list[ShownWatchOptionsIncludeItem]]
    """
    Of a site: only pages that match one of these patterns, as in a crawl.
    """
    exclude: NotRequired[list[ShownWatchOptionsExcludeItem]]
    """
    Of a site: no page that matches one of these patterns, as in a crawl.
    """
    max_depth: NotRequired[int]
    """
    Of a site: links from the entry page; by default 10.
    """
    include_entire_domain: NotRequired[bool]
    """
    Of a site: the whole host, not only what lies below the entry page's directory.
    """
    include_subdomains: NotRequired[bool]
    """
    Of a site: also hosts below the entry page's host.
    """
    sitemaps: NotRequired[bool]
    """
    Of a site: also the pages that its sitemaps name, which is the default.
    """
    checks: NotRequired[bool]
    """
    Of a site: an event `site.checked` with counts after each round, also where nothing has changed.
    """
    domains: NotRequired[list[ShownWatchOptionsDomain]]
    """
    Of a search: only results of these domains and what is below them.
    """
    window: NotRequired[Literal["day", "week", "month", "year"]]
    """
    Of a search: only what has appeared in this time, as far as the search engine knows it.
    """
    goal: NotRequired[str]
    """
    What you want to know, in words. A language model judges each change by it, and says so in the event: `judgement`. Needs `LLM_BASE_URL`.
    """
    judge: NotRequired[bool]
    """
    False: the goal is kept, and nothing is judged.
    """


@final
class SignInRequest(TypedDict):
    admin_key: NotRequired[str | None]
    """
    The admin key.
    """
    api_key: NotRequired[str | None]
    """
    An API key.
    """
    owner: NotRequired[str | None]
    """
    The owner's name.
    """
    password: NotRequired[str | None]
    """
    The owner's password.
    """


@final
class SignInResponse(TypedDict):
    data: Session
    message: str


@final
class SiteChange(TypedDict):
    kind: Literal["everywhere", "rotating"]
    """
    `everywhere`: the same lines came or went on many pages. `rotating`: a place shows something else on each visit; it is muted from now on.
    """
    added: list[str]
    """
    Lines that came.
    """
    removed: list[str]
    """
    Lines that went.
    """
    seen_on: int
    """
    Pages on which it was seen when it was told.
    """
    looked_at: int
    """
    Pages that were looked at for it.
    """
    pages: int
    """
    Pages of the site that are watched.
    """
    examples: list[str]
    """
    Addresses of some of them.
    """


@final
class SiteCheck(TypedDict):
    started_at: str
    ended_at: str
    pages: int
    """
    Pages that are watched.
    """
    visited: int
    """
    Pages that were asked for.
    """
    unchanged: int
    """
    Of these: as they were.
    """
    added: int
    changed: int
    removed: int
    moved: int
    failed: int
    """
    Pages that could not be read.
    """


@final
class SiteMap(TypedDict):
    url: str
    data: list[MappedPage]
    """
    Best first with `search`; otherwise the entry page, then the order of the sitemaps.
    """
    total: int
    """
    URLs found, before `limit`.
    """
    complete: bool
    """
    False where a source was cut short or could not be read: there may be more URLs.
    """


@final
class SitePage(TypedDict):
    url: str
    title: str


@final
class SiteSummaryStates(TypedDict):
    new: int
    """
    Known, and not read yet.
    """
    there: int
    missing: int
    removed: int
    moved: int
    refused: int
    alias: int


@final
class SiteSummary(TypedDict):
    pages: int
    """
    Pages that are watched.
    """
    states: SiteSummaryStates
    baseline: bool
    """
    Its pages are being read for the first time, which makes no events.
    """


@final
class Source(TypedDict):
    id: str
    """
    `iid` when untracking.
    """
    source: str
    """
    The kind in upper case, for example `RSS`.
    """
    externalId: str
    """
    `eid` when untracking: what the platform calls it; for pages and feeds the URL.
    """
    username: str
    """
    Its handle; for pages and feeds the host.
    """
    name: str
    """
    Display name; for pages and feeds the title.
    """


SourceDetailTag: TypeAlias = str


@final
class SourceDetail(TypedDict):
    id: str
    """
    `iid` when untracking.
    """
    source: str
    """
    The kind in upper case, for example `RSS`.
    """
    externalId: str
    """
    `eid` when untracking: what the platform calls it; for pages and feeds the URL.
    """
    username: str
    """
    Its handle; for pages and feeds the host.
    """
    name: str
    """
    Display name; for pages and feeds the title.
    """
    options: NotRequired[ShownWatchOptions]
    """
    How the calling key tracks it, where it has chosen anything; values of headers and cookies are `•••`.
    """
    health: Literal["ok", "failing", "gone"]
    """
    `failing` after five failed polls in a row; `gone` when the source says so.
    """
    failures: int
    """
    Polls that failed since the last good one.
    """
    problem: str | None
    """
    Why the last poll failed, since when, and what to do, in words; null when it succeeded.
    """
    polled_at: str
    """
    When the last poll began.
    """
    due_at: str
    """
    When it is polled next; the past while a poll is under way.
    """
    last_event_at: str | None
    """
    When a poll last found something that became an event; null while there was none.
    """
    muted: list[MutedLine]
    """
    The lines whose changes are muted, because they change so often.
    """
    tags: list[SourceDetailTag]
    """
    Words by which the key sorts its sources.
    """
    tracked_at: str
    """
    When the calling key began to track it.
    """
    last_check: Check | None
    """
    The latest checks; null before the first one.
    """
    interval_ms: int | None
    """
    The wait between the last check and the next.
    """
    versions: int
    """
    Versions that are kept.
    """
    bytes: int
    """
    What they take.
    """
    events: int
    """
    Versions of which an event was made.
    """
    values: dict[str, Any]
    """
    The latest number (`value`) and fields.
    """
    watched_from: str
    """
    From when on the calling key may read its past.
    """
    site: NotRequired[SiteSummary]
    """
    Of a site: its pages.
    """


@final
class SourceFailingEventData(TypedDict):
    source: Source | None
    reason: str


@final
class SourceFailingEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["source.failing"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: SourceFailingEventData


@final
class SourceGapEventData(TypedDict):
    source: Source | None
    reason: str
    gap: FeedGap


@final
class SourceGapEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["source.gap"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: SourceGapEventData


@final
class SourceGoneEventData(TypedDict):
    source: Source | None
    reason: str


@final
class SourceGoneEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["source.gone"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: SourceGoneEventData


@final
class SourceRecoveredEventData(TypedDict):
    source: Source | None
    reason: str


@final
class SourceRecoveredEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["source.recovered"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: SourceRecoveredEventData


@final
class SourceSummary(TypedDict):
    id: str
    """
    `iid` when untracking.
    """
    source: str
    """
    The kind in upper case, for example `RSS`.
    """
    externalId: str
    """
    `eid` when untracking: what the platform calls it; for pages and feeds the URL.
    """
    username: str
    """
    Its handle; for pages and feeds the host.
    """
    name: str
    """
    Display name; for pages and feeds the title.
    """
    keys: int
    """
    Keys that track it.
    """
    health: Literal["ok", "failing", "gone"]
    """
    `failing` after five failed polls in a row; `gone` when the source says so.
    """
    failures: int
    """
    Polls that failed since the last good one.
    """
    problem: str | None
    """
    Why the last poll failed, since when, and what to do, in words; null when it succeeded.
    """
    polled_at: str
    """
    When the last poll began.
    """
    due_at: str
    """
    When it is polled next; the past while a poll is under way.
    """
    last_event_at: str | None
    """
    When a poll last found something that became an event; null while there was none.
    """


@final
class TestEndpointResponseData(TypedDict):
    event_id: str


@final
class TestEndpointResponse(TypedDict):
    data: TestEndpointResponseData
    message: str


@final
class TestWebhookResponseData(TypedDict):
    event_id: str


@final
class TestWebhookResponse(TypedDict):
    data: TestWebhookResponseData
    message: str


@final
class TotalUsage(TypedDict):
    days: list[str]
    """
    UTC days, oldest first.
    """
    total: list[int]
    """
    Requests of all keys on each day.
    """
    keys: list[KeyUsage]
    """
    The 20 keys with the most requests on these days together, largest first.
    """


@final
class TrackChatRequest(TypedDict):
    channelId: str
    """
    Id of a channel of a chat server.
    """


@final
class TrackChatResponseData(TypedDict):
    id: str
    """
    `id` of the source.
    """


@final
class TrackChatResponse(TypedDict):
    data: TrackChatResponseData
    message: str


@final
class TrackJob(TypedDict):
    id: str
    """
    `jobId` of the answer to `POST /track/{source}`.
    """
    state: Literal["waiting", "active", "completed", "failed"]
    """
    `waiting` until somebody decides, `active` after the approval until the channel is tracked.
    """
    returnvalue: NotRequired[Source]
    """
    When `completed`: the source, which is tracked now.
    """
    failedReason: NotRequired[str]
    """
    When `failed`: the reason, for people.
    """


@final
class TrackManyResponseDataProgress(TypedDict):
    total: int
    """
    All entries: the sum of the others.
    """
    pending: int
    """
    Entries that are still to be tracked.
    """
    tracked: int
    """
    Sources that the key tracks since this batch.
    """
    known: int
    """
    Sources that it tracked before.
    """
    waiting: int
    """
    Private channels that must approve us first.
    """
    removed: int
    """
    Sources that the key no longer tracks, as an OPML document asked.
    """
    failed: int
    """
    Entries that cannot be tracked.
    """


@final
class TrackManyResponseDataEntryError(TypedDict):
    """
    When `failed`; when `pending`, why the last try failed.
    """

    code: str
    message: str


@final
class TrackManyResponseDataEntry(TypedDict):
    number: int
    """
    Its place in the request, from 0.
    """
    line: NotRequired[int]
    """
    Its line in the OPML document that named it.
    """
    source: Literal["microblog", "chatserver", "messenger", "web", "rss", "site", "search"]
    """
    The kind of source.
    """
    sid: str
    """
    As it was sent.
    """
    status: Literal["pending", "tracked", "known", "waiting", "removed", "failed"]
    """
    `tracked` from now on, `known`: the key tracked it before, `waiting` for somebody who must approve us, `removed`: no longer tracked, as an OPML document asked, `failed` for good.
    """
    data: NotRequired[Source]
    """
    The source, when `tracked` or `known`.
    """
    jobId: NotRequired[str]
    """
    The id of the join request, when `waiting`.
    """
    error: NotRequired[TrackManyResponseDataEntryError]
    """
    When `failed`; when `pending`, why the last try failed.
    """


@final
class TrackManyResponseData(TypedDict):
    id: str
    state: Literal["running", "completed"]
    """
    `completed` when nothing is pending.
    """
    progress: TrackManyResponseDataProgress
    entries: list[TrackManyResponseDataEntry]
    next_cursor: str | None
    """
    Where the next page of entries begins; null after the last.
    """
    created_at: str
    expires_at: str
    """
    When the record is removed; the sources stay.
    """


@final
class TrackManyResponse(TypedDict):
    data: TrackManyResponseData
    message: str


@final
class TrackUserRequest(TypedDict):
    username: str
    """
    1 to 15 letters, digits and underscores, without the @.
    """


@final
class TrackUserResponse(TypedDict):
    data: Account
    message: str


TrackedSourceTag: TypeAlias = str


@final
class TrackedSource(TypedDict):
    id: str
    """
    `iid` when untracking.
    """
    source: str
    """
    The kind in upper case, for example `RSS`.
    """
    externalId: str
    """
    `eid` when untracking: what the platform calls it; for pages and feeds the URL.
    """
    username: str
    """
    Its handle; for pages and feeds the host.
    """
    name: str
    """
    Display name; for pages and feeds the title.
    """
    options: NotRequired[ShownWatchOptions]
    """
    How the calling key tracks it, where it has chosen anything; values of headers and cookies are `•••`.
    """
    health: Literal["ok", "failing", "gone"]
    """
    `failing` after five failed polls in a row; `gone` when the source says so.
    """
    failures: int
    """
    Polls that failed since the last good one.
    """
    problem: str | None
    """
    Why the last poll failed, since when, and what to do, in words; null when it succeeded.
    """
    polled_at: str
    """
    When the last poll began.
    """
    due_at: str
    """
    When it is polled next; the past while a poll is under way.
    """
    last_event_at: str | None
    """
    When a poll last found something that became an event; null while there was none.
    """
    muted: list[MutedLine]
    """
    The lines whose changes are muted, because they change so often.
    """
    tags: list[TrackedSourceTag]
    """
    Words by which the key sorts its sources.
    """
    tracked_at: str
    """
    When the calling key began to track it.
    """


@final
class UntrackChatRequest(TypedDict):
    channelId: str
    """
    Id of a channel of a chat server.
    """


@final
class UntrackChatResponse(TypedDict):
    message: str


@final
class UntrackRequest(TypedDict):
    eid: NotRequired[str | None]
    """
    `externalId` of the source; this or `iid`.
    """
    iid: NotRequired[str | None]
    """
    `id` of the source; this or `eid`.
    """


@final
class UntrackResponse(TypedDict):
    data: Source
    message: str


@final
class UntrackUserRequest(TypedDict):
    username: str
    """
    1 to 15 letters, digits and underscores, without the @.
    """


@final
class UntrackUserResponse(TypedDict):
    message: str


@final
class User(TypedDict):
    id: str
    """
    `iid` when untracking.
    """
    source: str
    """
    The kind in upper case, for example `RSS`.
    """
    externalId: str
    """
    `eid` when untracking: what the platform calls it; for pages and feeds the URL.
    """
    username: str
    """
    Its handle; for pages and feeds the host.
    """
    name: str
    """
    Display name; for pages and feeds the title.
    """
    createdAt: str
    """
    When the calling key began to track it.
    """
    updatedAt: str
    """
    When the source last changed its name, address or state.
    """
    followedAt: str
    """
    When the calling key began to track the user.
    """


ValueChange = TypedDict(
    "ValueChange",
    {
        "from": float,
        "to": float,
    },
)


@final
class ValuePoint(TypedDict):
    at: str
    """
    With `every`, when the span begins.
    """
    field: str
    value: Any
    """
    A number, a text, true or false; null where there was none.
    """


@final
class Version(TypedDict):
    id: str
    at: str
    """
    When a check first saw it.
    """
    until: str | None
    """
    When the next version was seen; null for the latest one.
    """
    title: str
    item: str | None
    """
    Of a feed: the item; of a site: the address of the page.
    """
    outcome: Literal["first", "changed", "held", "muted", "same"]
    """
    `first`: the baseline; `changed`: it made an event; `held` or `muted`: it made none.
    """
    reason: str
    added: int
    """
    Lines that are new in it.
    """
    removed: int
    event_id: str | None


@final
class VersionContent(TypedDict):
    id: str
    at: str
    """
    When a check first saw it.
    """
    until: str | None
    """
    When the next version was seen; null for the latest one.
    """
    title: str
    item: str | None
    """
    Of a feed: the item; of a site: the address of the page.
    """
    outcome: Literal["first", "changed", "held", "muted", "same"]
    """
    `first`: the baseline; `changed`: it made an event; `held` or `muted`: it made none.
    """
    reason: str
    added: int
    """
    Lines that are new in it.
    """
    removed: int
    event_id: str | None
    text: str
    """
    What the watch compares, a line for each block.
    """
    markdown: str
    """
    The main content of the page, or the item.
    """
    fields: dict[str, Any] | None
    """
    With `options.json`: the fields that were found.
    """
    has_picture: bool
    """
    Whether `as=picture` has one.
    """


@final
class Viewport(TypedDict):
    width: int
    """
    CSS pixels.
    """
    height: int
    """
    CSS pixels.
    """


@final
class WaitFor(TypedDict):
    selector: NotRequired[str | None]
    """
    CSS selector: until an element matches.
    """
    ms: NotRequired[int | None]
    """
    Milliseconds, after the page has loaded.
    """


WatchChangesTag: TypeAlias = str


WatchChangesSelectItem: TypeAlias = str


WatchChangesRemoveItem: TypeAlias = str


WatchChangesIgnoreItem: TypeAlias = str


WatchChangesIncludeItem: TypeAlias = str


WatchChangesExcludeItem: TypeAlias = str


WatchChangesDomain: TypeAlias = str


WatchConditionsContain: TypeAlias = str


WatchConditionsNotContain: TypeAlias = str


@final
class WatchDifference(TypedDict):
    added: list[str]
    """
    New lines; where only the order differs, the lines that moved.
    """
    removed: list[str]
    """
    Removed lines, likewise.
    """
    diff: str
    """
    A unified diff.
    """
    moved: NotRequired[list[str]]
    """
    Lines that have changed their place, in words: `Alpha: moved from 3rd to 1st`.
    """
    note: NotRequired[str]
    """
    What no line shows: the page has changed beyond the text that is kept.
    """
    fields: NotRequired[dict[str, FieldChange]]
    """
    With `json`: what each field was and is; null for one that is not there.
    """
    value: NotRequired[ValueChange]
    """
    With `when.value`: the number before, and the one that counts now.
    """


@final
class WatchJson(TypedDict):
    schema: NotRequired[dict[str, Any] | None]
    """
    JSON Schema of the fields.
    """
    recipe: NotRequired[dict[str, Any] | None]
    """
    `data.json_recipe` of a scrape.
    """


@final
class WatchKeep(TypedDict):
    days: NotRequired[int | None]
    """
    Days.
    """
    versions: NotRequired[int | None]
    """
    Versions, at most.
    """


WatchOptionsTag: TypeAlias = str


WatchOptionsSelectItem: TypeAlias = str


WatchOptionsRemoveItem: TypeAlias = str


WatchOptionsIgnoreItem: TypeAlias = str


WatchOptionsIncludeItem: TypeAlias = str


WatchOptionsExcludeItem: TypeAlias = str


WatchOptionsDomain: TypeAlias = str


@final
class WatchPreview(TypedDict):
    text: str
    """
    What is compared, as Markdown, at most 20 KB.
    """
    fields: dict[str, Any] | None
    """
    With `json`: the fields that were found.
    """
    lines_ignored: int
    """
    Lines that `ignore` leaves out.
    """
    would_fire: bool | None
    """
    Whether a poll now would make an event: true or false where the key tracks the page with these options; else false where it would stay silent whatever changes, and null where the next change decides.
    """
    why: str
    """
    The reason, in a sentence.
    """
    change: WatchDifference | None
    """
    How the page differs from the last check of the key's own watch, whether that counts or not; null where it does not, or where there is no such check.
    """
    past: NotRequired[PreviewPast | None]
    """
    What these options would have made of the last 30 days, where the key tracks the page, with whatever options, and versions of it are kept; null elsewhere. `POST /sources/{id}/rehearse` has the details.
    """


WatchSchedule = TypedDict(
    "WatchSchedule",
    {
        "time_zone": str,
        "cron": NotRequired[str | None],
        "days": NotRequired[list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]] | None],
        "from": NotRequired[str | None],
        "to": NotRequired[str | None],
    },
)


@final
class WatchValue(TypedDict):
    select: NotRequired[str | None]
    """
    CSS or XPath.
    """
    below: NotRequired[float | None]
    """
    When it falls below this; again after it was not below.
    """
    above: NotRequired[float | None]
    """
    When it rises above this; again after it was not above.
    """
    changed_by_percent: NotRequired[float | None]
    """
    When it differs by at least so much from the last one that was reported.
    """


@final
class WatchedPage(TypedDict):
    url: str
    title: str
    """
    Empty before it was read.
    """
    state: Literal["new", "there", "missing", "removed", "moved", "refused", "alias"]
    """
    `new`: known, and not read yet; `there`; `missing`: not found, which another visit confirms; `removed`; `moved`; `refused`: robots.txt or its own wish keeps Magpie out; `alias`: another address of a page.
    """
    depth: int
    """
    Links from the entry page.
    """
    found_at: str
    """
    When it was found.
    """
    visited_at: str | None
    """
    When it was last asked for; null before the first time.
    """
    changed_at: str | None
    """
    When its last event was made: it came, changed, moved or went.
    """
    moved_to: str | None
    """
    Of `moved` and `alias`: the address of the page.
    """
    next_visit_at: str | None
    """
    When it is asked for next; null where it is not.
    """


@final
class WatchedSource(TypedDict):
    id: str
    """
    `iid` when untracking.
    """
    source: str
    """
    The kind in upper case, for example `RSS`.
    """
    externalId: str
    """
    `eid` when untracking: what the platform calls it; for pages and feeds the URL.
    """
    username: str
    """
    Its handle; for pages and feeds the host.
    """
    name: str
    """
    Display name; for pages and feeds the title.
    """
    options: NotRequired[ShownWatchOptions]
    """
    How the calling key tracks it, where it has chosen anything; values of headers and cookies are `•••`.
    """


@final
class WebhookBatch(TypedDict):
    max_events: int
    max_wait_ms: int


@final
class WebhookBatchOptions(TypedDict):
    max_events: NotRequired[int | None]
    """
    Events in one request, at most; by default 100. A body stays near 1 MB.
    """
    max_wait_ms: NotRequired[int | None]
    """
    How long the first event of a batch waits for others; by default 1,000.
    """


WebhookStateSource: TypeAlias = str


WebhookStateTag: TypeAlias = str


@final
class WebhookState(TypedDict):
    id: str
    name: str | None
    url: str
    status: Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]
    """
    `ACTIVE`: events are sent. `FAILED`: it failed too often; a change starts it again. `DISABLED`: its owner has switched it off. `UNCONFIRMED`: an address of mail whose owner has not agreed yet. In these three, events are kept for 72 hours.
    """
    enabled: bool
    """
    False where `status` is `DISABLED`.
    """
    ordering: Literal["conversation", "none"]
    batch: WebhookBatch | None
    """
    Null: each event is sent in a request of its own.
    """
    event_types: (
        list[
            Literal[
                "microblog.post.created",
                "chatserver.message.created",
                "messenger.message.created",
                "rss.item.created",
                "rss.item.updated",
                "web.page.changed",
                "site.page.added",
                "site.page.changed",
                "site.page.removed",
                "site.page.moved",
                "site.changed",
                "site.checked",
                "search.result.found",
                "source.failing",
                "source.recovered",
                "source.gone",
                "source.gap",
                "monitor.page",
                "monitor.checked",
                "quota.warning",
                "quota.exceeded",
                "webhook.test",
            ]
        ]
        | None
    )
    """
    Only events of these types; null for all. `GET /event-types` lists them.
    """
    sources: list[WebhookStateSource] | None
    """
    Only events of the sources with these ids; null for all.
    """
    tags: list[WebhookStateTag] | None
    """
    Only events of sources that have any of these tags of the key when the endpoint comes to them; null for all.
    """
    meaningful: bool
    """
    True: without the changes that a judge has dismissed by the goal of their source. Events that are not judged, or were not in time, pass.
    """
    headers: dict[str, str]
    """
    The names of its own headers; each value reads `•••`.
    """
    format: Literal["standard", "firecrawl", "slack", "discord", "ntfy", "apprise", "text"]
    """
    How the body is written; `standard`, the default, is the event as JSON; `firecrawl` is for programs that take webhooks of Firecrawl. Of mails: `standard` has text and HTML, `text` is plain text; they take no other.
    """
    template: str | None
    """
    The text of a message, for mails and for formats other than `standard`; null for the usual one.
    """
    metadata: dict[str, Any] | None
    """
    With `firecrawl`: an object of your own, at most 4 KB as JSON, that each delivery carries as `metadata`.
    """
    digest: Literal["15m", "1h", "1d"] | None
    """
    For `mailto:` addresses: one mail per interval with all events in it. Null, the default: a mail for each event or batch.
    """
    monitor: str | None
    """
    The monitor that it belongs to, and is removed with.
    """
    waiting: int
    """
    Events that wait for delivery.
    """
    failures: int
    """
    Failed attempts in a row.
    """
    next_attempt_at: str | None
    """
    Of a failing endpoint.
    """
    held: Quota | None
    """
    The quota of deliveries that is used up, while events wait for it; they are kept.
    """


@final
class WebhookTestEventData(TypedDict):
    source: Source | None
    webhook_id: NotRequired[str]
    """
    The webhook that it is for: it reaches that one alone, whatever its filter is.
    """


@final
class WebhookTestEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["webhook.test"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: WebhookTestEventData


BackfillPostsResponse: TypeAlias = list[Post]


@final
class BatchOverview(TypedDict):
    batch_id: str
    version: Literal["v1"]
    status: Literal["scraping", "completed", "failed", "cancelled"]
    stop_reason: Literal["finished", "quota", "cancelled", "given_up"] | None
    """
    Null while the batch runs.
    """
    progress: CrawlProgress
    started_at: str
    ended_at: str | None
    """
    Null while it runs.
    """
    expires_at: str | None
    """
    Null while it runs.
    """
    error: NotRequired[Failure]
    """
    Only when `failed`.
    """


@final
class BatchStartedNoticeData(TypedDict):
    source: None
    metadata: NotRequired[dict[str, Any]]
    """
    `webhook.metadata` of the job.
    """
    job: BatchOverview
    """
    The job. The longest texts are cut where the body would have 256 KB or more.
    """


@final
class BatchStartedNotice(TypedDict):
    id: str
    """
    The same in every attempt.
    """
    type: Literal["batch.started"]
    timestamp: str
    seq: None
    data: BatchStartedNoticeData


@final
class ChangeEndpointRequest(TypedDict):
    url: NotRequired[str]
    """
    HTTPS endpoint that receives events, or `mailto:person@example.com`: its owner gets a mail and has to confirm first.
    """
    name: NotRequired[str | None]
    """
    A label of your own; null for none.
    """
    ordering: NotRequired[Literal["conversation", "none"] | None]
    """
    `conversation` (the default): the events of a channel, chat, account, feed or page arrive one after another. `none`: they are sent in the order of `seq`, many at a time, and may arrive in another order.
    """
    batch: NotRequired[WebhookBatchOptions | None]
    """
    Several events in one request: `{id, type: batch, timestamp, events}`. Null switches it off.
    """
    event_types: NotRequired[
        list[
            Literal[
                "microblog.post.created",
                "chatserver.message.created",
                "messenger.message.created",
                "rss.item.created",
                "rss.item.updated",
                "web.page.changed",
                "site.page.added",
                "site.page.changed",
                "site.page.removed",
                "site.page.moved",
                "site.changed",
                "site.checked",
                "search.result.found",
                "source.failing",
                "source.recovered",
                "source.gone",
                "source.gap",
                "monitor.page",
                "monitor.checked",
                "quota.warning",
                "quota.exceeded",
                "webhook.test",
            ]
        ]
        | None
    ]
    """
    Only events of these types; null for all. `GET /event-types` lists them.
    """
    sources: NotRequired[list[ChangeEndpointRequestSource] | None]
    """
    Only events of the sources with these ids; null for all.
    """
    tags: NotRequired[list[ChangeEndpointRequestTag] | None]
    """
    Only events of sources that have any of these tags of the key when the endpoint comes to them; null for all.
    """
    meaningful: NotRequired[bool | None]
    """
    True: without the changes that a judge has dismissed by the goal of their source. Events that are not judged, or were not in time, pass.
    """
    headers: NotRequired[dict[str, Any] | None]
    """
    Headers of your own, at most 50, sent with each delivery; answers show their names only. Null removes them.
    """
    enabled: NotRequired[bool | None]
    """
    False: nothing is sent, and events are kept for 72 hours. True delivers what was kept first.
    """
    format: NotRequired[
        Literal["standard", "firecrawl", "slack", "discord", "ntfy", "apprise", "text"] | None
    ]
    """
    How the body is written; `standard`, the default, is the event as JSON; `firecrawl` is for programs that take webhooks of Firecrawl. Of mails: `standard` has text and HTML, `text` is plain text; they take no other.
    """
    template: NotRequired[str | None]
    """
    The text of a message, for mails and for formats other than `standard`; null for the usual one.
    """
    metadata: NotRequired[dict[str, Any] | None]
    """
    With `firecrawl`: an object of your own, at most 4 KB as JSON, that each delivery carries as `metadata`.
    """
    digest: NotRequired[Literal["15m", "1h", "1d"] | None]
    """
    For `mailto:` addresses: one mail per interval with all events in it. Null, the default: a mail for each event or batch.
    """
    rotate_secret: NotRequired[bool | None]
    """
    Makes a new secret; for 24 hours deliveries are signed with both.
    """


@final
class ChangePasswordResponse(TypedDict):
    data: Session
    message: str


@final
class ChangeSourceResponse(TypedDict):
    data: WatchedSource
    message: str


@final
class ChangeWebhookRequest(TypedDict):
    url: NotRequired[str]
    """
    HTTPS endpoint that receives events.
    """
    name: NotRequired[str | None]
    """
    A label of your own; null for none.
    """
    ordering: NotRequired[Literal["conversation", "none"] | None]
    """
    `conversation` (the default): the events of a channel, chat, account, feed or page arrive one after another. `none`: they are sent in the order of `seq`, many at a time, and may arrive in another order.
    """
    batch: NotRequired[WebhookBatchOptions | None]
    """
    Several events in one request: `{id, type: batch, timestamp, events}`. Null switches it off.
    """
    rotate_secret: NotRequired[bool | None]
    """
    Makes a new secret; for 24 hours deliveries are signed with both.
    """


@final
class ChangedWebhook(TypedDict):
    id: str
    apiKey: str
    """
    The key value that it belongs to.
    """
    name: str | None
    url: str
    status: Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]
    """
    `ACTIVE`: events are sent. `FAILED`: it failed too often; a change starts it again. `DISABLED`: its owner has switched it off. `UNCONFIRMED`: an address of mail whose owner has not agreed yet. In these three, events are kept for 72 hours.
    """
    ordering: Literal["conversation", "none"]
    batch: WebhookBatch | None
    """
    Null: each event is sent in a request of its own.
    """
    secret: NotRequired[str]
    """
    `whsec_…`, for checking signatures. Shown here only.
    """


@final
class ChangedWebhookEndpoint(TypedDict):
    id: str
    name: str | None
    url: str
    status: Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]
    """
    `ACTIVE`: events are sent. `FAILED`: it failed too often; a change starts it again. `DISABLED`: its owner has switched it off. `UNCONFIRMED`: an address of mail whose owner has not agreed yet. In these three, events are kept for 72 hours.
    """
    enabled: bool
    """
    False where `status` is `DISABLED`.
    """
    ordering: Literal["conversation", "none"]
    batch: WebhookBatch | None
    """
    Null: each event is sent in a request of its own.
    """
    event_types: (
        list[
            Literal[
                "microblog.post.created",
                "chatserver.message.created",
                "messenger.message.created",
                "rss.item.created",
                "rss.item.updated",
                "web.page.changed",
                "site.page.added",
                "site.page.changed",
                "site.page.removed",
                "site.page.moved",
                "site.changed",
                "site.checked",
                "search.result.found",
                "source.failing",
                "source.recovered",
                "source.gone",
                "source.gap",
                "monitor.page",
                "monitor.checked",
                "quota.warning",
                "quota.exceeded",
                "webhook.test",
            ]
        ]
        | None
    )
    """
    Only events of these types; null for all. `GET /event-types` lists them.
    """
    sources: list[ChangedWebhookEndpointSource] | None
    """
    Only events of the sources with these ids; null for all.
    """
    tags: list[ChangedWebhookEndpointTag] | None
    """
    Only events of sources that have any of these tags of the key when the endpoint comes to them; null for all.
    """
    meaningful: bool
    """
    True: without the changes that a judge has dismissed by the goal of their source. Events that are not judged, or were not in time, pass.
    """
    headers: dict[str, str]
    """
    The names of its own headers; each value reads `•••`.
    """
    format: Literal["standard", "firecrawl", "slack", "discord", "ntfy", "apprise", "text"]
    """
    How the body is written; `standard`, the default, is the event as JSON; `firecrawl` is for programs that take webhooks of Firecrawl. Of mails: `standard` has text and HTML, `text` is plain text; they take no other.
    """
    template: str | None
    """
    The text of a message, for mails and for formats other than `standard`; null for the usual one.
    """
    metadata: dict[str, Any] | None
    """
    With `firecrawl`: an object of your own, at most 4 KB as JSON, that each delivery carries as `metadata`.
    """
    digest: Literal["15m", "1h", "1d"] | None
    """
    For `mailto:` addresses: one mail per interval with all events in it. Null, the default: a mail for each event or batch.
    """
    monitor: str | None
    """
    The monitor that it belongs to, and is removed with.
    """
    waiting: int
    """
    Events that wait for delivery.
    """
    failures: int
    """
    Failed attempts in a row.
    """
    next_attempt_at: str | None
    """
    Of a failing endpoint.
    """
    held: Quota | None
    """
    The quota of deliveries that is used up, while events wait for it; they are kept.
    """
    secret: NotRequired[str]
    """
    `whsec_…`, for checking signatures. Shown here only.
    """


@final
class ChatserverMessageCreatedEventData(TypedDict):
    source: Source | None
    message: ChatMessage


@final
class ChatserverMessageCreatedEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["chatserver.message.created"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: ChatserverMessageCreatedEventData


@final
class CrawlOverview(TypedDict):
    crawl_id: str
    version: Literal["v1"]
    status: Literal["crawling", "completed", "failed", "cancelled"]
    url: str
    stop_reason: Literal["finished", "limit", "quota", "cancelled", "entry_failed", "given_up"] | None
    """
    Null while the crawl runs.
    """
    progress: CrawlProgress
    started_at: str
    ended_at: str | None
    """
    Null while it runs.
    """
    expires_at: str | None
    """
    Null while it runs.
    """
    error: NotRequired[Failure]
    """
    Only when `failed`.
    """


@final
class CrawlStartedNoticeData(TypedDict):
    source: None
    metadata: NotRequired[dict[str, Any]]
    """
    `webhook.metadata` of the job.
    """
    job: CrawlOverview
    """
    The job. The longest texts are cut where the body would have 256 KB or more.
    """


@final
class CrawlStartedNotice(TypedDict):
    id: str
    """
    The same in every attempt.
    """
    type: Literal["crawl.started"]
    timestamp: str
    seq: None
    data: CrawlStartedNoticeData


@final
class CreateEndpointRequest(TypedDict):
    url: str
    """
    HTTPS endpoint that receives events, or `mailto:person@example.com`: its owner gets a mail and has to confirm first.
    """
    name: NotRequired[str | None]
    """
    A label of your own; null for none.
    """
    ordering: NotRequired[Literal["conversation", "none"] | None]
    """
    `conversation` (the default): the events of a channel, chat, account, feed or page arrive one after another. `none`: they are sent in the order of `seq`, many at a time, and may arrive in another order.
    """
    batch: NotRequired[WebhookBatchOptions | None]
    """
    Several events in one request: `{id, type: batch, timestamp, events}`. Null switches it off.
    """
    event_types: NotRequired[
        list[
            Literal[
                "microblog.post.created",
                "chatserver.message.created",
                "messenger.message.created",
                "rss.item.created",
                "rss.item.updated",
                "web.page.changed",
                "site.page.added",
                "site.page.changed",
                "site.page.removed",
                "site.page.moved",
                "site.changed",
                "site.checked",
                "search.result.found",
                "source.failing",
                "source.recovered",
                "source.gone",
                "source.gap",
                "monitor.page",
                "monitor.checked",
                "quota.warning",
                "quota.exceeded",
                "webhook.test",
            ]
        ]
        | None
    ]
    """
    Only events of these types; null for all. `GET /event-types` lists them.
    """
    sources: NotRequired[list[CreateEndpointRequestSource] | None]
    """
    Only events of the sources with these ids; null for all.
    """
    tags: NotRequired[list[CreateEndpointRequestTag] | None]
    """
    Only events of sources that have any of these tags of the key when the endpoint comes to them; null for all.
    """
    meaningful: NotRequired[bool | None]
    """
    True: without the changes that a judge has dismissed by the goal of their source. Events that are not judged, or were not in time, pass.
    """
    headers: NotRequired[dict[str, Any] | None]
    """
    Headers of your own, at most 50, sent with each delivery; answers show their names only. Null removes them.
    """
    enabled: NotRequired[bool | None]
    """
    False: nothing is sent, and events are kept for 72 hours. True delivers what was kept first.
    """
    format: NotRequired[
        Literal["standard", "firecrawl", "slack", "discord", "ntfy", "apprise", "text"] | None
    ]
    """
    How the body is written; `standard`, the default, is the event as JSON; `firecrawl` is for programs that take webhooks of Firecrawl. Of mails: `standard` has text and HTML, `text` is plain text; they take no other.
    """
    template: NotRequired[str | None]
    """
    The text of a message, for mails and for formats other than `standard`; null for the usual one.
    """
    metadata: NotRequired[dict[str, Any] | None]
    """
    With `firecrawl`: an object of your own, at most 4 KB as JSON, that each delivery carries as `metadata`.
    """
    digest: NotRequired[Literal["15m", "1h", "1d"] | None]
    """
    For `mailto:` addresses: one mail per interval with all events in it. Null, the default: a mail for each event or batch.
    """


@final
class CreateFeedResponse(TypedDict):
    data: EventFeed
    message: str


@final
class CreateOwnerLinkResponse(TypedDict):
    data: OwnerLink
    message: str


@final
class DiffLine(TypedDict):
    kind: Literal["same", "added", "removed", "changed", "moved", "gap"]
    """
    `moved`: at its new place; `gap`: lines that both have, left out.
    """
    parts: list[DiffPart]
    """
    Of a changed line by words.
    """
    skipped: NotRequired[int]
    """
    Of a gap: how many lines.
    """


@final
class DispatchPostsRequest(TypedDict):
    post: NotRequired[Post | None]
    """
    One microblog post, as `GET /microblog/post` gives it.
    """
    posts: NotRequired[list[Post] | None]
    """
    Several, at most 1000. At least one of `post` and `posts` is required.
    """


@final
class Document(TypedDict):
    markdown: NotRequired[str]
    """
    GitHub Flavored Markdown.
    """
    html: NotRequired[str]
    """
    The content without scripts, styles and, by default, navigation and the like.
    """
    raw_html: NotRequired[str]
    """
    The whole page, as the server sent it or the browser has it.
    """
    links: NotRequired[list[str]]
    """
    Absolute URLs, each once.
    """
    images: NotRequired[list[str]]
    """
    Absolute URLs of the images, each once, in the order of the document.
    """
    summary: NotRequired[str]
    """
    At most three sentences, verbatim; a model's may have five.
    """
    json: NotRequired[dict[str, Any]]
    """
    What was extracted; it fits the schema that was sent.
    """
    json_recipe: NotRequired[dict[str, Any]]
    """
    With `breakdown`: selectors that can be sent back as `output.json.recipe`. Absent where none found the JSON: values of a model, and documents that are no pages.
    """
    json_quotes: NotRequired[dict[str, str]]
    """
    With `breakdown`: the words of the page that values of a language model rest on, by the dotted paths of the values that are not on the page themselves.
    """
    metadata: DocumentMetadata


@final
class DocumentOutput(TypedDict):
    formats: NotRequired[
        list[Literal["html", "raw_html", "markdown", "links", "images", "summary", "json"]] | None
    ]
    """
    As those of a scrape. `json` needs `output.json`.
    """
    json: NotRequired[JsonOptions | None]
    """
    What the `json` format extracts; at least one of its fields is needed.
    """


@final
class DocumentReading(TypedDict):
    include_tags: NotRequired[list[DocumentReadingIncludeTag] | None]
    """
    CSS selectors: only the elements that match one of them, and what is in them. Without a search for the main content, since these name it.
    """
    exclude_tags: NotRequired[list[DocumentReadingExcludeTag] | None]
    """
    CSS selectors: without the elements that match one of them.
    """
    only_main_content: NotRequired[bool | None]
    """
    Leaves out navigation, sidebars, footers and the like.
    """
    pdf: NotRequired[PdfOptions | None]
    """
    How a PDF is read.
    """


@final
class FailedPage(TypedDict):
    metadata: FailedPageMetadata
    error: Failure


@final
class GetApiKeyUsageResponse(TypedDict):
    data: list[DailyUsage]
    quotas: list[QuotaLeft]
    """
    Those that are set, of the day first.
    """
    message: str


@final
class GetEndpointResponse(TypedDict):
    data: WebhookState
    message: str


@final
class GetOwnKeyUsageResponse(TypedDict):
    data: list[DailyUsage]
    quotas: list[QuotaLeft]
    """
    Those that are set, of the day first.
    """
    message: str


@final
class GetSessionResponse(TypedDict):
    data: Session
    message: str


@final
class GetSourceResponse(TypedDict):
    data: SourceDetail
    message: str


@final
class GetTotalUsageResponse(TypedDict):
    data: TotalUsage
    message: str


@final
class GetTrackBatchResponseDataEntry(TypedDict):
    number: int
    """
    Its place in the request, from 0.
    """
    line: NotRequired[int]
    """
    Its line in the OPML document that named it.
    """
    source: Literal["microblog", "chatserver", "messenger", "web", "rss", "site", "search"]
    """
    The kind of source.
    """
    sid: str
    """
    As it was sent.
    """
    status: Literal["pending", "tracked", "known", "waiting", "removed", "failed"]
    """
    `tracked` from now on, `known`: the key tracked it before, `waiting` for somebody who must approve us, `removed`: no longer tracked, as an OPML document asked, `failed` for good.
    """
    data: NotRequired[Source]
    """
    The source, when `tracked` or `known`.
    """
    jobId: NotRequired[str]
    """
    The id of the join request, when `waiting`.
    """
    error: NotRequired[GetTrackBatchResponseDataEntryError]
    """
    When `failed`; when `pending`, why the last try failed.
    """


@final
class GetTrackBatchResponseData(TypedDict):
    id: str
    state: Literal["running", "completed"]
    """
    `completed` when nothing is pending.
    """
    progress: GetTrackBatchResponseDataProgress
    entries: list[GetTrackBatchResponseDataEntry]
    next_cursor: str | None
    """
    Where the next page of entries begins; null after the last.
    """
    created_at: str
    expires_at: str
    """
    When the record is removed; the sources stay.
    """


@final
class GetTrackBatchResponse(TypedDict):
    data: GetTrackBatchResponseData
    message: str


@final
class GetUsageResponse(TypedDict):
    data: list[DailyUsage]
    quotas: list[QuotaLeft]
    """
    Those that are set, of the day first.
    """
    message: str


@final
class GetVersionResponse(TypedDict):
    data: VersionContent
    message: str


@final
class Join(TypedDict):
    id: str
    """
    `jobId` of the answer to `POST /track/{source}`.
    """
    state: Literal["waiting", "active", "completed", "failed"]
    """
    `waiting` until somebody decides, `active` after the approval until the channel is tracked.
    """
    returnvalue: NotRequired[Source]
    """
    When `completed`: the source, which is tracked now.
    """
    failedReason: NotRequired[str]
    """
    When `failed`: the reason, for people.
    """
    key_id: str
    """
    `id` of the key.
    """
    source: str
    """
    The kind in upper case.
    """
    sid: str | None
    """
    What the key asked to track.
    """
    fails_at: str
    """
    When it fails, unless somebody approves it before.
    """
    ended_at: str | None


@final
class JsRenderOptions(TypedDict):
    enabled: NotRequired[bool | None]
    """
    Runs scripts where they change the page; false reads it as the server sent it.
    """
    wait_until: NotRequired[Literal["load", "domcontentloaded", "networkidle"] | None]
    """
    When a rendered page counts as ready; by default once it has settled.
    """
    wait_for: NotRequired[WaitFor | None]
    """
    Waits before the page is read, with both for both. A selector that no element matches in time is 422 `element_not_found`.
    """
    actions: NotRequired[list[PageAction] | None]
    """
    Carried out in order before the page is read, which is then rendered in any case. Together they take 60 s at most. An element that is missing is 422 `element_not_found`.
    """
    viewport: NotRequired[Viewport | None]
    """
    Size of the browser's window; by default that of the device.
    """
    frames: NotRequired[Literal["same_site", "all", "none"] | None]
    """
    Whose frames are read in their places, by default those of the page's own site; others are links.
    """
    scroll: NotRequired[Literal["full"] | None]
    """
    Scrolls to the end before the page is read, for what loads when it comes into view.
    """
    color_scheme: NotRequired[Literal["light", "dark"] | None]
    """
    The colours that the page is asked for, by default light ones.
    """


@final
class KeyQuotaOptions(TypedDict):
    day: NotRequired[PeriodQuotaOptions | None]
    """
    Quotas of one period, a day or a month of UTC.
    """
    month: NotRequired[PeriodQuotaOptions | None]
    """
    Quotas of one period, a day or a month of UTC.
    """


@final
class KeyQuotas(TypedDict):
    day: PeriodQuotas
    month: PeriodQuotas


@final
class Lane(TypedDict):
    key_id: str
    """
    `id` of the key.
    """
    webhook_id: str
    """
    `id` of the webhook.
    """
    url: str
    status: Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]
    """
    `ACTIVE`: events are sent. `FAILED`: it failed too often; a change starts it again. `DISABLED`: its owner has switched it off. `UNCONFIRMED`: an address of mail whose owner has not agreed yet. In these three, events are kept for 72 hours.
    """
    waiting: int
    """
    Events that wait for delivery.
    """
    failures: int
    """
    In a row.
    """
    next_attempt_at: str | None
    """
    Of a failing endpoint.
    """
    held: Quota | None
    """
    The quota of deliveries that is used up, while events wait for it; they are kept.
    """


@final
class ListAllJoinsResponse(TypedDict):
    data: list[Join]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class ListAllScrapesResponse(TypedDict):
    data: list[ScrapeSummary]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class ListAllSourcesResponse(TypedDict):
    data: list[SourceSummary]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class ListJoinsResponse(TypedDict):
    data: list[Join]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class ListLanesResponse(TypedDict):
    data: list[Lane]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class ListOwnersResponse(TypedDict):
    data: list[Owner]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class ListScrapesResponse(TypedDict):
    data: list[ScrapeSummary]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class ListSitePagesResponse(TypedDict):
    data: list[WatchedPage]
    next_cursor: str | None
    message: str


@final
class ListSourcesResponse(TypedDict):
    data: list[TrackedSource]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class ListTrackedUsersResponse(TypedDict):
    tracked_users: list[User]


@final
class ListValuesResponse(TypedDict):
    data: list[ValuePoint]
    """
    Oldest first.
    """
    truncated: bool
    """
    There are earlier points: ask with `to`.
    """
    message: str


@final
class ListVersionsResponse(TypedDict):
    data: list[Version]
    next_cursor: str | None
    message: str


@final
class ListWebhooksResponse(TypedDict):
    data: list[WebhookState]
    next_cursor: str | None
    message: str


@final
class Me(TypedDict):
    key: MeKey
    owner: str
    limits: KeyLimits
    quotas: KeyQuotas
    """
    By day and by month of UTC; null where there is no quota.
    """
    requests_today: int
    """
    Since midnight UTC.
    """


@final
class MeResponse(TypedDict):
    data: Me
    message: str


@final
class MessengerMessageCreatedEventData(TypedDict):
    source: Source | None
    message: Message


@final
class MessengerMessageCreatedEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["messenger.message.created"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: MessengerMessageCreatedEventData


@final
class MicroblogPostCreatedEventData(TypedDict):
    source: Source | None
    post: Post


@final
class MicroblogPostCreatedEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["microblog.post.created"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: MicroblogPostCreatedEventData


@final
class MonitorCheck(TypedDict):
    id: str
    monitor_id: str
    status: Literal["running", "completed", "partial", "failed", "skipped"]
    """
    `partial`: some pages could not be read; `failed`: none; `skipped`: the one before was still under way.
    """
    trigger: Literal["scheduled", "manual"]
    scheduled_for: str | None
    """
    Of a scheduled one.
    """
    started_at: str
    ended_at: str | None
    """
    Null while it is under way.
    """
    counts: MonitorCounts
    error: str | None
    """
    Why it was skipped, or what failed, in words.
    """


@final
class MonitorCheckDetail(TypedDict):
    id: str
    monitor_id: str
    status: Literal["running", "completed", "partial", "failed", "skipped"]
    """
    `partial`: some pages could not be read; `failed`: none; `skipped`: the one before was still under way.
    """
    trigger: Literal["scheduled", "manual"]
    scheduled_for: str | None
    """
    Of a scheduled one.
    """
    started_at: str
    ended_at: str | None
    """
    Null while it is under way.
    """
    counts: MonitorCounts
    error: str | None
    """
    Why it was skipped, or what failed, in words.
    """
    pages: list[MonitorPage]
    next_cursor: str | None
    """
    Null at the end.
    """


@final
class MonitorCheckedEventData(TypedDict):
    source: Source | None
    monitor: MonitorName
    check: MonitorCheck


@final
class MonitorCheckedEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["monitor.checked"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: MonitorCheckedEventData


@final
class MonitorPageEventData(TypedDict):
    source: Source | None
    monitor: MonitorName
    check_id: str
    page: MonitorPage


@final
class MonitorPageEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["monitor.page"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: MonitorPageEventData


@final
class MonitorTarget(TypedDict):
    id: str
    source: Literal["web", "site", "search"]
    """
    Pages, sites or searches.
    """
    sids: list[str]
    options: NotRequired[ShownWatchOptions]
    """
    How the calling key tracks it, where it has chosen anything; values of headers and cookies are `•••`.
    """


@final
class NewWebhook(TypedDict):
    id: str
    apiKey: str
    """
    The key value that it belongs to.
    """
    name: str | None
    url: str
    status: Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]
    """
    `ACTIVE`: events are sent. `FAILED`: it failed too often; a change starts it again. `DISABLED`: its owner has switched it off. `UNCONFIRMED`: an address of mail whose owner has not agreed yet. In these three, events are kept for 72 hours.
    """
    ordering: Literal["conversation", "none"]
    batch: WebhookBatch | None
    """
    Null: each event is sent in a request of its own.
    """
    secret: str
    """
    `whsec_…`, for checking signatures. Shown here only.
    """


@final
class NewWebhookEndpoint(TypedDict):
    id: str
    name: str | None
    url: str
    status: Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]
    """
    `ACTIVE`: events are sent. `FAILED`: it failed too often; a change starts it again. `DISABLED`: its owner has switched it off. `UNCONFIRMED`: an address of mail whose owner has not agreed yet. In these three, events are kept for 72 hours.
    """
    enabled: bool
    """
    False where `status` is `DISABLED`.
    """
    ordering: Literal["conversation", "none"]
    batch: WebhookBatch | None
    """
    Null: each event is sent in a request of its own.
    """
    event_types: (
        list[
            Literal[
                "microblog.post.created",
                "chatserver.message.created",
                "messenger.message.created",
                "rss.item.created",
                "rss.item.updated",
                "web.page.changed",
                "site.page.added",
                "site.page.changed",
                "site.page.removed",
                "site.page.moved",
                "site.changed",
                "site.checked",
                "search.result.found",
                "source.failing",
                "source.recovered",
                "source.gone",
                "source.gap",
                "monitor.page",
                "monitor.checked",
                "quota.warning",
                "quota.exceeded",
                "webhook.test",
            ]
        ]
        | None
    )
    """
    Only events of these types; null for all. `GET /event-types` lists them.
    """
    sources: list[NewWebhookEndpointSource] | None
    """
    Only events of the sources with these ids; null for all.
    """
    tags: list[NewWebhookEndpointTag] | None
    """
    Only events of sources that have any of these tags of the key when the endpoint comes to them; null for all.
    """
    meaningful: bool
    """
    True: without the changes that a judge has dismissed by the goal of their source. Events that are not judged, or were not in time, pass.
    """
    headers: dict[str, str]
    """
    The names of its own headers; each value reads `•••`.
    """
    format: Literal["standard", "firecrawl", "slack", "discord", "ntfy", "apprise", "text"]
    """
    How the body is written; `standard`, the default, is the event as JSON; `firecrawl` is for programs that take webhooks of Firecrawl. Of mails: `standard` has text and HTML, `text` is plain text; they take no other.
    """
    template: str | None
    """
    The text of a message, for mails and for formats other than `standard`; null for the usual one.
    """
    metadata: dict[str, Any] | None
    """
    With `firecrawl`: an object of your own, at most 4 KB as JSON, that each delivery carries as `metadata`.
    """
    digest: Literal["15m", "1h", "1d"] | None
    """
    For `mailto:` addresses: one mail per interval with all events in it. Null, the default: a mail for each event or batch.
    """
    monitor: str | None
    """
    The monitor that it belongs to, and is removed with.
    """
    waiting: int
    """
    Events that wait for delivery.
    """
    failures: int
    """
    Failed attempts in a row.
    """
    next_attempt_at: str | None
    """
    Of a failing endpoint.
    """
    held: Quota | None
    """
    The quota of deliveries that is used up, while events wait for it; they are kept.
    """
    secret: str
    """
    `whsec_…`, for checking signatures. Shown here only.
    """


@final
class OpmlEntry(TypedDict):
    line: int | None
    """
    Where the document names it; null for a source that it does not name.
    """
    outcome: Literal["added", "kept", "removed", "waiting", "pending", "failed"]
    """
    `added`: tracked from now on; `kept`: tracked before; `removed`: no longer tracked; `waiting` for somebody who must approve us; `pending`: the batch has not come to it; `failed`: not tracked, for the reason in `error`.
    """
    title: str
    """
    As the document has it; else the name of the source.
    """
    source: Literal["microblog", "chatserver", "messenger", "web", "rss", "site", "search"] | None
    """
    The kind; null where the outline names none.
    """
    sid: str | None
    """
    The address; null where the outline has none.
    """
    tags: list[OpmlEntryTag]
    """
    Words by which the key sorts its sources.
    """
    data: NotRequired[Source]
    """
    The source, once it is known.
    """
    error: NotRequired[OpmlEntryError]
    """
    Why it failed.
    """


@final
class OpmlImport(TypedDict):
    mode: Literal["add", "sync"]
    dry_run: bool
    """
    Whether this only says what it would do.
    """
    state: Literal["running", "completed"]
    """
    `running` while entries are pending. The batch continues by itself.
    """
    batch_id: str | None
    """
    `GET /track-batches/{batch_id}` has what becomes of the entries; null without a batch.
    """
    added: int
    """
    Sources that are tracked from now on.
    """
    kept: int
    """
    Sources of the document that the key tracked before.
    """
    removed: int
    """
    Sources that are no longer tracked.
    """
    waiting: int
    """
    Private channels that must approve us first.
    """
    pending: int
    """
    Entries of the batch that are still to come.
    """
    failed: int
    """
    Outlines that do not name a source, and sources that cannot be tracked.
    """
    entries: list[OpmlEntry]
    """
    In the order of the document; removed sources at the end.
    """


@final
class Overview(TypedDict):
    ready: bool
    """
    Whether `GET /health/ready` answers 200.
    """
    parts: list[OverviewPart]
    counts: OverviewCounts
    rates: OverviewRates
    nodes: list[OverviewNode]


@final
class Page(TypedDict):
    markdown: NotRequired[str]
    """
    GitHub Flavored Markdown.
    """
    html: NotRequired[str]
    """
    The content without scripts, styles and, by default, navigation and the like.
    """
    raw_html: NotRequired[str]
    """
    The whole page, as the server sent it or the browser has it.
    """
    links: NotRequired[list[str]]
    """
    Absolute URLs, each once.
    """
    images: NotRequired[list[str]]
    """
    Absolute URLs of the images, each once, in the order of the document.
    """
    summary: NotRequired[str]
    """
    At most three sentences, verbatim; a model's may have five.
    """
    json: NotRequired[dict[str, Any]]
    """
    What was extracted; it fits the schema that was sent.
    """
    json_recipe: NotRequired[dict[str, Any]]
    """
    With `breakdown`: selectors that can be sent back as `output.json.recipe`. Absent where none found the JSON: values of a model, and documents that are no pages.
    """
    json_quotes: NotRequired[dict[str, str]]
    """
    With `breakdown`: the words of the page that values of a language model rest on, by the dotted paths of the values that are not on the page themselves.
    """
    screenshot: NotRequired[str]
    """
    Key for `GET /web/screenshot/{key}`.
    """
    actions: NotRequired[PageActions]
    """
    With `js_render.actions`: what they gave.
    """
    changes: NotRequired[PageChanges]
    """
    Absent for a page of an error that says nothing of it, such as a 503.
    """
    metadata: PageMetadata


@final
class PageChange(TypedDict):
    previousHash: str
    currentHash: str
    title: str
    added: list[str]
    """
    New lines; where only the order changed, the lines that moved.
    """
    removed: list[str]
    """
    Removed lines, likewise.
    """
    diff: str
    """
    A unified diff.
    """
    url: str
    moved: NotRequired[list[str]]
    """
    Lines that have changed their place, in words: `Alpha: moved from 3rd to 1st`.
    """
    note: NotRequired[str]
    """
    What no line shows: the page has changed beyond the text that is kept.
    """
    fields: NotRequired[dict[str, FieldChange]]
    """
    With `json`: what each field was and is; null for one that is not there.
    """
    value: NotRequired[ValueChange]
    """
    With `when.value`: the number before, and the one that counts now.
    """
    memoryFull: NotRequired[bool]
    """
    With `unique_lines`: the oldest lines are forgotten, and count as new if they come back.
    """
    screenshot: NotRequired[PageChangeScreenshot]
    """
    With `screenshot`: the names of the pictures.
    """
    truncated: NotRequired[bool]
    """
    Texts were cut, so that the event stays below 256 KB.
    """


@final
class PagePicture(TypedDict):
    key: str
    """
    For `GET /web/screenshot/{key}`, for a day.
    """
    width: int
    """
    Of the picture, in CSS pixels, as all numbers here.
    """
    height: int
    boxes: list[PictureBox]
    """
    Where the elements are that the selectors of the outline and of the options match, from the top left corner.
    """


@final
class ParseOptions(TypedDict):
    output: NotRequired[DocumentOutput | None]
    """
    The formats to return.
    """
    request: NotRequired[DocumentReading | None]
    """
    How to read the document. The first three are for HTML: other documents are content as a whole.
    """
    timeout: NotRequired[int | None]
    """
    Milliseconds that the reading may take; then the answer is 408 `scrape_timeout`.
    """
    breakdown: NotRequired[bool | None]
    """
    With the `json` format: also returns the recipe of the extraction, as `data.json_recipe`.
    """


@final
class ParseRequest(TypedDict):
    file: bytes
    """
    The document, with its file name, of at most 32 MB. Its bytes say what it is; name and content type decide where they do not.
    """
    options: NotRequired[ParseOptions]
    """
    What to return of it, as JSON.
    """


@final
class ParsedDocument(TypedDict):
    data: Document
    """
    Only the formats that were asked for are present.
    """
    started_at: str
    ended_at: str


@final
class QuotaExceededEventData(TypedDict):
    source: Source | None
    quota: Quota


@final
class QuotaExceededEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["quota.exceeded"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: QuotaExceededEventData


@final
class QuotaWarningEventData(TypedDict):
    source: Source | None
    quota: Quota


@final
class QuotaWarningEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["quota.warning"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: QuotaWarningEventData


Rehearsal = TypedDict(
    "Rehearsal",
    {
        "from": str | None,
        "to": str | None,
        "checks": int,
        "fired": int,
        "events": list[RehearsedCheck],
        "held": list[RehearsedCheck],
        "why": str,
    },
)


@final
class RehearseResponse(TypedDict):
    data: Rehearsal
    message: str


@final
class RssItemCreatedEventData(TypedDict):
    source: Source | None
    item: FeedItem
    """
    Names as in JSON Feed 1.1. Fields without a value are absent.
    """
    judgement: NotRequired[Judgement]
    """
    With `goal`: what the language model says of it.
    """
    version: NotRequired[str]
    """
    The version that was kept of it.
    """


@final
class RssItemCreatedEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["rss.item.created"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: RssItemCreatedEventData


@final
class RssItemUpdatedEventData(TypedDict):
    source: Source | None
    item: FeedItem
    """
    Names as in JSON Feed 1.1. Fields without a value are absent.
    """
    judgement: NotRequired[Judgement]
    """
    With `goal`: what the language model says of it.
    """
    version: NotRequired[str]
    """
    The version that was kept of it.
    """
    previous_version: NotRequired[str | None]
    """
    The version with which it was compared; null where that is not kept.
    """
    change: NotRequired[ItemChange]
    """
    How it differs from its version before; absent where none is kept.
    """


@final
class RssItemUpdatedEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["rss.item.updated"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: RssItemUpdatedEventData


@final
class RunMonitorResponse(TypedDict):
    data: MonitorCheck
    message: str


@final
class Scrape(TypedDict):
    scrape_id: str
    version: Literal["v1"]
    status: Literal["pending", "completed", "failed"]
    url: str
    data: NotRequired[Page]
    """
    When `completed`: the formats that were asked for.
    """
    started_at: NotRequired[str]
    """
    Once it has started.
    """
    ended_at: NotRequired[str]
    """
    Once it has ended.
    """
    error: NotRequired[Failure]
    """
    When `failed`.
    """


@final
class ScrapeCompletedNoticeData(TypedDict):
    source: None
    metadata: NotRequired[dict[str, Any]]
    """
    `webhook.metadata` of the job.
    """
    job: Scrape
    """
    The job. The longest texts are cut where the body would have 256 KB or more.
    """


@final
class ScrapeCompletedNotice(TypedDict):
    id: str
    """
    The same in every attempt.
    """
    type: Literal["scrape.completed"]
    timestamp: str
    seq: None
    data: ScrapeCompletedNoticeData


@final
class ScrapeFailedNoticeData(TypedDict):
    source: None
    metadata: NotRequired[dict[str, Any]]
    """
    `webhook.metadata` of the job.
    """
    job: Scrape
    """
    The job. The longest texts are cut where the body would have 256 KB or more.
    """


@final
class ScrapeFailedNotice(TypedDict):
    id: str
    """
    The same in every attempt.
    """
    type: Literal["scrape.failed"]
    timestamp: str
    seq: None
    data: ScrapeFailedNoticeData


@final
class ScrapeRequest(TypedDict):
    url: str
    """
    The page: an absolute http or https URL of a public address, without credentials.
    """
    mode: NotRequired[Literal["sync", "async"] | None]
    """
    `sync` answers with the page, `async` at once with a `scrape_id`.
    """
    timeout: NotRequired[int | None]
    """
    Milliseconds that the request waits for a synchronous scrape; then the answer is 408 `scrape_timeout` with the `scrape_id`, and the scrape continues. A scrape, synchronous or not, may take twice this time, at least one minute and at most ten.
    """
    breakdown: NotRequired[bool | None]
    """
    With the `json` format: also returns the recipe of the extraction, as `data.json_recipe`.
    """
    max_age: NotRequired[int | None]
    """
    Milliseconds: an equal scrape by the same key that began no longer ago answers in place of the site, with `metadata.cached_at`. Scrapes are kept for 24 hours. 0 asks the site.
    """
    output: NotRequired[OutputOptions | None]
    """
    The formats to return.
    """
    request: NotRequired[RequestOptions | None]
    """
    How to request and read the page.
    """
    js_render: NotRequired[JsRenderOptions | None]
    """
    Running the page's scripts in a browser.
    """
    proxy: NotRequired[ProxyOptions | None]
    """
    Where to request the page from.
    """
    webhook: NotRequired[JobWebhook | None]
    """
    The endpoint that receives the events of an asynchronous job.
    """


@final
class ScrapeStartedNoticeData(TypedDict):
    source: None
    metadata: NotRequired[dict[str, Any]]
    """
    `webhook.metadata` of the job.
    """
    job: Scrape
    """
    The job. The longest texts are cut where the body would have 256 KB or more.
    """


@final
class ScrapeStartedNotice(TypedDict):
    id: str
    """
    The same in every attempt.
    """
    type: Literal["scrape.started"]
    timestamp: str
    seq: None
    data: ScrapeStartedNoticeData


@final
class SearchResultFoundEventData(TypedDict):
    source: Source | None
    result: SearchResult
    judgement: NotRequired[Judgement]
    """
    With `goal`: what the language model says of it.
    """


@final
class SearchResultFoundEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["search.result.found"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: SearchResultFoundEventData


@final
class SetWebhookRequest(TypedDict):
    url: str
    """
    HTTPS endpoint that receives events.
    """
    name: NotRequired[str | None]
    """
    A label of your own; null for none.
    """
    ordering: NotRequired[Literal["conversation", "none"] | None]
    """
    `conversation` (the default): the events of a channel, chat, account, feed or page arrive one after another. `none`: they are sent in the order of `seq`, many at a time, and may arrive in another order.
    """
    batch: NotRequired[WebhookBatchOptions | None]
    """
    Several events in one request: `{id, type: batch, timestamp, events}`. Null switches it off.
    """


@final
class SetWebhookResponse(TypedDict):
    data: NewWebhook
    message: str


@final
class SiteBranch(TypedDict):
    name: str
    """
    The part of the address.
    """
    prefix: str
    """
    What `prefix` takes for the level below.
    """
    pages: int
    """
    Pages there and below it that are watched.
    """
    gone: int
    """
    Pages there and below it that are removed or have moved.
    """
    changed_at: str | None
    """
    The newest `changed_at` of them.
    """
    page: WatchedPage | None
    """
    The page at this address itself; null where there is none.
    """


@final
class SiteChangedEventData(TypedDict):
    source: Source | None
    change: SiteChange


@final
class SiteChangedEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["site.changed"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: SiteChangedEventData


@final
class SiteCheckedEventData(TypedDict):
    source: Source | None
    check: SiteCheck


@final
class SiteCheckedEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["site.checked"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: SiteCheckedEventData


@final
class SitePageAddedEventData(TypedDict):
    source: Source | None
    page: SitePage
    judgement: NotRequired[Judgement]
    """
    With `goal`: what the language model says of it.
    """
    version: NotRequired[str]
    """
    The version that was kept of it.
    """


@final
class SitePageAddedEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["site.page.added"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: SitePageAddedEventData


@final
class SitePageChangedEventData(TypedDict):
    source: Source | None
    page: SitePage
    change: PageChange
    judgement: NotRequired[Judgement]
    """
    With `goal`: what the language model says of it.
    """
    version: NotRequired[str]
    """
    The version that was kept of it.
    """
    previous_version: NotRequired[str | None]
    """
    The version with which it was compared; null where that is not kept.
    """


@final
class SitePageChangedEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["site.page.changed"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: SitePageChangedEventData


SitePageMovedEventData = TypedDict(
    "SitePageMovedEventData",
    {
        "source": Source | None,
        "page": SitePage,
        "from": str,
        "to": str,
        "reason": str,
    },
)


@final
class SitePageMovedEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["site.page.moved"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: SitePageMovedEventData


@final
class SitePageRemovedEventData(TypedDict):
    source: Source | None
    page: SitePage
    reason: str


@final
class SitePageRemovedEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["site.page.removed"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: SitePageRemovedEventData


@final
class SourcePreview(TypedDict):
    source: str
    """
    The kind in upper case: a page that names a feed is tracked as that feed.
    """
    sid: str
    """
    As asked for.
    """
    name: str
    """
    Display name; for pages and feeds the title.
    """
    url: str | None
    """
    The address that is polled; null for accounts and channels.
    """
    text: str | None
    """
    Of a page: the content that is compared, as Markdown, at most 20 KB. Null for other sources.
    """
    items: list[PreviewItem] | None
    """
    The newest of a feed, account or channel, at most ten; null where there is nothing to read now.
    """
    view: NotRequired[WatchPreview]
    """
    Of a page: what the options see of it.
    """
    outline: NotRequired[list[OutlinePart] | None]
    """
    With `with_page`: the parts of the page that hold its text, to point at; null without.
    """
    picture: NotRequired[PagePicture | None]
    """
    With `with_picture`: the page as a browser shows it; null where none could.
    """


@final
class TrackResponse(TypedDict):
    data: WatchedSource
    message: str


@final
class UpdateApiKeyRequest(TypedDict):
    name: NotRequired[str | None]
    """
    A label to recognise the key by.
    """
    scopes: NotRequired[list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None]
    """
    What the key may do (`scrape`: scrapes, parsed documents and screenshots; `crawl`: crawls, batches and maps; `track`: sources, monitors, previews, outgoing feeds, and questions to a network; `webhooks`: webhook endpoints, their deliveries, tests and replays; `read`: reads what is kept: events, streams, results, sources, deliveries, usage); null for everything.
    """
    expires_at: NotRequired[str | None]
    """
    When the key ends, an RFC 3339 time in the future; null for never.
    """
    limits: NotRequired[KeyLimitOptions | None]
    """
    Limits of this key. A limit that is left out does not change; a new key has the defaults.
    """
    quotas: NotRequired[KeyQuotaOptions | None]
    """
    Quotas of this key: whole numbers, or null for none. One that is left out does not change; a new key has none.
    """


VersionDiff = TypedDict(
    "VersionDiff",
    {
        "from": str | None,
        "to": str,
        "added": list[str],
        "removed": list[str],
        "moved": list[str],
        "lines": list[DiffLine],
        "truncated": bool,
    },
)


@final
class WatchConditions(TypedDict):
    contains: NotRequired[list[WatchConditionsContain] | None]
    """
    Only when one of these is there; a text, or `/RE2/flags`.
    """
    not_contains: NotRequired[list[WatchConditionsNotContain] | None]
    """
    Only when none of these is there.
    """
    added_only: NotRequired[bool | None]
    """
    Only when something was added.
    """
    removed_only: NotRequired[bool | None]
    """
    Only when something was removed.
    """
    value: NotRequired[WatchValue | None]
    """
    A number on the page: the first one of what `select` finds, or of the text.
    """


@final
class WatchOptions(TypedDict):
    tags: NotRequired[list[WatchOptionsTag] | None]
    """
    Words by which the key sorts its sources.
    """
    interval: NotRequired[str | None]
    """
    `15m`, `2h`, `1d`: how often to poll, at least `POLL_MIN_INTERVAL` and at most `30d`. Without it Magpie chooses by how often the source has news.
    """
    schedule: NotRequired[WatchSchedule | None]
    """
    When to poll, in local time; never outside of it.
    """
    paused: NotRequired[bool | None]
    """
    Not polled, unless a poll is asked for, until this is removed: then it is polled at once, and what has changed meanwhile is told.
    """
    select: NotRequired[list[WatchOptionsSelectItem] | None]
    """
    Only these parts of a page: CSS selectors, or XPath where they begin with `/` or `xpath:`.
    """
    content: NotRequired[Literal["page", "main"] | None]
    """
    What of a page counts without `select`: `page`, the default, is all but advertisements, consent banners, navigation and related things; `main` is the main content alone.
    """
    remove: NotRequired[list[WatchOptionsRemoveItem] | None]
    """
    Without these parts of a page: CSS or XPath.
    """
    ignore: NotRequired[list[WatchOptionsIgnoreItem] | None]
    """
    Lines that contain one of these texts, or match `/RE2/flags`, are no news.
    """
    when: NotRequired[WatchConditions | None]
    """
    What a change must be to be reported; all conditions must hold.
    """
    unique_lines: NotRequired[bool | None]
    """
    A line that the page has shown before is no news, wherever it is.
    """
    render: NotRequired[Literal["auto", "never", "always"] | None]
    """
    Whether a browser runs the page's scripts; `auto`, the default: where they change it.
    """
    headers: NotRequired[dict[str, Any] | None]
    """
    Sent to the source's own origin only, at most 50. Encrypted at rest; answers show `•••` for each value, and a value `•••` that is sent leaves the former one.
    """
    cookies: NotRequired[dict[str, Any] | None]
    """
    Names and values; sent, kept and shown as `headers`.
    """
    keep: NotRequired[WatchKeep | None]
    """
    How much of the past is kept, within `KEEP_DAYS` and `KEEP_MB`; of a source that several keys track, what the most generous of them wants. The last version stays, and those of events that exist.
    """
    json: NotRequired[WatchJson | None]
    """
    Compares fields in place of text: `schema`, `recipe` or both.
    """
    screenshot: NotRequired[bool | None]
    """
    A picture before and after each change, and one of the difference. A watch has a share of 200 changes or 256 MB, which comes back evenly in four days; changes beyond it are reported without pictures.
    """
    limit: NotRequired[int | None]
    """
    Of a site: pages that are watched, at most; by default 1,000.
    """
    include: NotRequired[list[WatchOptionsIncludeItem] | None]
    """
    Of a site: only pages that match one of these patterns, as in a crawl.
    """
    exclude: NotRequired[list[WatchOptionsExcludeItem] | None]
    """
    Of a site: no page that matches one of these patterns, as in a crawl.
    """
    max_depth: NotRequired[int | None]
    """
    Of a site: links from the entry page; by default 10.
    """
    include_entire_domain: NotRequired[bool | None]
    """
    Of a site: the whole host, not only what lies below the entry page's directory.
    """
    include_subdomains: NotRequired[bool | None]
    """
    Of a site: also hosts below the entry page's host.
    """
    sitemaps: NotRequired[bool | None]
    """
    Of a site: also the pages that its sitemaps name, which is the default.
    """
    checks: NotRequired[bool | None]
    """
    Of a site: an event `site.checked` with counts after each round, also where nothing has changed.
    """
    domains: NotRequired[list[WatchOptionsDomain] | None]
    """
    Of a search: only results of these domains and what is below them.
    """
    window: NotRequired[Literal["day", "week", "month", "year"] | None]
    """
    Of a search: only what has appeared in this time, as far as the search engine knows it.
    """
    goal: NotRequired[str | None]
    """
    What you want to know, in words. A language model judges each change by it, and says so in the event: `judgement`. Needs `LLM_BASE_URL`.
    """
    judge: NotRequired[bool | None]
    """
    False: the goal is kept, and nothing is judged.
    """


@final
class WebPageChangedEventData(TypedDict):
    source: Source | None
    version: NotRequired[str]
    """
    The version that was kept of it.
    """
    previous_version: NotRequired[str | None]
    """
    The version with which it was compared; null where that is not kept.
    """
    change: PageChange
    judgement: NotRequired[Judgement]
    """
    With `goal`: what the language model says of it.
    """


@final
class WebPageChangedEvent(TypedDict):
    id: str
    """
    The same in every delivery of this event.
    """
    type: Literal["web.page.changed"]
    timestamp: str
    seq: int
    """
    Counts per key, without gaps.
    """
    data: WebPageChangedEventData


@final
class PageRequest(TypedDict):
    url: str
    """
    The page: an absolute http or https URL of a public address, without credentials.
    """
    timeout: NotRequired[int | None]
    """
    Milliseconds that the request waits for a synchronous scrape; then the answer is 408 `scrape_timeout` with the `scrape_id`, and the scrape continues. A scrape, synchronous or not, may take twice this time, at least one minute and at most ten.
    """
    breakdown: NotRequired[bool | None]
    """
    With the `json` format: also returns the recipe of the extraction, as `data.json_recipe`.
    """
    max_age: NotRequired[int | None]
    """
    Milliseconds: an equal scrape by the same key that began no longer ago answers in place of the site, with `metadata.cached_at`. Scrapes are kept for 24 hours. 0 asks the site.
    """
    output: NotRequired[OutputOptions | None]
    """
    The formats to return.
    """
    request: NotRequired[RequestOptions | None]
    """
    How to request and read the page.
    """
    js_render: NotRequired[JsRenderOptions | None]
    """
    Running the page's scripts in a browser.
    """
    proxy: NotRequired[ProxyOptions | None]
    """
    Where to request the page from.
    """


@final
class ApiKeyDetails(TypedDict):
    id: str
    name: str
    key: str
    """
    The value, once, in the answer that generated it; after that its last four characters.
    """
    createdAt: str
    scopes: list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None
    """
    What the key may do; null for everything.
    """
    expires_at: str | None
    """
    When the key ends; null for never.
    """
    last_used_at: str | None
    """
    The minute of the latest request with the key; null before the first one.
    """
    owner: str
    limits: KeyLimits
    quotas: KeyQuotas
    """
    By day and by month of UTC; null where there is no quota.
    """


@final
class Batch(TypedDict):
    batch_id: str
    version: Literal["v1"]
    status: Literal["scraping", "completed", "failed", "cancelled"]
    stop_reason: Literal["finished", "quota", "cancelled", "given_up"] | None
    """
    Null while the batch runs.
    """
    progress: CrawlProgress
    data: list[Page | FailedPage]
    """
    At most 10 MB.
    """
    next_cursor: str | None
    """
    Where the next page of this list begins; null when it has ended.
    """
    started_at: str
    ended_at: str | None
    """
    Null while it runs.
    """
    expires_at: str | None
    """
    Null while it runs.
    """
    error: NotRequired[Failure]
    """
    Only when `failed`.
    """


@final
class BatchCompletedNoticeData(TypedDict):
    source: None
    metadata: NotRequired[dict[str, Any]]
    """
    `webhook.metadata` of the job.
    """
    job: BatchOverview
    """
    The job. The longest texts are cut where the body would have 256 KB or more.
    """


@final
class BatchCompletedNotice(TypedDict):
    id: str
    """
    The same in every attempt.
    """
    type: Literal["batch.completed"]
    timestamp: str
    seq: None
    data: BatchCompletedNoticeData


@final
class BatchFailedNoticeData(TypedDict):
    source: None
    metadata: NotRequired[dict[str, Any]]
    """
    `webhook.metadata` of the job.
    """
    job: BatchOverview
    """
    The job. The longest texts are cut where the body would have 256 KB or more.
    """


@final
class BatchFailedNotice(TypedDict):
    id: str
    """
    The same in every attempt.
    """
    type: Literal["batch.failed"]
    timestamp: str
    seq: None
    data: BatchFailedNoticeData


@final
class BatchOfPage(TypedDict):
    batch_id: str
    version: Literal["v1"]
    status: Literal["scraping", "completed", "failed", "cancelled"]
    stop_reason: Literal["finished", "quota", "cancelled", "given_up"] | None
    """
    Null while the batch runs.
    """
    progress: CrawlProgress
    started_at: str
    ended_at: str | None
    """
    Null while it runs.
    """
    expires_at: str | None
    """
    Null while it runs.
    """
    error: NotRequired[Failure]
    """
    Only when `failed`.
    """
    page: Page | FailedPage


@final
class BatchPageNoticeData(TypedDict):
    source: None
    metadata: NotRequired[dict[str, Any]]
    """
    `webhook.metadata` of the job.
    """
    job: BatchOfPage
    """
    The job. The longest texts are cut where the body would have 256 KB or more.
    """


@final
class BatchPageNotice(TypedDict):
    id: str
    """
    The same in every attempt.
    """
    type: Literal["batch.page"]
    timestamp: str
    seq: None
    data: BatchPageNoticeData


@final
class BatchRequest(TypedDict):
    urls: list[str]
    """
    The pages: absolute http or https URLs of public addresses, of at most 2,048 characters, without credentials. A URL that is there twice is read once.
    """
    ignore_invalid_urls: NotRequired[bool | None]
    """
    Reads the others where some URLs are invalid or not allowed, and lists those in `invalid_urls`.
    """
    concurrency: NotRequired[int | None]
    """
    Pages that are read at a time, at most; the operator's `CRAWL_CONCURRENCY` holds, too.
    """
    output: NotRequired[OutputOptions | None]
    """
    The formats to return.
    """
    request: NotRequired[RequestOptions | None]
    """
    How to request and read the page.
    """
    js_render: NotRequired[JsRenderOptions | None]
    """
    Running the page's scripts in a browser.
    """
    proxy: NotRequired[ProxyOptions | None]
    """
    Where to request the page from.
    """
    webhook: NotRequired[JobWebhook | None]
    """
    The endpoint that receives the events of an asynchronous job.
    """


@final
class ChangeEndpointResponse(TypedDict):
    data: ChangedWebhookEndpoint
    message: str


@final
class ChangeWebhookResponse(TypedDict):
    data: ChangedWebhook
    message: str


@final
class Crawl(TypedDict):
    crawl_id: str
    version: Literal["v1"]
    status: Literal["crawling", "completed", "failed", "cancelled"]
    url: str
    stop_reason: Literal["finished", "limit", "quota", "cancelled", "entry_failed", "given_up"] | None
    """
    Null while the crawl runs.
    """
    progress: CrawlProgress
    data: list[Page | FailedPage]
    """
    At most 10 MB.
    """
    next_cursor: str | None
    """
    Where the next page of this list begins; null when it has ended.
    """
    started_at: str
    ended_at: str | None
    """
    Null while it runs.
    """
    expires_at: str | None
    """
    Null while it runs.
    """
    error: NotRequired[Failure]
    """
    Only when `failed`.
    """


@final
class CrawlCompletedNoticeData(TypedDict):
    source: None
    metadata: NotRequired[dict[str, Any]]
    """
    `webhook.metadata` of the job.
    """
    job: CrawlOverview
    """
    The job. The longest texts are cut where the body would have 256 KB or more.
    """


@final
class CrawlCompletedNotice(TypedDict):
    id: str
    """
    The same in every attempt.
    """
    type: Literal["crawl.completed"]
    timestamp: str
    seq: None
    data: CrawlCompletedNoticeData


@final
class CrawlFailedNoticeData(TypedDict):
    source: None
    metadata: NotRequired[dict[str, Any]]
    """
    `webhook.metadata` of the job.
    """
    job: CrawlOverview
    """
    The job. The longest texts are cut where the body would have 256 KB or more.
    """


@final
class CrawlFailedNotice(TypedDict):
    id: str
    """
    The same in every attempt.
    """
    type: Literal["crawl.failed"]
    timestamp: str
    seq: None
    data: CrawlFailedNoticeData


@final
class CrawlOfPage(TypedDict):
    crawl_id: str
    version: Literal["v1"]
    status: Literal["crawling", "completed", "failed", "cancelled"]
    url: str
    stop_reason: Literal["finished", "limit", "quota", "cancelled", "entry_failed", "given_up"] | None
    """
    Null while the crawl runs.
    """
    progress: CrawlProgress
    started_at: str
    ended_at: str | None
    """
    Null while it runs.
    """
    expires_at: str | None
    """
    Null while it runs.
    """
    error: NotRequired[Failure]
    """
    Only when `failed`.
    """
    page: Page | FailedPage


@final
class CrawlPageNoticeData(TypedDict):
    source: None
    metadata: NotRequired[dict[str, Any]]
    """
    `webhook.metadata` of the job.
    """
    job: CrawlOfPage
    """
    The job. The longest texts are cut where the body would have 256 KB or more.
    """


@final
class CrawlPageNotice(TypedDict):
    id: str
    """
    The same in every attempt.
    """
    type: Literal["crawl.page"]
    timestamp: str
    seq: None
    data: CrawlPageNoticeData


@final
class CrawlRequest(TypedDict):
    url: str
    """
    The entry page: an absolute http or https URL of a public address, without credentials.
    """
    crawler: NotRequired[CrawlerOptions | None]
    """
    Which pages to read.
    """
    output: NotRequired[OutputOptions | None]
    """
    The formats to return.
    """
    request: NotRequired[RequestOptions | None]
    """
    How to request and read the page.
    """
    js_render: NotRequired[JsRenderOptions | None]
    """
    Running the page's scripts in a browser.
    """
    proxy: NotRequired[ProxyOptions | None]
    """
    Where to request the page from.
    """
    webhook: NotRequired[JobWebhook | None]
    """
    The endpoint that receives the events of an asynchronous job.
    """


@final
class CreateApiKeyRequest(TypedDict):
    owner: str
    """
    Whose key it is: any name.
    """
    name: str
    """
    A label to recognise the key by.
    """
    scopes: NotRequired[list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None]
    """
    What the key may do (`scrape`: scrapes, parsed documents and screenshots; `crawl`: crawls, batches and maps; `track`: sources, monitors, previews, outgoing feeds, and questions to a network; `webhooks`: webhook endpoints, their deliveries, tests and replays; `read`: reads what is kept: events, streams, results, sources, deliveries, usage); null for everything.
    """
    expires_at: NotRequired[str | None]
    """
    When the key ends, an RFC 3339 time in the future; null for never.
    """
    limits: NotRequired[KeyLimitOptions | None]
    """
    Limits of this key. A limit that is left out does not change; a new key has the defaults.
    """
    quotas: NotRequired[KeyQuotaOptions | None]
    """
    Quotas of this key: whole numbers, or null for none. One that is left out does not change; a new key has none.
    """


@final
class CreateApiKeyResponse(TypedDict):
    data: ApiKeyDetails
    message: str


@final
class CreateEndpointResponse(TypedDict):
    data: NewWebhookEndpoint
    message: str


@final
class CreateOwnKeyResponse(TypedDict):
    data: ApiKeyDetails
    message: str


@final
class DiffVersionsResponse(TypedDict):
    data: VersionDiff
    message: str


Event: TypeAlias = (
    MicroblogPostCreatedEvent
    | ChatserverMessageCreatedEvent
    | MessengerMessageCreatedEvent
    | RssItemCreatedEvent
    | RssItemUpdatedEvent
    | WebPageChangedEvent
    | SitePageAddedEvent
    | SitePageChangedEvent
    | SitePageRemovedEvent
    | SitePageMovedEvent
    | SiteChangedEvent
    | SiteCheckedEvent
    | SearchResultFoundEvent
    | SourceFailingEvent
    | SourceRecoveredEvent
    | SourceGoneEvent
    | SourceGapEvent
    | MonitorPageEvent
    | MonitorCheckedEvent
    | QuotaWarningEvent
    | QuotaExceededEvent
    | WebhookTestEvent
)


@final
class EventBatch(TypedDict):
    id: str
    """
    Computed from the events: the same in every delivery of this batch.
    """
    type: Literal["batch"]
    timestamp: str
    """
    That of the last event.
    """
    events: list[Event]
    """
    In the order of `seq`.
    """


@final
class EventFrame(TypedDict):
    type: Literal["event"]
    event: Event


@final
class EventPage(TypedDict):
    data: list[Event]
    """
    As the streams carry them, the oldest first.
    """
    next_after: int
    """
    The `after` of the next call.
    """
    more: bool
    """
    There may be more events now.
    """


@final
class FinishedScrape(TypedDict):
    scrape_id: str
    version: Literal["v1"]
    status: Literal["completed"]
    url: str
    data: Page
    """
    Only the formats that were asked for are present.
    """
    started_at: str
    ended_at: str


@final
class GetMonitorCheckResponse(TypedDict):
    data: MonitorCheckDetail
    message: str


@final
class GetOverviewResponse(TypedDict):
    data: Overview
    message: str


@final
class ImportSourcesResponse(TypedDict):
    data: OpmlImport
    message: str


JobNotice: TypeAlias = (
    ScrapeStartedNotice
    | ScrapeCompletedNotice
    | ScrapeFailedNotice
    | CrawlStartedNotice
    | CrawlPageNotice
    | CrawlCompletedNotice
    | CrawlFailedNotice
    | BatchStartedNotice
    | BatchPageNotice
    | BatchCompletedNotice
    | BatchFailedNotice
)


@final
class ListAllApiKeysResponse(TypedDict):
    data: list[ApiKeyDetails]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class ListMonitorChecksResponse(TypedDict):
    data: list[MonitorCheck]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class ListOwnKeysResponse(TypedDict):
    data: list[ApiKeyDetails]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class Monitor(TypedDict):
    id: str
    name: str
    tag: str
    """
    The tag of its sources: `tags` of an endpoint or a stream chooses its events.
    """
    paused: bool
    schedule: MonitorSchedule
    targets: list[MonitorTarget]
    sources: int
    """
    Sources of all targets.
    """
    goal: str | None
    judge: bool
    """
    Whether changes are judged by the goal.
    """
    retention_days: int
    page_events: bool
    next_check_at: str | None
    """
    Null while it is paused.
    """
    current_check: str | None
    """
    `id` of the check under way.
    """
    last_check: MonitorCheck | None
    """
    The latest one that has ended.
    """
    created_at: str
    updated_at: str


@final
class MonitorTargetRequest(TypedDict):
    id: NotRequired[str | None]
    """
    A name for it, which pages of checks show; by default one is made.
    """
    source: Literal["web", "site", "search"]
    """
    Pages, sites or searches.
    """
    sids: list[MonitorTargetRequestSid]
    """
    Addresses of pages or sites, or words of searches. Each becomes a source.
    """
    options: NotRequired[WatchOptions | None]
    """
    As for `POST /track/{source}`, without `tags`, `keep`, `interval`, `schedule`, `paused`, `goal` and `judge`: the monitor has these.
    """


@final
class PreviewSourceRequest(TypedDict):
    sid: str
    """
    As `POST /track/{source}` takes it.
    """
    options: NotRequired[WatchOptions | None]
    """
    As `POST /track/{source}` takes them. Values `•••` of headers and cookies are those of the key's own watch of exactly this address.
    """
    with_page: NotRequired[bool | None]
    """
    Of a page: answers its parts too, as `outline`.
    """
    with_picture: NotRequired[bool | None]
    """
    Of a page: answers its parts, and a picture of it with their places.
    """


@final
class PreviewSourceResponse(TypedDict):
    data: SourcePreview
    message: str


@final
class ReadSiteTreeResponse(TypedDict):
    data: list[SiteBranch]
    truncated: bool
    """
    There is more below it than was counted.
    """
    message: str


@final
class RenameOwnKeyResponse(TypedDict):
    data: ApiKeyDetails
    message: str


StreamFrame: TypeAlias = HelloFrame | EventFrame | ErrorFrame


@final
class TrackManyRequestItem(TypedDict):
    source: Literal["microblog", "chatserver", "messenger", "web", "rss", "site", "search"]
    """
    The kind of source.
    """
    sid: str
    """
    As in `POST /track/{source}`.
    """
    options: NotRequired[WatchOptions | None]
    """
    As in `POST /track/{source}`.
    """


@final
class TrackManyRequest(TypedDict):
    items: list[TrackManyRequestItem]
    """
    The sources to track, in the order in which they are tried.
    """


@final
class TrackRequest(TypedDict):
    sid: str
    """
    A user name, an invite, a channel's user name or invite link, or the URL of a page, a site, a feed or a sitemap; of `search` words; of the microblog also `#tag` or `search:words`.
    """
    options: NotRequired[WatchOptions | None]
    """
    For the calling key alone. What they name replaces what the key chose before; what they do not name stays.
    """


@final
class UpdateApiKeyResponse(TypedDict):
    data: ApiKeyDetails
    message: str


@final
class WatchChanges(TypedDict):
    tags: NotRequired[list[WatchChangesTag] | None]
    """
    Words by which the key sorts its sources.
    """
    interval: NotRequired[str | None]
    """
    `15m`, `2h`, `1d`: how often to poll, at least `POLL_MIN_INTERVAL` and at most `30d`. Without it Magpie chooses by how often the source has news.
    """
    schedule: NotRequired[WatchSchedule | None]
    """
    When to poll, in local time; never outside of it.
    """
    paused: NotRequired[bool | None]
    """
    Not polled, unless a poll is asked for, until this is removed: then it is polled at once, and what has changed meanwhile is told.
    """
    select: NotRequired[list[WatchChangesSelectItem] | None]
    """
    Only these parts of a page: CSS selectors, or XPath where they begin with `/` or `xpath:`.
    """
    content: NotRequired[Literal["page", "main"] | None]
    """
    What of a page counts without `select`: `page`, the default, is all but advertisements, consent banners, navigation and related things; `main` is the main content alone.
    """
    remove: NotRequired[list[WatchChangesRemoveItem] | None]
    """
    Without these parts of a page: CSS or XPath.
    """
    ignore: NotRequired[list[WatchChangesIgnoreItem] | None]
    """
    Lines that contain one of these texts, or match `/RE2/flags`, are no news.
    """
    when: NotRequired[WatchConditions | None]
    """
    What a change must be to be reported; all conditions must hold.
    """
    unique_lines: NotRequired[bool | None]
    """
    A line that the page has shown before is no news, wherever it is.
    """
    render: NotRequired[Literal["auto", "never", "always"] | None]
    """
    Whether a browser runs the page's scripts; `auto`, the default: where they change it.
    """
    headers: NotRequired[dict[str, Any] | None]
    """
    Sent to the source's own origin only, at most 50. Encrypted at rest; answers show `•••` for each value, and a value `•••` that is sent leaves the former one.
    """
    cookies: NotRequired[dict[str, Any] | None]
    """
    Names and values; sent, kept and shown as `headers`.
    """
    keep: NotRequired[WatchKeep | None]
    """
    How much of the past is kept, within `KEEP_DAYS` and `KEEP_MB`; of a source that several keys track, what the most generous of them wants. The last version stays, and those of events that exist.
    """
    json: NotRequired[WatchJson | None]
    """
    Compares fields in place of text: `schema`, `recipe` or both.
    """
    screenshot: NotRequired[bool | None]
    """
    A picture before and after each change, and one of the difference. A watch has a share of 200 changes or 256 MB, which comes back evenly in four days; changes beyond it are reported without pictures.
    """
    limit: NotRequired[int | None]
    """
    Of a site: pages that are watched, at most; by default 1,000.
    """
    include: NotRequired[list[WatchChangesIncludeItem] | None]
    """
    Of a site: only pages that match one of these patterns, as in a crawl.
    """
    exclude: NotRequired[list[WatchChangesExcludeItem] | None]
    """
    Of a site: no page that matches one of these patterns, as in a crawl.
    """
    max_depth: NotRequired[int | None]
    """
    Of a site: links from the entry page; by default 10.
    """
    include_entire_domain: NotRequired[bool | None]
    """
    Of a site: the whole host, not only what lies below the entry page's directory.
    """
    include_subdomains: NotRequired[bool | None]
    """
    Of a site: also hosts below the entry page's host.
    """
    sitemaps: NotRequired[bool | None]
    """
    Of a site: also the pages that its sitemaps name, which is the default.
    """
    checks: NotRequired[bool | None]
    """
    Of a site: an event `site.checked` with counts after each round, also where nothing has changed.
    """
    domains: NotRequired[list[WatchChangesDomain] | None]
    """
    Of a search: only results of these domains and what is below them.
    """
    window: NotRequired[Literal["day", "week", "month", "year"] | None]
    """
    Of a search: only what has appeared in this time, as far as the search engine knows it.
    """
    goal: NotRequired[str | None]
    """
    What you want to know, in words. A language model judges each change by it, and says so in the event: `judgement`. Needs `LLM_BASE_URL`.
    """
    judge: NotRequired[bool | None]
    """
    False: the goal is kept, and nothing is judged.
    """


@final
class ChangeMonitorRequest(TypedDict):
    name: NotRequired[str]
    """
    A label of your own.
    """
    schedule: NotRequired[MonitorScheduleRequest]
    """
    When it is checked: `cron` or `text`.
    """
    targets: NotRequired[list[MonitorTargetRequest]]
    """
    What is checked; 1,000 sources in all, at most.
    """
    goal: NotRequired[str | None]
    """
    As `goal` of a watch, for all its sources.
    """
    judge: NotRequired[bool]
    """
    As `judge` of a watch, for all its sources.
    """
    retention_days: NotRequired[int]
    """
    How long its checks and what its sources said are kept; by default 30.
    """
    page_events: NotRequired[bool]
    """
    An event `monitor.page` for each page of a check, also where it is the same; by default false. Changes are events of their own in any case.
    """
    paused: NotRequired[bool]
    """
    It is checked only when that is asked for.
    """


@final
class ChangeMonitorResponse(TypedDict):
    data: Monitor
    message: str


@final
class ChangeSourceRequest(TypedDict):
    eid: NotRequired[str | None]
    """
    `externalId` of the source; this or `iid`.
    """
    iid: NotRequired[str | None]
    """
    `id` of the source; this or `eid`.
    """
    options: WatchChanges
    """
    What to change; null removes an option.
    """


@final
class CreateMonitorRequest(TypedDict):
    name: str
    """
    A label of your own.
    """
    schedule: MonitorScheduleRequest
    """
    When it is checked: `cron` or `text`.
    """
    targets: list[MonitorTargetRequest]
    """
    What is checked; 1,000 sources in all, at most.
    """
    goal: NotRequired[str | None]
    """
    As `goal` of a watch, for all its sources.
    """
    judge: NotRequired[bool | None]
    """
    As `judge` of a watch, for all its sources.
    """
    retention_days: NotRequired[int | None]
    """
    How long its checks and what its sources said are kept; by default 30.
    """
    page_events: NotRequired[bool | None]
    """
    An event `monitor.page` for each page of a check, also where it is the same; by default false. Changes are events of their own in any case.
    """
    paused: NotRequired[bool | None]
    """
    It is checked only when that is asked for.
    """


@final
class CreateMonitorResponse(TypedDict):
    data: Monitor
    message: str


@final
class GetMonitorResponse(TypedDict):
    data: Monitor
    message: str


@final
class ListMonitorsResponse(TypedDict):
    data: list[Monitor]
    next_cursor: str | None
    """
    Null at the end.
    """
    message: str


@final
class RehearseRequest(TypedDict):
    options: NotRequired[WatchChanges | None]
    """
    What to change; by default nothing.
    """
    days: NotRequired[int | None]
    """
    How far back.
    """
