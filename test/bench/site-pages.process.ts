/** Fills the pages of one site, in SQLite or MongoDB, and measures its steps. Its parent may kill it at the end. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { openEmbeddedSitePages } from "../../mixins/site-pages/embedded.site-pages.ts";
import { openMongoSitePages } from "../../mixins/site-pages/mongo.site-pages.ts";
import type { FoundPage, OpenSitePages, SettledPage } from "../../mixins/site-pages/site-pages.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { type Cost, quantile } from "./growth.ts";

export interface SitePagesQuestion {
  /** Of SQLite. */
  folder?: string;
  /** Of MongoDB. */
  mongoUrl?: string;
  pages: number;
  /** What the process does: it fills and uses the pages, or opens them as they are. */
  part: "fill" | "open";
}

const id = "src_01JZ0000000000000000000000";
const [fence, day] = [1, 24 * 3_600_000];
const started = Date.now();
/** Pages of a step that fills, and steps of each kind that are measured. */
const [atOnce, most] = [200, 1000];
/** What is remembered of a page, packed; random bytes pack no further. */
const memories = Array.from({ length: 64 }, (_, n) => randomBytes(500 + ((n * 37) % 200)));

process.once("message", async (question: SitePagesQuestion) => {
  const opened = performance.now();
  const pages = await open(question);
  process.send?.(await (question.part === "fill" ? fill(pages, question.pages) : reopen(pages, opened)));
});
process.once("disconnect", () => process.exit());
process.send?.("ready");

function open({ folder, mongoUrl = "" }: SitePagesQuestion): Promise<OpenSitePages> | OpenSitePages {
  if (folder !== undefined) return openEmbeddedSitePages(join(folder, "magpie.db"));
  return openMongoSitePages({ mongoUrl, namespace: "bench" });
}

/** Until the first pages are there that are due. */
async function reopen(pages: OpenSitePages, since: number): Promise<Cost[]> {
  await pages.open(id, fence + 1);
  await pages.due(id, started + 30 * day, 50);
  return [
    {
      name: "open after a kill, and the first pages that are due",
      value: performance.now() - since,
      unit: "ms",
    },
  ];
}

async function fill(pages: OpenSitePages, size: number): Promise<Cost[]> {
  await pages.open(id, fence);
  collectGarbage();
  const before = process.memoryUsage().rss;
  const batches = size / atOnce;
  const costs = [
    ...(await rates("offer of new pages", batches, atOnce, n => pages.offer(id, fence, batch(n), size))),
    ...(await rates(`settle, ${atOnce} at a time`, batches, atOnce, n =>
      pages.settle(
        id,
        fence,
        batch(n).map((page, at) => visited(page, n * atOnce + at)),
      ),
    )),
  ];
  collectGarbage();
  const memory = process.memoryUsage().rss - before;
  costs.push({
    name: "memory of the process beyond that of an empty site",
    value: memory / 1024 / 1024,
    unit: "MB",
  });
  return [...costs, ...(await use(pages, size))];
}

async function use(pages: OpenSitePages, size: number): Promise<Cost[]> {
  const steps = Math.min(most, size / 10);
  const at = (n: number) => pageOf((n * 7919) % size);
  const now = started + 30 * day;
  const memory = JSON.stringify({ lines: Array.from({ length: 1000 }, (_, n) => [n, "a line of the site"]) });
  return [
    ...(await rates("offer of 100 known links", steps, 1, n =>
      pages.offer(id, fence, batch(n % 99).slice(0, 100), size),
    )),
    ...(await rates("due, 8 pages", steps, 1, () => pages.due(id, now, 8))),
    ...(await rates("settle of one page", steps, 1, n => pages.settle(id, fence, [visited(at(n), n)]))),
    ...(await rates("the same with news and 30 KB of memory of the site", steps, 1, n =>
      pages.settle(id, fence, [{ ...visited(at(n), n), news: [`{"post":${n}}`] }], memory),
    )),
    ...(await rates("news, 50 of them", steps / 10, 1, n => pages.news(id, n, 50))),
    ...(await rates("acknowledge, 10 of them", steps / 10, 1, n =>
      pages.acknowledge(id, fence, 10 * (n + 1)),
    )),
    ...(await rates("mark, 200 at a time", Math.min(steps, size / atOnce), atOnce, n =>
      pages.mark(
        id,
        fence,
        batch(n).map(({ key }) => ({ key, listed: { lastmod: started + n }, dueBy: started + n })),
      ),
    )),
    ...(await rates("list of 100 pages", steps, 1, n => pages.list(id, { after: at(n).key, limit: 100 }))),
    ...(await rates("neighbours, 3", steps, 1, n => pages.near(id, at(n).key, 3))),
    ...(await rates("counts", steps, 1, () => pages.counts(id))),
    ...(await walk(pages, size)),
  ];
}

/** As for the comparison with the sitemaps. */
async function walk(pages: OpenSitePages, size: number): Promise<Cost[]> {
  let after = "";
  return rates("all keys, 1,000 at a time", size / 1000, 1000, async () => {
    const some = await pages.listed(id, after, 1000);
    after = some.at(-1)?.key ?? "";
  });
}

/** How many a second, and the 99th percentile of a step. */
async function rates(
  name: string,
  steps: number,
  each: number,
  step: (n: number) => Promise<unknown>,
): Promise<Cost[]> {
  const times: number[] = [];
  const began = performance.now();
  for (let n = 0; n < steps; n += 1) {
    const at = performance.now();
    await step(n);
    times.push(performance.now() - at);
  }
  const seconds = (performance.now() - began) / 1000;
  return [
    { name, value: (steps * each) / seconds, unit: "/s" },
    { name: `${name}, p99 of a step`, value: quantile(times, 0.99), unit: "ms" },
  ];
}

function batch(n: number): FoundPage[] {
  return Array.from({ length: atOnce }, (_, at) => pageOf(n * atOnce + at));
}

/** A quarter is in folders by date, as news are; keys do not come in their order. */
function pageOf(n: number): FoundPage {
  const name = `${((n * 2_654_435_761) % 4_294_967_296).toString(36)}-an-article-with-a-name`;
  const folder = n % 4 === 0 ? `news/20${10 + (n % 17)}/${1 + (n % 12)}` : `section-${n % 97}/part-${n % 13}`;
  const key = `https://www.site.example/${folder}/${name}`;
  const listed = n % 3 > 0 && { listed: { lastmod: started - n * 1000 } };
  const from = n % 3 > 0 ? null : `https://www.site.example/${folder}/`;
  return { key, url: key, depth: 1 + (n % 5), from, ...listed, dueAt: started + n, foundAt: started };
}

function visited(page: FoundPage, n: number): SettledPage {
  return {
    ...page,
    state: "there",
    title: `An article with a name, number ${n}`,
    content: randomBytes(32).toString("hex"),
    visitedAt: started + n,
    dueAt: started + (n % (7 * 24)) * 3_600_000 + n,
    memory: memories[n % memories.length] as Uint8Array,
  };
}
