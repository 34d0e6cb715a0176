import type { APIMessage } from "@discordjs/core/http-only";
import { codeOf } from "../../../contracts/errors.ts";
import type { Reader } from "./channels.ts";
import { compareIds } from "./snowflakes.ts";

/** Messages that Discord gives at a time, at most. */
export const pageSize = 100;
/** Milliseconds for which a channel that the bot may not see is left alone; refusals in great number ban the bot. */
const refusedMs = 10 * 60_000;
/** Channels that are read at a time. */
const width = 8;

export type Where = { after: string } | { before?: string };

/** One page of each channel, oldest first. A channel among others that the bot may not see counts as empty. */
export async function readChannels(
  reader: Reader,
  channelIds: string[],
  query: Where & { limit: number },
  signal: AbortSignal,
): Promise<APIMessage[][]> {
  const pages: APIMessage[][] = [];
  const isAlone = channelIds.length === 1;
  for (let at = 0; at < channelIds.length; at += width) {
    const some = channelIds.slice(at, at + width);
    const read = (id: string) =>
      isAlone ? readChannel(reader, id, query, signal) : readIfSeen(reader, id, query, signal);
    pages.push(...(await Promise.all(some.map(read))));
  }
  return pages;
}

async function readIfSeen(
  reader: Reader,
  channelId: string,
  query: Where & { limit: number },
  signal: AbortSignal,
): Promise<APIMessage[]> {
  const { refused, now } = reader;
  if ((refused.get(channelId) ?? 0) > now()) return [];
  refused.delete(channelId);
  try {
    return await readChannel(reader, channelId, query, signal);
  } catch (error) {
    if (codeOf(error) === "forbidden") refused.set(channelId, now() + refusedMs);
    // A channel that is not found was deleted a moment ago.
    else if (codeOf(error) !== "not_found") throw error;
    return [];
  }
}

async function readChannel(
  { ask }: Reader,
  channelId: string,
  query: Where & { limit: number },
  signal: AbortSignal,
): Promise<APIMessage[]> {
  const page = await ask(signal, (api, on) => api.channels.getMessages(channelId, query, { signal: on }));
  return page.sort((a, b) => compareIds(a.id, b.id));
}
