import { invalid } from "../../../contracts/errors.ts";
import type { News } from "../../social/social-connector.ts";
import { newestId, readTimeline } from "./read-timeline.ts";
import type { XRoom } from "./room.ts";

/** Posts of a call. */
const most = 300;

/**
 * What an account posted after the cursor. X gives the newest first: where more is new than one call takes, older posts
 * follow in the next calls, each oldest first, and the cursor remembers the gap that is left.
 */
export async function since(
  x: XRoom,
  userId: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<News> {
  if (cursor === null) return { posts: [], cursor: await newestId(x, userId, signal), more: false };
  const { after, before, newest } = parseCursor(cursor);
  // "0" stands before every post; X is not asked what it thinks of a post of that number.
  const ends = { ...(after !== "0" && { sinceId: after }), ...(before && { untilId: before }) };
  const { posts, isAll } = await readTimeline(x, userId, { ...ends, limit: most }, signal);
  const upTo = newest ?? posts[0]?.id ?? after;
  const next = isAll ? upTo : `${after}-${posts.at(-1)?.id}-${upTo}`;
  return { posts: posts.map(({ post }) => post).reverse(), cursor: next, more: !isAll };
}

/** `<newest told>`, or `<newest told before the gap>-<oldest told after it>-<newest told>`. */
function parseCursor(cursor: string): { after: string; before?: string; newest?: string } {
  const [, after, before, newest] = /^(\d{1,19})(?:-(\d{1,19})-(\d{1,19}))?$/.exec(cursor) ?? [];
  if (after === undefined) throw invalid("cursor", "invalid", "This is no cursor of X.");
  return { after, ...(before && { before }), ...(newest && { newest }) };
}
