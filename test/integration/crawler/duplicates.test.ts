import type { ServerResponse } from "node:http";
import type { Routes } from "../../support/http-site.ts";
import { type Crawler, startCrawler } from "./crawler.ts";
import { page, pageWith, redirect, Sites, visited } from "./site.ts";

const sites = new Sites();
let crawler: Crawler;

beforeAll(async () => {
  crawler = await startCrawler();
});

afterAll(async () => {
  await crawler?.stop();
  await sites.close();
});

async function crawl(routes: Routes, options: object = {}) {
  const site = await sites.start(routes);
  const id = await crawler.accepted({ url: `${site.url}/`, crawler: options });
  const { progress } = await crawler.ended(id);
  return { site, progress, pages: await crawler.pages(id), errors: await crawler.errors(id) };
}

const copyOf = (path: string, title: string, ...links: string[]) =>
  pageWith(`<link rel="canonical" href="${path}">`, title, ...links);
const zip = { headers: { "content-type": "application/zip" }, body: "PK\u0003\u0004" };

describe("a page that names another as canonical", () => {
  test.each<[string, Routes, object, string[], Record<string, string>]>([
    [
      "which is a copy of a third, is a copy of that",
      { "/": page("Home", "/a", "/b"), "/a": copyOf("/b", "A"), "/b": copyOf("/c", "B"), "/c": page("C") },
      {},
      ["/", "/c"],
      { "/a": "duplicate", "/b": "duplicate" },
    ],
    [
      "that is read before it",
      { "/": page("Home", "/b", "/1"), "/1": page("1", "/a"), "/a": copyOf("/b", "A"), "/b": page("B") },
      {},
      ["/", "/1", "/b"],
      { "/a": "duplicate" },
    ],
    ["which is not there", { "/": page("Home", "/a"), "/a": copyOf("/b", "A") }, {}, ["/", "/a", "/b"], {}],
    [
      "which robots.txt closes",
      {
        "/robots.txt": "User-agent: *\nDisallow: /b",
        "/": page("Home", "/a"),
        "/a": copyOf("/b", "A"),
        "/b": page("B"),
      },
      {},
      ["/", "/a"],
      { "/b": "robots" },
    ],
    [
      "which is no page",
      { "/": page("Home", "/a"), "/a": copyOf("/b", "A"), "/b": zip },
      {},
      ["/", "/a"],
      { "/b": "unsupported_media_type" },
    ],
    [
      "which breaks off",
      {
        "/": page("Home", "/a"),
        "/a": copyOf("/b", "A"),
        "/b": (_, response) => void response.destroy(),
      },
      {},
      ["/", "/a"],
      { "/b": "target_unreachable" },
    ],
    [
      "which failed before it",
      {
        "/": page("Home", "/b", "/1"),
        "/1": page("1", "/2"),
        "/2": page("2", "/a"),
        "/a": copyOf("/b", "A"),
        "/b": (_, response) => void response.destroy(),
      },
      {},
      ["/", "/1", "/2", "/a"],
      { "/b": "target_unreachable" },
    ],
    [
      "which leads back to it",
      { "/": page("Home", "/a"), "/a": copyOf("/b", "A"), "/b": redirect("/a") },
      {},
      ["/", "/a"],
      { "/b": "redirect" },
    ],
    [
      "for which the limit leaves no room",
      { "/": page("Home", "/a"), "/a": copyOf("/b", "A"), "/b": page("B") },
      { limit: 2 },
      ["/", "/a"],
      { "/b": "limit" },
    ],
    [
      "and is a copy of a copy without an original",
      {
        "/": page("Home", "/a", "/b"),
        "/a": copyOf("/b", "A"),
        "/b": copyOf("/c", "B"),
        "/c": zip,
      },
      {},
      ["/", "/b"],
      { "/a": "duplicate", "/c": "unsupported_media_type" },
    ],
  ])("%s", async (_, routes, options, kept, others) => {
    const { site, pages, errors, progress } = await crawl(routes, options);
    expect([pages, errors]).toEqual([kept, others]);
    expect(progress).toMatchObject({ completed: kept.length, running: 0, queued: 0 });
    const asked = visited(site).filter(path => routes[path] && typeof routes[path] !== "function");
    expect(asked).toHaveLength(new Set(asked).size);
  });

  test.each<[string, string[], number]>([
    ["two, one after the other", ["/a", "/b"], 1],
    ["two, at once", ["/a", "/b"], 2],
    ["three", ["/a", "/b", "/c"], 1],
    ["five, at once", ["/a", "/b", "/c", "/d", "/e"], 4],
  ])("of a ring of %s one is kept", async (_, ring, atOnce) => {
    const held: (() => ServerResponse)[] = [];
    let asked = 0;
    const routes: Routes = { "/": page("Home", ...ring), "/in": copyOf("/a", "In") };
    for (const [n, path] of ring.entries())
      routes[path] = (_, response) => {
        const answer = copyOf(ring[(n + 1) % ring.length] ?? "", path, "/in");
        held.push(() => response.setHeader("content-type", "text/html").end(answer));
        asked += 1;
        if (asked >= atOnce) for (const end of held.splice(0)) end();
      };
    const { pages, errors, progress, site } = await crawl(routes);
    expect([...Object.keys(errors), ...pages].sort()).toEqual(["/", "/in", ...ring].sort());
    expect(new Set(Object.values(errors))).toEqual(new Set(["duplicate"]));
    expect(pages).toHaveLength(2);
    expect(ring).toContain(pages[1]);
    expect(progress).toMatchObject({ completed: 2, skipped: ring.length });
    expect(visited(site)).toHaveLength(2 + ring.length);
  });
});
