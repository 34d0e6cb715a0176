import type { Collection, Db, IndexSpecification } from "mongodb";
import type { Index } from "../store.ts";
import type { Stored } from "./stored.ts";

const [namespaceExists, indexNotFound, notImplemented] = [48, 27, 238];

/** Makes a collection with its declared indexes and drops those that are declared no longer. */
export async function ensureIndexes(db: Db, collection: Collection<Stored>, indexes: Index[]): Promise<void> {
  await db.createCollection(collection.collectionName).catch(unless(namespaceExists));
  const wanted = new Map(indexes.map(index => [indexName(index), index]));
  for (const { name } of await collection.indexes())
    if (name !== undefined && name !== "_id_" && !wanted.has(name))
      await collection.dropIndex(name).catch(unless(indexNotFound));
  for (const [name, index] of wanted) await create(collection, name, index);
}

/** The name tells the whole definition, so that a changed one is another index. */
function indexName({ fields, unique, sparse }: Index): string {
  return [...fields, unique && "unique", sparse && "sparse"].filter(Boolean).join(":");
}

async function create(
  collection: Collection<Stored>,
  name: string,
  { fields, unique, sparse }: Index,
): Promise<void> {
  const key: IndexSpecification = fields.map(field => [field, 1]);
  if (!unique || !sparse)
    await collection.createIndex(key, { name, ...(unique && { unique }), ...(sparse && { sparse }) });
  else
    await collection
      // MongoDB's own sparse indexes leave out only documents without any of the fields.
      .createIndex(key, { name, unique, partialFilterExpression: present(fields) })
      .catch(unless(notImplemented))
      // FerretDB has no partial indexes. A value that is missing is unique to it.
      .then(made => made ?? collection.createIndex(key, { name, unique, sparse }));
}

function present(fields: string[]) {
  return Object.fromEntries(fields.map(field => [field, { $type: ["string", "number", "bool"] }]));
}

/** Lets an error of this code pass as nothing. */
function unless(code: number): (error: unknown) => undefined {
  return error => {
    if ((error as { code?: unknown }).code !== code) throw error;
  };
}
