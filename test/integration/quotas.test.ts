import { jest } from "@jest/globals";
import { toConfig } from "../../mixins/config/config.ts";
import type { NewEvent } from "../../mixins/event-log/event-log.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import type { WebhookContext } from "../../services/webhook-dispatcher/context.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { makeDigestDue, storedLane } from "../support/digest-due.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, type Reply, startMagpie } from "../support/magpie.ts";
import { linkIn, type MailServer, startMailServer } from "../support/mail-server.ts";
import { until } from "../support/until.ts";

const noon = Date.parse("2030-05-17T12:00:00.000Z");
const words = "Words of the page. ".repeat(20);
const page = (links: string[] = []) =>
  `<html lang="en"><title>A page</title><main><p>${words}</p>${links.map(link => `<a href="${link}">${link}</a>`).join(" ")}</main></html>`;

let site: Site;
let magpie: Magpie;
let mails: MailServer;
/** The clock of quotas. */
let now = noon;
/** Requests for a path beginning so are answered by 500 or cut. */
let asked: string[] = [];
/** What the receiver has taken. */
let hooks: { url: string; type: string; seq: number }[] = [];

beforeAll(async () => {
  site = await startSite((request, response) => {
    const { url = "" } = request;
    if (url.startsWith("/hook")) {
      let body = "";
      request.on("data", chunk => {
        body += chunk;
      });
      request.on("end", () => {
        if (url === "/hook-down") return response.writeHead(500).end();
        hooks.push({ ...JSON.parse(body), url });
        return response.end();
      });
      return;
    }
    asked.push(url);
    if (url === "/robots.txt" || url === "/sitemap.xml") return response.writeHead(404).end();
    if (url.startsWith("/cut")) return response.destroy();
    const isFirst = asked.filter(each => each === url).length === 1;
    if (url.startsWith("/limited") && isFirst) return response.writeHead(429).end();
    response.setHeader("content-type", "text/html");
    const links = url === "/site/" ? Array.from({ length: 9 }, (_, n) => `/site/${n}`) : [];
    const script = url.startsWith("/script")
      ? "<script>document.title = 'x';document.body.append('y')</script>"
      : "";
    return response.end(page(links) + script);
  });
  mails = await startMailServer();
  const { mail, publicUrl } = toConfig({
    SMTP_URL: mails.url,
    SMTP_FROM: "Magpie <magpie@example.com>",
    PUBLIC_URL: "https://magpie.example.com",
  });
  magpie = await startMagpie(
    {
      ...{ mail, publicUrl },
      egressAllow: ["127.0.0.1"],
      webhooks: { allowHttp: true, backoffMs: [10] },
      browser: { ...toConfig({}).browser, path: "/nowhere" },
      social: { ...toConfig({}).social, sandboxEveryMs: null },
    },
    config => [
      keysService(config, () => now),
      ...[scraperService, crawlerService, trackerService, connectorsService, webhookDispatcherService].map(
        service => service(config),
      ),
    ],
  );
});
beforeEach(() => {
  now = noon;
  asked = [];
  hooks = [];
});
afterAll(async () => {
  await magpie?.stop();
  await mails?.close();
  await site?.close();
});

interface Use {
  name: string;
  period: string;
  used: number;
  limit: number;
  left: number;
  resets_at: string;
}

let owners = 0;

/** A new key with these quotas. */
async function keyWith(quotas: unknown) {
  owners += 1;
  const limits = { requestsPerMinute: 100_000, concurrentScrapes: 100, concurrentCrawls: 10 };
  const made = await magpie.request("POST", "/internal/keys", {
    ...{ admin: true, body: { owner: `owner ${owners}`, name: "n", limits, quotas } },
  });
  expect(made.status).toBe(201);
  const { id, key } = made.json<{ data: { id: string; key: string } }>().data;
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    magpie.request(method, path, { key, headers, ...(body !== undefined && { body }) });
  return {
    ...{ id, key, ask },
    scrape: (path = "/", more: object = {}) =>
      ask("POST", "/web/scrape", { url: site.url + path, js_render: { enabled: false }, ...more }),
    uses: async () => (await ask("GET", "/users/me/usage")).json<{ quotas: Use[] }>().quotas,
    used: async (name = "pages") =>
      (await ask("GET", "/users/me/usage"))
        .json<{ quotas: Use[] }>()
        .quotas.filter(use => use.name === name)
        .map(({ used }) => used),
    change: (body: unknown) => magpie.request("PATCH", `/internal/keys/${id}`, { admin: true, body }),
    events: async () =>
      (await ask("GET", "/events?limit=100")).json<{ data: { type: string; id: string; data: object }[] }>()
        .data,
  };
}

let news = 0;
const newsOf = (keyId: string, title: string): NewEvent => {
  news += 1;
  return {
    ...{ bodyId: `news-${news}`, type: "rss.item.created", timestamp: new Date().toISOString() },
    ...{ data: { source: null, item: { id: title, title, content_text: title } }, keyIds: [keyId] },
  };
};

const refusal = (reply: Reply) => {
  const { code, retry_after, quota } = reply.json<{ code: string; retry_after: number; quota: Use }>();
  return {
    status: reply.status,
    code,
    hasRetryAfter: retry_after > 0,
    name: quota?.name,
    period: quota?.period,
  };
};
const refused = (name: string, period = "day") => ({
  ...{ status: 429, code: "quota_exceeded", hasRetryAfter: true, name, period },
});

describe("quotas of a key", () => {
  test("are none by default, set by the administrator, and shown to the key", async () => {
    const none = { pages: null, rendered: null, crawled: null, events: null, deliveries: null };
    const plain = await keyWith(undefined);
    const me = (await plain.ask("GET", "/users/me")).json<{ data: { quotas: unknown } }>();
    expect(me.data.quotas).toEqual({ day: none, month: none });
    expect(await plain.uses()).toEqual([]);
    const key = await keyWith({ day: { pages: 5 }, month: { crawled: 7, events: null } });
    const changed = await key.change({ quotas: { day: { pages: null, rendered: 0 } } });
    expect(changed.json<{ data: object }>().data).toMatchObject({
      quotas: { day: { ...none, rendered: 0 }, month: { ...none, crawled: 7 } },
    });
    const listed = await magpie.request("GET", "/internal/keys", { admin: true });
    expect(listed.json<{ data: { id: string }[] }>().data.find(({ id }) => id === key.id)).toMatchObject({
      quotas: { day: { rendered: 0 } },
    });
  });

  test.each([
    [{ day: { pages: -1 } }, "quotas.day.pages"],
    [{ day: { pages: 1.5 } }, "quotas.day.pages"],
    [{ month: { events: "many" } }, "quotas.month.events"],
    [{ week: { pages: 1 } }, "quotas.week"],
    [{ day: { requests: 1 } }, "quotas.day.requests"],
  ])("%j is refused by name", async (quotas, field) => {
    const body = { owner: "x", name: "n", quotas };
    const reply = await magpie.request("POST", "/internal/keys", { admin: true, body });
    expect(reply.status).toBe(400);
    expect(reply.json<{ details: { field: string }[] }>().details.map(each => each.field)).toEqual([field]);
  });
});

describe("scrapes", () => {
  test("of 50 at once with 10 left exactly 10 pass", async () => {
    const key = await keyWith({ day: { pages: 10 } });
    const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => key.scrape(`/p${n}`)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    const refusals = replies.filter(({ status }) => status !== 200).map(refusal);
    expect(refusals).toEqual(Array(40).fill(refused("pages")));
    expect(asked).toHaveLength(10);
    expect(await key.used()).toEqual([10]);
  });

  test("the answer says what is left, and a refusal until when", async () => {
    const key = await keyWith({ day: { pages: 2 }, month: { pages: 100 } });
    const { headers } = await key.scrape();
    expect(headers.get("ratelimit-policy")).toMatch(
      /^"default";q=100000;w=60, "pages-day";q=2;w=86400, "pages-month";q=100;w=2678400$/,
    );
    expect(headers.get("ratelimit")).toMatch(/, "pages-day";r=1;t=\d+, "pages-month";r=99;t=\d+$/);
    await key.scrape();
    const over = await key.scrape();
    expect(over.json()).toMatchObject({
      quota: { name: "pages", period: "day", used: 2, limit: 2, resets_at: "2030-05-18T00:00:00.000Z" },
    });
    expect(Number(over.headers.get("retry-after"))).toBe(over.json<{ retry_after: number }>().retry_after);
    expect(over.headers.get("ratelimit")).toMatch(/"pages-day";r=0;t=\d+$/);
    expect(await key.uses()).toEqual([
      { name: "pages", period: "day", used: 2, limit: 2, left: 0, resets_at: "2030-05-18T00:00:00.000Z" },
      {
        name: "pages",
        period: "month",
        used: 2,
        limit: 100,
        left: 98,
        resets_at: "2030-06-01T00:00:00.000Z",
      },
    ]);
    now += 12 * 3_600_000;
    expect((await key.scrape()).status).toBe(200);
    expect(await key.used()).toEqual([1, 3]);
  });

  test("a failure and an earlier result cost nothing; an error page of the site is a page", async () => {
    const key = await keyWith({ day: { pages: 10 } });
    expect((await key.scrape("/cut")).status).toBe(502);
    expect(await key.used()).toEqual([0]);
    await key.scrape("/kept");
    expect((await key.scrape("/kept", { max_age: 60_000 })).text).toContain("cached_at");
    expect(await key.used()).toEqual([1]);
    await key.scrape("/robots.txt");
    expect(await key.used()).toEqual([2]);
  });

  test("asynchronous ones are refused when they are sent, and charged once", async () => {
    const key = await keyWith({ day: { pages: 2 } });
    const sent = await Promise.all(
      Array.from({ length: 6 }, (_, n) => key.scrape(`/a${n}`, { mode: "async" })),
    );
    const accepted = sent.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(2);
    expect(refusal(sent.find(({ status }) => status !== 202) as Reply)).toEqual(refused("pages"));
    for (const reply of accepted) {
      const path = `/web/scrape/${reply.json<{ scrape_id: string }>().scrape_id}`;
      await until("it has ended", async () => (await key.ask("GET", path)).text.includes('"completed"'));
    }
    expect(await key.used()).toEqual([2]);
    expect((await key.ask("GET", "/web/scrape")).json<{ data: unknown[] }>().data).toHaveLength(2);
  });

  test("one that fails later gives its page back", async () => {
    const key = await keyWith({ day: { pages: 1 } });
    const sent = await key.scrape("/cut", { mode: "async" });
    const path = `/web/scrape/${sent.json<{ scrape_id: string }>().scrape_id}`;
    await until("it has failed", async () => (await key.ask("GET", path)).text.includes('"failed"'));
    await until("its page is back", async () => (await key.used())[0] === 0);
  });

  test("a request that is repeated with its idempotency key is charged once", async () => {
    const key = await keyWith({ day: { pages: 3 } });
    const again = () =>
      key.ask(
        "POST",
        "/web/scrape",
        { url: `${site.url}/once`, js_render: { enabled: false } },
        { "idempotency-key": "same" },
      );
    const replies = await Promise.all([again(), again(), again()]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await key.used()).toEqual([1]);
  });

  test.each([
    ["/v1/scrape", (url: string) => ({ url })],
    ["/v2/scrape", (url: string) => ({ url })],
  ])("%s refuses, too", async (path, body) => {
    const key = await keyWith({ month: { pages: 0 } });
    const reply = await key.ask("POST", path, body(site.url));
    expect(reply.status).toBe(429);
    expect(reply.json()).toMatchObject({ success: false, code: "QUOTA_EXCEEDED", quota: { name: "pages" } });
  });

  test("GET /r and the tools of MCP refuse, too", async () => {
    const key = await keyWith({ day: { pages: 0 } });
    expect((await key.ask("GET", `/r/${site.url}/`)).status).toBe(429);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call" };
    const reply = await key.ask(
      "POST",
      "/mcp",
      { ...call, params: { name: "scrape", arguments: { url: site.url } } },
      { accept: "application/json, text/event-stream" },
    );
    expect(reply.text).toContain("quota");
    expect(asked).toEqual([]);
  });
});

describe("the browser", () => {
  test("without rendered pages left, a page is read as it was sent, and says so", async () => {
    const key = await keyWith({ day: { rendered: 0 } });
    const reply = await key.scrape("/script", { js_render: { enabled: true } });
    expect(reply.status).toBe(200);
    expect(reply.text).toContain("Words of the page.");
    expect(reply.json<{ data: { metadata: { warning: string } } }>().data.metadata.warning).toMatch(
      /quota of rendered .*as the server sent it/,
    );
  });

  test.each([
    ["a screenshot", { output: { formats: ["screenshot"] } }],
    ["an action", { js_render: { actions: [{ type: "wait", ms: 1 }] } }],
    ["a selector to wait for", { js_render: { wait_for: { selector: "p" } } }],
  ])("%s is refused", async (_, more) => {
    const key = await keyWith({ day: { rendered: 0, pages: 5 } });
    expect(refusal(await key.scrape("/script", { js_render: { enabled: true }, ...more }))).toEqual(
      refused("rendered"),
    );
    expect(await key.used()).toEqual([0]);
  });
});

interface Job {
  status: string;
  stop_reason: string | null;
  progress: Record<string, number>;
  data: unknown[];
}

describe("crawls and batches", () => {
  const ended = async (key: Awaited<ReturnType<typeof keyWith>>, path: string) => {
    const read = async () => (await key.ask("GET", path)).json<Job>();
    await until("it has ended", async () => !["crawling", "scraping"].includes((await read()).status));
    return await read();
  };
  const crawl = { js_render: { enabled: false }, request: { block_ads: false } };
  const sum = ({ completed = 0, failed = 0, skipped = 0 }: Record<string, number>) =>
    completed + failed + skipped;

  test("a crawl that meets a quota stops, with what it has read", async () => {
    const key = await keyWith({ day: { crawled: 4 } });
    const sent = await key.ask("POST", "/web/crawl", { url: `${site.url}/site/`, ...crawl });
    expect(sent.headers.get("ratelimit")).toContain('"crawled-day";r=4;');
    const id = sent.json<{ crawl_id: string }>().crawl_id;
    const job = await ended(key, `/web/crawl/${id}`);
    expect(job).toMatchObject({ status: "completed", stop_reason: "quota", progress: { completed: 4 } });
    expect(sum(job.progress)).toBe(job.progress.discovered);
    expect(job.data).toHaveLength(4);
    const { data } = (await key.ask("GET", `/web/crawl/${id}/errors`)).json<{ data: { code: string }[] }>();
    expect(new Set(data.map(({ code }) => code))).toEqual(new Set(["quota"]));
    expect(await key.used("crawled")).toEqual([4]);
    expect(refusal(await key.ask("POST", "/web/crawl", { url: site.url, ...crawl }))).toEqual(
      refused("crawled"),
    );
    await key.change({ quotas: { day: { crawled: 100 } } });
    const next = await key.ask("POST", "/web/crawl", { url: `${site.url}/site/`, ...crawl });
    const whole = await ended(key, `/web/crawl/${next.json<{ crawl_id: string }>().crawl_id}`);
    expect(whole).toMatchObject({ stop_reason: "finished", progress: { completed: 10 } });
    expect(await key.used("crawled")).toEqual([14]);
  });

  test("a batch is charged to both of its quotas", async () => {
    const key = await keyWith({ day: { pages: 3, crawled: 100 } });
    const urls = Array.from({ length: 8 }, (_, n) => `${site.url}/b${n}`);
    const sent = await key.ask("POST", "/web/batch", { urls, ...crawl });
    const job = await ended(key, `/web/batch/${sent.json<{ batch_id: string }>().batch_id}`);
    expect(job).toMatchObject({ status: "completed", stop_reason: "quota" });
    expect(job.progress).toMatchObject({ discovered: 8, completed: 3, skipped: 5 });
    expect([await key.used(), await key.used("crawled")]).toEqual([[3], [3]]);
    expect(refusal(await key.ask("POST", "/web/batch", { urls, ...crawl }))).toEqual(refused("pages"));
  });

  test("pages that could not be read are given back", async () => {
    const key = await keyWith({ day: { pages: 2 } });
    const urls = [...Array.from({ length: 5 }, (_, n) => `${site.url}/cut${n}`), `${site.url}/there`];
    const sent = await key.ask("POST", "/web/batch", { urls, ...crawl });
    const job = await ended(key, `/web/batch/${sent.json<{ batch_id: string }>().batch_id}`);
    if (job.stop_reason === "finished") expect(job.progress).toMatchObject({ completed: 1, failed: 5 });
    await until(
      "only the page that was read counts",
      async () => (await key.used())[0] === job.progress.completed,
    );
  });

  test("a map is charged for its entry page alone", async () => {
    const key = await keyWith({ day: { pages: 1 } });
    const map = (body: object) => key.ask("POST", "/web/map", { url: `${site.url}/site/`, ...body });
    expect((await map({ sitemaps: "only" })).status).toBe(200);
    expect(await key.used()).toEqual([0]);
    const found = await map({});
    expect(found.json<{ data: unknown[] }>().data).toHaveLength(10);
    expect(await key.used()).toEqual([1]);
    expect(refusal(await map({}))).toEqual(refused("pages"));
  });

  test("a map does not pay for an entry page that its site refuses at first", async () => {
    const key = await keyWith({ day: { pages: 1 } });
    const found = await key.ask("POST", "/web/map", { url: `${site.url}/limited/`, sitemaps: "skip" });
    expect([found.status, await key.used()]).toEqual([200, [1]]);
  });
});

describe("notices", () => {
  test("80 % and 100 % are events of the key, once each", async () => {
    const key = await keyWith({ day: { pages: 5 }, month: { events: 1 } });
    for (let n = 0; n < 7; n += 1) await key.scrape(`/n${n}`);
    await until("both are there", async () => (await key.events()).length === 2);
    const events = await key.events();
    expect(events.map(({ type }) => type)).toEqual(["quota.warning", "quota.exceeded"]);
    expect(events[0]?.data).toEqual({
      source: null,
      quota: { name: "pages", period: "day", used: 4, limit: 5, resets_at: "2030-05-18T00:00:00.000Z" },
    });
    expect(await key.used("events")).toEqual([0]);
  });

  test("events over their quota are kept, and the key is told", async () => {
    // The log has the time of the machine.
    now = Date.now();
    const key = await keyWith({ day: { events: 2 } });
    await key.ask("POST", "/webhook", { url: `${site.url}/hook-of-events` });
    for (let n = 0; n < 4; n += 1) expect((await key.ask("POST", "/webhook/test")).status).toBeLessThan(300);
    await until("it is told", async () => (await key.events()).some(({ type }) => type === "quota.exceeded"));
    const types = (await key.events()).map(({ type }) => type);
    expect(types.filter(type => type === "webhook.test")).toHaveLength(4);
    expect(await key.used("events")).toEqual([4]);
  });
});

describe("deliveries", () => {
  const seqs = (type: string) =>
    hooks.filter(event => event.type === type && event.url === "/hook").map(({ seq }) => seq);
  const send = async (key: Awaited<ReturnType<typeof keyWith>>, times: number) => {
    for (let n = 0; n < times; n += 1)
      expect((await key.ask("POST", "/webhook/test")).status).toBeLessThan(300);
  };
  const state = async (key: Awaited<ReturnType<typeof keyWith>>) =>
    (await key.ask("GET", "/webhooks")).json<{
      data: { status: string; waiting: number; held: Use | null }[];
    }>().data[0];

  const dispatching = () =>
    (magpie.broker.getLocalService("webhook-dispatcher") as unknown as { context: WebhookContext }).context;
  /** An address with digests that its owner has confirmed. */
  const addDigest = async (key: Awaited<ReturnType<typeof keyWith>>) => {
    const address = `${key.id.toLowerCase()}@example.org`;
    const url = `mailto:${address}`;
    const made = await key.ask("POST", "/webhooks", {
      url,
      digest: "15m",
      event_types: ["rss.item.created"],
    });
    const endpoint = made.json<{ data: { id: string } }>().data;
    const got = () => mails.mails.filter(({ to }) => to === address);
    await until("the owner is asked", () => got().length === 1);
    expect((await magpie.request("POST", linkIn(got()[0], "confirm"))).status).toBe(200);
    return {
      ...{ id: endpoint.id, digests: () => got().length - 1 },
      append: (title: string) => dispatching().log.append([newsOf(key.id, title)]),
      due: async () => {
        await until("it is planned", async () => Boolean((await storedLane(magpie.broker, key.id))?.digest));
        await makeDigestDue(magpie.broker, key.id);
      },
    };
  };

  test("a digest waits for the quota, and is sent when it is raised", async () => {
    const key = await keyWith({ day: { deliveries: 0 } });
    const { append, due, digests } = await addDigest(key);
    await append("Ravens");
    await due();
    await until("it is held", async () => (await state(key))?.held !== null);
    expect([digests(), await key.used("deliveries")]).toEqual([0, [0]]);
    await key.change({ quotas: { day: { deliveries: 5 } } });
    await until("it is sent", () => digests() === 1);
    await until("it is counted", async () => (await key.used("deliveries"))[0] === 1);
  });

  test("the charge of a digest whose endpoint is switched off before its mail is given back", async () => {
    const key = await keyWith({ day: { deliveries: 5 } });
    const { id, append, due, digests } = await addDigest(key);
    const { quotas } = dispatching();
    const charge = quotas.charge.bind(quotas);
    let used: number[] = [];
    const spy = jest.spyOn(quotas, "charge").mockImplementationOnce(async (...parts) => {
      const charged = await charge(...parts);
      await key.ask("PATCH", `/webhooks/${id}`, { enabled: false });
      used = await key.used("deliveries");
      return charged;
    });
    await append("Ravens");
    await due();
    await until("it is charged", () => used[0] === 1);
    spy.mockRestore();
    await until("it is given back", async () => (await key.used("deliveries"))[0] === 0, 20_000);
    expect(digests()).toBe(0);
  });

  test("over the quota events wait in their order, notices do not, and a raise sends all", async () => {
    const key = await keyWith({ day: { deliveries: 5 } });
    await key.ask("POST", "/webhook", { url: `${site.url}/hook` });
    await send(key, 12);
    await until("the key is told", async () => seqs("quota.exceeded").length === 1);
    expect(seqs("webhook.test")).toEqual(seqs("webhook.test").toSorted((a, b) => a - b));
    expect(seqs("webhook.test")).toHaveLength(5);
    expect(seqs("quota.warning")).toHaveLength(1);
    await until("it is held", async () => (await state(key))?.held !== null);
    // The outcomes of a group are written a moment after the hold.
    await until("what was delivered is written", async () => (await state(key))?.waiting === 7);
    expect(await state(key)).toMatchObject({
      ...{ status: "ACTIVE", failures: 0 },
      ...{ waiting: 7, held: { name: "deliveries", period: "day", used: 5, limit: 5 } },
    });
    expect(await key.used("deliveries")).toEqual([5]);
    await key.change({ quotas: { day: { deliveries: 9 } } });
    await until("as many as are left", async () => seqs("webhook.test").length === 9);
    await key.change({ quotas: { day: { deliveries: null } } });
    await until("all", async () => seqs("webhook.test").length === 12);
    expect(seqs("webhook.test")).toEqual(seqs("webhook.test").toSorted((a, b) => a - b));
    expect(new Set(seqs("webhook.test")).size).toBe(12);
    expect([seqs("quota.warning").length, seqs("quota.exceeded").length]).toEqual([1, 1]);
    await until("nothing waits", async () => (await state(key))?.waiting === 0);
    expect((await state(key))?.held).toBeNull();
  });

  test("a retry by hand is charged, recorded although its charge cannot be settled, and refused", async () => {
    const key = await keyWith({ day: { deliveries: 2 } });
    await key.ask("POST", "/webhook", { url: `${site.url}/hook` });
    await send(key, 1);
    const attempts = async () =>
      (await key.ask("GET", "/webhook/deliveries"))
        .json<{ data: { id: string; type: string }[] }>()
        .data.filter(({ type }) => type === "webhook.test");
    await until("it is recorded", async () => (await attempts()).length === 1);
    const [{ id } = { id: "" }] = await attempts();
    const settle = jest.spyOn(dispatching().quotas, "settle").mockRejectedValue(new Error("away"));
    const again = () => key.ask("POST", `/webhook/deliveries/${id}/retry`);
    const retried = await again();
    settle.mockRestore();
    expect([retried.status, retried.text]).toEqual([202, expect.stringContaining('"succeeded"')]);
    expect(await attempts()).toHaveLength(2);
    expect(refusal(await again())).toEqual(refused("deliveries"));
    expect(seqs("webhook.test")).toHaveLength(2);
  });

  test("two endpoints take an event twice, and what a receiver refuses costs nothing", async () => {
    const key = await keyWith({ day: { deliveries: 100 } });
    for (const path of ["hook-one", "hook-two"])
      await key.ask("POST", "/webhooks", { url: `${site.url}/${path}`, event_types: ["quota.warning"] });
    await key.ask("POST", "/webhooks", { url: `${site.url}/hook-three` });
    const list = (await key.ask("GET", "/webhooks")).json<{ data: { id: string }[] }>().data;
    for (const { id } of list) await key.ask("POST", `/webhooks/${id}/test`);
    const taken = () => hooks.filter(({ url }) => /^.hook-(one|two|three)$/.test(url));
    await until("all have one", async () => taken().length === 3);
    await until("three are counted", async () => (await key.used("deliveries"))[0] === 3);
    const down = await keyWith({ day: { deliveries: 1 } });
    await down.ask("POST", "/webhook", { url: `${site.url}/hook-down` });
    await send(down, 1);
    await until("it is tried again", async () => {
      const { data } = (await down.ask("GET", "/webhook/deliveries")).json<{ data: { attempt: number }[] }>();
      return data.some(({ attempt }) => attempt > 1);
    });
    await until("nothing is charged", async () => (await down.used("deliveries"))[0] === 0);
  });
});
