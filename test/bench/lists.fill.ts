import { hash } from "node:crypto";
import { join } from "node:path";
import { ulid } from "ulid";
import { openSqliteStore } from "../../mixins/store/sqlite/sqlite-store.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Doc, Store } from "../../mixins/store/store.ts";
import { storeOptions as crawlOptions, type StoredCrawl } from "../../services/crawler/crawls.store.ts";
import { newLane, shardOf } from "../../services/domain/delivery/lane.ts";
import { storeOptions as keyOptions, type StoredKey } from "../../services/keys/context.ts";
import { openVault } from "../../services/keys/key-vault.ts";
import { folded } from "../../services/keys/name-pages.ts";
import { jobCollections, type StoredScrape } from "../../services/scraper/scrapes.store.ts";
import type { StoredTrackJob } from "../../services/tracker/joins/joins.store.ts";
import {
  type StoredSource,
  type StoredState,
  type StoredSubscription,
  type StoredTally,
  storeOptions as trackerOptions,
} from "../../services/tracker/sources.store.ts";
import { rowsOf } from "../../services/webhook-dispatcher/journal/attempt-rows.ts";
import {
  type Attempted,
  deliveriesCollection,
  lanesCollection,
  type StoredAttempts,
  storeOptions as webhookOptions,
} from "../../services/webhook-dispatcher/webhooks.store.ts";

/** How much a store is filled with. */
export interface Sizes {
  keys: number;
  owners: number;
  sources: number;
  /** Of the key that the bench asks as. */
  ownSources: number;
  /** Of each source, forty identities of items. */
  states?: true;
  deliveries: number;
  scrapes: number;
  crawls: number;
  joins: number;
  usageDays: number;
}

export const masterSecret = "the master secret of this bench, 40 chars";
/** The key that the bench asks as. */
export const ownKey = "mk_bench_0123456789012345678901234567890123";

const dayMs = 86_400_000;
const chunk = 5_000;

/** Fills an embedded store beneath its services, which do not run. Returns the id of the bench's own key. */
export async function fillStore(dataDir: string, sizes: Sizes): Promise<string> {
  const ids = Array.from({ length: sizes.keys }, (_, n) => ulid(Date.now() - (sizes.keys - n) * 1_000));
  const own = ids[0] ?? "";
  await inFile(join(dataDir, "magpie.db"), [keyOptions, trackerOptions, crawlOptions, scraperOptions], of =>
    fillMain(of, ids, sizes),
  );
  await inFile(join(dataDir, "webhooks.db"), [webhookOptions], of => fillWebhooks(of, ids, sizes.deliveries));
  return own;
}

const scraperOptions = { collection: "recipes", extraCollections: jobCollections };

type Collections = <D extends Doc>(name: string) => Store<D>;

async function inFile(
  path: string,
  options: StoreOptions[],
  fill: (of: Collections) => Promise<void>,
): Promise<void> {
  const declared = options.flatMap(({ collection, indexes = [], extraCollections = {} }) =>
    Object.entries({ [collection]: indexes, ...extraCollections }),
  );
  const { store, close } = await openSqliteStore(path, declared);
  try {
    await fill(name => store.collection(name));
  } finally {
    await close();
  }
}

async function insert<D extends Doc>(store: Store<D>, count: number, make: (n: number) => D): Promise<void> {
  for (let from = 0; from < count; from += chunk) {
    const size = Math.min(chunk, count - from);
    await store.insertMany(Array.from({ length: size }, (_, at) => make(from + at)));
  }
}

const pick = <Item>(items: readonly Item[], n: number) => items[n % items.length] as Item;
const iso = (ms: number) => new Date(ms).toISOString();
/** In no order, as random ids are. */
export const sourceId = (n: number) => {
  const digits = hash("sha256", String(n));
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
};

async function fillMain(of: Collections, ids: string[], sizes: Sizes): Promise<void> {
  const now = Date.now();
  const vault = openVault(masterSecret);
  await insert<StoredKey>(of("api_keys"), ids.length, n => {
    const [_id, owner, name] = [pick(ids, n), `owner-${n % sizes.owners}`, `key ${n}`];
    const value = n === 0 ? ownKey : `mk_${String(n).padStart(43, "0")}`;
    return {
      _id,
      owner,
      name,
      lookup: vault.lookup(value),
      sealed: vault.seal(value, owner, _id),
      slot: Math.floor(n / sizes.owners),
      limits: n === 0 ? { requestsPerMinute: 1_000_000 } : {},
      createdAt: iso(now),
      ownerFolded: folded(owner),
      nameFolded: folded(name),
    };
  });
  await insert(of("key_owners"), sizes.owners, n => ({ _id: `owner-${n}`, folded: folded(`owner-${n}`) }));
  await insert(of("key_usage"), ids.length * sizes.usageDays, n => {
    const keyId = pick(ids, n);
    const day = iso(now - Math.floor(n / ids.length) * dayMs).slice(0, 10);
    return { _id: `${keyId}:${day}`, keyId, day, requests: 1 + ((n * 7_919) % 1_000) };
  });
  await insert<StoredSource>(of("sources"), sizes.sources, n => ({
    _id: sourceId(n),
    kind: pick(["rss", "web", "microblog"], n),
    externalId: `https://host-${n}.example/feed.xml`,
    username: `host-${n}.example`,
    name: `The feed of host ${n}`,
    updatedAt: iso(now),
    health: n % 100 === 0 ? "failing" : "ok",
    failures: n % 100 === 0 ? 3 : 0,
    dueAt: now + dayMs + n,
    polledAt: now,
  }));
  const subscriber = (n: number) => pick(ids, n < sizes.ownSources ? 0 : 1 + (n % (ids.length - 1)));
  await insert<StoredSubscription>(of("subscriptions"), sizes.sources, n => ({
    _id: ulid(now - (sizes.sources - n)),
    keyId: subscriber(n),
    sourceId: sourceId(n),
    kind: pick(["rss", "web", "microblog"], n),
    createdAt: iso(now),
    readsFrom: now,
  }));
  const perKey = new Map<string, number>();
  for (let n = 0; n < sizes.sources; n += 1) perKey.set(subscriber(n), (perKey.get(subscriber(n)) ?? 0) + 1);
  await insert<StoredTally>(of("source_counts"), ids.length, n => ({
    _id: pick(ids, n),
    sources: perKey.get(pick(ids, n)) ?? 0,
  }));
  if (sizes.states)
    await insert<StoredState>(of("source_states"), sizes.sources, n => ({
      _id: sourceId(n),
      state: { etag: `"${n}"`, seen: Array.from({ length: 40 }, (_, at) => `${n}-${at}`.padEnd(22, "x")) },
    }));
  await insert<StoredTrackJob>(of("track_jobs"), sizes.joins, n => ({
    _id: `job-${String(n).padStart(8, "0")}`,
    keyId: pick(ids, n % 10),
    kind: "messenger",
    sid: `channel-${n}`,
    state: "completed",
    limits: { trackedSources: 1_000 },
    failAt: now + 7 * dayMs,
    endedAt: now,
  }));
  await insert<StoredScrape>(of("scrapes"), sizes.scrapes, n => ({
    _id: `scr_${ulid(now - (sizes.scrapes - n))}`,
    keyId: pick(ids, n % 10),
    owner: "owner-0",
    url: `https://host-${n}.example/`,
    status: n % 50 === 0 ? "failed" : "completed",
    fence: 0,
    startedAt: iso(now),
    endedAt: iso(now),
    pruneAt: now + dayMs,
  }));
  await insert<StoredCrawl>(of("crawls"), sizes.crawls, n => ({
    _id: `crw_${ulid(now - (sizes.crawls - n))}`,
    keyId: pick(ids, n % 10),
    owner: "owner-0",
    request: { url: `https://host-${n}.example/`, crawler: { limit: 10 }, request: {} } as never,
    status: "completed",
    counts: { discovered: 10, queued: 0, running: 0, completed: 10, failed: 0, skipped: 0 } as never,
    startedAt: iso(now),
    endedAt: iso(now),
    expiresAt: iso(now + dayMs),
    notified: [],
  }));
}

/** Every key has an endpoint; the bench's own has a tenth of the deliveries, and one in a hundred has failed. */
async function fillWebhooks(of: Collections, ids: string[], deliveries: number): Promise<void> {
  const now = Date.now();
  await insert(of("webhooks"), ids.length, n => ({
    _id: pick(ids, n),
    webhookId: `webhook-${n}`,
    name: null,
    url: `https://host-${n}.example/hook`,
    sealed: "",
    previousSealed: null,
    previousUntil: 0,
    revision: 0,
  }));
  await insert(of(lanesCollection), ids.length, n => ({
    _id: pick(ids, n),
    shard: shardOf(pick(ids, n)),
    ...newLane(0),
    ...(n % 50 === 49 && { status: "FAILED" as const }),
  }));
  const spanMs = 48 * 3_600_000;
  const began = now - spanMs;
  const attempt = (keyId: string, n: number): Attempted => {
    const startedAt = began + Math.floor((n * spanMs) / deliveries);
    return {
      keyId,
      event_id: `evt_${ulid(startedAt)}`,
      type: "rss.item.created",
      seq: n,
      url: "https://host.example/hook",
      attempt: 1,
      outcome: n % 100 === 0 ? pick(["failed", "dead"] as const, n / 100) : "succeeded",
      http_status: n % 100 === 0 ? 500 : 200,
      error: n % 100 === 0 ? "status_500" : null,
      duration_ms: 20,
      answer: "",
      startedAt,
    };
  };
  const written = deliveries / 160;
  // One write of the own key has sixteen attempts, those of others one each.
  for (let n = 0; n < written; n += chunk / 160) {
    const rows = Array.from({ length: Math.min(chunk / 160, written - n) }, (_, at) => {
      const all = Array.from({ length: 160 }, (_, place) => (n + at) * 160 + place);
      const own = all.filter(each => each % 10 === 0).map(each => attempt(pick(ids, 0), each));
      const others = all.filter(each => each % 10 !== 0).map(each => [attempt(pick(ids, each), each)]);
      return [own, ...others].flatMap(each => rowsOf(each, now).map(row => ({ ...row, _id: idAt(row.at) })));
    });
    await of<StoredAttempts>(deliveriesCollection).insertMany(rows.flat());
  }
}

/** An id of a row of that time. */
function idAt(ms: number): string {
  return `${ulid(ms).slice(0, -5)}00000`;
}
