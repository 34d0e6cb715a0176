import { fail } from "../../services/contracts/errors.ts";
import { answered } from "../redis/away.ts";
import { quiet } from "../redis/quiet.ts";
import { RedisConnection } from "../redis/redis-connection.ts";
import type { OpenFrontier } from "./embedded.frontier.ts";
import type { Candidate, Claim, Counts, Outcome, Settled } from "./frontier.ts";
import * as scripts from "./redis-scripts.ts";

/** Pages that go at a time: a few milliseconds, in which Redis does nothing else. */
const sliceSize = 500;

export interface RedisFrontierOptions {
  /** Of Redis. */
  url: string;
  /** Begins the keys of all crawls. */
  prefix: string;
  /** Hears of what hinders the connection. */
  onError: (error: unknown) => void;
}

/**
 * The frontier of a cluster, in Redis, which must keep an append-only file and evict nothing. A step is one script. One
 * whose answer is lost rejects, and may have been taken: whoever drives the crawl opens it anew, with a higher fence.
 */
export function openRedisFrontier({ url, prefix, onError }: RedisFrontierOptions): OpenFrontier {
  const redis = connect(url).on("error", quiet(onError));
  const keysOf = (crawlId: string) => scripts.keyNames.map(name => `${prefix}:{${crawlId}}:${name}`);
  const run = (script: string, crawlId: string, ...values: (string | number)[]): Promise<unknown> =>
    answered(redis.eval(script, scripts.keyNames.length, ...keysOf(crawlId), ...values));
  const step = async (script: string, crawlId: string, ...values: (string | number)[]) => {
    const answer = await run(script, crawlId, ...values);
    if (answer === null) throw fail("conflict", "This crawl is driven by someone else.");
    return answer;
  };
  const counts = async (crawlId: string) => countsOf(await run(scripts.counts, crawlId));
  return {
    open: async (crawlId, fence, { limit, maxDiscovered }) =>
      countsOf(await step(scripts.open, crawlId, fence, limit, maxDiscovered)),
    offer: async (crawlId, fence, candidates) =>
      Number(await step(scripts.offer, crawlId, fence, recordsOf(candidates))),
    take: async (crawlId, fence, count, now) =>
      claimsOf(await step(scripts.take, crawlId, fence, count, now)),
    postpone: async (crawlId, fence, key, until) => {
      await step(scripts.postpone, crawlId, fence, key, until);
    },
    settle: async (crawlId, fence, key, { state, reason = null, aliases = [] }, links) => {
      const values = [key, state, JSON.stringify([reason]), JSON.stringify(aliases), recordsOf(links)];
      return countsOf(await step(scripts.settle, crawlId, fence, ...values));
    },
    nextDue: async crawlId => {
      const due = await run(scripts.nextDue, crawlId);
      return due === null ? null : Number(due);
    },
    finish: async (crawlId, fence, reason) => {
      while (Number(await step(scripts.finishSlice, crawlId, fence, reason, sliceSize)) > 0);
      return counts(crawlId);
    },
    counts,
    settled: async (crawlId, { after, limit, states = ["completed", "failed", "skipped"] }) =>
      settledOf(await run(scripts.settled, crawlId, after, limit, ...states)),
    drop: async crawlId => {
      await answered(redis.unlink(...keysOf(crawlId)));
    },
    close: async () => redis.disconnect(),
  };
}

/**
 * Commands are not sent again after a broken connection, since a step that was taken twice would lose claims. Those that
 * wait for a connection are given up after some 3 s, before their time is over: they would be sent afterwards all the same.
 */
function connect(url: string): RedisConnection {
  return new RedisConnection(url, {
    commandTimeout: 5000,
    connectTimeout: 5000,
    socketTimeout: 15_000,
    maxRetriesPerRequest: 10,
    autoResendUnfulfilledCommands: false,
    retryStrategy: times => Math.min(times * 50, 1000),
  });
}

/** A page as the scripts keep it: its index in this list is the name of a field there. */
type Kept = [url: string, depth: number, hops: number, from: string | null, external: boolean, tries: number];

function recordsOf(candidates: Candidate[]): string {
  return JSON.stringify(
    candidates.map(({ key, url, depth, hops, from, external }) => [key, [url, depth, hops, from, external]]),
  );
}

function countsOf(answer: unknown): Counts {
  const [queued = 0, running = 0, completed = 0, failed = 0, skipped = 0] = answer as number[];
  const discovered = queued + running + completed + failed + skipped;
  return { discovered, queued, running, completed, failed, skipped };
}

function claimsOf(answer: unknown): Claim[] {
  const flat = answer as string[];
  return flat.flatMap((key, at) =>
    at % 2 === 0 ? claimOf(key, JSON.parse(flat[at + 1] ?? "") as Kept) : [],
  );
}

function claimOf(key: string, [url, depth, hops, from, external, tries]: Kept): Claim {
  return { key, url, depth, hops, from, external, tries };
}

type EndedRow = [seq: number, state: Outcome["state"], key: string, page: string, reason: string | null];

function settledOf(answer: unknown): Settled[] {
  return (answer as EndedRow[]).map(([seq, state, key, page, reason]) => {
    const [url] = JSON.parse(page) as Kept;
    return { seq, key, url, state, reason };
  });
}
