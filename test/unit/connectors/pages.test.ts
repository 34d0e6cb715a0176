import type { ConnectorTools } from "../../../services/connectors/connector.ts";
import { pollPage } from "../../../services/connectors/pages/poll-page.ts";
import { resolvePage } from "../../../services/connectors/pages/resolve-page.ts";
import type { PollResult } from "../../../services/contracts/connectors.contract.ts";
import { type ErrorCode, fail } from "../../../services/contracts/errors.ts";
import type { PolledPage } from "../../../services/contracts/page-reads.contract.ts";
import { reduceText } from "../../../services/domain/watch/eye/reduce-page.ts";
import { takeSnapshot } from "../../../services/domain/watch/snapshot.ts";
import { threadless } from "../../support/threadless.ts";

const minute = 60_000;
const title = "# X\\_1: \\*all\\*";
const before = `${title}\n\nWhat the page says.`;

const url = "https://x.example/";

/** Polls a page once, with what was kept of it. */
async function pollOnce(
  state: Record<string, unknown>,
  markdown: string,
  { status = 200, headers = {} as Record<string, string>, name = "X_1: *all*" } = {},
): Promise<PollResult> {
  const metadata = { title: name, status_code: status, final_url: url };
  const tools: ConnectorTools = {
    ...threadless,
    admit: text => new URL(text),
    fetchDocument: async () => {
      throw fail("internal_error", "A page is not fetched.");
    },
    readSitemap: async () => ({ ok: false as const, reason: "" }),
    timeLeftMs: () => 30_000,
    readFeed: async () => ({ ok: false, reason: "A page is no feed." }),
    scrapePage: async (_, { views = [] } = {}) => {
      const snapshots = views.map(({ view }) =>
        takeSnapshot({ html: reduceText(markdown, name), url, title: name }, view),
      );
      return { job: { url, data: { markdown, metadata } }, headers, snapshots } as unknown as PolledPage;
    },
    now: () => Date.parse("2025-06-03T10:15:00Z"),
    random: () => 0,
    minIntervalMs: minute,
  };
  return await pollPage({ externalId: url, state, failures: 0 }, tools);
}

/** Polls a page that was looked at every ten minutes; it has not changed unless told otherwise. */
async function poll(status: number, headers: Record<string, string>, markdown = before) {
  const first = await pollOnce({}, before);
  return await pollOnce({ ...first.state, intervalMs: 10 * minute }, markdown, { status, headers });
}

/** What polls of these readings, one after the other, tell: the lines that came. */
async function added(state: Record<string, unknown>, ...readings: string[]): Promise<string[][][]> {
  const told: string[][][] = [];
  let kept = state;
  for (const markdown of readings) {
    const result = await pollOnce(kept, markdown);
    if (!result.ok) throw new Error(result.reason);
    // As it is stored: the state is JSON.
    kept = JSON.parse(JSON.stringify(result.state)) as Record<string, unknown>;
    told.push(result.posts.map(({ data }) => (data.change as { added: string[] }).added));
  }
  return told;
}

test.each<[string, Record<string, string>, number]>([
  ["no wish", {}, 12],
  ["a shorter one", { "cache-control": "max-age=60" }, 12],
  ["a longer one", { "cache-control": "max-age=1800" }, 30],
  ["Retry-After", { "retry-after": "7200" }, 120],
])("after a good poll a page waits by %s of its server", async (_, headers, minutes) =>
  expect(await poll(200, headers)).toMatchObject({ ok: true, nextInMs: minutes * minute }),
);

test.each<[number, Record<string, string>, number]>([
  [503, {}, 1],
  [503, { "retry-after": "3600" }, 60],
  [429, { "retry-after": "Tue, 03 Jun 2025 12:15:00 GMT" }, 120],
  [404, { "cache-control": "max-age=3600" }, 1],
])("after %d with %j for %d minutes", async (status, headers, minutes) =>
  expect(await poll(status, headers)).toMatchObject({ ok: false, retryAfterMs: minutes * minute }),
);

test.each([
  ["nothing", ""],
  ["its title, which the scraper puts above the content", title],
])("a page that comes to show %s has not changed: it is in trouble", async (_, markdown) =>
  expect(await poll(200, {}, markdown)).toMatchObject({ ok: false, reason: "The page has no content." }),
);

test("a page that comes to show its title and one line more has changed", async () =>
  expect(await poll(200, {}, `${title}\n\nMoved.`)).toMatchObject({
    ok: true,
    posts: [{ data: { change: { added: ["Moved."], removed: ["What the page says."] } } }],
  }));

const praise = (name: string, price = 10) => `# X\n\nPrice ${price}\n\nPraise ${name}`;
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n));

test("rotating texts are published for one round, new texts beside them always", async () => {
  const polls = times(20, n => praise("ABC"[n % 3] ?? ""));
  const told = await added({}, ...polls, praise("C", 12), praise("A", 12), praise("B", 10));
  expect(told.slice(6)).toEqual([...times(14, () => []), [["Price 12"]], [], [["Price 10"]]]);
});

test("a text that stays after rotating is published once, unless it was published last", async () => {
  const turns = times(9, n => praise("AB"[n % 2] ?? ""));
  const told = (await added({}, ...turns)).flat().at(-1)?.[0]?.slice(-1);
  const other = told === "A" ? "B" : "A";
  const after = await added({}, ...turns, ...times(15, () => praise(other)));
  expect(after.slice(9).flat()).toEqual([[`Praise ${other}`]]);
});

const shop = times(20, n => `Boot ${n}: ${n} EUR`).join("\n\n");

test("a maintenance page is a failed poll, and its end no change", async () => {
  const first = await pollOnce({}, shop);
  const down = await pollOnce(first.state, "# Down\n\nWe will be back soon.", { name: "Maintenance" });
  expect(down).toMatchObject({ ok: false, gone: false, reason: "The site shows a maintenance page." });
  const cheaper = shop.replace(": 3 EUR", ": 2 EUR");
  expect(await added(down.state, shop, cheaper)).toEqual([[], [["Boot 3: 2 EUR"]]]);
});

/** As other rules kept it. */
async function old(text: string): Promise<Record<string, unknown>> {
  const { state } = await pollOnce({}, text);
  return { ...state, rules: 0, hash: "f".repeat(64) };
}

test("what other rules kept of a page is compared by its text", async () => {
  expect(await added(await old(shop), shop, shop)).toEqual([[], []]);
  const changed = shop.replace("Boot 7: 7 EUR", "Boot 7: 6 EUR");
  expect(await added(await old(shop), changed, changed)).toEqual([[["Boot 7: 6 EUR"]], []]);
});

test("a page that is longer than what is kept is compared by what other rules kept of it, once", async () => {
  const long = times(20_000, n => `Line ${n} says this`).join("\n");
  expect(await added(await old(long), `${long}\nend`, `${long}\nend`, `${long}\nfin`)).toEqual([
    [],
    [],
    [[]],
  ]);
});

/** Looks up a page that a plain fetch does not get, and of which the scraper says so. */
function lookUp(code: ErrorCode) {
  const tools: ConnectorTools = {
    ...threadless,
    admit: text => new URL(text),
    fetchDocument: async () => {
      throw fail("target_unreachable", "The site did not answer.");
    },
    readSitemap: async () => ({ ok: false as const, reason: "" }),
    timeLeftMs: () => 30_000,
    readFeed: async () => ({ ok: false, reason: "A page is no feed." }),
    scrapePage: async () => {
      throw fail(code, "As the scraper says.");
    },
    now: Date.now,
    random: () => 0,
    minIntervalMs: 60_000,
  };
  return resolvePage("https://x.example/", tools);
}

test.each<[ErrorCode, object]>([
  ["scrape_timeout", { type: "target_unreachable", code: 502 }],
  [
    "unsupported_media_type",
    {
      type: "validation_failed",
      code: 400,
      data: { details: [{ field: "sid", code: "unsupported_media_type" }] },
    },
  ],
  ["url_not_allowed", { type: "url_not_allowed", data: { details: [{ field: "sid" }] } }],
  ["overloaded", { type: "overloaded", code: 503 }],
])("what a scrape fails with, %s, is a fault of what is to be tracked", async (code, fault) => {
  await expect(lookUp(code)).rejects.toMatchObject(fault);
});
