import { mkdtempSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../../mixins/config/config.ts";
import { connectorsService } from "../../../services/connectors/connectors.service.ts";
import { actions, call, handle } from "../../../services/contracts/action.ts";
import {
  type PollResult,
  pollSource,
  type ResolvedSource,
  resolveSource,
} from "../../../services/contracts/connectors.contract.ts";
import { codeOf, fail } from "../../../services/contracts/errors.ts";
import { pollPage, type WantedView } from "../../../services/contracts/page-reads.contract.ts";
import type { SourceKind } from "../../../services/contracts/source.ts";
import { reduceText } from "../../../services/domain/watch/eye/reduce-page.ts";
import { takeSnapshot } from "../../../services/domain/watch/snapshot.ts";
import { removeFolder } from "../../support/folders.ts";
import { type Routes, type Site, startSite } from "../../support/http-site.ts";
import { until } from "../../support/until.ts";

const fixtures = join(import.meta.dirname, "..", "..", "fixtures", "feeds");
let broker: ServiceBroker;
let dataDir: string;
const sites: Site[] = [];
const sy = 'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"';
/** What the scraper service answers: a page, or an error. */
let page: { status?: number; markdown?: string; title?: string; headers?: object } | Error = {};
const scraped: unknown[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-connectors-"));
  broker = new ServiceBroker({ logger: false, requestTimeout: 15_000 });
  const env = { EGRESS_ALLOW: "127.0.0.1/32", POLL_MIN_INTERVAL: "1s", DATA_DIR: dataDir };
  broker.createService(connectorsService(toConfig(env)));
  broker.createService({ name: "scraper", actions: actions(handle(pollPage, "public", scrapeFake)) });
  await broker.start();
});
afterAll(async () => {
  await broker.stop();
  await removeFolder(dataDir);
});
afterEach(async () => {
  scraped.length = 0;
  for (const site of sites.splice(0)) await site.close();
});

const resolve = (kind: SourceKind, sid: string) => call(broker, resolveSource, { kind, sid });
const poll = (source: ResolvedSource, failures = 0) =>
  call(broker, pollSource, {
    kind: source.kind,
    externalId: source.externalId,
    state: source.state,
    failures,
  });

describe("a feed is resolved", () => {
  test.each(["rss20-blog.xml", "rss10-rdf.xml", "atom10.xml", "jsonfeed11.json", "windows-1251.xml"])(
    "%s",
    async name => {
      const golden = JSON.parse(readFileSync(join(fixtures, `${name}.golden.json`), "utf8"));
      const url = await serve({ "/feed": { body: readFileSync(join(fixtures, name)) } });
      expect(await resolve("rss", `${url}/feed#top`)).toMatchObject({
        kind: "rss",
        externalId: `${url}/feed`,
        username: new URL(url).host,
        name: golden.feed.title,
      });
    },
  );

  test("whose address has an empty query, under the address without", async () => {
    const url = await serve({ "/feed": rss("a") });
    expect(await resolve("rss", `${url}/feed?`)).toMatchObject({ externalId: `${url}/feed` });
  });

  test("whose entities would take all memory, which are left as they are written", async () => {
    const url = await serve({ "/": { body: readFileSync(join(fixtures, "bomb.xml")) } });
    expect(await resolve("rss", `${url}/`)).toMatchObject({ name: "&c;" });
  });

  test("through permanent redirects, which change the address, up to a temporary one, which does not", async () => {
    const url = await serve({
      "/old": { status: 301, headers: { location: "/newer" } },
      "/newer": { status: 308, headers: { location: "/newest" } },
      "/newest": { status: 302, headers: { location: "/today" } },
      "/today": { status: 301, headers: { location: "/feed" } },
      "/feed": rss("a"),
    });
    expect(await resolve("rss", `${url}/old`)).toMatchObject({ externalId: `${url}/newest` });
  });

  test("behind redirects to itself that set cookies, of which the next poll knows nothing", async () => {
    const cookies: unknown[] = [];
    const url = await serve({
      "/feed": (request, response) => {
        cookies.push(request.headers.cookie);
        if (cookies.length % 3 === 0) return response.end(rss("a"));
        const values = [`c${cookies.length}=1`, "d=1; Domain=x.example"];
        response.writeHead(302, { location: "/feed", "set-cookie": values });
        return response.end();
      },
    });
    const source = await resolve("rss", `${url}/feed`);
    expect(source).toMatchObject({ externalId: `${url}/feed`, name: "Feed" });
    good(await poll(source));
    expect(cookies).toEqual([undefined, "c1=1", "c1=1; c2=1", undefined, "c4=1", "c4=1; c5=1"]);
  });

  test.each<[string, Buffer, Record<string, string>]>([
    ["without saying so", gzipSync(rss("a")), {}],
    ["twice without saying so", gzipSync(gzipSync(rss("a"))), {}],
    ["twice, and says once", gzipSync(gzipSync(rss("a"))), { "content-encoding": "gzip" }],
    [
      "with a line end after it",
      Buffer.concat([gzipSync(rss("a")), Buffer.from("\r\n")]),
      { "content-encoding": "gzip" },
    ],
  ])("compressed %s", async (_, body, headers) => {
    const url = await serve({ "/feed": { headers, body } });
    expect(await resolve("rss", `${url}/feed`)).toMatchObject({ name: "Feed" });
  });

  test.each<[string, string, object, Routes]>([
    ["not a URL", "no url", { type: "invalid_url", data: { details: [{ field: "sid" }] } }, {}],
    [
      "a private address",
      "http://10.0.0.1/feed",
      { type: "url_not_allowed", data: { details: [{ field: "sid" }] } },
      {},
    ],
    [
      "a page",
      "/",
      {
        type: "validation_failed",
        code: 400,
        data: {
          details: [
            {
              field: "sid",
              code: "not_a_feed",
              message: expect.stringMatching(/ POST \/track\/web watches a page that has no feed\.$/),
            },
          ],
        },
      },
      { "/": "<html><body>hi</body></html>" },
    ],
    [
      "a page that names a feed, with its address",
      "/blog/",
      {
        data: {
          details: [
            {
              field: "sid",
              code: "not_a_feed",
              message: expect.stringMatching(/ The page names this feed: http:\S+\/blog\/feed\.xml$/),
            },
          ],
        },
      },
      {
        "/blog/":
          '<html><head><link rel="alternate" type="application/rss+xml" href="feed.xml"></head><body>hi</body></html>',
      },
    ],
    ["nothing there", "/", { type: "not_found" }, {}],
    ["a broken server", "/", { type: "upstream_error", code: 502 }, { "/": { status: 500 } }],
    [
      "a loop of redirects",
      "/",
      { type: "upstream_error" },
      { "/": { status: 302, headers: { location: "/" } } },
    ],
    [
      "a gzip that does not end within 10 MB",
      "/",
      { type: "validation_failed" },
      { "/": { body: gzipSync(gzipSync(Buffer.alloc(64 * 1024 ** 2))) } },
    ],
    [
      "a redirect into the inside",
      "/",
      { type: "url_not_allowed", data: { details: [{ field: "sid" }] } },
      { "/": { status: 302, headers: { location: "http://169.254.169.254/" } } },
    ],
    [
      "more than 10 MB",
      "/",
      { type: "upstream_error" },
      { "/": { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(11 * 1024 ** 2)) } },
    ],
  ])("a page is refused: %s", async (_, sid, error, routes) => {
    const url = await serve(routes);
    await expect(resolve("rss", sid.startsWith("/") ? url + sid : sid)).rejects.toMatchObject(error);
  });
});

describe("a feed is polled", () => {
  test("with validators, and nothing twice", async () => {
    let items = ["a"];
    const url = await serve({
      "/feed": (request, response) => conditional(request, response, `"${items.join()}"`, rss(...items)),
    });
    const source = await resolve("rss", `${url}/feed`);
    const none = good(await poll(source));
    expect(none.posts).toEqual([]);
    expect(hits().at(-1)?.headers).toMatchObject({
      "if-none-match": '"a"',
      "accept-encoding": "gzip, br, deflate",
    });
    items = ["c", "b", "a"];
    const two = good(await poll({ ...source, state: none.state }));
    expect(two.posts).toMatchObject([
      { type: "rss.item.created", data: { item: { id: "b", title: "Item b", url: "https://x.example/b" } } },
      { type: "rss.item.created", data: { item: { id: "c" } } },
    ]);
    expect(good(await poll({ ...source, state: two.state })).posts).toEqual([]);
    // The same state gives the same posts: a step that is repeated makes nothing new.
    expect(good(await poll({ ...source, state: none.state })).posts).toEqual(two.posts);
  });

  test("without validators the same bytes are nothing new, and a change of text is an update", async () => {
    let text = "one";
    const url = await serve({ "/feed": (_, response) => response.end(rss("a").replace("Text of a", text)) });
    const source = await resolve("rss", `${url}/feed`);
    const same = good(await poll(source));
    expect(same.posts).toEqual([]);
    text = "two";
    const changed = good(await poll({ ...source, state: same.state }));
    expect(changed.posts).toMatchObject([
      { type: "rss.item.updated", data: { item: { content_text: "two" } } },
    ]);
  });

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("coded as %s", async (coding, encode) => {
    const url = await serve({ "/feed": { headers: { "content-encoding": coding }, body: encode(rss("a")) } });
    expect(await resolve("rss", `${url}/feed`)).toMatchObject({ name: "Feed" });
  });

  test("at its new address once it has moved for good, under its new name", async () => {
    let moved = false;
    const url = await serve({
      "/feed": (_, response) => {
        if (moved) response.writeHead(301, { location: "/moved" });
        response.end(moved ? "" : rss("a"));
      },
      "/moved": rss("b", "a").replace("<title>Feed<", "<title>Renamed<"),
    });
    const source = await resolve("rss", `${url}/feed`);
    moved = true;
    const result = good(await poll(source));
    expect(result.source).toEqual({ externalId: `${url}/moved`, name: "Renamed" });
    expect(result.posts).toMatchObject([{ data: { item: { id: "b" } } }]);
  });

  const goTo = (url: string, feed: string) =>
    feed
      .replace("<rss", '<rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"')
      .replace("<title>Feed", `<itunes:new-feed-url>${url}</itunes:new-feed-url><title>Feed`);

  test("at the address that it names as its new one, as soon as there is a feed", async () => {
    let [says, isThere] = [rss("a"), false];
    const url = await serve({
      "/feed": (request, response) => conditional(request, response, `"${says.length}"`, says),
      "/new": (_, response) => response.writeHead(isThere ? 200 : 404).end(isThere ? rss("b", "a") : ""),
    });
    const source = await resolve("rss", `${url}/feed`);
    says = goTo(`${url}/new`, says);
    const early = good(await poll(source));
    expect([early.source, early.posts]).toEqual([undefined, []]);
    isThere = true;
    const result = good(await poll({ ...source, state: early.state }));
    expect(result.source).toEqual({ externalId: `${url}/new` });
    expect(result.posts).toMatchObject([{ data: { item: { id: "b" } } }]);
    expect(await resolve("rss", `${url}/feed`)).toMatchObject({ externalId: `${url}/new` });
  });

  test.each<[string, (url: string) => Routes[string]]>([
    ["no feed", () => "<html></html>"],
    ["a feed that says another", url => goTo(`${url}/feed`, rss("b", "a"))],
    ["a redirect into the inside", () => ({ status: 301, headers: { location: "http://10.0.0.1/" } })],
    ["nothing", () => ({ status: 404 })],
  ])("at its old address while there is %s at the new one", async (_, answer) => {
    let url = "";
    url = await serve({
      "/feed": (_request, response) => response.end(goTo(`${url}/new`, rss("a"))),
      "/new": (_request, response) => {
        const reply = answer(url);
        if (typeof reply === "string") return response.end(reply);
        const { status = 200, headers = {} } = Object(reply) as { status?: number; headers?: object };
        return response.writeHead(status, { ...headers }).end("x");
      },
    });
    const source = await resolve("rss", `${url}/feed`);
    expect(source.externalId).toBe(`${url}/feed`);
    expect(good(await poll(source))).not.toHaveProperty("source");
  });

  test.each<[string, Routes[string], object]>([
    ["410", { status: 410 }, { gone: true }],
    ["404", { status: 404 }, { gone: false, reason: "The site answered with status 404." }],
    [
      "429 with Retry-After",
      { status: 429, headers: { "retry-after": "120" } },
      { gone: false, retryAfterMs: 120_000 },
    ],
    ["what is no feed any more", "<html></html>", { gone: false, reason: "The document is not a feed." }],
    ["a cut connection", (request: IncomingMessage) => request.socket.destroy(), { gone: false }],
  ])("in trouble: %s", async (_, answer, trouble) => {
    let broken = false;
    const url = await serve({
      "/feed": (request, response) => {
        if (!broken) return response.end(rss("a"));
        if (typeof answer === "function") return answer(request, response);
        const {
          status = 200,
          headers = {},
          body = "",
        } = typeof answer === "string" || answer instanceof Uint8Array ? { body: answer } : (answer ?? {});
        response.writeHead(status, headers).end(body);
      },
    });
    const source = await resolve("rss", `${url}/feed`);
    broken = true;
    const result = await poll(source);
    expect(result).toMatchObject({ ok: false, state: source.state, ...trouble });
    broken = false;
    expect(good(await poll(source)).posts).toEqual([]);
  });

  test("more and more seldom while it fails", async () => {
    const source = { ...(await resolve("rss", `${await serve({ "/feed": rss("a") })}/feed`)) };
    source.externalId = `${await serve({})}/gone`;
    const waits = [];
    for (const failures of [0, 3, 60]) {
      const result = await poll(source, failures);
      waits.push(result.ok ? 0 : (result.retryAfterMs ?? 0));
    }
    expect(waits[0]).toBeGreaterThanOrEqual(1000);
    expect(waits[1]).toBeGreaterThanOrEqual(8000);
    expect(waits[2]).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect(waits[2]).toBeLessThanOrEqual(27 * 3_600_000);
  });

  test.each<[string, Record<string, string>, string, number]>([
    ["Cache-Control", { "cache-control": "public, max-age=7200" }, "", 7_200_000],
    ["ttl", {}, "<ttl>90</ttl>", 5_400_000],
    ["the syndication module", {}, "<sy:updatePeriod>hourly</sy:updatePeriod>", 3_600_000],
    ["Retry-After", { "retry-after": "300" }, "", 300_000],
  ])("no sooner than %s asks", async (_, headers, extra, ms) => {
    const url = await serve({
      "/feed": {
        headers,
        body: rss("a").replace("<title>Feed", `${extra}<title>Feed`).replace("<rss", `<rss ${sy}`),
      },
    });
    const { nextInMs } = good(await poll(await resolve("rss", `${url}/feed`)));
    expect(nextInMs).toBeGreaterThanOrEqual(ms);
    expect(nextInMs).toBeLessThanOrEqual(ms * 1.1);
  });

  test("all of it, however many items it has: a new one at the end of 1,500, and one of an old date", async () => {
    const items = Array.from({ length: 1500 }, (_, n) => `i${n}`);
    let feed = rss(...items);
    const url = await serve({ "/feed": (_, response) => response.end(feed) });
    const source = await resolve("rss", `${url}/feed`);
    feed = rss(...items, "late");
    const late = good(await poll(source));
    expect(late.posts).toMatchObject([{ type: "rss.item.created", data: { item: { id: "late" } } }]);
    feed = feed.replace(
      "<item>",
      "<item><guid>old</guid><pubDate>1 Jan 2001 00:00:00 GMT</pubDate></item><item>",
    );
    const old = good(await poll({ ...source, state: late.state }));
    expect(old.posts).toMatchObject([{ type: "rss.item.created", data: { item: { id: "old" } } }]);
  });

  test("a changelog, whose items have no guid and one link", async () => {
    let entries = ["2", "1"];
    const changelog = () =>
      `<rss version="2.0"><channel><title>Log</title>${entries
        .map(title => `<item><title>${title}</title><link>https://x.example/log</link></item>`)
        .join("")}</channel></rss>`;
    const url = await serve({ "/feed": (_, response) => response.end(changelog()) });
    const source = await resolve("rss", `${url}/feed`);
    entries = ["5", "4", "3", "2", "1"];
    const { posts } = good(await poll(source));
    expect(posts.map(({ type, data }) => `${type} ${Object(data.item).title}`)).toEqual([
      "rss.item.created 3",
      "rss.item.created 4",
      "rss.item.created 5",
    ]);
  });

  test("at most 50 posts at a time, the rest soon, none lost", async () => {
    let count = 1;
    const ids = () => Array.from({ length: count }, (_, n) => `i${n}`);
    const url = await serve({
      "/feed": (request, response) => conditional(request, response, `"${count}"`, rss(...ids())),
    });
    let { state, ...source } = await resolve("rss", `${url}/feed`);
    count = 121;
    const seen: string[] = [];
    for (const expected of [50, 50, 20, 0]) {
      const result = good(await poll({ ...source, state }));
      state = result.state;
      seen.push(...result.posts.map(({ postId }) => postId));
      expect([result.posts.length, result.more === true]).toEqual([expected, expected === 50]);
    }
    expect(new Set(seen).size).toBe(120);
  });

  test("an item beyond the size of an event is cut and says so", async () => {
    let items = ["a"];
    const text = `<![CDATA[<p>${'\u00fc"'.repeat(200_000)}</p>]]>`;
    const url = await serve({
      "/feed": (_, response) => response.end(rss(...items).replace("Text of big", text)),
    });
    const source = await resolve("rss", `${url}/feed`);
    items = ["big", "a"];
    const [post] = good(await poll(source)).posts;
    expect(post).toMatchObject({ data: { item: { id: "big", truncated: true } } });
    expect(Buffer.byteLength(JSON.stringify(post))).toBeLessThan(220 * 1024);
    expect(Buffer.byteLength(JSON.stringify(post))).toBeGreaterThan(150 * 1024);
  });

  test("two at a time per host", async () => {
    const open: ServerResponse[] = [];
    let answering = true;
    const url = await serve((_, response) => (answering ? response.end(rss("a")) : open.push(response)));
    const sources = await Promise.all([1, 2, 3, 4, 5].map(n => resolve("rss", `${url}/${n}`)));
    answering = false;
    const polls = Promise.all(sources.map(source => poll(source)));
    for (const expected of [2, 2, 1]) {
      await until("the next are asked for", () => open.length === expected);
      for (const response of open.splice(0)) response.end(rss("b", "a"));
    }
    expect((await polls).map(result => good(result).posts.length)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe("a page is resolved", () => {
  const html = (head: string) => ({ body: `<html><head>${head}</head><body><p>Hello</p></body></html>` });
  const link = (href: string, rest = 'type="application/rss+xml"') =>
    `<link rel="alternate" ${rest} href="${href}">`;

  test("as the feed that it names, not that of its comments", async () => {
    const url = await serve({
      "/blog/": html(link("/comments/feed") + link("feed", 'type="application/atom+xml"')),
      "/comments/feed": rss("x"),
      "/blog/feed": rss("a"),
    });
    expect(await resolve("web", `${url}/blog/`)).toMatchObject({
      kind: "rss",
      externalId: `${url}/blog/feed`,
    });
    expect(scraped).toEqual([]);
  });

  test("as the feed that it is", async () => {
    const url = await serve({ "/": rss("a") });
    expect(await resolve("web", `${url}/`)).toMatchObject({ kind: "rss", externalId: `${url}/` });
  });

  test("as a page, where the feed that it names is none", async () => {
    page = { markdown: "# Hello", title: "My page" };
    const url = await serve({ "/": html(link("/feed")), "/feed": "no feed" });
    const source = await resolve("web", `${url}/#part`);
    expect(source).toMatchObject({
      kind: "web",
      externalId: `${url}/`,
      username: new URL(url).host,
      name: "My page",
    });
    expect(scraped).toMatchObject([{ keyId: "tracker", request: { url: `${url}/` } }]);
  });

  test.each<[string, typeof page, string]>([
    ["nothing there", { status: 404, markdown: "# Not found" }, "not_found"],
    ["an empty page", { markdown: " \n" }, "upstream_error"],
    ["a broken site", { status: 500, markdown: "oops" }, "upstream_error"],
    ["a wall", fail("target_blocked", "The site answered with a check."), "target_blocked"],
  ])("or refused: %s", async (_, answer, code) => {
    page = answer;
    const url = await serve({ "/": html("") });
    await expect(resolve("web", `${url}/`)).rejects.toMatchObject({ type: code });
  });

  test.each(["ftp://x.example/", "http://localhost/", "http://[::1]/"])("or refused: %s", async sid => {
    const error: unknown = await resolve("web", sid).catch(each => each);
    expect(codeOf(error)).toMatch(/invalid_url|url_not_allowed/);
    expect(error).toMatchObject({ data: { details: [{ field: "sid" }] } });
  });
});

describe("a page is polled", () => {
  const track = async () => {
    page = { markdown: "# Shop\n\nHats: 5 EUR\n\nUpdated 10:15:01", title: "Shop" };
    return resolve("web", `${await serve({ "/": "<html></html>" })}/`);
  };

  test("a page publishes a change once", async () => {
    const source = await track();
    const same = good(await poll(source));
    expect(same.posts).toEqual([]);
    page = { markdown: "# Shop\n\nHats: 6 EUR\n\nUpdated 11:00:00", title: "Shop" };
    const changed = good(await poll({ ...source, state: same.state }));
    expect(changed.posts).toMatchObject([
      {
        type: "web.page.changed",
        data: {
          change: { title: "Shop", url: source.externalId, added: ["Hats: 6 EUR"], removed: ["Hats: 5 EUR"] },
        },
      },
    ]);
    expect(good(await poll({ ...source, state: changed.state })).posts).toEqual([]);
    page = { markdown: "# Shop\n\nHats: 5 EUR", title: "Shop" };
    const back = good(await poll({ ...source, state: changed.state }));
    expect(back.posts).toHaveLength(1);
    expect(back.posts[0]?.revision).not.toBe(changed.posts[0]?.revision);
  });

  test("later, when its server asks to be left alone for longer", async () => {
    const source = await track();
    page = { ...page, headers: { "retry-after": "7200" } };
    expect(good(await poll(source)).nextInMs).toBeGreaterThanOrEqual(7_200_000);
    page = { ...page, status: 503 };
    const late = await poll(source);
    expect(late.ok ? 0 : late.retryAfterMs).toBeGreaterThanOrEqual(7_200_000);
  });

  test.each<[string, typeof page, object]>([
    ["an empty page", { markdown: "" }, { reason: "The page has no content.", gone: false }],
    [
      "an error page",
      { status: 503, markdown: "down" },
      { reason: "The site answered with status 503.", gone: false },
    ],
    ["a page that is gone", { status: 410, markdown: "gone" }, { gone: true }],
    [
      "a wall",
      fail("target_blocked", "The site answered with a check."),
      { reason: "The site answered with a check." },
    ],
  ])("in trouble, not changed: %s", async (_, answer, trouble) => {
    const source = await track();
    page = answer;
    expect(await poll(source)).toMatchObject({ ok: false, state: source.state, ...trouble });
  });

  test("a failure of the scraper is not the source's", async () => {
    const source = await track();
    page = fail("overloaded", "Too many pages.");
    await expect(poll(source)).rejects.toMatchObject({ type: "overloaded" });
  });
});

interface Asked {
  request: { url: string };
  views?: WantedView[];
}

function scrapeFake(this: unknown, { params }: { params: Asked }) {
  scraped.push(params);
  if (page instanceof Error) throw page;
  const { url } = params.request;
  const { status = 200, markdown = "", title = "", headers = {} } = page;
  const metadata = { title, status_code: status, final_url: url };
  const snapshots = (params.views ?? []).map(({ view }) =>
    takeSnapshot({ html: reduceText(markdown, title), url, title }, view),
  );
  return { job: { url, data: { markdown, metadata } }, headers, snapshots } as never;
}

async function serve(routes: Parameters<typeof startSite>[0]): Promise<string> {
  const site = await startSite(routes);
  sites.push(site);
  return site.url;
}

function hits() {
  return sites.flatMap(site => site.hits);
}

function good(result: PollResult): Extract<PollResult, { ok: true }> {
  if (!result.ok) throw new Error(`the poll failed: ${result.reason}`);
  return result;
}

function conditional(request: IncomingMessage, response: ServerResponse, etag: string, body: string): void {
  const isKnown = request.headers["if-none-match"] === etag;
  response.writeHead(isKnown ? 304 : 200, { etag });
  response.end(isKnown ? undefined : body);
}

/** A feed of the items with these ids, newest first. */
function rss(...ids: string[]): string {
  const items = ids.map(
    id =>
      `<item><guid isPermaLink="false">${id}</guid><title>Item ${id}</title><link>https://x.example/${id}</link><description>Text of ${id}</description></item>`,
  );
  return `<rss version="2.0"><channel><title>Feed</title><link>https://x.example/</link>${items.join("")}</channel></rss>`;
}
