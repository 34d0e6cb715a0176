import type { Redis } from "ioredis";
import { keyNames } from "./frontier-scripts.ts";

/** What Redis holds of a crawl at one moment, as a backup has it: for each name the value as Redis dumps it, in base64. */
export interface FrontierPart {
  crawlId: string;
  values: Record<string, string>;
}

/** Null for a crawl of which nothing is there. */
export async function copyFrontier(
  redis: Redis,
  prefix: string,
  crawlId: string,
): Promise<FrontierPart | null> {
  const reading = redis.multi();
  for (const name of keyNames) reading.dumpBuffer(`${prefix}:{${crawlId}}:${name}`);
  const values: Record<string, string> = {};
  for (const [n, [error, value]] of ((await reading.exec()) ?? []).entries()) {
    if (error) throw error;
    const name = keyNames[n];
    if (name && Buffer.isBuffer(value)) values[name] = value.toString("base64");
  }
  return Object.keys(values).length > 0 ? { crawlId, values } : null;
}

/** Whoever had the crawl is gone, and fences begin anew: the first run that opens it takes over what was being read. */
export async function restoreFrontier(
  redis: Redis,
  prefix: string,
  { crawlId, values }: FrontierPart,
): Promise<void> {
  const keyOf = (name: string) => `${prefix}:{${crawlId}}:${name}`;
  for (const [name, value] of Object.entries(values))
    await redis.restore(keyOf(name), 0, Buffer.from(value, "base64"));
  if (values.crawl !== undefined) await redis.hset(keyOf("crawl"), "fence", 0);
}
