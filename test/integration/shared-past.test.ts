import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedLeases } from "../../mixins/coordination/leases/embedded.leases.ts";
import { openEmbeddedHistory } from "../../mixins/history/embedded.history.ts";
import type { OpenHistory } from "../../mixins/history/history.ts";
import { openSqliteStore } from "../../mixins/store/sqlite/sqlite-store.ts";
import type { Store } from "../../mixins/store/store.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import type { Checked } from "../../services/contracts/connectors.contract.ts";
import type { View, WatchChanges } from "../../services/contracts/watch.contract.ts";
import { listChecks } from "../../services/history/checks.ts";
import type { Reading } from "../../services/history/context.ts";
import { listValues } from "../../services/history/values.ts";
import { keptVersion, listVersions, ownVersionAt, readableVersion } from "../../services/history/versions.ts";
import type { Platforms } from "../../services/tracker/connectors.ts";
import { openContext, type TrackerContext } from "../../services/tracker/context.ts";
import { WorkerSession } from "../../services/tracker/maintenance/worker-session.ts";
import { storeOptions } from "../../services/tracker/sources.store.ts";
import { heldSource } from "../../services/tracker/tracking/held-source.ts";
import { track } from "../../services/tracker/tracking/track.ts";
import { changeTracked } from "../../services/tracker/watches/watch.ts";
import { MemoryLog } from "../fakes/memory-log.ts";
import { checkedVersion } from "../fakes/upstream.ts";
import { removeFolder } from "../support/folders.ts";
import { trackerPorts } from "../support/tracker-ports.ts";

/* Two keys track one address, and one of them changes how. */

const url = "https://bank.example/account";
const hour = 3_600_000;

let folder: string;
let context: TrackerContext;
let history: OpenHistory;
let closeStore: () => Promise<void>;
let now: number;
let said: (view: View) => string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "magpie-shared-past-"));
  const path = join(folder, "magpie.db");
  const { collection, indexes = [], extraCollections = {} } = storeOptions;
  const opened = await openSqliteStore(path, Object.entries({ [collection]: indexes, ...extraCollections }));
  closeStore = opened.close;
  history = openEmbeddedHistory(path);
  const leases = openEmbeddedLeases(folder);
  const { store } = opened as unknown as { store: Store<never> };
  const session = new WorkerSession(store.collection("worker_sessions"), leases);
  await session.start();
  now = Date.parse("2026-03-01T00:00:00.000Z");
  said = () => "Please log in";
  const nothingNew = { ok: true as const, posts: [], state: {}, nextInMs: 60_000 };
  let sealed = 0;
  context = openContext(store, {
    ...trackerPorts(async () => nothingNew),
    vault: {
      seal: async (_, text) => {
        sealed += 1;
        return Buffer.from(`${sealed} ${text}`).toString("base64");
      },
      unseal: async (_, text) => Buffer.from(text, "base64").toString().replace(/^\d+ /, ""),
    },
    ...{ leases, leaseTokens: session, history, log: new MemoryLog(), minIntervalMs: 60_000 },
    closing: new AbortController().signal,
    onConnectorError: (_, error) => {
      throw error;
    },
    now: () => now,
    random: () => 0,
  });
});

afterEach(async () => {
  await history.close();
  await closeStore();
  await removeFolder(folder);
});

const platforms = {
  resolve: async ({ view = {} }: { view?: View }) => ({
    ...{ kind: "web" as const, externalId: url, username: "bank.example", name: "Account", state: {} },
    check: checkOf(view),
  }),
} as unknown as Platforms;

function checkOf(view: View): Checked {
  const text = said(view);
  const values = { text };
  return { outcome: "same", reason: "It says the same.", tookMs: 1, version: checkedVersion(text), values };
}

const caller = (keyId: string) => ({ keyId, owner: keyId, limits: defaultLimits });

const begins = (keyId: string, options: WatchChanges = {}) =>
  track(context, caller(keyId), { source: "web", sid: url, options: options as object }, platforms);

const changes = (keyId: string, options: WatchChanges) =>
  changeTracked(context, caller(keyId), { source: "web", eid: url, options }, platforms);

/** All texts of versions and values that a key can read, oldest first, and the number of its checks. */
async function readBy(keyId: string) {
  const subscription = await context.subscriptions.findOne({ keyId });
  const { held } = await heldSource(context, { keyId, id: subscription?.sourceId ?? "" });
  const reading = { context: { history, now: () => now + hour }, keyId, held } as unknown as Reading;
  const texts: string[] = [];
  const { data } = await listVersions(reading, { all: true, limit: 99 });
  for (const { id } of data.reverse()) {
    const version = await readableVersion(reading, id);
    texts.push((await keptVersion(reading, version)).content);
  }
  for (const { id } of await history.versions(held.id, { limit: 99 }))
    if (!data.some(shown => shown.id === id)) await expect(readableVersion(reading, id)).rejects.toThrow();
  const values = (await listValues(reading, { as: "json", limit: 99 })) as { data: { value: unknown }[] };
  const checks = (await listChecks(reading, { limit: 99 })).data.length;
  const begin = await ownVersionAt(history, held, held.readsFrom);
  return { texts, values: values.data.map(({ value }) => value), checks, begin: begin?.at ?? null };
}

test("what a key saw with its cookies stays its own when it gives them up", async () => {
  said = ({ sealed }) => (sealed ? "Balance of Alice: 12345" : "Please log in");
  await begins("alice", { cookies: { session: "secret" } });
  now += hour;
  await begins("bob");
  now += hour;
  await changes("alice", { cookies: null });
  const open = { texts: ["Please log in"], values: ["Please log in"] };
  expect(await readBy("bob")).toMatchObject(open);
  expect(await readBy("alice")).toMatchObject(open);
});

test("nor does it come into an open view that nobody else tracks yet", async () => {
  said = ({ sealed }) => (sealed ? "Balance of Alice: 12345" : "Please log in");
  await begins("alice", { cookies: { session: "secret" } });
  now += hour;
  await changes("alice", { cookies: null });
  await begins("bob");
  expect((await readBy("alice")).texts).toEqual(["Please log in"]);
  expect((await readBy("bob")).texts).toEqual(["Please log in"]);
});

test("other cookies of the same key keep its past", async () => {
  said = ({ sealed }) => `Sealed as ${sealed?.text.length}`;
  await begins("alice", { cookies: { session: "old" } });
  now += hour;
  await changes("alice", { cookies: { session: "a longer one" } });
  expect((await readBy("alice")).texts).toHaveLength(2);
});

test("the past that a key brings along is read by no key that joins, even where its clock is behind", async () => {
  said = ({ select }) => (select ? "Seen by all" : "Seen by Alice alone");
  await begins("alice");
  now += hour;
  await changes("alice", { select: ["main"] });
  expect(await readBy("alice")).toMatchObject({
    texts: ["Seen by Alice alone", "Seen by all"],
    values: ["Seen by Alice alone", "Seen by all"],
    checks: 1,
  });
  const made = now;
  now -= hour / 2;
  await begins("bob", { select: ["main"] });
  expect(await readBy("bob")).toEqual({
    texts: ["Seen by all"],
    values: ["Seen by all"],
    checks: 1,
    begin: made,
  });
});

test("a key that joins a view by a change of its options reads nothing that another one brought along", async () => {
  said = ({ select, remove }) => (remove ? "Seen by Bob" : select ? "Seen by all" : "Seen by Alice alone");
  await begins("bob", { remove: ["nav"] });
  await begins("alice");
  now += hour;
  await changes("alice", { select: ["main"] });
  now += hour;
  await changes("bob", { remove: null, select: ["main"] });
  expect((await readBy("bob")).texts).toEqual(["Seen by all"]);
  expect((await readBy("alice")).texts).toEqual(["Seen by Alice alone", "Seen by all"]);
});
