import { createHmac } from "node:crypto";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { monitorServices } from "../suites/monitors.suite.ts";
import { watchIntervalMs, watchOverrides } from "../suites/watches.suite.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

interface Sent {
  success: boolean;
  type: string;
  id: string;
  webhookId: string;
  data: { monitorId: string; status: string; url?: string; diff?: { text: string } | null }[];
  metadata: Record<string, unknown>;
}

interface Monitor {
  id: string;
  webhook: { secret?: string } | null;
  [name: string]: unknown;
}

interface Check {
  id: string;
  status: string;
  summary: Record<string, number>;
  pages: { url: string; status: string; diff: { text: string; json: unknown } | null }[];
  next: string | null;
}

let magpie: Magpie;
let site: Site;
let receiver: Receiver;
let searxng: Site;
let found: { url: string; title: string }[] = [];
let price = 30;

beforeAll(async () => {
  receiver = await startReceiver();
  searxng = await startSite((request, response) => {
    const isFirst = (request.url ?? "").includes("pageno=1");
    const body = JSON.stringify({ results: isFirst ? found : [] });
    return response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  site = await startSite((request, response) => {
    if (!request.url?.startsWith("/lamp")) return response.writeHead(404).end();
    const text = "Lamps are made of brass, and burn for twenty years in any room that is known here.";
    response.writeHead(200, { "content-type": "text/html" });
    return response.end(
      `<!doctype html><title>Lamp</title><main><h1>Lamp</h1><p>${text}</p><p>It costs ${price} euros.</p></main>`,
    );
  });
  const services = (config: Config) => [...new Set(monitorServices)].map(service => service(config));
  magpie = await startMagpie(
    {
      ...watchOverrides(watchIntervalMs),
      webhooks: { ...toConfig({}).webhooks, allowHttp: true },
      searxngUrl: searxng.url,
    },
    services,
  );
});
afterAll(async () => {
  await magpie.stop();
  await Promise.all([site.close(), receiver.close(), searxng.close()]);
});

async function asked<Body>(method: string, path: string, status: number, body?: unknown): Promise<Body> {
  const reply = await magpie.request(method, `/v2/monitor${path}`, { ...(body !== undefined && { body }) });
  expect([reply.status, reply.text]).toEqual([status, reply.text]);
  return reply.json<Body>();
}

async function checked(id: string): Promise<Check> {
  const begun = await asked<{ id: string }>("POST", `/${id}/run`, 200, {});
  const read = async () => (await asked<{ data: Check }>("GET", `/${id}/checks/${begun.id}`, 200)).data;
  await until("the check has ended", async () => (await read()).status !== "running");
  return await read();
}

const yearly = { cron: "0 0 1 1 *", timezone: "UTC" };

test("a monitor as Firecrawl's clients have it, with its webhook in their form and signature", async () => {
  const urls = [`${site.url}/lamp/1`, `${site.url}/lamp/2`, `${site.url}/gone`];
  const webhook = {
    url: `${receiver.url}/firecrawl`,
    headers: { authorization: "Bearer sesame" },
    metadata: { environment: "test" },
    events: ["monitor.page", "monitor.check.completed"],
  };
  const made = await asked<{ success: boolean; data: Monitor }>("POST", "", 200, {
    ...{ name: "Lamps", schedule: { text: "every 30 minutes", timezone: "UTC" }, webhook },
    targets: [
      { id: "shop", type: "scrape", urls, scrapeOptions: { formats: ["markdown"], onlyMainContent: true } },
    ],
    retentionDays: 7,
  });
  const { id, webhook: hook, ...monitor } = made.data;
  expect(monitor).toMatchObject({
    name: "Lamps",
    status: "active",
    schedule: { cron: expect.stringMatching(/^\d+-59\/30 \* \* \* \*$/), timezone: "UTC" },
    targets: [{ id: "shop", type: "scrape", urls }],
    ...{ retentionDays: 7, goal: null, judgeEnabled: false, lastCheckSummary: null, currentCheckId: null },
    ...{ notification: null, estimatedCreditsPerMonth: 3 * 1440 },
  });
  expect(hook).toMatchObject({ ...webhook, headers: { authorization: "•••" }, secret: expect.any(String) });

  // The minute that the words leave open may be this one, and its check would be under way.
  await asked("PATCH", `/${id}`, 200, { schedule: yearly });
  const first = await checked(id);
  expect(first).toMatchObject({ status: "partial", summary: { totalPages: 3, new: 2, error: 1 } });
  expect(first.pages.filter(each => each.status === "new")).toEqual(
    Array(2).fill(
      expect.objectContaining({
        statusCode: 200,
        currentScrapeId: expect.any(String),
        previousScrapeId: null,
      }),
    ),
  );
  price = 25;
  const second = await checked(id);
  expect(second.summary).toEqual({ totalPages: 3, same: 0, changed: 2, new: 0, removed: 0, error: 1 });
  const changed = await asked<{ next: string | null; data: Check }>(
    "GET",
    `/${id}/checks/${second.id}?status=changed&limit=1`,
    200,
  );
  const [page] = changed.data.pages;
  expect(page?.diff?.text).toContain("\n-It costs 30 euros.\n+It costs 25 euros.");
  expect(page?.diff?.json).toMatchObject({ files: [{ from: "previous", to: "current" }] });
  expect(changed.next).toBe(
    `${magpie.url}/v2/monitor/${id}/checks/${second.id}?skip=1&limit=1&status=changed`,
  );

  await until("all is delivered", () => receiver.taken().length >= 8);
  const sent = receiver.taken().map(({ body, headers }) => {
    const signature = createHmac("sha256", hook?.secret ?? "")
      .update(body)
      .digest("hex");
    expect(headers).toMatchObject({
      "x-firecrawl-signature": `sha256=${signature}`,
      authorization: "Bearer sesame",
    });
    return JSON.parse(body) as Sent;
  });
  const ofCheck = (check: Check) => sent.filter(each => each.id === check.id);
  expect(ofCheck(first).map(({ type, success, data }) => [type, success, data[0]?.status])).toEqual(
    expect.arrayContaining([
      ["monitor.page", true, "new"],
      ["monitor.page", false, "error"],
      ["monitor.check.completed", false, "partial"],
    ]),
  );
  expect(ofCheck(second).at(-1)).toMatchObject({
    type: "monitor.check.completed",
    data: [{ monitorId: id, checkId: second.id, status: "partial", summary: second.summary }],
    metadata: { environment: "test" },
  });
  const told = ofCheck(second).find(({ data }) => data[0]?.status === "changed");
  expect(told?.data[0]?.diff?.text).toContain("+It costs 25 euros.");
  expect(new Set(sent.map(({ webhookId }) => webhookId)).size).toBe(8);

  const checks = await asked<{ data: Check[] }>("GET", `/${id}/checks?limit=1&offset=1`, 200);
  expect(checks.data.map(each => each.id)).toEqual([first.id]);
  expect((await asked<{ data: Check[] }>("GET", `/${id}/checks?status=queued`, 200)).data).toEqual([]);
});

test("a monitor is changed, paused, and deleted with its webhook", async () => {
  const target = {
    type: "crawl",
    url: `${site.url}/lamp/`,
    crawlOptions: { limit: 5, includePaths: ["/lamp"] },
  };
  const { data } = await asked<{ data: Monitor }>("POST", "", 200, {
    ...{ name: "Site", schedule: yearly, targets: [target] },
    webhook: { url: `${receiver.url}/other`, events: ["monitor.check.completed"] },
  });
  expect(data).toMatchObject({ targets: [target], webhook: { events: ["monitor.check.completed"] } });
  const changed = await asked<{ data: Monitor }>("PATCH", `/${data.id}`, 200, {
    ...{ status: "paused", name: "Searches", schedule: { timezone: "Europe/Vienna" }, webhook: null },
    targets: [{ type: "search", queries: ["lamps"], searchWindow: "7d", excludeDomains: ["spam.example"] }],
  });
  expect(changed.data).toMatchObject({
    ...{ status: "paused", name: "Searches", webhook: null, nextRunAt: null },
    schedule: { cron: yearly.cron, timezone: "Europe/Vienna" },
    targets: [{ type: "search", queries: ["lamps"], searchWindow: "7d", excludeDomains: ["spam.example"] }],
  });
  const listed = await asked<{ data: Monitor[] }>("GET", "?limit=1", 200);
  expect(listed.data.map(({ id }) => id)).toEqual([data.id]);
  expect(await asked("DELETE", `/${data.id}`, 200)).toEqual({ success: true });
  await asked("GET", `/${data.id}`, 404);
});

interface Endpoint {
  id: string;
  url: string;
  monitor: string | null;
  format: string;
}

test("/webhook is none of a monitor's, and stays when the monitor goes; nor do they count for the key", async () => {
  const endpoints = async () => (await magpie.request("GET", "/webhooks")).json<{ data: Endpoint[] }>().data;
  const monitors: string[] = [];
  for (let made = 0; made < 21; made += 1) {
    const { data } = await asked<{ data: Monitor }>("POST", "", 200, {
      ...{
        name: "n".repeat(256),
        schedule: yearly,
        targets: [{ type: "scrape", urls: ["https://a.test/"] }],
      },
      webhook: { url: `${receiver.url}/monitor` },
    });
    monitors.push(data.id);
  }
  const [id] = monitors;
  expect((await magpie.request("GET", "/webhook")).json()).toMatchObject({ data: null });
  const url = `${receiver.url}/mine`;
  const made = await magpie.request("POST", "/webhook", { body: { url } });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  expect((await endpoints()).filter(({ monitor }) => monitor === null || monitor === id)).toEqual([
    expect.objectContaining({ url: `${receiver.url}/monitor`, monitor: id, format: "firecrawl" }),
    expect.objectContaining({ url, monitor: null, format: "standard" }),
  ]);
  const tagged = { url: `${receiver.url}/tagged`, tags: [`monitor:${id}`] };
  expect((await magpie.request("POST", "/webhooks", { body: tagged })).status).toBe(201);
  for (const each of monitors) await asked("DELETE", `/${each}`, 200);
  await until("their webhooks are gone", async () => {
    const left = await endpoints();
    return !left.some(({ monitor }) => monitors.includes(monitor ?? ""));
  });
  const left = (await endpoints()).filter(({ monitor }) => monitor === null).map(each => each.url);
  expect(left).toEqual([url, tagged.url]);
});

test("a change that is refused changes nothing", async () => {
  const { data } = await asked<{ data: Monitor }>("POST", "", 200, {
    ...{ name: "before", schedule: yearly, targets: [{ type: "scrape", urls: ["https://a.test/"] }] },
  });
  const own = { url: `${receiver.url}/new` };
  const wrong: [status: number, body: object, field: string][] = [
    [400, { webhook: { url: "http://169.254.169.254/" } }, "webhook.url"],
    [400, { webhook: { ...own, headers: { host: "a" } } }, "webhook.headers.host"],
    [400, { webhook: own, targets: [{ type: "scrape", urls: ["lamp"] }] }, "targets.0.urls.0"],
    [
      422,
      { webhook: own, notification: { email: { enabled: true, recipients: ["ann@example.com"] } } },
      "notification.email.recipients",
    ],
  ];
  for (const [status, body, field] of wrong) {
    const sent = { name: "renamed", status: "paused", ...body };
    const refused = await asked<{ details: { field: string }[] }>("PATCH", `/${data.id}`, status, sent);
    expect(refused.details.map(each => each.field)).toEqual([field]);
    const { data: now } = await asked<{ data: Monitor }>("GET", `/${data.id}`, 200);
    expect(now).toMatchObject({ name: "before", status: "active", webhook: null });
  }
});

const page = { type: "scrape", urls: ["https://a.test/"] };
const refusals: [name: string, body: object, field: string][] = [
  ["no name", { name: undefined }, "name"],
  ["no time", { schedule: { text: "soon" } }, "schedule.text"],
  ["no zone", { schedule: { text: "daily", timezone: "Moon/Base" } }, "schedule.timezone"],
  ["no address", { targets: [{ type: "scrape", urls: ["lamp"] }] }, "targets.0.urls.0"],
  ["no target", { targets: [{ type: "scrape", urls: [] }] }, "targets.0.urls"],
  ["an unknown kind", { targets: [{ type: "feed" }] }, "targets.0.type"],
  [
    "a format that compares nothing",
    { targets: [{ ...page, scrapeOptions: { formats: ["screenshot"] } }] },
    "targets.0.scrapeOptions.formats.0",
  ],
  [
    "an option that Magpie does not have",
    { targets: [{ ...page, scrapeOptions: { actions: [{ type: "wait" }] } }] },
    "targets.0.scrapeOptions.actions",
  ],
  [
    "a window of theirs that is none",
    { targets: [{ type: "search", queries: ["q"], searchWindow: "1m" }] },
    "targets.0.searchWindow",
  ],
  [
    "a name of JavaScript for a window",
    { targets: [{ type: "search", queries: ["q"], searchWindow: "constructor" }] },
    "targets.0.searchWindow",
  ],
  [
    "a domain that is none",
    { targets: [{ type: "search", queries: ["q"], includeDomains: ["no domain"] }] },
    "targets.0.includeDomains.0",
  ],
  [
    "a selector that is none",
    { targets: [{ ...page, scrapeOptions: { includeTags: ["p["] } }] },
    "targets.0.scrapeOptions.includeTags.0",
  ],
  [
    "an expression that is none",
    { targets: [{ type: "crawl", url: "https://a.test/", crawlOptions: { excludePaths: ["(", "b"] } }] },
    "targets.0.crawlOptions.excludePaths.0",
  ],
  [
    "modes that are no list",
    { targets: [{ ...page, scrapeOptions: { formats: [{ type: "changeTracking", modes: "json" }] } }] },
    "targets.0.scrapeOptions.formats.0.modes",
  ],
  [
    "a mode that is none",
    { targets: [{ ...page, scrapeOptions: { formats: [{ type: "changeTracking", modes: ["xml"] }] } }] },
    "targets.0.scrapeOptions.formats.0.modes.0",
  ],
  [
    "an option of a scrape alone",
    { targets: [{ ...page, scrapeOptions: { lockdown: true } }] },
    "targets.0.scrapeOptions.lockdown",
  ],
  ["an event that is none", { webhook: { url: "https://a.test/", events: ["page"] } }, "webhook.events.0"],
  ["an address of no webhook", { webhook: { url: "ftp://a.test/" } }, "webhook.url"],
  ["mails to nobody", { notification: { email: { enabled: true } } }, "notification.email.recipients"],
  ["a goal without a model", { goal: "prices that fall" }, "goal"],
];
test.each(refusals)("400 for %s, in the names of the client", async (_, wanted, field) => {
  const body = { name: "n", schedule: yearly, targets: [page], ...wanted };
  const refused = await asked<{ success: boolean; details: { field: string }[] }>("POST", "", 400, body);
  expect(refused.success).toBe(false);
  expect(refused.details.map(each => each.field)).toEqual([field]);
});

test("a client may send all options of a scrape, where they ask for nothing more", async () => {
  const scrapeOptions = {
    ...{ formats: ["markdown"], onlyMainContent: true, includeTags: [], excludeTags: [], headers: {} },
    ...{ maxAge: 172_800_000, minAge: 0, waitFor: 0, timeout: 60_000, mobile: false, parsers: ["pdf"] },
    ...{ actions: [], location: null, skipTlsVerification: true, removeBase64Images: true, fastMode: false },
    ...{ blockAds: true, proxy: "auto", storeInCache: true, lockdown: false, onlyCleanContent: false },
    ...{
      redactPII: false,
      checkPromptInjection: false,
      profile: null,
      agent: null,
      zeroDataRetention: false,
    },
    ...{ threatProtection: false, useMock: "", auditMetadata: { a: "b" }, origin: "mcp", integration: null },
  };
  const { data } = await asked<{ data: Monitor }>("POST", "", 200, {
    ...{ name: "n", schedule: yearly, targets: [{ ...page, scrapeOptions }] },
  });
  const nulls = ["name", "schedule", "targets", "status", "judgeEnabled", "retentionDays"];
  const ours = ["name", "schedule", "targets", "paused", "judge", "retention_days", "page_events"];
  for (const name of nulls) {
    const refused = await asked<{ details: { field: string }[] }>("PATCH", `/${data.id}`, 400, {
      [name]: null,
    });
    expect(refused.details.map(each => each.field)).toEqual([name]);
  }
  for (const name of ours) {
    const reply = await magpie.request("PATCH", `/monitors/${data.id}`, { body: { [name]: null } });
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(`"field":"${name}"`)]);
  }
});

test("a search tells what it did not show before", async () => {
  found = [{ url: "https://example.com/old", title: "Old" }];
  const { data } = await asked<{ data: Monitor }>("POST", "", 200, {
    ...{ name: "Crows", schedule: yearly },
    targets: [
      { type: "search", queries: ["crows bend wire"], searchWindow: "7d", includeDomains: ["example.com"] },
    ],
    webhook: { url: `${receiver.url}/search`, events: ["monitor.page"] },
  });
  expect(await checked(data.id)).toMatchObject({ status: "completed", summary: { totalPages: 0, new: 0 } });
  found = [{ url: "https://example.com/new", title: "Crows bend wire" }, ...found];
  expect(await checked(data.id)).toMatchObject({
    summary: { totalPages: 1, new: 1 },
    pages: [{ url: "https://example.com/new", status: "new", metadata: { title: "Crows bend wire" } }],
  });
  await until("the result is delivered", () => receiver.taken().some(({ path }) => path === "/search"));
});

test("mails need a mail server of the operator", async () => {
  const notification = { email: { enabled: true, recipients: ["ann@example.com"] } };
  const body = { name: "n", schedule: yearly, targets: [page], notification };
  const refused = await asked<{ code: string; details: { field: string }[] }>("POST", "", 422, body);
  expect(refused).toMatchObject({
    code: "MAIL_UNAVAILABLE",
    details: [{ field: "notification.email.recipients" }],
  });
});

test("what was refused leaves no monitor behind", async () => {
  const before = await asked<{ data: Monitor[] }>("GET", "", 200);
  await asked("POST", "", 400, {
    ...{ name: "n", schedule: yearly, targets: [page] },
    webhook: { url: "ftp://a.test/" },
  });
  expect((await asked<{ data: Monitor[] }>("GET", "", 200)).data).toHaveLength(before.data.length);
});
