import { FairSemaphore } from "../../../../mixins/async/fair-semaphore.ts";
import { openEmbeddedHostPoliteness } from "../../../../mixins/coordination/host-politeness/embedded.host-politeness.ts";
import { HostQueues } from "../../../../mixins/coordination/host-politeness/host-queues.ts";
import { blameForCrash } from "../../../../mixins/runtime/crash-suspects.ts";
import { applyUpdate } from "../../../../mixins/store/apply-update.ts";
import type { Update } from "../../../../mixins/store/store.ts";
import type { CrawlerContext } from "../../../../services/crawler/context.ts";
import type { CrawlRun } from "../../../../services/crawler/crawl-run.ts";
import type { StoredCrawl } from "../../../../services/crawler/crawls.store.ts";
import {
  blameMarkedPage,
  countLeftover,
  readPageTracked,
} from "../../../../services/crawler/pages/crash-tracking.ts";
import { LimitedHosts } from "../../../../services/crawler/pages/limited-hosts.ts";
import { RobotsCache } from "../../../../services/crawler/robots/robots-cache.ts";
import { noQuotas } from "../../../support/no-quotas.ts";

const { signal } = new AbortController();
const concurrency = 4;
const page = claimOf("page");
const other = claimOf("other");
const culprit = {
  kind: "failed",
  error: { code: "internal_error", message: expect.stringContaining("died again and again") },
};

/** Called when the scraper is asked for a page. */
let onAsk: (url: string) => unknown;
let stored: StoredCrawl;
beforeEach(() => {
  onAsk = () => undefined;
  stored = {
    _id: "crw",
    request: { crawler: {}, output: {}, request: {}, js_render: {}, proxy: {} },
  } as unknown as StoredCrawl;
});

test("a page that an error names is read once more; named twice it fails, and the others are read", async () => {
  onAsk = url => url === page.url && blameForCrash(true);
  for (const _life of [1, 2]) expect(await readPageTracked(run(), page)).toMatchObject({ kind: "redirect" });
  onAsk = url => expect(url).toBe(other.url);
  expect(await readPageTracked(run(), page)).toEqual(culprit);
  expect(await readPageTracked(run(), other)).toMatchObject({ kind: "redirect" });
});

test("two pages that errors of one fall name are both accused, each once", async () => {
  onAsk = async () => {
    await Promise.all([blameForCrash(true), blameForCrash(false)]);
  };
  for (const _life of [1, 2]) {
    const both = run();
    await Promise.all([readPageTracked(both, page), readPageTracked(both, other)]);
  }
  for (const claim of [page, other]) expect(await readPageTracked(run(), claim)).toEqual(culprit);
});

test("an error that names no work accuses no page", async () => {
  const asked = Promise.withResolvers<void>();
  const blamed = Promise.withResolvers<void>();
  onAsk = () => {
    asked.resolve();
    return blamed.promise;
  };
  const reading = readPageTracked(run(), page);
  await asked.promise;
  await blameForCrash(true);
  blamed.resolve();
  await reading;
  expect(stored.accused).toBeUndefined();
});

test("a suspect marks the page that it reads: a death under it fails that page, none fails no page", async () => {
  const suspect = run({ isSuspect: true, leftovers: 2 });
  const marks: unknown[] = [];
  onAsk = () => marks.push(stored.reading);
  await readPageTracked(suspect, other);
  expect(marks).toEqual([other.key]);
  expect(await blameMarkedPage(suspect.context, "crw")).toBe(false);

  const atDeath = Promise.withResolvers<void>();
  onAsk = () => {
    atDeath.resolve();
    return new Promise(() => undefined);
  };
  void readPageTracked(suspect, page);
  await atDeath.promise;
  expect(await blameMarkedPage(suspect.context, "crw")).toBe(true);
  expect(await readPageTracked(run(), page)).toEqual(culprit);
  expect(await blameMarkedPage(suspect.context, "crw")).toBe(false);
});

test("past its leftovers a suspect marks no page and reads as many at a time as others", async () => {
  const suspect = run({ isSuspect: true, leftovers: 1 });
  countLeftover(suspect);
  onAsk = () => expect(stored.reading).toBeUndefined();
  expect(await readPageTracked(suspect, page)).toMatchObject({ kind: "redirect" });
  const gate = Promise.withResolvers<void>();
  const works = Array.from({ length: concurrency }, () =>
    suspect.pageSlots.run("", signal, () => gate.promise),
  );
  await Promise.resolve();
  expect(suspect.pageSlots.running).toBe(concurrency);
  gate.resolve();
  await Promise.all(works);
});

/** A run that has just read the crawl's record. */
function run({ isSuspect = false, leftovers = 0 } = {}): CrawlRun {
  const crawls = {
    findById: async () => structuredClone(stored),
    update: async (_id: string, update: Update<StoredCrawl>) => {
      stored = applyUpdate(stored, update);
      return stored;
    },
  };
  const context = {
    quotas: noQuotas,
    crawls,
    concurrency,
    crawlPage: async (_crawl: StoredCrawl, { url }: { url: string }) => {
      await onAsk(url);
      return { kind: "redirect", url: "https://site.test/" };
    },
    hosts: new HostQueues(
      openEmbeddedHostPoliteness(() => 0),
      { width: concurrency },
    ),
    scraperSlots: new FairSemaphore({ width: concurrency }),
    onError: () => undefined,
  } as unknown as CrawlerContext;
  const robots = new RobotsCache(async () => noRobots, signal);
  return {
    ...{ context, crawl: structuredClone(stored), options: {}, robots, leftovers, tools: { isSuspect } },
    ...{
      limits: new LimitedHosts(() => 0),
      pageSlots: new FairSemaphore({ width: 1 }),
      confirmOwnership: async () => undefined,
      signal,
      stopSignal: signal,
    },
  } as unknown as CrawlRun;
}

const noRobots = {
  ...{ url: "https://site.test/robots.txt", canonicalUrl: "https://site.test/robots.txt", headers: {} },
  ...{ contentType: "text/plain", status: 404, body: Buffer.alloc(0) },
};

function claimOf(name: string) {
  const url = `https://site.test/${name}.html`;
  return { key: `site.test/${name}.html`, url, depth: 0, hops: 0, from: null, external: false, tries: 0 };
}
