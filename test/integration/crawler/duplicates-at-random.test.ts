import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as yieldToLoop } from "node:timers/promises";
import { FairSemaphore } from "../../../mixins/async/fair-semaphore.ts";
import { openEmbeddedHostPoliteness } from "../../../mixins/coordination/host-politeness/embedded.host-politeness.ts";
import { HostQueues } from "../../../mixins/coordination/host-politeness/host-queues.ts";
import { type OpenFrontier, openEmbeddedFrontier } from "../../../mixins/frontier/embedded.frontier.ts";
import type { Settled } from "../../../mixins/frontier/frontier.ts";
import { noFacts } from "../../../reader/metadata/read-metadata.ts";
import { fail } from "../../../services/contracts/errors.ts";
import type { CrawledPage } from "../../../services/contracts/page-reads.contract.ts";
import type { CrawlerContext } from "../../../services/crawler/context.ts";
import { runCrawl } from "../../../services/crawler/crawl.ts";
import { type Random, seeded } from "../../faults/random.ts";
import { removeFolder } from "../../support/folders.ts";
import { noQuotas } from "../../support/no-quotas.ts";

const site = "https://site.test";
let folder: string;
let frontier: OpenFrontier;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "magpie-copies-"));
  frontier = openEmbeddedFrontier(join(folder, "frontier.db"));
});

afterAll(async () => {
  await frontier.close();
  await removeFolder(folder);
});

/** What a site answers at a path, and the path that a page of it names as canonical. */
interface Answer {
  is: "page" | "missing" | "broken" | "redirect";
  names: string | null;
}

/** The entry leads to all; most name another, so that there are chains and rings of every kind. */
function randomSite(random: Random): Map<string, Answer> {
  const paths = Array.from({ length: 10 }, (_, n) => `/p${n}`);
  const any = () => paths[Math.floor(random() * paths.length)] ?? "/p0";
  const kindOf = (n: number): Answer["is"] =>
    n < 0.7 ? "page" : n < 0.8 ? "missing" : n < 0.9 ? "broken" : "redirect";
  const answers = paths.map((path): [string, Answer] => [
    path,
    { is: kindOf(random()), names: random() < 0.8 ? any() : null },
  ]);
  return new Map([["/", { is: "page", names: null }], ...answers]);
}

function crawledPage(path: string, { is, names }: Answer, paths: string[]): CrawledPage {
  if (is === "broken") throw fail("target_unreachable", "Away.");
  if (is === "redirect") return { kind: "redirect", url: `${site}${names ?? "/"}` };
  const metadata = {
    ...{
      ...noFacts,
      content_type: "text/html",
      word_count: 0,
      engine: "http" as const,
      proxy_location: null,
    },
    ...{ status_code: is === "missing" ? 404 : 200, final_url: site + path },
    canonical_url: names === null ? null : site + names,
  };
  const links = path === "/" ? paths.map(to => ({ url: site + to, nofollow: false, next: false })) : [];
  return { kind: "page", data: { metadata }, links, nofollow: false, retryAfterMs: null };
}

/** As much of a store as a run needs; each step takes a while. */
function memoryStore(random: Random, first: Record<string, object> = {}) {
  const docs = new Map<string, Record<string, unknown>>(
    Object.entries(first).map(([id, doc]) => [id, { ...doc }]),
  );
  const pause = async () => {
    for (let scraperSlots = random() * 3; scraperSlots > 0; scraperSlots -= 1) await yieldToLoop();
  };
  const change = (id: string, { $set = {}, $unset = {} }: { $set?: object; $unset?: object }) => {
    const next = { ...docs.get(id), ...$set };
    docs.set(id, Object.fromEntries(Object.entries(next).filter(([name]) => !(name in $unset))));
  };
  return {
    findById: async (id: string) => {
      await pause();
      return docs.get(id) ?? null;
    },
    update: async (id: string, update: object) => {
      await pause();
      if (docs.has(id)) change(id, update);
    },
    insertMany: async ([doc]: [{ _id: string }]) => {
      await pause();
      if (docs.has(doc._id)) throw fail("conflict", "It is there.");
      docs.set(doc._id, doc);
    },
    updateMany: async ({ _id }: { _id: string }, update: object) => {
      change(_id, update);
      return 1;
    },
  };
}

/** Crawls a site, in as many lives as it takes: each but the last is broken off after so many pages. */
async function crawl(id: string, answers: Map<string, Answer>, random: Random, limit: number, lives: number) {
  const paths = [...answers.keys()].filter(path => path !== "/");
  const asked: string[][] = [];
  const crawler = { limit, include: [], exclude: [], max_depth: 9, sitemaps: false };
  const request = {
    url: `${site}/`,
    crawler,
    output: { formats: ["markdown"] },
    request: {},
    js_render: {},
    proxy: {},
  };
  const crawls = memoryStore(random, { [id]: { _id: id, status: "crawling", request, notified: [] } });
  const pages = memoryStore(random);
  let killed = new AbortController();
  let pagesLeft = 0;
  const context = {
    quotas: noQuotas,
    ...{ crawls, pages, frontier, concurrency: 4, now: Date.now },
    egress: {
      admit: (url: string) => {
        if (url.endsWith("/robots.txt")) throw fail("upstream_error", "None.");
        return new URL(url);
      },
    },
    crawlPage: async (_: unknown, { url }: { url: string }) => {
      const { pathname } = new URL(url);
      asked.at(-1)?.push(pathname);
      for (let scraperSlots = random() * 6; scraperSlots > 0; scraperSlots -= 1) await yieldToLoop();
      pagesLeft -= 1;
      if (pagesLeft === 0) killed.abort(new Error("killed"));
      return crawledPage(pathname, answers.get(pathname) ?? { is: "broken", names: null }, paths);
    },
    hosts: new HostQueues(openEmbeddedHostPoliteness(), { width: 8 }),
    scraperSlots: new FairSemaphore({ width: 8 }),
    closing: new AbortController().signal,
    underWay: new Set(),
    onPage: () => undefined,
    onError: (_: string, __: string, error: unknown) => {
      throw error;
    },
    urlFilter: { takes: async (_: unknown, urls: string[]) => urls.map(() => true) },
  } as unknown as CrawlerContext;
  for (let fence = 1; fence <= lives; fence += 1) {
    killed = new AbortController();
    pagesLeft = fence < lives ? 1 + Math.floor(random() * 6) : Infinity;
    asked.push([]);
    const tools = { fence, signal: killed.signal, progress: async () => undefined };
    await runCrawl(context, id, tools as never).catch(error => {
      if (!killed.signal.aborted) throw error;
    });
  }
  const ended = await frontier.settled(id, { after: 0, limit: 100 });
  return {
    asked,
    counts: await frontier.counts(id),
    ended: new Map(ended.map(each => [pathOf(each), each])),
  };
}

function pathOf({ url }: Settled): string {
  return new URL(url).pathname;
}

/** Copies whose content nobody brings: the way of their originals leads to no page that is kept and sound. */
function lost(answers: Map<string, Answer>, ended: Map<string, Settled>): string[] {
  const isBrought = (path: string) => {
    const seen = new Set<string>();
    for (let at: string | null | undefined = path; at && !seen.has(at); at = answers.get(at)?.names) {
      seen.add(at);
      if (ended.get(at)?.state === "completed") return answers.get(at)?.is === "page";
    }
    return false;
  };
  return [...ended.keys()].filter(path => ended.get(path)?.reason === "duplicate" && !isBrought(path));
}

/** Rings that are all of pages: of each, how many were kept. */
function keptOfRings(answers: Map<string, Answer>, ended: Map<string, Settled>): number[] {
  const ringOf = (path: string) => {
    const way = [path];
    for (let at = answers.get(path)?.names; at; at = answers.get(at)?.names) {
      if (at === path) return way;
      if (way.includes(at)) return [];
      way.push(at);
    }
    return [];
  };
  const rings = new Map([...answers.keys()].map(path => [ringOf(path).toSorted().join(), ringOf(path)]));
  return [...rings.values()]
    .filter(ring => ring.length > 0 && ring.every(path => answers.get(path)?.is === "page"))
    .map(ring => ring.filter(path => ended.get(path)?.state === "completed").length);
}

test.each(Array.from({ length: 40 }, (_, n) => n + 1))(
  "whatever pages name each other, and however often the crawl is broken off, no content is lost (seed %d)",
  async seed => {
    const random = seeded(seed);
    const answers = randomSite(random);
    const limit = seed % 4 === 0 ? 6 : 100;
    const lives = seed % 3 === 0 ? 1 : 3;
    const { asked, counts, ended } = await crawl(`crawl-${seed}`, answers, random, limit, lives);
    expect(counts).toMatchObject({ queued: 0, running: 0, discovered: answers.size });
    expect(counts.completed + counts.failed).toBeLessThanOrEqual(limit);
    expect(lost(answers, ended)).toEqual([]);
    if (limit === 100) expect(keptOfRings(answers, ended).filter(kept => kept !== 1)).toEqual([]);
    for (const life of asked) expect(life).toHaveLength(new Set(life).size);
  },
);
