import type { Doc } from "../../store.ts";
import { matches } from "../query.ts";
import type { StoredDoc } from "../stored-documents.ts";
import type { DocumentLocks, TransactionScope } from "./document-locks.ts";
import { documentsToLock, type Evaluation, type LockedDocument } from "./evaluation.ts";
import { findStored, keyOf, type Read, type Reads } from "./reads.ts";
import type { Write } from "./transaction-record.ts";

/**
 * Whether everything that was read is unchanged and no other transaction is about to change it. Once all documents that
 * were read by identity are locked (`txid`), it stays so: a transaction that later changes the answer of a query finds the
 * record of this transaction, just as this one finds the records that were there before.
 */
export async function readsAreCurrent(
  { locks }: TransactionScope,
  evaluation: Evaluation<unknown>,
  txid?: string,
): Promise<boolean> {
  const { view, reads } = evaluation;
  const used = [...view.used.values()];
  const open = used.filter(read => !("id" in read && reads.docs.get(keyOf(read))));
  // In this order: if a transaction ends in between, its writes are visible.
  if (open.length > 0 && (await isAboutToChange(locks, open, evaluation, txid))) return false;
  const inserted = [...view.changes.values()].filter(({ before, after }) => !before && after).length;
  // Taking the locks has compared the locked documents already.
  const same = await Promise.all(
    (txid === undefined ? used : open).map(read => isSame(read, reads, inserted, txid)),
  );
  return !same.includes(false);
}

/** Whether another transaction may write what one of the open reads (queries, and reads that found nothing) would find. */
async function isAboutToChange(
  { records }: DocumentLocks,
  open: Read[],
  evaluation: Evaluation<unknown>,
  txid?: string,
): Promise<boolean> {
  const collections = [...new Set(open.map(({ place }) => place.stored.collectionName))];
  const others = await records
    .find({ _id: { $ne: txid ?? "" }, state: { $ne: "aborted" }, "writes.collection": { $in: collections } })
    .toArray();
  // No other transaction can write what this one holds.
  const held = new Set(txid === undefined ? [] : documentsToLock(evaluation).flatMap(heldKey));
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
  // Placeholders of this transaction may take the places of other documents in the result.
  const wide = limit < 0 ? limit : limit + inserted;
  const found = await findStored(read.place, { ...read.options, limit: wide });
  const now = found.filter(stored => !isOwn(stored, txid)).slice(0, limit < 0 ? undefined : limit);
  const then = reads.results.get(keyOf(read)) ?? [];
  return now.length === then.length && now.every((stored, n) => isAsThen(stored, then[n], txid));
}

function isOwn(stored: StoredDoc | null, txid: string | undefined): boolean {
  return stored?._new === true && stored._lock === txid;
}

function isAsThen(now: StoredDoc, then: { doc: Doc; version: string } | undefined, txid?: string): boolean {
  const isFree = now._lock === undefined || now._lock === txid;
  return isFree && now._id === then?.doc._id && now._v === then.version;
}

function heldKey({ version, write }: LockedDocument): string[] {
  return version === undefined ? [] : [`${write.collection}\n${write.id}`];
}

/** Whether the read would find what the write leaves behind. */
function touches({ collection, id, doc }: Write, read: Read): boolean {
  if (collection !== read.place.stored.collectionName) return false;
  if ("id" in read) return id === read.id;
  return doc !== undefined && matches(doc, read.options.query ?? {});
}
