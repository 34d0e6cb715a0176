import { invalid } from "../../../contracts/errors.ts";
import type { Page } from "../../social/social-connector.ts";
import { isId } from "./parse-sid.ts";
import { readTimeline } from "./read-timeline.ts";
import type { XRoom } from "./room.ts";

/** What an account has posted, newest first; of the latest 3200 posts, as X gives no more. A cursor is the last post's id. */
export async function history(
  x: XRoom,
  userId: string,
  { cursor, limit }: { cursor?: string; limit: number },
  signal: AbortSignal,
): Promise<Page> {
  if (cursor !== undefined && !isId(cursor))
    throw invalid("cursor", "invalid", "Give the next_cursor of an answer as cursor, or none.");
  const stretch = { limit, ...(cursor && { untilId: cursor }) };
  const { posts, isAll } = await readTimeline(x, userId, stretch, signal);
  return { posts: posts.map(({ post }) => post), next: isAll ? null : (posts.at(-1)?.id ?? null) };
}
