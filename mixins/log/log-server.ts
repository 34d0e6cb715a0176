import type { Bounds } from "./log.ts";
import type { ReconnectingRedis } from "./reconnecting-redis.ts";
import * as scripts from "./redis-scripts.ts";

/** A place in the log of a key. */
export interface Reference {
  seq: number;
  /** Milliseconds; when it was appended. */
  at: number;
  /** The reference of its body. */
  body: string;
}

/** The references of all logs, in Redis. Every call but `read` is one script, so that it is taken at once. */
export class LogServer {
  readonly #redis: ReconnectingRedis;
  readonly #prefix: string;

  constructor(redis: ReconnectingRedis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /** The keys whose logs grew, and the count of appends with this one; null from `until` on, by the clock of Redis or `now`. */
  async append(
    references: { reference: string; keyIds: string[] }[],
    { until, now }: { until?: number; now?: number },
  ): Promise<{ keyIds: string[]; count: number } | null> {
    const pairs = JSON.stringify(references.map(({ reference, keyIds }) => [reference, keyIds]));
    const answer = await this.#run(scripts.append, now ?? "", until ?? "", pairs);
    if (answer === null) return null;
    const [count, keyIds] = answer as [number, string[]];
    return { keyIds, count };
  }

  async read(keyId: string, after: number, limit: number): Promise<Reference[]> {
    const stream = `${this.#prefix}of:${keyId}`;
    const entries = await this.#redis.ask(client =>
      client.xRange(stream, `${after + 1}`, "+", { COUNT: limit }),
    );
    return (entries ?? []).map(({ id, message }) => {
      const [seq, at] = id.split("-").map(Number);
      return { seq: Number(seq), at: Number(at), body: String(message.b) };
    });
  }

  async bounds(keyId: string): Promise<Bounds> {
    const [oldest, latest] = (await this.#run(scripts.bounds, keyId)) as [number, number];
    return { oldest, latest };
  }

  /** The last position whose entry is older than `since` (ms). */
  async positionAt(keyId: string, since: number): Promise<number> {
    return Number(await this.#run(scripts.positionAt, keyId, since));
  }

  /** Removes at most `limit` references that are older than `before` (ms); tells how many went. */
  async pruneSlice(before: number, limit: number): Promise<number> {
    return Number(await this.#run(scripts.pruneSlice, before, limit));
  }

  /** Removes at most `limit` references of a key, and with the last one its counter; tells how many went. */
  async dropSlice(keyId: string, limit: number): Promise<number> {
    return Number(await this.#run(scripts.dropSlice, keyId, limit));
  }

  /** How many appends there were. */
  async growths(): Promise<number> {
    return Number(await this.#redis.ask(client => client.get(`${this.#prefix}growths`)));
  }

  /** The count of appends, and the keys that have grown since another one, each with the count of its last growth. */
  async grownSince(since: number): Promise<{ count: number; grown: Map<string, number> }> {
    const [count, flat] = (await this.#run(scripts.grownSince, since)) as [number, string[]];
    const grown = new Map<string, number>();
    for (let at = 0; at < flat.length; at += 2) grown.set(String(flat[at]), Number(flat[at + 1]));
    return { count, grown };
  }

  close(): void {
    this.#redis.close();
  }

  #run(script: string, ...values: (string | number)[]): Promise<unknown> {
    const args = [this.#prefix, ...values.map(String)];
    return this.#redis.ask(client => client.eval(script, { arguments: args }));
  }
}
