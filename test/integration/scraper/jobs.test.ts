import type { ServerResponse } from "node:http";
import { call } from "../../../services/contracts/action.ts";
import { defaultLimits } from "../../../services/contracts/caller.ts";
import { listScrapes, type ScrapeSummary } from "../../../services/contracts/job-lists.contract.ts";
import { pollPage } from "../../../services/contracts/page-reads.contract.ts";
import { scrapeStatus } from "../../../services/contracts/scraper.contract.ts";
import { webhookDispatcherService } from "../../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import type { Reply, RequestOptions } from "../../support/magpie.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";
import { type Job, type Refusal, type Scraper, startScraper } from "./scraper.ts";

/** What a client gets, written by hand. */
interface StoredJob extends Partial<Omit<Job, "scrape_id">> {
  scrape_id: string;
  error?: { code: string; message: string };
  webhook_secret?: string;
}

interface Notice {
  type: string;
  seq: null;
  data: { source: null; job: StoredJob };
}

const page = "<title>A page</title><p>The text of an ordinary page that anyone may read, at some length.</p>";
/** Beside the browser's pages, jobs that a node works on at a time. */
const atWork = 1 + 4;

let site: Site;
let receiver: Receiver;
let scraper: Scraper;
/** The key of requests that name no other. */
let ownKey: string;
/** Answers that the site owes, by path and query, in the order of their requests. */
let owed: { path: string; answer: () => void; isGone: () => boolean }[];

beforeAll(async () => {
  site = await startSite({
    "/page": page,
    "/cached": { headers: { "cache-control": "max-age=60", age: "7", etag: "x" }, body: page },
    "/missing": { status: 404, body: page },
    "/reset": (_, response) => void response.destroy(),
    "/held": ({ url = "" }, response) => void owe(url, response),
  });
  receiver = await startReceiver();
  scraper = await startScraper(
    [site.port, receiver.port],
    { browser: { ...pagesOne }, webhooks: { allowHttp: true, backoffMs: [50] } },
    config => [webhookDispatcherService(config)],
  );
  ownKey = await newKey("own");
});

const pagesOne = { pages: 1, queue: 16, recycleAfterPages: 500, maxMemoryMb: 2048, maxPageCpuMs: 15_000 };

beforeEach(() => {
  owed = [];
  receiver.received.length = 0;
});

afterEach(() => {
  for (const { answer } of owed) answer();
});

afterAll(async () => {
  await scraper?.stop();
  await receiver?.close();
  await site?.close();
});

function owe(path: string, response: ServerResponse): void {
  const answer = () => {
    if (!response.headersSent) response.setHeader("content-type", "text/html").end(page);
  };
  owed.push({ path, answer, isGone: () => response.destroyed });
}

const url = (path: string) => site.url + path;
const asked = (path: string) => site.hits.filter(hit => hit.url === path).length;

const scrape = (body: unknown, options: RequestOptions = {}) =>
  scraper.scrape(body, { key: ownKey, ...options });
const done = (body: unknown, options: RequestOptions = {}) => scraper.job(body, { key: ownKey, ...options });
const refused = (body: unknown, options: RequestOptions = {}) =>
  scraper.refusal(body, { key: ownKey, ...options });

async function accept(body: object, options: RequestOptions = {}): Promise<StoredJob> {
  const reply = await scrape({ mode: "async", ...body }, options);
  expect(reply.status).toBe(202);
  return reply.json<StoredJob>();
}

/** A key for frequent polls. */
function newKey(owner: string, limits: Record<string, number> = {}): Promise<string> {
  return scraper.newKey(owner, { requestsPerMinute: 1_000_000, ...limits });
}

function get(id: string, options: RequestOptions = {}): Promise<Reply> {
  return scraper.request("GET", `/web/scrape/${id}`, { key: ownKey, ...options });
}

/** Takes every place of the node; no key alone can. */
async function fill(name: string): Promise<{ scrape_id: string; key: string }[]> {
  const keys = [ownKey, await newKey("own")];
  const accepting = Array.from({ length: atWork }, async (_, n) => {
    const key = keys[n % 2] ?? ownKey;
    return { key, ...(await accept({ url: url(`/held?${name}${n}`) }, { key })) };
  });
  const fillers = await Promise.all(accepting);
  await until("every place is taken", () => owed.length === atWork);
  return fillers;
}

/** Scrapes of a page that have begun and not ended, as an administrator sees them. */
async function begun(path: string): Promise<number> {
  const { data } = await call(scraper.broker, listScrapes, { limit: 100 });
  const isBegun = ({ status, started_at }: ScrapeSummary) => status === "pending" && started_at !== null;
  return data.filter(each => each.url.startsWith(url(path)) && isBegun(each)).length;
}

function cancel(id: string, options: RequestOptions = {}): Promise<Reply> {
  return scraper.request("DELETE", `/web/scrape/${id}`, { key: ownKey, ...options });
}

async function ended(id: string, options: RequestOptions = {}): Promise<StoredJob> {
  let job: StoredJob = { scrape_id: id };
  await until(`${id} ends`, async () => {
    job = (await get(id, options)).json<StoredJob>();
    return job.status !== "pending";
  });
  return job;
}

const codeOf = (reply: Reply): [number, string] => [reply.status, reply.json<Refusal>().code];
const answerTo = async (path: string) => {
  await until(`${path} is asked for`, () => owed.some(each => each.path === path));
  owed.find(each => each.path === path)?.answer();
};

describe("an asynchronous scrape", () => {
  test("is accepted, pending, and completed", async () => {
    const accepted = await accept({ url: url("/held?1") });
    expect(accepted).toEqual({
      scrape_id: expect.stringMatching(/^scr_\w{20,}$/),
      version: "v1",
      status: "pending",
    });
    await until("it is at work", () => owed.length === 1);
    const pending = (await get(accepted.scrape_id)).json();
    expect(pending).toEqual({ ...accepted, url: url("/held?1"), started_at: expect.any(String) });
    await answerTo("/held?1");
    const job = await ended(accepted.scrape_id);
    expect(job).toMatchObject({ status: "completed", data: { metadata: { title: "A page" } } });
    expect(Object.keys(job).sort()).toEqual(
      ["data", "ended_at", "scrape_id", "started_at", "status", "url", "version"].sort(),
    );
    expect(Date.parse(job.ended_at ?? "")).toBeGreaterThanOrEqual(Date.parse(job.started_at ?? ""));
  });

  test("of a page that answers 404 is completed, of one that resets it has failed", async () => {
    const [missing, reset] = [await accept({ url: url("/missing") }), await accept({ url: url("/reset") })];
    expect((await ended(missing.scrape_id)).data?.metadata.status_code).toBe(404);
    expect(await ended(reset.scrape_id)).toMatchObject({
      status: "failed",
      error: { code: "target_unreachable", message: expect.stringMatching(/\.$/) },
    });
  });

  test("takes none of the key's slots to be accepted, and waits for one to begin", async () => {
    const key = await newKey("narrow", { concurrentScrapes: 1 });
    const sync = scrape({ url: url("/held?slot") }, { key });
    await until("the slot is taken", () => owed.length === 1);
    expect(codeOf(await scrape({ url: url("/page") }, { key }))).toEqual([429, "rate_limited"]);
    const { scrape_id } = await accept({ url: url("/held?queued") }, { key });
    const other = await accept({ url: url("/page") });
    expect((await ended(other.scrape_id)).status).toBe("completed");
    expect((await get(scrape_id, { key })).json<StoredJob>().started_at).toBeUndefined();
    await answerTo("/held?slot");
    expect((await sync).status).toBe(200);
    await until("it is at work", () => asked("/held?queued") === 1);
    expect(codeOf(await scrape({ url: url("/page") }, { key }))).toEqual([429, "rate_limited"]);
    await answerTo("/held?queued");
    expect((await ended(scrape_id, { key })).status).toBe("completed");
  });

  test("of a key with many leaves places to the jobs of other keys", async () => {
    const key = await newKey("many");
    const many = await Promise.all(
      Array.from({ length: atWork + 1 }, (_, n) => accept({ url: url(`/held?many${n}`) }, { key })),
    );
    await until("the key has its share", () => owed.length === atWork - 2);
    const { scrape_id } = await accept({ url: url("/page") });
    expect((await ended(scrape_id)).status).toBe("completed");
    expect(owed.length).toBe(atWork - 2);
    for (const n of many.keys()) await answerTo(`/held?many${n}`);
    for (const job of many) expect((await ended(job.scrape_id, { key })).status).toBe("completed");
  });

  test("is its owner's alone, by whichever key", async () => {
    const [first, second] = [await newKey("ann"), await newKey("ann")];
    const { scrape_id } = await accept({ url: url("/page") }, { key: first });
    expect((await ended(scrape_id, { key: second })).status).toBe("completed");
    const other = await newKey("bob");
    for (const answer of [get, cancel])
      for (const [id, key] of [[scrape_id, other] as const, ["scr_unknown", first] as const])
        expect(codeOf(await answer(id, { key }))).toEqual([404, "not_found"]);
  });

  test("of a key waits behind the first of another", async () => {
    const fillers = await fill("fill");
    const [ann, bob] = [await newKey("ann"), await newKey("bob")];
    const waiting = [
      await accept({ url: url("/held?ann1") }, { key: ann }),
      await accept({ url: url("/held?ann2") }, { key: ann }),
      await accept({ url: url("/held?bob1") }, { key: bob }),
    ];
    for (const [n, path] of ["/held?ann1", "/held?bob1", "/held?ann2"].entries()) {
      await answerTo(`/held?fill${n}`);
      await until("the next one begins", () => owed.length === atWork + n + 1);
      expect(owed.at(-1)?.path).toBe(path);
    }
    for (const { answer } of owed) answer();
    for (const { scrape_id, key } of fillers) await ended(scrape_id, { key });
    for (const [n, { scrape_id }] of waiting.entries()) await ended(scrape_id, { key: n < 2 ? ann : bob });
  });
});

describe("cancelling", () => {
  const error = { code: "cancelled", message: "The scrape was cancelled." };

  test("a scrape at work stops it; again is the same; nothing changes it afterwards", async () => {
    const { scrape_id } = await accept({ url: url("/held?cancel") });
    await until("it is at work", () => owed.length === 1);
    const cancelled = await cancel(scrape_id);
    expect([cancelled.status, cancelled.json()]).toMatchObject([200, { scrape_id, status: "failed", error }]);
    await until("the site is left", () => owed[0]?.isGone() === true);
    expect((await cancel(scrape_id)).json()).toEqual(cancelled.json());
    expect((await get(scrape_id)).json()).toEqual(cancelled.json());
  });

  test("a scrape that waits keeps it from being begun", async () => {
    const fillers = await fill("before");
    const { scrape_id } = await accept({ url: url("/held?never") });
    expect((await cancel(scrape_id)).status).toBe(200);
    const last = await accept({ url: url("/page") });
    for (const { answer } of owed) answer();
    for (const { scrape_id, key } of [...fillers, { ...last, key: ownKey }]) await ended(scrape_id, { key });
    expect(asked("/held?never")).toBe(0);
    expect((await get(scrape_id)).json()).toMatchObject({ status: "failed", error });
  });

  test("one that has ended by itself is a conflict", async () => {
    const { scrape_id } = await accept({ url: url("/page") });
    await ended(scrape_id);
    expect(codeOf(await cancel(scrape_id))).toEqual([409, "already_finished"]);
    const { scrape_id: sync } = await done({ url: url("/page") });
    expect(codeOf(await cancel(sync))).toEqual([409, "already_finished"]);
  });

  test("by an administrator is the same for a scrape of any key", async () => {
    const key = await newKey("ann");
    const { scrape_id } = await accept({ url: url("/held?admin") }, { key });
    await until("it is at work", () => owed.length === 1);
    const remove = (id: string, options: RequestOptions) =>
      scraper.request("DELETE", `/internal/scrapes/${id}`, options);
    expect((await remove(scrape_id, { key })).status).toBe(401);
    const cancelled = await remove(scrape_id, { admin: true });
    expect([cancelled.status, cancelled.json()]).toMatchObject([200, { scrape_id, status: "failed", error }]);
    await until("the site is left", () => owed[0]?.isGone() === true);
    expect((await get(scrape_id, { key })).json()).toEqual(cancelled.json());
    expect((await remove(scrape_id, { admin: true })).json()).toEqual(cancelled.json());
    expect(codeOf(await remove("scr_none", { admin: true }))).toEqual([404, "not_found"]);
    const { scrape_id: ended } = await done({ url: url("/page") }, { key });
    expect(codeOf(await remove(ended, { admin: true }))).toEqual([409, "already_finished"]);
  });
});

test("a key lists its scrapes, newest first, by status and page by page", async () => {
  const [key, other] = [await newKey("ann"), await newKey("ann")];
  const { scrape_id: first } = await done({ url: url("/page") }, { key });
  const { scrape_id: second } = await accept({ url: url("/held?listed") }, { key });
  await done({ url: url("/page") }, { key: other });
  await until("it is at work", () => owed.length === 1);
  const list = async (query = "", path = "/web/scrape", options: RequestOptions = { key }) => {
    const reply = await scraper.request("GET", `${path}${query}`, options);
    expect(reply.status).toBe(200);
    return reply.json<{ data: Record<string, unknown>[]; next_cursor: string | null }>();
  };
  const page = await list("?limit=1");
  const [pending] = page.data;
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(page).toEqual({
    data: [
      {
        scrape_id: second,
        key_id: expect.any(String),
        url: url("/held?listed"),
        status: "pending",
        status_code: null,
        started_at: time,
        ended_at: null,
        expires_at: null,
      },
    ],
    next_cursor: second,
    message: expect.any(String),
  });
  const rest = await list(`?limit=1&cursor=${second}`);
  expect(rest.data).toEqual([
    {
      ...pending,
      scrape_id: first,
      started_at: time,
      url: url("/page"),
      status: "completed",
      status_code: 200,
      ended_at: time,
      expires_at: time,
    },
  ]);
  expect(rest.next_cursor).toBeNull();
  expect((await list("?status=pending")).data).toEqual([pending]);
  const asAdmin = (query: string) => list(query, "/internal/scrapes", { admin: true });
  expect((await asAdmin(`?key_id=${pending?.key_id}&status=completed`)).data).toEqual(rest.data);
  expect((await asAdmin(`?key_id=${pending?.key_id}`)).data).toHaveLength(2);
  expect((await scraper.scrape({ url: url("/reset") }, { key })).status).toBe(502);
  expect(await list("?status=failed")).toMatchObject({
    data: [
      {
        ...{ url: url("/reset"), status: "failed", started_at: time, ended_at: time, expires_at: time },
        error: { code: "target_unreachable", message: expect.any(String) },
      },
    ],
  });
  for (const [path, field] of [
    ["/web/scrape?status=lost", "status"],
    ["/web/scrape?cursor=x", "cursor"],
    ["/web/scrape?limit=201", "limit"],
  ]) {
    const reply = await scraper.request("GET", path ?? "", { key });
    expect(reply.json<Refusal>().details?.map(each => each.field)).toEqual([field]);
  }
});

describe("a job's webhook", () => {
  const notices = () => receiver.received.map(({ event }) => event as unknown as Notice);
  const sent = (id: string) => notices().filter(({ data }) => data.job.scrape_id === id);
  const types = (id: string) => sent(id).map(({ type }) => type);

  test("gets notices of the start and the end, signed, with its headers", async () => {
    const key = await newKey("told");
    const hook = { url: receiver.url, headers: { "x-mine": "yes" } };
    const { scrape_id, webhook_secret = "" } = await accept({ url: url("/page"), webhook: hook }, { key });
    receiver.trust(webhook_secret);
    const job = await ended(scrape_id, { key });
    await until("it is sent", () => types(scrape_id).includes("scrape.completed"));
    await until("and of the start", () => types(scrape_id).length === 2);
    const completed = sent(scrape_id).find(({ type }) => type === "scrape.completed");
    expect(completed).toMatchObject({ seq: null, data: { source: null, job } });
    expect(receiver.received.map(({ headers }) => headers["x-mine"])).toEqual(["yes", "yes"]);
    const second = await accept({ url: url("/page"), webhook: hook }, { key });
    expect(second.webhook_secret).toBeUndefined();
    await until("the second is sent", () => types(second.scrape_id).length === 2);
    expect(receiver.received.slice(2).map(({ verified }) => verified)).toEqual([true, true]);
  });

  test("gets only the notices that it wants", async () => {
    const failed = await accept({ url: url("/reset"), webhook: { url: receiver.url, events: ["failed"] } });
    const quiet = await accept({ url: url("/page"), webhook: { url: receiver.url, events: ["failed"] } });
    await ended(quiet.scrape_id);
    await until("the failure is sent", () => types(failed.scrape_id).length === 1);
    expect(types(failed.scrape_id)).toEqual(["scrape.failed"]);
    expect(sent(failed.scrape_id)[0]?.data.job.error?.code).toBe("target_unreachable");
    expect(types(quiet.scrape_id)).toEqual([]);
  });

  test("gets one notice of a scrape that was cancelled", async () => {
    const events = ["completed", "failed"];
    const { scrape_id } = await accept({ url: url("/held?told"), webhook: { url: receiver.url, events } });
    await until("it is at work", () => owed.length === 1);
    await Promise.all([cancel(scrape_id), cancel(scrape_id)]);
    await answerTo("/held?told");
    const later = await accept({ url: url("/page"), webhook: { url: receiver.url, events } });
    await until("a later one is sent", () => types(later.scrape_id).length === 1);
    expect(types(scrape_id)).toEqual(["scrape.failed"]);
    expect(sent(scrape_id)[0]?.data.job.error?.code).toBe("cancelled");
  });

  test.each([
    ["webhook.url", { url: "http://10.0.0.1/" }],
    ["webhook.url", { url: "nonsense" }],
    ["webhook.headers.host", { url: "https://a.example/", headers: { host: "b.example" } }],
    ["webhook.events", { url: "https://a.example/", events: [] }],
  ])("is refused by the name of the field: %s", async (field, webhook) => {
    const before = site.hits.length;
    const reply = await scrape({ url: url("/page"), mode: "async", webhook });
    expect([reply.status, reply.json<Refusal>().details?.[0]?.field]).toEqual([400, field]);
    expect(site.hits.length).toBe(before);
  });
});

describe("a synchronous scrape", () => {
  const late = (path: string, options: RequestOptions = {}) =>
    refused({ url: url(path), timeout: 1000 }, options);

  test("can be asked for afterwards", async () => {
    const job = await done({ url: url("/page"), output: { formats: ["markdown", "links"] } });
    const kept = (await get(job.scrape_id)).json<StoredJob>();
    expect(kept).toEqual(job);
  });

  test("a scrape that is not done in time continues", async () => {
    const [status, code, { scrape_id = "" }] = await late("/held?late");
    expect([status, code]).toEqual([408, "scrape_timeout"]);
    expect((await get(scrape_id)).json()).toMatchObject({ scrape_id, status: "pending" });
    await answerTo("/held?late");
    expect(await ended(scrape_id)).toMatchObject({
      status: "completed",
      data: { metadata: { title: "A page" } },
    });
    expect(asked("/held?late")).toBe(1);
  });

  test("a scrape that is not done in time can be cancelled", async () => {
    const [, , { scrape_id = "" }] = await late("/held?stop");
    await until("it is at work", () => owed.length === 1);
    expect((await cancel(scrape_id)).status).toBe(200);
    await until("the site is left", () => owed[0]?.isGone() === true);
    expect((await get(scrape_id)).json()).toMatchObject({ status: "failed", error: { code: "cancelled" } });
  });

  test("holds its slot until its work ends, not until its request is answered", async () => {
    const key = await newKey("late", { concurrentScrapes: 3 });
    const waves: [number, string][] = [];
    for (let wave = 0; wave < 3; wave += 1) {
      const replies = await Promise.all([0, 1, 2].map(n => late(`/held?wave${wave}.${n}`, { key })));
      waves.push(...replies.map(([status, code]): [number, string] => [status, code]));
      expect(await begun("/held?wave")).toBe(3);
    }
    expect(waves.slice(0, 3)).toEqual(Array(3).fill([408, "scrape_timeout"]));
    expect(waves.slice(3)).toEqual(Array(6).fill([429, "rate_limited"]));
    const queued = await accept({ url: url("/held?wave-queued") }, { key });
    expect(await begun("/held?wave")).toBe(3);
    await answerTo("/held?wave0.0");
    await until("the queued one begins", () => asked("/held?wave-queued") === 1);
    expect(await begun("/held?wave")).toBe(3);
    await answerTo("/held?wave-queued");
    expect((await ended(queued.scrape_id, { key })).status).toBe("completed");
    for (const { answer } of owed) answer();
    await until("all have ended", async () => (await begun("/held?wave")) === 0);
    expect((await done({ url: url("/page") }, { key })).status).toBe("completed");
  });
});

describe("Idempotency-Key", () => {
  const as = (key: string): RequestOptions => ({ headers: { "idempotency-key": key } });

  test("makes repeated asynchronous requests one job", async () => {
    const body = { url: url("/held?once") };
    const jobs = await Promise.all(Array.from({ length: 5 }, () => accept(body, as("async-1"))));
    const [{ scrape_id = "" } = {}] = jobs;
    expect(new Set(jobs.map(job => job.scrape_id))).toEqual(new Set([scrape_id]));
    await answerTo("/held?once");
    await ended(scrape_id);
    expect(await accept(body, as("async-1"))).toEqual({ scrape_id, version: "v1", status: "completed" });
    expect(asked("/held?once")).toBe(1);
  });

  test("makes repeated synchronous requests wait for one scrape", async () => {
    const body = { url: url("/held?sync") };
    const replies = Array.from({ length: 3 }, () => done(body, as("sync-1")));
    await answerTo("/held?sync");
    const jobs = await Promise.all(replies);
    const later = await done(body, as("sync-1"));
    expect(new Set([...jobs, later].map(job => job.scrape_id)).size).toBe(1);
    expect(later.data).toEqual(jobs[0]?.data);
    expect(asked("/held?sync")).toBe(1);
  });

  test("a scrape that was late is waited for by the next request", async () => {
    const body = { url: url("/held?again"), timeout: 1000 };
    const [status, , { scrape_id }] = await refused(body, as("late-1"));
    expect(status).toBe(408);
    const next = done(body, as("late-1"));
    await answerTo("/held?again");
    expect((await next).scrape_id).toBe(scrape_id);
    expect(asked("/held?again")).toBe(1);
  });

  test("a scrape that was cancelled is not begun again", async () => {
    const body = { url: url("/held?gone"), timeout: 1000 };
    const [, , { scrape_id = "" }] = await refused(body, as("gone-1"));
    await until("it is at work", () => owed.length === 1);
    await cancel(scrape_id);
    expect((await refused(body, as("gone-1"))).slice(0, 2)).toEqual([409, "conflict"]);
    expect(asked("/held?gone")).toBe(1);
  });

  test("with another body is a conflict; of another API key it is another one", async () => {
    await accept({ url: url("/page") }, as("same"));
    const other = await scrape({ mode: "async", url: url("/missing") }, as("same"));
    expect(codeOf(other)).toEqual([409, "conflict"]);
    const key = await newKey("someone");
    await accept({ url: url("/missing") }, { ...as("same"), key });
  });

  test.each([
    ["of 255 characters", "~".repeat(255), 202],
    ["of 256 characters", "~".repeat(256), 400],
    ["that is empty", "", 400],
    ["with a blank", "a b", 400],
    ["beyond ASCII", "\u00e9", 400],
  ])("%s", async (_, key, expected) => {
    const reply = await scrape({ mode: "async", url: url("/page") }, as(key));
    expect(reply.status).toBe(expected);
    if (expected === 400) expect(reply.json<Refusal>().details?.[0]?.field).toBe("idempotency-key");
  });
});

test("a poll of another service leaves no record and returns the caching headers of the site", async () => {
  const request = {
    ...{ url: url("/cached"), mode: "sync" as const, timeout: 55_000, breakdown: false, max_age: 0 },
    ...{ output: { formats: ["markdown" as const], screenshot: "viewport" as const } },
    request: {
      ...{ device: "desktop" as const, only_main_content: true },
      ...{ block_ads: true, skip_tls_verification: false },
    },
    js_render: { enabled: true },
    proxy: { location: "US" },
  };
  const { broker } = scraper;
  const visit = await call(broker, pollPage, { keyId: "tracker", owner: "tracker", request });
  expect(visit.headers).toEqual({ "cache-control": "max-age=60", age: "7" });
  expect(visit.job.data.metadata.title).toBe("A page");
  const meta = { caller: { keyId: "tracker", owner: "tracker", limits: defaultLimits } };
  const asking = call(broker, scrapeStatus, { scrape_id: visit.job.scrape_id }, { meta });
  await expect(asking).rejects.toMatchObject({ type: "not_found" });
});
