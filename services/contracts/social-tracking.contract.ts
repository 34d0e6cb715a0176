import { action, repeatable } from "./action.ts";
import type { MicroblogProfile } from "./social.ts";
import { type DatedSource, type Source, type SourceKind, sourceKinds } from "./source.ts";

/** A request to be let into a gated channel. */
export interface TrackJob {
  id: string;
  /**
   * `waiting` until somebody decides, 7 days at the most; `active` when we were let in and the channel is about to be
   * tracked. What became of it can be asked for 7 days.
   */
  state: "waiting" | "active" | "completed" | "failed";
  /** Only when `completed`. */
  returnvalue?: Source;
  /** Only when `failed`; a plain sentence. */
  failedReason?: string;
}

const username = {
  type: "string",
  pattern: "^[A-Za-z0-9_]{1,15}$",
  messages: { stringPattern: "must be 1 to 15 letters, digits and underscores, without the @" },
  description: "1 to 15 letters, digits and underscores, without the @.",
};

/** Follows a microblog user with notifications; the same as tracking the microblog source. */
export const trackUser = action<{ username: string }, { message: string; data: MicroblogProfile }>(
  "tracker.trackUser",
  { $$strict: true, username },
);

/** Ends it for the calling key; the user is unfollowed when no key is left. 404 when the key does not track the user. */
export const untrackUser = action<{ username: string }, { message: string }>("tracker.untrackUser", {
  $$strict: true,
  username,
});

/** The microblog users that the calling key tracks, newest first. */
export const trackedUsers = repeatable<
  Record<string, never>,
  { tracked_users: (DatedSource & { followedAt: string })[] }
>("tracker.trackedUsers", { $$strict: true });

const channelId = {
  type: "string",
  trim: true,
  min: 1,
  max: 256,
  description: "Id of a channel of a chat server.",
};

/** Tracks one channel of a chat server. */
export const trackChat = action<{ channelId: string }, { message: string; data: { id: string } }>(
  "tracker.trackChat",
  { $$strict: true, channelId },
);

export const untrackChat = action<{ channelId: string }, { message: string }>("tracker.untrackChat", {
  $$strict: true,
  channelId,
});

/** How a request to be let in stands; 404 for another key's. */
export const trackStatus = repeatable<{ source: SourceKind; id: string }, TrackJob>("tracker.status", {
  $$strict: true,
  source: { type: "enum", values: [...sourceKinds], description: "The kind of source." },
  id: { type: "string", min: 1, max: 64, description: "`jobId` of the answer to `POST /track/{source}`." },
});
