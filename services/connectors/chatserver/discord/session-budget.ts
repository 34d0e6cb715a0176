import type { APIGatewaySessionStartLimit } from "@discordjs/core/http-only";

/** The longest delay that a timer takes. */
const longestMs = 2 ** 31 - 1;

/**
 * Milliseconds between two sessions that one shard begins, so that what is left of the day's lasts until Discord gives
 * more: when none is left the bot is away until then (docs.discord.com, "Session Start Limit Object").
 */
export function spacing(
  { remaining, reset_after }: Pick<APIGatewaySessionStartLimit, "remaining" | "reset_after">,
  shards: number,
): number {
  return Math.min(longestMs, Math.ceil((reset_after * shards) / Math.max(1, remaining)));
}
