import { browserArguments } from "../../mixins/browser/browser-process.ts";
import { findBrowser } from "../../mixins/browser/find-browser.ts";
import { startHelper } from "./child.ts";
import { type Bench, type Outcome, rate } from "./compare.ts";
import { crawlRate } from "./crawl-run.ts";
import { benchPages, type Script } from "./pages.ts";
import {
  type PagePeer,
  type PagePeers,
  plainCrawlers,
  plainScrapers,
  renderedCrawlers,
  renderedScrapers,
} from "./peers/page-peers.ts";
import { type Program, startProgram } from "./program.ts";
import type { PeerBrowser } from "./rendered.bench.ts";
import { type Cost, costsOf, ratioOfCosts, showCosts, type WholeSide } from "./whole-side.ts";

const lanes = 4;
const rounds = 5;
/** Of each side: compilers and caches do in the first minute what a service then needs no more. */
const warmUps = 3;
/** About as long as the peers wait for a page. */
const scrapeMs = 55_000;

/** One kind of work, which all sides do in turn. */
interface Work {
  name: string;
  scripts: Script;
  engine: "http" | "browser";
  /** Of a round of the slowest, and how often Magpie does as much. */
  pages: number;
  times: number;
  peers: PagePeers;
}

type Sides = (work: Work, program: Program, peers: Map<string, PagePeer>, origin: string) => SidesByName;
type SidesByName = Record<string, WholeSide>;

/** Magpie and programs of others on the same pages, four at a time: pages per second, CPU time a page, memory. */
export const peers: Record<string, Bench> = {
  "peers-plain": bench(scraping, {
    name: "plain scrapes",
    scripts: "none",
    engine: "http",
    pages: 60,
    times: 4,
    peers: plainScrapers,
  }),
  "peers-rendered": bench(scraping, {
    name: "rendered scrapes",
    scripts: "own",
    engine: "browser",
    pages: 15,
    times: 2,
    peers: renderedScrapers,
  }),
  "peers-crawl": bench(crawling, {
    name: "plain crawl",
    scripts: "none",
    engine: "http",
    pages: 100,
    times: 2,
    peers: plainCrawlers,
  }),
  "peers-crawl-rendered": bench(crawling, {
    name: "rendered crawl",
    scripts: "own",
    engine: "browser",
    pages: 20,
    times: 1,
    peers: renderedCrawlers,
  }),
};

function bench(sides: Sides, work: Work): Bench {
  return async () => {
    const { started, passedOver } = await startPeers(work);
    const site =
      sides === scraping
        ? await startHelper<never, string>("site.process.ts")
        : await startHelper<never, string>("crawl-site.process.ts", [work.scripts, String(work.pages)]);
    const program = await startProgram([], {
      CRAWL_CONCURRENCY: String(lanes),
      CRAWL_HOST_CONCURRENCY: String(lanes),
      BROWSER_PAGES: String(lanes),
    });
    try {
      const besideOthers = sides(work, program, started, site.first);
      for (let n = 1; n < warmUps; n += 1) for (const each of Object.values(besideOthers)) await each.run();
      // Its first round warms up as well.
      const costs = await costsOf(rounds, besideOthers);
      return [...passedOver, ...outcomes(work.name, costs)];
    } finally {
      await Promise.all([program.stop(), ...[...started.values()].map(peer => peer.stop()), site.stop()]);
    }
  };
}

/** Those that can be installed, and a line for each of the others. */
async function startPeers({ peers }: Work) {
  const browser = await peerBrowser();
  const started = new Map<string, PagePeer>();
  const passedOver: Outcome[] = [];
  for (const [name, start] of Object.entries(peers))
    try {
      started.set(name, await start(browser));
    } catch (error) {
      passedOver.push({ line: `peers: ${name} was passed over: ${(error as Error).message}` });
    }
  return { started, passedOver };
}

/** Magpie's browser with its flags, but for those that lead all traffic to a proxy. */
async function peerBrowser(): Promise<PeerBrowser> {
  const machine = { searchPath: process.env.PATH ?? "", dataDir: "data" };
  const binary = await findBrowser(process.env.BROWSER_PATH, machine);
  if (binary === undefined) throw new Error("no browser on this machine");
  return { ...binary, flags: browserArguments.filter(flag => !flag.startsWith("--proxy-")) };
}

function scraping(
  { scripts, engine, pages, times }: Work,
  program: Program,
  peers: Map<string, PagePeer>,
  origin: string,
): SidesByName {
  const set = benchPages(scripts).map(({ path }) => origin + path);
  const urlsOf = (count: number) => Array.from({ length: count }, (_, n) => set[n % set.length] ?? "");
  const ours = urlsOf(pages * times);
  return {
    magpie: side([program.pid], ours.length, () => rate(ours, lanes, url => scrape(program, url, engine))),
    ...besides(peers, ({ pids, times: theirs, ask }) =>
      side(pids, pages * theirs, () => ask({ urls: urlsOf(pages * theirs), lanes })),
    ),
  };
}

function crawling(
  { engine, pages, times: ourTimes }: Work,
  program: Program,
  peers: Map<string, PagePeer>,
  url: string,
): SidesByName {
  return {
    magpie: side([program.pid], pages * ourTimes, async () => {
      const perSecond = [];
      for (let n = 0; n < ourTimes; n += 1) perSecond.push(await crawlRate(program, { url, pages }, engine));
      return harmonicMean(perSecond);
    }),
    ...besides(peers, ({ pids, times, ask }) =>
      side(pids, pages * times, () => ask({ url, pages, concurrency: lanes, times })),
    ),
  };
}

function besides(peers: Map<string, PagePeer>, make: (peer: PagePeer) => WholeSide): SidesByName {
  return Object.fromEntries([...peers].map(([name, peer]) => [name, make(peer)]));
}

function side(pids: number[], units: number, run: () => Promise<number>): WholeSide {
  return { pids, run: async () => ({ units, perSecond: await run() }) };
}

/** Of crawls of equal size, one after the other. */
function harmonicMean(rates: number[]): number {
  return rates.length / rates.reduce((sum, each) => sum + 1 / each, 0);
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

function outcomes(what: string, { magpie: ours = [], ...others }: Record<string, Cost[]>): Outcome[] {
  const ratio = (theirs: Cost[], key: keyof Cost) => ratioOfCosts(ours, theirs, key).toFixed(2);
  return [
    { line: `peers: ${what}: magpie ${showCosts(ours, "page")}` },
    ...Object.entries(others).map(([name, theirs]) => ({
      line: `peers: ${what}: ${name} ${showCosts(theirs, "page")}; ratio ${ratio(theirs, "perSecond")}, of CPU ${ratio(theirs, "cpuMs")}, of memory ${ratio(theirs, "peakMb")}`,
    })),
  ];
}
