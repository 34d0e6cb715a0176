# Written by generate.py from ../openapi.json: change neither this file nor the document by hand.
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from ._answer import Answer


class ErrorDetail(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        field: str
        """Dotted path."""
        code: Literal[
            "host_not_own",
            "required",
            "unknown_field",
            "string",
            "number",
            "boolean",
            "array",
            "object",
            "record",
            "type",
            "string_empty",
            "string_min",
            "string_max",
            "string_length",
            "string_pattern",
            "number_min",
            "number_max",
            "number_integer",
            "array_min",
            "array_max",
            "array_unique",
            "not_allowed",
            "empty",
            "too_short",
            "too_long",
            "too_many",
            "too_large",
            "too_deep",
            "range",
            "exactly_one",
            "duplicate",
            "contradiction",
            "not_applicable",
            "not_supported",
            "not_configured",
            "not_found",
            "malformed",
            "invalid_time",
            "invalid_url",
            "url_not_allowed",
            "invalid_name",
            "invalid_value",
            "invalid_selector",
            "invalid_pattern",
            "forbidden_name",
            "forbidden_header",
            "ill_formed_text",
            "bad_encoding",
            "key_in_url",
            "websocket",
            "element_not_found",
            "other_site",
            "too_common",
            "unknown_value",
            "cron",
            "unknown_schedule",
            "unknown_time_zone",
            "not_a_feed",
            "private",
            "sitemap_too_large",
            "unsupported_media_type",
            "unsupported_search",
            "opml",
            "attribute",
            "source",
            "version",
            "dialect",
            "keyword",
            "format",
            "reference",
        ]
        """Stable; branch on it."""
        message: str

        @overload
        def __getitem__(self, key: Literal["field"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["code"], /
        ) -> Literal[
            "host_not_own",
            "required",
            "unknown_field",
            "string",
            "number",
            "boolean",
            "array",
            "object",
            "record",
            "type",
            "string_empty",
            "string_min",
            "string_max",
            "string_length",
            "string_pattern",
            "number_min",
            "number_max",
            "number_integer",
            "array_min",
            "array_max",
            "array_unique",
            "not_allowed",
            "empty",
            "too_short",
            "too_long",
            "too_many",
            "too_large",
            "too_deep",
            "range",
            "exactly_one",
            "duplicate",
            "contradiction",
            "not_applicable",
            "not_supported",
            "not_configured",
            "not_found",
            "malformed",
            "invalid_time",
            "invalid_url",
            "url_not_allowed",
            "invalid_name",
            "invalid_value",
            "invalid_selector",
            "invalid_pattern",
            "forbidden_name",
            "forbidden_header",
            "ill_formed_text",
            "bad_encoding",
            "key_in_url",
            "websocket",
            "element_not_found",
            "other_site",
            "too_common",
            "unknown_value",
            "cron",
            "unknown_schedule",
            "unknown_time_zone",
            "not_a_feed",
            "private",
            "sitemap_too_large",
            "unsupported_media_type",
            "unsupported_search",
            "opml",
            "attribute",
            "source",
            "version",
            "dialect",
            "keyword",
            "format",
            "reference",
        ]: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ErrorQuota(Answer):
    """On quota_exceeded: the quota that is used up."""

    __slots__ = ()

    if TYPE_CHECKING:
        name: Literal["pages", "rendered", "crawled", "events", "deliveries"]
        period: Literal["day", "month"]
        used: int
        limit: int
        resets_at: str

        @overload
        def __getitem__(
            self, key: Literal["name"], /
        ) -> Literal["pages", "rendered", "crawled", "events", "deliveries"]: ...

        @overload
        def __getitem__(self, key: Literal["period"], /) -> Literal["day", "month"]: ...

        @overload
        def __getitem__(self, key: Literal["used"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["limit"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["resets_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Error(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
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
            "content_refused",
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
        """Stable; branch on it."""
        error: str
        """A message for people."""
        message: str
        """The same message."""
        request_id: str
        details: list[ErrorDetail] | None
        """On validation_failed: every field that was refused."""
        retry_after: int | None
        """Whole seconds, on 429 and 503."""
        scrape_id: str | None
        """On scrape_timeout: the job that ran out of time."""
        content_type: str | None
        """On unsupported_media_type: what the target sent."""
        rules: (
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
            | None
        )
        """On url_not_allowed: the rules that refused the URL."""
        quota: ErrorQuota | None
        """On quota_exceeded: the quota that is used up."""
        scopes: list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None
        """On insufficient_scope: the scopes of which any one would do."""
        oldest_seq: int | None
        """On expired, of a position in the events: the oldest that is kept."""

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["error"]: ...

        @overload
        def __getitem__(
            self, key: Literal["code"], /
        ) -> Literal[
            "validation_failed",
            "malformed_json",
            "malformed_request",
            "invalid_url",
            "url_not_allowed",
            "unauthorized",
            "key_expired",
            "forbidden",
            "insufficient_scope",
            "content_refused",
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
        ]: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["request_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["details"], /) -> list[ErrorDetail]: ...

        @overload
        def __getitem__(self, key: Literal["retry_after"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["scrape_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["content_type"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["rules"], /
        ) -> list[
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
        ]: ...

        @overload
        def __getitem__(self, key: Literal["quota"], /) -> ErrorQuota: ...

        @overload
        def __getitem__(
            self, key: Literal["scopes"], /
        ) -> list[Literal["scrape", "crawl", "track", "webhooks", "read"]]: ...

        @overload
        def __getitem__(self, key: Literal["oldest_seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class AcceptedBatch(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        batch_id: str
        version: Literal["v1"]
        status: Literal["scraping"]
        invalid_urls: list[str] | None
        """With `ignore_invalid_urls`: the URLs that are not read."""
        webhook_secret: str | None
        """Signs the deliveries to `webhook.url`. Shown once, when it was made for a key that had none."""

        @overload
        def __getitem__(self, key: Literal["batch_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> Literal["v1"]: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["scraping"]: ...

        @overload
        def __getitem__(self, key: Literal["invalid_urls"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["webhook_secret"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class AcceptedCrawl(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        crawl_id: str
        version: Literal["v1"]
        status: Literal["crawling"]
        webhook_secret: str | None
        """Signs the deliveries to `webhook.url`. Shown once, when it was made for a key that had none."""

        @overload
        def __getitem__(self, key: Literal["crawl_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> Literal["v1"]: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["crawling"]: ...

        @overload
        def __getitem__(self, key: Literal["webhook_secret"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class AcceptedScrape(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        scrape_id: str
        version: Literal["v1"]
        status: Literal["pending", "completed", "failed"]
        """`pending`, unless the same request was sent before."""
        webhook_secret: str | None
        """Signs the deliveries to `webhook.url`. Shown once, when it was made for a key that had none."""

        @overload
        def __getitem__(self, key: Literal["scrape_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> Literal["v1"]: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["pending", "completed", "failed"]: ...

        @overload
        def __getitem__(self, key: Literal["webhook_secret"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Account(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """Id of the account on its network."""
        name: str
        """Display name."""
        username: str
        """Without the @."""
        description: str | None
        """What the account says of itself."""
        profile_image_url: str | None
        """URL of its picture."""
        protected: bool | None
        """Its owner approves followers."""
        verified: bool | None
        """The network has verified the account."""
        followers_count: int | None
        """Null where the network gives none."""
        following_count: int | None
        """Null where the network gives none."""
        created_at: str | None
        """When the account was opened."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["username"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["description"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["profile_image_url"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["protected"], /) -> bool | None: ...

        @overload
        def __getitem__(self, key: Literal["verified"], /) -> bool | None: ...

        @overload
        def __getitem__(self, key: Literal["followers_count"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["following_count"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["created_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class AccountAboutAboutProfileUsernameChanges(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        count: str
        """A number, as a string."""
        last_changed_at_msec: str | None
        """Unix time in milliseconds, as a string."""

        @overload
        def __getitem__(self, key: Literal["count"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["last_changed_at_msec"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class AccountAboutAboutProfile(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        account_based_in: str | None
        """Country."""
        created_country_accurate: bool | None
        """Whether the country in which it was opened is certain."""
        location_accurate: bool | None
        """Whether `account_based_in` is certain."""
        source: str | None
        """The app or store through which it connects."""
        username_changes: AccountAboutAboutProfileUsernameChanges | None

        @overload
        def __getitem__(self, key: Literal["account_based_in"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["created_country_accurate"], /) -> bool | None: ...

        @overload
        def __getitem__(self, key: Literal["location_accurate"], /) -> bool | None: ...

        @overload
        def __getitem__(self, key: Literal["source"], /) -> str | None: ...

        @overload
        def __getitem__(
            self, key: Literal["username_changes"], /
        ) -> AccountAboutAboutProfileUsernameChanges | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class AccountAboutAvatar(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        image_url: str | None
        """URL of its picture."""

        @overload
        def __getitem__(self, key: Literal["image_url"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class AccountAboutPrivacy(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        protected: bool | None
        """Its owner approves followers."""

        @overload
        def __getitem__(self, key: Literal["protected"], /) -> bool | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class AccountAboutVerification(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        verified: bool | None
        """Legacy verification."""

        @overload
        def __getitem__(self, key: Literal["verified"], /) -> bool | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class AccountAboutVerificationInfo(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        is_identity_verified: bool | None
        """The network has verified the identity."""

        @overload
        def __getitem__(self, key: Literal["is_identity_verified"], /) -> bool | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class AccountAbout(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """Id of the account on its network."""
        name: str
        """Display name."""
        username: str
        """Without the @."""
        created_at: str | None
        """When the account was opened."""
        about_profile: AccountAboutAboutProfile
        avatar: AccountAboutAvatar
        is_blue_verified: bool | None
        """Premium verification."""
        profile_image_shape: str | None
        """As in `Circle`."""
        privacy: AccountAboutPrivacy
        verification: AccountAboutVerification
        verification_info: AccountAboutVerificationInfo

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["username"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["created_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["about_profile"], /) -> AccountAboutAboutProfile: ...

        @overload
        def __getitem__(self, key: Literal["avatar"], /) -> AccountAboutAvatar: ...

        @overload
        def __getitem__(self, key: Literal["is_blue_verified"], /) -> bool | None: ...

        @overload
        def __getitem__(self, key: Literal["profile_image_shape"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["privacy"], /) -> AccountAboutPrivacy: ...

        @overload
        def __getitem__(self, key: Literal["verification"], /) -> AccountAboutVerification: ...

        @overload
        def __getitem__(self, key: Literal["verification_info"], /) -> AccountAboutVerificationInfo: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ActivitySeries(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        requests: list[int]
        """Requests that were made with an API key."""
        events: list[int]
        """Events that were appended, once for each key."""
        delivered: list[int]
        """Attempts to deliver that the receiver took."""
        failed: list[int]
        """Attempts to deliver that failed."""
        polls: list[int]
        """Polls of sources."""
        scrapes: list[int]
        """Scrapes that ended."""

        @overload
        def __getitem__(self, key: Literal["requests"], /) -> list[int]: ...

        @overload
        def __getitem__(self, key: Literal["events"], /) -> list[int]: ...

        @overload
        def __getitem__(self, key: Literal["delivered"], /) -> list[int]: ...

        @overload
        def __getitem__(self, key: Literal["failed"], /) -> list[int]: ...

        @overload
        def __getitem__(self, key: Literal["polls"], /) -> list[int]: ...

        @overload
        def __getitem__(self, key: Literal["scrapes"], /) -> list[int]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ApiKey(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        name: str
        key: str
        """The key value."""
        createdAt: str
        scopes: list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None
        """What the key may do; null for everything."""
        expires_at: str | None
        """When the key ends; null for never."""
        content_uses: list[Literal["train_ai", "ai_input", "search", "tdm"]] | None
        """What the key wants content for; null where it does not say."""
        last_used_at: str | None
        """The minute of the latest request with the key; null before the first one."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["key"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["createdAt"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["scopes"], /
        ) -> list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str | None: ...

        @overload
        def __getitem__(
            self, key: Literal["content_uses"], /
        ) -> list[Literal["train_ai", "ai_input", "search", "tdm"]] | None: ...

        @overload
        def __getitem__(self, key: Literal["last_used_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Attachment(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        filename: str
        url: str
        contentType: str | None
        size: int | None
        """Bytes."""
        alt: str | None
        """What its author says that it shows."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["filename"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["contentType"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["size"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["alt"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class AuditActor(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        role: Literal["admin", "owner", "key", "nobody"]
        """The administrator, an owner who signed in, an API key, or nobody: a sign-in that was refused, or the link of a mail."""
        owner: str | None
        """The owner, also that of a key; of a refused sign-in the one it named."""
        key_id: str | None
        """`id` of the key that was sent, or that a person acted as."""
        signed_in: bool
        """By a session, not by a key in a header."""

        @overload
        def __getitem__(self, key: Literal["role"], /) -> Literal["admin", "owner", "key", "nobody"]: ...

        @overload
        def __getitem__(self, key: Literal["owner"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["key_id"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["signed_in"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Author(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        rest_id: str
        """Id of the account on its network."""
        name: str
        """Display name."""
        username: str
        """Without the @."""

        @overload
        def __getitem__(self, key: Literal["rest_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["username"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CancelledBatch(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        batch_id: str
        version: Literal["v1"]
        status: Literal["cancelled"]

        @overload
        def __getitem__(self, key: Literal["batch_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> Literal["v1"]: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["cancelled"]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CancelledCrawl(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        crawl_id: str
        version: Literal["v1"]
        status: Literal["cancelled"]

        @overload
        def __getitem__(self, key: Literal["crawl_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> Literal["v1"]: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["cancelled"]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


ChangedWebhookEndpointSource: TypeAlias = str

ChangedWebhookEndpointTag: TypeAlias = str


class Check(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        at: str
        """When the latest of these checks began."""
        since: str
        """When the first of them began."""
        checks: int
        """How many there were in a row, with the same outcome and reason."""
        outcome: Literal["same", "changed", "held", "muted", "failed"]
        """`same`; `changed`: it made an event; `held`: a condition of `when` held it; `muted`: only restless lines changed; `failed`."""
        reason: str
        """Why, in a sentence."""
        status: int | None
        """The HTTP status."""
        engine: Literal["http", "browser"] | None
        took_ms: int
        version: str | None
        """The version that the latest one found."""
        event_id: str | None
        """The calling key's event that it made."""

        @overload
        def __getitem__(self, key: Literal["at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["since"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["checks"], /) -> int: ...

        @overload
        def __getitem__(
            self, key: Literal["outcome"], /
        ) -> Literal["same", "changed", "held", "muted", "failed"]: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["engine"], /) -> Literal["http", "browser"] | None: ...

        @overload
        def __getitem__(self, key: Literal["took_ms"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["event_id"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CheckLivenessResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        status: Literal["live"]

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["live"]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CheckReadinessResponseServicesFinding(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        name: str
        status: Literal["ok", "degraded", "missing"]
        detail: str | None
        """What to do about it."""

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["ok", "degraded", "missing"]: ...

        @overload
        def __getitem__(self, key: Literal["detail"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CheckReadinessResponseServices(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        status: Literal["ready", "degraded", "unavailable"]
        findings: list[CheckReadinessResponseServicesFinding]

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["ready", "degraded", "unavailable"]: ...

        @overload
        def __getitem__(self, key: Literal["findings"], /) -> list[CheckReadinessResponseServicesFinding]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CheckReadinessResponseRoomsFinding(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        name: str
        status: Literal["ok", "degraded", "missing"]
        detail: str | None
        """What to do about it."""

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["ok", "degraded", "missing"]: ...

        @overload
        def __getitem__(self, key: Literal["detail"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CheckReadinessResponseRooms(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        status: Literal["ready", "degraded", "unavailable"]
        findings: list[CheckReadinessResponseRoomsFinding]

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["ready", "degraded", "unavailable"]: ...

        @overload
        def __getitem__(self, key: Literal["findings"], /) -> list[CheckReadinessResponseRoomsFinding]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CheckReadinessResponseMissingItem(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        service: str
        room: str
        """`service`, by its former name."""
        name: str
        status: Literal["ok", "degraded", "missing"]
        detail: str | None
        """What to do about it."""

        @overload
        def __getitem__(self, key: Literal["service"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["room"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["ok", "degraded", "missing"]: ...

        @overload
        def __getitem__(self, key: Literal["detail"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CheckReadinessResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        status: Literal["ready", "degraded"]
        services: dict[str, CheckReadinessResponseServices]
        rooms: dict[str, CheckReadinessResponseRooms]
        """`services`, by its former name."""
        missing: list[CheckReadinessResponseMissingItem]

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["ready", "degraded"]: ...

        @overload
        def __getitem__(self, key: Literal["services"], /) -> dict[str, CheckReadinessResponseServices]: ...

        @overload
        def __getitem__(self, key: Literal["rooms"], /) -> dict[str, CheckReadinessResponseRooms]: ...

        @overload
        def __getitem__(self, key: Literal["missing"], /) -> list[CheckReadinessResponseMissingItem]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ContentUsageStatement(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        by: Literal["robots.txt", "tdmrep.json", "header", "page"]
        name: str
        """Of the line, the property, the header or the `meta` element."""
        value: str

        @overload
        def __getitem__(
            self, key: Literal["by"], /
        ) -> Literal["robots.txt", "tdmrep.json", "header", "page"]: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["value"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ContentUsage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        train_ai: Literal["yes", "no"] | None
        """To train models on it; null where nothing is said, as in the others."""
        ai_input: Literal["yes", "no"] | None
        """To put it into the prompt of a model, as for an answer."""
        search: Literal["yes", "no"] | None
        """To show it among the results of a search, with its address."""
        tdm: Literal["yes", "no"] | None
        """To mine text and data."""
        statements: list[ContentUsageStatement]
        """As they were read. Where they differ, the one that refuses counts."""

        @overload
        def __getitem__(self, key: Literal["train_ai"], /) -> Literal["yes", "no"] | None: ...

        @overload
        def __getitem__(self, key: Literal["ai_input"], /) -> Literal["yes", "no"] | None: ...

        @overload
        def __getitem__(self, key: Literal["search"], /) -> Literal["yes", "no"] | None: ...

        @overload
        def __getitem__(self, key: Literal["tdm"], /) -> Literal["yes", "no"] | None: ...

        @overload
        def __getitem__(self, key: Literal["statements"], /) -> list[ContentUsageStatement]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CrawlError(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        url: str
        status: Literal["failed", "skipped"]
        code: str
        message: str

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["failed", "skipped"]: ...

        @overload
        def __getitem__(self, key: Literal["code"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CrawlProgress(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        discovered: int
        """Pages found: the sum of the others."""
        queued: int
        """Pages that wait to be read."""
        running: int
        """Pages that are being read."""
        completed: int
        """Pages that were read."""
        failed: int
        """Pages that could not be read."""
        skipped: int
        """Pages that were skipped, for example because of robots.txt."""

        @overload
        def __getitem__(self, key: Literal["discovered"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["queued"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["running"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["completed"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["failed"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["skipped"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CrawlSummary(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        crawl_id: str
        """Of a batch its `batch_id`."""
        kind: Literal["crawl", "batch"]
        key_id: str
        """`id` of the key."""
        url: str
        """The entry page; of a batch the first of its URLs."""
        status: Literal["crawling", "completed", "failed", "cancelled"]
        progress: CrawlProgress
        started_at: str
        ended_at: str | None
        expires_at: str | None
        """When its pages are removed; null while it runs."""

        @overload
        def __getitem__(self, key: Literal["crawl_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["kind"], /) -> Literal["crawl", "batch"]: ...

        @overload
        def __getitem__(self, key: Literal["key_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["crawling", "completed", "failed", "cancelled"]: ...

        @overload
        def __getitem__(self, key: Literal["progress"], /) -> CrawlProgress: ...

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DailyUsage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        keyId: str
        day: str
        requests: int

        @overload
        def __getitem__(self, key: Literal["keyId"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["day"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["requests"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DatedSource(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """`iid` when untracking."""
        source: str
        """The kind in upper case, for example `RSS`."""
        externalId: str
        """`eid` when untracking: what the platform calls it; for pages and feeds the URL."""
        username: str
        """Its handle; for pages and feeds the host."""
        name: str
        """Display name; for pages and feeds the title."""
        network: str | None
        """Of an account, channel or chat server: its network, such as `bluesky`."""
        createdAt: str
        """When the calling key began to track it."""
        updatedAt: str
        """When the source last changed its name, address or state."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["externalId"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["username"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["network"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["createdAt"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["updatedAt"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DeleteEndpointResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        message: str

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DeleteFeedResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        message: str

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DeleteMonitorResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        message: str

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DeleteWebhookResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        message: str

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DeletedChatMessage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        channelId: str
        guildId: str | None

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["channelId"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["guildId"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DeletedMessengerMessage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: int
        channelId: str

        @overload
        def __getitem__(self, key: Literal["id"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["channelId"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DeletedPost(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        rest_id: str

        @overload
        def __getitem__(self, key: Literal["rest_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Delivery(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        webhook_id: str | None
        """`id` of the webhook; null for the notice of a job."""
        event_id: str
        type: str
        seq: int | None
        """The event's position in the key's log; null for the notice of a job."""
        url: str
        """Where it was sent."""
        attempt: int
        outcome: Literal["succeeded", "failed", "dead"]
        """`dead`: set aside after the last attempt. It becomes `failed` when the event is retried by hand and arrives."""
        http_status: int | None
        """Null when no answer came. Of a mail: the code of SMTP."""
        error: str | None
        """Why it failed. `dns`: the name does not resolve. `not_allowed`: the address is not allowed. `refused`: the connection was refused. `unreachable`: no route leads to the address. `timeout_connect`: no connection in time. `tls_expired`: the certificate has expired. `tls_host`: the certificate is for another name. `tls_other`: the TLS handshake or the certificate failed. `reset`: the connection broke off. `timeout_answer`: no complete answer in time. `malformed`: the answer is not HTTP. `interrupted`: Magpie ended the exchange. `status_503`: it answered with this status. Of a mail: `smtp`, `timeout`, `connection` or `tls`. `destination`: a folder, bucket or queue has refused it. `transform`: the webhook's `transform` makes no body of it. Of both, `answer` says why."""
        duration_ms: float
        answer: str
        """Its first 2 KB."""
        at: str

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["webhook_id"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["event_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["attempt"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["outcome"], /) -> Literal["succeeded", "failed", "dead"]: ...

        @overload
        def __getitem__(self, key: Literal["http_status"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["duration_ms"], /) -> float: ...

        @overload
        def __getitem__(self, key: Literal["answer"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DeliveryWithBody(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        webhook_id: str | None
        """`id` of the webhook; null for the notice of a job."""
        event_id: str
        type: str
        seq: int | None
        """The event's position in the key's log; null for the notice of a job."""
        url: str
        """Where it was sent."""
        attempt: int
        outcome: Literal["succeeded", "failed", "dead"]
        """`dead`: set aside after the last attempt. It becomes `failed` when the event is retried by hand and arrives."""
        http_status: int | None
        """Null when no answer came. Of a mail: the code of SMTP."""
        error: str | None
        """Why it failed. `dns`: the name does not resolve. `not_allowed`: the address is not allowed. `refused`: the connection was refused. `unreachable`: no route leads to the address. `timeout_connect`: no connection in time. `tls_expired`: the certificate has expired. `tls_host`: the certificate is for another name. `tls_other`: the TLS handshake or the certificate failed. `reset`: the connection broke off. `timeout_answer`: no complete answer in time. `malformed`: the answer is not HTTP. `interrupted`: Magpie ended the exchange. `status_503`: it answered with this status. Of a mail: `smtp`, `timeout`, `connection` or `tls`. `destination`: a folder, bucket or queue has refused it. `transform`: the webhook's `transform` makes no body of it. Of both, `answer` says why."""
        duration_ms: float
        answer: str
        """Its first 2 KB."""
        at: str
        body: dict[str, Any] | None
        """The event as it was sent; of a batch, the event of this attempt. Null when it is no longer kept: events are kept for 72 hours, notices of jobs until they arrive."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["webhook_id"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["event_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["attempt"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["outcome"], /) -> Literal["succeeded", "failed", "dead"]: ...

        @overload
        def __getitem__(self, key: Literal["http_status"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["duration_ms"], /) -> float: ...

        @overload
        def __getitem__(self, key: Literal["answer"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["body"], /) -> dict[str, Any] | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DiffPart(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        text: str
        kind: Literal["same", "added", "removed"]

        @overload
        def __getitem__(self, key: Literal["text"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["kind"], /) -> Literal["same", "added", "removed"]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DocumentMetadata(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        title: str
        description: str | None
        language: str | None
        """BCP 47 tag as the page declares it."""
        canonical_url: str | None
        page_title: str | None
        """The page's own `<title>`, or a document's title. `title` may be that of OpenGraph or the first heading."""
        author: str | None
        """Who wrote the page, without "By"; several are separated by commas."""
        published_time: str | None
        """ISO 8601: a time with the page's own offset (`2025-09-04T10:00:00+02:00`), or a date (`2025-09-04`) where the page gives no time or no offset."""
        modified_time: str | None
        """As `published_time`."""
        keywords: list[str] | None
        """At most 50, each once."""
        site_name: str | None
        favicon: str | None
        """Absolute URL, as the page declares it."""
        image: str | None
        """Absolute URL of the image that represents the page where it is shared."""
        robots: str | None
        """The contents of `<meta name=robots>`."""
        content_type: str
        """The media type that the document was read as."""
        word_count: int
        """Words of the content: of the whole page with `only_main_content: false`."""
        og: dict[str, str]
        """OpenGraph properties without `og:`."""
        content_usage: ContentUsage | None
        """What the site says its content may be used for; absent where it says nothing."""
        warning: str | None
        """Why the page came out nearly empty, was read as the server sent it, or is only the beginning of a document, which formats of a large page are cut, and why a language model was not used; absent otherwise."""
        file_name: str
        """As it was sent; empty where it was not."""

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["description"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["language"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["canonical_url"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["page_title"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["author"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["published_time"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["modified_time"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["keywords"], /) -> list[str] | None: ...

        @overload
        def __getitem__(self, key: Literal["site_name"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["favicon"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["image"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["robots"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["content_type"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["word_count"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["og"], /) -> dict[str, str]: ...

        @overload
        def __getitem__(self, key: Literal["content_usage"], /) -> ContentUsage: ...

        @overload
        def __getitem__(self, key: Literal["warning"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["file_name"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


DocumentReadingIncludeTag: TypeAlias = str

"""
CSS selector.
"""

DocumentReadingExcludeTag: TypeAlias = str

"""
CSS selector.
"""


class EmbedField(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        name: str
        value: str

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["value"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EndpointOfEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        name: str | None
        host: str

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["host"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EndpointRecoveredEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        endpoint: EndpointOfEvent
        """The webhook, by its id; its address is left out, since it may hold a secret."""
        reason: str
        """A sentence for people."""
        failing_since: str | None
        """The first of the failures in a row."""
        http_status: int | None
        """Of the last attempt."""
        error: str | None
        """Why it failed. `dns`: the name does not resolve. `not_allowed`: the address is not allowed. `refused`: the connection was refused. `unreachable`: no route leads to the address. `timeout_connect`: no connection in time. `tls_expired`: the certificate has expired. `tls_host`: the certificate is for another name. `tls_other`: the TLS handshake or the certificate failed. `reset`: the connection broke off. `timeout_answer`: no complete answer in time. `malformed`: the answer is not HTTP. `interrupted`: Magpie ended the exchange. `status_503`: it answered with this status. Of a mail: `smtp`, `timeout`, `connection` or `tls`. `destination`: a folder, bucket or queue has refused it. `transform`: the webhook's `transform` makes no body of it. Of both, `answer` says why."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["endpoint"], /) -> EndpointOfEvent: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["failing_since"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["http_status"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EndpointRecoveredEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["endpoint.recovered"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: EndpointRecoveredEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["endpoint.recovered"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> EndpointRecoveredEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ErasedKind(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        kind: str
        """As the page of what is kept names it."""
        count: int

        @overload
        def __getitem__(self, key: Literal["kind"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["count"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ErasedSession(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Erasure(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        subject: Literal["key", "owner", "source"]
        """Whose data. The name itself is forgotten at the end."""
        dry_run: bool
        """Counts, and erases nothing."""
        state: Literal["running", "completed", "failed"]
        step: str | None
        """What is being done; null at the end."""
        found: list[ErasedKind]
        """What was found of each kind, before anything was erased."""
        created_at: str
        ended_at: str | None

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["subject"], /) -> Literal["key", "owner", "source"]: ...

        @overload
        def __getitem__(self, key: Literal["dry_run"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["state"], /) -> Literal["running", "completed", "failed"]: ...

        @overload
        def __getitem__(self, key: Literal["step"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["found"], /) -> list[ErasedKind]: ...

        @overload
        def __getitem__(self, key: Literal["created_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ErrorFrame(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        type: Literal["error"]
        code: str
        """Stable; branch on it."""
        message: str
        """For people."""
        oldest_seq: int | None
        """On `cursor_too_old`: where the log begins."""
        retry_after: int | None
        """Whole seconds to wait before the next connection."""

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["error"]: ...

        @overload
        def __getitem__(self, key: Literal["code"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["oldest_seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["retry_after"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EventErasedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EventErasedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["event.erased"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: EventErasedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["event.erased"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> EventErasedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EventFeed(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        name: str | None
        tags: list[str]
        sources: list[str]
        event_types: list[
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
        meaningful: bool
        """True: without the changes that a judge has dismissed by the goal of their source. Events that are not judged, or were not in time, pass."""
        token: str
        """The secret in its addresses: who has it can read the feed."""
        created_at: str
        atom_url: str
        """The feed as Atom, for any feed reader."""
        json_url: str
        """The same as JSON Feed 1.1."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["tags"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["sources"], /) -> list[str]: ...

        @overload
        def __getitem__(
            self, key: Literal["event_types"], /
        ) -> list[
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
        ]: ...

        @overload
        def __getitem__(self, key: Literal["meaningful"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["token"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["created_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["atom_url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["json_url"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EventTypeDescription(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        type: str
        description: str
        schema: dict[str, Any]
        """JSON Schema of the event."""
        example: dict[str, Any]
        """An event of this type."""

        @overload
        def __getitem__(self, key: Literal["type"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["description"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["schema"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["example"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FailedPageMetadata(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        final_url: str
        status_code: int | None
        source_url: str | None
        """Of a batch: the URL as it was asked for."""

        @overload
        def __getitem__(self, key: Literal["final_url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["status_code"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["source_url"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Failure(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        code: str
        message: str

        @overload
        def __getitem__(self, key: Literal["code"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FeedAttachment(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        url: str
        """An address of the web, or `magnet:` of a torrent."""
        mime_type: str
        title: str | None
        alt: str | None
        """What a picture or a video shows, by its `media:description`."""
        size_in_bytes: float | None
        duration_in_seconds: float | None

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["mime_type"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["alt"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["size_in_bytes"], /) -> float: ...

        @overload
        def __getitem__(self, key: Literal["duration_in_seconds"], /) -> float: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FeedAuthor(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        name: str | None
        url: str | None
        avatar: str | None

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["avatar"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FeedGap(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        from_: str | None
        until: str | None
        items_: int
        pages: int

        @overload
        def __getitem__(self, key: Literal["from"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["until"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["items"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["pages"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FeedSource(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        title: str | None
        url: str | None

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FieldChange(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        from_: Any
        to: Any

        @overload
        def __getitem__(self, key: Literal["from"], /) -> Any: ...

        @overload
        def __getitem__(self, key: Literal["to"], /) -> Any: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FilterProblem(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        message: str
        at: str

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FindSourcesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[DatedSource]
        total: int
        """Of all pages."""
        page: int
        """As asked for."""
        limit: int
        """As asked for."""
        next_cursor: int | None
        """The page after; null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[DatedSource]: ...

        @overload
        def __getitem__(self, key: Literal["total"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["page"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["limit"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FolderDestination(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        type: Literal["folder"]
        path: str | None
        """A folder below that of the key, in the operator's `DESTINATION_FOLDER`. Left out: that of the key itself."""

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["folder"]: ...

        @overload
        def __getitem__(self, key: Literal["path"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FoundSource(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        source: str
        name: str
        externalId: str

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["externalId"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Found(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        kind: Literal["version", "event"]
        at: str
        source: FoundSource
        title: str
        passage: str
        """Around the words, which are between `**`."""
        version: str | None
        event_id: str | None
        url: str | None

        @overload
        def __getitem__(self, key: Literal["kind"], /) -> Literal["version", "event"]: ...

        @overload
        def __getitem__(self, key: Literal["at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source"], /) -> FoundSource: ...

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["passage"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["event_id"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetDeliveryResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: DeliveryWithBody
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> DeliveryWithBody: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetErasureResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Erasure
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Erasure: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetWebhookResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: str | None
        message: str | None

        @overload
        def __getitem__(self, key: Literal["data"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GuideHitExcerptItem(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        text: str
        match: bool

        @overload
        def __getitem__(self, key: Literal["text"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["match"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GuideHit(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        title: str
        heading: str
        """The heading below which it is; empty at the beginning of a page."""
        url: str
        excerpt: list[GuideHitExcerptItem]
        """Some of its words; `match` marks those that were asked for."""

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["heading"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["excerpt"], /) -> list[GuideHitExcerptItem]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class HelloFrame(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        type: Literal["hello"]
        seq: int
        """The newest event of the key's log; 0 when it never had one."""
        oldest_seq: int
        """The oldest that is kept; `seq` + 1 when all have expired."""
        heartbeat_ms: int
        """Milliseconds between the heartbeats of the service."""

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["hello"]: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["oldest_seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["heartbeat_ms"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class HomeResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        name: str
        summary: str
        status: Literal["ready", "degraded", "unavailable"]
        links: dict[str, str]

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["summary"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["ready", "degraded", "unavailable"]: ...

        @overload
        def __getitem__(self, key: Literal["links"], /) -> dict[str, str]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ItemChange(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        added: list[str]
        """New lines of title, address, author, text and attachments."""
        removed: list[str]
        """Removed lines, likewise."""
        diff: str
        """A unified diff of these lines, as Markdown."""
        truncated: bool | None
        """Texts were cut, so that the event stays below 256 KB."""

        @overload
        def __getitem__(self, key: Literal["added"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["removed"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["diff"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["truncated"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class JsonOptions(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        prompt: str | None
        """What to extract, in words. Without a language model: names of values and lists of the page, and plain questions for them."""
        mode: Literal["auto", "recipe", "values"] | None
        """With a language model, by default `auto`: selectors for pages that are made alike, and values of the model where no selector gives what is asked for. `recipe`: selectors alone. `values`: the model reads each page, and its values must rest on words of it."""
        json_schema: dict[str, Any] | None
        """JSON Schema that the answer fits, of at most 16 KB, 10 levels and 100 properties, without `$ref` to elsewhere."""
        recipe: dict[str, Any] | None
        """`data.json_recipe` of an earlier scrape: extracts the same fields again, without a model."""

        @overload
        def __getitem__(self, key: Literal["prompt"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["mode"], /) -> Literal["auto", "recipe", "values"] | None: ...

        @overload
        def __getitem__(self, key: Literal["json_schema"], /) -> dict[str, Any] | None: ...

        @overload
        def __getitem__(self, key: Literal["recipe"], /) -> dict[str, Any] | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Judgement(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        judged: bool
        """False: no verdict was had in time, for the reason in `reason`. The event was not held back."""
        meaningful: bool | None
        """Whether the goal is concerned."""
        confidence: float | None
        """From 0 to 1."""
        reason: str | None
        """Why, in a sentence."""
        summary: str | None
        """What has changed, in a sentence."""
        goal: str
        """The goal that it was judged by."""

        @overload
        def __getitem__(self, key: Literal["judged"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["meaningful"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["confidence"], /) -> float: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["summary"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["goal"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class KeyDelivery(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        webhook_id: str | None
        """`id` of the webhook; null for the notice of a job."""
        event_id: str
        type: str
        seq: int | None
        """The event's position in the key's log; null for the notice of a job."""
        url: str
        """Where it was sent."""
        attempt: int
        outcome: Literal["succeeded", "failed", "dead"]
        """`dead`: set aside after the last attempt. It becomes `failed` when the event is retried by hand and arrives."""
        http_status: int | None
        """Null when no answer came. Of a mail: the code of SMTP."""
        error: str | None
        """Why it failed. `dns`: the name does not resolve. `not_allowed`: the address is not allowed. `refused`: the connection was refused. `unreachable`: no route leads to the address. `timeout_connect`: no connection in time. `tls_expired`: the certificate has expired. `tls_host`: the certificate is for another name. `tls_other`: the TLS handshake or the certificate failed. `reset`: the connection broke off. `timeout_answer`: no complete answer in time. `malformed`: the answer is not HTTP. `interrupted`: Magpie ended the exchange. `status_503`: it answered with this status. Of a mail: `smtp`, `timeout`, `connection` or `tls`. `destination`: a folder, bucket or queue has refused it. `transform`: the webhook's `transform` makes no body of it. Of both, `answer` says why."""
        duration_ms: float
        answer: str
        """Its first 2 KB."""
        at: str
        key_id: str
        """`id` of the key."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["webhook_id"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["event_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["attempt"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["outcome"], /) -> Literal["succeeded", "failed", "dead"]: ...

        @overload
        def __getitem__(self, key: Literal["http_status"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["duration_ms"], /) -> float: ...

        @overload
        def __getitem__(self, key: Literal["answer"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["key_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class KeyLimits(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        requestsPerMinute: int
        """Requests in any window of 60 s."""
        concurrentScrapes: int
        """Scrapes at a time."""
        concurrentCrawls: int
        """Crawls and batches at a time."""
        trackedSources: int
        """Sources that the key may track."""

        @overload
        def __getitem__(self, key: Literal["requestsPerMinute"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["concurrentScrapes"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["concurrentCrawls"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["trackedSources"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class KeyUsage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        key_id: str
        name: str | None
        """Null when the key was just deleted."""
        owner: str | None
        requests: list[int]
        """On each day."""

        @overload
        def __getitem__(self, key: Literal["key_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["owner"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["requests"], /) -> list[int]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListAllCrawlsResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[CrawlSummary]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[CrawlSummary]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListAllDeliveriesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[KeyDelivery]
        next_cursor: str | None
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[KeyDelivery]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListApiKeysResponseData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        apiKeys: list[ApiKey]
        messengerDefaultApiKeyId: str | None
        """The key that the messenger bot uses."""

        @overload
        def __getitem__(self, key: Literal["apiKeys"], /) -> list[ApiKey]: ...

        @overload
        def __getitem__(self, key: Literal["messengerDefaultApiKeyId"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListApiKeysResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: ListApiKeysResponseData
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ListApiKeysResponseData: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListBatchErrorsResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        batch_id: str
        data: list[CrawlError]
        next_cursor: str | None
        """Where the next page of this list begins; null when it has ended."""

        @overload
        def __getitem__(self, key: Literal["batch_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[CrawlError]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListChecksResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[Check]
        next_cursor: str | None
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[Check]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListCrawlErrorsResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        crawl_id: str
        data: list[CrawlError]
        next_cursor: str | None
        """Where the next page of this list begins; null when it has ended."""

        @overload
        def __getitem__(self, key: Literal["crawl_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[CrawlError]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListCrawlsResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[CrawlSummary]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[CrawlSummary]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListDeliveriesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[Delivery]
        next_cursor: str | None
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[Delivery]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListEndpointDeliveriesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[Delivery]
        next_cursor: str | None
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[Delivery]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListEventTypesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[EventTypeDescription]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[EventTypeDescription]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListFeedsResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[EventFeed]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[EventFeed]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MappedPage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        url: str
        title: str | None
        """The page's title where it is known, else the text of a link to it."""
        description: str | None

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["description"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MeKey(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        name: str
        key: str
        """The last four characters of the value."""
        createdAt: str
        scopes: list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None
        """What the key may do; null for everything."""
        expires_at: str | None
        """When the key ends; null for never."""
        content_uses: list[Literal["train_ai", "ai_input", "search", "tdm"]] | None
        """What the key wants content for; null where it does not say."""
        last_used_at: str | None
        """The minute of the latest request with the key; null before the first one."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["key"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["createdAt"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["scopes"], /
        ) -> list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str | None: ...

        @overload
        def __getitem__(
            self, key: Literal["content_uses"], /
        ) -> list[Literal["train_ai", "ai_input", "search", "tdm"]] | None: ...

        @overload
        def __getitem__(self, key: Literal["last_used_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Media(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        type: Literal["image", "video", "gif", "audio", "unknown"]
        """`gif` is a short video without sound that repeats."""
        url: str | None
        """Where the file is; of a video of Bluesky its playlist (HLS). Null where the network gives none."""
        preview_url: str | None
        """A smaller picture of it."""
        alt: str | None
        """What its author says that it shows; null without such a text."""

        @overload
        def __getitem__(
            self, key: Literal["type"], /
        ) -> Literal["image", "video", "gif", "audio", "unknown"]: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["preview_url"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["alt"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Mention(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        name: str
        """Without the @ or the #."""
        url: str | None
        type: Literal["account", "channel", "role"]
        """`channel` and `role` are of a chat server."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["account", "channel", "role"]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MonitorCounts(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        pages: int
        """Of all states."""
        same: int
        new: int
        changed: int
        moved: int
        removed: int
        failed: int
        """Pages that could not be read."""

        @overload
        def __getitem__(self, key: Literal["pages"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["same"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["new"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["changed"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["moved"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["removed"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["failed"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MonitorName(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        name: str

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MonitorPage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        target: str
        """`id` of the target."""
        source_id: str | None
        """The source that it belongs to; null where it could not be tracked."""
        url: str
        title: str | None
        status: Literal["same", "new", "changed", "moved", "removed", "failed"]
        """`new` also on the first check of a page: there is nothing to compare it with."""
        http_status: int | None
        error: str | None
        """Why it could not be read."""
        moved_from: str | None
        """Of `moved`: its former address."""
        version: str | None
        """The version that was kept of it."""
        previous_version: str | None
        """The one with which it was compared."""
        change: dict[str, Any] | None
        """As in the event: `added`, `removed`, `diff` and others."""
        judgement: Judgement | None
        """With `goal`: what the language model says of it."""
        at: str

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["target"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source_id"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str | None: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["same", "new", "changed", "moved", "removed", "failed"]: ...

        @overload
        def __getitem__(self, key: Literal["http_status"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["moved_from"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["previous_version"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["change"], /) -> dict[str, Any] | None: ...

        @overload
        def __getitem__(self, key: Literal["judgement"], /) -> Judgement: ...

        @overload
        def __getitem__(self, key: Literal["at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MonitorSchedule(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        cron: str
        """What the words mean, where it was said in words."""
        text: str | None
        time_zone: str

        @overload
        def __getitem__(self, key: Literal["cron"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["text"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["time_zone"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MutedLine(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        text: str
        """What it shows now."""
        since: str
        """Since when it is muted."""
        ignore: str
        """The pattern for `ignore` that would settle it for good."""

        @overload
        def __getitem__(self, key: Literal["text"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["since"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ignore"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class NatsDestination(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        type: Literal["nats"]
        host: str
        """The name or address of the server."""
        port: int | None
        """Its port; by default 4222."""
        subject: str
        """The subject, which a stream takes."""
        tls: bool | None
        """False: without encryption, where the operator allows that with `WEBHOOK_ALLOW_HTTP`."""
        ca: str | None
        """The certificates, in PEM, by which the server's is checked. Left out: those that browsers trust."""
        user: str | None
        """Who signs in."""
        password: str | None
        """The user's password."""
        token: str | None
        """In place of a user."""
        credentials: str | None
        """In place of a user: the text of a `.creds` file, with a JWT and its key."""

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["nats"]: ...

        @overload
        def __getitem__(self, key: Literal["host"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["port"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["subject"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["tls"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["ca"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["user"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["password"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["token"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["credentials"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


NewWebhookEndpointSource: TypeAlias = str

NewWebhookEndpointTag: TypeAlias = str

OpmlEntryTag: TypeAlias = str


class OpmlEntryError(Answer):
    """Why it failed."""

    __slots__ = ()

    if TYPE_CHECKING:
        code: str
        message: str

        @overload
        def __getitem__(self, key: Literal["code"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class OtherPost(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """Its id on its network."""
        url: str | None
        """Its address."""
        author: str | None
        """The name of its author: on a microblog the handle, without the @."""
        text: str | None

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["author"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["text"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class OutlinePartWithinItem(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        tag: str
        selector: str

        @overload
        def __getitem__(self, key: Literal["tag"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["selector"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class OutlinePart(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        tag: str
        """The tag, in lower case."""
        text: str
        """What it says, at most 300 characters."""
        selector: str
        """A CSS selector for `select` or `remove`."""
        within: list[OutlinePartWithinItem]
        """The elements around it, the nearest first."""

        @overload
        def __getitem__(self, key: Literal["tag"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["text"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["selector"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["within"], /) -> list[OutlinePartWithinItem]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class OverviewPart(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        name: str
        """A service, or a server that all nodes share."""
        status: Literal["ready", "degraded", "unavailable"]
        problem: str | None
        """What is wrong and what to do about it."""

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["ready", "degraded", "unavailable"]: ...

        @overload
        def __getitem__(self, key: Literal["problem"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class OverviewRates(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        from_: str
        step_s: int
        series: ActivitySeries

        @overload
        def __getitem__(self, key: Literal["from"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["step_s"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["series"], /) -> ActivitySeries: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class OverviewNode(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        services: list[str]
        answered: bool
        """False: its numbers are missing in this answer."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["services"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["answered"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class OverviewCounts(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        keys_: int | None
        """API keys. Null when it could not be read in time."""
        sources: int | None
        """Tracked sources. Null when it could not be read in time."""
        sources_failing: int | None
        """Sources whose `health` is `failing`. Null when it could not be read in time."""
        endpoints: int | None
        """Webhook endpoints. Null when it could not be read in time."""
        endpoints_failed: int | None
        """Endpoints that are `FAILED`. Null when it could not be read in time."""
        events_waiting: int | None
        """Events that wait for delivery, without those that are kept for `FAILED` endpoints. Null when it could not be read in time."""
        scrapes_running: int | None
        """Scrapes that run. Null when it could not be read in time."""
        scrapes_waiting: int | None
        """Scrapes in the queue. Null when it could not be read in time."""
        crawls_running: int | None
        """Crawls that run. Null when it could not be read in time."""

        @overload
        def __getitem__(self, key: Literal["keys"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["sources"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["sources_failing"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["endpoints"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["endpoints_failed"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["events_waiting"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["scrapes_running"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["scrapes_waiting"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["crawls_running"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Owner(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        owner: str
        keys_: int
        """Its API keys."""
        has_password: bool
        """Whether it can sign in."""

        @overload
        def __getitem__(self, key: Literal["owner"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["keys"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["has_password"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class OwnerLink(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        path: str
        """Where the owner sets its password, once. What follows `#` is the secret."""
        expires_at: str

        @overload
        def __getitem__(self, key: Literal["path"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PageActions(Answer):
    """With `js_render.actions`: what they gave."""

    __slots__ = ()

    if TYPE_CHECKING:
        screenshots: list[str]
        """Keys as that of `screenshot`, in order."""

        @overload
        def __getitem__(self, key: Literal["screenshots"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PageChangeScreenshot(Answer):
    """With `screenshot`: the names of the pictures."""

    __slots__ = ()

    if TYPE_CHECKING:
        before: str | None
        after: str
        difference: str | None

        @overload
        def __getitem__(self, key: Literal["before"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["after"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["difference"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PageChangesJson(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        previous: Any
        current: Any

        @overload
        def __getitem__(self, key: Literal["previous"], /) -> Any: ...

        @overload
        def __getitem__(self, key: Literal["current"], /) -> Any: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PageChanges(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        status: Literal["new", "same", "changed", "removed"]
        previous_at: str | None
        """When it was read before; null for a new page."""
        visibility: Literal["visible", "hidden"]
        """`hidden`: in a crawl, a page of a former crawl from the same entry page that nothing leads to any more."""
        diff: str | None
        """The lines that differ, as `git diff` writes them."""
        json: dict[str, PageChangesJson] | None
        """Each field with both its values."""

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["new", "same", "changed", "removed"]: ...

        @overload
        def __getitem__(self, key: Literal["previous_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["visibility"], /) -> Literal["visible", "hidden"]: ...

        @overload
        def __getitem__(self, key: Literal["diff"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["json"], /) -> dict[str, PageChangesJson]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PageMetadata(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        title: str
        status_code: int
        """The target's own status; its 404 is not an error of the scrape."""
        final_url: str
        """After redirects."""
        source_url: str | None
        """Of a batch: the URL as it was asked for."""
        description: str | None
        language: str | None
        """BCP 47 tag as the page declares it."""
        canonical_url: str | None
        page_title: str | None
        """The page's own `<title>`, or a document's title. `title` may be that of OpenGraph or the first heading."""
        author: str | None
        """Who wrote the page, without "By"; several are separated by commas."""
        published_time: str | None
        """ISO 8601: a time with the page's own offset (`2025-09-04T10:00:00+02:00`), or a date (`2025-09-04`) where the page gives no time or no offset."""
        modified_time: str | None
        """As `published_time`."""
        keywords: list[str] | None
        """At most 50, each once."""
        site_name: str | None
        favicon: str | None
        """Absolute URL, as the page declares it."""
        image: str | None
        """Absolute URL of the image that represents the page where it is shared."""
        robots: str | None
        """The contents of `<meta name=robots>`."""
        content_type: str
        """The media type that the page was read as: `text/html`, `application/pdf`."""
        word_count: int
        """Words of the content: of the whole page with `only_main_content: false`."""
        og: dict[str, str]
        """OpenGraph properties without `og:`."""
        content_usage: ContentUsage | None
        """What the site says its content may be used for; absent where it says nothing."""
        engine: Literal["http", "browser"]
        """The engine that read the page."""
        proxy_location: str | None
        """Country of the proxy; null when the page was fetched directly."""
        cached_at: str | None
        """With `max_age`, when the answer is that of an earlier scrape: the time when that one began."""
        warning: str | None
        """Why the page came out nearly empty, was read as the server sent it, or is only the beginning of a document, which formats of a large page are cut, and why a language model was not used; absent otherwise."""

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["status_code"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["final_url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source_url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["description"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["language"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["canonical_url"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["page_title"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["author"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["published_time"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["modified_time"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["keywords"], /) -> list[str] | None: ...

        @overload
        def __getitem__(self, key: Literal["site_name"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["favicon"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["image"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["robots"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["content_type"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["word_count"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["og"], /) -> dict[str, str]: ...

        @overload
        def __getitem__(self, key: Literal["content_usage"], /) -> ContentUsage: ...

        @overload
        def __getitem__(self, key: Literal["engine"], /) -> Literal["http", "browser"]: ...

        @overload
        def __getitem__(self, key: Literal["proxy_location"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["cached_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["warning"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PdfOptions(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        read: bool | None
        """By default true. False returns the file in base64, as `markdown`, `html` and `raw_html`; it may have 3 MB."""
        max_pages: int | None
        """Reads the first pages only; by default 200."""

        @overload
        def __getitem__(self, key: Literal["read"], /) -> bool | None: ...

        @overload
        def __getitem__(self, key: Literal["max_pages"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PeriodQuotas(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        pages: int | None
        """Scrapes that read a page, and pages of batches."""
        rendered: int | None
        """Pages that were read in the browser."""
        crawled: int | None
        """Pages that crawls and batches read."""
        events: int | None
        """Events appended to the key's log."""
        deliveries: int | None
        """Events that the key's endpoints took."""

        @overload
        def __getitem__(self, key: Literal["pages"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["rendered"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["crawled"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["events"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["deliveries"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PictureBox(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        selector: str
        """The selector that matches it."""
        x: int
        y: int
        width: int
        height: int

        @overload
        def __getitem__(self, key: Literal["selector"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["x"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["y"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["width"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["height"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PlannedPostKey(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        key_id: str
        """`id` of the key."""
        known: bool

        @overload
        def __getitem__(self, key: Literal["key_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["known"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PlannedPostDetail(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        field: str
        code: str
        message: str

        @overload
        def __getitem__(self, key: Literal["field"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["code"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PlannedPost(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        place: str
        """Where it is in the body, such as `posts.3`."""
        rest_id: str | None
        """Null where the post has none."""
        author: str | None
        """`rest_id` of its author."""
        outcome: Literal["new", "known", "untracked", "invalid"]
        """`new`: at least one key would get it. `known`: each key that tracks the author has it. `untracked`: no key tracks the author. `invalid`: it is no post, and `details` says why; nothing of the body would be dispatched."""
        new_keys: int
        """Keys that would get it."""
        known_keys: int
        """Keys that have it and would not get it again."""
        keys_: list[PlannedPostKey]
        """These keys, at most 100; those that would get it come first."""
        details: list[PlannedPostDetail]

        @overload
        def __getitem__(self, key: Literal["place"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["rest_id"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["author"], /) -> str | None: ...

        @overload
        def __getitem__(
            self, key: Literal["outcome"], /
        ) -> Literal["new", "known", "untracked", "invalid"]: ...

        @overload
        def __getitem__(self, key: Literal["new_keys"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["known_keys"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["keys"], /) -> list[PlannedPostKey]: ...

        @overload
        def __getitem__(self, key: Literal["details"], /) -> list[PlannedPostDetail]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PodcastFile(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        url: str
        mime_type: str | None
        language: str | None

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["mime_type"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["language"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PollAnySourceResponseData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        due_at: str
        """When the poll is due, or began if it is under way."""

        @overload
        def __getitem__(self, key: Literal["due_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PollAnySourceResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: PollAnySourceResponseData
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> PollAnySourceResponseData: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PollOption(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        text: str
        votes: int | None

        @overload
        def __getitem__(self, key: Literal["text"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["votes"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PollSourceResponseData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        due_at: str
        """When the poll is due, or began if it is under way."""

        @overload
        def __getitem__(self, key: Literal["due_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PollSourceResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: PollSourceResponseData
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> PollSourceResponseData: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PostCoreUserResults(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        result: Author
        """The author."""

        @overload
        def __getitem__(self, key: Literal["result"], /) -> Author: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PostCore(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        user_results: PostCoreUserResults

        @overload
        def __getitem__(self, key: Literal["user_results"], /) -> PostCoreUserResults: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PostLegacy(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        full_text: str
        """The whole text."""
        created_at: str | None
        """As in `Wed Oct 10 20:19:24 +0000 2018`; null where the network does not give it."""
        favorite_count: int | None
        """Null where the network gives none."""
        repost_count: int | None
        """Null where the network gives none."""
        reply_count: int | None
        """Null where the network gives none."""

        @overload
        def __getitem__(self, key: Literal["full_text"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["created_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["favorite_count"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["repost_count"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["reply_count"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PostCard(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        url: str
        title: str | None
        description: str | None
        image: str | None

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["description"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["image"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PostInSandboxResponseData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """Id of the post or message."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PostInSandboxResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: PostInSandboxResponseData
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> PostInSandboxResponseData: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PostLink(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        url: str
        """Where it leads."""
        text: str | None
        """What the text shows in its place, where that differs: words, or a shortened address."""

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["text"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PostPoll(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        question: str | None
        options: list[PollOption]
        ends_at: str | None
        """Absent where it has no end."""
        multiple: bool | None
        """Whether one may choose several."""

        @overload
        def __getitem__(self, key: Literal["question"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["options"], /) -> list[PollOption]: ...

        @overload
        def __getitem__(self, key: Literal["ends_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["multiple"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PostgresqlDestination(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        type: Literal["postgresql"]
        host: str
        """The name or address of the server."""
        port: int | None
        """Its port; by default 5432."""
        database: str
        """The database."""
        user: str
        """Who signs in."""
        password: str
        """The user's password."""
        tls: bool | None
        """False: without encryption, where the operator allows that with `WEBHOOK_ALLOW_HTTP`."""
        ca: str | None
        """The certificates, in PEM, by which the server's is checked. Left out: those that browsers trust."""
        schema: str | None
        """The schema of the table. Left out: the user's."""
        table: str | None
        """The table, which is made unless it is there; by default `magpie_events`."""

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["postgresql"]: ...

        @overload
        def __getitem__(self, key: Literal["host"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["port"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["database"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["user"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["password"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["tls"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["ca"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["schema"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["table"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PreviewItem(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        title: str | None
        """Its title, or how its text begins."""
        url: str | None
        published_at: str | None
        """Null where the source gives none."""

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["published_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PreviewList(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        selector: str
        """Finds the entries; `options.items` takes it, too."""
        count: int
        """How many there are."""

        @overload
        def __getitem__(self, key: Literal["selector"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["count"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PreviewPast(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        days: int
        """How far back it was tried."""
        checks: int
        """Checks in that time."""
        fired: int
        """How many of them would have made an event."""
        why: str
        """A sentence: in the last 30 days this would have fired 4 times."""

        @overload
        def __getitem__(self, key: Literal["days"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["checks"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["fired"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["why"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class QueuedTrack(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        message: str
        jobId: str
        """The id of the join request."""

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["jobId"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Quota(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        name: Literal["pages", "rendered", "crawled", "events", "deliveries"]
        """What is counted."""
        period: Literal["day", "month"]
        used: int
        """Work under way included."""
        limit: int
        resets_at: str
        """When the period ends and the quota resets."""

        @overload
        def __getitem__(
            self, key: Literal["name"], /
        ) -> Literal["pages", "rendered", "crawled", "events", "deliveries"]: ...

        @overload
        def __getitem__(self, key: Literal["period"], /) -> Literal["day", "month"]: ...

        @overload
        def __getitem__(self, key: Literal["used"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["limit"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["resets_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class QuotaExceededEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        quota: Quota

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["quota"], /) -> Quota: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class QuotaExceededEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["quota.exceeded"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: QuotaExceededEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["quota.exceeded"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> QuotaExceededEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class QuotaLeft(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        name: Literal["pages", "rendered", "crawled", "events", "deliveries"]
        """What is counted."""
        period: Literal["day", "month"]
        used: int
        """Work under way included."""
        limit: int
        resets_at: str
        """When the period ends and the quota resets."""
        left: int
        """0 when it is used up."""

        @overload
        def __getitem__(
            self, key: Literal["name"], /
        ) -> Literal["pages", "rendered", "crawled", "events", "deliveries"]: ...

        @overload
        def __getitem__(self, key: Literal["period"], /) -> Literal["day", "month"]: ...

        @overload
        def __getitem__(self, key: Literal["used"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["limit"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["resets_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["left"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class QuotaWarningEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        quota: Quota

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["quota"], /) -> Quota: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class QuotaWarningEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["quota.warning"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: QuotaWarningEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["quota.warning"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> QuotaWarningEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class RabbitmqDestination(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        type: Literal["rabbitmq"]
        host: str
        """The name or address of the server."""
        port: int | None
        """Its port; by default 5671. Without TLS it is mostly 5672."""
        vhost: str | None
        """The virtual host; by default `/`."""
        user: str
        """Who signs in."""
        password: str
        """The user's password."""
        tls: bool | None
        """False: without encryption, where the operator allows that with `WEBHOOK_ALLOW_HTTP`."""
        ca: str | None
        """The certificates, in PEM, by which the server's is checked. Left out: those that browsers trust."""
        exchange: str | None
        """The exchange. Left out: the default one, whose routing keys are names of queues."""
        routing_key: str | None
        """The routing key; `{type}`, the default, stands for the type of the event."""

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["rabbitmq"]: ...

        @overload
        def __getitem__(self, key: Literal["host"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["port"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["vhost"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["user"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["password"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["tls"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["ca"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["exchange"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["routing_key"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class RehearsedChange(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        added: list[str]
        removed: list[str]

        @overload
        def __getitem__(self, key: Literal["added"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["removed"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class RehearsedCheck(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        at: str
        version: str
        outcome: Literal["same", "changed", "held", "muted", "failed"]
        reason: str
        change: RehearsedChange | None
        """What the event would have said."""

        @overload
        def __getitem__(self, key: Literal["at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["outcome"], /
        ) -> Literal["same", "changed", "held", "muted", "failed"]: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["change"], /) -> RehearsedChange | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ReplayDeliveriesResponseData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        events: int

        @overload
        def __getitem__(self, key: Literal["events"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ReplayDeliveriesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: ReplayDeliveriesResponseData
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ReplayDeliveriesResponseData: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ReplayEndpointResponseData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        events: int

        @overload
        def __getitem__(self, key: Literal["events"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ReplayEndpointResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: ReplayEndpointResponseData
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ReplayEndpointResponseData: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ReplayLaneResponseData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        events: int

        @overload
        def __getitem__(self, key: Literal["events"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ReplayLaneResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: ReplayLaneResponseData
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ReplayLaneResponseData: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class RetriedDelivery(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        event_id: str
        delivery_id: str
        """`id` of the new attempt."""
        outcome: Literal["succeeded", "failed"]
        """Of the new attempt."""

        @overload
        def __getitem__(self, key: Literal["event_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["delivery_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["outcome"], /) -> Literal["succeeded", "failed"]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class RetryDeliveryResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: RetriedDelivery
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> RetriedDelivery: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class RetryEndpointDeliveryResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: RetriedDelivery
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> RetriedDelivery: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class S3Destination(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        type: Literal["s3"]
        bucket: str
        """The bucket."""
        prefix: str | None
        """A folder in the bucket. Left out: its root."""
        region: str | None
        """Its region; servers other than Amazon's mostly take any."""
        endpoint: str | None
        """The server, such as `https://s3.example.com`. Left out: Amazon's of the region. An address that begins with the bucket's name is that of the bucket."""
        access_key_id: str
        """May put objects in the bucket."""
        secret_access_key: str
        """Signs requests; it is not sent."""

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["s3"]: ...

        @overload
        def __getitem__(self, key: Literal["bucket"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["prefix"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["region"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["endpoint"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["access_key_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["secret_access_key"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ScrapeSummary(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        scrape_id: str
        key_id: str
        """`id` of the key."""
        url: str
        """Empty once the result has expired."""
        status: Literal["pending", "completed", "failed"]
        status_code: int | None
        """The HTTP status of the page that was read; null where none was."""
        error: Failure | None
        """When `failed`."""
        started_at: str | None
        ended_at: str | None
        expires_at: str | None
        """When the result is removed; null while it is pending."""

        @overload
        def __getitem__(self, key: Literal["scrape_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["key_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["pending", "completed", "failed"]: ...

        @overload
        def __getitem__(self, key: Literal["status_code"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> Failure: ...

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SearchGuideResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[GuideHit]
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[GuideHit]: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SearchHistoryResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[Found]
        next_cursor: str | None
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[Found]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SearchResult(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        url: str
        """Its canonical address: each is told once."""
        title: str | None
        description: str | None
        date: str | None
        """When it appeared, as the search engine says it."""

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["description"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["date"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SessionKey(Answer):
    """Of the role `key`."""

    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        name: str

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Session(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        role: Literal["admin", "owner", "key"]
        """The administrator, an owner with its password, or somebody with an API key."""
        owner: str | None
        """Null for the administrator."""
        key: SessionKey | None
        """Of the role `key`."""
        expires_at: str

        @overload
        def __getitem__(self, key: Literal["role"], /) -> Literal["admin", "owner", "key"]: ...

        @overload
        def __getitem__(self, key: Literal["owner"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["key"], /) -> SessionKey | None: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SessionProblem(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        message: str
        at: str

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SetMessengerDefaultKeyResponseData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        messengerDefaultApiKeyId: str | None
        """The key that the messenger bot uses."""

        @overload
        def __getitem__(self, key: Literal["messengerDefaultApiKeyId"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SetMessengerDefaultKeyResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: SetMessengerDefaultKeyResponseData
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SetMessengerDefaultKeyResponseData: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SetPasswordResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Session
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Session: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ShownClientCertificate(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        subject: str
        fingerprint: str
        """SHA-256 of the certificate."""
        expires_at: str

        @overload
        def __getitem__(self, key: Literal["subject"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["fingerprint"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


ShownWatchOptionsTag: TypeAlias = str


class ShownWatchOptionsSchedule(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        time_zone: str
        cron: str | None
        days: list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]] | None
        from_: str | None
        to: str | None

        @overload
        def __getitem__(self, key: Literal["time_zone"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["cron"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["days"], /
        ) -> list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]: ...

        @overload
        def __getitem__(self, key: Literal["from"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["to"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


ShownWatchOptionsSelectItem: TypeAlias = str

ShownWatchOptionsRemoveItem: TypeAlias = str

ShownWatchOptionsIgnoreItem: TypeAlias = str

ShownWatchOptionsWhenContain: TypeAlias = str

ShownWatchOptionsWhenNotContain: TypeAlias = str


class ShownWatchOptionsWhenValue(Answer):
    """A number on the page: the first one of what `select` finds, or of the text."""

    __slots__ = ()

    if TYPE_CHECKING:
        select: str | None
        """CSS or XPath."""
        below: float | None
        """When it falls below this; again after it was not below."""
        above: float | None
        """When it rises above this; again after it was not above."""
        changed_by_percent: float | None
        """When it differs by at least so much from the last one that was reported."""

        @overload
        def __getitem__(self, key: Literal["select"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["below"], /) -> float: ...

        @overload
        def __getitem__(self, key: Literal["above"], /) -> float: ...

        @overload
        def __getitem__(self, key: Literal["changed_by_percent"], /) -> float: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ShownWatchOptionsWhen(Answer):
    """What a change must be to be reported; all conditions must hold."""

    __slots__ = ()

    if TYPE_CHECKING:
        contains: list[ShownWatchOptionsWhenContain] | None
        """Only when one of these is there; a text, or `/RE2/flags`."""
        not_contains: list[ShownWatchOptionsWhenNotContain] | None
        """Only when none of these is there."""
        added_only: bool | None
        """Only when something was added."""
        removed_only: bool | None
        """Only when something was removed."""
        value: ShownWatchOptionsWhenValue | None
        """A number on the page: the first one of what `select` finds, or of the text."""

        @overload
        def __getitem__(self, key: Literal["contains"], /) -> list[ShownWatchOptionsWhenContain]: ...

        @overload
        def __getitem__(self, key: Literal["not_contains"], /) -> list[ShownWatchOptionsWhenNotContain]: ...

        @overload
        def __getitem__(self, key: Literal["added_only"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["removed_only"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["value"], /) -> ShownWatchOptionsWhenValue: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ShownWatchOptionsWaitFor(Answer):
    """What a browser waits for before it reads a page: a CSS selector, or milliseconds. The parts that `select` names are waited for in any case."""

    __slots__ = ()

    if TYPE_CHECKING:
        selector: str | None
        """CSS selector: until an element matches."""
        ms: int | None
        """Milliseconds, after the page has loaded."""

        @overload
        def __getitem__(self, key: Literal["selector"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ms"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ShownWatchOptionsAction(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        type: Literal["wait", "click", "type", "press", "scroll", "screenshot"]
        """`wait` needs `ms` or `selector`, `click` needs `selector`, `type` needs `text` and types into `selector` or where the focus is, `press` needs `key`, `scroll` needs `direction` and scrolls `selector` or the page by its height, `screenshot` may have `full_page`."""
        selector: str | None
        """CSS selector: the first element that matches."""
        ms: int | None
        """Milliseconds."""
        text: str | None
        """Typed as if by a keyboard."""
        key: str | None
        """Name of a key, such as `Enter`, `Tab` or `ArrowDown`, or one character of ASCII."""
        direction: Literal["up", "down"] | None
        """Where to scroll."""
        full_page: bool | None
        """The whole page, not only what is in view."""

        @overload
        def __getitem__(
            self, key: Literal["type"], /
        ) -> Literal["wait", "click", "type", "press", "scroll", "screenshot"]: ...

        @overload
        def __getitem__(self, key: Literal["selector"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ms"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["text"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["key"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["direction"], /) -> Literal["up", "down"]: ...

        @overload
        def __getitem__(self, key: Literal["full_page"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ShownWatchOptionsProxy(Answer):
    """The country from which the page is asked for, by a proxy of `PROXIES`."""

    __slots__ = ()

    if TYPE_CHECKING:
        location: str | None
        """ISO 3166-1 alpha-2 country code. Without a proxy there the page is fetched directly: `metadata.proxy_location` is null."""
        sticky_session: str | None
        """Scrapes with the same value keep the same proxy, for 10 minutes at least."""

        @overload
        def __getitem__(self, key: Literal["location"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["sticky_session"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ShownWatchOptionsSession(Answer):
    """The session that it is read in."""

    __slots__ = ()

    if TYPE_CHECKING:
        name: str
        """Letters, digits, `_`, `.` and `-`. Each site has a jar of its own by this name."""

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ShownWatchOptionsKeep(Answer):
    """How much of the past is kept, within `KEEP_DAYS` and `KEEP_MB`; of a source that several keys track, what the most generous of them wants. The last version stays, and those of events that exist."""

    __slots__ = ()

    if TYPE_CHECKING:
        days: int | None
        """Days."""
        versions: int | None
        """Versions, at most."""

        @overload
        def __getitem__(self, key: Literal["days"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["versions"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ShownWatchOptionsJson(Answer):
    """Compares fields in place of text: `schema`, `recipe` or both."""

    __slots__ = ()

    if TYPE_CHECKING:
        schema: dict[str, Any] | None
        """JSON Schema of the fields."""
        recipe: dict[str, Any] | None
        """`data.json_recipe` of a scrape."""

        @overload
        def __getitem__(self, key: Literal["schema"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["recipe"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


ShownWatchOptionsExtractJsonPathItem: TypeAlias = str

ShownWatchOptionsExtractXpathItem: TypeAlias = str


class ShownWatchOptionsExtract(Answer):
    """Compares the values of a JSON or XML document in place of its text: what is changed, added or gone is told by its path, entries of lists by their ids."""

    __slots__ = ()

    if TYPE_CHECKING:
        json_path: list[ShownWatchOptionsExtractJsonPathItem] | None
        """JSONPath (RFC 9535) for JSON: `$.items[*].price`, or `$` for all of it."""
        xpath: list[ShownWatchOptionsExtractXpathItem] | None
        """XPath 1.0 for XML of any content type: `//Version`. Prefixes are those of the document."""

        @overload
        def __getitem__(self, key: Literal["json_path"], /) -> list[ShownWatchOptionsExtractJsonPathItem]: ...

        @overload
        def __getitem__(self, key: Literal["xpath"], /) -> list[ShownWatchOptionsExtractXpathItem]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


ShownWatchOptionsIncludeItem: TypeAlias = str

ShownWatchOptionsExcludeItem: TypeAlias = str

ShownWatchOptionsDomain: TypeAlias = str


class ShownWatchOptions(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        tags: list[ShownWatchOptionsTag] | None
        """Words by which the key sorts its sources."""
        interval: str | None
        """`15m`, `2h`, `1d`: how often to poll, at least `POLL_MIN_INTERVAL` and at most `30d`. Without it Magpie chooses by how often the source has news."""
        schedule: ShownWatchOptionsSchedule | None
        """When to poll, in local time; never outside of it."""
        paused: bool | None
        """Not polled, unless a poll is asked for, until this is removed: then it is polled at once, and what has changed meanwhile is told."""
        select: list[ShownWatchOptionsSelectItem] | None
        """Only these parts of a page: CSS selectors, or XPath where they begin with `/` or `xpath:`."""
        content: Literal["page", "main", "full"] | None
        """What of a page counts without `select`: `page`, the default, is all but advertisements, consent banners, navigation and related things; `main` is the main content alone. `full`, of a feed: each item has the text of its page."""
        remove: list[ShownWatchOptionsRemoveItem] | None
        """Without these parts of a page: CSS or XPath."""
        ignore: list[ShownWatchOptionsIgnoreItem] | None
        """Lines that contain one of these texts, or match `/RE2/flags`, are no news."""
        when: ShownWatchOptionsWhen | None
        """What a change must be to be reported; all conditions must hold."""
        unique_lines: bool | None
        """A line that the page has shown before is no news, wherever it is."""
        render: Literal["auto", "never", "always"] | None
        """Whether a browser runs the page's scripts; `auto`, the default: where they change it."""
        wait_for: ShownWatchOptionsWaitFor | None
        """What a browser waits for before it reads a page: a CSS selector, or milliseconds. The parts that `select` names are waited for in any case."""
        actions: list[ShownWatchOptionsAction] | None
        """Carried out in order before each reading of a page, which a browser then shows; their waits together take 20 s at most. Typed texts are encrypted at rest and shown as `•••`; one that is sent so means the former text for the same selector."""
        proxy: ShownWatchOptionsProxy | None
        """The country from which the page is asked for, by a proxy of `PROXIES`."""
        session: ShownWatchOptionsSession | None
        """The session that it is read in."""
        method: Literal["GET", "POST"] | None
        """How the page is asked for, by default `GET`. `POST` sends `body`, and reads the answer as it is, without a browser."""
        body: str | dict[str, Any] | None
        """Sent with `POST`, at most 64 KB: an object as JSON, a text as the form or as what the header `content-type` says. Encrypted at rest, shown as `•••`; one that is sent so leaves the former one."""
        content_uses: list[Literal["train_ai", "ai_input", "search", "tdm"]] | None
        """What the content is wanted for, beside what the key names: a page whose site refuses one of them is not read."""
        headers: dict[str, str] | None
        """Sent to the source's own origin only, at most 50. Encrypted at rest; answers show `•••` for each value, and a value `•••` that is sent leaves the former one."""
        cookies: dict[str, str] | None
        """Names and values; sent, kept and shown as `headers`."""
        keep: ShownWatchOptionsKeep | None
        """How much of the past is kept, within `KEEP_DAYS` and `KEEP_MB`; of a source that several keys track, what the most generous of them wants. The last version stays, and those of events that exist."""
        json: ShownWatchOptionsJson | None
        """Compares fields in place of text: `schema`, `recipe` or both."""
        items_: Literal[True] | str | None
        """Each new entry of a list counts: their selector, or `auto`."""
        extract: ShownWatchOptionsExtract | None
        """Compares the values of a JSON or XML document in place of its text: what is changed, added or gone is told by its path, entries of lists by their ids."""
        screenshot: bool | None
        """A picture before and after each change, and one of the difference. A watch has a share of 200 changes or 256 MB, which comes back evenly in four days; changes beyond it are reported without pictures."""
        limit: int | None
        """Of a site: pages that are watched, at most; by default 1,000."""
        include: list[ShownWatchOptionsIncludeItem] | None
        """Of a site: only pages that match one of these patterns, as in a crawl."""
        exclude: list[ShownWatchOptionsExcludeItem] | None
        """Of a site: no page that matches one of these patterns, as in a crawl."""
        max_depth: int | None
        """Of a site: links from the entry page; by default 10."""
        include_entire_domain: bool | None
        """Of a site: the whole host, not only what lies below the entry page's directory."""
        include_subdomains: bool | None
        """Of a site: also hosts below the entry page's host."""
        sitemaps: bool | None
        """Of a site: also the pages that its sitemaps name, which is the default."""
        checks: bool | None
        """Of a site: an event `site.checked` with counts after each round, also where nothing has changed."""
        domains: list[ShownWatchOptionsDomain] | None
        """Of a search: only results of these domains and what is below them."""
        window: Literal["day", "week", "month", "year"] | None
        """Of a search: only what has appeared in this time, as far as the search engine knows it."""
        edits: bool | None
        """Of an account, server, channel or group: also what is edited and deleted, where the network says so."""
        goal: str | None
        """What you want to know, in words. A language model judges each change by it, and says so in the event: `judgement`. Needs `LLM_BASE_URL`."""
        judge: bool | None
        """False: the goal is kept, and nothing is judged."""

        @overload
        def __getitem__(self, key: Literal["tags"], /) -> list[ShownWatchOptionsTag]: ...

        @overload
        def __getitem__(self, key: Literal["interval"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["schedule"], /) -> ShownWatchOptionsSchedule: ...

        @overload
        def __getitem__(self, key: Literal["paused"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["select"], /) -> list[ShownWatchOptionsSelectItem]: ...

        @overload
        def __getitem__(self, key: Literal["content"], /) -> Literal["page", "main", "full"]: ...

        @overload
        def __getitem__(self, key: Literal["remove"], /) -> list[ShownWatchOptionsRemoveItem]: ...

        @overload
        def __getitem__(self, key: Literal["ignore"], /) -> list[ShownWatchOptionsIgnoreItem]: ...

        @overload
        def __getitem__(self, key: Literal["when"], /) -> ShownWatchOptionsWhen: ...

        @overload
        def __getitem__(self, key: Literal["unique_lines"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["render"], /) -> Literal["auto", "never", "always"]: ...

        @overload
        def __getitem__(self, key: Literal["wait_for"], /) -> ShownWatchOptionsWaitFor: ...

        @overload
        def __getitem__(self, key: Literal["actions"], /) -> list[ShownWatchOptionsAction]: ...

        @overload
        def __getitem__(self, key: Literal["proxy"], /) -> ShownWatchOptionsProxy: ...

        @overload
        def __getitem__(self, key: Literal["session"], /) -> ShownWatchOptionsSession: ...

        @overload
        def __getitem__(self, key: Literal["method"], /) -> Literal["GET", "POST"]: ...

        @overload
        def __getitem__(self, key: Literal["body"], /) -> str | dict[str, Any]: ...

        @overload
        def __getitem__(
            self, key: Literal["content_uses"], /
        ) -> list[Literal["train_ai", "ai_input", "search", "tdm"]]: ...

        @overload
        def __getitem__(self, key: Literal["headers"], /) -> dict[str, str]: ...

        @overload
        def __getitem__(self, key: Literal["cookies"], /) -> dict[str, str]: ...

        @overload
        def __getitem__(self, key: Literal["keep"], /) -> ShownWatchOptionsKeep: ...

        @overload
        def __getitem__(self, key: Literal["json"], /) -> ShownWatchOptionsJson: ...

        @overload
        def __getitem__(self, key: Literal["items"], /) -> Literal[True] | str: ...

        @overload
        def __getitem__(self, key: Literal["extract"], /) -> ShownWatchOptionsExtract: ...

        @overload
        def __getitem__(self, key: Literal["screenshot"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["limit"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["include"], /) -> list[ShownWatchOptionsIncludeItem]: ...

        @overload
        def __getitem__(self, key: Literal["exclude"], /) -> list[ShownWatchOptionsExcludeItem]: ...

        @overload
        def __getitem__(self, key: Literal["max_depth"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["include_entire_domain"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["include_subdomains"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["sitemaps"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["checks"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["domains"], /) -> list[ShownWatchOptionsDomain]: ...

        @overload
        def __getitem__(self, key: Literal["window"], /) -> Literal["day", "week", "month", "year"]: ...

        @overload
        def __getitem__(self, key: Literal["edits"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["goal"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["judge"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SignInResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Session
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Session: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SiteChange(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        kind: Literal["everywhere", "rotating"]
        """`everywhere`: the same lines came or went on many pages. `rotating`: a place shows something else on each visit; it is muted from now on."""
        added: list[str]
        """Lines that came."""
        removed: list[str]
        """Lines that went."""
        seen_on: int
        """Pages on which it was seen when it was told."""
        looked_at: int
        """Pages that were looked at for it."""
        pages: int
        """Pages of the site that are watched."""
        examples: list[str]
        """Addresses of some of them."""

        @overload
        def __getitem__(self, key: Literal["kind"], /) -> Literal["everywhere", "rotating"]: ...

        @overload
        def __getitem__(self, key: Literal["added"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["removed"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["seen_on"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["looked_at"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["pages"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["examples"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SiteCheck(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        started_at: str
        ended_at: str
        pages: int
        """Pages that are watched."""
        visited: int
        """Pages that were asked for."""
        unchanged: int
        """Of these: as they were."""
        added: int
        changed: int
        removed: int
        moved: int
        failed: int
        """Pages that could not be read."""

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["pages"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["visited"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["unchanged"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["added"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["changed"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["removed"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["moved"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["failed"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SiteMap(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        url: str
        data: list[MappedPage]
        """Best first with `search`; otherwise the entry page, then the order of the sitemaps."""
        total: int
        """URLs found, before `limit`."""
        complete: bool
        """False where a source was cut short or could not be read: there may be more URLs."""

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[MappedPage]: ...

        @overload
        def __getitem__(self, key: Literal["total"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["complete"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SitePage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        url: str
        title: str

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SiteSession(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        name: str
        site: str
        """The registrable domain, or the host where there is none."""
        has_login: bool
        """Whether it can sign in by itself."""
        signed_in_since: str | None
        """When its login last succeeded; null where the site has asked for one since, or never got one."""
        last_checked: str | None
        """The latest visit; null before the first."""
        last_login: str | None
        """When a login was last tried, with or without success."""
        problem: SessionProblem | None
        """Why it is not signed in."""
        created_at: str
        expires_at: str
        """When it is erased unless it is used before."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["site"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["has_login"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["signed_in_since"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["last_checked"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["last_login"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["problem"], /) -> SessionProblem | None: ...

        @overload
        def __getitem__(self, key: Literal["created_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SiteSummaryStates(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        new: int
        """Known, and not read yet."""
        there: int
        missing: int
        removed: int
        moved: int
        refused: int
        alias: int

        @overload
        def __getitem__(self, key: Literal["new"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["there"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["missing"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["removed"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["moved"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["refused"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["alias"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SiteSummary(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        pages: int
        """Pages that are watched."""
        states: SiteSummaryStates
        baseline: bool
        """Its pages are being read for the first time, which makes no events."""

        @overload
        def __getitem__(self, key: Literal["pages"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["states"], /) -> SiteSummaryStates: ...

        @overload
        def __getitem__(self, key: Literal["baseline"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Source(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """`iid` when untracking."""
        source: str
        """The kind in upper case, for example `RSS`."""
        externalId: str
        """`eid` when untracking: what the platform calls it; for pages and feeds the URL."""
        username: str
        """Its handle; for pages and feeds the host."""
        name: str
        """Display name; for pages and feeds the title."""
        network: str | None
        """Of an account, channel or chat server: its network, such as `bluesky`."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["externalId"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["username"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["network"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


SourceDetailTag: TypeAlias = str


class SourceDetail(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """`iid` when untracking."""
        source: str
        """The kind in upper case, for example `RSS`."""
        externalId: str
        """`eid` when untracking: what the platform calls it; for pages and feeds the URL."""
        username: str
        """Its handle; for pages and feeds the host."""
        name: str
        """Display name; for pages and feeds the title."""
        network: str | None
        """Of an account, channel or chat server: its network, such as `bluesky`."""
        options: ShownWatchOptions | None
        """How the calling key tracks it, where it has chosen anything; values of headers and cookies, and a body, are `•••`."""
        health: Literal["ok", "failing", "gone"]
        """`failing` after five failed polls in a row; `gone` when the source says so."""
        failures: int
        """Polls that failed since the last good one."""
        problem: str | None
        """Why the last poll failed, since when, and what to do, in words; null when it succeeded."""
        polled_at: str
        """When the last poll began."""
        due_at: str
        """When it is polled next; the past while a poll is under way."""
        last_event_at: str | None
        """When a poll last found something that became an event; null while there was none."""
        muted: list[MutedLine]
        """The lines whose changes are muted, because they change so often."""
        tags: list[SourceDetailTag]
        """Words by which the key sorts its sources."""
        tracked_at: str
        """When the calling key began to track it."""
        last_check: Check | None
        """The latest checks; null before the first one."""
        interval_ms: int | None
        """The wait between the last check and the next."""
        versions: int
        """Versions that are kept."""
        bytes: int
        """What they take."""
        events: int
        """Versions of which an event was made."""
        values_: dict[str, Any]
        """The latest number (`value`) and fields."""
        watched_from: str
        """From when on the calling key may read its past."""
        site: SiteSummary | None
        """Of a site: its pages."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["externalId"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["username"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["network"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["options"], /) -> ShownWatchOptions: ...

        @overload
        def __getitem__(self, key: Literal["health"], /) -> Literal["ok", "failing", "gone"]: ...

        @overload
        def __getitem__(self, key: Literal["failures"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["problem"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["polled_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["due_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["last_event_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["muted"], /) -> list[MutedLine]: ...

        @overload
        def __getitem__(self, key: Literal["tags"], /) -> list[SourceDetailTag]: ...

        @overload
        def __getitem__(self, key: Literal["tracked_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["last_check"], /) -> Check | None: ...

        @overload
        def __getitem__(self, key: Literal["interval_ms"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["versions"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["bytes"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["events"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["values"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["watched_from"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["site"], /) -> SiteSummary: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SourceFailingEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        reason: str

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SourceFailingEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["source.failing"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: SourceFailingEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["source.failing"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SourceFailingEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SourceGapEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        reason: str
        gap: FeedGap

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["gap"], /) -> FeedGap: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SourceGapEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["source.gap"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: SourceGapEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["source.gap"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SourceGapEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SourceGoneEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        reason: str

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SourceGoneEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["source.gone"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: SourceGoneEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["source.gone"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SourceGoneEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SourceRecoveredEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        reason: str

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SourceRecoveredEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["source.recovered"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: SourceRecoveredEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["source.recovered"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SourceRecoveredEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SourceSummary(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """`iid` when untracking."""
        source: str
        """The kind in upper case, for example `RSS`."""
        externalId: str
        """`eid` when untracking: what the platform calls it; for pages and feeds the URL."""
        username: str
        """Its handle; for pages and feeds the host."""
        name: str
        """Display name; for pages and feeds the title."""
        network: str | None
        """Of an account, channel or chat server: its network, such as `bluesky`."""
        keys_: int
        """Keys that track it."""
        health: Literal["ok", "failing", "gone"]
        """`failing` after five failed polls in a row; `gone` when the source says so."""
        failures: int
        """Polls that failed since the last good one."""
        problem: str | None
        """Why the last poll failed, since when, and what to do, in words; null when it succeeded."""
        polled_at: str
        """When the last poll began."""
        due_at: str
        """When it is polled next; the past while a poll is under way."""
        last_event_at: str | None
        """When a poll last found something that became an event; null while there was none."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["externalId"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["username"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["network"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["keys"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["health"], /) -> Literal["ok", "failing", "gone"]: ...

        @overload
        def __getitem__(self, key: Literal["failures"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["problem"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["polled_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["due_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["last_event_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class StartErasureResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Erasure
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Erasure: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TestEndpointResponseData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        event_id: str

        @overload
        def __getitem__(self, key: Literal["event_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TestEndpointResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: TestEndpointResponseData
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> TestEndpointResponseData: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TestWebhookResponseData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        event_id: str

        @overload
        def __getitem__(self, key: Literal["event_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TestWebhookResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: TestWebhookResponseData
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> TestWebhookResponseData: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TotalUsage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        days: list[str]
        """UTC days, oldest first."""
        total: list[int]
        """Requests of all keys on each day."""
        keys_: list[KeyUsage]
        """The 20 keys with the most requests on these days together, largest first."""

        @overload
        def __getitem__(self, key: Literal["days"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["total"], /) -> list[int]: ...

        @overload
        def __getitem__(self, key: Literal["keys"], /) -> list[KeyUsage]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TrackBatchProgress(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        total: int
        """All entries: the sum of the others."""
        pending: int
        """Entries that are still to be tracked."""
        tracked: int
        """Sources that the key tracks since this batch."""
        known: int
        """Sources that it tracked before."""
        waiting: int
        """Private channels that must approve us first."""
        removed: int
        """Sources that the key no longer tracks, as an OPML document asked."""
        failed: int
        """Entries that cannot be tracked."""

        @overload
        def __getitem__(self, key: Literal["total"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["pending"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["tracked"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["known"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["waiting"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["removed"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["failed"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TrackBatchEntryError(Answer):
    """When `failed`; when `pending`, why the last try failed."""

    __slots__ = ()

    if TYPE_CHECKING:
        code: str
        message: str

        @overload
        def __getitem__(self, key: Literal["code"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TrackBatchEntry(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        number: int
        """Its place in the request, from 0."""
        line: int | None
        """Its line in the OPML document that named it."""
        source: Literal["microblog", "chatserver", "messenger", "web", "rss", "site", "search"]
        """The kind of source."""
        sid: str
        """As it was sent."""
        status: Literal["pending", "tracked", "known", "waiting", "removed", "failed"]
        """`tracked` from now on, `known`: the key tracked it before, `waiting` for somebody who must approve us, `removed`: no longer tracked, as an OPML document asked, `failed` for good."""
        data: Source | None
        """The source, when `tracked` or `known`."""
        jobId: str | None
        """The id of the join request, when `waiting`."""
        error: TrackBatchEntryError | None
        """When `failed`; when `pending`, why the last try failed."""

        @overload
        def __getitem__(self, key: Literal["number"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["line"], /) -> int: ...

        @overload
        def __getitem__(
            self, key: Literal["source"], /
        ) -> Literal["microblog", "chatserver", "messenger", "web", "rss", "site", "search"]: ...

        @overload
        def __getitem__(self, key: Literal["sid"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["pending", "tracked", "known", "waiting", "removed", "failed"]: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["jobId"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> TrackBatchEntryError: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TrackChatResponseData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """`id` of the source."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TrackChatResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: TrackChatResponseData
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> TrackChatResponseData: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TrackJob(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """`jobId` of the answer to `POST /track/{source}`."""
        state: Literal["waiting", "active", "completed", "failed"]
        """`waiting` until somebody decides, `active` after the approval until the channel is tracked."""
        returnvalue: Source | None
        """When `completed`: the source, which is tracked now."""
        failedReason: str | None
        """When `failed`: the reason, for people."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["state"], /
        ) -> Literal["waiting", "active", "completed", "failed"]: ...

        @overload
        def __getitem__(self, key: Literal["returnvalue"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["failedReason"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TrackUserResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Account
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Account: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


TrackedSourceTag: TypeAlias = str


class TrackedSource(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """`iid` when untracking."""
        source: str
        """The kind in upper case, for example `RSS`."""
        externalId: str
        """`eid` when untracking: what the platform calls it; for pages and feeds the URL."""
        username: str
        """Its handle; for pages and feeds the host."""
        name: str
        """Display name; for pages and feeds the title."""
        network: str | None
        """Of an account, channel or chat server: its network, such as `bluesky`."""
        options: ShownWatchOptions | None
        """How the calling key tracks it, where it has chosen anything; values of headers and cookies, and a body, are `•••`."""
        health: Literal["ok", "failing", "gone"]
        """`failing` after five failed polls in a row; `gone` when the source says so."""
        failures: int
        """Polls that failed since the last good one."""
        problem: str | None
        """Why the last poll failed, since when, and what to do, in words; null when it succeeded."""
        polled_at: str
        """When the last poll began."""
        due_at: str
        """When it is polled next; the past while a poll is under way."""
        last_event_at: str | None
        """When a poll last found something that became an event; null while there was none."""
        muted: list[MutedLine]
        """The lines whose changes are muted, because they change so often."""
        tags: list[TrackedSourceTag]
        """Words by which the key sorts its sources."""
        tracked_at: str
        """When the calling key began to track it."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["externalId"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["username"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["network"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["options"], /) -> ShownWatchOptions: ...

        @overload
        def __getitem__(self, key: Literal["health"], /) -> Literal["ok", "failing", "gone"]: ...

        @overload
        def __getitem__(self, key: Literal["failures"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["problem"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["polled_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["due_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["last_event_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["muted"], /) -> list[MutedLine]: ...

        @overload
        def __getitem__(self, key: Literal["tags"], /) -> list[TrackedSourceTag]: ...

        @overload
        def __getitem__(self, key: Literal["tracked_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TransformTest(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        event: dict[str, Any]
        """The event."""
        passes: bool
        """Whether the event would be delivered."""
        filter_problem: str | None
        """Why the predicate failed; the event passes then."""
        content_type: str | None
        """Of the body; null where there is none."""
        body: str | None
        """What would be sent; null where the transform fails."""
        transform_problem: str | None
        """Why the transform failed."""

        @overload
        def __getitem__(self, key: Literal["event"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["passes"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["filter_problem"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["content_type"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["body"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["transform_problem"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class UntrackChatResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        message: str

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class UntrackResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Source
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class UntrackUserResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        message: str

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class User(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """`iid` when untracking."""
        source: str
        """The kind in upper case, for example `RSS`."""
        externalId: str
        """`eid` when untracking: what the platform calls it; for pages and feeds the URL."""
        username: str
        """Its handle; for pages and feeds the host."""
        name: str
        """Display name; for pages and feeds the title."""
        network: str | None
        """Of an account, channel or chat server: its network, such as `bluesky`."""
        createdAt: str
        """When the calling key began to track it."""
        updatedAt: str
        """When the source last changed its name, address or state."""
        followedAt: str
        """When the calling key began to track the user."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["externalId"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["username"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["network"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["createdAt"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["updatedAt"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["followedAt"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ValueChange(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        from_: float
        to: float

        @overload
        def __getitem__(self, key: Literal["from"], /) -> float: ...

        @overload
        def __getitem__(self, key: Literal["to"], /) -> float: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ValuePoint(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        at: str
        """With `every`, when the span begins."""
        field: str
        value: Any
        """A number, a text, true or false; null where there was none."""

        @overload
        def __getitem__(self, key: Literal["at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["field"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["value"], /) -> Any: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Version(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        at: str
        """When a check first saw it."""
        until: str | None
        """When the next version was seen; null for the latest one."""
        title: str
        item: str | None
        """Of a feed: the item; of a site: the address of the page."""
        outcome: Literal["first", "changed", "held", "muted", "same"]
        """`first`: the baseline; `changed`: it made an event; `held` or `muted`: it made none."""
        reason: str
        added: int
        """Lines that are new in it."""
        removed: int
        event_id: str | None

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["until"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["item"], /) -> str | None: ...

        @overload
        def __getitem__(
            self, key: Literal["outcome"], /
        ) -> Literal["first", "changed", "held", "muted", "same"]: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["added"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["removed"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["event_id"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class VersionContent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        at: str
        """When a check first saw it."""
        until: str | None
        """When the next version was seen; null for the latest one."""
        title: str
        item: str | None
        """Of a feed: the item; of a site: the address of the page."""
        outcome: Literal["first", "changed", "held", "muted", "same"]
        """`first`: the baseline; `changed`: it made an event; `held` or `muted`: it made none."""
        reason: str
        added: int
        """Lines that are new in it."""
        removed: int
        event_id: str | None
        text: str
        """What the watch compares, a line for each block."""
        markdown: str
        """The main content of the page, or the item."""
        fields: dict[str, Any] | None
        """With `options.json`: the fields that were found."""
        has_picture: bool
        """Whether `as=picture` has one."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["until"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["item"], /) -> str | None: ...

        @overload
        def __getitem__(
            self, key: Literal["outcome"], /
        ) -> Literal["first", "changed", "held", "muted", "same"]: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["added"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["removed"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["event_id"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["text"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["markdown"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["fields"], /) -> dict[str, Any] | None: ...

        @overload
        def __getitem__(self, key: Literal["has_picture"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class WatchDifference(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        added: list[str]
        """New lines; where only the order differs, the lines that moved."""
        removed: list[str]
        """Removed lines, likewise."""
        diff: str
        """A unified diff."""
        moved: list[str] | None
        """Lines that have changed their place, in words: `Alpha: moved from 3rd to 1st`."""
        note: str | None
        """What no line shows: the page has changed beyond the text that is kept."""
        fields: dict[str, FieldChange] | None
        """With `json`: what each field was and is; with `extract`: what the values that differ were and are, by their paths. Null for one that is not there."""
        value: ValueChange | None
        """With `when.value`: the number before, and the one that counts now."""

        @overload
        def __getitem__(self, key: Literal["added"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["removed"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["diff"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["moved"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["note"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["fields"], /) -> dict[str, FieldChange]: ...

        @overload
        def __getitem__(self, key: Literal["value"], /) -> ValueChange: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class WatchPreview(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        text: str
        """What is compared, as Markdown, at most 20 KB."""
        fields: dict[str, Any] | None
        """With `json`: the fields that were found; with `extract`: the values, by their paths."""
        lines_ignored: int
        """Lines that `ignore` leaves out."""
        list: PreviewList | None
        """With `items`: how the entries are found."""
        would_fire: bool | None
        """Whether a poll now would make an event: true or false where the key tracks the page with these options; else false where it would stay silent whatever changes, and null where the next change decides."""
        why: str
        """The reason, in a sentence."""
        change: WatchDifference | None
        """How the page differs from the last check of the key's own watch, whether that counts or not; null where it does not, or where there is no such check."""
        past: PreviewPast | None
        """What these options would have made of the last 30 days, where the key tracks the page, with whatever options, and versions of it are kept; null elsewhere. `POST /sources/{id}/rehearse` has the details."""

        @overload
        def __getitem__(self, key: Literal["text"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["fields"], /) -> dict[str, Any] | None: ...

        @overload
        def __getitem__(self, key: Literal["lines_ignored"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["list"], /) -> PreviewList: ...

        @overload
        def __getitem__(self, key: Literal["would_fire"], /) -> bool | None: ...

        @overload
        def __getitem__(self, key: Literal["why"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["change"], /) -> WatchDifference | None: ...

        @overload
        def __getitem__(self, key: Literal["past"], /) -> PreviewPast | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class WatchedPage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        url: str
        title: str
        """Empty before it was read."""
        state: Literal["new", "there", "missing", "removed", "moved", "refused", "alias"]
        """`new`: known, and not read yet; `there`; `missing`: not found, which another visit confirms; `removed`; `moved`; `refused`: robots.txt or its own wish keeps Magpie out; `alias`: another address of a page."""
        depth: int
        """Links from the entry page."""
        found_at: str
        """When it was found."""
        visited_at: str | None
        """When it was last asked for; null before the first time."""
        changed_at: str | None
        """When its last event was made: it came, changed, moved or went."""
        moved_to: str | None
        """Of `moved` and `alias`: the address of the page."""
        next_visit_at: str | None
        """When it is asked for next; null where it is not."""

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["state"], /
        ) -> Literal["new", "there", "missing", "removed", "moved", "refused", "alias"]: ...

        @overload
        def __getitem__(self, key: Literal["depth"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["found_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["visited_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["changed_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["moved_to"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["next_visit_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class WatchedSource(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """`iid` when untracking."""
        source: str
        """The kind in upper case, for example `RSS`."""
        externalId: str
        """`eid` when untracking: what the platform calls it; for pages and feeds the URL."""
        username: str
        """Its handle; for pages and feeds the host."""
        name: str
        """Display name; for pages and feeds the title."""
        network: str | None
        """Of an account, channel or chat server: its network, such as `bluesky`."""
        options: ShownWatchOptions | None
        """How the calling key tracks it, where it has chosen anything; values of headers and cookies, and a body, are `•••`."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["externalId"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["username"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["network"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["options"], /) -> ShownWatchOptions: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class WebhookBatch(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        max_events: int
        max_wait_ms: int

        @overload
        def __getitem__(self, key: Literal["max_events"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["max_wait_ms"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class WebhookKeys(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        keys_: list[str]
        """Newest first, each `whpk_…`."""

        @overload
        def __getitem__(self, key: Literal["keys"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class WebhookRate(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        per_second: float
        burst: int

        @overload
        def __getitem__(self, key: Literal["per_second"], /) -> float: ...

        @overload
        def __getitem__(self, key: Literal["burst"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


WebhookStateSource: TypeAlias = str

WebhookStateTag: TypeAlias = str


class WebhookState(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        name: str | None
        url: str
        """Of a destination: where it is, without secrets."""
        destination: (
            FolderDestination
            | S3Destination
            | PostgresqlDestination
            | NatsDestination
            | RabbitmqDestination
            | None
        )
        """In place of `url`: a folder, bucket or queue that takes the events. Secrets are encrypted at rest; answers show `•••` for each, and one that is sent so stays as it is."""
        status: Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]
        """`ACTIVE`: events are sent. `FAILED`: it failed too often; a change starts it again. `DISABLED`: its owner has switched it off. `UNCONFIRMED`: an address of mail whose owner has not agreed yet. In these three, events are kept for 72 hours."""
        enabled: bool
        """False where `status` is `DISABLED`."""
        ordering: Literal["conversation", "none"]
        batch: WebhookBatch | None
        """Null: each event is sent in a request of its own."""
        event_types: (
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
        )
        """Only events of these types; null for all. `GET /event-types` lists them."""
        sources: list[WebhookStateSource] | None
        """Only events of the sources with these ids; null for all."""
        tags: list[WebhookStateTag] | None
        """Only events of sources that have any of these tags of the key when the endpoint comes to them; null for all."""
        meaningful: bool
        """True: without the changes that a judge has dismissed by the goal of their source. Events that are not judged, or were not in time, pass."""
        headers: dict[str, str]
        """The names of its own headers; each value reads `•••`."""
        format: Literal[
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
        """How the body is written; `standard`, the default, is the event as JSON; `firecrawl` is for programs that take webhooks of Firecrawl, `cloudevents` and `cloudevents-binary` for those that take CloudEvents 1.0. Of mails: `standard` has text and HTML, `text` is plain text; they take no other."""
        template: str | None
        """The text of a message, for mails and for formats other than `standard`; null for the usual one."""
        filter: str | None
        """A predicate in JSONata over the event, such as `$.data.post.legacy.favorite_count > 100`: only events for which it is true. One for which it fails or takes too long is delivered. Null for none."""
        filter_problem: FilterProblem | None
        """Why `filter` failed for an event last, which was delivered then; null after a change of it."""
        transform: str | None
        """JSONata that makes the body of a delivery from the event, or from the batch; an object or array is sent as JSON, a text as plain text. With `standard` only. Null for none."""
        metadata: dict[str, Any] | None
        """With `firecrawl`: an object of your own, at most 4 KB as JSON, that each delivery carries as `metadata`."""
        asymmetric: bool
        """True: deliveries also have a signature `v1a` (Ed25519). Receivers check it with the public key, which cannot sign."""
        public_keys: list[str]
        """With `asymmetric`: the keys that check `v1a`, newest first, each `whpk_…`. `GET /.well-known/webhooks/keys/{id}` has them, too."""
        fallback: str | None
        """`id` of another webhook of the key, with a URL: while this one is `FAILED`, its events go there, one in a request, in their order. Null for none."""
        falls_back: bool
        """It is `FAILED`, and its events go to `fallback` now."""
        rate: WebhookRate | None
        """The most events that are sent; null for no limit."""
        timeout_ms: int
        """How long an answer may take, in milliseconds."""
        client_certificate: ShownClientCertificate | None
        digest: Literal["15m", "1h", "1d"] | None
        """For `mailto:` addresses: one mail per interval with all events in it. Null, the default: a mail for each event or batch."""
        monitor: str | None
        """The monitor that it belongs to, and is removed with."""
        waiting: int
        """Events that wait for delivery."""
        failures: int
        """Failed attempts in a row."""
        next_attempt_at: str | None
        """Of a failing endpoint."""
        held: Quota | None
        """The quota of deliveries that is used up, while events wait for it; they are kept."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["destination"], /
        ) -> (
            FolderDestination
            | S3Destination
            | PostgresqlDestination
            | NatsDestination
            | RabbitmqDestination
            | None
        ): ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]: ...

        @overload
        def __getitem__(self, key: Literal["enabled"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["ordering"], /) -> Literal["conversation", "none"]: ...

        @overload
        def __getitem__(self, key: Literal["batch"], /) -> WebhookBatch | None: ...

        @overload
        def __getitem__(
            self, key: Literal["event_types"], /
        ) -> (
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
        ): ...

        @overload
        def __getitem__(self, key: Literal["sources"], /) -> list[WebhookStateSource] | None: ...

        @overload
        def __getitem__(self, key: Literal["tags"], /) -> list[WebhookStateTag] | None: ...

        @overload
        def __getitem__(self, key: Literal["meaningful"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["headers"], /) -> dict[str, str]: ...

        @overload
        def __getitem__(
            self, key: Literal["format"], /
        ) -> Literal[
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
        ]: ...

        @overload
        def __getitem__(self, key: Literal["template"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["filter"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["filter_problem"], /) -> FilterProblem | None: ...

        @overload
        def __getitem__(self, key: Literal["transform"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any] | None: ...

        @overload
        def __getitem__(self, key: Literal["asymmetric"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["public_keys"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["fallback"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["falls_back"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["rate"], /) -> WebhookRate | None: ...

        @overload
        def __getitem__(self, key: Literal["timeout_ms"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["client_certificate"], /) -> ShownClientCertificate | None: ...

        @overload
        def __getitem__(self, key: Literal["digest"], /) -> Literal["15m", "1h", "1d"] | None: ...

        @overload
        def __getitem__(self, key: Literal["monitor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["waiting"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["failures"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["next_attempt_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["held"], /) -> Quota | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class WebhookTestEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        webhook_id: str | None
        """The webhook that it is for: it reaches that one alone, whatever its filter is."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["webhook_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class WebhookTestEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["webhook.test"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: WebhookTestEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["webhook.test"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> WebhookTestEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class AuditAct(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        actor: AuditActor
        operation: str
        """The `operationId` of the document."""
        path: dict[str, str]
        """The parameters of the path."""
        fields: list[str]
        """The names of the fields that were sent, without their values."""
        target: str | None
        """`id` of what the answer is about, such as a key that was made."""
        status: int
        """The HTTP status of the answer."""
        code: str | None
        """The code of a refusal."""
        request_id: str
        """As `x-request-id` of the answer."""
        client: str
        """The client's address; behind TRUSTED_PROXIES the one that they name."""

        @overload
        def __getitem__(self, key: Literal["actor"], /) -> AuditActor: ...

        @overload
        def __getitem__(self, key: Literal["operation"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["path"], /) -> dict[str, str]: ...

        @overload
        def __getitem__(self, key: Literal["fields"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["target"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["code"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["request_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["client"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class AuditEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        type: str
        """`audit.` and the operation."""
        timestamp: str
        """When it was answered."""
        data: AuditAct

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> AuditAct: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class BatchOverview(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        batch_id: str
        version: Literal["v1"]
        status: Literal["scraping", "completed", "failed", "cancelled"]
        stop_reason: Literal["finished", "quota", "cancelled", "given_up"] | None
        """Null while the batch runs."""
        progress: CrawlProgress
        started_at: str
        ended_at: str | None
        """Null while it runs."""
        expires_at: str | None
        """Null while it runs."""
        error: Failure | None
        """Only when `failed`."""

        @overload
        def __getitem__(self, key: Literal["batch_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> Literal["v1"]: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["scraping", "completed", "failed", "cancelled"]: ...

        @overload
        def __getitem__(
            self, key: Literal["stop_reason"], /
        ) -> Literal["finished", "quota", "cancelled", "given_up"] | None: ...

        @overload
        def __getitem__(self, key: Literal["progress"], /) -> CrawlProgress: ...

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> Failure: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class BatchStartedNoticeData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        metadata: dict[str, Any] | None
        """`webhook.metadata` of the job."""
        job: BatchOverview
        """The job. The longest texts are cut where the body would have 256 KB or more."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["job"], /) -> BatchOverview: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class BatchStartedNotice(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every attempt."""
        type: Literal["batch.started"]
        timestamp: str
        seq: None
        data: BatchStartedNoticeData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["batch.started"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> BatchStartedNoticeData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChangePasswordResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Session
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Session: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChangeSourceResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: WatchedSource
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> WatchedSource: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChangedWebhook(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        apiKey: str
        """The key value that it belongs to."""
        name: str | None
        url: str
        status: Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]
        """`ACTIVE`: events are sent. `FAILED`: it failed too often; a change starts it again. `DISABLED`: its owner has switched it off. `UNCONFIRMED`: an address of mail whose owner has not agreed yet. In these three, events are kept for 72 hours."""
        ordering: Literal["conversation", "none"]
        batch: WebhookBatch | None
        """Null: each event is sent in a request of its own."""
        secret: str | None
        """`whsec_…`, for checking signatures. Shown here only."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["apiKey"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]: ...

        @overload
        def __getitem__(self, key: Literal["ordering"], /) -> Literal["conversation", "none"]: ...

        @overload
        def __getitem__(self, key: Literal["batch"], /) -> WebhookBatch | None: ...

        @overload
        def __getitem__(self, key: Literal["secret"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChangedWebhookEndpoint(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        name: str | None
        url: str
        """Of a destination: where it is, without secrets."""
        destination: (
            FolderDestination
            | S3Destination
            | PostgresqlDestination
            | NatsDestination
            | RabbitmqDestination
            | None
        )
        """In place of `url`: a folder, bucket or queue that takes the events. Secrets are encrypted at rest; answers show `•••` for each, and one that is sent so stays as it is."""
        status: Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]
        """`ACTIVE`: events are sent. `FAILED`: it failed too often; a change starts it again. `DISABLED`: its owner has switched it off. `UNCONFIRMED`: an address of mail whose owner has not agreed yet. In these three, events are kept for 72 hours."""
        enabled: bool
        """False where `status` is `DISABLED`."""
        ordering: Literal["conversation", "none"]
        batch: WebhookBatch | None
        """Null: each event is sent in a request of its own."""
        event_types: (
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
        )
        """Only events of these types; null for all. `GET /event-types` lists them."""
        sources: list[ChangedWebhookEndpointSource] | None
        """Only events of the sources with these ids; null for all."""
        tags: list[ChangedWebhookEndpointTag] | None
        """Only events of sources that have any of these tags of the key when the endpoint comes to them; null for all."""
        meaningful: bool
        """True: without the changes that a judge has dismissed by the goal of their source. Events that are not judged, or were not in time, pass."""
        headers: dict[str, str]
        """The names of its own headers; each value reads `•••`."""
        format: Literal[
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
        """How the body is written; `standard`, the default, is the event as JSON; `firecrawl` is for programs that take webhooks of Firecrawl, `cloudevents` and `cloudevents-binary` for those that take CloudEvents 1.0. Of mails: `standard` has text and HTML, `text` is plain text; they take no other."""
        template: str | None
        """The text of a message, for mails and for formats other than `standard`; null for the usual one."""
        filter: str | None
        """A predicate in JSONata over the event, such as `$.data.post.legacy.favorite_count > 100`: only events for which it is true. One for which it fails or takes too long is delivered. Null for none."""
        filter_problem: FilterProblem | None
        """Why `filter` failed for an event last, which was delivered then; null after a change of it."""
        transform: str | None
        """JSONata that makes the body of a delivery from the event, or from the batch; an object or array is sent as JSON, a text as plain text. With `standard` only. Null for none."""
        metadata: dict[str, Any] | None
        """With `firecrawl`: an object of your own, at most 4 KB as JSON, that each delivery carries as `metadata`."""
        asymmetric: bool
        """True: deliveries also have a signature `v1a` (Ed25519). Receivers check it with the public key, which cannot sign."""
        public_keys: list[str]
        """With `asymmetric`: the keys that check `v1a`, newest first, each `whpk_…`. `GET /.well-known/webhooks/keys/{id}` has them, too."""
        fallback: str | None
        """`id` of another webhook of the key, with a URL: while this one is `FAILED`, its events go there, one in a request, in their order. Null for none."""
        falls_back: bool
        """It is `FAILED`, and its events go to `fallback` now."""
        rate: WebhookRate | None
        """The most events that are sent; null for no limit."""
        timeout_ms: int
        """How long an answer may take, in milliseconds."""
        client_certificate: ShownClientCertificate | None
        digest: Literal["15m", "1h", "1d"] | None
        """For `mailto:` addresses: one mail per interval with all events in it. Null, the default: a mail for each event or batch."""
        monitor: str | None
        """The monitor that it belongs to, and is removed with."""
        waiting: int
        """Events that wait for delivery."""
        failures: int
        """Failed attempts in a row."""
        next_attempt_at: str | None
        """Of a failing endpoint."""
        held: Quota | None
        """The quota of deliveries that is used up, while events wait for it; they are kept."""
        secret: str | None
        """`whsec_…`, for checking signatures. Shown here only."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["destination"], /
        ) -> (
            FolderDestination
            | S3Destination
            | PostgresqlDestination
            | NatsDestination
            | RabbitmqDestination
            | None
        ): ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]: ...

        @overload
        def __getitem__(self, key: Literal["enabled"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["ordering"], /) -> Literal["conversation", "none"]: ...

        @overload
        def __getitem__(self, key: Literal["batch"], /) -> WebhookBatch | None: ...

        @overload
        def __getitem__(
            self, key: Literal["event_types"], /
        ) -> (
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
        ): ...

        @overload
        def __getitem__(self, key: Literal["sources"], /) -> list[ChangedWebhookEndpointSource] | None: ...

        @overload
        def __getitem__(self, key: Literal["tags"], /) -> list[ChangedWebhookEndpointTag] | None: ...

        @overload
        def __getitem__(self, key: Literal["meaningful"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["headers"], /) -> dict[str, str]: ...

        @overload
        def __getitem__(
            self, key: Literal["format"], /
        ) -> Literal[
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
        ]: ...

        @overload
        def __getitem__(self, key: Literal["template"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["filter"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["filter_problem"], /) -> FilterProblem | None: ...

        @overload
        def __getitem__(self, key: Literal["transform"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any] | None: ...

        @overload
        def __getitem__(self, key: Literal["asymmetric"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["public_keys"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["fallback"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["falls_back"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["rate"], /) -> WebhookRate | None: ...

        @overload
        def __getitem__(self, key: Literal["timeout_ms"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["client_certificate"], /) -> ShownClientCertificate | None: ...

        @overload
        def __getitem__(self, key: Literal["digest"], /) -> Literal["15m", "1h", "1d"] | None: ...

        @overload
        def __getitem__(self, key: Literal["monitor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["waiting"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["failures"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["next_attempt_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["held"], /) -> Quota | None: ...

        @overload
        def __getitem__(self, key: Literal["secret"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChatserverMessageDeletedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        message: DeletedChatMessage

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> DeletedChatMessage: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChatserverMessageDeletedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["chatserver.message.deleted"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: ChatserverMessageDeletedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["chatserver.message.deleted"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ChatserverMessageDeletedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CrawlOverview(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        crawl_id: str
        version: Literal["v1"]
        status: Literal["crawling", "completed", "failed", "cancelled"]
        url: str
        stop_reason: Literal["finished", "limit", "quota", "cancelled", "entry_failed", "given_up"] | None
        """Null while the crawl runs."""
        progress: CrawlProgress
        started_at: str
        ended_at: str | None
        """Null while it runs."""
        expires_at: str | None
        """Null while it runs."""
        error: Failure | None
        """Only when `failed`."""

        @overload
        def __getitem__(self, key: Literal["crawl_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> Literal["v1"]: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["crawling", "completed", "failed", "cancelled"]: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["stop_reason"], /
        ) -> Literal["finished", "limit", "quota", "cancelled", "entry_failed", "given_up"] | None: ...

        @overload
        def __getitem__(self, key: Literal["progress"], /) -> CrawlProgress: ...

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> Failure: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CrawlStartedNoticeData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        metadata: dict[str, Any] | None
        """`webhook.metadata` of the job."""
        job: CrawlOverview
        """The job. The longest texts are cut where the body would have 256 KB or more."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["job"], /) -> CrawlOverview: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CrawlStartedNotice(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every attempt."""
        type: Literal["crawl.started"]
        timestamp: str
        seq: None
        data: CrawlStartedNoticeData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["crawl.started"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> CrawlStartedNoticeData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CreateFeedResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: EventFeed
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> EventFeed: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CreateOwnerLinkResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: OwnerLink
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> OwnerLink: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DiffLine(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        kind: Literal["same", "added", "removed", "changed", "moved", "gap"]
        """`moved`: at its new place; `gap`: lines that both have, left out."""
        parts: list[DiffPart]
        """Of a changed line by words."""
        skipped: int | None
        """Of a gap: how many lines."""

        @overload
        def __getitem__(
            self, key: Literal["kind"], /
        ) -> Literal["same", "added", "removed", "changed", "moved", "gap"]: ...

        @overload
        def __getitem__(self, key: Literal["parts"], /) -> list[DiffPart]: ...

        @overload
        def __getitem__(self, key: Literal["skipped"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DispatchPostsResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        message: str
        data: list[PlannedPost] | None
        """Of a dry run: each post, in their order."""

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[PlannedPost]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Document(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        markdown: str
        """GitHub Flavored Markdown."""
        html: str
        """The content without scripts, styles and, by default, navigation and the like."""
        raw_html: str
        """The whole page, as the server sent it or the browser has it."""
        links: list[str]
        """Absolute URLs, each once."""
        images: list[str]
        """Absolute URLs of the images, each once, in the order of the document."""
        summary: str
        """At most three sentences, verbatim; a model's may have five."""
        json: dict[str, Any]
        """What was extracted; it fits the schema that was sent."""
        json_recipe: dict[str, Any] | None
        """With `breakdown`: selectors that can be sent back as `output.json.recipe`. Absent where none found the JSON: values of a model, and documents that are no pages."""
        json_quotes: dict[str, str] | None
        """With `breakdown`: the words of the page that values of a language model rest on, by the dotted paths of the values that are not on the page themselves."""
        metadata: DocumentMetadata

        @overload
        def __getitem__(self, key: Literal["markdown"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["html"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["raw_html"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["links"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["images"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["summary"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["json"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["json_recipe"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["json_quotes"], /) -> dict[str, str]: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> DocumentMetadata: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DocumentOutput(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        formats: list[Literal["html", "raw_html", "markdown", "links", "images", "summary", "json"]] | None
        """As those of a scrape. `json` needs `output.json`."""
        json: JsonOptions | None
        """What the `json` format extracts; at least one of its fields is needed."""

        @overload
        def __getitem__(
            self, key: Literal["formats"], /
        ) -> list[Literal["html", "raw_html", "markdown", "links", "images", "summary", "json"]] | None: ...

        @overload
        def __getitem__(self, key: Literal["json"], /) -> JsonOptions | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DocumentReading(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        include_tags: list[DocumentReadingIncludeTag] | None
        """CSS selectors: only the elements that match one of them, and what is in them. Without a search for the main content, since these name it."""
        exclude_tags: list[DocumentReadingExcludeTag] | None
        """CSS selectors: without the elements that match one of them."""
        only_main_content: bool | None
        """Leaves out navigation, sidebars, footers and the like."""
        pdf: PdfOptions | None
        """How a PDF is read."""

        @overload
        def __getitem__(self, key: Literal["include_tags"], /) -> list[DocumentReadingIncludeTag] | None: ...

        @overload
        def __getitem__(self, key: Literal["exclude_tags"], /) -> list[DocumentReadingExcludeTag] | None: ...

        @overload
        def __getitem__(self, key: Literal["only_main_content"], /) -> bool | None: ...

        @overload
        def __getitem__(self, key: Literal["pdf"], /) -> PdfOptions | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Embed(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        title: str | None
        url: str | None
        description: str | None
        """With the platform's Markdown."""
        author: str | None
        provider: str | None
        """The site that it shows a page of."""
        fields: list[EmbedField] | None
        image: str | None
        footer: str | None

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["description"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["author"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["provider"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["fields"], /) -> list[EmbedField]: ...

        @overload
        def __getitem__(self, key: Literal["image"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["footer"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EndpointFailedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        endpoint: EndpointOfEvent
        """The webhook, by its id; its address is left out, since it may hold a secret."""
        reason: str
        """A sentence for people."""
        failing_since: str | None
        """The first of the failures in a row."""
        http_status: int | None
        """Of the last attempt."""
        error: str | None
        """Why it failed. `dns`: the name does not resolve. `not_allowed`: the address is not allowed. `refused`: the connection was refused. `unreachable`: no route leads to the address. `timeout_connect`: no connection in time. `tls_expired`: the certificate has expired. `tls_host`: the certificate is for another name. `tls_other`: the TLS handshake or the certificate failed. `reset`: the connection broke off. `timeout_answer`: no complete answer in time. `malformed`: the answer is not HTTP. `interrupted`: Magpie ended the exchange. `status_503`: it answered with this status. Of a mail: `smtp`, `timeout`, `connection` or `tls`. `destination`: a folder, bucket or queue has refused it. `transform`: the webhook's `transform` makes no body of it. Of both, `answer` says why."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["endpoint"], /) -> EndpointOfEvent: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["failing_since"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["http_status"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EndpointFailedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["endpoint.failed"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: EndpointFailedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["endpoint.failed"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> EndpointFailedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EndpointFailingEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        endpoint: EndpointOfEvent
        """The webhook, by its id; its address is left out, since it may hold a secret."""
        reason: str
        """A sentence for people."""
        failing_since: str | None
        """The first of the failures in a row."""
        http_status: int | None
        """Of the last attempt."""
        error: str | None
        """Why it failed. `dns`: the name does not resolve. `not_allowed`: the address is not allowed. `refused`: the connection was refused. `unreachable`: no route leads to the address. `timeout_connect`: no connection in time. `tls_expired`: the certificate has expired. `tls_host`: the certificate is for another name. `tls_other`: the TLS handshake or the certificate failed. `reset`: the connection broke off. `timeout_answer`: no complete answer in time. `malformed`: the answer is not HTTP. `interrupted`: Magpie ended the exchange. `status_503`: it answered with this status. Of a mail: `smtp`, `timeout`, `connection` or `tls`. `destination`: a folder, bucket or queue has refused it. `transform`: the webhook's `transform` makes no body of it. Of both, `answer` says why."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["endpoint"], /) -> EndpointOfEvent: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["failing_since"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["http_status"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EndpointFailingEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["endpoint.failing"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: EndpointFailingEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["endpoint.failing"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> EndpointFailingEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EraseSiteSessionResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: ErasedSession
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ErasedSession: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FailedPage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        metadata: FailedPageMetadata
        error: Failure

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> FailedPageMetadata: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> Failure: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FeedPodcast(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        season: float | None
        episode: float | None
        transcripts: list[PodcastFile] | None
        chapters: PodcastFile | None

        @overload
        def __getitem__(self, key: Literal["season"], /) -> float: ...

        @overload
        def __getitem__(self, key: Literal["episode"], /) -> float: ...

        @overload
        def __getitem__(self, key: Literal["transcripts"], /) -> list[PodcastFile]: ...

        @overload
        def __getitem__(self, key: Literal["chapters"], /) -> PodcastFile: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ForwardedMessage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        content: str
        createdAt: str
        url: str | None
        """The address of the message that is forwarded."""
        attachments: list[Attachment]
        embeds: list[Embed] | None
        """What bots write, and previews of links."""

        @overload
        def __getitem__(self, key: Literal["content"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["createdAt"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["attachments"], /) -> list[Attachment]: ...

        @overload
        def __getitem__(self, key: Literal["embeds"], /) -> list[Embed]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetApiKeyUsageResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[DailyUsage]
        quotas: list[QuotaLeft]
        """Those that are set, of the day first."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[DailyUsage]: ...

        @overload
        def __getitem__(self, key: Literal["quotas"], /) -> list[QuotaLeft]: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetEndpointResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: WebhookState
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> WebhookState: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetOwnKeyUsageResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[DailyUsage]
        quotas: list[QuotaLeft]
        """Those that are set, of the day first."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[DailyUsage]: ...

        @overload
        def __getitem__(self, key: Literal["quotas"], /) -> list[QuotaLeft]: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetSessionResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Session
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Session: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetSiteSessionResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: SiteSession
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SiteSession: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetSourceResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: SourceDetail
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SourceDetail: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetTotalUsageResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: TotalUsage
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> TotalUsage: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetUsageResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[DailyUsage]
        quotas: list[QuotaLeft]
        """Those that are set, of the day first."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[DailyUsage]: ...

        @overload
        def __getitem__(self, key: Literal["quotas"], /) -> list[QuotaLeft]: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetVersionResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: VersionContent
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> VersionContent: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Join(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """`jobId` of the answer to `POST /track/{source}`."""
        state: Literal["waiting", "active", "completed", "failed"]
        """`waiting` until somebody decides, `active` after the approval until the channel is tracked."""
        returnvalue: Source | None
        """When `completed`: the source, which is tracked now."""
        failedReason: str | None
        """When `failed`: the reason, for people."""
        key_id: str
        """`id` of the key."""
        source: str
        """The kind in upper case."""
        sid: str | None
        """What the key asked to track."""
        fails_at: str
        """When it fails, unless somebody approves it before."""
        ended_at: str | None

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["state"], /
        ) -> Literal["waiting", "active", "completed", "failed"]: ...

        @overload
        def __getitem__(self, key: Literal["returnvalue"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["failedReason"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["key_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["sid"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["fails_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class KeyQuotas(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        day: PeriodQuotas
        month: PeriodQuotas

        @overload
        def __getitem__(self, key: Literal["day"], /) -> PeriodQuotas: ...

        @overload
        def __getitem__(self, key: Literal["month"], /) -> PeriodQuotas: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Lane(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        key_id: str
        """`id` of the key."""
        webhook_id: str
        """`id` of the webhook."""
        url: str
        status: Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]
        """`ACTIVE`: events are sent. `FAILED`: it failed too often; a change starts it again. `DISABLED`: its owner has switched it off. `UNCONFIRMED`: an address of mail whose owner has not agreed yet. In these three, events are kept for 72 hours."""
        waiting: int
        """Events that wait for delivery."""
        failures: int
        """In a row."""
        next_attempt_at: str | None
        """Of a failing endpoint."""
        held: Quota | None
        """The quota of deliveries that is used up, while events wait for it; they are kept."""

        @overload
        def __getitem__(self, key: Literal["key_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["webhook_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]: ...

        @overload
        def __getitem__(self, key: Literal["waiting"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["failures"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["next_attempt_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["held"], /) -> Quota | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListAllJoinsResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[Join]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[Join]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListAllScrapesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[ScrapeSummary]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[ScrapeSummary]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListAllSourcesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[SourceSummary]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[SourceSummary]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListAuditResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[AuditEvent]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[AuditEvent]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListJoinsResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[Join]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[Join]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListLanesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[Lane]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[Lane]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListOwnersResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[Owner]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[Owner]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListScrapesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[ScrapeSummary]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[ScrapeSummary]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListSitePagesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[WatchedPage]
        next_cursor: str | None
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[WatchedPage]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListSiteSessionsResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[SiteSession]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[SiteSession]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListSourcesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[TrackedSource]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[TrackedSource]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListTrackedUsersResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        tracked_users: list[User]

        @overload
        def __getitem__(self, key: Literal["tracked_users"], /) -> list[User]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListValuesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[ValuePoint]
        """Oldest first."""
        truncated: bool
        """There are earlier points: ask with `to`."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[ValuePoint]: ...

        @overload
        def __getitem__(self, key: Literal["truncated"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListVersionsResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[Version]
        next_cursor: str | None
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[Version]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListWebhooksResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[WebhookState]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[WebhookState]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Me(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        key: MeKey
        owner: str
        limits: KeyLimits
        quotas: KeyQuotas
        """By day and by month of UTC; null where there is no quota."""
        requests_today: int
        """Since midnight UTC."""

        @overload
        def __getitem__(self, key: Literal["key"], /) -> MeKey: ...

        @overload
        def __getitem__(self, key: Literal["owner"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["limits"], /) -> KeyLimits: ...

        @overload
        def __getitem__(self, key: Literal["quotas"], /) -> KeyQuotas: ...

        @overload
        def __getitem__(self, key: Literal["requests_today"], /) -> int: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MeResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Me
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Me: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Message(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: int
        """Unique within its channel."""
        text: str
        """The text of the message, or the caption of the attachment."""
        date: int
        """Unix time in seconds."""
        channelId: str | None
        """The channel or group."""
        channelTitle: str | None
        """Its display name."""
        fromId: str | None
        """The author; null for posts of channels."""
        views: int | None
        """Null where the network gives none."""
        forwards: int | None
        """Null where the network gives none."""
        hasMedia: bool
        """Whether there is an attachment."""
        mediaType: Literal["photo", "video", "document", "url"] | None
        """`url` is the preview of a link; null without media, and for media of other kinds."""
        url: str | None
        """The address of the post or message, where its network has one."""
        links: list[PostLink] | None
        """Where its links lead, also those behind words and shortened addresses."""
        card: PostCard | None
        """The preview of a link."""
        quoted: OtherPost | None
        """The post that it quotes."""
        in_reply_to: OtherPost | None
        """The post that it answers."""
        poll: PostPoll | None
        edited_at: str | None
        """When it was last edited."""
        mentions: list[Mention] | None
        """Whom it names. The text has them as the network writes them."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["text"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["date"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["channelId"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["channelTitle"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["fromId"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["views"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["forwards"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["hasMedia"], /) -> bool: ...

        @overload
        def __getitem__(
            self, key: Literal["mediaType"], /
        ) -> Literal["photo", "video", "document", "url"] | None: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["links"], /) -> list[PostLink]: ...

        @overload
        def __getitem__(self, key: Literal["card"], /) -> PostCard: ...

        @overload
        def __getitem__(self, key: Literal["quoted"], /) -> OtherPost: ...

        @overload
        def __getitem__(self, key: Literal["in_reply_to"], /) -> OtherPost: ...

        @overload
        def __getitem__(self, key: Literal["poll"], /) -> PostPoll: ...

        @overload
        def __getitem__(self, key: Literal["edited_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["mentions"], /) -> list[Mention]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MessengerMessageCreatedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        message: Message

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> Message: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MessengerMessageCreatedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["messenger.message.created"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: MessengerMessageCreatedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["messenger.message.created"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> MessengerMessageCreatedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MessengerMessageDeletedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        message: DeletedMessengerMessage

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> DeletedMessengerMessage: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MessengerMessageDeletedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["messenger.message.deleted"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: MessengerMessageDeletedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["messenger.message.deleted"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> MessengerMessageDeletedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MessengerMessageUpdatedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        message: Message

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> Message: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MessengerMessageUpdatedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["messenger.message.updated"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: MessengerMessageUpdatedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["messenger.message.updated"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> MessengerMessageUpdatedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MicroblogPostDeletedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        post: DeletedPost

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["post"], /) -> DeletedPost: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MicroblogPostDeletedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["microblog.post.deleted"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: MicroblogPostDeletedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["microblog.post.deleted"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> MicroblogPostDeletedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MonitorCheck(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        monitor_id: str
        status: Literal["running", "completed", "partial", "failed", "skipped"]
        """`partial`: some pages could not be read; `failed`: none; `skipped`: the one before was still under way."""
        trigger: Literal["scheduled", "manual"]
        scheduled_for: str | None
        """Of a scheduled one."""
        started_at: str
        ended_at: str | None
        """Null while it is under way."""
        counts: MonitorCounts
        error: str | None
        """Why it was skipped, or what failed, in words."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["monitor_id"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["running", "completed", "partial", "failed", "skipped"]: ...

        @overload
        def __getitem__(self, key: Literal["trigger"], /) -> Literal["scheduled", "manual"]: ...

        @overload
        def __getitem__(self, key: Literal["scheduled_for"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["counts"], /) -> MonitorCounts: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MonitorCheckDetail(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        monitor_id: str
        status: Literal["running", "completed", "partial", "failed", "skipped"]
        """`partial`: some pages could not be read; `failed`: none; `skipped`: the one before was still under way."""
        trigger: Literal["scheduled", "manual"]
        scheduled_for: str | None
        """Of a scheduled one."""
        started_at: str
        ended_at: str | None
        """Null while it is under way."""
        counts: MonitorCounts
        error: str | None
        """Why it was skipped, or what failed, in words."""
        pages: list[MonitorPage]
        next_cursor: str | None
        """Null at the end."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["monitor_id"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["running", "completed", "partial", "failed", "skipped"]: ...

        @overload
        def __getitem__(self, key: Literal["trigger"], /) -> Literal["scheduled", "manual"]: ...

        @overload
        def __getitem__(self, key: Literal["scheduled_for"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["counts"], /) -> MonitorCounts: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["pages"], /) -> list[MonitorPage]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MonitorCheckedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        monitor: MonitorName
        check: MonitorCheck

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["monitor"], /) -> MonitorName: ...

        @overload
        def __getitem__(self, key: Literal["check"], /) -> MonitorCheck: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MonitorCheckedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["monitor.checked"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: MonitorCheckedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["monitor.checked"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> MonitorCheckedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MonitorPageEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source | None
        monitor: MonitorName
        check_id: str
        page: MonitorPage

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source | None: ...

        @overload
        def __getitem__(self, key: Literal["monitor"], /) -> MonitorName: ...

        @overload
        def __getitem__(self, key: Literal["check_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["page"], /) -> MonitorPage: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MonitorPageEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["monitor.page"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: MonitorPageEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["monitor.page"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> MonitorPageEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MonitorTarget(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        source: Literal["web", "site", "search"]
        """Pages, sites or searches."""
        sids: list[str]
        options: ShownWatchOptions | None
        """How the calling key tracks it, where it has chosen anything; values of headers and cookies, and a body, are `•••`."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Literal["web", "site", "search"]: ...

        @overload
        def __getitem__(self, key: Literal["sids"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["options"], /) -> ShownWatchOptions: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class NewWebhook(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        apiKey: str
        """The key value that it belongs to."""
        name: str | None
        url: str
        status: Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]
        """`ACTIVE`: events are sent. `FAILED`: it failed too often; a change starts it again. `DISABLED`: its owner has switched it off. `UNCONFIRMED`: an address of mail whose owner has not agreed yet. In these three, events are kept for 72 hours."""
        ordering: Literal["conversation", "none"]
        batch: WebhookBatch | None
        """Null: each event is sent in a request of its own."""
        secret: str
        """`whsec_…`, for checking signatures. Shown here only."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["apiKey"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]: ...

        @overload
        def __getitem__(self, key: Literal["ordering"], /) -> Literal["conversation", "none"]: ...

        @overload
        def __getitem__(self, key: Literal["batch"], /) -> WebhookBatch | None: ...

        @overload
        def __getitem__(self, key: Literal["secret"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class NewWebhookEndpoint(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        name: str | None
        url: str
        """Of a destination: where it is, without secrets."""
        destination: (
            FolderDestination
            | S3Destination
            | PostgresqlDestination
            | NatsDestination
            | RabbitmqDestination
            | None
        )
        """In place of `url`: a folder, bucket or queue that takes the events. Secrets are encrypted at rest; answers show `•••` for each, and one that is sent so stays as it is."""
        status: Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]
        """`ACTIVE`: events are sent. `FAILED`: it failed too often; a change starts it again. `DISABLED`: its owner has switched it off. `UNCONFIRMED`: an address of mail whose owner has not agreed yet. In these three, events are kept for 72 hours."""
        enabled: bool
        """False where `status` is `DISABLED`."""
        ordering: Literal["conversation", "none"]
        batch: WebhookBatch | None
        """Null: each event is sent in a request of its own."""
        event_types: (
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
        )
        """Only events of these types; null for all. `GET /event-types` lists them."""
        sources: list[NewWebhookEndpointSource] | None
        """Only events of the sources with these ids; null for all."""
        tags: list[NewWebhookEndpointTag] | None
        """Only events of sources that have any of these tags of the key when the endpoint comes to them; null for all."""
        meaningful: bool
        """True: without the changes that a judge has dismissed by the goal of their source. Events that are not judged, or were not in time, pass."""
        headers: dict[str, str]
        """The names of its own headers; each value reads `•••`."""
        format: Literal[
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
        """How the body is written; `standard`, the default, is the event as JSON; `firecrawl` is for programs that take webhooks of Firecrawl, `cloudevents` and `cloudevents-binary` for those that take CloudEvents 1.0. Of mails: `standard` has text and HTML, `text` is plain text; they take no other."""
        template: str | None
        """The text of a message, for mails and for formats other than `standard`; null for the usual one."""
        filter: str | None
        """A predicate in JSONata over the event, such as `$.data.post.legacy.favorite_count > 100`: only events for which it is true. One for which it fails or takes too long is delivered. Null for none."""
        filter_problem: FilterProblem | None
        """Why `filter` failed for an event last, which was delivered then; null after a change of it."""
        transform: str | None
        """JSONata that makes the body of a delivery from the event, or from the batch; an object or array is sent as JSON, a text as plain text. With `standard` only. Null for none."""
        metadata: dict[str, Any] | None
        """With `firecrawl`: an object of your own, at most 4 KB as JSON, that each delivery carries as `metadata`."""
        asymmetric: bool
        """True: deliveries also have a signature `v1a` (Ed25519). Receivers check it with the public key, which cannot sign."""
        public_keys: list[str]
        """With `asymmetric`: the keys that check `v1a`, newest first, each `whpk_…`. `GET /.well-known/webhooks/keys/{id}` has them, too."""
        fallback: str | None
        """`id` of another webhook of the key, with a URL: while this one is `FAILED`, its events go there, one in a request, in their order. Null for none."""
        falls_back: bool
        """It is `FAILED`, and its events go to `fallback` now."""
        rate: WebhookRate | None
        """The most events that are sent; null for no limit."""
        timeout_ms: int
        """How long an answer may take, in milliseconds."""
        client_certificate: ShownClientCertificate | None
        digest: Literal["15m", "1h", "1d"] | None
        """For `mailto:` addresses: one mail per interval with all events in it. Null, the default: a mail for each event or batch."""
        monitor: str | None
        """The monitor that it belongs to, and is removed with."""
        waiting: int
        """Events that wait for delivery."""
        failures: int
        """Failed attempts in a row."""
        next_attempt_at: str | None
        """Of a failing endpoint."""
        held: Quota | None
        """The quota of deliveries that is used up, while events wait for it; they are kept."""
        secret: str
        """`whsec_…`, for checking signatures. Shown here only."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["destination"], /
        ) -> (
            FolderDestination
            | S3Destination
            | PostgresqlDestination
            | NatsDestination
            | RabbitmqDestination
            | None
        ): ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["ACTIVE", "FAILED", "DISABLED", "UNCONFIRMED"]: ...

        @overload
        def __getitem__(self, key: Literal["enabled"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["ordering"], /) -> Literal["conversation", "none"]: ...

        @overload
        def __getitem__(self, key: Literal["batch"], /) -> WebhookBatch | None: ...

        @overload
        def __getitem__(
            self, key: Literal["event_types"], /
        ) -> (
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
        ): ...

        @overload
        def __getitem__(self, key: Literal["sources"], /) -> list[NewWebhookEndpointSource] | None: ...

        @overload
        def __getitem__(self, key: Literal["tags"], /) -> list[NewWebhookEndpointTag] | None: ...

        @overload
        def __getitem__(self, key: Literal["meaningful"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["headers"], /) -> dict[str, str]: ...

        @overload
        def __getitem__(
            self, key: Literal["format"], /
        ) -> Literal[
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
        ]: ...

        @overload
        def __getitem__(self, key: Literal["template"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["filter"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["filter_problem"], /) -> FilterProblem | None: ...

        @overload
        def __getitem__(self, key: Literal["transform"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any] | None: ...

        @overload
        def __getitem__(self, key: Literal["asymmetric"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["public_keys"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["fallback"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["falls_back"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["rate"], /) -> WebhookRate | None: ...

        @overload
        def __getitem__(self, key: Literal["timeout_ms"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["client_certificate"], /) -> ShownClientCertificate | None: ...

        @overload
        def __getitem__(self, key: Literal["digest"], /) -> Literal["15m", "1h", "1d"] | None: ...

        @overload
        def __getitem__(self, key: Literal["monitor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["waiting"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["failures"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["next_attempt_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["held"], /) -> Quota | None: ...

        @overload
        def __getitem__(self, key: Literal["secret"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class OpmlEntry(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        line: int | None
        """Where the document names it; null for a source that it does not name."""
        outcome: Literal["added", "kept", "removed", "waiting", "pending", "failed"]
        """`added`: tracked from now on; `kept`: tracked before; `removed`: no longer tracked; `waiting` for somebody who must approve us; `pending`: the batch has not come to it; `failed`: not tracked, for the reason in `error`."""
        title: str
        """As the document has it; else the name of the source."""
        source: Literal["microblog", "chatserver", "messenger", "web", "rss", "site", "search"] | None
        """The kind; null where the outline names none."""
        sid: str | None
        """The address; null where the outline has none."""
        tags: list[OpmlEntryTag]
        """Words by which the key sorts its sources."""
        data: Source | None
        """The source, once it is known."""
        error: OpmlEntryError | None
        """Why it failed."""

        @overload
        def __getitem__(self, key: Literal["line"], /) -> int | None: ...

        @overload
        def __getitem__(
            self, key: Literal["outcome"], /
        ) -> Literal["added", "kept", "removed", "waiting", "pending", "failed"]: ...

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["source"], /
        ) -> Literal["microblog", "chatserver", "messenger", "web", "rss", "site", "search"] | None: ...

        @overload
        def __getitem__(self, key: Literal["sid"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["tags"], /) -> list[OpmlEntryTag]: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> OpmlEntryError: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class OpmlImport(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        mode: Literal["add", "sync"]
        dry_run: bool
        """Whether this only says what it would do."""
        state: Literal["running", "completed"]
        """`running` while entries are pending. The batch continues by itself."""
        batch_id: str | None
        """`GET /track-batches/{batch_id}` has what becomes of the entries; null without a batch."""
        added: int
        """Sources that are tracked from now on."""
        kept: int
        """Sources of the document that the key tracked before."""
        removed: int
        """Sources that are no longer tracked."""
        waiting: int
        """Private channels that must approve us first."""
        pending: int
        """Entries of the batch that are still to come."""
        failed: int
        """Outlines that do not name a source, and sources that cannot be tracked."""
        entries: list[OpmlEntry]
        """In the order of the document; removed sources at the end."""

        @overload
        def __getitem__(self, key: Literal["mode"], /) -> Literal["add", "sync"]: ...

        @overload
        def __getitem__(self, key: Literal["dry_run"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["state"], /) -> Literal["running", "completed"]: ...

        @overload
        def __getitem__(self, key: Literal["batch_id"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["added"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["kept"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["removed"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["waiting"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["pending"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["failed"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["entries"], /) -> list[OpmlEntry]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Overview(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        ready: bool
        """Whether `GET /health/ready` answers 200."""
        parts: list[OverviewPart]
        counts: OverviewCounts
        rates: OverviewRates
        nodes: list[OverviewNode]

        @overload
        def __getitem__(self, key: Literal["ready"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["parts"], /) -> list[OverviewPart]: ...

        @overload
        def __getitem__(self, key: Literal["counts"], /) -> OverviewCounts: ...

        @overload
        def __getitem__(self, key: Literal["rates"], /) -> OverviewRates: ...

        @overload
        def __getitem__(self, key: Literal["nodes"], /) -> list[OverviewNode]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Page(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        markdown: str
        """GitHub Flavored Markdown."""
        html: str
        """The content without scripts, styles and, by default, navigation and the like."""
        raw_html: str
        """The whole page, as the server sent it or the browser has it."""
        links: list[str]
        """Absolute URLs, each once."""
        images: list[str]
        """Absolute URLs of the images, each once, in the order of the document."""
        summary: str
        """At most three sentences, verbatim; a model's may have five."""
        json: dict[str, Any]
        """What was extracted; it fits the schema that was sent."""
        json_recipe: dict[str, Any] | None
        """With `breakdown`: selectors that can be sent back as `output.json.recipe`. Absent where none found the JSON: values of a model, and documents that are no pages."""
        json_quotes: dict[str, str] | None
        """With `breakdown`: the words of the page that values of a language model rest on, by the dotted paths of the values that are not on the page themselves."""
        screenshot: str
        """Key for `GET /web/screenshot/{key}`."""
        actions: PageActions
        """With `js_render.actions`: what they gave."""
        changes: PageChanges | None
        """Absent for a page of an error that says nothing of it, such as a 503."""
        metadata: PageMetadata

        @overload
        def __getitem__(self, key: Literal["markdown"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["html"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["raw_html"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["links"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["images"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["summary"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["json"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["json_recipe"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["json_quotes"], /) -> dict[str, str]: ...

        @overload
        def __getitem__(self, key: Literal["screenshot"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["actions"], /) -> PageActions: ...

        @overload
        def __getitem__(self, key: Literal["changes"], /) -> PageChanges: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> PageMetadata: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PageChange(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        previousHash: str
        currentHash: str
        title: str
        added: list[str]
        """New lines; where only the order changed, the lines that moved."""
        removed: list[str]
        """Removed lines, likewise."""
        diff: str
        """A unified diff."""
        url: str
        moved: list[str] | None
        """Lines that have changed their place, in words: `Alpha: moved from 3rd to 1st`."""
        note: str | None
        """What no line shows: the page has changed beyond the text that is kept."""
        fields: dict[str, FieldChange] | None
        """With `json`: what each field was and is; with `extract`: what the values that differ were and are, by their paths. Null for one that is not there."""
        value: ValueChange | None
        """With `when.value`: the number before, and the one that counts now."""
        memoryFull: bool | None
        """With `unique_lines`: the oldest lines are forgotten, and count as new if they come back."""
        screenshot: PageChangeScreenshot | None
        """With `screenshot`: the names of the pictures."""
        truncated: bool | None
        """Texts were cut, so that the event stays below 256 KB."""

        @overload
        def __getitem__(self, key: Literal["previousHash"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["currentHash"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["added"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["removed"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["diff"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["moved"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["note"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["fields"], /) -> dict[str, FieldChange]: ...

        @overload
        def __getitem__(self, key: Literal["value"], /) -> ValueChange: ...

        @overload
        def __getitem__(self, key: Literal["memoryFull"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["screenshot"], /) -> PageChangeScreenshot: ...

        @overload
        def __getitem__(self, key: Literal["truncated"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PagePicture(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        key: str
        """For `GET /web/screenshot/{key}`, as long as results are kept."""
        width: int
        """Of the picture, in CSS pixels, as all numbers here."""
        height: int
        boxes: list[PictureBox]
        """Where the elements are that the selectors of the outline and of the options match, from the top left corner."""

        @overload
        def __getitem__(self, key: Literal["key"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["width"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["height"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["boxes"], /) -> list[PictureBox]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ParseOptions(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        output: DocumentOutput | None
        """The formats to return."""
        request: DocumentReading | None
        """How to read the document. The first three are for HTML: other documents are content as a whole."""
        timeout: int | None
        """Milliseconds that the reading may take; then the answer is 408 `scrape_timeout`."""
        breakdown: bool | None
        """With the `json` format: also returns the recipe of the extraction, as `data.json_recipe`."""

        @overload
        def __getitem__(self, key: Literal["output"], /) -> DocumentOutput | None: ...

        @overload
        def __getitem__(self, key: Literal["request"], /) -> DocumentReading | None: ...

        @overload
        def __getitem__(self, key: Literal["timeout"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["breakdown"], /) -> bool | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ParseRequest(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        file: bytes
        """The document, with its file name, of at most 32 MB. Its bytes say what it is; name and content type decide where they do not."""
        options: ParseOptions | None
        """What to return of it, as JSON."""

        @overload
        def __getitem__(self, key: Literal["file"], /) -> bytes: ...

        @overload
        def __getitem__(self, key: Literal["options"], /) -> ParseOptions: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ParsedDocument(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Document
        """Only the formats that were asked for are present."""
        started_at: str
        ended_at: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Document: ...

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Post(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        rest_id: str
        """Id of the post."""
        core: PostCore
        legacy: PostLegacy
        language: str | None
        """BCP 47, for example `en` or `pt-BR`, as the author or the network says. Null where neither does; nothing is guessed."""
        media: list[Media]
        """What is attached to it, in the author's order."""
        url: str | None
        """The address of the post or message, where its network has one."""
        links: list[PostLink] | None
        """Where its links lead, also those behind words and shortened addresses."""
        card: PostCard | None
        """The preview of a link."""
        quoted: OtherPost | None
        """The post that it quotes."""
        in_reply_to: OtherPost | None
        """The post that it answers."""
        poll: PostPoll | None
        edited_at: str | None
        """When it was last edited."""
        mentions: list[Mention] | None
        """Whom it names. The text has them as the network writes them."""

        @overload
        def __getitem__(self, key: Literal["rest_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["core"], /) -> PostCore: ...

        @overload
        def __getitem__(self, key: Literal["legacy"], /) -> PostLegacy: ...

        @overload
        def __getitem__(self, key: Literal["language"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["media"], /) -> list[Media]: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["links"], /) -> list[PostLink]: ...

        @overload
        def __getitem__(self, key: Literal["card"], /) -> PostCard: ...

        @overload
        def __getitem__(self, key: Literal["quoted"], /) -> OtherPost: ...

        @overload
        def __getitem__(self, key: Literal["in_reply_to"], /) -> OtherPost: ...

        @overload
        def __getitem__(self, key: Literal["poll"], /) -> PostPoll: ...

        @overload
        def __getitem__(self, key: Literal["edited_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["mentions"], /) -> list[Mention]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ReactivateLaneResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Lane
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Lane: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Rehearsal(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        from_: str | None
        to: str | None
        checks: int
        fired: int
        events: list[RehearsedCheck]
        held: list[RehearsedCheck]
        why: str

        @overload
        def __getitem__(self, key: Literal["from"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["to"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["checks"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["fired"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["events"], /) -> list[RehearsedCheck]: ...

        @overload
        def __getitem__(self, key: Literal["held"], /) -> list[RehearsedCheck]: ...

        @overload
        def __getitem__(self, key: Literal["why"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class RehearseResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Rehearsal
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Rehearsal: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class RunMonitorResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: MonitorCheck
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> MonitorCheck: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Scrape(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        scrape_id: str
        version: Literal["v1"]
        status: Literal["pending", "completed", "failed"]
        url: str
        data: Page | None
        """When `completed`: the formats that were asked for."""
        started_at: str | None
        """Once it has started."""
        ended_at: str | None
        """Once it has ended."""
        error: Failure | None
        """When `failed`."""

        @overload
        def __getitem__(self, key: Literal["scrape_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> Literal["v1"]: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["pending", "completed", "failed"]: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Page: ...

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> Failure: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ScrapeCompletedNoticeData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        metadata: dict[str, Any] | None
        """`webhook.metadata` of the job."""
        job: Scrape
        """The job. The longest texts are cut where the body would have 256 KB or more."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["job"], /) -> Scrape: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ScrapeCompletedNotice(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every attempt."""
        type: Literal["scrape.completed"]
        timestamp: str
        seq: None
        data: ScrapeCompletedNoticeData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["scrape.completed"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ScrapeCompletedNoticeData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ScrapeFailedNoticeData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        metadata: dict[str, Any] | None
        """`webhook.metadata` of the job."""
        job: Scrape
        """The job. The longest texts are cut where the body would have 256 KB or more."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["job"], /) -> Scrape: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ScrapeFailedNotice(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every attempt."""
        type: Literal["scrape.failed"]
        timestamp: str
        seq: None
        data: ScrapeFailedNoticeData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["scrape.failed"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ScrapeFailedNoticeData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ScrapeStartedNoticeData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        metadata: dict[str, Any] | None
        """`webhook.metadata` of the job."""
        job: Scrape
        """The job. The longest texts are cut where the body would have 256 KB or more."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["job"], /) -> Scrape: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ScrapeStartedNotice(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every attempt."""
        type: Literal["scrape.started"]
        timestamp: str
        seq: None
        data: ScrapeStartedNoticeData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["scrape.started"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ScrapeStartedNoticeData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SearchChannelResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        total: int
        """All matches, as far as the platform counts them."""
        messages: list[Message]
        """Newest first."""

        @overload
        def __getitem__(self, key: Literal["total"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["messages"], /) -> list[Message]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SearchMessagesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        total: int
        """All matches, as far as the platform counts them."""
        messages: list[Message]
        """Newest first."""

        @overload
        def __getitem__(self, key: Literal["total"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["messages"], /) -> list[Message]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SearchResultFoundEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        result: SearchResult
        judgement: Judgement | None
        """With `goal`: what the language model says of it."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["result"], /) -> SearchResult: ...

        @overload
        def __getitem__(self, key: Literal["judgement"], /) -> Judgement: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SearchResultFoundEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["search.result.found"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: SearchResultFoundEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["search.result.found"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SearchResultFoundEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SetWebhookResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: NewWebhook
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> NewWebhook: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SiteBranch(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        name: str
        """The part of the address."""
        prefix: str
        """What `prefix` takes for the level below."""
        pages: int
        """Pages there and below it that are watched."""
        gone: int
        """Pages there and below it that are removed or have moved."""
        changed_at: str | None
        """The newest `changed_at` of them."""
        page: WatchedPage | None
        """The page at this address itself; null where there is none."""

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["prefix"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["pages"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["gone"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["changed_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["page"], /) -> WatchedPage | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SiteChangedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        change: SiteChange

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["change"], /) -> SiteChange: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SiteChangedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["site.changed"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: SiteChangedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["site.changed"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SiteChangedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SiteCheckedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        check: SiteCheck

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["check"], /) -> SiteCheck: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SiteCheckedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["site.checked"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: SiteCheckedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["site.checked"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SiteCheckedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SitePageAddedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        page: SitePage
        judgement: Judgement | None
        """With `goal`: what the language model says of it."""
        version: str | None
        """The version that was kept of it."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["page"], /) -> SitePage: ...

        @overload
        def __getitem__(self, key: Literal["judgement"], /) -> Judgement: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SitePageAddedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["site.page.added"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: SitePageAddedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["site.page.added"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SitePageAddedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SitePageChangedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        page: SitePage
        change: PageChange
        judgement: Judgement | None
        """With `goal`: what the language model says of it."""
        version: str | None
        """The version that was kept of it."""
        previous_version: str | None
        """The version with which it was compared; null where that is not kept."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["page"], /) -> SitePage: ...

        @overload
        def __getitem__(self, key: Literal["change"], /) -> PageChange: ...

        @overload
        def __getitem__(self, key: Literal["judgement"], /) -> Judgement: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["previous_version"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SitePageChangedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["site.page.changed"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: SitePageChangedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["site.page.changed"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SitePageChangedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SitePageMovedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        page: SitePage
        from_: str
        to: str
        reason: str

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["page"], /) -> SitePage: ...

        @overload
        def __getitem__(self, key: Literal["from"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["to"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SitePageMovedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["site.page.moved"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: SitePageMovedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["site.page.moved"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SitePageMovedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SitePageRemovedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        page: SitePage
        reason: str

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["page"], /) -> SitePage: ...

        @overload
        def __getitem__(self, key: Literal["reason"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SitePageRemovedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["site.page.removed"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: SitePageRemovedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["site.page.removed"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SitePageRemovedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class SourcePreview(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: str
        """The kind in upper case: a page that names a feed is tracked as that feed."""
        sid: str
        """As asked for."""
        name: str
        """Display name; for pages and feeds the title."""
        network: str | None
        """Of an account, channel or chat server: the network that it would be tracked on."""
        url: str | None
        """The address that is polled; null for accounts and channels."""
        text: str | None
        """Of a page: the content that is compared, as Markdown, at most 20 KB. Null for other sources."""
        items_: list[PreviewItem] | None
        """The newest of a feed, account or channel, at most ten, or with `options.items` the entries of a page, at most 50; null where there is nothing to read now."""
        view: WatchPreview | None
        """Of a page: what the options see of it."""
        outline: list[OutlinePart] | None
        """With `with_page`: the parts of the page that hold its text, to point at; null without."""
        picture: PagePicture | None
        """With `with_picture`: the page as a browser shows it; null where none could."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["sid"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["network"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["text"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["items"], /) -> list[PreviewItem] | None: ...

        @overload
        def __getitem__(self, key: Literal["view"], /) -> WatchPreview: ...

        @overload
        def __getitem__(self, key: Literal["outline"], /) -> list[OutlinePart] | None: ...

        @overload
        def __getitem__(self, key: Literal["picture"], /) -> PagePicture | None: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TestTransformResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: TransformTest
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> TransformTest: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TrackBatch(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        state: Literal["running", "completed"]
        """`completed` when nothing is pending."""
        progress: TrackBatchProgress
        entries: list[TrackBatchEntry]
        next_cursor: str | None
        """Where the next page of entries begins; null after the last."""
        created_at: str
        expires_at: str
        """When the record is removed; the sources stay."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["state"], /) -> Literal["running", "completed"]: ...

        @overload
        def __getitem__(self, key: Literal["progress"], /) -> TrackBatchProgress: ...

        @overload
        def __getitem__(self, key: Literal["entries"], /) -> list[TrackBatchEntry]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["created_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TrackManyResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: TrackBatch
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> TrackBatch: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class TrackResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: WatchedSource
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> WatchedSource: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class VersionDiff(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        from_: str | None
        to: str
        added: list[str]
        removed: list[str]
        moved: list[str]
        lines: list[DiffLine]
        truncated: bool

        @overload
        def __getitem__(self, key: Literal["from"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["to"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["added"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["removed"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["moved"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["lines"], /) -> list[DiffLine]: ...

        @overload
        def __getitem__(self, key: Literal["truncated"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class WebPageChangedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        version: str | None
        """The version that was kept of it."""
        previous_version: str | None
        """The version with which it was compared; null where that is not kept."""
        change: PageChange
        judgement: Judgement | None
        """With `goal`: what the language model says of it."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["previous_version"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["change"], /) -> PageChange: ...

        @overload
        def __getitem__(self, key: Literal["judgement"], /) -> Judgement: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class WebPageChangedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["web.page.changed"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: WebPageChangedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["web.page.changed"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> WebPageChangedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


BackfillPostsResponse: TypeAlias = list[Post]


class ApiKeyDetails(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        name: str
        key: str
        """The value, once, in the answer that generated it; after that its last four characters."""
        createdAt: str
        scopes: list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None
        """What the key may do; null for everything."""
        expires_at: str | None
        """When the key ends; null for never."""
        content_uses: list[Literal["train_ai", "ai_input", "search", "tdm"]] | None
        """What the key wants content for; null where it does not say."""
        last_used_at: str | None
        """The minute of the latest request with the key; null before the first one."""
        owner: str
        limits: KeyLimits
        quotas: KeyQuotas
        """By day and by month of UTC; null where there is no quota."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["key"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["createdAt"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["scopes"], /
        ) -> list[Literal["scrape", "crawl", "track", "webhooks", "read"]] | None: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str | None: ...

        @overload
        def __getitem__(
            self, key: Literal["content_uses"], /
        ) -> list[Literal["train_ai", "ai_input", "search", "tdm"]] | None: ...

        @overload
        def __getitem__(self, key: Literal["last_used_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["owner"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["limits"], /) -> KeyLimits: ...

        @overload
        def __getitem__(self, key: Literal["quotas"], /) -> KeyQuotas: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Batch(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        batch_id: str
        version: Literal["v1"]
        status: Literal["scraping", "completed", "failed", "cancelled"]
        stop_reason: Literal["finished", "quota", "cancelled", "given_up"] | None
        """Null while the batch runs."""
        progress: CrawlProgress
        data: list[Page | FailedPage]
        """At most 10 MB."""
        next_cursor: str | None
        """Where the next page of this list begins; null when it has ended."""
        started_at: str
        ended_at: str | None
        """Null while it runs."""
        expires_at: str | None
        """Null while it runs."""
        error: Failure | None
        """Only when `failed`."""

        @overload
        def __getitem__(self, key: Literal["batch_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> Literal["v1"]: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["scraping", "completed", "failed", "cancelled"]: ...

        @overload
        def __getitem__(
            self, key: Literal["stop_reason"], /
        ) -> Literal["finished", "quota", "cancelled", "given_up"] | None: ...

        @overload
        def __getitem__(self, key: Literal["progress"], /) -> CrawlProgress: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[Page | FailedPage]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> Failure: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class BatchCompletedNoticeData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        metadata: dict[str, Any] | None
        """`webhook.metadata` of the job."""
        job: BatchOverview
        """The job. The longest texts are cut where the body would have 256 KB or more."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["job"], /) -> BatchOverview: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class BatchCompletedNotice(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every attempt."""
        type: Literal["batch.completed"]
        timestamp: str
        seq: None
        data: BatchCompletedNoticeData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["batch.completed"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> BatchCompletedNoticeData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class BatchFailedNoticeData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        metadata: dict[str, Any] | None
        """`webhook.metadata` of the job."""
        job: BatchOverview
        """The job. The longest texts are cut where the body would have 256 KB or more."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["job"], /) -> BatchOverview: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class BatchFailedNotice(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every attempt."""
        type: Literal["batch.failed"]
        timestamp: str
        seq: None
        data: BatchFailedNoticeData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["batch.failed"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> BatchFailedNoticeData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class BatchOfPage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        batch_id: str
        version: Literal["v1"]
        status: Literal["scraping", "completed", "failed", "cancelled"]
        stop_reason: Literal["finished", "quota", "cancelled", "given_up"] | None
        """Null while the batch runs."""
        progress: CrawlProgress
        started_at: str
        ended_at: str | None
        """Null while it runs."""
        expires_at: str | None
        """Null while it runs."""
        error: Failure | None
        """Only when `failed`."""
        page: Page | FailedPage

        @overload
        def __getitem__(self, key: Literal["batch_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> Literal["v1"]: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["scraping", "completed", "failed", "cancelled"]: ...

        @overload
        def __getitem__(
            self, key: Literal["stop_reason"], /
        ) -> Literal["finished", "quota", "cancelled", "given_up"] | None: ...

        @overload
        def __getitem__(self, key: Literal["progress"], /) -> CrawlProgress: ...

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> Failure: ...

        @overload
        def __getitem__(self, key: Literal["page"], /) -> Page | FailedPage: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class BatchPageNoticeData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        metadata: dict[str, Any] | None
        """`webhook.metadata` of the job."""
        job: BatchOfPage
        """The job. The longest texts are cut where the body would have 256 KB or more."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["job"], /) -> BatchOfPage: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class BatchPageNotice(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every attempt."""
        type: Literal["batch.page"]
        timestamp: str
        seq: None
        data: BatchPageNoticeData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["batch.page"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> BatchPageNoticeData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChangeEndpointResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: ChangedWebhookEndpoint
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ChangedWebhookEndpoint: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChangeWebhookResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: ChangedWebhook
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ChangedWebhook: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChatMessage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        channelId: str
        guildId: str | None
        """The server; null in a channel without one."""
        authorId: str
        authorName: str
        content: str | None
        """Null where the platform withholds it. Of a message without a text: the text of its embeds, of what it forwards, or the question of its poll."""
        createdAt: str
        attachments: list[Attachment]
        embeds: list[Embed] | None
        """What bots write, and previews of links."""
        forwarded: ForwardedMessage | None
        """The message that it forwards, as it was then."""
        url: str | None
        """The address of the post or message, where its network has one."""
        links: list[PostLink] | None
        """Where its links lead, also those behind words and shortened addresses."""
        card: PostCard | None
        """The preview of a link."""
        quoted: OtherPost | None
        """The post that it quotes."""
        in_reply_to: OtherPost | None
        """The post that it answers."""
        poll: PostPoll | None
        edited_at: str | None
        """When it was last edited."""
        mentions: list[Mention] | None
        """Whom it names. The text has them as the network writes them."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["channelId"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["guildId"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["authorId"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["authorName"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["content"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["createdAt"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["attachments"], /) -> list[Attachment]: ...

        @overload
        def __getitem__(self, key: Literal["embeds"], /) -> list[Embed]: ...

        @overload
        def __getitem__(self, key: Literal["forwarded"], /) -> ForwardedMessage: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["links"], /) -> list[PostLink]: ...

        @overload
        def __getitem__(self, key: Literal["card"], /) -> PostCard: ...

        @overload
        def __getitem__(self, key: Literal["quoted"], /) -> OtherPost: ...

        @overload
        def __getitem__(self, key: Literal["in_reply_to"], /) -> OtherPost: ...

        @overload
        def __getitem__(self, key: Literal["poll"], /) -> PostPoll: ...

        @overload
        def __getitem__(self, key: Literal["edited_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["mentions"], /) -> list[Mention]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChatserverMessageCreatedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        message: ChatMessage

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> ChatMessage: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChatserverMessageCreatedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["chatserver.message.created"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: ChatserverMessageCreatedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["chatserver.message.created"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ChatserverMessageCreatedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChatserverMessageUpdatedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        message: ChatMessage

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> ChatMessage: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChatserverMessageUpdatedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["chatserver.message.updated"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: ChatserverMessageUpdatedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["chatserver.message.updated"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ChatserverMessageUpdatedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Crawl(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        crawl_id: str
        version: Literal["v1"]
        status: Literal["crawling", "completed", "failed", "cancelled"]
        url: str
        stop_reason: Literal["finished", "limit", "quota", "cancelled", "entry_failed", "given_up"] | None
        """Null while the crawl runs."""
        progress: CrawlProgress
        data: list[Page | FailedPage]
        """At most 10 MB."""
        next_cursor: str | None
        """Where the next page of this list begins; null when it has ended."""
        started_at: str
        ended_at: str | None
        """Null while it runs."""
        expires_at: str | None
        """Null while it runs."""
        error: Failure | None
        """Only when `failed`."""

        @overload
        def __getitem__(self, key: Literal["crawl_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> Literal["v1"]: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["crawling", "completed", "failed", "cancelled"]: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["stop_reason"], /
        ) -> Literal["finished", "limit", "quota", "cancelled", "entry_failed", "given_up"] | None: ...

        @overload
        def __getitem__(self, key: Literal["progress"], /) -> CrawlProgress: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[Page | FailedPage]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> Failure: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CrawlCompletedNoticeData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        metadata: dict[str, Any] | None
        """`webhook.metadata` of the job."""
        job: CrawlOverview
        """The job. The longest texts are cut where the body would have 256 KB or more."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["job"], /) -> CrawlOverview: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CrawlCompletedNotice(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every attempt."""
        type: Literal["crawl.completed"]
        timestamp: str
        seq: None
        data: CrawlCompletedNoticeData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["crawl.completed"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> CrawlCompletedNoticeData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CrawlFailedNoticeData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        metadata: dict[str, Any] | None
        """`webhook.metadata` of the job."""
        job: CrawlOverview
        """The job. The longest texts are cut where the body would have 256 KB or more."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["job"], /) -> CrawlOverview: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CrawlFailedNotice(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every attempt."""
        type: Literal["crawl.failed"]
        timestamp: str
        seq: None
        data: CrawlFailedNoticeData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["crawl.failed"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> CrawlFailedNoticeData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CrawlOfPage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        crawl_id: str
        version: Literal["v1"]
        status: Literal["crawling", "completed", "failed", "cancelled"]
        url: str
        stop_reason: Literal["finished", "limit", "quota", "cancelled", "entry_failed", "given_up"] | None
        """Null while the crawl runs."""
        progress: CrawlProgress
        started_at: str
        ended_at: str | None
        """Null while it runs."""
        expires_at: str | None
        """Null while it runs."""
        error: Failure | None
        """Only when `failed`."""
        page: Page | FailedPage

        @overload
        def __getitem__(self, key: Literal["crawl_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> Literal["v1"]: ...

        @overload
        def __getitem__(
            self, key: Literal["status"], /
        ) -> Literal["crawling", "completed", "failed", "cancelled"]: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(
            self, key: Literal["stop_reason"], /
        ) -> Literal["finished", "limit", "quota", "cancelled", "entry_failed", "given_up"] | None: ...

        @overload
        def __getitem__(self, key: Literal["progress"], /) -> CrawlProgress: ...

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["expires_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["error"], /) -> Failure: ...

        @overload
        def __getitem__(self, key: Literal["page"], /) -> Page | FailedPage: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CrawlPageNoticeData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: None
        metadata: dict[str, Any] | None
        """`webhook.metadata` of the job."""
        job: CrawlOfPage
        """The job. The longest texts are cut where the body would have 256 KB or more."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["metadata"], /) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, key: Literal["job"], /) -> CrawlOfPage: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CrawlPageNotice(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every attempt."""
        type: Literal["crawl.page"]
        timestamp: str
        seq: None
        data: CrawlPageNoticeData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["crawl.page"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> None: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> CrawlPageNoticeData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CreateApiKeyResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: ApiKeyDetails
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ApiKeyDetails: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CreateEndpointResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: NewWebhookEndpoint
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> NewWebhookEndpoint: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CreateOwnKeyResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: ApiKeyDetails
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ApiKeyDetails: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class DiffVersionsResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: VersionDiff
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> VersionDiff: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FeedItem(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        content_source: Literal["feed", "page"] | None
        """With `content: full`: where `content_html` is from."""
        content_problem: str | None
        """With `content_source: feed`: why it is not the page's."""
        id: str
        """Its id in the feed; else its link; else a hash of its content."""
        url: str | None
        external_url: str | None
        title: str | None
        """Plain text."""
        content_html: str | None
        """Cleaned: no scripts, styles, event handlers or forms, links to the web, a torrent, a mail address or a telephone only, all of them absolute."""
        content_text: str | None
        summary: str | None
        """Plain text."""
        image: str | None
        date_published: str | None
        """ISO 8601."""
        date_modified: str | None
        """ISO 8601."""
        authors: list[FeedAuthor] | None
        tags: list[str] | None
        language: str | None
        attachments: list[FeedAttachment] | None
        comments: str | None
        """The address of a page with comments."""
        source: FeedSource | None
        """The feed or site that the item is from, where it says so."""
        doi: str | None
        """A digital object identifier, such as `10.1000/182`."""
        podcast: FeedPodcast | None
        """What a podcast says of an episode; its sound is in `attachments`."""
        truncated: bool | None
        """Texts were cut, so that the event stays below 256 KB."""

        @overload
        def __getitem__(self, key: Literal["content_source"], /) -> Literal["feed", "page"]: ...

        @overload
        def __getitem__(self, key: Literal["content_problem"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["external_url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["title"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["content_html"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["content_text"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["summary"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["image"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["date_published"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["date_modified"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["authors"], /) -> list[FeedAuthor]: ...

        @overload
        def __getitem__(self, key: Literal["tags"], /) -> list[str]: ...

        @overload
        def __getitem__(self, key: Literal["language"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["attachments"], /) -> list[FeedAttachment]: ...

        @overload
        def __getitem__(self, key: Literal["comments"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["source"], /) -> FeedSource: ...

        @overload
        def __getitem__(self, key: Literal["doi"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["podcast"], /) -> FeedPodcast: ...

        @overload
        def __getitem__(self, key: Literal["truncated"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class FinishedScrape(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        scrape_id: str
        version: Literal["v1"]
        status: Literal["completed"]
        url: str
        data: Page
        """Only the formats that were asked for are present."""
        started_at: str
        ended_at: str

        @overload
        def __getitem__(self, key: Literal["scrape_id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> Literal["v1"]: ...

        @overload
        def __getitem__(self, key: Literal["status"], /) -> Literal["completed"]: ...

        @overload
        def __getitem__(self, key: Literal["url"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Page: ...

        @overload
        def __getitem__(self, key: Literal["started_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["ended_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetMonitorCheckResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: MonitorCheckDetail
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> MonitorCheckDetail: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetOverviewResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Overview
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Overview: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetTrackBatchResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: TrackBatch
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> TrackBatch: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ImportSourcesResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: OpmlImport
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> OpmlImport: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


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


class ListAllApiKeysResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[ApiKeyDetails]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[ApiKeyDetails]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListMonitorChecksResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[MonitorCheck]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[MonitorCheck]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListOwnKeysResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[ApiKeyDetails]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[ApiKeyDetails]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MicroblogPostCreatedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        post: Post

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["post"], /) -> Post: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MicroblogPostCreatedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["microblog.post.created"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: MicroblogPostCreatedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["microblog.post.created"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> MicroblogPostCreatedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MicroblogPostUpdatedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        post: Post

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["post"], /) -> Post: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class MicroblogPostUpdatedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["microblog.post.updated"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: MicroblogPostUpdatedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["microblog.post.updated"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> MicroblogPostUpdatedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class Monitor(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        name: str
        tag: str
        """The tag of its sources: `tags` of an endpoint or a stream chooses its events."""
        paused: bool
        schedule: MonitorSchedule
        targets: list[MonitorTarget]
        sources: int
        """Sources of all targets."""
        goal: str | None
        judge: bool
        """Whether changes are judged by the goal."""
        retention_days: int
        page_events: bool
        next_check_at: str | None
        """Null while it is paused."""
        current_check: str | None
        """`id` of the check under way."""
        last_check: MonitorCheck | None
        """The latest one that has ended."""
        created_at: str
        updated_at: str

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["name"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["tag"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["paused"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["schedule"], /) -> MonitorSchedule: ...

        @overload
        def __getitem__(self, key: Literal["targets"], /) -> list[MonitorTarget]: ...

        @overload
        def __getitem__(self, key: Literal["sources"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["goal"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["judge"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["retention_days"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["page_events"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["next_check_at"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["current_check"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["last_check"], /) -> MonitorCheck | None: ...

        @overload
        def __getitem__(self, key: Literal["created_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["updated_at"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class PreviewSourceResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: SourcePreview
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> SourcePreview: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ReadSiteTreeResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[SiteBranch]
        truncated: bool
        """There is more below it than was counted."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[SiteBranch]: ...

        @overload
        def __getitem__(self, key: Literal["truncated"], /) -> bool: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class RenameOwnKeyResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: ApiKeyDetails
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ApiKeyDetails: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class RssItemCreatedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        item: FeedItem
        """Names as in JSON Feed 1.1. Fields without a value are absent."""
        judgement: Judgement | None
        """With `goal`: what the language model says of it."""
        version: str | None
        """The version that was kept of it."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["item"], /) -> FeedItem: ...

        @overload
        def __getitem__(self, key: Literal["judgement"], /) -> Judgement: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class RssItemCreatedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["rss.item.created"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: RssItemCreatedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["rss.item.created"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> RssItemCreatedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class RssItemUpdatedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        item: FeedItem
        """Names as in JSON Feed 1.1. Fields without a value are absent."""
        judgement: Judgement | None
        """With `goal`: what the language model says of it."""
        version: str | None
        """The version that was kept of it."""
        previous_version: str | None
        """The version with which it was compared; null where that is not kept."""
        change: ItemChange | None
        """How it differs from its version before; absent where none is kept."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["item"], /) -> FeedItem: ...

        @overload
        def __getitem__(self, key: Literal["judgement"], /) -> Judgement: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["previous_version"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["change"], /) -> ItemChange: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class RssItemUpdatedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["rss.item.updated"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: RssItemUpdatedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["rss.item.updated"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> RssItemUpdatedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class UpdateApiKeyResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: ApiKeyDetails
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> ApiKeyDetails: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class WebItemCreatedEventData(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        source: Source
        item: FeedItem
        """Names as in JSON Feed 1.1. Fields without a value are absent."""
        judgement: Judgement | None
        """With `goal`: what the language model says of it."""
        version: str | None
        """The version that was kept of it."""

        @overload
        def __getitem__(self, key: Literal["source"], /) -> Source: ...

        @overload
        def __getitem__(self, key: Literal["item"], /) -> FeedItem: ...

        @overload
        def __getitem__(self, key: Literal["judgement"], /) -> Judgement: ...

        @overload
        def __getitem__(self, key: Literal["version"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class WebItemCreatedEvent(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """The same in every delivery of this event."""
        type: Literal["web.item.created"]
        timestamp: str
        seq: int
        """Counts per key, without gaps."""
        data: WebItemCreatedEventData

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["web.item.created"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["seq"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["data"], /) -> WebItemCreatedEventData: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ChangeMonitorResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Monitor
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Monitor: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class CreateMonitorResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Monitor
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Monitor: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


Event: TypeAlias = (
    MicroblogPostCreatedEvent
    | ChatserverMessageCreatedEvent
    | MessengerMessageCreatedEvent
    | MicroblogPostUpdatedEvent
    | MicroblogPostDeletedEvent
    | ChatserverMessageUpdatedEvent
    | ChatserverMessageDeletedEvent
    | MessengerMessageUpdatedEvent
    | MessengerMessageDeletedEvent
    | RssItemCreatedEvent
    | RssItemUpdatedEvent
    | WebPageChangedEvent
    | WebItemCreatedEvent
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
    | EndpointFailingEvent
    | EndpointFailedEvent
    | EndpointRecoveredEvent
    | WebhookTestEvent
    | EventErasedEvent
)


class EventBatch(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        id: str
        """Computed from the events: the same in every delivery of this batch."""
        type: Literal["batch"]
        timestamp: str
        """That of the last event."""
        events: list[Event]
        """In the order of `seq`."""

        @overload
        def __getitem__(self, key: Literal["id"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["batch"]: ...

        @overload
        def __getitem__(self, key: Literal["timestamp"], /) -> str: ...

        @overload
        def __getitem__(self, key: Literal["events"], /) -> list[Event]: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EventFrame(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        type: Literal["event"]
        event: Event

        @overload
        def __getitem__(self, key: Literal["type"], /) -> Literal["event"]: ...

        @overload
        def __getitem__(self, key: Literal["event"], /) -> Event: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class EventPage(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[Event]
        """As the streams carry them, the oldest first."""
        next_after: int
        """The `after` of the next call."""
        next_cursor: int | None
        """`next_after` while there are more events now, otherwise null."""
        more: bool
        """There may be more events now."""

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[Event]: ...

        @overload
        def __getitem__(self, key: Literal["next_after"], /) -> int: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> int | None: ...

        @overload
        def __getitem__(self, key: Literal["more"], /) -> bool: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class GetMonitorResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: Monitor
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> Monitor: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


class ListMonitorsResponse(Answer):
    __slots__ = ()

    if TYPE_CHECKING:
        data: list[Monitor]
        next_cursor: str | None
        """Null at the end."""
        message: str

        @overload
        def __getitem__(self, key: Literal["data"], /) -> list[Monitor]: ...

        @overload
        def __getitem__(self, key: Literal["next_cursor"], /) -> str | None: ...

        @overload
        def __getitem__(self, key: Literal["message"], /) -> str: ...

        @overload
        def __getitem__(self, key: str, /) -> Any: ...

        def __getitem__(self, key: str, /) -> Any: ...


StreamFrame: TypeAlias = HelloFrame | EventFrame | ErrorFrame
