import type { ServerResponse } from "node:http";
import type { Service } from "moleculer";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import type { TrackerContext } from "../../services/tracker/context.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, type Reply, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

/** Written by hand: a change of the wire breaks them. */
interface Watched {
  id: string;
  source: string;
  externalId: string;
  username: string;
  name: string;
  /** Absent when there are none. */
  options?: Record<string, unknown>;
}

interface PageEvent {
  id: string;
  type: string;
  data: { source: { id: string; externalId: string }; change: { added: string[]; removed: string[] } };
}

interface Refusal {
  code: string;
  details?: { field: string; code: string }[];
}

const minute = 60_000;

let site: Site;
let other: Site;
let magpie: Magpie;
let made = 0;
/** What the pages show: the price, and a text beside it. */
let price = 30;
let story = "The first story of the day.";

const services = (config: Config) => [
  keysService(config),
  trackerService(config),
  connectorsService(config),
  scraperService(config),
];

beforeAll(async () => {
  // Cookies know no ports: only another host is another site.
  other = await startSite({ "/landing": page() }, undefined, "127.0.0.2");
  site = await startSite((request, response) => {
    const [, folder] = (request.url ?? "").split("/");
    if (folder === "page") return html(response, page());
    if (folder === "members")
      return html(
        response,
        request.headers["x-pass"] === "sesame" ? page() : "<title>Log in</title><p>Log in, please.",
      );
    if (folder === "away") return response.writeHead(302, { location: `${other.url}/landing` }).end();
    if (folder === "feed.xml") return response.writeHead(200, { "content-type": "text/xml" }).end(feed);
    return response.writeHead(404).end();
  });
  const { browser, searchPath, social } = toConfig({
    BROWSER_PATH: process.env.BROWSER_PATH,
    PATH: process.env.PATH,
  });
  const config = {
    egressAllow: [`127.0.0.1:${site.port}`, `127.0.0.2:${other.port}`],
    pollMinIntervalMs: minute,
    keysPerOwner: 1000,
    social: { ...social, sandboxEveryMs: null },
    browser,
    searchPath,
  };
  magpie = await startMagpie(config, services);
});
afterAll(async () => {
  await magpie.stop();
  await site.close();
  await other.close();
});
beforeEach(() => {
  price = 30;
  story = "The first story of the day.";
});

function html(response: ServerResponse, body: string) {
  return response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html>${body}`);
}

function page(): string {
  const text = "Nest boxes are made of larch, and keep for twenty years in any weather that is known here.";
  return `<title>Nest boxes</title><main><h1>Nest boxes</h1><p>${text}</p>
    <p class="price">The box costs ${price} euros today.</p><p class="story">${story}</p></main>`;
}

const feed = `<rss version="2.0"><channel><title>A feed</title><link>https://example.com/</link>
  <description>d</description><item><guid>1</guid><title>One</title></item></channel></rss>`;

async function newKey(): Promise<string> {
  made += 1;
  const body = { owner: `t${made}`, name: "n" };
  const reply = await magpie.request("POST", "/internal/keys", { admin: true, body });
  return reply.json<{ data: { key: string } }>().data.key;
}

/** An address that no other test has tracked. */
function newPage(folder = "page"): string {
  made += 1;
  return `${site.url}/${folder}/${made}`;
}

function track(key: string, sid: string, options = {}, source = "web"): Promise<Reply> {
  return magpie.request("POST", `/track/${source}`, { key, body: { sid, options } });
}

async function tracked(key: string, sid: string, options = {}): Promise<Watched> {
  const reply = await track(key, sid, options);
  expect([reply.status, reply.text]).toEqual([expect.any(Number), expect.stringContaining('"data"')]);
  return reply.json<{ data: Watched }>().data;
}

function change(key: string, iid: string, options: object): Promise<Reply> {
  return magpie.request("PATCH", "/track/web", { key, body: { iid, options } });
}

async function changed(key: string, iid: string, options: object): Promise<Watched> {
  const reply = await change(key, iid, options);
  expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"data"')]);
  return reply.json<{ data: Watched }>().data;
}

async function rows(key: string): Promise<(Watched & { due_at: string; problem: string | null })[]> {
  return (await magpie.request("GET", "/track", { key })).json<{ data: never[] }>().data;
}

/** Readers see an event once it is on disk, which may be a moment after its poll: `count` is how many there must be. */
async function events(key: string, count = 0): Promise<PageEvent[]> {
  const read = async () =>
    (await magpie.request("GET", "/events", { key })).json<{ data: PageEvent[] }>().data;
  await until(`${count} events are there`, async () => (await read()).length >= count);
  return read();
}

function context(): TrackerContext {
  return (magpie.broker.getLocalService("tracker") as Service & { context: TrackerContext }).context;
}

/** Makes these sources due, and waits until each was polled. */
async function pollAll(ids: string[]): Promise<void> {
  const began = Date.now();
  const { sources } = context();
  await sources.updateMany({ _id: { $in: ids } }, { $set: { dueAt: began - 1, polledAt: began - minute } });
  const tracker = magpie.broker.getLocalService("tracker") as Service & { pollScheduler: { wake(): void } };
  tracker.pollScheduler.wake();
  await until("all were polled", async () => {
    const found = await sources.find({ query: { _id: { $in: ids } } });
    return found.every(({ polledAt, lease }) => polledAt >= began && lease === undefined);
  });
}

function hitsOf(url: string): number {
  return site.hits.filter(hit => site.url + hit.url === url).length;
}

function expectRefusal(reply: Reply, field: string): void {
  const { details } = reply.json<Refusal>();
  expect([reply.status, details?.[0]?.field]).toEqual([400, field]);
}

describe("views", () => {
  test("two keys with other selectors on one page cost one fetch, and each has its own events", async () => {
    const [a, b] = [await newKey(), await newKey()];
    const url = newPage();
    const prices = await tracked(a, url, { select: [".price"] });
    const stories = await tracked(b, url, { select: [".story"] });
    expect(prices.id).not.toBe(stories.id);
    expect([prices.externalId, stories.externalId]).toEqual([url, url]);
    const before = hitsOf(url);
    price = 20;
    await pollAll([prices.id, stories.id]);
    expect(hitsOf(url)).toBe(before + 1);
    expect([(await events(a, 1)).length, (await events(b)).length]).toEqual([1, 0]);
    story = "Another story of the same day.";
    await pollAll([prices.id, stories.id]);
    expect(hitsOf(url)).toBe(before + 2);
    const [ofA, ofB] = [await events(a, 1), await events(b, 1)];
    expect(ofA.map(({ data }) => [data.source.id, data.source.externalId])).toEqual([[prices.id, url]]);
    expect(ofA[0]?.data.change.added.join()).toContain("20 euros");
    expect(ofB.map(({ data }) => data.source.id)).toEqual([stories.id]);
    expect(ofB[0]?.data.change.added.join()).toContain("Another story");
  });

  test("a view that is due takes one along that is nearly due, and leaves one that is not", async () => {
    const url = newPage();
    const ids = [
      (await tracked(await newKey(), url)).id,
      (await tracked(await newKey(), url, { select: [".price"] })).id,
      (await tracked(await newKey(), url, { select: [".story"] })).id,
    ] as const;
    const [first, near, far] = ids;
    const now = Date.now();
    const { sources } = context();
    await sources.update(near, { $set: { polledAt: now - 6 * minute, dueAt: now + 4 * minute } });
    await sources.update(far, { $set: { polledAt: now - 4 * minute, dueAt: now + 6 * minute } });
    const before = hitsOf(url);
    await pollAll([first]);
    const polledAt = async (id: string) => (await sources.findById(id))?.polledAt ?? 0;
    expect([(await polledAt(near)) >= now, (await polledAt(far)) >= now]).toEqual([true, false]);
    expect(hitsOf(url)).toBe(before + 1);
  });

  test("equal options of two keys are one source, other options another", async () => {
    const url = newPage();
    const options = { select: [".price"], interval: "15m" };
    const one = await tracked(await newKey(), url, { ...options, tags: ["a"] });
    const equal = await tracked(await newKey(), url, { interval: "15m", select: [".price"], render: "auto" });
    const plain = await tracked(await newKey(), url);
    expect(equal.id).toBe(one.id);
    expect(plain.id).not.toBe(one.id);
    expect([one.options, equal.options, plain.options]).toEqual([
      { ...options, tags: ["a"] },
      options,
      undefined,
    ]);
  });

  test("one view that finds nothing fails alone", async () => {
    const [a, b] = [await newKey(), await newKey()];
    const url = newPage();
    const prices = await tracked(a, url, { select: [".price"] });
    const stories = await tracked(b, url, { select: [".story"] });
    story = "";
    price = 10;
    await pollAll([prices.id, stories.id]);
    expect([(await rows(a))[0]?.problem, (await rows(b))[0]?.problem]).toEqual([
      null,
      expect.stringContaining(".story"),
    ]);
    expect([(await events(a, 1)).length, (await events(b)).length]).toEqual([1, 0]);
  });

  test("a selection that finds nothing is refused, and nothing is tracked", async () => {
    const key = await newKey();
    const reply = await track(key, newPage(), { select: [".nowhere"] });
    expect([reply.status, reply.json<Refusal>().code]).toEqual([422, "element_not_found"]);
    expect(reply.text).toContain(".nowhere");
    expect(await rows(key)).toEqual([]);
  });
});

describe("a change of options", () => {
  test("to a view and back tells nothing twice, loses nothing, and leaves the tally as it is", async () => {
    const key = await newKey();
    const first = await tracked(key, newPage());
    const before = await context().tallies.find();
    price = 25;
    // This change is told by the view that the key leaves.
    const second = await changed(key, first.id, { select: [".price"] });
    expect(second.id).not.toBe(first.id);
    expect((await events(key, 1)).map(({ data }) => data.source.id)).toEqual([first.id]);
    await pollAll([second.id]);
    expect(await events(key)).toHaveLength(1);
    price = 24;
    const third = await changed(key, second.id, { select: null });
    expect(third.options).toBeUndefined();
    await pollAll([third.id]);
    expect((await events(key, 2)).map(({ data }) => data.source.id)).toEqual([first.id, second.id]);
    expect((await rows(key)).map(({ id }) => id)).toEqual([third.id]);
    expect(await context().tallies.find()).toEqual(before);
    // The views that nobody tracks any more are gone.
    const left = await context().sources.find({ query: { _id: { $in: [first.id, second.id] } } });
    expect(left).toEqual([]);
  });

  test("leaves what it does not name; tracking again changes what it names", async () => {
    const key = await newKey();
    const url = newPage();
    const first = await tracked(key, url, { interval: "15m", tags: ["a"] });
    const second = await changed(key, first.id, { ignore: ["cookie"] });
    expect(second.options).toEqual({ interval: "15m", ignore: ["cookie"], tags: ["a"] });
    const third = await tracked(key, url, { tags: ["b"] });
    expect([third.id, third.options]).toEqual([second.id, { ...second.options, tags: ["b"] }]);
    const fourth = await tracked(key, url, { interval: "2h" });
    expect(fourth.options).toEqual({ interval: "2h", ignore: ["cookie"], tags: ["b"] });
    expect((await rows(key)).map(({ id, options }) => [id, options])).toEqual([[fourth.id, fourth.options]]);
  });

  test("a view ends by the address of its page", async () => {
    const key = await newKey();
    const url = newPage();
    await tracked(key, url, { select: [".price"] });
    await tracked(await newKey(), url);
    const reply = await magpie.request("DELETE", "/track/web", { key, body: { eid: url } });
    expect([reply.status, await rows(key)]).toEqual([200, []]);
  });
});

describe("options that are wrong are refused by name", () => {
  test.each([
    [{ interval: "5" }, "options.interval"],
    [{ interval: "40d" }, "options.interval"],
    [{ schedule: { time_zone: "Europe/Nowhere" } }, "options.schedule.time_zone"],
    [{ schedule: { time_zone: "UTC", from: "08:00", to: "08:05" } }, "options.schedule.to"],
    [{ select: [".price", "p["] }, "options.select[1]"],
    [{ remove: ["//p["] }, "options.remove[0]"],
    [{ ignore: ["/(/"] }, "options.ignore[0]"],
    [{ when: { contains: ["/a(?=b)/"] } }, "options.when.contains[0]"],
    [{ when: { value: {} } }, "options.when.value"],
    [{ headers: { Host: "example.com" } }, "options.headers.Host"],
    [{ cookies: { "a b": "c" } }, "options.cookies[0].name"],
    [{ json: {} }, "options.json"],
    [{ render: "often" }, "options.render"],
    [{ colour: "red" }, "options.colour"],
  ])("%j", async (options, field) => {
    expectRefusal(await track(await newKey(), newPage(), options), field);
  });

  test("below the shortest interval of the installation", async () => {
    const { sources } = context();
    const count = await sources.count();
    magpie.broker.getLocalService("tracker");
    context().minIntervalMs = 5 * minute;
    try {
      expectRefusal(await track(await newKey(), newPage(), { interval: "4m" }), "options.interval");
    } finally {
      context().minIntervalMs = minute;
    }
    expect(await sources.count()).toBe(count);
  });

  test("what is for pages, of a feed; in a batch, with the place of the entry; in a preview", async () => {
    const key = await newKey();
    const sid = `${site.url}/feed.xml`;
    expectRefusal(await track(key, sid, { select: ["p"] }, "rss"), "options.select");
    expectRefusal(await track(key, sid, { select: ["p"] }), "options.select");
    const items = [
      { source: "web", sid: newPage() },
      { source: "web", sid: newPage(), options: { ignore: ["/(/"] } },
    ];
    expectRefusal(
      await magpie.request("POST", "/track/batch", { key, body: { items } }),
      "items[1].options.ignore[0]",
    );
    const body = { sid: newPage(), options: { select: ["p["] } };
    expectRefusal(await magpie.request("POST", "/track/web/preview", { key, body }), "options.select[0]");
    expect(await rows(key)).toEqual([]);
  });
});

describe("headers and cookies", () => {
  const secret = { headers: { "X-Pass": "sesame" }, cookies: { session: "s-e-c-r-e-t" } };

  test("reach the site, and are shown as names only", async () => {
    const key = await newKey();
    const url = newPage("members");
    const watched = await tracked(key, url, secret);
    const shown = { headers: { "X-Pass": "•••" }, cookies: { session: "•••" } };
    expect(watched.options).toEqual(shown);
    expect((await rows(key))[0]?.options).toEqual(shown);
    await pollAll([watched.id]);
    const hits = site.hits.filter(hit => site.url + hit.url === url);
    expect(hits.map(({ headers }) => [headers["x-pass"], headers.cookie])).toEqual(
      hits.map(() => ["sesame", "session=s-e-c-r-e-t"]),
    );
    const stored = JSON.stringify(await context().sources.findById(watched.id));
    expect(stored).not.toMatch(/sesame|s-e-c-r-e-t/);
    // Not shared with another key, although its options are equal.
    expect((await tracked(await newKey(), url, secret)).id).not.toBe(watched.id);
    // The hidden values are the former ones, so what an answer shows can be sent back.
    const again = await changed(key, watched.id, shown);
    expect(again.id).toBe(watched.id);
    const renamed = await changed(key, watched.id, { interval: "1h" });
    expect(renamed.options).toEqual({ ...shown, interval: "1h" });
    const without = await changed(key, renamed.id, { cookies: null });
    expect(without.options).toEqual({ headers: shown.headers, interval: "1h" });
  });

  test("are not sent to another site that a page redirects to", async () => {
    const key = await newKey();
    const watched = await tracked(key, newPage("away"), secret);
    await pollAll([watched.id]);
    expect(other.hits.length).toBeGreaterThan(0);
    for (const { headers } of other.hits)
      expect([headers["x-pass"], headers.cookie]).toEqual([undefined, undefined]);
  });

  test("of a batch are sealed, too", async () => {
    const key = await newKey();
    const url = newPage("members");
    const items = [{ source: "web", sid: url, options: secret }];
    const reply = await magpie.request("POST", "/track/batch", { key, body: { items } });
    expect([reply.status, reply.text]).toEqual([200, expect.not.stringMatching(/sesame|s-e-c-r-e-t/)]);
    expect(JSON.stringify(await context().entries.find())).not.toMatch(/sesame|s-e-c-r-e-t/);
    expect((await rows(key))[0]?.options).toEqual({
      headers: { "X-Pass": "•••" },
      cookies: { session: "•••" },
    });
  });

  test("a hidden value without a former one is refused", async () => {
    expectRefusal(
      await track(await newKey(), newPage(), { headers: { "X-Pass": "•••" } }),
      "options.headers.X-Pass",
    );
  });
});

describe("when a view is polled", () => {
  test("after its interval, with a tenth of slack, whatever it finds", async () => {
    const key = await newKey();
    const { id } = await tracked(key, newPage(), { interval: "3d" });
    for (const cost of [21, 21, 22]) {
      price = cost;
      const before = Date.now();
      await pollAll([id]);
      const waitMs = Date.parse((await rows(key))[0]?.due_at ?? "") - before;
      expect(waitMs).toBeGreaterThanOrEqual(72 * 60 * minute);
      expect(waitMs).toBeLessThanOrEqual(1.1 * 72 * 60 * minute + minute);
    }
  });

  test("a source that is due outside of its schedule waits for the next window", async () => {
    const key = await newKey();
    const hour = new Date(Date.now() + 12 * 60 * minute).getUTCHours();
    const from = `${String(hour).padStart(2, "0")}:00`;
    const to = `${String(hour).padStart(2, "0")}:30`;
    const { id } = await tracked(key, newPage(), { schedule: { time_zone: "UTC", from, to } });
    const due = async () => new Date((await context().sources.findById(id))?.dueAt ?? 0);
    expect([(await due()).getUTCHours(), (await due()).getUTCMinutes() < 30]).toEqual([hour, true]);
    const { polledAt } = (await context().sources.findById(id)) ?? {};
    // As after a standstill of the service.
    await context().sources.update(id, { $set: { dueAt: Date.now() - minute } });
    const tracker = magpie.broker.getLocalService("tracker") as Service & { pollScheduler: { wake(): void } };
    tracker.pollScheduler.wake();
    await until("it waits for its window", async () => (await due()).getUTCHours() === hour);
    expect((await context().sources.findById(id))?.polledAt).toBe(polledAt);
  });
});
