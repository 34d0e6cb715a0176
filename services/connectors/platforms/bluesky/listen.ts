import * as getSession from "@atcute/atproto/types/server/getSession";
import { fromUint8Array } from "@atcute/car";
import { type Bytes, type CidLink, decode, decodeFirst, fromBytes } from "@atcute/cbor";
import { CODEC_DCBOR, create, toString as textOf } from "@atcute/cid";
import { ok } from "@atcute/client";
import { logEvent } from "../../../../mixins/log/log-events.ts";
import type { Post } from "../../../contracts/connectors.contract.ts";
import { dialSocket, keepSocket } from "../../social/live-socket.ts";
import { type DriverTools, type Listener, quoteAnswer } from "../../social/social-connector.ts";
import { deletedPost } from "../post-details.ts";
import { type Authors, cacheAuthors } from "./account.ts";
import type { Ask, BlueskySettings } from "./api.ts";
import { isShownInFull, toPost, viewToPost, writtenToPost } from "./map-post.ts";
import { type ShownPosts, showPosts } from "./shown-posts.ts";
import { isDid } from "./sid.ts";

type RelayCommit = Extract<RelayMessage, { is: "commit" }>["commit"];

interface RelayContext {
  ask: Ask;
  settings: BlueskySettings;
  tools: DriverTools;
}

/**
 * Listens to the relay, which streams every write of the network, and publishes the posts of tracked accounts. Keeps the
 * relay's cursor in memory, so that a reconnect continues where the stream broke.
 */
export async function listen(context: RelayContext, listener: Listener, signal: AbortSignal): Promise<void> {
  const { ask, settings, tools } = context;
  const authors = cacheAuthors(ask, tools.now);
  const shown = showPosts(ask, tools.now);
  let cursor: number | undefined;
  const held = {
    async dial(wanted: AbortSignal) {
      // Throws a refusal when the credentials are refused, which ends the listening.
      await ask(wanted, (client, options) => ok(client.call(getSession, options)));
      await waitUntilTracked(listener, wanted);
      wanted.throwIfAborted();
      const url = new URL(`${settings.relay}/xrpc/com.atproto.sync.subscribeRepos`);
      if (cursor !== undefined) url.searchParams.set("cursor", String(cursor));
      return dialSocket(url);
    },
    onOpen: () => listener.onGap(),
    onLost: ({ message }: Error) =>
      listener.onLost(quoteAnswer("The live connection to the Bluesky relay is lost.", message)),
    errorOfStatus: (status: number) => new Error(`The relay answers with status ${status}.`),
    async onMessage(data: Buffer) {
      const message = readMessage(data, tools);
      if (message.is === "error") {
        // The relay has restarted its sequence.
        if (message.name === "FutureCursor") cursor = undefined;
        throw new Error(`The relay ended the connection: ${message.name}.`);
      }
      if (message.is === "identity") authors.forget(message.did);
      if (message.is === "commit" && listener.isTracked(message.commit.repo))
        await publishCommit(message.commit, { listener, authors, shown, tools, signal });
      cursor = message.seq ?? cursor;
    },
  };
  while (!signal.aborted) {
    await whileTracked(listener, signal, wanted => keepSocket(held, tools, wanted));
    // When an account is tracked again, the stream starts from that moment.
    cursor = undefined;
  }
}

/** Listens until no account is tracked any more: the relay sends a lot, all the time. */
async function whileTracked(
  listener: Listener,
  signal: AbortSignal,
  keep: (wanted: AbortSignal) => Promise<void>,
): Promise<void> {
  const unwanted = new AbortController();
  const unwatch = listener.onTracked(() => {
    if (!listener.tracked().some(isDid)) unwanted.abort();
  });
  try {
    await keep(AbortSignal.any([signal, unwanted.signal]));
  } finally {
    unwatch();
  }
}

/** Waits until an account is tracked: nothing is requested from the relay before. */
async function waitUntilTracked(listener: Listener, signal: AbortSignal): Promise<void> {
  while (!listener.tracked().some(isDid) && !signal.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const unwatch = listener.onTracked(resolve);
    const end = () => resolve();
    signal.addEventListener("abort", end, { once: true });
    await promise;
    signal.removeEventListener("abort", end);
    unwatch();
  }
}

/** Reads a message. Skips an unreadable one, which every new connection would repeat. */
function readMessage(data: Buffer, { logger }: DriverTools): RelayMessage {
  try {
    return readFrame(data);
  } catch (error) {
    logEvent(logger, "bluesky_message.failed", { message: (error as Error).message });
    return { is: "other", seq: undefined };
  }
}

/**
 * Publishes the posts of a commit. Leaves them to a poll where the commit lacks them, the author's name is unknown, or
 * the service does not show their media or quotes yet.
 */
async function publishCommit(
  commit: RelayCommit,
  {
    listener,
    authors,
    shown,
    tools,
    signal,
  }: { listener: Listener; authors: Authors; shown: ShownPosts; tools: DriverTools; signal: AbortSignal },
): Promise<void> {
  const did = commit.repo;
  try {
    if (changesProfile(commit)) authors.forget(did);
    const deleted = deletedIn(commit);
    if (deleted.length > 0) await listener.onPosts(did, deleted);
    const expected = countPosts(commit);
    if (expected === 0) return;
    const written = await readPosts(commit);
    if (written.length < expected) throw new Error("The commit does not contain its posts.");
    const author = await authors.get(did, signal);
    const inFull = written.filter(({ record }) => isShownInFull(record)).map(({ uri }) => uri);
    const views = await shown.get(inFull, signal);
    const posts = written.map(post => {
      const plain = writtenToPost({ ...post, author, seenAt: commit.time });
      const view = views.find(({ uri }) => uri === post.uri);
      return toPost(view ? { ...viewToPost(view), legacy: plain.legacy } : plain);
    });
    await listener.onPosts(did, posts);
  } catch (error) {
    if (signal.aborted) return;
    logEvent(tools.logger, "bluesky_commit.failed", { did, message: (error as Error).message });
    await listener.onGap([did]);
  }
}

interface Commit {
  repo: string;
  /** ISO 8601 */
  time: string;
  ops: { action: string; path: string; cid?: CidLink | null }[];
  /** A CAR of the commit and its records; empty where these are too large. */
  blocks: Bytes;
}

/** The used parts of a message of the relay (lexicon `com.atproto.sync.subscribeRepos`). */
type RelayMessage =
  | { is: "commit"; seq: number; commit: Commit }
  | { is: "identity"; seq: number; did: string }
  | { is: "other"; seq: number | undefined }
  | { is: "error"; name: string };

/** A post as a commit writes it. */
interface CommittedPost {
  uri: string;
  record: Record<string, unknown>;
}

const postCollection = "app.bsky.feed.post";
const profileCollection = "app.bsky.actor.profile";

/** Throws on an invalid message. */
function readFrame(data: Uint8Array): RelayMessage {
  const [header, rest] = decodeFirst(data);
  const { op, t: type } = Object(header) as { op?: unknown; t?: unknown };
  const body = Object(decode(rest)) as Partial<Commit> & { seq?: unknown; did?: unknown; error?: unknown };
  if (op === -1) return { is: "error", name: String(body.error) };
  const { seq } = body;
  if (typeof seq !== "number") return { is: "other", seq: undefined };
  if (type === "#commit" && typeof body.repo === "string" && Array.isArray(body.ops))
    return { is: "commit", seq, commit: body as Commit };
  if (type === "#identity" && typeof body.did === "string") return { is: "identity", seq, did: body.did };
  return { is: "other", seq };
}

/** How many posts a commit creates. */
function countPosts({ ops }: Commit): number {
  return ops.filter(createsPost).length;
}

function createsPost({ action, path }: Commit["ops"][number]): boolean {
  return action === "create" && path.startsWith(`${postCollection}/`);
}

/** The posts that a commit deletes; nobody can edit one. */
function deletedIn({ repo, ops }: Commit): Post[] {
  const gone = ops.filter(({ action, path }) => action === "delete" && path.startsWith(`${postCollection}/`));
  return gone.map(({ path }) => {
    const uri = `at://${repo}/${path}`;
    return deletedPost({ postId: uri, type: "microblog.post.created", data: { post: { rest_id: uri } } });
  });
}

function changesProfile({ ops }: Commit): boolean {
  return ops.some(({ path }) => path.startsWith(`${profileCollection}/`));
}

/** The posts that a commit creates, as far as it contains them. */
async function readPosts(commit: Commit): Promise<CommittedPost[]> {
  const blocks = [...fromUint8Array(fromBytes(commit.blocks))];
  const bytesOf = new Map(blocks.map(({ cid, bytes }) => [textOf(cid), bytes]));
  const posts: CommittedPost[] = [];
  for (const { path, cid } of commit.ops.filter(createsPost)) {
    const bytes = bytesOf.get(cid?.$link ?? "");
    if (bytes === undefined) continue;
    if (textOf(await create(CODEC_DCBOR, bytes)) !== cid?.$link)
      throw new Error("The commit contains another record than it names.");
    posts.push({ uri: `at://${commit.repo}/${path}`, record: decode(bytes) });
  }
  return posts;
}
