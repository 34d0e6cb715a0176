import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { ServiceBroker } from "moleculer";
import { call } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import {
  type PollResult,
  pollSource,
  type ResolvedSource,
  resolveSource,
} from "../../services/contracts/connectors.contract.ts";
import { previewSource } from "../../services/contracts/preview.contract.ts";
import type { SourceKind } from "../../services/contracts/source.ts";
import { type Site, startSite } from "../support/http-site.ts";

/** Sitemaps as sources, asked of the connectors that `brokerOf` reaches. */
export function sitemapsSuite(brokerOf: () => ServiceBroker): void {
  let site: Site;
  /** What the site has, by path; a number is a status. */
  let files: Record<string, string | Buffer | number> = {};

  /** It answers 304 to every conditional request. */
  let isLying = false;

  beforeEach(async () => {
    files = {};
    isLying = false;
    site = await startSite(answer);
  });
  afterEach(() => site.close());

  /** With an ETag, which a conditional request has back. */
  function answer(request: IncomingMessage, response: ServerResponse): void {
    const file = files[request.url ?? ""] ?? 404;
    if (typeof file === "number") return void response.writeHead(file).end();
    const etag = `"${createHash("sha256").update(file).digest("hex")}"`;
    const asked = request.headers["if-none-match"];
    const isKnown = asked === etag || (asked !== undefined && isLying);
    response.writeHead(isKnown ? 304 : 200, {
      etag,
      "content-type": typeof file === "string" ? "text/plain" : "",
    });
    response.end(isKnown ? undefined : file);
  }

  const resolve = (sid: string, kind: SourceKind = "rss") =>
    call(brokerOf(), resolveSource, { kind, sid: site.url + sid });
  const poll = ({ kind, externalId, state }: ResolvedSource) =>
    call(brokerOf(), pollSource, { kind, externalId, state, failures: 0 });
  const urlset = (...pages: string[]) =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages.map(entry).join("")}</urlset>`;
  const entry = (page: string) => {
    const [path, lastmod] = page.split(" ");
    return `<url><loc>https://x.example/${path}</loc>${lastmod ? `<lastmod>${lastmod}</lastmod>` : ""}</url>`;
  };
  const index = (...parts: string[]) =>
    `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${parts
      .map(part => {
        const [path, lastmod] = part.split(" ");
        return `<sitemap><loc>${site.url}/${path}</loc>${lastmod ? `<lastmod>${lastmod}</lastmod>` : ""}</sitemap>`;
      })
      .join("")}</sitemapindex>`;

  function good(result: PollResult): Extract<PollResult, { ok: true }> {
    if (!result.ok) throw new Error(`the poll failed: ${result.reason}`);
    return result;
  }

  const pathsOf = ({ posts }: { posts: { data: object }[] }) =>
    posts.map(({ data }) => new URL((data as { item: { url: string } }).item.url).pathname.slice(1));

  /** Polls until nothing is left to read, and tells which pages were news, in order. */
  async function news(source: ResolvedSource): Promise<string[]> {
    const found: string[] = [];
    for (let polls = 0; polls < 30; polls++) {
      const result = good(await poll(source));
      found.push(...pathsOf(result));
      source.state = result.state;
      if (!result.more) return found;
    }
    throw new Error("the polls come to no end");
  }

  describe("a sitemap is a source", () => {
    test.each<[string, SourceKind, string, () => string | Buffer]>([
      ["a urlset", "rss", "/sitemap.xml", () => urlset("a", "b")],
      ["a urlset, by its page", "web", "/sitemap.xml", () => urlset("a", "b")],
      ["compressed", "rss", "/sitemap.xml.gz", () => gzipSync(urlset("a", "b"))],
      ["a text", "rss", "/sitemap.txt", () => "https://x.example/a\nhttps://x.example/b\n"],
    ])("%s", async (_, kind, path, body) => {
      files[path] = body();
      const source = await resolve(path, kind);
      const { host } = new URL(site.url);
      expect(source).toMatchObject({ kind: "rss", externalId: site.url + path, name: `Sitemap of ${host}` });
      expect(await news(source)).toEqual([]);
      const more = path.endsWith(".txt")
        ? `${body()}https://x.example/new\n`
        : urlset("a", "b", "new 2026-11-20T10:00:00+01:00");
      files[path] = path.endsWith(".gz") ? gzipSync(more) : more;
      const { posts } = good(await poll(source));
      expect(posts).toMatchObject([
        { type: "rss.item.created", revision: "1", data: { item: { id: "https://x.example/new" } } },
      ]);
      if (!path.endsWith(".txt"))
        expect(posts).toMatchObject([{ data: { item: { date_published: "2026-11-20T09:00:00.000Z" } } }]);
    });

    test("news has the title and date that the sitemap gives; a new date of a known page is none", async () => {
      files["/sitemap.xml"] = urlset("a 2026-01-01");
      const source = await resolve("/sitemap.xml");
      const story =
        "<news:news><news:publication_date>2026-11-01</news:publication_date><news:title>Magpies &amp; more</news:title></news:news>";
      files["/sitemap.xml"] = urlset("a 2026-02-02", "b 2026-11-02").replace(
        "</url></urlset>",
        `${story}</url></urlset>`,
      );
      expect(good(await poll(source)).posts).toMatchObject([
        {
          data: {
            item: {
              title: "Magpies & more",
              url: "https://x.example/b",
              date_published: "2026-11-01T00:00:00.000Z",
              date_modified: "2026-11-02T00:00:00.000Z",
            },
          },
        },
      ]);
    });

    test("polled with validators", async () => {
      files["/sitemap.xml"] = urlset("a");
      const source = await resolve("/sitemap.xml");
      expect(await news(source)).toEqual([]);
      expect(site.hits.at(-1)?.headers["if-none-match"]).toBeTruthy();
    });

    test("one that shrinks and grows back tells nothing twice", async () => {
      files["/sitemap.xml"] = urlset("a", "b", "c");
      const source = await resolve("/sitemap.xml");
      const told: string[][] = [];
      for (const pages of [["a"], [], ["a", "b", "c"], ["c", "d"], ["a", "b", "c", "d"]]) {
        files["/sitemap.xml"] = urlset(...pages);
        told.push(await news(source));
      }
      expect(told).toEqual([[], [], [], ["d"], []]);
    });

    test("a day after the last whole answer at the latest, whatever the server says of what it has", async () => {
      isLying = true;
      files = { "/sitemap.xml": urlset("a"), "/index.xml": index("part.xml"), "/part.xml": urlset("c") };
      const [flat, nested] = [await resolve("/sitemap.xml"), await resolve("/index.xml")];
      files = {
        "/sitemap.xml": urlset("a", "b"),
        "/index.xml": index("part.xml"),
        "/part.xml": urlset("c", "d"),
      };
      expect([await news(flat), await news(nested)]).toEqual([[], []]);
      const aDayLater = (state: object): object =>
        JSON.parse(
          JSON.stringify(state, (name, value) => (name === "wholeAt" ? value - 24 * 3_600_000 : value)),
        );
      for (const source of [flat, nested]) source.state = aDayLater(source.state) as never;
      expect([await news(flat), await news(nested)]).toEqual([["b"], ["d"]]);
      expect(site.hits.filter(({ headers }) => headers["if-none-match"]).length).toBe(3);
    });

    test("2,500 new pages at once, none of them lost, by date; the same state tells the same", async () => {
      files["/sitemap.xml"] = urlset("a 2020-01-01");
      const source = await resolve("/sitemap.xml");
      const start = new Date("2026-01-01").getTime();
      const pages = Array.from(
        { length: 2500 },
        (_, n) => `p${n} ${new Date(start + n * 60_000).toISOString()}`,
      );
      files["/sitemap.xml"] = urlset("a 2020-01-01", ...pages.toReversed());
      const first = good(await poll(source));
      expect(first).toMatchObject({ more: true });
      expect(pathsOf(good(await poll(source)))).toEqual(pathsOf(first));
      expect(await news(source)).toEqual(pages.map(page => page.split(" ")[0]));
      expect(await news(source)).toEqual([]);
    });

    test("50,000 pages, remembered in 8 bytes each", async () => {
      const pages = Array.from({ length: 50_000 }, (_, n) => `some/longer/path/of/a/page/${n}`);
      files["/sitemap.xml"] = urlset(...pages);
      const source = await resolve("/sitemap.xml");
      expect(JSON.stringify(source.state).length).toBeLessThan(410_000);
      files["/sitemap.xml"] = urlset("new", ...pages);
      expect(await news(source)).toEqual(["new"]);
    });
  });

  describe("an index of sitemaps is a source", () => {
    test("each of them is read, and what is new in any is told once", async () => {
      files["/sitemap.xml"] = index("1.xml", "2.xml.gz");
      files["/1.xml"] = urlset("a", "b");
      files["/2.xml.gz"] = gzipSync(urlset("c"));
      const source = await resolve("/sitemap.xml");
      expect(await news(source)).toEqual([]);
      files["/1.xml"] = urlset("b", "new", "c");
      expect(await news(source)).toEqual(["new"]);
      // What moves to another sitemap is known.
      files["/sitemap.xml"] = index("2.xml.gz", "3.xml");
      files["/3.xml"] = urlset("a", "b", "new", "newer");
      expect(await news(source)).toEqual(["newer"]);
    });

    test("its dates say which to read; those of these days are read again", async () => {
      const today = new Date().toISOString().slice(0, 10);
      files["/sitemap.xml"] = index("old.xml 2020-01-01", `fresh.xml ${today}`);
      files["/old.xml"] = urlset("a");
      files["/fresh.xml"] = urlset("b");
      const source = await resolve("/sitemap.xml");
      expect(await news(source)).toEqual([]);
      const before = site.hits.length;
      files["/fresh.xml"] = urlset("b", "c");
      files["/old.xml"] = urlset("a", "older");
      expect(await news(source)).toEqual(["c"]);
      expect(site.hits.slice(before).map(({ url }) => url)).toEqual(["/sitemap.xml", "/fresh.xml"]);
      files["/sitemap.xml"] = index("old.xml 2020-02-02", `fresh.xml ${today}`);
      expect(await news(source)).toEqual(["older"]);
    });

    test("a sitemap that cannot be read holds up no other, and is old when it can be read at last", async () => {
      files["/sitemap.xml"] = index("1.xml", "broken.xml");
      files["/1.xml"] = urlset("a");
      files["/broken.xml"] = 500;
      const source = await resolve("/sitemap.xml");
      files["/1.xml"] = urlset("a", "b");
      expect(await news(source)).toEqual(["b"]);
      files["/broken.xml"] = urlset("c");
      expect(await news(source)).toEqual([]);
      files["/broken.xml"] = urlset("c", "d");
      expect(await news(source)).toEqual(["d"]);
    });

    test("a single sitemap becomes an index, and back, and tells nothing twice", async () => {
      files["/sitemap.xml"] = urlset("a", "b");
      const source = await resolve("/sitemap.xml");
      files["/sitemap.xml"] = index("1.xml");
      files["/1.xml"] = urlset("a", "b", "c");
      expect(await news(source)).toEqual(["c"]);
      files["/sitemap.xml"] = urlset("a", "b", "c", "d");
      expect(await news(source)).toEqual(["d"]);
    });

    test("more new pages than one poll tells, in several sitemaps", async () => {
      files["/sitemap.xml"] = index("1.xml", "2.xml");
      for (const part of ["1", "2"]) files[`/${part}.xml`] = urlset(`${part}-first`);
      const source = await resolve("/sitemap.xml");
      const pages = (part: string) => Array.from({ length: 1200 }, (_, n) => `${part}-${n}`);
      for (const part of ["1", "2"]) files[`/${part}.xml`] = urlset(`${part}-first`, ...pages(part));
      expect((await news(source)).sort()).toEqual([...pages("1"), ...pages("2")].sort());
    });

    test.each([
      ["all of its sitemaps fail", 500, "The site answered with status 500."],
      ["they are no sitemaps", "<html></html>", "The document is not a sitemap. It is "],
    ])("in trouble where %s", async (_, body, reason) => {
      files["/sitemap.xml"] = index("1.xml");
      files["/1.xml"] = urlset("a");
      const source = await resolve("/sitemap.xml");
      files["/1.xml"] = body;
      const result = await poll(source);
      expect(result).toMatchObject({ ok: false, gone: false, reason: expect.stringContaining(reason) });
      files["/1.xml"] = urlset("a", "b");
      expect(await news({ ...source, state: result.state })).toEqual(["b"]);
    });

    test("indexes that it lists are read too, and what moves among their sitemaps is known", async () => {
      files["/sitemap.xml"] = index("posts.xml", "1.xml");
      files["/posts.xml"] = index("p1.xml", "p2.xml", "1.xml", "sitemap.xml");
      Object.assign(files, { "/1.xml": urlset("a"), "/p1.xml": urlset("b"), "/p2.xml": urlset("c") });
      const source = await resolve("/sitemap.xml");
      expect(await news(source)).toEqual([]);
      files["/p1.xml"] = urlset("b", "new");
      expect(await news(source)).toEqual(["new"]);
      // A sitemap more in the index below, and one less.
      files["/posts.xml"] = index("p1.xml", "p3.xml");
      files["/p3.xml"] = urlset("c", "newer");
      expect(await news(source)).toEqual(["newer"]);
      // The index above lists what the one below did.
      files["/sitemap.xml"] = index("p1.xml", "p3.xml", "1.xml");
      files["/p3.xml"] = urlset("c", "newer", "newest");
      expect(await news(source)).toEqual(["newest"]);
      // A sitemap becomes an index, and is one no more.
      files["/1.xml"] = index("p4.xml");
      files["/p4.xml"] = urlset("a", "d");
      expect(await news(source)).toEqual(["d"]);
      files["/1.xml"] = urlset("a", "d", "e");
      expect(await news(source)).toEqual(["e"]);
    });

    test("an index within an index within an index is a problem, and so are too many sitemaps in all", async () => {
      files["/sitemap.xml"] = index("1.xml");
      files["/1.xml"] = index("2.xml");
      files["/2.xml"] = urlset("a");
      const source = await resolve("/sitemap.xml");
      expect(await news(source)).toEqual([]);
      files["/2.xml"] = index("3.xml");
      const reasonOf = async () => {
        const result = await poll(source);
        source.state = result.state;
        return result.ok ? "" : result.reason;
      };
      expect(await reasonOf()).toContain("The third index in one another");
      files["/2.xml"] = urlset("a");
      files["/1.xml"] = index(...Array.from({ length: 1000 }, (_, n) => `part-${n}.xml`));
      expect(await reasonOf()).toContain("more than 1,000 sitemaps");
      // News of other sitemaps is told all the same.
      files["/sitemap.xml"] = index("1.xml", "4.xml");
      files["/4.xml"] = urlset("b");
      expect(pathsOf(good(await poll(source)))).toEqual(["b"]);
    });

    test("refused where it lists more than 1,000 sitemaps", async () => {
      files["/sitemap.xml"] = index(...Array.from({ length: 1001 }, (_, n) => `${n}.xml`));
      await expect(resolve("/sitemap.xml")).rejects.toMatchObject({
        code: 400,
        data: { details: [{ field: "sid", code: "sitemap_too_large" }] },
      });
    });
  });

  test("the preview shows the newest pages, of an index those of its newest sitemap", async () => {
    files["/sitemap.xml"] = index("1.xml 2020-01-01", "posts.xml 2026-01-01");
    files["/posts.xml"] = index("2.xml");
    files["/2.xml"] = urlset("a 2025-01-01", "b 2026-01-01");
    const asked = { source: "rss" as const, sid: `${site.url}/sitemap.xml` };
    const caller = { keyId: "k1", owner: "ann", limits: defaultLimits };
    const { data } = await call(brokerOf(), previewSource, asked, { meta: { caller } });
    expect(data).toMatchObject({
      source: "RSS",
      items: [
        { title: null, url: "https://x.example/b", published_at: "2026-01-01T00:00:00.000Z" },
        { url: "https://x.example/a" },
      ],
    });
  });
}
