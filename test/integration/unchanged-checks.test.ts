import { mortalHistory } from "../suites/tracker-world.ts";
import {
  type WatchTracker,
  watchIntervalMs,
  watchOverrides,
  watchServices,
} from "../suites/watches.suite.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { Life } from "../support/mortal.ts";
import { until } from "../support/until.ts";

/* What a check costs the store, where nothing has changed: the lease, and the write that frees the source. */

const writesPerCheck = 2;
const checks = 12;

/** Counts every write of the tracker, to its store and to the history. */
const counted = new Life();
let magpie: Magpie;
let site: Site;
let tracker: WatchTracker;
let sources: WatchTracker["context"]["sources"];
let visits = 0;

const page = (more = "") => `<!doctype html><html lang="en"><head><title>Desk lamp</title>${more}</head><body>
<header><p>The workshop of lamps</p></header><main><h1>Desk lamp</h1><p class="price">€ 50.00</p>
<p>The lamp for the desk, made of brass and ash, with a switch at its foot and a cord of two metres.</p></main></body></html>`;
const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>http://feed.test/</link><description>One</description>
<item><guid isPermaLink="false">1</guid><title>One</title><description>The first.</description></item></channel></rss>`;
const html = { "content-type": "text/html; charset=utf-8" };

beforeAll(async () => {
  site = await startSite({
    "/same": (_, response) => response.writeHead(200, html).end(page()),
    "/unmodified": ({ headers }, response) =>
      headers["if-none-match"] === '"1"'
        ? response.writeHead(304, { etag: '"1"' }).end()
        : response.writeHead(200, { ...html, etag: '"1"' }).end(page()),
    "/other-bytes": (_, response) => {
      visits += 1;
      response.writeHead(200, html).end(page(`<style>p { order: ${visits} }</style>`));
    },
    "/feed": (_, response) => response.writeHead(200, { "content-type": "application/rss+xml" }).end(rss),
  });
  const services = [...new Set(watchServices)];
  magpie = await startMagpie(watchOverrides(watchIntervalMs), config => services.map(make => make(config)));
  tracker = magpie.broker.getLocalService("tracker") as unknown as WatchTracker;
  const { context } = tracker;
  sources = context.sources;
  const { pollConnector, pollViews } = context;
  // As over a bus: what a thread has sent to Jest's realm equals nothing that was made in it.
  context.pollConnector = async (...asked) => JSON.parse(JSON.stringify(await pollConnector(...asked)));
  context.pollViews = async (...asked) => JSON.parse(JSON.stringify(await pollViews(...asked)));
  context.history = mortalHistory(counted, context.history);
  for (const name of ["sources", "states", "subscriptions", "tallies"] as const)
    Object.assign(context, { [name]: counted.with(context[name] as never) });
});
afterAll(() => Promise.all([magpie.stop(), site.close()]));

async function track(path: string, kind = "web", options = {}): Promise<string> {
  const body = { sid: site.url + path, options };
  const reply = await magpie.request("POST", `/track/${kind}`, { body });
  expect([200, 201]).toContain(reply.status);
  return reply.json<{ data: { id: string } }>().data.id;
}

/** Checks a source once, and answers how many writes that took. */
async function check(id: string): Promise<number> {
  const [began, before] = [Date.now(), counted.writes];
  // What the test itself writes is not counted.
  await sources.update(id, { $set: { dueAt: began - 1, polledAt: began - watchIntervalMs } });
  tracker.pollScheduler.wake();
  await until("it is checked", async () => {
    const source = await sources.findById(id);
    return source?.lease === undefined && (source?.polledAt ?? 0) >= began;
  });
  return counted.writes - before;
}

test.each<[string, string, string, object]>([
  ["a page that is the same byte by byte", "/same", "web", {}],
  ["a page that is not modified", "/unmodified", "web", {}],
  ["a page of other bytes that says the same", "/other-bytes", "web", {}],
  ["a price", "/other-bytes", "web", { select: [".price"], when: { value: { below: 45 } } }],
  ["a feed", "/feed", "rss", {}],
])("%s: a check writes the lease and the source, and nothing else", async (_, path, kind, options) => {
  const id = await track(path, kind, options);
  // The second check of a page knows what of it stays.
  for (let first = 0; first < 3; first += 1) await check(id);
  const writes: number[] = [];
  for (let n = 0; n < checks; n += 1) writes.push(await check(id));
  expect(writes).toEqual(Array(checks).fill(writesPerCheck));
  const { run } = (await sources.findById(id)) ?? {};
  expect(run).toMatchObject({ outcome: "same" });
  expect(run?.count).toBeGreaterThanOrEqual(checks);
});
