import { type APIChannel, ChannelType } from "@discordjs/core/http-only";
import { codeOf, fail, invalid } from "../../../contracts/errors.ts";
import { authorizeUrl, type KnowBot } from "./bot.ts";
import type { Ask } from "./discord-api.ts";
import { channelPrefix, snowflake } from "./read-sid.ts";
import { beginning } from "./snowflakes.ts";

/** What is read with: the API, and what is known of the bot. */
export interface Reader {
  ask: Ask;
  bot: KnowBot;
  now(): number;
  /** Channels that the bot was refused, and until when (Unix milliseconds) they are not tried again. */
  refused: Map<string, number>;
}

/** The channels of a source that hold messages. */
export interface Channels {
  guildId: string | null;
  channels: { id: string; lastId: string }[];
}

/** Forums hold threads alone, and categories nothing. */
const withMessages: ChannelType[] = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildVoice,
  ChannelType.GuildStageVoice,
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
];

/** The channels of a server with its active threads, or the one of `channel:<id>`, and what each was last sent. */
export async function channelsOf(reader: Reader, externalId: string, signal: AbortSignal): Promise<Channels> {
  if (!externalId.startsWith(channelPrefix))
    return await ofGuild(reader, checkedId(externalId, "externalId"), signal);
  const channel = await findChannel(
    reader,
    checkedId(externalId.slice(channelPrefix.length), "externalId"),
    signal,
  );
  return { guildId: guildOf(channel), channels: [standing(channel)] };
}

/** Ids go into paths, so that anything but an id is refused here. */
export function checkedId(id: string, field: string): string {
  if (snowflake.test(id)) return id;
  throw invalid(field, "invalid", `\`${field}\` must be an id of Discord, a number of 17 to 20 digits.`);
}

export async function findChannel(
  { ask }: Reader,
  channelId: string,
  signal: AbortSignal,
): Promise<APIChannel> {
  return await ask(signal, (api, on) => api.channels.get(channelId, { signal: on }));
}

export function guildOf(channel: APIChannel): string | null {
  return "guild_id" in channel ? (channel.guild_id ?? null) : null;
}

async function ofGuild(reader: Reader, guildId: string, signal: AbortSignal): Promise<Channels> {
  try {
    const channels = await reader.ask(signal, (api, on) => api.guilds.getChannels(guildId, { signal: on }));
    const { threads } = await reader.ask(signal, (api, on) =>
      api.guilds.getActiveThreads(guildId, { signal: on }),
    );
    const all: Listed[] = [...channels, ...threads];
    return { guildId, channels: all.filter(({ type }) => withMessages.includes(type)).map(standing) };
  } catch (error) {
    if (!isShutOut(error)) throw error;
    throw await notMember(reader, guildId, error, signal);
  }
}

interface Listed {
  id: string;
  type: ChannelType;
  last_message_id?: string | null;
}

function standing({ id, last_message_id }: Listed): Channels["channels"][number] {
  return { id, lastId: last_message_id ?? beginning };
}

/** Discord answers that it knows no such server, or that it may not be read, when the bot is not in it. */
export function isShutOut(error: unknown): boolean {
  return codeOf(error) === "not_found" || codeOf(error) === "forbidden";
}

async function notMember(
  { bot }: Reader,
  guildId: string,
  cause: unknown,
  signal: AbortSignal,
): Promise<Error> {
  const where = authorizeUrl(await bot(signal), guildId);
  const sentence = `The bot is not a member of this server. Somebody who manages the server lets it in at ${where}`;
  return fail("forbidden", sentence, {}, cause);
}
