import type { Doc, Query, Store } from "../../mixins/store/store.ts";
import { invalid } from "../contracts/errors.ts";

/** A name as lists compare it: without regard to case, and to the Unicode form that was typed. */
export function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** The names that begin with a prefix, as a condition that an index serves. */
export function beginsWith(prefix: string): { $gte: string; $lt: string } {
  const from = folded(prefix);
  return { $gte: from, $lt: `${from}\u{10ffff}` };
}

/** A place in the order of a field, then of identities. */
export interface NamePlace {
  name: string;
  id: string;
}

interface NameRange<D extends Doc> {
  store: Pick<Store<D>, "find">;
  /** With an index on it and `_id`. */
  field: keyof D & string;
  /** In folded form; all names without it. */
  prefix: string;
  /** Where the page before ended. */
  after?: NamePlace;
  limit: number;
}

/** Documents whose name begins with a prefix, in the order of names. Both queries follow the index; nothing is sorted. */
export async function findByName<D extends Doc>(range: NameRange<D>): Promise<D[]> {
  const { store, field, prefix, after, limit } = range;
  const { $gte, $lt } = beginsWith(prefix);
  const find = (query: object, sort: string[], most: number) =>
    store.find({ query: query as Query<D>, sort, limit: most });
  if (!after) return await find({ [field]: { $gte, $lt } }, [field, "_id"], limit);
  const same = await find({ [field]: after.name, _id: { $gt: after.id } }, ["_id"], limit);
  if (same.length === limit) return same;
  const later = await find({ [field]: { $gt: after.name, $lt } }, [field, "_id"], limit - same.length);
  return [...same, ...later];
}

/** A cursor is the place of a page's last row, and which list it is in. */
export function cursorAt(list: string, { name, id }: NamePlace): string {
  return Buffer.from(JSON.stringify([list, name, id])).toString("base64url");
}

/** The place that a cursor names. Throws 400 for any other text. */
export function placeOf(cursor: string): NamePlace & { list: string } {
  try {
    const [list, name, id] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if ([list, name, id].every(part => typeof part === "string")) return { list, name, id };
  } catch {
    // Not a cursor of ours.
  }
  throw invalid("cursor", "malformed", "`cursor` must be a `next_cursor` of this list.");
}
