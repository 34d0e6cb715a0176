import { fail } from "../../services/contracts/errors.ts";
import type { Appended, Event, EventType } from "../../services/contracts/events.ts";
import { closeMongo, openMongo } from "../cluster/mongo.ts";
import { throttleErrors } from "../cluster/redis-errors.ts";
import { RepeatingRedis } from "../cluster/repeating-redis.ts";
import type { ClusterConfig } from "../config/config.ts";
import { AppendNotifications } from "./append-notifications.ts";
import { eraseInParts } from "./erasing.ts";
import { EventBodies, referenceOf } from "./event-bodies.ts";
import { hotMs, inSlices, type NewEvent, type OpenLog, sliceSize } from "./event-log.ts";
import { hotReferences } from "./hot-references.ts";
import { LogReferences, readReferenced } from "./log-references.ts";
import { openMongoIndex } from "./sealed/mongo.index.ts";
import { type Keeping, SealedLog } from "./sealed/sealed-log.ts";
import type { SegmentIndex } from "./sealed/segment-index.ts";

/** Bodies that are looked at together. */
const erasedTogether = 500;

/** For appends that take long, and for clocks that differ. */
const slackMs = 3_600_000;

export interface RedisLogOptions {
  cluster: Pick<ClusterConfig, "redisUrl" | "redisReplicas" | "mongoUrl" | "namespace">;
  /** Broadcasts which logs have grown, to this log's own listeners as well. */
  notify(appended: Appended): void;
  /** Called with the number of entries that an append has added for an event. */
  onEntries(type: EventType, entries: number): void;
  /** Has all nodes forget the events that they keep in memory. */
  onErased?(): unknown;
  /** Takes errors of the connections and of polls. */
  onError(error: unknown): void;
  /** Where sealed segments are; without it nothing is sealed, and events are kept while they are hot. */
  keeping?: Keeping;
  /** The clock; that of Redis by default. */
  now?: () => number;
}

/**
 * The event log of a cluster: references in Redis, which must keep an append-only file and evict nothing, and bodies in
 * MongoDB. A body is stored before its references and removed after them. One script adds all references of an append; it
 * adds nothing when it is repeated.
 */
export async function openRedisLog(options: RedisLogOptions): Promise<OpenLog> {
  const { cluster, onError } = options;
  const redis = await RepeatingRedis.open({
    url: cluster.redisUrl,
    replicas: cluster.redisReplicas,
    onError: throttleErrors(onError),
  });
  const server = new LogReferences(redis, `${cluster.namespace}:log:`);
  try {
    const count = await server.appendCount();
    const notifications = new AppendNotifications(count, {
      poll: since => server.grownSince(since),
      onError: throttleErrors(onError),
    });
    return logOn(options, server, notifications, await openDocuments(cluster));
  } catch (error) {
    redis.close();
    throw error;
  }
}

function logOn(
  { cluster, notify, onEntries, onErased, keeping, now }: RedisLogOptions,
  server: LogReferences,
  notifications: AppendNotifications,
  { bodies, index }: Documents,
): OpenLog {
  const sources = { server, bodies, now: now ?? Date.now };
  let isOpen = true;
  const hot: Pick<OpenLog, "readWithin" | "bounds" | "positionAt"> = {
    readWithin: (keyId, after, budget) => readReferenced(sources, keyId, after, budget),
    bounds: keyId => server.bounds(keyId),
    positionAt: (keyId, since) => server.positionAt(keyId, since.getTime()),
  };
  const parts = { index, reads: hot, hot: hotReferences(server, bodies), isOpen: () => isOpen };
  const sealed = keeping && new SealedLog(keeping, parts);
  const reads = sealed?.reads ?? hot;
  const retentionMs = keeping?.retentionMs ?? hotMs;
  const append = async (events: NewEvent[], until?: number) => {
    const wanted = events.filter(({ keyIds }) => keyIds.length > 0);
    if (wanted.length === 0) return [];
    await bodies.store(wanted, sources.now());
    const references = wanted.map(({ bodyId, keyIds }) => ({ reference: referenceOf(bodyId), keyIds }));
    const appended = await server.append(references, { until, now: now?.() });
    if (appended === null) throw fail("conflict", "The lease of this step has ended.");
    const { keyIds, count, entries } = appended;
    for (const [n, { type }] of wanted.entries()) if (entries[n]) onEntries(type, entries[n]);
    if (keyIds.length > 0) notify({ keyIds, count });
    return keyIds;
  };
  return {
    append,
    holders: (bodyIds, keyIds) => server.holders(bodyIds.map(referenceOf), keyIds),
    read: async (keyId, after, limit) => {
      const budget = { events: limit, bytes: Number.POSITIVE_INFINITY };
      const { events } = await reads.readWithin(keyId, after, budget);
      return events.map(({ json }) => JSON.parse(json) as Event);
    },
    readWithin: (keyId, after, budget) => reads.readWithin(keyId, after, budget),
    bounds: keyId => reads.bounds(keyId),
    positionAt: (keyId, since) => reads.positionAt(keyId, since),
    grownLast: limit => server.grownLast(limit),
    onAppended: listener => notifications.listen(listener),
    prune: async (at, signal) => {
      const before = at.getTime() - retentionMs;
      const positions = sealed ? await sealed.prune(at.getTime()) : 0;
      const removed = await inSlices(() => (isOpen ? server.pruneSlice(before, sliceSize) : 0));
      await sealed?.seal(at.getTime(), signal);
      // What has few events is hot for longer, until there is enough for a segment.
      const needed = Math.min(await server.oldestAt(), at.getTime() - Math.min(hotMs, retentionMs));
      await inSlices(() => (isOpen ? bodies.pruneSlice(needed - slackMs, sliceSize) : 0));
      return positions + removed;
    },
    drop: async keyId => {
      await inSlices(() => (isOpen ? server.dropSlice(keyId, sliceSize) : 0));
      await sealed?.drop(keyId);
    },
    erase: async (wanted, erasing) => {
      const hot = (after: string) => bodies.eraseSlice(wanted, after, erasedTogether, erasing.dry);
      const erased = await eraseInParts(hot, sealed, wanted, erasing);
      // Each call, since a hint may be lost.
      bodies.forget();
      await onErased?.();
      return erased;
    },
    forgetCached: () => bodies.forget(),
    receive: ({ keyIds, count = 0 }) => notifications.receive(keyIds, count),
    close: async () => {
      isOpen = false;
      notifications.close();
      server.close();
      await closeMongo(cluster);
    },
  };
}

/** What of the log is in MongoDB. */
interface Documents {
  bodies: EventBodies;
  index: SegmentIndex;
}

async function openDocuments(cluster: RedisLogOptions["cluster"]): Promise<Documents> {
  const mongo = await openMongo(cluster);
  try {
    return { bodies: await EventBodies.open(mongo), index: await openMongoIndex(mongo) };
  } catch (error) {
    await closeMongo(cluster);
    throw error;
  }
}
