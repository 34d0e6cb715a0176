import { fail, invalid } from "../../contracts/errors.ts";
import type { SourceKind } from "../../contracts/source.ts";
import { searchAddress } from "../../domain/search/search-words.ts";
import type { TrackerStores } from "../context.ts";
import { kindsOf } from "../source-kinds.ts";
import { inAnyView, type StoredSource, type StoredSubscription, viewOf } from "../sources.store.ts";

/** A source as a request names it: by exactly one of its ids. */
export interface NamedSource {
  source: SourceKind;
  eid?: string;
  iid?: string;
}

/** A source, and a key's subscription to it. */
export interface Held {
  source: StoredSource;
  subscription: StoredSubscription;
}

/** The source that a key means, in the view that it tracks. `not_found` when the key does not track it. */
export async function heldByName(
  stores: Pick<TrackerStores, "sources" | "subscriptions">,
  keyId: string,
  { source: kind, eid, iid }: NamedSource,
): Promise<Held> {
  if ((eid === undefined) === (iid === undefined))
    throw invalid("eid", "exactly_one", "Give exactly one of `eid` and `iid`.");
  const held =
    iid === undefined
      ? await heldAt(stores, keyId, kind, eid ?? "")
      : await heldById(stores, keyId, kind, iid);
  if (!held) notHeld();
  const { monitor } = viewOf(held.source);
  if (monitor === undefined) return held;
  throw fail("conflict", `This source belongs to the monitor ${monitor}: change or delete the monitor.`);
}

export function notHeld(): never {
  throw fail("not_found", "This API key does not track such a source.");
}

/** The view of an address that a key tracks by itself, or for a monitor; it tracks one at most for each of them. */
export async function heldAt(
  { sources, subscriptions }: Pick<TrackerStores, "sources" | "subscriptions">,
  keyId: string,
  kind: SourceKind,
  externalId: string,
  monitor?: string,
): Promise<Held | null> {
  const address = kind === "search" ? searchAddress(externalId) : externalId;
  for (const each of kindsOf(kind)) {
    const all = await sources.find({ query: inAnyView({ kind: each, externalId: address }) });
    const views = all.filter(view => viewOf(view).monitor === monitor);
    if (views.length === 0) continue;
    const sourceId = { $in: views.map(({ _id }) => _id) };
    const subscription = await subscriptions.findOne({ keyId, sourceId });
    const source = views.find(({ _id }) => _id === subscription?.sourceId);
    if (source && subscription) return { source, subscription };
  }
  return null;
}

async function heldById(
  { sources, subscriptions }: Pick<TrackerStores, "sources" | "subscriptions">,
  keyId: string,
  kind: SourceKind,
  id: string,
): Promise<Held | null> {
  const source = await sources.findById(id);
  const subscription = source && (await subscriptions.findOne({ keyId, sourceId: id }));
  return source && subscription && kindsOf(kind).includes(source.kind) ? { source, subscription } : null;
}
