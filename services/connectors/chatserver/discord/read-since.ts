import type { News } from "../../social/social-connector.ts";
import { type Channels, channelsOf, type Reader } from "./channels.ts";
import { isWritten, toPost } from "./map-message.ts";
import { pageSize, readChannels } from "./read-channel.ts";
import { compareIds, newestOf } from "./snowflakes.ts";

/** Messages that are told at a time, at most. */
const maxTold = 500;

/**
 * What a source's channels were sent after the cursor, in the order of all of them. The cursor is one id: nothing is
 * told beyond the newest message that was there when the channels were listed, nor beyond the end of a page that was
 * full, so that what comes into one channel while another is read is after the cursor still.
 */
export async function readSince(
  reader: Reader,
  externalId: string,
  cursor: string,
  signal: AbortSignal,
): Promise<News> {
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
  const capped = found.length > maxTold ? [String(found[maxTold - 1]?.id)] : [];
  const end = [newest, ...ends, ...capped].reduce((least, id) => (compareIds(id, least) < 0 ? id : least));
  const told = found.filter(message => compareIds(message.id, end) <= 0 && isWritten(message));
  const posts = told.map(message => toPost(message, { guildId, mayReadContent }));
  return { posts, cursor: end, more: end !== newest };
}

/** The newest message of a source's channels. */
export function newestIn({ channels }: Channels): string {
  return newestOf(channels.map(({ lastId }) => lastId));
}
