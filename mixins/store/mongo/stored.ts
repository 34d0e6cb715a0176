import { randomBytes } from "node:crypto";
import type { Collection } from "mongodb";
import type { Doc, Index } from "../store.ts";

/** A document as it stands on the server. */
export interface Stored extends Doc {
  /** Another one after each write of whichever kind. */
  _v: string;
  /** The transaction that holds it: nobody else changes it. */
  _lock?: string;
  /** Not there yet: it keeps its identity and its unique values for the transaction that holds it. */
  _new?: true;
}

/** A collection on the server. */
export interface Place {
  /** As the room calls it. */
  name: string;
  stored: Collection<Stored>;
  /** The declared indexes that are unique. */
  uniques: Index[];
}

export const unlocked = { _lock: { $exists: false } } as const;
export const visible = { _new: { $exists: false } } as const;

const process = randomBytes(9).toString("base64url");
let count = 0;

/** A version, or the name of a transaction, that no process has used before. */
export function newVersion(): string {
  count += 1;
  return `${process}${count.toString(36)}`;
}

export function stamped(doc: Doc, _v = newVersion()): Stored {
  if (typeof doc._id !== "string") throw new TypeError("A document needs a string _id");
  return { ...doc, _v };
}

/** The document as its room knows it. */
export function bare({ _v, _lock, _new, ...doc }: Stored): Doc {
  return doc;
}
