import { batchStatus } from "../../contracts/batch.contract.ts";
import { feedGap } from "../../contracts/connectors.contract.ts";
import { crawlStatus, endedPage } from "../../contracts/crawler.contract.ts";
import {
  type Event,
  type EventType,
  endpointTypes,
  eventTypes,
  type JobNoticeType,
  jobNoticeTypes,
} from "../../contracts/events.ts";
import { deliveryFailure } from "../../contracts/failure-classes.ts";
import { monitorCheck, monitorName, monitorPage } from "../../contracts/monitors.contract.ts";
import { changePictures } from "../../contracts/page-reads.contract.ts";
import { quotaUse } from "../../contracts/quotas.contract.ts";
import {
  type Fields,
  list,
  named,
  nothing,
  nullableText,
  object,
  type Rule,
  rule,
  text,
  time,
  variants,
} from "../../contracts/schema.ts";
import { scrapeJob } from "../../contracts/scraper.contract.ts";
import { judged, searchResult, siteChange, siteCheck, sitePage } from "../../contracts/site-events.ts";
import { chatMessage, messengerMessage, microblogPost } from "../../contracts/social.ts";
import { source } from "../../contracts/source.ts";
import { changeDetails } from "../../contracts/watch.contract.ts";
import type { FeedItem } from "../../domain/feed/feed.ts";
import { type NamedParts, typeName } from "./components.ts";
import { eventExamples } from "./examples.ts";
import { answerSchema } from "./json-schema.ts";

type Json = Record<string, unknown>;

const maybe = rule({ ...text, optional: true });
const isTruncated = rule({
  type: "boolean",
  optional: true,
  description: "Texts were cut, so that the event stays below 256 KB.",
});

const podcastFile = named("PodcastFile", { url: text, mime_type: maybe, language: maybe });

const feedItem = {
  ...named("FeedItem", {
    content_source: {
      type: "enum",
      values: ["feed", "page"],
      optional: true,
      description: "With `content: full`: where `content_html` is from.",
    },
    content_problem: { ...maybe, description: "With `content_source: feed`: why it is not the page's." },
    id: { ...text, description: "Its id in the feed; else its link; else a hash of its content." },
    url: maybe,
    external_url: maybe,
    title: { ...maybe, description: "Plain text." },
    content_html: {
      ...maybe,
      description:
        "Cleaned: no scripts, styles, event handlers or forms, links to the web, a torrent, a mail address or a telephone only, all of them absolute.",
    },
    content_text: maybe,
    summary: { ...maybe, description: "Plain text." },
    image: maybe,
    date_published: { ...maybe, description: "ISO 8601." },
    date_modified: { ...maybe, description: "ISO 8601." },
    authors: {
      ...list(named("FeedAuthor", { name: maybe, url: maybe, avatar: maybe })),
      optional: true,
    },
    tags: { ...list(text), optional: true },
    language: maybe,
    attachments: {
      ...list(
        named("FeedAttachment", {
          url: { ...text, description: "An address of the web, or `magnet:` of a torrent." },
          mime_type: text,
          title: maybe,
          alt: { ...maybe, description: "What a picture or a video shows, by its `media:description`." },
          size_in_bytes: { type: "number", optional: true },
          duration_in_seconds: { type: "number", optional: true },
        }),
      ),
      optional: true,
    },
    comments: { ...maybe, description: "The address of a page with comments." },
    source: {
      ...named("FeedSource", { title: maybe, url: maybe }),
      optional: true,
      description: "The feed or site that the item is from, where it says so.",
    },
    doi: { ...maybe, description: "A digital object identifier, such as `10.1000/182`." },
    podcast: {
      ...named("FeedPodcast", {
        season: { type: "number", optional: true },
        episode: { type: "number", optional: true },
        transcripts: { ...list(podcastFile), optional: true },
        chapters: { ...podcastFile, optional: true },
      }),
      optional: true,
      description: "What a podcast says of an episode; its sound is in `attachments`.",
    },
    truncated: isTruncated,
  }),
  description: "Names as in JSON Feed 1.1. Fields without a value are absent.",
} as const;

/** A rule that has the type of the domain's: the document says what feeds become. */
feedItem satisfies { props: Record<keyof FeedItem, Rule> };

/** Where the history of the source has what it said. */
const versionIds = {
  version: { ...text, optional: true, description: "The version that was kept of it." },
  previous_version: {
    ...nullableText,
    optional: true,
    description: "The version with which it was compared; null where that is not kept.",
  },
} as const;

/** A change of a page. */
const pageChange = named("PageChange", {
  previousHash: text,
  currentHash: text,
  title: text,
  added: {
    ...list(text),
    description: "New lines; where only the order changed, the lines that moved.",
  },
  removed: { ...list(text), description: "Removed lines, likewise." },
  diff: { ...text, description: "A unified diff." },
  url: text,
  ...changeDetails,
  memoryFull: {
    type: "boolean",
    optional: true,
    description: "With `unique_lines`: the oldest lines are forgotten, and count as new if they come back.",
  },
  screenshot: {
    ...changePictures,
    optional: true,
    description: "With `screenshot`: the names of the pictures.",
  },
  truncated: isTruncated,
});

const endpointHealth = {
  endpoint: {
    ...named("EndpointOfEvent", { id: text, name: nullableText, host: text }),
    description: "The webhook, by its id; its address is left out, since it may hold a secret.",
  },
  reason: { ...text, description: "A sentence for people." },
  failing_since: { ...time, nullable: true, description: "The first of the failures in a row." },
  http_status: { type: "number", integer: true, nullable: true, description: "Of the last attempt." },
  error: { ...deliveryFailure, nullable: true },
} as const;

/** What an event of each type carries beside `source`. */
const dataOf: Record<EventType, Fields> = {
  "microblog.post.created": { post: microblogPost },
  "chatserver.message.created": { message: chatMessage },
  "messenger.message.created": { message: messengerMessage },
  "microblog.post.updated": { post: microblogPost },
  "microblog.post.deleted": { post: named("DeletedPost", { rest_id: text }) },
  "chatserver.message.updated": { message: chatMessage },
  "chatserver.message.deleted": {
    message: named("DeletedChatMessage", { id: text, channelId: text, guildId: nullableText }),
  },
  "messenger.message.updated": { message: messengerMessage },
  "messenger.message.deleted": {
    message: named("DeletedMessengerMessage", { id: { type: "number", integer: true }, channelId: text }),
  },
  "rss.item.created": { item: feedItem, ...judged, version: versionIds.version },
  "rss.item.updated": {
    item: feedItem,
    ...judged,
    ...versionIds,
    change: {
      ...named("ItemChange", {
        added: { ...list(text), description: "New lines of title, address, author, text and attachments." },
        removed: { ...list(text), description: "Removed lines, likewise." },
        diff: { ...text, description: "A unified diff of these lines, as Markdown." },
        truncated: isTruncated,
      }),
      optional: true,
      description: "How it differs from its version before; absent where none is kept.",
    },
  },
  "web.page.changed": { ...versionIds, change: pageChange, ...judged },
  "web.item.created": { item: feedItem, ...judged, version: versionIds.version },
  "site.page.added": { page: sitePage, ...judged, version: versionIds.version },
  "site.page.changed": { page: sitePage, change: pageChange, ...judged, ...versionIds },
  "site.page.removed": { page: sitePage, reason: text },
  "site.page.moved": { page: sitePage, from: text, to: text, reason: text },
  "site.changed": { change: siteChange },
  "site.checked": { check: siteCheck },
  "search.result.found": { result: searchResult, ...judged },
  "source.failing": { reason: text },
  "source.recovered": { reason: text },
  "source.gone": { reason: text },
  "source.gap": { reason: text, gap: feedGap },
  "monitor.page": { monitor: monitorName, check_id: text, page: monitorPage },
  "monitor.checked": { monitor: monitorName, check: monitorCheck },
  "quota.warning": { quota: quotaUse },
  "quota.exceeded": { quota: quotaUse },
  "endpoint.failing": endpointHealth,
  "endpoint.failed": endpointHealth,
  "endpoint.recovered": endpointHealth,
  "webhook.test": {
    webhook_id: {
      ...text,
      optional: true,
      description: "The webhook that it is for: it reaches that one alone, whatever its filter is.",
    },
  },
  "event.erased": {},
};

export const summaries: Record<EventType, string> = {
  "microblog.post.created": "An account has posted",
  "chatserver.message.created": "A chat server has a new message",
  "messenger.message.created": "A channel of the messenger has a new message",
  "microblog.post.updated": "An account has edited a post; with `edits`",
  "microblog.post.deleted": "An account has deleted a post; with `edits`",
  "chatserver.message.updated": "A message of a chat server was edited; with `edits`",
  "chatserver.message.deleted": "A message of a chat server was deleted; with `edits`",
  "messenger.message.updated": "A message of the messenger was edited; with `edits`",
  "messenger.message.deleted": "A message of the messenger was deleted; with `edits`",
  "rss.item.created": "A feed has a new item",
  "rss.item.updated": "An item of a feed has changed",
  "web.page.changed": "A page has changed",
  "web.item.created": "A list page has a new entry",
  "site.page.added": "A site has a new page",
  "site.page.changed": "A page of a site has changed",
  "site.page.removed": "A page of a site is gone",
  "site.page.moved": "A page of a site has another address",
  "site.changed": "Many pages of a site have changed alike",
  "site.checked": "A round through a site has ended",
  "search.result.found": "A search has a new result",
  "source.failing": "A source cannot be read",
  "source.recovered": "A source can be read again",
  "source.gone": "A source will not come back",
  "source.gap": "A feed may have lost items between two polls",
  "monitor.page": "A check of a monitor has read a page",
  "monitor.checked": "A check of a monitor has ended",
  "quota.warning": "80 % of a quota of the key are used",
  "quota.exceeded": "A quota of the key is used up",
  "endpoint.failing": "A webhook endpoint takes no events",
  "endpoint.failed": "Deliveries to a webhook endpoint have stopped",
  "endpoint.recovered": "A webhook endpoint takes events again",
  "webhook.test": "A test event, requested by a POST to /webhook/test or /webhooks/{id}/test",
  "event.erased": "What is left of an event whose content was erased: its id and its position",
};

const withoutSource = new Set<EventType>([
  "monitor.checked",
  "quota.warning",
  "quota.exceeded",
  ...endpointTypes,
  "webhook.test",
  "event.erased",
]);

/** The source of an event: every event of a source has it. The source of a monitor's page may be gone by then. */
function sourceOf(type: EventType): Rule {
  if (withoutSource.has(type)) return nothing;
  return type === "monitor.page" ? { ...source, nullable: true } : source;
}

/** An event of one type. */
const eventOf = (type: EventType) =>
  named(`${typeName(type)}Event`, {
    id: { ...text, description: "The same in every delivery of this event." },
    type: { type: "equal", value: type },
    timestamp: time,
    seq: { type: "number", integer: true, min: 1, description: "Counts per key, without gaps." },
    data: object({ source: sourceOf(type), ...dataOf[type] }),
  });

/** An event, as webhooks and streams carry it: `type` says which. */
export const anyEvent = variants<Event>("Event", "type", eventTypes.map(eventOf));

/** The schema of an event of one type. */
export const eventSchema = (type: EventType, names?: NamedParts): Json => answerSchema(eventOf(type), names);

/** Several events, as one request has them. */
export const batch = named("EventBatch", {
  id: { ...text, description: "Computed from the events: the same in every delivery of this batch." },
  type: { type: "equal", value: "batch" },
  timestamp: { ...time, description: "That of the last event." },
  events: { ...list(anyEvent), min: 1, description: "In the order of `seq`." },
});

/** What a notice says of each kind of job: what its `GET` answers, without pages. */
const jobs: Record<string, Rule> = {
  scrape: scrapeJob,
  crawl: withoutPages("CrawlOverview", crawlStatus.result),
  batch: withoutPages("BatchOverview", batchStatus.result),
};

function withoutPages(name: string, status: Rule): Rule {
  const { data: _data, next_cursor: _cursor, ...rest } = (status.type === "object" && status.props) || {};
  return named(name, rest);
}

function jobOf(type: JobNoticeType): Rule {
  const [kind = "", event] = type.split(".");
  const job = jobs[kind] as Rule;
  const props = (job.type === "object" && job.props) || {};
  return event === "page" ? named(`${typeName(kind)}OfPage`, { ...props, page: endedPage }) : job;
}

/** A notice of a job, which is no event: it is in no log and has no place in one. */
const noticeOf = (type: JobNoticeType) =>
  named(`${typeName(type)}Notice`, {
    id: { ...text, description: "The same in every attempt." },
    type: { type: "equal", value: type },
    timestamp: time,
    seq: nothing,
    data: object({
      source: nothing,
      metadata: { type: "object", optional: true, description: "`webhook.metadata` of the job." },
      job: {
        ...jobOf(type),
        description: "The job. The longest texts are cut where the body would have 256 KB or more.",
      },
    }),
  });

/** What a job sends to its own webhook. */
export const anyNotice = variants("JobNotice", "type", jobNoticeTypes.map(noticeOf));

export const noticeExample = {
  id: "evt_01M82GFJ4NNNR7MSY8XGVW5WDR",
  type: "scrape.started",
  timestamp: "2026-11-22T20:52:05.909Z",
  seq: null,
  data: {
    source: null,
    job: {
      scrape_id: "scr_01M82GFJ3MZKCYXCREGS4KAWH4",
      version: "v1",
      status: "pending",
      url: "https://example.com/",
      started_at: "2026-11-22T20:52:05.909Z",
    },
  },
};

const itemExample = eventExamples["rss.item.created"];
export const batchExample = {
  id: "bat_7Q1vXr0y8mM2c5dZtq3nWbKe",
  type: "batch",
  timestamp: itemExample.timestamp,
  events: [itemExample],
};

/** `webhooks` of OpenAPI 3.1: what the registered endpoint receives. */
export function webhookDocs(names: NamedParts): Json {
  const single = eventTypes.map(type => [
    type,
    { post: delivery(type, summaries[type], eventSchema(type, names), eventExamples[type]) },
  ]);
  const notice = answerSchema(anyNotice, names);
  const summary = "Several events in one request, for an endpoint with `batch`";
  return Object.fromEntries([
    ...single,
    ["batch", { post: delivery("batch", summary, answerSchema(batch, names), batchExample) }],
    ["job", { post: delivery("job", "A job has started or ended", notice, noticeExample) }],
  ]);
}

function delivery(type: string, summary: string, schema: Json, example: object): Json {
  return {
    operationId: `on${typeName(type)}`,
    tags: ["Events"],
    summary,
    parameters: signatureHeaders,
    requestBody: {
      required: true,
      content: { "application/json": { schema, example } },
    },
    responses: {
      "2XX": { description: "Delivered. Anything else, a redirect too, is a failed attempt." },
      "404": {
        description: "Nothing more is sent until the webhook is registered or changed. 410 likewise.",
      },
    },
    security: [],
  };
}

/** Standard Webhooks 1.0. */
export const signatures = {
  "webhook-id": "The id of the event, or of the batch.",
  "webhook-timestamp": "Seconds since 1970, when it was signed.",
  "webhook-signature": "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two while a secret changes.",
};

const signatureHeaders = Object.entries(signatures).map(([name, description]) => header(name, description));

function header(name: string, description: string): Json {
  return { name, in: "header", required: true, description, schema: { type: "string" } };
}
