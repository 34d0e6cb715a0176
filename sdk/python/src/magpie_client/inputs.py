# Written by generate.py from ../openapi.json: change neither this file nor the document by hand.
from typing import final, Any, Literal, NotRequired, TypeAlias, TypedDict


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
    uid: NotRequired[str | None]
    """
    `externalId` or `rest_id` of the account. Exactly one of `uid` and `username` is required.
    """
    username: NotRequired[str | None]
    """
    User name of the account, with or without the @; of another network as `bluesky:ada.example`, `user@server`, or by its address.
    """
    since: NotRequired[str | None]
    """
    Only posts since this time, ISO 8601.
    """
    until: NotRequired[str | None]
    """
    Only posts before this time, ISO 8601.
    """
    cursor: NotRequired[str | None]
    """
    Where to continue: `x-next-cursor` of the previous answer.
    """
    limit: NotRequired[int | None]
    """
    Posts to fetch.
    """


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
class ClientCertificate(TypedDict):
    certificate: str
    """
    PEM: the certificate, and after it those of its issuers.
    """
    private_key: str
    """
    PEM, without a passphrase. Encrypted at rest; no answer shows it.
    """


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
    max_per_second: NotRequired[float | None]
    """
    Pages that are asked for in a second, at most, of all hosts together.
    """
    ignore_robots: NotRequired[bool | None]
    """
    On the hosts that the operator has named in `OWN_HOSTS`, such as a staging site, pages are read and links followed against robots.txt and `nofollow`; 403 where the entry page is on none of them.
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
                "microblog.post.updated",
                "microblog.post.deleted",
                "chatserver.message.updated",
                "chatserver.message.deleted",
                "messenger.message.updated",
                "messenger.message.deleted",
                "rss.item.created",
                "rss.item.updated",
                "web.page.changed",
                "web.item.created",
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
                "endpoint.failing",
                "endpoint.failed",
                "endpoint.recovered",
                "webhook.test",
                "event.erased",
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
    content_uses: NotRequired[list[Literal["train_ai", "ai_input", "search", "tdm"]] | None]
    """
    What the key wants content for: a page whose site refuses one of these uses is not read for it. Null: what sites say is reported alone.
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
class ErasureRequest(TypedDict):
    key_id: NotRequired[str | None]
    """
    `id` of a key, also of a deleted one.
    """
    owner: NotRequired[str | None]
    """
    An owner, with all its keys.
    """
    source: NotRequired[
        Literal["microblog", "chatserver", "messenger", "web", "rss", "site", "search"] | None
    ]
    """
    The kind of the source that `eid` names.
    """
    eid: NotRequired[str | None]
    """
    A source, for all keys: its `externalId`, the URL of a page, feed or site, or the handle of an account.
    """
    dry_run: NotRequired[bool | None]
    """
    Only counts what there is.
    """


@final
class FolderDestination(TypedDict):
    type: Literal["folder"]
    path: NotRequired[str]
    """
    A folder below that of the key, in the operator's `DESTINATION_FOLDER`. Left out: that of the key itself.
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
class LoginAction(TypedDict):
    type: Literal["wait", "click", "type", "press", "scroll"]
    """
    As actions of pages; `type` needs `selector`, and `text` or `totp`.
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
    totp: NotRequired[str | None]
    """
    The seed of one-time passwords (RFC 6238: SHA-1, six digits, 30 s) in Base32: the one of the moment is typed.
    """


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
class Mention(TypedDict):
    id: str
    name: str
    """
    Without the @ or the #.
    """
    url: NotRequired[str]
    type: Literal["account", "channel", "role"]
    """
    `channel` and `role` are of a chat server.
    """


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
class NatsDestination(TypedDict):
    type: Literal["nats"]
    host: str
    """
    The name or address of the server.
    """
    port: NotRequired[int]
    """
    Its port; by default 4222.
    """
    subject: str
    """
    The subject, which a stream takes.
    """
    tls: NotRequired[bool]
    """
    False: without encryption, where the operator allows that with `WEBHOOK_ALLOW_HTTP`.
    """
    ca: NotRequired[str]
    """
    The certificates, in PEM, by which the server's is checked. Left out: those that browsers trust.
    """
    user: NotRequired[str]
    """
    Who signs in.
    """
    password: NotRequired[str]
    """
    The user's password.
    """
    token: NotRequired[str]
    """
    In place of a user.
    """
    credentials: NotRequired[str]
    """
    In place of a user: the text of a `.creds` file, with a JWT and its key.
    """


@final
class OtherPost(TypedDict):
    id: str
    """
    Its id on its network.
    """
    url: NotRequired[str]
    """
    Its address.
    """
    author: NotRequired[str]
    """
    The name of its author: on a microblog the handle, without the @.
    """
    text: NotRequired[str]


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
class PollOption(TypedDict):
    text: str
    votes: NotRequired[int]


@final
class PollSourceRequest(TypedDict):
    iid: str
    """
    `id` of the source.
    """


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
class PostCard(TypedDict):
    url: str
    title: NotRequired[str]
    description: NotRequired[str]
    image: NotRequired[str]


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
class PostLink(TypedDict):
    url: str
    """
    Where it leads.
    """
    text: NotRequired[str]
    """
    What the text shows in its place, where that differs: words, or a shortened address.
    """


@final
class PostPoll(TypedDict):
    question: NotRequired[str]
    options: list[PollOption]
    ends_at: NotRequired[str]
    """
    Absent where it has no end.
    """
    multiple: NotRequired[bool]
    """
    Whether one may choose several.
    """


@final
class PostgresqlDestination(TypedDict):
    type: Literal["postgresql"]
    host: str
    """
    The name or address of the server.
    """
    port: NotRequired[int]
    """
    Its port; by default 5432.
    """
    database: str
    """
    The database.
    """
    user: str
    """
    Who signs in.
    """
    password: str
    """
    The user's password.
    """
    tls: NotRequired[bool]
    """
    False: without encryption, where the operator allows that with `WEBHOOK_ALLOW_HTTP`.
    """
    ca: NotRequired[str]
    """
    The certificates, in PEM, by which the server's is checked. Left out: those that browsers trust.
    """
    schema: NotRequired[str]
    """
    The schema of the table. Left out: the user's.
    """
    table: NotRequired[str]
    """
    The table, which is made unless it is there; by default `magpie_events`.
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
class RabbitmqDestination(TypedDict):
    type: Literal["rabbitmq"]
    host: str
    """
    The name or address of the server.
    """
    port: NotRequired[int]
    """
    Its port; by default 5671. Without TLS it is mostly 5672.
    """
    vhost: NotRequired[str]
    """
    The virtual host; by default `/`.
    """
    user: str
    """
    Who signs in.
    """
    password: str
    """
    The user's password.
    """
    tls: NotRequired[bool]
    """
    False: without encryption, where the operator allows that with `WEBHOOK_ALLOW_HTTP`.
    """
    ca: NotRequired[str]
    """
    The certificates, in PEM, by which the server's is checked. Left out: those that browsers trust.
    """
    exchange: NotRequired[str]
    """
    The exchange. Left out: the default one, whose routing keys are names of queues.
    """
    routing_key: NotRequired[str]
    """
    The routing key; `{type}`, the default, stands for the type of the event.
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
    content_uses: NotRequired[list[Literal["train_ai", "ai_input", "search", "tdm"]] | None]
    """
    What the key wants content for: a page whose site refuses one of these uses is not read for it. Null: what sites say is reported alone.
    """


@final
class ReplayDeliveriesRequest(TypedDict):
    since: str
    """
    ISO 8601.
    """


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
                "microblog.post.updated",
                "microblog.post.deleted",
                "chatserver.message.updated",
                "chatserver.message.deleted",
                "messenger.message.updated",
                "messenger.message.deleted",
                "rss.item.created",
                "rss.item.updated",
                "web.page.changed",
                "web.item.created",
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
                "endpoint.failing",
                "endpoint.failed",
                "endpoint.recovered",
                "webhook.test",
                "event.erased",
            ]
        ]
        | None
    ]
    """
    Only events of these types.
    """


ReplayLaneRequestEventId: TypeAlias = str


@final
class ReplayLaneRequest(TypedDict):
    since: NotRequired[str | None]
    """
    Only events since this time, ISO 8601.
    """
    until: NotRequired[str | None]
    """
    Only events before this time, ISO 8601.
    """
    event_ids: NotRequired[list[ReplayLaneRequestEventId] | None]
    """
    Only these events.
    """
    event_types: NotRequired[
        list[
            Literal[
                "microblog.post.created",
                "chatserver.message.created",
                "messenger.message.created",
                "microblog.post.updated",
                "microblog.post.deleted",
                "chatserver.message.updated",
                "chatserver.message.deleted",
                "messenger.message.updated",
                "messenger.message.deleted",
                "rss.item.created",
                "rss.item.updated",
                "web.page.changed",
                "web.item.created",
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
                "endpoint.failing",
                "endpoint.failed",
                "endpoint.recovered",
                "webhook.test",
                "event.erased",
            ]
        ]
        | None
    ]
    """
    Only events of these types.
    """


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
    content_uses: NotRequired[list[Literal["train_ai", "ai_input", "search", "tdm"]] | None]
    """
    What the content is wanted for, beside what the key names: a page whose site refuses one of them is not read (`content_refused`).
    """
    pdf: NotRequired[PdfOptions | None]
    """
    How a PDF is read.
    """


@final
class S3Destination(TypedDict):
    type: Literal["s3"]
    bucket: str
    """
    The bucket.
    """
    prefix: NotRequired[str]
    """
    A folder in the bucket. Left out: its root.
    """
    region: NotRequired[str]
    """
    Its region; servers other than Amazon's mostly take any.
    """
    endpoint: NotRequired[str]
    """
    The server, such as `https://s3.example.com`. Left out: Amazon's of the region. An address that begins with the bucket's name is that of the bucket.
    """
    access_key_id: str
    """
    May put objects in the bucket.
    """
    secret_access_key: str
    """
    Signs requests; it is not sent.
    """


@final
class SetMessengerDefaultKeyRequest(TypedDict):
    apiKeyId: str | None
    """
    `id` of one of your keys; null for none.
    """


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
class SignInRequest(TypedDict):
    key: NotRequired[str | None]
    """
    The admin key or an API key, whichever it is.
    """
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
class TestTransformRequest(TypedDict):
    event_id: NotRequired[str | None]
    """
    An event of the key; left out: the latest that the webhook wants, whatever its `filter`.
    """
    filter: NotRequired[str | None]
    """
    A predicate to try. Left out: the webhook's own; null: none.
    """
    transform: NotRequired[str | None]
    """
    A transform to try. Left out: the webhook's own; null: none.
    """


@final
class TrackChatRequest(TypedDict):
    channelId: str
    """
    Id of a channel of a chat server.
    """


@final
class TrackUserRequest(TypedDict):
    username: str
    """
    1 to 15 letters, digits and underscores, without the @. Accounts of other networks: `bluesky:ada.example`, `@user@server`, or the address of the profile.
    """


@final
class UntrackChatRequest(TypedDict):
    channelId: str
    """
    Id of a channel of a chat server.
    """


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
class UntrackUserRequest(TypedDict):
    username: str
    """
    1 to 15 letters, digits and underscores, without the @. Accounts of other networks: `bluesky:ada.example`, `@user@server`, or the address of the profile.
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


WatchExtractJsonPathItem: TypeAlias = str


WatchExtractXpathItem: TypeAlias = str


@final
class WatchExtract(TypedDict):
    json_path: NotRequired[list[WatchExtractJsonPathItem] | None]
    """
    JSONPath (RFC 9535) for JSON: `$.items[*].price`, or `$` for all of it.
    """
    xpath: NotRequired[list[WatchExtractXpathItem] | None]
    """
    XPath 1.0 for XML of any content type: `//Version`. Prefixes are those of the document.
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
class WatchProxy(TypedDict):
    location: NotRequired[str | None]
    """
    ISO 3166-1 alpha-2 country code. Without a proxy there the page is fetched directly: `metadata.proxy_location` is null.
    """
    sticky_session: NotRequired[str | None]
    """
    Scrapes with the same value keep the same proxy, for 10 minutes at least.
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
class WatchWaitFor(TypedDict):
    selector: NotRequired[str | None]
    """
    CSS selector: until an element matches.
    """
    ms: NotRequired[int | None]
    """
    Milliseconds, after the page has loaded.
    """


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


@final
class WebhookRateOptions(TypedDict):
    per_second: float
    """
    Events a second, 0.01 to 1,000.
    """
    burst: NotRequired[int | None]
    """
    Events that may come at once after a pause; by default those of a second.
    """


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
                "microblog.post.updated",
                "microblog.post.deleted",
                "chatserver.message.updated",
                "chatserver.message.deleted",
                "messenger.message.updated",
                "messenger.message.deleted",
                "rss.item.created",
                "rss.item.updated",
                "web.page.changed",
                "web.item.created",
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
                "endpoint.failing",
                "endpoint.failed",
                "endpoint.recovered",
                "webhook.test",
                "event.erased",
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
    filter: NotRequired[str | None]
    """
    A predicate in JSONata over the event, such as `$.data.post.legacy.favorite_count > 100`: only events for which it is true. One for which it fails or takes too long is delivered. Null for none.
    """
    transform: NotRequired[str | None]
    """
    JSONata that makes the body of a delivery from the event, or from the batch; an object or array is sent as JSON, a text as plain text. With `standard` only. Null for none.
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
        Literal[
            "standard",
            "firecrawl",
            "cloudevents",
            "cloudevents-binary",
            "slack",
            "discord",
            "ntfy",
            "apprise",
            "teams",
            "telegram",
            "matrix",
            "pushover",
            "gotify",
            "text",
        ]
        | None
    ]
    """
    How the body is written; `standard`, the default, is the event as JSON; `firecrawl` is for programs that take webhooks of Firecrawl, `cloudevents` and `cloudevents-binary` for those that take CloudEvents 1.0. Of mails: `standard` has text and HTML, `text` is plain text; they take no other.
    """
    template: NotRequired[str | None]
    """
    The text of a message, for mails and for formats other than `standard`; null for the usual one.
    """
    metadata: NotRequired[dict[str, Any] | None]
    """
    With `firecrawl`: an object of your own, at most 4 KB as JSON, that each delivery carries as `metadata`.
    """
    asymmetric: NotRequired[bool | None]
    """
    True: deliveries also have a signature `v1a` (Ed25519). Receivers check it with the public key, which cannot sign.
    """
    timeout_ms: NotRequired[int | None]
    """
    How long an answer may take, 1,000 to 30,000 milliseconds; null for 5,000.
    """
    client_certificate: NotRequired[ClientCertificate | None]
    """
    What connections to the endpoint show where its TLS asks (mutual TLS). Null removes it.
    """
    fallback: NotRequired[str | None]
    """
    `id` of another webhook of the key, with a URL: while this one is `FAILED`, its events go there, one in a request, in their order. Null for none.
    """
    rate: NotRequired[WebhookRateOptions | None]
    """
    The most events that are sent; those of a batch count each. Others wait in their order. Null for no limit.
    """
    digest: NotRequired[Literal["15m", "1h", "1d"] | None]
    """
    For `mailto:` addresses: one mail per interval with all events in it. Null, the default: a mail for each event or batch.
    """
    destination: NotRequired[
        FolderDestination
        | S3Destination
        | PostgresqlDestination
        | NatsDestination
        | RabbitmqDestination
        | None
    ]
    """
    In place of `url`: a folder, bucket or queue that takes the events. Secrets are encrypted at rest; answers show `•••` for each, and one that is sent so stays as it is.
    """
    rotate_secret: NotRequired[bool | None]
    """
    Makes a new secret; for 24 hours deliveries are signed with both.
    """


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
class CreateEndpointRequest(TypedDict):
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
                "microblog.post.updated",
                "microblog.post.deleted",
                "chatserver.message.updated",
                "chatserver.message.deleted",
                "messenger.message.updated",
                "messenger.message.deleted",
                "rss.item.created",
                "rss.item.updated",
                "web.page.changed",
                "web.item.created",
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
                "endpoint.failing",
                "endpoint.failed",
                "endpoint.recovered",
                "webhook.test",
                "event.erased",
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
    filter: NotRequired[str | None]
    """
    A predicate in JSONata over the event, such as `$.data.post.legacy.favorite_count > 100`: only events for which it is true. One for which it fails or takes too long is delivered. Null for none.
    """
    transform: NotRequired[str | None]
    """
    JSONata that makes the body of a delivery from the event, or from the batch; an object or array is sent as JSON, a text as plain text. With `standard` only. Null for none.
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
        Literal[
            "standard",
            "firecrawl",
            "cloudevents",
            "cloudevents-binary",
            "slack",
            "discord",
            "ntfy",
            "apprise",
            "teams",
            "telegram",
            "matrix",
            "pushover",
            "gotify",
            "text",
        ]
        | None
    ]
    """
    How the body is written; `standard`, the default, is the event as JSON; `firecrawl` is for programs that take webhooks of Firecrawl, `cloudevents` and `cloudevents-binary` for those that take CloudEvents 1.0. Of mails: `standard` has text and HTML, `text` is plain text; they take no other.
    """
    template: NotRequired[str | None]
    """
    The text of a message, for mails and for formats other than `standard`; null for the usual one.
    """
    metadata: NotRequired[dict[str, Any] | None]
    """
    With `firecrawl`: an object of your own, at most 4 KB as JSON, that each delivery carries as `metadata`.
    """
    asymmetric: NotRequired[bool | None]
    """
    True: deliveries also have a signature `v1a` (Ed25519). Receivers check it with the public key, which cannot sign.
    """
    timeout_ms: NotRequired[int | None]
    """
    How long an answer may take, 1,000 to 30,000 milliseconds; null for 5,000.
    """
    client_certificate: NotRequired[ClientCertificate | None]
    """
    What connections to the endpoint show where its TLS asks (mutual TLS). Null removes it.
    """
    fallback: NotRequired[str | None]
    """
    `id` of another webhook of the key, with a URL: while this one is `FAILED`, its events go there, one in a request, in their order. Null for none.
    """
    rate: NotRequired[WebhookRateOptions | None]
    """
    The most events that are sent; those of a batch count each. Others wait in their order. Null for no limit.
    """
    digest: NotRequired[Literal["15m", "1h", "1d"] | None]
    """
    For `mailto:` addresses: one mail per interval with all events in it. Null, the default: a mail for each event or batch.
    """
    destination: NotRequired[
        FolderDestination
        | S3Destination
        | PostgresqlDestination
        | NatsDestination
        | RabbitmqDestination
        | None
    ]
    """
    In place of `url`: a folder, bucket or queue that takes the events. Secrets are encrypted at rest; answers show `•••` for each, and one that is sent so stays as it is.
    """


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
class Login(TypedDict):
    actions: list[LoginAction]
    """
    Carried out in order at the form that the site shows, or at `url`, within the site alone; their waits take 20 s at most.
    """
    url: NotRequired[str | None]
    """
    The page of the login, at the same site, where the site does not lead there by itself.
    """
    when: NotRequired[str | None]
    """
    CSS selector that a page matches when nobody is signed in. Login forms in place of a page, and a 401, are known by themselves.
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
    url: NotRequired[str]
    """
    The address of the post or message, where its network has one.
    """
    links: NotRequired[list[PostLink]]
    """
    Where its links lead, also those behind words and shortened addresses.
    """
    card: NotRequired[PostCard]
    """
    The preview of a link.
    """
    quoted: NotRequired[OtherPost]
    """
    The post that it quotes.
    """
    in_reply_to: NotRequired[OtherPost]
    """
    The post that it answers.
    """
    poll: NotRequired[PostPoll]
    edited_at: NotRequired[str]
    """
    When it was last edited.
    """
    mentions: NotRequired[list[Mention]]
    """
    Whom it names. The text has them as the network writes them.
    """


@final
class SessionOptions(TypedDict):
    name: str
    """
    Letters, digits, `_`, `.` and `-`. Each site has a jar of its own by this name.
    """
    login: NotRequired[Login | None]
    """
    Kept encrypted with the jar, so that later requests need the name alone; it replaces the former one. Carried out when the site asks for a login, at most once an hour.
    """


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
    content_uses: NotRequired[list[Literal["train_ai", "ai_input", "search", "tdm"]] | None]
    """
    What the key wants content for: a page whose site refuses one of these uses is not read for it. Null: what sites say is reported alone.
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
    content: NotRequired[Literal["page", "main", "full"] | None]
    """
    What of a page counts without `select`: `page`, the default, is all but advertisements, consent banners, navigation and related things; `main` is the main content alone. `full`, of a feed: each item has the text of its page.
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
    wait_for: NotRequired[WatchWaitFor | None]
    """
    What a browser waits for before it reads a page: a CSS selector, or milliseconds. The parts that `select` names are waited for in any case.
    """
    actions: NotRequired[list[PageAction] | None]
    """
    Carried out in order before each reading of a page, which a browser then shows; their waits together take 20 s at most. Typed texts are encrypted at rest and shown as `•••`; one that is sent so means the former text for the same selector.
    """
    proxy: NotRequired[WatchProxy | None]
    """
    The country from which the page is asked for, by a proxy of `PROXIES`.
    """
    session: NotRequired[SessionOptions | None]
    """
    It is read in the session of the key for its site by this name. A `login` is kept encrypted with the session, and no answer shows it.
    """
    method: NotRequired[Literal["GET", "POST"] | None]
    """
    How the page is asked for, by default `GET`. `POST` sends `body`, and reads the answer as it is, without a browser.
    """
    body: NotRequired[str | dict[str, Any] | None]
    """
    Sent with `POST`, at most 64 KB: an object as JSON, a text as the form or as what the header `content-type` says. Encrypted at rest, shown as `•••`; one that is sent so leaves the former one.
    """
    content_uses: NotRequired[list[Literal["train_ai", "ai_input", "search", "tdm"]] | None]
    """
    What the content is wanted for, beside what the key names: a page whose site refuses one of them is not read.
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
    items: NotRequired[Literal[True] | str | None]
    """
    Each new entry of a list counts: their selector, or `auto`.
    """
    extract: NotRequired[WatchExtract | None]
    """
    Compares the values of a JSON or XML document in place of its text: what is changed, added or gone is told by its path, entries of lists by their ids.
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
    edits: NotRequired[bool | None]
    """
    Of an account, server, channel or group: also what is edited and deleted, where the network says so.
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
    Milliseconds: an equal scrape by the same key that began no longer ago answers in place of the site, with `metadata.cached_at`. Scrapes are kept for 24 hours by default. 0 asks the site.
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
    session: NotRequired[SessionOptions | None]
    """
    Keeps cookies and local storage between visits, in a jar of the key for the page's site (its registrable domain, or the host where there is none).
    """


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
    session: NotRequired[SessionOptions | None]
    """
    Each page is read in the session of the key for its own site by this name. A `login` is for URLs of one site.
    """
    webhook: NotRequired[JobWebhook | None]
    """
    The endpoint that receives the events of an asynchronous job.
    """


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
    session: NotRequired[SessionOptions | None]
    """
    Keeps cookies and local storage between visits, in a jar of the key for the page's site (its registrable domain, or the host where there is none).
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
    content_uses: NotRequired[list[Literal["train_ai", "ai_input", "search", "tdm"]] | None]
    """
    What the key wants content for: a page whose site refuses one of these uses is not read for it. Null: what sites say is reported alone.
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
class DispatchPostsRequest(TypedDict):
    post: NotRequired[Post | None]
    """
    One microblog post, as `GET /microblog/post` gives it.
    """
    posts: NotRequired[list[Post] | None]
    """
    Several, at most 1000. At least one of `post` and `posts` is required.
    """
    network: NotRequired[Literal["sandbox", "x", "bluesky", "mastodon"] | None]
    """
    The network of the authors, where it is not the default.
    """
    dry_run: NotRequired[bool | None]
    """
    Says what would become of each post, and delivers none.
    """


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
    As `POST /track/{source}` takes them. Values `•••` are those of the key's own watch of exactly this address.
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
    Milliseconds: an equal scrape by the same key that began no longer ago answers in place of the site, with `metadata.cached_at`. Scrapes are kept for 24 hours by default. 0 asks the site.
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
    session: NotRequired[SessionOptions | None]
    """
    Keeps cookies and local storage between visits, in a jar of the key for the page's site (its registrable domain, or the host where there is none).
    """
    webhook: NotRequired[JobWebhook | None]
    """
    The endpoint that receives the events of an asynchronous job.
    """


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
    A user name, an invite, a channel's user name or invite link, or the URL of a page, a site, a feed or a sitemap; of `search` words; of the microblog also `#tag` or `search:words`. A network's name before it, as in `bluesky:ada.example`, means that network.
    """
    options: NotRequired[WatchOptions | None]
    """
    For the calling key alone. What they name replaces what the key chose before; what they do not name stays.
    """


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
    content: NotRequired[Literal["page", "main", "full"] | None]
    """
    What of a page counts without `select`: `page`, the default, is all but advertisements, consent banners, navigation and related things; `main` is the main content alone. `full`, of a feed: each item has the text of its page.
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
    wait_for: NotRequired[WatchWaitFor | None]
    """
    What a browser waits for before it reads a page: a CSS selector, or milliseconds. The parts that `select` names are waited for in any case.
    """
    actions: NotRequired[list[PageAction] | None]
    """
    Carried out in order before each reading of a page, which a browser then shows; their waits together take 20 s at most. Typed texts are encrypted at rest and shown as `•••`; one that is sent so means the former text for the same selector.
    """
    proxy: NotRequired[WatchProxy | None]
    """
    The country from which the page is asked for, by a proxy of `PROXIES`.
    """
    session: NotRequired[SessionOptions | None]
    """
    It is read in the session of the key for its site by this name. A `login` is kept encrypted with the session, and no answer shows it.
    """
    method: NotRequired[Literal["GET", "POST"] | None]
    """
    How the page is asked for, by default `GET`. `POST` sends `body`, and reads the answer as it is, without a browser.
    """
    body: NotRequired[str | dict[str, Any] | None]
    """
    Sent with `POST`, at most 64 KB: an object as JSON, a text as the form or as what the header `content-type` says. Encrypted at rest, shown as `•••`; one that is sent so leaves the former one.
    """
    content_uses: NotRequired[list[Literal["train_ai", "ai_input", "search", "tdm"]] | None]
    """
    What the content is wanted for, beside what the key names: a page whose site refuses one of them is not read.
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
    items: NotRequired[Literal[True] | str | None]
    """
    Each new entry of a list counts: their selector, or `auto`.
    """
    extract: NotRequired[WatchExtract | None]
    """
    Compares the values of a JSON or XML document in place of its text: what is changed, added or gone is told by its path, entries of lists by their ids.
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
    edits: NotRequired[bool | None]
    """
    Of an account, server, channel or group: also what is edited and deleted, where the network says so.
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
class RehearseRequest(TypedDict):
    options: NotRequired[WatchChanges | None]
    """
    What to change; by default nothing.
    """
    days: NotRequired[int | None]
    """
    How far back.
    """


SourceKind: TypeAlias = Literal["microblog", "chatserver", "messenger", "web", "rss", "site", "search"]
