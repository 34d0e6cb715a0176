import { action, repeatable } from "./action.ts";
import type { Post } from "./connectors.contract.ts";
import { limit } from "./paging.ts";
import type { MessengerMessages, MicroblogAbout, MicroblogPost, MicroblogProfile } from "./social.ts";
import { type SourceKind, sourceKinds } from "./source.ts";

/*
 * What rooms ask of the social platforms beside `connectors.resolve` and `connectors.poll`: a poll of a social source
 * reads its history on from the cursor in its state, which fills the gaps that a live connection leaves. Posts that
 * come in live go to `tracker.receive`. An unreachable network is 503 `connector_unavailable`.
 */

/** How a driver stands with what a `sid` names: followed at once, or asked to be let in. */
export type Admission =
  | { state: "in" }
  /** The platform wants somebody to approve; `invite` is what `checkJoin` takes. */
  | { state: "approval_needed"; invite: string };

const kind = { type: "enum", values: [...sourceKinds] };
const externalId = { type: "string", min: 1, max: 2048 };

/** Begins to receive what a source posts, with notifications where the platform has them. Idempotent. */
export const followSource = repeatable<{ kind: SourceKind; externalId: string }, null>("connectors.follow", {
  $$strict: true,
  kind,
  externalId,
});

/** Whether what a `sid` names can be read at once. 404 unknown. */
export const admission = repeatable<{ kind: SourceKind; sid: string }, Admission>("connectors.admission", {
  $$strict: true,
  kind,
  sid: { type: "string", min: 1, max: 2048 },
});

/**
 * What came of a request to be let in. `unasked`: the platform took none (it wants us to wait), or knows of none; it has
 * to be asked. Where a platform cannot tell, a request counts as `pending`. `notBefore`: Unix milliseconds; the platform
 * wants to hear nothing of it before.
 */
export type JoinStanding =
  | { state: "unasked"; notBefore: number | null }
  | { state: "pending"; notBefore: number | null }
  | { state: "in" }
  | { state: "refused"; reason: string };

/**
 * Asks to be let in. The caller has written down that it asks before it does. `connector_unavailable` says that nothing was
 * asked; after any other fault of this side it may have been, and the caller goes by `checkJoin`.
 */
export const requestJoin = action<{ kind: SourceKind; invite: string }, JoinStanding>(
  "connectors.requestJoin",
  {
    $$strict: true,
    kind,
    invite: { type: "string", min: 1, max: 2048 },
  },
);

/** Whether somebody has let us in. */
export const checkJoin = repeatable<{ kind: SourceKind; invite: string }, JoinStanding>(
  "connectors.checkJoin",
  {
    $$strict: true,
    kind,
    invite: { type: "string", min: 1, max: 2048 },
  },
);

/** One post by its id; 404 unknown. */
export const microblogPost = repeatable<{ postId: string }, MicroblogPost>("connectors.microblogPost", {
  $$strict: true,
  postId: { type: "string", trim: true, min: 1, max: 256, description: "`rest_id` of the post." },
});

const username = {
  type: "string",
  trim: true,
  min: 1,
  max: 256,
  description: "Without the @ before it.",
};

/** What the microblog tells of an account; 404 unknown. */
export const aboutUser = repeatable<{ username: string }, MicroblogAbout>("connectors.aboutUser", {
  $$strict: true,
  username,
});

/** The profile of an account; 404 unknown. */
export const microblogProfile = repeatable<{ username: string }, MicroblogProfile>(
  "connectors.microblogProfile",
  {
    $$strict: true,
    username,
  },
);

/** Posts of an account, newest first, older ones with each cursor; for administrators. */
export const microblogHistory = repeatable<
  { uid: string; cursor?: string; limit: number },
  { posts: MicroblogPost[]; next_cursor: string | null }
>("connectors.microblogHistory", {
  $$strict: true,
  uid: { type: "string", trim: true, min: 1, max: 256, description: "`rest_id` of the account." },
  cursor: { type: "string", min: 1, max: 2048, optional: true, description: "Where to go on." },
  limit: limit("Posts to fetch.", { max: 1000, default: 50 }),
});

const q = { type: "string", trim: true, min: 1, max: 1000, description: "What to look for." };
const messagesLimit = limit("Messages, at most.");

/** Messages that hold a text, wherever the messenger lets us look. */
export const searchMessenger = repeatable<{ q: string; limit: number }, MessengerMessages>(
  "connectors.searchMessenger",
  { $$strict: true, q, limit: messagesLimit },
);

/** Messages of one channel that hold a text; without one, the newest. 404 unknown. */
export const searchChannel = repeatable<{ channelId: string; q?: string; limit: number }, MessengerMessages>(
  "connectors.searchChannel",
  {
    $$strict: true,
    channelId: {
      type: "string",
      trim: true,
      min: 1,
      max: 256,
      description: "User name of the channel, as @name, or its number.",
    },
    q: { ...q, optional: true },
    limit: messagesLimit,
  },
);

/**
 * Takes in what a live connection brought, oldest first: one event per post in the log of every key that tracks the
 * source, with the identity that a poll would give it. A post that is known is told no second time, so a connection that
 * repeats itself, and the poll that comes after it, are harmless; only when this has resolved may the connection's own
 * cursor move.
 */
export const receivePosts = repeatable<
  { kind: SourceKind; externalId: string; posts: Post[] },
  { isTracked: boolean }
>("tracker.receive", {
  $$strict: true,
  kind,
  externalId,
  posts: { type: "array", max: 1000, items: { type: "object" } },
});

/** Sources of a kind that are tracked, a page at a time, for a connection that begins to listen. */
export const trackedOfKind = repeatable<
  { kind: SourceKind; after?: string; limit: number },
  { data: { externalId: string; username: string }[]; next: string | null }
>("tracker.ofKind", {
  $$strict: true,
  kind,
  after: { type: "string", min: 1, max: 64, optional: true },
  limit: { type: "number", integer: true, min: 1, max: 1000 },
});
