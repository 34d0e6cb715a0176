import {
  type WatchTracker,
  watchIntervalMs,
  watchOverrides,
  watchServices,
} from "../suites/watches.suite.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { pollNow } from "../support/poll-now.ts";
import { until } from "../support/until.ts";

interface ItemEvent {
  type: string;
  data: { item: Record<string, string> };
}

interface Item {
  id: string;
  teaser: string;
}

const story = "The fog came in from the west, and nobody saw the pier until noon. ".repeat(12);

let items: Item[];
let site: Site;
let magpie: Magpie;
let tracker: WatchTracker;
let made = 0;

beforeAll(async () => {
  site = await startSite((request, response) => {
    const path = request.url ?? "";
    if (path.endsWith(".xml")) return response.writeHead(200, { "content-type": "text/xml" }).end(feed());
    if (path.startsWith("/gone")) return response.writeHead(404).end();
    if (path.startsWith("/broken")) return response.writeHead(500).end();
    const text = path.startsWith("/short") ? "Subscribe to read on, please." : story;
    const body = `<!doctype html><title>Post</title><nav><a href="/">Home</a></nav><main><article><h1>Post</h1><p>${text}</p><p><a href="next">Next</a><script>alert(1)</script></p></article></main>`;
    return response.writeHead(200, { "content-type": "text/html" }).end(body);
  });
  magpie = await startMagpie(watchOverrides(watchIntervalMs), config =>
    [...new Set(watchServices)].map(service => service(config)),
  );
  tracker = magpie.broker.getLocalService("tracker") as WatchTracker;
});
afterAll(async () => {
  await magpie.stop();
  await site.close();
});
beforeEach(() => {
  items = [{ id: "old", teaser: "An old one." }];
});

function feed(): string {
  const shown = items.map(
    ({ id, teaser }) =>
      `<item><guid isPermaLink="false">${id}</guid><title>${id}</title><link>${site.url}/${id}</link><description>${teaser}</description></item>`,
  );
  return `<rss version="2.0"><channel><title>Teasers</title><link>${site.url}</link><description>d</description>${shown.join("")}</channel></rss>`;
}

async function tracked(options: object, sid?: string) {
  made += 1;
  const address = sid ?? `${site.url}/${made}.xml`;
  const body = { owner: `f${made}-${JSON.stringify(options).length}`, name: "n" };
  const { key } = (await magpie.request("POST", "/internal/keys", { admin: true, body })).json<{
    data: { key: string };
  }>().data;
  const reply = await magpie.request("POST", "/track/rss", { key, body: { sid: address, options } });
  expect([reply.status, reply.text]).toEqual([201, expect.stringContaining('"data"')]);
  const { id } = reply.json<{ data: { id: string } }>().data;
  const told = async (count: number) => {
    const read = async () =>
      (await magpie.request("GET", "/events", { key })).json<{ data: ItemEvent[] }>().data;
    await until(`${count} are told`, async () => (await read()).length >= count);
    return (await read()).map(({ data }) => data.item);
  };
  return { id, sid: address, told };
}

const hitsOf = (path: string) => site.hits.filter(({ url }) => url === path).length;

test("each item has the content of its page, which is read once, and again when the item has changed", async () => {
  const list = await tracked({ content: "full" });
  expect(hitsOf("/old")).toBe(0);
  items = [{ id: "new", teaser: "The fog came in …" }, ...items];
  await pollNow(tracker, list.id);
  const [item] = await list.told(1);
  expect(item).toMatchObject({ id: "new", content_source: "page" });
  expect(item?.content_html).toContain("nobody saw the pier until noon");
  expect(item?.content_html).toContain(`href="${site.url}/next"`);
  expect(item?.content_html).not.toMatch(/script|Home/);
  expect(item).not.toHaveProperty("content_problem");
  await pollNow(tracker, list.id);
  expect(hitsOf("/new")).toBe(1);
  items = [{ id: "new", teaser: "The fog came in twice …" }, ...items.slice(1)];
  await pollNow(tracker, list.id);
  expect((await list.told(2))[1]).toMatchObject({ id: "new", content_source: "page" });
  expect(hitsOf("/new")).toBe(2);
});

test("a page that cannot be read, or says less, leaves what the feed has, and the item is told with the reason", async () => {
  const list = await tracked({ content: "full" });
  const teased = ["gone", "broken", "short"].map(id => ({
    id,
    teaser: `The beginning of ${id}, which is longer than the page.`,
  }));
  items = [...teased, ...items];
  await pollNow(tracker, list.id);
  const told = await list.told(3);
  const byId = Object.fromEntries(told.map(item => [item.id, item]));
  for (const id of ["gone", "broken", "short"])
    expect([byId[id]?.content_source, JSON.stringify(byId[id])]).toEqual([
      "feed",
      expect.stringContaining(`The beginning of ${id}`),
    ]);
  expect(["gone", "broken", "short"].map(id => byId[id]?.content_problem)).toEqual([
    "The page answered with status 404.",
    "The page answered with status 500.",
    "The page says less than the feed.",
  ]);
  expect([hitsOf("/gone"), hitsOf("/broken"), hitsOf("/short")]).toEqual([1, 2, 1]);
  await pollNow(tracker, list.id);
  expect([hitsOf("/gone"), hitsOf("/broken"), (await list.told(3)).length]).toEqual([1, 2, 3]);
});

test("another key's watch of the feed keeps the feed's own content", async () => {
  const full = await tracked({ content: "full" });
  const plain = await tracked({}, full.sid);
  expect(plain.id).not.toBe(full.id);
  items = [{ id: "both", teaser: "A teaser." }, ...items];
  await pollNow(tracker, full.id, plain.id);
  const [[whole], [teaser]] = [await full.told(1), await plain.told(1)];
  expect(whole?.content_source).toBe("page");
  expect(teaser).toMatchObject({ id: "both" });
  expect(JSON.stringify(teaser)).toContain("A teaser.");
  expect(teaser).not.toHaveProperty("content_source");
  expect(hitsOf("/both")).toBe(1);
});

test("more items than one poll reads the pages of follow in the next ones, each once", async () => {
  const list = await tracked({ content: "full" });
  const many = Array.from({ length: 14 }, (_, n) => ({ id: `many-${n}`, teaser: "A teaser." }));
  items = [...many, ...items];
  for (let round = 0; round < 3; round += 1) await pollNow(tracker, list.id);
  const told = await list.told(14);
  expect(new Set(told.map(({ id }) => id)).size).toBe(14);
  expect(told.every(({ content_source }) => content_source === "page")).toBe(true);
  expect(many.map(({ id }) => hitsOf(`/${id}`))).toEqual(many.map(() => 1));
});

test.each(["before", "after"])(
  "where the log fails %s it has written an item, that is told once",
  async when => {
    const list = await tracked({ content: "full" });
    const { log } = tracker.context;
    const append = log.append.bind(log);
    items = [{ id: `fails-${when}`, teaser: "A teaser." }, ...items];
    let failures = 0;
    log.append = async (...entries) => {
      if (when === "after") await append(...entries);
      failures += 1;
      throw new Error("The log fails.");
    };
    await pollNow(tracker, list.id).finally(() => {
      log.append = append;
    });
    expect(failures).toBe(1);
    await pollNow(tracker, list.id);
    const told = await list.told(1);
    expect(told.map(({ id, content_source }) => [id, content_source])).toEqual([[`fails-${when}`, "page"]]);
  },
);

test.each([
  ["web", "full"],
  ["site", "full"],
  ["rss", "main"],
])("for %s `content` is not `%s`", async (kind, content) => {
  const body = { sid: `${site.url}/1.xml`, options: { content } };
  const reply = await magpie.request("POST", `/track/${kind}`, { body });
  expect([reply.status, reply.json<{ details?: { field: string }[] }>().details?.[0]?.field]).toEqual([
    400,
    "options.content",
  ]);
});
