import { fail } from "../../../services/contracts/errors.ts";
import type { Doc, Index } from "../store.ts";
import type { Place, Stored } from "./stored.ts";
import { valueAt } from "./value-at.ts";

const duplicateKey = 11_000;

/** Whether a write was refused since it breaks a unique index. */
export function isDuplicate(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string };
  // FerretDB 1.24 tells this of inserts only; of an update it passes on what SQLite says.
  return code === duplicateKey || (code === 1 && /UNIQUE constraint failed/.test(message ?? ""));
}

/** Of the server's own words those that quote the document are left out: it may hold a secret. */
export function conflict(error: unknown): Error {
  const [index] = String((error as { message?: string }).message).split(" dup key: ");
  return fail("conflict", "Such a record exists already.", {}, new Error(index));
}

/** Those that have the identity or the unique values of the document, placeholders among them. */
export function colliding({ stored, uniques }: Place, doc: Doc): Promise<Stored[]> {
  const taken = uniques.filter(index => isIndexed(index, doc)).map(index => tuple(index, doc));
  return stored.find({ $or: [{ _id: doc._id }, ...taken] }).toArray();
}

/** Whether a unique index takes the two documents for the same. */
export function collide(uniques: Index[], one: Doc, other: Doc): boolean {
  return uniques.some(
    index =>
      isIndexed(index, one) &&
      index.fields.every(field => (valueAt(one, field) ?? null) === (valueAt(other, field) ?? null)),
  );
}

function isIndexed({ fields, sparse }: Index, doc: Doc): boolean {
  return !sparse || fields.every(field => (valueAt(doc, field) ?? null) !== null);
}

function tuple({ fields }: Index, doc: Doc): Record<string, unknown> {
  return Object.fromEntries(fields.map(field => [field, valueAt(doc, field) ?? null]));
}
