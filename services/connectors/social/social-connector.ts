import type { Post, ResolvedSource } from "../../contracts/connectors.contract.ts";
import type { Admission, JoinStanding } from "../../contracts/platforms.contract.ts";
import type {
  MessengerMessages,
  MicroblogAbout,
  MicroblogPost,
  MicroblogProfile,
} from "../../contracts/social.ts";
import type { SourceKind } from "../../contracts/source.ts";
import type { Pauses } from "./pauses.ts";

/**
 * A social platform through one of its networks: the port of all drivers. Cursors are the driver's own, opaque strings,
 * kept by whoever asked. Every operation is idempotent, ends with its signal, and waits as long as the network asks
 * while that allows it. Errors: `invalid` naming `sid` where an id means nothing, `not_found` for what the network does
 * not know, `forbidden` with a reason for what this account may not read (the source is then told as failing),
 * `expired` with a reason for what will not come back, `upstream_error` for a request that the network never takes,
 * `connector_unavailable` (with `retry_after`) while the network cannot be reached or wants us to wait longer (no fault
 * of any source).
 */
export interface SocialConnector {
  readonly kind: SourceKind;
  /** The network, as the environment names it: `sandbox`, `mastodon`, … */
  readonly driver: string;
  /**
   * The network lets the account be used by one process at a time: the one that listens does all else as well. `close`
   * ends what is open, and the next operation opens it again.
   */
  readonly isExclusive?: true;
  /**
   * Finds what a `sid` means: a handle or id, a profile's URL, an invite. Its `state` is `{ cursor }`: the newest post
   * at this moment, so that a first `since` tells nothing of the past.
   */
  resolve(sid: string, signal: AbortSignal): Promise<ResolvedSource>;
  /** Begins to receive what the source posts, with notifications where the network has them. */
  follow(externalId: string, signal: AbortSignal): Promise<void>;
  unfollow(externalId: string, signal: AbortSignal): Promise<void>;
  /**
   * What the source posted after the cursor, oldest first, at most a few pages; `more` when some is left. Null: nothing
   * yet, only the cursor of this moment, as after `resolve`.
   */
  since(externalId: string, cursor: string | null, signal: AbortSignal): Promise<News>;
  /** What the source has posted, newest first; older with each cursor. */
  history(externalId: string, page: { cursor?: string; limit: number }, signal: AbortSignal): Promise<Page>;
  /**
   * Listens to what the followed sources post, until the signal fires; then it resolves, with everything closed. A lost
   * connection is made again, ever more slowly. Rejects only for what no waiting mends, such as refused credentials.
   */
  listen(listener: Listener, signal: AbortSignal): Promise<void>;

  /** Messenger: whether the `sid` can be read at once, or somebody has to let us in first. */
  admission?(sid: string, signal: AbortSignal): Promise<Admission>;
  /** Messenger: asks to be let in; an invite that was asked for before is no error. */
  join?(invite: string, signal: AbortSignal): Promise<JoinStanding>;
  checkJoin?(invite: string, signal: AbortSignal): Promise<JoinStanding>;
  /** Messenger: messages that hold the text, of one channel or of all that may be seen; without a text, the newest. */
  search?(
    query: { q?: string; channelId?: string; limit: number },
    signal: AbortSignal,
  ): Promise<MessengerMessages>;

  /** Microblog. */
  getPost?(postId: string, signal: AbortSignal): Promise<MicroblogPost>;
  about?(username: string, signal: AbortSignal): Promise<MicroblogAbout>;
  profile?(username: string, signal: AbortSignal): Promise<MicroblogProfile>;

  /** Sandbox alone: posts as one of its own. */
  post?(where: { username?: string; channelId?: string }, text: string): Promise<{ id: string }>;
  /** Ends what is open for as long as the driver lives. */
  close?(): Promise<void>;
}

export interface News {
  posts: Post[];
  /** Where to go on. A source that has never posted has one too, so that its first post is told. */
  cursor: string;
  more: boolean;
}

export interface Page {
  posts: Post[];
  next: string | null;
}

/** Who hears what a live connection brings. */
export interface Listener {
  /** Whether anyone tracks the source; what nobody tracks need not be told. */
  isTracked(externalId: string): boolean;
  /** All that are tracked now, for networks that must be told whom to listen to. */
  tracked(): string[];
  /** Told when `tracked()` has changed, and asked to be told no more by the returned function. */
  onTracked(changed: () => void): () => void;
  /** Posts of one source, oldest first. Resolves once they are stored, or known to need a poll; never rejects. */
  onPosts(externalId: string, posts: Post[]): Promise<void>;
  /** The connection stands (again): what these sources, or all, posted meanwhile is to be read by `since`. Never rejects. */
  onGap(externalIds?: string[]): Promise<void>;
  /** The connection is lost, with a plain reason; `onGap` tells that it stands again. */
  onLost(reason: string): void;
}

/** What drivers work with beside their own settings. */
export interface DriverTools {
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  logger: Pick<Console, "debug" | "info" | "warn" | "error">;
  pauses: Pauses;
  /** Milliseconds between the first attempts to connect again; doubled up to a minute. Tests: short. */
  reconnectMs: number;
}
