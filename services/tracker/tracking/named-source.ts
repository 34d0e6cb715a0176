import type { Caller } from "../../contracts/caller.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import type { Source, SourceKind } from "../../contracts/source.ts";
import type { WatchOptions } from "../../contracts/tracker.contract.ts";
import { type TrackerContext, type TrackerTransaction, transact } from "../context.ts";
import { kindsOf } from "../source-kinds.ts";
import { publicSource, type StoredSource, type StoredSubscription } from "../sources.store.ts";

/** A source as a request names it: by exactly one of its ids. */
export interface NamedSource {
  source: SourceKind;
  eid?: string;
  iid?: string;
}

/** The source and the key's subscription to it, within a transaction. `not_found` when the key does not track it. */
export function subscribedIn(
  tx: TrackerTransaction,
  keyId: string,
  { source: kind, eid, iid }: NamedSource,
): { source: StoredSource; subscription: StoredSubscription } {
  if ((eid === undefined) === (iid === undefined))
    throw invalid("eid", "exactlyOne", "Give exactly one of `eid` and `iid`.");
  const source = iid === undefined ? byAddress(tx, kind, eid ?? "") : byId(tx, kind, iid);
  const query = { keyId, sourceId: source?._id ?? "" };
  const [subscription] = tx.subscriptions.find({ query, limit: 1 });
  if (!source || !subscription) throw fail("not_found", "This API key does not track such a source.");
  return { source, subscription };
}

function byAddress(
  { sources }: TrackerTransaction,
  kind: SourceKind,
  externalId: string,
): StoredSource | undefined {
  return kindsOf(kind).flatMap(each => sources.find({ query: { kind: each, externalId }, limit: 1 }))[0];
}

function byId({ sources }: TrackerTransaction, kind: SourceKind, id: string): StoredSource | undefined {
  const source = sources.findById(id);
  return source && kindsOf(kind).includes(source.kind) ? source : undefined;
}

/** Changes how a key tracks a source. */
export async function changeTracked(
  context: TrackerContext,
  { keyId }: Pick<Caller, "keyId">,
  { options: { tags }, ...named }: NamedSource & { options: WatchOptions },
): Promise<{ data: Source; message: string }> {
  const source = await transact(context, tx => {
    const { source, subscription } = subscribedIn(tx, keyId, named);
    if (tags) tx.subscriptions.updateById(subscription._id, { $set: { tags } });
    return source;
  });
  context.onRetagged(keyId);
  return { data: publicSource(source), message: "The source is tracked as asked." };
}
