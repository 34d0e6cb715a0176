import { fail } from "../../services/contracts/errors.ts";
import type { Appended } from "../../services/contracts/events.ts";
import type { ClusterConfig } from "../config/cluster.ts";
import { closeMongo, openMongo } from "../mongo/mongo.ts";
import { quiet } from "../redis/quiet.ts";
import { Bodies, referenceOf } from "./bodies.ts";
import { Growth } from "./growth.ts";
import { inSlices, sliceSize } from "./in-slices.ts";
import { type NewEvent, type OpenLog, retentionMs } from "./log.ts";
import { readPortion, type Sources } from "./read-portion.ts";
import { ReconnectingRedis } from "./reconnecting-redis.ts";
import * as scripts from "./redis-scripts.ts";

/** For appends that take long, and for clocks that do not agree. */
const slackMs = 3_600_000;

export interface RedisLogOptions {
  cluster: Pick<ClusterConfig, "redisUrl" | "mongoUrl" | "namespace">;
  /** Tells everyone, this log's own listeners among them, which logs have grown. */
  hint(appended: Appended): void;
  /** Hears of what hinders the log. */
  onError(error: unknown): void;
  /** That of Redis, unless it is given. */
  now?: () => number;
}

/**
 * The event log of a cluster: references in Redis, which must keep an append-only file and evict nothing, and bodies in
 * MongoDB. A body is there before its references, and is removed after them. All references of an append are made by
 * one script, which adds nothing when it is repeated.
 */
export async function openRedisLog({ cluster, hint, onError, now }: RedisLogOptions): Promise<OpenLog> {
  const prefix = `${cluster.namespace}:log:`;
  const redis = await ReconnectingRedis.open({ url: cluster.redisUrl, onError: quiet(onError) });
  const bodies = await openBodies(cluster).catch(error => {
    redis.close();
    throw error;
  });
  const run = (script: string, ...values: (string | number)[]): Promise<unknown> =>
    redis.ask(client => client.eval(script, { arguments: [prefix, ...values.map(String)] }));
  const grownSince = async (since: number) => {
    const [count, flat] = (await run(scripts.grownSince, since)) as [number, string[]];
    return { count, grown: countsOf(flat) };
  };
  const growth = new Growth((await grownSince(0)).count, { look: grownSince, onError: quiet(onError) });
  let isOpen = true;

  const append = async (events: NewEvent[], until: number | "" = "") => {
    const wanted = events.filter(({ keyIds }) => keyIds.length > 0);
    if (wanted.length === 0) return [];
    await bodies.store(wanted, now?.() ?? Date.now());
    const references = wanted.map(({ bodyId, keyIds }) => [referenceOf(bodyId), keyIds]);
    const answer = await run(scripts.append, now?.() ?? "", until, JSON.stringify(references));
    if (answer === null) throw fail("conflict", "The lease of this step has ended.");
    const [count, keyIds] = answer as [number, string[]];
    if (keyIds.length > 0) hint({ keyIds, count });
    return keyIds;
  };
  const sources: Sources = { redis, bodies, streamOf: keyId => `${prefix}of:${keyId}`, now: now ?? Date.now };
  return {
    append,
    tell: async (store, work, until) => {
      await store.transaction(work, "loss of power", events => append(events, until));
    },
    read: async (keyId, after, limit) => {
      const portion = { events: limit, bytes: Number.POSITIVE_INFINITY };
      return (await readPortion(sources, keyId, after, portion)).events;
    },
    readPortion: (keyId, after, portion) => readPortion(sources, keyId, after, portion),
    bounds: async keyId => {
      const [oldest, latest] = (await run(scripts.bounds, keyId)) as [number, number];
      return { oldest, latest };
    },
    positionAt: async (keyId, since) => Number(await run(scripts.positionAt, keyId, since.getTime())),
    onAppended: listener => growth.listen(listener),
    prune: async at => {
      const before = at.getTime() - retentionMs;
      const removed = await inSlices(async () =>
        isOpen ? Number(await run(scripts.pruneSlice, before, sliceSize)) : 0,
      );
      await inSlices(() => (isOpen ? bodies.pruneSlice(before - slackMs, sliceSize) : 0));
      return removed;
    },
    drop: async keyId => {
      await inSlices(async () => (isOpen ? Number(await run(scripts.dropSlice, keyId, sliceSize)) : 0));
    },
    hear: ({ keyIds, count = 0 }) => growth.hear(keyIds, count),
    close: async () => {
      isOpen = false;
      growth.close();
      redis.close();
      await closeMongo(cluster);
    },
  };
}

async function openBodies(cluster: RedisLogOptions["cluster"]): Promise<Bodies> {
  const mongo = await openMongo(cluster);
  try {
    return await Bodies.open(mongo);
  } catch (error) {
    await closeMongo(cluster);
    throw error;
  }
}

/** Keys and counts, in turn. */
function countsOf(flat: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at < flat.length; at += 2) counts.set(String(flat[at]), Number(flat[at + 1]));
  return counts;
}
