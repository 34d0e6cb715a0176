import type { Event, EventType } from "../../contracts/events.ts";
import type {
  ChatMessage,
  MessengerMessage,
  MicroblogAbout,
  MicroblogPost,
  MicroblogProfile,
} from "../../contracts/social.ts";
import type { Source } from "../../contracts/source.ts";
import { monitorCheckExample, monitorNameExample, monitorPageExample } from "./monitor-examples.ts";

// The names exist in the sandbox, so the examples work on a fresh machine.

export const accountExample: Source = {
  id: "7e0d9f3a-5c11-4f9e-8d2b-1a2b3c4d5e6f",
  source: "MICROBLOG",
  externalId: "1002",
  username: "corvid_lab",
  name: "Corvid Lab",
};

export const channelExample: Source = {
  id: "3f6a8c10-9b2d-4c57-a3f0-6d7e8f9a0b1c",
  source: "MESSENGER",
  externalId: "3002",
  username: "bird_radio",
  name: "Bird Radio",
};

const serverExample: Source = {
  id: "c1b2a3d4-e5f6-4789-90ab-cdef01234567",
  source: "CHATSERVER",
  externalId: "2001",
  username: "corvids",
  name: "Corvid Club",
};

export const postExample: MicroblogPost = {
  rest_id: "1050118621198921728",
  core: {
    user_results: { result: { rest_id: "1002", name: "Corvid Lab", username: "corvid_lab" } },
  },
  legacy: {
    full_text: "Hello.",
    created_at: "Wed Oct 10 20:19:24 +0000 2018",
    favorite_count: 12,
    repost_count: 3,
    reply_count: 1,
  },
  language: "en",
  media: [
    {
      type: "image",
      url: "https://example.com/nest.jpg",
      preview_url: "https://example.com/nest-small.jpg",
      alt: "A nest in a birch.",
    },
  ],
  url: "https://x.com/corvid_lab/status/1050118621198921728",
  links: [{ url: "https://example.com/nests/2018", text: "https://t.co/a1B2c3" }],
  in_reply_to: {
    id: "1050118621198921700",
    url: "https://x.com/bird_radio/status/1050118621198921700",
    author: "bird_radio",
  },
};

export const profileExample: MicroblogProfile = {
  id: "1002",
  name: "Corvid Lab",
  username: "corvid_lab",
  description: "What is new.",
  profile_image_url: "https://example.com/magpie.png",
  protected: false,
  verified: false,
  followers_count: 1200,
  following_count: 10,
  created_at: "2013-12-14T04:35:55.000Z",
};

export const aboutExample: MicroblogAbout = {
  id: "1002",
  name: "Corvid Lab",
  username: "corvid_lab",
  created_at: "2013-12-14T04:35:55.000Z",
  about_profile: {
    account_based_in: null,
    created_country_accurate: null,
    location_accurate: null,
    source: null,
    username_changes: { count: "1", last_changed_at_msec: "1514764800000" },
  },
  avatar: { image_url: "https://example.com/magpie.png" },
  is_blue_verified: false,
  profile_image_shape: "Circle",
  privacy: { protected: false },
  verification: { verified: false },
  verification_info: { is_identity_verified: null },
};

const chatMessageExample: ChatMessage = {
  id: "1050118621198921728",
  channelId: "2011",
  guildId: "2001",
  authorId: "2101",
  authorName: "alva",
  content: "Hello.",
  createdAt: "2025-03-25T09:30:00.000Z",
  attachments: [],
  url: "https://discord.com/channels/2001/2011/1050118621198921728",
};

export const messengerMessageExample: MessengerMessage = {
  id: 42,
  text: "Hello.",
  date: 1742895000,
  channelId: "3002",
  channelTitle: "Bird Radio",
  fromId: null,
  views: 310,
  forwards: 2,
  hasMedia: false,
  mediaType: null,
  url: "https://t.me/bird_radio/42",
};

export const feedExample = {
  id: "0f4d6c1e-6a55-5a0e-9c1b-6f2f3f1c9a10",
  source: "RSS",
  externalId: "https://example.com/feed.xml",
  username: "example.com",
  name: "Example Journal",
};

const pageSourceExample = {
  id: "5b0c8f8e-31f0-5d5b-8a27-1f0b7f0b2c11",
  source: "WEB",
  externalId: "https://example.com/prices",
  username: "example.com",
  name: "Prices",
};

const siteExample = {
  id: "7c1d9f9f-42a1-5e6c-9b38-2a1c8a1c3d22",
  source: "SITE",
  externalId: "https://example.com/docs/",
  username: "example.com",
  name: "Documentation",
};

const searchSourceExample = {
  id: "8d2eaaa0-53b2-5f7d-8c49-3b2d9b2d4e33",
  source: "SEARCH",
  externalId: "search:corvid+tool+use",
  username: "corvid tool use",
  name: "corvid tool use",
};

const sitePageExample = { url: "https://example.com/docs/install", title: "Install" };

/** A key as those see it who manage keys. */
export const keyExample = {
  id: "01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
  name: "production",
  key: "mk_…4f2A",
  createdAt: "2025-03-25T09:30:00.000Z",
  scopes: ["scrape", "read"],
  expires_at: "2026-03-25T00:00:00.000Z",
  content_uses: null,
  last_used_at: "2025-03-25T10:12:00.000Z",
  owner: "acme",
  limits: { requestsPerMinute: 600, concurrentScrapes: 10, concurrentCrawls: 2, trackedSources: 1000 },
  quotas: {
    day: { pages: 1000, rendered: 100, crawled: null, events: null, deliveries: null },
    month: { pages: 20000, rendered: null, crawled: 50000, events: null, deliveries: null },
  },
};

/** A key with its value, as its owner sees it. */
export const ownKeyExample = {
  id: keyExample.id,
  name: keyExample.name,
  key: "mk_…",
  createdAt: keyExample.createdAt,
  scopes: keyExample.scopes,
  expires_at: keyExample.expires_at,
  content_uses: keyExample.content_uses,
  last_used_at: keyExample.last_used_at,
};

/** A quota that is used up, as errors and events name it. */
export const quotaExample = {
  name: "pages",
  period: "day",
  used: 1000,
  limit: 1000,
  resets_at: "2025-03-26T00:00:00.000Z",
};

export const usageExample = {
  data: [{ keyId: keyExample.id, day: "2025-03-25", requests: 37 }],
  quotas: [{ ...quotaExample, used: 37, left: 963 }],
  message: "Usage listed.",
};

const item = {
  id: "https://example.com/posts/42",
  url: "https://example.com/posts/42",
  title: "A new post",
  content_html: "<p>Hello.</p>",
  date_published: "2025-03-25T09:30:00.000Z",
};

const change = {
  previousHash: "9b74c9897bac770f",
  currentHash: "6cf615d5bcaac778",
  title: "Prices",
  added: ["Basic: 12 a month"],
  removed: ["Basic: 10 a month"],
  diff: "@@ -1,1 +1,1 @@\n-Basic: 10 a month\n+Basic: 12 a month\n",
  url: "https://example.com/prices",
};

const editedAt = "2025-03-25T09:29:00.000Z";

/** An event of each type. */
const endpointExample = {
  source: null,
  endpoint: { id: "whk_01JQ4T5W6X7Y8Z9ABCDEFGHJ01", name: "shop", host: "shop.example" },
  failing_since: "2025-03-25T09:24:30.000Z",
  http_status: 503,
  error: "status_503",
};

export const eventExamples: Record<EventType, Event> = {
  "microblog.post.created": example("microblog.post.created", 1, {
    source: accountExample,
    post: postExample,
  }),
  "chatserver.message.created": example("chatserver.message.created", 2, {
    source: serverExample,
    message: chatMessageExample,
  }),
  "messenger.message.created": example("messenger.message.created", 3, {
    source: channelExample,
    message: messengerMessageExample,
  }),
  "microblog.post.updated": example("microblog.post.updated", 25, {
    source: accountExample,
    post: { ...postExample, edited_at: editedAt },
  }),
  "microblog.post.deleted": example("microblog.post.deleted", 26, {
    source: accountExample,
    post: { rest_id: postExample.rest_id },
  }),
  "chatserver.message.updated": example("chatserver.message.updated", 27, {
    source: serverExample,
    message: { ...chatMessageExample, edited_at: editedAt },
  }),
  "chatserver.message.deleted": example("chatserver.message.deleted", 28, {
    source: serverExample,
    message: {
      id: chatMessageExample.id,
      channelId: chatMessageExample.channelId,
      guildId: chatMessageExample.guildId,
    },
  }),
  "messenger.message.updated": example("messenger.message.updated", 29, {
    source: channelExample,
    message: { ...messengerMessageExample, edited_at: editedAt },
  }),
  "messenger.message.deleted": example("messenger.message.deleted", 30, {
    source: channelExample,
    message: { id: messengerMessageExample.id, channelId: messengerMessageExample.channelId },
  }),
  "rss.item.created": example("rss.item.created", 4, { source: feedExample, item }),
  "rss.item.updated": example("rss.item.updated", 5, {
    source: feedExample,
    item: { ...item, title: "A new post, corrected", date_modified: "2025-03-25T10:00:00.000Z" },
    change: {
      added: ["A new post, corrected"],
      removed: ["A new post"],
      diff: "--- previous\n+++ current\n@@ -1,3 +1,3 @@\n-A new post\n+A new post, corrected\n https://example.com/posts/42\n Hello.\n",
    },
    version: "01JQ4T5W6X7Y8Z9ABCDEFGHJ42",
    previous_version: "01JQ4S00006X7Y8Z9ABCDEFG41",
  }),
  "web.page.changed": example("web.page.changed", 6, { source: pageSourceExample, change }),
  "site.page.added": example("site.page.added", 14, { source: siteExample, page: sitePageExample }),
  "site.page.changed": example("site.page.changed", 15, {
    source: siteExample,
    page: sitePageExample,
    change: { ...change, title: sitePageExample.title, url: sitePageExample.url },
  }),
  "site.page.removed": example("site.page.removed", 16, {
    source: siteExample,
    page: sitePageExample,
    reason: "It answered 404 in two visits.",
  }),
  "site.page.moved": example("site.page.moved", 17, {
    source: siteExample,
    page: { ...sitePageExample, url: "https://example.com/docs/setup" },
    from: sitePageExample.url,
    to: "https://example.com/docs/setup",
    reason: "The former address redirects there.",
  }),
  "site.changed": example("site.changed", 18, {
    source: siteExample,
    change: {
      kind: "everywhere",
      added: ["We move on 1 May: read more"],
      removed: [],
      seen_on: 8,
      looked_at: 8,
      pages: 240,
      examples: [sitePageExample.url],
    },
  }),
  "site.checked": example("site.checked", 19, {
    source: siteExample,
    check: {
      started_at: "2025-03-25T09:28:00.000Z",
      ended_at: "2025-03-25T09:30:00.000Z",
      pages: 240,
      visited: 31,
      unchanged: 28,
      added: 1,
      changed: 1,
      removed: 0,
      moved: 1,
      failed: 0,
    },
  }),
  "web.item.created": example("web.item.created", 24, {
    source: pageSourceExample,
    item: {
      id: "https://example.org/jobs/warden",
      url: "https://example.org/jobs/warden",
      title: "Warden of the aviary",
      content_text: "Vienna\nFull time",
      image: "https://example.org/jobs/warden.jpg",
      date_published: "2025-03-25T00:00:00.000Z",
    },
  }),
  "search.result.found": example("search.result.found", 20, {
    source: searchSourceExample,
    result: {
      url: "https://example.org/crows-bend-wire",
      title: "Crows bend wire",
      description: "A crow made a hook of a straight wire.",
      date: "2025-03-24T12:00:00.000Z",
    },
  }),
  "source.failing": example("source.failing", 7, {
    source: pageSourceExample,
    reason: "The page answers 500 since four polls.",
  }),
  "source.recovered": example("source.recovered", 8, {
    source: pageSourceExample,
    reason: "The page can be read again.",
  }),
  "source.gone": example("source.gone", 9, { source: feedExample, reason: "The feed answers 410 Gone." }),
  "source.gap": example("source.gap", 13, {
    source: feedExample,
    reason: "The feed holds none of the items of the last poll; others may have come and gone between.",
    gap: { from: "2025-03-24T09:30:00.000Z", until: "2025-03-25T08:10:00.000Z", items: 10, pages: 0 },
  }),
  "monitor.page": example("monitor.page", 21, {
    source: pageSourceExample,
    monitor: monitorNameExample,
    check_id: monitorCheckExample.id,
    page: monitorPageExample,
  }),
  "monitor.checked": example("monitor.checked", 22, {
    source: null,
    monitor: monitorNameExample,
    check: monitorCheckExample,
  }),
  "quota.warning": example("quota.warning", 11, { source: null, quota: { ...quotaExample, used: 800 } }),
  "quota.exceeded": example("quota.exceeded", 12, { source: null, quota: quotaExample }),
  "endpoint.failing": example("endpoint.failing", 13, {
    ...endpointExample,
    reason: "It has taken no event in several attempts; the last attempt failed: the answer was 503.",
  }),
  "endpoint.failed": example("endpoint.failed", 14, {
    ...endpointExample,
    reason:
      "Nothing more is sent until it is changed or enabled; the last attempt failed: the answer was 503. Its events are kept for 72 hours or longer.",
  }),
  "endpoint.recovered": example("endpoint.recovered", 15, {
    ...endpointExample,
    reason: "It takes events again.",
    failing_since: null,
    http_status: 200,
    error: null,
  }),
  "webhook.test": example("webhook.test", 10, { source: null }),
  "event.erased": example("event.erased", 2, { source: null }),
};

function example(type: EventType, seq: number, data: Event["data"]): Event {
  return {
    id: `evt_01JQ4T5W6X7Y8Z9ABCDEFGHJ${String(seq).padStart(2, "0")}`,
    type,
    timestamp: "2025-03-25T09:30:01.000Z",
    seq,
    data,
  };
}

/** A page in the answers of scrapes and crawls. */
export function pageExample(finalUrl: string) {
  return {
    markdown: "# Example Domain\n\nThis domain is for use in documentation examples.",
    metadata: {
      title: "Example Domain",
      status_code: 200,
      final_url: finalUrl,
      description: null,
      language: "en",
      canonical_url: null,
      page_title: "Example Domain",
      author: null,
      published_time: null,
      modified_time: null,
      keywords: null,
      site_name: null,
      favicon: null,
      image: null,
      robots: null,
      content_type: "text/html",
      word_count: 11,
      og: {},
      engine: "http",
      proxy_location: null,
    },
  };
}

export const scrapeExample = {
  scrape_id: "scr_01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
  version: "v1",
  status: "completed",
  url: "https://example.com",
  data: pageExample("https://example.com/"),
  started_at: "2025-03-25T09:30:00.000Z",
  ended_at: "2025-03-25T09:30:00.412Z",
};

export const parseExample = {
  data: {
    markdown: "# The mill\n\nIt was built in 1842.",
    metadata: {
      title: "The mill",
      description: null,
      language: "en",
      canonical_url: null,
      page_title: "The mill",
      author: "Ann Lind",
      published_time: "2026-01-31T12:00:00Z",
      modified_time: null,
      keywords: null,
      site_name: null,
      favicon: null,
      image: null,
      robots: null,
      content_type: "application/vnd.oasis.opendocument.text",
      word_count: 7,
      og: {},
      file_name: "mill.odt",
    },
  },
  started_at: "2026-02-01T09:30:00.000Z",
  ended_at: "2026-02-01T09:30:00.094Z",
};

const { data: _data, ...withoutPage } = scrapeExample;

export const cancelledScrapeExample = {
  ...withoutPage,
  status: "failed",
  error: { code: "cancelled", message: "The scrape was cancelled." },
};
