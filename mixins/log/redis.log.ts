import { fail } from "../../services/contracts/errors.ts";
import type { Appended, Event } from "../../services/contracts/events.ts";
import type { ClusterConfig } from "../config/cluster.ts";
import { closeMongo, openMongo } from "../mongo/mongo.ts";
import { quiet } from "../redis/quiet.ts";
import { Bodies, referenceOf } from "./bodies.ts";
import { Growth } from "./growth.ts";
import { inSlices, sliceSize } from "./in-slices.ts";
import { type NewEvent, type OpenLog, retentionMs } from "./log.ts";
import { LogServer } from "./log-server.ts";
import { readPortion } from "./read-portion.ts";
import { ReconnectingRedis } from "./reconnecting-redis.ts";

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
export async function openRedisLog(options: RedisLogOptions): Promise<OpenLog> {
  const { cluster, onError } = options;
  const redis = await ReconnectingRedis.open({ url: cluster.redisUrl, onError: quiet(onError) });
  const server = new LogServer(redis, `${cluster.namespace}:log:`);
  try {
    const count = await server.growths();
    const growth = new Growth(count, { look: since => server.grownSince(since), onError: quiet(onError) });
    return logOn(options, server, growth, await openBodies(cluster));
  } catch (error) {
    redis.close();
    throw error;
  }
}

function logOn(
  { cluster, hint, now }: RedisLogOptions,
  server: LogServer,
  growth: Growth,
  bodies: Bodies,
): OpenLog {
  const sources = { server, bodies, now: now ?? Date.now };
  let isOpen = true;
  const append = async (events: NewEvent[], until?: number) => {
    const wanted = events.filter(({ keyIds }) => keyIds.length > 0);
    if (wanted.length === 0) return [];
    await bodies.store(wanted, sources.now());
    const references = wanted.map(({ bodyId, keyIds }) => ({ reference: referenceOf(bodyId), keyIds }));
    const appended = await server.append(references, { until, now: now?.() });
    if (appended === null) throw fail("conflict", "The lease of this step has ended.");
    if (appended.keyIds.length > 0) hint(appended);
    return appended.keyIds;
  };
  return {
    append,
    tell: async (store, work, until) => {
      await store.transaction(work, "loss of power", events => append(events, until));
    },
    read: async (keyId, after, limit) => {
      const portion = { events: limit, bytes: Number.POSITIVE_INFINITY };
      const { events } = await readPortion(sources, keyId, after, portion);
      return events.map(({ json }) => JSON.parse(json) as Event);
    },
    readPortion: (keyId, after, portion) => readPortion(sources, keyId, after, portion),
    bounds: keyId => server.bounds(keyId),
    positionAt: (keyId, since) => server.positionAt(keyId, since.getTime()),
    onAppended: listener => growth.listen(listener),
    prune: async at => {
      const before = at.getTime() - retentionMs;
      const removed = await inSlices(() => (isOpen ? server.pruneSlice(before, sliceSize) : 0));
      await inSlices(() => (isOpen ? bodies.pruneSlice(before - slackMs, sliceSize) : 0));
      return removed;
    },
    drop: async keyId => {
      await inSlices(() => (isOpen ? server.dropSlice(keyId, sliceSize) : 0));
    },
    hear: ({ keyIds, count = 0 }) => growth.hear(keyIds, count),
    close: async () => {
      isOpen = false;
      growth.close();
      server.close();
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
