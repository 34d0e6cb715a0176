import type { ResolvedSource } from "../../../contracts/connectors.contract.ts";
import type { DriverTools, SocialConnector } from "../../social/social-connector.ts";
import { type CallOptions, TelegramSession, type TelegramSettings } from "./api.ts";
import { findChat } from "./chats.ts";
import { follow, unfollow } from "./follow.ts";
import { admission, admittedInvite, checkJoin, join } from "./invites.ts";
import { listen } from "./listen.ts";
import { newestCursor, readHistory, readSince } from "./read-posts.ts";
import { searchAll, searchChat } from "./search.ts";
import { parseSid } from "./sid.ts";

/**
 * Telegram through an account of its own (MTProto). Sources are channels and groups; their external id is the number
 * that bots know them by, such as -1001234567890. Private chats of the account are never published.
 */
export function telegramConnector(settings: TelegramSettings, tools: DriverTools): SocialConnector {
  const session = new TelegramSession(settings, tools);
  return {
    kind: "messenger",
    driver: "telegram",
    isExclusive: true,
    resolve: (sid, signal) => resolve(session, sid, { signal }),
    follow: (externalId, signal) => follow(session, externalId, tools.logger, { signal }),
    unfollow: (externalId, signal) => unfollow(session, externalId, { signal }),
    since: (externalId, cursor, signal) => readSince(session, externalId, cursor, { signal }),
    history: (externalId, page, signal) => readHistory(session, externalId, page, { signal }),
    listen: (listener, signal) => listen(session, listener, tools, signal),
    admission: (sid, signal) => admission(session, sid, { signal }),
    join: (invite, signal) => join(session, invite, tools.now, { signal }),
    checkJoin: (invite, signal) => checkJoin(session, invite, tools.now, { signal }),
    search: ({ channelId, ...query }, signal) =>
      channelId === undefined
        ? searchAll(session, query, { signal })
        : searchChat(session, { ...query, channelId }, { signal }),
    close: () => session.close(),
  };
}

async function resolve(session: TelegramSession, sid: string, options: CallOptions): Promise<ResolvedSource> {
  const read = parseSid(sid);
  const chat =
    "invite" in read
      ? await admittedInvite(session, read.invite, options)
      : await findChat(session, read, options);
  const { id, username, title } = chat;
  const cursor = await newestCursor(session, chat, options);
  return { kind: "messenger", externalId: String(id), username, name: title, state: { cursor } };
}
