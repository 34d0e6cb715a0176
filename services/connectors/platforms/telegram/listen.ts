import type { tl } from "@mtcute/core";
import { withTimeout } from "../../../../mixins/async/timeout.ts";
import { logEvent } from "../../../../mixins/log/log-events.ts";
import type { Post } from "../../../contracts/connectors.contract.ts";
import { codeOf } from "../../../contracts/errors.ts";
import { retryUntilStopped } from "../../social/retry-until-stopped.ts";
import type { DriverTools, Listener } from "../../social/social-connector.ts";
import { deletedPost, editedPost } from "../post-details.ts";
import type { CallOptions, TelegramSession } from "./api.ts";
import { knownChat } from "./chats.ts";
import { accountRefused, isRefusal } from "./errors.ts";
import { editTime, toPost } from "./map-post.ts";
import { readSince, successorIn } from "./read-posts.ts";
import { channelId, peerId } from "./sid.ts";

/**
 * Listens until the signal fires. After each connect it sends a request, without which the network sends no updates, and
 * reports a gap, so that polls read what was posted meanwhile.
 */
export async function listen(
  session: TelegramSession,
  listener: Listener,
  tools: DriverTools,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const { logger } = tools;
  let live: LiveUpdates | undefined;
  const attempt = async (connected: () => void) => {
    const time = await withTimeout(session.answerMs, signal, inTime => session.connected(inTime));
    await live?.end();
    live = new LiveUpdates(session, listener, logger, { signal });
    session.onUpdates(updates => live?.receive(updates));
    await session.callRaw({ _: "updates.getState" }, { signal });
    await listener.onGap();
    connected();
    await session.disconnected(time, signal);
    throw new Error("The connection broke.");
  };
  const onLost = (error: Error) => {
    logEvent(logger, "telegram_connection.failed", { error: error.message });
    // Only messages of the driver can be shown.
    listener.onLost(codeOf(error) ? error.message : "There is no connection to Telegram.");
  };
  try {
    await retryUntilStopped(connected => attempt(connected).catch(refusing), onLost, tools, signal);
  } finally {
    session.onUpdates(undefined);
    await live?.end();
    await session.close();
  }
}

function refusing(error: unknown): never {
  throw isRefusal(error) ? accountRefused(error) : error;
}

/** How far one source was published. */
interface Progress {
  /** Position in the channel's sequence of updates, and the newest message; undefined until the first update. */
  pts?: number;
  id?: number;
  /** Resolves when all updates so far are published. */
  tail: Promise<void>;
}

/**
 * Publishes the messages of one connection, each source in order. When an update shows that earlier ones were lost, reads
 * the history from the last published message. Each connection has its own.
 */
class LiveUpdates {
  readonly #session: TelegramSession;
  readonly #listener: Listener;
  readonly #logger: DriverTools["logger"];
  readonly #options: CallOptions;
  readonly #progress = new Map<string, Progress>();

  constructor(
    session: TelegramSession,
    listener: Listener,
    logger: DriverTools["logger"],
    options: CallOptions,
  ) {
    this.#session = session;
    this.#listener = listener;
    this.#logger = logger;
    this.#options = options;
  }

  receive(updates: tl.TypeUpdates): void {
    const chatUpdates = readUpdates(updates);
    if (chatUpdates === null) this.#requestPoll();
    const chats = "chats" in updates ? updates.chats : [];
    for (const update of chatUpdates ?? []) this.#queue(update, chats);
  }

  /** Resolves once all received updates are published. */
  async end(): Promise<void> {
    await Promise.all([...this.#progress.values()].map(({ tail }) => tail));
  }

  #queue(update: ChatUpdate, chats: tl.TypeChat[]): void {
    const externalId = String(update.id);
    if (!this.#listener.isTracked(externalId)) {
      this.#progress.delete(externalId);
      return;
    }
    const progress = this.#progress.get(externalId) ?? { tail: Promise.resolve() };
    this.#progress.set(externalId, progress);
    progress.tail = progress.tail
      .then(() => this.#take(externalId, progress, update, chats))
      .catch(error => {
        this.#forget(externalId, error);
      });
  }

  async #take(
    externalId: string,
    progress: Progress,
    update: ChatUpdate,
    chats: tl.TypeChat[],
  ): Promise<void> {
    const { step, message, isBehind, edited, deleted } = update;
    if (this.#options.signal.aborted || isKnown(progress, step)) return;
    if (isBehind || isAhead(progress, step)) await this.#catchUp(externalId, progress);
    else if (message && message.id > (progress.id ?? 0)) {
      await this.#listener.onPosts(externalId, [await this.#postOf(update.id, message, chats)]);
      progress.id = message.id;
    }
    // What was read from the history is as it is after its edits, which are told all the same.
    if (edited) {
      const post = await this.#postOf(update.id, edited, chats);
      await this.#listener.onPosts(externalId, [editedPost(post, String(edited.editDate))]);
    }
    if (deleted) {
      const posts = deleted.map(id => asDeleted(id, externalId));
      await this.#listener.onPosts(externalId, posts);
    }
    if (step) progress.pts = step.pts;
  }

  async #postOf(id: number, message: tl.RawMessage, chats: tl.TypeChat[]): Promise<Post> {
    const known = await knownChat(this.#session, id);
    // Short forms of updates do not contain their group.
    return toPost(message, known ? [...chats, known] : chats);
  }

  async #catchUp(externalId: string, progress: Progress): Promise<void> {
    if (progress.id === undefined) return await this.#listener.onGap([externalId]);
    for (let more = true; more; ) {
      const news = await readSince(this.#session, externalId, String(progress.id), this.#options);
      if (news.posts.length > 0) await this.#listener.onPosts(externalId, news.posts);
      progress.id = Number(news.cursor);
      more = news.more;
    }
  }

  /** Leaves the rest of a source to a poll, which follows soon. */
  #forget(externalId: string, error: unknown): void {
    this.#progress.delete(externalId);
    if (this.#options.signal.aborted) return;
    logEvent(this.#logger, "telegram_updates.failed", { externalId, error: (error as Error).message });
    this.#requestPoll([externalId]);
  }

  #requestPoll(externalIds?: string[]): void {
    this.#listener.onGap(externalIds).catch(error => {
      logEvent(this.#logger, "telegram_gap.failed", { externalIds, error: (error as Error).message });
    });
  }
}

/** Whether the update was published before, live or from the history. An update without a position repeats nothing. */
function isKnown({ pts }: Progress, step: ChatUpdate["step"]): boolean {
  return pts !== undefined && step !== undefined && step.pts < pts + Math.min(1, step.count);
}

/** Whether updates before it are missing. */
function isAhead({ pts }: Progress, step: ChatUpdate["step"]): boolean {
  return pts !== undefined && step !== undefined && step.pts > pts + step.count;
}

/**
 * An update of one channel or group. `step`: the position of the update in the channel's sequence, which shows whether an
 * earlier one was lost (core.telegram.org/api/updates); groups have none.
 */
interface ChatUpdate {
  id: number;
  step?: { pts: number; count: number };
  message?: tl.RawMessage;
  edited?: tl.RawMessage;
  /** Ids of messages. */
  deleted?: number[];
  /** The network skips updates, or the group has moved: the history has to be read. */
  isBehind?: true;
}

/** Null when updates of any source may have been lost. */
export function readUpdates(updates: tl.TypeUpdates): ChatUpdate[] | null {
  switch (updates._) {
    case "updatesTooLong":
      return null;
    case "updateShort":
      return readUpdate(updates.update);
    case "updateShortChatMessage":
      return [{ id: -updates.chatId, message: fromShort(updates) }];
    case "updates":
    case "updatesCombined":
      return updates.updates.flatMap(readUpdate);
    default:
      return [];
  }
}

function readUpdate(update: tl.TypeUpdate): ChatUpdate[] {
  switch (update._) {
    case "updateNewChannelMessage":
      return fromMessage(update.message, stepOf(update));
    case "updateNewMessage":
      return fromMessage(update.message);
    case "updateEditChannelMessage":
      return fromMessage(update.message, stepOf(update)).map(asEdit);
    case "updateEditMessage":
      return fromMessage(update.message).map(asEdit);
    case "updateChannelTooLong":
      return [{ id: channelId(update.channelId), isBehind: true }];
    case "updateDeleteChannelMessages":
      return [{ id: channelId(update.channelId), step: stepOf(update), deleted: update.messages }];
    case "updatePinnedChannelMessages":
    case "updateChannelWebPage":
      return [{ id: channelId(update.channelId), step: stepOf(update) }];
    default:
      return [];
  }
}

/** Private messages are nobody else's business, and are skipped. */
function fromMessage(message: tl.TypeMessage, step?: ChatUpdate["step"]): ChatUpdate[] {
  if (!message.peerId || message.peerId._ === "peerUser") return [];
  const content = message._ === "message" ? { message } : {};
  const behind = successorIn(message) === undefined ? {} : { isBehind: true as const };
  return [{ id: peerId(message.peerId), ...(step && { step }), ...content, ...behind }];
}

function asEdit({ message, ...update }: ChatUpdate): ChatUpdate {
  return message && editTime(message) !== undefined ? { ...update, edited: message } : update;
}

function asDeleted(id: number, channel: string): Post {
  const message = { id, channelId: channel };
  return deletedPost({ postId: String(id), type: "messenger.message.created", data: { message } });
}

function stepOf({ pts, ptsCount }: { pts: number; ptsCount: number }): ChatUpdate["step"] {
  return { pts, count: ptsCount };
}

function fromShort(short: tl.RawUpdateShortChatMessage): tl.RawMessage {
  const { id, date, message, fwdFrom, replyTo, entities } = short;
  const fromId: tl.TypePeer = { _: "peerUser", userId: short.fromId };
  const peer: tl.TypePeer = { _: "peerChat", chatId: short.chatId };
  return { _: "message", id, date, message, fwdFrom, replyTo, entities, fromId, peerId: peer };
}
