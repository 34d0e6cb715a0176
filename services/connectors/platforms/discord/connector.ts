import type { ResolvedSource } from "../../../contracts/connectors.contract.ts";
import { fail, invalid } from "../../../contracts/errors.ts";
import type { DriverTools, SocialConnector } from "../../social/social-connector.ts";
import { cacheBot, type DiscordSettings, discordApi } from "./api.ts";
import {
  type ChannelReader,
  channelsOf,
  checkedId,
  findChannel,
  guildOf,
  isAccessDenied,
} from "./channels.ts";
import { listen } from "./listen.ts";
import { newestIn, readHistory, readSince } from "./read-posts.ts";
import { beginning, channelPrefix, idAt, parseSid } from "./sid.ts";

/** The chat server on Discord, by a bot. An `externalId` is a server's id, or `channel:` and a channel's id. */
export function discordConnector(settings: DiscordSettings, tools: DriverTools): SocialConnector {
  const { ask, close } = discordApi(settings);
  const { now, logger } = tools;
  const bot = cacheBot(ask, now);
  const reader: ChannelReader = { ask, bot, now, logger, names: new Map(), refused: new Map() };
  return {
    kind: "chatserver",
    driver: "discord",
    resolve: (sid, signal) => resolve(reader, sid, signal),
    // A bot receives every server that it was added to. Managers of the server add and remove it, not this service.
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
    listen: (listener, signal) => listen({ reader, settings, tools }, listener, signal),
    close,
  };
}

function checkExternalId(externalId: string): void {
  const isChannel = externalId.startsWith(channelPrefix);
  checkedId(isChannel ? externalId.slice(channelPrefix.length) : externalId, "externalId");
}

function checkedCursor(cursor: string): string {
  if (/^\d{1,20}$/.test(cursor)) return cursor;
  throw invalid("cursor", "malformed", "`cursor` must be one that an answer has returned.");
}

interface Guild {
  id: string;
  name: string;
  vanity_url_code?: string | null;
}

/** Finds the server or channel that a `sid` means. A server that the bot is not in can only be found by an invite. */
export async function resolve(
  reader: ChannelReader,
  sid: string,
  signal: AbortSignal,
): Promise<ResolvedSource> {
  const meant = parseSid(sid);
  if (!meant) throw invalid("sid", "malformed", adviceFor(sid));
  if ("channelId" in meant) return await resolveChannel(reader, meant.channelId, signal);
  const guild =
    "invite" in meant
      ? await guildOfInvite(reader, meant.invite, signal)
      : await findGuild(reader, meant.guildId, signal);
  return {
    externalId: guild.id,
    username: guild.vanity_url_code ?? guild.id,
    name: guild.name,
    kind: "chatserver",
    ...(await resumePointOf(reader, guild.id, signal)),
  };
}

function adviceFor(sid: string): string {
  if (sid.trim().startsWith(channelPrefix))
    return "Ids of Discord's channels are numbers of 17 to 20 digits.";
  return "`sid` must be an invite's code or URL, or a server's id.";
}

async function resolveChannel(
  reader: ChannelReader,
  channelId: string,
  signal: AbortSignal,
): Promise<ResolvedSource> {
  const channel = await findChannel(reader, channelId, signal).catch(error => {
    if (!isAccessDenied(error)) throw error;
    throw fail("not_found", "Discord has no such channel, or the bot may not see it.", {}, error);
  });
  const guildId = guildOf(channel);
  const guild = guildId === null ? undefined : await findGuild(reader, guildId, signal);
  const title = channel.name ?? channelId;
  return {
    externalId: channelPrefix + channelId,
    username: title,
    name: guild ? `#${title}, ${guild.name}` : `#${title}`,
    kind: "chatserver",
    state: { cursor: ("last_message_id" in channel && channel.last_message_id) || beginning },
  };
}

async function guildOfInvite({ ask }: ChannelReader, code: string, signal: AbortSignal): Promise<Guild> {
  const { guild } = await ask(signal, (api, on) => api.invites.get(code, {}, { signal: on }));
  if (guild) return guild;
  throw invalid("sid", "malformed", "This invite leads to no server, but to a group or a person.");
}

async function findGuild({ ask }: ChannelReader, guildId: string, signal: AbortSignal): Promise<Guild> {
  return await ask(signal, (api, on) => api.guilds.get(guildId, {}, { signal: on })).catch(error => {
    if (!isAccessDenied(error)) throw error;
    const message = "The bot is in no server with this id; give an invite to the server instead.";
    throw fail("not_found", message, {}, error);
  });
}

/**
 * Where to start reading, and what keeps the bot from it. A server that the bot is not in cannot be read; messages sent
 * there before it is added count as new.
 */
async function resumePointOf(
  reader: ChannelReader,
  guildId: string,
  signal: AbortSignal,
): Promise<Pick<ResolvedSource, "state" | "notice">> {
  try {
    return { state: { cursor: newestIn(await channelsOf(reader, guildId, signal)) } };
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    return { state: { cursor: idAt(reader.now()) }, notice: (error as Error).message };
  }
}
