import type { Redis } from "ioredis";
import * as scripts from "./redis-scripts.ts";

/** Part of the log of a key, as a backup of a cluster has it: JSON. */
export interface LogPart {
  keyId: string;
  /** The last position that it has given. */
  latest: number;
  entries: [seq: number, at: number, reference: string][];
}

const keysTogether = 1000;
const entriesTogether = 1000;

/**
 * The references of all logs below a prefix, each log as it is when it is read. What is sealed meanwhile may be left out: a
 * copy of the segments that is made afterwards has it.
 */
export async function* copyLogs(redis: Redis, prefix: string): AsyncGenerator<LogPart> {
  const streams = `${prefix}of:`;
  const done = new Set<string>();
  for (let cursor = "0"; ; ) {
    const [next, keys] = await redis.scan(cursor, "MATCH", `${streams}*`, "COUNT", keysTogether);
    for (const keyId of keys.map(key => key.slice(streams.length)))
      if (!done.has(keyId)) yield* copyLog(redis, prefix, keyId);
    for (const key of keys) done.add(key.slice(streams.length));
    if (next === "0") break;
    cursor = next;
  }
  for (const keyId of await redis.hkeys(`${prefix}floors`))
    if (!done.has(keyId)) yield* copyLog(redis, prefix, keyId);
}

async function* copyLog(redis: Redis, prefix: string, keyId: string): AsyncGenerator<LogPart> {
  const [, latest] = (await redis.eval(scripts.bounds, 0, prefix, keyId)) as [number, number];
  for (let from = 0; ; ) {
    const found = await redis.xrange(`${prefix}of:${keyId}`, from, latest, "COUNT", entriesTogether);
    const entries = found.map(([id, [, reference]]): LogPart["entries"][number] => {
      const [seq, at] = id.split("-").map(Number);
      return [Number(seq), Number(at), String(reference)];
    });
    if (from === 0 || entries.length > 0) yield { keyId, latest, entries };
    if (entries.length < entriesTogether) return;
    from = (entries.at(-1)?.[0] ?? latest) + 1;
  }
}

/** Puts a part of a log back, after those before it. The log goes on `gap` positions behind its last one. */
export async function restoreLog(
  redis: Redis,
  prefix: string,
  { keyId, latest, entries }: LogPart,
  gap: number,
): Promise<void> {
  await redis.eval(scripts.restoreSlice, 0, prefix, keyId, JSON.stringify(entries), latest + gap);
}
