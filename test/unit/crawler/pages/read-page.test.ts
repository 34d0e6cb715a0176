import { FairSemaphore } from "../../../../mixins/async/fair-semaphore.ts";
import { KeyQuotas, type Quotas } from "../../../../mixins/clients/quotas.ts";
import { openEmbeddedHostPoliteness } from "../../../../mixins/coordination/host-politeness/embedded.host-politeness.ts";
import { HostQueues } from "../../../../mixins/coordination/host-politeness/host-queues.ts";
import type { FetchedDocument } from "../../../../mixins/egress/fetch-document.ts";
import { noFacts } from "../../../../reader/metadata/read-metadata.ts";
import { fail } from "../../../../services/contracts/errors.ts";
import { type CrawledPage, endedNode } from "../../../../services/contracts/page-reads.contract.ts";
import { LimitedHosts } from "../../../../services/crawler/pages/limited-hosts.ts";
import { type PageReader, type Reading, readPage } from "../../../../services/crawler/pages/read-page.ts";
import { RobotsCache } from "../../../../services/crawler/robots/robots-cache.ts";
import { noQuotas } from "../../../support/no-quotas.ts";

const { signal } = new AbortController();
const url = "https://site.test/page";

function document(status: number, body: string | Buffer = ""): FetchedDocument {
  const common = { url, canonicalUrl: url, headers: {}, contentType: "text/plain" };
  return { ...common, status, body: Buffer.from(body) };
}

function answer(status: number, retryAfterMs: number | null = null): CrawledPage {
  const metadata = {
    ...{ ...noFacts, content_type: "text/html", word_count: 0 },
    ...{ status_code: status, final_url: url, engine: "http" as const, proxy_location: null },
  };
  return { kind: "page", data: { metadata }, links: [], nofollow: false, retryAfterMs };
}

/** Reads a page of a site whose scraper answers so, one answer after another. */
async function read(
  answers: (CrawledPage | Error)[],
  tries = 0,
  robots = document(404),
  quotas: Quotas = noQuotas,
): Promise<Reading> {
  const errors: unknown[] = [];
  const context = {
    quotas,
    crawlPage: async () => {
      const next = answers.shift();
      if (!next || next instanceof Error) throw next ?? new Error("asked too often");
      return next;
    },
    hosts: new HostQueues(
      openEmbeddedHostPoliteness(() => 0),
      { width: 2 },
    ),
    scraperSlots: new FairSemaphore({ width: 2 }),
    leases,
    onError: (event: string) => errors.push(event),
  };
  const crawl = { _id: "crw", request: { crawler: {}, output: {}, request: {}, js_render: {}, proxy: {} } };
  const visits = {
    context,
    crawl,
    confirmOwnership: async () => undefined,
    robots: new RobotsCache(async () => robots, signal),
    limits: new LimitedHosts(() => 0),
    signal,
    stopSignal: signal,
  };
  const claim = { key: "site.test/page", url, depth: 0, hops: 0, from: null, external: false, tries };
  return await readPage(claim, visits as unknown as PageReader);
}

/** Those of the installation: one suspect is read at a time. */
const suspects = new FairSemaphore({ width: 1 });
const leases = {
  wait: async (name: string) => ({ release: await suspects.acquire(name, signal) }),
};

/** As the bus reports a node that has died, of one that stops, and of one that an error of this page has ended. */
const died = Object.assign(new Error("gone"), { code: 503, type: "REQUEST_REJECTED" });
const stopped = Object.assign(new Error("gone"), { ...died, nodeID: "scraper-1" });
const ended = Object.assign(new Error("gone"), { code: 500, type: endedNode, nodeID: "scraper-1" });
const gaveUp = {
  kind: "failed",
  error: { code: "internal_error", message: expect.stringMatching("given up") },
};

const serviceGone = Object.assign(new Error("gone"), { code: 404, type: "SERVICE_NOT_FOUND" });
const linkGone = Object.assign(new Error("gone"), { code: 502, type: "BAD_GATEWAY" });
const late = Object.assign(new Error("late"), { code: 504, type: "REQUEST_TIMEOUT" });

test.each<[string, (CrawledPage | Error)[], number, object]>([
  ["a page", [answer(200)], 0, { kind: "page" }],
  ["a page of an error", [answer(404)], 0, { kind: "page" }],
  [
    "a redirect",
    [{ kind: "redirect", url: "https://site.test/b" }],
    0,
    { kind: "redirect", url: "https://site.test/b" },
  ],
  ["429", [answer(429)], 0, { kind: "postponed", forMs: 2000, isTry: false }],
  ["429 after any number of tries", [answer(429)], 9, { kind: "postponed", forMs: 2000, isTry: false }],
  ["429 that names a time", [answer(429, 9000)], 1, { kind: "postponed", forMs: 18_000, isTry: false }],
  ["429 that names an hour", [answer(429, 3_600_000)], 0, { kind: "postponed", forMs: 3_610_000 }],
  [
    "429 that names a day",
    [answer(429, 86_400_000)],
    0,
    {
      kind: "failed",
      error: { code: "upstream_error", message: expect.stringMatching(/429 .*more than an hour/) },
      statusCode: 429,
    },
  ],
  ["503 that names a time", [answer(503, 9000)], 2, { kind: "postponed", forMs: 18_000, isTry: false }],
  ["503 at second", [answer(503)], 1, { kind: "postponed", forMs: 4000, isTry: true }],
  ["503 at third", [answer(503)], 2, { kind: "failed", error: { code: "upstream_error" }, statusCode: 503 }],
  [
    "what is no page",
    [fail("unsupported_media_type", "No page.")],
    0,
    { kind: "skipped", code: "unsupported_media_type" },
  ],
  [
    "a wall",
    [fail("target_blocked", "A wall.")],
    0,
    { kind: "failed", error: { code: "target_blocked", message: "A wall." } },
  ],
  [
    "a scraper that had no browser for what it had fetched",
    [fail("overloaded", "None.")],
    0,
    { kind: "failed", error: { code: "overloaded", message: "None." } },
  ],
  ["a scraper that is away at first", [serviceGone, linkGone, answer(200)], 0, { kind: "page" }],
  ["scrapers that die twice", [died, died, answer(200)], 0, { kind: "page" }],
  ["scrapers that die again and again", [died, died, died], 0, gaveUp],
  ["scrapers that stop", [stopped, stopped, stopped, answer(200)], 0, { kind: "page" }],
  ["a scraper that an error of the page has ended", [ended, answer(200)], 0, { kind: "page" }],
  ["two of them", [ended, ended], 0, gaveUp],
  ["a scraper that does not answer", [late], 0, { kind: "failed", error: { code: "scrape_timeout" } }],
  [
    "a broken scraper",
    [new Error("secret")],
    0,
    { kind: "failed", error: { code: "internal_error", message: "The page could not be read." } },
  ],
])("%s", async (_, answers, tries, expected) => {
  expect(await read(answers, tries)).toMatchObject(expected);
  expect(answers).toEqual([]);
});

test("a page waits while the keys service is away, for its charge and for that of its browser", async () => {
  const answers = [serviceGone, serviceGone, { granted: ["a"], refused: null, quotas: [] }];
  const call = async () => {
    const next = answers.shift();
    if (!next || next instanceof Error) throw next ?? new Error("asked too often");
    return next;
  };
  const keys = KeyQuotas.through({ call } as never);
  const uncharged: Error = await keys.charge("key_1", []).catch(error => error);
  const quotas = { ...noQuotas, has: () => true, charge: keys.charge.bind(keys) };
  const charged = { ...quotas, charge: async () => ({ granted: ["a"], refused: null, quotas: [] }) };
  expect(await read([answer(200)], 0, document(404), quotas)).toMatchObject({ kind: "page" });
  expect(await read([uncharged, answer(200)], 0, document(404), charged)).toMatchObject({ kind: "page" });
  expect(answers).toEqual([]);
});

test("a page that robots.txt closes is not asked for", async () => {
  const robots = document(200, "User-agent: *\nDisallow: /page");
  expect(await read([], 0, robots)).toMatchObject({ kind: "skipped", code: "robots" });
});

describe("robots.txt", () => {
  const bookOf = (answers: (FetchedDocument | Error)[]) => {
    const asked: string[] = [];
    const get = async (from: string) => {
      asked.push(from);
      const next = answers.shift() ?? new Error("asked too often");
      if (next instanceof Error) throw next;
      return next;
    };
    const clock = { now: 0 };
    return { asked, clock, book: new RobotsCache(get, signal, () => clock.now) };
  };

  test("is asked for once per host, however many pages want it", async () => {
    const { asked, book } = bookOf([document(404), document(404)]);
    await Promise.all([1, 2, 3].map(n => book.rulesFor(`${url}/${n}`)));
    await book.rulesFor("https://other.test/");
    expect(asked).toEqual(["https://site.test/robots.txt", "https://other.test/robots.txt"]);
  });

  test("is asked for again when the server fails", async () => {
    const { book } = bookOf([document(503), document(200, "User-agent: *\nDisallow: /x")]);
    const found = await book.rulesFor(url);
    expect("rules" in found && [found.rules.allows(url), found.rules.allows("https://site.test/x")]).toEqual([
      true,
      false,
    ]);
  });

  test("is asked for again when the connection breaks, and the failure is forgotten after a while", async () => {
    const reset = fail("target_unreachable", "The site refused or broke the connection.");
    const { book, asked, clock } = bookOf([reset, reset, reset, reset, document(404)]);
    expect(await book.rulesFor(url)).toMatchObject({ failure: reset });
    expect(await book.rulesFor(url)).toMatchObject({ failure: reset });
    expect(asked).toHaveLength(3);
    clock.now += 61_000;
    expect(await book.rulesFor(url)).toHaveProperty("rules");
    clock.now += 61_000;
    await book.rulesFor(url);
    expect(asked).toHaveLength(5);
  }, 20_000);

  test("a robots.txt that redirects without end forbids nothing; a host that is not there fails", async () => {
    const gone = fail(
      "target_unreachable",
      "No name.",
      {},
      Object.assign(new Error(), { code: "ENOTFOUND" }),
    );
    const { book } = bookOf([fail("upstream_error", "In a loop."), gone]);
    const endless = await book.rulesFor(url);
    expect("rules" in endless && endless.rules.allows(url)).toBe(true);
    expect(await book.rulesFor("https://away.test/")).toMatchObject({ failure: gone });
  });
});

test("a run that has lost its crawl requests no page", async () => {
  const asked: string[] = [];
  const context = {
    quotas: noQuotas,
    crawlPage: async () => asked.push("page"),
    hosts: new HostQueues(openEmbeddedHostPoliteness(), { width: 2 }),
    scraperSlots: new FairSemaphore({ width: 2 }),
  };
  const robots = new RobotsCache(async () => document(404), signal);
  const confirmOwnership = () => Promise.reject(fail("conflict", "Another run has it."));
  const limits = new LimitedHosts(() => 0);
  const visits = {
    ...{ context, crawl: { _id: "crw", request: { crawler: {} } }, robots, limits, confirmOwnership },
    ...{ signal, stopSignal: signal },
  };
  const claim = { key: "site.test/page", url, depth: 0, hops: 0, from: null, external: false, tries: 0 };
  await expect(readPage(claim, visits as unknown as PageReader)).rejects.toMatchObject({ type: "conflict" });
  expect(asked).toEqual([]);
});

test.each([
  [undefined, 2, 2000],
  [0, undefined, 0],
  [0.5, undefined, 500],
  [1, 3, 3000],
  [5, 3, 5000],
  [60, 100, 60_000],
])(
  "requests of a crawl with the delay %p to a host with the Crawl-delay %p are %i ms apart",
  async (delay, own, ms) => {
    const spacings: number[] = [];
    const hosts = {
      request: async ({ spacingMs }: { spacingMs: number }) => {
        spacings.push(spacingMs);
        return answer(200);
      },
    };
    const rules =
      own === undefined
        ? document(404)
        : { ...document(200), body: Buffer.from(`User-agent: *\nCrawl-delay: ${own}`) };
    const visits = {
      context: { hosts },
      ...{ crawl: { _id: "crw", request: { crawler: { delay } } }, signal, stopSignal: signal },
      ...{ robots: new RobotsCache(async () => rules, signal), limits: new LimitedHosts(() => 0) },
    };
    const claim = { key: "site.test/page", url, depth: 0, hops: 0, from: null, external: false, tries: 0 };
    expect(await readPage(claim, visits as unknown as PageReader)).toMatchObject({ kind: "page" });
    expect(spacings).toEqual([ms]);
  },
);

test("a page whose robots.txt is refused leaves its place to pages of other hosts", async () => {
  const limits = new LimitedHosts(() => 0);
  const robots = new RobotsCache(() => new Promise<never>(() => undefined), signal);
  const visits = { crawl: { _id: "crw" }, robots, limits, stopSignal: signal } as unknown as PageReader;
  const claim = { key: "site.test/page", url, depth: 0, hops: 0, from: null, external: false, tries: 0 };
  const waiting = readPage(claim, visits);
  limits.refused("https://site.test/robots.txt", { status: 429, retryAfterMs: 5000 });
  const postponed = { kind: "postponed", forMs: 5000, isTry: false };
  expect(await waiting).toEqual(postponed);
  expect(await readPage(claim, visits)).toEqual(postponed);
});
