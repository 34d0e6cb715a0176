import { Long, type tl } from "@mtcute/core";
import type { MessengerMessages } from "../../../contracts/social.ts";
import type { CallOptions, TelegramSession } from "./api.ts";
import { findChat } from "./chats.ts";
import { admittedInvite } from "./invites.ts";
import { toMessage } from "./map-post.ts";
import { fetchHistory, isMessage, type Messages, toMessages } from "./read-posts.ts";
import { parseSid, peerId } from "./sid.ts";

const empty = { _: "inputMessagesFilterEmpty" } as const;
const everywhere = {
  filter: empty,
  minDate: 0,
  maxDate: 0,
  offsetRate: 0,
  offsetPeer: { _: "inputPeerEmpty" },
  offsetId: 0,
} as const;

/** Messages of one channel that contain the text; without a text, the newest. `total` counts all matches. */
export async function searchChat(
  session: TelegramSession,
  { q, channelId, limit }: { q?: string; channelId: string; limit: number },
  options: CallOptions,
): Promise<MessengerMessages> {
  const sid = parseSid(channelId, "channelId");
  const chat =
    "invite" in sid
      ? await admittedInvite(session, sid.invite, options)
      : await findChat(session, sid, options);
  if (q === undefined)
    return toResult(await fetchHistory(session, chat, { offsetId: 0, addOffset: 0, limit }, options));
  const window = { minDate: 0, maxDate: 0, offsetId: 0, addOffset: 0, limit, maxId: 0, minId: 0 };
  const request = { peer: chat.peer, q, filter: empty, ...window, hash: Long.ZERO };
  return toResult(toMessages(await session.call({ _: "messages.search", ...request }, options)));
}

/**
 * Searches all channels and groups of the account. Private messages are nobody's business, so channels and groups are
 * searched separately.
 */
export async function searchAll(
  session: TelegramSession,
  { q, limit }: { q?: string; limit: number },
  options: CallOptions,
): Promise<MessengerMessages> {
  if (q === undefined) return newestFirst(toResult(await newestOfAll(session, options)), limit);
  const request = { _: "messages.searchGlobal", q, limit, ...everywhere } as const;
  const channels = await session.call({ ...request, broadcastsOnly: true }, options);
  const groups = await session.call({ ...request, groupsOnly: true }, options);
  const [one, other] = [toResult(toMessages(channels)), toResult(toMessages(groups))];
  const messages = [...one.messages, ...other.messages];
  return newestFirst({ total: one.total + other.total, messages }, limit);
}

/** The last message of each channel and group. */
async function newestOfAll(session: TelegramSession, options: CallOptions): Promise<Messages> {
  const start = { offsetDate: 0, offsetId: 0, offsetPeer: everywhere.offsetPeer, limit: 100 };
  const dialogs = await session.call({ _: "messages.getDialogs", ...start, hash: Long.ZERO }, options);
  if (dialogs._ === "messages.dialogsNotModified") return { messages: [], chats: [], total: 0 };
  const messages = dialogs.messages.filter(message => isMessage(message) && !isPrivate(message));
  return { messages, chats: dialogs.chats, total: messages.length };
}

function isPrivate(message: tl.RawMessage): boolean {
  return peerId(message.peerId) > 0;
}

function toResult({ messages, chats, total }: Messages): MessengerMessages {
  return { total, messages: messages.filter(isMessage).map(message => toMessage(message, chats)) };
}

function newestFirst({ total, messages }: MessengerMessages, limit: number): MessengerMessages {
  return { total, messages: messages.sort((one, other) => other.date - one.date).slice(0, limit) };
}
