import type { Doc } from "../store.ts";
import type { Evaluation } from "./evaluate.ts";
import { type Holding, holdingsOf } from "./holdings.ts";
import type { Locks } from "./locks.ts";
import { matches } from "./matches.ts";
import { findStored, keyOf, type Read, type Reads } from "./reads.ts";
import type { Write } from "./records.ts";
import type { Scope } from "./scope.ts";
import type { Stored } from "./stored.ts";

/**
 * Whether all that was read is still as it was, and no other transaction is about to change that. With all documents
 * read by their identity locked (`txid`) it stays so: whoever changes an answer of a query from now on finds the record
 * of this transaction, as this one finds those that were there before.
 */
export async function stillHolds(
  { locks }: Scope,
  evaluation: Evaluation<unknown>,
  txid?: string,
): Promise<boolean> {
  const { view, reads } = evaluation;
  const used = [...view.used.values()];
  const open = used.filter(read => !("id" in read && reads.docs.get(keyOf(read))));
  // In this order: a transaction that ends in between is seen by what it did.
  if (open.length > 0 && (await isAboutToChange(locks, open, evaluation, txid))) return false;
  const inserted = [...view.changes.values()].filter(({ before, after }) => !before && after).length;
  // What is locked has been compared then.
  const same = await Promise.all(
    (txid === undefined ? used : open).map(read => isSame(read, reads, inserted, txid)),
  );
  return !same.includes(false);
}

/** Whether another transaction may write what one of the reads, of queries or of nothing, would find. */
async function isAboutToChange(
  { records }: Locks,
  open: Read[],
  evaluation: Evaluation<unknown>,
  txid?: string,
): Promise<boolean> {
  const collections = [...new Set(open.map(({ place }) => place.stored.collectionName))];
  const others = await records
    .find({ _id: { $ne: txid ?? "" }, state: { $ne: "aborted" }, "writes.collection": { $in: collections } })
    .toArray();
  // What this transaction holds nobody else gets to write.
  const held = new Set(txid === undefined ? [] : holdingsOf(evaluation).flatMap(heldKey));
  const writes = others
    .flatMap(record => record.writes)
    .filter(({ collection, id, kind }) => kind !== "read" && !held.has(`${collection}\n${id}`));
  return writes.some(write => open.some(read => touches(write, read)));
}

async function isSame(read: Read, reads: Reads, inserted: number, txid?: string): Promise<boolean> {
  if ("id" in read) {
    const known = reads.docs.get(keyOf(read));
    const stored = await read.place.stored.findOne({ _id: read.id });
    if (isOwn(stored, txid)) return !known;
    return stored?._v === known?.version && stored?._lock === undefined;
  }
  const { limit = -1 } = read.options;
  // Placeholders of this transaction may stand in the place of others.
  const wide = limit < 0 ? limit : limit + inserted;
  const found = await findStored(read.place, { ...read.options, limit: wide });
  const now = found.filter(stored => !isOwn(stored, txid)).slice(0, limit < 0 ? undefined : limit);
  const then = reads.results.get(keyOf(read)) ?? [];
  return now.length === then.length && now.every((stored, n) => isAsThen(stored, then[n], txid));
}

function isOwn(stored: Stored | null, txid: string | undefined): boolean {
  return stored?._new === true && stored._lock === txid;
}

function isAsThen(now: Stored, then: { doc: Doc; version: string } | undefined, txid?: string): boolean {
  const isFree = now._lock === undefined || now._lock === txid;
  return isFree && now._id === then?.doc._id && now._v === then.version;
}

function heldKey({ version, write }: Holding): string[] {
  return version === undefined ? [] : [`${write.collection}\n${write.id}`];
}

/** Whether the read would find what the write leaves. */
function touches({ collection, id, doc }: Write, read: Read): boolean {
  if (collection !== read.place.stored.collectionName) return false;
  if ("id" in read) return id === read.id;
  return doc !== undefined && matches(doc, read.options.query ?? {});
}
