import type { Page } from "../../social/social-connector.ts";
import { channelsOf, type Reader } from "./channels.ts";
import { isWritten, toPost } from "./map-message.ts";
import { pageSize, readChannels } from "./read-channel.ts";
import { beginning, compareIds } from "./snowflakes.ts";

/** What a source's channels were sent before the cursor, newest first. Each channel gives as much as is asked for. */
export async function readHistory(
  reader: Reader,
  externalId: string,
  { cursor: before, limit: asked }: { cursor?: string; limit: number },
  signal: AbortSignal,
): Promise<Page> {
  const limit = Math.min(asked, pageSize);
  const { guildId, channels } = await channelsOf(reader, externalId, signal);
  const { mayReadContent } = await reader.bot(signal);
  const ids = channels.flatMap(({ id, lastId }) => (lastId === beginning ? [] : id));
  const query = { limit, ...(before !== undefined && { before }) };
  const pages = await readChannels(reader, ids, query, signal);
  const found = pages.flat().sort((a, b) => compareIds(b.id, a.id));
  const told = found.slice(0, limit);
  const isLast = found.length <= limit && pages.every(page => page.length < limit);
  return {
    posts: told.filter(isWritten).map(message => toPost(message, { guildId, mayReadContent })),
    next: isLast ? null : (told.at(-1)?.id ?? null),
  };
}
