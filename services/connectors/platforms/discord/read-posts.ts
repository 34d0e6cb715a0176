import type { APIMessage } from "@discordjs/core/http-only";
import { codeOf } from "../../../contracts/errors.ts";
import type { NewPosts, PostPage } from "../../social/social-connector.ts";
import { type ChannelReader, type Channels, channelsOf } from "./channels.ts";
import { isWritten, toPost } from "./map-post.ts";
import { beginning, compareIds, newestOf } from "./sid.ts";

/** Messages that one poll returns at most. */
const maxReturned = 500;

/**
 * The messages of a source's channels after the cursor, in one order. The cursor is a single id: nothing is returned
 * beyond the newest message at the time the channels were listed, nor beyond the end of a full page, so that a message
 * that arrives in one channel while another is read is still after the cursor.
 */
export async function readSince(
  reader: ChannelReader,
  externalId: string,
  cursor: string,
  signal: AbortSignal,
): Promise<NewPosts> {
  const source = await channelsOf(reader, externalId, signal);
  const changed = source.channels.filter(({ lastId }) => compareIds(lastId, cursor) > 0);
  if (changed.length === 0) return { posts: [], cursor, more: false };
  const { guildId } = source;
  const { mayReadContent } = await reader.bot(signal);
  const ids = changed.map(({ id }) => id);
  const pages = await readChannels(reader, ids, { after: cursor, limit: pageSize }, signal);
  const ends = pages.flatMap(page => (page.length < pageSize ? [] : (page.at(-1)?.id ?? [])));
  const found = pages.flat().sort((a, b) => compareIds(a.id, b.id));
  const newest = newestOf(changed.map(({ lastId }) => lastId));
  const capped = found.length > maxReturned ? [String(found[maxReturned - 1]?.id)] : [];
  const end = [newest, ...ends, ...capped].reduce((least, id) => (compareIds(id, least) < 0 ? id : least));
  const returned = found.filter(message => compareIds(message.id, end) <= 0 && isWritten(message));
  const posts = returned.map(message => toPost(message, { guildId, mayReadContent, names: reader.names }));
  return { posts, cursor: end, more: end !== newest };
}

/** The newest message of a source's channels. */
export function newestIn({ channels }: Channels): string {
  return newestOf(channels.map(({ lastId }) => lastId));
}

/** The messages of a source's channels before the cursor, newest first. Each channel is read up to the limit. */
export async function readHistory(
  reader: ChannelReader,
  externalId: string,
  { cursor: before, limit: asked }: { cursor?: string; limit: number },
  signal: AbortSignal,
): Promise<PostPage> {
  const limit = Math.min(asked, pageSize);
  const { guildId, channels } = await channelsOf(reader, externalId, signal);
  const { mayReadContent } = await reader.bot(signal);
  const ids = channels.flatMap(({ id, lastId }) => (lastId === beginning ? [] : id));
  const query = { limit, ...(before !== undefined && { before }) };
  const pages = await readChannels(reader, ids, query, signal);
  const found = pages.flat().sort((a, b) => compareIds(b.id, a.id));
  const returned = found.slice(0, limit);
  const isLast = found.length <= limit && pages.every(page => page.length < limit);
  return {
    posts: returned
      .filter(isWritten)
      .map(message => toPost(message, { guildId, mayReadContent, names: reader.names })),
    next: isLast ? null : (returned.at(-1)?.id ?? null),
  };
}

/** The largest page of Discord. */
const pageSize = 100;
/** Milliseconds for which a channel that the bot may not see is not read: too many refusals ban the bot. */
const refusedMs = 10 * 60_000;
/** Channels read concurrently. */
const width = 8;

type Where = { after: string } | { before?: string };

/** Reads a page of each channel, oldest first. Among several channels, one that the bot may not see counts as empty. */
async function readChannels(
  reader: ChannelReader,
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
  reader: ChannelReader,
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
    // The channel was deleted a moment ago.
    else if (codeOf(error) !== "not_found") throw error;
    return [];
  }
}

async function readChannel(
  { ask }: ChannelReader,
  channelId: string,
  query: Where & { limit: number },
  signal: AbortSignal,
): Promise<APIMessage[]> {
  const page = await ask(signal, (api, on) => api.channels.getMessages(channelId, query, { signal: on }));
  return page.sort((a, b) => compareIds(a.id, b.id));
}
