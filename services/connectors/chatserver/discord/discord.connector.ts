import { invalid } from "../../../contracts/errors.ts";
import type { DriverTools, SocialConnector } from "../../social/social-connector.ts";
import { knowBot } from "./bot.ts";
import { channelsOf, checkedId, type Reader } from "./channels.ts";
import { type DiscordSettings, discordApi } from "./discord-api.ts";
import { listenToGateway } from "./listen.ts";
import { readHistory } from "./read-history.ts";
import { channelPrefix } from "./read-sid.ts";
import { newestIn, readSince } from "./read-since.ts";
import { resolve } from "./resolve.ts";

export type { DiscordSettings } from "./discord-api.ts";

/** The chat server on Discord, by a bot. An `externalId` is a server's id, or `channel:` and a channel's id. */
export function discordConnector(settings: DiscordSettings, tools: DriverTools): SocialConnector {
  const { ask, close } = discordApi(settings);
  const reader: Reader = { ask, bot: knowBot(ask, tools.now), now: tools.now, refused: new Map() };
  return {
    kind: "chatserver",
    driver: "discord",
    resolve: (sid, signal) => resolve(reader, sid, signal),
    // A bot hears every server that it was let into, and stays there: somebody else let it in.
    follow: async externalId => checkExternalId(externalId),
    unfollow: async externalId => checkExternalId(externalId),
    async since(externalId, cursor, signal) {
      if (cursor !== null) return await readSince(reader, externalId, checkedCursor(cursor), signal);
      return { posts: [], cursor: newestIn(await channelsOf(reader, externalId, signal)), more: false };
    },
    async history(externalId, { cursor, limit }, signal) {
      const page = { limit, ...(cursor !== undefined && { cursor: checkedCursor(cursor) }) };
      return await readHistory(reader, externalId, page, signal);
    },
    listen: (listener, signal) => listenToGateway({ reader, settings, tools }, listener, signal),
    close,
  };
}

function checkExternalId(externalId: string): void {
  const isChannel = externalId.startsWith(channelPrefix);
  checkedId(isChannel ? externalId.slice(channelPrefix.length) : externalId, "externalId");
}

function checkedCursor(cursor: string): string {
  if (/^\d{1,20}$/.test(cursor)) return cursor;
  throw invalid("cursor", "invalid", "`cursor` must be one that was given here.");
}
