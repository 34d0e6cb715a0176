import type { FindOptions, Query } from "../../../mixins/store/store.ts";
import { leadingShard, newLane } from "../../../services/domain/delivery/lane.ts";
import {
  LaneMaintenance,
  type MaintenanceOptions,
} from "../../../services/webhook-dispatcher/lanes/lane-maintenance.ts";
import type { StoredAttempts, StoredLane } from "../../../services/webhook-dispatcher/webhooks.store.ts";
import { MemoryLog } from "../../fakes/memory-log.ts";
import { until } from "../../support/until.ts";

const retry = { seq: 1, conversation: null, failures: 1, notBefore: 0, failedAt: 0 };
const late = (shard: number): StoredLane => ({ _id: `key-${shard}`, shard, ...newLane(1), retries: [retry] });

/** Checks one late lane in each of two shards; a slice of old deliveries goes when `removed` says so. */
function openMaintenance(removed: Promise<number>) {
  const woken: string[] = [];
  const removals: Query<StoredAttempts>[] = [];
  const errors: unknown[] = [];
  const lanes = {
    find: async ({ query }: FindOptions<StoredLane> = {}) => [late(Number(query?.shard))],
  };
  const deliveries = {
    find: async () => [{ _id: "01J", each: [] }],
    removeMany: (query: Query<StoredAttempts>) => {
      removals.push(query);
      return removed;
    },
  };
  const maintenance = new LaneMaintenance({
    lanes: lanes as unknown as MaintenanceOptions["lanes"],
    deliveries: deliveries as unknown as MaintenanceOptions["deliveries"],
    keptMs: 72 * 3_600_000,
    log: new MemoryLog(),
    shards: () => [leadingShard, 7],
    wake: keyIds => woken.push(...keyIds),
    passedTo: ({ position }) => position,
    finishOpen: async () => undefined,
    reread: () => undefined,
    onError: error => errors.push(error),
  });
  return { maintenance, woken, removals, errors };
}

test("late lanes do not wait for old deliveries to be removed; the end does, for a slice", async () => {
  const removed = Promise.withResolvers<number>();
  const { maintenance, woken, removals } = openMaintenance(removed.promise);
  maintenance.checkShard(leadingShard);
  maintenance.checkShard(7);
  await until("both are woken", () => woken.length === 2);
  expect(woken).toEqual([`key-${leadingShard}`, "key-7"]);
  let isClosed = false;
  const closing = maintenance.close().then(() => {
    isClosed = true;
  });
  await new Promise(resolve => setImmediate(resolve));
  expect(isClosed).toBe(false);
  removed.resolve(0);
  await closing;
  expect(removals).toEqual([{ _id: { $lte: "01J" } }]);
});

test("old deliveries that could not be removed are tried again with the next look", async () => {
  const { maintenance, removals, errors } = openMaintenance(Promise.reject(new Error("away")));
  maintenance.checkShard(leadingShard);
  await until("it is told", () => errors.length === 1);
  maintenance.checkShard(leadingShard);
  await until("it is tried again", () => removals.length === 2);
  await maintenance.close();
});
