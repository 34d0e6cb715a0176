import { toConfig } from "../../../mixins/config/config.ts";
import { ConfigError } from "../../../mixins/config/env.ts";
import {
  afterSkippedTimes,
  backoff,
  dayMs,
  feedWait,
  freshness,
  jittered,
  nextInterval,
  pageWait,
  sitePauseMs,
  usualGap,
} from "../../../services/connectors/poll-interval.ts";
import { truncateItem } from "../../../services/domain/feed/digest-feed.ts";
import { findFeedLinks } from "../../../services/domain/feed/known-feeds.ts";

const now = Date.parse("2025-06-03T10:15:00Z"); // A Tuesday.
const minute = 60_000;

test.each<[string | undefined, number]>([
  ["120", 120_000],
  ["0", 0],
  ["Tue, 03 Jun 2025 10:16:00 GMT", minute],
  ["Tue, 03 Jun 2025 10:00:00 GMT", 0],
  ["99999999", dayMs],
  ["soon", 0],
  [undefined, 0],
])("Retry-After %j", (header, ms) => expect(sitePauseMs(header, now)).toBe(ms));

test.each<[string | undefined, number]>([
  ["public, max-age=60", minute],
  ["max-age=60, no-cache", 0],
  ["no-store", 0],
  ["s-maxage=60", 0],
  ["max-age=31536000", dayMs],
  [undefined, 0],
])("Cache-Control %j", (header, ms) => expect(freshness(header)).toBe(ms));

test.each([
  ["20", 40_000],
  ["90", 0],
  ["old", minute],
])("of a minute's freshness an Age of %j leaves %d ms", (age, ms) =>
  expect(freshness("max-age=60", age)).toBe(ms),
);

test.each<[object, number]>([
  [{}, 0],
  [{ "cache-control": "max-age=600", age: "60" }, 9 * minute],
  [{ "cache-control": "max-age=31536000" }, 60 * minute],
  [{ "cache-control": "max-age=31536000", "retry-after": "7200" }, 120 * minute],
  [{ "cache-control": "no-cache, max-age=600", "retry-after": "120" }, 2 * minute],
])("a page with %j is left alone for %d ms", (headers, ms) => expect(pageWait({ ...headers }, now)).toBe(ms));

test("the longest wish counts", () =>
  expect(feedWait({ ttlMinutes: 5 }, { "cache-control": "max-age=60", "retry-after": "600" }, now)).toBe(
    10 * minute,
  ));

test.each<[string, number[], number[], string]>([
  ["no hours", [], [], "2025-06-03T10:15:00.000Z"],
  ["this hour", [10], [], "2025-06-03T11:00:00.000Z"],
  [
    "hours over midnight",
    [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 0],
    [],
    "2025-06-04T01:00:00.000Z",
  ],
  ["today", [], [2], "2025-06-04T00:00:00.000Z"],
  ["every day", [], [0, 1, 2, 3, 4, 5, 6], "2025-06-03T10:15:00.000Z"],
])("skipped: %s", (_, skipHours, skipDays, at) =>
  expect(new Date(afterSkippedTimes(now, { skipHours, skipDays })).toISOString()).toBe(at),
);

test("the interval grows while nothing comes, to the source's own rate, and shrinks when something does", () => {
  const run = (gapMs?: number) => {
    let interval = minute;
    for (let poll = 0; poll < 60; poll++)
      interval = nextInterval(interval, { found: false, minMs: minute, ...(gapMs && { gapMs }) });
    return interval;
  };
  expect(nextInterval(minute, { found: false, minMs: minute })).toBe(1.2 * minute);
  expect(run()).toBe(dayMs);
  expect(run(40 * minute)).toBe(10 * minute);
  expect(run(minute)).toBe(minute);
  expect(nextInterval(10 * minute, { found: true, minMs: minute })).toBe(5 * minute);
  expect(nextInterval(minute, { found: true, minMs: minute })).toBe(minute);
});

test.each<[string, string[], number | undefined]>([
  ["two dates", ["2025-06-03T09:00:00Z", "2025-06-03T08:00:00Z"], undefined],
  ["an hour apart", ["2025-06-03T10:00:00Z", "2025-06-03T09:00:00Z", "2025-06-03T08:00:00Z"], 60 * minute],
  ["silent since", ["2025-06-01T10:15:00Z", "2025-06-01T10:14:00Z", "2025-06-01T10:13:00Z"], minute],
  ["most at once", ["2025-06-03T09:00:00Z", ...Array<string>(3).fill("2025-06-03T06:00:00Z")], 60 * minute],
  ["all at once", Array<string>(4).fill("2025-06-03T06:00:00Z"), undefined],
  ["in the future", ["2035-06-01T10:15:00Z", "2035-06-01T10:14:00Z", "2035-06-01T10:13:00Z"], undefined],
])("the usual gap: %s", (_, dates, gap) => expect(usualGap(dates, now)).toBe(gap));

test("failures double the wait, up to a day", () =>
  expect([0, 1, 5, 12, 1e6].map(failures => backoff(failures, minute) / minute)).toEqual([
    1, 2, 32, 1440, 1440,
  ]));

test("jitter adds up to a tenth", () =>
  expect([0, 0.5].map(random => jittered(1000, random))).toEqual([1000, 1050]));

test.each<[string, string[]]>([
  ['<link rel="alternate" type="application/rss+xml" href="/f">', ["https://x.example/f"]],
  [
    '<base href="/b/"><LINK REL="Alternate Home" TYPE="application/atom+xml; charset=utf-8" HREF="f">',
    ["https://x.example/b/f"],
  ],
  ['<link rel="alternate" type="application/feed+json" href="f.json">', ["https://x.example/f.json"]],
  ['<link rel="alternate" hreflang="de" href="/de">', []],
  ['<link rel="stylesheet" type="application/rss+xml" href="/f">', []],
  ['<link rel="alternate" type="application/rss+xml" title="Comments on X" href="/f">', []],
  ['<link rel="alternate" type="application/rss+xml" href="javascript:x">', []],
  ['<!-- <link rel="alternate" type="application/rss+xml" href="/f"> -->', []],
])("the feeds that %s names", (html, links) =>
  expect(findFeedLinks(html, "https://x.example/")).toEqual(links),
);

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const long = 'ü"'.repeat(300_000);

test.each([
  ["HTML", { id: "1", content_html: long }],
  ["both bodies", { id: "1", content_html: long, content_text: long }],
  ["title and summary", { id: "1", title: long, summary: long }],
  ["an id", { id: long }],
  [
    "many links",
    {
      id: "1",
      attachments: Array.from({ length: 50 }, (_, n) => ({
        url: `https://x.example/${n}/${"a".repeat(8000)}`,
        mime_type: "a/b",
      })),
    },
  ],
  ["surrogates", { id: "1", content_text: "😀".repeat(200_000) }],
])("an item too large for its %s is cut", (_, item) => {
  const cut = truncateItem(item);
  expect(cut.truncated).toBe(true);
  expect(bytesOf(cut)).toBeLessThanOrEqual(200 * 1024);
  expect(JSON.stringify(cut)).not.toMatch(/\\ud[89ab]/i);
});

test("an item that fits is left as it is", () => {
  const item = { id: "1", title: "x", content_text: "y" };
  expect(truncateItem(item)).toBe(item);
});

test.each([
  ["1m", 60_000],
  ["30s", 30_000],
  ["500ms", 500],
  ["24h", dayMs],
])("POLL_MIN_INTERVAL=%s", (value, ms) =>
  expect(toConfig({ POLL_MIN_INTERVAL: value }).pollMinIntervalMs).toBe(ms),
);

test.each(["0s", "25h", "1", "m", "1 m", "-1s"])("POLL_MIN_INTERVAL=%s is refused by name", value =>
  expect(() => toConfig({ POLL_MIN_INTERVAL: value })).toThrow(ConfigError),
);
