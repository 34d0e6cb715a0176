import { cursor, limit, list, object, type Rule, rule, text, time } from "./schema.ts";

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
