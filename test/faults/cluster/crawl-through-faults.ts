import { setTimeout as delay } from "node:timers/promises";
import { expectCrawl } from "../../support/generated-site/expect-crawl.ts";
import { beginCrawl, followCrawl } from "../../support/generated-site/follow-crawl.ts";
import { type CrawlEnd, judgeCrawl } from "../../support/generated-site/judge-crawl.ts";
import { type ServedSite, serveSite } from "../../support/generated-site/serve.ts";
import { generateSite } from "../../support/generated-site.ts";
import { startReceiver } from "../../support/receiver.ts";
import { seeded } from "../random.ts";
import { look, type World as Scrapes, sendScrapes, watchScrapes } from "../scrapes/clients.ts";
import { noticesOf, startPages } from "../scrapes/kill-scrapes.ts";
import { ScrapeLedger, type Verdict } from "../scrapes/ledger.ts";
import { startFaultCluster } from "./fault-cluster.ts";
import { Faults } from "./faults.ts";
import { Gateways } from "./gateways.ts";
import type { Fault } from "./plan-faults.ts";

const concurrency = 4;
/** Pages that are taken at a time are twice those that are read; so each fault may have them fetched again. */
const inFlight = 2 * concurrency;
const settleMs = 400_000;

export interface Run {
  seed: number;
  pages: number;
  /** No limit unless told. */
  limit?: number;
  faults: Iterable<Fault>;
  /** Between two of them, on average. */
  gapMs: number;
  log?: string | undefined;
}

export interface Outcome {
  faults: number;
  crawls: CrawlEnd[];
  /** Pages that were fetched once more after a fault. */
  again: number;
  scrapes: Verdict;
  wrong: string[];
}

interface Crawled {
  end: CrawlEnd;
  again: number;
  wrong: string[];
}

/** Crawls generated sites, one after the other, and sends scrapes while a cluster suffers faults. */
export async function crawlThroughFaults(run: Run): Promise<Outcome> {
  const env = { CRAWL_CONCURRENCY: String(concurrency), CRAWL_HOST_CONCURRENCY: String(concurrency) };
  const cluster = await startFaultCluster(env, run.log);
  const random = seeded(run.seed);
  const [faults, gateways] = [new Faults(cluster, seeded(run.seed + 1)), new Gateways(cluster)];
  const [pages, receiver] = [await startPages(random), await startReceiver()];
  const stop = new AbortController();
  try {
    const apiKey = await newKey(gateways);
    const place = { service: gateways, site: pages.url, hook: receiver.url };
    const scrapes = { ...place, random, apiKey, ledger: new ScrapeLedger() };
    const others = Promise.all([
      // Two at a time, so that both crawlers have work.
      crawlOn(run, gateways, apiKey, faults, stop.signal),
      crawlOn({ ...run, seed: run.seed + 50 }, gateways, apiKey, faults, stop.signal),
      sendScrapes(scrapes, `s${run.seed}`, stop.signal),
      watchScrapes(scrapes, stop.signal),
    ]);
    await faults.makeAll(run.faults, run.gapMs, others).finally(() => stop.abort());
    const [some, more] = await others;
    const crawls = [...some, ...more];
    await settle(scrapes, () => noticesOf(receiver));
    const judged = scrapes.ledger.judge(noticesOf(receiver));
    return {
      faults: faults.done.length,
      crawls: crawls.map(({ end }) => end),
      again: crawls.reduce((sum, { again }) => sum + again, 0),
      scrapes: judged,
      wrong: [...crawls.flatMap(({ wrong }) => wrong), ...judged.wrong, ...gateways.wrong, ...cluster.deaths],
    };
  } finally {
    stop.abort();
    await cluster.stop();
    await Promise.all([pages.close(), receiver.close()]);
  }
}

async function newKey(gateways: Gateways): Promise<string> {
  const limits = { requestsPerMinute: 1_000_000 };
  const made = await gateways.admin("POST", "/internal/keys", { owner: "ann", name: "crawls", limits });
  return (made as { data: { key: string } }).data.key;
}

/** One crawl after the other until the signal; the last one comes to its end. */
async function crawlOn(
  run: Run,
  gateways: Gateways,
  apiKey: string,
  faults: Faults,
  signal: AbortSignal,
): Promise<Crawled[]> {
  const crawls: Crawled[] = [];
  for (let n = 0; !signal.aborted; n += 1) {
    // Every second one has the limit.
    const limit = n % 2 === 0 ? (run.limit ?? 100_000) : 100_000;
    crawls.push(await crawlOnce({ ...run, seed: run.seed * 100 + n, limit }, gateways, apiKey, faults));
  }
  return crawls;
}

async function crawlOnce(
  { seed, pages, limit }: Run & { limit: number },
  gateways: Gateways,
  apiKey: string,
  faults: Faults,
): Promise<Crawled> {
  const graph = generateSite({ seed, pages });
  const [first, lives] = [faults.done.length, new Lives(faults)];
  const site = await serveSite(graph, { life: () => lives.next(), slowMs: 100 });
  try {
    const ask = (method: string, path: string, body?: object) => gateways.as(apiKey, method, path, body);
    const id = await beginCrawl(ask, site.origin + graph.entry, { limit });
    const end = await followCrawl(ask, id);
    const again = repeats(site);
    const suffered = faults.done.length - first + 1;
    const wrong = judgeCrawl(graph, expectCrawl(graph), site.visits, end, { limit, inFlight });
    if (again > suffered * inFlight) wrong.push(`${again} pages came again over ${suffered} faults`);
    return { end, again, wrong: wrong.map(text => `crawl of site ${seed}: ${text}`) };
  } finally {
    await site.close();
  }
}

/** In times of trouble a page may be fetched anew at any moment, so that each visit is in a life of its own. */
class Lives {
  readonly #faults: Faults;
  #life = 0;
  #wasTrouble = false;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  next(): number {
    const { isTrouble } = this.#faults;
    if (isTrouble || this.#wasTrouble) this.#life += 1;
    this.#wasTrouble = isTrouble;
    return this.#life;
  }
}

/** Of what was not turned away. */
function repeats({ visits }: ServedSite): number {
  const answered = visits.filter(({ id, status }) => id !== null && status !== 429 && status !== 503);
  return answered.length - new Set(answered.map(({ id }) => id)).size;
}

/** Until all has ended and been told, or the time is over; then once more, to see whether it stays so. */
async function settle(scrapes: Scrapes, notices: () => ReturnType<typeof noticesOf>): Promise<void> {
  const { ledger } = scrapes;
  const deadline = Date.now() + settleMs;
  const isSettled = () =>
    ledger.ids.every(id => ledger.hasEnded(id)) && ledger.untold(notices()).length === 0;
  while (!isSettled() && Date.now() < deadline) {
    for (const id of ledger.ids) if (!ledger.hasEnded(id)) await look(scrapes, id);
    await delay(500);
  }
  for (const id of ledger.ids) await look(scrapes, id);
}
