import { fail } from "../contracts/errors.ts";
import type { UsageCount } from "../contracts/keys.contract.ts";
import type { KeyRoom } from "./room.ts";

const dayMs = 86_400_000;

/** Counts of the last `days` UTC days, today included, newest first; days without a request are left out. */
export async function keyUsage(
  { keys, usage }: KeyRoom,
  id: string,
  days: number,
  now: number,
): Promise<{ data: UsageCount[]; message: string }> {
  if (!(await keys.findById(id))) throw fail("not_found", "There is no API key with this id.");
  const since = new Date(now - (days - 1) * dayMs).toISOString().slice(0, 10);
  const counts = await usage.find({
    query: { keyId: id, day: { $gte: since } },
    sort: ["-day"],
    limit: days,
  });
  const data = counts.map(({ keyId, day, requests }) => ({ keyId, day, requests }));
  return { data, message: "Usage listed." };
}
