import { openedAt } from "../../../domain/sandbox/turns.ts";

/*
 * Ids of posts in the manner of snowflakes: the time above, and below it room for what shares a millisecond, which
 * nothing does here. They grow, are unique in their platform, and tell when the post was made.
 */

const spare = 22n;

export function postIdOf(at: number): string {
  return (BigInt(at - openedAt) << spare).toString();
}

/** Milliseconds since the epoch; undefined for what is no id of a post. */
export function timeOfPostId(id: string): number | undefined {
  if (!/^\d{1,19}$/.test(id)) return undefined;
  return Number(BigInt(id) >> spare) + openedAt;
}
