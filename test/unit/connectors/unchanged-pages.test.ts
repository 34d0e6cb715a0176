import type { ConnectorTools, PolledSource } from "../../../services/connectors/connector.ts";
import { knownTo } from "../../../services/connectors/pages/known-page.ts";
import { pollPageViews } from "../../../services/connectors/pages/poll-page.ts";
import type { PollResult } from "../../../services/contracts/connectors.contract.ts";
import { fail } from "../../../services/contracts/errors.ts";
import type {
  KnownPage,
  PolledPage,
  UnchangedPage,
} from "../../../services/contracts/page-reads.contract.ts";
import { reduceText } from "../../../services/domain/watch/eye/reduce-page.ts";
import { takeSnapshot } from "../../../services/domain/watch/snapshot.ts";
import type { View } from "../../../services/domain/watch/view.ts";
import { threadless } from "../../support/threadless.ts";

const url = "https://x.example/";
const hour = 3_600_000;
let now = Date.parse("2026-03-02T09:00:00Z");
let text = "";
let status: 200 | 304 = 304;
const read: string[] = [];
const asked: KnownPage[] = [];

const tools: ConnectorTools = {
  ...threadless,
  admit: address => new URL(address),
  fetchDocument: async () => Promise.reject(fail("internal_error", "A page is not fetched.")),
  readFeed: async () => ({ ok: false, reason: "" }),
  readSitemap: async () => ({ ok: false as const, reason: "" }),
  timeLeftMs: () => 30_000,
  scrapePage: async (_, { views = [] } = {}) => {
    read.push(text);
    const page = { html: reduceText(text, "X"), url, title: "X" };
    const snapshots = views.map(({ view }) => takeSnapshot(page, view));
    const metadata = { title: "X", status_code: 200, final_url: url, engine: "http" };
    const known = { url, fingerprint: text, etag: `"${text.length}"` };
    return {
      job: { url, data: { markdown: text, metadata } },
      headers: {},
      snapshots,
      known,
    } as unknown as PolledPage;
  },
  revisitPage: async (_, known, how): Promise<PolledPage | UnchangedPage> => {
    asked.push(known);
    if (known.fingerprint !== text) return await tools.scrapePage(url, how);
    return {
      unchanged: true,
      status: known.etag === undefined ? 200 : status,
      headers: {},
      known: { ...known, etag: `"${text.length}"` },
    };
  },
  now: () => now,
  random: () => 0,
  minIntervalMs: 60_000,
};

beforeEach(() => {
  [text, status] = ["# X\n\nBoots 20 EUR", 304];
  [read.length, asked.length] = [0, 0];
});

const source = (state: object = {}, view: View = {}): PolledSource => ({
  externalId: url,
  state: { ...state },
  failures: 0,
  view,
});

type Good = Extract<PollResult, { ok: true }>;

/** Polls a source some times; answers what came of each. */
async function polls(count: number, first: PolledSource): Promise<Good[]> {
  const results: Good[] = [];
  for (let n = 0; n < count; n += 1) {
    const [result] = await pollPageViews(
      [{ ...first, ...(results.at(-1) && { state: results.at(-1)?.state }) } as PolledSource],
      tools,
    );
    results.push(result as Good);
    now += hour;
  }
  return results;
}

test("a page is read until nothing new comes of it, and then no more while it stays", async () => {
  const results = await polls(5, source());
  expect(read).toHaveLength(2);
  expect(results.slice(2).map(({ check }) => check)).toMatchObject([
    { outcome: "same", status: 304 },
    { outcome: "same", status: 304 },
    { outcome: "same", status: 304 },
  ]);
});

test("a change is told, and the page is read as long as the change may come and go", async () => {
  const state = (await polls(3, source())).at(-1)?.state ?? {};
  text = "# X\n\nBoots 10 EUR";
  const after = await polls(30, source(state));
  expect(after.map(({ posts }) => posts.length)).toEqual([1, ...Array(29).fill(0)]);
  expect(read.length).toBeLessThan(20);
});

test("what a condition holds stays held, with its reason, unread", async () => {
  const view = { when: { contains: ["sale"] } };
  const before = (await polls(1, source({}, view)))[0]?.state ?? {};
  text = "# X\n\nBoots 10 EUR";
  const held = await polls(20, source(before, view));
  expect(held.map(({ check }) => check?.outcome)).toEqual(Array(20).fill("held"));
  expect(new Set(held.map(({ check }) => check?.reason)).size).toBe(1);
  expect(read.length).toBeLessThan(10);
});

test("a number stays the value of checks that do not read it", async () => {
  const view = { when: { value: { below: 15 } } };
  const results = await polls(4, source({}, view));
  expect(read.length).toBeLessThan(4);
  expect(results.map(({ check }) => check?.values)).toEqual(Array(4).fill({ value: 20 }));
});

test("texts that rotate are looked at in each check", async () => {
  let state = {};
  for (let n = 0; n < 12; n += 1) {
    text = `# X\n\nBoots 20 EUR\n\nPraise ${"ABC"[n % 3]}`;
    state = (await polls(1, source(state)))[0]?.state ?? {};
  }
  read.length = 0;
  await polls(3, source(state));
  expect(read).toHaveLength(3);
});

test("each tenth check asks unconditionally, and one a day", async () => {
  const results = await polls(25, source());
  const conditions = asked.map(({ etag }) => (etag === undefined ? "0" : "1")).join("");
  expect(conditions).toBe("11111111101111111110111");
  now += 25 * hour;
  await polls(1, source(results.at(-1)?.state));
  expect(asked.at(-1)?.etag).toBeUndefined();
});

test("a server that ignores conditions is asked by them all the same", async () => {
  status = 200;
  await polls(25, source());
  expect(asked.every(({ etag }) => etag !== undefined)).toBe(true);
});

test("no condition while a source fails; views that know different pages are read", async () => {
  const known = (await polls(2, source())).at(-1)?.state ?? {};
  text = "# X\n\nBoots 10 EUR";
  const other = (await polls(3, source())).at(-1)?.state ?? {};
  expect(knownTo([source(known), source(known)], now)).toMatchObject({ etag: expect.any(String) });
  expect(knownTo([{ ...source(known), failures: 1 }], now)).toEqual({ url, fingerprint: expect.any(String) });
  expect(knownTo([source(known), source(other)], now)).toBeUndefined();
  expect(knownTo([source(known), source()], now)).toBeUndefined();
  const pictured = { ...source(known, { screenshot: true } as View), id: "source" };
  expect(knownTo([pictured], now)).toBeUndefined();
});
