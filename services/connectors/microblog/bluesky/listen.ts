import type { DriverTools, Listener } from "../../social/social-connector.ts";
import { dialSocket, keepSocket } from "../keep-socket.ts";
import type { Ask, BlueskySettings } from "./api.ts";
import { type Authors, rememberAuthors } from "./authors.ts";
import { toPost, writtenToPost } from "./map-post.ts";
import { changesProfile, countPosts, type RelayMessage, readFrame, readPosts } from "./read-frame.ts";

type Commit = Extract<RelayMessage, { is: "commit" }>["commit"];

interface Room {
  ask: Ask;
  settings: BlueskySettings;
  tools: DriverTools;
}

/**
 * Listens to the relay, which tells everything that anyone writes, and picks out the posts of who is tracked. The
 * relay's own cursor is kept in memory, so that it goes on where it was cut off. The Firehose of @atproto/sync is not
 * used: it tells neither when a connection stands nor when it is lost, and reads the blocks of every commit.
 */
export async function listenToRelay(room: Room, listener: Listener, signal: AbortSignal): Promise<void> {
  const { ask, settings, tools } = room;
  const authors = rememberAuthors(ask, tools.now);
  let cursor: number | undefined;
  const held = {
    async dial(wanted: AbortSignal) {
      // Refused credentials end the listening here.
      await ask(wanted, ({ com }, options) => com.atproto.server.getSession({}, options));
      await someoneTracked(listener, wanted);
      wanted.throwIfAborted();
      const url = new URL(`${settings.relay}/xrpc/com.atproto.sync.subscribeRepos`);
      if (cursor !== undefined) url.searchParams.set("cursor", String(cursor));
      return dialSocket(url);
    },
    onOpen: () => listener.onGap(),
    onLost({ message }: Error) {
      tools.logger.debug("bluesky.lost", { message });
      listener.onLost("The live connection to the Bluesky relay is lost.");
    },
    meaningOf: (status: number) => new Error(`The relay answers with status ${status}.`),
    async onMessage(data: Buffer) {
      const message = readMessage(data, tools);
      if (message.is === "error") {
        // The relay has begun to count anew.
        if (message.name === "FutureCursor") cursor = undefined;
        throw new Error(`The relay ended the connection: ${message.name}.`);
      }
      if (message.is === "identity") authors.forget(message.did);
      if (message.is === "commit" && listener.isTracked(message.commit.repo))
        await hear(message.commit, { listener, authors, tools, signal });
      cursor = message.seq ?? cursor;
    },
  };
  while (!signal.aborted) {
    await whileTracked(listener, signal, wanted => keepSocket(held, tools, wanted));
    // Whoever is tracked next is heard from then on.
    cursor = undefined;
  }
}

/** Listens until nobody is left to listen to: the relay sends a lot, all the time. */
async function whileTracked(
  listener: Listener,
  signal: AbortSignal,
  keep: (wanted: AbortSignal) => Promise<void>,
): Promise<void> {
  const unwanted = new AbortController();
  const unwatch = listener.onTracked(() => {
    if (listener.tracked().length === 0) unwanted.abort();
  });
  try {
    await keep(AbortSignal.any([signal, unwanted.signal]));
  } finally {
    unwatch();
  }
}

/** The relay is not asked for the sake of nobody. */
async function someoneTracked(listener: Listener, signal: AbortSignal): Promise<void> {
  while (listener.tracked().length === 0 && !signal.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const unwatch = listener.onTracked(resolve);
    const end = () => resolve();
    signal.addEventListener("abort", end, { once: true });
    await promise;
    signal.removeEventListener("abort", end);
    unwatch();
  }
}

/** A message that cannot be read would come again with every connection, so it is passed over. */
function readMessage(data: Buffer, { logger }: DriverTools): RelayMessage {
  try {
    return readFrame(data);
  } catch (error) {
    logger.warn("bluesky.unreadable", { message: (error as Error).message });
    return { is: "other", seq: undefined };
  }
}

/** Tells the posts of a commit; where it does not carry them, or nobody knows the author's name, the feed does. */
async function hear(
  commit: Commit,
  {
    listener,
    authors,
    tools,
    signal,
  }: { listener: Listener; authors: Authors; tools: DriverTools; signal: AbortSignal },
): Promise<void> {
  const did = commit.repo;
  try {
    if (changesProfile(commit)) authors.forget(did);
    const expected = countPosts(commit);
    if (expected === 0) return;
    const written = await readPosts(commit);
    if (written.length < expected) throw new Error("The commit does not carry its posts.");
    const author = await authors.get(did, signal);
    const posts = written.map(post => toPost(writtenToPost({ ...post, author, seenAt: commit.time })));
    await listener.onPosts(did, posts);
  } catch (error) {
    if (signal.aborted) return;
    tools.logger.warn("bluesky.unread_commit", { did, message: (error as Error).message });
    await listener.onGap([did]);
  }
}
