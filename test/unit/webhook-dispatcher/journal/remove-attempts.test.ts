import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as yieldToLoop } from "node:timers/promises";
import { SqliteAdapter } from "../../../../mixins/store/sqlite/sqlite.adapter.ts";
import { adapterStore } from "../../../../mixins/store/sqlite/sqlite-store.ts";
import type { Query, Store } from "../../../../mixins/store/store.ts";
import type { WebhookContext } from "../../../../services/webhook-dispatcher/context.ts";
import { forgetKey } from "../../../../services/webhook-dispatcher/endpoints/list-endpoints.ts";
import { removeAttempts } from "../../../../services/webhook-dispatcher/journal/attempt-list.ts";
import {
  type AttemptEntry,
  deliveriesCollection,
  type StoredAttempts,
} from "../../../../services/webhook-dispatcher/webhooks.store.ts";
import { removeFolder } from "../../../support/folders.ts";

const id = (n: number) => String(n).padStart(26, "0");
let folder: string;
let adapter: SqliteAdapter;
let store: Store<StoredAttempts>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "magpie-deliveries-"));
  adapter = new SqliteAdapter(join(folder, "magpie.db"), deliveriesCollection, []);
  await adapter.connect();
  store = adapterStore(new Map([[deliveriesCollection, adapter]]), deliveriesCollection);
  const delivery = (n: number): StoredAttempts => ({
    _id: id(n),
    keyId: n % 5 === 0 ? "b" : "a",
    events: `evt_${n}`,
    type: "webhook.test",
    url: "https://hooks.example/",
    attempt: 1,
    outcome: "succeeded",
    http_status: 200,
    error: null,
    at: 0,
    answer: "",
    each: [["", n, 0, 1]],
  });
  await store.insertMany(Array.from({ length: 2_500 }, (_, n) => delivery(n)));
});
afterEach(async () => {
  await adapter.disconnect();
  await removeFolder(folder);
});

/** The deliveries, and how many of them went at a time. */
function counted() {
  const slices: number[] = [];
  const removeMany = async (query: Query<StoredAttempts>) => {
    const removed = await store.removeMany(query);
    slices.push(removed);
    return removed;
  };
  return { slices, deliveries: { ...store, removeMany } };
}

test.each<[string, Query<StoredAttempts>, number]>([
  ["those of a key", { keyId: "a" }, 2_000],
  ["those before a time", { _id: { $lt: id(1_700) } }, 1_700],
  ["a few", { _id: { $lt: id(3) } }, 3],
])("%s go all, not many at a time, and no others", async (_, query, count) => {
  const { slices, deliveries } = counted();
  await removeAttempts(deliveries, query);
  expect(slices.reduce((total, size) => total + size, 0)).toBe(count);
  expect(Math.max(...slices)).toBeLessThanOrEqual(500);
  expect(await store.count()).toBe(2_500 - count);
  expect(await store.count(query)).toBe(0);
});

test("rows of many attempts go a few at a time, and rows of one many at a time", async () => {
  const [row] = await store.find({ limit: 1 });
  const each = Array.from({ length: 128 }, (): AttemptEntry => ["", 1, 0, 1]);
  const full = Array.from({ length: 100 }, (_, n) => ({
    ...(row as StoredAttempts),
    _id: id(3_000 + n),
    each,
  }));
  await store.insertMany(full);
  const { slices, deliveries } = counted();
  await removeAttempts(deliveries, {});
  expect(slices.reduce((total, size) => total + size, 0)).toBe(2_600);
  expect(slices.slice(-20).filter(size => size > 3)).toEqual([]);
  expect(slices.length).toBeLessThan(80);
});

test("attempts of a key that is forgotten go", async () => {
  const { slices, deliveries } = counted();
  const journal = { write: async () => null };
  const dispatcher = { removed: () => undefined };
  const endpoints = { find: async () => [] };
  await forgetKey({ journal, dispatcher, endpoints, deliveries } as unknown as WebhookContext, "a");
  expect(Math.max(...slices)).toBeLessThanOrEqual(500);
  expect(await store.count()).toBe(500);
});

test("other work has its turn in between, and may end it", async () => {
  const ending = new AbortController();
  const removing = removeAttempts(store, { keyId: "a" }, ending.signal);
  await yieldToLoop();
  ending.abort();
  await removing;
  const left = await store.count({ keyId: "a" });
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(2_000);
});
