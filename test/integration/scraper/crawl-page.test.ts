import { toConfig } from "../../../mixins/config/config.ts";
import { call } from "../../../services/contracts/action.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import type { OutputOptions } from "../../../services/contracts/page-options.ts";
import { type CrawledPage, crawlPage } from "../../../services/contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../../../services/contracts/scraper.contract.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { type Scraper, startScraper } from "./scraper.ts";

let site: Site;
let other: Site;
let scraper: Scraper;

const text = "<p>Some words that make up a page.</p>".repeat(10);
const moved = (location: string, cookie: string[] = []) => ({
  status: 301,
  headers: { location, "set-cookie": cookie },
});
/** Fills itself by a script that the browser may keep. */
const scripted = `<body><main id=m>${text}</main><script src=/cached.js></script>`;

beforeAll(async () => {
  site = await startSite({
    "/page": `<title>page</title><base href=/sub/><nav><a href=nav rel=nofollow>n</a></nav><main>${text}<a href=in#x>i</a></main><link rel=next href=/page2>`,
    "/scripted": scripted,
    "/cached.js": {
      headers: { "content-type": "text/javascript", "cache-control": "max-age=9999" },
      body: "m.innerHTML += '<a href=/made>made</a> ' + 'word '.repeat(100)",
    },
    "/moved": moved("/page#part"),
    "/dir": moved("/dir/?utm_source=x"),
    "/dir/": text,
    "/gate": (request, response) => {
      if (request.headers.cookie?.includes("seen=1")) return response.end(text);
      response.writeHead(302, { location: "/gate", "set-cookie": "seen=1" }).end();
    },
    "/circle": moved("/circle"),
    "/to-private": moved("http://10.0.0.1/"),
    "/meta": `<meta name=robots content="noindex, nofollow"><a href=/a>a</a>${text}`,
    "/header": { headers: { "x-robots-tag": ["noarchive", "none"] }, body: `<a href=/a>a</a>${text}` },
    "/busy": { status: 503, headers: { "retry-after": "7" }, body: text },
    "/limited": { status: 429, headers: { "retry-after": "2" }, body: text },
    "/limited-unsaid": { status: 429, body: text },
    "/broken": { status: 500, headers: { "retry-after": "7" }, body: text },
    "/goes": `<body>${text}<script>location.replace('/page?from=script#part')</script>`,
    "/goes-later": "<body><script>setTimeout(() => { location.href = '/page?from=timer' }, 20)</script>",
    "/goes-nowhere": "<body><script>onload = () => { location.href = '/never' }</script>",
    "/refreshes": "<meta http-equiv=refresh content='0;url=/page?from=refresh'>",
    "/posts":
      "<body><form method=post action='/page?from=form'></form><script>document.forms[0].submit()</script>",
    "/hash": `<body><main>${text}</main><script>location.hash = 'part'; history.pushState(0, '', '/pushed')</script>`,
    "/reloads": (request, response) =>
      response
        .setHeader("content-type", "text/html")
        .end(request.headers.cookie ? text : "<script>document.cookie = 'a=1'; location.reload()</script>"),
    "/fetches-ahead": `<link rel=prefetch href="/page?ahead"><main>${text}</main><script>onload = () => fetch("/slowly")</script>`,
    "/slowly": (_, response) => void setTimeout(() => response.end(), 700),
    "/json": { headers: { "content-type": "application/json" }, body: '{"a":"<a href=/b>b</a>"}' },
    "/never": () => undefined,
  });
  other = await startSite({ "/page": text });
  scraper = await startScraper([site.port, other.port]);
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
  await other?.close();
});

interface Wanted extends Partial<Omit<ScrapeRequest, "output" | "request">> {
  formats?: OutputOptions["formats"];
  request?: Partial<ScrapeRequest["request"]>;
  crawlId?: string;
  keyId?: string;
}

function read(
  url: string,
  { formats = ["markdown"], request, crawlId, keyId, ...wanted }: Wanted = {},
  from = scraper,
) {
  const page: ScrapeRequest = {
    url: url.startsWith("/") ? site.url + url : url,
    mode: "sync",
    timeout: 120_000,
    output: { formats, screenshot: "viewport" },
    breakdown: false,
    max_age: 0,
    proxy: { location: "US" },
    js_render: { enabled: true },
    request: {
      device: "desktop",
      only_main_content: true,
      block_ads: false,
      skip_tls_verification: true,
      ...request,
    },
    ...wanted,
  };
  const crawl = { crawlId: crawlId ?? "crl_1", keyId: keyId ?? "key-1", owner: "ann" };
  const params = { ...crawl, entryUrl: `${site.url}/`, request: page };
  return call(from.broker, crawlPage, params, { timeout: 150_000 });
}

async function pageOf(
  url: string,
  wanted?: Wanted,
  from = scraper,
): Promise<Extract<CrawledPage, { kind: "page" }>> {
  const page = await read(url, wanted, from);
  if (page.kind !== "page") throw new Error(`it led to ${page.url}`);
  return page;
}

const visits = (path: string) => site.hits.filter(({ url }) => url === path);

test("a page comes with what was asked for, and with its links whatever that was", async () => {
  const { data, links, nofollow, retryAfterMs } = await pageOf("/page");
  expect(Object.keys(data).sort()).toEqual(["markdown", "metadata"]);
  expect(data.metadata).toMatchObject({ title: "page", status_code: 200, engine: "http" });
  expect(links).toEqual([
    { url: `${site.url}/sub/nav`, nofollow: true, next: false },
    { url: `${site.url}/sub/in`, nofollow: false, next: false },
    { url: `${site.url}/page2`, nofollow: false, next: true },
  ]);
  expect([nofollow, retryAfterMs]).toEqual([false, null]);
  const raw = await pageOf("/page", { formats: ["raw_html"] });
  expect(raw.data.raw_html).toContain("<base");
});

test("the links are those of the rendered page where a browser was needed", async () => {
  const { data, links } = await pageOf("/scripted");
  expect(data.metadata.engine).toBe("browser");
  expect(links).toEqual([{ url: `${site.url}/made`, nofollow: false, next: false }]);
});

test("what is not HTML has no links", async () => {
  const { data, links, nofollow } = await pageOf("/json");
  expect(data.markdown).toContain("```json");
  expect([links, nofollow]).toEqual([[], false]);
});

describe("a redirect of the server", () => {
  test("is returned, and not followed", async () => {
    const before = visits("/page").length;
    expect(await read("/moved")).toEqual({ kind: "redirect", url: `${site.url}/page` });
    expect(visits("/page")).toHaveLength(before);
  });

  test("to another spelling of the page leads on", async () => {
    const { data } = await pageOf("/dir");
    expect(data.metadata.final_url).toBe(`${site.url}/dir/?utm_source=x`);
  });

  test("to the page itself, once it has set a cookie, leads on", async () => {
    expect((await pageOf("/gate")).data.metadata.status_code).toBe(200);
  });

  test.each([
    ["/circle", "upstream_error"],
    ["/to-private", "url_not_allowed"],
  ])("%s fails with %s", async (path, code) => {
    expect(codeOf(await read(path).catch(error => error))).toBe(code);
  });
});

describe("a page that leads on by itself", () => {
  test.each([
    ["/goes", "/page?from=script"],
    ["/goes-later", "/page?from=timer"],
    ["/goes-nowhere", "/never"],
    ["/refreshes", "/page?from=refresh"],
    ["/posts", "/page?from=form"],
  ])("%s: it is returned, and no request goes there", async (path, target) => {
    expect(await read(path)).toEqual({ kind: "redirect", url: site.url + target });
    expect(visits(target)).toEqual([]);
    expect(visits(path)).toHaveLength(1);
  });

  test("leaves a browser behind that shows the next page", async () => {
    expect((await read("/goes")).kind).toBe("redirect");
    expect((await pageOf("/scripted")).links).toHaveLength(1);
  });

  test("is no redirect while its document stays, or comes again", async () => {
    const { data } = await pageOf("/hash");
    expect([data.metadata.engine, data.metadata.final_url]).toEqual(["browser", `${site.url}/pushed`]);
    expect((await pageOf("/reloads")).data.markdown).toContain("Some words");
  });
});

test("what a page fetches ahead is not fetched", async () => {
  expect((await pageOf("/fetches-ahead")).data.metadata.engine).toBe("browser");
  expect([visits("/slowly").length, visits("/page?ahead")]).toEqual([1, []]);
});

test.each([
  ["/meta", true],
  ["/header", true],
  ["/json", false],
])("what %s asks of crawlers: nofollow is %p", async (path, wanted) => {
  expect((await pageOf(path)).nofollow).toBe(wanted);
});

test.each([
  ["/busy", 503, 7000],
  ["/limited", 429, 2000],
  ["/limited-unsaid", 429, null],
  ["/broken", 500, null],
])("%s (%d) asks for a pause of %p ms", async (path, status, wanted) => {
  const { data, retryAfterMs } = await pageOf(path);
  expect([data.metadata.status_code, retryAfterMs]).toEqual([status, wanted]);
});

test("headers and cookies of the user go to the entry's own origin alone", async () => {
  const request = {
    headers: { Authorization: "Bearer secret", "Accept-Language": "de" },
    cookies: [
      { name: "own", value: "1" },
      { name: "far", value: "1", domain: "elsewhere.test" },
    ],
  };
  await pageOf("/page", { request });
  await pageOf(`${other.url}/page`, { request });
  expect(visits("/page").at(-1)?.headers).toMatchObject({
    authorization: "Bearer secret",
    "accept-language": "de",
    cookie: "own=1",
  });
  // Cookies ignore ports (RFC 6265, 8.5); origins do not.
  const { headers } = other.hits.at(-1) ?? {};
  expect([headers?.authorization, headers?.["accept-language"], headers?.cookie]).toEqual([
    undefined,
    "de",
    "own=1",
  ]);
});

test("a page that does not come in time, or from nowhere, fails with its code", async () => {
  expect(codeOf(await read("/never", { timeout: 1000 }).catch(error => error))).toBe("scrape_timeout");
  expect(codeOf(await read("http://127.0.0.1:9/").catch(error => error))).toBe("url_not_allowed");
});

test("the rendered pages of a crawl share a browser context, and no other key has a part in it", async () => {
  const served = () => visits("/cached.js").length;
  const before = served();
  // A second try of the test would find what the first one has cached.
  const own = { keyId: "key-2", crawlId: `crl_${before}` };
  for (let n = 0; n < 5; n += 1) expect((await pageOf(`/scripted?${n}`, own)).links).toHaveLength(1);
  expect(served() - before).toBe(1);
  await pageOf("/scripted?6", { keyId: "key-3", crawlId: `${own.crawlId}_other` });
  expect(served() - before).toBe(2);
});

test("where the browser has no place for them pages wait, and are asked for once", async () => {
  const { browser } = toConfig({ BROWSER_PATH: process.env.BROWSER_PATH, PATH: process.env.PATH });
  const narrow = await startScraper([site.port], { browser: { ...browser, pages: 1, queue: 0 } });
  try {
    const paths = [1, 2, 3, 4].map(n => `/scripted?narrow=${n}`);
    const pages = await Promise.all(paths.map(path => pageOf(path, {}, narrow)));
    expect(pages.map(({ links }) => links.length)).toEqual([1, 1, 1, 1]);
    expect(paths.map(path => visits(path).length)).toEqual([1, 1, 1, 1]);
  } finally {
    await narrow.stop();
  }
});

test("keeps no record", async () => {
  const service = scraper.broker.getLocalService("scraper") as unknown as {
    store: { collection(name: string): { count(): Promise<number> } };
  };
  await pageOf("/page");
  expect(await service.store.collection("scrapes").count()).toBe(0);
});
