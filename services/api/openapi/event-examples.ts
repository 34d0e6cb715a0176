import type { Event, EventType } from "../../contracts/events.ts";
import {
  accountExample,
  channelExample,
  chatMessageExample,
  messengerMessageExample,
  postExample,
  serverExample,
} from "./social-examples.ts";

export const feedExample = {
  id: "0f4d6c1e-6a55-5a0e-9c1b-6f2f3f1c9a10",
  source: "RSS",
  externalId: "https://example.com/feed.xml",
  username: "example.com",
  name: "Example Journal",
};

const pageExample = {
  id: "5b0c8f8e-31f0-5d5b-8a27-1f0b7f0b2c11",
  source: "WEB",
  externalId: "https://example.com/prices",
  username: "example.com",
  name: "Prices",
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

/** An event of each type. */
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
  "rss.item.created": example("rss.item.created", 4, { source: feedExample, item }),
  "rss.item.updated": example("rss.item.updated", 5, {
    source: feedExample,
    item: { ...item, title: "A new post, corrected", date_modified: "2025-03-25T10:00:00.000Z" },
  }),
  "web.page.changed": example("web.page.changed", 6, { source: pageExample, change }),
  "source.failing": example("source.failing", 7, {
    source: pageExample,
    reason: "The page answers 500 since four polls.",
  }),
  "source.recovered": example("source.recovered", 8, {
    source: pageExample,
    reason: "The page can be read again.",
  }),
  "source.gone": example("source.gone", 9, { source: feedExample, reason: "The feed answers 410 Gone." }),
  "webhook.test": example("webhook.test", 10, { source: null }),
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
