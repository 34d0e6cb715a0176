import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { ConnectorTools } from "../../../services/connectors/connector.ts";
import { paceAfter } from "../../../services/connectors/feeds/feed-pace.ts";
import { pollFeed } from "../../../services/connectors/feeds/poll-feed.ts";
import { fail } from "../../../services/contracts/errors.ts";
import { digestFeed } from "../../../services/domain/feed/digest-feed.ts";
import { nextPollWithin } from "../../../services/domain/polling/poll-times.ts";
import { threadless } from "../../support/threadless.ts";

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const start = Date.parse("2026-03-02T00:00:00Z");
const url = "https://x.example/feed";

/** A server of a feed. Times are milliseconds since the epoch. */
interface Server {
  published: number[];
  shown: number;
  /** Elements of the channel. */
  hints?: string;
  headers?: Record<string, string>;
  /** It says that nothing has changed, whatever happened. */
  isDeceptive?: true;
  minIntervalMs?: number;
  days?: number;
}

interface Outcome {
  requestsADay: number;
  /** Of these, the ones answered with 304. */
  unchanged: number;
  lost: number;
  /** Minutes from publication to the poll that found it. */
  median: number;
  most: number;
}

/** Polls a feed in simulated time; what the first half of it teaches is not counted. */
async function simulate(server: Server): Promise<Outcome> {
  const { published, shown, hints = "", headers = {}, minIntervalMs = minute, days = 40 } = server;
  const random = seeded(7);
  const end = start + days * day;
  const from = start + (end - start) / 2;
  let [now, requests, unchanged] = [start, 0, 0];
  let state: Record<string, unknown> = {};
  const delays = new Map<number, number>();
  const fetchDocument = async (_: string, asked: Record<string, string> = {}): Promise<FetchedDocument> => {
    const items = published.filter(time => time <= now).slice(-shown);
    const etag = server.isDeceptive ? '"one"' : `"${items.at(-1)}"`;
    const isSame = asked["if-none-match"] === etag;
    if (now >= from) [requests, unchanged] = [requests + 1, unchanged + (isSame ? 1 : 0)];
    const said = { status: isSame ? 304 : 200, url, canonicalUrl: url, contentType: "application/rss+xml" };
    return { ...said, headers: { ...headers, etag }, body: Buffer.from(isSame ? "" : rss(items, hints)) };
  };
  while (now < end) {
    const tools = toolsAt({ now, fetchDocument, random, minIntervalMs });
    const result = await pollFeed({ externalId: url, state, failures: 0 }, tools);
    if (!result.ok) throw new Error(result.reason);
    for (const { data } of result.posts) {
      const time = Number((data.item as { id: string }).id);
      if (time >= from) delays.set(time, (now - time) / minute);
    }
    state = JSON.parse(JSON.stringify(result.state));
    const { fromMs, toMs } = nextPollWithin(
      { failures: 0, gone: false, wantedMs: result.nextInMs },
      minIntervalMs,
    );
    now += fromMs + random() * (toMs - fromMs);
  }
  const counted = published.filter(time => time >= from && time < end - day / 2);
  const sorted = [...delays.values()].sort((a, b) => a - b);
  return {
    requestsADay: requests / ((end - from) / day),
    unchanged,
    lost: counted.filter(time => !delays.has(time)).length,
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
  };
}

function toolsAt(
  given: Pick<ConnectorTools, "fetchDocument" | "random" | "minIntervalMs"> & { now: number },
): ConnectorTools {
  return {
    ...threadless,
    ...given,
    now: () => given.now,
    admit: text => new URL(text),
    readFeed: async ({ body, contentType, url: base }, memory) =>
      digestFeed({ body, contentType, url: base, memory, maxNews: 50 }),
    readSitemap: async () => ({ ok: false, reason: "A feed is no sitemap." }),
    timeLeftMs: () => 30_000,
    scrapePage: async () => Promise.reject(fail("internal_error", "A feed is not scraped.")),
  };
}

function rss(times: number[], hints: string): string {
  const items = times.map(
    time =>
      `<item><guid isPermaLink="false">${time}</guid><title>N</title><pubDate>${new Date(time).toUTCString()}</pubDate></item>`,
  );
  const sy = 'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"';
  return `<rss version="2.0" ${sy}><channel><title>X</title>${hints}${items.reverse().join("")}</channel></rss>`;
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function every(gap: number, { days = 60, from = 0 } = {}): number[] {
  return Array.from({ length: Math.floor((days * day) / gap) }, (_, n) => start + from + n * gap);
}

/** 25 posts within one hour of each day. */
const bursts = every(day, { from: 14 * hour }).flatMap(at =>
  Array.from({ length: 25 }, (_, n) => at + n * 2.4 * minute),
);
const sy = "<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>1</sy:updateFrequency>";

test("a blog that posts each day at nine is found within half an hour, with 30 requests a day, nearly all of them 304", async () => {
  const found = await simulate({ published: every(day, { from: 9 * hour + 7 * minute }), shown: 10 });
  expect(found.lost).toBe(0);
  expect(found.median).toBeLessThanOrEqual(30);
  expect(found.requestsADay).toBeLessThanOrEqual(30);
  expect(found.unchanged / (found.requestsADay * 20)).toBeGreaterThan(0.8);
});

test.each<[string, Server, requestsADay: number, median: number]>([
  [
    "ttl of a day, a post an hour, 10 shown",
    { published: every(hour), shown: 10, hints: "<ttl>1440</ttl>" },
    12,
    300,
  ],
  [
    "max-age of a day, a post an hour",
    { published: every(hour), shown: 10, headers: { "cache-control": "max-age=86400" }, days: 10 },
    60,
    60,
  ],
  [
    "skipHours over a day of posts",
    { published: every(hour), shown: 10, hints: `<skipHours>${hours(0, 22)}</skipHours>` },
    150,
    300,
  ],
  ["WordPress, hourly, 25 posts in an hour", { published: bursts, shown: 10, hints: sy, days: 16 }, 180, 15],
  ["the same without a hint", { published: bursts, shown: 10, days: 16 }, 180, 15],
  ["news every ten minutes", { published: every(10 * minute), shown: 20, days: 4 }, 750, 3],
  ["news every hour", { published: every(hour), shown: 20, days: 8 }, 130, 20],
  ["one a week", { published: every(7 * day, { from: 16 * hour }), shown: 10 }, 30, 45],
  ["one a month, at any time", { published: every(29.3 * day, { days: 120 }), shown: 10, days: 120 }, 30, 60],
])("nothing is lost: %s", async (_, server, requestsADay, median) => {
  const found = await simulate(server);
  expect(found.lost).toBe(0);
  expect(found.requestsADay).toBeLessThanOrEqual(requestsADay);
  expect(found.median).toBeLessThanOrEqual(median);
});

test("a cache rule longer than the feed's own window loses nothing", async () => {
  const fast = { published: every(second, { days: 0.01 }), shown: 5, minIntervalMs: second, days: 0.008 };
  const { lost } = await simulate({ ...fast, headers: { "cache-control": "max-age=20" } });
  expect(lost).toBe(0);
});

test("a server that says for ever that nothing has changed silences no source", async () => {
  const found = await simulate({ published: every(hour), shown: 20, isDeceptive: true, days: 8 });
  expect(found.lost).toBe(0);
  expect(found.most).toBeLessThanOrEqual(day / minute);
});

test("what a feed asks for is obeyed where nothing can be lost", async () => {
  const daily = { published: every(day), shown: 10 };
  const found = await simulate({ ...daily, hints: "<ttl>720</ttl>" });
  expect(found.requestsADay).toBeLessThan(2.1);
});

test("a feed that was quiet for half a year is asked once a day", async () => {
  const old = [start - 300 * day, start - 250 * day, start - 200 * day];
  expect((await simulate({ published: old, shown: 10 })).requestsADay).toBeLessThan(1.3);
});

function hours(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, n) => `<hour>${from + n}</hour>`).join("");
}

test("items with dates of long ago are news of now, and as often as they are found", () => {
  const dates = [400, 300, 200].map(days => new Date(start - days * day).toISOString());
  const item = { id: "1", date_published: dates[0] as string };
  const news = [{ kind: "created" as const, postId: "1", revision: "a", item }];
  const former = { checkedAt: start - hour, newsAt: start - 200 * day, intervalMs: hour, gapMs: 100 * day };
  const tools = { now: () => start, minIntervalMs: minute };
  const pace = paceAfter({ ...former, gapMs: hour }, tools, undefined, {
    dates,
    shown: 3,
    news,
    isGap: false,
  });
  expect(pace).toMatchObject({ newsAt: start, gapMs: hour });
  const dated = { ...item, date_published: new Date(start - minute).toISOString() };
  const read = {
    dates,
    shown: 3,
    news: [{ kind: "created" as const, postId: "1", revision: "a", item: dated }],
  };
  expect(paceAfter(former, tools, undefined, { ...read, isGap: false }).gapMs).toBe(100 * day);
});
