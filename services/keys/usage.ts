import { fail } from "../contracts/errors.ts";
import type { UsageAndQuotas, UsageCount } from "../contracts/keys.contract.ts";
import type { KeysContext } from "./context.ts";
import { quotasLeft } from "./quotas/charges.ts";

/** Requests of a key on a day, and the minute of the latest one. */
export interface RequestCount extends UsageCount {
  usedAt?: string;
}

/**
 * Adds requests to the counts per key and day, and keeps when a key was last used, which writes a key once a minute at most.
 * Drops counts of deleted keys.
 */
export async function countUsage({ keys, usage }: KeysContext, counts: RequestCount[]): Promise<null> {
  const ids = [...new Set(counts.map(count => count.keyId))];
  const found = await keys.find({ query: { _id: { $in: ids } } });
  const known = new Set(found.map(key => key._id));
  for (const { keyId, day, requests } of counts)
    if (known.has(keyId)) await usage.upsert(`${keyId}:${day}`, { $set: { keyId, day }, $inc: { requests } });
  for (const { _id, lastUsedAt = "" } of found) {
    const latest = latestOf(counts, _id);
    if (latest > lastUsedAt) await keys.update(_id, { $set: { lastUsedAt: latest } });
  }
  return null;
}

function latestOf(counts: RequestCount[], id: string): string {
  return counts.reduce(
    (latest, { keyId, usedAt = "" }) => (keyId === id && usedAt > latest ? usedAt : latest),
    "",
  );
}

/** Removes the counts of days that were over before a time. */
export async function pruneUsage({ usage }: Pick<KeysContext, "usage">, before: number): Promise<void> {
  await usage.removeMany({ day: { $lt: dayOf(before) } });
}

/** The UTC day of a time, as in `2025-03-25`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export const dayMs = 86_400_000;

/**
 * Counts of the last `days` UTC days including today, newest first, without days that have no request; and what is used of
 * the key's quotas.
 */
export async function keyUsage(
  context: KeysContext,
  id: string,
  days: number,
  now: number,
): Promise<UsageAndQuotas> {
  const { keys, usage } = context;
  if (!(await keys.findById(id))) throw fail("not_found", "There is no API key with this id.");
  const since = dayOf(now - (days - 1) * dayMs);
  const counts = await usage.find({
    query: { keyId: id, day: { $gte: since } },
    sort: ["-day"],
    limit: days,
  });
  const data = counts.map(({ keyId, day, requests }) => ({ keyId, day, requests }));
  return { data, quotas: await quotasLeft(context, id), message: "Usage listed." };
}
