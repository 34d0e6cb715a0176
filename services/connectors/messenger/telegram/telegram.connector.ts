import type { ResolvedSource } from "../../../contracts/connectors.contract.ts";
import type { DriverTools, SocialConnector } from "../../social/social-connector.ts";
import { findChat } from "./chats.ts";
import { historyPage, newest, since } from "./history.ts";
import { admission, admittedInvite, checkJoin, join } from "./invites.ts";
import { type CallOptions, Line, type TelegramSettings } from "./line.ts";
import { listen } from "./listen.ts";
import { follow, unfollow } from "./membership.ts";
import { readSid } from "./read-sid.ts";
import { searchAll, searchChat } from "./search.ts";

export type { TelegramSettings } from "./line.ts";

/**
 * Telegram through an account of its own (MTProto). Sources are channels and groups; their external id is the number
 * that bots know them by, such as -1001234567890. Private chats of the account are told to nobody.
 */
export function telegramConnector(settings: TelegramSettings, tools: DriverTools): SocialConnector {
  const line = new Line(settings, tools);
  return {
    kind: "messenger",
    driver: "telegram",
    isExclusive: true,
    resolve: (sid, signal) => resolve(line, sid, { signal }),
    follow: (externalId, signal) => follow(line, externalId, tools.logger, { signal }),
    unfollow: (externalId, signal) => unfollow(line, externalId, { signal }),
    since: (externalId, cursor, signal) => since(line, externalId, cursor, { signal }),
    history: (externalId, page, signal) => historyPage(line, externalId, page, { signal }),
    listen: (listener, signal) => listen(line, listener, tools, signal),
    admission: (sid, signal) => admission(line, sid, { signal }),
    join: (invite, signal) => join(line, invite, tools.now, { signal }),
    checkJoin: (invite, signal) => checkJoin(line, invite, tools.now, { signal }),
    search: ({ channelId, ...query }, signal) =>
      channelId === undefined
        ? searchAll(line, query, { signal })
        : searchChat(line, { ...query, channelId }, { signal }),
    close: () => line.close(),
  };
}

async function resolve(line: Line, sid: string, options: CallOptions): Promise<ResolvedSource> {
  const read = readSid(sid);
  const chat =
    "invite" in read ? await admittedInvite(line, read.invite, options) : await findChat(line, read, options);
  const { id, username, title } = chat;
  const cursor = await newest(line, chat, options);
  return { kind: "messenger", externalId: String(id), username, name: title, state: { cursor } };
}
