import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { historyService } from "../../services/history/history.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

/* A search of the web is a source: each address that it shows for the first time is an event. */

let searxng: Site;
let magpie: Magpie;
let found: { url: string; title: string; content?: string }[] = [];
let isDown = false;
let asked: URLSearchParams[] = [];

const services = [keysService, trackerService, connectorsService, historyService, scraperService];

beforeAll(async () => {
  searxng = await startSite((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://search.test");
    asked.push(searchParams);
    if (isDown) return response.writeHead(503).end();
    const results = searchParams.get("pageno") === "1" ? found : [];
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
  });
  magpie = await startMagpie({ searxngUrl: searxng.url, pollMinIntervalMs: 100 }, config =>
    services.map(service => service(config)),
  );
});
afterAll(async () => {
  await magpie?.stop();
  await searxng?.close();
});
beforeEach(() => {
  isDown = false;
  asked = [];
  found = [{ url: "https://example.com/old", title: "Old" }];
});

interface Source {
  id: string;
  source: string;
  externalId: string;
  name: string;
  options?: Record<string, unknown>;
}
interface Told {
  type: string;
  data: { source: Source; result?: Record<string, unknown>; reason?: string };
}

async function track(sid: string, options: object = {}): Promise<Source> {
  const reply = await magpie.request("POST", "/track/search", { body: { sid, options } });
  expect([200, 201]).toContain(reply.status);
  return reply.json<{ data: Source }>().data;
}

interface Tracker {
  context: { sources: { change(id: string, to: (source: object) => object): Promise<unknown> } };
  pollScheduler: { wake(): void };
}

const tracker = () => magpie.broker.getLocalService("tracker") as unknown as Tracker;

/** The rule that a source is polled by hand every 30 seconds at most does not concern its own tests. */
async function poll({ id }: Source): Promise<void> {
  const { context, pollScheduler } = tracker();
  const before = (await checksOf(id)).checks;
  await context.sources.change(id, source => ({ ...source, dueAt: 0 }));
  pollScheduler.wake();
  await until("a check", async () => (await checksOf(id)).checks > before);
}

async function checksOf(id: string): Promise<{ checks: number }> {
  const reply = await magpie.request("GET", `/sources/${id}/checks?limit=100`);
  const { data } = reply.json<{ data: { checks: number }[] }>();
  return { checks: data.reduce((sum, { checks }) => sum + checks, 0) };
}

async function eventsOf({ id }: Source): Promise<Told[]> {
  const { data } = (await magpie.request("GET", "/events?limit=100")).json<{ data: Told[] }>();
  return data.filter(event => event.data.source.id === id);
}

test("each address is found once, whatever parameters it comes with", async () => {
  const source = await track("  night   herons ");
  expect(source).toMatchObject({
    source: "SEARCH",
    externalId: "search:night+herons",
    username: "night herons",
    name: "night herons",
  });
  expect(await track("night herons")).toMatchObject({ id: source.id });
  await poll(source);
  expect(await eventsOf(source)).toEqual([]);
  found = [
    { url: "https://example.com/new?utm_source=feed", title: "New", content: "About herons." },
    { url: "https://example.com/new#part", title: "New again" },
    ...found,
  ];
  await poll(source);
  await poll(source);
  const events = await eventsOf(source);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    type: "search.result.found",
    data: {
      result: { url: "https://example.com/new", title: "New", description: "About herons.", date: null },
    },
  });
  const search = await magpie.request("GET", `/search?q=${encodeURIComponent("About herons")}`);
  expect(search.json<{ data: object[] }>().data).toMatchObject([
    { kind: "event", url: "https://example.com/new" },
  ]);
});

test("domains and window go to the search engine, and other domains are left out", async () => {
  const source = await track("owls", { domains: ["example.com", "birds.example"], window: "week" });
  found = [
    { url: "https://docs.birds.example/owl", title: "Owl" },
    { url: "https://elsewhere.example/owl", title: "Owl" },
  ];
  await poll(source);
  const events = await eventsOf(source);
  expect(events.map(({ data }) => data.result?.url)).toEqual(["https://docs.birds.example/owl"]);
  const [question] = asked.slice(-1);
  expect(question?.get("q")).toBe("owls (site:example.com OR site:birds.example)");
  expect(question?.get("time_range")).toBe("week");
});

test("two views of one search are one question, and ignore leaves results out", async () => {
  const source = await track("storks");
  const key = await magpie.request("POST", "/internal/keys", {
    admin: true,
    body: { owner: "ann", name: "other" },
  });
  const { key: api_key } = key.json<{ data: { key: string } }>().data;
  const body = { sid: "storks", options: { ignore: ["sale"] } };
  const other = await magpie.request("POST", "/track/search", { body, key: api_key });
  expect(other.status).toBe(201);
  const { data: view } = other.json<{ data: Source }>();
  expect(view.id).not.toBe(source.id);
  found = [{ url: "https://example.com/sale", title: "Storks for SALE" }, ...found];
  const { context, pollScheduler } = tracker();
  for (const { id } of [source, view]) await context.sources.change(id, each => ({ ...each, dueAt: 0 }));
  asked = [];
  pollScheduler.wake();
  const checks = () => magpie.request("GET", `/sources/${view.id}/checks`, { key: api_key });
  await until("a check of the view", async () => (await checks()).text.includes("leave them out"));
  await until("an event", async () => (await eventsOf(source)).length === 1);
  expect(asked.map(params => params.get("pageno"))).toEqual(["1", "2"]);
  const events = await magpie.request("GET", "/events?limit=100", { key: api_key });
  expect(events.json<{ data: object[] }>().data).toEqual([]);
});

test("a search engine that fails is a problem of the source", async () => {
  const source = await track("cranes");
  isDown = true;
  for (let n = 0; n < 5; n += 1) await poll(source);
  await until("an event", async () => (await eventsOf(source)).length > 0);
  const [event] = await eventsOf(source);
  expect(event).toMatchObject({
    type: "source.failing",
    data: { reason: expect.stringContaining("search engine") },
  });
});

test("a cron expression says when it is asked", async () => {
  const { id } = await track("kites", { schedule: { time_zone: "UTC", cron: "0 9 * * *" } });
  const reply = await magpie.request("GET", `/sources/${id}`);
  const { due_at } = reply.json<{ data: { due_at: string } }>().data;
  expect(due_at).toMatch(/T09:00:0\d\.\d{3}Z$/);
});

test("a preview shows what is found now", async () => {
  const reply = await magpie.request("POST", "/track/search/preview", { body: { sid: "gulls" } });
  expect(reply.status).toBe(200);
  expect(reply.json()).toMatchObject({
    data: { source: "SEARCH", name: "gulls", items: [{ title: "Old", url: "https://example.com/old" }] },
  });
});

test.each([
  [{ sid: "a".repeat(401) }, "sid"],
  [{ sid: "gulls", options: { domains: ["https://example.com/"] } }, "options.domains.0"],
  [{ sid: "gulls", options: { select: ["p"] } }, "options.select"],
  [{ sid: "gulls", options: { window: "hour" } }, "options.window"],
  [{ sid: "gulls", options: { schedule: { time_zone: "UTC", cron: "9 o'clock" } } }, "options.schedule.cron"],
  [
    { sid: "gulls", options: { schedule: { time_zone: "UTC", cron: "0 9 * * *", from: "08:00" } } },
    "options.schedule.from",
  ],
])("%j is refused", async (body, field) => {
  const reply = await magpie.request("POST", "/track/search", { body });
  expect(reply.status).toBe(400);
  expect(reply.json()).toMatchObject({ details: [{ field }] });
});

test("without a search engine the answer names the setting", async () => {
  const without = await startMagpie({}, config => services.map(service => service(config)));
  try {
    const reply = await without.request("POST", "/track/search", { body: { sid: "gulls" } });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain("SEARXNG_URL");
  } finally {
    await without.stop();
  }
});
