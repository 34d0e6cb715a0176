import { action, type ResultOf, repeatable } from "./action.ts";
import type { Post } from "./connectors.contract.ts";
import {
  type Infer,
  limit,
  list,
  named,
  nullableText,
  object,
  rule,
  text,
  time,
  trusted,
  withMessage,
} from "./schema.ts";
import { microblogProfile } from "./social.ts";
import { datedSource, externalId, source, sourceKind } from "./source.ts";
import { type View, type WatchOptions, watchChanges, watchedSource, watchOptions } from "./watch.contract.ts";

/** What tracking answers. */
export const tracked = withMessage(watchedSource);
export type Tracked = Infer<typeof tracked>;

/** Somebody has to approve us first; `trackStatus` returns the state of the request. */
export const trackQueued = named("QueuedTrack", {
  message: text,
  jobId: { ...text, description: "The id of the join request." },
});
export type TrackQueued = Infer<typeof trackQueued>;

/**
 * Starts to track a source: 201 when the calling key did not track it, 200 when it did, 202 for a gated channel of the
 * messenger. Events begin with what the source publishes from now on.
 */
export const track = action("tracker.track", {
  params: {
    source: sourceKind,
    sid: {
      type: "string",
      trim: true,
      min: 1,
      max: 2048,
      description:
        "A user name, an invite, a channel's user name or invite link, or the URL of a page, a site, a feed or a sitemap; of `search` words; of the microblog also `#tag` or `search:words`. A network's name before it, as in `bluesky:ada.example`, means that network.",
    },
    options: {
      ...watchOptions,
      optional: true,
      description:
        "For the calling key alone. What they name replaces what the key chose before; what they do not name stays.",
    },
  },
  result: { type: "multi", rules: [tracked, trackQueued] },
});

/** A source of a kind, by exactly one of external and internal id. */
const oneSource = {
  source: sourceKind,
  eid: { ...externalId, optional: true, description: "`externalId` of the source; this or `iid`." },
  iid: { type: "string", min: 1, max: 64, optional: true, description: "`id` of the source; this or `eid`." },
} as const;

/** Stops tracking. The upstream is released with its last key. */
export const untrack = action("tracker.untrack", { params: oneSource, result: withMessage(source) });

/**
 * Changes how the calling key tracks a source; what `options` does not name stays, null removes an option. With another
 * view the source has another id, and is compared with what it shows now.
 */
export const changeTracked = repeatable("tracker.change", {
  params: {
    ...oneSource,
    options: { ...watchChanges, description: "What to change; null removes an option." },
  },
  result: tracked,
});

/** What a key's watch of a page remembers; `state` is absent where the watch sees something else than these options. */
export const rememberedView = repeatable("tracker.rememberedView", {
  params: { keyId: text, externalId, options: trusted<WatchOptions>() },
  result: object({ tracked: { type: "boolean" }, state: { type: "object", optional: true } }),
});

/** The headers and cookies of a key's own watch of exactly this address, as they are kept; none where it has none. */
export const heldSecrets = repeatable("tracker.heldSecrets", {
  params: { keyId: text, kind: sourceKind, externalId },
  result: object({ sealed: { ...trusted<NonNullable<View["sealed"]>>(), optional: true } }),
});

/** What the calling key tracks of a kind with `query` in its user name or display name, newest first. */
export const findSources = repeatable("tracker.find", {
  params: {
    source: sourceKind,
    query: {
      type: "string",
      min: 1,
      max: 200,
      description: "A part of the user name or display name, in any case.",
    },
    page: {
      type: "number",
      integer: true,
      min: 1,
      max: 1_000_000,
      default: 1,
      convert: true,
      description: "From 1.",
    },
    limit: limit("Sources a page."),
  },
  result: object({
    data: list(datedSource),
    total: { type: "number", integer: true, description: "Of all pages." },
    page: { type: "number", integer: true, description: "As asked for." },
    limit: { type: "number", integer: true, description: "As asked for." },
    next_cursor: {
      type: "number",
      integer: true,
      nullable: true,
      description: "The page after; null at the end.",
    },
    message: text,
  }),
});

const username = rule({
  type: "string",
  max: 512,
  pattern:
    "^(?:[A-Za-z0-9_]{1,15}|(?:sandbox|x|bluesky|mastodon):\\S+|https?://\\S+|@?[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+(?::\\d{1,5})?)$",
  messages: {
    stringPattern:
      "must be 1 to 15 letters, digits and underscores, without the @; or an account of a named network, such as bluesky:ada.example",
  },
  description:
    "1 to 15 letters, digits and underscores, without the @. Accounts of other networks: `bluesky:ada.example`, `@user@server`, or the address of the profile.",
});

/** Follows a microblog user with notifications; the same as tracking the microblog source. */
export const trackUser = action("tracker.trackUser", {
  params: { username },
  result: withMessage(microblogProfile),
});

/** Stops it for the calling key; with the last key the account is unfollowed. 404 when the key does not track the user. */
export const untrackUser = action("tracker.untrackUser", {
  params: { username },
  result: object({ message: text }),
});

/** The microblog users that the calling key tracks, newest first. */
export const trackedUsers = repeatable("tracker.trackedUsers", {
  params: {},
  result: object({
    tracked_users: list(
      named("User", {
        ...datedSource.props,
        followedAt: { ...time, description: "When the calling key began to track the user." },
      }),
    ),
  }),
});

const channelId = rule({
  type: "string",
  trim: true,
  min: 1,
  max: 256,
  description: "Id of a channel of a chat server.",
});

/** Tracks one channel of a chat server; 201 when the calling key did not track it. */
export const trackChat = action("tracker.trackChat", {
  params: { channelId },
  result: withMessage(object({ id: { ...text, description: "`id` of the source." } })),
});

/** Stops tracking one channel of a chat server. */
export const untrackChat = action("tracker.untrackChat", {
  params: { channelId },
  result: object({ message: text }),
});

/** A request to join a gated channel. Its outcome can be read for 7 days. */
export const trackJob = named("TrackJob", {
  id: { ...text, description: "`jobId` of the answer to `POST /track/{source}`." },
  /** It waits for 7 days at most. */
  state: {
    type: "enum",
    values: ["waiting", "active", "completed", "failed"],
    description:
      "`waiting` until somebody decides, `active` after the approval until the channel is tracked.",
  },
  returnvalue: {
    ...source,
    optional: true,
    description: "When `completed`: the source, which is tracked now.",
  },
  failedReason: { ...text, optional: true, description: "When `failed`: the reason, for people." },
});
export type TrackJob = Infer<typeof trackJob>;

/** The state of a join request; 404 for another key's. */
export const trackStatus = repeatable("tracker.status", {
  params: {
    source: sourceKind,
    id: { type: "string", min: 1, max: 64, description: "`jobId` of the answer to `POST /track/{source}`." },
  },
  result: trackJob,
});

const isTracked = object({ isTracked: { type: "boolean" } });

/**
 * Makes a source due as soon as its shortest interval allows, because something may be new there. A failing source stays
 * with its backoff. `isTracked` is false when no key tracks the source.
 */
export const pollSoon = repeatable("tracker.pollSoon", {
  params: { kind: sourceKind, externalId },
  result: isTracked,
});

/** Posts that one call of `receivePosts` takes. */
export const maxReceivedPosts = 1000;

/**
 * Takes posts of a live connection, oldest first, and appends one event per post to the log of every key that tracks the
 * source. A post has the identity that a poll would give it, and a known post makes no second event, so repeated calls
 * and the next poll are harmless. The connection may move its own cursor only after this has resolved.
 */
export const receivePosts = repeatable("tracker.receive", {
  params: {
    kind: sourceKind,
    externalId,
    posts: { type: "array", max: maxReceivedPosts, items: trusted<Post>() },
  },
  result: isTracked,
});

/**
 * What `receivePosts` would do, without doing it: the keys that track the source, and for each post those of them that
 * have it already.
 */
export const foreseePosts = repeatable("tracker.foresee", {
  params: {
    kind: sourceKind,
    externalId,
    posts: {
      type: "array",
      max: maxReceivedPosts,
      items: object({ postId: text, revision: text }),
    },
  },
  result: object({ keyIds: list(text), holders: list(list(text)) }),
});
export type Foreseen = ResultOf<typeof foreseePosts>;

/** Tracked sources of a kind, a page at a time, for a connection that begins to listen. */
export const trackedOfKind = repeatable("tracker.ofKind", {
  params: {
    kind: sourceKind,
    after: { type: "string", min: 1, max: 64, optional: true },
    limit: { type: "number", integer: true, min: 1, max: 1000 },
  },
  result: object({
    data: list(object({ externalId: text, username: text })),
    next: nullableText,
  }),
});
