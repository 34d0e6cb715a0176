import { findPage } from "../../../mixins/store/pages.ts";
import type { HeldMark, HeldSource } from "../../contracts/held-source.contract.ts";
import type { SourceKind } from "../../contracts/source.ts";
import type { TrackedSource } from "../../contracts/source-lists.contract.ts";
import type { TrackerStores } from "../context.ts";
import { connectorState, type StoredSource, type StoredSubscription, viewOf } from "../sources.store.ts";
import { type Held, heldAt, notHeld } from "./named-source.ts";
import { shownTracked } from "./source-lists.ts";

type Stores = Pick<TrackerStores, "sources" | "subscriptions">;
type WithStates = Pick<TrackerStores, "sources" | "subscriptions" | "states">;

interface Wanted {
  keyId: string;
  id?: string;
  kind?: SourceKind;
  externalId?: string;
}

/** What a key holds of a source, for those who read its past. */
export async function heldSource(stores: WithStates, wanted: Wanted): Promise<{ held: HeldSource }> {
  const { source, subscription } = (await found(stores, wanted)) ?? notHeld();
  const { _id: id, run = null, values = [], muted = [] } = source;
  const shown = shownTracked(source, subscription);
  const { readsFrom, ownFrom } = subscription;
  return {
    held: {
      id,
      shown,
      view: viewOf(source),
      readsFrom,
      ...(ownFrom !== undefined && { ownFrom }),
      run,
      values,
      muted,
      ...(await baselineOf(stores, source)),
    },
  };
}

async function baselineOf({ states }: WithStates, source: StoredSource): Promise<{ isBaseline?: true }> {
  if (source.kind !== "site") return {};
  const { baseline } = connectorState(await states.findById(source._id), source);
  return baseline === true ? { isBaseline: true } : {};
}

async function found(stores: Stores, { keyId, id, kind, externalId }: Wanted): Promise<Held | null> {
  if (id === undefined)
    return kind && externalId !== undefined ? heldAt(stores, keyId, kind, externalId) : null;
  const subscription = await stores.subscriptions.findOne({ keyId, sourceId: id });
  const source = subscription && (await stores.sources.findById(id));
  return source && subscription && { source, subscription };
}

/** The sources that a key tracks, with the beginnings of their pasts. */
export async function heldSources(
  { subscriptions }: Stores,
  { keyId, after, limit }: { keyId: string; after?: string; limit: number },
): Promise<{ data: HeldMark[]; next: string | null }> {
  const wanted = { query: { keyId }, limit, ...(after !== undefined && { cursor: after }) };
  const { page, next_cursor } = await findPage(subscriptions, wanted);
  const data = page.map(({ sourceId, kind, readsFrom, ownFrom, tags = [] }) => ({
    id: sourceId,
    kind,
    readsFrom,
    ...(ownFrom !== undefined && { ownFrom }),
    tags,
  }));
  return { data, next: next_cursor };
}

/** Sources as the key sees them that tracks them. */
export async function shownSources(
  { sources, subscriptions }: Stores,
  { keyId, ids }: { keyId: string; ids: string[] },
): Promise<{ data: TrackedSource[] }> {
  const held = await subscriptions.find({ query: { keyId, sourceId: { $in: ids } } });
  const bySource = new Map(held.map(subscription => [subscription.sourceId, subscription]));
  const found = await sources.find({ query: { _id: { $in: [...bySource.keys()] } } });
  const data = found.map(source => shownTracked(source, bySource.get(source._id) as StoredSubscription));
  return { data };
}
