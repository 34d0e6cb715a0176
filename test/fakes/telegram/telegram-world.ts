import { Long, type tl } from "@mtcute/core";
import { type Answer, RpcFailure } from "./mtproto-server.ts";
import type { Request } from "./read-request.ts";

export interface FakeChannel {
  id: number;
  accessHash: Long;
  title: string;
  username?: string;
  /** A group in which everyone speaks; its messages are counted by nobody. */
  isGroup?: boolean;
  /** Hash of the invite by which alone it is entered. */
  invite?: string;
  /** An administrator has to accept each request to join. */
  needsApproval?: boolean;
  isMember: boolean;
  asked: number;
  messages: tl.RawMessage[];
  /** As many updates as it has had. */
  pts: number;
}

/** A group of the small kind, known by its number alone. */
export interface FakeGroup {
  id: number;
  title: string;
  messages: (tl.RawMessage | tl.RawMessageService)[];
  /** What it has become. */
  successor?: FakeChannel;
}

type Handler = (request: Request) => Answer;

const day = 24 * 3600;
const self: tl.RawUser = { _: "user", self: true, id: 77, accessHash: Long.ONE, firstName: "Magpie" };
const since2024 = 1_704_067_200;

/** Channels, their members and what is said in them, and what the network answers about them. */
export class TelegramWorld {
  readonly channels: FakeChannel[] = [];
  readonly groups: FakeGroup[] = [];
  /** Methods that were asked for, in order. */
  readonly asked: string[] = [];
  /** Whether the client's key stands for an account. */
  isLoggedIn = true;
  #clock = since2024;

  add(channel: Pick<FakeChannel, "id" | "title"> & Partial<FakeChannel>): FakeChannel {
    const accessHash = Long.fromNumber(channel.id * 7);
    const added = { accessHash, isMember: false, asked: 0, messages: [], pts: 1, ...channel };
    this.channels.push(added);
    return added;
  }

  /** Says something there; tells the update of it. */
  say(channel: FakeChannel, text: string, fields: Partial<tl.RawMessage> = {}): tl.RawUpdates {
    const counts = channel.isGroup ? {} : { post: true, views: 1, forwards: 0 };
    const peerId: tl.TypePeer = { _: "peerChannel", channelId: channel.id };
    this.#clock += day / 24;
    const id = channel.messages.length + 1;
    const message = { id, peerId, date: this.#clock, message: text, ...counts, ...fields };
    channel.messages.push({ _: "message", ...message });
    channel.pts += 1;
    const update = { message: { _: "message", ...message }, pts: channel.pts, ptsCount: 1 } as const;
    return this.#updates([{ _: "updateNewChannelMessage", ...update }], [channel]);
  }

  /** Edits a message; tells the update of it. A hidden edit is one of reactions alone. */
  edit(channel: FakeChannel, id: number, text: string, editHide?: true): tl.RawUpdates {
    const edited = channel.messages.find(each => each.id === id);
    if (!edited) throw new Error(`no message ${id}`);
    this.#clock += 60;
    Object.assign(edited, { message: text, editDate: this.#clock, ...(editHide && { editHide }) });
    channel.pts += 1;
    const update = { message: { ...edited }, pts: channel.pts, ptsCount: 1 };
    return this.#updates([{ _: "updateEditChannelMessage", ...update }], [channel]);
  }

  remove(channel: FakeChannel, ...messages: number[]): tl.RawUpdates {
    channel.messages = channel.messages.filter(({ id }) => !messages.includes(id));
    channel.pts += messages.length;
    const update = { channelId: channel.id, messages, pts: channel.pts, ptsCount: messages.length };
    return this.#updates([{ _: "updateDeleteChannelMessages", ...update }], [channel]);
  }

  addGroup(id: number, title: string): FakeGroup {
    const group: FakeGroup = { id, title, messages: [] };
    this.groups.push(group);
    return group;
  }

  sayInGroup({ id, messages }: FakeGroup, message: string): string {
    this.#clock += day / 24;
    const peerId: tl.TypePeer = { _: "peerChat", chatId: id };
    messages.push({ _: "message", id: 500 + messages.length, peerId, date: this.#clock, message });
    return String(messages.at(-1)?.id);
  }

  /** A group becomes a supergroup; tells the update of it. */
  migrate(group: FakeGroup, successor: FakeChannel): tl.RawUpdates {
    group.successor = successor;
    const peerId: tl.TypePeer = { _: "peerChat", chatId: group.id };
    const action: tl.TypeMessageAction = { _: "messageActionChatMigrateTo", channelId: successor.id };
    const id = 500 + group.messages.length;
    const message: tl.RawMessageService = { _: "messageService", id, peerId, date: this.#clock, action };
    group.messages.push(message);
    const updates: tl.TypeUpdate[] = [{ _: "updateNewMessage", message, pts: 1, ptsCount: 1 }];
    return { _: "updates", updates, users: [], chats: [], date: this.#clock, seq: 0 };
  }

  answer(request: Request): Answer {
    this.asked.push(request._);
    if (!this.isLoggedIn && !request._.startsWith("auth."))
      throw new RpcFailure(401, "AUTH_KEY_UNREGISTERED");
    const handler = this.#handlers[request._];
    if (!handler) throw new RpcFailure(400, `METHOD_INVALID ${request._}`);
    return handler(request);
  }

  readonly #handlers: Record<string, Handler> = {
    "updates.getState": () =>
      ({ _: "updates.state", pts: 1, qts: 0, date: this.#clock, seq: 1, unreadCount: 0 }) as Answer,
    "users.getUsers": () => [self],
    "auth.sendCode": () =>
      ({
        _: "auth.sentCode",
        type: { _: "auth.sentCodeTypeApp", length: 5 },
        phoneCodeHash: "hash",
      }) as Answer,
    "auth.signIn": ({ phoneCode }) => this.#signIn(phoneCode),
    "contacts.resolveUsername": ({ username }) => this.#resolved(String(username)),
    "messages.getHistory": request =>
      (request.peer as tl.TypeInputPeer)._ === "inputPeerChat"
        ? this.#groupHistory(this.#group((request.peer as tl.RawInputPeerChat).chatId), request)
        : this.#history(this.#readable(request.peer), request),
    "messages.search": request => {
      const channel = this.#readable(request.peer);
      return this.#messages([channel], holding(channel.messages, request.q), request);
    },
    "messages.searchGlobal": request => this.#everywhere(request),
    "messages.getDialogs": ({ offsetPeer }) => this.#dialogs(offsetPeer as tl.TypeInputPeer),
    "messages.checkChatInvite": ({ hash }) => this.#invite(this.#byInvite(hash)),
    "messages.importChatInvite": ({ hash }) => this.#enter(this.#byInvite(hash)),
    "channels.getChannels": ({ id }) => chatsAnswer((id as unknown[]).map(peer => this.#readable(peer))),
    "messages.getChats": ({ id }) =>
      ({
        _: "messages.chats",
        chats: (id as number[]).map(each => toGroupChat(this.#group(each))),
      }) as Answer,
    "channels.joinChannel": ({ channel }) => this.#join(this.#readable(channel)),
    "channels.leaveChannel": ({ channel }) => this.#leave(this.#known(channel)),
  };

  #signIn(code: unknown): Answer {
    if (code !== "12345") throw new RpcFailure(400, "PHONE_CODE_INVALID");
    this.isLoggedIn = true;
    return { _: "auth.authorization", user: self } as Answer;
  }

  #resolved(username: string): Answer {
    const channel = this.channels.find(each => each.username?.toLowerCase() === username.toLowerCase());
    if (username === "a_person")
      return resolvedPeer(
        { _: "peerUser", userId: 7 },
        { users: [{ _: "user", id: 7, accessHash: Long.ONE }] },
      );
    if (!channel) throw new RpcFailure(400, "USERNAME_NOT_OCCUPIED");
    return resolvedPeer({ _: "peerChannel", channelId: channel.id }, { chats: [toChat(channel)] });
  }

  #known(peer: unknown): FakeChannel {
    const { channelId, accessHash } = peer as tl.RawInputChannel;
    const channel = this.channels.find(({ id }) => id === channelId);
    if (!channel || accessHash.neq(channel.accessHash)) throw new RpcFailure(400, "CHANNEL_INVALID");
    return channel;
  }

  #readable(peer: unknown): FakeChannel {
    const channel = this.#known(peer);
    if (channel.username === undefined && !channel.isMember) throw new RpcFailure(406, "CHANNEL_PRIVATE");
    return channel;
  }

  #group(id: number): FakeGroup {
    const group = this.groups.find(each => each.id === id);
    if (!group) throw new RpcFailure(400, "CHAT_ID_INVALID");
    return group;
  }

  #history(channel: FakeChannel, request: Request): Answer {
    return channelMessages(channel, channel.messages.length, windowOf(channel.messages, request));
  }

  #groupHistory(group: FakeGroup, request: Request): Answer {
    const messages = windowOf(group.messages, request);
    return { _: "messages.messages", messages, topics: [], chats: [toGroupChat(group)], users: [] } as Answer;
  }

  #messages(channels: FakeChannel[], found: tl.RawMessage[], { limit }: Request): Answer {
    const newestFirst = found.toSorted((one, other) => other.date - one.date);
    const messages = newestFirst.slice(0, Number(limit));
    const chats = channels.map(toChat);
    return {
      _: "messages.messagesSlice",
      count: found.length,
      messages,
      topics: [],
      chats,
      users: [],
    } as Answer;
  }

  #everywhere(request: Request): Answer {
    if (!request.broadcastsOnly && !request.groupsOnly) throw new Error("private messages are asked for");
    const channels = this.#joined().filter(({ isGroup = false }) => isGroup === Boolean(request.groupsOnly));
    const messages = channels.flatMap(channel => holding(channel.messages, request.q));
    return this.#messages(channels, messages, request);
  }

  /** All on the first page. */
  #dialogs(offsetPeer: tl.TypeInputPeer): Answer {
    const joined = offsetPeer._ === "inputPeerEmpty" ? this.#joined() : [];
    const messages = joined.flatMap(({ messages }) => messages.slice(-1));
    const dialogs = joined.map(toDialog);
    return { _: "messages.dialogs", dialogs, messages, chats: joined.map(toChat), users: [] } as Answer;
  }

  #byInvite(hash: unknown): FakeChannel {
    const channel = this.channels.find(({ invite }) => invite !== undefined && invite === hash);
    if (!channel)
      throw new RpcFailure(400, hash === "expired-invite" ? "INVITE_HASH_EXPIRED" : "INVITE_HASH_INVALID");
    return channel;
  }

  #invite(channel: FakeChannel): Answer {
    if (channel.isMember) return { _: "chatInviteAlready", chat: toChat(channel) } as Answer;
    const photo = { _: "photoEmpty", id: Long.ZERO };
    const about = { title: channel.title, photo, participantsCount: 3, color: 1 };
    return { _: "chatInvite", channel: true, requestNeeded: channel.needsApproval, ...about } as Answer;
  }

  #enter(channel: FakeChannel): Answer {
    if (channel.isMember) throw new RpcFailure(400, "USER_ALREADY_PARTICIPANT");
    if (!channel.needsApproval) return this.#join(channel);
    if (channel.asked === 0) channel.asked = 1;
    throw new RpcFailure(400, "INVITE_REQUEST_SENT");
  }

  #join(channel: FakeChannel): Answer {
    channel.isMember = true;
    const updates = this.#updates([{ _: "updateChannel", channelId: channel.id }], [channel]);
    return { _: "messages.chatInviteJoinResultOk", updates } as Answer;
  }

  #leave(channel: FakeChannel): Answer {
    if (!channel.isMember) throw new RpcFailure(400, "USER_NOT_PARTICIPANT");
    channel.isMember = false;
    return this.#updates([{ _: "updateChannel", channelId: channel.id }], [channel]);
  }

  #joined(): FakeChannel[] {
    return this.channels.filter(({ isMember }) => isMember);
  }

  #updates(updates: tl.TypeUpdate[], channels: FakeChannel[]): tl.RawUpdates {
    return { _: "updates", updates, users: [], chats: channels.map(toChat), date: this.#clock, seq: 0 };
  }
}

/** What offsets cut out of the messages, newest first (core.telegram.org/api/offsets). */
function windowOf<Message extends { id: number }>(messages: Message[], request: Request): Message[] {
  const { offsetId, addOffset, limit } = request as unknown as tl.messages.RawGetHistoryRequest;
  const newestFirst = messages.toReversed();
  const offset = offsetId === 0 ? 0 : newestFirst.filter(({ id }) => id >= offsetId).length;
  const start = offset + addOffset;
  return newestFirst.slice(Math.max(0, start), Math.max(0, start + limit));
}

function toGroupChat({ id, title, successor }: FakeGroup): tl.RawChat {
  const migratedTo: tl.TypeInputChannel | undefined = successor && {
    _: "inputChannel",
    channelId: successor.id,
    accessHash: successor.accessHash,
  };
  const photo: tl.TypeChatPhoto = { _: "chatPhotoEmpty" };
  const rest = { photo, participantsCount: 3, date: since2024, version: 1 };
  return { _: "chat", id, title, ...rest, ...(migratedTo && { migratedTo, deactivated: true }) };
}

function toDialog({ id, messages, pts }: FakeChannel): tl.RawDialog {
  const unread = { unreadCount: 0, unreadMentionsCount: 0, unreadReactionsCount: 0, unreadPollVotesCount: 0 };
  const read = { readInboxMaxId: 0, readOutboxMaxId: 0, ...unread };
  const peer: tl.TypePeer = { _: "peerChannel", channelId: id };
  const notifySettings: tl.TypePeerNotifySettings = { _: "peerNotifySettings" };
  return { _: "dialog", peer, topMessage: messages.length, pts, notifySettings, ...read };
}

function channelMessages({ pts, ...channel }: FakeChannel, count: number, messages: tl.RawMessage[]): Answer {
  const chats = [toChat({ pts, ...channel })];
  return { _: "messages.channelMessages", pts, count, messages, topics: [], chats, users: [] } as Answer;
}

function chatsAnswer(channels: FakeChannel[]): Answer {
  return { _: "messages.chats", chats: channels.map(toChat) } as Answer;
}

function resolvedPeer(peer: tl.TypePeer, found: { chats?: tl.TypeChat[]; users?: tl.TypeUser[] }): Answer {
  return { _: "contacts.resolvedPeer", peer, chats: [], users: [], ...found } as Answer;
}

function holding(messages: tl.RawMessage[], q: unknown): tl.RawMessage[] {
  return messages.filter(({ message }) => message.includes(String(q)));
}

function toChat({ id, accessHash, title, username, isGroup, isMember }: FakeChannel): tl.RawChannel {
  const kind = isGroup ? { megagroup: true } : { broadcast: true };
  const photo: tl.TypeChatPhoto = { _: "chatPhotoEmpty" };
  return { _: "channel", id, accessHash, title, username, left: !isMember, photo, date: since2024, ...kind };
}
