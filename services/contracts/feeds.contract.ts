import { action, type ParamsOf, repeatable } from "./action.ts";
import { meaningful } from "./endpoint-options.ts";
import { eventTypes } from "./events.ts";
import { pageOfShort, pageWith } from "./paging.ts";
import {
  type Infer,
  list,
  named,
  nothing,
  nullableText,
  object,
  rule,
  text,
  time,
  withMessage,
} from "./schema.ts";
import { tags } from "./source.ts";

/** Feeds that a key may have. */
export const mostFeeds = 50;

const filters = {
  tags: { ...tags, min: 1, optional: true, description: "Only events of sources with any of these tags." },
  sources: {
    type: "array",
    min: 1,
    max: 100,
    unique: true,
    items: { type: "string", min: 1, max: 64 },
    optional: true,
    description: "Only events of the sources with these ids.",
  },
  event_types: {
    type: "array",
    min: 1,
    unique: true,
    items: { type: "enum", values: eventTypes },
    optional: true,
    description: "Only events of these types.",
  },
  meaningful,
} as const;

const name = rule({
  type: "string",
  trim: true,
  min: 1,
  max: 100,
  optional: true,
  description: "The title that readers show.",
});

/** A feed as its key sees it, without addresses: only the gateway knows where it is reached. */
export const storedFeed = {
  id: text,
  name: nullableText,
  tags: list(text),
  sources: list(text),
  event_types: list({ type: "enum", values: eventTypes }),
  meaningful: { ...meaningful, optional: false },
  token: { ...text, description: "The secret in its addresses: who has it can read the feed." },
  created_at: time,
} as const;
const stored = named("StoredFeed", storedFeed);
export type FeedRecord = Infer<typeof stored>;

/** Throws 403 `key_limit_reached` beyond 50 feeds. */
export const createFeed = action("webhook-dispatcher.createFeed", {
  params: { name, ...filters },
  result: withMessage(stored),
});
export type NewFeed = ParamsOf<typeof createFeed>;

export const listFeeds = repeatable("webhook-dispatcher.listFeeds", {
  params: pageOfShort,
  result: pageWith(stored),
});

const id = rule({ type: "string", min: 1, max: 64, description: "`id` of the feed." });

export const removeFeed = action("webhook-dispatcher.removeFeed", {
  params: { feed: id },
  result: object({ message: text }),
});

export const feedFormats = ["atom", "json"] as const;
export type FeedFormat = (typeof feedFormats)[number];

const document = named("FeedDocument", {
  /** Whose events they are. */
  key_id: text,
  etag: text,
  last_modified: time,
  hub: nullableText,
  /** Null where the reader has this very document. */
  body: nullableText,
});
export type FeedDocument = Infer<typeof document>;

/** The document of a feed; null for a token of none. `known` are the entity tags that the reader has. Not published. */
export const readFeed = repeatable("webhook-dispatcher.readFeed", {
  params: {
    token: { type: "string", min: 1, max: 64 },
    format: { type: "enum", values: feedFormats },
    /** Where the gateway is reached. */
    origin: { type: "string", min: 1 },
    known: list(text),
  },
  result: { type: "multi", rules: [document, nothing] },
});
