import type { ServerResponse } from "node:http";
import type { ServiceSchema } from "moleculer";
import type { Config } from "../../mixins/config/config.ts";
import { historyService } from "../../services/history/history.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import type { Magpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";
import { watchServices } from "./watches.suite.ts";

export const monitorServices: ((config: Config) => ServiceSchema)[] = [
  ...watchServices,
  historyService,
  webhookDispatcherService,
];

/** Written by hand: a change of the wire breaks them. */
interface Monitor {
  id: string;
  tag: string;
  paused: boolean;
  schedule: { cron: string; text: string | null; time_zone: string };
  targets: { id: string; source: string; sids: string[]; options?: Record<string, unknown> }[];
  next_check_at: string | null;
  current_check: string | null;
  last_check: Check | null;
}

interface Check {
  id: string;
  status: string;
  trigger: string;
  counts: Record<string, number>;
  error: string | null;
  ended_at: string | null;
}

interface Page {
  id: string;
  url: string;
  status: string;
  error: string | null;
  http_status: number | null;
  source_id: string | null;
  version: string | null;
  previous_version: string | null;
  change: { added: string[]; removed: string[]; diff: string } | null;
}

interface Detail extends Check {
  pages: Page[];
  next_cursor: string | null;
}

interface Refusal {
  code: string;
  message: string;
  details?: { field: string; code: string }[];
}

interface Event {
  type: string;
  data: {
    source: { id: string } | null;
    monitor?: { id: string; name: string };
    check?: Check;
    check_id?: string;
    page?: Page;
  };
}

/** Monitors over HTTP. Their checks are asked for; none is due by itself while a test runs. */
export function monitorsSuite(magpieOf: () => Pick<Magpie, "request">): void {
  let site: Site;
  let made = 0;
  let price = 30;

  beforeAll(async () => {
    site = await startSite((request, response) => {
      const [, folder] = (request.url ?? "").split("/");
      if (folder === "docs") return docs(request.url ?? "", response);
      if (folder !== "lamp") return response.writeHead(folder === "broken" ? 500 : 404).end();
      const text = "Lamps are made of brass, and burn for twenty years in any room that is known here.";
      response.writeHead(200, { "content-type": "text/html" });
      return response.end(
        `<!doctype html><title>Lamp</title><main><h1>Lamp</h1><p>${text}</p><p>It costs ${price} euros.</p></main>`,
      );
    });
  });
  afterAll(() => site.close());
  beforeEach(() => {
    price = 30;
  });

  /** Three pages, of which one says what the lamp costs, and one is there when it costs less. */
  function docs(path: string, response: ServerResponse): unknown {
    const more = price < 30 ? '<a href="/docs/new">New</a>' : "";
    const pages: Record<string, string> = {
      "/docs/": `<h1>Lamps</h1><p>All that is known of lamps is on these pages.</p><a href="/docs/a">A</a><a href="/docs/b">B</a>${more}`,
      "/docs/a": `<h1>A lamp</h1><p>It is made of brass and costs ${price} euros.</p>`,
      "/docs/b": "<h1>Another lamp</h1><p>It is made of glass, and nobody has asked what it costs.</p>",
      ...(price < 30 && {
        "/docs/new": "<h1>A new lamp</h1><p>It is made of wood, which is a bad idea.</p>",
      }),
    };
    const body = pages[path];
    if (body === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/html" });
    return response.end(`<!doctype html><title>Docs</title><main>${body}</main>`);
  }

  async function newKey(limits: object = {}): Promise<string> {
    made += 1;
    const body = { owner: `m${made}`, name: "n", ...limits };
    const reply = await magpieOf().request("POST", "/internal/keys", { admin: true, body });
    return reply.json<{ data: { key: string } }>().data.key;
  }

  async function asked<Body>(
    key: string,
    method: string,
    path: string,
    status: number,
    body?: unknown,
  ): Promise<Body> {
    const reply = await magpieOf().request(method, path, { key, ...(body !== undefined && { body }) });
    expect([reply.status, reply.text]).toEqual([status, reply.text]);
    return reply.json<Body>();
  }

  const yearly = { cron: "0 0 1 1 *" };

  async function newMonitor(key: string, wanted: object = {}): Promise<Monitor> {
    made += 1;
    const targets = [{ source: "web", sids: [`${site.url}/lamp/${made}`] }];
    const body = { name: "Lamps", schedule: yearly, targets, ...wanted };
    return (await asked<{ data: Monitor }>(key, "POST", "/monitors", 201, body)).data;
  }

  /** Checks a monitor, and answers the check when it has ended. */
  async function checked(key: string, { id }: Monitor): Promise<Detail> {
    const begun = await asked<{ data: Check }>(key, "POST", `/monitors/${id}/run`, 202);
    const path = `/monitors/${id}/checks/${begun.data.id}`;
    const read = async () => (await asked<{ data: Detail }>(key, "GET", path, 200)).data;
    await until("the check has ended", async () => (await read()).ended_at !== null);
    return await read();
  }

  async function events(key: string, query = ""): Promise<Event[]> {
    return (await asked<{ data: Event[] }>(key, "GET", `/events?limit=100${query}`, 200)).data;
  }

  test("the first check finds pages new, and a later one says what changed", async () => {
    const key = await newKey();
    const monitor = await newMonitor(key);
    const [sid] = monitor.targets[0]?.sids ?? [];
    expect(site.hits.filter(({ url }) => sid?.endsWith(url))).toEqual([]);
    const first = await checked(key, monitor);
    expect(first).toMatchObject({
      status: "completed",
      trigger: "manual",
      counts: { pages: 1, new: 1 },
      pages: [{ url: sid, status: "new", change: null }],
    });
    const second = await checked(key, monitor);
    expect(second).toMatchObject({
      counts: { pages: 1, same: 1 },
      pages: [{ status: "same", http_status: 200 }],
    });
    price = 25;
    const third = await checked(key, monitor);
    expect(third).toMatchObject({
      status: "completed",
      counts: { pages: 1, changed: 1 },
      pages: [
        { status: "changed", change: { added: ["It costs 25 euros."], removed: ["It costs 30 euros."] } },
      ],
    });
    const told = await events(key);
    expect(told.map(({ type }) => type)).toEqual([
      "monitor.checked",
      "monitor.checked",
      "web.page.changed",
      "monitor.checked",
    ]);
    expect(told.at(-1)?.data).toMatchObject({
      source: null,
      monitor: { id: monitor.id, name: "Lamps" },
      check: { id: third.id, counts: { changed: 1 } },
    });
    const shown = async () =>
      (await asked<{ data: Monitor }>(key, "GET", `/monitors/${monitor.id}`, 200)).data;
    await until("the monitor rests", async () => (await shown()).current_check === null);
    expect(await shown()).toMatchObject({ last_check: { id: third.id } });
    const listed = await asked<{ data: Check[] }>(key, "GET", `/monitors/${monitor.id}/checks`, 200);
    expect(listed.data.map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
  });

  test("with page events each page of each check is one, under the tag of the monitor", async () => {
    const key = await newKey();
    const monitor = await newMonitor(key, { page_events: true });
    await checked(key, monitor);
    price = 20;
    const second = await checked(key, monitor);
    const told = await events(key, `&tag=${encodeURIComponent(monitor.tag)}`);
    expect(told.map(({ type, data }) => [type, data.page?.status])).toEqual([
      ["monitor.page", "new"],
      ["monitor.checked", undefined],
      ["web.page.changed", undefined],
      ["monitor.page", "changed"],
      ["monitor.checked", undefined],
    ]);
    expect(told[3]?.data).toMatchObject({
      check_id: second.id,
      monitor: { id: monitor.id },
      source: { id: second.pages[0]?.source_id },
      page: second.pages[0],
    });
    expect(await events(key, "&tag=another")).toEqual([]);
  });

  test("a page that cannot be read fails, and the others do not wait for it", async () => {
    const key = await newKey();
    const sids = [`${site.url}/lamp/a`, `${site.url}/gone`, `${site.url}/broken`];
    const monitor = await newMonitor(key, { targets: [{ id: "shop", source: "web", sids }] });
    const check = await checked(key, monitor);
    expect(check).toMatchObject({ status: "partial", counts: { pages: 3, new: 1, failed: 2 } });
    expect(check.error).toBe("2 of 3 pages could not be read.");
    expect(check.pages.map(({ url, status }) => [url, status]).sort()).toEqual([
      [sids[2], "failed"],
      [sids[1], "failed"],
      [sids[0], "new"],
    ]);
    const failed = await asked<{ data: Detail }>(
      key,
      "GET",
      `/monitors/${monitor.id}/checks/${check.id}?status=failed&limit=1`,
      200,
    );
    expect(failed.data.pages).toHaveLength(1);
    expect(failed.data.pages[0]?.error).toMatch(/nothing at this URL|500/);
    expect(failed.data.next_cursor).not.toBeNull();
  });

  test("a key watches a page by itself, too, and by as many monitors as it wants", async () => {
    const key = await newKey();
    const sid = `${site.url}/lamp/shared`;
    await asked(key, "POST", "/track/web", 201, { sid, options: { interval: "1d" } });
    const targets = [{ source: "web", sids: [sid] }];
    const monitors = [
      await newMonitor(key, { targets }),
      await newMonitor(key, { targets: [{ ...targets[0], options: { ignore: ["euros"] } }] }),
    ];
    for (const each of monitors) expect(await checked(key, each)).toMatchObject({ counts: { new: 1 } });
    price = 29;
    const [first, second] = [
      await checked(key, monitors[0] as Monitor),
      await checked(key, monitors[1] as Monitor),
    ];
    expect([first.counts.changed, second.counts.same]).toEqual([1, 1]);
    const { data } = await asked<{ data: { id: string; tags: string[] }[] }>(key, "GET", "/track", 200);
    expect(data.map(({ tags }) => tags)).toEqual([[monitors[1]?.tag], [monitors[0]?.tag], []]);
    const iid = data[0]?.id;
    const refused = await asked<Refusal>(key, "DELETE", "/track/web", 409, { iid });
    expect(refused.message).toContain(monitors[1]?.id);
  });

  test("what it no longer names is no longer tracked, and what goes on keeps its past", async () => {
    const key = await newKey();
    const sids = ["a", "b"].map(each => `${site.url}/lamp/kept-${each}`);
    const monitor = await newMonitor(key, { targets: [{ source: "web", sids }] });
    await checked(key, monitor);
    price = 28;
    const targets = [
      { source: "web", sids: [sids[1], `${site.url}/lamp/kept-c`], options: { content: "main" } },
    ];
    await asked(key, "PATCH", `/monitors/${monitor.id}`, 200, { targets, name: "Other lamps" });
    const check = await checked(key, monitor);
    expect(check.pages.map(({ url, status }) => [url, status]).sort()).toEqual([
      [sids[1], "changed"],
      [`${site.url}/lamp/kept-c`, "new"],
    ]);
    const { data } = await asked<{ data: { externalId: string }[] }>(key, "GET", "/track", 200);
    expect(data.map(({ externalId }) => externalId).sort()).toEqual(targets[0]?.sids);
  });

  test("a site: each page is new at first, then what changed is listed and what is the same is counted", async () => {
    const key = await newKey();
    const url = `${site.url}/docs/`;
    const monitor = await newMonitor(key, { targets: [{ source: "site", sids: [url] }] });
    const first = await checked(key, monitor);
    expect(first).toMatchObject({ status: "completed", counts: { pages: 3, new: 3 } });
    expect(first.pages.map(page => page.url).sort()).toEqual([url, `${url}a`, `${url}b`]);
    const second = await checked(key, monitor);
    expect(second).toMatchObject({ counts: { pages: 3, same: 3 }, pages: [] });
    price = 25;
    const third = await checked(key, monitor);
    const found = third.pages.map(page => [page.url.slice(url.length), page.status]).sort();
    expect(found).toEqual(
      expect.arrayContaining([
        ["a", "changed"],
        ["new", "new"],
      ]),
    );
    expect(third.counts).toMatchObject({ pages: 4, failed: 0 });
  }, 120_000);

  test("one check at a time", async () => {
    const key = await newKey();
    const monitor = await newMonitor(key);
    const { data } = await asked<{ data: Check }>(key, "POST", `/monitors/${monitor.id}/run`, 202);
    const refused = await magpieOf().request("POST", `/monitors/${monitor.id}/run`, { key });
    // It may have ended by now.
    if (refused.status === 409) expect(refused.json<Refusal>().message).toContain(data.id);
    else expect(refused.status).toBe(202);
  });

  test("a deleted monitor leaves nothing: no sources, no checks; endpoints of the key stay", async () => {
    const key = await newKey();
    const monitor = await newMonitor(key);
    const hook = (tags: string[]) =>
      asked<{ data: { id: string } }>(key, "POST", "/webhooks", 201, {
        url: "https://example.com/hook",
        tags,
      });
    const tagged = await hook([monitor.tag]);
    const other = await hook([monitor.tag, "home"]);
    await checked(key, monitor);
    await asked(key, "DELETE", `/monitors/${monitor.id}`, 200);
    await asked(key, "GET", `/monitors/${monitor.id}`, 404);
    await asked(key, "GET", `/monitors/${monitor.id}/checks`, 404);
    await until("its sources are gone", async () => {
      const { data } = await asked<{ data: unknown[] }>(key, "GET", "/track", 200);
      return data.length === 0;
    });
    const left = await asked<{ data: { id: string }[] }>(key, "GET", "/webhooks", 200);
    expect(left.data).toMatchObject([{ id: tagged.data.id }, { id: other.data.id }]);
    expect((await asked<{ data: unknown[] }>(key, "GET", "/monitors", 200)).data).toEqual([]);
  });

  test("schedules in words are spread, keep their time zone, and stop while it is paused", async () => {
    const key = await newKey();
    const schedule = { text: "daily at 9:30", time_zone: "Europe/Vienna" };
    const monitor = await newMonitor(key, { schedule });
    expect(monitor.schedule).toEqual({ cron: "30 9 * * *", ...schedule });
    const at = new Date(monitor.next_check_at ?? "");
    expect(at.toLocaleTimeString("en-GB", { timeZone: "Europe/Vienna" })).toBe("09:30:00");
    const paused = await asked<{ data: Monitor }>(key, "PATCH", `/monitors/${monitor.id}`, 200, {
      paused: true,
    });
    expect(paused.data.next_check_at).toBeNull();
    expect(await checked(key, monitor)).toMatchObject({ counts: { new: 1 } });
  });

  const badly: [name: string, wanted: object, field: string][] = [
    ["no schedule", { schedule: {} }, "schedule"],
    ["two schedules", { schedule: { cron: "0 9 * * *", text: "daily" } }, "schedule"],
    ["words that are none", { schedule: { text: "now and then" } }, "schedule.text"],
    ["no cron", { schedule: { cron: "99 * * * *" } }, "schedule.cron"],
    ["no time zone", { schedule: { text: "daily", time_zone: "Moon/Base" } }, "schedule.time_zone"],
    ["no address", { targets: [{ source: "web", sids: ["lamp"] }] }, "targets.0.sids.0"],
    [
      "an option of the monitor",
      { targets: [{ source: "web", sids: ["https://a.test/"], options: { interval: "1h" } }] },
      "targets.0.options.interval",
    ],
    [
      "an option of another kind",
      { targets: [{ source: "search", sids: ["crows"], options: { select: ["p"] } }] },
      "targets.0.options.select",
    ],
    [
      "a source named twice",
      {
        targets: [
          { source: "web", sids: ["https://a.test/"] },
          { source: "web", sids: ["https://a.test/"] },
        ],
      },
      "targets.1.sids.0",
    ],
    ["too long a retention", { retention_days: 400 }, "retention_days"],
    ["a goal without a language model", { goal: "prices that fall" }, "goal"],
  ];
  test.each(badly)("400 for %s", async (_, wanted, field) => {
    const key = await newKey();
    const targets = [{ source: "web", sids: ["https://a.test/"] }];
    const body = { name: "n", schedule: yearly, targets, ...wanted };
    const refused = await asked<Refusal>(key, "POST", "/monitors", 400, body);
    expect(refused.details?.map(each => each.field)).toEqual([field]);
  });

  test("monitors are those of their key", async () => {
    const monitor = await newMonitor(await newKey());
    const key = await newKey();
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/run"],
      ["GET", "/checks"],
    ] as const)
      await asked(key, method, `/monitors/${monitor.id}${path}`, 404, method === "GET" ? undefined : {});
  });

  test("the limit of the key counts the sources of monitors", async () => {
    const key = await newKey({ limits: { trackedSources: 1 } });
    const sids = ["a", "b"].map(each => `${site.url}/lamp/limit-${each}`);
    const monitor = await newMonitor(key, { targets: [{ source: "web", sids }] });
    const check = await checked(key, monitor);
    expect(check).toMatchObject({ status: "partial", counts: { new: 1, failed: 1 } });
    expect(check.pages.find(({ status }) => status === "failed")?.error).toContain("1 sources");
  });
}
