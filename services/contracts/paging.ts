import { cursor, type InferFields, limit, list, object, type Rule, rule, text, time } from "./schema.ts";

/*
 * Lists that are read a page at a time, by an index of their store.
 */

/** The parameters of a list for administrators. */
export const pageOf = { cursor, limit: limit("Entries a page.") };

/** The parameters of a list for a key. */
export const pageOfKey = { cursor, limit: limit("Entries a page.", { max: 200, default: 50 }) };

/** The parameters of a list in the order of names. Its cursors hold a name. */
export const pageOfNames = {
  cursor: { ...cursor, max: 1024 },
  limit: limit("Entries a page.", { max: 200, default: 50 }),
};

/** The parameters of a list that is short: all of it, unless a page is asked for. */
export const pageOfShort = {
  cursor,
  limit: rule({
    type: "number",
    integer: true,
    min: 1,
    max: 200,
    optional: true,
    convert: true,
    description: "Entries a page. Without it the answer has all.",
  }),
};

/** Which page of a short list. */
export type ShortPage = InferFields<typeof pageOfShort>;

/**
 * A page of a short list in the order of the entries' places, which are texts. A cursor is a place, so that it also holds
 * when its entry has gone.
 */
export function shortPage<Row>(
  rows: readonly Row[],
  placeOf: (row: Row) => string,
  { cursor: after = "", limit: most = rows.length }: ShortPage,
): { data: Row[]; next_cursor: string | null } {
  const left = rows
    .map(row => ({ row, place: placeOf(row) }))
    .filter(({ place }) => place > after)
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  const last = left.length > most ? left[most - 1] : undefined;
  return { data: left.slice(0, most).map(({ row }) => row), next_cursor: last?.place ?? null };
}

/** Which page, as an operation finds it. */
export interface ListRequest {
  cursor?: string;
  limit: number;
}

/** A page of a list; `next_cursor` is where the next one begins, null at the end. */
export const pageWith = <const R extends Rule>(row: R) =>
  object({
    data: list(row),
    next_cursor: { ...text, nullable: true, description: "Null at the end." },
    message: text,
  });
export interface ListPage<Row> {
  data: Row[];
  next_cursor: string | null;
  message: string;
}

export const keyId = rule({ ...text, description: "`id` of the key." });
export const nullableTime = rule({ ...time, nullable: true });

/** The parameter by which administrators see the work of one key. */
export const ofKey = rule({
  type: "string",
  min: 1,
  max: 64,
  optional: true,
  description: "Only of the key with this `id`.",
});
