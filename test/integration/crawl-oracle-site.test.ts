import { gunzipSync } from "node:zlib";
import { type CrawlRules, expectCrawl, fetchedOf } from "../support/generated-site/expect-crawl.ts";
import type { Graph } from "../support/generated-site/node.ts";
import { type ServedSite, serveSite } from "../support/generated-site/serve.ts";
import {
  closedPath,
  entryPath,
  generateSite,
  openPath,
  type SiteOptions,
} from "../support/generated-site.ts";

let open: ServedSite[] = [];
afterEach(async () => {
  await Promise.all(open.map(site => site.close()));
  open = [];
});

async function serve(graph: Graph): Promise<ServedSite> {
  const site = await serveSite(graph, { slowMs: 0 });
  open.push(site);
  return site;
}

/** Reads the site as it is served, one page after the other; knows addresses apart only by asking the site. */
async function walk(graph: Graph, site: ServedSite, { external = false, maxPages = 10_000 } = {}) {
  const fetched = new Set<string>();
  const waiting = [site.origin + entryPath, ...(await listed(site))];
  for (const url of waiting) {
    const { origin, pathname, search } = new URL(url);
    const id = graph.spellings.get(pathname + search) ?? pathname;
    const isOwn = origin === site.origin && pathname.startsWith(entryPath);
    const isClosed = pathname.startsWith(closedPath) && !pathname.startsWith(openPath);
    if (fetched.has(id) || isClosed || !(isOwn || external)) continue;
    if (fetched.size === maxPages) break;
    fetched.add(id);
    waiting.push(...(await linksOf(url)).filter(() => isOwn));
  }
  return fetched;
}

async function linksOf(url: string): Promise<string[]> {
  const response = await fetch(url, { redirect: "manual" });
  const text = await response.text();
  if ([429, 503].includes(response.status)) return await linksOf(url);
  const location = response.headers.get("location");
  const isSilent = response.headers.has("x-robots-tag") || text.includes('content="index, nofollow"');
  const links = isSilent ? [] : text.matchAll(/<(?:a|link)(?![^>]*nofollow)[^>]* href="([^"]+)"/g);
  const hrefs = [...links].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
  return [...hrefs, ...(location ? [location] : [])]
    .map(href => new URL(href, url).href)
    .filter(href => href.startsWith("http"));
}

async function listed({ origin }: ServedSite): Promise<string[]> {
  const robots = await read(`${origin}/robots.txt`);
  const index = await read(/Sitemap: (\S+)/.exec(robots)?.[1] ?? "");
  return (await Promise.all(locations(index).map(read))).flatMap(locations);
}

function locations(text: string): string[] {
  return [...text.matchAll(/<loc>\s*(\S+?)\s*<\/loc>/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&"));
}

async function read(url: string): Promise<string> {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  return (url.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
}

test.each<[string, SiteOptions]>([
  ["plain", { seed: 1, pages: 60, hard: false }],
  ["hard", { seed: 2, pages: 300 }],
  ["hard, of another seed", { seed: 3, pages: 200 }],
])("a reader that tells pages apart finds what is expected of a site that is %s", async (_, options) => {
  const graph = generateSite(options);
  const expected = expectCrawl(graph);
  const site = await serve(graph);
  expect(await walk(graph, site)).toEqual(fetchedOf(expected));
  expect(expected.pages.size).toBeGreaterThanOrEqual(options.pages);
  expect(site.visits.filter(({ id, status }) => id === null && status !== 200)).toEqual([]);
});

test("links off the site lead one hop", async () => {
  const graph = generateSite({ seed: 4, pages: 200 });
  const site = await serve(graph);
  const found = await walk(graph, site, { external: true });
  const expected = fetchedOf(expectCrawl(graph, { external: true, wholeHost: true }));
  const elsewhere = (ids: Set<string>) => [...ids].filter(id => id.startsWith("/elsewhere/")).toSorted();
  expect(elsewhere(found)).toEqual(elsewhere(expected));
  expect(elsewhere(found)).toEqual(["/elsewhere/near-0", "/elsewhere/near-1"]);
});

test("a calendar never ends", async () => {
  const graph = generateSite({ seed: 5, pages: 10, hard: false, trap: true });
  expect((await walk(graph, await serve(graph), { maxPages: 500 })).size).toBe(500);
});

test("the same options make the same site", () => {
  const options = { seed: 6, pages: 100 };
  expect(generateSite(options)).toEqual(generateSite(options));
  expect(generateSite(options)).not.toEqual(generateSite({ ...options, seed: 7 }));
});

test("every page has one address of its own and others that mean it", () => {
  const { nodes, spellings } = generateSite({ seed: 8, pages: 1000 });
  for (const id of nodes.keys()) expect(spellings.get(id)).toBe(id);
  expect(spellings.size).toBeGreaterThan(2 * nodes.size);
});

test.each<[string, CrawlRules, (expected: ReturnType<typeof expectCrawl>) => unknown, unknown]>([
  [
    "nothing but the entry at depth 0",
    { maxDepth: 0, sitemaps: false },
    ({ pages }) => [...pages],
    ["/docs/"],
  ],
  [
    "a list of pages at depth 1, its items only at depth 2",
    { maxDepth: 1, sitemaps: false },
    ({ pages }) => [pages.has("/docs/list?page=3"), pages.has("/docs/listed-item-3")],
    [true, false],
  ],
  [
    "orphans by sitemaps only",
    { sitemaps: false },
    ({ pages }) => [...pages].some(id => id.includes("orphan")),
    false,
  ],
  [
    "what robots.txt closes is not fetched",
    {},
    ({ pages, closed }) => [
      pages.has("/docs/closed/room-0"),
      closed.has("/docs/closed/room-0"),
      pages.has("/docs/closed/open-0"),
    ],
    [false, true, true],
  ],
  [
    "what lies outside the directory, with the whole host",
    { wholeHost: true },
    ({ pages }) => [pages.has("/blog/far-0"), pages.has("/elsewhere/near-0")],
    [true, false],
  ],
  [
    "nothing behind links that must be left alone",
    {},
    ({ pages }) => ["shunned", "behind-silent"].filter(name => pages.has(`/docs/${name}-0`)),
    [],
  ],
  [
    "patterns bound what is walked, too",
    { takes: id => id === "/docs/list?page=1", sitemaps: false },
    ({ pages }) => [...pages],
    ["/docs/", "/docs/list?page=1"],
  ],
])("expected: %s", (_, rules, of, wanted) => {
  expect(of(expectCrawl(generateSite({ seed: 9, pages: 300 }), rules))).toEqual(wanted);
});
