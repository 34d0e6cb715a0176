import type { MutedLine } from "../domain/watch/line.ts";
import { action, type ParamsOf, type ResultOf, repeatable } from "./action.ts";
import { postEventTypes } from "./events.ts";
import { nullableTime } from "./paging.ts";
import {
  count,
  type Infer,
  limit,
  list,
  named,
  nothing,
  nullableText,
  object,
  rule,
  text,
  trusted,
} from "./schema.ts";
import { messengerMessages, microblogAbout, microblogPost, microblogProfile } from "./social.ts";
import { externalId, sourceKind } from "./source.ts";
import type { View } from "./watch.contract.ts";

/** What a platform knows of a source. */
const resolvedSource = object({
  externalId: text,
  username: text,
  name: text,
  /** What the source turned out to be: a page that names a feed is tracked as that feed. */
  kind: sourceKind,
  /** The network of a social source, as configuration names it. */
  network: { ...text, optional: true },
  /** Opaque state for the first poll: the silent baseline. JSON, 28 bytes for each item of a feed, at most some 7 MB. */
  state: { type: "object" },
  /** What the look-up saw: the first version, where one is kept. */
  check: { ...trusted<Checked>(), optional: true },
  /** Why the source cannot be read for now, and what to do about it, for its subscriber. */
  notice: { ...text, optional: true },
});
export type ResolvedSource = Infer<typeof resolvedSource>;

/** A new or changed thing of a source. */
const post = object({
  /** Identity within the source. */
  postId: text,
  /** Changes with the content; a post is delivered once per revision. */
  revision: text,
  type: { type: "enum", values: postEventTypes },
  /** The part of the event's data beside `source`, for example `{ item }`. */
  data: { type: "object" },
});
export type Post = Infer<typeof post>;

/** What a check saw, for the source's history. */
export interface Checked {
  /** As the watch's judge says (`Outcome`); of a feed likewise. */
  outcome: "same" | "changed" | "held" | "muted";
  /** Why, in a sentence. */
  reason: string;
  /** Milliseconds. */
  tookMs: number;
  status?: number;
  engine?: "http" | "browser";
  /** Lines whose changes are muted now. */
  muted?: MutedLine[];
  /** The number of `when.value` as `value`, and the fields of `json`. */
  values?: Record<string, number | string | boolean | null>;
  /** What the source says now, where it differs from the check before in anything that is kept. */
  version?: CheckedVersion;
  /** `hash` of the page as it was kept, where a check makes an event of what one before it saw. */
  keptAs?: string;
  /** `hash` of the page with which it was compared, as it was kept; by default the one before. */
  against?: string;
  /** The items that are new or changed, where it is a feed. */
  items?: CheckedVersion[];
}

/** A state of a page or an item that is to be kept. */
export interface CheckedVersion {
  /** `postId` of an item. */
  item?: string;
  title: string;
  /** SHA-256 of the content, hex. */
  hash: string;
  /** The reduced page as HTML, or the item as JSON: zstd, base64. */
  content: string;
  /** The words that are new in it, at most some 10 KB. */
  words: string;
  added?: number;
  removed?: number;
}

/** A feed held nothing of what was known: items may have come and gone unseen. */
export const feedGap = named("FeedGap", {
  from: { ...nullableTime, description: "When the feed was last read before; null where it never was." },
  until: {
    ...nullableTime,
    description: "The date of the oldest item that is there now; null without dates.",
  },
  items: { ...count, description: "Items that the document shows now." },
  pages: { ...count, description: "Pages of older items that were read back, without finding a known one." },
});
export type FeedGap = Infer<typeof feedGap>;

/** What one poll found. */
const found = object({
  ok: { type: "equal", value: true },
  /** Oldest first. */
  posts: list(post),
  state: { type: "object" },
  /** Milliseconds until the next poll is of use, by the hints and habits of the source. */
  nextInMs: { type: "number" },
  /** The next poll confirms or continues this one: it is due after `nextInMs`, whatever the interval of the view. */
  confirm: { type: "boolean", optional: true },
  /** A round through a site is under way, or what it found is still to be told; the next poll goes on with it. */
  underWay: { type: "boolean", optional: true },
  /** There are more new posts already; the next poll reads them. */
  more: { type: "boolean", optional: true },
  gap: { ...feedGap, optional: true },
  /** What the check saw; absent from live connections. */
  check: { ...trusted<Checked>(), optional: true },
  /** Present when the source has moved for good, or changed its name; of a social source with its network. */
  source: {
    type: "object",
    optional: true,
    props: {
      externalId: { ...text, optional: true },
      name: { ...text, optional: true },
      network: { ...text, optional: true },
    },
  },
});

/** A poll that failed. */
const notRead = object({
  ok: { type: "equal", value: false },
  /** A plain sentence, fit for an event. */
  reason: text,
  /** The HTTP status that the source answered with, if it is the reason. */
  status: { type: "number", integer: true, optional: true },
  /** The code of the error, if one is the reason. */
  code: { ...text, optional: true },
  /** The source says that it will not come back. */
  gone: { type: "boolean" },
  /** Milliseconds until the next poll is of use: what the source asks, and more with each failure. */
  retryAfterMs: { type: "number", optional: true },
  /** Milliseconds until the next poll, however many have failed: parts of the source are due at times of their own. */
  nextInMs: { type: "number", optional: true },
  /** Milliseconds: what the source asks alone. */
  askedMs: { type: "number", optional: true },
  state: { type: "object" },
});
export type PollResult = Infer<typeof found> | Infer<typeof notRead>;

/**
 * Finds the source that a `sid` names. 400 when it means nothing for this platform, 404 unknown, 502/503 unreachable. With
 * `view` the state is the baseline of that view. A page that names a feed is that feed, unless the view aims at parts of
 * the page or `asPage` is set.
 */
export const resolveSource = repeatable("connectors.resolve", {
  params: {
    kind: sourceKind,
    sid: { type: "string", min: 1, max: 2048 },
    view: { ...trusted<View>(), optional: true },
    asPage: { type: "boolean", optional: true },
  },
  result: resolvedSource,
});

/** Polls a source once. Idempotent: the same state gives the same posts, until the source changes. */
export const pollSource = repeatable("connectors.poll", {
  params: {
    kind: sourceKind,
    externalId,
    state: { type: "object" },
    failures: { type: "number", integer: true, min: 0 },
  },
  result: { type: "multi", rules: [found, notRead] },
});

/** A view of a source that is due, with what its last poll left. */
export interface DueView {
  /** Empty for the default one. */
  view: View;
  /** `_id` of the stored source. */
  id: string;
  state: Record<string, unknown>;
  /** Polls that failed since the last good one. */
  failures: number;
  /** The number of the lease that the poll is made under: of two polls of a source the later one has the higher. */
  fence?: number;
  /** Milliseconds since the epoch: when somebody last asked for a poll at once. */
  askedAt?: number;
}

/** Views of one source in one call, at most. */
export const maxPolledViews = 32;

/**
 * Polls a page or feed once for several views of it, which are sent the same headers. Answers a result for each, in their
 * order. Idempotent as `connectors.poll`.
 */
export const pollViews = repeatable("connectors.pollViews", {
  params: {
    kind: sourceKind,
    externalId,
    views: { type: "array", min: 1, max: maxPolledViews, items: trusted<DueView>() },
  },
  result: object({ results: list({ type: "multi", rules: [found, notRead] }) }),
});

/** Stops what the connector keeps up for a source that no key tracks any more, or forgets the pages of one view of a site. */
export const unfollowSource = repeatable("connectors.letGo", {
  params: {
    kind: sourceKind,
    externalId,
    /** `_id` of the stored source, of a site. */
    id: { type: "string", optional: true },
  },
  result: nothing,
});

/** Names a WebSub subscription; only its hub knows it. */
const hubToken = rule({ type: "string", min: 1, max: 128 });

/** Answers the challenge of a hub that was asked; 404 for any other. */
export const verifyIntent = repeatable("connectors.verifyIntent", {
  params: {
    token: hubToken,
    "hub.mode": { type: "string", max: 32 },
    "hub.topic": { type: "string", max: 4096 },
    "hub.challenge": { type: "string", max: 4096, optional: true },
    "hub.lease_seconds": { type: "number", min: 0, optional: true },
  },
  ignoreUnknown: true,
  result: text,
});
/** What a hub asks at the callback (W3C WebSub, 5.3); the names are the Recommendation's. */
export type IntentQuery = ParamsOf<typeof verifyIntent>;

/**
 * Takes content of a hub as a hint to poll the feed. Ignores it without a good signature, as the Recommendation asks; 410
 * answers the hub that there is no such subscription.
 */
export const receiveDelivery = action("connectors.receiveDelivery", {
  params: {
    token: hubToken,
    /** `X-Hub-Signature`. */
    signature: { type: "string", max: 512, optional: true },
    /** The bytes of the request, in base64. */
    body: { type: "string" },
  },
  result: nothing,
});
/** Content that a hub distributes (W3C WebSub, 7). */
export type HubDelivery = ParamsOf<typeof receiveDelivery>;

/*
 * What services ask of the social platforms beside `connectors.resolve` and `connectors.poll`. A poll of a social source
 * reads its history from the cursor in its state, which fills the gaps of a live connection. Posts of a live connection
 * go to `tracker.receive`. An unreachable network is 503 `connector_unavailable`.
 */

/** Starts to receive what a source posts, with notifications where the platform has them. Idempotent. */
export const followSource = repeatable("connectors.follow", {
  params: { kind: sourceKind, externalId },
  result: nothing,
});

/** Whether a source can be read at once, or must approve us first. 404 unknown. */
export const admission = repeatable("connectors.admission", {
  params: { kind: sourceKind, sid: { type: "string", min: 1, max: 2048 } },
  result: {
    type: "multi",
    rules: [
      object({ state: { type: "equal", value: "in" } }),
      /** The platform wants somebody to approve; `checkJoin` takes `invite`. */
      object({ state: { type: "equal", value: "approval_needed" }, invite: text }),
    ],
  },
});
export type Admission = ResultOf<typeof admission>;

const notBefore = rule({ type: "number", nullable: true });

/**
 * The state of a join request. `unasked`: the platform has no request of ours, because it wants us to wait or has lost it;
 * send one. A platform that does not report the state counts as `pending`. `notBefore`, in Unix milliseconds: the platform
 * wants no question before then.
 */
const joinState = rule({
  type: "multi",
  rules: [
    object({ state: { type: "equal", value: "unasked" }, notBefore }),
    object({ state: { type: "equal", value: "pending" }, notBefore }),
    object({ state: { type: "equal", value: "in" } }),
    object({ state: { type: "equal", value: "refused" }, reason: text }),
  ],
});
export type JoinState = Infer<typeof joinState>;

const invite = rule({ type: "string", min: 1, max: 2048 });

/**
 * Sends a join request. The caller stores that it asks before it does. `connector_unavailable` means that nothing was sent;
 * after any other failure something may have been, and the caller relies on `checkJoin`.
 */
export const requestJoin = action("connectors.requestJoin", {
  params: { kind: sourceKind, invite },
  result: joinState,
});

/** Whether somebody has approved the join request. */
export const checkJoin = repeatable("connectors.checkJoin", {
  params: { kind: sourceKind, invite },
  result: joinState,
});

/** Reads a post by its id; 404 where it is unknown. */
export const readMicroblogPost = repeatable("connectors.microblogPost", {
  params: {
    postId: {
      type: "string",
      trim: true,
      min: 1,
      max: 512,
      description:
        "`rest_id` of the post; of another network with its name before it, as `bluesky:at://…`, or the post's address.",
    },
  },
  result: microblogPost,
});

const username = rule({
  type: "string",
  trim: true,
  min: 1,
  max: 512,
  description:
    "Without the @ before it; of another network as `bluesky:ada.example`, `user@server`, or by its address.",
});

/** What the microblog says about an account; 404 unknown. */
export const aboutUser = repeatable("connectors.aboutUser", { params: { username }, result: microblogAbout });

/** The profile of an account; 404 unknown. */
export const readMicroblogProfile = repeatable("connectors.microblogProfile", {
  params: { username },
  result: microblogProfile,
});

export const historyParams = {
  uid: { type: "string", trim: true, min: 1, max: 256, description: "`rest_id` of the account." },
  cursor: { type: "string", min: 1, max: 2048, optional: true, description: "Where to continue." },
  limit: limit("Posts to fetch.", { max: 1000, default: 50 }),
} as const;

/** Posts of an account, newest first, older ones with each cursor; for administrators. */
export const microblogHistory = repeatable("connectors.microblogHistory", {
  params: historyParams,
  result: object({ posts: list(microblogPost), next_cursor: nullableText }),
});

const searchText = rule({ type: "string", trim: true, min: 1, max: 1000, description: "What to look for." });
const messagesLimit = limit("Messages, at most.");

/** Messages that contain a text, wherever the messenger lets us search. */
export const searchMessenger = repeatable("connectors.searchMessenger", {
  params: { q: searchText, limit: messagesLimit },
  result: messengerMessages,
});

/** Messages of one channel that contain a text; without one, the newest. 404 unknown. */
export const searchChannel = repeatable("connectors.searchChannel", {
  params: {
    channelId: {
      type: "string",
      trim: true,
      min: 1,
      max: 256,
      description: "User name of the channel, as @name, or its number; a network's name may be before it.",
    },
    q: { ...searchText, optional: true },
    limit: messagesLimit,
  },
  result: messengerMessages,
});
