import type { ServerResponse } from "node:http";
import type { Service, ServiceSchema } from "moleculer";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { adminService } from "../../services/admin/admin.service.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import type { TrackerContext } from "../../services/tracker/context.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import type { Magpie, Reply } from "../support/magpie.ts";
import { until } from "../support/until.ts";

/** An installation, embedded or a cluster, with the trackers of its nodes. */
export interface WatchesWorld {
  magpie: Pick<Magpie, "request">;
  trackers: WatchTracker[];
}

export type WatchTracker = Service & { context: TrackerContext; pollScheduler: { wake(): void } };

/** The tracker is on two nodes where each service has its own. */
export const watchServices: ((config: Config) => ServiceSchema)[] = [
  keysService,
  trackerService,
  trackerService,
  connectorsService,
  scraperService,
  adminService,
];

const { browser, searchPath, social } = toConfig({
  BROWSER_PATH: process.env.BROWSER_PATH,
  PATH: process.env.PATH,
});

/** The social platforms are simulated, and post on demand only. */
export function watchOverrides(pollMinIntervalMs: number): Partial<Config> {
  return {
    egressAllow: ["127.0.0.1", "127.0.0.2"],
    pollMinIntervalMs,
    keysPerOwner: 1000,
    social: { ...social, sandboxEveryMs: null },
    browser,
    searchPath,
  };
}

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

/** Of the installation: polls are asked for. */
export const watchIntervalMs = 60_000;
const minute = 60_000;

/** Pages and feeds with options of their own, over HTTP. Polls are asked for: none is due by itself while a test runs. */
export function watchesSuite(worldOf: () => WatchesWorld): void {
  let site: Site;
  let other: Site;
  let neighbour: Site;
  let made = 0;
  /** What the pages show: the price, and a text beside it. */
  let price = 30;
  let story = "The first story of the day.";
  /** A check of visitors stands before the pages. */
  let isWalled = false;

  beforeAll(async () => {
    other = await startSite({ "/landing": page() }, undefined, "127.0.0.2");
    // The same host: only the port is another.
    neighbour = await startSite({ "/landing": page(), "/pixel": "", "/frame": page() });
    site = await startSite((request, response) => {
      const [, folder] = (request.url ?? "").split("/");
      if (folder === "page") return html(response, isWalled ? wall : page());
      if (folder === "members")
        return html(
          response,
          request.headers["x-pass"] === "sesame" ? page() : "<title>Log in</title><p>Log in, please.",
        );
      if (folder === "away") return response.writeHead(302, { location: `${other.url}/landing` }).end();
      if (folder === "next-door")
        return response.writeHead(302, { location: `${neighbour.url}/landing` }).end();
      if (folder === "scripted") return html(response, scripted());
      if (folder === "api")
        return response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ "a.b": { $price: price }, $ref: "x", $id: price, _bsontype: "ObjectId" }));
      if (folder === "feed.xml") return response.writeHead(200, { "content-type": "text/xml" }).end(feed);
      return response.writeHead(404).end();
    });
  });
  afterAll(() => Promise.all([site, other, neighbour].map(each => each.close())));
  beforeEach(() => {
    price = 30;
    story = "The first story of the day.";
    isWalled = false;
  });

  function html(response: ServerResponse, body: string) {
    return response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html>${body}`);
  }

  const wall = `<html><body><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31">Request
    unsuccessful. Incapsula incident ID: 1</iframe></body></html>`;

  function page(): string {
    const text = "Nest boxes are made of larch, and keep for twenty years in any weather that is known here.";
    return `<title>Nest boxes</title><main><h1>Nest boxes</h1><p>${text}</p>
    <p class="price">The box costs ${price} euros today.</p><p class="story">${story}</p></main>`;
  }

  /** Says what a script finds, and asks another port for a picture and a frame. */
  function scripted(): string {
    return `<title>Scripts</title><main><h1>Nest boxes</h1><p id="told">No script has run on this page yet.</p>
      <p>Nest boxes are made of larch, and keep for twenty years in any weather that is known here.</p></main>
      <img src="${neighbour.url}/pixel"><iframe src="${neighbour.url}/frame"></iframe>
      <script>document.querySelector("#told").textContent = "A script found these cookies: " + document.cookie;</script>`;
  }

  const feed = `<rss version="2.0"><channel><title>A feed</title><link>https://example.com/</link>
  <description>d</description><item><guid>1</guid><title>One</title></item></channel></rss>`;

  async function newKey(): Promise<string> {
    made += 1;
    const body = { owner: `t${made}`, name: "n" };
    const reply = await worldOf().magpie.request("POST", "/internal/keys", { admin: true, body });
    return reply.json<{ data: { key: string } }>().data.key;
  }

  /** An address that no other test has tracked. */
  function newPage(folder = "page"): string {
    made += 1;
    return `${site.url}/${folder}/${made}`;
  }

  function track(key: string, sid: string, options = {}, source = "web"): Promise<Reply> {
    return worldOf().magpie.request("POST", `/track/${source}`, { key, body: { sid, options } });
  }

  async function tracked(key: string, sid: string, options = {}, source = "web"): Promise<Watched> {
    const reply = await track(key, sid, options, source);
    expect([reply.status, reply.text]).toEqual([expect.any(Number), expect.stringContaining('"data"')]);
    return reply.json<{ data: Watched }>().data;
  }

  function change(key: string, iid: string, options: object): Promise<Reply> {
    return worldOf().magpie.request("PATCH", "/track/web", { key, body: { iid, options } });
  }

  async function changed(key: string, iid: string, options: object): Promise<Watched> {
    const reply = await change(key, iid, options);
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"data"')]);
    return reply.json<{ data: Watched }>().data;
  }

  async function rows(key: string): Promise<(Watched & { due_at: string; problem: string | null })[]> {
    return (await worldOf().magpie.request("GET", "/track", { key })).json<{ data: never[] }>().data;
  }

  /** Readers see an event once it is on disk, which may be a moment after its poll: `count` is how many there must be. */
  async function events(key: string, count = 0): Promise<PageEvent[]> {
    const read = async () =>
      (await worldOf().magpie.request("GET", "/events", { key })).json<{ data: PageEvent[] }>().data;
    await until(`${count} events are there`, async () => (await read()).length >= count);
    return read();
  }

  /** What the trackers store is the same on all nodes. */
  function context(): TrackerContext {
    const [first] = worldOf().trackers;
    if (!first) throw new Error("There is no tracker");
    return first.context;
  }

  function wake(): void {
    for (const { pollScheduler } of worldOf().trackers) pollScheduler.wake();
  }

  /** Makes these sources due, and waits until each was polled. */
  async function pollAll(ids: string[]): Promise<void> {
    const began = Date.now();
    const { sources } = context();
    await sources.updateMany({ _id: { $in: ids } }, { $set: { dueAt: began - 1, polledAt: began - minute } });
    wake();
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

    test("many views that are due at once cost one fetch, whichever nodes have leased them", async () => {
      const url = newPage();
      const keys = await Promise.all(Array.from({ length: 8 }, newKey));
      const views = keys.map((key, n) => tracked(key, url, { select: [".price"], ignore: [`never ${n}`] }));
      const ids = (await Promise.all(views)).map(({ id }) => id);
      for (const cost of [29, 28, 27]) {
        const before = hitsOf(url);
        price = cost;
        await pollAll(ids);
        expect(hitsOf(url)).toBe(before + 1);
      }
      for (const key of keys) {
        const added = (await events(key, 3)).map(({ data }) => data.change.added.join());
        expect(added.map(line => /\d+/.exec(line)?.[0])).toEqual(["29", "28", "27"]);
      }
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
      const equal = await tracked(await newKey(), url, {
        interval: "15m",
        select: [".price"],
        render: "auto",
      });
      const plain = await tracked(await newKey(), url);
      expect(equal.id).toBe(one.id);
      expect(plain.id).not.toBe(one.id);
      expect([one.options, equal.options, plain.options]).toEqual([
        { ...options, tags: ["a"] },
        options,
        undefined,
      ]);
    });

    test("values whose names mean something to a store are told as they are", async () => {
      const key = await newKey();
      const watched = await tracked(key, newPage("api"), { extract: { json_path: ["$"] } });
      await pollAll([watched.id]);
      price = 20;
      await pollAll([watched.id]);
      const [told] = await events(key, 1);
      expect(told?.data.change).toHaveProperty("fields", {
        '["a.b"].$price': { from: 30, to: 20 },
        $id: { from: 30, to: 20 },
      });
      price = 10;
      await pollAll([watched.id]);
      expect((await events(key, 2)).length).toBe(2);
      expect((await rows(key)).map(({ problem }) => problem)).toEqual([null]);
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

    test("a captcha in place of the page is a problem of each view, and neither it nor its end is a change", async () => {
      const [a, b] = [await newKey(), await newKey()];
      const url = newPage();
      const views = [await tracked(a, url), await tracked(b, url, { select: [".price"] })];
      const ids = views.map(({ id }) => id);
      const problems = async () => [(await rows(a))[0]?.problem, (await rows(b))[0]?.problem];
      isWalled = true;
      for (let polls = 0; polls < 2; polls += 1) await pollAll(ids);
      expect(await problems()).toEqual([expect.any(String), expect.any(String)]);
      isWalled = false;
      await pollAll(ids);
      expect(await problems()).toEqual([null, null]);
      price = 12;
      await pollAll(ids);
      for (const key of [a, b]) {
        const told = (await events(key, 1)).map(({ data }) => data.change.added.join());
        expect(told).toEqual([expect.stringContaining("12 euros")]);
      }
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
      const places = async () => (await context().tallies.find()).map(({ _id, sources }) => [_id, sources]);
      const before = await places();
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
      expect(await places()).toEqual(before);
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
      expect((await rows(key)).map(({ id, options }) => [id, options])).toEqual([
        [fourth.id, fourth.options],
      ]);
    });

    test("a view ends by the address of its page", async () => {
      const key = await newKey();
      const url = newPage();
      await tracked(key, url, { select: [".price"] });
      await tracked(await newKey(), url);
      const reply = await worldOf().magpie.request("DELETE", "/track/web", { key, body: { eid: url } });
      expect([reply.status, await rows(key)]).toEqual([200, []]);
    });
  });

  describe("options that are wrong are refused by name", () => {
    test.each([
      [{ interval: "5" }, "options.interval"],
      [{ interval: "40d" }, "options.interval"],
      [{ schedule: { time_zone: "Europe/Nowhere" } }, "options.schedule.time_zone"],
      [{ schedule: { time_zone: "UTC", from: "08:00", to: "08:05" } }, "options.schedule.to"],
      [{ select: [".price", "p["] }, "options.select.1"],
      [{ remove: ["//p["] }, "options.remove.0"],
      [{ ignore: ["/(/"] }, "options.ignore.0"],
      [{ when: { contains: ["/a(?=b)/"] } }, "options.when.contains.0"],
      [{ when: { value: {} } }, "options.when.value"],
      [{ headers: { Host: "example.com" } }, "options.headers.Host"],
      [{ cookies: { "a b": "c" } }, "options.cookies.a b"],
      [{ json: {} }, "options.json"],
      [{ render: "often" }, "options.render"],
      [{ colour: "red" }, "options.colour"],
    ])("%j", async (options, field) => {
      expectRefusal(await track(await newKey(), newPage(), options), field);
    });

    const nested = (depth: number): object => {
      let schema: object = { type: "string" };
      for (let level = 0; level < depth; level += 1) schema = { type: "object", properties: { a: schema } };
      return schema;
    };
    test.each<[string, object, string]>([
      ["10,000 lines to ignore", { ignore: Array(10_000).fill("x") }, "options.ignore"],
      ["a selector of 10,000 characters", { select: ["a".repeat(10_000)] }, "options.select"],
      ["1,000 brackets", { remove: [`//p[${"(".repeat(900)}`] }, "options.remove.0"],
      ["an expression of a million steps", { ignore: ["/((a{100}){100}){100}/"] }, "options.ignore.0"],
      ["a control character", { headers: { "X-Pass": "a\u0000b" } }, "options.headers.X-Pass"],
      ["a line break", { cookies: { session: "a\r\nHost: x" } }, "options.cookies.session"],
      [
        "1,000 headers",
        { headers: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`X-${n}`, "1"])) },
        "options.headers",
      ],
      ["a schema of 500 levels: the body as a whole", { json: { schema: nested(500) } }, ""],
    ])("%s", async (_, options, field) => {
      const reply = await track(await newKey(), newPage(), options);
      const [first] = reply.json<Refusal>().details ?? [];
      expect([reply.status, first?.field.slice(0, field.length)]).toEqual([400, field]);
    });

    test("below the shortest interval of the installation", async () => {
      const { sources } = context();
      const count = await sources.count();
      for (const { context } of worldOf().trackers) context.minIntervalMs = 5 * minute;
      try {
        expectRefusal(await track(await newKey(), newPage(), { interval: "4m" }), "options.interval");
      } finally {
        for (const { context } of worldOf().trackers) context.minIntervalMs = minute;
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
        await worldOf().magpie.request("POST", "/track/batch", { key, body: { items } }),
        "items.1.options.ignore.0",
      );
      const body = { sid: newPage(), options: { select: ["p["] } };
      expectRefusal(
        await worldOf().magpie.request("POST", "/track/web/preview", { key, body }),
        "options.select.0",
      );
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

    test.each(["never", "always"])("are not sent to another port of the host, rendered %s", async render => {
      const key = await newKey();
      const before = neighbour.hits.length;
      const away = await tracked(key, newPage("next-door"), { ...secret, render });
      const page = await tracked(key, newPage("scripted"), { ...secret, render });
      await pollAll([away.id, page.id]);
      const hits = neighbour.hits.slice(before);
      expect(hits.map(({ url }) => url)).toContain("/landing");
      for (const { headers } of hits)
        expect([headers["x-pass"], headers.cookie]).toEqual([undefined, undefined]);
      const own = site.hits.filter(({ url }) => url === new URL(page.externalId).pathname);
      for (const { headers } of own) expect(headers.cookie).toContain("s-e-c-r-e-t");
    });

    test("a page that a browser renders has them", async () => {
      const key = await newKey();
      const { id } = await tracked(key, newPage("scripted"), {
        ...secret,
        render: "always",
        select: ["#told"],
      });
      expect((await rows(key))[0]?.problem).toBeNull();
      const { text } = (
        await worldOf().magpie.request("POST", "/track/web/preview", {
          key,
          body: {
            sid: (await rows(key))[0]?.externalId,
            options: { ...secret, render: "always", select: ["#told"] },
          },
        })
      ).json<{ data: { text: string } }>().data;
      expect([id, text]).toEqual([expect.any(String), expect.stringContaining("session=s-e-c-r-e-t")]);
    });

    test("a page that needs scripts: `always` runs them, `never` does not, and each is looked at on its own", async () => {
      const [key, url] = [await newKey(), newPage("scripted")];
      const shown = async (render: string) => {
        const body = { sid: url, options: { select: ["#told"], render } };
        const reply = await worldOf().magpie.request("POST", "/track/web/preview", { key, body });
        return reply.json<{ data: { text: string } }>().data.text;
      };
      expect(await shown("never")).toContain("No script has run");
      expect(await shown("always")).toContain("A script found");
      const views = await Promise.all(
        ["never", "always"].map(async render => tracked(await newKey(), url, { render, select: ["#told"] })),
      );
      const before = [hitsOf(url), neighbour.hits.length] as const;
      await pollAll(views.map(({ id }) => id));
      expect(hitsOf(url)).toBe(before[0] + 2);
      // Only a browser asks for what a page names.
      expect(neighbour.hits.slice(before[1]).map(({ url }) => url)).toContain("/frame");
    });

    test("of a batch are sealed, too", async () => {
      const key = await newKey();
      const url = newPage("members");
      const items = [{ source: "web", sid: url, options: secret }];
      const reply = await worldOf().magpie.request("POST", "/track/batch", { key, body: { items } });
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

  describe("a preview compares with what the key's own watch saw last", () => {
    interface Preview {
      would_fire: boolean | null;
      why: string;
      change: { added: string[]; removed: string[]; value?: object } | null;
    }
    const preview = async (key: string, sid: string, options?: object): Promise<Preview> => {
      const body = { sid, ...(options && { options }) };
      const reply = await worldOf().magpie.request("POST", "/track/web/preview", { key, body });
      expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
      return reply.json<{ data: { view: Preview } }>().data.view;
    };

    test("true with the difference where a poll would tell it, which it then does", async () => {
      const [key, url] = [await newKey(), newPage()];
      const options = { select: [".price"] };
      const { id } = await tracked(key, url, { ...options, interval: "2h", tags: ["a"] });
      const same = { would_fire: false, why: "Nothing has changed that counts.", change: null };
      expect(await preview(key, url, options)).toMatchObject(same);
      price = 21;
      const seen = await preview(key, url, options);
      expect(seen).toMatchObject({ would_fire: true, why: "1 line added, 1 line removed." });
      expect([seen.change?.added.join(), seen.change?.removed.join()]).toEqual([
        expect.stringContaining("21 euros"),
        expect.stringContaining("30 euros"),
      ]);
      expect(await events(key)).toEqual([]);
      await pollAll([id]);
      const [told] = await events(key, 1);
      expect(told?.data.change).toMatchObject({ added: seen.change?.added, removed: seen.change?.removed });
      expect(await preview(key, url, options)).toMatchObject(same);
    });

    test("of the default view, and through the key's own headers", async () => {
      const key = await newKey();
      const [open, closed] = [newPage(), newPage("members")];
      const options = { headers: { "X-Pass": "sesame" } };
      await tracked(key, open);
      await tracked(key, closed, options);
      price = 22;
      expect(await preview(key, open)).toMatchObject({ would_fire: true });
      expect(await preview(key, closed, options)).toMatchObject({ would_fire: true });
    });

    test("hidden values are those of the key's own watch of this address, and of no other", async () => {
      const [key, closed] = [await newKey(), newPage("members")];
      const hidden = { headers: { "X-Pass": "•••" } };
      const secret = { headers: { "X-Pass": "sesame" }, cookies: { session: "s-e-c-r-e-t" } };
      const { id } = await tracked(key, closed, secret);
      const both = { ...hidden, cookies: { session: "•••" } };
      price = 23;
      const sent = () =>
        site.hits.filter(({ url }) => site.url + url === closed).map(({ headers }) => headers);
      let asked = sent().length;
      expect(await preview(key, closed, both)).toMatchObject({ would_fire: true });
      expect(sent().length).toBeGreaterThan(asked);
      for (const headers of sent().slice(asked))
        expect([headers["x-pass"], headers.cookie]).toEqual(["sesame", "session=s-e-c-r-e-t"]);
      // With other options of the view, and with a header more, the secrets are the same ones.
      asked = sent().length;
      const aimed = { headers: { ...hidden.headers, "X-More": "1" }, select: [".price"] };
      expect((await preview(key, closed, aimed)).why).toContain("with other options");
      for (const headers of sent().slice(asked))
        expect([headers["x-pass"], headers["x-more"], headers.cookie]).toEqual(["sesame", "1", undefined]);

      // The same address for another key, even one that tracks it; then other pages, ports, hosts and names.
      const stranger = await newKey();
      await tracked(stranger, closed);
      const elsewhere = (url: string) => closed.replace(site.url, url);
      const counted = () => [site, other, neighbour].map(({ hits }) => hits.length);
      const before = counted();
      const refusals: [string, string, object, string][] = [
        [await newKey(), closed, hidden, "options.headers.X-Pass"],
        [stranger, closed, hidden, "options.headers.X-Pass"],
        [key, newPage("members"), hidden, "options.headers.X-Pass"],
        [key, elsewhere(neighbour.url), hidden, "options.headers.X-Pass"],
        [key, elsewhere(other.url), hidden, "options.headers.X-Pass"],
        [key, `${closed}?a=1`, hidden, "options.headers.X-Pass"],
        [key, closed, { headers: { "X-Other": "•••" } }, "options.headers.X-Other"],
        [key, closed, { headers: { session: "•••" } }, "options.headers.session"],
        [key, closed, { cookies: { "X-Pass": "•••" } }, "options.cookies.X-Pass"],
      ];
      for (const [asking, sid, options, field] of refusals) {
        const body = { sid, options };
        const reply = await worldOf().magpie.request("POST", "/track/web/preview", { key: asking, body });
        expectRefusal(reply, field);
        expect(reply.text).not.toMatch(/sesame|s-e-c-r-e-t/);
      }
      expect(counted()).toEqual(before);
      // A page that leads to another site takes no secrets there.
      const away = newPage("next-door");
      await tracked(key, away, secret);
      const hits = neighbour.hits.length;
      await preview(key, away, { ...both, render: "never" });
      const led = neighbour.hits.slice(hits);
      expect(led.map(({ url, headers }) => [url, headers["x-pass"], headers.cookie])).toEqual(
        led.map(() => ["/landing", undefined, undefined]),
      );
      expect(led.length).toBeGreaterThan(0);

      await worldOf().magpie.request("DELETE", "/track/web", { key, body: { iid: id } });
      const reply = await worldOf().magpie.request("POST", "/track/web/preview", {
        key,
        body: { sid: closed, options: hidden },
      });
      expectRefusal(reply, "options.headers.X-Pass");
    });

    test("false where a condition is not met, with the difference that it does not tell", async () => {
      const [key, url] = [await newKey(), newPage()];
      const options = { select: [".price"], when: { value: { below: 20 } } };
      await tracked(key, url, options);
      price = 25;
      const high = await preview(key, url, options);
      expect(high).toMatchObject({ would_fire: false, why: expect.stringContaining("20") });
      expect(high.change?.added.join()).toContain("25 euros");
      price = 15;
      expect(await preview(key, url, options)).toMatchObject({
        would_fire: true,
        change: { value: { from: 30, to: 15 } },
      });
    });

    test("null where there is no such check, and says why", async () => {
      const [key, url] = [await newKey(), newPage()];
      await tracked(key, url, { select: [".price"] });
      const why = async (of: string, options?: object) => {
        const { would_fire, why, change } = await preview(of, url, options);
        expect([would_fire, change]).toEqual([null, null]);
        return why;
      };
      expect(await why(key, { select: [".story"] })).toContain("with other options");
      expect(await why(key)).toContain("with other options");
      expect(await why(await newKey(), { select: [".price"] })).toContain("does not track the page");
      expect((await preview(key, url, { select: [".nowhere"] })).would_fire).toBe(false);
    });
  });

  test("a simulated account is tracked under its tags, which replace one another, and has no view", async () => {
    const key = await newKey();
    const { request } = worldOf().magpie;
    const first = await tracked(key, "quiet_wren", { tags: ["birds"] }, "microblog");
    expectRefusal(await track(key, "quiet_wren", { interval: "1h" }, "microblog"), "options.interval");
    const body = { iid: first.id, options: { tags: ["daily"] } };
    expect((await request("PATCH", "/track/microblog", { key, body })).status).toBe(200);
    expect((await rows(key)).map(({ id, options }) => [id, options])).toEqual([
      [first.id, { tags: ["daily"] }],
    ]);
    const text = `A word of ${made}.`;
    const picture = { type: "image", url: "https://w.example/n.jpg", alt: "A nest." };
    const remarks = { language: "de_AT", media: [picture] };
    const said = { platform: "microblog", username: "quiet_wren", text, ...remarks };
    await until("it is heard", async () => {
      await request("POST", "/internal/sandbox/post", { admin: true, body: said });
      return (await request("GET", "/events?tag=daily", { key })).text.includes(text);
    });
    const heard = (await request("GET", "/events?tag=daily", { key })).json<{
      data: { data: { post: object } }[];
    }>();
    expect(heard.data.at(-1)?.data.post).toMatchObject({
      language: "de-AT",
      media: [{ ...picture, preview_url: null }],
    });
    expect((await request("GET", "/events?tag=birds", { key })).text).not.toContain(text);
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
      wake();
      await until("it waits for its window", async () => (await due()).getUTCHours() === hour);
      expect((await context().sources.findById(id))?.polledAt).toBe(polledAt);
    });

    test("a paused source is not polled, and tells what has changed once it is resumed", async () => {
      const [key, other] = [await newKey(), await newKey()];
      const url = newPage();
      const first = await tracked(key, url);
      const paused = await changed(key, first.id, { paused: true });
      expect(paused.options).toEqual({ paused: true });
      // Another key's pause is its own.
      expect((await tracked(other, url, { paused: true })).id).not.toBe(paused.id);
      price = 25;
      const { polledAt } = (await context().sources.findById(paused.id)) ?? {};
      await context().sources.update(paused.id, { $set: { dueAt: Date.now() - minute } });
      wake();
      await until("it is put off", async () => {
        const { dueAt = 0 } = (await context().sources.findById(paused.id)) ?? {};
        return dueAt > Date.now() + 24 * 60 * minute;
      });
      expect((await context().sources.findById(paused.id))?.polledAt).toBe(polledAt);
      expect(await events(key)).toEqual([]);
      const resumed = await changed(key, paused.id, { paused: null });
      expect(resumed.options).toBeUndefined();
      const [told] = await events(key, 1);
      expect(told?.data.change.added).toEqual(["The box costs 25 euros today."]);
      await pollAll([resumed.id]);
      expect(await events(key)).toHaveLength(1);
    });
  });
}
