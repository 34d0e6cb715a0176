import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { removeFolder } from "../../support/folders.ts";
import { expectCrawl } from "../../support/generated-site/expect-crawl.ts";
import { type Ask, beginCrawl, followCrawl } from "../../support/generated-site/follow-crawl.ts";
import { type CrawlEnd, judgeCrawl } from "../../support/generated-site/judge-crawl.ts";
import { type ServedSite, serveSite, type Visit } from "../../support/generated-site/serve.ts";
import { generateSite } from "../../support/generated-site.ts";
import { withoutBrowser } from "../../support/start-args.ts";
import { ServiceProcess } from "../deliveries/service-process.ts";
import { type Random, seeded } from "../random.ts";

export interface KilledCrawl {
  seed: number;
  pages: number;
  kills: number;
  /** Pages at a time; 8 unless told. */
  concurrency?: number;
  /** No limit unless told. */
  limit?: number;
}

export interface Outcome {
  end: CrawlEnd;
  /** Kills that came while the crawl went on. */
  kills: number;
  /** Pages that were fetched once more because a kill came while they were in flight. */
  again: number;
  /** Everything that is not as it must be, in sentences. */
  wrong: string[];
}

const timeoutMs = 300_000;

/** Crawls a generated site while the service is killed with SIGKILL, after as many pages as the seed tells. */
export async function killedCrawl(options: KilledCrawl): Promise<Outcome> {
  const { seed, pages, kills, concurrency = 8, limit = 100_000 } = options;
  // Pages that are taken at a time are twice those that are read.
  const inFlight = 2 * concurrency;
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-crawls-"));
  const graph = generateSite({ seed, pages });
  const env = {
    ...withoutBrowser,
    CRAWL_CONCURRENCY: String(concurrency),
    CRAWL_HOST_CONCURRENCY: String(concurrency),
  };
  const service = new ServiceProcess(dataDir, env);
  const site = await serveSite(graph, { life: () => service.epoch, slowMs: 100 });
  try {
    await service.start();
    const ask = await askUntilAnswered(service);
    const id = await beginCrawl(ask, site.origin + graph.entry, { limit });
    const share = Math.max(2 * (Math.min(pages, limit) / (kills + 1) - inFlight), 2);
    let isOver = false;
    const following = followCrawl(ask, id).finally(() => {
      isOver = true;
    });
    const plan = { random: seeded(seed), kills, share, inFlight, isOver: () => isOver };
    const [end, made] = await Promise.all([following, killAgainAndAgain(service, site, plan)]);
    const wrong = judgeCrawl(graph, expectCrawl(graph), site.visits, end, { limit, inFlight });
    if (made === 0 && kills > 0) wrong.push("the crawl ended before the service was killed once");
    return { end, kills: made, again: repeats(site), wrong };
  } finally {
    await service.close();
    await site.close();
    await removeFolder(dataDir);
  }
}

/** Asks as a key of its own, and again when the service is away. */
async function askUntilAnswered(service: ServiceProcess): Promise<Ask> {
  const limits = { requestsPerMinute: 1_000_000 };
  const made = await service.admin("POST", "/internal/keys", { owner: "ann", name: "crawls", limits });
  const { key } = (made as { data: { key: string } }).data;
  return async (method, path, body) => {
    const giveUpAt = Date.now() + timeoutMs;
    for (;;) {
      try {
        return await service.as(key, method, path, body);
      } catch (error) {
        if (Date.now() > giveUpAt) throw error;
        await delay(100);
      }
    }
  };
}

interface KillPlan {
  random: Random;
  kills: number;
  share: number;
  inFlight: number;
  isOver(): boolean;
}

/**
 * Each life is killed after it has read more pages than it may have under way, so that one of them has ended, and up to
 * its share beyond that: a job that ends its workers again and again without coming on is given up, as it must be. The
 * last life is left alone.
 */
async function killAgainAndAgain(
  service: ServiceProcess,
  { visits }: ServedSite,
  { random, kills, share, inFlight, isOver }: KillPlan,
): Promise<number> {
  let made = 0;
  for (; made < kills; made += 1) {
    const enough = pagesOf(visits) + inFlight + 1 + Math.floor(random() * share);
    while (pagesOf(visits) < enough && !isOver()) await delay(5);
    if (isOver()) break;
    await delay(random() * 30);
    await service.kill();
    await service.start();
  }
  return made;
}

function pagesOf(visits: Visit[]): number {
  return visits.filter(({ id }) => id !== null).length;
}

function repeats({ visits }: ServedSite): number {
  const before = new Map<string, number>();
  return visits.filter(({ id, life }) => {
    const earlier = id === null ? undefined : before.get(id);
    if (id !== null) before.set(id, life);
    return earlier !== undefined && earlier < life;
  }).length;
}
