import { createHmac } from "node:crypto";
import { toConfig } from "../../mixins/config/config.ts";
import { routes } from "../../services/api/routes/routes.ts";
import type { Site } from "../support/http-site.ts";
import { makePdf } from "../support/pdf.ts";
import { rawHttp } from "../support/raw-http.ts";
import { startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import { type Crawler, startCrawler } from "./crawler/crawler.ts";
import { page, pageWith, Sites } from "./crawler/site.ts";

const sites = new Sites();
let site: Site;
let searxng: Site;
let crawler: Crawler;

/** What clients read, written by hand from Firecrawl's description. */
interface Document {
  markdown?: string;
  html?: string;
  rawHtml?: string;
  links?: string[];
  images?: string[];
  summary?: string;
  json?: Record<string, unknown>;
  extract?: Record<string, unknown>;
  screenshot?: string;
  actions?: { screenshots: string[] };
  metadata: Record<string, unknown>;
}

interface Job {
  success: boolean;
  status: string;
  total: number;
  completed: number;
  creditsUsed: number;
  expiresAt: string;
  next?: string;
  data: Document[];
  error?: string;
}

interface Refusal {
  success: boolean;
  code: string;
  error: string;
  details?: { field: string; code: string }[];
}

/** What a job's webhook receives. */
interface Told {
  success: boolean;
  type: string;
  id: string;
  data: Document[];
  metadata: Record<string, unknown>;
  error?: string;
}

const started = (type: string, id: string) => ({ success: true, type, id, data: [], metadata: { mine: 1 } });

beforeAll(async () => {
  const head = `<meta property="og:title" content="Shared"><meta property="og:site_name" content="Birds">
    <meta name="keywords" content="birds, nests">`;
  const machine = toConfig({ BROWSER_PATH: process.env.BROWSER_PATH, PATH: process.env.PATH });
  site = await sites.start({
    "/": pageWith(
      head,
      "Home",
      "/docs/a",
      "/docs/b",
      "/docs/x/deep",
      "/private",
      '<img src="/nest.png" alt="Nest">',
    ),
    "/docs/a": page("A", "/docs/b"),
    "/docs/b": page("B"),
    "/docs/x/deep": page("Deep"),
    "/private": page("Private"),
    "/gone": { status: 404, body: "<h1>Gone</h1>" },
    "/robots.txt": { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /private" },
    "/form": `<!doctype html><title>Form</title><main><p>Nothing was said here so far.</p>
      <input id=i><button id=b onclick="document.querySelector('p').textContent='You said '+document.querySelector('#i').value+' and it was heard.'">Say</button></main>`,
  });
  searxng = await sites.start((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://search.test");
    response.setHeader("content-type", "application/json");
    const results = [
      { url: `${site.url}/docs/a`, title: "A", content: "About A." },
      { url: `${site.url}/unreachable`, title: "", content: searchParams.get("q") },
      { url: "javascript:alert(1)", title: "Not a page" },
    ];
    response.end(JSON.stringify({ results: searchParams.get("pageno") === "1" ? results : [] }));
  });
  crawler = await startCrawler({
    browser: machine.browser,
    searchPath: machine.searchPath,
    searxngUrl: searxng.url,
  });
});

afterAll(async () => {
  await crawler?.stop();
  await sites.close();
});

const bearer = () => ({ key: null, headers: { authorization: `Bearer ${crawler.apiKey}` } });

async function send<Body>(method: string, path: string, body?: object): Promise<Body> {
  const reply = await crawler.request(method, path, { body, ...bearer() });
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.json<Body>();
}

async function refusal(method: string, path: string, body?: object): Promise<[number, Refusal]> {
  const reply = await crawler.request(method, path, { body, ...bearer() });
  return [reply.status, reply.json<Refusal>()];
}

async function scraped(version: string, body: object): Promise<Document> {
  const { success, data } = await send<{ success: boolean; data: Document }>("POST", `/${version}/scrape`, {
    timeout: 55_000,
    ...body,
  });
  expect(success).toBe(true);
  return data;
}

async function ended(path: string): Promise<Job> {
  await until("the job ends", async () => (await send<Job>("GET", path)).status !== "scraping");
  return await send<Job>("GET", path);
}

const neverAnswer = () => undefined;

const paths = (documents: Document[]) =>
  documents.map(({ metadata }) => new URL(String(metadata.sourceURL)).pathname).sort();

describe.each(["v1", "v2"])("%s scrape", version => {
  test("gives the formats under their names", async () => {
    const formats = ["markdown", "html", "rawHtml", "links", "summary"];
    const found = await scraped(version, {
      url: `${site.url}/`,
      formats,
      onlyMainContent: false,
      origin: "test",
    });
    expect(Object.keys(found).sort()).toEqual([
      "html",
      "links",
      "markdown",
      "metadata",
      "rawHtml",
      "summary",
    ]);
    expect(found.markdown).toContain("# Home");
    expect(found.links).toContain(`${site.url}/docs/a`);
    expect(found.metadata).toMatchObject({
      ogTitle: "Shared",
      ogSiteName: "Birds",
      keywords: "birds, nests",
      sourceURL: `${site.url}/`,
      url: `${site.url}/`,
      statusCode: 200,
      cacheState: "miss",
      scrapeId: expect.stringMatching(/^scr_/),
    });
  });

  test("a page that is not there is a page", async () => {
    const { metadata } = await scraped(version, { url: `${site.url}/gone` });
    expect(metadata).toMatchObject({ statusCode: 404, error: "Not Found" });
  });

  test("is there again by its id", async () => {
    const { metadata, markdown } = await scraped(version, { url: `${site.url}/docs/a` });
    const again = await send<{ data: Document }>("GET", `/${version}/scrape/${metadata.scrapeId}`);
    expect(again.data.markdown).toBe(markdown);
  });

  test.each([
    [{ url: "ftp://example.com" }, "url"],
    [{ url: "https://example.com", formats: ["branding"] }, "formats.0"],
    [{ url: "https://example.com", lockdown: true }, "lockdown"],
    [{ url: "https://example.com", foo: 1 }, "foo"],
    [{ url: "https://example.com", waitFor: 100_000 }, "waitFor"],
    [{ url: "https://example.com", includeTags: ["p["] }, "includeTags.0"],
    [{ url: "https://example.com", timeout: 5 }, "timeout"],
    [{ url: "https://example.com", headers: { host: "a" } }, "headers.host"],
    [{ url: "https://example.com", onlyMainContent: "yes" }, "onlyMainContent"],
    [{ url: "https://example.com", actions: [{ type: "executeJavascript", script: "1" }] }, "actions.0"],
    [{ url: "https://example.com", proxy: "stealth" }, "proxy"],
  ])("%j is refused and names %s", async (body, field) => {
    const [status, { success, code, error, details }] = await refusal("POST", `/${version}/scrape`, body);
    expect([status, success, details?.[0]?.field]).toEqual([400, false, field]);
    expect(code).toMatch(/^(BAD_REQUEST|INVALID_URL|URL_NOT_ALLOWED)$/);
    expect(error).toMatch(/\.$/);
  });
});

test("options that ask for nothing pass, as clients send them", async () => {
  const quiet = {
    fastMode: false,
    storeInCache: true,
    lockdown: false,
    redactPII: false,
    proxy: "auto",
    integration: null,
  };
  const { markdown } = await scraped("v2", {
    url: `${site.url}/docs/a`,
    ...quiet,
    maxAge: 14_400_000,
    parsers: ["pdf"],
  });
  expect(markdown).toContain("# A");
});

test("JSON by a schema, in each version's words", async () => {
  const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
  const url = `${site.url}/docs/a`;
  const v2 = await scraped("v2", { url, formats: [{ type: "json", schema }] });
  const v1 = await scraped("v1", { url, formats: ["json"], jsonOptions: { schema } });
  const old = await scraped("v1", { url, formats: ["extract"], extract: { schema } });
  expect([v2.json, v1.json, old.extract]).toEqual([{ title: "A" }, { title: "A" }, { title: "A" }]);
});

test("what a page needs the browser for: a picture by a link, actions, a selector", async () => {
  const found = await scraped("v2", {
    url: `${site.url}/form`,
    formats: ["markdown", { type: "screenshot", fullPage: true, quality: 80 }],
    actions: [
      { type: "wait", milliseconds: 10 },
      { type: "click", selector: "#i" },
      { type: "write", text: "hello" },
      { type: "click", selector: "#b" },
      { type: "screenshot" },
    ],
  });
  expect(found.markdown).toContain("You said hello");
  const [picture = "", ofAction = ""] = [found.screenshot, found.actions?.screenshots[0]];
  for (const link of [picture, ofAction]) {
    expect(link).toMatch(new RegExp(`^${crawler.url}/web/screenshot/[^?]+\\?expires=\\d+&signature=`));
    const reply = await fetch(link);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "image/png"]);
    await reply.body?.cancel();
  }
  const [status, { code, details }] = await refusal("POST", "/v2/scrape", {
    url: `${site.url}/form`,
    actions: [{ type: "click", selector: "#nowhere" }],
    timeout: 20_000,
  });
  expect([status, code, details?.[0]?.field]).toEqual([422, "ELEMENT_NOT_FOUND", "actions.0.selector"]);

  // A link opens one picture, for its time.
  const [first = "", query = ""] = picture.split("?");
  const second = ofAction.split("?")[0] ?? "";
  const late = query.replace(/expires=\d+/, "expires=9999999999");
  const answers = await Promise.all(
    [
      `${second}?${query}`,
      `${first}?${late}`,
      `${first}?expires=1&signature=x`,
      first,
      `${first}?expires=1`,
    ].map(async link => (await fetch(link)).status),
  );
  expect(answers).toEqual([403, 403, 403, 401, 401]);
});

test("a link without its key is no link", async () => {
  const key = await crawler.newKey("leaver");
  const reply = await crawler.request("POST", "/v1/scrape", {
    key,
    body: { url: `${site.url}/docs/a`, formats: ["screenshot@fullPage"], timeout: 55_000 },
  });
  const { screenshot = "" } = reply.json<{ data: Document }>().data;
  expect((await fetch(screenshot)).status).toBe(200);
  const listed = await crawler.request("GET", "/internal/keys?owner=leaver", { admin: true });
  const { id } = listed
    .json<{ data: { id: string; owner: string }[] }>()
    .data.find(({ owner }) => owner === "leaver") ?? {
    id: "",
  };
  expect((await crawler.request("DELETE", `/internal/keys/${id}`, { admin: true })).status).toBeLessThan(300);
  await until("the key is forgotten", async () => (await fetch(screenshot)).status === 403);
});

describe.each(["v1", "v2"])("%s crawl", version => {
  test("reads a site; robots.txt is told apart from errors", async () => {
    const { id, url } = await send<{ id: string; url: string }>("POST", `/${version}/crawl`, {
      url: `${site.url}/`,
      limit: 10,
      scrapeOptions: { formats: ["markdown"], blockAds: false },
    });
    expect(url).toBe(`${crawler.url}/${version}/crawl/${id}`);
    const job = await ended(`/${version}/crawl/${id}`);
    expect(job).toMatchObject({ success: true, status: "completed", total: 4, completed: 4, creditsUsed: 4 });
    expect("next" in job).toBe(false);
    expect(Date.parse(job.expiresAt)).toBeGreaterThan(Date.now());
    expect(paths(job.data)).toEqual(["/", "/docs/a", "/docs/b", "/docs/x/deep"]);
    const errors = await send("GET", `/${version}/crawl/${id}/errors`);
    expect(errors).toEqual({ success: true, errors: [], robotsBlocked: [`${site.url}/private`] });
    const [status, { success, code }] = await refusal("DELETE", `/${version}/crawl/${id}`);
    expect([status, success, code]).toEqual([409, false, "ALREADY_FINISHED"]);
  });

  test("its pages follow one another by `next`, which is absolute", async () => {
    const { id } = await send<{ id: string }>("POST", `/${version}/crawl`, {
      url: `${site.url}/`,
      includePaths: ["^/docs/[a-z]+$"],
      excludePaths: ["b$"],
      scrapeOptions: { blockAds: false },
    });
    const path = `/${version}/crawl/${id}`;
    await ended(path);
    const first = await send<Job>("GET", `${path}?limit=1`);
    expect(first.next).toMatch(new RegExp(`^${crawler.url}${path}\\?skip=\\d+&limit=1$`));
    const second = await send<Job>("GET", first.next?.slice(crawler.url.length) ?? "");
    expect(paths([...first.data, ...second.data])).toEqual(["/", "/docs/a"]);
    expect(second.next).toBeUndefined();
  });

  test.each([
    [{ includePaths: ["("] }, "includePaths.0"],
    [{ limit: 0 }, "limit"],
    [{ webhook: "ftp://example.com" }, "webhook.url"],
    [{ webhook: { url: "https://example.com", events: ["page", "opened"] } }, "webhook.events.1"],
    [{ webhook: { url: "https://example.com", headers: { host: "a" } } }, "webhook.headers.host"],
    [{ scrapeOptions: { formats: ["video"] } }, "scrapeOptions.formats.0"],
    [{ scrapeOptions: { timeout: 5 } }, "scrapeOptions.timeout"],
    [{ scrapeOptions: { excludeTags: ["p["] } }, "scrapeOptions.excludeTags.0"],
  ])("%j is refused and names %s", async (options, field) => {
    const [status, { details }] = await refusal("POST", `/${version}/crawl`, {
      url: `${site.url}/`,
      ...options,
    });
    expect([status, details?.[0]?.field]).toEqual([400, field]);
  });
});

test.each(["v1", "v2"])(
  "%s: a webhook of a crawl has deliveries in their form and signature",
  async version => {
    const receiver = await startReceiver();
    const key = await crawler.newKey(`told-${version}`);
    const body = {
      url: `${site.url}/`,
      includePaths: ["^/docs/a$"],
      scrapeOptions: { blockAds: false },
      webhook: { url: `${receiver.url}/hook`, metadata: { mine: 1 }, headers: { "x-mine": "2" } },
    };
    const reply = await crawler.request("POST", `/${version}/crawl`, { key, body });
    const { id, webhookSecret } = reply.json<{ id: string; webhookSecret: string }>();
    await until("it is told of the end", () =>
      receiver.received.some(({ body }) => /crawl.completed/.test(body)),
    );
    const told = receiver.received.map(({ body }) => JSON.parse(body) as Told);
    const inOrder = (type: string) => told.filter(each => each.type === type);
    expect(inOrder("crawl.started")).toEqual([started("crawl.started", id)]);
    expect(inOrder("crawl.completed")).toEqual([started("crawl.completed", id)]);
    const pages = inOrder("crawl.page");
    expect(paths(pages.flatMap(({ data }) => data))).toEqual(["/", "/docs/a"]);
    expect(pages.every(({ success, metadata }) => success && metadata.mine === 1)).toBe(true);
    for (const { body, headers } of receiver.received) {
      const hmac = createHmac("sha256", webhookSecret).update(body).digest("hex");
      expect([headers["x-firecrawl-signature"], headers["x-mine"]]).toEqual([`sha256=${hmac}`, "2"]);
    }
    await receiver.close();
  },
);

test("a batch tells of each page, also of one that failed; events may have the name of the job", async () => {
  const receiver = await startReceiver();
  const closed = await sites.start({});
  await closed.close();
  const { id } = await send<{ id: string }>("POST", "/v2/batch/scrape", {
    urls: [`${site.url}/docs/a`, `${closed.url}/`],
    blockAds: false,
    webhook: { url: receiver.url, events: ["batch_scrape.page"] },
  });
  await until("both are told", () => receiver.received.length === 2);
  const told = receiver.received.map(({ body }) => JSON.parse(body) as Told);
  expect(told.map(({ type }) => type)).toEqual(["batch_scrape.page", "batch_scrape.page"]);
  const [failed, read] = told.toSorted((a, b) => Number(a.success) - Number(b.success));
  expect(failed).toEqual({
    success: false,
    type: "batch_scrape.page",
    id,
    data: [],
    metadata: {},
    error: expect.any(String),
  });
  expect(read?.data).toMatchObject([{ markdown: expect.stringContaining("# A") }]);
  await receiver.close();
});

test("a crawl is active until it is cancelled", async () => {
  const held = await sites.start(neverAnswer);
  const { id } = await send<{ id: string }>("POST", "/v2/crawl", { url: `${held.url}/` });
  const active = await send<{ crawls: { id: string; teamId: string; url: string }[] }>(
    "GET",
    "/v2/crawl/active",
  );
  expect(active.crawls).toMatchObject([{ id, teamId: "default", url: `${held.url}/` }]);
  await until("the page is being read", async () => {
    const { activeJobsInQueue } = await send<{ activeJobsInQueue: number }>("GET", "/v2/team/queue-status");
    return activeJobsInQueue > 0;
  });
  expect(await send("GET", "/v2/concurrency-check")).toMatchObject({
    data: { concurrency: 1, maxConcurrency: 10 },
  });
  expect(await send("DELETE", `/v2/crawl/${id}`)).toEqual({ success: true, status: "cancelled" });
  expect(await send("GET", `/v2/crawl/${id}`)).toMatchObject({ status: "cancelled", data: [] });
});

test.each(["v1", "v2"])("%s batch reads each page, and lists what is no URL", async version => {
  const urls = [`${site.url}/docs/a`, `${site.url}/docs/b`, "nonsense"];
  const { id, invalidURLs } = await send<{ id: string; invalidURLs: string[] }>(
    "POST",
    `/${version}/batch/scrape`,
    {
      urls,
      ignoreInvalidURLs: true,
      blockAds: false,
    },
  );
  expect(invalidURLs).toEqual(["nonsense"]);
  const job = await ended(`/${version}/batch/scrape/${id}`);
  expect(job).toMatchObject({ status: "completed", total: 2, completed: 2 });
  expect(paths(job.data)).toEqual(["/docs/a", "/docs/b"]);
  expect(await send("GET", `/${version}/batch/scrape/${id}/errors`)).toEqual({
    success: true,
    errors: [],
    robotsBlocked: [],
  });
});

test("batch: version 1 refuses a list with something that is no URL", async () => {
  const [status, { details }] = await refusal("POST", "/v1/batch/scrape", { urls: ["nonsense"] });
  expect([status, details?.[0]?.field]).toEqual([400, "urls.0"]);
});

test("map: texts in version 1, objects in version 2", async () => {
  const v1 = await send<{ links: string[] }>("POST", "/v1/map", { url: `${site.url}/` });
  expect(v1.links).toContain(`${site.url}/docs/a`);
  const v2 = await send<{ links: { url: string }[] }>("POST", "/v2/map", { url: `${site.url}/`, limit: 2 });
  expect(v2.links.map(({ url }) => url)).toHaveLength(2);
  expect((await refusal("POST", "/v2/map", { url: `${site.url}/`, limit: 1e6 }))[1].details?.[0]?.field).toBe(
    "limit",
  );
});

test.each([
  ["one page", (url: string) => [`${url}/docs/a`]],
  ["several", (url: string) => [`${url}/docs/a`, `${url}/docs/b`]],
])("extract from %s", async (_name, urls) => {
  const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
  const { id } = await send<{ id: string }>("POST", "/v2/extract", { urls: urls(site.url), schema });
  const state = () =>
    send<{ status: string; data: unknown; sources: { urls: string[] } }>("GET", `/v2/extract/${id}`);
  await until("it is done", async () => (await state()).status !== "processing");
  const { status, data, sources } = await state();
  expect([status, sources.urls.length]).toEqual(["completed", urls(site.url).length]);
  expect(data).toEqual({ title: expect.stringMatching(/^[AB]$/) });
});

test("search: what the search engine found, and the pages behind it where they are wanted", async () => {
  const v2 = await send<{ data: { web: (Document & { url: string })[] } }>("POST", "/v2/search", {
    query: "birds",
    includeDomains: ["a.test", "b.test"],
    scrapeOptions: { formats: ["markdown"], blockAds: false },
  });
  expect(v2.data.web).toMatchObject([
    {
      url: `${site.url}/docs/a`,
      title: "A",
      description: "About A.",
      position: 1,
      markdown: expect.stringContaining("# A"),
    },
    { description: "birds (site:a.test OR site:b.test)", metadata: { statusCode: 404 } },
  ]);
  const v1 = await send<{ data: { url: string }[] }>("POST", "/v1/search", { query: "birds", limit: 1 });
  expect(v1.data).toEqual([{ url: `${site.url}/docs/a`, title: "A", description: "About A.", position: 1 }]);
});

test("one page at a time, and each path once whatever its query, also behind a redirect", async () => {
  const open = { now: 0, most: 0 };
  const target = await sites.start(({ url = "" }, response) => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    const [path = "", query] = url.split("?");
    const links = ["/a?x=1", "/a?x=2", "/b?first", "/b?second", "/c"];
    setImmediate(() => {
      open.now -= 1;
      if (path === "/b" && query === "first") response.writeHead(302, { location: "/b?landed" }).end();
      else if (/^\/([abc])?$/.test(path))
        response.setHeader("content-type", "text/html").end(page(`At ${path}`, ...links));
      else response.writeHead(404).end();
    });
  });
  const { id } = await send<{ id: string }>("POST", "/v2/crawl", {
    ...{ url: `${target.url}/`, ignoreQueryParameters: true, maxConcurrency: 1, delay: 0, sitemap: "skip" },
    scrapeOptions: { blockAds: false },
  });
  const { data } = await ended(`/v2/crawl/${id}`);
  expect(paths(data)).toEqual(["/", "/a", "/b", "/c"]);
  expect(open.most).toBe(1);
});

test("a PDF as text, its first pages alone, and unread", async () => {
  const file = await makePdf(pdf => {
    pdf.text("The first page speaks of owls.");
    pdf.addPage().text("The second page speaks of larks.");
  });
  const { url } = await sites.start({
    "/a.pdf": { headers: { "content-type": "application/pdf" }, body: file },
  });
  const read = (options: object) => scraped("v2", { url: `${url}/a.pdf`, ...options });
  expect((await read({})).markdown).toMatch(/owls.*larks/s);
  const first = await read({ parsers: [{ type: "pdf", maxPages: 1 }] });
  expect(first.markdown).toContain("owls");
  expect(first.markdown).not.toContain("larks");
  const unread = await read({ parsers: [], formats: ["markdown", "html"] });
  expect(unread).toMatchObject({
    markdown: file.toString("base64"),
    html: file.toString("base64"),
    metadata: { contentType: "application/pdf" },
  });
});

test.each(["v1", "v2"])("%s: active and ongoing crawls are one list, and usage has a past", async version => {
  expect(await send("GET", `/${version}/crawl/ongoing`)).toEqual({ success: true, crawls: [] });
  const { data } = await send<{ data: object }>("GET", `/${version}/team/token-usage`);
  const names = version === "v2" ? ["remainingTokens", "planTokens"] : ["remaining_tokens", "plan_tokens"];
  expect(Object.keys(data)).toEqual(expect.arrayContaining(names));
  for (const unit of ["credit", "token"]) {
    const path = `/${version}/team/${unit}-usage/historical`;
    const past = await send<{ success: boolean; periods: object[] }>("GET", `${path}?byApiKey=true`);
    expect(past).toEqual({ success: true, periods: expect.any(Array) });
    expect((await refusal("GET", `${path}?byApiKey=perhaps`))[0]).toBe(400);
  }
});

test("credits are the requests of a minute", async () => {
  const limits = { requestsPerMinute: 5 };
  const key = await crawler.newKey("poor", limits);
  const usage = async (version: string) =>
    (await crawler.request("GET", `/${version}/team/credit-usage`, { key })).json<{ data: object }>().data;
  expect(await usage("v2")).toMatchObject({ remainingCredits: 4, planCredits: 5 });
  expect(await usage("v1")).toMatchObject({ remaining_credits: 3, plan_credits: 5 });
});

describe("errors have one form", () => {
  test.each([
    ["GET", "/v2/crawl/crw_nothing", 404, "NOT_FOUND"],
    ["GET", "/v1/batch/scrape/bat_nothing", 404, "NOT_FOUND"],
    ["GET", "/v2/extract/scr_nothing", 404, "NOT_FOUND"],
    ["POST", "/v2/agent", 404, "NOT_FOUND"],
    ["POST", "/v2/crawl/params-preview", 404, "NOT_FOUND"],
    ["POST", "/v1/deep-research", 404, "NOT_FOUND"],
    ["POST", "/v2/scrape", 400, "BAD_REQUEST"],
  ])("%s %s is %i %s", async (method, path, status, code) => {
    const [found, body] = await refusal(method, path, method === "POST" ? {} : undefined);
    expect([found, body.success, body.code]).toEqual([status, false, code]);
  });

  test("no key, and too many requests", async () => {
    const none = await crawler.request("POST", "/v2/scrape", { key: null, body: { url: site.url } });
    expect([none.status, none.json()]).toMatchObject([401, { success: false, code: "UNAUTHORIZED" }]);
    const key = await crawler.newKey("hasty", { requestsPerMinute: 1 });
    await crawler.request("GET", "/v2/team/queue-status", { key });
    const late = await crawler.request("GET", "/v2/team/queue-status", { key });
    expect([late.status, late.json()]).toMatchObject([429, { success: false, code: "RATE_LIMITED" }]);
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("a site that cannot be reached is a 500, since clients repeat what is a 502", async () => {
    const closed = await sites.start({});
    await closed.close();
    const [status, { success, code }] = await refusal("POST", "/v2/scrape", { url: closed.url });
    expect([status, success, code]).toEqual([500, false, "SCRAPE_SITE_ERROR"]);
  });

  test("a site that does not answer is a 408", async () => {
    const silent = await sites.start(neverAnswer);
    const [status, { code }] = await refusal("POST", "/v2/scrape", { url: `${silent.url}/`, timeout: 1000 });
    expect([status, code]).toEqual([408, "SCRAPE_TIMEOUT"]);
  });
});

test("Open WebUI gets documents; one that cannot be read says why", async () => {
  const urls = [`${site.url}/docs/a`, "http://127.0.0.1:1/"];
  const found = await send<{ page_content: string; metadata: Record<string, unknown> }[]>(
    "POST",
    "/compat/open-webui",
    { urls },
  );
  expect(found).toMatchObject([
    { page_content: expect.stringContaining("# A"), metadata: { source: urls[0], title: "A" } },
    { page_content: "", metadata: { source: urls[1], error: expect.any(String) } },
  ]);
});

test("a page behind a path, with its query and its slashes", async () => {
  const echo = await sites.start((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(page(`Asked for ${request.url?.replaceAll("&", "&amp;")}`));
  });
  const ask = async (target: string) =>
    await rawHttp(
      crawler.url,
      `GET /r/${target} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${crawler.apiKey}\r\nconnection: close\r\n\r\n`,
    );
  for (const [target, asked] of [
    [`${echo.url}/a//b/?x=1&y=2`, "/a//b/?x=1&amp;y=2"],
    [encodeURIComponent(`${echo.url}/c?z=%20`), "/c?z=%20"],
    [`${echo.url.replace("//", "/")}/d%2Fe`, "/d%2Fe"],
  ] as const) {
    const answer = String(await ask(target));
    expect(answer).toMatch(/^HTTP\/1.1 200 .*content-type: text\/markdown; charset=utf-8/is);
    expect(answer.replaceAll("&", "&amp;").replaceAll("\\_", "_")).toContain(`Asked for ${asked}`);
  }
});

test("none of it is in the document, and all of it has a name", () => {
  const others = routes.filter(({ path }) => /^\/(v1|v2|r|compat)\//.test(path));
  expect(others.length).toBeGreaterThan(40);
  expect(others.filter(({ hidden, name }) => !hidden || !name)).toEqual([]);
});
