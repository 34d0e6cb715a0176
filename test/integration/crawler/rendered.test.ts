import type { ServerResponse } from "node:http";
import { toConfig } from "../../../mixins/config/config.ts";
import { expireCrawls } from "../../../services/crawler/maintenance/expire-crawls.ts";
import { until } from "../../support/until.ts";
import { type Crawl, type Crawler, startCrawler } from "./crawler.ts";
import { page, Sites, visited } from "./site.ts";

/** Crawls whose pages need the browser. */
const sites = new Sites();
let crawler: Crawler;

beforeAll(async () => {
  const machine = toConfig({ BROWSER_PATH: process.env.BROWSER_PATH, PATH: process.env.PATH });
  const { browser, searchPath } = machine;
  crawler = await startCrawler({ browser: { ...browser, pages: 1, queue: 0 }, searchPath });
});

afterAll(async () => {
  await crawler?.stop();
  await sites.close();
});

const rendered = { js_render: { enabled: true } };
const script = (code: string) => `<script>${code}</script>`;

test("no page is asked for twice, wherever its links are and however busy the browser is", async () => {
  const many = Array.from({ length: 3 }, (_, n) => `/shown-${n}`);
  const shown = many.map(path => [path, page(path, script("document.title += '!'"))]);
  const site = await sites.start({
    "/": page("Home", ...many, "/goes", "/refreshes", "/known", "/circle", "/pushes"),
    ...Object.fromEntries(shown),
    "/goes": page("Goes", script("location.replace('/known#part')")),
    "/refreshes": page("Refreshes", "<meta http-equiv='refresh' content='0;url=/found'>"),
    "/known": page("Known"),
    "/found": page("Found"),
    "/circle": page("Circle", script("location.href = '/circle-2'")),
    "/circle-2": page("Circle 2", script("location.href = '/circle'")),
    "/pushes": page("Pushes", script("history.replaceState(0, '', '?state=1')")),
  });
  const id = await crawler.accepted({ url: `${site.url}/`, ...rendered });
  const pages = await crawler.pages(id);
  expect(pages).toEqual(["/", "/found", "/known", "/pushes?state=1", ...many]);
  const redirect = "redirect";
  expect(await crawler.errors(id)).toEqual({
    ...{ "/goes": redirect, "/refreshes": redirect, "/circle": redirect, "/circle-2": redirect },
  });
  const asked = visited(site).filter(path => path !== "/favicon.ico");
  expect(asked.length).toBe(new Set(asked).size);
});

test("parts and actions are those of each page; the links of what is read last are followed, wherever they are", async () => {
  const body = (name: string) => `<p class=body>Body of ${name}. ${"Some words. ".repeat(30)}</p>`;
  const shown = (name: string) => page(name, `${body(name)}<a id=open href="/opened?${name}">open</a>`);
  const site = await sites.start({
    "/": shown("home"),
    "/a": shown("a"),
    "/opened": ({ url = "" }, response) =>
      response
        .setHeader("content-type", "text/html")
        .end(page("opened", "/a", `<p class=body>Opened by ${url.slice("/opened?".length)}.</p>`)),
  });
  const id = await crawler.accepted({
    url: `${site.url}/`,
    request: { include_tags: [".body"] },
    js_render: { actions: [{ type: "click", selector: "#open" }, { type: "screenshot" }] },
  });
  const { data } = await crawler.ended(id);
  const pages = data as (Crawl["data"][number] & { markdown: string; actions: { screenshots: string[] } })[];
  expect(pages.map(({ markdown }) => markdown.trim())).toEqual(["Opened by home.", "Opened by a."]);
  expect(await answers(pages.flatMap(({ actions }) => actions.screenshots))).toEqual([200, 200]);
});

test("waits that no page of a crawl has the time for are refused", async () => {
  const reply = await crawler.start({ url: "https://a.example/", js_render: { wait_for: { ms: 30_000 } } });
  expect([reply.status, reply.json<{ details: { field: string }[] }>().details[0]?.field]).toEqual([
    400,
    "js_render",
  ]);
});

const picture = { output: { formats: ["screenshot"] } };

async function screenshots(id: string): Promise<string[]> {
  const { data } = await crawler.status(id);
  return data.map(each => (each as Crawl["data"][number] & { screenshot: string }).screenshot);
}

async function answers(keys: string[]): Promise<number[]> {
  const replies = keys.map(key => crawler.request("GET", `/web/screenshot/${key}`));
  return (await Promise.all(replies)).map(({ status }) => status);
}

const past = new Date(0).toISOString();

test("screenshots are there as long as the pages of their crawl", async () => {
  const site = await sites.start({ "/": page("Home", "/a"), "/a": page("A") });
  const [first, second] = await Promise.all(
    [1, 2].map(() => crawler.accepted({ url: `${site.url}/`, ...picture })),
  );
  for (const id of [first, second]) expect((await crawler.ended(id ?? "")).progress.completed).toBe(2);
  const [gone, kept] = [await screenshots(first ?? ""), await screenshots(second ?? "")];
  expect(await answers([...gone, ...kept])).toEqual([200, 200, 200, 200]);
  await crawler.context().crawls.update(first ?? "", { $set: { expiresAt: past } });
  await expireCrawls(crawler.context());
  expect(await answers([...gone, ...kept])).toEqual([404, 404, 200, 200]);
});

test("those of a key that is deleted go with its crawls", async () => {
  const held: ServerResponse[] = [];
  const site = await sites.start({
    "/": page("Home", "/slow"),
    "/slow": (_, response) => void held.push(response),
  });
  const admin = { admin: true, body: { owner: "default", name: "short" } };
  const made = await crawler.request("POST", "/internal/keys", admin);
  const { id: keyId, key } = made.json<{ data: { id: string; key: string } }>().data;
  const id = await crawler.accepted({ url: `${site.url}/`, ...picture }, { key });
  await until("one page is read and one under way", async () => {
    return held.length === 1 && (await screenshots(id)).length === 1;
  });
  const keys = await screenshots(id);
  await crawler.request("DELETE", `/internal/keys/${keyId}`, { admin: true });
  for (const response of held) response.end(page("Slow"));
  await until("it ends", async () => (await crawler.status(id)).status === "cancelled");
  await until("they are gone", async () => (await answers(keys))[0] === 404);
});

test("a crawl is not forgotten while its screenshots cannot be", async () => {
  const site = await sites.start({ "/": page("Home") });
  const id = await crawler.accepted({ url: `${site.url}/`, ...picture });
  await crawler.ended(id);
  const keys = await screenshots(id);
  const context = crawler.context();
  await context.crawls.update(id, { $set: { expiresAt: past } });
  const errors: string[] = [];
  const away = { forgetScreenshots: () => Promise.reject(new Error("away")) };
  await expireCrawls({ ...context, ...away, onError: event => errors.push(event) });
  expect([errors, await answers(keys)]).toEqual([["crawl_expiry.failed"], [200]]);
  await expireCrawls(context);
  expect([await context.crawls.findById(id), await answers(keys)]).toEqual([null, [404]]);
});
