import { fail } from "../../services/contracts/errors.ts";
import { RedisConnection } from "../cluster/redis.ts";
import { mapRedisErrors, throttleErrors } from "../cluster/redis-errors.ts";
import type { OpenFrontier } from "./embedded.frontier.ts";
import type { Candidate, Claim, Counts, Outcome, Settled } from "./frontier.ts";
import * as scripts from "./frontier-scripts.ts";

/** Pages in one slice of a long step: a few milliseconds, in which Redis does nothing else. */
const sliceSize = 500;

export interface RedisFrontierOptions {
  /** The address of Redis. */
  url: string;
  /** Begins the keys of all crawls. */
  prefix: string;
  /** Receives errors of the connection. */
  onError: (error: unknown) => void;
}

/**
 * The frontier of a cluster, in Redis, which must keep an append-only file and evict nothing. A step is one script. A
 * step whose answer is lost rejects although Redis may have run it; the driver then opens the crawl again with a higher
 * fence.
 */
export function openRedisFrontier({ url, prefix, onError }: RedisFrontierOptions): OpenFrontier {
  const redis = connect(url).on("error", throttleErrors(onError));
  const keysOf = (crawlId: string) => scripts.keyNames.map(name => `${prefix}:{${crawlId}}:${name}`);
  const run = (script: string, crawlId: string, ...values: (string | number)[]): Promise<unknown> =>
    mapRedisErrors(redis.eval(script, scripts.keyNames.length, ...keysOf(crawlId), ...values));
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
    postpone: async (crawlId, fence, key, until, isTry = true) => {
      await step(scripts.postpone, crawlId, fence, key, until, Number(isTry));
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
      await mapRedisErrors(redis.unlink(...keysOf(crawlId)));
    },
    close: async () => redis.disconnect(),
  };
}

/**
 * The client does not send a command again after a broken connection, since a step that runs twice would lose claims. It
 * gives up commands that wait for a connection after some 3 s, before their timeout: a command that has timed out would
 * still be sent later.
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

/** A page as the scripts store it; the scripts name these fields by their index. */
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
