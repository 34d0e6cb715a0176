import type { tl } from "@mtcute/core";
import type { CallOptions, TelegramSession } from "./api.ts";
import { unknownChat } from "./errors.ts";
import { bareChannelId, channelId, chatId, peerId, type Sid } from "./sid.ts";

/** A channel or group that the account may read. */
export interface Chat {
  /** As `peerId` returns it. */
  id: number;
  title: string;
  /** Empty where it has none. */
  username: string;
  peer: tl.RawInputPeerChannel | tl.RawInputPeerChat;
  /** The supergroup that a group has become. */
  successor?: tl.TypeInputChannel;
}

/**
 * The channel or group of a user name or number. 404 for an unknown one, a person, or one that only members see. Known
 * chats are not looked up, since look-ups of names have the strictest rate limit. A channel cannot be found by number
 * unless the account has seen it. A group that has become a supergroup resolves to the supergroup.
 */
export async function findChat(
  session: TelegramSession,
  sid: Exclude<Sid, { invite: string }>,
  options: CallOptions,
): Promise<Chat> {
  if ("id" in sid) {
    const chat = await currentChat(session, sid.id, options);
    return chat.successor ? toChat(await fetchChannel(session, chat.successor, options)) : chat;
  }
  const { username } = sid;
  const { storage } = await session.client();
  const id = idOf(await storage.peers.getByUsername(username));
  const known = id === undefined ? undefined : await knownChat(session, id);
  if (known) return toChat(known);
  const { peer, chats } = await session.call({ _: "contacts.resolveUsername", username }, options);
  return toChat(chats.find(chat => chatId(chat) === peerId(peer)));
}

/** The chat of a source's external id, as stored in the session. */
export async function chatOf(
  session: TelegramSession,
  externalId: string,
  options: CallOptions,
): Promise<Chat> {
  const id = Number(externalId);
  return toChat((await knownChat(session, id)) ?? (await fetchById(session, id, options)));
}

/** The same, but always fetches a group, since the session is not updated when a group changes. */
export async function currentChat(session: TelegramSession, id: number, options: CallOptions): Promise<Chat> {
  if (bareChannelId(id) !== undefined) return await chatOf(session, String(id), options);
  return toChat(await fetchById(session, id, options));
}

/** Fetches a chat by id. A group needs its number only; a channel has to be in the session, for its access hash. */
async function fetchById(
  session: TelegramSession,
  id: number,
  options: CallOptions,
): Promise<tl.TypeChat | undefined> {
  const { storage } = await session.client();
  const peer = await storage.peers.getById(id);
  if (peer?._ === "inputPeerChannel") {
    const { channelId, accessHash } = peer;
    return await fetchChannel(session, { _: "inputChannel", channelId, accessHash }, options);
  }
  if (bareChannelId(id) !== undefined) return undefined;
  return (await session.call({ _: "messages.getChats", id: [-id] }, options)).chats[0];
}

async function fetchChannel(
  session: TelegramSession,
  channel: tl.TypeInputChannel,
  options: CallOptions,
): Promise<tl.TypeChat | undefined> {
  return (await session.call({ _: "channels.getChannels", id: [channel] }, options)).chats[0];
}

/** The chat as stored in the session. */
export async function knownChat(session: TelegramSession, id: number): Promise<tl.TypeChat | undefined> {
  const { storage } = await session.client();
  const known = await storage.peers.getCompleteById(id);
  return known && known._ !== "user" && known._ !== "userEmpty" ? known : undefined;
}

/** A chat as the network describes it; 404 for one that shows nothing. */
export function toChat(chat: tl.TypeChat | undefined): Chat {
  if (chat?._ === "chat")
    return {
      id: chatId(chat),
      title: chat.title,
      username: "",
      peer: { _: "inputPeerChat", chatId: chat.id },
      ...(chat.migratedTo && { successor: chat.migratedTo }),
    };
  if (chat?._ !== "channel" || chat.accessHash === undefined) throw unknownChat();
  const { id, accessHash, title, username, usernames } = chat;
  const name = username ?? usernames?.find(({ active }) => active)?.username;
  const peer: Chat["peer"] = { _: "inputPeerChannel", channelId: id, accessHash };
  return { id: channelId(id), title, username: name ?? "", peer };
}

function idOf(peer: tl.TypeInputPeer | null): number | undefined {
  return peer?._ === "inputPeerChannel" ? channelId(peer.channelId) : undefined;
}
