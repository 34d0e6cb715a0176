import { fail } from "../../services/contracts/errors.ts";
import type { RepeatingRedis } from "../cluster/repeating-redis.ts";
import type { EventBodies } from "./event-bodies.ts";
import type { Bounds, ReadBudget, WrittenEvent } from "./event-log.ts";
import * as scripts from "./redis-scripts.ts";
import { writtenEventOf } from "./stored-event.ts";

/** An entry in the log of a key. */
export interface Reference {
  seq: number;
  /** When it was appended, in milliseconds. */
  at: number;
  /** The reference of its body. */
  body: string;
}

/**
 * The references of all logs, in Redis. Every operation but `read` is one script, and so atomic. Reads wait for replicas:
 * an event that is not replicated could vanish in a failover, and its position would go to another event.
 */
export class LogReferences {
  readonly #redis: RepeatingRedis;
  readonly #prefix: string;

  constructor(redis: RepeatingRedis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /** Returns the keys whose logs grew, how many of them each reference was appended to, and the count of appends so far; null from `until` on, by the clock of Redis or `now`. */
  async append(
    references: { reference: string; keyIds: string[] }[],
    { until, now }: { until?: number; now?: number },
  ): Promise<{ keyIds: string[]; count: number; entries: number[] } | null> {
    const pairs = JSON.stringify(references.map(({ reference, keyIds }) => [reference, keyIds]));
    const answer = await this.#runKept(scripts.append, now ?? "", until ?? "", pairs);
    if (answer === null) return null;
    const [count, keyIds, entries] = answer as [number, string[], number[]];
    return { keyIds, count, entries };
  }

  /** For each reference, those of the keys whose logs have it. */
  async holders(references: string[], keyIds: string[]): Promise<string[][]> {
    const args = [JSON.stringify(references), JSON.stringify(keyIds)];
    return JSON.parse(String(await this.#run(scripts.holders, ...args))) as string[][];
  }

  async read(keyId: string, after: number, limit: number): Promise<Reference[]> {
    const stream = `${this.#prefix}of:${keyId}`;
    const entries = await this.#redis.runKept(
      client => client.xRange(stream, `${after + 1}`, "+", { COUNT: limit }),
      found => found !== null && found.length > 0,
    );
    return (entries ?? []).map(({ id, message }) => {
      const [seq, at] = id.split("-").map(Number);
      return { seq: Number(seq), at: Number(at), body: String(message.b) };
    });
  }

  async bounds(keyId: string): Promise<Bounds> {
    const [oldest, latest] = (await this.#runKept(scripts.bounds, keyId)) as [number, number];
    return { oldest, latest };
  }

  /** The last position whose entry is older than `since` (ms). */
  async positionAt(keyId: string, since: number): Promise<number> {
    return Number(await this.#runKept(scripts.positionAt, keyId, since));
  }

  /** Removes at most `limit` references older than `before` (ms). Returns how many were removed. */
  async pruneSlice(before: number, limit: number): Promise<number> {
    return Number(await this.#run(scripts.pruneSlice, before, limit));
  }

  /** Removes at most `limit` references of a key, and with the last one its counter. Returns how many were removed. */
  async dropSlice(keyId: string, limit: number): Promise<number> {
    return Number(await this.#run(scripts.dropSlice, keyId, limit));
  }

  /** Removes at most `limit` references of a key up to a position, none of them younger than `at` (ms). */
  async cutSlice(keyId: string, to: number, at: number, limit: number): Promise<number> {
    return Number(await this.#run(scripts.cutSlice, keyId, to, at + 1, limit));
  }

  /** Keys whose first entry is older than `before` (ms), from the `from`th on, by the time of that entry. */
  keysBefore(before: number, from: number, limit: number): Promise<string[]> {
    return this.#redis.run(client =>
      client.zRangeByScore(`${this.#prefix}oldest`, "-inf", `(${before}`, {
        LIMIT: { offset: from, count: limit },
      }),
    );
  }

  /** The keys whose logs grew last, the latest first. */
  grownLast(limit: number): Promise<string[]> {
    return this.#redis.run(client => client.zRange(`${this.#prefix}grown`, 0, limit - 1, { REV: true }));
  }

  /** When the oldest entry of all logs was appended, in milliseconds; infinite without any. */
  async oldestAt(): Promise<number> {
    const [first] = await this.#redis.run(client => client.zRangeWithScores(`${this.#prefix}oldest`, 0, 0));
    return first ? first.score : Number.POSITIVE_INFINITY;
  }

  /** The number of appends so far. */
  async appendCount(): Promise<number> {
    return Number(await this.#redis.runKept(client => client.get(`${this.#prefix}growths`)));
  }

  /** The count of appends, and the keys whose logs grew after the count `since`, each with the count of its last append. */
  async grownSince(since: number): Promise<{ count: number; grown: Map<string, number> }> {
    const args = [this.#prefix, String(since)];
    const [count, flat] = (await this.#redis.runKept(
      client => client.eval(scripts.grownSince, { arguments: args }),
      found => (found as unknown as [number])[0] !== since,
    )) as unknown as [number, string[]];
    const grown = new Map<string, number>();
    for (let at = 0; at < flat.length; at += 2) grown.set(String(flat[at]), Number(flat[at + 1]));
    return { count, grown };
  }

  close(): void {
    this.#redis.close();
  }

  #run(script: string, ...values: (string | number)[]): Promise<unknown> {
    const args = [this.#prefix, ...values.map(String)];
    return this.#redis.run(client => client.eval(script, { arguments: args }));
  }

  #runKept(script: string, ...values: (string | number)[]): Promise<unknown> {
    const args = [this.#prefix, ...values.map(String)];
    return this.#redis.runKept(client => client.eval(script, { arguments: args }));
  }
}

export interface Sources {
  server: Pick<LogReferences, "read">;
  bodies: Pick<EventBodies, "read">;
  now(): number;
}

/** Bodies read together: few at first, as each may be large. */
const fewest = 16;
const mostTogether = 1000;
/** After this time a primary that was replaced has noticed it, and no longer answers without the newer writes. */
const unsettledMs = 60_000;

/**
 * Events after a position, within a budget. An event whose body is gone has expired. Expired events may come before the
 * events that are returned, but never between them, since readers skip expired events only at their own position.
 */
export async function readReferenced(
  sources: Sources,
  keyId: string,
  after: number,
  budget: ReadBudget,
): Promise<{ events: WrittenEvent[]; more: boolean }> {
  const references = await sources.server.read(keyId, after, budget.events);
  const read = await readBodies(sources, keyId, references, budget.bytes);
  const isFull = references.length === budget.events;
  const last = references.at(-1);
  if (read.events.length === 0 && isFull && last) return readReferenced(sources, keyId, last.seq, budget);
  return { events: read.events, more: read.isCut || isFull };
}

async function readBodies(
  { bodies, now }: Sources,
  keyId: string,
  references: Reference[],
  bytes: number,
): Promise<{ events: WrittenEvent[]; isCut: boolean }> {
  const events: WrittenEvent[] = [];
  let size = 0;
  for (let from = 0; from < references.length; ) {
    const some = references.slice(from, from + howMany(bytes - size, events.length && size / events.length));
    const found = await bodies.read(some.map(({ body }) => body));
    for (const [n, { seq, at }] of some.entries()) {
      const body = found[n];
      if (events.length > 0 && (!body || size + body.data.length > bytes)) return { events, isCut: true };
      if (body) events.push(writtenEventOf(keyId, seq, body));
      else if (now() - at < unsettledMs) throw bodyMissing();
      size += body?.data.length ?? 0;
    }
    from += some.length;
  }
  return { events, isCut: false };
}

/** The number of bodies to read next: as many as fit, when they are as large as those before. */
function howMany(left: number, average: number): number {
  if (left === Number.POSITIVE_INFINITY) return mostTogether;
  const fitting = average > 0 ? Math.ceil(left / average) : 0;
  return Math.min(Math.max(fitting, fewest), mostTogether);
}

function bodyMissing(): Error {
  return fail("overloaded", "The service cannot take this request right now. Try again shortly.");
}
