import { browserArguments } from "../../mixins/browser/browser-process.ts";
import { findBrowser } from "../../mixins/browser/find-browser.ts";
import { startHelper } from "./child.ts";
import { type Bench, type Outcome, rate } from "./compare.ts";
import { crawlRate } from "./crawl-run.ts";
import { benchPages, type Script } from "./pages.ts";
import { type Crawl4ai, startCrawl4ai } from "./peers/crawl4ai.ts";
import { installPeers } from "./peers/install.ts";
import { type Program, startProgram } from "./program.ts";
import type { PeerBrowser } from "./rendered.bench.ts";
import { type Cost, costsOf, ratioOfCosts, showCosts, type WholeSide } from "./whole-side.ts";

const lanes = 4;
const rounds = 5;
/** About as long as the peers wait for a page. */
const scrapeMs = 55_000;

/** One kind of work, which all sides do in turn. */
interface Work {
  name: string;
  scripts: Script;
  engine: "http" | "browser";
  /** Of a round. */
  pages: number;
}

type Compare = (
  work: Work,
  program: Program,
  browser: PeerBrowser,
  crawl4ai?: Crawl4ai,
) => Promise<Outcome[]>;

/** Magpie, Crawl4AI, and Crawlee or a bare loop, on the same pages, four at a time: pages per second and CPU time a page. */
export const peers: Record<string, Bench> = {
  "peers-plain": bench(compareScrapes, {
    name: "plain scrapes",
    scripts: "none",
    engine: "http",
    pages: 60,
  }),
  "peers-rendered": bench(compareScrapes, {
    name: "rendered scrapes",
    scripts: "own",
    engine: "browser",
    pages: 15,
  }),
  "peers-crawl": bench(compareCrawls, { name: "plain crawl", scripts: "none", engine: "http", pages: 60 }),
  "peers-crawl-rendered": bench(compareCrawls, {
    name: "rendered crawl",
    scripts: "own",
    engine: "browser",
    pages: 20,
  }),
};

function bench(compare: Compare, work: Work): Bench {
  return async () => {
    const browser = await peerBrowser();
    const program = await startProgram([], {
      CRAWL_CONCURRENCY: String(lanes),
      CRAWL_HOST_CONCURRENCY: String(lanes),
      BROWSER_PAGES: String(lanes),
    });
    let crawl4ai: Crawl4ai | undefined;
    const passedOver: Outcome[] = [];
    try {
      crawl4ai = await startCrawl4ai(work.engine === "browser" ? browser : undefined);
    } catch (error) {
      passedOver.push({ line: `peers: Crawl4AI was passed over: ${(error as Error).message}` });
    }
    try {
      return [...passedOver, ...(await compare(work, program, browser, crawl4ai))];
    } finally {
      await Promise.all([program.stop(), crawl4ai?.stop()]);
    }
  };
}

/** Magpie's browser with its flags, but for those that lead all traffic to a proxy. */
async function peerBrowser(): Promise<PeerBrowser> {
  const machine = { searchPath: process.env.PATH ?? "", dataDir: "data" };
  const binary = await findBrowser(process.env.BROWSER_PATH, machine);
  if (binary === undefined) throw new Error("no browser on this machine");
  return { ...binary, flags: browserArguments.filter(flag => !flag.startsWith("--proxy-")) };
}

async function compareScrapes(
  { name, scripts, engine, pages }: Work,
  program: Program,
  browser: PeerBrowser,
  crawl4ai?: Crawl4ai,
): Promise<Outcome[]> {
  const site = await startHelper<never, string>("site.process.ts");
  const bare =
    engine === "http"
      ? await startHelper<object, number>("bare-plain.process.ts")
      : await startHelper<object, number>("bare-render.process.ts", ["markdown", JSON.stringify(browser)]);
  const set = benchPages(scripts).map(({ path }) => site.first + path);
  const urls = Array.from({ length: pages }, (_, n) => set[n % set.length] ?? "");
  try {
    return await measure(name, pages, {
      magpie: {
        pids: [program.pid],
        run: () => rate(urls, lanes, url => scrape(program, url, engine)),
      },
      ...(crawl4ai && { Crawl4AI: { pids: crawl4ai.pids, run: () => crawl4ai.ask({ urls, lanes }) } }),
      "a bare loop": { pids: [bare.pid], run: () => bare.ask({ urls, lanes }) },
    });
  } finally {
    await Promise.all([bare.stop(), site.stop()]);
  }
}

async function scrape(program: Program, url: string, wanted: string): Promise<void> {
  const scraped = (await program.ask("POST", "/web/scrape", { url, timeout: scrapeMs })) as Scraped;
  const { engine } = scraped.data.metadata;
  if (engine !== wanted) throw new Error(`a page was read by ${engine}, not ${wanted}`);
}

/** Of the interface. */
interface Scraped {
  data: { metadata: { engine: string } };
}

async function compareCrawls(
  { name, scripts, engine, pages }: Work,
  program: Program,
  browser: PeerBrowser,
  crawl4ai?: Crawl4ai,
): Promise<Outcome[]> {
  await installPeers();
  const site = await startHelper<never, string>("crawl-site.process.ts", [scripts, String(pages)]);
  const crawlee =
    engine === "http"
      ? await startHelper<object, number>("peers/cheerio-crawl.process.js")
      : await startHelper<object, number>("peers/puppeteer-crawl.process.js", [JSON.stringify(browser)]);
  const job = { url: site.first, pages };
  const peerJob = { ...job, concurrency: lanes };
  try {
    return await measure(name, pages, {
      magpie: { pids: [program.pid], run: () => crawlRate(program, job, engine) },
      ...(crawl4ai && { Crawl4AI: { pids: crawl4ai.pids, run: () => crawl4ai.ask(peerJob) } }),
      Crawlee: { pids: [crawlee.pid], run: () => crawlee.ask(peerJob) },
    });
  } finally {
    await Promise.all([crawlee.stop(), site.stop()]);
  }
}

/** `run` answers pages per second. */
type Side = Pick<WholeSide, "pids"> & { run(): Promise<number> };

async function measure(
  what: string,
  pages: number,
  sides: { magpie: Side } & Record<string, Side>,
): Promise<Outcome[]> {
  const whole = Object.entries<Side>(sides).map(([name, { pids, run }]) => {
    const side: WholeSide = { pids, run: async () => ({ units: pages, perSecond: await run() }) };
    return [name, side];
  });
  const measured: Record<string, Cost[]> = await costsOf(rounds, Object.fromEntries(whole));
  const { magpie: ours = [], ...others } = measured;
  return Object.entries(others).map(([name, theirs]) => ({
    line: `peers: ${what}: magpie ${showCosts(ours, "page")}; ${name} ${showCosts(theirs, "page")}; ratio ${ratioOfCosts(ours, theirs, "perSecond").toFixed(2)}, of CPU ${ratioOfCosts(ours, theirs, "cpuMs").toFixed(2)}, of memory ${ratioOfCosts(ours, theirs, "peakMb").toFixed(2)}`,
  }));
}
