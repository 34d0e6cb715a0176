import { type Site, startSite } from "../support/http-site.ts";
import { freshKey, type Installation, trackerOf } from "../support/installation.ts";
import type { RequestOptions } from "../support/magpie.ts";
import { until } from "../support/until.ts";

/** A search engine that answers what a test wants. */
export class FakeSearxng {
  found: { url: string; title: string; content?: string }[] = [];
  isDown = false;
  asked: URLSearchParams[] = [];
  #site: Site | undefined;

  async start(): Promise<string> {
    this.#site = await startSite((request, response) => {
      const { searchParams } = new URL(request.url ?? "/", "http://search.test");
      this.asked.push(searchParams);
      if (this.isDown) return response.writeHead(503).end();
      const results = searchParams.get("pageno") === "1" ? this.found : [];
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
    });
    return this.#site.url;
  }

  async close(): Promise<void> {
    await this.#site?.close();
  }
}

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

/** A search of the web is a source: each address that it shows for the first time is an event. */
export function searchesSuite(worldOf: () => Installation, engine: () => FakeSearxng): void {
  let key: string;

  beforeAll(async () => {
    key = await freshKey(worldOf(), "searcher");
  });
  beforeEach(() => {
    const found = [{ url: "https://example.com/old", title: "Old" }];
    Object.assign(engine(), { isDown: false, asked: [], found });
  });

  const ask = (method: string, path: string, options: RequestOptions = {}) =>
    worldOf().magpie.request(method, path, { key, ...options });

  async function track(sid: string, options: object = {}): Promise<Source> {
    const reply = await ask("POST", "/track/search", { body: { sid, options } });
    expect([200, 201]).toContain(reply.status);
    return reply.json<{ data: Source }>().data;
  }

  /** The rule that a source is polled by hand every 30 seconds at most does not concern its own tests. */
  async function poll({ id }: Source): Promise<void> {
    const { context, pollScheduler } = trackerOf(worldOf());
    const before = (await checksOf(id)).checks;
    await until("the poll before has ended", async () => {
      const source = await context.sources.findById(id);
      return source !== null && source.lease === undefined;
    });
    await context.sources.update(id, { $set: { dueAt: 0 } });
    pollScheduler.wake();
    await until("a check", async () => (await checksOf(id)).checks > before);
  }

  async function checksOf(id: string): Promise<{ checks: number }> {
    const reply = await ask("GET", `/sources/${id}/checks?limit=100`);
    const { data } = reply.json<{ data: { checks: number }[] }>();
    return { checks: data.reduce((sum, { checks }) => sum + checks, 0) };
  }

  async function eventsOf({ id }: Source): Promise<Told[]> {
    const { data } = (await ask("GET", "/events?limit=100")).json<{ data: Told[] }>();
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
    engine().found = [
      { url: "https://example.com/new?utm_source=feed", title: "New", content: "About herons." },
      { url: "https://example.com/new#part", title: "New again" },
      ...engine().found,
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
    const search = await ask("GET", `/search?q=${encodeURIComponent("About herons")}`);
    expect(search.json<{ data: object[] }>().data).toMatchObject([
      { kind: "event", url: "https://example.com/new" },
    ]);
  });

  test("domains and window go to the search engine, and other domains are left out", async () => {
    const source = await track("owls", { domains: ["example.com", "birds.example"], window: "week" });
    engine().found = [
      { url: "https://docs.birds.example/owl", title: "Owl" },
      { url: "https://elsewhere.example/owl", title: "Owl" },
    ];
    await poll(source);
    const events = await eventsOf(source);
    expect(events.map(({ data }) => data.result?.url)).toEqual(["https://docs.birds.example/owl"]);
    const [question] = engine().asked.slice(-1);
    expect(question?.get("q")).toBe("owls (site:example.com OR site:birds.example)");
    expect(question?.get("time_range")).toBe("week");
  });

  test("two views of one search are one question, and ignore leaves results out", async () => {
    const source = await track("storks");
    const api_key = await freshKey(worldOf(), "ann");
    const body = { sid: "storks", options: { ignore: ["sale"] } };
    const other = await ask("POST", "/track/search", { body, key: api_key });
    expect(other.status).toBe(201);
    const { data: view } = other.json<{ data: Source }>();
    expect(view.id).not.toBe(source.id);
    engine().found = [{ url: "https://example.com/sale", title: "Storks for SALE" }, ...engine().found];
    const { context, pollScheduler } = trackerOf(worldOf());
    for (const { id } of [source, view]) await context.sources.update(id, { $set: { dueAt: 0 } });
    engine().asked = [];
    pollScheduler.wake();
    const checks = () => ask("GET", `/sources/${view.id}/checks`, { key: api_key });
    await until("a check of the view", async () => (await checks()).text.includes("leave them out"));
    await until("an event", async () => (await eventsOf(source)).length === 1);
    expect(engine().asked.map(params => params.get("pageno"))).toEqual(["1", "2"]);
    const events = await ask("GET", "/events?limit=100", { key: api_key });
    expect(events.json<{ data: object[] }>().data).toEqual([]);
  });

  test("a search engine that fails is a problem of the source", async () => {
    const source = await track("cranes");
    engine().isDown = true;
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
    const reply = await ask("GET", `/sources/${id}`);
    const { due_at } = reply.json<{ data: { due_at: string } }>().data;
    expect(due_at).toMatch(/T09:00:0\d\.\d{3}Z$/);
  });

  test("a preview shows what is found now", async () => {
    const reply = await ask("POST", "/track/search/preview", { body: { sid: "gulls" } });
    expect(reply.status).toBe(200);
    expect(reply.json()).toMatchObject({
      data: { source: "SEARCH", name: "gulls", items: [{ title: "Old", url: "https://example.com/old" }] },
    });
  });
}
