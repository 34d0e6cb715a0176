import type { Admission, JoinState, Post, ResolvedSource } from "../../contracts/connectors.contract.ts";
import { fail } from "../../contracts/errors.ts";
import type {
  MessengerMessages,
  MicroblogAbout,
  MicroblogMedia,
  MicroblogPost,
  MicroblogProfile,
} from "../../contracts/social.ts";
import type { SourceKind } from "../../contracts/source.ts";
import { oneLine } from "../../domain/text/one-line.ts";
import type { CooldownStore } from "./cooldown.ts";

/**
 * A social platform through one of its networks: the port of all drivers. Cursors are opaque strings of the driver,
 * which the caller keeps. Every operation is idempotent, ends with its signal, and waits as long as the network asks
 * while the signal allows it. Errors: `invalid` naming `sid` for an id that means nothing, `not_found` for what the
 * network does not know, `forbidden` with a reason for what this account may not read (the source then counts as
 * failing), `expired` with a reason for what will not come back, `upstream_error` for a request that the network never
 * accepts, `connector_unavailable` (with `retry_after`) while the network cannot be reached or wants us to wait longer
 * (no source has failed then).
 */
export interface SocialConnector {
  readonly kind: SourceKind;
  /** The network, as configuration names it: `sandbox`, `mastodon`, … */
  readonly driver: string;
  /**
   * The network allows one process at a time to use the account: the listening process also does everything else.
   * `close` closes the connection, and the next operation opens it again.
   */
  readonly isExclusive?: true;
  /**
   * Finds what a `sid` means: a handle or id, a profile's URL, an invite. Its `state` is `{ cursor }`: the newest post
   * at this moment, so that a first `since` returns nothing of the past.
   */
  resolve(sid: string, signal: AbortSignal): Promise<ResolvedSource>;
  /** Begins to receive what the source posts, with notifications where the network has them. */
  follow(externalId: string, signal: AbortSignal): Promise<void>;
  unfollow(externalId: string, signal: AbortSignal): Promise<void>;
  /**
   * What the source posted after the cursor, oldest first, at most a few pages; `more` when some is left. For null: no
   * posts, only the cursor of this moment, as after `resolve`.
   */
  since(externalId: string, cursor: string | null, signal: AbortSignal): Promise<NewPosts>;
  /** What the source has posted, newest first; older with each cursor. */
  history(
    externalId: string,
    page: { cursor?: string; limit: number },
    signal: AbortSignal,
  ): Promise<PostPage>;
  /**
   * Listens to the followed sources until the signal fires, then resolves with everything closed. Reconnects with growing
   * waits. Rejects only for errors that no retry can fix, such as refused credentials.
   */
  listen(listener: Listener, signal: AbortSignal): Promise<void>;

  /** Messenger: whether the `sid` can be read at once, or a join request has to be accepted first. */
  admission?(sid: string, signal: AbortSignal): Promise<Admission>;
  /** Messenger: sends a join request; repeating it for the same invite is no error. */
  join?(invite: string, signal: AbortSignal): Promise<JoinState>;
  checkJoin?(invite: string, signal: AbortSignal): Promise<JoinState>;
  /** Messenger: messages that contain the text, in one channel or in all visible ones; without a text, the newest. */
  search?(
    query: { q?: string; channelId?: string; limit: number },
    signal: AbortSignal,
  ): Promise<MessengerMessages>;

  /** Microblog. */
  getPost?(postId: string, signal: AbortSignal): Promise<MicroblogPost>;
  about?(username: string, signal: AbortSignal): Promise<MicroblogAbout>;
  profile?(username: string, signal: AbortSignal): Promise<MicroblogProfile>;

  /** Sandbox only: posts as one of its accounts. Only the microblog takes remarks. */
  post?(
    where: { username?: string; channelId?: string },
    text: string,
    remarks?: { language?: string; media?: MicroblogMedia[] },
  ): Promise<{ id: string }>;
  /** Closes the resources that live as long as the driver. */
  close?(): Promise<void>;
}

export interface NewPosts {
  posts: Post[];
  /** Where to continue. A source that has never posted has one too, so that its first post is found. */
  cursor: string;
  more: boolean;
}

export interface PostPage {
  posts: Post[];
  next: string | null;
}

/** Receives what a live connection brings. */
export interface Listener {
  /** Whether anyone tracks the source; other posts can be skipped. */
  isTracked(externalId: string): boolean;
  /** All tracked sources, for networks that need a list of accounts to listen to. */
  tracked(): string[];
  /** Calls `changed` whenever `tracked()` has changed, until the returned function is called. */
  onTracked(changed: () => void): () => void;
  /** Posts of one source, oldest first. Resolves once they are stored, or known to need a poll; never rejects. */
  onPosts(externalId: string, posts: Post[]): Promise<void>;
  /** The connection is open (again): `since` has to read what these sources, or all, posted meanwhile. Never rejects. */
  onGap(externalIds?: string[]): Promise<void>;
  /** The connection is lost, with a readable reason; `onGap` reports that it is open again. */
  onLost(reason: string): void;
}

/** What drivers use beside their own settings. */
export interface DriverTools {
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  logger: Pick<Console, "debug" | "info" | "warn" | "error">;
  cooldowns: CooldownStore;
  /** Milliseconds between the first attempts to reconnect; doubles up to a minute. Tests set a short one. */
  reconnectMs: number;
}

/** The platforms whose drivers implement the social port. */
export const socialKinds = ["microblog", "chatserver", "messenger"] as const satisfies SourceKind[];
export type SocialKind = (typeof socialKinds)[number];

export function isSocial(kind: SourceKind): kind is SocialKind {
  return socialKinds.some(each => each === kind);
}

/** The network refuses the credentials: operations are unavailable, and listening ends, since no retry can fix it. */
export function refusal(message: string, cause?: unknown): Error {
  return Object.assign(fail("connector_unavailable", message, {}, cause), { isRefusal: true });
}

export function isRefusal(error: unknown): boolean {
  return (error as { isRefusal?: unknown } | null)?.isRefusal === true;
}

const maxLength = 300;

/**
 * A message with the network's answer, as one line of limited length; without an answer the message alone. `message` ends
 * with a full stop.
 */
export function quoteAnswer(message: string, answer: unknown): string {
  const quoted = typeof answer === "string" ? shortened(answer) : "";
  if (quoted === "") return message;
  return `${message.replace(/\.$/, "")}: ${/[.!?\u2026]$/.test(quoted) ? quoted : `${quoted}.`}`;
}

function shortened(text: string): string {
  // Line ends would end lines of logs and events.
  const line = oneLine(text);
  return line.length > maxLength ? `${line.slice(0, maxLength)}\u2026` : line;
}
