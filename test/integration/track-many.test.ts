import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceBroker } from "moleculer";
import { codeOf, fail } from "../../services/contracts/errors.ts";
import {
  type TrackBatch,
  trackBatch,
  trackMany,
  type WantedSource,
} from "../../services/contracts/track-batch.contract.ts";
import { entrySteps, stepEntry } from "../../services/tracker/batches/step-entry.ts";
import { pruneBatches } from "../../services/tracker/batches/track-many.ts";
import { type Platforms, platformsThrough } from "../../services/tracker/connectors.ts";
import type { TrackerContext } from "../../services/tracker/context.ts";
import { forgetKey } from "../../services/tracker/tracking/untrack.ts";
import { SocialUpstream } from "../fakes/social-upstream.ts";
import { removeFolder } from "../support/folders.ts";
import { callAs, startTracker, type Tracker } from "../support/social-tracker.ts";
import { until } from "../support/until.ts";

const day = 24 * 3_600_000;

let dataDir: string;
let upstream: SocialUpstream;
let broker: ServiceBroker;
let service: Tracker;
let context: TrackerContext;
let platforms: Platforms;

async function start(): Promise<void> {
  ({ broker, service } = await startTracker(dataDir, upstream));
  ({ context } = service);
  platforms = platformsThrough(broker);
}

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-track-many-"));
  upstream = new SocialUpstream();
  await start();
});
afterEach(async () => {
  await broker.stop();
  await removeFolder(dataDir);
});

const users = (...names: string[]): WantedSource[] => names.map(sid => ({ source: "microblog", sid }));
const numbered = (count: number) => users(...Array.from({ length: count }, (_, n) => `user${n}`));

async function add(keyId: string, items: WantedSource[], limit?: number) {
  const { result, status } = await callAs(broker, keyId, trackMany, { items }, limit);
  return { ...result.data, status };
}

async function read(keyId: string, batch_id: string, page = {}): Promise<TrackBatch> {
  return (await callAs(broker, keyId, trackBatch, { batch_id, limit: 50, ...page })).result.data;
}

const tracked = async (keyId: string) =>
  (await context.subscriptions.find({ query: { keyId } })).map(({ sourceId }) => sourceId);

test("entries are tracked as requests of their own are, and the answer tells what became of each", async () => {
  await add("other", users("ann"));
  await add("key", users("bob"));
  const items = [...users("ann", "unknown", "bob", "wh?t"), { source: "messenger", sid: "+gate" } as const];
  const batch = await add("key", items);
  expect(batch).toMatchObject({
    status: 200,
    state: "completed",
    progress: { total: 5, pending: 0, tracked: 1, known: 1, waiting: 1, failed: 2 },
    next_cursor: null,
  });
  expect(batch.entries).toEqual([
    {
      number: 0,
      source: "microblog",
      sid: "ann",
      status: "tracked",
      data: expect.objectContaining({ username: "ann" }),
    },
    {
      number: 1,
      source: "microblog",
      sid: "unknown",
      status: "failed",
      error: { code: "not_found", message: "There is no such account." },
    },
    {
      number: 2,
      source: "microblog",
      sid: "bob",
      status: "known",
      data: expect.objectContaining({ username: "bob" }),
    },
    {
      number: 3,
      source: "microblog",
      sid: "wh?t",
      status: "failed",
      error: { code: "validation_failed", message: expect.any(String) },
    },
    { number: 4, source: "messenger", sid: "+gate", status: "waiting", jobId: expect.any(String) },
  ]);
  expect(await read("key", batch.id)).toMatchObject({ entries: batch.entries });
});

test("a batch is read a page at a time, each entry once, and by status; another key does not see it", async () => {
  const { id } = await add("key", [...numbered(12), ...users("unknown")]);
  const seen: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await read("key", id, { limit: 5, ...(cursor && { cursor }) });
    seen.push(...page.entries.map(({ number }) => number));
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  expect(seen).toEqual(Array.from({ length: 13 }, (_, n) => n));
  expect((await read("key", id, { status: "failed" })).entries.map(({ number }) => number)).toEqual([12]);
  await expect(read("other", id)).rejects.toMatchObject({ type: "not_found" });
  await expect(read("key", id, { cursor: "x" })).rejects.toMatchObject({ code: 422 });
});

test("no more is tracked than the key may", async () => {
  const { progress, entries } = await add("key", numbered(5), 3);
  expect(progress).toMatchObject({ tracked: 3, failed: 2 });
  expect(entries.filter(({ error }) => error?.code === "forbidden")).toHaveLength(2);
  expect(await tracked("key")).toHaveLength(3);
});

describe("by a clock of the test", () => {
  let now: number;

  beforeEach(async () => {
    await Promise.all([service.entryScheduler.stop(0), service.pollScheduler.stop(0)]);
    now = Date.now();
    context.now = () => now;
  });

  /** Stores a batch; its request does not wait for the end. */
  const addUnseen = async (keyId: string, items: WantedSource[]) => {
    const adding = add(keyId, items);
    await until("it is stored", async () => (await context.batches.findOne({ keyId })) !== null);
    now += 60_000;
    return (await adding).id;
  };
  const step = async () => {
    const due = await entrySteps.leaseDue(context, 100);
    const faults: unknown[] = [];
    for (const entry of due) await stepEntry(context, entry, platforms).catch(error => faults.push(error));
    return { due: due.length, faults };
  };

  test("a request that waited ten seconds says what is pending", async () => {
    const adding = add("key", numbered(3));
    await until("it is stored", async () => (await context.batches.findOne({ keyId: "key" })) !== null);
    now += 10_000;
    expect(await adding).toMatchObject({ status: 202, state: "running", progress: { pending: 3 } });
  });

  test("what is away is tried again with longer pauses, and fails in the end; a network that is away is waited for", async () => {
    const id = await addUnseen("key", users("ann"));
    upstream.problems.set("resolve", () => {
      throw fail("target_unreachable", "The host does not answer.");
    });
    const pauses: number[] = [];
    while (pauses.length < 10) {
      expect((await step()).due).toBe(1);
      const [entry] = (await read("key", id)).entries;
      expect(entry?.error).toEqual({ code: "target_unreachable", message: "The host does not answer." });
      if (entry?.status === "failed") break;
      expect((await step()).due).toBe(0);
      const next = (await entrySteps.nextAt(context)) ?? 0;
      pauses.push(next - now);
      now = next;
    }
    expect(pauses).toEqual([5000, 30_000, 120_000, 600_000]);
    const other = await addUnseen("other", users("bob"));
    upstream.problems.set("resolve", () => {
      throw fail("connector_unavailable", "The network is away.", { retry_after: 3600 });
    });
    for (let tries = 0; tries < 20; tries += 1) {
      expect((await step()).due).toBe(1);
      now += 3_600_000;
    }
    upstream.problems.clear();
    await step();
    const { entries } = await read("other", other);
    expect(entries).toEqual([expect.not.objectContaining({ error: expect.anything() })]);
    expect(entries[0]?.status).toBe("tracked");
  });

  test("an error of our own is logged, tells the client nothing, and is tried again", async () => {
    const id = await addUnseen("key", users("ann"));
    upstream.problems.set("resolve", () => {
      throw new Error("a secret of the house");
    });
    expect(await step()).toMatchObject({ due: 1, faults: [expect.anything()] });
    const { entries } = await read("key", id);
    expect(JSON.stringify(entries)).not.toContain("secret");
    expect(entries[0]).toMatchObject({ status: "pending", error: { code: "internal_error" } });
  });

  test("entries of a second key are due among those of a long batch", async () => {
    await addUnseen("long", numbered(1000));
    now -= 60_000;
    const short = await addUnseen("short", users("ann", "bob"));
    const due = await entrySteps.leaseDue(context, 20);
    expect(due.filter(({ batchId }) => batchId === short)).toHaveLength(2);
  });

  test("a process that took entries and died leaves them to the next", async () => {
    const id = await addUnseen("key", numbered(4));
    expect(await entrySteps.leaseDue(context, 3)).toHaveLength(3);
    now = Date.now();
    await broker.stop();
    await start();
    await until("all are tracked", async () => (await read("key", id)).state === "completed");
    expect(await tracked("key")).toHaveLength(4);
  });

  test("what another process took over is not written by the first", async () => {
    const id = await addUnseen("key", users("ann"));
    const [entry] = await entrySteps.leaseDue(context, 1);
    if (!entry) throw new Error("Nothing was due");
    await context.entries.update(entry._id, { $set: { lease: "another" } });
    await stepEntry(context, entry, platforms);
    expect((await read("key", id)).entries[0]?.status).toBe("pending");
  });

  test("batches are removed after a week, and with their key", async () => {
    const [old, young] = [await addUnseen("key", numbered(2)), await addUnseen("gone", numbered(2))];
    await forgetKey(context, "gone");
    await expect(read("gone", young)).rejects.toMatchObject({ type: "not_found" });
    expect(await context.entries.count({ keyId: "gone" })).toBe(0);
    await pruneBatches(context);
    expect((await read("key", old)).progress.total).toBe(2);
    now += 7 * day;
    await pruneBatches(context);
    expect(await read("key", old).catch(codeOf)).toBe("not_found");
    expect(await context.entries.count({})).toBe(0);
  });
});
