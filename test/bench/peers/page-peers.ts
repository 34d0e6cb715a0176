import { type Helper, startHelper, startLineHelper } from "../child.ts";
import type { PeerBrowser } from "../rendered.bench.ts";
import { startCrawl4ai } from "./crawl4ai.ts";
import { installPeers } from "./install.ts";
import { buildWithCargo } from "./install-with-cargo.ts";
import { buildWithGo } from "./install-with-go.ts";

/** Pages to scrape, or a site to crawl so many times. */
export type PeerJob =
  | { urls: string[]; lanes: number }
  | { url: string; pages: number; concurrency: number; times: number };

/** A program beside Magpie, which makes Markdown of pages. */
export interface PagePeer {
  /** With all that they have started. */
  pids: number[];
  /** How often it does the work in a round: what takes less than a second is too short to be measured. */
  times: number;
  /** Pages per second. */
  ask(job: PeerJob): Promise<number>;
  stop(): Promise<void>;
}

/** By name; each installs what it needs, and throws where that is not to be had. */
export type PagePeers = Record<string, (browser: PeerBrowser) => Promise<PagePeer>>;

/** They need no browser. */
type PlainPeers = Record<string, () => Promise<PagePeer>>;

const repeats = 4;

/** Of plain pages. */
const goPeers: PlainPeers = {
  "colly + html-to-markdown": async () => onlyOne(await startGo("whole"), repeats),
  "colly + go-readability + html-to-markdown": async () => onlyOne(await startGo("readability"), repeats),
};

export const plainScrapers: PlainPeers = {
  Crawl4AI: () => crawl4ai(),
  "undici + node-html-markdown": async () => onlyOne(await startHelper("bare-plain.process.ts"), repeats),
  ...goPeers,
};

export const renderedScrapers: PagePeers = {
  Crawl4AI: browser => crawl4ai(browser),
  "Puppeteer + node-html-markdown": async browser =>
    onlyOne(await startHelper("bare-render.process.ts", ["markdown", JSON.stringify(browser)])),
};

export const plainCrawlers: PagePeers = {
  Crawl4AI: () => crawl4ai(),
  Crawlee: async () => {
    await installPeers();
    return onlyOne(await startHelper("peers/cheerio-crawl.process.js"));
  },
  ...goPeers,
  "spider + spider_transformations": async () => onlyOne(await startSpider(), repeats),
};

export const renderedCrawlers: PagePeers = {
  Crawl4AI: browser => crawl4ai(browser),
  Crawlee: async browser => {
    await installPeers();
    return onlyOne(await startHelper("peers/puppeteer-crawl.process.js", [JSON.stringify(browser)]));
  },
};

async function crawl4ai(browser?: PeerBrowser): Promise<PagePeer> {
  return { ...(await startCrawl4ai(browser)), times: 1 };
}

async function startGo(reader: string): Promise<Helper<PeerJob, number>> {
  return startLineHelper(await buildWithGo("go-pages"), [reader], { HOME: import.meta.dirname });
}

async function startSpider(): Promise<Helper<PeerJob, number>> {
  return startLineHelper(await buildWithCargo("spider-crawl"), [], { HOME: import.meta.dirname });
}

function onlyOne({ pid, ask, stop }: Helper<PeerJob, number>, times = 1): PagePeer {
  return { pids: [pid], times, ask, stop };
}
