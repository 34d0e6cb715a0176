import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedLeases } from "../../../mixins/coordination/leases/embedded.leases.ts";
import type { Lease, OpenLeases } from "../../../mixins/coordination/leases/lease.ts";
import { slots } from "../../../mixins/coordination/limiter/memory.limiter.ts";
import type { Queues } from "../../../mixins/queue/queue.ts";
import { openSqliteQueues } from "../../../mixins/queue/sqlite-queue.ts";
import { diskBlobs } from "../../../mixins/store/blobs/disk.blobs.ts";
import { SqliteAdapter } from "../../../mixins/store/sqlite/sqlite.adapter.ts";
import { type Adapters, adapterStore } from "../../../mixins/store/sqlite/sqlite-store.ts";
import { noFacts } from "../../../reader/metadata/read-metadata.ts";
import { type Caller, defaultLimits } from "../../../services/contracts/caller.ts";
import { fail } from "../../../services/contracts/errors.ts";
import type { ScrapeData } from "../../../services/contracts/page.contract.ts";
import type { JobWebhook } from "../../../services/contracts/page-options.ts";
import type { ScrapeRequest } from "../../../services/contracts/scraper.contract.ts";
import type { JobNotice } from "../../../services/contracts/webhook-dispatcher.contract.ts";
import { openContext, type ScraperContext } from "../../../services/scraper/context.ts";
import { ProxyPool } from "../../../services/scraper/fetch/proxy-pool.ts";
import { cancelScrape, endScrape } from "../../../services/scraper/jobs/end-scrape.ts";
import {
  keepNodeAlive,
  pruneScrapes,
  reconcileOverdueScrapes,
  requeueScrapesOfDeadNodes,
} from "../../../services/scraper/jobs/maintenance.ts";
import { Runs } from "../../../services/scraper/jobs/runs.ts";
import {
  acceptScrape,
  failStalledScrape,
  runQueuedScrape,
} from "../../../services/scraper/jobs/scrape-async.ts";
import { listScrapes, scrapeStatus } from "../../../services/scraper/jobs/scrape-status.ts";
import { handBackScrapes } from "../../../services/scraper/jobs/scrape-worker.ts";
import { newHeldScrape, scrapeAndWait } from "../../../services/scraper/scrape.ts";
import { jobCollections } from "../../../services/scraper/scrapes.store.ts";
import { removeFolder } from "../../support/folders.ts";
import { noQuotas } from "../../support/no-quotas.ts";
import { until } from "../../support/until.ts";

const dataDir = mkdtempSync(join(tmpdir(), "magpie-job-records-"));
const path = join(dataDir, "magpie.db");
const adapters: Adapters = new Map(
  Object.entries({ recipes: [], ...jobCollections }).map(([name, indexes]) => [
    name,
    new SqliteAdapter(path, name, indexes),
  ]),
);
const hourMs = 3_600_000;
const caller: Caller = { keyId: "k1", owner: "ann", limits: defaultLimits };
const webhook: JobWebhook = { url: "https://hook.test/", events: ["started", "completed", "failed"] };

let queues: Queues;
let leases: OpenLeases;
let hinted: string[];
let context: ScraperContext;
let now: number;
let notices: JobNotice[];
let errors: string[];
/** What the next page is. */
let page: (signal: AbortSignal) => Promise<ScrapeData>;
let reads: number;
let hasPeer: boolean;
let places = slots();

beforeAll(async () => {
  for (const adapter of adapters.values()) await adapter.connect();
  leases = openEmbeddedLeases(dataDir);
  queues = openSqliteQueues({ path, onError: error => errors.push(String(error)) });
});

beforeEach(async () => {
  [now, notices, errors, reads, hinted] = [Date.now(), [], [], 0, []];
  page = async () => dataOf("text");
  hasPeer = true;
  context = openContext(adapterStore(adapters, "recipes"), {
    queue: queues.queue("scrapes"),
    vault: {
      seal: async (id, text) => `${id}:${btoa(text)}`,
      unseal: async (id, sealed) => atob(sealed.slice(id.length + 1)),
    },
    tools: {
      egress: { admit: url => new URL(url) } as ScraperContext["tools"]["egress"],
      proxies: new ProxyPool({}),
      blobs: diskBlobs(join(dataDir, "blobs")),
    },
    scrapePage: (_, { signal }) => {
      reads += 1;
      return page(signal);
    },
    nodeId: "node-1",
    leases,
    limiter: { acquire: slots() },
    workerSlot: keyId => places(keyId, 3),
    hasOtherNodes: () => hasPeer,
    broadcastCancelled: id => hinted.push(id),
    notify: async notice => {
      notices.push(structuredClone(notice));
    },
    onError: what => errors.push(what),
    ...{ runs: new Runs(() => undefined), quotas: noQuotas, openSpan: () => undefined },
    now: () => now,
  });
  places = slots();
  await context.scrapes.removeMany({});
  await context.results.removeMany({});
});

afterAll(async () => {
  await queues.close();
  await leases.close();
  for (const adapter of adapters.values()) await adapter.disconnect();
  await removeFolder(dataDir);
});

function dataOf(markdown: string): ScrapeData {
  const metadata = {
    ...{ ...noFacts, title: "t", content_type: "text/html", word_count: 1 },
    ...{ status_code: 200, final_url: "https://a.test/", engine: "http" as const, proxy_location: null },
  };
  return { markdown, metadata };
}

function requestOf(more: Partial<ScrapeRequest> = {}): ScrapeRequest {
  return {
    url: "https://a.test/",
    mode: "async",
    timeout: 1000,
    breakdown: false,
    max_age: 0,
    output: { formats: ["markdown"], screenshot: "viewport" },
    request: { device: "desktop", only_main_content: true, block_ads: true, skip_tls_verification: true },
    js_render: { enabled: true },
    proxy: { location: "US" },
    ...more,
  };
}

const prepareWebhook = async () => ({});

async function accepted(more: Partial<ScrapeRequest> = {}, key?: string): Promise<string> {
  const job = await acceptScrape(context, requestOf(more), {
    caller,
    key,
    requestId: randomUUID(),
    prepareWebhook,
  });
  return job.scrape_id;
}

const never = new AbortController().signal;
const work = (id: string, fence = 1, signal = never) => runQueuedScrape(context, { id }, { fence, signal });
const status = (id: string) => scrapeStatus(context, "ann", id);
const sent = () => notices.map(({ type }) => type.slice("scrape.".length));

describe("a scrape ends once", () => {
  test("a run that lost the scrape ends nothing, whichever of the two is faster", async () => {
    const id = await accepted({ webhook });
    const slow = Promise.withResolvers<ScrapeData>();
    page = () => slow.promise;
    const zombie = work(id, 1);
    await until("the first run reads", () => reads === 1);
    page = async () => dataOf("of the second run");
    await work(id, 2);
    slow.resolve(dataOf("of the first run"));
    await zombie;
    expect((await status(id)).data?.markdown).toBe("of the second run");
    expect(sent()).toEqual(["started", "started", "completed"]);
    expect(new Set(notices.map(notice => notice.id)).size).toBe(2);
  });

  test("a run under a lower fence than the record's does not begin", async () => {
    const id = await accepted();
    const slow = Promise.withResolvers<ScrapeData>();
    page = () => slow.promise;
    const later = work(id, 2);
    await until("it reads", () => reads === 1);
    await expect(work(id, 1)).rejects.toThrow(/later fence/);
    slow.resolve(dataOf("text"));
    await later;
    expect(reads).toBe(1);
  });

  test("one that has ended is not read again", async () => {
    const id = await accepted();
    await work(id, 1);
    await work(id, 2);
    expect(reads).toBe(1);
  });

  test("the request, which may hold passwords, goes with the end", async () => {
    const id = await accepted({ webhook });
    expect((await context.scrapes.findById(id))?.request).toBeDefined();
    await work(id);
    const record = await context.scrapes.findById(id);
    expect([record?.request, record?.webhook, record?.checkAt]).toEqual([undefined, undefined, undefined]);
  });
});

describe("a run of the queue", () => {
  test("a run that is stopped leaves the scrape pending", async () => {
    const id = await accepted();
    const stop = new AbortController();
    page = signal =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const running = work(id, 1, stop.signal);
    await until("it reads", () => reads === 1);
    stop.abort(new Error("closing"));
    await expect(running).rejects.toThrow("closing");
    expect((await status(id)).status).toBe("pending");
  });

  test("waits while the browser is busy", async () => {
    const id = await accepted();
    page = async () => {
      if (reads === 1) throw fail("overloaded", "Busy.");
      return dataOf("text");
    };
    await work(id);
    expect([reads, (await status(id)).status]).toEqual([2, "completed"]);
  });

  test.each([
    ["an error for the client", fail("tls_error", "No."), { code: "tls_error", message: "No." }],
    [
      "an error on our side",
      new Error("inside"),
      { code: "internal_error", message: expect.not.stringMatching(/inside/) },
    ],
  ])("fails the scrape with %s", async (_, error, shown) => {
    const id = await accepted({ webhook });
    page = () => Promise.reject(error);
    await work(id);
    expect(await status(id)).toMatchObject({ status: "failed", error: shown });
    expect(notices.at(-1)).toMatchObject({ type: "scrape.failed", job: { status: "failed", error: shown } });
  });

  test("whose process dies again and again is given up", async () => {
    const id = await accepted({ webhook });
    await failStalledScrape(context, { id }, { fence: 3, signal: never });
    expect(await status(id)).toMatchObject({ status: "failed", error: { code: "internal_error" } });
    expect(sent()).toEqual(["failed"]);
  });
});

describe("what a process that died has begun", () => {
  test("an end that was not announced is announced, once", async () => {
    const id = await accepted({ webhook });
    context.notify = () => Promise.reject(new Error("the service is not there"));
    await expect(work(id)).rejects.toThrow("not there");
    const announced: string[] = [];
    context.notify = async ({ type }) => announced.push(type);
    await work(id, 2);
    now += hourMs;
    await reconcileOverdueScrapes(context);
    expect(announced).toEqual(["scrape.started", "scrape.completed"]);
    expect(reads).toBe(1);
  });

  test("an end whose queue has forgotten it is announced in time, and not before", async () => {
    const id = await accepted({ webhook });
    await context.scrapes.update(id, { $set: { fence: 1 } });
    await endScrape(context, { _id: id, keyId: caller.keyId, webhook }, 1, {
      ok: true,
      data: dataOf("text"),
    });
    await reconcileOverdueScrapes(context);
    expect(sent()).toEqual([]);
    now += 20_000;
    await reconcileOverdueScrapes(context);
    await reconcileOverdueScrapes(context);
    expect(sent()).toEqual(["completed"]);
    expect(notices[0]?.job).toMatchObject({ data: { markdown: "text" } });
  });

  test("a scrape that was kept and not queued is queued", async () => {
    const id = await accepted();
    await context.queue.remove(id);
    await reconcileOverdueScrapes(context);
    expect(await context.queue.get(id)).toBeNull();
    now += 2 * 60_000;
    await reconcileOverdueScrapes(context);
    expect(await context.queue.get(id)).toMatchObject({ state: "waiting" });
  });

  test("a scrape that it held is queued", async () => {
    const record = newHeldScrape({ ...context, nodeId: "dead" }, "scr_held", caller, requestOf());
    await context.scrapes.insert(record);
    await requeueScrapesOfDeadNodes(context);
    expect(await context.queue.get("scr_held")).toMatchObject({ state: "waiting" });
    await work("scr_held");
    expect((await status("scr_held")).status).toBe("completed");
  });

  test("of many nodes only the dead ones' scrapes are queued, however many those hold", async () => {
    const held = (nodeId: string, n: number) =>
      newHeldScrape({ ...context, nodeId }, `scr_${nodeId}-${n}`, caller, requestOf());
    const alive = new AbortController();
    for (const nodeId of ["node-0", "node-2"]) await keepNodeAlive({ ...context, nodeId }, alive.signal);
    const counts = { "node-0": 3, "node-1": 2, "node-15": 150, "node-2": 1, "node-3": 1 };
    for (const [nodeId, count] of Object.entries(counts))
      await context.scrapes.insertMany(Array.from({ length: count }, (_, n) => held(nodeId, n)));
    await requeueScrapesOfDeadNodes(context);
    const left = (await context.scrapes.find({ query: { heldBy: { $gt: "" } } })).map(({ heldBy }) => heldBy);
    expect(left.sort()).toEqual(["node-0", "node-0", "node-0", "node-1", "node-1", "node-2"]);
    expect(await context.queue.get("scr_node-15-149")).toMatchObject({ state: "waiting" });
    expect(await context.queue.get("scr_node-0-0")).toBeNull();
    alive.abort();
  });

  test("a node that was taken for dead ends nothing that another has begun, and says again that it lives", async () => {
    const alive = new AbortController();
    const taken: Lease[] = [];
    const wait: OpenLeases["wait"] = async (...args) => {
      const lease = await leases.wait(...args);
      taken.push(lease);
      return lease;
    };
    const node = { ...context, nodeId: "paused", leases: { ...leases, wait } };
    await keepNodeAlive(node, alive.signal);
    await context.scrapes.insert(newHeldScrape(node, "scr_paused", caller, requestOf()));
    await requeueScrapesOfDeadNodes(context);
    expect(await context.queue.get("scr_paused")).toBeNull();
    const passedOn = leases.wait("scraper:paused", never);
    await taken[0]?.release();
    const lease = await passedOn;
    await requeueScrapesOfDeadNodes({ ...context, leases: { ...leases, take: async () => lease } });
    expect(await context.queue.get("scr_paused")).toMatchObject({ state: "waiting" });
    await work("scr_paused");
    await endScrape(node, { _id: "scr_paused", keyId: caller.keyId }, 0, { ok: true, data: dataOf("late") });
    expect((await status("scr_paused")).data).toMatchObject({ markdown: "text" });
    await until("it lives again", () => taken.length === 2);
    alive.abort();
  });
});

describe("a scrape that is late", () => {
  const sync = requestOf({ mode: "sync", timeout: 20 });
  const late = async (key?: string) => {
    page = signal =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const limits = { ...defaultLimits, concurrentScrapes: 1 };
    const visitor = { caller: { ...caller, limits }, key, requestId: randomUUID(), prepareWebhook };
    const error = await scrapeAndWait(context, sync, visitor).catch((thrown: unknown) => thrown);
    const refusal = error as { type: string; data: { scrape_id?: string } };
    return { ...refusal, id: refusal.data.scrape_id ?? "" };
  };

  test("goes on where it is, and holds its slot until it has ended", async () => {
    const first = await late();
    expect([await context.queue.get(first.id), context.runs.get(first.id)?.isAnswered]).toEqual([null, true]);
    expect(await late()).toMatchObject({ type: "rate_limited", data: { retry_after: 1 } });
    context.runs.get(first.id)?.stop(fail("conflict", "The test is over."));
    await until("it has ended", async () => (await status(first.id)).status === "failed");
    let next = await late();
    await until("its slot is free", async () => {
      if (next.type === "rate_limited") next = await late();
      return next.type !== "rate_limited";
    });
    expect(next).toMatchObject({ type: "scrape_timeout" });
    context.runs.handOverAll();
  });

  test("is joined by the same request, which needs no slot of its own; one that had none may come again", async () => {
    expect(await late("key")).toMatchObject({ type: "scrape_timeout" });
    expect(await late("key")).toMatchObject({ type: "scrape_timeout" });
    expect(await late("other")).toMatchObject({ type: "rate_limited" });
    context.runs.all()[0]?.stop(fail("target_unreachable", "The test is over."));
    await until("it has ended", () => context.runs.all().length === 0);
    await until("its slot is free", async () => (await late("other")).type !== "rate_limited");
    context.runs.handOverAll();
  });

  test("is cancelled on whichever node it is", async () => {
    await context.scrapes.insert(newHeldScrape({ ...context, nodeId: "other" }, "scr_far", caller, sync));
    expect(await cancelScrape(context, "ann", "scr_far")).toMatchObject({ error: { code: "cancelled" } });
    expect(hinted).toEqual(["scr_far"]);
  });
});

describe("the record of a synchronous scrape", () => {
  const sync = requestOf({ mode: "sync", timeout: 30_000 });
  const scrapeNow = (key?: string) =>
    scrapeAndWait(context, sync, { caller, key, requestId: randomUUID(), prepareWebhook });
  const records = () => context.scrapes.find({});

  test("is written once, whether it is read or fails", async () => {
    const writes: string[] = [];
    const { scrapes } = context;
    context.scrapes = new Proxy(scrapes, {
      get: (target, name) => {
        if (/^(insert|update|upsert|remove)/.test(String(name))) writes.push(String(name));
        return Reflect.get(target, name);
      },
    });
    await scrapeNow();
    expect(writes).toEqual(["insertMany"]);
    page = () => Promise.reject(fail("tls_error", "No."));
    await expect(scrapeNow()).rejects.toMatchObject({ type: "tls_error" });
    expect(writes).toEqual(["insertMany", "insert"]);
  });

  test("has the failure, as one with a key has, and keeps no request", async () => {
    page = () => Promise.reject(fail("tls_error", "No."));
    for (const key of [undefined, "a key"]) await expect(scrapeNow(key)).rejects.toThrow("No.");
    for (const record of await records()) {
      expect(record).toMatchObject({
        ...{ keyId: "k1", owner: "ann", url: "https://a.test/", status: "failed" },
        ...{ error: { code: "tls_error", message: "No." }, endedAt: expect.any(String) },
        ...{ expiresAt: now + 24 * hourMs, pruneAt: now + 24 * hourMs },
      });
      expect(Object.keys(record)).not.toEqual(expect.arrayContaining(["request"]));
      expect([record.heldBy, record.checkAt, record.readHash]).toEqual([undefined, undefined, undefined]);
    }
    const failed = await listScrapes(context, { limit: 10, key_id: "k1", status: "failed" });
    expect(failed.data.map(({ error }) => error?.code)).toEqual(["tls_error", "tls_error"]);
  });

  test("tells nothing of the inside", async () => {
    page = () => Promise.reject(new Error("inside"));
    await expect(scrapeNow()).rejects.toThrow("inside");
    const [record] = await records();
    expect(record?.error).toEqual({ code: "internal_error", message: expect.not.stringMatching(/inside/) });
  });

  test("is not made when nothing was read", async () => {
    page = () => Promise.reject(fail("overloaded", "Busy."));
    for (const key of [undefined, "a key"])
      await expect(scrapeNow(key)).rejects.toMatchObject({ type: "overloaded" });
    expect(await records()).toEqual([]);
  });

  test("a record that cannot be written changes nothing for the client", async () => {
    page = () => Promise.reject(fail("tls_error", "No."));
    context.scrapes = Object.assign(Object.create(context.scrapes), {
      insert: () => Promise.reject(new Error("the store is away")),
    });
    await expect(scrapeNow()).rejects.toMatchObject({ type: "tls_error" });
    expect(errors).toEqual(["scrape_record.failed"]);
  });
});

describe("synchronous scrapes of a node that stops", () => {
  const sync = requestOf({ mode: "sync", timeout: 30_000 });
  const begin = async (key: string | undefined, callerWaitsUntil: number) => {
    const before = context.runs.all().length;
    const visitor = { caller, key, requestId: randomUUID(), prepareWebhook, callerWaitsUntil };
    const error = scrapeAndWait(context, sync, visitor).catch((thrown: unknown) => thrown);
    await until("it is begun", () => context.runs.all().length > before);
    return { id: context.runs.all().at(-1)?.id ?? "", error };
  };
  const another = expect.objectContaining({ type: "REQUEST_REJECTED", code: 503 });

  beforeEach(() => {
    page = signal =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });

  test("go to another one where it has the time for them, by the queue where their key is known", async () => {
    const [plain, keyed] = [await begin(undefined, now + 45_000), await begin("a key", now + 45_000)];
    const late = await begin(undefined, now + 29_000);
    await handBackScrapes(context, 10);
    expect(await Promise.all([plain.error, keyed.error])).toEqual([another, another]);
    expect(await context.queue.get(keyed.id)).toMatchObject({ state: "waiting" });
    expect(context.runs.all().map(({ id }) => id)).toEqual([late.id]);
    context.runs.handOverAll();
    expect(await late.error).toEqual(another);
    expect((await listScrapes(context, { limit: 10, status: "failed" })).data).toEqual([]);
  });

  test("stay where they are when there is no other", async () => {
    hasPeer = false;
    const { id, error } = await begin(undefined, now + 45_000);
    await handBackScrapes(context, 10);
    expect(context.runs.get(id)).toBeDefined();
    context.runs.handOverAll();
    expect(await error).toEqual(another);
  });

  test("end there when they are done in time", async () => {
    const [first, second] = [await begin(undefined, now + 45_000), await begin(undefined, now + 45_000)];
    const handed = handBackScrapes(context, 60_000);
    for (const { id } of [first, second])
      context.runs.get(id)?.stop(fail("target_unreachable", "No such host."));
    await handed;
    expect(await first.error).toMatchObject({ type: "target_unreachable" });
  });
});

describe("priority", () => {
  test("is the number of the key's pending scrapes", async () => {
    const added: [string, number | undefined][] = [];
    const { queue } = context;
    context.queue = Object.assign(Object.create(queue), {
      add: async (job: { id: string; priority?: number }) => added.push([job.id, job.priority]),
    });
    const first = [await accepted(), await accepted(), await accepted()];
    const other = {
      caller: { ...caller, keyId: "k2" },
      key: undefined,
      requestId: randomUUID(),
      prepareWebhook,
    };
    await acceptScrape(context, requestOf(), other);
    await work(first[0] ?? "");
    await accepted();
    expect(added.map(([, priority]) => priority)).toEqual([0, 1, 2, 0, 2]);
  });
});

describe("24 hours after the end", () => {
  test("410, later 404; results go first, then all", async () => {
    const id = await accepted();
    await work(id);
    now += 24 * hourMs - 1;
    await pruneScrapes(context);
    expect((await status(id)).data?.markdown).toBe("text");
    now += 1;
    await expect(status(id)).rejects.toMatchObject({ type: "expired" });
    await expect(cancelScrape(context, "ann", id)).rejects.toMatchObject({ type: "expired" });
    expect(await context.results.count()).toBe(1);
    await pruneScrapes(context);
    expect(await context.results.count()).toBe(0);
    await expect(status(id)).rejects.toMatchObject({ type: "expired" });
    now += 72 * hourMs;
    await pruneScrapes(context);
    await expect(status(id)).rejects.toMatchObject({ type: "not_found" });
    expect(await context.scrapes.count()).toBe(0);
  });

  test("more than one slice at a time; what is pending stays", async () => {
    const pending = await accepted();
    const data = { status: "completed" as const, keyId: "k", owner: "ann", url: "u", fence: 0 };
    const old = { ...data, expiresAt: now - 1, pruneAt: now - 1 };
    await context.scrapes.insertMany(Array.from({ length: 250 }, (_, n) => ({ ...old, _id: `scr_${n}` })));
    await pruneScrapes(context);
    expect(await context.scrapes.count({ pruneAt: { $lte: now } })).toBe(0);
    now += 100 * hourMs;
    await pruneScrapes(context);
    expect((await context.scrapes.find()).map(({ _id }) => _id)).toEqual([pending]);
  });
});

describe("a synchronous scrape with an Idempotency-Key", () => {
  const visitor = (key: string) => ({ caller, key, requestId: randomUUID(), prepareWebhook });
  const sync = requestOf({ mode: "sync" });

  test("begins although the process that claimed the key died at once", async () => {
    const first = await scrapeAndWait(context, sync, visitor("died"));
    await context.scrapes.remove(first.scrape_id);
    expect((await scrapeAndWait(context, sync, visitor("died"))).scrape_id).toBe(first.scrape_id);
    expect(reads).toBe(2);
  });

  test("is another process's until the queue has it: the next request waits, at most its timeout", async () => {
    const { scrape_id } = await scrapeAndWait(context, sync, visitor("dead"));
    await context.scrapes.remove(scrape_id);
    await context.scrapes.insert(newHeldScrape({ ...context, nodeId: "dead" }, scrape_id, caller, sync));
    await expect(scrapeAndWait(context, sync, visitor("dead"))).rejects.toMatchObject({
      type: "scrape_timeout",
      data: { scrape_id },
    });
    const waiting = scrapeAndWait(context, sync, visitor("dead"));
    await work(scrape_id);
    expect(await waiting).toMatchObject({ scrape_id, status: "completed", data: { markdown: "text" } });
  });

  test("repeats a failure, but tries again after one for lack of room", async () => {
    page = () => Promise.reject(fail("tls_error", "No."));
    for (let n = 0; n < 2; n += 1)
      await expect(scrapeAndWait(context, sync, visitor("failed"))).rejects.toMatchObject({
        type: "tls_error",
      });
    expect(reads).toBe(1);
    page = () => Promise.reject(fail("overloaded", "Busy."));
    await expect(scrapeAndWait(context, sync, visitor("busy"))).rejects.toMatchObject({ type: "overloaded" });
    page = async () => dataOf("text");
    expect((await scrapeAndWait(context, sync, visitor("busy"))).status).toBe("completed");
  });
});
