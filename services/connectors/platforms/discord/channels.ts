import { type APIChannel, ChannelType } from "@discordjs/core/http-only";
import { logEvent } from "../../../../mixins/log/log-events.ts";
import { codeOf, fail, invalid } from "../../../contracts/errors.ts";
import { quoteAnswer } from "../../social/social-connector.ts";
import { type Ask, answerOf, authorizeUrl, type GetBot } from "./api.ts";
import { type Names, rememberName } from "./names.ts";
import { beginning, channelPrefix, snowflake } from "./sid.ts";

/** What reading channels needs: the API and the bot. */
export interface ChannelReader {
  ask: Ask;
  bot: GetBot;
  now(): number;
  logger: Pick<Console, "debug">;
  names: Names;
  /** Channels that the bot may not read, and when (Unix milliseconds) to try them again. */
  refused: Map<string, number>;
}

/** The channels of a source that hold messages. */
export interface Channels {
  guildId: string | null;
  channels: { id: string; lastId: string }[];
}

/** Channel types with messages: forums contain only threads, and categories nothing. */
const withMessages: ChannelType[] = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildVoice,
  ChannelType.GuildStageVoice,
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
];

/** The channels of a server with its active threads, or the one of `channel:<id>`, each with its last message. */
export async function channelsOf(
  reader: ChannelReader,
  externalId: string,
  signal: AbortSignal,
): Promise<Channels> {
  if (!externalId.startsWith(channelPrefix))
    return await ofGuild(reader, checkedId(externalId, "externalId"), signal);
  const channel = await findChannel(
    reader,
    checkedId(externalId.slice(channelPrefix.length), "externalId"),
    signal,
  );
  rememberName(reader.names, channel);
  return { guildId: guildOf(channel), channels: [latestIn(channel)] };
}

/** Ids go into paths, so anything else is refused here. */
export function checkedId(id: string, field: string): string {
  if (snowflake.test(id)) return id;
  throw invalid(field, "malformed", `\`${field}\` must be an id of Discord, a number of 17 to 20 digits.`);
}

export async function findChannel(
  { ask }: ChannelReader,
  channelId: string,
  signal: AbortSignal,
): Promise<APIChannel> {
  return await ask(signal, (api, on) => api.channels.get(channelId, { signal: on }));
}

export function guildOf(channel: APIChannel): string | null {
  return "guild_id" in channel ? (channel.guild_id ?? null) : null;
}

async function ofGuild(reader: ChannelReader, guildId: string, signal: AbortSignal): Promise<Channels> {
  const channels = await reader
    .ask(signal, (api, on) => api.guilds.getChannels(guildId, { signal: on }))
    .catch(async error => {
      throw isAccessDenied(error) ? await accessError(reader, guildId, error, signal) : error;
    });
  const all: Listed[] = [...channels, ...(await activeThreads(reader, guildId, signal))];
  for (const each of all) rememberName(reader.names, each);
  return { guildId, channels: all.filter(({ type }) => withMessages.includes(type)).map(latestIn) };
}

/** Empty where the bot may not list them: the channels of the server can still be read. */
async function activeThreads(
  { ask, logger }: ChannelReader,
  guildId: string,
  signal: AbortSignal,
): Promise<Listed[]> {
  try {
    return (await ask(signal, (api, on) => api.guilds.getActiveThreads(guildId, { signal: on }))).threads;
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    logEvent(logger, "discord_threads.refused", { guildId, message: (error as Error).message });
    return [];
  }
}

interface Listed {
  id: string;
  name?: string | null;
  type: ChannelType;
  last_message_id?: string | null;
}

function latestIn({ id, last_message_id }: Listed): Channels["channels"][number] {
  return { id, lastId: last_message_id ?? beginning };
}

/** Tells a server that the bot is not in: Discord says that it does not exist or may not be read. */
export function isAccessDenied(error: unknown): boolean {
  return codeOf(error) === "not_found" || codeOf(error) === "forbidden";
}

/**
 * Why the channels of a server cannot be listed: the bot is not a member, in which case Discord denies the server itself
 * as well, or it lacks a permission there.
 */
async function accessError(
  reader: ChannelReader,
  guildId: string,
  cause: unknown,
  signal: AbortSignal,
): Promise<Error> {
  if (await isMember(reader, guildId, signal))
    return fail(
      "forbidden",
      quoteAnswer("The bot may not list the channels of this server.", answerOf(cause)),
      {},
      cause,
    );
  return fail("forbidden", await notMember(reader, guildId, signal), {}, cause);
}

async function isMember({ ask }: ChannelReader, guildId: string, signal: AbortSignal): Promise<boolean> {
  try {
    await ask(signal, (api, on) => api.guilds.get(guildId, {}, { signal: on }));
    return true;
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    return false;
  }
}

/** Says that the bot is not a member of the server, and where a manager can add it. */
export async function notMember(
  { bot }: ChannelReader,
  guildId: string,
  signal: AbortSignal,
): Promise<string> {
  const where = authorizeUrl(await bot(signal), guildId);
  return `The bot is not a member of this server. Somebody who manages the server can add it at ${where}`;
}
