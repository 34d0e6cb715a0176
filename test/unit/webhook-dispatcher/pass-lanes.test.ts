import { getEventListeners } from "node:events";
import { jest } from "@jest/globals";
import type { Quotas } from "../../../mixins/clients/quotas.ts";
import { shardOf } from "../../../services/domain/delivery/lane.ts";
import { LaneMaintenance } from "../../../services/webhook-dispatcher/lanes/lane-maintenance.ts";
import {
  deliveriesCollection,
  lanesCollection,
  type StoredAttempts,
  type StoredEndpoint,
  type StoredLane,
} from "../../../services/webhook-dispatcher/webhooks.store.ts";
import { noQuotas } from "../../support/no-quotas.ts";
import { until } from "../../support/until.ts";
import { endpoint, type LaneFixture, lease, openLane } from "./one-lane.ts";

const shard = shardOf("k");
const other: StoredEndpoint = {
  ...endpoint,
  _id: "k:1",
  keyId: "k",
  webhookId: "w1",
  url: "https://hooks.example/1",
};
let fixture: LaneFixture;

beforeEach(async () => {
  fixture = await openLane({ others: [other] });
});
afterEach(async () => {
  await fixture.close();
});

async function append(id: string): Promise<void> {
  const [type, timestamp] = ["rss.item.created" as const, "2026-01-01T00:00:00.000Z"];
  await fixture.log.append([{ bodyId: id, type, timestamp, data: { source: null } as never, keyIds: ["k"] }]);
  fixture.dispatcher.wake(["k"]);
}

test("lanes with nothing under way leave at once, others when their outcomes are recorded", async () => {
  const { dispatcher, disk } = fixture;
  await append("a");
  await until("both have it", () => fixture.sent.length === 2);
  await until("no lane is in memory", () => dispatcher.busy.length === 0);
  expect(dispatcher.pass([shard])).toEqual({ keyIds: [], leaving: new Map() });
  dispatcher.gain(shard, lease);
  disk.fault = new Error("no space");
  await append("b");
  await until("both have it", () => fixture.sent.length === 4);
  const { keyIds, leaving } = dispatcher.pass([shard]);
  expect([keyIds, [...leaving.keys()].sort(), dispatcher.shards]).toEqual([["k"], ["k", "k:1"], []]);
  await append("c");
  delete disk.fault;
  await Promise.all(leaving.values());
  expect(dispatcher.busy).toEqual([]);
  expect(await fixture.stored()).toMatchObject({ position: 2 });
  expect(fixture.sent).toHaveLength(4);
});

test("a lane that is withheld sends nothing until it is admitted; others of its key do", async () => {
  const { dispatcher } = fixture;
  dispatcher.pass([shard]);
  dispatcher.gain(shard, lease, ["k:1"]);
  await append("a");
  await until("one has it", () => fixture.sentTo("/").length === 1);
  await append("b");
  await until("one has both", () => fixture.sentTo("/").length === 2);
  expect(fixture.sentTo("/1")).toEqual([]);
  dispatcher.admit(["k:1"]);
  await until("the other has both", () => fixture.sentTo("/1").length === 2);
});

test("what was read of a lane before it is admitted decides nothing", async () => {
  const { dispatcher, journal, store } = fixture;
  dispatcher.pass([shard]);
  dispatcher.gain(shard, lease, ["k:1"]);
  const load = journal.loadActive.bind(journal);
  const loading = jest.spyOn(journal, "loadActive").mockImplementationOnce(async (...given) => {
    const found = await load(...given);
    // Meanwhile the other thread has recorded that the first event arrived.
    await store.collection<StoredLane>(lanesCollection).update("k:1", { $set: { position: 1 } });
    dispatcher.admit(["k:1"]);
    return found;
  });
  await append("a");
  await until("one has it", () => fixture.sentTo("/").length === 1);
  await append("b");
  await until("both have the next", () => fixture.sent.length === 3);
  await until("no lane is in memory", () => dispatcher.busy.length === 0);
  expect(fixture.sentTo("/1")).toHaveLength(1);
  loading.mockRestore();
});

test("a shard that comes back before a lane has left is worked again once it has", async () => {
  const { dispatcher, disk } = fixture;
  disk.fault = new Error("no space");
  await append("a");
  await until("both have it", () => fixture.sent.length === 2);
  const { leaving } = dispatcher.pass([shard]);
  dispatcher.gain(shard, lease);
  await append("b");
  delete disk.fault;
  await Promise.all(leaving.values());
  await until("both have both", () => fixture.sent.length === 4);
  expect(new Set(fixture.sentTo("/")).size).toBe(2);
});

test("a lane that was passed before it sent what it wants is late when its shard comes back", async () => {
  await fixture.close();
  let isHeld = true;
  const used = {
    name: "deliveries",
    period: "day",
    used: 1,
    limit: 1,
    resets_at: "2100-01-01T00:00:00.000Z",
  } as const;
  const quotas: Quotas = {
    ...noQuotas,
    has: () => true,
    charge: async (keyId, charges) =>
      isHeld ? { granted: [], refused: used, quotas: [] } : await noQuotas.charge(keyId, charges),
  };
  const filtered: StoredEndpoint = { ...other, event_types: ["rss.item.created"] };
  fixture = await openLane({ lane: { status: "FAILED" }, others: [filtered], quotas });
  const { dispatcher, log, store } = fixture;
  const maintenance = new LaneMaintenance({
    lanes: store.collection<StoredLane>(lanesCollection),
    deliveries: store.collection<StoredAttempts>(deliveriesCollection),
    keptMs: 72 * 3_600_000,
    log,
    shards: () => dispatcher.shards,
    wake: keyIds => dispatcher.wake(keyIds),
    passedTo: lane => dispatcher.passedTo(lane),
    finishOpen: async () => undefined,
    reread: () => undefined,
    onError: error => {
      throw error;
    },
  });
  await append("wanted");
  const [type, timestamp] = ["rss.item.updated" as const, "2026-01-01T00:00:00.000Z"];
  for (let n = 0; n < 30; n += 1)
    await log.append([
      { bodyId: `no-${n}`, type, timestamp, data: { source: null } as never, keyIds: ["k"] },
    ]);
  dispatcher.wake(["k"]);
  await until("it has passed over the others", () => dispatcher.passedIn("k:1") === 30);
  expect(fixture.sent).toEqual([]);
  await Promise.all(dispatcher.pass([shard]).leaving.values());
  isHeld = false;
  dispatcher.gain(shard, lease);
  maintenance.checkShard(shard);
  await until("it has come", () => fixture.sentTo("/1").length === 1);
  await maintenance.close();
});

test("a shard that passes often leaves nothing at its lease", async () => {
  const { dispatcher } = fixture;
  const lost = new AbortController();
  const long = { ...lease, signal: lost.signal };
  for (let n = 0; n < 5; n += 1) {
    dispatcher.gain(shard, long);
    await Promise.all(dispatcher.pass([shard]).leaving.values());
  }
  await until("it listens no more", () => getEventListeners(lost.signal, "abort").length === 0);
  dispatcher.gain(shard, long);
  lost.abort();
  expect(dispatcher.shards).toEqual([]);
});
