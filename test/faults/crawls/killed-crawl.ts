import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expectCrawl } from "../../support/generated-site/expect-crawl.ts";
import { type Ask, beginCrawl, followCrawl } from "../../support/generated-site/follow-crawl.ts";
import { type CrawlEnd, judgeCrawl } from "../../support/generated-site/judge-crawl.ts";
import { type ServedSite, serveSite, type Visit } from "../../support/generated-site/serve.ts";
import { generateSite } from "../../support/generated-site.ts";
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

const patienceMs = 300_000;

/** Crawls a generated site while the service is killed with SIGKILL, after as many pages as the seed tells. */
export async function killedCrawl(options: KilledCrawl): Promise<Outcome> {
  const { seed, pages, kills, concurrency = 8, limit = 100_000 } = options;
  // Pages that are taken at a time are twice those that are read.
  const inFlight = 2 * concurrency;
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-crawls-"));
  const graph = generateSite({ seed, pages });
  const env = { CRAWL_CONCURRENCY: String(concurrency), CRAWL_HOST_CONCURRENCY: String(concurrency) };
  const service = new ServiceProcess(dataDir, env);
  const site = await serveSite(graph, { life: () => service.epoch, slowMs: 100 });
  try {
    await service.start();
    const ask = await patientAsk(service);
    const id = await beginCrawl(ask, site.origin + graph.entry, { limit });
    const share = Math.max(2 * (Math.min(pages, limit) / (kills + 1) - inFlight), 2);
    const [end, made] = await Promise.all([
      followCrawl(ask, id),
      killAgainAndAgain(service, site, { random: seeded(seed), kills, share, inFlight }),
    ]);
    const wrong = judgeCrawl(graph, expectCrawl(graph), site.visits, end, { limit, inFlight });
    return { end, kills: made, again: repeats(site), wrong };
  } finally {
    await service.close();
    await site.close();
    rmSync(dataDir, { recursive: true });
  }
}

/** Asks as a key of its own, and again when the service is away. */
async function patientAsk(service: ServiceProcess): Promise<Ask> {
  const limits = { requestsPerMinute: 1_000_000 };
  const made = await service.admin("POST", "/internal/keys", { owner: "ann", name: "crawls", limits });
  const { key } = (made as { data: { key: string } }).data;
  return async (method, path, body) => {
    const giveUpAt = Date.now() + patienceMs;
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

/**
 * Each life is killed after it has read more pages than it may have under way, so that one of them has ended, and up to
 * its share beyond that: a job that ends its workers again and again without coming on is given up, as it must be. The
 * last life is left alone.
 */
async function killAgainAndAgain(
  service: ServiceProcess,
  { visits }: ServedSite,
  { random, kills, share, inFlight }: { random: Random; kills: number; share: number; inFlight: number },
): Promise<number> {
  let made = 0;
  for (; made < kills; made += 1) {
    const enough = pagesOf(visits) + inFlight + 1 + Math.floor(random() * share);
    const before = await untilQuietOr(() => pagesOf(visits) >= enough, visits);
    if (!before) break;
    await delay(random() * 30);
    await service.kill();
    await service.start();
  }
  return made;
}

function pagesOf(visits: Visit[]): number {
  return visits.filter(({ id }) => id !== null).length;
}

/** False when nothing has been fetched for a long time: the crawl is over. */
async function untilQuietOr(condition: () => boolean, visits: unknown[]): Promise<boolean> {
  let [count, since] = [visits.length, Date.now()];
  while (!condition()) {
    if (visits.length > count) [count, since] = [visits.length, Date.now()];
    if (Date.now() - since > 15_000) return false;
    await delay(5);
  }
  return true;
}

function repeats({ visits }: ServedSite): number {
  const before = new Map<string, number>();
  return visits.filter(({ id, life }) => {
    const earlier = id === null ? undefined : before.get(id);
    if (id !== null) before.set(id, life);
    return earlier !== undefined && earlier < life;
  }).length;
}
