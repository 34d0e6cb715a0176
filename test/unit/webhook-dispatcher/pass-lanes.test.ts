import { jest } from "@jest/globals";
import { shardOf } from "../../../services/domain/delivery/lane.ts";
import {
  lanesCollection,
  type StoredEndpoint,
  type StoredLane,
} from "../../../services/webhook-dispatcher/webhooks.store.ts";
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
