import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Gauge } from "../../mixins/runtime/metrics.ts";
import { Database } from "../../mixins/store/sqlite/database.ts";
import { openSqliteStore } from "../../mixins/store/sqlite/sqlite-store.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Doc, Store } from "../../mixins/store/store.ts";
import type { OpenStore } from "../../mixins/store/store-of.ts";
import type { ScrapeRequest } from "../../services/contracts/scraper.contract.ts";
import { storeOptions as crawlOptions } from "../../services/crawler/crawls.store.ts";
import { listCrawls } from "../../services/crawler/results/crawl-results.ts";
import { allUsage } from "../../services/keys/all-usage.ts";
import { countNaming, forgetNames, readActs } from "../../services/keys/audit.ts";
import { type KeysContext, storeOptions as keyOptions } from "../../services/keys/context.ts";
import { listKeys } from "../../services/keys/key-lists.ts";
import { listOwners } from "../../services/keys/owners.ts";
import { earlierRead } from "../../services/scraper/jobs/earlier-read.ts";
import { listScrapes } from "../../services/scraper/jobs/scrape-status.ts";
import type { PageOrder } from "../../services/scraper/page-request.ts";
import { jobCollections, scrapesCollection } from "../../services/scraper/scrapes.store.ts";
import { listJobs } from "../../services/tracker/joins/join-jobs.ts";
import { trackerGauges } from "../../services/tracker/metrics.ts";
import { storeOptions as trackerOptions } from "../../services/tracker/sources.store.ts";
import { listSources, listTracked } from "../../services/tracker/tracking/source-lists.ts";
import { listAllDeliveries, listDeliveries } from "../../services/webhook-dispatcher/endpoints/deliveries.ts";
import { findAnyEndpoint } from "../../services/webhook-dispatcher/endpoints/list-endpoints.ts";
import { listLanes } from "../../services/webhook-dispatcher/lanes/lane-status.ts";
import { dispatcherGauges } from "../../services/webhook-dispatcher/metrics.ts";
import {
  deliveriesCollection,
  lanesCollection,
  storeOptions as webhookOptions,
} from "../../services/webhook-dispatcher/webhooks.store.ts";
import { removeFolder } from "../support/folders.ts";
import { keysContext } from "../support/keys-context.ts";

let folder: string;
let opened: OpenStore;
let of: <D extends Doc>(name: string) => Store<D>;
let keys: KeysContext;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "magpie-plans-"));
  const scraperOptions = { collection: "recipes", extraCollections: jobCollections };
  const all: StoreOptions[] = [keyOptions, trackerOptions, crawlOptions, webhookOptions, scraperOptions];
  const declared = all.flatMap(({ collection, indexes = [], extraCollections = {} }) =>
    Object.entries({ [collection]: indexes, ...extraCollections }),
  );
  opened = await openSqliteStore(join(folder, "magpie.db"), declared);
  of = name => opened.store.collection(name);
  keys = keysContext(of("api_keys"), "a master secret of 32 characters!");
});
afterAll(async () => {
  await opened.close();
  await removeFolder(folder);
});

/** The steps of SQLite's plan of every query that the work made. */
async function plansOf(work: () => Promise<unknown>): Promise<{ sql: string; steps: string[] }[]> {
  return [...(await queriesOf(work))].map(([sql, database]) => ({
    sql,
    steps: database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail)),
  }));
}

/** Every query that the work made, and of which database. */
async function queriesOf(work: () => Promise<unknown>): Promise<Map<string, Database>> {
  const { prepare } = Database.prototype;
  const asked = new Map<string, Database>();
  Database.prototype.prepare = function (sql) {
    if (sql.startsWith("SELECT")) asked.set(sql, this);
    return prepare.call(this, sql);
  };
  await work().finally(() => {
    Database.prototype.prepare = prepare;
  });
  return asked;
}

const equalities = (text: string) => text.split(/=\s*\?/).length - 1;

/** Why a plan would be slow in a large store; undefined when an index finds and orders all that is asked for. */
function slowness({ sql, steps }: { sql: string; steps: string[] }): string | undefined {
  const ownSteps = steps.filter(step => !step.includes("json_each") && !step.startsWith("LIST SUBQUERY"));
  if (ownSteps.some(step => step.includes("TEMP B-TREE"))) return "it sorts";
  if (ownSteps.some(step => /^SCAN (?!.* INDEX )/.test(step))) return "it reads the whole table";
  const wanted = sql.slice(sql.indexOf(" WHERE "));
  const found = Math.max(...ownSteps.map(equalities));
  // A comparison has an equals sign, too.
  const asked = equalities(wanted.replace(/[<>]= \?/g, ""));
  return found < asked ? `the index has ${found} of ${asked} fields` : undefined;
}

const cursor = "01JQ4T5W6X7Y8Z9ABCDEFGHJKM";
const page = { limit: 20 };
const deliveries = () => ({ deliveries: of<never>(deliveriesCollection) });
const tracker = () => ({ subscriptions: of<never>("subscriptions"), sources: of<never>("sources") });
const scrapes = () => ({ scrapes: of<never>(scrapesCollection) });
const earlier = () => ({
  ...scrapes(),
  results: undefined as never,
  tools: { blobs: undefined as never },
  now: Date.now,
});
const scrapeOf = { url: "http://a.example/", output: { formats: ["links"] } } as unknown as ScrapeRequest;
const order = { keyId: "k" } as PageOrder;
const crawls = () => ({ crawls: of<never>("crawls"), frontier: undefined as never });
const jobs = () => ({ jobs: of<never>("track_jobs") });
const lanes = () => ({ lanes: of<never>(lanesCollection), endpoints: of<never>("webhooks") }) as never;
const read = (gauges: Gauge[]) => Promise.all(gauges.map(gauge => gauge.read()));
const leading = { busy: [], leads: true, waiting: async () => ({ lag: 0, waiting: 0 }) };
const placeIn = (list: string) => Buffer.from(JSON.stringify([list, "a", "b"])).toString("base64url");

const lists: [string, () => Promise<unknown>][] = [
  ["deliveries of a key", () => listDeliveries(deliveries(), "k", page)],
  ["their next page", () => listDeliveries(deliveries(), "k", { ...page, cursor })],
  ["those that arrived", () => listDeliveries(deliveries(), "k", { ...page, status: "succeeded" })],
  ["those that are dead", () => listDeliveries(deliveries(), "k", { ...page, status: "dead", cursor })],
  ["those of an event", () => listDeliveries(deliveries(), "k", { ...page, event_id: "e" })],
  ["deliveries of all keys", () => listAllDeliveries(deliveries(), page)],
  ["their next page", () => listAllDeliveries(deliveries(), { ...page, cursor })],
  ["those that failed", () => listAllDeliveries(deliveries(), { ...page, status: "failed", cursor })],
  ["those of one key", () => listAllDeliveries(deliveries(), { ...page, key_id: "k" })],
  [
    "those of one key that failed",
    () => listAllDeliveries(deliveries(), { ...page, key_id: "k", status: "failed" }),
  ],
  ["endpoints", () => listLanes(lanes(), page)],
  ["FAILED endpoints", () => listLanes(lanes(), { ...page, status: "FAILED", cursor })],
  ["endpoints of a key", () => listLanes(lanes(), { ...page, key_id: "k", cursor })],
  ["an endpoint by its id", () => findAnyEndpoint(lanes(), "w").catch(() => undefined)],
  ["sources of a key", () => listTracked(tracker(), { keyId: "k" }, page)],
  ["feeds of a key", () => listTracked(tracker(), { keyId: "k" }, { ...page, source: "rss", cursor })],
  ["all sources", () => listSources(tracker(), page)],
  ["failing sources", () => listSources(tracker(), { ...page, health: "failing", cursor })],
  ["feeds", () => listSources(tracker(), { ...page, source: "rss", cursor })],
  ["failing feeds", () => listSources(tracker(), { ...page, source: "rss", health: "failing" })],
  ["scrapes", () => listScrapes(scrapes(), page)],
  ["scrapes of a key", () => listScrapes(scrapes(), { ...page, key_id: "k", cursor })],
  ["failed scrapes", () => listScrapes(scrapes(), { ...page, status: "failed" })],
  ["failed scrapes of a key", () => listScrapes(scrapes(), { ...page, key_id: "k", status: "failed" })],
  ["an equal earlier scrape", () => earlierRead(earlier(), { ...scrapeOf, max_age: 1000 }, order)],
  ["crawls", () => listCrawls(crawls(), page)],
  ["crawls of a key", () => listCrawls(crawls(), { ...page, key_id: "k", cursor })],
  ["failed crawls of a key", () => listCrawls(crawls(), { ...page, key_id: "k", status: "failed" })],
  ["joins", () => listJobs(jobs(), page)],
  ["waiting joins of a key", () => listJobs(jobs(), { ...page, key_id: "k", status: "waiting", cursor })],
  ["keys", () => listKeys(keys, page)],
  ["keys of an owner", () => listKeys(keys, { ...page, owner: "o", cursor })],
  ["keys by name", () => listKeys(keys, { ...page, query: "a" })],
  ["their next page", () => listKeys(keys, { ...page, query: "a", cursor: placeIn("name") })],
  ["owners", () => listOwners(keys, page)],
  ["their next page", () => listOwners(keys, { ...page, query: "a", cursor: placeIn("owner") })],
  ["metrics of sources", () => read(trackerGauges({ ...tracker(), now: Date.now }, () => true))],
  [
    "metrics of endpoints",
    () => read(dispatcherGauges({ lanes: of<never>(lanesCollection), dispatcher: leading } as never)),
  ],
  ["acts", () => readActs(keys, page, "newest first")],
  ["acts of a time", () => readActs(keys, { ...page, since: "2026-03-01", cursor }, "oldest first")],
  ["acts of a kind", () => readActs(keys, { ...page, type: "createApiKey", cursor }, "newest first")],
  ["acts of administrators", () => readActs(keys, { ...page, actor: "admin" }, "newest first")],
  ["acts of an owner", () => readActs(keys, { ...page, owner: "o", cursor }, "newest first")],
  ["acts of a key", () => readActs(keys, { ...page, key_id: "k" }, "oldest first")],
  ["acts that name somebody", () => forgetNames(keys, { owner: "o", keyIds: ["k"] })],
  ["how many name somebody", () => countNaming(keys, { owner: "o", keyIds: ["k"] })],
  ["usage of all keys", () => allUsage(keys, 3, Date.now())],
];

test.each(lists)("an index finds and orders: %s", async (_, list) => {
  const plans = await plansOf(list);
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.map(plan => [slowness(plan), plan.sql]).filter(([why]) => why)).toEqual([]);
});

test("all documents are counted without a visit to each of them", async () => {
  const [[sql, database] = []] = await queriesOf(() => of("sources").count());
  const codes = database?.prepare(`EXPLAIN ${sql}`).all() ?? [];
  const names = codes.map(({ opcode }) => String(opcode));
  expect(names).toContain("Count");
  expect(names).not.toContain("Next");
});

test("usage is read from an index alone", async () => {
  const plans = await plansOf(() => allUsage(keys, 1, Date.now()));
  expect(plans.flatMap(({ steps }) => steps).some(step => step.includes("COVERING INDEX"))).toBe(true);
});

test.each<[string, string, object, string[], string]>([
  ["a field without an index", "sources", { name: "n" }, [], "it reads the whole table"],
  ["another order", "sources", { kind: "rss" }, ["name"], "it sorts"],
  ["a field beside the index", "sources", { kind: "rss", name: "n" }, [], "the index has 1 of 2 fields"],
])("this test finds out about %s", async (_, collection, query, sort, why) => {
  const [plan] = await plansOf(() => of<never>(collection).find({ query: query as never, sort, limit: 5 }));
  expect(plan && slowness(plan)).toBe(why);
});
