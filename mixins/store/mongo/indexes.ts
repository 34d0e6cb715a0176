import type { Collection, Db, IndexSpecification } from "mongodb";
import { fail } from "../../../services/contracts/errors.ts";
import { inTime } from "../../cluster/mongo.ts";
import type { Doc, Index } from "../store.ts";
import { valueAt } from "./query.ts";
import type { StoredCollection, StoredDoc } from "./stored-documents.ts";

const [namespaceExists, indexNotFound] = [48, 27];

/** Creates a collection with its declared indexes and drops those that are no longer declared. */
export async function ensureIndexes(
  db: Db,
  collection: Collection<StoredDoc>,
  indexes: Index[],
): Promise<void> {
  await inTime(db.createCollection(collection.collectionName)).catch(unless(namespaceExists));
  const wanted = new Map(indexes.map(index => [indexName(index), index]));
  for (const { name } of await collection.indexes())
    if (name !== undefined && name !== "_id_" && !wanted.has(name))
      await collection.dropIndex(name).catch(unless(indexNotFound));
  for (const [name, index] of wanted) await create(collection, name, index);
}

/** The name holds the whole definition, so a changed definition is another index. */
function indexName({ fields, unique, sparse }: Index): string {
  return [...fields, unique && "unique", sparse && "sparse"].filter(Boolean).join(":");
}

async function create(
  collection: Collection<StoredDoc>,
  name: string,
  { fields, unique, sparse }: Index,
): Promise<void> {
  const key: IndexSpecification = fields.map(field => [field, 1]);
  if (!unique || !sparse)
    await collection.createIndex(key, { name, ...(unique && { unique }), ...(sparse && { sparse }) });
  // MongoDB's own sparse indexes leave out only documents without any of the fields.
  else await collection.createIndex(key, { name, unique, partialFilterExpression: present(fields) });
}

function present(fields: string[]) {
  return Object.fromEntries(fields.map(field => [field, { $type: ["string", "number", "bool"] }]));
}

/** Ignores an error with this code. */
function unless(code: number): (error: unknown) => undefined {
  return error => {
    if ((error as { code?: unknown }).code !== code) throw error;
  };
}

const duplicateKey = 11_000;

/** Whether the server refused a write because it breaks a unique index. */
export function isDuplicate(error: unknown): boolean {
  return (error as { code?: unknown }).code === duplicateKey;
}

/** Leaves out the part of the server's message that quotes the document, which may hold a secret. */
export function conflict(error: unknown): Error {
  const [index] = String((error as { message?: string }).message).split(" dup key: ");
  return fail("conflict", "Such a record exists already.", {}, new Error(index));
}

/** The documents with the identity or a unique value of this one. */
export function colliding({ stored, uniques }: StoredCollection, doc: Doc): Promise<StoredDoc[]> {
  const taken = uniques.filter(index => isIndexed(index, doc)).map(index => tuple(index, doc));
  const identity = { _id: doc._id };
  return stored.find(taken.length > 0 ? { $or: [identity, ...taken] } : identity).toArray();
}

function isIndexed({ fields, sparse }: Index, doc: Doc): boolean {
  return !sparse || fields.every(field => (valueAt(doc, field) ?? null) !== null);
}

function tuple({ fields }: Index, doc: Doc): Record<string, unknown> {
  return Object.fromEntries(fields.map(field => [field, valueAt(doc, field) ?? null]));
}
