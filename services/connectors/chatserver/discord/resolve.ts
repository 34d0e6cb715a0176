import type { ResolvedSource } from "../../../contracts/connectors.contract.ts";
import { fail, invalid } from "../../../contracts/errors.ts";
import { channelsOf, findChannel, guildOf, isShutOut, type Reader } from "./channels.ts";
import { channelPrefix, readSid } from "./read-sid.ts";
import { newestIn } from "./read-since.ts";
import { beginning, idAt } from "./snowflakes.ts";

interface Guild {
  id: string;
  name: string;
  vanity_url_code?: string | null;
}

/** Finds the server or channel that a `sid` means. A server that the bot is not in yet is found by an invite alone. */
export async function resolve(reader: Reader, sid: string, signal: AbortSignal): Promise<ResolvedSource> {
  const meant = readSid(sid);
  if (!meant) throw invalid("sid", "invite", adviceFor(sid));
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
    state: { cursor: await cursorNow(reader, guild.id, signal) },
  };
}

function adviceFor(sid: string): string {
  if (sid.trim().startsWith(channelPrefix))
    return "Ids of Discord's channels are numbers of 17 to 20 digits.";
  return "`sid` must be an invite's code or URL, or a server's id.";
}

async function resolveChannel(
  reader: Reader,
  channelId: string,
  signal: AbortSignal,
): Promise<ResolvedSource> {
  const channel = await findChannel(reader, channelId, signal).catch(error => {
    if (!isShutOut(error)) throw error;
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

async function guildOfInvite({ ask }: Reader, code: string, signal: AbortSignal): Promise<Guild> {
  const { guild } = await ask(signal, (api, on) => api.invites.get(code, {}, { signal: on }));
  if (guild) return guild;
  throw invalid("sid", "invite", "This invite leads to no server, but to a group or a person.");
}

async function findGuild({ ask }: Reader, guildId: string, signal: AbortSignal): Promise<Guild> {
  return await ask(signal, (api, on) => api.guilds.get(guildId, {}, { signal: on })).catch(error => {
    if (!isShutOut(error)) throw error;
    const sentence = "The bot is in no server with this id; give an invite to the server instead.";
    throw fail("not_found", sentence, {}, error);
  });
}

/** Of a server that the bot is not in, nothing can be read; what is sent there before it is let in is new as well. */
async function cursorNow(reader: Reader, guildId: string, signal: AbortSignal): Promise<string> {
  try {
    return newestIn(await channelsOf(reader, guildId, signal));
  } catch (error) {
    if (!isShutOut(error)) throw error;
    return idAt(reader.now());
  }
}
