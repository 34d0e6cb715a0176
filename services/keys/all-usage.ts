import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { AllUsage } from "../contracts/keys.contract.ts";
import type { KeysContext } from "./context.ts";
import { dayMs, dayOf } from "./usage.ts";

/** Keys that are listed, those with the most requests. */
const mostKeys = 20;

/**
 * Requests of all keys in the last `days` UTC days including today: the total by day, and the keys with the most. It reads
 * one day after the other, each from an index, so that other work runs between two.
 */
export async function allUsage(
  context: Pick<KeysContext, "keys" | "usage">,
  days: number,
  now: number,
): Promise<{ data: AllUsage; message: string }> {
  const all = Array.from({ length: days }, (_, at) => dayOf(now - (days - 1 - at) * dayMs));
  const sums = new Map<string, number>();
  const total: number[] = [];
  for (const day of all) {
    total.push(await addDay(context, day, sums));
    await yieldToLoop();
  }
  const largest = [...sums].sort(([, one], [, other]) => other - one).slice(0, mostKeys);
  const keyIds = largest.map(([keyId]) => keyId);
  return { data: { days: all, total, keys: await describe(context, keyIds, all) }, message: "Usage listed." };
}

/** Adds the requests of a day to the sums of their keys. Returns their total. */
async function addDay(
  { usage }: Pick<KeysContext, "usage">,
  day: string,
  sums: Map<string, number>,
): Promise<number> {
  let total = 0;
  for (const [keyId, requests] of await usage.valuesOf(["keyId", "requests"], { day })) {
    total += Number(requests);
    sums.set(String(keyId), (sums.get(String(keyId)) ?? 0) + Number(requests));
  }
  return total;
}

async function describe(
  { keys, usage }: Pick<KeysContext, "keys" | "usage">,
  keyIds: string[],
  days: string[],
): Promise<AllUsage["keys"]> {
  const known = await keys.find({ query: { _id: { $in: keyIds } } });
  const byId = new Map(known.map(key => [key._id, key]));
  const rows = keyIds.map(async keyId => {
    const counts = await usage.find({ query: { keyId, day: { $gte: days[0] ?? "" } } });
    const byDay = new Map(counts.map(({ day, requests }) => [day, requests]));
    const { name = null, owner = null } = byId.get(keyId) ?? {};
    return { key_id: keyId, name, owner, requests: days.map(day => byDay.get(day) ?? 0) };
  });
  return Promise.all(rows);
}
