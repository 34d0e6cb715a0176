import type { Store } from "../../mixins/store/store.ts";
import { crawlState } from "../../services/contracts/crawler.contract.ts";
import { scrapeState } from "../../services/contracts/scraper.contract.ts";
import type { SourceKind } from "../../services/contracts/source.ts";
import { storeOptions as crawlOptions, type StoredCrawl } from "../../services/crawler/crawls.store.ts";
import { listCrawls } from "../../services/crawler/results/crawl-results.ts";
import { listScrapes } from "../../services/scraper/jobs/scrape-status.ts";
import { jobCollections, type StoredScrape } from "../../services/scraper/scrapes.store.ts";
import { listJobs } from "../../services/tracker/joins/join-jobs.ts";
import type { StoredTrackJob } from "../../services/tracker/joins/joins.store.ts";
import {
  type StoredSource,
  type StoredSubscription,
  storeOptions,
} from "../../services/tracker/sources.store.ts";
import { listSources, listTracked } from "../../services/tracker/tracking/source-lists.ts";
import type { StoreDriver } from "./store.suite.ts";

const kinds: SourceKind[] = ["rss", "web", "microblog"];
const healths = ["ok", "failing", "gone"] as const;
const owners = ["k1", "k2", "k3"];
const none = undefined;

const ulidOf = (n: number) => `01J${String(n).padStart(23, "0")}`;
const of = <Item>(items: readonly Item[], n: number) => items[n % items.length] as Item;

/** Some combinations repeat, and every key tracks a part. */
const sources = Array.from({ length: 40 }, (_, n): StoredSource => {
  const _id = `s${String((n * 17) % 40).padStart(2, "0")}`;
  return {
    _id,
    kind: of(kinds, n),
    externalId: `https://host-${n}.example/Feed`,
    username: `host-${n}.example`,
    name: n % 4 ? `Heron ${n}` : `Stork ${n}`,
    updatedAt: "2026-01-01T00:00:00.000Z",
    health: of(healths, Math.floor(n / 3)),
    failures: 0,
    dueAt: 2000,
    polledAt: 1000,
  };
});

const subscriptions = owners.flatMap((keyId, key) =>
  sources
    .filter((_, n) => n % (key + 1) === 0)
    .map(({ _id: sourceId, kind }, n): StoredSubscription => {
      // A few pages are tracked as their feed.
      const askedAs = kind === "rss" && n % 2 === 0 ? { askedAs: "web" as const } : {};
      return {
        _id: ulidOf(n * 3 + key),
        keyId,
        sourceId,
        kind,
        ...askedAs,
        createdAt: new Date(n).toISOString(),
        readsFrom: n,
      };
    }),
);

interface Filter {
  source?: SourceKind;
  health?: StoredSource["health"];
  query?: string;
}

const filters: Filter[] = [none, ...kinds].flatMap(source =>
  [none, ...healths].flatMap(health =>
    [none, "STORK", "host-1", "/feed", "nothing"].map(query => ({
      ...(source && { source }),
      ...(health && { health }),
      ...(query && { query }),
    })),
  ),
);

function fits(source: StoredSource, { health, query = "" }: Filter): boolean {
  const { username, name, externalId } = source;
  const texts = [username, name, externalId].map(text => text.toLowerCase());
  return (
    (health === undefined || source.health === health) && texts.some(t => t.includes(query.toLowerCase()))
  );
}

/** All rows of a list, a few at a time; a page holds no more than it was asked for. */
async function all<Row>(
  read: (page: { limit: number; cursor?: string }) => Promise<{ data: Row[]; next_cursor: string | null }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await read({ limit: 3, ...(cursor !== "" && { cursor }) });
    expect(page.data.length).toBeLessThanOrEqual(3);
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

/** What the lists of sources and jobs do alike on every driver of the store. */
export function listsSuite(name: string, makeDriver: () => StoreDriver): void {
  describe(`lists of sources: ${name}`, () => {
    const driver = makeDriver();
    let stores: { sources: Store<StoredSource>; subscriptions: Store<StoredSubscription> };

    beforeAll(async () => {
      const { collection, indexes = [], extraCollections = {} } = storeOptions;
      const main = (await driver.open(collection, indexes, extraCollections)) as Store<never>;
      stores = { sources: main as Store<StoredSource>, subscriptions: main.collection("subscriptions") };
      await stores.sources.insertMany(sources);
      await stores.subscriptions.insertMany(subscriptions);
    });
    afterAll(() => driver.close());

    const byId = new Map(sources.map(source => [source._id, source]));

    test.each(filters)("of a key by %j", async filter => {
      for (const keyId of owners) {
        const expected = subscriptions
          .filter(each => each.keyId === keyId)
          .filter(({ kind, askedAs }) => [none, kind, askedAs].includes(filter.source))
          .filter(({ sourceId }) => fits(byId.get(sourceId) as StoredSource, filter))
          .sort((a, b) => (a._id < b._id ? 1 : -1));
        const found = await all(page => listTracked(stores, { keyId }, { ...page, ...filter }));
        expect(found.map(({ id }) => id)).toEqual(expected.map(({ sourceId }) => sourceId));
        expect(found.map(row => row.tracked_at)).toEqual(expected.map(({ createdAt }) => createdAt));
      }
    });

    test.each(filters)("of all by %j, with the number of their keys", async filter => {
      const expected = sources
        .filter(({ kind }) => [none, kind].includes(filter.source))
        .filter(source => fits(source, filter))
        .sort((a, b) => (a._id < b._id ? -1 : 1));
      const found = await all(page => listSources(stores, { ...page, ...filter }));
      expect(found.map(({ id, keys }) => [id, keys])).toEqual(
        expected.map(({ _id }) => [_id, subscriptions.filter(({ sourceId }) => sourceId === _id).length]),
      );
    });

    test("a source under poll is due since its poll began", async () => {
      const [first] = sources;
      if (!first) throw new Error("There is no source");
      await stores.sources.update(first._id, { $set: { lease: "t", dueAt: 500_000, lastEventAt: 4000 } });
      const [row] = (await listSources(stores, { limit: 1, query: first.name })).data;
      expect(row).toMatchObject({
        due_at: new Date(500_000 - 90_000).toISOString(),
        polled_at: new Date(1000).toISOString(),
        last_event_at: new Date(4000).toISOString(),
      });
    });
  });

  describe(`lists of jobs: ${name}`, () => {
    const driver = makeDriver();
    let main: Store<StoredCrawl>;
    const statusOf = (values: readonly string[], n: number) => of(values, Math.floor(n / 2));
    const jobs = Array.from({ length: 24 }, (_, n) => ({ n, _id: ulidOf(n), keyId: of(owners, n) }));

    beforeAll(async () => {
      const { indexes = [], extraCollections = {} } = crawlOptions;
      const extra = { ...extraCollections, ...jobCollections, ...storeOptions.extraCollections };
      main = (await driver.open("crawls", indexes, extra)) as unknown as Store<StoredCrawl>;
      const crawls = jobs.map(({ n, ...job }) => ({
        ...job,
        owner: "ann",
        request: { url: "https://example.com/" },
        status: statusOf(crawlState.values, n),
        counts: {},
        startedAt: "2026-01-01T00:00:00.000Z",
      }));
      await main.insertMany(crawls as unknown as StoredCrawl[]);
      const scrapes = jobs.map(({ n, ...job }) => ({
        ...{ ...job, owner: "ann", url: "https://example.com/", fence: 0 },
        status: statusOf(scrapeState.values, n),
      }));
      await main.collection<StoredScrape>("scrapes").insertMany(scrapes as StoredScrape[]);
      const joins = jobs.map(({ n, ...job }) => ({
        ...{ ...job, kind: "messenger", limits: { trackedSources: 1 }, failAt: 1000 },
        state: statusOf(["waiting", "completed"], n),
      }));
      await main.collection<StoredTrackJob>("track_jobs").insertMany(joins as StoredTrackJob[]);
    });
    afterAll(() => driver.close());

    const frontier = { counts: () => Promise.reject(new Error("The counts of an ended crawl are stored")) };
    type Listed = { id: string; key: string; status: string };

    test.each<[string, readonly string[], "newest first" | "by id", (wanted: never) => Promise<Listed[]>]>([
      [
        "scrapes",
        scrapeState.values,
        "newest first",
        async wanted => {
          const scrapes = main.collection<StoredScrape>("scrapes");
          const rows = await all(page => listScrapes({ scrapes }, { ...page, ...(wanted as object) }));
          return rows.map(({ scrape_id: id, key_id: key, status }) => ({ id, key, status }));
        },
      ],
      [
        "crawls",
        crawlState.values,
        "newest first",
        async wanted => {
          const context = { crawls: main, frontier } as unknown as Parameters<typeof listCrawls>[0];
          const rows = await all(page => listCrawls(context, { ...page, ...(wanted as object) }));
          return rows.map(({ crawl_id: id, key_id: key, status }) => ({ id, key, status }));
        },
      ],
      [
        "joins",
        ["waiting", "completed"],
        "by id",
        async wanted => {
          const tracks = { jobs: main.collection<StoredTrackJob>("track_jobs") };
          const rows = await all(page => listJobs(tracks, { ...page, ...(wanted as object) }));
          return rows.map(({ id, key_id: key, state: status }) => ({ id, key, status }));
        },
      ],
    ])("%s by key and status", async (_, values, order, list) => {
      for (const key of [none, ...owners])
        for (const status of [none, ...values]) {
          const expected = jobs
            .map(({ n, _id: id, keyId }) => ({ id, key: keyId, status: statusOf(values, n) }))
            .filter(job => [none, job.key].includes(key) && [none, job.status].includes(status));
          const wanted = { ...(key && { key_id: key }), ...(status && { status }) };
          expect(await list(wanted as never)).toEqual(order === "by id" ? expected : expected.reverse());
        }
    });
  });
}
