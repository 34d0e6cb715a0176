import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedLeases } from "../../../mixins/lease/embedded.leases.ts";
import type { Lease, OpenLeases } from "../../../mixins/lease/lease.ts";
import type { Queues } from "../../../mixins/queue/queue.ts";
import { openSqliteQueues } from "../../../mixins/queue/sqlite-queue.ts";
import { type Adapters, adapterStore } from "../../../mixins/store/adapter-store.ts";
import { SqliteAdapter } from "../../../mixins/store/sqlite/sqlite.adapter.ts";
import { type Caller, defaultLimits } from "../../../services/contracts/caller.ts";
import { fail } from "../../../services/contracts/errors.ts";
import type { JobWebhook } from "../../../services/contracts/page-options.ts";
import type { ScrapeData, ScrapeRequest } from "../../../services/contracts/scraper.contract.ts";
import type { JobNotice } from "../../../services/contracts/webhook.contract.ts";
import { acceptScrape } from "../../../services/scraper/jobs/accept-scrape.ts";
import { cancelScrape } from "../../../services/scraper/jobs/cancel-scrape.ts";
import { endScrape } from "../../../services/scraper/jobs/end-scrape.ts";
import { handBack } from "../../../services/scraper/jobs/hand-back.ts";
import { heldRecord } from "../../../services/scraper/jobs/hold-scrape.ts";
import { live } from "../../../services/scraper/jobs/living.ts";
import { mendScrapes, requeueHeld } from "../../../services/scraper/jobs/mend-scrapes.ts";
import { pruneScrapes } from "../../../services/scraper/jobs/prune-scrapes.ts";
import { type JobsRoom, jobCollections, openJobs } from "../../../services/scraper/jobs/room.ts";
import { scrapeNow } from "../../../services/scraper/jobs/scrape-now.ts";
import { scrapeStatus } from "../../../services/scraper/jobs/scrape-status.ts";
import { giveUpScrape, workScrape } from "../../../services/scraper/jobs/work-scrape.ts";
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
let jobs: JobsRoom;
let now: number;
let notices: JobNotice[];
let troubles: string[];
/** What the next page is. */
let page: (signal: AbortSignal) => Promise<ScrapeData>;
let reads: number;
let hasPeer: boolean;

beforeAll(async () => {
  for (const adapter of adapters.values()) await adapter.connect();
  leases = openEmbeddedLeases(dataDir);
  queues = openSqliteQueues({ path, onError: error => troubles.push(String(error)) });
});

beforeEach(async () => {
  [now, notices, troubles, reads, hinted] = [Date.now(), [], [], 0, []];
  page = async () => dataOf("text");
  hasPeer = true;
  jobs = openJobs(adapterStore(adapters, "recipes"), {
    queue: queues.queue("scrapes"),
    tools: { egress: { admit: url => new URL(url) } as JobsRoom["tools"]["egress"], proxies: {} },
    read: (_, { signal }) => {
      reads += 1;
      return page(signal);
    },
    nodeId: "node-1",
    leases,
    isElsewhere: () => hasPeer,
    hintCancelled: id => hinted.push(id),
    announce: async notice => {
      notices.push(structuredClone(notice));
    },
    onError: what => troubles.push(what),
    now: () => now,
  });
  await jobs.scrapes.removeMany({});
  await jobs.results.removeMany({});
});

afterAll(async () => {
  await queues.close();
  await leases.close();
  for (const adapter of adapters.values()) await adapter.disconnect();
  rmSync(dataDir, { recursive: true });
});

function dataOf(markdown: string): ScrapeData {
  const metadata = {
    ...{ title: "t", status_code: 200, final_url: "https://a.test/", description: null, language: null },
    ...{ canonical_url: null, og: {}, engine: "http" as const, proxy_location: null },
  };
  return { markdown, metadata };
}

function requestOf(more: Partial<ScrapeRequest> = {}): ScrapeRequest {
  return {
    url: "https://a.test/",
    mode: "async",
    timeout: 1000,
    breakdown: false,
    output: { formats: ["markdown"], screenshot: "viewport" },
    request: { device: "desktop", only_main_content: true, block_ads: true, skip_tls_verification: true },
    js_render: { enabled: true },
    proxy: { location: "US" },
    ...more,
  };
}

const prepareWebhook = async () => ({});

async function accepted(more: Partial<ScrapeRequest> = {}, key?: string): Promise<string> {
  const job = await acceptScrape(jobs, requestOf(more), { caller, key, prepareWebhook });
  return job.scrape_id;
}

const never = new AbortController().signal;
const work = (id: string, fence = 1, signal = never) => workScrape(jobs, { id }, { fence, signal });
const status = (id: string) => scrapeStatus(jobs, "ann", id);
const told = () => notices.map(({ type }) => type.slice("scrape.".length));

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
    expect(told()).toEqual(["started", "started", "completed"]);
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
    expect((await jobs.scrapes.findById(id))?.request).toBeDefined();
    await work(id);
    const record = await jobs.scrapes.findById(id);
    expect([record?.request, record?.webhook, record?.checkAt]).toEqual([undefined, undefined, undefined]);
  });
});

describe("a run of the queue", () => {
  test("that is told to stop leaves the scrape pending", async () => {
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

  test("waits where there is no room", async () => {
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
      "a fault of ours",
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
    await giveUpScrape(jobs, { id }, { fence: 3, signal: never });
    expect(await status(id)).toMatchObject({ status: "failed", error: { code: "internal_error" } });
    expect(told()).toEqual(["failed"]);
  });
});

describe("what a process that died has begun", () => {
  test("an end that was not announced is announced, once", async () => {
    const id = await accepted({ webhook });
    jobs.announce = () => Promise.reject(new Error("the room is not there"));
    await expect(work(id)).rejects.toThrow("not there");
    const announced: string[] = [];
    jobs.announce = async ({ type }) => announced.push(type);
    await work(id, 2);
    now += hourMs;
    await mendScrapes(jobs);
    expect(announced).toEqual(["scrape.started", "scrape.completed"]);
    expect(reads).toBe(1);
  });

  test("an end whose queue has forgotten it is announced in time, and not before", async () => {
    const id = await accepted({ webhook });
    await jobs.scrapes.update(id, { $set: { fence: 1 } });
    await endScrape(jobs, { _id: id, webhook }, 1, { ok: true, data: dataOf("text") });
    await mendScrapes(jobs);
    expect(told()).toEqual([]);
    now += 20_000;
    await mendScrapes(jobs);
    await mendScrapes(jobs);
    expect(told()).toEqual(["completed"]);
    expect(notices[0]?.job).toMatchObject({ data: { markdown: "text" } });
  });

  test("a scrape that was kept and not queued is queued", async () => {
    const id = await accepted();
    await jobs.queue.remove(id);
    await mendScrapes(jobs);
    expect(await jobs.queue.get(id)).toBeNull();
    now += 2 * 60_000;
    await mendScrapes(jobs);
    expect(await jobs.queue.get(id)).toMatchObject({ state: "waiting" });
  });

  test("a scrape that it held is queued", async () => {
    const record = heldRecord({ ...jobs, nodeId: "dead" }, "scr_held", caller, requestOf());
    await jobs.scrapes.insert(record);
    await requeueHeld(jobs);
    expect(await jobs.queue.get("scr_held")).toMatchObject({ state: "waiting" });
    await work("scr_held");
    expect((await status("scr_held")).status).toBe("completed");
  });

  test("of many nodes only the dead ones' scrapes are queued, however many those hold", async () => {
    const held = (nodeId: string, n: number) =>
      heldRecord({ ...jobs, nodeId }, `scr_${nodeId}-${n}`, caller, requestOf());
    const living = new AbortController();
    for (const nodeId of ["node-0", "node-2"]) await live({ ...jobs, nodeId }, living.signal);
    const counts = { "node-0": 3, "node-1": 2, "node-15": 150, "node-2": 1, "node-3": 1 };
    for (const [nodeId, count] of Object.entries(counts))
      await jobs.scrapes.insertMany(Array.from({ length: count }, (_, n) => held(nodeId, n)));
    await requeueHeld(jobs);
    const left = (await jobs.scrapes.find({ query: { heldBy: { $gt: "" } } })).map(({ heldBy }) => heldBy);
    expect(left.sort()).toEqual(["node-0", "node-0", "node-0", "node-1", "node-1", "node-2"]);
    expect(await jobs.queue.get("scr_node-15-149")).toMatchObject({ state: "waiting" });
    expect(await jobs.queue.get("scr_node-0-0")).toBeNull();
    living.abort();
  });

  test("a node that was taken for dead ends nothing that another has begun, and says again that it lives", async () => {
    const living = new AbortController();
    const taken: Lease[] = [];
    const wait: OpenLeases["wait"] = async (...args) => {
      const lease = await leases.wait(...args);
      taken.push(lease);
      return lease;
    };
    const node = { ...jobs, nodeId: "paused", leases: { ...leases, wait } };
    await live(node, living.signal);
    await jobs.scrapes.insert(heldRecord(node, "scr_paused", caller, requestOf()));
    await requeueHeld(jobs);
    expect(await jobs.queue.get("scr_paused")).toBeNull();
    const passedOn = leases.wait("scraper:paused", never);
    await taken[0]?.release();
    const lease = await passedOn;
    await requeueHeld({ ...jobs, leases: { ...leases, take: async () => lease } });
    expect(await jobs.queue.get("scr_paused")).toMatchObject({ state: "waiting" });
    await work("scr_paused");
    await endScrape(node, { _id: "scr_paused" }, 0, { ok: true, data: dataOf("late") });
    expect((await status("scr_paused")).data).toMatchObject({ markdown: "text" });
    await until("it lives again", () => taken.length === 2);
    living.abort();
  });
});

describe("a scrape that is late", () => {
  const sync = requestOf({ mode: "sync", timeout: 20 });
  const late = async () => {
    page = signal =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const limits = { ...defaultLimits, concurrentScrapes: 1 };
    const visitor = { caller: { ...caller, limits }, key: undefined, prepareWebhook };
    const error = await scrapeNow(jobs, sync, visitor).catch((thrown: unknown) => thrown);
    return (error as { data: { scrape_id: string } }).data.scrape_id;
  };

  test("goes on where it is; to the queue when another node has as many of the key's as may be", async () => {
    const first = await late();
    expect([await jobs.queue.get(first), jobs.runs.get(first)?.isOverdue]).toEqual([null, true]);
    jobs.runs.get(first)?.stop(fail("conflict", "The test is over."));
    await until("it has ended", async () => (await status(first)).status === "failed");
    const held = heldRecord({ ...jobs, nodeId: "other" }, "scr_late", caller, sync);
    await jobs.scrapes.insert({ ...held, isLate: true });
    const second = await late();
    expect(await jobs.queue.get(second)).toMatchObject({ state: "waiting" });
    await until("its run has stopped", () => jobs.runs.get(second) === undefined);
    expect((await status(second)).status).toBe("pending");
  });

  test("is cancelled on whichever node it is", async () => {
    await jobs.scrapes.insert(heldRecord({ ...jobs, nodeId: "other" }, "scr_far", caller, sync));
    expect(await cancelScrape(jobs, "ann", "scr_far")).toMatchObject({ error: { code: "cancelled" } });
    expect(hinted).toEqual(["scr_far"]);
  });
});

describe("synchronous scrapes of a node that stops", () => {
  const sync = requestOf({ mode: "sync", timeout: 30_000 });
  const begin = async (key: string | undefined, waitsUntil: number) => {
    const before = jobs.runs.all().length;
    const visitor = { caller, key, prepareWebhook, waitsUntil };
    const error = scrapeNow(jobs, sync, visitor).catch((thrown: unknown) => thrown);
    await until("it is begun", () => jobs.runs.all().length > before);
    return { id: jobs.runs.all().at(-1)?.id ?? "", error };
  };
  const another = expect.objectContaining({ type: "REQUEST_REJECTED", code: 503 });

  beforeEach(() => {
    page = signal =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });

  test("go to another one where it has the time for them, by the queue where their key is known", async () => {
    const [plain, keyed] = [await begin(undefined, now + 45_000), await begin("a key", now + 45_000)];
    const late = await begin(undefined, now + 29_000);
    await handBack(jobs, 10);
    expect(await Promise.all([plain.error, keyed.error])).toEqual([another, another]);
    expect(await jobs.queue.get(keyed.id)).toMatchObject({ state: "waiting" });
    expect(jobs.runs.all().map(({ id }) => id)).toEqual([late.id]);
    jobs.runs.handOver();
    expect(await late.error).toEqual(another);
  });

  test("stay where they are when there is no other", async () => {
    hasPeer = false;
    const { id, error } = await begin(undefined, now + 45_000);
    await handBack(jobs, 10);
    expect(jobs.runs.get(id)).toBeDefined();
    jobs.runs.handOver();
    expect(await error).toEqual(another);
  });

  test("end there when they are done in time", async () => {
    const [first, second] = [await begin(undefined, now + 45_000), await begin(undefined, now + 45_000)];
    const handed = handBack(jobs, 60_000);
    for (const { id } of [first, second])
      jobs.runs.get(id)?.stop(fail("target_unreachable", "No such host."));
    await handed;
    expect(await first.error).toMatchObject({ type: "target_unreachable" });
  });
});

describe("priority", () => {
  test("is the number of the key's pending scrapes", async () => {
    const added: [string, number | undefined][] = [];
    const { queue } = jobs;
    jobs.queue = Object.assign(Object.create(queue), {
      add: async (job: { id: string; priority?: number }) => added.push([job.id, job.priority]),
    });
    const first = [await accepted(), await accepted(), await accepted()];
    const other = { caller: { ...caller, keyId: "k2" }, key: undefined, prepareWebhook };
    await acceptScrape(jobs, requestOf(), other);
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
    await pruneScrapes(jobs);
    expect((await status(id)).data?.markdown).toBe("text");
    now += 1;
    await expect(status(id)).rejects.toMatchObject({ type: "expired" });
    await expect(cancelScrape(jobs, "ann", id)).rejects.toMatchObject({ type: "expired" });
    expect(await jobs.results.count()).toBe(1);
    await pruneScrapes(jobs);
    expect(await jobs.results.count()).toBe(0);
    await expect(status(id)).rejects.toMatchObject({ type: "expired" });
    now += 72 * hourMs;
    await pruneScrapes(jobs);
    await expect(status(id)).rejects.toMatchObject({ type: "not_found" });
    expect(await jobs.scrapes.count()).toBe(0);
  });

  test("more than one slice at a time; what is pending stays", async () => {
    const pending = await accepted();
    const data = { status: "completed" as const, keyId: "k", owner: "ann", url: "u", fence: 0 };
    const old = { ...data, expiresAt: now - 1, pruneAt: now - 1 };
    await jobs.scrapes.insertMany(Array.from({ length: 250 }, (_, n) => ({ ...old, _id: `scr_${n}` })));
    await pruneScrapes(jobs);
    expect(await jobs.scrapes.count({ pruneAt: { $lte: now } })).toBe(0);
    now += 100 * hourMs;
    await pruneScrapes(jobs);
    expect((await jobs.scrapes.find()).map(({ _id }) => _id)).toEqual([pending]);
  });
});

describe("a synchronous scrape with an Idempotency-Key", () => {
  const visitor = (key: string) => ({ caller, key, prepareWebhook });
  const sync = requestOf({ mode: "sync" });

  test("begins although the process that claimed the key died at once", async () => {
    const first = await scrapeNow(jobs, sync, visitor("died"));
    await jobs.scrapes.remove(first.scrape_id);
    expect((await scrapeNow(jobs, sync, visitor("died"))).scrape_id).toBe(first.scrape_id);
    expect(reads).toBe(2);
  });

  test("is another process's until the queue has it: the next request waits, at most its timeout", async () => {
    const { scrape_id } = await scrapeNow(jobs, sync, visitor("dead"));
    await jobs.scrapes.remove(scrape_id);
    await jobs.scrapes.insert(heldRecord({ ...jobs, nodeId: "dead" }, scrape_id, caller, sync));
    await expect(scrapeNow(jobs, sync, visitor("dead"))).rejects.toMatchObject({
      type: "scrape_timeout",
      data: { scrape_id },
    });
    const waiting = scrapeNow(jobs, sync, visitor("dead"));
    await work(scrape_id);
    expect(await waiting).toMatchObject({ scrape_id, status: "completed", data: { markdown: "text" } });
  });

  test("repeats a failure; but one for which there was no room is tried again", async () => {
    page = () => Promise.reject(fail("tls_error", "No."));
    for (let n = 0; n < 2; n += 1)
      await expect(scrapeNow(jobs, sync, visitor("failed"))).rejects.toMatchObject({ type: "tls_error" });
    expect(reads).toBe(1);
    page = () => Promise.reject(fail("overloaded", "Busy."));
    await expect(scrapeNow(jobs, sync, visitor("busy"))).rejects.toMatchObject({ type: "overloaded" });
    page = async () => dataOf("text");
    expect((await scrapeNow(jobs, sync, visitor("busy"))).status).toBe("completed");
  });
});
