import { repeatable } from "./action.ts";
import type { PostEventType } from "./events.ts";
import { type SourceKind, sourceKinds } from "./source.ts";

/** What a platform knows of a source. */
export interface ResolvedSource {
  externalId: string;
  username: string;
  name: string;
  /** Whatever kind the source turned out to be: a page with a feed is tracked as that feed. */
  kind: SourceKind;
  /** Opaque state for the first poll: the silent baseline. JSON, at most 256 KB. */
  state: Record<string, unknown>;
}

/** One new or changed thing of a source. */
export interface Post {
  /** Identity within the source. */
  postId: string;
  /** Changes with the content; a post is delivered once per revision. */
  revision: string;
  type: PostEventType;
  /** The part of the event's data beside `source`, for example `{ item }`. */
  data: Record<string, unknown>;
}

/** What one poll found. `posts` are oldest first. */
export type PollResult =
  | {
      ok: true;
      posts: Post[];
      state: Record<string, unknown>;
      /** Milliseconds until the next poll is of use, as the source's own hints and habits tell. */
      nextInMs: number;
      /** Some of what is new by now is left to the next poll. */
      more?: boolean;
      /** Present when the source has moved for good, or changed its name. */
      source?: Partial<Pick<ResolvedSource, "externalId" | "name">>;
    }
  | {
      ok: false;
      /** A plain sentence, fit for an event. */
      reason: string;
      /** The source says that it will not come back. */
      gone: boolean;
      /** Milliseconds until the next poll is of use: what the source asks, and more with each failure. */
      retryAfterMs?: number;
      state: Record<string, unknown>;
    };

const kind = { type: "enum", values: [...sourceKinds] };

/** Finds what a `sid` means. 400 when it means nothing for this platform, 404 unknown, 502/503 unreachable. */
export const resolveSource = repeatable<{ kind: SourceKind; sid: string }, ResolvedSource>(
  "connectors.resolve",
  {
    $$strict: true,
    kind,
    sid: { type: "string", min: 1, max: 2048 },
  },
);

/** Looks at a polled source once. Idempotent: the same state gives the same posts, until the source changes. */
export const pollSource = repeatable<
  { kind: SourceKind; externalId: string; state: Record<string, unknown>; failures: number },
  PollResult
>("connectors.poll", {
  $$strict: true,
  kind,
  externalId: { type: "string", min: 1, max: 2048 },
  state: { type: "object" },
  failures: { type: "number", integer: true, min: 0 },
});
