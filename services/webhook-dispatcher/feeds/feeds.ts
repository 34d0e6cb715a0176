import { randomUUID } from "node:crypto";
import type { TaggedSources } from "../../../mixins/clients/tagged-sources.ts";
import type { EventLog } from "../../../mixins/event-log/event-log.ts";
import { makeOnce, type StoredClaim } from "../../../mixins/store/idempotency.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { isInserted } from "../../../mixins/store/update-if.ts";
import { fail } from "../../contracts/errors.ts";
import { type FeedRecord, mostFeeds, type NewFeed } from "../../contracts/feeds.contract.ts";
import { type ListPage, type ShortPage, shortPage } from "../../contracts/paging.ts";
import type { FeedVault, StoredFeed } from "./feeds.store.ts";

/** What the operations on feeds work with. */
export interface FeedContext {
  feeds: Store<StoredFeed>;
  claims: Store<StoredClaim>;
  vault: FeedVault;
  log: Pick<EventLog, "readWithin" | "bounds">;
  tagged: Pick<TaggedSources, "of">;
  /** The WebSub hub that feeds name; undefined: none. */
  hub: string | undefined;
  /** Called when a key's feeds have changed. */
  changed(keyId: string): void;
}

interface Told<Data> {
  data: Data;
  message: string;
}

type Wanted = Omit<NewFeed, "name"> & { name?: string | null };

/** Makes a feed with an address of its own. A repeated request gets the feed of the first one. */
export async function createFeed(
  context: FeedContext,
  keyId: string,
  wanted: Wanted,
  now: number,
  idempotencyKey?: string,
): Promise<Told<FeedRecord>> {
  const { feeds, vault, claims } = context;
  const request = { keyId, operation: "feed", key: idempotencyKey, body: wanted };
  const making = {
    newId: randomUUID,
    find: (id: string) => feeds.findById(id),
    make: (id: string) => insertFeed(context, { _id: id, keyId }, wanted, now),
  };
  const feed = await makeOnce(claims, request, making, now);
  return { data: describe(vault, feed), message: "Feed created. Who has its address can read it." };
}

async function insertFeed(
  { feeds, vault, changed }: FeedContext,
  identity: Pick<StoredFeed, "_id" | "keyId">,
  { name = null, tags = [], sources = [], event_types = [], meaningful = false }: Wanted,
  now: number,
): Promise<StoredFeed> {
  const filter = { tags, sources, eventTypes: event_types, meaningful };
  const draft = { ...identity, name, ...filter, createdAt: now, ...vault.issue(identity) };
  for (;;) {
    const known = await feeds.findById(identity._id);
    const feed = known ?? { ...draft, place: await freePlace(feeds, identity.keyId) };
    if (!known && !(await isInserted(feeds, feed))) continue;
    changed(identity.keyId);
    return feed;
  }
}

/**
 * A number below the limit that no feed of the key has; a unique index gives it to one feed alone. Throws `key_limit_reached`.
 */
async function freePlace(feeds: FeedContext["feeds"], keyId: string): Promise<number> {
  const all = await feeds.find({ query: { keyId }, limit: mostFeeds });
  const taken = new Set(all.map(({ place }) => place));
  for (let place = 0; place < mostFeeds; place += 1) if (!taken.has(place)) return place;
  throw fail(
    "key_limit_reached",
    `A key has at most ${mostFeeds} feeds. Delete one with DELETE /feeds/{id}.`,
  );
}

/** The feeds of a key; it has 50 at most. */
export async function listFeeds(
  { feeds, vault }: FeedContext,
  keyId: string,
  page: ShortPage,
): Promise<ListPage<FeedRecord>> {
  const found = await feeds.find({ query: { keyId }, limit: mostFeeds });
  const records = found.map(feed => describe(vault, feed));
  const listed = shortPage(records, ({ created_at, id }) => `${created_at}.${id}`, page);
  return { ...listed, message: "Feeds listed." };
}

/** Throws 404 for an unknown feed and for another key's. */
export async function removeFeed(
  { feeds, changed }: FeedContext,
  keyId: string,
  id: string,
): Promise<{ message: string }> {
  if ((await feeds.removeMany({ _id: id, keyId })) === 0)
    throw fail("not_found", "There is no feed with this id. The feeds are listed at GET /feeds.");
  changed(keyId);
  return { message: "Feed deleted. Its address leads nowhere any more." };
}

/** Removes the feeds of a deleted key. */
export async function forgetFeeds({ feeds, changed }: FeedContext, keyId: string): Promise<void> {
  if ((await feeds.removeMany({ keyId })) > 0) changed(keyId);
}

function describe(vault: FeedVault, feed: Omit<StoredFeed, "place">): FeedRecord {
  const { _id, name, tags, sources, eventTypes, meaningful = false, createdAt } = feed;
  return {
    id: _id,
    name,
    tags,
    sources,
    event_types: eventTypes,
    meaningful,
    token: vault.reveal(feed),
    created_at: new Date(createdAt).toISOString(),
  };
}
