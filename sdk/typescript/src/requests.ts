import type { operations } from "./schema.ts";

export interface RequestOptions {
  signal?: AbortSignal | undefined;
}

/** The parameters of an operation's query, each of which may be undefined, too. */
export type Query<Name extends keyof operations> = Loose<
  NonNullable<operations[Name]["parameters"]["query"]>
>;

/** The fields of a type, where a field that may be absent may be undefined as well: a program often has one or the other. */
export type Loose<T> = { [Key in keyof T]: undefined extends T[Key] ? T[Key] | undefined : T[Key] };

/** What a list can be chosen by: its query without what says which part is asked for. */
export type Filter<Name extends keyof operations> = Omit<Query<Name>, "cursor" | "limit" | "offset" | "page">;

/** Items of a part, of a list that is read to its end. */
export const partSize = 100;
