import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteAdapter } from "../../../../mixins/store/sqlite/sqlite.adapter.ts";
import { adapterStore } from "../../../../mixins/store/sqlite/sqlite-store.ts";
import type { Store } from "../../../../mixins/store/store.ts";
import { fail } from "../../../../services/contracts/errors.ts";
import { newLane } from "../../../../services/domain/delivery/lane.ts";
import { listAllDeliveries } from "../../../../services/webhook-dispatcher/endpoints/deliveries.ts";
import { removeAttempts } from "../../../../services/webhook-dispatcher/journal/attempt-list.ts";
import { Journal } from "../../../../services/webhook-dispatcher/journal/journal.ts";
import {
  deliveriesCollection,
  lanesCollection,
  type StoredAttempts,
  type StoredEndpoint,
  type StoredLane,
} from "../../../../services/webhook-dispatcher/webhooks.store.ts";
import { removeFolder } from "../../../support/folders.ts";
import { endpoint as ofOneLane } from "../one-lane.ts";

const endpoint = { ...ofOneLane, _id: "a" };

let folder: string;
let adapters: Map<string, SqliteAdapter>;
let journal: Journal;
let endpoints: Store<StoredEndpoint>;
let lanes: Store<StoredLane>;
let deliveries: Store<StoredAttempts>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "magpie-journal-"));
  const names = ["webhooks", lanesCollection, deliveriesCollection];
  adapters = new Map(names.map(name => [name, new SqliteAdapter(join(folder, "magpie.db"), name, [])]));
  for (const adapter of adapters.values()) await adapter.connect();
  const store = adapterStore<StoredEndpoint>(adapters, "webhooks");
  endpoints = store;
  lanes = store.collection(lanesCollection);
  deliveries = store.collection(deliveriesCollection);
  const collection: Store<StoredEndpoint>["collection"] = name =>
    name === deliveriesCollection ? (deliveries as never) : store.collection(name);
  journal = new Journal({ ...store, collection }, { error: () => undefined });
});
afterEach(async () => {
  for (const adapter of adapters.values()) await adapter.disconnect();
  await removeFolder(folder);
});

test("steps see one another's changes and are stored once they resolve", async () => {
  const seen = await Promise.all([
    journal.write("a", batch => batch.setLane("a", newLane(1))),
    journal.write("a", batch => batch.lane("a")?.position),
    journal.write("b", batch => batch.setLane("b", newLane(2))),
    journal.write("b", batch => batch.setLane("b", null)),
    journal.write("b", batch => batch.lane("b")),
  ]);
  expect(seen[1]).toBe(1);
  expect(seen[4]).toBeNull();
  expect((await lanes.find()).map(({ _id }) => _id)).toEqual(["a"]);
});

test("a step that throws fails alone, and leaves nothing behind", async () => {
  const results = await Promise.allSettled([
    journal.write("a", batch => batch.setLane("a", newLane(1))),
    journal.write("b", batch => {
      batch.setLane("b", newLane(1));
      throw new Error("no");
    }),
    journal.write("c", batch => batch.setLane("c", newLane(1))),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((await lanes.find({ sort: ["_id"] })).map(({ _id }) => _id)).toEqual(["a", "c"]);
});

test("a write that the disk refuses is a problem until one succeeds; one that is refused for its own sake is none", async () => {
  const full = new Error("database or disk is full");
  const refuse = (error: Error) =>
    journal.write("a", batch => {
      batch.setLane("a", newLane(1));
      throw error;
    });
  await expect(refuse(fail("conflict", "There is one."))).rejects.toMatchObject({ type: "conflict" });
  expect(await journal.writeError()).toBeUndefined();
  deliveries.upsert = () => Promise.reject(full);
  await expect(refuse(full)).rejects.toBe(full);
  expect(await journal.writeError()).toBe(full);
  await journal.write("a", () => undefined);
  expect(await journal.writeError()).toBe(full);
  await journal.write("a", batch => batch.setLane("a", newLane(1)));
  expect(await journal.writeError()).toBeUndefined();
});

test("while the question writes, lists have no attempt of it", async () => {
  const full = new Error("database or disk is full");
  const refused = journal.write("a", () => {
    throw full;
  });
  await expect(refused).rejects.toBe(full);
  deliveries.remove = async () => null;
  expect(await journal.writeError()).toBeUndefined();
  expect(await deliveries.count()).toBe(1);
  expect((await listAllDeliveries({ deliveries }, { limit: 5 })).data).toEqual([]);
  await removeAttempts(deliveries, {});
  expect(await deliveries.count()).toBe(0);
});

test("where nothing else is written, the question finds out that the disk has room again, and leaves nothing there", async () => {
  const full = new Error("database or disk is full");
  const refused = journal.write("a", () => {
    throw full;
  });
  await expect(refused).rejects.toBe(full);
  expect(await journal.writeError()).toBeUndefined();
  expect([await lanes.count(), await deliveries.count()]).toEqual([0, 0]);
});

test("lanes in memory follow what is written until they are let go", async () => {
  await endpoints.insert(endpoint);
  await lanes.insert({ _id: "a", shard: 0, ...newLane(0) });
  await journal.loadActive(["a", "b"]);
  await journal.write("a", batch => batch.setLane("a", newLane(5)));
  expect(journal.lane("a")?.position).toBe(5);
  journal.unload("a");
  expect(journal.lane("a")).toBeUndefined();
  expect(await journal.write("a", batch => batch.lane("a")?.position)).toBe(5);
});

test("more steps than one group holds are all written", async () => {
  await Promise.all(
    Array.from({ length: 1_000 }, (_, n) =>
      journal.write(`k${n}`, batch => batch.setLane(`k${n}`, newLane(n))),
    ),
  );
  await journal.idle();
  expect(await lanes.count()).toBe(1_000);
});

test("a patient step is taken along by an impatient one, in order, and by the end", async () => {
  const order: string[] = [];
  const patient = journal.writeOutcome("a", () => order.push("patient"), 60_000);
  await journal.write("a", () => order.push("impatient"));
  await patient;
  expect(order).toEqual(["patient", "impatient"]);
  const last = journal.writeOutcome("a", () => order.push("last"), 60_000);
  await journal.idle();
  await last;
  expect(order).toEqual(["patient", "impatient", "last"]);
});
